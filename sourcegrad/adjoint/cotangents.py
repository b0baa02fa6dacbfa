"""Cotangents: their starts, their accumulation, and who owns them.

In *value form* a cotangent is never changed and may share memory; in *buffer form*
it is owned by the sweep and accumulated in place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sourcegrad import runtime, runtime_shapes
from sourcegrad.analysis.effects import Effects
from sourcegrad.frontend.algebra import narrow
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.folding import of_floats, shape_only
from sourcegrad.ir import (
    Assign,
    Effect,
    Expr,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    Value,
    call,
)
from sourcegrad.ir_walk import refs, region_uses, regions, stmt_exprs
from sourcegrad.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_complex,
    is_scalar,
    strip,
)
from sourcegrad.rules import registry
from sourcegrad.runtime_project import zero_buffer
from sourcegrad.runtime_sequences import add_nested


@dataclass(frozen=True)
class Bar:
    """The cotangent of a value so far; `owned` if no one else can see its memory."""

    expr: Expr
    owned: bool


class Cotangents:
    """The cotangents at one point of the reverse sweep."""

    def __init__(self, b: Builder, effects: Effects) -> None:
        self.b = b
        self.effects = effects
        self.bars: dict[Value, Bar] = {}
        self.shadows: dict[Value, Ref] = {}
        self.promised: set[Value] = set()  # arrays by a rule's promise only
        self.absent: set[Value] = set()  # `0.0` where the array was not there

    # ------------------------------------------------------------------ starts

    def library(self, fn: Any) -> Obj:
        """A NumPy function or runtime helper as generated code names it."""
        return library(self.b, fn)

    def zero(self, value: Value) -> Expr:
        """A zero cotangent for a value: `0.0`, or zeros like it."""
        return zero(self.b, value)

    def named(self, expr: Expr, value: Value) -> Ref:
        """An expression assigned to the cotangent's name."""
        ref = self.b.emit(expr, f"{value.name}_bar")
        ref.value.temp = value.temp
        kind, found = value.kind, ref.value.kind
        if in_place(kind) and not in_place(found):
            self.promised.add(ref.value)
        if in_place(kind) and isinstance(kind, Num) and isinstance(found, Num):
            # Rules promise the shape of the operand; the dtype is what it is.
            ref.value.kind = replace(kind, dtype=found.dtype)
        return ref

    # ------------------------------------------------------------ accumulation

    def add(self, value: Value, g: Expr, owned: bool | None = None) -> None:
        """Accumulate a contribution to the cotangent of a value."""
        if is_zero(g):
            return
        if isinstance(value.kind, (ListKind, TupleKind)):
            self.add_each(value, g, bool(owned))
            return
        old = self.bars.get(value)
        absent = self.may_be_absent(g) and (old is None or self.may_be_absent(old.expr))
        spread = self.spread(value, Bar(g, bool(owned)))
        if spread.expr is not g:
            g, owned, absent = spread.expr, False, False
        self.accumulate(value, self.shaped(value, g), owned)
        if absent and value in self.bars:
            self.mark_absent(self.bars[value].expr, [g], value)

    def accumulate(self, value: Value, g: Expr, owned: bool | None) -> None:
        """Add a contribution of a value's own shape."""
        if self.effects.is_mutated(value) and value in self.shadows:
            if not self.begin(value, g, bool(owned)):
                self.b.append(
                    Store(
                        self.shadows[value], None, narrow(self.b, g, value.kind), "add"
                    )
                )
            return
        fresh = fresh_root(g) if owned is None else owned
        if is_complex(value.kind) and not is_complex(self.b.infer(g)):
            fresh = False  # a real part cannot take a complex one in place
        old = self.bars.get(value)
        if old is None:
            if _fills(g):
                named: Expr = _settled(self.b, g)
            else:
                named = g if isinstance(g, (Ref, Lit)) else self.named(g, value)
            self.bars[value] = Bar(named, fresh)
        elif old.owned and in_place(value.kind) and self.tells(old.expr):
            self.b.append(Store(old.expr, None, narrow(self.b, g, value.kind), "add"))
        else:
            before = old.expr if _fills(g) else narrow(self.b, old.expr, value.kind)
            total = self.b.folded(Op("add", (before, g)))
            self.bars[value] = Bar(self.named(total, value), True)

    def tells(self, bar: Expr) -> bool:
        """Whether the text of the sweep shows a cotangent to be an array.

        `+=` on any other is refused where the text is differentiated again.
        """
        return isinstance(bar, Ref) and bar.value not in self.promised | self.absent

    def begin(self, value: Value, g: Expr, owned: bool = False) -> bool:
        """Start a shadow that is still zero with its first contribution, if that is
        memory of its own; whether it was done."""
        b, shadow = self.b, self.shadows.get(value)
        if shadow is None or not (owned or fresh_root(g)):
            return False
        if isinstance(value.kind, Num) and b.infer(g) != value.kind:
            found = b.infer(g)
            if not isinstance(found, Num) or strip(found) != strip(value.kind):
                return False
        stmts = b.region.stmts
        made = next(
            (
                k
                for k, s in enumerate(stmts)
                if isinstance(s, Assign) and s.target is shadow.value
            ),
            None,
        )
        if (
            made is None
            or not _zeros(stmts[made])
            or any(_mentions(s, shadow.value) for s in stmts[made + 1 :])
        ):
            return False
        if isinstance(value.kind, ListKind):
            g = _as_new_list(b, g)
        old = stmts.pop(made)
        assert isinstance(old, Assign)
        b.append(Assign(shadow.value, g))
        return True

    def add_each(self, value: Value, g: Expr, owned: bool = False) -> None:
        """Accumulate into the cotangent of a list, item by item."""
        b = self.b
        if self.begin(value, g, owned):
            return
        flat = isinstance(value.kind, ListKind) and not is_nested(value.kind)
        if flat and value not in self.bars and value not in self.shadows:
            ref = self.named(_as_new_list(b, g), value)
            ref.value.kind = strip(value.kind)
            self.bars[value] = Bar(ref, True)
            return
        buffer, part = self.buffer(value), self.b.atom(g, "parts")
        if is_nested(value.kind):
            b.append(Effect(call(self.library(add_nested), buffer, part)))
            return
        index = Value("i", INT, False, b.where)
        trips = call(b.binder.bind(len, "len"), part)
        if isinstance(value.kind, TupleKind):
            mixed = any(map(is_scalar, value.kind.items))
            mixed = mixed and not self.effects.holds_written(value)
            for k, own in enumerate(value.kind.items):
                late = mixed and not is_scalar(own)
                b.append(added(buffer, Lit(k), Op("getitem", (part, Lit(k))), late))
            return
        loop = Loop(
            "for",
            [index],
            call(b.binder.bind(range, "range"), trips),
            None,
            [],
            Region(),
        )
        slot = Op("getitem", (part, Ref(index)))
        item = value.kind.item if isinstance(value.kind, ListKind) else UNKNOWN
        late = not is_scalar(item) and self.effects.is_mutated(value)
        late = late and not self.effects.holds_written(value)
        loop.body.stmts.append(added(buffer, Ref(index), slot, late))
        b.append(loop)

    def shaped(self, value: Value, g: Expr) -> Expr:
        """A contribution with the shape and realness of its value."""
        b, kind = self.b, value.kind
        found = b.infer(g)
        if isinstance(kind, Num) and (isinstance(found, Num) or found == UNKNOWN):
            real = kind.dtype not in (None, "number") and not is_complex(kind)
            vague = getattr(found, "dtype", None) is None
            if real and (is_complex(found) or vague):
                g = call(self.library(np.real), g)
            if kind.flavor == "array" and kind.ndim != 0 and is_scalar(found):
                g = b.folded(Op("add", (self.zero(value), g)))
        return g

    def buffer(self, value: Value) -> Ref:
        """The cotangent of a value in buffer form: owned, and made now if need be."""
        if self.effects.is_mutated(value) and value in self.shadows:
            return self.shadows[value]
        old = self.bars.get(value)
        old = None if old is None else self.spread(value, old)
        if old is not None and self.may_be_absent(old.expr):
            return self.buffer_from(value, self.filled(value, old.expr))
        if old is not None and old.owned and isinstance(old.expr, Ref):
            self.promised.discard(old.expr.value)
            return old.expr
        if old is None:
            expr = self.zero_buffer(value)
        elif in_place(value.kind) and self.takes_imaginary(value, old.expr):
            if in_place(self.b.infer(old.expr)):
                dtype = getattr(np, value.kind.dtype)  # type: ignore[attr-defined]
                expr = call(self.library(np.array), old.expr, self.library(dtype))
            else:
                expr = self.b.folded(Op("add", (self.zero_buffer(value), old.expr)))
        else:
            fresh = isinstance(old.expr, Op) and is_fresh(old.expr)
            expr = old.expr if fresh else self.copied(old.expr)
        return self.buffer_from(value, expr)

    def buffer_from(self, value: Value, expr: Expr) -> Ref:
        """The buffer that an expression makes."""
        ref = self.named(expr, value)
        ref.value.temp = False
        self.promised.discard(ref.value)  # added to in place from now on
        self.bars[value] = Bar(ref, True)
        return ref

    def takes_imaginary(self, value: Value, bar: Expr) -> bool:
        """Whether a cotangent is real so far, and may get imaginary parts."""
        return is_complex(value.kind) and not is_complex(self.b.infer(bar))

    def zero_buffer(self, value: Value) -> Expr:
        """Zeros that the sweep may add into, congruent with a value."""
        kind = value.kind
        if isinstance(kind, ListKind) and is_scalar(kind.item):
            if not value.maybe_undefined:
                length = call(self.b.binder.bind(len, "len"), Ref(value))
                made = Op("mul", (Op("list", (Lit(0.0),)), length))
                made.kind = kind
                return made
        if not isinstance(kind, Num):
            return call(self.library(zero_buffer), Ref(value))
        start = self.zero(value)
        if isinstance(start, Lit):
            return call(self.library(runtime.zeros_like), Ref(value))
        return start

    def copied(self, expr: Expr) -> Expr:
        """A copy of a cotangent that is shared."""
        if isinstance(self.b.infer(expr), ListKind):
            return call(self.b.binder.bind(list, "list"), expr)
        return call(self.library(np.copy), expr)

    def take(self, value: Value) -> Bar | None:
        """The cotangent of a value whose definition is reached; it is complete."""
        if self.effects.is_mutated(value) and value in self.shadows:
            assert value not in self.bars, "a cotangent in two forms"
            return Bar(self.shadows[value], True)
        bar = self.bars.pop(value, None)
        return None if bar is None else self.spread(value, bar)

    def spread(self, value: Value, bar: Bar) -> Bar:
        """A cotangent that is `0.0` where its array was not there on some path, in the
        array's shape, now that there is one."""
        if value.maybe_undefined or not self.may_be_absent(bar.expr):
            return bar
        b = self.b
        shape = b.folded(Op("attr", (Ref(value),), "shape"))
        spread = call(self.library(np.broadcast_to), bar.expr, shape)
        found = b.emit(spread, f"{value.name}_bar")
        found.value.kind, found.value.temp = strip(value.kind), True
        return Bar(found, False)

    def filled(self, value: Value, bar: Expr) -> Expr:
        """The same of an array that may not be there: `0.0` is added to `0.0`."""
        zeros = call(self.library(runtime.zeros_like), Ref(value))
        return self.b.folded(Op("add", (zeros, bar)))

    def may_be_absent(self, bar: Expr) -> bool:
        """Whether a cotangent may be the `0.0` of an array that is not there."""
        return isinstance(bar, Ref) and bar.value in self.absent

    def mark_absent(self, found: Expr, bars: list[Expr], value: Value) -> None:
        """Note that a cotangent made of others may be such a `0.0`."""
        if isinstance(value.kind, Num) and value.kind.flavor == "array":
            if any(isinstance(e, Lit) or self.may_be_absent(e) for e in bars):
                if isinstance(found, Ref):
                    self.absent.add(found.value)


