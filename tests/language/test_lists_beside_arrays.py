"""Lists and tuples beside arrays: NumPy takes them as the arrays of their items."""

import numpy as np
import pytest

import sourcegrad as sg

X = np.array([[1.0, 2.0], [3.0, 5.0]])


def times_a_list(x):
    return np.sum(x * [1, 2] + [3, 4])


def a_list_first(x):
    return np.sum(([1, 2] - x) ** 2 / (3.0, 4.0))


def product_with_a_list(x):
    return np.sum(x @ [1, 2]) + np.sum((x[0, 0], 2.0) @ x)


def power_of_a_list(x):
    return np.sum(x ** [2, 3])


def active_items(x):
    weights = [x[0, 0], 2.0]
    return np.sum(x * weights) + np.sum(x * (x[1, 1], 1))


def in_place(x):
    x = x.copy()
    x *= [1, 2]
    x[0] += [x[1, 1], 3]
    x[:, 1] /= (3, x[1, 0])
    return np.sum(x)


def operand_of_a_call(x):
    return np.sum(np.add(x, [1, 2]) * np.matmul(x, [1, 2])) + np.dot(x, [1, 3])[1]


def operand_of_a_method(x):
    return x.dot([1, 2]).sum() + x.dot((1, x[0, 0])).sum()


def a_list_that_grows(x):
    weights = []
    for k in range(2):
        weights.append(k * x[0, 0])
    return np.sum(x @ weights) + np.sum(x * weights)


@pytest.mark.parametrize(
    "f",
    [
        times_a_list,
        a_list_first,
        product_with_a_list,
        power_of_a_list,
        active_items,
        in_place,
        operand_of_a_call,
        operand_of_a_method,
        a_list_that_grows,
    ],
)
def test_derivative(f):
    sg.check_grad(f, (X,))
    sg.check_grad(f, (X,), order=2)


@pytest.mark.parametrize(
    "c", [[1, 2], [1.0, 2], (1.0, 2.0), (1, 2), [np.float64(3)] * 2]
)
def test_arguments(c):
    def f(x, c):
        return np.sum(x * c) + np.sum(x @ c)

    def g(x, k):
        return np.sum(k["c"] * x) + np.sum(x @ k["c"])

    want = np.array([c, c], float) * 2.0
    np.testing.assert_allclose(sg.grad(f)(X, c), want)
    np.testing.assert_allclose(sg.grad(g)(X, {"c": c}), want)


def test_repeated_lists_stay_lists():
    def f(x, n):
        longer = [x, 2.0 * x]
        same = longer
        longer *= 2
        longer += [x]
        return sum(same) * len(same) + sum([x] * n) + len((1, 2) * n) * x

    assert sg.grad(f)(1.5, 3) == 7 * 5 + 3 + 6


def test_a_run_time_list_repeated_in_place():
    def f(x, n):
        grown = []
        for k in range(n):
            grown.append(k * x)
        same = grown
        grown *= 3
        return sum(same) * len(same)

    assert sg.grad(f)(1.5, 3) == 9 * 9.0


def test_an_array_from_a_table():
    def f(x):
        held = {"a": x}
        return np.sum(held.get("a") * [1.0, 2.0])

    np.testing.assert_allclose(sg.grad(f)(np.ones(2)), [1.0, 2.0])


def test_an_index_that_is_a_range():
    def f(x):
        rows = x[range(len(x))]
        return rows.max() + (rows @ rows.T).sum()

    sg.check_grad(f, (X,))
