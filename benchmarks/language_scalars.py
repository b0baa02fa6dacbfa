"""Ordinary functions of one number, each with its adjoint written by hand.

Every construct of the language once: `NAME` is the function, `NAME_gradient` sweeps
forward, then back, keeping what the way back reads and no more.
"""

import math

import numpy as np

WEIGHT = 3.0


def straight(x):
    return np.sin(x) * x + np.exp(x)


def straight_gradient(x):
    s = np.sin(x)
    e = np.exp(x)
    return s + x * np.cos(x) + e


def ternary(x):
    y = x * x if x > 0 else -x
    return y


def ternary_gradient(x):
    return 2.0 * x if x > 0 else -1.0


def boolean_operator(x):
    y = x
    if x > 0 and x < 10:
        y = x * x
    return y


def boolean_operator_gradient(x):
    if x > 0 and x < 10:
        return 2.0 * x
    return 1.0


def if_else(x):
    if x > 1.0:
        y = x * x
    else:
        y = np.sin(x)
    return y


def if_else_gradient(x):
    if x > 1.0:
        return 2.0 * x
    return np.cos(x)


def for_range(x):
    y = x
    for i in range(3):
        y = y * np.sin(x)
    return y


def for_range_gradient(x):
    s = np.sin(x)
    y = x
    saved = []
    for _ in range(3):
        saved.append(y)
        y = y * s
    y_bar = 1.0
    s_bar = 0.0
    for y in reversed(saved):
        s_bar += y_bar * y
        y_bar = y_bar * s
    return y_bar + s_bar * np.cos(x)


def for_enumerate(x):
    y = x
    for i, c in enumerate([1.0, 2.0]):
        y = y * c + i
    return y


def for_enumerate_gradient(x):
    factors = [1.0, 2.0]
    y_bar = 1.0
    for c in reversed(factors):
        y_bar = y_bar * c
    return y_bar


def while_loop(x):
    y = x
    while y < 50.0:
        y = y * y
    return y


def while_loop_gradient(x):
    y = x
    saved = []
    while y < 50.0:
        saved.append(y)
        y = y * y
    y_bar = 1.0
    while saved:
        y_bar = 2.0 * y_bar * saved.pop()
    return y_bar


def break_out(x):
    y = x
    for i in range(10):
        y = y * x
        if y > 5.0:
            break
    return y


def break_out_gradient(x):
    y = x
    saved = []
    for _ in range(10):
        saved.append(y)
        y = y * x
        if y > 5.0:
            break
    y_bar = 1.0
    x_bar = 0.0
    while saved:
        x_bar += y_bar * saved.pop()
        y_bar = y_bar * x
    return x_bar + y_bar


def continue_on(x):
    y = x
    for i in range(4):
        if i == 2:
            continue
        y = y * x
    return y


def continue_on_gradient(x):
    y = x
    saved = []
    for i in range(4):
        if i == 2:
            continue
        saved.append(y)
        y = y * x
    y_bar = 1.0
    x_bar = 0.0
    for i in range(3, -1, -1):
        if i != 2:
            x_bar += y_bar * saved.pop()
            y_bar = y_bar * x
    return x_bar + y_bar


def loop_else(x):
    y = x
    for i in range(2):
        y = y * x
    else:
        y = y + x
    return y


def loop_else_gradient(x):
    y = x
    saved = []
    for _ in range(2):
        saved.append(y)
        y = y * x
    y_bar = 1.0
    x_bar = 1.0
    for _ in range(2):
        x_bar += y_bar * saved.pop()
        y_bar = y_bar * x
    return x_bar + y_bar


def early_return(x):
    if x > 1.0:
        return x * x
    return x


def early_return_gradient(x):
    if x > 1.0:
        return 2.0 * x
    return 1.0


def return_in_loop(x):
    y = x
    for i in range(5):
        y = y * x
        if y > 5.0:
            return y
    return x


def return_in_loop_gradient(x):
    y = x
    saved = []
    for _ in range(5):
        saved.append(y)
        y = y * x
        if y > 5.0:
            break
    else:
        return 1.0
    y_bar = 1.0
    x_bar = 0.0
    while saved:
        x_bar += y_bar * saved.pop()
        y_bar = y_bar * x
    return x_bar + y_bar


def overwrite(x):
    x = x * x
    x = x * x
    return x


def overwrite_gradient(x):
    y = x * x
    y_bar = 2.0 * y
    return 2.0 * y_bar * x


