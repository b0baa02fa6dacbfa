"""Methods and attributes of arrays, and the functions that they stand for.

A method's remaining arguments are those of the function, in the same order, so
`x.sum(0)` has the rule of `np.sum(x, 0)`. Where that does not hold, the tables say
how the call is turned: `VARIADIC` (`x.reshape(2, 3)`: the star arguments are one
tuple, unless a single tuple or int is given) and `SWAPPED` (the array is the second
argument). What is in no table is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# Options after the array, in order, that a function calls by another name too; each
# may be None.
SYNONYMS: dict[Any, dict[str, str]] = {np.clip: {"min": "a_min", "max": "a_max"}}


METHODS: dict[str, Callable[..., Any]] = {
    "all": np.all,
    "any": np.any,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "argpartition": np.argpartition,
    "argsort": np.argsort,
    "astype": np.ndarray.astype,
    "clip": np.clip,
    "conj": np.conj,
    "conjugate": np.conjugate,
    "copy": np.copy,
    "cumprod": np.cumprod,
    "cumsum": np.cumsum,
    "diagonal": np.diagonal,
    "dot": np.dot,
    "flatten": np.ndarray.flatten,
    "item": np.ndarray.item,
    "max": np.max,
    "mean": np.mean,
    "min": np.min,
    "nonzero": np.nonzero,
    "prod": np.prod,
    "ravel": np.ravel,
    "repeat": np.repeat,
    "round": np.round,
    "searchsorted": np.searchsorted,
    "squeeze": np.squeeze,
    "std": np.std,
    "sum": np.sum,
    "swapaxes": np.swapaxes,
    "take": np.take,
    "tolist": np.ndarray.tolist,
    "trace": np.trace,
    "var": np.var,
    "__abs__": np.absolute,
}

# The positional arguments after the array are one tuple: `x.reshape(2, 3)`.
VARIADIC: dict[str, Callable[..., Any]] = {
    "reshape": np.reshape,
    "transpose": np.transpose,
}

# The function's arguments are (method's first argument, array, ...).
SWAPPED: dict[str, Callable[..., Any]] = {"compress": np.compress}

# The array selects; its own entries are integers.
SELECTING: dict[str, Callable[..., Any]] = {"choose": np.choose}

# No derivative passes through.
CONSTANT_METHODS = frozenset(
    ("dump", "dumps", "tobytes", "tofile", "tostring", "to_device")
)

# These write into the array: they are stores, not functions of it.
MUTATING_METHODS = frozenset(
    ("__setitem__", "fill", "partition", "put")
    + ("resize", "setfield", "setflags", "sort")
)

# They read memory as something else than the numbers in it.
REFUSED_METHODS = frozenset(("byteswap", "getfield", "view"))

ATTRIBUTES: dict[str, Callable[..., Any]] = {
    "T": np.transpose,
    "mT": np.matrix_transpose,
    "real": np.real,
    "imag": np.imag,
    "flat": np.ravel,
}

CONSTANT_ATTRIBUTES = frozenset(
    ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides", "flags")
    + ("base", "ctypes", "data", "device")
)
