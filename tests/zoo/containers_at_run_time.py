"""Containers whose length, keys or order are known only when the program runs."""

import collections

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7])


@case(1.3)
@program("slice of a list", mutation=True)
def slices_of_a_growing_list(x):
    values = [x, x * x]
    values.append(x**3)
    tail = values[1:]
    return sum(tail) * tail[0] + sum(values[:2]) * 3.0


@case(1.3)
@program("alias of a list", "+=", mutation=True)
def list_extended_under_two_names(x):
    a = [x, x * x]
    b = a
    a += [x**3]
    b[0] = 5.0 * x
    c = a[:]
    c[1] = 0.0
    return sum(a) * a[0] + sum(c)


@case(1.3)
@program("+ and * of lists", mutation=True)
def lists_joined_and_repeated(x):
    values = [x, 2.0 * x, 3.0 * x]
    more = values + [x]
    more[0] = 0.0
    return sum(values * 2) + sum(more) * more[-1]


@case(1.3)
@program("del", "remove", "reverse", mutation=True)
def elements_removed(x):
    values = [x * i for i in range(5)]
    del values[int(x)]
    values.remove(values[0])
    values.reverse()
    return values[0] * values[-1]


@case(1.3)
@program("insert", "sort", "slice store", mutation=True)
def inserted_and_sorted(x):
    s = [x]
    while len(s) < 6:
        s.insert(int(x), s[-1] * x)
    s.sort()
    s[1:3] = [x * x]
    return s[0] * s[1] + s[-1] * s[2]


@case(1.3)
@program("length of a growing list", mutation=True)
def length_of_a_growing_list(x):
    values = [x]
    s = 0.0
    for i in range(3):
        s = s + x * x * len(values)
        values.append(x * i)
    return s * sum(values)


@case(1.3)
@program("membership in a list that changes", mutation=True)
def membership_that_changes(x):
    seen = []
    s = 0.0
    for i in range(4):
        if i in seen:
            s = s * x + x
        else:
            s = s + x * x * 3.0
        seen.append(i + 1)
        if i == 2:
            seen.append(3)
            seen.pop(0)
    return s


@case(1.3)
@program("nested tuples in a list", mutation=True)
def nested_tuples_in_a_list(x):
    rows = []
    for i in range(3):
        rows.append((x * i, (x, 2.0 * x)))
    return rows[0][1][1] * rows[2][0]


@case(1.3)
@program("list of lists", mutation=True)
def rows_with_appended_elements(x):
    rows = []
    for i in range(3):
        rows.append([x * i, x])
    return rows[0][1] * rows[2][0]


@case(1.3)
@program("list of lists", mutation=True)
def rows_changed_by_index(x):
    rows = [[x, 1.0], [2.0, x]]
    rows[0][1] = x * x
    rows[1].append(rows[0][1] * x)
    i = int(x)
    return rows[i][0] * rows[1][2] + rows[0][i]


@case(1.3)
@program("list of lists", "alias", mutation=True)
def row_under_two_names(x):
    row = [0.0]
    rows = [row]
    rows[0][0] = x
    return row[0] * x


@case(1.3)
@program("dict", "loop over keys", mutation=True)
def dict_of_known_keys(x):
    d = {}
    s = 0.0
    for k in ["a", "b", "a"]:
        d[k] = d.get(k, 0.0) + x * 2.0
        s += d[k] * x
    for _, v in d.items():
        s = s + v * v
    return s + sum(d.values())


@case(1.3, 4)
@case(1.3, 1)
@program("dict", "computed keys", "del", mutation=True)
def dict_of_computed_keys(x, n):
    d = {}
    for k in range(n):
        d[k % 2] = d.get(k % 2, 1.0) * x + k
    t = 0.0
    for _, v in d.items():
        t = t + v * 2.0
    del d[0]
    return t + sum(d.values()) * x + len(d)


