"""The helpers of generated code, by their documented examples and their corners."""

import ast
import doctest
import importlib
import inspect

import numpy as np
import pytest

import sourcegrad
from sourcegrad import runtime, runtime_batch

NAMES = [
    "runtime",
    "runtime_factorizations",
    "runtime_least_squares",
    "runtime_linalg",
    "runtime_norms",
    "runtime_numeric",
    "runtime_shapes",
]


@pytest.mark.parametrize("name", NAMES)
def test_examples_in_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"sourcegrad.{name}"))
    assert result.attempted and not result.failed


@pytest.mark.parametrize("name", NAMES)
def test_only_numpy_is_imported(name):
    """A helper file can be copied next to emitted code."""
    module = importlib.import_module(f"sourcegrad.{name}")
    allowed = {"__future__", "typing", "math", "string", "numpy"}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.Import):
            assert {a.name for a in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.module in allowed or node.module.startswith("runtime")


@pytest.mark.parametrize("shape", [(), (3,), (1, 3), (2, 1), (1, 1), (2, 3), (1, 2, 3)])
def test_unbroadcast_is_the_transpose_of_broadcasting(shape):
    rng = np.random.default_rng(0)
    x = rng.normal(size=shape)
    full = np.broadcast_shapes(shape, (4, 2, 3))
    g = rng.normal(size=full)
    bar = runtime.unbroadcast(g, x)
    np.testing.assert_array_equal(runtime.sum_to(g, shape), bar)
    assert np.shape(bar) == shape
    assert np.sum(bar * x) == pytest.approx(np.sum(g * np.broadcast_to(x, full)))


@pytest.mark.parametrize(
    ("one", "other"),
    [((4, 1), (4,)), ((4,), (4, 1)), ((3, 1), (4,)), ((2, 3, 1), (1, 5)), ((2, 1), ())],
)
def test_the_cotangent_of_a_product_may_have_the_shape_of_the_other_factor(one, other):
    """That of the sum of `x * y` is `y`, which is never spread out to the product."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=one), rng.normal(size=other)
    full = np.broadcast_shapes(one, other)
    whole = runtime.unbroadcast(np.broadcast_to(y, full), x)
    np.testing.assert_allclose(runtime.unbroadcast(y, x), whole, rtol=1e-14)
    stack = np.stack([y, 2 * y])
    each = runtime_batch.unbroadcast_each(stack, x)
    np.testing.assert_allclose(each, [whole, 2 * whole], rtol=1e-14)


@pytest.mark.parametrize("total", [np.sum, np.mean])
def test_the_pullback_of_a_sum_of_an_outer_product(total):
    x, y = np.random.default_rng(0).normal(size=(2, 4))
    _, pull = sourcegrad.vjp(lambda x, y: total(x[:, None] * y), x, y)
    share = 1.0 if total is np.sum else 1 / 16
    x_bar, y_bar = pull(2.0)
    np.testing.assert_allclose(x_bar, np.full(4, 2.0 * share * y.sum()), rtol=1e-13)
    np.testing.assert_allclose(y_bar, np.full(4, 2.0 * share * x.sum()), rtol=1e-13)


def test_unbroadcast_returns_what_has_the_shape_already():
    g = np.ones((2, 3))
    assert runtime.unbroadcast(g, np.zeros((2, 3))) is g
    assert runtime.unbroadcast(np.ones((0, 3)), np.zeros(3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "index",
    [
        1,
        -1,
        slice(None, None, 2),
        (Ellipsis, 0),
        np.array([0, 0, 1]),
        [0, 0, 1],
        (np.array([0, 0, 1]), np.array([2, 2, 0])),
        (slice(None), np.array([2, 2])),
        np.array([True, False]),
        (None, 1),
        np.array([], dtype=int),
    ],
    ids=str,
)
def test_scatter_add_is_the_transpose_of_reading(index):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3))
    g = rng.normal(size=x[index].shape)
    x_bar = np.zeros_like(x)
    runtime.scatter_add(x_bar, index, g)
    assert np.sum(x_bar * x) == pytest.approx(np.sum(g * x[index]))
    np.testing.assert_array_equal(runtime.add_at_zeros(x, index, g), x_bar)


def test_zeros_like_keeps_structure_and_dtype():
    from collections import namedtuple

    Pair = namedtuple("Pair", "a b")
    zero = runtime.zeros_like(Pair(1.0, [np.ones(2, np.float32), 1, True, "s", 2j]))
    assert zero.a == 0.0 and zero.b[0].dtype == np.float32
    assert zero.b[1:] == [0.0, None, None, 0j]
    assert runtime.zeros_like(np.arange(3)).tolist() == [0.0, 0.0, 0.0]


def test_above_keeps_float32():
    x = np.array([1.0, 2.0], dtype=np.float32)
    assert (x * runtime.above(x, 2.0)).dtype == np.float32
    assert runtime.above(2.0, 2.0) == 0.5 and runtime.above(3.0, 2.0)


def test_is_zero_is_only_the_literal():
    assert runtime.is_zero(0.0)
    assert not any(map(runtime.is_zero, [0, 1.0, np.float64(0), np.zeros(()), None]))


def test_log_or_zero_of_negative_is_nan_without_a_warning():
    assert np.isnan(runtime.log_or_zero(-1.0))
    assert np.isnan(runtime.log_or_zero(np.array([-1.0]))).all()
    assert runtime.log_or_zero(np.float32([0, 1])).dtype == np.float32
