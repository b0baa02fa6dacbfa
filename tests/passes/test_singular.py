"""Which generated texts cost one more pass over their result, so that zero wins."""

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.compile.singular import may_be_singular

X = np.array([0.4, -1.5, 2.0, 0.7])


def judged(f, x=X):
    _, pullback = sg.vjp(f, x)
    return may_be_singular(pullback._entry.text)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x / 2.0,
        lambda x: np.mean(x),
        lambda x: x**2 + 3.0 * x**3,
        lambda x: x[1:] - x[:-1],
        lambda x: np.diff(x),
        lambda x: np.where(x > 0.0, x, 0.0),
        lambda x: np.concatenate((x, -np.flip(x))),
        lambda x: np.real(np.fft.fft(x)),
    ],
)
def test_what_moves_and_adds_is_not_singular(f):
    assert not judged(f)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: 2.0 / x,
        lambda x: x / np.sum(x),
        lambda x: x / (len(x) - 4),
        lambda x: np.sqrt(x * x),
        lambda x: x**-1,
        lambda x: np.exp(x),
        lambda x: np.where(x > 0.0, x * x, 0.0),
        lambda x: np.maximum(x, 0.5) ** 2,
        lambda x: (x * x)[1:],
        lambda x: x * np.inf,
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_divides_or_masks_a_product_is(f):
    assert judged(f)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.where(np.isfinite(x), x * x, 0.0)),
        lambda x: np.sum((x * x)[np.isfinite(x)]),
        lambda x: np.sum((x**2)[1:]),
        lambda x: np.sum(np.tril(x[:, None] ** 2, -1)),
    ],
)
@pytest.mark.parametrize("odd", [np.inf, np.nan])
def test_zero_wins_over_what_is_not_finite(f, odd):
    x = np.array([odd, 2.0, 3.0, 0.5])
    wanted = sg.grad(f)(np.array([1.0, 2.0, 3.0, 0.5]))
    assert sg.grad(f)(x).tolist() == [0.0, *wanted[1:]]
    assert sg.vjp(f, x)[1](1.0)[0].tolist() == [0.0, *wanted[1:]]


def test_a_mean_over_no_elements():
    with pytest.warns(RuntimeWarning):
        _, pullback = sg.vjp(lambda x: np.mean(x, axis=1), np.zeros((3, 0)))
    with np.errstate(all="raise"):
        assert pullback(np.ones(3))[0].shape == (3, 0)
