"""Python's built-in functions.

`max` and `min` return one of their operands, which gets the whole cotangent: the
compiler treats them as the branch they are. What works on containers (`list`, `zip`,
`enumerate`, ...) is part of the language, not of the rules.
"""

import builtins
import random

import numpy as np

from ..runtime import unbroadcast
from .registry import composite, constant, linear


@linear(builtins.float)
def float_adjoint(y, y_bar, x=0.0):
    return y_bar


@linear(builtins.complex)
def complex_adjoint(y, y_bar, real=0.0, imag=0.0):
    return y_bar, 1j * y_bar


@linear(builtins.sum)
def sum_adjoint(y, y_bar, iterable, start=0):
    if isinstance(iterable, (list, tuple)) and np.ndim(y) == 0:
        return [y_bar] * len(iterable), y_bar
    elif isinstance(iterable, (list, tuple)):
        return [unbroadcast(y_bar, item) for item in iterable], y_bar
    else:
        return np.full_like(iterable, y_bar), y_bar


@linear(builtins.list)
def list_adjoint(y, y_bar, iterable=()):
    if isinstance(iterable, list):
        return y_bar
    else:
        return np.asarray(y_bar)


@composite(builtins.pow)
def pow_definition(base, exp, mod=None):
    return base**exp


constant(
    builtins.all,
    builtins.any,
    builtins.ascii,
    builtins.bin,
    builtins.bool,
    builtins.bytes,
    builtins.callable,
    builtins.chr,
    builtins.dir,
    builtins.format,
    builtins.hasattr,
    builtins.hash,
    builtins.hex,
    builtins.id,
    builtins.int,
    builtins.isinstance,
    builtins.issubclass,
    builtins.len,
    builtins.oct,
    builtins.ord,
    builtins.range,
    builtins.repr,
    builtins.round,
    builtins.slice,
    builtins.str,
    builtins.type,
)
constant(builtins.input, builtins.print, builtins.open, pure=False)
constant(random.Random, random.seed, pure=False)
