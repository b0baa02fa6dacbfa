"""The oracle against closed forms, JAX, HIPS autograd, complex step and differences."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.oracle import (
    Dual,
    OracleDomainError,
    central_difference_grad,
    complex_step_grad,
    dual_grad,
    dual_hessian_vector,
    dual_value,
    dual_vjp,
    primal,
)

X = np.array([0.3, 0.8, 1.7])
A = np.array([[1.5, -0.4, 0.2], [0.7, 2.2, -0.3], [0.1, 0.5, 1.9]])
WEIGHT = np.array([1.0, -2.0, 0.5])


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (lambda x: x * x * x, 2.0, 12.0),
        (lambda x: 1.0 / x, 2.0, -0.25),
        (lambda x: x**-2, 2.0, -0.25),
        (lambda x: 2.0**x, 3.0, 8.0 * math.log(2.0)),
        (lambda x: -x + +x - 3.0 * x, 1.0, -3.0),
        (lambda x: abs(x), -2.0, -1.0),
        (lambda x: abs(x), 0.0, 0.0),
        (lambda x: x % 0.7, 1.0, 1.0),
        (lambda x: x // 0.7, 1.0, 0.0),
        (lambda x: max(x, 3.0 * x), 1.0, 3.0),
        (lambda x: float(x) * int(x), 2.5, 2.0),
        (lambda x: round(x) * x, 2.4, 2.0),
        (lambda x: math.atan2(x, 2.0), 1.0, 0.4),
        (lambda x: math.erf(x), 0.0, 2.0 / math.sqrt(math.pi)),
        (lambda x: math.log(x, 10.0), 2.0, 0.5 / math.log(10.0)),
        (lambda x: math.floor(x) + math.hypot(x, 0.0, 4.0), 3.0, 0.6),
        (lambda x: np.sqrt(x) if x > 0 else 0.0, 4.0, 0.25),
        (lambda x: np.where(x > 0, np.sqrt(x), 0.0), -4.0, 0.0),
        (lambda x: np.sqrt(np.sum((x - x) ** 2)) + x, 1.0, 1.0),
        (lambda x: np.maximum(x, 2.0), 2.0, 0.5),
        (lambda x: len(f"{x:.3f}") * x, 2.0, 5.0),
        (lambda x: 5.0 if isinstance(x, float) else x, 2.0, 0.0),
        (lambda x: {True: x, False: 2 * x}[x > 1], 2.0, 1.0),
    ],
)
def test_scalar_closed_form(f, x, expected):
    assert_allclose(dual_grad(f, (x,)), expected, rtol=1e-14)


@pytest.mark.parametrize(
    "name",
    (
        "sin cos tan exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal "
        "sinh cosh tanh arcsin arccos arctan arcsinh arctanh deg2rad sinc negative"
    ).split(),
)
def test_elementwise_first_and_second_order_by_complex_step(name):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    function, reference = getattr(np, name), getattr(jax.numpy, name)
    slope = dual_grad(lambda x: function(x), (0.37,))
    assert_allclose(slope, float(jax.grad(reference)(0.37)), rtol=1e-12)
    curve = dual_hessian_vector(lambda x: function(x), (0.37,), 1.0)
    expected = float(jax.grad(jax.grad(reference))(0.37))
    assert_allclose(curve, expected, rtol=1e-11, atol=1e-14)


ARRAY_FUNCTIONS = {
    "sum": lambda np, x: np.sum(x * x, axis=0)[1],
    "mean": lambda np, x: np.mean(x**3),
    "std": lambda np, x: np.std(x) + np.var(x, axis=1)[0],
    "max": lambda np, x: np.max(x) * np.min(x, axis=0)[0],
    "prod": lambda np, x: np.prod(x, axis=1).sum(),
    "cumsum": lambda np, x: np.sum(np.cumsum(x, axis=1) ** 2),
    "cumprod": lambda np, x: np.sum(np.cumprod(x, axis=0) ** 2),
    "dot": lambda np, x: np.dot(x, x.T)[0, 2] + np.dot(x[0], x[1]),
    "matmul": lambda np, x: (x @ x @ np.array([1.0, 2.0, 3.0]))[1],
    "batched": lambda np, x: np.sum(np.stack([x, 2.0 * x]) @ x),
    "tensordot": lambda np, x: np.sum(np.tensordot(x, x, ([0], [1])) ** 2),
    "einsum": lambda np, x: np.einsum("ij,kj->ik", x, x)[0, 1] + np.einsum("ii", x),
    "outer": lambda np, x: np.sum(np.outer(x[0], x[1]) ** 2),
    "solve": lambda np, x: np.sum(np.linalg.solve(x, np.array([1.0, 2.0, 3.0]))),
    "inv": lambda np, x: np.sum(np.linalg.inv(x) ** 2),
    "det": lambda np, x: np.linalg.det(x),
    "norm": lambda np, x: np.linalg.norm(x) + np.linalg.norm(x, axis=1)[2],
    "cholesky": lambda np, x: np.linalg.cholesky(x @ x.T)[2, 1],
    "where": lambda np, x: np.sum(np.where(x > 0.3, x * x, -x)),
    "clip": lambda np, x: np.sum(np.clip(x, 0.0, 1.0) * x),
    "sort": lambda np, x: np.sort(x.ravel())[3] * np.sort(x, axis=0)[1, 1],
    "concatenate": lambda np, x: np.sum(np.concatenate([x, x.T * 2.0]) ** 2),
    "pad": lambda np, x: np.sum(np.pad(x, 1) ** 3),
    "fancy": lambda np, x: np.sum(x[np.array([0, 0, 2]), np.array([1, 1, 0])] ** 2),
    "mask": lambda np, x: np.sum(np.sin(x[np.array([True, False, True])])),
    "slices": lambda np, x: np.sum(x[::-1, 1:] * x[:, :-1]),
    "reshape": lambda np, x: np.sum(x.reshape(-1)[:4].reshape(2, 2).T[0] ** 2),
    "broadcast": lambda np, x: np.sum((x[:, None] * x[None]) ** 2),
    "diff": lambda np, x: np.sum(np.diff(x, axis=0) ** 2),
    "logaddexp": lambda np, x: np.sum(np.logaddexp(x, x.T * 0.5)),
    "arctan2": lambda np, x: np.sum(np.arctan2(x, x + 2.0)),
    "power": lambda np, x: np.sum(np.abs(x) ** (x + 1.0)),
    "median": lambda np, x: np.median(x),
    "repeat": lambda np, x: np.sum(np.repeat(x, 2, axis=1) ** 2 + np.tile(x, (1, 2))),
}


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_array_functions_equal_jax(name):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    f = ARRAY_FUNCTIONS[name]
    expected = jax.grad(lambda x: f(jax.numpy, x))(A)
    assert_allclose(
        dual_grad(lambda x: f(np, x), (A,)), expected, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", ["matmul", "outer", "solve", "std", "power"])
def test_hessian_vector_equals_autograd(name):
    autograd = pytest.importorskip("autograd")
    import autograd.numpy as anp

    f, v = ARRAY_FUNCTIONS[name], np.arange(9.0).reshape(3, 3)
    expected = autograd.hessian_vector_product(lambda x: f(anp, x))(A, v)
    got = dual_hessian_vector(lambda x: f(np, x), (A,), v)
    assert_allclose(got, expected, rtol=1e-9)


def stores_of_every_kind(x):
    y = np.zeros(6)
    y[0] = x[0] * x[1]
    y[1:4] = x * x
    y[[4, 4]] += x[:2]
    y[np.array([True, False, False, False, False, True])] *= 3.0
    v = y[1:].reshape(5, 1)
    v[2, 0] -= y[0]
    np.multiply(y, 2.0, out=y)
    np.add.at(y, [0, 0], x[2])
    y[1:] += y[:-1]
    m = y.reshape(2, 3)
    m.T[...] = np.sin(m.T)
    y.sort()
    return np.sum(y * np.arange(6.0))


def in_try(x):
    seen = []
    try:
        for v in x:
            seen.append(v * v)
            if v > 0.5:
                raise ValueError("stop")
    except ValueError:
        seen.append(seen[0] * seen[-1])
    finally:
        seen.append(x[2])
    return sum(seen)


@contextlib.contextmanager
def scaled(x):
    yield np.sin(x)


def in_with(x):
    with scaled(x) as y:
        return np.sum(y * WEIGHT)


class Base:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.tanh(self.w * x)


class Derived(Base):
    scale = 2.0

    def __call__(self, x):
        return super().__call__(x) * self.scale + self.twice

    @property
    def twice(self):
        return 2.0 * self.w

    @classmethod
    def make(cls, w):
        return cls(w * w)

    @staticmethod
    def cube(x):
        return x**3


DERIVED = Derived(1.5)


def with_classes(x):
    return np.sum(DERIVED(x)) + Derived.make(x[0])(x[1]) + Derived.cube(x[2])


def with_tools(x):
    total = functools.reduce(lambda a, b: a * b, map(math.sin, x))
    window = collections.deque(x, maxlen=2)
    add = functools.partial(lambda k, v: k * v, x[0])
    return total + add(window[0]) + min(sorted(x)[1], 9.0) + sum(v**2 for v in x)


def rebinds_global(x):
    global WEIGHT
    WEIGHT = x * 2.0
    return np.sum(WEIGHT**2)


@pytest.mark.parametrize(
    "f",
    [stores_of_every_kind, in_try, in_with, with_classes, with_tools, rebinds_global],
)
def test_python_features_equal_differences(f):
    weight = WEIGHT
    got = dual_grad(f, (X,))
    assert weight is WEIGHT
    try:
        expected = central_difference_grad(f, (X,))
    finally:
        globals()["WEIGHT"] = weight
    assert_allclose(got, expected, rtol=1e-8, atol=1e-9)


@dataclasses.dataclass
class Layer:
    weight: np.ndarray
    bias: float
    name: str = "layer"


Pair = collections.namedtuple("Pair", "a b")


def test_structure_of_the_gradient():
    def f(layer, d, pair):
        hidden = np.tanh(layer.weight * d["x"][0] + layer.bias)
        return np.sum(hidden) * pair.a + pair.b * d["y"]

    args = (Layer(X.copy(), 0.2), {"x": [0.5, 3], "y": 2.0}, Pair(1.5, 0.5))
    layer, d, pair = dual_grad(f, args, argnums=(0, "d", 2))
    hidden = np.tanh(X * 0.5 + 0.2)
    assert isinstance(layer, Layer)
    assert layer.name is None
    assert_allclose(layer.weight, (1 - hidden**2) * 0.5 * 1.5, rtol=1e-14)
    assert_allclose(layer.bias, np.sum(1 - hidden**2) * 1.5, rtol=1e-14)
    assert_allclose(d["x"], [np.sum((1 - hidden**2) * X) * 1.5, 0.0], rtol=1e-14)
    assert_allclose([d["y"], *pair], [0.5, np.sum(hidden), 2.0], rtol=1e-14)
    assert isinstance(pair, Pair)


def test_arguments_that_overlap():
    def f(z):
        z[0][0] = z[0][0] * 2.0
        return np.sum(z[0][:2] * z[1])

    x = X.copy()
    with pytest.raises(OracleDomainError, match="overlapping"):
        dual_grad(f, ([x, x[:2]],))
    got = dual_grad(f, ([x, X[1:]],))
    assert_allclose(x, X, rtol=0)
    assert_allclose(got[0], [2 * X[1], X[2], 0.0], rtol=1e-14)
    twice = dual_grad(lambda a, b: np.sum(a * a * b), (x, x), argnums=(0, 1))
    assert_allclose(twice, [2 * X * X, X * X], rtol=1e-14)


def test_layout_of_a_strided_argument_is_kept():
    table = np.arange(12.0).reshape(3, 4)

    def f(x):
        flat = x[:, :3].reshape(-1)
        flat[0] = 100.0
        return x[0, 0] * x[1, 1]

    assert_allclose(dual_grad(f, (table,))[0, 0], 5.0, rtol=0)
    assert_allclose(dual_grad(f, (table[:, ::-1],))[0, 0], 6.0, rtol=0)


def test_vjp_of_many_outputs_uses_the_cotangents():
    values, gradient = dual_vjp(lambda x: (x * x, x[0]), (X,), [1.0, 2.0, 3.0, 4.0])
    assert_allclose(values, [*(X * X), X[0]], rtol=1e-15)
    assert_allclose(gradient, 2 * X * [1, 2, 3] + [4, 0, 0], rtol=1e-14)


def test_value_keyword_arguments_and_nesting():
    assert dual_value(lambda x: x + 1.0, (2.0,)) == 3.0
    assert dual_grad(lambda x, *, k: x**k, (2.0,), kwargs={"k": 3}) == 12.0
    assert primal(Dual(Dual(1.0, 2.0), 3.0, 2)) == 1.0


def test_losing_a_derivative_is_an_error():
    real = np.zeros(3)
    with pytest.raises(TypeError):
        real[0] = Dual(1.0, 1.0)
    with pytest.raises(OracleDomainError, match="fft"):
        dual_grad(lambda x: np.fft.fft(x)[0].real, (X,))
    with pytest.raises(ValueError, match="3 output"):
        dual_grad(lambda x: x, (X,))


def test_differences_and_complex_step_agree_with_closed_forms():
    f = lambda x: np.sum(np.sin(x) * x)  # noqa: E731
    expected = np.cos(X) * X + np.sin(X)
    assert_allclose(central_difference_grad(f, (X,)), expected, rtol=1e-10)
    assert_allclose(complex_step_grad(f, (X,)), expected, rtol=1e-15)
    assert complex_step_grad(lambda x: math.sin(x), (1.0,)) is None
    assert complex_step_grad(stores_of_every_kind, (X,)) is None


def test_derivatives_inside_of_derivatives():
    from tests.oracle.nested import nested_grad, nested_value_and_grad

    slope = nested_grad(lambda y: y * y * y)
    assert_allclose(dual_grad(lambda x: x * slope(x), (2.0,)), 36.0)
    confused = dual_grad(lambda x: x * nested_grad(lambda y: x * y)(2.0), (1.0,))
    assert_allclose(confused, 2.0)
    third = nested_grad(nested_grad(lambda y: y**4))
    assert_allclose(dual_grad(lambda x: third(x), (2.0,)), 48.0)

    def descent(y):
        p = {"a": 0.5, "b": y}
        value, g = nested_value_and_grad(lambda p: p["a"] ** 2 * p["b"] + p["b"] ** 3)(
            p
        )
        return value * g["a"] + g["b"]

    expected = central_difference_grad(
        lambda b: (0.25 * b + b**3) * b + 0.25 + 3 * b * b, (0.8,)
    )
    assert_allclose(dual_grad(descent, (0.8,)), expected, rtol=1e-9)
