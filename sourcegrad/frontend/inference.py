"""Kinds of expressions, as far as rules and samples tell."""

from __future__ import annotations

import cmath
import functools
import logging
import operator
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.frontend.complex_powers import note_operator, power_kind
from sourcegrad.frontend.draws import drawn_by, drawn_by_method
from sourcegrad.frontend.known import literal_slice
from sourcegrad.frontend.shapes import sliced_token
from sourcegrad.ir import BINARY, UNARY, Expr, Lit, Obj, Op, Ref, Undef
from sourcegrad.kinds import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
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
    is_scalar,
    join,
    kind_of,
    strip,
)
from sourcegrad.kinds_operators import infer_getitem, infer_operator, with_shape
from sourcegrad.kinds_sampled import Display, Known, infer_call
from sourcegrad.markers import stop_gradient
from sourcegrad.rules import registry
from sourcegrad.rules.methods import METHODS, VARIADIC
from sourcegrad.rules.refused_scipy import refusal_of_scipy
from sourcegrad.runtime import sum_to, unbroadcast, zeros_like
from sourcegrad.runtime_heaps import heap_order, path_down, path_up
from sourcegrad.runtime_project import shared_zeros, zero_buffer
from sourcegrad.runtime_sequences import (
    insertion,
    order_of,
    position,
    set_order,
    slice_end,
    slice_positions,
    slice_start,
)
from sourcegrad.runtime_shapes import split_like
from sourcegrad.runtime_spectra import overlap_add

CONSTANT_ATTRIBUTES = frozenset(
    {"shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides"}
)
PURE_BUILTINS = frozenset(
    {
        len,
        abs,
        float,
        int,
        bool,
        complex,
        min,
        max,
        sum,
        round,
        range,
        isinstance,
        tuple,
        enumerate,
        zip,
        divmod,
        pow,
        str,
        repr,
        type,
        any,
        all,
        sorted,
        slice,
        hasattr,
        callable,
        issubclass,
        reversed,
        list,
        dict,
        ord,
        chr,
        format,
    }
)


def _several_results(
    fn: Any, operands: list[Any], named: dict[str, Any]
) -> TupleKind | None:
    """The kind of a result that is a tuple, whatever the arrays are: of its parts no
    more is known than that they are."""
    found: set[tuple[Any, int] | None] = set()
    for ndim in (0, 1, 2):
        sample = Num("array" if ndim else "scalar", ndim, "float64")

        def known(kind: Any, sample: Num = sample) -> Any:
            vague = kind == UNKNOWN or isinstance(kind, Num) and kind.ndim is None
            return sample if vague else kind

        options = {k: known(v) for k, v in named.items()}
        kind = infer_call(fn, list(map(known, operands)), options)
        if isinstance(kind, TupleKind):
            found.add((kind.type, len(kind.items)))
        elif kind != UNKNOWN:
            found.add(None)
    if len(found) != 1 or (form := found.pop()) is None:
        return None
    return TupleKind((UNKNOWN,) * form[1], form[0])


