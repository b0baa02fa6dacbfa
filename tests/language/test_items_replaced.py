"""Lists whose items are replaced by things of another form: a number where a list, a
tuple or an array was, and the other way round; the cotangent of a place has the form of
what stands there at that time.

Every program is held against differences, in both modes, by `judged.check`.
"""

from __future__ import annotations

import collections

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check
from tests.oracle import central_difference_grad

A = np.array([[1.0, 2.0], [0.5, -1.0]])


def number_for_list(x, n):
    v = []
    for _ in range(n):
        v.append([x * 2.0, 0.3])
    for i in range(n):
        v[i] = 0.4 * x
    return v[0] + v[1]


def number_for_tuple(x, n):
    v = [(x, x * i) for i in range(n)]
    v[0] = x
    v[1] = v[2][0] * v[0]
    return v[0] + v[1]


def number_for_nested(x, n):
    v = []
    for _ in range(n):
        v.append([x, (x * x, x * 2)])
    for i in range(n - 1):
        v[i] = 0.4 * x
    return v[0] + v[n - 1][1][0] * v[n - 1][1][1]


def number_for_repeated_list(x, n):
    v = [[x, x]] * n
    v[0] = x
    v[1] = v[2][0] * v[0]
    return v[0] + v[1]


def number_for_list_with_array(x, n):
    v = []
    for _ in range(n):
        v.append([np.ones(3) * x, x * x])
    for i in range(n - 1):
        v[i] = 0.4 * x
    return v[0] + v[1] + np.sum(v[n - 1][0])


def number_for_array(x, n):
    b = np.ones((2, 3)) * x
    v = []
    for _ in range(n):
        v.append(np.reshape(b, (3, 2)) * x)
    for i in range(n - 1):
        v[i] = x * x
    return v[0] * np.sum(v[n - 1])


def list_for_number(x, n):
    v = []
    for _ in range(n):
        v.append(x)
    for i in range(n):
        v[i] = [0.4 * x, (0.2, x)]
    v[1] = x
    return v[0][0] * v[2][1][1] + v[1]


def list_for_array(x, n):
    v = []
    for _ in range(n):
        v.append(np.ones(3) * x)
    for i in range(n - 1):
        v[i] = [0.4 * x, x]
    return v[0][0] + np.sum(v[n - 1])


def ragged_items_moved_by_insert(x, n):
    v = [[x, (x * i, [x])] for i in range(n)]
    v.insert(0, x)
    v[1] = v[2][1][1][0] * v[0]
    return v[0] + v[1]


def by_keys(x, n):
    d = {}
    for i in range(n):
        d[i] = [x, x * i]
    for k in d:
        d[k] = d[k][1] + x
    return d[0] + d[1] * d[2]


def by_keys_unread(x, n):
    d = {}
    for i in range(n):
        d[i] = [x, x * i]
    for k in d:
        d[k] = 0.3
    return d[0] + d[1] * x


def parts_of_an_item_added_up(x, n):
    v = []
    for i in range(n):
        v.append([x, (x * x, [x * 2, x * i])])
    v[0] = x
    held = v[n - 1]
    return v[0] * held[1][1][0] + held[1][1][1] * held[1][0]


def slice_of_an_item(x, n):
    v = []
    for i in range(n):
        v.append([x, x * x, x * i])
    v[0] = x
    return v[0] + sum(v[n - 1][1:]) * v[1][0]


def array_for_array(x, n):
    v = [A @ (x * (i + 1.0)) for i in range(n)]
    v[0] = A.T @ x
    for i in range(1, n):
        v[i] = v[i - 1] * v[i]
    return np.sum(v[n - 1])


def array_for_array_in_loops(x, n):
    v = []
    for i in range(n):
        v.append(A @ x)
    for i in range(n):
        v[i] = A.T @ x
    return np.sum(v[n - 1]) + v[0][1]


def array_of_another_shape(x, n):
    v = []
    for i in range(n):
        v.append(np.reshape(x, (1, 2)))
    for i in range(n):
        v[i] = np.reshape(x * x, (2, 1))
    return np.sum(v[n - 1]) + v[0][1, 0]