def added(buffer: Expr, index: Expr, g: Expr, late: bool) -> Store:
    """The statement that adds to a place of a list. Where that may hold the number 0.0,
    the sum is a new array, as a reader of the text sees; an array in it that is a part
    of another cotangent must be added to in place."""
    if late:
        return Store(
            buffer, index, Op("add", (Op("getitem", (buffer, index)), g)), None
        )
    return Store(buffer, index, g, "add")


def is_nested(kind: Kind) -> bool:
    """Whether a list or tuple may hold lists or tuples."""
    inner = [kind.item] if isinstance(kind, ListKind) else getattr(kind, "items", ())
    return any(isinstance(k, (ListKind, TupleKind)) or k == UNKNOWN for k in inner)


def _fills(g: Expr) -> bool:
    """A number or array spread to a shape: kept as an expression, since a product with
    it is simpler."""
    return (
        isinstance(g, Op)
        and g.op == "call"
        and isinstance(g.args[0], Obj)
        and g.args[0].obj in (np.full_like, np.broadcast_to)
        and not g.data
    )


def _settled(b: Builder, g: Expr) -> Expr:
    """The spread expression with what is spread computed once."""
    assert isinstance(g, Op)
    fn, *args = g.args
    assert isinstance(fn, Obj)
    k = 1 if fn.obj is np.full_like else 0
    inner = args[k]
    if isinstance(inner, Op) and inner.op == "call" and isinstance(inner.args[0], Obj):
        if inner.args[0].obj is np.expand_dims and not inner.data:
            part = Op(
                "call", (inner.args[0], b.atom(inner.args[1]), *inner.args[2:]), ()
            )
            part.kind = inner.kind
            args[k] = part
            inner = part.args[1]
    if args[k] is inner:
        args[k] = b.atom(inner)
    new = Op("call", (fn, *args), ())
    new.kind = b.infer(g)
    return new


