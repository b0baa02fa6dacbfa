"""The passes in their order: from a signature to the text of generated functions."""
