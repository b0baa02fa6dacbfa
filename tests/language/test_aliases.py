"""Names, views, containers and callees that share memory which is written.

Each program is held against differences, in both modes, by `judged.check`.
"""

import collections
import functools
import itertools

import numpy as np
import pytest

from tests.language.judged import check


def sample(low, high, *shape):
    """Numbers between two bounds, the same at every call."""
    return np.random.default_rng(11).uniform(low, high, shape)


def f_zz(a, b):
    a[0] = b[1] * a[1]
    b[2] *= a[0]
    return a * b


def same_twice(x):
    z = x.copy()
    return f_zz(z, z)


def same_twice_view(x):
    z = x.copy()
    return f_zz(z[:3], z[2:])


def closure_store(x):
    a = np.zeros(3)

    def put(i, v):
        a[i] += v * v

    for k in range(6):
        put(k % 3, x[k])
    return a


def closure_counter(x):
    buf = [0.0]

    def add(v):
        buf[0] = buf[0] * 0.5 + v
        return buf[0]

    return np.array([add(v) for v in x])


def nonlocal_acc(x):
    s = 0.0
    a = np.zeros(6)

    def step(i):
        nonlocal s, a
        s = s + x[i] ** 2
        a[i] = s
        if i == 3:
            a = a * 2

    for i in range(6):
        step(i)
    return a * s


def norm_inplace(v):
    v /= np.sqrt(v @ v)
    return v


def callee_returns_arg(a):
    b = a.copy()
    r = norm_inplace(b[0])
    r *= 2
    q = norm_inplace(b[1].copy())
    return b.sum() * q


def first_row(m):
    return m[0]


def callee_returns_view(a):
    b = a.copy()
    v = first_row(b)
    v[1:] = a[1, 1:] ** 2
    return b * first_row(b)


def perm_index(x):
    p = np.arange(6)
    s = 0.0
    a = x.copy()
    for i in range(5):
        j = (i * 2 + 1) % 6
        p[i], p[j] = (p[j], p[i])
        a[p[i]] *= x[p[j]]
        s += a[p[0]] * i
    return s


def growing_bounds(x):
    l = [0]
    s = 0.0
    for i in range(4):
        for k in range(len(l)):
            s += x[k] * x[i] * (k + 1)
        l.append(i)
    return s


def idx_array_changed(x):
    idx = np.array([0, 2, 4])
    a = x.copy()
    for k in range(3):
        a[idx] = a[idx] * x[:3]
        idx += 1
        idx %= 6
    return a


def mask_changed(x):
    m = x > 1
    a = x.copy()
    for k in range(3):
        a[m] *= x[k]
        m = ~m
        m[k] = True
    return a


def scalar_alias_in_array(x):
    a = np.zeros(6)
    t = x[0] * 2
    a[:] = t
    t = t * 3
    a[1] = t
    y = a[2]
    a[2] = 7.0
    return a * y


def row_alias_carry(x):
    a = np.zeros((4, 6))
    row = a[0]
    row[:] = x
    for k in range(1, 4):
        nxt = a[k]
        nxt[1:] = row[:-1] * x[1:]
        nxt[0] = row[-1]
        row = nxt
    return a


def nested_views_loop(b):
    a = b.copy()
    for i in range(3):
        r = a[i]
        s = r[1:]
        s += r[0]
        for j in range(len(s)):
            s[j] *= b[i, j]
    return a


def overlap_shift(x):
    a = x.copy()
    a[1:] = a[:-1] * 2
    a[:-1] += a[1:]
    a[::2] = a[1::2]
    return a


def overlap_reverse(x):
    a = x.copy()
    a[:] = a[::-1] * x
    a[2:] -= a[:-2]
    return a


def transpose_self(a):
    b = a.copy()
    b += b.T
    b[:] = b.T @ a
    b.T[...] = b * b
    return b


def temp_pow(x):
    a = x.copy()
    a **= x
    a[0] **= 2
    a[1:3] **= a[0]
    return a


def zero_d_arrays(x, y):
    a = np.array(x)
    b = a
    a *= y
    c = a + 0
    c -= b
    a[...] = a * b + c
    return a * b


def structured_slices(x):
    s = slice(1, None, 2)
    a = x.copy()
    a[s] = x[s] ** 2
    i = (slice(None), None)
    c = a[i]
    c[0, 0] = 3.0
    return a * c[:, 0]


def ix_store(a):
    b = a.copy()
    b[np.ix_([0, 2], [1, 3])] *= a[:2, :2]
    b[[0, 1], [1, 0]] = a[0, :2]
    b[np.array([[0], [3]]), [0, 1]] += 1.0 * a[0, 0]
    return b


