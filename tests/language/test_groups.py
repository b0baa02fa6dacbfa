"""Groups: dicts and lists of lists that a program fills as it goes.

Lists of arrays and of tuples within other containers, and what is looked up before the
compiler has met what is put there: `if k in d: d[k].append(v)`, `else: d[k] = [v]`.

Every program is held against differences, in both modes, by `judged.check`.
"""

from __future__ import annotations

import collections

import numpy as np
import pytest

from tests.language.judged import check

A = np.array([[1.0, 2.0], [0.5, -1.0]])
X = np.array([0.3, 0.8])


def grouped_by_default(x, n):
    d = {}
    for i in range(2 * n):
        d.setdefault(i % 2, []).append(A @ x * i)
    return np.sum(np.array(d[0])) * np.sum(d[1][1])


def edges_with_weights(x, n):
    adj = {i: [] for i in range(n)}
    for i in range(n):
        adj[(i + 1) % n].append((i, A @ x * i))
    o = 0.0
    for i in adj:
        for j, w in adj[i]:
            o = o + w @ x * j
    return o


def levels_of_a_tree(x, n):
    lev = [[x * i for i in range(4)]]
    while len(lev[-1]) > 1:
        cur = lev[-1]
        nxt = []
        for k in range(0, len(cur), 2):
            nxt.append(A @ cur[k] + cur[k + 1])
        lev.append(nxt)
    return np.sum(lev[-1][0]) * lev[1][1][0]


def groups_changed_by_key(x, n):
    d = collections.defaultdict(list)
    for i in range(2 * n):
        d[i % 2].append(A @ x * i)
    for k in d:
        d[k][0] = A.T @ d[k][1]
        d[k] = d[k][:2]
    return d[0][0] @ d[1][1] + d[1][0] @ A @ d[0][1]


def grid_of_arrays_permuted(x, n):
    grid = [[A @ x * (i + j) for j in range(2)] for i in range(n)]
    for i in range(1, n):
        grid[i][0] = A @ grid[i - 1][1]
        grid[i], grid[0] = grid[0], grid[i]
    return grid[0][0] @ grid[1][1] + np.sum(np.array(grid)[2, 1])


def row_made_again(x, n):
    grid = [[x * (i + j) for j in range(2)] for i in range(n)]
    for i in range(1, n):
        row = grid[i]
        row[0] = A @ row[1]
        grid[i] = [row[1], row[0]]
    return grid[0][0] @ grid[1][1]


def one_row_under_two_keys(x, n):
    d = {}
    for i in range(2 * n):
        d.setdefault(i % 2, []).append(A @ x * i)
    e = d[0]
    e[1] = A @ d[1][0]
    d[1] = e
    d[1].append(x)
    return np.sum(np.array(d[0])) * d[1][-1][0]


def lists_that_change_hands(x, n):
    a, b = [A @ x], [x]
    for i in range(n):
        a.append(A @ b[-1])
        a, b = b, a
    return np.sum(a[-1]) * b[0][0]


def one_of_two_lists(x, n):
    a = [A @ x]
    b = a if x[0] > 0 else [x]
    b.append(A @ a[0])
    a[0] = b[1] * x
    return np.sum(b[0]) * a[-1][0]


def row_in_two_places(x, n):
    rows = [[(i, x * i)] for i in range(n)]
    rows[0].append((5, A @ x))
    rows[1] = rows[0]
    rows[1].append((3, x))
    o = 0.0
    for r in rows:
        for k, u in r:
            o = o + k * u[0] * u[1]
    return o


def rows_that_shrink_and_grow(x, n):
    rows = [[x * i, A @ x] for i in range(n)]
    for i in range(n - 1):
        u = rows[i].pop()
        rows[i + 1].append(A @ u)
        rows[i + 1][0] = u * rows[i][0]
    return np.sum(rows[-1][0]) + np.sum(rows[-1][-1] @ rows[1][0])


def numbers_that_move_between_rows(x, n):
    rows = [[x[0] * i, x[1]] for i in range(n)]
    for i in range(n - 1):
        u = rows[i].pop()
        rows[i + 1].append(3 * u)
        rows[i + 1][0] = u * rows[i][0]
    return rows[-1][0] + rows[-1][-1] * rows[1][0]


