"""The frontend: from the tree of a user's function to IR."""

from . import optional  # noqa: F401  (it tells the catalogue what is followed)
