"""From a function and its arguments to compiled functions, once per signature."""
