"""Cotangents of operands that were broadcast: sums over the axes of the stretch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sourcegrad import runtime
from sourcegrad.ir import Expr, Lit, Ref, Value, call
from sourcegrad.kinds import Kind, Num, is_scalar

if TYPE_CHECKING:
    from sourcegrad.adjoint.shadows import Shadows


def unbroadcast(
    rev: Shadows, g: Expr, value: Value, others: list[Kind], result: Kind
) -> Expr:
    """The contribution summed over the axes along which the operand was stretched."""
    kind = value.kind
    if all(is_scalar(k) for k in others):
        return g
    found = rev.b.infer(g)
    if is_scalar(kind):
        return g if is_scalar(result) else _summed(rev, g, found, kind)
    tokens = {getattr(k, "shape", None) for k in others if not is_scalar(k)}
    shape = getattr(kind, "shape", None)
    if shape is not None and tokens == {shape}:
        return g
    return call(rev.cot.library(runtime.unbroadcast), g, Ref(value))


def _summed(rev: Shadows, g: Expr, found: Kind, kind: Kind) -> Expr:
    if isinstance(found, Num) and found.flavor == "array":
        return call(rev.cot.library(np.sum), g)
    return call(rev.cot.library(runtime.unbroadcast), g, Lit(0.0))


def narrowed(rev: Shadows, g: Expr, value: Value, slot: Expr) -> Expr:
    """The cotangent of a value that was broadcast into a slot of an array."""
    into, kind = rev.b.infer(slot), value.kind
    if is_scalar(into):
        return g
    if is_scalar(kind):
        return call(rev.cot.library(np.sum), g)
    token = getattr(kind, "shape", None)
    if token is not None and token == getattr(into, "shape", None):
        return g
    return call(rev.cot.library(runtime.unbroadcast), g, Ref(value))
