"""Gradients and tangents have the dtype of what they are derivatives of.

The whole catalogue is walked: each function of float32 numbers or arrays that returns
such gives a cotangent of its operand's dtype and a tangent of its value's.
"""

from __future__ import annotations

import inspect
import itertools
import warnings

import numpy as np
import pytest
from scipy import fft, integrate, linalg, ndimage, signal, special, stats
from scipy.spatial import distance

import sourcegrad
from sourcegrad import grad, jvp, vjp
from sourcegrad.rules import lookup

MODULES = (
    np,
    np.linalg,
    np.fft,
    special,
    linalg,
    signal,
    fft,
    ndimage,
    integrate,
    stats,
    distance,
)
SQUARE = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.2]])
POOL = (
    np.float32(0.35),
    np.array([0.3, 0.55, 0.8], np.float32),
    SQUARE.astype(np.float32),
    2,
)
# The type of their values goes by what the operands are; the others take functions,
# places and sequences.
LEFT_OUT = frozenset([special.comb, special.perm, np.piecewise, np.take, np.trim_zeros])


def operands_of(fun, rule):
    """How many operands a function needs."""
    try:
        given = inspect.signature(fun).parameters.values()
    except (TypeError, ValueError):
        given = rule.parameters
    if isinstance(fun, np.ufunc):
        return fun.nin
    return sum(
        q.default is q.empty and q.kind in (q.POSITIONAL_ONLY, q.POSITIONAL_OR_KEYWORD)
        for q in given
    )


def short(y):
    """Whether a result is one array or number of single precision, all finite."""
    if not isinstance(y, (np.ndarray, np.generic)):
        return False
    return y.dtype in (np.float32, np.complex64) and bool(np.isfinite(y).all())


def value_of(fun, operands):
    """What a function gives, None where it does not take these operands."""
    try:
        return fun(*operands)
    except Exception:  # whatever a library says of operands that do not fit
        return None


def calls(module):
    """Each function with a rule, with operands of single precision it takes."""
    for name in sorted(vars(module)):
        fun = getattr(module, name, None)
        if name[0] == "_" or not callable(fun) or isinstance(fun, type):
            continue
        rule = lookup(fun)
        if rule is None or rule.kind == "constant" or fun in LEFT_OUT:
            continue
        tried = itertools.product(POOL, repeat=operands_of(fun, rule))
        for operands in tried:
            if not operands or isinstance(operands[0], int):
                continue
            y = value_of(fun, operands)
            if short(y) and y.size:
                yield name, fun, operands, y
                break


def wrong(fun, operands, y):
    """What has another dtype or shape than it must have; a refusal has none."""
    first, rest = operands[0], operands[1:]

    def f(x):
        return fun(x, *rest)

    found = []
    try:
        value, back = vjp(f, first)
        (g,) = back(np.ones_like(y))
        found += [("value", value, y), ("cotangent", g, first)]
    except sourcegrad.SourcegradError:
        pass
    try:
        found.append(("tangent", jvp(f, (first,), (np.ones_like(first),))[1], y))
    except sourcegrad.SourcegradError:
        pass
    return [
        (what, np.asarray(got).dtype, np.shape(got))
        for what, got, want in found
        if np.asarray(got).dtype != want.dtype or np.shape(got) != np.shape(want)
    ]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_single_precision_stays(module):
    seen, bad = 0, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, fun, operands, y in calls(module):
            seen += 1
            try:
                found = wrong(fun, operands, y)
            except Exception as error:
                found = [repr(error)]
            if found:
                bad[name] = found
    assert seen > 2
    assert bad == {}


SQUARED = [np.complex64, np.complex128, np.clongdouble, complex]


@pytest.mark.parametrize("kind", SQUARED)
def test_a_complex_number_has_a_complex_gradient_of_its_own_type(kind):
    z = kind(0.35 + 0.2j)
    got = grad(lambda z: np.abs(z * z))(z)
    assert type(got) is type(z)
    np.testing.assert_allclose(got, 2 * np.conj(z), rtol=1e-6)  # |z z| = z conj(z)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
def test_zero_wins_for_numbers_of_every_width(kind):
    def f(x):
        return np.where(x > 0, np.sqrt(x), 0.0) + 3 * x

    assert grad(f)(kind(0)) == 3
    assert jvp(f, (kind(0),), (kind(1),))[1] == 3


def test_times_of_a_signal_are_floats():
    z = np.ones((3, 3), np.float32)
    times = vjp(lambda z: signal.istft(z), z)[0][0]
    assert times.dtype == signal.istft(z)[0].dtype
