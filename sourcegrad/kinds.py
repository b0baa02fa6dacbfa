"""Kinds: the abstract values of the compiler.

A kind says as much about a value as decides the shape of its adjoint: Python
scalar, NumPy scalar, array with so many dimensions and such a dtype, container of
kinds, or unknown.  `kinds_sampled` infers those of library calls, `kinds_operators`
those of operators and subscripts.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import numpy as np


@dataclass(frozen=True, slots=True)
class Kind:
    """Base of all kinds; a bare `Kind` is never used, see the subclasses."""

    def __deepcopy__(self, memo: Any) -> Kind:
        return self


@dataclass(frozen=True, slots=True)
class Unknown(Kind):
    """Nothing is known; code for it must be right for everything."""


@dataclass(frozen=True, slots=True)
class Foreign(Kind):
    """An object of a library's class, as a sparse matrix: for the rest unknown."""

    type: type


@dataclass(frozen=True, slots=True)
class Bottom(Kind):
    """The kind of no value at all: the unit of `join`."""


@dataclass(frozen=True, slots=True)
class Num(Kind):
    """A number or an array.

    `flavor` is "py", "np" (NumPy scalar), "scalar" (either), "array" or "any"; `ndim`
    and `dtype` are None where unknown; `shape` is a token: two values with the same
    token, not None, have the same shape.

    >>> kind_of(np.ones((2, 3)))
    Num(flavor='array', ndim=2, dtype='float64', shape=None)
    """

    flavor: str
    ndim: int | None
    dtype: str | None
    shape: Any = None


@dataclass(frozen=True, slots=True)
class Atom(Kind):
    """A value that never carries a derivative, of a known Python type."""

    type: type


@dataclass(frozen=True, slots=True)
class TupleKind(Kind):
    """A tuple with so many items; `type` may be a named tuple's class."""

    items: tuple[Kind, ...]
    type: type = tuple


@dataclass(frozen=True, slots=True)
class ListKind(Kind):
    """A list of items of one kind and unknown length."""

    item: Kind


@dataclass(frozen=True, slots=True)
class Instance(Kind):
    """An object of a user's class."""

    type: type


@dataclass(frozen=True, slots=True)
class Handle(Atom):
    """The place of a record in the lists of an arena (see `frontend.arenas`);
    `optional` says that it may be None."""

    arena: Any
    optional: bool = False


UNKNOWN = Unknown()
BOTTOM = Bottom()
FLOAT = Num("py", 0, "float")
INT = Num("py", 0, "int")
BOOL = Num("py", 0, "bool")
COMPLEX = Num("py", 0, "complex")
NUMERIC = Num("any", None, None)
STR = Atom(str)
NONE = Atom(type(None))

NUMBER = Num("py", 0, "number")  # an int or a float that a derivative is asked for

_PY = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


def kind_of(value: Any) -> Kind:
    """The kind of a run-time value.

    >>> kind_of((1, 2.0)).items == (INT, FLOAT)
    True
    """
    py = _PY.get(type(value))
    if py is not None:
        return py
    if isinstance(value, np.ndarray):
        return _array_kind(value.dtype, value.ndim)
    if isinstance(value, np.generic):
        return Num("np", 0, value.dtype.name)
    if isinstance(value, tuple):
        return TupleKind(tuple(map(kind_of, value)), type(value))
    if type(value) is list:
        start: Kind = BOTTOM
        return ListKind(functools.reduce(join, map(kind_of, value), start))
    atoms = (str, bytes, range, slice, np.dtype, type)
    if value is None or isinstance(value, atoms) or is_generator(value):
        return Atom(type(value))
    if type(value).__module__.startswith("scipy.sparse"):
        return Foreign(type(value))
    return UNKNOWN


@functools.cache
def _array_kind(dtype: np.dtype[Any], ndim: int) -> Num:
    return Num("array", ndim, dtype.name)


# ------------------------------------------------------------------ generators

# Looked up where a program has loaded them: `numpy.random` takes longer to import
# than a quarter of this package.
_GENERATORS = {"random": ("Random",), "numpy.random": ("Generator", "RandomState")}


def _generator_types() -> tuple[type, ...]:
    return tuple(
        getattr(sys.modules[module], name)
        for module, names in _GENERATORS.items()
        if module in sys.modules
        for name in names
        if hasattr(sys.modules[module], name)  # another thread may be importing it
    )


def is_generator(value: Any) -> bool:
    """Whether a value of the program is a generator of random numbers."""
    return isinstance(value, _generator_types())


