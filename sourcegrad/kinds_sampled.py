"""Kinds of library calls, told by running the function on small samples.

The samples have extent 2 and extent 1, so that a result whose number of dimensions
depends on extents, as that of `squeeze`, is seen to be unknown.
"""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sourcegrad.kinds import (
    BOTTOM,
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_float,
    join,
    kind_of,
)


class CannotSample(Exception):
    """A kind too vague to make a sample value of."""


def sample(kind: Kind, extent: int) -> Any:
    """A small value of the kind, arrays with every extent equal to `extent`."""
    match kind:
        case Num(flavor="np" | "scalar" | "array", dtype="number"):
            return sample(replace(kind, dtype=sampled_dtype(kind)), extent)
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

# These hand pivots, knots or lengths on to LAPACK and FITPACK as they are: what does
# not fit together, as samples may not, would write outside of the arrays.
_TRUSTING = frozenset(
    "lu_solve splev splint sproot spalde splder splantider bisplev bispeu "
    "make_interp_spline make_lsq_spline BSpline construct_fast".split()
)
_TRUSTING_MODULES = (
    "scipy.interpolate._dierckx",
    "scipy.interpolate._bspl",
)


def trusts_operands(fn: Any) -> bool:
    """Whether a function of SciPy, or a helper of ours that calls one, does not check
    what it is given."""
    home = str(getattr(fn, "__module__", ""))
    if type(fn).__name__ == "fortran" or home.startswith(_TRUSTING_MODULES):
        return True
    if home.startswith("sourcegrad.runtime"):
        return _calls_trusting(fn)
    return getattr(fn, "__name__", "") in _TRUSTING and home.startswith("scipy.")


@functools.cache
def _calls_trusting(helper: Any) -> bool:
    """Whether a helper names such a function, or one of our helpers that does."""
    seen, waiting = set(), [helper]
    while waiting:
        fn = waiting.pop()
        if fn in seen or not isinstance(fn, types.FunctionType):
            continue
        seen.add(fn)
        codes = [fn.__code__]
        while codes:
            code = codes.pop()
            if not _TRUSTING.isdisjoint(code.co_names):
                return True
            codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
            globals_ = map(fn.__globals__.get, code.co_names)
            waiting += [
                g
                for g in globals_
                if str(getattr(g, "__module__", "")).startswith("sourcegrad.runtime")
            ]
    return False


def infer_call(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Kind:
    """The kind of `fn(*args, **kwargs)`, operands given as kinds or as `Known`."""
    if trusts_operands(fn):
        return UNKNOWN
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

    >>> from sourcegrad.kinds import FLOAT, INT, NUMBER
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


def sampled_dtype(kind: Num) -> str | None:
    """The dtype of a sample: a number may be a float."""
    return "float64" if kind.dtype == "number" else kind.dtype
