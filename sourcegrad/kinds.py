"""Kinds: the abstract values of the compiler, and how they are inferred.

A kind says as much about a value as decides the shape of its adjoint: Python
scalar, NumPy scalar, array with so many dimensions and such a dtype, container of
kinds, or unknown.  Kinds of library calls come from running the function on small
sample arrays (of extent 2 and of extent 1, so that a result whose number of
dimensions depends on extents, as that of `squeeze`, is seen to be unknown).
"""

from __future__ import annotations

import functools
import operator
import sys
import warnings
from collections.abc import Callable, Sequence
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


# -------------------------------------------------------------------- samples


class CannotSample(Exception):
    """A kind too vague to make a sample value of."""


def sample(kind: Kind, extent: int) -> Any:
    """A small value of the kind, arrays with every extent equal to `extent`."""
    match kind:
        case Num(flavor="np" | "scalar" | "array", dtype="number"):
            return sample(replace(kind, dtype=_sampled_dtype(kind)), extent)
        case Num(flavor="py", dtype="bool"):
            return extent > 1  # an option may change the form of the result
        case Num(flavor="py", dtype="int"):
            return extent - 1
        case Num(flavor="py", dtype=dtype):
            one = _SAMPLES[dtype or ""]
            return one if extent < 3 else 0.5 * one  # where a function ends at 1
        case Num(flavor="np" | "scalar", dtype=str(dtype)):
            return np.dtype(dtype).type(1)
        case Num(flavor="array", ndim=int(ndim), dtype=str(dtype)):
            return _sample_array(ndim, dtype, extent)
        case Num(flavor="any", ndim=0, dtype=str()):
            return 1.0
        case TupleKind(items=items):
            return tuple(sample(k, extent) for k in items)
        case ListKind(item=item):
            return [sample(item, extent) for _ in range(extent)]
        case Atom(type=t) if t is type(None):
            return None
    raise CannotSample


_SAMPLES = {"number": 1.0, "float": 1.0, "complex": 1 + 1j}


def _sample_array(ndim: int, dtype: str, extent: int) -> np.ndarray:
    if dtype in ("object",) or dtype.startswith(("str", "bytes", "void", "datetime")):
        raise CannotSample
    full = np.ones((extent,) * ndim, dtype)
    if ndim >= 2 and is_float(dtype):
        full = full + 2 * np.eye(extent, dtype=dtype)
    return full


_MEMO: dict[Any, Kind] = {}