class Inference:
    """Infers the kind of what is built."""

    deriving: int

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
        if any(isinstance(self.infer(a), Bottom) for a in e.args):
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
            return replace(kind, dtype=own.dtype)
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

    def _infer_library(
        self, fn: Any, args: list[Expr], kwargs: dict[str, Expr]
    ) -> Kind:
        try:
            rule = registry.lookup(fn)
        except TypeError:
            return UNKNOWN
        if fn is stop_gradient and args:
            return self.infer(args[0])
        if fn is unbroadcast and len(args) == 2:
            return self._narrowed(*map(self.infer, args))
        if fn is sum_to and len(args) == 2:
            dtype = getattr(self.infer(args[0]), "dtype", None)
            ndim = self.length(args[1])
            return Num("scalar" if ndim == 0 else "array", ndim, dtype)
        if is_in(fn, _SAME_FORM) and isinstance(form := self.infer(args[0]), ListKind):
            return _with_lists(strip(form)) if fn is zero_buffer else strip(form)
        if is_in(fn, _RESULTS):
            return _RESULTS[fn]
        operands = [self.operand(a) for a in args]
        named = {k: self.operand(v) for k, v in kwargs.items()}
        drawn = drawn_by(fn, operands, named) if is_hashable(fn) else None
        if drawn is not None:
            return drawn
        if rule is None and _is_filter_design(fn):
            return infer_call(fn, operands, named)
        if not (rule and rule.pure) and not is_in(fn, PURE_BUILTINS):
            return UNKNOWN
        if fn is split_like and isinstance(args[1], Op):
            if args[1].op in ("tuple", "list"):
                whole = self.infer(args[0])
                return TupleKind(
                    tuple(_part(self.infer(a), whole) for a in args[1].args)
                )
        if fn is split_like and isinstance(listed := self.infer(args[1]), ListKind):
            return ListKind(strip(listed.item))  # as many parts as there are operands
        reshaped = self._reshaped(fn, args, kwargs)
        if reshaped is not None:
            return reshaped
        if is_in(fn, _POWERS) and len(operands) == 2 and not kwargs:
            return power_kind(self, *operands)
        kind = infer_call(fn, operands, named)
        if kind == UNKNOWN and is_in(fn, _REARRANGED) and args:
            dtype = getattr(self.infer(args[0]), "dtype", None)
            kind = Num("array", None, dtype)
        elif kind == UNKNOWN:
            several = _several_results(fn, operands, named)
            kind = several or self._vague_call(fn, rule, args)
        if rule and rule.by_value and getattr(kind, "dtype", None) != "number":
            kind = of_any_dtype(kind)
        if rule and rule.kind == "elementwise" or is_in(fn, _LIKE):
            kind = with_shape(kind, [self.infer(a) for a in args])
        return kind

    def _narrowed(self, g: Kind, x: Kind) -> Kind:
        """The kind of `unbroadcast(g, x)`: the shape of `x`, the dtype of `g`."""
        if not isinstance(x, Num) or not isinstance(g, Num):
            return UNKNOWN
        if is_scalar(x):
            return Num("scalar", 0, g.dtype)
        return replace(x, dtype=g.dtype)

    def _vague_call(self, fn: Any, rule: Any, args: list[Expr]) -> Kind:
        """A library call on operands too vague for samples."""
        kinds = [self.infer(a) for a in args]
        if is_in(fn, _MAKE_ARRAYS):
            return Num("array", None, None)
        if rule is None or not all(isinstance(k, Num) for k in kinds):
            return UNKNOWN
        if fn is np.real and len(kinds) == 1:
            return kinds[0]
        if rule.kind == "elementwise":
            dtypes = {k.dtype for k in kinds if isinstance(k, Num)}
            return Num("any", None, dtypes.pop() if len(dtypes) == 1 else None)
        if rule.kind != "adjoint":
            return UNKNOWN
        if str(getattr(fn, "__module__", "")).startswith("sourcegrad.runtime"):
            dtypes = {k.dtype for k in kinds if isinstance(k, Num) and k.dtype != "int"}
            return Num("any", None, dtypes.pop() if len(dtypes) == 1 else None)
        return Num("any", None, None)

    def _reshaped(
        self, fn: Any, args: list[Expr], kwargs: dict[str, Expr]
    ) -> Kind | None:
        """Functions whose result has as many dimensions as a shape operand says."""
        position = (
            {np.reshape: 1, np.broadcast_to: 1}.get(fn) if is_hashable(fn) else None
        )
        if position is None:
            return None
        base = self.infer(args[0]) if args else UNKNOWN
        shape = args[position] if len(args) > position else kwargs.get("shape")
        dtype = base.dtype if isinstance(base, Num) else None
        if isinstance(shape, Op) and shape.op == "attr" and shape.data == "shape":
            like = self.infer(shape.args[0])
            if isinstance(like, Num) and like.flavor == "array":
                return replace(like, dtype=dtype)
        return Num("array", None if shape is None else self.length(shape), dtype)

    def length(self, shape: Expr) -> int | None:
        """How many dimensions a shape operand stands for."""
        kind = self.infer(shape)
        if isinstance(kind, TupleKind):
            return len(kind.items)
        if isinstance(kind, Num) and is_scalar(kind):
            return 1
        if isinstance(shape, Op) and shape.op == "attr" and shape.data == "shape":
            base = self.infer(shape.args[0])
            return base.ndim if isinstance(base, Num) else None
        return None

    def _infer_method(self, fn: Op, args: list[Expr], kwargs: dict[str, Expr]) -> Kind:
        base = self.infer(fn.args[0])
        operands = [self.operand(a) for a in args]
        named = {k: self.operand(v) for k, v in kwargs.items()}
        if (drawn := drawn_by_method(base, fn.data, operands, named)) is not None:
            return drawn
        if base == STR:
            return _TEXT_METHODS.get(fn.data, UNKNOWN)
        if not isinstance(base, Num) or not (fn.data in METHODS or fn.data in VARIADIC):
            return UNKNOWN
        if fn.data == "reshape":
            packed = args[0] if len(args) == 1 else Op("tuple", tuple(args))
            return Num("array", self.length(packed), base.dtype)
        if base.ndim is None or base.flavor == "any":
            return Num("any", None, None)
        kind = infer_call(_call_method, [base, Known(fn.data), *operands], named)
        if fn.data in _LIKE_METHODS:
            return with_shape(
                kind, [base, *(self.infer(a) for a in args if fn.data == "clip")]
            )
        return kind


