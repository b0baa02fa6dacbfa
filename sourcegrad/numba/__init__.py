"""What `backend="numba"` adds: the generated text, rewritten and compiled."""
