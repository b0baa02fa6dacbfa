"""The rules of `cmath`, against differences along both axes, and against mpmath."""

import cmath

import pytest

import sourcegrad as sg
from sourcegrad.loader.load import load

from .check import check

HOLOMORPHIC = (
    "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh"
).split()
POINTS = (0.3 + 0.4j, -1.7 + 0.6j, -0.8 - 1.1j, 1.3 - 0.2j)
REALS = (-2.3, -0.4, 0.6, 1.9)  # on the cuts of all that have one
CASES = [
    *((getattr(cmath, name), z) for name in HOLOMORPHIC for z in POINTS),
    *((getattr(cmath, name), x) for name in HOLOMORPHIC for x in REALS),
    (cmath.log, 0.3 + 0.4j, 1.3 - 0.6j),
    (cmath.log, -0.3, -1.3),
    (cmath.log, 0.3 + 0.4j, 10.0),
    *((cmath.phase, z) for z in POINTS),
    (cmath.phase, -0.7),
    (cmath.rect, 1.3, -2.7),
    (cmath.rect, -1.3, 0.4),
    (cmath.polar, 0.3 + 0.4j),
    (cmath.polar, -0.3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0].__name__}{c[1:]}")
def test_rule(case):
    check(*case)


def function(body):
    text = f"import cmath\nfrom cmath import pi\n\ndef f(z):\n    {body}\n"
    return load(text, f"<cmath {body}>", {})["f"]


def slope(f, z, dz, h=2e-3):
    """The derivative along `dz`, from differences of sixth order."""
    weights = {-3: -1, -2: 9, -1: -45, 1: 45, 2: -9, 3: 1}
    return sum(w * f(z + k * h * dz) for k, w in weights.items()) / (60 * h)


REAL_VALUED = [
    *(
        f"w = cmath.{name}(z); return w.real * (0.7 + 1.3 * w.imag)"
        for name in HOLOMORPHIC
    ),
    "return cmath.phase(z)**2",
    "r, phi = cmath.polar(z); return r * r * phi",
    "return cmath.polar(z * z)[0]",
    "w = cmath.rect(abs(z), z.imag); return w.real * w.imag",
    "return cmath.log(z, 2.5).imag * cmath.log(2.0 + 1.0j, z).real",
    "return abs(z * pi + cmath.e * 1j + cmath.tau) if cmath.isfinite(z) else 0.0",
]


@pytest.mark.parametrize("body", REAL_VALUED)
def test_gradients_of_real_functions_of_a_complex_number(body):
    f = function(body)
    for z in POINTS:
        along = slope(f, z, 1), slope(f, z, 1j)
        assert sg.grad(f)(z) == pytest.approx(along[0] - 1j * along[1], rel=1e-7)
        for dz, want in zip((1 + 0j, 1j), along, strict=True):
            assert sg.jvp(f, (z,), (dz,))[1] == pytest.approx(want, rel=1e-7)


@pytest.mark.parametrize("body", REAL_VALUED)
def test_order_two_of_real_functions_of_a_complex_number(body):
    f = function(body)
    gradient, z = sg.grad(f), POINTS[0]
    for dz in (1 + 0j, 1j):
        want = slope(gradient, z, dz)
        assert sg.jvp(gradient, (z,), (dz,))[1] == pytest.approx(want, rel=1e-6)
        pulled = sg.grad(lambda u: gradient(u).real)(z)
        assert (pulled * dz).real == pytest.approx(want.real, rel=1e-6, abs=1e-9)


OF_REAL = [
    *(
        f"w = cmath.{name}(z); return abs(w) + w.imag * w.real + w.real"
        for name in HOLOMORPHIC
    ),
    "return (cmath.rect(z, z * z)**2).imag",
    "return abs(cmath.log(z, -2.0)) + cmath.log(-3.0, z).imag",
    "return cmath.phase(z) + cmath.phase(z + 1j)",
    "return cmath.polar(z)[0]**2 + cmath.polar(z + 2j)[1]",
    "d = cmath.sqrt(z * z - 4.0 * z); return abs(d - z) + abs(d + z) / 2.0",
]


@pytest.mark.parametrize("body", OF_REAL)
def test_a_real_number_on_a_cut_has_a_real_derivative(body):
    f = function(body)
    for x in REALS:
        found, want = sg.grad(f)(x), slope(f, x, 1.0)
        assert isinstance(found, float)
        assert found == pytest.approx(want, rel=1e-6, abs=1e-9)
        assert sg.jvp(f, (x,), (1.0,))[1] == pytest.approx(want, rel=1e-6, abs=1e-9)
        second = slope(sg.grad(f), x, 1.0)
        assert sg.grad(sg.grad(f))(x) == pytest.approx(second, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", HOLOMORPHIC)
def test_holomorphic_derivatives_are_those_of_mpmath(name):
    mpmath = pytest.importorskip("mpmath")
    f, theirs = function(f"return cmath.{name}(z)"), getattr(mpmath, name)
    g = sg.grad(f, holomorphic=True)
    for z in POINTS:
        assert g(z) == pytest.approx(complex(mpmath.diff(theirs, z)), rel=1e-11)
        twice = complex(mpmath.diff(theirs, z, 2))
        assert sg.grad(g, holomorphic=True)(z) == pytest.approx(twice, rel=1e-9)


def test_a_zero_cotangent_wins_at_the_branch_point():
    def f(z):
        return (cmath.sqrt(z) * z).real + (0.0 * cmath.sqrt(z)).real

    assert sg.grad(f)(0.0) == 0.0
    assert sg.jvp(f, (0.0,), (1.0,))[1] == 0.0


def test_a_function_without_parts_is_constant():
    f = function("return abs(z) * (2.0 if cmath.isclose(z, 1j) else 3.0)")
    assert sg.grad(f)(1j) == pytest.approx(-2j)
    assert sg.grad(f)(2j) == pytest.approx(-3j)
