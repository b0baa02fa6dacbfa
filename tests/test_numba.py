"""The numba backend: same gradients, live globals, and refusals that name the line."""

from __future__ import annotations

import builtins
import math
import sys
import types
from typing import Any

import numpy as np
import pytest

import sourcegrad
from sourcegrad.errors import (
    MissingBackendError,
    NumbaUnsupportedError,
    SourcegradError,
)
from tests import zoo
from tests.compare import assert_same_tree, seeds_for
from tests.numba_kernels import KERNELS
from tests.oracle import dual_grad

numba = pytest.importorskip("numba")

SCALE = 2.0
WEIGHTS = np.array([1.0, 2.0])


def jitted(f: Any, argnums: Any = 0) -> Any:
    return sourcegrad.grad(f, argnums, backend="numba")


# ---- kernels ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "args", "argnums"), KERNELS, ids=[f.__name__ for f, _, _ in KERNELS]
)
def test_kernels_equal_python_and_the_oracle(f, args, argnums):
    value, gradient = sourcegrad.value_and_grad(f, argnums, backend="numba")(*args)
    expected = sourcegrad.value_and_grad(f, argnums)(*args)
    assert_same_tree((value, gradient), expected, rtol=1e-13, atol=1e-15)
    assert_same_tree(gradient, dual_grad(f, args, argnums), rtol=1e-9, atol=1e-12)


def logistic(x, r, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def test_value_is_bitwise_where_the_arithmetic_is_the_same():
    args = (0.3, 3.7, 50)
    value, _ = sourcegrad.value_and_grad(logistic, backend="numba")(*args)
    assert value == logistic(*args)


def test_several_layouts_of_one_kind():
    def total(a):
        s = 0.0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                s = s + (i + 2.0 * j) * a[i, j] * a[i, j]
        return s

    a = np.arange(6.0).reshape(2, 3)
    weights = np.arange(2.0)[:, None] + 2.0 * np.arange(3.0)
    g = jitted(total)
    np.testing.assert_allclose(g(a), 2.0 * weights * a, rtol=1e-15)
    wide = np.zeros((2, 6))
    wide[:, ::2] = a
    for same in (np.asfortranarray(a), wide[:, ::2]):
        np.testing.assert_allclose(g(same), 2.0 * weights * a, rtol=1e-15)


def test_float32_stays_float32():
    def total(x):
        s = np.float32(0.0)
        for i in range(len(x)):
            s = s + x[i] * x[i]
        return s

    x = np.array([1.0, 2.0, 3.0], np.float32)
    gradient = jitted(total)(x)
    assert gradient.dtype == np.float32
    np.testing.assert_array_equal(gradient, 2.0 * x)


# ---- pullbacks -------------------------------------------------------------------


def power_loop(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
    return y


def test_pullback_can_be_called_again():
    y, pullback = sourcegrad.vjp(power_loop, 1.5, 4, backend="numba")
    assert y == 1.5**4
    for seed in (1.0, 2.0, 1.0):
        np.testing.assert_allclose(pullback(seed)[0], seed * 4 * 1.5**3, rtol=1e-15)


def test_pullback_shares_no_memory_with_its_arguments():
    def squares(x):
        s = 0.0
        for i in range(len(x)):
            s = s + x[i] ** 2 * x[i]
        return s

    x = np.array([1.0, 2.0, 3.0])
    _, pullback = sourcegrad.vjp(squares, x, backend="numba")
    expected = 3.0 * x**2
    x[:] = np.nan
    np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-15)


def test_pullback_refuses_to_be_pickled():
    import pickle

    _, pullback = sourcegrad.vjp(power_loop, 1.5, 4, backend="numba")
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(pullback)


ZOO = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(numba=True)
    if found.issue <= zoo.CURRENT_ISSUE
]


