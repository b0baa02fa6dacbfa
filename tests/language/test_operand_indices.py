"""Subscripts that compute from their index, and copies: no derivative is lost there."""

import copy

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad import check_grad

X = np.array([1.0, 2.0, 3.0])
M = np.arange(1.0, 7.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: np.r_[0:1:5j, x, 2.0, x**2, 3:6], X),
        (lambda x: np.r_[x[0], x[1] * x[0], [x[1], 2.0]], X),
        (lambda x: np.r_[x], X),
        (lambda x: np.r_[x, x], M),
        (lambda x: np.c_[x, x**2, 0:3], X),
        (lambda x: np.c_[x, x], M),
        (lambda x: np.c_[x[None], x[None] ** 2], M),
    ],
)
def test_joining_indexers(f, x):
    np.testing.assert_array_equal(sg.vjp(f, x)[0], f(x))
    check_grad(f, (x,), order=2)


class Parabola:
    def __init__(self, k):
        self.k = k

    def __getitem__(self, x):
        return self.k * x * x


PARABOLA = Parabola(2.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: PARABOLA[np.sin(x)],
        lambda x: Parabola(x)[x * x],
        lambda x: PARABOLA[x] * Parabola(3.0)[2 * x],
    ],
)
def test_subscripts_of_a_class_of_the_users(f):
    check_grad(f, (1.3,), order=2)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.mgrid[0:x:5j] ** 2),
        lambda x: np.s_[x:2.0].start * 2.0,
        lambda x: slice(x, 2.0).start * 2.0,
        lambda x: np.r_["0,2", X * x, X],
    ],
)
def test_an_operand_out_of_sight_is_refused(f):
    with pytest.raises(sg.SourcegradError, match=r"test_operand_indices.py:\d+"):
        sg.vjp(f, 1.3)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.r_[0:x:5j] ** 2),
        lambda x: np.sum(np.r_[0.3:2.0:x, x] ** 2),
        lambda x: np.sum(np.r_[x : x + 2.1] ** 2),
    ],
)
def test_ranges_between_active_bounds(f):
    check_grad(f, (0.4,), order=2)


def deep_copy_of_an_array(x):
    y = copy.deepcopy(x)
    z = copy.copy(y)
    z[0] = 5.0
    return np.sum(z * y * x)


def deep_copy_of_a_dict(x):
    p = {"a": x[0], "b": [x, {"c": x * x}]}
    q = copy.deepcopy(p)
    q["a"] = q["a"] * 2
    q["b"][0][1] = 1.0
    return q["a"] * p["a"] + np.sum(q["b"][0] * p["b"][0] * q["b"][1]["c"])


def shallow_copy_of_a_list(x):
    rows = [x, x * x]
    other = copy.copy(rows)
    other.append(x)
    other[0] = np.ones(3)
    return np.sum(rows[0] * other[1] * other[2]) * len(rows)


class State:
    def __init__(self, a):
        self.a = a
        self.parts = [a, 2 * a]


def deep_copy_of_an_object(x):
    q = State(x)
    r = copy.deepcopy(q)
    r.a = r.a * 2
    r.parts[0] = r.parts[0] * 3
    return np.sum(q.a * r.a + q.parts[0] * r.parts[0] * r.parts[1])


@pytest.mark.parametrize(
    "f",
    [
        deep_copy_of_an_array,
        deep_copy_of_a_dict,
        shallow_copy_of_a_list,
        deep_copy_of_an_object,
    ],
)
def test_copies(f):
    check_grad(f, (X,))


@pytest.mark.parametrize("join", [np.vstack, np.hstack, np.column_stack, np.stack])
def test_one_array_joined_alone(join):
    check_grad(lambda x: join([x]) ** 3, (X,), order=2)
    check_grad(lambda x: join((x * x,)), (M,), order=2)


LAYERS = [np.sin, lambda x: x * x]
TABLE = {"a": np.exp, "b": np.cos}


def loop_over_functions(x):
    for layer in LAYERS:
        x = layer(x)
    return x


def dict_of_functions(x):
    total = 0.0
    for name, fn in TABLE.items():
        total = total + fn(x) * len(name)
    return total + TABLE["b"](x)


def functions_by_key(x):
    return sum(TABLE[k](x) for k in sorted(TABLE))


@pytest.mark.parametrize(
    "f", [loop_over_functions, dict_of_functions, functions_by_key]
)
def test_functions_kept_in_containers(f):
    check_grad(f, (0.4,), order=2)


def test_a_container_of_functions_is_watched():
    fns = [np.sin]
    gradient = sg.grad(lambda x: sum(f(x) for f in fns))
    assert gradient(0.3) == pytest.approx(np.cos(0.3))
    fns[0] = np.exp
    assert gradient(0.3) == pytest.approx(np.exp(0.3))
    fns.append(np.cos)
    assert gradient(0.3) == pytest.approx(np.exp(0.3) - np.sin(0.3))
    fns[:] = [lambda x: 3 * x]
    assert gradient(0.3) == 3.0


def test_closures_over_different_containers():
    def make(fns):
        return lambda x: sum(f(x) for f in fns)

    assert sg.grad(make([np.sin]))(0.3) == pytest.approx(np.cos(0.3))
    assert sg.grad(make([np.exp]))(0.3) == pytest.approx(np.exp(0.3))


def test_a_dict_in_the_order_of_its_keys():
    def f(d):
        total = 0.0
        for i, k in enumerate(sorted(d)):
            total = total + np.sum(np.sin(d[k])) * (i + 1)
        for _, v in sorted(d.items(), key=lambda item: item[0], reverse=True):
            total = total * np.sum(np.cos(v))
        return total

    check_grad(f, ({"b": np.array([0.3, 0.4]), "a": 2.0},), order=2)
