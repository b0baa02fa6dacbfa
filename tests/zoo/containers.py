"""Tuples, lists and dicts that are built and read, and comprehensions."""

import collections

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7])
Point = collections.namedtuple("Point", "x y")


@case(1.3)
@program("tuples", numba=True)
def tuple_built_and_read(x):
    t = (x, x * x, 3.0)
    a, b, c = t
    return t[0] * t[1] * t[-1] + a * b * c


@case(1.3)
@program("tuples", "nested", numba=True)
def nested_tuples(x):
    t = ((x, x * 2.0), (x * x, 1.0))
    (a, b), (c, d) = t
    return t[1][0] * t[0][1] + a * b * c * d


@case(1.3)
@program("lists")
def list_built_and_read(x):
    values = [x, x * x, 2.0]
    return values[0] * values[-2] + values[1] * len(values) + sum(values)


@case(1.3)
@program("lists", "slices", "concatenation")
def list_slices(x):
    values = [x, x * x, 2.0] + [x * 3.0] * 2
    tail = values[1:]
    return tail[0] * tail[-1] + sum(values[::2]) * tail[1]


@case(1.3)
@program("dicts")
def dict_built_and_read(x):
    d = {"a": x, "b": x * x, 3: 2.0}
    return d["a"] * d["b"] * d[3] + d.get("c", x) + d.get("a", 0.0)


@case(1.3)
@program("containers", "nested")
def nested_containers(x):
    layers = [{"w": x, "b": (x * x, [x, 2.0])}, {"w": 2.0 * x, "b": (1.0, [x])}]
    y = x
    for layer in layers:
        y = y * layer["w"] + layer["b"][0] * layer["b"][1][0]
    return y


@case(1.3)
@program("list comprehension")
def list_comprehension(x):
    values = [x * i for i in range(4)]
    return values[1] * values[3] + sum([v * v for v in values])


@case(1.3)
@program("list comprehension", "condition")
def comprehension_with_condition(x):
    values = [x**i + 1.0 for i in range(5) if i % 2 == 0 if i != 2]
    return values[0] * values[1]


@case(1.3)
@program("list comprehension", "nested")
def nested_comprehensions(x):
    table = [[x * i + j for j in range(3)] for i in range(2)]
    flat = [v * x for row in table for v in row if v > 1.0]
    return sum(flat) * table[1][2]


@case(1.3)
@program("dict comprehension")
def dict_comprehension(x):
    squares = {f"k{i}": x * i for i in range(1, 4)}
    return squares["k1"] * squares["k3"] + sum(squares.values())


@case(X.copy())
@program("generator expression")
def generator_expression(x):
    return sum(v * v for v in x) * sum(x[i] * i for i in range(3) if i > 0)


@case(X.copy())
@program("generator expression", "any", "all", issue=3)
def any_all_of_generators(x):
    y = np.sum(x)
    if any(v > 1.5 for v in x) and all(v > 0.0 for v in x):
        y = y * x[0]
    return y * max(v * v for v in x)


@case((1.3, 0.4))
@program("tuple argument", numba=True)
def tuple_argument(p):
    a, b = p
    return a * b + p[1] * p[1]


@case({"w": X.copy(), "b": 0.3, "name": "dense"})
@program("dict argument")
def dict_argument(params):
    return np.sum(np.tanh(params["w"] * 2.0 + params["b"])) * params["b"]


@case([X.copy(), [0.3, 2.0]])
@program("list argument")
def list_argument(p):
    return np.sum(p[0] * p[1][0]) + p[1][1] ** 2


@case(Point(2.0, 3.0))
@program("namedtuple argument", issue=3)
def namedtuple_argument(p):
    return p.x * p.y + p[1] ** 2


@case(1.3)
@program("namedtuple", issue=3)
def namedtuple_built(x):
    p = Point(x, y=x * x)
    q = p._replace(x=2.0 * x)
    return p.x * q.x + q.y


@case({"one": 1.0, "two": 2.0})
@program("dict argument", "unused leaf")
def dict_key_read_twice(d):
    return d["one"] * 2.0 + d["one"] * 3.0


@case(X.copy())
@program("sorted", "min", "max", issue=3)
def builtins_on_elements(x):
    ordered = sorted(x, reverse=True)
    m = max(x[0], x[1]) + min(x[2], 5.0)
    return ordered[0] * ordered[1] + m + sum(sorted(x, key=lambda v: -v)[:2])


@case(1.3)
@program("dict merge", "unpacking in displays", issue=3)
def unpacking_in_displays(x):
    a = {"p": x, "q": 2.0}
    b = {**a, "q": x * x}
    values = [*b.values(), x]
    return b["p"] * b["q"] + values[1] * values[2] + (a | {"p": 1.0})["q"]


@case(X.copy())
@program("comprehension over zip")
def comprehension_over_zip(x):
    pairs = [(a, b * a) for a, b in zip(x, x[::-1])]
    return sum(p[0] * p[1] for p in pairs)


@case(1.3)
@program("walrus in a comprehension", issue=3)
def walrus_in_a_comprehension(x):
    last = 0.0
    values = [last := last * x + i for i in range(3)]
    return values[1] * last


@case(1.3, 1)
@case(1.3, -1)
@program("tuples", "variable index")
def tuple_with_variable_index(x, k):
    t = (x, x * x, x * x * x)
    return t[k] * x


@case(1.3)
@program("list", "loop over indices")
def list_indexed_in_a_loop(x):
    values = [x, 2.0, x * x]
    s = 1.0
    for i in range(len(values)):
        s = s * values[i] + values[i - 1]
    return s
