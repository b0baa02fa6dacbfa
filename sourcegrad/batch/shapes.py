"""Operations on stacks: what an operation of one seed's cotangent is for all of them.

A *stack* has the seeds along its first axis; behind it come the axes of one cotangent,
as many as its kind says. What is the same for all seeds has no such axis.
"""

from __future__ import annotations

from dataclasses import dataclass

from sourcegrad.ir import Expr, Lit, Op, getitem

ALL = Op("slice", (Lit(None), Lit(None), Lit(None)))


class Unbatchable(Exception):
    """An operation of a sweep whose meaning for a stack is not known."""


@dataclass(frozen=True)
class Operand:
    """An operand: how it is written, how many axes one seed's has (-1: not known),
    whether it is a stack."""

    expr: Expr
    ndim: int
    stacked: bool


def spread(operand: Operand, ndim: int) -> Expr:
    """A stack with axes of extent 1 in front of its own, for NumPy to broadcast."""
    if not operand.stacked or operand.ndim >= ndim:
        return operand.expr
    new: tuple[Expr, ...] = (Lit(None),) * (ndim - operand.ndim)
    rest = (Lit(Ellipsis),) if operand.ndim else ()
    return getitem(operand.expr, Op("tuple", (ALL, *new, *rest)))


def aligned(operands: list[Operand]) -> list[Expr]:
    """Operands of an elementwise operation, so that their axes meet as for one seed.

    Raises:
        Unbatchable: it is not known how many axes one of them has.
    """
    if any(o.ndim < 0 for o in operands):
        raise Unbatchable("an operand of unknown kind")
    ndim = max(o.ndim for o in operands)
    return [spread(o, ndim) for o in operands]


def moved_axis(axis: Expr | None, ndim: int) -> Expr:
    """An axis of one seed's cotangent, as an axis of the stack."""
    known = literal(axis)
    if known is None:
        return Op("tuple", tuple(Lit(k) for k in range(1, ndim + 1)))
    if isinstance(known, tuple):
        return Op("tuple", tuple(Lit(moved(k, ndim)) for k in known))
    return Lit(moved(known, ndim))


def moved(axis: int, ndim: int) -> int:
    """The same for a number; the result counts from the front.

    >>> moved(0, 2), moved(-1, 2)
    (1, 2)
    """
    if not -ndim <= axis < ndim:
        raise Unbatchable(f"axis {axis} of {ndim}")
    return axis % ndim + 1


def literal(e: Expr | None) -> int | tuple[int, ...] | None:
    """A literal axis: None, a number or several."""
    if e is None or e == Lit(None):
        return None
    if isinstance(e, Lit) and type(e.value) is int:
        return e.value
    if isinstance(e, Op) and e.op == "neg" and isinstance(e.args[0], Lit):
        return -e.args[0].value
    if isinstance(e, Op) and e.op == "tuple":
        parts = tuple(map(literal, e.args))
        if all(isinstance(p, int) for p in parts):
            return parts  # type: ignore[return-value]
    raise Unbatchable("an axis that is known at run time only")


def lengthened(shape: Expr, count: Expr) -> Expr:
    """The shape of a stack for the shape of one seed's cotangent."""
    if isinstance(shape, Op) and shape.op == "tuple":
        return Op("tuple", (count, *shape.args))
    if isinstance(shape, Lit) and type(shape.value) is int:
        return Op("tuple", (count, shape))
    return Op("tuple", (count, Op("star", (shape,))))
