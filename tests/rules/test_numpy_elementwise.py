"""The rules of NumPy's elementwise functions, against differences."""

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.rules import lookup

from .check import check

A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
B = np.array([1.4, 0.8, -1.7])
INSIDE = A / 2.5
POSITIVE = np.abs(A) + 0.3
Z = A / 3 + 0.4j * A[::-1] + 0.2j

REAL_AND_COMPLEX = (
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arctanh exp exp2 expm1 "
    "log log2 log10 log1p sqrt square reciprocal negative positive absolute"
).split()
CASES = (
    [(getattr(np, n), np.abs(INSIDE) + 0.05) for n in REAL_AND_COMPLEX]
    + [(getattr(np, n), Z) for n in REAL_AND_COMPLEX]
    + [
        (np.arccosh, POSITIVE + 1),
        (np.arccosh, Z),
        (np.cbrt, A),
        (np.fabs, A),
        (np.i0, A),
        (np.sinc, A),
        (np.sinc, 0.04 * A),
        (np.sinc, np.zeros(2)),
        (np.deg2rad, A),
        (np.rad2deg, A),
        (np.radians, A),
        (np.degrees, A),
        (np.arctan2, A, B),
        (np.hypot, A, B),
        (np.logaddexp, A, B),
        (np.logaddexp2, A, B),
        (np.maximum, A, B),
        (np.minimum, A, 0.5),
        (np.fmax, A, B),
        (np.fmin, 0.5, A),
        (np.copysign, A, -B),
        (np.fmod, 3 * A, B),
        (np.heaviside, A, 0.5),
        (np.nan_to_num, A),
        (np.ldexp, A, np.array([1, 2, -1])),
        (np.frexp, A),
        (np.modf, A),
        (np.clip, A, -0.5, 1.0),
        (np.clip, A, B - 1.1, B + 0.4),
        (np.clip, A, None, 1.0),
        (np.clip, A, -0.5, None),
        (np.sin, 0.3),
        (np.sin, np.float64(0.3)),
        (np.exp, np.zeros((0, 3))),
        (np.multiply, A, np.ones((1, 1))),
    ]
)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


ODD = ("ldexp", "frexp", "modf", "divmod")
SINGLE = {c[0] for c in CASES if c[0].__name__ not in ODD}


@pytest.mark.parametrize("target", sorted(SINGLE, key=str), ids=lambda f: f.__name__)
def test_float32_stays_float32(target):
    rule = lookup(target)
    operands = getattr(target, "nin", None) or {"clip": 3}.get(target.__name__, 1)
    x = np.array([0.25, 0.5, 1.5], dtype=np.float32)
    y = np.float32(0.75)
    args = [x + np.float32(target is np.arccosh), y, np.float32(2.0)][:operands]
    with np.errstate(all="ignore"):
        value = target(*args)
        if rule.kind == "elementwise":
            partials = rule.fn(value, *args)
            parts = partials if isinstance(partials, tuple) else (partials,)
            parts = [value * p for p in parts if p is not None]
        else:
            bars = rule.fn(value, value, *args)
            parts = bars if isinstance(bars, tuple) else (bars,)
    assert [np.asarray(p).dtype for p in parts] == [np.float32] * len(parts)


def partials(target, *args):
    return lookup(target).fn(target(*args), *args)


def test_ties_are_shared_and_zeros_have_their_convention():
    one, two = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    left, right = partials(np.maximum, one, two)
    np.testing.assert_array_equal(left, [0.5, 0, 1])
    np.testing.assert_array_equal(right, [0.5, 1, 0])
    left, right = partials(np.minimum, one, two)
    np.testing.assert_array_equal(left, [0.5, 1, 0])
    infinite = np.array([np.inf, -np.inf])
    np.testing.assert_array_equal(
        partials(np.maximum, infinite, infinite)[0], [0.5] * 2
    )
    assert partials(np.hypot, np.float64(0), np.float64(0)) == (0, 0)
    absolute = lookup(np.absolute).fn
    zero = np.zeros(2)
    np.testing.assert_array_equal(absolute(zero, np.ones(2), zero), zero)
    np.testing.assert_array_equal(absolute(zero, np.ones(2), zero + 0j), zero)
    bars = lookup(np.clip).fn(one, np.ones(3), one, 1.0, 2.0)
    np.testing.assert_array_equal(bars[0], [0.5, 0.5, 0])


def test_nan_of_fmax_goes_to_the_other():
    left, right = partials(np.fmax, np.array([np.nan, 1.0]), np.array([2.0, np.nan]))
    np.testing.assert_array_equal(left, [0, 1])
    np.testing.assert_array_equal(right, [1, 0])


def test_sinc_slope_is_right_where_series_and_formula_meet():
    mpmath = pytest.importorskip("mpmath")
    from sourcegrad.runtime_numeric import sinc_slope

    def sinc(t):
        return mpmath.sinc(mpmath.pi * t)

    for x in (1e-12, 1e-5, 0.01, 0.049, 0.051, 0.3):
        assert float(sinc_slope(x, np.sinc(x))) == pytest.approx(
            float(mpmath.diff(sinc, x)), rel=1e-11
        )


def test_sinc_at_order_three():
    mpmath = pytest.importorskip("mpmath")
    third = sg.grad(sg.grad(sg.grad(np.sinc)))
    for x in (0.3, -1.7, 2.0, 0.049):
        want = float(mpmath.diff(lambda t: mpmath.sinc(mpmath.pi * t), x, 3))
        assert third(x) == pytest.approx(want, rel=1e-6)


def test_bessel_agrees_with_mpmath():
    mpmath = pytest.importorskip("mpmath")
    from sourcegrad.runtime_numeric import bessel_i

    for n in (0, 1, 3):
        for x in (0.0, 0.3, -4.0, 60.0, 600.0):
            want = float(mpmath.besseli(n, x))
            assert float(bessel_i(n, x)) == pytest.approx(want, rel=1e-12, abs=1e-15)
