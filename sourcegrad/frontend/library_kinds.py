"""Kinds of library functions that no sample tells."""

from __future__ import annotations

import cmath
import functools
import logging
import operator
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.kinds import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_scalar,
    join,
    strip,
)
from sourcegrad.kinds_sampled import infer_call
from sourcegrad.rules.refused_scipy import refusal_of_scipy
from sourcegrad.runtime import zeros_like
from sourcegrad.runtime_heaps import heap_order, path_down, path_up
from sourcegrad.runtime_ndimage import axes_pullback
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
from sourcegrad.runtime_spectra import overlap_add

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


def several_results(
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


def is_filter_design(fn: Any) -> bool:
    """Whether a function computes coefficients from numbers alone."""
    module = getattr(fn, "__module__", None) or ""
    return module.startswith("scipy.signal.") and refusal_of_scipy(fn) is not None


def part_of(part: Kind, whole: Kind) -> Kind:
    """The kind of a part cut out of an array in the shape of an operand."""
    part = strip(part)
    if not isinstance(part, Num) or not isinstance(whole, Num):
        return UNKNOWN
    if is_scalar(part):
        return Num("any", 0, whole.dtype)
    return replace(part, dtype=whole.dtype)


def with_lists(kind: Kind) -> Kind:
    """The kind of a container with lists in place of its tuples."""
    if isinstance(kind, TupleKind):
        start: Kind = BOTTOM
        kind = ListKind(functools.reduce(join, kind.items, start))
    return ListKind(with_lists(kind.item)) if isinstance(kind, ListKind) else kind


TEXT_METHODS: dict[str, Kind] = {
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

RESULTS: dict[Any, Kind] = {
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
RESULTS |= dict.fromkeys(
    [
        cmath.acos, cmath.acosh, cmath.asin, cmath.asinh, cmath.atan, cmath.atanh,
        cmath.cos, cmath.cosh, cmath.exp, cmath.log, cmath.log10, cmath.rect,
        cmath.sin, cmath.sinh, cmath.sqrt, cmath.tan, cmath.tanh,
    ],
    COMPLEX,
)  # fmt: skip
POWERS = frozenset({operator.pow, pow})
SAME_FORM = frozenset({zeros_like, zero_buffer, shared_zeros})
LIKE_METHODS = frozenset({"copy", "astype", "clip", "conj", "conjugate", "round"})
LIKE = frozenset(
    {np.zeros_like, np.ones_like, np.full_like, np.copy, np.where, np.clip, np.absolute,
     abs, np.flip, np.real, np.imag, np.conj}
)  # fmt: skip

# Arrays, whatever they are made of.
MAKE_ARRAYS = frozenset(
    {np.array, np.asarray, np.ascontiguousarray, np.concatenate, np.stack, np.vstack,
     np.hstack, np.dstack, np.column_stack}
)  # fmt: skip

# Arrays of the dtype of their first operand, in another order or shape.
REARRANGED = frozenset(
    {np.lib.stride_tricks.sliding_window_view, np.moveaxis, np.transpose, np.swapaxes,
     np.expand_dims, np.squeeze, np.roll, np.repeat, np.tile, overlap_add,
     axes_pullback}
)  # fmt: skip

# Arrays of the dtype of their first operand, in a shape that is given.
SHAPED = frozenset({np.broadcast_to})


def of_any_dtype(kind: Kind) -> Kind:
    """The kind without its dtype."""
    if isinstance(kind, TupleKind):
        return replace(kind, items=tuple(map(of_any_dtype, kind.items)))
    return replace(kind, dtype=None) if isinstance(kind, Num) else kind


def is_hashable(obj: Any) -> bool:
    return getattr(type(obj), "__hash__", None) is not None


def is_in(obj: Any, group: Any) -> bool:
    return is_hashable(obj) and obj in group
