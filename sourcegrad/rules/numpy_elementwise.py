"""Elementwise functions of one or two real or complex operands.

Conventions, those of JAX and autograd: `abs` has derivative 0 at 0; `maximum` and
`minimum` share equally at a tie, and so does `clip` at its bounds; `hypot` has
gradient 0 at the origin; what rounds is constant. `nan_to_num` has derivative 0 at
what it replaces.
"""

import builtins
import cmath
import math
import operator

import numpy as np

from ..runtime import above, not_differentiable, unbroadcast
from ..runtime_norms import per_norm
from ..runtime_numeric import bessel_i, sinc_slope
from .registry import adjoint, composite, constant, elementwise, tangent

# ------------------------------------------------------------- trigonometry


@elementwise(np.sin, math.sin)
def sin(y, x):
    return np.cos(x)


@elementwise(np.cos, math.cos)
def cos(y, x):
    return -np.sin(x)


@elementwise(np.tan, math.tan, cmath.tan)
def tan(y, x):
    return 1.0 + y * y


@elementwise(np.arcsin, math.asin, singular=True)
def arcsin(y, x):
    return 1.0 / np.sqrt((1.0 - x) * (1.0 + x))


@elementwise(np.arccos, math.acos, singular=True)
def arccos(y, x):
    return -1.0 / np.sqrt((1.0 - x) * (1.0 + x))


@elementwise(np.arctan, math.atan, cmath.atan)
def arctan(y, x):
    return 1.0 / (1.0 + x * x)


@elementwise(np.arctan2, math.atan2, singular=True, convention="nan at the origin")
def arctan2(z, y, x):
    return x / (x * x + y * y), -y / (x * x + y * y)


@elementwise(np.hypot, convention="gradient 0 at the origin")
def hypot(z, x, y):
    return per_norm(x, z), per_norm(y, z)


@elementwise(math.hypot, convention="gradient 0 at the origin")
def math_hypot(z, x, y=0.0, w=0.0):
    return per_norm(x, z), per_norm(y, z), per_norm(w, z)


@elementwise(np.deg2rad, np.radians, math.radians)
def radians(y, x):
    return math.pi / 180.0


@elementwise(np.rad2deg, np.degrees, math.degrees)
def degrees(y, x):
    return 180.0 / math.pi


@elementwise(np.sinh, math.sinh)
def sinh(y, x):
    return np.cosh(x)


@elementwise(np.cosh, math.cosh)
def cosh(y, x):
    return np.sinh(x)


@elementwise(np.tanh, math.tanh, cmath.tanh)
def tanh(y, x):
    return 1.0 - y * y


@elementwise(np.arcsinh, math.asinh)
def arcsinh(y, x):
    return 1.0 / np.sqrt(x * x + 1.0)


@elementwise(np.arccosh, math.acosh, singular=True)
def arccosh(y, x):
    return 1.0 / (np.sqrt(x - 1.0) * np.sqrt(x + 1.0))


@elementwise(np.arctanh, math.atanh, cmath.atanh, singular=True)
def arctanh(y, x):
    return 1.0 / ((1.0 - x) * (1.0 + x))


@elementwise(np.sinc)
def sinc(y, x):
    return sinc_slope(x, y)


# ------------------------------------------------ exponentials and logarithms


@elementwise(np.exp, math.exp, cmath.exp)
def exp(y, x):
    return y


@elementwise(np.exp2, math.exp2)
def exp2(y, x):
    return y * math.log(2.0)


@elementwise(np.expm1, math.expm1)
def expm1(y, x):
    return np.exp(x)


@elementwise(np.log, singular=True)
def log(y, x):
    return 1.0 / x


@elementwise(math.log, singular=True)
def math_log(y, x, base=None):
    if base is None:
        return 1.0 / x, None
    else:
        return 1.0 / (x * math.log(base)), -y / (base * math.log(base))


@elementwise(np.log2, math.log2, singular=True)
def log2(y, x):
    return 1.0 / (x * math.log(2.0))


@elementwise(np.log10, math.log10, cmath.log10, singular=True)
def log10(y, x):
    return 1.0 / (x * math.log(10.0))


@elementwise(np.log1p, math.log1p, singular=True)
def log1p(y, x):
    return 1.0 / (1.0 + x)


@elementwise(np.logaddexp, singular=True)
def logaddexp(z, x, y):
    return np.exp(x - z), np.exp(y - z)


@elementwise(np.logaddexp2, singular=True)
def logaddexp2(z, x, y):
    return np.exp2(x - z), np.exp2(y - z)


# ------------------------------------------------------------ powers, roots


@elementwise(np.sqrt, math.sqrt, cmath.sqrt, singular=True)
def sqrt(y, x):
    return 0.5 / y


@elementwise(np.cbrt, math.cbrt, singular=True)
def cbrt(y, x):
    return 1.0 / (3.0 * y * y)


@elementwise(np.square)
def square(y, x):
    return 2.0 * x


@elementwise(np.reciprocal, singular=True)
def reciprocal(y, x):
    return -y * y


@elementwise(np.i0, source="Abramowitz and Stegun 9.6.27")
def i0(y, x):
    return bessel_i(1, x)


# -------------------------------------------------------- kinks and pieces


@adjoint(np.absolute, builtins.abs, operator.abs, convention="0 at 0")
def absolute_adjoint(y, y_bar, x):
    if np.iscomplexobj(x):
        return np.real(y_bar) * np.conj(np.sign(x))
    elif isinstance(x, (int, float)):
        return y_bar * (1.0 if x > 0 else -1.0 if x < 0 else 0.0 * x)
    else:
        return y_bar * np.sign(x)