def draws(kind: Kind) -> TypeGuard[Atom]:
    """Whether values of this kind are generators of random numbers.

    >>> draws(kind_of(np.random.default_rng(0))), draws(FLOAT)
    (True, False)
    """
    return isinstance(kind, Atom) and kind.type in _generator_types()


# ------------------------------------------------------------------ questions


def is_float(dtype: str | None) -> bool:
    """Whether a dtype can carry a derivative; an unknown one may."""
    return dtype is None or dtype.startswith(
        ("float", "complex", "longdouble", "clong", "number")
    )


def is_complex(kind: Kind) -> bool:
    """Whether a value of this kind may be complex (False for unknown dtypes)."""
    return isinstance(kind, Num) and (kind.dtype or "").startswith(("complex", "clong"))


def differentiable(kind: Kind) -> bool:
    """Whether a value of this kind may carry a derivative."""
    match kind:
        case Num(dtype=dtype):
            return is_float(dtype)
        case TupleKind(items=items):
            return any(map(differentiable, items))
        case ListKind(item=item):
            return differentiable(item)
        case Atom():
            return False
    return True


def is_scalar(kind: Kind) -> bool:
    """Whether values of this kind are certainly scalars (not 0-d arrays)."""
    return isinstance(kind, Handle) or (
        isinstance(kind, Num)
        and kind.ndim == 0
        and kind.flavor != "array"
        and kind.flavor != "any"
    )


def is_array(kind: Kind) -> bool:
    """Whether values of this kind are certainly arrays."""
    return isinstance(kind, Num) and kind.flavor == "array"


def strip(kind: Kind) -> Kind:
    """The kind without shape tokens."""
    match kind:
        case Num(shape=shape) if shape is not None:
            return replace(kind, shape=None)
        case TupleKind(items=items):
            return TupleKind(tuple(map(strip, items)), kind.type)
        case ListKind(item=item):
            return ListKind(strip(item))
    return kind


# ----------------------------------------------------------------------- join

_PY_RANK = {"bool": 0, "int": 1, "number": 2, "float": 3, "complex": 4}


def join(a: Kind, b: Kind) -> Kind:
    """The least kind that covers both.

    >>> join(INT, FLOAT)
    Num(flavor='py', ndim=0, dtype='float', shape=None)
    """
    if a == b or isinstance(b, Bottom):
        return a
    if isinstance(a, Handle) or isinstance(b, Handle):
        return _join_handles(a, b)
    if isinstance(a, Bottom) or a == NONE:
        return b
    if b == NONE:
        return a
    if isinstance(a, Num) and isinstance(b, Num):
        return _join_num(a, b)
    if isinstance(a, TupleKind) and isinstance(b, TupleKind):
        if len(a.items) == len(b.items) and a.type is b.type:
            return TupleKind(tuple(map(join, a.items, b.items)), a.type)
    if isinstance(a, ListKind) and isinstance(b, ListKind):
        return ListKind(join(a.item, b.item))
    return UNKNOWN


def _join_handles(a: Kind, b: Kind) -> Kind:
    """The kind that covers places of one arena, or a place and None."""
    pair = [k for k in (a, b) if not isinstance(k, Bottom)]
    places = [k for k in pair if isinstance(k, Handle)]
    alike = len({k.arena for k in places}) == 1
    if not alike or any(k != NONE for k in pair if not isinstance(k, Handle)):
        return UNKNOWN
    optional = len(places) < len(pair) or any(k.optional for k in places)
    return replace(places[0], optional=optional)


def _join_num(a: Num, b: Num) -> Num:
    shape = a.shape if a.shape == b.shape else None
    if a.flavor == b.flavor == "py":
        assert a.dtype and b.dtype
        return Num("py", 0, max(a.dtype, b.dtype, key=_PY_RANK.__getitem__))
    flavor = a.flavor if a.flavor == b.flavor else "any"
    ndim = a.ndim if a.ndim == b.ndim and flavor != "any" else None
    if a.ndim == b.ndim == 0 and {a.flavor, b.flavor} <= {"py", "np", "scalar"}:
        flavor, ndim = "scalar", 0
    return Num(flavor, ndim, _join_dtype(a, b), shape)


def _join_dtype(a: Num, b: Num) -> str | None:
    if a.dtype == b.dtype:
        return a.dtype
    names = {n for n in (a.dtype, b.dtype) if n}
    if len(names) == 2 and names <= {"float", "float64", "bool"}:
        return "float64"
    if len(names) == 2 and names <= _INT_OR_FLOAT and names != {"int", "int64"}:
        return "number"
    return None


_INT_OR_FLOAT = frozenset({"int", "int64", "float", "float64", "number"})
