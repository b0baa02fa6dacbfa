"""Numbers that are read back from what hides them: text, and arrays without a dtype of
numbers. A derivative does not go through those, so that it would silently be zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from sourcegrad.analysis.activity import definitions
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.inference import CONSTANT_ATTRIBUTES
from sourcegrad.ir import BINARY, Effect, Expr, Op, Ref, Region, Value
from sourcegrad.ir_walk import refs, stmt_exprs, walk
from sourcegrad.kinds import (
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    differentiable,
)

_TEXT = (Atom(str), Atom(bytes))
_BAGS = (Atom(set), Atom(frozenset), Atom(tuple))
_NUMBERS = ("bool", "int", "uint", "float", "complex", "longdouble", "clong", "number")


def require_shown(b: Any, region: Region) -> None:
    """No number may come out of text, or of an array of objects or records, that shows
    an active value.

    Args:
        b: the builder.
        region: all statements of a function.

    Raises:
        NonDifferentiableError: `float(str(x))` and its kin.
    """
    seen = _Shown(b, region)
    for stmt in walk(region):
        for expr in stmt_exprs(stmt):
            for found in _operations(expr):
                seen.require(found, stmt.where)
    for result in region.yields:
        if b.infer(result) == UNKNOWN:
            seen.require(result, b.where)


def _words(kind: Kind) -> tuple[str, str, tuple[str, ...]]:
    """What is wrong, why, and a way out."""
    if not isinstance(kind, Num) or kind.dtype is None:
        return (
            "a number is read from text that shows an active value",
            "the derivative does not go through text",
            (
                "use the value itself, or stop_gradient(…) of it in the text where the "
                "derivative is to be zero",
            ),
        )
    of = "records" if kind.dtype.startswith("void") else f"dtype {kind.dtype}"
    return (
        f"a number is read from an array of {of} that holds an active value",
        "the derivative does not go through such an array",
        ("use an array of floats, or a list",),
    )


def _operations(expr: Expr) -> Iterator[Op]:
    """An expression and its parts that compute, but for the text of an f-string."""
    if isinstance(expr, Op):
        yield expr
        for arg in expr.args:
            yield from _operations(arg)


def hides(kind: Kind) -> bool:
    """Whether values of this kind may hold numbers but carry no derivative."""
    if isinstance(kind, Num):
        return kind.dtype is not None and not kind.dtype.startswith(_NUMBERS)
    if isinstance(kind, ListKind):
        return hides(kind.item)
    if isinstance(kind, TupleKind):
        return any(map(hides, kind.items))
    return kind in _TEXT


class _Shown:
    """What the values of a function are made of."""

    def __init__(self, b: Any, region: Region) -> None:
        self.b = b
        self.made_of: dict[Value, list[Expr]] = defaultdict(list)
        for targets, exprs in definitions(region):
            for target in targets:
                self.made_of[target] += exprs
        for stmt in walk(region):
            match stmt:
                case Effect(expr=Op(op="call", args=(Op(op="attr") as fn, *operands))):
                    for held in refs(fn.args[0]):
                        self.made_of[held] += operands

    def require(self, expr: Expr, where: Any) -> None:
        """No operand of an operation may hide an active value."""
        if isinstance(expr, Op) and (self.b.is_varied(expr) or not self.counts(expr)):
            return
        for source in [expr] if isinstance(expr, Ref) else _sources(expr):
            kind = self.hides(source, None, set())
            if kind is not None:
                self.b.where = where
                raise self.b.error(NonDifferentiableError, *_words(kind))

    def counts(self, op: Op) -> bool:
        """Whether an operation gives a number with a derivative."""
        kind = self.b.infer(op)
        if isinstance(kind, Num):
            item = op.op == "getitem" and kind.ndim == 0
            return differentiable(kind) or item and hides(kind)
        return kind == UNKNOWN and op.op in BINARY

    def hides(self, expr: Expr, by: Kind | None, done: set[Value]) -> Kind | None:
        """What an active value can be read from that an expression gives, if any.

        Args:
            expr: what is read.
            by: what hides the values behind it already.
            done: the values that were looked at.
        """
        kind = self.b.infer(expr)
        by = by or (kind if hides(kind) else None)
        if isinstance(kind, Num) and not hides(kind):
            return by if self.b.is_varied(expr) else None
        if not (differentiable(kind) or hides(kind) or kind in _BAGS):
            return None  # a shape, a dtype, a class
        if isinstance(expr, Ref):
            if expr.value.varied:
                return by
            if expr.value in done:
                return None
            done.add(expr.value)
            parts: Iterable[Expr] = self.made_of[expr.value]
        elif isinstance(expr, Op):
            parts = _parts(expr)
        else:
            return None
        return next(filter(None, (self.hides(e, by, done) for e in parts)), None)


def _parts(op: Op) -> Iterable[Expr]:
    """The operands whose values an operation shows."""
    if op.op == "getitem":
        return op.args[:1]
    if op.op != "raw":
        return op.args
    tree, names = op.data
    shown = {n.id for n in _read(tree)}
    return [e for name, e in zip(names, op.args, strict=True) if name in shown]


def _read(tree: Any) -> Iterator[Any]:
    """The names in a text kept as written whose values it reads, and not only their
    shapes, lengths or classes."""
    if isinstance(tree, gast.Name):
        yield tree
    elif isinstance(tree, gast.Attribute) and tree.attr in CONSTANT_ATTRIBUTES:
        return
    elif isinstance(tree, gast.Call) and isinstance(tree.func, gast.Name):
        if tree.func.id not in ("len", "type"):
            for part in gast.iter_child_nodes(tree):
                yield from _read(part)
    else:
        for part in gast.iter_child_nodes(tree):
            yield from _read(part)


def _sources(op: Expr) -> list[Expr]:
    """The operands that an operation takes numbers from."""
    if not isinstance(op, Op):
        return []
    if op.op == "getitem":
        return [op.args[0]]
    if op.op != "call":
        return [*op.args]
    fn, *operands = op.args
    if isinstance(fn, Op) and fn.op == "attr":
        return [fn.args[0], *operands]
    return operands
