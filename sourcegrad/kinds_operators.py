"""Kinds of what operators and subscripts give."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.kinds import (
    BOOL,
    INT,
    NUMBER,
    STR,
    UNKNOWN,
    Atom,
    Foreign,
    Handle,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_float,
    is_scalar,
    join,
    kind_of,
)
from sourcegrad.kinds_sampled import (
    CannotSample,
    Display,
    Known,
    infer_call,
    sampled_dtype,
)

OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "matmul": operator.matmul,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "and_": operator.and_,
    "or_": operator.or_,
    "xor": operator.xor,
    "neg": operator.neg,
    "pos": operator.pos,
    "not_": operator.not_,
    "invert": operator.invert,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


_SETS = (Atom(set), Atom(frozenset))


def infer_operator(name: str, *operands: Any) -> Kind:
    """The kind of an operator's result, operands as kinds or `Known`."""
    kinds = [kind_of(o.value) if isinstance(o, Known) else o for o in operands]
    if name in ("add", "mul", "mod") and kinds[0] == STR:
        return STR
    foreign = [k for k in kinds if isinstance(k, Foreign)]
    if foreign and name in ("add", "sub", "mul", "truediv", "matmul", "neg"):
        scales = name in ("mul", "truediv")
        if all(k in foreign or scales and is_scalar(k) for k in kinds):
            return foreign[0]
    if name == "mul" and any(isinstance(k, TupleKind) for k in kinds):
        if not any(isinstance(o, Known) or is_array(o) for o in operands):
            return Atom(tuple)  # a tuple of a length known only at run time
    if (
        name in ("sub", "and_", "or_", "xor")
        and kinds[0] in _SETS
        and kinds[1] in _SETS
    ):
        return kinds[0]
    if NUMBER in kinds and all(k in (NUMBER, INT, BOOL) for k in kinds):
        if name in ("add", "sub", "mul", "mod", "floordiv", "neg", "pos"):
            return NUMBER
    vague = [k for k in kinds if isinstance(k, Num) and not _exact(k)]
    if vague and all(isinstance(k, Num) for k in kinds):
        return _vague_operator(name, [k for k in kinds if isinstance(k, Num)])
    kind = infer_call(OPERATORS[name], operands if name == "pow" else kinds, {})
    return with_shape(kind, kinds)


def _exact(kind: Num) -> bool:
    return kind.ndim is not None and kind.dtype is not None and kind.flavor != "any"


def _vague_operator(name: str, kinds: list[Num]) -> Kind:
    """Operators on numbers of which too little is known to make samples."""
    if name == "not_":
        return BOOL
    arrays = [k for k in kinds if k.flavor == "array"]
    flavor = "array" if any(k.ndim != 0 for k in arrays) else "any"
    dtypes = {k.dtype for k in kinds}
    dtype = dtypes.pop() if len(dtypes) == 1 and name != "truediv" else None
    if name in ("<", "<=", ">", ">=", "==", "!="):
        dtype = "bool"
    ndim = None
    if name != "matmul" and all(k.ndim is not None for k in kinds):
        ndim = max(k.ndim or 0 for k in kinds)
    if name == "matmul":
        flavor, ndim = "any", None
    return Num(flavor, ndim, dtype)


def with_shape(kind: Kind, operands: Sequence[Kind]) -> Kind:
    """The kind of an elementwise result with the shape token its operands give."""
    if not (isinstance(kind, Num) and kind.flavor == "array"):
        return kind
    if not all(isinstance(k, (Num, Atom)) for k in operands):
        return kind  # a list has a shape of its own
    tokens = [k.shape for k in operands if not is_scalar(k) and isinstance(k, Num)]
    if tokens and tokens[0] is not None and all(t == tokens[0] for t in tokens):
        return replace(kind, shape=tokens[0])
    return kind


def infer_getitem(base: Kind, index: Any) -> Kind:
    """The kind of `base[index]`, the index as kind, `Known` or `Display`."""
    if base == Atom(range):
        return base if index == Atom(slice) else INT
    if isinstance(base, TupleKind) and isinstance(index, Known):
        if isinstance(index.value, int) and -len(base.items) <= index.value < len(
            base.items
        ):
            return base.items[index.value]
    if isinstance(base, ListKind):
        if _is_position(index):
            return base.item
        return base if index == Atom(slice) else UNKNOWN
    if isinstance(base, TupleKind) and base.items:
        return functools.reduce(join, base.items) if _is_position(index) else UNKNOWN
    if not isinstance(base, Num):
        return UNKNOWN
    if base.ndim is None or base.dtype is None:
        return Num("any", None, base.dtype)
    whole = isinstance(index, TupleKind)
    whole = whole or isinstance(index, Display) and index.type is tuple
    items = index.items if whole else (index,)
    try:
        sampled = np.ones((2,) * base.ndim, sampled_dtype(base))
        value = sampled[tuple(map(_sample_index, items))]
    except CannotSample:
        return Num("any", None, base.dtype)
    except (IndexError, TypeError):
        return UNKNOWN
    found = kind_of(value)
    return replace(found, dtype=base.dtype) if isinstance(found, Num) else found


def _is_position(index: Any) -> bool:
    """Whether an index of a list or tuple picks one item: it is a number."""
    if isinstance(index, Known):
        return isinstance(index.value, (int, np.integer))
    return isinstance(index, (Num, Handle)) and is_scalar(index)


def _sample_index(index: Any) -> Any:
    if isinstance(index, Display):
        if index.items and all(i in (Known(True), Known(False)) for i in index.items):
            if all(isinstance(getattr(i, "value", 0), bool) for i in index.items):
                return [True, True]  # a mask, of whatever length
        return [_sample_index(i) for i in index.items[:2]]  # as long as an array here
    if isinstance(index, Known):
        index_kind = kind_of(index.value)
        if index.value is None or index.value is Ellipsis:
            return index.value
    else:
        index_kind = index
    match index_kind:
        case Num(flavor="py", dtype="number"):
            return 0
        case Num(flavor="py" | "np" | "scalar", dtype=str(dtype)) if not is_float(
            dtype
        ):
            return True if dtype == "bool" else 0
        case Num(flavor="array", ndim=int(ndim), dtype=str(dtype)):
            if dtype == "bool":
                return np.ones((2,) * ndim, bool)
            return np.zeros((2,) * ndim, int)
        case Atom(type=t) if t is slice:
            return slice(None)
        case Atom(type=t) if t is range:
            return range(2)
        case ListKind(item=item):
            return [_sample_index(item)] * 2
    raise CannotSample
