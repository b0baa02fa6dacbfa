"""Generated text, for reading."""