@case(1.3)
@case(0.4)
@program("dict", "alias", "callee changes a dict", mutation=True)
def dict_under_two_names(x):
    def bump(t):
        t["w"] = t["w"] * x

    d = {"w": x}
    e = d
    bump(d)
    bump(e)
    if x > 1.0:
        e["v"] = x * x
    return d["w"] + d.get("v", 0.5) * len(e)


@case(1.3)
@program("deque", "rotate", mutation=True)
def deque_with_rotation(x):
    q = collections.deque([x, 2.0], maxlen=3)
    for i in range(5):
        q.appendleft(q[0] * q[-1] * 0.5)
        if i == 2:
            q.rotate(1)
    return sum(q)


@case(1.3)
@program("max with key", "sorted with key", issue=3)
def chosen_by_key(x):
    pairs = [(x * i, i) for i in range(4)]
    best = max(pairs, key=lambda p: -p[0] * (p[1] - 2))
    return best[0] * x + sorted(pairs, key=lambda p: -p[1])[0][0]


@case(X.copy())
@program("max with default", "reduce", issue=3)
def extremes_with_defaults(x):
    large = [v for v in x if v > 5.0]
    return max(large, default=x[0]) * min(x, key=lambda v: -v) + max(x[1], 0.9)


class Total:
    """Keeps a sum, by the operators of Python."""

    def __init__(self):
        self.total, self.count = 0.0, 0

    def __iadd__(self, v):
        self.total = self.total * v + v
        self.count += 1
        return self

    def __len__(self):
        return self.count

    def __getitem__(self, k):
        return self.total * k

    @property
    def scaled(self):
        return self.total * 2.0

    @scaled.setter
    def scaled(self, v):
        self.total = v * 0.5


@case(1.3)
@program("special methods", "property setter", issue=3)
def special_methods(x):
    a = Total()
    b = a
    for i in range(3):
        a += x * i
    b.scaled = b.scaled * x
    return b.total * len(a) + a[2] + getattr(a, "count") * x  # noqa: B009


@case(1.3)
@program("recursive inner function", "captured names", issue=3)
def recursive_inner_accumulator(x):
    def power(n, total):
        if n == 0:
            return total
        return power(n - 1, total * x + n)

    return power(3, x)


@case(1.3)
@program("functions made by functions", issue=3)
def nested_factories(x):
    def make(k):
        def inner(z):
            return z * k * x

        return inner

    a, b = make(2.0), make(x)
    return a(b(a(x)))


@case(np.array([0.4, -1.2, 0.9, 1.7]))
@program("starred unpacking of an array", issue=3)
def starred_parts_of_an_array(x):
    first, *rest = x
    *most, last = 2.0 * x
    most.append(first)
    rest[0] *= last
    return sum(r * m for r, m in zip(rest, most)) + len(most) * first


@case(1.3, 3)
@program("stars in displays", issue=3)
def stars_in_displays(x, n):
    seen = []

    def noted(v):
        seen.append(v)
        return v * v

    grown = [x * k for k in range(n)]
    items = [noted(x), *grown, noted(0.5), 2.0]
    items[:] = [np.sin(items[0]), *items[1:]]
    return sum(items) * items[1 + n] + len(seen) + sum(seen)


@case(1.3, 3)
@program("sets", issue=3)
def sets_that_change(x, n):
    chosen = {1}
    chosen |= {3}
    other = set(range(n))
    same = other
    other |= chosen
    other -= {0}
    total = x * len(same)
    for k in range(5):
        if k in same:
            total = total * x + k
    return total


@case(1.3)
@program("walrus in a comprehension", issue=3)
def walrus_in_an_inactive_comprehension(x):
    [(last := v) for v in (0.5, 2.0)]
    return x * last


@case(1.3, 1)
@program("lists made by a comprehension", issue=3)
def inactive_comprehension_that_changes(x, n):
    items = [1.5 for _ in range(3)]
    items.extend(v * x for v in (items[n], items[-2]))
    items.sort(reverse=True)
    items.insert(0, x)
    scales = [lambda v, k=k: v * k for k in (1.0, 0.5)]
    return sum(items) * items[0] + scales[0](x) * scales[1](x)


