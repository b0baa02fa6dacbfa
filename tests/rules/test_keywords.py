"""Operands and options by keyword, and options known only at run time.

Expected values are differences of the function itself.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg, ndimage, special, stats

from sourcegrad import NonDifferentiableError, elementwise, grad, jvp

STEP = 1e-6
M = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.2]])
D = np.cos(np.arange(9.0)).reshape(3, 3)
V = np.array([0.3, 0.5, 0.8])
TRUE, ONE = np.bool_(True), np.int64(1)
SWITCH = True


def scaled(x, scale=2.0, *, shift=0.0):
    return np.exp(x * scale) + shift


@elementwise(scaled)
def scaled_partials(y, x, scale=2.0, *, shift=0.0):
    return scale * (y - shift), x * (y - shift)


NUMBERS = {
    "operand named": lambda x: special.zeta(2.5, q=x),
    "both named": lambda x: special.zeta(q=0.7, x=x + 1.5),
    "other one named": lambda x: special.zeta(x + 1.5, q=0.7),
    "own function": lambda x: scaled(x=x),
    "own function, default": lambda x: scaled(0.3, scale=x),
    "own function, order": lambda x: scaled(scale=x, x=0.3),
    "own option": lambda x: scaled(x, shift=1.0),
    "own option and names": lambda x: scaled(scale=3.0, x=x, shift=2.0),
    "one bound": lambda x: (
        np.clip(x * x, 0.2, a_max=0.4) + np.clip(x, a_max=0.9, a_min=0.1)
    ),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_operands_and_options_by_keyword(name):
    f = NUMBERS[name]
    want = (f(0.7 + STEP) - f(0.7 - STEP)) / (2 * STEP)
    assert grad(f)(0.7) == pytest.approx(want, rel=1e-6)
    assert jvp(f, (0.7,), (1.0,))[1] == pytest.approx(want, rel=1e-6)


def test_an_option_of_an_elementwise_rule_has_no_derivative():
    with pytest.raises(NonDifferentiableError, match="shift"):
        grad(lambda x: scaled(1.0, shift=x))(0.7)


MATRICES = {
    "bool of NumPy": lambda x: np.sum(stats.moment(x, 2, keepdims=TRUE)),
    "array of a bool": lambda x: np.sum(stats.skew(x, keepdims=np.array(True))),
    "int of NumPy": lambda x: np.sum(ndimage.convolve(x, x, origin=ONE)),
    "order": lambda x: np.sum(special.spherical_jn(2.5, x, derivative=True)),
    "tolerance": lambda x: np.sum(linalg.pinv(x, atol=1e-8, rtol=1e-8)),
    "small condition": lambda x: np.sum(np.linalg.lstsq(x, V, 1e-9)[0]),
}


@pytest.mark.parametrize("name", MATRICES)
def test_options_of_numpys_types(name):
    f = MATRICES[name]
    want = (f(M + STEP * D) - f(M - STEP * D)) / (2 * STEP)
    assert np.sum(grad(f)(M) * D) == pytest.approx(want, rel=1e-5)
    assert jvp(f, (M,), (D,))[1] == pytest.approx(want, rel=1e-5)


REFUSED = {
    "cut by a part": lambda x: np.sum(linalg.pinv(x, rtol=0.7)),
    "cut at a value": lambda x: np.sum(linalg.pinv(x, atol=1.4)),
    "cut symmetric": lambda x: np.sum(linalg.pinvh(x, rtol=0.7)),
    "cut by NumPy": lambda x: np.sum(np.linalg.pinv(x, 0.7)),
    "cut solution": lambda x: np.sum(linalg.lstsq(x, V, 0.7)[0]),
    "values only": lambda x: np.sum(linalg.eigh(x, eigvals_only=SWITCH)),
    "right vectors": lambda x: np.sum(np.real(linalg.eig(x, right=SWITCH)[0])),
    "singular vectors": lambda x: np.sum(linalg.svd(x, compute_uv=TRUE)[1]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_rules_do_not_follow_is_refused(name):
    f = REFUSED[name]
    with pytest.raises(NonDifferentiableError, match="keeps all|only at run time"):
        grad(f)(M)
    with pytest.raises(NonDifferentiableError, match="keeps all|only at run time"):
        jvp(f, (M,), (D,))


UNSTACKED = {
    "one": lambda x: np.sum(np.unstack(x)[0] ** 2),
    "last column": lambda x: np.sum(np.unstack(x, axis=1)[-1] ** 2),
    "each": lambda x: sum(np.sum(row**2) for row in np.unstack(x)),
}


@pytest.mark.skipif(not hasattr(np, "unstack"), reason="NumPy 2.1")
@pytest.mark.parametrize("name", UNSTACKED)
def test_parts_of_an_array(name):
    f = UNSTACKED[name]
    want = (f(M + STEP * D) - f(M - STEP * D)) / (2 * STEP)
    assert np.sum(grad(f)(M) * D) == pytest.approx(want, rel=1e-5)
    assert jvp(f, (M,), (D,))[1] == pytest.approx(want, rel=1e-5)
