"""Arithmetic operators, and the ufuncs they stand for.

Conventions: `x ** 0` has derivative 0 in `x` everywhere. In the exponent, the
derivative of `x ** n` is 0 where `x` is 0 (as in JAX and autograd) and nan where the
base is negative. Floor division is constant; the remainder moves with `x`.
"""

import builtins
import math
import operator

import numpy as np

from ..runtime import log_or_zero, one_less, unbroadcast
from .registry import adjoint, constant, elementwise, is_static, tangent


@elementwise(operator.add, np.add)
def add(z, x, y):
    return 1.0, 1.0


@elementwise(operator.sub, np.subtract)
def subtract(z, x, y):
    return 1.0, -1.0


@elementwise(operator.mul, np.multiply)
def multiply(z, x, y):
    return y, x


@elementwise(operator.truediv, np.divide, singular=True)
def divide(z, x, y):
    if is_static(x) and x == 1:
        return 1.0 / y, -z * z
    else:
        return 1.0 / y, -z / y


@elementwise(operator.neg, np.negative)
def negative(y, x):
    return -1.0


@elementwise(operator.pos, np.positive)
def positive(y, x):
    return 1.0


@elementwise(
    operator.pow,
    np.power,
    np.float_power,
    singular=True,
    convention="x ** 0 has derivative 0; 0 ** n has derivative 0 in n",
)
def power(z, x, n):
    if is_static(n):
        if n == 0:
            return 0.0, z * log_or_zero(x)
        elif n == 1:
            return 1.0, z * log_or_zero(x)
        elif n == 2:
            return 2.0 * x, z * log_or_zero(x)
        elif n == -1:
            return -z * z, z * log_or_zero(x)
        elif n == 0.5:
            return 0.5 / z, z * log_or_zero(x)
        else:
            return n * x ** (n - 1), z * log_or_zero(x)
    elif isinstance(n, (int, float)) and np.ndim(x) > 0:
        less = n - 1 if n else np.where(x == 0, 1.0, -1.0)
        return n * x**less, z * log_or_zero(x)
    elif isinstance(n, (int, float)):
        return n * x ** (n - 1 if n or x else 1.0), z * log_or_zero(x)
    else:
        return n * x ** one_less(n, x), z * log_or_zero(x)


@elementwise(math.pow, singular=True, convention="as for the operator **")
def math_pow(z, x, n):
    return n * math.pow(x, n - 1 if n or x else 1.0), z * log_or_zero(x)


@elementwise(operator.mod, np.remainder)
def remainder(z, x, y):
    return 1.0, -(x // y)


@adjoint(builtins.divmod, np.divmod)
def divmod_adjoint(y, y_bar, x1, x2):
    return unbroadcast(y_bar[1], x1), unbroadcast(-y_bar[1] * y[0], x2)


@tangent(builtins.divmod, np.divmod)
def divmod_tangent(y, x1, x1_dot, x2, x2_dot):
    return 0.0 * y[0], x1_dot - y[0] * x2_dot


constant(
    operator.floordiv,
    np.floor_divide,
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.is_,
    operator.is_not,
    operator.not_,
    operator.truth,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.inv,
    operator.invert,
    operator.lshift,
    operator.rshift,
    operator.contains,
    operator.countOf,
    operator.indexOf,
    operator.index,
    operator.length_hint,
)
