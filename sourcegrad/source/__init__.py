"""From a live function to its tree, its file and the names that it resolves."""