def arrays_swapped(x, n):
    u = [A @ x, A @ (2 * x)]
    u[0], u[1] = u[1], u[0]
    u[0] = A @ u[1]
    return np.sum(u[0] * u[1])


def arrays_swapped_in_a_list(x, n):
    u = [A @ x for _ in range(n)]
    u[0], u[1] = u[1], u[0]
    u[0] = A @ u[1]
    return np.sum(u[0] * u[1])


def arrays_by_keys(x, n):
    d = {}
    for i in range(n):
        d[i] = A @ x
    for i in range(n):
        d[i] = A @ d[(i + 1) % n]
    return d[0][0] * d[1][1]


def arrays_in_a_deque(x, n):
    q = collections.deque([A @ x, A @ (x * x)], maxlen=2)
    for i in range(n):
        q.append(A @ q[0] + q[1])
    return np.sum(q[1] @ q[0])


def matrices_in_turn(x, n):
    layers = [np.outer(x, x), np.outer(x, x * 2)]
    h = x
    for i in range(n):
        layers[i % 2] = layers[(i + 1) % 2].T @ layers[i % 2]
        h = np.tanh(layers[i % 2] @ h)
    return np.sum(h)


def arrays_over_the_first(x, n):
    states = [x]
    for i in range(n):
        states.append(A @ states[-1])
    states[0] = states[n].copy()
    states[1] = states[0] * 2
    return states[0] @ states[1] + states[2][0]


def none_for_array(x, n):
    states = [None] * n
    states[0] = x
    for i in range(1, n):
        states[i] = A @ states[i - 1]
    states[0] = None
    return np.sum(states[n - 1])


def tuple_for_tuple_with_array(x, n):
    st = [(A @ x, float(i)) for i in range(n)]
    for i in range(1, n):
        u, t = st[i - 1]
        st[i] = (A @ u, t + x[0])
    return np.sum(st[n - 1][0]) + st[n - 1][1]


def list_for_list_with_array(x, n):
    st = [[A @ x, float(i)] for i in range(n)]
    for i in range(1, n):
        u, t = st[i - 1]
        st[i] = [A @ u, t + x[0]]
    return np.sum(st[n - 1][0]) + st[n - 1][1]


def array_popped_and_put(x, n):
    st = [A @ x for i in range(n)]
    last = st.pop()
    st.append(last.T @ A)
    st[0] = A @ st.pop()
    return np.sum(st[0])


def arrays_by_default_keys(x, n):
    st = {}
    for i in range(n):
        st.setdefault(i % 2, A @ x)
        st[i % 2] = A @ st[i % 2]
    return np.sum(st[0]) * st[1][0]


PROGRAMS = [
    *(number_for_list, number_for_tuple, number_for_nested, number_for_repeated_list),
    *(number_for_list_with_array, number_for_array, list_for_number, list_for_array),
    *(ragged_items_moved_by_insert, by_keys, by_keys_unread),
    *(parts_of_an_item_added_up, slice_of_an_item),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_an_item_of_another_form(program):
    check(program, 0.7, 3)


ARRAYS = [
    array_for_array,
    array_for_array_in_loops,
    array_of_another_shape,
    arrays_swapped,
    arrays_swapped_in_a_list,
    arrays_by_keys,
    arrays_in_a_deque,
    matrices_in_turn,
    arrays_over_the_first,
    none_for_array,
    tuple_for_tuple_with_array,
    list_for_list_with_array,
    array_popped_and_put,
    arrays_by_default_keys,
]


@pytest.mark.parametrize("program", ARRAYS, ids=lambda p: p.__name__)
def test_an_array_in_the_place_of_another(program):
    check(program, np.array([0.3, 0.8]), 3)


@pytest.mark.parametrize("program", ARRAYS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_the_second_order(program, mode):
    x, v, w = np.array([0.3, 0.8]), np.array([0.4, -0.7]), np.array([-0.2, 0.9])

    def gradient(x):
        return sourcegrad.grad(program)(x, 3)

    def along(t):
        return gradient(x + t * v) @ w

    if mode == "forward":
        found = sourcegrad.jvp(gradient, (x,), (v,))[1] @ w
    else:
        found = sourcegrad.vjp(gradient, x)[1](w)[0] @ v
    assert found == pytest.approx(central_difference_grad(along, (0.0,)), rel=1e-6)
