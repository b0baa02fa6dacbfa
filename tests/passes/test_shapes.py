"""Values of which only the shape is read are not kept."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(0)
W, X, B = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 5)), RNG.normal(size=(3, 1))


def affine(w, x, b):
    y = w @ x + b
    return np.sum(np.tanh(y))


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("columns", [1, 5])
def test_shape_of_a_sum_is_kept_and_right_however_it_broadcasts(rows, columns):
    b = RNG.normal(size=(rows, columns))
    assert_right(affine, W, X, b)
    assert_right(affine, RNG.normal(size=(1, 4)), X, b)
    source = text(affine, W, X, b)
    assert statement(source, "product_shape =") == "product_shape = y.shape"
    assert "sum_to(" in source


def test_a_value_of_the_same_shape_is_read_instead():
    def f(x, w):
        y = x @ w
        z = np.where(y > 0.0, y, 0.0)
        return np.sum(z.reshape(-1) ** 2)

    x, w = RNG.normal(size=(2, 4)), RNG.normal(size=(4, 3))
    assert_right(f, x, w)
    source = text(f, x, w)
    assert "_shape" not in source
    assert ".reshape(mask.shape)" in source


def test_residuals_hold_a_shape_and_not_the_array():
    def f(x):
        return (x * np.ones((200, 1))).sum(axis=0).sum()

    source = text(f, np.ones(3), packaging="split")
    assert "np.copy(x)" not in source
    y, pullback = sourcegrad.vjp(f, np.ones(3))
    assert pullback(1.0)[0].tolist() == [200.0] * 3


def test_loops_record_the_shape():
    def f(x):
        h = x
        for _ in range(3):
            h = np.tanh(h) + h.sum(axis=0)
        return np.sum(h * h)

    assert_right(f, RNG.normal(size=(2, 3)))
    assert "total_shape)" in statement(text(f, np.ones((2, 3))), "saved.append")


def test_float32_stays_float32():
    def f(x):
        y = x * np.float32(2.0)
        z = y + np.ones((2, 1), np.float32)
        return np.sum(z * z)

    gradient = sourcegrad.grad(f)(np.ones(3, np.float32))
    assert gradient.dtype == np.float32
    assert gradient.tolist() == [24.0] * 3


def test_written_arrays_keep_their_buffers():
    def f(x):
        y = x * 2.0
        y[0] = 1.0
        z = y + np.zeros((2, 3))
        return np.sum(z * z)

    assert_right(f, RNG.normal(size=3))


def test_taken_branches_and_empty_arrays():
    def f(x, flag):
        if flag:
            y = x @ np.ones((3, 2)) + np.ones((4, 2))
        else:
            y = x
        return np.sum(y * y)

    assert_right(f, RNG.normal(size=3), True)
    assert_right(f, RNG.normal(size=3), False)
    assert sourcegrad.grad(affine)(np.ones((0, 4)), X, np.ones((1, 5))).shape == (0, 4)


def test_only_the_shape_of_a_value_is_read_off_its_tangent():
    def f(w, x):
        h = np.where(w @ x > 0.0, w @ x, 0.0)
        parts = [h[i : i + 2] for i in range(3)]
        return np.sum(np.stack(parts) ** 3)

    rng = np.random.default_rng(2)
    w, x, v = rng.normal(size=(4, 3)), rng.normal(size=3), rng.normal(size=(4, 3))
    product = sourcegrad.hvp(f)
    h = 1e-6
    gradient = sourcegrad.grad(f)
    expected = (gradient(w + h * v, x) - gradient(w - h * v, x)) / (2.0 * h)
    np.testing.assert_allclose(product(w, x, v), expected, rtol=1e-6, atol=1e-8)
    source = product.source(w, x)
    assert "append(item_dot)" in source and "append(item)" not in source
