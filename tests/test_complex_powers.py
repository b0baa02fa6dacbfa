"""Powers of Python's floats: complex where a negative base meets a fraction."""

from __future__ import annotations

import cmath
import math
import pickle

import numpy as np
import pytest

import sourcegrad as sg


def imaginary_part(x):
    return (x**0.5).imag


def real_part_of_a_cube_root(x):
    return (x ** (1 / 3)).real


def conjugate(x):
    return (x**0.5).conjugate().imag


def by_numpy(x):
    return np.imag(np.conj(x**0.5)) + np.angle(x**0.3) * x


def modulus(x):
    return abs(x**0.5)


def modulus_by_numpy(x):
    return np.abs(2.0 * x**1.5)


def builtin_power(x):
    return abs(pow(x, 0.5)) * x


def both_parts(x):
    z = x**0.7
    return z.real**2 + 3.0 * z.imag


def summed(x):
    total = 0.0
    for k in range(3):
        total = total + (x - k) ** 0.5
    return total.imag + total.real


def root(v):
    return v**0.5


def called(x):
    return root(root(x) * 2.0).imag


def by_type(x):
    z = x**0.5
    return z.imag * x if isinstance(z, complex) else z


def augmented(x):
    x **= 0.5
    return x.imag * 3.0


def times_a_complex_number(x):
    return (1j * (x - 5.0) ** 0.3).real + x


def exponential(x):
    return abs(cmath.exp((x - 5.0) ** 0.3))


def of_a_constant(x):
    base = -2.0
    return (base**0.5 * x).imag


FUNCTIONS = (
    imaginary_part,
    real_part_of_a_cube_root,
    conjugate,
    by_numpy,
    modulus,
    modulus_by_numpy,
    builtin_power,
    both_parts,
    summed,
    called,
    by_type,
    augmented,
    times_a_complex_number,
    exponential,
    of_a_constant,
)


def slope(f, x, h=1e-4):
    """The derivative, from differences of sixth order."""
    weights = {-3: -1, -2: 9, -1: -45, 1: 45, 2: -9, 3: 1}
    return sum(w * f(x + k * h) for k, w in weights.items()) / (60 * h)


@pytest.mark.parametrize("x", [-2.0, 1.3, 7.0])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_derivatives_on_either_side_of_zero(f, x):
    want = pytest.approx(slope(f, x), rel=1e-8, abs=1e-9)
    found = sg.grad(f)(x)
    assert isinstance(found, float)
    assert found == want
    value, found = sg.value_and_grad(f)(x)
    assert (value, found) == (f(x), want)
    value, found = sg.jvp(f, (x,), (1.0,))
    assert (value, found) == (f(x), want)
    assert sg.jvp(sg.grad(f), (x,), (1.0,))[1] == pytest.approx(
        slope(sg.grad(f), x), rel=1e-7, abs=1e-8
    )


@pytest.mark.parametrize("f", [root, lambda x: 2.0 * x**1.5, lambda x: pow(x, 0.3)])
def test_a_complex_result_is_an_error_where_it_is_complex(f):
    assert sg.grad(f)(2.0) == pytest.approx(slope(f, 2.0), rel=1e-8)
    with pytest.raises(TypeError, match="the result is complex"):
        sg.grad(f)(-2.0)
    want = slope(f, -2.0)
    assert sg.jvp(f, (-2.0,), (1.0,))[1] == pytest.approx(want, rel=1e-8)


def test_a_result_of_emath_that_is_complex_is_an_error():
    def f(x):
        return np.emath.sqrt(x)

    assert sg.grad(f)(4.0) == 0.25
    with pytest.raises(TypeError, match="the result is complex"):
        sg.grad(f)(-4.0)


def test_lists_of_numbers():
    found = sg.grad(lambda xs: sum(abs(v**0.5) * v for v in xs))([-4.0, 9.0])
    assert found == pytest.approx([3.0, 4.5])  # of sqrt(|v|) v


@pytest.mark.parametrize(
    "f", [root, lambda x: abs(x) ** 0.5, lambda x: math.sin(x**2.5) + (x * x) ** 0.3]
)
def test_the_text_of_an_ordinary_program_stays_real(f):
    text = sg.grad(f).source(2.0)
    assert "np.real" not in text
    assert "iscomplex" not in text


def modulus(x):
    return abs(x**0.5) + abs(x**1.5)


@pytest.mark.parametrize("x", [-4.0, 4.0])
def test_every_derivative_of_a_power_that_is_complex(x):
    slope = np.sign(x) * (0.25 + 3.0)
    curvature = -0.25 * 4.0**-1.5 + 0.75 * 4.0**-0.5
    assert sg.grad(modulus)(x) == pytest.approx(slope)
    assert sg.jacobian(modulus)(x) == pytest.approx(slope)
    assert sg.hessian(modulus)(x) == pytest.approx(curvature)
    value, pullback = sg.vjp(modulus, x)
    assert value == pytest.approx(10.0)
    for pulled in (pullback, pickle.loads(pickle.dumps(pullback))):
        (found,) = pulled(2.0)
        assert isinstance(found, float)
        assert found == pytest.approx(2.0 * slope)
    stack = pullback.batched(np.array([1.0, 2.0]))[0]
    np.testing.assert_allclose(stack, [slope, 2.0 * slope])
