"""The frontend: from the tree of a user's function to IR."""
