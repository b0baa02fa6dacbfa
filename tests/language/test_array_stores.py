"""Functions and methods of NumPy that write into arrays, and `a.flat`.

Every program returns what it made; `judged.check` holds it against differences.
"""

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

RNG = np.random.default_rng(1)
X = RNG.uniform(0.5, 1.5, 6)
M = RNG.uniform(0.5, 1.5, (3, 4))
SIGNED = RNG.uniform(-1.5, 1.5, 6)


def put(x):
    a = np.zeros(6)
    np.put(a, [0, 2, -1], x[:3] * 2)
    return a * x


def put_cycles_through_its_values(m):
    a = m * 1.0
    np.put(a, [1, 5, 7, 5, 11], np.array([m[0, 0], m[0, 1] ** 2]))
    return a


def put_wraps(m):
    a = m * m
    np.put(a, [13, -2], np.sin(a[0, :2]), mode="wrap")
    a.put([40, 3], m[1, :2], mode="clip")
    return a


def place(x):
    a = x * 2
    np.place(a, a > 2.0, x[:2] ** 2)
    return a


def putmask(x):
    a, b = x * 2, x * 3
    np.putmask(a, a > 2.0, x**2)
    np.putmask(b, x < 1.0, x[:2] ** 2)
    np.putmask(b, x > 1.2, 0.5)
    return a * b


def copyto_where(x):
    a, b = x * 1.0, np.zeros((2, 6))
    np.copyto(a, x * x, where=x > 1.0)
    np.copyto(b, a, where=np.array([[True], [False]]))
    np.copyto(b[1], x[0] * x[1])
    return a * b


def fill_diagonal(m):
    a, b = m.T * 1.0, m[:, :3] * 1.0
    np.fill_diagonal(a, m[0, 0] ** 2, wrap=True)
    np.fill_diagonal(b, m[0, :2])
    return a @ b


def put_along_axis(m):
    a = m * m
    i = np.argmax(a, axis=1)[:, None]
    np.put_along_axis(a, i, m[:, :1] * 3, axis=1)
    np.put_along_axis(a, np.array([[0, 1, 2, 0]]), 0.5, 0)
    return a * m


def fill_and_sort(m):
    a, b = np.cos(m * 7), np.cos(m * 5)
    a.sort(axis=0)
    b[1].sort()
    c = np.empty(4)
    c.fill(a[0, 0] * b[0, 0])
    return (a * b)[1] * c


def partition(x):
    a = np.cos(x * 7)
    a.partition(2)
    return a[2] * np.sum(a[:2])


def set_item_by_name(x):
    a = x * 1.0
    a.__setitem__(2, x[0] * 3)
    a.__setitem__(slice(3, 5), x[1])
    return a


def flat_items(m):
    a, total = np.zeros_like(m), 0.0
    for k in range(a.size):
        a.flat[k] = m.flat[-k - 1] ** 2
        total = total + a.flat[k] * k
    return a * total


def flat_slices(m):
    a = np.zeros((3, 4))
    a.flat[::5] = m[0, 0]
    a.flat[1:4] = m[1, :3]
    a.flat[[0, 3]] *= m[0, :2]
    a.T.flat[2] += m[1, 1]
    a.flat[(m > 1.2).reshape(-1)] = 7.0
    return a * m


def flat_as_a_whole(m):
    a = np.zeros((3, 4))
    a.flat = m[0] * 2
    total = 0.0
    for v in a.flat:
        total = total * 0.5 + v * v
    for k, (u, v) in enumerate(zip(a.flat, m.T.flat, strict=True)):
        total = total + u * v * k
    return total + np.sum(a.flat)


def loops_over_places(m):
    a = np.zeros(m.shape)
    for (i, j), v in np.ndenumerate(m):
        a[i, j] = v * v * (i + j)
    for index in np.ndindex(m.shape):
        a[index] += m[index] * m[0, 0]
    for i, j in np.ndindex(2, 3):
        a[i, j] *= m[j, i]
    return a