@pytest.mark.numba_full
@pytest.mark.filterwarnings("ignore::sourcegrad.UnreachedInputWarning")
@pytest.mark.parametrize(("found", "k"), ZOO)
def test_pullbacks_and_values_of_the_zoo(found, k):
    value = found.function(*found.arguments()[k])
    wanted = found.argnums if isinstance(found.argnums, tuple) else (found.argnums,)
    expected = dual_grad(found.function, found.arguments()[k], wanted)
    y, pullback = sourcegrad.vjp(found.function, *found.arguments()[k], backend="numba")
    assert_same_tree(y, value, rtol=1e-14, atol=0)
    for _ in range(2):
        bars = pullback(seeds_for(value))
        picked = tuple(bars[n] for n in wanted)
        assert_same_tree(picked, expected, rtol=1e-9, atol=1e-12)


# ---- recursion -------------------------------------------------------------------


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2 == 1:
        return half * half * x
    return half * half


def tree_sum(x, depth):
    if depth == 0:
        return math.sin(x)
    return tree_sum(x * 0.5, depth - 1) * tree_sum(x * 0.25, depth - 1) + x


def even_part(x, n):
    if n == 0:
        return x
    return odd_part(x * 0.5, n - 1) + x * x


def odd_part(x, n):
    if n == 0:
        return 3.0 * x
    return even_part(x * x, n - 1) * 2.0


def test_gradient_of_recursion():
    np.testing.assert_allclose(jitted(power)(1.3, 11), 11 * 1.3**10, rtol=1e-14)


@pytest.mark.parametrize("f", [tree_sum, even_part])
@pytest.mark.parametrize("depth", [0, 1, 4])
def test_gradient_of_branching_and_mutual_recursion(f, depth):
    x, h = 0.7, 1e-30
    expected = f_complex(f, x + 1j * h, depth).imag / h
    np.testing.assert_allclose(jitted(f)(x, depth), expected, rtol=1e-13)
    y, pullback = sourcegrad.vjp(f, x, depth, backend="numba")
    assert y == pytest.approx(f(x, depth), rel=1e-15)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-13)


def f_complex(f: Any, x: complex, depth: int) -> complex:
    """The primal at a complex number."""
    import cmath

    space = {**globals(), "math": cmath}
    for name in ("tree_sum", "even_part", "odd_part"):
        space[name] = types.FunctionType(globals()[name].__code__, space)
    return space[f.__name__](x, depth)


# ---- data from outside -----------------------------------------------------------


def scaled(x):
    return SCALE * x * x


def weighted(x):
    s = 0.0
    for i in range(len(WEIGHTS)):
        s = s + WEIGHTS[i] * x**i * x
    return s


def test_changed_global_number_is_seen(monkeypatch):
    g = jitted(scaled)
    assert g(3.0) == 12.0
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 5.0)
    assert g(3.0) == 30.0


def test_global_array_changed_in_place_is_seen():
    g = jitted(weighted)
    before = WEIGHTS.copy()
    assert g(3.0) == 1.0 + 2.0 * 2.0 * 3.0
    try:
        WEIGHTS[1] = 10.0
        assert g(3.0) == 1.0 + 10.0 * 2.0 * 3.0
    finally:
        WEIGHTS[:] = before


def test_rebound_global_array_is_seen(monkeypatch):
    g = jitted(weighted)
    g(3.0)
    monkeypatch.setattr(sys.modules[__name__], "WEIGHTS", np.array([0.0, 1.0]))
    assert g(3.0) == 6.0


def test_changed_cell_is_seen():
    k = 2.0

    def f(x):
        return k * x * x

    g = jitted(f)
    assert g(3.0) == 12.0
    k = 5.0
    assert g(3.0) == 30.0


def test_data_of_a_module_is_seen(monkeypatch):
    settings = types.ModuleType("settings")
    settings.rate = 2.0
    monkeypatch.setattr(sys.modules[__name__], "SETTINGS", settings, raising=False)

    def f(x):
        return SETTINGS.rate * x * x  # noqa: F821

    g = jitted(f)
    assert g(3.0) == 12.0
    settings.rate = 5.0
    assert g(3.0) == 30.0


