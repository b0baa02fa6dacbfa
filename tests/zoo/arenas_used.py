"""What is done with objects whose number is known at run time only."""

import collections
import copy
import dataclasses
import functools
import itertools
import operator
from dataclasses import dataclass

import numpy as np

from tests.zoo import case, program

Y = np.array([0.7, -0.4, 1.3, 0.2])


@dataclass
class Point:
    x: float
    v: float

    def __iadd__(self, other):
        self.x += other.x
        return self

    @property
    def double(self):
        return self.v * 2

    @double.setter
    def double(self, value):
        self.v = value / 2

    @classmethod
    def of(cls, x):
        return cls(x, x * x)

    def grown(self):
        self.x *= 2
        return self


class Tree:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None


def points_of(y):
    return [Point(v, v * v) for v in y]


@case(Y)
@program("hasattr and getattr", "of an object in a list", mutation=True)
def attributes_by_name(y):
    points = points_of(y)
    total = sum(p.x for p in points if hasattr(p, "x") and not hasattr(p, "w"))
    return total + sum(getattr(p, "w", 2.0) * getattr(p, "v", 7.0) for p in points)


@case(Y)
@program("isinstance and type", "of an object in a list", mutation=True)
def types_of_objects(y):
    points = points_of(y)
    return sum(p.x * p.v for p in points if isinstance(p, Point) and type(p) is Point)


@case(Y)
@program("dataclasses.asdict", "of an object in a list", mutation=True)
def objects_as_dicts(y):
    return sum(sum(dataclasses.asdict(p).values()) for p in points_of(y))


@case(Y)
@program("itertools", "along objects", mutation=True)
def pairs_of_objects(y):
    points = points_of(y)
    for a, b in itertools.combinations(points, 2):
        d = a.x - b.x
        a.v -= d
        b.v += d * d
    total = sum(p.v * p.x for p in points)
    for a, b in itertools.product(points, points):
        total += a.x * b.v
    return total


@case(Y)
@program("reduce and filter", "along objects", mutation=True, analytic=False)
def objects_reduced(y):
    points = points_of(y)
    total = functools.reduce(lambda a, p: a * 0.5 + p.x, points, 0.0)
    return total + sum(p.v for p in filter(lambda p: p.x > 0, points))


@case(Y)
@program("sorted", "attrgetter", "along objects", mutation=True, analytic=False)
def objects_by_attribute(y):
    points = sorted(points_of(y), key=operator.attrgetter("x"))
    return points[0].v * points[1].x


@case(Y)
@program("class pattern", "of an object in a list", mutation=True, analytic=False)
def objects_matched(y):
    points = points_of(y)
    for p in points:
        match p:
            case Point(x=a, v=b) if a > 0:
                p.x = a * b
            case Point():
                p.x = 1.0 * y[1]
    return sum(p.x for p in points)


@case(Y)
@program(
    "property setter", "in-place operator", "of an object in a list", mutation=True
)
def objects_changed_by_methods(y):
    points = [Point.of(v) for v in y]
    first = points[0]
    first += points[1]
    points[2].double = y[3]
    points[1].grown().grown()
    return points[0].x + points[2].v * points[3].double + points[1].x


@case(Y)
@program("generator", "of objects", mutation=True, analytic=False)
def objects_of_a_generator(y):
    points = points_of(y)

    def large():
        for p in points:
            if p.x > 0:
                yield p

    total = 0.0
    for p in large():
        p.x = p.x * 2
        total += p.x
    return total + points[0].x


@case(Y)
@program("setdefault", "groups of objects", mutation=True, analytic=False)
def objects_in_groups(y):
    points, groups = points_of(y), {}
    for p in points:
        groups.setdefault(p.x > 0, []).append(p)
    for group in groups.values():
        mean = sum(p.x for p in group) / len(group)
        for p in group:
            p.x -= mean
    return sum(p.x**2 for p in points)


@case(Y)
@program("tuples with objects", "in a list", mutation=True, analytic=False)
def objects_in_tuples(y):
    points = points_of(y)
    pairs = [(p.x, p) for p in points]
    pairs.sort(key=lambda t: t[0])
    pairs[0][1].v = y[0]
    for k, p in [(i, p) for i, p in enumerate(points)]:
        p.x *= k
    return sum(p.v * p.x for p in points)