@tangent(np.absolute, builtins.abs, operator.abs)
def absolute_tangent(y, x, x_dot):
    if np.iscomplexobj(x):
        return np.real(x_dot * np.conj(np.sign(x)))
    elif isinstance(x, (int, float)):
        return x_dot * (1.0 if x > 0 else -1.0 if x < 0 else 0.0 * x)
    else:
        return x_dot * np.sign(x)


@elementwise(np.fabs, convention="0 at 0")
def fabs(y, x):
    return np.sign(x)


@elementwise(math.fabs, convention="0 at 0")
def math_fabs(y, x):
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0 * x


@elementwise(np.maximum, convention="half each at a tie")
def maximum(z, x, y):
    return above(x, y), above(y, x)


@elementwise(np.minimum, convention="half each at a tie")
def minimum(z, x, y):
    return above(y, x), above(x, y)


@elementwise(np.fmax, convention="half each at a tie; all to the one that is no nan")
def fmax(z, x, y):
    return np.fmax(above(x, y), np.isnan(y)), np.fmax(above(y, x), np.isnan(x))


@elementwise(np.fmin, convention="half each at a tie; all to the one that is no nan")
def fmin(z, x, y):
    return np.fmax(above(y, x), np.isnan(y)), np.fmax(above(x, y), np.isnan(x))


@adjoint(np.clip, convention="half at a bound")
def clip_adjoint(y, y_bar, a, a_min=None, a_max=None):
    if a_min is None and a_max is None:
        return y_bar, None, None
    elif a_max is None:
        return (
            y_bar * above(a, a_min),
            unbroadcast(y_bar * above(a_min, a), a_min),
            None,
        )
    elif a_min is None:
        return (
            y_bar * above(a_max, a),
            None,
            unbroadcast(y_bar * above(a, a_max), a_max),
        )
    else:
        return (
            unbroadcast(y_bar * (above(a, a_min) * above(a_max, a)), a),
            unbroadcast(y_bar * (above(a_min, a) * above(a_max, a_min)), a_min),
            unbroadcast(y_bar * above(np.maximum(a, a_min), a_max), a_max),
        )


@tangent(np.clip)
def clip_tangent(y, a, a_dot, a_min=None, a_min_dot=0.0, a_max=None, a_max_dot=0.0):
    if a_min is None and a_max is None:
        return a_dot
    elif a_max is None:
        return a_dot * above(a, a_min) + a_min_dot * above(a_min, a)
    elif a_min is None:
        return a_dot * above(a_max, a) + a_max_dot * above(a, a_max)
    else:
        return (
            a_dot * (above(a, a_min) * above(a_max, a))
            + a_min_dot * (above(a_min, a) * above(a_max, a_min))
            + a_max_dot * above(np.maximum(a, a_min), a_max)
        )


@elementwise(np.copysign, convention="0 where x is 0, as for abs")
def copysign(z, x, y):
    return np.sign(x) * np.copysign(1.0, y), None


@elementwise(np.heaviside)
def heaviside(z, x, h):
    return None, x == 0


@elementwise(np.fmod)
def fmod(z, x, y):
    return 1.0, np.round((z - x) / y)


@elementwise(np.nan_to_num, convention="0 at what is replaced")
def nan_to_num(y, x):
    return np.isfinite(x)


@composite(np.nan_to_num, options=True)
def nan_to_num_by(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not copy:
        not_differentiable("np.nan_to_num with copy=False writes into its operand")
    high = 0.0 if posinf is None else posinf  # a constant, whichever it is
    low = 0.0 if neginf is None else neginf
    known = np.where(np.isnan(x), nan, x)
    return np.where(x == np.inf, high, np.where(x == -np.inf, low, known))


@elementwise(np.nextafter)
def nextafter(z, x, y):
    return 1.0, None


@adjoint(np.sign, singular=True, source="NumPy 2: z / |z| for complex z")
def sign_adjoint(y, y_bar, x):
    if np.iscomplexobj(x):
        return (y_bar - np.real(y_bar * y) * np.conj(y)) / np.abs(x)
    else:
        return 0.0


@tangent(np.sign)
def sign_tangent(y, x, x_dot):
    if np.iscomplexobj(x):
        return (x_dot - y * np.real(np.conj(y) * x_dot)) / np.abs(x)
    else:
        return np.zeros_like(y)


# ------------------------------------------------------ exponent and mantissa


@adjoint(np.ldexp)
def ldexp_adjoint(y, y_bar, x, n):
    return unbroadcast(np.ldexp(y_bar, n), x), None


@tangent(np.ldexp)
def ldexp_tangent(y, x, x_dot, n):
    return np.ldexp(x_dot, n)


@adjoint(np.frexp)
def frexp_adjoint(y, y_bar, x):
    return np.ldexp(y_bar[0], -y[1])


@tangent(np.frexp)
def frexp_tangent(y, x, x_dot):
    return np.ldexp(x_dot, -y[1]), y[1]


@adjoint(np.modf)
def modf_adjoint(y, y_bar, x):
    return y_bar[0]


@tangent(np.modf)
def modf_tangent(y, x, x_dot):
    return x_dot, 0.0 * y[1]


constant(
    np.ceil,
    np.fix,
    np.floor,
    np.rint,
    np.round,
    np.around,
    np.signbit,
    np.spacing,
    np.trunc,
)
