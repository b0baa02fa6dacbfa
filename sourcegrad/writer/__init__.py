"""From regions of the IR to the text of a module."""