@case(Y)
@program("objects that become one", mutation=True, analytic=False)
def objects_joined_to_one(y):
    points = points_of(y)
    while len(points) > 1:
        a = points.pop()
        b = points.pop()
        points.append(Point(a.x * 0.5 + b.x, a.v * b.v))
    return points[0].x + points[0].v


def added(node, value):
    if not isinstance(node, Tree):
        return Tree(value)
    if value < node.value:
        node.left = added(node.left, value)
    else:
        node.right = added(node.right, value)
    return node


def weighted(node, depth=1):
    match node:
        case None:
            return 0.0
        case _:
            below = weighted(node.left, depth + 1) + weighted(node.right, depth + 1)
            return depth * node.value**2 + below


@case(Y)
@program("isinstance", "match None", "tree of nodes", mutation=True, analytic=False)
def nodes_told_from_none(y):
    root = None
    for v in y:
        root = added(root, v)
    return weighted(root)


@case(Y)
@program("list of dicts", "a key added later", mutation=True)
def dicts_that_get_a_key_later(y):
    rows = [{"v": v} for v in y]
    for r in rows:
        r["w"] = r["v"] ** 2
    return sum(r["v"] * r["w"] for r in rows)


@case(Y)
@program("list of objects", "an attribute added later", mutation=True)
def objects_that_get_an_attribute_later(y):
    nodes = [Tree(v) for v in y]
    for k, n in enumerate(nodes):
        n.weight = k * n.value
    return sum(n.value * n.weight for n in nodes)


@case(Y)
@program("list of dicts", "** in a display", mutation=True)
def dicts_made_of_dicts(y):
    rows = [{"v": v} for v in y]
    rows = [{**r, "w": r["v"] ** 2} for r in rows]
    return sum(r["v"] * r["w"] for r in rows)


@case(Y)
@program("copy.copy", "of an object in a list", mutation=True)
def copies_of_objects(y):
    points = points_of(y)
    others = [copy.copy(p) for p in points]
    for p in points:
        p.x = 0.0
    return sum(p.x * p.v for p in others)


@case(Y)
@program("dict of objects", "filled when asked for", mutation=True)
def objects_kept_in_a_dict(y):
    kept = {}

    def point(i):
        if i not in kept:
            kept[i] = Point(y[i], y[i] ** 2)
        return kept[i]

    total = 0.0
    for k in range(7):
        point(k % 3).x += 0.5
        total += point(k % 3).v * point(k % 3).x * k
    return total


@case(Y)
@program("list of dicts", "a queue that begins with numbers", mutation=True)
def states_in_a_queue(y):
    queue, total = [{"n": 0, "c": 0.0}], 0.0
    while queue:
        s = queue.pop(0)
        total += s["c"] ** 2
        if s["n"] < 3:
            for k in range(2):
                queue.append({"n": s["n"] + 1, "c": s["c"] * 0.5 + y[s["n"]] * k})
    return total


class Knot:
    def __init__(self, v, after=None):
        self.v = v
        self.after = after


def knotted(values):
    head = None
    for v in values:
        head = Knot(v, head)
    return head


@case(0.3, np.array([0.2, 0.5]))
@program("linked objects", "walked before others are made", mutation=True)
def walked_before_others_are_made(x, y):
    head = Knot(x, Knot(0.4))
    total, at = 0.0, head
    while at is not None:
        total = np.sin(total + at.v)
        at.v = at.v * total
        at = at.after
    other = knotted(y)
    return total * other.v + head.v


@case(Y)
@program("rows of a table", "grouped by a text of theirs", mutation=True)
def rows_grouped_by_their_text(y):
    rows = [{"id": k, "group": "xy"[k % 2], "value": v} for k, v in enumerate(y)]
    totals = collections.defaultdict(float)
    counts = collections.Counter()
    for row in rows:
        totals[row["group"]] += row["value"]
        counts[row["group"]] += 1
    for row in rows:
        row["above"] = row["value"] - totals[row["group"]] / counts[row["group"]]
    rows.sort(key=lambda row: row["group"])
    return sum(k * row["above"] ** 2 for k, row in enumerate(rows, 1))