def stack_of_rows(x, n):
    stack = [[x]]
    while len(stack) < 4:
        top = stack[-1]
        stack.append([A @ u for u in top] + [x])
    while stack:
        top = stack.pop()
        if len(top) > 2:
            last = top[2] * top[0]
    return np.sum(last)


def rows_exchanged_by_key(x, n):
    q = {"a": [x, x], "b": [A @ x]}
    for k in ["a", "b", "a"]:
        q[k] = [A @ u for u in q[k]]
        q[k].append(q["b"][0])
        q["b"], q["a"] = q["a"], q["b"]
    return sum(np.sum(u) for u in q["a"]) * q["b"][0][0]


def rows_of_tuples_changed(x, n):
    d = {}
    for i in range(2 * n):
        d.setdefault(i % 2, []).append((A @ x * i, x[0] * i))
    for k in d:
        u, v = d[k][0]
        d[k][1] = (u * v, v * v)
        d[k].pop(0)
    return sum(np.sum(u) * v for k in d for u, v in d[k])


def copies_of_groups(x, n):
    d = {}
    for i in range(2 * n):
        d.setdefault(i % 2, []).append(A @ x * i)
    f = dict(d)
    f[0] = d[1]
    f[0][0] = A @ x
    g = {k: list(v) for k, v in d.items()}
    g[1][0] = x * 7
    return np.sum(np.array(d[1])) + np.sum(f[0][0]) * g[1][0][1] + d[1][0][0]


def rows_sorted_and_turned(x, n):
    d = {}
    for i in range(2 * n):
        d.setdefault(i % 2, []).append(x if i % 3 else A @ x)
    d[0].sort(key=lambda u: -u[0])
    d[1] = d[1][::-1]
    d[1].extend(d[0])
    d[0].insert(0, x * 3)
    del d[1][0]
    return np.sum(d[0][1]) * np.sum(d[1][0] @ d[1][-1])


def rows_met_in_a_try(x, n):
    d = {}
    for i in range(2 * n):
        d.setdefault(i % 2, []).append(x * i)
    try:
        for i in range(3):
            d[i].append(A @ d[i][-1])
    except KeyError:
        d[0][0] = d[1][-1]
    return np.sum(d[0][1] + d[0][0]) * np.sum(d[1][0] @ d[1][-1])


def put(d, k, v):
    if k in d:
        d[k].append(v)
    else:
        d[k] = [v]
    return d[k]


def grouped_by_a_callee(x, n):
    d = {}
    for i in range(2 * n):
        r = put(d, i % 2, x[0] * i)
        if len(r) > 2:
            r[0] = r[1] * r[2]
    return d[0][1] * d[1][0] + d[0][0]


def arrays_grouped_by_a_callee(x, n):
    d = {}
    for i in range(2 * n):
        put(d, i % 2, A @ x * i)
    return np.sum(d[0][1] * d[1][0])


class Part:
    def __init__(self, v):
        self.v = v
        self.n = 1

    def add(self, v):
        self.v = self.v + v * self.n
        self.n += 1
        return self