def take_along(a):
    i = np.argsort(a, axis=1)
    b = np.take_along_axis(a, i, 1)
    np.put_along_axis(b, i, a * a, 1)
    return b


def where_store(a):
    b = a.copy()
    i = np.where(a > 1.0)
    b[i] = a[i] ** 3
    j, k = np.nonzero(a < 0.8)
    b[j, k] -= a[k, j]
    return b


def diag_idx(a):
    b = a.copy()
    i = np.diag_indices(4)
    b[i] = a[0]
    b[np.triu_indices(4, 1)] *= 2
    b[np.tril_indices(4, -1)] = 0.0
    return b @ a


def unravel(x):
    g = np.zeros((2, 3))
    for k in range(6):
        i, j = divmod(k, 3)
        g[i, j] = x[k]
        g[np.unravel_index(k, (2, 3))] *= x[0]
    return g


def dict_arrays(x):
    d = {k: np.zeros(6) for k in "ab"}
    d["a"][:] = x
    d["b"][1:] = d["a"][:-1]
    d["a"] *= d["b"]
    d["a"], d["b"] = (d["b"], d["a"])
    return d["a"] * x + d["b"]


def deque_buffer(x):
    q = collections.deque(maxlen=3)
    out = []
    for v in x:
        q.append(v * v)
        out.append(sum(q))
    return np.array(out)


def list_slots(x):
    l = [None] * 6
    for i in range(6):
        l[i] = x[i] * (l[i - 1] if i else 1.0)
    l[2], l[3] = (l[3], l[2])
    return np.array(l) * np.arange(6)


def list_of_rows(b):
    rows = [r.copy() for r in b]
    for i in range(1, 3):
        rows[i] += rows[i - 1]
        rows[i][0] = rows[i - 1][1] ** 2
    return np.array(rows)


def matrix_as_lists(b):
    m = [[0.0] * 4 for _ in range(3)]
    for i in range(3):
        for j in range(4):
            m[i][j] = b[i, j] * (m[i - 1][j] if i else 1.0)
    return sum((sum(r) for r in m)) * m[2][3]


class Layer:
    def __init__(self, w):
        self.w = w
        self.cache = np.zeros_like(w)
        self.n = 0

    def __call__(self, h):
        self.cache[:] = h * self.w
        self.n += 1
        return self.cache

    def update(self, lr):
        self.w -= lr * self.cache


def swap_three(x):
    a, b, c = (x.copy(), np.zeros(6), np.zeros(6))
    for k in range(4):
        c[1:-1] = a[:-2] - b[1:-1] + a[2:] * x[k]
        a, b, c = (c, a, b)
    return a + b * c


def cond_swap(x):
    a, b = (x.copy(), x * 2)
    for k in range(4):
        if x[k] > 1:
            a, b = (b, a)
        a[k] = b[k] ** 2 + a[0]
    return a * b


def while_swap(x):
    u = x.copy()
    v = u.copy()
    n = 0
    while np.max(np.abs(u)) > 0.5 and n < 6:
        v[1:-1] = 0.4 * (u[:-2] + u[2:])
        v[0] = v[-1] = 0
        u, v = (v, u)
        n += 1
    return u * n


def early_exit_store(x):
    a = np.zeros(6)
    for i in range(6):
        if x[i] > 1.3:
            a[i] = x[i]
            break
        for j in range(6):
            if j > i:
                break
            if (i + j) % 2:
                continue
            a[j] += x[i] * x[j]
    else:
        a *= 2
    return a


def early_return(x):
    a = np.zeros(6)
    for i in range(6):
        a[i] = x[i] ** 2
        if a[i] > 1.2:
            return a * x
    return a


def two_args(a, b):
    a[:5] *= b
    b[0] = a[5]
    a[a > 1] = b[0]
    return np.outer(a, b)


def np_ops_mutate(x):
    a = x.copy()
    np.cumsum(a, out=a)
    np.clip(a, 1.0, 3.0, out=a)
    np.add.at(a, [0, 0], x[:2])
    np.negative(a, out=a)
    np.square(a, a)
    return a


def augmented_attr(x):

    class S:
        pass

    s = S()
    s.v = x.copy()
    s.v += 1
    s.v[0] *= 2
    s.t = 0.0
    s.t += x[1]
    w = s.v
    w *= x
    return s.v * s.t


def slices_of_slices(a):
    b = a.copy()
    b[1:][1:][0][1:] = a[0, 1:] ** 2
    b[:, ::-1][:, 0] = a[0]
    b[::-1, ::2][0, 1] *= 3
    return b


