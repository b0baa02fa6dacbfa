"""Complex numbers that a loop carries: a cotangent or tangent that begins as 0.0 is
complex after the first trip, and what is linear over the reals only sees that."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad import grad, jvp


def conjugates(x):
    z = x * np.exp(1j * x)
    w = z
    for _ in range(3):
        w = w * z
        z = np.conj(w)
    return np.real(w)


def while_loop(x):
    z = x * np.exp(1j * x)
    w, k = z, 0
    while k < 4:
        w = w * z
        z = w.conjugate() * 0.5 + x
        k += 1
        if k == 3:
            break
    return np.real(w * np.conj(z))


def real_parts(x):
    z, w = x * np.exp(1j * x), 1.0 + 0.0j
    for k in range(4):
        w = w * z + np.real(z) * x
        z = np.conj(w) / (1.0 + k) + 1j * np.imag(w)
    return np.imag(w)


def begins_as_a_constant(x):
    z, w = 1.0 + 0.5j, 0.3j
    for _ in range(3):
        w = np.conj(z) * w + x
        z = np.conj(w) * (x + 1j)
    return np.real(w) * np.imag(z)


def nested(x):
    z = x * np.exp(1j * x)
    w = z
    for k in range(2):
        for _ in range(k + 1):
            w = w * z
            z = np.conj(w)
        if k:
            z = np.conj(z) * x
    return np.real(w) + np.imag(z)


def of_lists(x):
    z = x * np.exp(1j * x)
    held = [z]
    while len(held) < 4:
        held.append(held[-1] * z)
        z = np.conj(held[-1]) * 0.5 + x
    return np.real(sum(held) * np.conj(held[1]))


def of_arrays(x):
    z = x * np.exp(1j * x * np.arange(3.0))
    w, s = z, 0.0
    for k in range(3):
        w = w * z
        z = np.conj(w)[::-1] * x
        s = s + np.conj(z[k]) * w[0]
    return np.real(s) + np.imag(np.sum(w))


def bound_in_some_trips(x):
    total = 0.0
    for k in range(5):
        if k % 2 == 0:
            z = x * np.exp(1j * x * k)
        else:
            z = np.conj(z) * z * z
        total = total + np.real(z) * np.imag(np.conj(z) * x)
    return total


def array_or_number(x):
    z, u, t = x * np.exp(1j * x * np.arange(3.0)), 0.3j + 0.5, 0.1
    if x > 0.1:
        u = 0.5 * z
        for _ in range(3):
            t = t + np.sum(np.real(u * x)) * t
    return np.sum(np.imag(u)) + t


PROGRAMS = [
    conjugates, while_loop, real_parts, begins_as_a_constant, nested, of_lists,
    of_arrays, bound_in_some_trips, array_or_number,
]  # fmt: skip


def difference(f, x, h=1e-3):
    """Of fourth order, extrapolated once."""

    def central(h):
        near, far = f(x + h) - f(x - h), f(x + 2 * h) - f(x - 2 * h)
        return (8.0 * near - far) / (12.0 * h)

    return (16.0 * central(h / 2.0) - central(h)) / 15.0


@pytest.mark.parametrize("f", PROGRAMS)
def test_both_modes_and_both_orders(f):
    x = 0.7
    expected = difference(f, x)
    assert grad(f)(x) == pytest.approx(expected, rel=1e-8)
    assert jvp(f, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-8)
    second = difference(grad(f), x)
    assert grad(grad(f))(x) == pytest.approx(second, rel=1e-8)
    assert jvp(grad(f), (x,), (1.0,))[1] == pytest.approx(second, rel=1e-8)
