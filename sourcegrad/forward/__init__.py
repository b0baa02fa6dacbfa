"""Forward mode: tangents of operations, and the functions that carry them."""