def string_dispatch(x):
    a = x.copy()
    for op in ["add", "mul", "rev"]:
        match op:
            case "add":
                a += x
            case "mul":
                a *= x[0]
            case _:
                a[:] = a[::-1]
    return a


def generator_store(x):
    a = np.zeros(6)

    def pairs(n):
        for i in range(n):
            for j in range(i):
                yield (i, j)

    for i, j in pairs(6):
        a[i] += x[j] * x[i]
        a[j] *= 0.9
    return a


def itertools_store(x):
    a = np.zeros(6)
    for i, j in itertools.combinations(range(6), 2):
        a[i] += x[i] * x[j]
    for i, (p, q) in enumerate(itertools.product([0, 1], [2, 3])):
        a[p] *= x[q]
    return a


def reduce_store(x):
    a = np.zeros(6)

    def acc(s, i):
        a[i] = s * x[i]
        return s + a[i]

    t = functools.reduce(acc, range(6), 1.0)
    return a * t


def complex_store(x):
    z = np.zeros(6, complex)
    z[:] = x + 1j * x**2
    z[1:] *= z[0]
    z[0] = z[0].conjugate()
    return np.abs(z)


CASES = [
    (same_twice, (sample(0.5, 1.5, 5),)),
    (same_twice_view, (sample(0.5, 1.5, 5),)),
    (closure_store, (sample(0.5, 1.5, 6),)),
    (closure_counter, (sample(0.5, 1.5, 6),)),
    (nonlocal_acc, (sample(0.5, 1.5, 6),)),
    (callee_returns_arg, (sample(0.5, 1.5, 4, 4),)),
    (callee_returns_view, (sample(0.5, 1.5, 4, 4),)),
    (perm_index, (sample(0.5, 1.5, 6),)),
    (growing_bounds, (sample(0.5, 1.5, 6),)),
    (idx_array_changed, (sample(0.5, 1.5, 6),)),
    (mask_changed, (sample(0.5, 1.5, 6),)),
    (scalar_alias_in_array, (sample(0.5, 1.5, 6),)),
    (row_alias_carry, (sample(0.5, 1.5, 6),)),
    (nested_views_loop, (sample(0.5, 1.5, 3, 4),)),
    (overlap_shift, (sample(0.5, 1.5, 6),)),
    (overlap_reverse, (sample(0.5, 1.5, 6),)),
    (transpose_self, (sample(0.5, 1.5, 4, 4),)),
    (temp_pow, (sample(0.5, 1.5, 5),)),
    (
        zero_d_arrays,
        (
            2.0,
            3.0,
        ),
    ),
    (structured_slices, (sample(0.5, 1.5, 6),)),
    (ix_store, (sample(0.5, 1.5, 4, 4),)),
    (take_along, (sample(0.5, 1.5, 4, 4),)),
    (where_store, (sample(0.5, 1.5, 4, 4),)),
    (diag_idx, (sample(0.5, 1.5, 4, 4),)),
    (unravel, (sample(0.5, 1.5, 6),)),
    (dict_arrays, (sample(0.5, 1.5, 6),)),
    (deque_buffer, (sample(0.5, 1.5, 6),)),
    (list_slots, (sample(0.5, 1.5, 6),)),
    (list_of_rows, (sample(0.5, 1.5, 3, 4),)),
    (matrix_as_lists, (sample(0.5, 1.5, 3, 4),)),
    (swap_three, (sample(0.5, 1.5, 6),)),
    (cond_swap, (sample(0.5, 1.5, 6),)),
    (while_swap, (sample(0.5, 1.5, 6),)),
    (early_exit_store, (sample(0.5, 1.5, 6),)),
    (early_return, (sample(0.5, 1.5, 6),)),
    (
        two_args,
        (
            sample(0.5, 1.5, 6),
            sample(0.5, 1.5, 5),
        ),
    ),
    (np_ops_mutate, (sample(0.5, 1.5, 6),)),
    (augmented_attr, (sample(0.5, 1.5, 6),)),
    (slices_of_slices, (sample(0.5, 1.5, 4, 4),)),
    (string_dispatch, (sample(0.5, 1.5, 6),)),
    (generator_store, (sample(0.5, 1.5, 6),)),
    (itertools_store, (sample(0.5, 1.5, 6),)),
    (reduce_store, (sample(0.5, 1.5, 6),)),
    (complex_store, (sample(0.5, 1.5, 6),)),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, args):
    check(f, *args)