def einsum_of_one_array_is_a_view(m):
    a = m[:, :3] * 1.0
    np.einsum("ii->i", a)[...] = m[0, :3] ** 2
    return a


def out_by_position_and_of_methods(m):
    a, row = m * 1.0, np.zeros(3)
    np.multiply(a, m, a)
    a.clip(0.6, 1.4, out=a)
    m.sum(axis=1, out=row)
    np.exp(row, out=(row,))
    return a * row[:, None]


def out_where(x):
    a, b = np.ones(6) * x[0], np.zeros(6)
    np.sqrt(x, out=a, where=x > 0)
    np.divide(1.0, x, out=b, where=x > 0.5)
    np.multiply(a, x, out=a, where=np.abs(x) > 0.7)
    return a + b


def out_where_in_a_loop(x):
    a = x * 1.0
    for k in range(3):
        a[k] = np.tanh(0.3 * k + np.sum(a))
        before = a.copy()
        np.add(a, np.sin(before[(k + 2) % 4] - 0.3 * k), out=a, where=before > -1.3)
        np.multiply(a[::-1], before, out=a, where=a > 0.2)
    return a


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (put, X),
        (put_cycles_through_its_values, M),
        (put_wraps, M),
        (place, X),
        (putmask, X),
        (copyto_where, X),
        (fill_diagonal, M),
        (put_along_axis, M),
        (fill_and_sort, M),
        (partition, X),
        (set_item_by_name, X),
        (flat_items, M),
        (flat_slices, M),
        (flat_as_a_whole, M),
        (loops_over_places, M),
        (einsum_of_one_array_is_a_view, M),
        (out_by_position_and_of_methods, M),
        (out_where, SIGNED),
        (out_where_in_a_loop, SIGNED),
    ],
)
def test_store(f, x):
    check(f, x)


@pytest.mark.parametrize(
    "layout", [lambda m: m.T.copy().T, lambda m: m.repeat(2, 1)[:, ::2]]
)
def test_flat_counts_in_row_major_order_whatever_the_layout(layout):
    check(flat_items, layout(M))


AT = [0, 1, 0, 2, 0]
BINARY = [np.add, np.subtract, np.multiply, np.divide, np.power, np.maximum, np.hypot]


@pytest.mark.parametrize("ufunc", BINARY, ids=lambda u: u.__name__)
def test_binary_at_with_repeats(ufunc):
    def each(x):
        a = x[:3] * 1.3
        ufunc.at(a, AT, x[1:] * 1.1)
        return a

    def scalar(x):
        a = x[:3] * 1.3
        ufunc.at(a, AT, x[4])
        return a

    def along_a_slice(x):
        a = x[:3] * 1.3
        ufunc.at(a, slice(0, 2), x[4:])
        return a

    for f in (each, scalar, along_a_slice):
        check(f, X)


@pytest.mark.parametrize(
    "ufunc", [np.negative, np.exp, np.sin], ids=lambda u: u.__name__
)
def test_unary_at_with_repeats(ufunc):
    def f(x):
        a = x * 1.0
        ufunc.at(a, [0, 2, 2])
        return a

    check(f, X)


def test_at_with_rows_and_pairs_of_indices():
    def rows(m):
        a = m * 1.0
        np.multiply.at(a, [0, 2, 0], m * 2)
        return a

    def pairs(m):
        a = m * 1.0
        np.multiply.at(a, ([0, 2, 0], [1, -1, 1]), m[:, 0])
        np.add.at(a, (0, [1, 1]), m[1, :2])
        return a

    check(rows, M)
    check(pairs, M)


def test_resize_and_integer_buffers_are_refused():
    def resized(x):
        a = x * 1.0
        a.resize(3)
        return np.sum(a)

    def whole_numbers(x):
        a = np.zeros(6, dtype=int)
        np.put(a, [0], x[0])
        return np.sum(a * x)

    for f in (resized, whole_numbers):
        with pytest.raises(sourcegrad.SourcegradError, match=r"stores.py:\d+"):
            sourcegrad.grad(f)(X)
