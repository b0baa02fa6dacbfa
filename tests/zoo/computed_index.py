"""Items that a computed index or key chooses: lists, objects, functions, rows."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.5, 1.5, -0.3, 0.8])


class Body:
    def __init__(self, place, mass):
        self.mass, self.place = mass, place


FUNCTIONS = [np.sin, lambda v: v * v, np.exp]
BY_NAME = {"square": lambda v: v * v, "sin": np.sin}


@case(X, 4)
@program("[0.0] * n", mutation=True)
def filled_list(x, n):
    values = [0.0] * n
    for i in range(n):
        values[i] = x[i] ** 2
    more = [0.0] * len(x)
    more[1] = x[0]
    more[2] += x[1] * more[1]
    return sum(values) * values[0] + sum(more)


@case([[0.4, 0.3], [0.2, 0.7]], 2)
@program("matrix as lists", mutation=True)
def product_of_lists(m, n):
    out = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                out[i][j] += m[i][k] * m[k][j]
    return out[0][0] + 2 * out[0][1] * out[1][0]


@case(X[:3])
@program("table of comprehensions", mutation=True)
def table_by_rows(x):
    n = len(x)
    table = [[0.0 for _ in range(n + 1)] for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            best = max(table[i - 1][j], table[i][j - 1])
            table[i][j] = best + x[i - 1] * x[j - 1] * 0.3
    return table[n][n]


@case(X)
@program("rows swapped", mutation=True)
def rows_swapped(x):
    m = [[x[0], x[1]], [x[2], x[3]]]
    m[0], m[1] = m[1], m[0]
    f = m[1][0] / m[0][0]
    m[1] = [a - f * b for a, b in zip(m[1], m[0])]
    return m[0][0] * m[1][1]


@case(X)
@program("rows swapped and written", mutation=True)
def rows_swapped_and_written(x):
    g = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            g[i][j] = x[i] * x[j]
    g[1][2] += 1.0
    g[0], g[2] = g[2], g[0]
    g[0][1] *= x[3]
    return sum([sum(r) for r in g]) + g[0][0] * g[2][2]


@case([Body(X[:2], 2.5), Body(X[2:], 1.5), Body(X[1:3], 0.5)])
@program("objects by computed index", issue=3)
def energy_of_bodies(bodies):
    e = 0.0
    for i in range(len(bodies)):
        for j in range(i + 1, len(bodies)):
            d = bodies[i].place - bodies[j].place
            e -= bodies[i].mass * bodies[j].mass / np.sqrt(np.sum(d * d))
    return e


@case(X, 5)
@program("own objects by computed index", issue=3)
def own_bodies(x, n):
    bodies = [Body(x[:2], x[0]), Body(x[2:], 2.0)]
    s = 0.0
    for k in range(n):
        s += bodies[k % 2].mass * np.sum(bodies[(k + 1) % 2].place) * k
    return s


@case([(0.4, X[:2]), (0.7, X[2:])], 3)
@program("tuples by computed index", issue=3)
def pairs_by_index(pairs, n):
    s = 0.0
    for k in range(n):
        w, v = pairs[k % 2]
        s += w * np.sum(v**2) * (k + 1)
    return s


@case(0.4, 5)
@program("functions by computed index", issue=3)
def functions_by_index(x, n):
    own = [lambda v: v * x, lambda v: v + x]
    for k in range(n):
        x = FUNCTIONS[k % 3](x) + own[k % 2](0.1)
    return x


@case(0.7, ["square", "sin", "square"])
@program("functions by name", issue=3)
def functions_by_name(x, names):
    for name in names:
        x = BY_NAME[name](x) + 0.1
    return x


@case({"a": 0.4, "b": 0.7}, ["b", "a", "b"])
@program("dict argument by computed key", issue=3)
def dict_argument_by_key(d, names):
    s = 1.0
    for name in names:
        s = s * d[name] + d["a"]
    return s


@case(X)
@program("max of a range by key", mutation=True)
def pivot_row(x):
    rows = [x[0] * 2.0, x[1] - 3.0, x[2]]
    p = max(range(3), key=lambda r: abs(rows[r]))
    rows[0], rows[p] = rows[p], rows[0]
    return rows[0] * rows[1] ** 2


@case(0.7)
@program("keys that are no strings", mutation=True)
def keys_of_all_kinds(x):
    d = {-1: x, 2.5: x * x, None: 3 * x, (1, 2): np.exp(x), True: x + 1}
    k = (1, 2)
    d[-1] = d[-1] * 2
    d["a" + "b"] = d[None] * x
    return d[-1] * d[2.5] + d[None] * d[k] + d[True] + d["ab"]


@case(X, 3)
@program("computed keys in a dict display", issue=3)
def display_with_computed_keys(x, n):
    d = {n: x[0], n + 1: x[1] * x[2], f"w{n}": x[3]}
    return d[3] * d[4] + d[f"w{n}"] ** 2


@case(X, 3)
@program("lists swapped by name", mutation=True)
def lists_swapped_by_name(x, n):
    current, new = [0.0] * 3, [0.0] * 3
    keep = current
    for _ in range(n):
        for i in range(3):
            new[i] = current[i - 1] * 0.5 + x[i]
        current, new = new, current
    return sum(current) + keep[0] * x[1]


@case(1.3, 2)
@case(0.3, 1)
@program("lists of two lengths, by path", mutation=True)
def lists_by_path(x, i):
    if x > 1:
        values = [x, x * 2]
    else:
        values = [1.0, x * 3, 4.0]
    values[i % 2] = x * x
    return values[0] * values[1] + sum(values)
