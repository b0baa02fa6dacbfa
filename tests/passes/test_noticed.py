"""Reverse sweeps of which NumPy's floating-point status tells that they made nan: zero
wins there as where the result is looked at, which is so for every small one."""

from __future__ import annotations

import inspect
import pickle
import threading

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.compile.noticed import all_noticed, is_plain, roots

LARGE = 70_000  # numbers; a smaller result is always looked at
INNER = slice(10, 20)
WEIGHTS = np.linspace(0.5, 1.5, LARGE)
LEFT = np.linspace(-1.0, 1.0, 4 * LARGE).reshape(4, LARGE)


def reported(f, *primals):
    _, pullback = sg.vjp(f, *primals)
    return all_noticed(pullback._entry, pullback._residuals)


def each_kind():
    return [
        lambda x: np.sqrt(x),
        lambda x: 1.0 / x,
        lambda x: np.log(x) * WEIGHTS,
        lambda x: np.arcsin(x - 1.0),
        lambda x: x**WEIGHTS,
        lambda x: np.hypot(x, 0.0),
        lambda x: np.where(x > -1.0, np.sqrt(x), 0.0),
        lambda x: np.sum(np.sqrt(x.reshape(-1, 100)), axis=1),
        lambda x: (np.sqrt(x)[1:] - 1.0) / x[:-1],
    ]


@pytest.mark.parametrize("f", each_kind())
def test_zero_cotangents_win_after_a_call_that_was_finite(f):
    x = np.linspace(0.2, 1.8, LARGE)
    x[INNER] = 1.0
    y, pullback = sg.vjp(f, x)
    assert all_noticed(pullback._entry, pullback._residuals)
    plain = pullback(np.ones_like(y))[0]
    assert np.isfinite(plain).all()
    assert pullback._noticed
    seed = np.zeros_like(y)
    seed[0] = np.inf
    with np.errstate(all="raise"):
        found = pullback(seed)[0]
    reached = plain != pullback(np.where(np.arange(y.size) == 0, 0.0, 1.0))[0]
    assert not np.isfinite(found[reached]).any()
    assert np.all(found[~reached] == 0.0)


@pytest.mark.parametrize(
    "place, slope", [(0.0, np.inf), (np.nan, np.nan), (-1.0, np.nan)]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_singular_place_that_a_zero_seed_masks(place, slope):
    x = np.ones(LARGE)
    x[7] = place
    _, pullback = sg.vjp(lambda x: np.sqrt(x), x)
    mask = (np.arange(LARGE) != 7) * 1.0
    expected = 0.5 * mask
    for _ in range(3):
        assert np.array_equal(pullback(mask)[0], expected)
    everywhere = pullback(np.ones(LARGE))[0]
    assert np.array_equal(everywhere[7], slope, equal_nan=True)
    assert np.array_equal(pullback(mask)[0], expected)


def test_a_zero_partial_beside_an_infinite_seed():
    x = np.ones(LARGE)
    x[3] = 0.0
    _, pullback = sg.vjp(lambda x: x * x / (1.0 + x), x)  # the slope at 0 is 0
    assert np.isfinite(pullback(np.ones(LARGE))[0]).all()
    seed = np.zeros(LARGE)
    seed[3] = np.inf
    assert np.array_equal(pullback(seed)[0], np.zeros(LARGE))


def test_whatever_the_user_told_numpy():
    x = np.ones(LARGE)
    x[3] = 0.0
    seed = np.zeros(LARGE)
    seed[3] = np.inf
    called = []
    for how in ("ignore", "warn", "raise", "call", "print"):
        _, pullback = sg.vjp(lambda x: x * x / (1.0 + x), x)
        with np.errstate(all=how, call=lambda *what: called.append(what)):
            pullback(np.ones(LARGE))
            assert np.array_equal(pullback(seed)[0], np.zeros(LARGE))
    assert not called


def test_from_another_thread_and_from_a_pickle():
    x = np.ones(LARGE)
    x[3] = 0.0
    seed = np.zeros(LARGE)
    seed[3] = np.inf
    _, pullback = sg.vjp(quotient, x)
    pullback(np.ones(LARGE))
    found = []
    thread = threading.Thread(target=lambda: found.append(pullback(seed)[0]))
    thread.start()
    thread.join()
    again = pickle.loads(pickle.dumps(pullback))
    again(np.ones(LARGE))
    for result in (*found, again(seed)[0], again(seed)[0]):
        assert np.array_equal(result, np.zeros(LARGE))


def quotient(x):
    return x * x / (1.0 + x)


def test_data_that_changes_between_calls_is_not_read():
    weights = np.ones(LARGE)

    def f(x):
        return x / weights

    _, pullback = sg.vjp(f, np.ones(LARGE))
    pullback(np.ones(LARGE))
    weights[:] = np.nan
    assert np.array_equal(pullback(np.zeros(LARGE))[0], np.zeros(LARGE))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: LEFT @ np.sqrt(x),
        lambda x: np.dot(np.sqrt(x), WEIGHTS),
        lambda x: np.real(np.fft.fft(1.0 / x)),
        lambda x: np.cumprod(x / 2.0),
    ],
)
def test_what_is_no_ufunc_tells_of_nothing(f):
    expected = "np.dot" not in inspect.getsource(f)  # a dot's pullback is a product
    assert reported(f, np.ones(LARGE)) is not expected


@pytest.mark.parametrize(
    "line",
    [
        "g = x @ y_bar",
        "g = y_bar ** x",
        "g = x / y_bar",
        "g = np.divide(x, y_bar)",
        "g = np.multiply(x, y_bar, out=x)",
        "g = np.add(x, y_bar, where=x)",
        "g = np.where(y_bar, x, 0.0)",
        "g = np.exp(y_bar)",
        "g = float(y_bar) * x",
        "g = y_bar.item() * x",
        "g = [v * x for v in y_bar]",
        "g = x[y_bar]",
        "g = x if y_bar else y_bar",
        "g = (lambda v: v)(y_bar)",
        "g = y_bar; saved.append(g); g = np.exp(saved[0])",
        "g = x.T; g += y_bar; h = np.exp(x); g = g + h",
        "g = x[1:]; v = g[1:]; v[0] = y_bar; g = np.log(x)",
        "with np.errstate(all='ignore'): g = y_bar * x",
    ],
)
def test_a_line_that_may_make_nan_unseen(line):
    body = "\n    ".join(part.strip() for part in line.split(";"))
    start = "def r(residuals, y_bar):\n    x, saved = residuals"
    assert roots(f"{start}\n    {body}\n    return g", "r") is None
    alone = body.replace("y_bar", "x")  # the same of what is no cotangent
    if "with" not in alone and "lambda" not in alone:
        assert roots(f"{start}\n    {alone}\n    return g * y_bar", "r") is not None


def test_a_name_that_is_not_of_numpy_s_code():
    interpolate = pytest.importorskip("scipy.interpolate")
    spline = interpolate.CubicSpline(np.arange(4.0), np.ones(4))
    assert not reported(lambda x: spline(x), np.ones(3))
    assert reported(lambda x: x / np.sum(x), np.ones(3))


def test_cotangents_that_numpy_does_not_see():
    assert is_plain((np.ones(2), np.float64(1.0), 2.0))
    for odd in (np.inf, np.nan, np.ones(2, object), np.ma.ones(2), {"a": 1.0}, None):
        assert not is_plain(odd)
        assert not is_plain((1.0, odd))
