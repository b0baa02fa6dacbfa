"""Straight-line programs: every form of assignment and of expression."""

import math

import numpy as np

from tests.zoo import case, program


@case(1.3)
@case(-0.4)
@program("assignment", numba=True)
def sine_and_exponential(x):
    y = np.sin(x) * x
    return y + np.exp(x)


@case(1.3, 0.7)
@program("assignment", "math", argnums=(0, 1), numba=True, analytic=False)
def math_functions(x, y):
    a = math.sin(x) + math.sqrt(y) * math.exp(-x)
    b = math.log(y) + math.pow(x, 2.0) + math.atan2(x, y)
    return a * b + math.tanh(x) + math.hypot(x, y)


@case(1.3)
@program("chained assignment", numba=True)
def chained_assignment(x):
    a = b = x * x
    b = b + a
    return a * b


@case(1.3)
@program("augmented assignment", numba=True)
def augmented_assignment(x):
    y = x
    y += x * 2.0
    y *= x
    y -= 0.5
    y /= x + 1.0
    y **= 3
    return y


@case(1.3, 2.1)
@program("unpacking", argnums=(0, 1), numba=True)
def unpacking_and_swap(x, y):
    a, b = x * y, x + y
    a, b = b, a
    (c, d), e = (a * a, b), a - b
    return c * d + e * a


@case(1.3)
@program("starred unpacking", issue=3)
def starred_unpacking(x):
    first, *middle, last = (x, x * x, 2.0 * x, x + 1.0)
    (head, *rest) = [last, first]
    return first * middle[0] + middle[1] * last + head * rest[0]


@case(1.3, 0.7)
@program("unpacking", numba=True, argnums=(0, 1))
def rotation(x, y):
    x, y = x * 0.6 - y * 0.8, x * 0.8 + y * 0.6
    x, y = x * y, x - y
    return x / y


@case(1.3)
@program("overwriting", numba=True)
def overwritten_argument(x):
    x = x * x
    x = np.sin(x) * x
    x = x + 1.0
    return x * x


@case(1.3)
@case(-0.4)
@program("operators", numba=True)
def every_operator(x):
    return (-x) ** 3 + (+x) / (x * x + 1.0) - 2.0**x + x**-2 - (x - 3.0) * 4


@case(7.3, 2.0)
@program("floor division", "remainder", argnums=(0, 1), analytic=False)
def floor_and_remainder(x, y):
    return (x // y) * x + x % y + divmod(x, y)[1] * y


@case(-1.3)
@case(1.3)
@program("abs", "min", "max", analytic=False, issue=3)
def python_abs_min_max(x):
    return abs(x) * max(x, 0.5) + min(x * x, 2.0, x + 4.0)


@case(1.3)
@program("dead code", numba=True)
def dead_code(x):
    unused = np.exp(x) * 3.0  # noqa: F841
    y = x * x
    unused = y * 2.0  # noqa: F841
    return y


@case(1.3)
@program("constant result", numba=True, smooth=False)
def constant_result(x):
    y = x * 2.0
    y = 3.0
    return y


@case(1.3)
@program("identity", numba=True)
def identity(x):
    return x


@case(1.3, np.array([0.3, 0.8, 1.7]))
@program("broadcasting", argnums=(0, 1), numba=True)
def scalar_with_array(a, x):
    y = a * x + np.sin(x)
    return np.sum(y * y) * a


@case(np.array([[0.3], [0.8]]), np.array([1.7, -0.2, 0.5]))
@program("broadcasting", argnums=(0, 1))
def broadcast_rows_and_columns(a, b):
    c = a * b + a
    return np.sum(c * c / (1.0 + b * b))


@case(np.array([[0.3, -1.2], [0.8, 0.4]]), np.array([1.7, -0.2]))
@program("matrix product", "methods", argnums=(0, 1))
def methods_and_attributes(a, v):
    h = (a @ v + a.T @ v).reshape(2, 1)
    return (h * h).sum() + a.mean() * v.dot(v) + a.T[0].sum() * h.size


@case(1.3)
@program("annotated assignment", numba=True)
def annotated(x: float) -> float:
    y: float = x * x
    z: float
    z = y * x
    return z


@case(1.3)
@program("names")
def names_of_a_compiler(x):
    x_bar = x * 2.0
    y_bar, t1, x_1, x_dot, out_bar = x_bar * x, 2.0, x, 0.5, x * x
    saved, value, x_saved, residuals = t1 * x_1, x_dot, out_bar, y_bar
    return saved * value + x_saved * residuals + x_bar * y_bar


@case(1.3)
@program("f-string", "print", smooth=False)
def strings_and_prints(x):
    text = f"{x:.3f} and {x * 2!r}"
    print(text, x * x, sep=";")
    return x * x * len(text)


@case(1.3)
@program("assert", "docstring")
def asserted(x):
    """Has a docstring, which is no statement."""
    assert x > 0, f"{x} is not positive"
    return np.sqrt(x)


@case(1.3)
@program("walrus", issue=3)
def walrus(x):
    if (y := x * x) > 1.0 and (z := y * x) > 0.0:
        return y * z
    return y


@case(1.3)
@program("del", issue=3)
def deleted_name(x):
    y = x * x
    z = y * 2.0
    del y
    return z * x


@case(2)
@program("integer argument", smooth=False, analytic=False)
def integer_argument(x):
    return x**3 + 2 * x