def infer_call(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Kind:
    """The kind of `fn(*args, **kwargs)`, operands given as kinds or as `Known`."""
    try:
        key = (
            fn,
            tuple(map(_key, args)),
            tuple((k, _key(v)) for k, v in kwargs.items()),
        )
        hash(key)
    except TypeError:
        key = None
    if key is not None and key in _MEMO:
        return _MEMO[key]
    kind = _by_samples(fn, args, kwargs)
    if kind == UNKNOWN and any(map(_lacks_dtype, [*args, *kwargs.values()])):
        kind = _of_dtypes(fn, args, kwargs)
    if key is not None:
        _MEMO[key] = kind
    return kind


def _lacks_dtype(kind: Any) -> bool:
    """Whether all but the dtype of an array is known."""
    return is_array(kind) and kind.ndim is not None and kind.dtype is None


def _of_dtypes(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Kind:
    """What a real and a complex array would give alike, but for the dtype."""
    found: Kind = BOTTOM
    for dtype in ("float64", "complex128"):

        def of(kind: Any, dtype: str = dtype) -> Any:
            return replace(kind, dtype=dtype) if _lacks_dtype(kind) else kind

        given = {k: of(v) for k, v in kwargs.items()}
        found = join(found, _by_samples(fn, list(map(of, args)), given))
    if isinstance(found, Num) and found.flavor == "array":
        return replace(found, dtype=None)
    return UNKNOWN


@dataclass(frozen=True)
class Known:
    """An operand whose value is known when compiling."""

    value: Any


@dataclass(frozen=True)
class Display:
    """A tuple or list operand, item by item."""

    type: type
    items: tuple[Any, ...]


def _key(operand: Any) -> Any:
    if isinstance(operand, Known):
        return (type(operand.value), repr(operand.value))
    if isinstance(operand, Display):
        return (operand.type, tuple(map(_key, operand.items)))
    return operand


def _by_samples(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Kind:
    found: Kind | None = None
    for extent in (2, 1, 3, 4):
        if extent > 2 and found is not None:
            break
        try:
            kind = _of_sample(fn, args, kwargs, extent)
        except CannotSample:
            return UNKNOWN
        if kind is not None:
            found = kind if found is None else join(found, kind)
    return UNKNOWN if found is None else found


def _of_sample(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], extent: int
) -> Kind | None:
    """The kind of one result; None where the sample does not fit the function."""
    either = any(map(_holds_number, (*args, *kwargs.values())))
    found = [
        _of_number(fn, args, kwargs, extent, number)
        for number in ((1.0, 1) if either else (1.0,))
    ]
    kinds = [kind for kind in found if kind is not None]  # an int may be a count
    if not kinds:
        return None
    return kinds[0] if len(kinds) == 1 else _of_either(*kinds)


def _of_number(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    extent: int,
    number: float,
) -> Kind | None:
    try:
        operands = [_concrete(a, extent, number) for a in args]
        named = {k: _concrete(v, extent, number) for k, v in kwargs.items()}
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return kind_of(fn(*operands, **named))
    except CannotSample:
        raise
    except Exception:  # whatever a library raises: not a fact about the function
        return None


def _of_either(of_float: Kind, of_int: Kind) -> Kind:
    """The kind of what is made of a number: of a float, or of an int.

    >>> _of_either(FLOAT, INT) == NUMBER
    True
    """
    match of_float, of_int:
        case Num(dtype=one), Num(dtype=other):
            alike = replace(of_float, dtype=other) == of_int
            if alike and (one, other) in (("float64", "int64"), ("float", "int")):
                return replace(of_float, dtype="number")
        case TupleKind(), TupleKind() if len(of_float.items) == len(of_int.items):
            items = tuple(map(_of_either, of_float.items, of_int.items))
            return replace(of_float, items=items)
        case ListKind(), ListKind():
            return ListKind(_of_either(of_float.item, of_int.item))
    return join(of_float, of_int)


def _holds_number(operand: Any) -> bool:
    """Whether an operand, or an item of it, may be of ints or of floats."""
    if isinstance(operand, ListKind):
        return _holds_number(operand.item)
    if isinstance(operand, (Display, TupleKind)):
        return any(map(_holds_number, operand.items))
    return isinstance(operand, Num) and operand.dtype == "number"


def _concrete(operand: Any, extent: int, number: float = 1.0) -> Any:
    if isinstance(operand, Known):
        return operand.value
    if isinstance(operand, Display):
        return operand.type(_concrete(i, extent, number) for i in operand.items)
    if isinstance(operand, TupleKind) and operand.type is tuple:
        return tuple(_concrete(i, extent, number) for i in operand.items)
    if isinstance(operand, ListKind):
        return [_concrete(operand.item, extent, number) for _ in range(extent)]
    if isinstance(operand, Num) and operand.dtype == "number":
        if operand.flavor == "py":
            return number
        return sample(replace(operand, dtype=np.dtype(type(number)).name), extent)
    return sample(operand, extent)


# ----------------------------------------------------- operators and subscripts

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
        sampled = np.ones((2,) * base.ndim, _sampled_dtype(base))
        value = sampled[tuple(map(_sample_index, items))]
    except CannotSample:
        return Num("any", None, base.dtype)
    except (IndexError, TypeError):
        return UNKNOWN
    found = kind_of(value)
    return replace(found, dtype=base.dtype) if isinstance(found, Num) else found


def _sampled_dtype(kind: Num) -> str | None:
    return "float64" if kind.dtype == "number" else kind.dtype


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
        return [_sample_index(i) for i in index.items]
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
