"""Lists, dicts, sets and deques that change."""

import collections

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7])


@case(1.3, 3)
@case(1.3, 1)
@program("append", mutation=True, numba=False)
def appended_list(x, n):
    values = [x]
    for i in range(n):
        values.append(values[-1] * x + i)
    return values[-1] * values[0] + len(values)


@case(X.copy())
@program("append", "extend", "insert", "pop", mutation=True)
def list_methods(x):
    out = []
    for v in x:
        out.append(v**2)
    out.extend([x[0], 1.0])
    out.insert(0, x[1])
    last = out.pop()
    first = out.pop(0)
    out[1] = out[1] * last * 3.0
    return np.sum(np.array(out)) * first


@case(1.3)
@program("item store", "slices", "del", mutation=True)
def list_stores(x):
    values = [x, x * x, 2.0, x * 3.0]
    values[0] = values[1] * x
    values[1:3] = [x, x, x * 2.0]
    del values[-1]
    values += [x * x]
    values[0] *= x
    return values[0] * values[3] + sum(values)


@case(1.3)
@program("stack", mutation=True)
def stack_of_values(x):
    stack = [x]
    total = 0.0
    while stack:
        v = stack.pop()
        total = total + v * x
        if v < 4.0:
            stack.append(v * 1.7)
            stack.append(v + 2.0)
    return total


@case(1.3)
@program("dict stores", mutation=True)
def dict_stores(x):
    d = {}
    for i in range(4):
        d[i] = x if i < 2 else d[i - 1] * d[i - 2]
    d["k"] = d.pop(3) * x
    d.setdefault("m", x * x)
    d.setdefault("k", 0.0)
    d.update({"n": d["k"] * d["m"]}, p=x)
    return d["n"] + d["p"] * len(d)


@case(1.3)
@program("memo", mutation=True)
def memo_table(x):
    memo = {}

    def fib(n):
        if n in memo:
            return memo[n]
        memo[n] = x * n if n < 2 else fib(n - 1) * 0.5 + fib(n - 2) * x
        return memo[n]

    return fib(5)


@case(X.copy())
@program("deque", mutation=True)
def deque_window(x):
    window = collections.deque(maxlen=2)
    total = 0.0
    for v in x:
        window.append(v)
        total = total + sum(window) * window[0]
    return total * window.popleft()


@case(X.copy())
@program("defaultdict", mutation=True)
def default_dictionary(x):
    groups = collections.defaultdict(list)
    for i, v in enumerate(x):
        groups[i % 2].append(v * v)
    total = collections.defaultdict(float)
    for k, values in groups.items():
        total[k] += sum(values) * x[0]
    return total[0] * total[1]


@case(1.3)
@program("alias of a list", mutation=True)
def aliased_lists(x):
    a = b = x * 2.0
    a += 1.0
    c = d = [0.0]
    c[0] = b * x
    d.append(c[0] * x)
    return a * b + d[0] + c[1]


def collect(target, v):
    target.append(v * v)
    return target


@case(1.3)
@program("callee changes a list", mutation=True)
def callee_changes_a_list(x):
    values = []
    collect(values, x)
    same = collect(values, 2.0 * x)
    return values[0] * same[1]


@case(1.3)
@program("list of lists", mutation=True)
def list_of_lists(x):
    grid = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            grid[i][j] = x * i + (grid[i][j - 1] * x if j else 1.0)
    return grid[1][2] * grid[0][1]


@case(X.copy())
@program("sort of a list", "reverse", mutation=True)
def sorted_in_place(x):
    values = [v * v for v in x]
    values.sort(key=lambda v: -v)
    values.reverse()
    return values[0] * 2.0 + values[2] * values[1]


@case(1.3)
@program("growing bound", mutation=True)
def growing_list_as_bound(x):
    values = [x]
    i = 0
    while i < len(values):
        if len(values) < 4:
            values.append(values[i] * x)
        i += 1
    return sum(values)


@case(1.3)
@program("mutable default", mutation=True)
def list_in_a_tuple(x):
    pair = ([x], 2.0)
    pair[0].append(x * x)
    return pair[0][0] * pair[0][1] * pair[1]
