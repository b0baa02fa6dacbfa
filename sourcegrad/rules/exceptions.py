"""Functions that raise for some operands of the right types.

A derivative that needs no value calls them all the same: where a function raises it has
no derivative. What is declared here raises where its partial may be a number, as that
of `math.log` at -1; the partial of what raises `alike` does not come out either.

NumPy's elementwise functions raise for shapes only, which their adjoints read; those of
the linear algebra have adjoints that read the result. Of inactive operands the compiler
assumes the worst of everything else.
"""

import builtins
import cmath
import math

import numpy as np

from .registry import raising

raising(
    math.acos,
    math.acosh,
    math.asin,
    math.atanh,
    math.cosh,
    math.exp,
    math.exp2,
    math.expm1,
    math.fmod,
    math.fsum,
    math.gamma,
    math.ldexp,
    math.lgamma,
    math.log,
    math.log10,
    math.log1p,
    math.log2,
    math.pow,
    math.remainder,
    math.sinh,
    math.sqrt,
)
raising(math.cos, math.sin, math.tan, alike=True)

raising(
    math.ceil,
    math.comb,
    math.factorial,
    math.floor,
    math.gcd,
    math.isqrt,
    math.lcm,
    math.perm,
    math.trunc,
)

raising(
    cmath.acos,
    cmath.acosh,
    cmath.asin,
    cmath.asinh,
    cmath.atan,
    cmath.atanh,
    cmath.cos,
    cmath.cosh,
    cmath.exp,
    cmath.log,
    cmath.log10,
    cmath.sin,
    cmath.sinh,
    cmath.sqrt,
    cmath.tan,
    cmath.tanh,
)

raising(np.cross, np.ndarray.item, builtins.float, builtins.int)
raising(np.max, np.min, np.argmax, np.argmin, np.nanargmax, np.nanargmin)