def _is_filter_design(fn: Any) -> bool:
    """Whether a function computes coefficients from numbers alone."""
    module = getattr(fn, "__module__", None) or ""
    return module.startswith("scipy.signal.") and refusal_of_scipy(fn) is not None


def _part(part: Kind, whole: Kind) -> Kind:
    """The kind of a part cut out of an array in the shape of an operand."""
    part = strip(part)
    if not isinstance(part, Num) or not isinstance(whole, Num):
        return UNKNOWN
    if is_scalar(part):
        return Num("any", 0, whole.dtype)
    return replace(part, dtype=whole.dtype)


def _with_lists(kind: Kind) -> Kind:
    """The kind of a container with lists in place of its tuples."""
    if isinstance(kind, TupleKind):
        start: Kind = BOTTOM
        kind = ListKind(functools.reduce(join, kind.items, start))
    return ListKind(_with_lists(kind.item)) if isinstance(kind, ListKind) else kind


_TEXT_METHODS: dict[str, Kind] = {
    **dict.fromkeys(
        "capitalize casefold center expandtabs format format_map join ljust lower "
        "lstrip removeprefix removesuffix replace rjust rstrip strip swapcase title "
        "translate upper zfill".split(), STR
    ),
    **dict.fromkeys("split rsplit splitlines".split(), ListKind(STR)),
    **dict.fromkeys("count find rfind index rindex".split(), INT),
    **dict.fromkeys(
        "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower "
        "isnumeric isprintable isspace istitle isupper startswith".split(), BOOL
    ),
    "partition": TupleKind((STR, STR, STR)),
    "rpartition": TupleKind((STR, STR, STR)),
    "encode": Atom(bytes),
}  # fmt: skip

_RESULTS: dict[Any, Kind] = {
    isinstance: BOOL, callable: BOOL, hasattr: BOOL, issubclass: BOOL, bool: BOOL,
    any: BOOL, all: BOOL, len: INT, int: INT, float: FLOAT, str: STR, repr: STR,
    ord: INT, chr: STR, format: STR, range: Atom(range), id: INT, hash: INT,
    type: Atom(type), print: Atom(type(None)), slice: Atom(slice), bin: STR, hex: STR,
    breakpoint: Atom(type(None)), set: Atom(set), frozenset: Atom(frozenset),
    order_of: ListKind(INT), set_order: ListKind(INT), slice_positions: ListKind(INT),
    np.ndindex: Atom(np.ndindex), logging.getLogger: Atom(logging.Logger),
    heap_order: ListKind(INT), path_up: ListKind(INT), path_down: ListKind(INT),
    insertion: INT, position: INT, slice_start: INT, slice_end: INT,
}  # fmt: skip
_RESULTS |= dict.fromkeys(
    [
        cmath.acos, cmath.acosh, cmath.asin, cmath.asinh, cmath.atan, cmath.atanh,
        cmath.cos, cmath.cosh, cmath.exp, cmath.log, cmath.log10, cmath.rect,
        cmath.sin, cmath.sinh, cmath.sqrt, cmath.tan, cmath.tanh,
    ],
    COMPLEX,
)  # fmt: skip
_POWERS = frozenset({operator.pow, pow})
_SAME_FORM = frozenset({zeros_like, zero_buffer, shared_zeros})
_LIKE_METHODS = frozenset({"copy", "astype", "clip", "conj", "conjugate", "round"})
_LIKE = frozenset(
    {np.zeros_like, np.ones_like, np.full_like, np.copy, np.where, np.clip, np.absolute,
     abs, np.flip, np.real, np.imag, np.conj}
)  # fmt: skip

# Arrays, whatever they are made of.
_MAKE_ARRAYS = frozenset(
    {np.array, np.asarray, np.ascontiguousarray, np.concatenate, np.stack, np.vstack,
     np.hstack, np.dstack, np.column_stack}
)  # fmt: skip

# Arrays of the dtype of their first operand, in another order or shape.
_REARRANGED = frozenset(
    {np.lib.stride_tricks.sliding_window_view, np.moveaxis, np.transpose, np.swapaxes,
     np.expand_dims, np.squeeze, np.roll, np.repeat, np.tile, overlap_add}
)  # fmt: skip


def _call_method(base: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(base, name)(*args, **kwargs)


def of_any_dtype(kind: Kind) -> Kind:
    """The kind without its dtype."""
    if isinstance(kind, TupleKind):
        return replace(kind, items=tuple(map(of_any_dtype, kind.items)))
    return replace(kind, dtype=None) if isinstance(kind, Num) else kind


def is_hashable(obj: Any) -> bool:
    return getattr(type(obj), "__hash__", None) is not None


def is_in(obj: Any, group: Any) -> bool:
    return is_hashable(obj) and obj in group
