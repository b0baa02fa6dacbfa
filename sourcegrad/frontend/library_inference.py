"""Kinds of calls of library functions and of methods."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.frontend.complex_powers import power_kind
from sourcegrad.frontend.draws import drawn_by, drawn_by_method
from sourcegrad.frontend.library_kinds import (
    LIKE,
    LIKE_METHODS,
    MAKE_ARRAYS,
    POWERS,
    PURE_BUILTINS,
    REARRANGED,
    RESULTS,
    SAME_FORM,
    SHAPED,
    TEXT_METHODS,
    is_filter_design,
    is_hashable,
    is_in,
    of_any_dtype,
    part_of,
    several_results,
    with_lists,
)
from sourcegrad.ir import Expr, Op
from sourcegrad.kinds import (
    BOTTOM,
    STR,
    UNKNOWN,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_scalar,
    strip,
)
from sourcegrad.kinds_operators import with_shape
from sourcegrad.kinds_sampled import Known, infer_call
from sourcegrad.markers import stop_gradient
from sourcegrad.rules import registry
from sourcegrad.rules.methods import METHODS, VARIADIC
from sourcegrad.runtime import sum_to, unbroadcast
from sourcegrad.runtime_project import zero_buffer
from sourcegrad.runtime_shapes import split_like

# What makes an array with a dimension for each level of a list.
_OF_LISTS = (np.array, np.asarray)


def _depth(kind: Kind) -> int | None:
    """The dimensions of the array that a list becomes, where they are known."""
    if isinstance(kind, ListKind):
        inner = _depth(kind.item)
        return None if inner is None else inner + 1
    # Of what is not known yet, a number is assumed until it is known.
    return 0 if kind == BOTTOM else kind.ndim if isinstance(kind, Num) else None


class LibraryInference:
    """Infers the kind of a call from its rule, a sample, or what the function is."""

    deriving: int

    def infer(self, expr: Expr) -> Kind:
        """The kind of an expression (see `Inference`)."""
        raise NotImplementedError

    def operand(self, expr: Expr) -> Any:
        """An operand for kind inference (see `Inference`)."""
        raise NotImplementedError

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
        if is_in(fn, SAME_FORM) and isinstance(form := self.infer(args[0]), ListKind):
            return with_lists(strip(form)) if fn is zero_buffer else strip(form)
        if is_in(fn, RESULTS):
            return RESULTS[fn]
        operands = [self.operand(a) for a in args]
        named = {k: self.operand(v) for k, v in kwargs.items()}
        drawn = drawn_by(fn, operands, named) if is_hashable(fn) else None
        if drawn is not None:
            return drawn
        if rule is None and is_filter_design(fn):
            return infer_call(fn, operands, named)
        if not (rule and rule.pure) and not is_in(fn, PURE_BUILTINS):
            return UNKNOWN
        if fn is split_like and isinstance(args[1], Op):
            if args[1].op in ("tuple", "list"):
                whole = self.infer(args[0])
                return TupleKind(
                    tuple(part_of(self.infer(a), whole) for a in args[1].args)
                )
        if fn is split_like and isinstance(listed := self.infer(args[1]), ListKind):
            return ListKind(strip(listed.item))  # as many parts as there are operands
        reshaped = self._reshaped(fn, args, kwargs)
        if reshaped is not None:
            return reshaped
        if is_in(fn, POWERS) and len(operands) == 2 and not kwargs:
            return power_kind(self, *operands)
        kind = infer_call(fn, operands, named)
        if kind == UNKNOWN and is_in(fn, REARRANGED | SHAPED) and args:
            dtype = getattr(self.infer(args[0]), "dtype", None)
            shape = self.infer(args[-1]) if is_in(fn, SHAPED) else None
            ndim = len(shape.items) if isinstance(shape, TupleKind) else None
            kind = Num("array", ndim, dtype)
        elif kind == UNKNOWN:
            several = several_results(fn, operands, named)
            kind = several or self._vague_call(fn, rule, args)
            plain = len(args) == 1 and kwargs.keys() <= {"dtype"}
            if isinstance(kind, Num) and fn in _OF_LISTS and plain:
                kind = replace(kind, ndim=_depth(self.infer(args[0])))
        if rule and rule.by_value and getattr(kind, "dtype", None) != "number":
            kind = of_any_dtype(kind)
        if rule and rule.kind == "elementwise" or is_in(fn, LIKE):
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
        if is_in(fn, MAKE_ARRAYS):
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
            return TEXT_METHODS.get(fn.data, UNKNOWN)
        if not isinstance(base, Num) or not (fn.data in METHODS or fn.data in VARIADIC):
            return UNKNOWN
        if fn.data == "reshape":
            packed = args[0] if len(args) == 1 else Op("tuple", tuple(args))
            return Num("array", self.length(packed), base.dtype)
        if base.ndim is None or base.flavor == "any":
            return Num("any", None, None)
        kind = infer_call(_call_method, [base, Known(fn.data), *operands], named)
        if fn.data in LIKE_METHODS:
            return with_shape(
                kind, [base, *(self.infer(a) for a in args if fn.data == "clip")]
            )
        return kind


def _call_method(base: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(base, name)(*args, **kwargs)
