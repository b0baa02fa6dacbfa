"""The rules of `math`, against differences; and that none of `math` is left out."""

import math

import pytest

from sourcegrad.rules import lookup

from .check import check

UNARY = {
    "acos": 0.3,
    "acosh": 1.7,
    "asin": 0.3,
    "asinh": 0.3,
    "atan": 0.3,
    "atanh": 0.3,
    "cbrt": 1.3,
    "cos": 0.3,
    "cosh": 0.3,
    "degrees": 0.3,
    "erf": 0.3,
    "erfc": 0.3,
    "exp": 0.3,
    "exp2": 0.3,
    "expm1": 0.3,
    "fabs": -0.3,
    "frexp": 1.3,
    "gamma": 2.3,
    "lgamma": 2.3,
    "log": 1.3,
    "log10": 1.3,
    "log1p": 0.3,
    "log2": 1.3,
    "modf": 1.3,
    "radians": 1.3,
    "sin": 0.3,
    "sinh": 0.3,
    "sqrt": 1.3,
    "tan": 0.3,
    "tanh": 0.3,
}
CASES = [(getattr(math, name), x) for name, x in UNARY.items()] + [
    (math.gamma, -1.3),
    (math.lgamma, -1.3),
    (math.log, 1.3, 2.7),
    (math.pow, 1.3, 2.7),
    (math.pow, -1.3, 3),
    (math.atan2, 1.3, -2.7),
    (math.hypot, 1.3, -2.7),
    (math.hypot, 1.3, -2.7, 0.4),
    (math.fmod, -7.3, 2.1),
    (math.remainder, 7.3, 2.1),
    (math.copysign, 1.3, -2.7),
    (math.ldexp, 1.3, 3),
    (math.dist, [1.0, 2.0], [0.5, 4.0]),
    (math.fsum, [1.0, 2.0]),
    (math.prod, [1.5, 2.5]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


def test_all_of_math_has_a_rule():
    functions = [f for n, f in vars(math).items() if n[0] != "_" and callable(f)]
    assert [f.__name__ for f in functions if lookup(f) is None] == []


def test_polygamma_agrees_with_mpmath():
    mpmath = pytest.importorskip("mpmath")
    from sourcegrad.runtime_numeric import polygamma

    for n in (0, 1, 2, 5):
        for x in (0.1, 1.0, 7.5, 33.3, -0.6, -4.2):
            assert polygamma(n, x) == pytest.approx(
                float(mpmath.polygamma(n, x)), rel=1e-12
            )
