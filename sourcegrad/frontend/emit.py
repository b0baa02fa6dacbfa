"""The emitter: appends statements to the region being built."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sourcegrad.errors import Location, SourcegradError
from sourcegrad.frontend.inference import Inference
from sourcegrad.frontend.library_kinds import is_hashable
from sourcegrad.frontend.naming import temporary
from sourcegrad.frontend.scope import Binder, Env
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Assign, Expr, Lit, Obj, Op, Ref, Region, Stmt, Value
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import Kind, Num, TupleKind, differentiable
from sourcegrad.kinds_operators import OPERATORS
from sourcegrad.rules import registry

_TOKENS = itertools.count(1)
# What says where the builder stands, beside the environment and the calls around.
STAND = (
    *("region", "scope", "where", "comment", "passive", "static"),
    *("catcher", "attempting", "caught"),
)


class Emitter(Inference):
    """State shared by all parts of the frontend, and the making of statements."""

    stack: list[Any]

    def __init__(self, binder: Binder) -> None:
        self.binder = binder
        self.region = Region()
        self.env: Env = {}
        self.where: Location | None = None
        self.passive = False
        self.deriving = 0
        self.static = 0
        self.comment: str | None = None
        self.tentative = 0

    # ------------------------------------------------------------- statements

    def append(self, stmt: Stmt) -> None:
        """Append a statement, placed where the frontend stands."""
        stmt.where = stmt.where or self.where
        stmt.comment = stmt.comment or self.comment
        self.region.stmts.append(stmt)

    @contextlib.contextmanager
    def inside(self, region: Region) -> Iterator[Region]:
        """Build into another region for a while."""
        outer, self.region = self.region, region
        try:
            yield region
        finally:
            self.region = outer

    @contextlib.contextmanager
    def aside(self) -> Iterator[Region]:
        """Build into a region of its own, what is bound there being forgotten."""
        mark, self.region = self.mark(), Region()
        try:
            yield self.region
        finally:
            self.back_to(mark)

    def mark(self) -> dict[str, Any]:
        """Where the builder stands, to come back to."""
        stand = {name: getattr(self, name) for name in STAND}
        stand |= {"env": dict(self.env), "stack": list(self.stack)}
        return stand | {"length": len(self.region.stmts), "ends": self.region.ends}

    def back_to(self, mark: dict[str, Any]) -> None:
        """Forget what was built since a mark, which is then built in another way; also
        from within callees, loops and handlers that were gone into."""
        for name in STAND:
            setattr(self, name, mark[name])
        self.env, self.stack = dict(mark["env"]), list(mark["stack"])
        del self.region.stmts[mark["length"] :]
        self.region.ends = mark["ends"]

    @contextlib.contextmanager
    def passively(self) -> Iterator[None]:
        """Treat everything as inactive: conditions, indices, prints."""
        outer, self.passive = self.passive, True
        try:
            yield
        finally:
            self.passive = outer

    @contextlib.contextmanager
    def actively(self) -> Iterator[None]:
        """Statements inside count whatever is asked for around them: a callee that
        keeps what it is given keeps its derivative."""
        outer, self.passive = self.passive, False
        try:
            yield
        finally:
            self.passive = outer

    @contextlib.contextmanager
    def tentatively(self) -> Iterator[None]:
        """What is built inside is looked at only: no decision is taken for it."""
        self.tentative += 1
        try:
            yield
        finally:
            self.tentative -= 1

    def value(self, name: str, kind: Kind, varied: bool, temp: bool = False) -> Value:
        """A new value; arrays of unknown shape get a shape token of their own."""
        if isinstance(kind, Num) and kind.flavor == "array" and kind.shape is None:
            kind = replace(kind, shape=next(_TOKENS))
        made = name.startswith("$")  # a name of the compiler's own
        return Value(name.lstrip("$"), kind, varied, self.where, temp or made)

    def emit(self, expr: Expr, name: str | None = None) -> Ref:
        """Assign an expression to a new value, and refer to it."""
        varied = not self.passive and self.is_varied(expr)
        kind = self.infer(expr)
        value = self.value(
            name or temporary(expr, kind), kind, varied, temp=name is None
        )
        value.like = _same_shape(value, expr)
        if isinstance(expr, Op) and expr.op == "ifexp":
            value.maybe_undefined = self.may_be_missing(expr)
        self.append(Assign(value, expr))
        return Ref(value)

    def atom(self, expr: Expr, name: str | None = None) -> Expr:
        """The expression as a reference, literal or object: emitted if it is more."""
        return self.emit(expr, name) if isinstance(expr, Op) else expr

    def settle(self, tree: Abstract, name: str | None = None) -> Abstract:
        """The tree with every leaf an atom, so that it means the same later on."""
        if isinstance(tree, Op):
            return self.structured(self.emit(tree, name))
        if isinstance(tree, Struct) and any(not _is_atom(i) for i in tree.items):
            items = [
                self.settle(
                    item, f"{name}_{key}" if name and str(key).isidentifier() else None
                )
                for key, item in zip(tree.keys, tree.items, strict=True)
            ]
            return replace(tree, items=items)
        return tree

    def structured(self, ref: Expr) -> Abstract:
        """A reference to a tuple of known length, taken apart."""
        kind = self.infer(ref)
        if not isinstance(kind, TupleKind) or not isinstance(ref, Ref):
            return ref
        if not (ref.value.varied or self.deriving):
            return ref
        items: list[Abstract] = []
        for k, _ in enumerate(kind.items):
            item = self.emit(Op("getitem", (ref, Lit(k))), f"{ref.value.name}_{k}")
            item.value.temp = True
            items.append(self.structured(item))
        return Struct(kind.type, tuple(range(len(items))), items, ref)

    # ---------------------------------------------------------------- queries

    def is_varied(self, expr: Expr) -> bool:
        """Whether the derivative of an expression is not known to be zero."""
        if isinstance(expr, Ref):
            return expr.value.varied
        if not isinstance(expr, Op) or not any(v.varied for v in refs(expr)):
            return False
        if expr.op in ("compare", "not_") or not differentiable(self.infer(expr)):
            return False
        obj = OPERATORS.get(expr.op)
        if expr.op == "call" and isinstance(expr.args[0], Obj):
            obj = expr.args[0].obj
        rule = registry.lookup(obj) if obj is not None and is_hashable(obj) else None
        if rule is not None and rule.kind == "constant":
            return False
        if expr.op == "raw":
            return True
        return any(map(self.is_varied, expr.args))

    # ----------------------------------------------------------------- errors

    def may_be_missing(self, e: Expr) -> bool:
        """Whether a name may hold nothing, or None (see `Merging`)."""
        raise AssertionError

    def error(
        self,
        category: type[SourcegradError],
        message: str,
        why: str = "",
        hints: tuple[str, ...] = (),
        where: Location | None = None,
    ) -> SourcegradError:
        """An error placed at the expression the frontend stands at."""
        return category(message, where or self.where, why, hints)


def _same_shape(value: Value, expr: Expr) -> Value | None:
    """An operand with the shape and dtype of the result, to stand for it where only
    those are asked for."""
    kind = value.kind
    if not isinstance(expr, Op) or not isinstance(kind, Num) or kind.shape is None:
        return None
    for v in refs(expr):
        found = v.kind
        if isinstance(found, Num) and (found.shape, found.dtype) == (
            kind.shape,
            kind.dtype,
        ):
            return v.like or v
    return None


def _is_atom(tree: Abstract) -> bool:
    if isinstance(tree, Struct):
        return all(map(_is_atom, tree.items))
    return not isinstance(tree, Op)
