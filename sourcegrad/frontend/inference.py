"""Kinds of expressions, as far as rules and samples tell."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.frontend.complex_powers import note_operator, power_kind
from sourcegrad.frontend.known import literal_slice
from sourcegrad.frontend.library_inference import LibraryInference
from sourcegrad.frontend.library_kinds import is_in
from sourcegrad.frontend.shapes import sliced_token
from sourcegrad.ir import BINARY, UNARY, Expr, Lit, Obj, Op, Ref, Undef
from sourcegrad.kinds import (
    BOOL,
    BOTTOM,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Atom,
    Bottom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    join,
    kind_of,
    strip,
)
from sourcegrad.kinds_operators import infer_getitem, infer_operator
from sourcegrad.kinds_sampled import Display, Known, infer_call

CONSTANT_ATTRIBUTES = frozenset(
    {"shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides"}
)


class Inference(LibraryInference):
    """Infers the kind of what is built."""

    def not_a_value(self, tree: Any) -> Exception:
        """The refusal of an object or a generator where a value is needed (see
        `Lazy`)."""
        raise AssertionError(f"{tree} is no expression")

    def infer(self, expr: Expr) -> Kind:
        """The kind of an expression."""
        match expr:
            case Ref(value=value):
                return value.kind
            case Lit(value=value) | Obj(obj=value):
                return kind_of(value)
            case Undef():
                return BOTTOM
        if not isinstance(expr, Op):
            raise self.not_a_value(expr)
        if expr.kind is None:
            expr.kind = self._infer_op(expr)
        return expr.kind

    def operand(self, expr: Expr) -> Any:
        """An operand for kind inference: known value, display or kind."""
        if isinstance(expr, Lit):
            return Known(expr.value)
        if isinstance(expr, Obj) and (expr.obj is None or expr.obj is Ellipsis):
            return Known(expr.obj)
        if isinstance(expr, Obj) and (
            callable(expr.obj) or isinstance(expr.obj, (np.dtype, str))
        ):
            return Known(expr.obj)
        if isinstance(expr, Op) and expr.op in ("tuple", "list"):
            if not any(isinstance(a, Op) and a.op == "star" for a in expr.args):
                kind = tuple if expr.op == "tuple" else list
                return Display(kind, tuple(map(self.operand, expr.args)))
        if isinstance(expr, Op) and expr.op == "neg" and isinstance(expr.args[0], Lit):
            if isinstance(expr.args[0].value, (int, float)):
                return Known(-expr.args[0].value)
        if isinstance(expr, Op) and expr.op == "slice":
            return Atom(slice)
        if isinstance(expr, Op) and expr.op == "attr" and expr.data == "dtype":
            base = self.infer(expr.args[0])
            if isinstance(base, Num) and base.flavor == "array":
                if base.dtype not in (None, "number"):
                    return Known(np.dtype(base.dtype))
        return self.infer(expr)

    def _infer_op(self, e: Op) -> Kind:
        needed = e.args[:1] if e.op == "ifexp" else e.args  # of the arms, one
        if any(isinstance(self.infer(a), Bottom) for a in needed):
            return BOTTOM
        if e.op == "pow":
            return power_kind(self, *map(self.operand, e.args))
        kinds: list[Kind] = list(map(self.infer, e.args))
        lists = [k for k in kinds if isinstance(k, ListKind)]
        if lists and e.op == ("mul" if len(lists) == 1 else "add"):
            whole: Kind = lists[0]
            return strip(functools.reduce(join, lists[1:], whole))
        if e.op in BINARY or e.op in UNARY:
            operands = list(map(self.operand, e.args))
            note_operator(self, operands)
            return infer_operator(e.op, *operands)
        method = getattr(self, f"_infer_{e.op}", None)
        return method(e) if method else UNKNOWN

    def _infer_compare(self, e: Op) -> Kind:
        if e.data[0] in ("is", "is not", "in", "not in"):
            return BOOL
        return infer_operator(e.data[0], *(self.infer(a) for a in e.args[:2]))

    def _infer_and(self, e: Op) -> Kind:
        kind: Kind = BOTTOM
        for arg in e.args:
            kind = join(kind, self.infer(arg))
        return kind

    _infer_or = _infer_and

    def _infer_ifexp(self, e: Op) -> Kind:
        return join(self.infer(e.args[1]), self.infer(e.args[2]))

    def _infer_tuple(self, e: Op) -> Kind:
        if any(isinstance(a, Op) and a.op == "star" for a in e.args):
            return Atom(tuple)
        return TupleKind(tuple(map(self.infer, e.args)))

    def _infer_list(self, e: Op) -> Kind:
        kind: Kind = BOTTOM
        for arg in e.args:
            kind = join(kind, self.infer(arg))
        return ListKind(kind)

    def _infer_as(self, e: Op) -> Kind:
        """The definition's kind, with the dtype that the function itself gives."""
        own, kind = map(self.infer, e.args)
        if isinstance(own, Num) and isinstance(kind, Num) and own.dtype is not None:
            flavor = own.flavor if kind.flavor == "py" else kind.flavor
            return replace(kind, flavor=flavor, dtype=own.dtype)
        return own if kind == UNKNOWN else kind

    def _infer_slice(self, e: Op) -> Kind:
        return Atom(slice)

    def _infer_raw(self, e: Op) -> Kind:
        return STR if type(e.data[0]).__name__ == "JoinedStr" else UNKNOWN

    def _infer_getitem(self, e: Op) -> Kind:
        if isinstance(e.args[0], Obj) and is_in(e.args[0].obj, (np.mgrid, np.ogrid)):
            return self._grid(e.args[1], e.args[0].obj is np.ogrid)
        base = self.infer(e.args[0])
        cut = literal_slice(e.args[1])
        if isinstance(base, TupleKind) and cut is not None:
            return TupleKind(base.items[cut])
        kind = infer_getitem(base, self.operand(e.args[1]))
        if isinstance(base, Num) and isinstance(kind, Num) and kind.flavor == "array":
            token = sliced_token(base, e.args[1])
            if token is not None:
                return replace(kind, shape=token)
        return kind

    def _grid(self, index: Expr, is_open: bool) -> Kind:
        """The kind of `np.mgrid[a:b, c:d]`, or of `np.ogrid`, which is a tuple."""
        several = isinstance(index, Op) and index.op == "tuple"
        cuts = index.args if several else (index,)  # type: ignore[attr-defined]
        found = [c for c in cuts if isinstance(c, Op) and c.op == "slice"]
        if len(found) < len(cuts):
            return UNKNOWN
        bounds = {self.infer(a) for c in found for a in c.args}
        dtype = np.dtype(int).name if bounds <= {INT, NONE} else None
        if several and is_open:
            return TupleKind((Num("array", len(cuts), dtype),) * len(cuts))
        return Num("array", len(cuts) + several, dtype)

    def _infer_pop(self, e: Op) -> Kind:
        kind = self.infer(e.args[0])
        return kind.item if isinstance(kind, ListKind) else UNKNOWN

    def _infer_attr(self, e: Op) -> Kind:
        base = self.infer(e.args[0])
        if e.data in ("ndim", "size", "itemsize", "nbytes") and isinstance(base, Num):
            return INT
        if e.data in ("shape", "strides") and getattr(base, "ndim", None) is None:
            return Atom(tuple)
        if not isinstance(base, Num):
            return UNKNOWN
        if e.data == "flat":
            return Num("array", 1, base.dtype)
        if e.data == "dtype" and base.ndim is None:
            return Atom(np.dtype)
        if e.data in ("T", "real", "imag") and base.ndim is None:
            return Num("any", None, base.dtype)
        return infer_call(getattr, (base, Known(e.data)), {})

    def _infer_call(self, e: Op) -> Kind:
        fn, *rest = e.args
        names = e.data or ()
        if any(n is None for n in names) or any(
            isinstance(a, Op) and a.op == "star" for a in rest
        ):
            return UNKNOWN
        split = len(rest) - len(names)
        kwargs = dict(zip(names, rest[split:], strict=True))
        if isinstance(fn, Obj):
            return self._infer_library(fn.obj, rest[:split], kwargs)
        if isinstance(fn, Op) and fn.op == "attr":
            return self._infer_method(fn, rest[:split], kwargs)
        return UNKNOWN