def swap(x):
    a = x
    b = x * x
    a, b = b, a
    return a * b * b


def swap_gradient(x):
    b = x * x
    # return b * x * x
    b_bar = x * x
    return 2.0 * b * x + 2.0 * b_bar * x


def scaled(a, k=2.0):
    return a * k


def call(x):
    return scaled(x) * scaled(x, k=3.0)


def call_gradient(x):
    a = x * 2.0
    b = x * 3.0
    return b * 2.0 + a * 3.0


def star_call(x):
    args = (x, 3.0)
    return scaled(*args)


def star_call_gradient(x):
    return 3.0


def recursion(x, n=3):
    if n == 0:
        y = x
    else:
        y = recursion(x * x, n - 1)
    return y


def recursion_gradient(x, n=3):
    if n == 0:
        return 1.0
    return 2.0 * recursion_gradient(x * x, n - 1) * x


def nested(x):
    def g(z):
        return z * x

    return g(x) * x


def nested_gradient(x):
    y = x * x
    return y + 2.0 * x * x


def anonymous(x):
    g = lambda z: z * x  # noqa: E731
    return g(x) * x


def anonymous_gradient(x):
    y = x * x
    return y + 2.0 * x * x


def nonlocal_name(x):
    acc = x

    def g(z):
        nonlocal acc
        acc = acc * z

    g(x)
    return acc


def nonlocal_name_gradient(x):
    return x + x


class Line:
    """An object with state."""

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x

    def forward(self, x):
        return self.w * x * x


LINE = Line(3.0)


def method(x):
    return LINE.forward(x) * x


def method_gradient(x):
    w = LINE.w
    y = w * x * x
    return y + 2.0 * w * x * x


def constructor(x):
    m = Line(x)
    return m(x)


def constructor_gradient(x):
    return x + x


def attribute_store(x):
    m = Line(1.0)
    m.w = x * x
    return m.w * x


def attribute_store_gradient(x):
    w = x * x
    return w + 2.0 * x * x


def list_display(x):
    items = [x, x * x]
    return items[0] * items[1]


def list_display_gradient(x):
    y = x * x
    return y + 2.0 * x * x


def append(x):
    items = []
    for i in range(3):
        items.append(x * i)
    return items[1] * items[2]


def append_gradient(x):
    items = []
    for i in range(3):
        items.append(x * i)
    items_bar = [0.0, items[2], items[1]]
    x_bar = 0.0
    for i in range(2, -1, -1):
        x_bar += items_bar[i] * i
    return x_bar


def mapping(x):
    d = {"a": x, "b": x * x}
    return d["a"] * d["b"]


def mapping_gradient(x):
    y = x * x
    return y + 2.0 * x * x


def comprehension(x):
    items = [x * i for i in range(3)]
    return items[1] * items[2]


def comprehension_gradient(x):
    items = [x * i for i in range(3)]
    items_bar = [0.0, items[2], items[1]]
    x_bar = 0.0
    for i in range(2, -1, -1):
        x_bar += items_bar[i] * i
    return x_bar


def generator_expression(x):
    return sum(x * i for i in range(3)) * x


def generator_expression_gradient(x):
    total = 0.0
    for i in range(3):
        total += x * i
    x_bar = total
    for i in range(3):
        x_bar += x * i
    return x_bar


def try_without(x):
    try:
        y = x * x
    except ValueError:
        y = x
    return y


def try_without_gradient(x):
    try:
        return x + x
    except ValueError:
        return 1.0


def try_with(x):
    try:
        y = x * x
        raise ValueError("a")
    except ValueError:
        y = x * x * x
    return y


def try_with_gradient(x):
    try:
        raise ValueError("a")
    except ValueError:
        return x * x + 2.0 * x * x


def formatted(x):
    s = f"{x}"
    return x * x if s else x


def formatted_gradient(x):
    s = f"{x}"
    return 2.0 * x if s else 1.0


def match_statement(x):
    k = 1
    match k:
        case 1:
            y = x * x
        case _:
            y = x
    return y


def match_statement_gradient(x):
    k = 1
    match k:
        case 1:
            return 2.0 * x
    return 1.0


def global_constant(x):
    return x * WEIGHT


def global_constant_gradient(x):
    return WEIGHT


def math_library(x):
    return math.sin(x) * math.exp(-x)


def math_library_gradient(x):
    s = math.sin(x)
    e = math.exp(-x)
    return math.cos(x) * e - s * e
