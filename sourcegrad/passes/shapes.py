"""Values of which the reverse sweep reads only the shape are not kept for it.

    t = w @ x            t = w @ x
    y = t + b            t_shape = t.shape
    ...                  y = t + b
    g = unbroadcast(     ...
        y_bar, t)        g = sum_to(y_bar, t_shape)

Where a value of the same shape is kept anyway, its shape is read instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from sourcegrad import runtime
from sourcegrad.adjoint.cotangents import library
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import view_bases
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import (
    Assign,
    Expr,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Value,
    attr,
    call,
)
from sourcegrad.ir_walk import (
    defined,
    map_region,
    refs,
    regions,
    stmt_exprs,
    substitute,
    walk,
)
from sourcegrad.kinds import FLOAT, INT, Kind, Num, TupleKind

ATTRIBUTES = ("shape", "size", "dtype")
_FUNCTIONS = {np.shape: "shape", np.size: "size"}


def run(
    b: Builder,
    forward: Region,
    reverse: Region,
    effects: Effects,
    alive: frozenset[Value] = frozenset(),
    params: Iterable[Value] = (),
) -> None:
    """Replace reads of whole values by reads of shapes, in place.

    Args:
        b: infers kinds, and names library functions.
        forward: the forward sweep.
        reverse: the reverse sweep.
        effects: what is mutated: buffers like it are left alone.
        alive: values that others keep alive, such as arguments.
        params: the parameters of the forward sweep.
    """
    found = _Shapes(b, forward, reverse, effects, alive)
    for param in params:
        found.places[param] = _Place(forward, None, (forward,))
    found.run()


@dataclass
class _Place:
    """Where a value is defined: its region, and those around it."""

    region: Region
    stmt: Stmt | None
    path: tuple[Region, ...]


@dataclass
class _Shapes:
    b: Builder
    forward: Region
    reverse: Region
    effects: Effects
    alive: frozenset[Value]
    places: dict[Value, _Place] = field(default_factory=dict)
    roots: dict[Value, Value] = field(default_factory=dict)
    made: dict[tuple[Value, str], Value] = field(default_factory=dict)
    mates: dict[Value, Value] = field(default_factory=dict)
    chosen: set[Value] = field(default_factory=set)

    def run(self) -> None:
        self.scan(self.forward, ())
        whole: set[Value] = set()
        shapes: dict[Value, None] = {}
        for expr in _expressions(self.reverse):
            _sort(expr, whole, shapes)
        held = {self.root(v) for v in whole} | {self.root(v) for v in self.alive}
        for value in shapes:
            if value in whole or value in self.alive or not self.known(value):
                continue
            mate = self.mate(value, whole)
            if mate is not None:
                self.mates[value] = mate
            elif self.root(value) not in held or self.effects.is_mutated(value):
                self.chosen.add(value)
        if self.mates or self.chosen:
            map_region(self.reverse, self.rewritten)

    # ---------------------------------------------------------------- questions

    def scan(self, region: Region, outer: tuple[Region, ...]) -> None:
        path = (*outer, region)
        for param in region.params:
            self.places[param] = _Place(region, None, path)
        for stmt in region.stmts:
            for value in defined(stmt):
                self.places[value] = _Place(region, stmt, path)
            if isinstance(stmt, Assign):
                bases = view_bases(stmt.expr)
                if bases:
                    self.roots[stmt.target] = bases[0]
            for inner in regions(stmt):
                self.scan(inner, path)

    def root(self, value: Value) -> Value:
        """The value whose memory this one is a view of."""
        while value in self.roots:
            value = self.roots[value]
        return value

    def known(self, value: Value) -> bool:
        """Whether the value is an array of the forward sweep that nothing writes to.

        A view may be written to: a view kept for its shape would be memory that is
        written later, which a second derivative must follow.
        """
        kind = value.kind
        return (
            value in self.places
            and not value.maybe_undefined
            and isinstance(kind, Num)
            and kind.flavor == "array"
            and kind.ndim is not None
            and kind.dtype is not None
            and (value in self.roots or not self.effects.is_mutated(value))
        )

    def mate(self, value: Value, whole: set[Value]) -> Value | None:
        """A value of the same shape that the reverse sweep has anyway."""
        token = _token(value.kind)
        path = self.places[value].path
        for other in self.places:
            if other in whole and _token(other.kind) == token is not None:
                if self.places[other].region in path and not other.maybe_undefined:
                    return other
        return None

    # ------------------------------------------------------------------ changes

    def rewritten(self, e: Expr) -> Expr:
        """The expression with shapes in place of values."""
        if not isinstance(e, Op):
            return e
        args = tuple(map(self.rewritten, e.args))
        if not all(a is o for a, o in zip(args, e.args, strict=True)):
            new = Op(e.op, args, e.data)
            new.kind = self.b.infer(e)
            e = new
        value = _shape_operand(e)
        if value is None or not (value in self.mates or value in self.chosen):
            return e
        made = self.instead(e, value)
        if isinstance(made, Op):
            made.kind = self.b.infer(e)
        return made

    def instead(self, e: Op, value: Value) -> Expr:
        if e.op == "attr":
            return self.attribute(value, e.data)
        fn, *args = e.args
        assert isinstance(fn, Obj)
        if fn.obj in _FUNCTIONS:
            return self.attribute(value, _FUNCTIONS[fn.obj])
        mate = self.mates.get(value)
        if fn.obj is runtime.unbroadcast and mate is not None:
            return call(fn, args[0], Ref(mate))
        if mate is not None and (
            fn.obj is len or _dtype(mate.kind) == _dtype(value.kind)
        ):
            return call(fn, Ref(mate), *args[1:])
        shape = self.attribute(value, "shape")
        if fn.obj is len:
            return Op("getitem", (shape, Lit(0)))
        if fn.obj is runtime.unbroadcast:
            return call(library(self.b, runtime.sum_to), args[0], shape)
        return self.made_like(fn, value, shape, args[1:])

    def made_like(self, fn: Obj, value: Value, shape: Expr, rest: list[Expr]) -> Op:
        """`np.zeros(shape)` for `np.zeros_like(value)`, and so on."""
        made = {np.zeros_like: np.zeros, np.ones_like: np.ones, np.full_like: np.full}
        new = call(library(self.b, made[fn.obj]), shape, *rest)
        kinds = [self.b.infer(r) for r in rest]
        plain = all(k == FLOAT or _dtype(k) == "float64" for k in kinds)
        if plain and _dtype(value.kind) == "float64":
            return new
        return Op("call", (*new.args, self.dtype(value)), ("dtype",))

    def dtype(self, value: Value) -> Obj:
        name = _dtype(value.kind)
        assert name is not None
        return library(self.b, getattr(np, name))

    def attribute(self, value: Value, name: str) -> Expr:
        """An attribute of a mate, or one that the forward sweep keeps."""
        if name == "dtype":
            return self.dtype(value)
        mate = self.mates.get(value)
        if mate is not None:
            return attr(Ref(mate), name)
        key = (value, name)
        if key not in self.made:
            self.made[key] = self.keep(value, name)
        return Ref(self.made[key])

    def keep(self, value: Value, name: str) -> Value:
        """A value of the forward sweep that holds an attribute of another one."""
        kind: Kind = INT
        if name == "shape":
            assert isinstance(value.kind, Num) and value.kind.ndim is not None
            kind = TupleKind((INT,) * value.kind.ndim)
        kept = Value(f"{value.name}_{name}", kind, False, value.where)
        place = self.places[value]
        stmts = place.region.stmts
        at = 0 if place.stmt is None else stmts.index(place.stmt) + 1
        where = place.stmt.where if place.stmt is not None else value.where
        stmts.insert(at, Assign(kept, attr(Ref(value), name), where=where))
        return kept


def tangents_instead(body: Region, dots: Iterable[tuple[Value, Value]]) -> None:
    """Read the shape of a tangent where that of its value is all that is read.

    The value, and what only it needs, can go then.

    Args:
        body: a function with tangents, in place.
        dots: values and their tangents, which have the same shape and type.
    """
    whole: set[Value] = set()
    shapes: dict[Value, None] = {}
    for expr in _expressions(body):
        _sort(expr, whole, shapes)
    made: dict[Value, int] = {}
    first: dict[Value, int] = {}
    for k, stmt in enumerate(walk(body)):
        for value in (v for e in stmt_exprs(stmt) for v in refs(e)):
            first.setdefault(value, k)
        if isinstance(stmt, Assign):
            made[stmt.target] = k
    known: dict[Value, Expr] = {}
    for value, dot in dots:
        if value in shapes and value not in whole and _alike(value, dot):
            if dot in made and made[dot] < first.get(value, -1):
                known[value] = Ref(dot)
    if known:
        map_region(body, lambda e: substitute(e, known.get))


def _alike(value: Value, dot: Value) -> bool:
    """Whether two values are arrays of one type in the same number of dimensions."""
    kinds = [value.kind, dot.kind]
    arrays = [k for k in kinds if isinstance(k, Num) and k.flavor == "array"]
    return len(arrays) == 2 and arrays[0].ndim == arrays[1].ndim and (
        arrays[0].dtype == arrays[1].dtype
    )  # fmt: skip


def _sort(e: Expr, whole: set[Value], shapes: dict[Value, None]) -> None:
    """Note which values an expression reads whole, and of which only the shape."""
    if isinstance(e, Ref):
        whole.add(e.value)
    if not isinstance(e, Op):
        return
    found = _shape_operand(e)
    if found is not None:
        shapes[found] = None
    for k, arg in enumerate(e.args):
        if found is None or k != _position(e):
            _sort(arg, whole, shapes)


def _expressions(region: Region) -> Iterator[Expr]:
    """Every expression of a region, nested ones too."""
    for stmt in walk(region):
        yield from stmt_exprs(stmt)
        if isinstance(stmt, Loop) and stmt.cond is not None:
            yield stmt.cond
        for inner in regions(stmt):
            yield from _ends(inner)
    yield from _ends(region)


def _ends(region: Region) -> Iterable[Expr]:
    return region.yields if region.stop is None else [*region.yields, region.stop]


def _position(e: Op) -> int:
    """Which operand of an operation is read for its shape."""
    if e.op == "attr":
        return 0
    fn = e.args[0]
    return 2 if isinstance(fn, Obj) and fn.obj is runtime.unbroadcast else 1


def _shape_operand(e: Op) -> Value | None:
    """The value of which an operation reads only the shape, if it is such."""
    if e.op == "attr":
        known = e.data in ATTRIBUTES
    else:
        fn = e.args[0] if e.op == "call" else None
        known = isinstance(fn, Obj) and not e.data and _by_shape(fn.obj)
    if not known:
        return None
    operand = e.args[_position(e)] if len(e.args) > _position(e) else None
    return operand.value if isinstance(operand, Ref) else None


def _by_shape(fn: object) -> bool:
    if getattr(type(fn), "__hash__", None) is None:
        return False
    return fn in _BY_SHAPE


_BY_SHAPE = frozenset(
    {len, np.shape, np.size, np.zeros_like, np.ones_like, np.full_like,
     runtime.unbroadcast}
)  # fmt: skip


def _token(kind: Kind) -> object:
    return kind.shape if isinstance(kind, Num) and kind.flavor == "array" else None


def _dtype(kind: Kind) -> str | None:
    return kind.dtype if isinstance(kind, Num) else None
