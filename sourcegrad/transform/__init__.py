"""What all transforms of functions share."""
