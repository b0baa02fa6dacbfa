"""Every call that a library takes has a derivative, or an error that says why not.

A rule names the parameters that it knows. Here each function of NumPy is called with
each option of its own signature: what comes is the derivative of differences, or a
SourcegradError with the user's line, never an error of the compiler.
"""

from __future__ import annotations

import inspect
import linecache
import warnings

import numpy as np
import pytest

import sourcegrad
from sourcegrad import grad, jvp
from sourcegrad.rules import lookup
from tests.rules.versions import NUMPY

A = np.array([0.3, 0.7, 1.1])
STEP = 1e-5
PLACES = np.array([0, 2])
POOL = (A, np.array([[1.3, 0.4, 0.2], [0.1, 1.7, 0.6], [0.5, 0.3, 2.2]]))


def slopes(f, x):
    steps = STEP * np.eye(x.size).reshape(-1, *x.shape)
    return np.reshape([(f(x + d) - f(x - d)) / (2 * STEP) for d in steps], x.shape)


def pushed(f, x):
    units = np.eye(x.size).reshape(-1, *x.shape)
    return np.reshape([jvp(f, (x,), (d,))[1] for d in units], x.shape)


def grid_of_three(x):
    a, b, c = np.meshgrid(x, x[:2] * 2, x * x)
    return np.sum(a * b * c * b) + np.sum(a[1] * c[0])


def grid_written(x):
    a, b = np.meshgrid(x, x[1:])
    a[0, 1] = x[2]
    return np.sum(a * b * b)


def grid_sparse(x):
    a, b = np.meshgrid(x, x**2, sparse=True)
    return np.sum(a * b * a)


def broadcast_of_three(x):
    a, b, c = np.broadcast_arrays(x, x[:, None] * 2, 3.0)
    return np.sum(a * b * c + a[0])


def open_grid(x):
    a, b = np.ix_(x, x**2)
    return np.sum(a * b * b)


CALLS = [
    grid_of_three,
    grid_written,
    grid_sparse,
    broadcast_of_three,
    open_grid,
    lambda x: np.sum(np.meshgrid(x)[0] ** 3),
    lambda x: np.sum(np.meshgrid(*[x, 2 * x, x**2])[1] ** 2),
    lambda x: np.sum(np.broadcast_arrays(x)[0] ** 3),
    lambda x: np.sum(np.outer(x, x)[np.ix_(PLACES, PLACES)] ** 2),
    lambda x: np.sum(np.ediff1d(x, x[:2] * 3, x[0]) ** 2),
    lambda x: np.sum(np.ediff1d(x, to_end=x[1]) ** 2),
    *((lambda x: np.sum(np.clip(x, None, None) ** 2),) if NUMPY >= (2, 1) else ()),
    lambda x: np.sum(x.clip(max=0.8) ** 2),
    lambda x: np.sum(x.clip(0.5, max=x[1] * 1.1) ** 2),
    lambda x: np.sum(np.kaiser(5, x[0]) ** 2),
]


@pytest.mark.parametrize("f", CALLS)
def test_calls(f):
    expected = slopes(f, A)
    np.testing.assert_allclose(grad(f)(A), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(pushed(f, A), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="names of 2.1"
)
@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.clip(x) ** 2),
        lambda x: np.sum(np.clip(x, min=0.5) ** 2),
        lambda x: np.sum(np.clip(x, max=x[1], min=0.5) ** 2),
    ],
)
def test_bounds_by_their_new_names(f):
    x = np.array([0.3, 0.7, 1.1])
    d = np.array([0.2, 0.5, -0.3])
    expected = (f(x + STEP * d) - f(x - STEP * d)) / (2 * STEP)
    assert jvp(f, (x,), (d,))[1] == pytest.approx(expected, rel=1e-6)
    assert np.sum(grad(f)(x) * d) == pytest.approx(expected, rel=1e-6)


REFUSED = [
    (lambda x: np.sum(np.einsum("ij->i", x, dtype=float)), "option 'dtype'"),
    (lambda x: np.sum(np.array(x, ndmin=3)), "option 'ndmin'"),
    (lambda x: np.sum(np.poly(np.outer(x, x))), "np.poly of a matrix"),
    (lambda x: np.sum(np.kaiser(x[0] + 4.0, 1.0)), "in its argument 'M'"),
]


@pytest.mark.parametrize(("f", "why"), REFUSED)
def test_what_a_rule_does_not_take_is_refused(f, why):
    for run in (lambda: grad(f)(A), lambda: jvp(f, (A,), (A,))):
        with pytest.raises(sourcegrad.SourcegradError, match=why):
            run()


def options(function):
    """The options of a function, with their defaults."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [
        (p.name, p.default)
        for p in parameters
        if p.kind in named
        and p.name != "out"
        and not any(p.default is none for none in (p.empty, np._NoValue))
    ]


def programs(module, prefix):
    """One function for each option that a function of one array takes."""
    for name in sorted(dir(module)):
        function = getattr(module, name, None)
        if name[0] == "_" or isinstance(function, type):
            continue
        rule = lookup(function) if callable(function) else None
        if rule is None or rule.kind == "constant":
            continue
        for option, default in options(function):
            text = (
                f"def f(x):\n    return np.sum(np.abs({prefix}.{name}(x, "
                f"{option}=default)))\n"
            )
            file = f"<calls {prefix}.{name} {option}>"
            linecache.cache[file] = (len(text), None, text.splitlines(True), file)
            namespace = {"np": np, "default": default}
            exec(compile(text, file, "exec"), namespace)
            yield f"{prefix}.{name}({option}={default!r})", namespace["f"]


def smooth_slope(f, x):
    """The derivative along `x`, if the call is one that Python takes."""
    try:
        if np.ndim(f(x)) or not np.isfinite(f(x)):
            return None
        steps = [(f(x + h * x) - f(x - h * x)) / (2 * h) for h in (STEP, 3 * STEP)]
    except (TypeError, ValueError, IndexError, AttributeError, RuntimeError):
        return None
    return steps[0] if np.isclose(*steps, 1e-5, 1e-7) else None


@pytest.mark.parametrize(
    ("module", "prefix", "least"),
    [(np, "np", 100), (np.linalg, "np.linalg", 15), (np.fft, "np.fft", 30)],
)
def test_every_option_of_every_function(module, prefix, least):
    wrong, right, refused = [], 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for title, f in programs(module, prefix):
            cases = [(x, smooth_slope(f, x)) for x in POOL]
            x, expected = next((c for c in cases if c[1] is not None), (A, None))
            if expected is None:
                continue
            try:
                found = np.sum(grad(f)(x) * x), jvp(f, (x,), (x,))[1]
            except sourcegrad.SourcegradError:
                refused.append(title)
            except Exception as error:
                wrong.append((title, repr(error)))
            else:
                right += 1
                if not np.allclose(found, expected, 1e-4, 1e-6):
                    wrong.append((title, found, expected))
    print(f"{prefix}: {right} right, refused: {', '.join(refused)}")
    assert not wrong, "\n".join(map(str, wrong))
    assert right >= least