NAMES = ["a", "b", "c"]


@case(X.copy())
@program("dict comprehension of inactive values, then filled", mutation=True)
def totals_by_name(x):
    totals = {name: 0.0 for name in NAMES}
    for i, name in enumerate(NAMES * 2):
        totals[name] += x[i % 3] ** 2
    key = NAMES[1]
    more = {key: 0.0, "z": 1.0}
    more[key] += x[0] * x[1]
    more["z"] *= more[key]
    return totals["a"] * totals["b"] - totals["c"] + more["z"]


@case(X.copy())
@program("dict.fromkeys", "dict of zip", mutation=True)
def filled_by_keys(x):
    values = dict.fromkeys(NAMES, 0.0)
    for i, key in enumerate(values):
        values[key] = x[i] * 2.0
    others = dict(zip(NAMES, [0.0, 1.0, 2.0]))
    others["b"] = x[0] ** 2
    return values["a"] * values["c"] + others["b"] * others["c"]


@case(X.copy())
@program("dict comprehension along an array", "tuples as keys", mutation=True)
def grid_of_sums(x):
    grid = {(i, j): 0.0 for i in range(3) for j in range(3)}
    for i, j in grid:
        grid[i, j] = x[i] * x[j]
        if (i - 1, j) in grid:
            grid[i, j] += 0.5 * grid[i - 1, j]
    squares = {k: v * v for k, v in enumerate(x) if v > 0.5}
    return max(grid.values()) + grid[2, 2] * sum(squares.values())


@case(np.array([0.3, 0.7, -0.2, 0.5, 0.9]))
@program("Counter", mutation=True, issue=3)
def counted_amounts(x):
    counts = collections.Counter()
    for i, key in enumerate("abcab"):
        counts[key] += x[i] ** 2
    counts.update({"a": x[0]})
    counts.subtract({"b": x[1]})
    first = counts.most_common(1)[0]
    return first[1] * counts.total() + len(counts) + counts["unknown"] + counts["b"]


@case(np.array([0.3, 0.7, -0.2, 0.5]))
@program("OrderedDict", mutation=True, issue=3)
def least_recently_used(x):
    cache, total = collections.OrderedDict(), 0.0
    for key in ["a", "b", "a", "c", "d", "a"]:
        if key in cache:
            cache.move_to_end(key)
            total += cache[key]
        else:
            cache[key] = x[ord(key) - 97] ** 2
            if len(cache) > 2:
                cache.popitem(last=False)
    order = collections.OrderedDict([("u", x[0]), ("v", x[1])])
    order.move_to_end("u")
    for value in order.values():
        total = total * 2.0 + value
    return total * sum(cache.values()) + order.popitem()[1]


def weighed_rest(first, *rest, scale=1.0):
    return (
        first * scale + sum(rest) * len(rest) + sum(r * k for k, r in enumerate(rest))
    )


@case(np.array([0.3, 0.7, -0.2, 0.5]))
@program("star arguments", issue=3)
def rest_of_unknown_length(x):
    first, *middle, last = x
    squares = [v * v for v in x if v > 0]
    return weighed_rest(first, *middle, scale=last) * weighed_rest(*squares)


@case(np.array([0.3, 0.7, -0.2, 0.5]))
@program("dict.pop with a default", "namedtuple", mutation=True, issue=3)
def popped_or_not(x):
    pair = collections.namedtuple("pair", "value weight")
    held = {}
    for k, v in enumerate(x):
        held[k % 3] = pair(v, weight=v * k)
    pairs = sorted([pair(v, v * k) for k, v in enumerate(x)], key=lambda p: p.weight)
    amounts = {k: v for k, v in zip("abcd", x, strict=True) if v > 0.4}
    missing = amounts.pop("a", 2.0) * amounts.pop("b", 1.0)
    return missing * held[0].value + pairs[-1].weight * pairs[0].value
