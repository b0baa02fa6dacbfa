"""Complex numbers of single precision: the whole catalogue is walked.

Gradients and tangents have the dtype of what they are derivatives of, and the values of
central differences of the function itself in double precision.
"""

import itertools
import warnings

import numpy as np
import pytest
from scipy import special, stats

import sourcegrad
from sourcegrad import jvp, vjp
from sourcegrad.rules import lookup
from tests.rules.test_dtypes import LEFT_OUT, MODULES, operands_of, value_of

SQUARE = np.array(
    [[2.0, 0.3 + 0.2j, 0.1], [0.3 - 0.1j, 1.5 + 0.3j, 0.2], [0.1, 0.2j, 1]]
)
POOL = (
    np.complex64(0.35 + 0.2j),
    np.array([0.3 + 0.1j, 0.55 - 0.3j, 0.8 + 0.2j], np.complex64),
    SQUARE.astype(np.complex64),
    2,
)
STEP = 1e-6
# Of elements that are equal, differences see the ones that stop being so.
KINKED = {np.intersect1d, np.union1d}
# Statistics of real numbers: what SciPy gives for complex ones means nothing.
REAL_ONLY = {stats.boxcox_llf, stats.circstd, stats.circvar, stats.kurtosis, stats.skew}


def wide(operand):
    """An operand in double precision."""
    single = isinstance(operand, (np.ndarray, np.generic))
    return operand.astype(np.complex128) if single else operand


def is_single(y):
    """Whether a result is one array or number of single precision, all finite."""
    if not isinstance(y, (np.ndarray, np.generic)):
        return False
    return y.dtype in (np.float32, np.complex64) and y.size and np.isfinite(y).all()


def calls(module):
    """Each function with a rule, with operands of complex64 that it takes."""
    for name in sorted(vars(module)):
        fun = getattr(module, name, None)
        if name[0] == "_" or not callable(fun) or isinstance(fun, type):
            continue
        rule = lookup(fun)
        if rule is None or rule.kind == "constant" or fun in LEFT_OUT | KINKED:
            continue
        if fun in REAL_ONLY:
            continue
        for operands in itertools.product(POOL, repeat=operands_of(fun, rule)):
            if operands and not isinstance(operands[0], int):
                y = value_of(fun, operands)
                if is_single(y):
                    yield name, fun, operands, y
                    break


def wrong(fun, operands, y):
    """What differs in dtype, shape or value from what it must be."""
    first, rest = operands[0], operands[1:]
    rng = np.random.default_rng(3)
    d = rng.standard_normal(first.shape) + 1j * rng.standard_normal(first.shape)
    w = rng.standard_normal(y.shape)
    if np.iscomplexobj(y):
        w = w + 1j * rng.standard_normal(y.shape)
    far = [fun(wide(first) + t * d, *map(wide, rest)) for t in (STEP, -STEP)]
    slope = (far[0] - far[1]) / (2.0 * STEP)

    def f(x):
        return fun(x, *rest)

    bad = []
    try:
        value, back = vjp(f, first)
        (g,) = back(np.asarray(w).astype(y.dtype)[()])
        if value.dtype != y.dtype or (g.dtype, g.shape) != (first.dtype, first.shape):
            bad.append(("cotangent", value.dtype, g.dtype, g.shape))
        size = max(np.sum(np.abs(slope * w)), np.sum(np.abs(g * d)))
        if abs(np.sum(np.real(g * d)) - np.sum(np.real(slope * w))) > 2e-4 * size:
            bad.append(("cotangent", g))
    except sourcegrad.SourcegradError:
        pass
    try:
        t = np.asarray(jvp(f, (first,), (d.astype(np.complex64)[()],))[1])
        if (t.dtype, t.shape) != (y.dtype, y.shape):
            bad.append(("tangent", t.dtype, t.shape))
        if not np.all(np.abs(t - slope) <= 1e-3 * np.max(np.abs(slope)) + 1e-5):
            bad.append(("tangent", t, slope))
    except sourcegrad.SourcegradError:
        pass
    return bad


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_the_catalogue(module):
    found, seen = {}, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, fun, operands, y in calls(module):
            seen += 1
            bad = wrong(fun, operands, y)
            if bad:
                found[name] = bad
    assert (
        seen > 0 or module in (special, stats) or module.__name__.endswith("distance")
    )
    assert found == {}
