"""Programs that branch."""

import numpy as np

from tests.zoo import case, program


@case(1.3)
@case(0.4)
@program("if", "else", numba=True)
def if_else(x):
    if x > 1.0:
        y = x * x
    else:
        y = np.sin(x)
    return y * x


@case(1.3)
@case(-0.4)
@program("if", numba=True)
def if_alone(x):
    y = x
    if x > 0:
        y = y * x
        y = y + 1.0
    return y * y


@case(0.2)
@case(1.2)
@case(2.2)
@case(3.2)
@program("elif", numba=True)
def elif_chain(x):
    if x < 1.0:
        y = x
    elif x < 2.0:
        y = x * x
    elif x < 3.0:
        y = np.exp(-x)
    else:
        y = 4.0 * x
    return y * x


@case(1.3)
@case(-0.4)
@program("ternary", numba=True)
def ternary(x):
    y = x * x if x > 0 else -x
    return y * (2.0 if y > 1.0 else x)


@case(0.5, 2.0)
@case(3.0, 2.0)
@case(-1.0, 2.0)
@program("boolean operators", "chained comparison", numba=True, argnums=(0, 1))
def boolean_conditions(x, y):
    if 0.0 < x < 1.0 and not y < 0.0:
        x = x * y
    if x > 2.5 or x * y < -1.0:
        x = x + y * y
    return x * y


@case(2.0)
@case(0.0)
@case(-2.0)
@program("short circuit", smooth=False)
def short_circuit_values(x):
    a = x > 0 and x * 3.0
    b = None or x * x
    c = 0.0 or a
    if x != 0 and 1.0 / x > 0.1:
        return a + b + c
    return b


@case(1.3)
@case(-1.3)
@program("if", numba=True)
def nested_ifs(x):
    y = x * x
    if x > 0:
        if y > 1.0:
            y = y * x
        else:
            y = y + x
        z = y
    else:
        z = -y
        if y > 1.0:
            z = z * y
    return z * y


@case(1.3, True)
@case(1.3, False)
@program("defined in one branch")
def defined_in_one_branch(x, flag):
    if flag:
        y = x * x
    z = x + 1.0
    if flag:
        z = z * y
    return z


@case(1.3, 1)
@case(1.3, 2)
@case(1.3, 0)
@program("if", "integers", numba=True)
def integer_switch(x, mode):
    scale = 1.0
    if mode == 1:
        scale = x
    elif mode == 2:
        scale, x = x * x, scale
    return scale * x + scale


@case(-2.0)
@case(2.0)
@program("alias", numba=True)
def alias_then_branch(a):
    b = a
    if b > 0.0:
        b = a * a
    else:
        b = a * a * a
    return b + a


@case(np.array([0.9, -0.6, 1.4]))
@case(np.array([-0.9, -0.6, -1.4]))
@case(np.array([0.1, 0.6, 0.4]))
@program("array conditions")
def any_and_all(x):
    if np.any(x > 1.0) and not np.all(x > 0):
        return np.sum(x * x)
    elif (x < 0).all():
        return np.sum(x)
    return np.prod(x)


@case(1.3)
@case(0.3)
@program("if", "pass", numba=True)
def empty_branches(x):
    y = x
    if x > 1.0:
        pass
    else:
        y = y * x
    if y > 0.5:
        ...
    return y * 3.0


@case(1.3)
@case(-1.3)
@program("comparison as number", numba=True)
def comparison_as_factor(x):
    return (x > 0) * x * x + (x <= 0) * np.exp(x)


@case(1.3, None)
@case(1.3, 2.0)
@program("None", "is")
def optional_argument(x, scale=None):
    if scale is None:
        scale = x * 2.0
    return x * scale


@case(1.3, "square")
@case(1.3, "sine")
@case(1.3, "other")
@program("strings", "in")
def string_switch(x, kind):
    if kind == "square":
        y = x * x
    elif kind in ("sine", "cosine"):
        y = np.sin(x)
    else:
        y = x
    return y * x


@case(0.7, 1.5)
@case(1.5, 0.7)
@program("if", "swap", numba=True, argnums=(0, 1))
def conditional_swap(x, y):
    if x > y:
        x, y = y, x
    return x * x + y * 3.0


@case(1.3)
@case(0.3)
@program("ternary", "nested", numba=True)
def nested_ternary(x):
    return x if x > 2 else (x * x if x > 1 else (x * x * x if x > 0 else 1.0))
