"""Derivative rules, and the decorators by which they are made."""

from .catalogue import describe
from .registry import (
    MATH_OF_NUMPY,
    Rule,
    adjoint,
    all_rules,
    composite,
    constant,
    elementwise,
    import_libraries,
    is_static,
    linear,
    lookup,
    tangent,
)

__all__ = [
    "MATH_OF_NUMPY",
    "Rule",
    "adjoint",
    "all_rules",
    "composite",
    "constant",
    "describe",
    "elementwise",
    "import_libraries",
    "is_static",
    "linear",
    "lookup",
    "tangent",
]
