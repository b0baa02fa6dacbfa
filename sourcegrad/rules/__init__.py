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
    "is_static",
    "linear",
    "lookup",
    "tangent",
]
