"""Structures that two paths join: the names that their elements get in the text."""

import pytest

import sourcegrad as sg


def remainder(x):
    both = divmod(x, 2.0)
    a, b = both if x > 0 else (1.0, x)
    return a * b


def spaced_keys(x):
    d = {1: x, "a b": x * x, "if": x} if x > 0 else {1: x * 3.0, "a b": x, "if": x}
    return d[1] * d["a b"] * d["if"]


@pytest.mark.parametrize(
    ("f", "x", "slope"),
    [
        (remainder, 5.3, 2.0),
        (remainder, -0.7, 1.0),
        (spaced_keys, 1.3, 4.0 * 1.3**3),
        (spaced_keys, -0.7, 9.0 * 0.7**2),
    ],
)
def test_key_that_is_no_identifier(f, x, slope):
    assert sg.grad(f)(x) == pytest.approx(slope, rel=1e-14)