def library(b: Builder, fn: Any) -> Obj:
    """How generated code names a NumPy function or a runtime helper."""
    if str(getattr(fn, "__module__", "")).startswith("sourcegrad."):
        return b.binder.bind(fn, fn.__name__)
    root = b.binder.bind(np, "np")
    return Obj(fn, f"{root.path}.{fn.__name__}")


def zero(b: Builder, value: Value) -> Expr:
    """A zero cotangent for a value."""
    kind = value.kind
    if value.maybe_undefined and isinstance(kind, (ListKind, TupleKind)):
        return Op("list", ())
    if value.maybe_undefined or is_scalar(kind):
        return Lit(0.0)
    if isinstance(kind, Num) and kind.flavor == "array":
        return zeros_in_form(b, Ref(value))
    if kind == FLOAT:
        return Lit(0.0)
    return call(library(b, runtime.zeros_like), Ref(value))


def zeros_in_form(b: Builder, array: Expr) -> Op:
    """Zeros that can hold a derivative, in the shape of an array."""
    return of_floats(b, shape_only(call(library(b, np.zeros_like), array)))


def _zeros(stmt: Stmt) -> bool:
    """Whether a statement makes zeros (and not a view of another cotangent)."""
    e = stmt.expr if isinstance(stmt, Assign) else None
    if isinstance(e, Op) and e.op == "mul":
        return e.args[0] == Op("list", (Lit(0.0),))
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj)):
        return False
    return e.args[0].obj in (np.zeros_like, np.zeros, zero_buffer)