def append_or_begin(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            d[k].append(x[0] * i)
        else:
            d[k] = [x[1]]
    return d[0][1] * d[1][0]


def append_an_array_or_begin(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            d[k].append(A @ x * i)
        else:
            d[k] = [x]
    return d[0][1] @ d[1][0]


def append_or_begin_by_try(x, n):
    d = {}
    for i in range(2 * n):
        try:
            d[i % 2].append(x[0] * i)
        except KeyError:
            d[i % 2] = [x[1]]
    return d[0][1] * d[1][0] + d[0][0]


def get_and_join(x, n):
    d = {}
    for i in range(2 * n):
        d[i % 2] = d.get(i % 2, []) + [x[0] * i]
    return d[0][1] * d[1][0] + d[0][0]


def least_by_key(x, n):
    best = {}
    for i in range(2 * n):
        k = i % 2
        v = np.sin(x[0] * i)
        if k in best:
            if v < best[k]:
                best[k] = v
        else:
            best[k] = v
    return best[0] * best[1]


def add_or_begin(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            d[k] += x[0] * i
        else:
            d[k] = x[1]
    return d[0] * d[1]


def records_by_key(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            d[k]["n"] += 1
            d[k]["s"] += x[0] * i
        else:
            d[k] = {"n": 1, "s": x[1]}
    return d[0]["s"] / d[0]["n"] * d[1]["s"]


def running_means(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            m, c = d[k]
            d[k] = (m + (x[0] * i - m) / (c + 1), c + 1)
        else:
            d[k] = (x[1] * i, 1)
    return d[0][0] * d[1][0] + d[0][1]


def pairs_by_key(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            d[k][1] = d[k][0] * x[0]
            d[k][0] += x[1] * i
        else:
            d[k] = [x[1] * i, 1.0]
    return d[0][0] * d[1][1] + d[0][1]


def objects_by_key(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        p = d.get(k)
        if p is None:
            p = Part(x[1] * i)
            d[k] = p
        else:
            p.add(x[0] * i)
    return d[0].v * d[1].v + d[0].n


def arrays_that_grow_by_key(x, n):
    d = {}
    for i in range(2 * n):
        k = i % 2
        if k in d:
            d[k] = np.concatenate([d[k], x * i])
        else:
            d[k] = x
    return np.sum(d[0]) * d[1][2]


def last_of_a_list_that_may_be_empty(x, n):
    hist = []
    for i in range(n + 3):
        if len(hist) > 2:
            hist[-1].append(x[0] * i + hist[-2][0])
        else:
            hist.append([x[1] * i])
    return sum(sum(h) for h in hist)


def memo_in_a_recursion(x, n):
    cache = {}

    def f(k):
        if k in cache:
            return cache[k]
        if k < 2:
            r = x[k]
        else:
            r = f(k - 1) * x[0] + f(k - 2)
        cache[k] = r
        return r

    return f(n + 2)


def best_so_far(x, n):
    best = None
    arg = None
    for i in range(n):
        v = np.sin(x[0] + i) * x[1]
        if best is None or v > best:
            best, arg = v, i
    return best * arg


def order_of_keys(x, n):
    seen = {}
    order = []
    for i in range(2 * n):
        k = str(i % 3)
        if k in seen:
            seen[k] = seen[k] * x[0]
        else:
            seen[k] = x[1] + i
            order.append(k)
    return sum(seen[k] * (j + 1) for j, k in enumerate(order))


ROWS = [
    grouped_by_default,
    edges_with_weights,
    levels_of_a_tree,
    groups_changed_by_key,
    grid_of_arrays_permuted,
    row_made_again,
    one_row_under_two_keys,
    lists_that_change_hands,
    one_of_two_lists,
    row_in_two_places,
    rows_that_shrink_and_grow,
    numbers_that_move_between_rows,
    stack_of_rows,
    rows_exchanged_by_key,
    rows_of_tuples_changed,
    copies_of_groups,
    rows_sorted_and_turned,
    rows_met_in_a_try,
]

IDIOMS = [
    grouped_by_a_callee,
    arrays_grouped_by_a_callee,
    append_or_begin,
    append_an_array_or_begin,
    append_or_begin_by_try,
    get_and_join,
    least_by_key,
    add_or_begin,
    records_by_key,
    running_means,
    pairs_by_key,
    objects_by_key,
    arrays_that_grow_by_key,
    last_of_a_list_that_may_be_empty,
    memo_in_a_recursion,
    best_so_far,
    order_of_keys,
]


@pytest.mark.parametrize("program", [*ROWS, *IDIOMS], ids=lambda p: p.__name__)
def test_program(program):
    check(program, X, 3)


def window(x, n):
    w, total = collections.deque(maxlen=3), 0.0
    for i in range(n + 3):
        w.append(x[0] * i + x[1])
        total += np.mean(w) * np.exp(w).sum() + np.dot(w, np.arange(len(w)))
        total += np.linalg.norm(w) + np.array(w)[0] * np.std(w)
    return total


def window_of_arrays(x, n):
    w = collections.deque([x], maxlen=3)
    for _ in range(n):
        w.appendleft(A @ w[-1])
        if len(w) > 2:
            w[1] = w[0] + A @ w[1]
    return np.sum(np.vstack(w) @ A) * np.asarray(w)[0, 1]


@pytest.mark.parametrize("program", [window, window_of_arrays])
def test_a_deque_given_to_numpy(program):
    check(program, X, 3)