def test_data_read_by_a_callee_pair_is_seen(monkeypatch):
    g = jitted(calls_scaled_recursion)
    assert g(3.0, 2) == 4.0
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 5.0)
    assert g(3.0, 2) == 25.0


def calls_scaled_recursion(x, n):
    if n == 0:
        return x
    return SCALE * calls_scaled_recursion(x, n - 1)


# ---- inactive callees ------------------------------------------------------------


def steps_of(n):
    k = 0
    while k * k < n:
        k = k + 1
    return k + OFFSET


def table_of(n):
    return WEIGHTS[n] + n


OFFSET = 1


def with_inactive_callee(x, n):
    y = x
    for _ in range(steps_of(n)):
        y = y * x
    return y


def test_inactive_callee_is_compiled_and_its_globals_are_seen(monkeypatch):
    g = jitted(with_inactive_callee)
    np.testing.assert_allclose(g(1.1, 9), 5 * 1.1**4, rtol=1e-14)
    monkeypatch.setattr(sys.modules[__name__], "OFFSET", 3)
    np.testing.assert_allclose(g(1.1, 9), 7 * 1.1**6, rtol=1e-14)


def test_inactive_callee_that_reads_a_global_array_is_refused():
    def f(x, n):
        for _ in range(2):
            x = x * table_of(n)
        return x

    with pytest.raises(NumbaUnsupportedError) as caught:
        jitted(f)(1.0, 1)
    text = str(caught.value)
    assert "return WEIGHTS[n] + n" in text
    assert "pass WEIGHTS as an argument of table_of" in text


# ---- refusals --------------------------------------------------------------------


def test_a_line_of_the_primal_that_numba_refuses_is_named():
    def f(x):
        y = np.array([x, 2.0 * x])
        return np.sum(np.unravel_index(1, (2, 2))[0] * np.tile(y, 2))

    with pytest.raises(NumbaUnsupportedError) as caught:
        jitted(f)(1.0)
    where = caught.value.where
    assert where is not None
    assert where.file.endswith("test_numba.py")
    assert "np.tile" in where.text
    assert "numba" in caught.value.why
    assert any('backend="python"' in hint for hint in caught.value.hints)


def test_the_hint_of_a_refusal_works():
    def f(x):
        return np.sum(np.tile(x, 2) ** 2)

    x = np.array([1.0, 2.0])
    with pytest.raises(NumbaUnsupportedError):
        jitted(f)(x)
    np.testing.assert_allclose(sourcegrad.grad(f)(x), 4.0 * x, rtol=1e-15)


def test_an_argument_that_numba_does_not_know_is_a_located_error():
    def f(table):
        return table["a"] * table["b"]

    with pytest.raises(SourcegradError) as caught:
        jitted(f)({"a": 1.0, "b": 2.0})
    assert "test_numba.py" in str(caught.value)


def test_an_exception_of_the_primal_passes_through():
    def f(x, n):
        for _ in range(n):
            if x > 2.0:
                raise ValueError("too large")
            x = x * 2.0
        return x

    g = jitted(f)
    assert g(0.5, 2) == 4.0
    with pytest.raises(ValueError, match="too large"):
        g(0.5, 9)