def _mentions(stmt: Stmt, value: Value) -> bool:
    inner = [v for r in regions(stmt) for v in region_uses(r)]
    return value in inner or any(value in refs(e) for e in stmt_exprs(stmt))


def _as_new_list(b: Builder, g: Expr) -> Expr:
    """The cotangent of a list as a list that nothing else holds."""
    return g if _is_new_list(g) else call(b.binder.bind(list, "list"), _untupled(g))


def _is_new_list(g: Expr) -> bool:
    """Whether it is a list of numbers that no name stands for."""
    if isinstance(g, Op) and g.op == "mul":
        g = g.args[0]
    return isinstance(g, Op) and g.op == "list"


def _untupled(g: Expr) -> Expr:
    """`list(tuple(x))` is `list(x)`."""
    if isinstance(g, Op) and g.op == "call" and isinstance(g.args[0], Obj):
        if g.args[0].obj is tuple and len(g.args) == 2:
            return g.args[1]
    return g


def view_root(expr: Any) -> Any:
    """What an expression is a chain of views of."""
    if isinstance(expr, Op) and not is_fresh(expr) and not _is_fixed(expr):
        if expr.op in ("attr", "getitem"):
            return view_root(expr.args[0])
        if expr.op == "call" and isinstance(expr.args[0], Obj) and len(expr.args) > 1:
            rule = registry.lookup(expr.args[0].obj)
            viewed = rule is not None and rule.result_may_view
            if expr.args[0].obj in (tuple, list) or viewed:
                return view_root(expr.args[1])
    return expr


_FIXED = (np.broadcast_to, np.broadcast_arrays, np.diagonal, np.diag)


def _is_fixed(expr: Op) -> bool:
    """Whether an expression is an array that cannot be written: its elements may share
    their memory."""
    fn = expr.args[0] if expr.op == "call" else None
    return isinstance(fn, Obj) and fn.obj in _FIXED


def fresh_root(expr: Expr) -> bool:
    """Whether an expression is new memory, or views of new memory that nothing else
    refers to."""
    root = view_root(expr)
    return isinstance(root, Op) and is_fresh(root)


def is_zero(expr: Any) -> bool:
    """Whether a contribution is certainly nothing."""
    return (
        expr is None
        or isinstance(expr, Lit)
        and (expr.value is None or expr.value == 0)
    )


def in_place(kind: Kind) -> bool:
    """Whether `+=` on a value of this kind changes it in place."""
    return isinstance(kind, Num) and kind.flavor == "array" and bool(kind.ndim)


# What gives its first operand, a part of it, or new memory.
_LENT = (runtime.unbroadcast, runtime.sum_to, runtime_shapes.refit)


def is_fresh(expr: Expr) -> bool:
    """Whether an expression makes memory that no one else can see."""
    if not isinstance(expr, Op):
        return isinstance(expr, Lit)
    if expr.op in ("attr", "getitem", "ifexp", "and", "or", "tuple", "list"):
        return False
    if expr.op == "call":
        fn = expr.args[0]
        if isinstance(fn, Op) and fn.op == "attr":
            return fn.data in ("copy", "sum", "dot", "mean")
        if isinstance(fn, Obj):
            if fn.obj in _LENT:
                return is_fresh(expr.args[1])
            rule = registry.lookup(fn.obj)
            return rule is not None and not rule.views
        return False
    return True
