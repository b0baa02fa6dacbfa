"""Two scalar programs and their adjoints, written by hand in plain Python."""

import math


def straight_line(x: float, y: float) -> float:
    """A dozen operations, each variable used more than once."""
    s = math.sin(x)
    p = s * y + x
    e = math.exp(-p * p)
    q = e * x + s / (1.0 + y * y)
    r = math.cos(q) * p
    return r * q + e * s


def straight_line_gradient(x: float, y: float) -> tuple[float, float]:
    """The gradient of ``straight_line``: one sweep forward, one back."""
    s = math.sin(x)
    p = s * y + x
    e = math.exp(-p * p)
    d = 1.0 + y * y
    q = e * x + s / d
    c = math.cos(q)
    r = c * p
    # return r * q + e * s, with a cotangent of one
    q_bar = r - q * p * math.sin(q)
    p_bar = q * c
    # q = e * x + s / d
    e_bar = s + q_bar * x
    s_bar = e + q_bar / d
    x_bar = q_bar * e
    y_bar = -q_bar * s / (d * d) * 2.0 * y
    # e = math.exp(-p * p)
    p_bar -= e_bar * e * 2.0 * p
    # p = s * y + x
    s_bar += p_bar * y
    y_bar += p_bar * s
    x_bar += p_bar + s_bar * math.cos(x)
    return x_bar, y_bar


def newton(a: float, tolerance: float) -> float:
    """The square root of ``a`` by Newton's iteration, then a function of it."""
    x = a
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x * a


def newton_gradient(a: float, tolerance: float) -> float:
    """The derivative of ``newton`` by ``a``: the iterates are kept, and read back."""
    x = a
    saved = []
    while abs(x * x - a) > tolerance:
        saved.append(x)
        x = 0.5 * (x + a / x)
    x_bar = a
    a_bar = x
    for x in reversed(saved):
        half = 0.5 * x_bar
        t_bar = half / x
        a_bar += t_bar
        x_bar = half - t_bar * a / x
    return a_bar + x_bar
