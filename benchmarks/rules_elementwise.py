"""Elementwise functions of a million numbers, and their adjoints, as plain data.

Each row is a name, the function of ``x``, and its adjoint: what the cotangent ``g`` of
the result ``y`` contributes to that of ``x``.
"""

import numpy as np

C = np.random.default_rng(13).uniform(0.1, 0.9, 1_000_000)
LOG_2 = 0.6931471805599453


def _reduced(g, x, y):
    x_bar = g * y
    x_bar *= 1.0 - y
    return x_bar


def _half_at_bounds(g, x, y):
    inside = (x > 0.2) & (x < 0.7)
    at_bound = (x == 0.2) | (x == 0.7)
    if np.any(at_bound):
        inside = inside + 0.5 * at_bound
    return g * inside


# fmt: off
ROWS = (
    ("x + c", lambda x: x + C, lambda g, x, y: g.copy()),
    ("c - x", lambda x: C - x, lambda g, x, y: -g),
    ("x * c", lambda x: x * C, lambda g, x, y: g * C),
    ("x / c", lambda x: x / C, lambda g, x, y: g / C),
    ("c / x", lambda x: C / x, lambda g, x, y: -g * y / x),
    ("-x", lambda x: -x, lambda g, x, y: -g),
    ("x ** 2", lambda x: x**2, lambda g, x, y: 2.0 * g * x),
    ("x ** 3", lambda x: x**3, lambda g, x, y: 3.0 * g * (x * x)),
    ("x ** c", lambda x: x**C, lambda g, x, y: g * C * x ** (C - 1.0)),
    ("x * x", lambda x: x * x, lambda g, x, y: 2.0 * g * x),
    ("sin", lambda x: np.sin(x), lambda g, x, y: g * np.cos(x)),
    ("cos", lambda x: np.cos(x), lambda g, x, y: -g * np.sin(x)),
    ("tan", lambda x: np.tan(x), lambda g, x, y: g * (1.0 + y * y)),
    ("arcsin", lambda x: np.arcsin(x), lambda g, x, y: g / np.sqrt(1.0 - x * x)),
    ("arctan", lambda x: np.arctan(x), lambda g, x, y: g / (1.0 + x * x)),
    ("arctan2", lambda x: np.arctan2(x, C), lambda g, x, y: g * C / (x * x + C * C)),
    ("sinh", lambda x: np.sinh(x), lambda g, x, y: g * np.cosh(x)),
    ("cosh", lambda x: np.cosh(x), lambda g, x, y: g * np.sinh(x)),
    ("tanh", lambda x: np.tanh(x), lambda g, x, y: g * (1.0 - y * y)),
    ("exp", lambda x: np.exp(x), lambda g, x, y: g * y),
    ("expm1", lambda x: np.expm1(x), lambda g, x, y: g * np.exp(x)),
    ("exp2", lambda x: np.exp2(x), lambda g, x, y: LOG_2 * g * y),
    ("log", lambda x: np.log(x), lambda g, x, y: g / x),
    ("log1p", lambda x: np.log1p(x), lambda g, x, y: g / (1.0 + x)),
    ("log2", lambda x: np.log2(x), lambda g, x, y: g / (LOG_2 * x)),
    ("logaddexp", lambda x: np.logaddexp(x, C), lambda g, x, y: g * np.exp(x - y)),
    ("sqrt", lambda x: np.sqrt(x), lambda g, x, y: 0.5 * g / y),
    ("square", lambda x: np.square(x), lambda g, x, y: 2.0 * g * x),
    ("reciprocal", lambda x: np.reciprocal(x), lambda g, x, y: -g * y * y),
    ("abs", lambda x: np.abs(x), lambda g, x, y: g * np.sign(x)),
    ("hypot", lambda x: np.hypot(x, C), lambda g, x, y: g * x / y),
    ("maximum", lambda x: np.maximum(x, C),
     lambda g, x, y: g * ((x > C) + 0.5 * (x == C))),
    ("clip", lambda x: np.clip(x, 0.2, 0.7),
     _half_at_bounds),
    ("where", lambda x: np.where(C > 0.5, x, C),
     lambda g, x, y: np.where(C > 0.5, g, 0.0)),
    ("relu", lambda x: np.where(x > 0.4, x, 0.0),
     lambda g, x, y: np.where(x > 0.4, g, 0.0)),
    ("logistic", lambda x: 1.0 / (1.0 + np.exp(-x)), _reduced),
    ("sinc", lambda x: np.sinc(x), lambda g, x, y: g * (np.cos(np.pi * x) - y) / x),
)