def test_without_numba_the_error_names_the_extra(monkeypatch):
    real = builtins.__import__

    def no_numba(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] == "numba":
            raise ImportError("No module named 'numba'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_numba)
    monkeypatch.delitem(sys.modules, "numba")

    def f(x):
        return x * x

    with pytest.raises(MissingBackendError, match="numba") as caught:
        jitted(f)(3.0)
    assert "pip install 'sourcegrad[numba]'" in str(caught.value)
    assert isinstance(caught.value, ImportError)


# ---- forms that numba and NumPy read differently ---------------------------------


def test_overlapping_slices_add_as_numpy_adds():
    from sourcegrad.numba.rewrite import functions_of, rewrite

    text = (
        "def f(a):\n    a[1:] += a[:-1]\n    b = a[1:]\n    b += a[:-1]\n    return a\n"
    )
    space: dict[str, Any] = {}
    exec(text, space)
    expected = space["f"](np.arange(6.0))
    node = rewrite(functions_of(text), (), {})["f"].node
    import ast

    from sourcegrad.numba.values import add_in_place

    space = {"add_in_place": add_in_place}
    exec(compile(ast.Module([node], []), "<rewritten>", "exec"), space)
    got = numba.njit(space["f"])(np.arange(6.0))
    np.testing.assert_array_equal(got, expected)


HELPERS: list[tuple[str, tuple[Any, ...]]] = [
    ("unbroadcast", (np.ones((2, 3)), np.zeros((1, 3)))),
    ("unbroadcast", (np.ones((2, 3)), np.zeros(3))),
    ("unbroadcast", (np.ones((2, 3)), np.zeros((2, 1)))),
    ("unbroadcast", (np.arange(4.0)[None], np.zeros((3, 1)))),
    ("unbroadcast", (np.arange(4.0), np.zeros(1))),
    ("unbroadcast", (np.ones(1), np.zeros(3))),
    ("unbroadcast", (np.arange(4.0), np.zeros((3, 1)))),
    ("unbroadcast", (np.ones((2, 3)), 1.5)),
    ("unbroadcast", (2.0, np.zeros((2, 3)))),
    ("sum_to", (np.ones((2, 3)), (1, 3))),
    ("sum_to", (np.ones((2, 3)), (3,))),
    ("sum_to", (2.0, (2, 3))),
    ("unbroadcast", (np.arange(3.0), np.zeros((2, 3)))),
    ("expand_reduced", (np.array([1.0, 2.0]), np.zeros((2, 3)), 1, False)),
    ("expand_reduced", (np.ones((2, 1)), np.zeros((2, 3)), 1, True)),
    ("zeros_like", ((1.5, np.ones(2), 3),)),
    ("add_at_zeros", (np.ones(4), np.array([1, 1, -1]), 1.0)),
    ("add_at_zeros", (np.ones((3, 2)), np.array([0, 0]), np.ones((2, 2)))),
    ("add_at_zeros", (np.ones((3, 2)), (np.array([0, 0]), np.array([1, 1])), 2.0)),
    ("above", (np.array([1.0, 2.0, 3.0]), 2.0)),
    ("log_or_zero", (np.array([0.0, 1.0, 5.0]),)),
    ("log_or_zero", (0.0,)),
    ("is_zero", (0.0,)),
]


IN_BRIEF = (0, 3, 6, 12)  # of some 20, which take a second each to compile


@pytest.mark.parametrize(
    ("name", "args"),
    [
        pytest.param(
            *h, marks=[] if k in IN_BRIEF else pytest.mark.numba_full, id=f"{h[0]}-{k}"
        )
        for k, h in enumerate(HELPERS)
    ],
)
def test_helpers_equal_those_of_numpy(name, args):
    import sourcegrad.runtime_numba  # noqa: F401
    from sourcegrad import runtime

    helper = getattr(runtime, name)
    names = ", ".join(f"a{i}" for i in range(len(args)))
    space = {"helper": helper}
    exec(f"def call({names}):\n    return helper({names})\n", space)
    got = numba.njit(space["call"])(*args)
    assert_same_tree(got, helper(*args), rtol=1e-15, atol=0)


@pytest.mark.numba_full
@pytest.mark.parametrize("g", [2, 1.5, np.array([1.0, 2.0])])
@pytest.mark.parametrize("x", [1.0, 3, np.zeros(2), np.zeros(2, np.float32)])
def test_project_equals_that_of_numpy(g, x):
    from sourcegrad.runtime_project import project

    if np.ndim(g) > np.ndim(x):
        return
    got = numba.njit(lambda g, x: project(g, x))(g, x)
    expected = project(g, x)
    assert_same_tree(got, expected, rtol=1e-15, atol=0)
    assert getattr(got, "dtype", None) == getattr(expected, "dtype", None)
