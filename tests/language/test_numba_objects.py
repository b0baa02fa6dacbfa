"""`numba.prange` and `numba.vectorize` in the functions to differentiate."""

import numpy as np
import pytest

import sourcegrad as sg

numba = pytest.importorskip("numba")

X = np.array([0.4, -1.2, 0.7, 1.5])


@numba.njit
def total(x):
    s = 0.0
    for k in numba.prange(len(x)):
        s += x[k] ** 2 * np.sin(x[k])
    return s


@numba.njit
def neighbours(x):
    y = np.zeros(x.shape[0])
    for k in numba.prange(1, len(x)):
        y[k] = x[k] ** 2 * x[k - 1]
    return y.sum()


def total_slope(x):
    return 2.0 * x * np.sin(x) + x**2 * np.cos(x)


def neighbours_slope(x):
    before, after = np.r_[0.0, x[:-1]], np.r_[x[1:], 0.0]
    return 2.0 * x * before * (np.arange(x.size) > 0) + after**2


@pytest.mark.parametrize("backend", ["python", "numba"])
@pytest.mark.parametrize(
    ("f", "slope"), [(total, total_slope), (neighbours, neighbours_slope)]
)
def test_loop_over_prange(f, slope, backend):
    assert np.allclose(sg.grad(f, backend=backend)(X), slope(X))
    assert np.allclose(sg.jvp(f, (X,), (X,), backend=backend)[1], slope(X) @ X)


def test_prange_reads_as_a_range():
    text = sg.gradient_source(neighbours, 0, X)
    assert "in range(len(x) - 1, 0, -1)" in text
    code = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert not any("prange" in line for line in code)


@numba.vectorize
def blend(a, b):
    return a * b + a**2 if a > 0.0 else a * b


def test_ufunc_made_by_vectorize():
    def f(x, w):
        return (blend(x, w) * x).sum()

    x_bar, w_bar = sg.grad(f, (0, 1))(X, 2.0)
    cubic = 4.0 * X + np.where(X > 0.0, 3.0 * X**2, 0.0)
    assert np.allclose(x_bar, cubic)
    assert np.isclose(w_bar, (X * X).sum())


@numba.guvectorize(["(f8[:],f8[:])"], "(n)->()")
def row_sum(x, out):
    out[0] = x.sum()


def by_rows(x):
    return row_sum(x) ** 2


def test_ufunc_of_rows_is_refused_where_it_is_called():
    with pytest.raises(sg.MissingRuleError, match="row_sum") as caught:
        sg.grad(by_rows)(X)
    assert caught.value.where.file == __file__
