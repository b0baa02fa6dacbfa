"""Objects and dicts whose number is known at run time only."""

import collections
import dataclasses
import heapq
from dataclasses import dataclass

import numpy as np

from tests.zoo import case, program

Y = np.array([0.7, -0.4, 1.3, 0.2])


@dataclass
class Point:
    x: float
    v: float

    @property
    def product(self):
        return self.x * self.v

    def step(self, dt):
        self.x += dt * self.v
        self.v -= dt * self.x

    def __add__(self, other):
        return Point(self.x + other.x, self.v + other.v)


@dataclass(frozen=True)
class Fixed:
    a: float
    b: float = 2.0


@dataclass(order=True)
class Ordered:
    cost: float
    value: float


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


class Body:
    def __init__(self, mass, position, velocity):
        self.mass = mass
        self.position = position
        self.velocity = velocity


class Node:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None
        self.near = []

    def total(self):
        return self.value + sum(other.value for other in self.near)


class Link:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest


class Held:
    def __init__(self, x):
        self.x = x


# ---------------------------------------------------------------------- dicts


@case(Y)
@program("list of dicts", "comprehension", mutation=True)
def dicts_of_a_comprehension(y):
    rows = [{"v": 2.0 * v, "w": v * v} for v in y]
    return sum(r["v"] * r["w"] for r in rows)


@case(np.array([0.3, 0.7]))
@program("list of dicts", "append in a loop", mutation=True)
def records_in_a_list(x):
    records = []
    for v in x:
        records.append({"value": v * v})
    return sum(r["value"] for r in records)


@case(0.7)
@program("list of dicts", "append in a loop", "item [-1]", mutation=True)
def history_of_a_simulation(x):
    out, t = [], 0.0
    while t < 1.0:
        x = x + 0.1 * np.sin(x)
        t += 0.1
        out.append({"t": t, "x": x})
    return out[-1]["x"] + sum(r["x"] * r["t"] for r in out)


@case(Y)
@program("list of dicts", "item that changes", mutation=True, analytic=False)
def dicts_that_change_in_a_list(y):
    rows = []
    for v in y:
        if v > 0:
            rows.append({"v": v, "n": 1})
    for r in rows:
        r["v"] = r["v"] * 2
        r["n"] += 1
    return sum(r["v"] ** r["n"] for r in rows)


@case(Y)
@program("list of dicts", "two names for one", mutation=True)
def dict_changed_after_it_was_appended(y):
    rows = []
    for v in y:
        r = {"v": v, "w": 0.0}
        rows.append(r)
        r["w"] = v * 3
    a = b = rows[0]
    a["v"] = 5 * a["w"]
    return b["v"] + rows[-1]["w"] ** 2


@case(Y)
@program("list of dicts", "one dict many times", mutation=True)
def one_dict_appended_in_every_trip(y):
    r, out = {"v": 0.0}, []
    for v in y:
        r["v"] = v * v
        out.append(r)
    return sum(q["v"] for q in out)


@case(Y)
@program("list of dicts", "dict.copy", mutation=True)
def copies_of_a_dict_appended(y):
    r, out = {"v": 0.0}, []
    for v in y:
        r["v"] += v * v
        out.append(r.copy())
        out.append(dict(r))
    out[0]["v"] = out[3]["v"]
    return sum(q["v"] ** 2 for q in out)


@case(Y)
@program("list of dicts", "dict filled key by key", mutation=True)
def dicts_filled_key_by_key(y):
    out = []
    for v in y:
        r = {}
        r["a"] = v
        r["b"] = v * v
        out.append(r)
    return sum(r["a"] * r["b"] for r in out)


@case(Y)
@program("list of dicts", "dict.items", "dict.values", mutation=True)
def views_of_dicts_in_a_list(y):
    rows = [{"x": v, "m": 1.0} for v in y]
    total = sum(sum(r.values()) for r in rows)
    return total + sum(v * v for r in rows for k, v in r.items() if k == "x")


@case(Y)
@program("list of dicts", "array in a dict", mutation=True)
def arrays_in_dicts_that_change(y):
    out = []
    for v in y:
        out.append({"b": np.ones(2) * v})
    for r in out:
        r["b"] *= 2
        r["b"][0] += r["b"][1] ** 2
    return sum(np.sum(r["b"]) for r in out)


@case(Y)
@program("list of dicts", "sort by a key", mutation=True, analytic=False)
def dicts_sorted_by_a_key(y):
    rows = [{"v": v} for v in y]
    rows.sort(key=lambda r: r["v"])
    best = max(rows, key=lambda r: r["v"])
    return rows[0]["v"] * 3 + best["v"] ** 2


@case(Y)
@program("dict of lists of dicts", "defaultdict", mutation=True)
def groups_of_dicts(y):
    groups = collections.defaultdict(list)
    for i, v in enumerate(y):
        groups[i % 2].append({"v": v})
    return sum(r["v"] * r["v"] * (k + 2) for k in groups for r in groups[k])


@case(Y)
@program("heap of tuples with a dict", mutation=True, analytic=False)
def dicts_in_a_heap(y):
    heap = []
    for i, v in enumerate(y):
        heapq.heappush(heap, (v * v, i, {"v": v}))
    total, k = 0.0, 1
    while heap:
        cost, i, r = heapq.heappop(heap)
        total += k * cost * r["v"]
        k += 1
    return total


@case(Y)
@program("None, and a dict in a later trip", mutation=True, analytic=False)
def none_or_a_dict(y):
    best = None
    for v in y:
        found = {"loss": v * v, "x": v}
        if best is None or found["loss"] > best["loss"]:
            best = found
    return best["x"] * best["loss"]


# -------------------------------------------------------------------- objects


@case(np.array([0.3, 0.7, -0.2]))
@program("list of objects", "append in a while", mutation=True, analytic=False)
def list_of_objects_by_data(x):
    found = []
    while np.sum(x) > len(found):
        found.append(Fixed(x[0], 0.1))
    total = 0.0
    for layer in found:
        total = total + layer.a * x[1]
    return total


@case(1.2)
@case(0.7)
@program("change of an object by path", mutation=True, analytic=False)
def object_by_path_is_changed(x):
    p, q = Held(x), Held(x * x)
    r = p if x > 1.0 else q
    r.x = 3.0 * x
    return p.x + q.x


@case(Y)
@program("list of objects", "objects that change", mutation=True, analytic=False)
def some_of_the_objects_change(y):
    points = [Point(v, v * v) for v in y]
    for p in [p for p in points if p.x > 0]:
        p.x = p.x * 3
    for p in points:
        p.step(0.1)
    return sum(p.product for p in points)


@case(Y)
@program("list of objects", "one object twice", mutation=True)
def one_object_twice_in_a_list(y):
    out = []
    for v in y:
        p = Point(v, 1.0)
        out.append(p)
        out.append(p)
    for p in out:
        p.x *= 1.5
    return sum(p.x * p.v for p in out)


@case(Y)
@program("list of objects", "objects in objects", mutation=True)
def bodies_of_vectors(y):
    bodies = []
    for k in range(len(y)):
        bodies.append(Body(1.0 + k, Vector(y[k], 0.5 * k), Vector(0.1, y[k] ** 2)))
    for _ in range(3):
        for b in bodies:
            b.position = b.position + b.velocity * 0.1
        for i in range(len(bodies)):
            for j in range(len(bodies)):
                if i != j:
                    pull = bodies[j].position * (0.01 * bodies[j].mass)
                    bodies[i].velocity = bodies[i].velocity + pull
    return sum(b.position.dot(b.velocity) for b in bodies)


@case(Y)
@program("deque of objects", mutation=True, analytic=False)
def objects_in_a_queue(y):
    queue = collections.deque()
    for v in y:
        queue.append(Point(v, 2 * v))
    total = 0.0
    while queue:
        p = queue.popleft()
        total += p.product
        if p.v > 1.0:
            queue.append(Point(p.x * 0.3, p.v * 0.3))
    return total


@case(Y)
@program("list of objects", "dataclasses.replace", mutation=True, analytic=False)
def replaced_objects_in_a_list(y):
    found = [Fixed(v) for v in y]
    found.append(Fixed(y[0], y[1]))
    found = sorted(found, key=lambda f: -f.a)
    other = [dataclasses.replace(f, a=f.a * 2) for f in found]
    return found[0].a * other[1].a * other[2].b


@case(Y)
@program("dict of objects", mutation=True)
def objects_in_a_dict(y):
    points = [Point(v, 1.0) for v in y]
    last = {}
    for i, p in enumerate(points):
        last[i % 2] = p
    last[0].x = 5 * y[3]
    return sum(p.x**2 for p in points)


@case(Y)
@program("list of objects", "objects swapped", mutation=True)
def objects_swapped_in_a_list(y):
    points = [Point(v, 1.0) for v in y]
    a, b = points[0], points[2]
    points[0], points[2] = b, a
    a.x = a.x * 4
    return points[2].x + points[0].x * 10


@case(Y)
@program("list of objects", "order of a dataclass", mutation=True, analytic=False)
def objects_in_their_own_order(y):
    found = [Ordered(v * v, v) for v in y]
    return min(found).value + 3 * max(found).cost


@case(Y)
@program("list of objects", "pop and del", mutation=True, analytic=False)
def objects_taken_out_of_a_list(y):
    points = [Point(v, 1.0) for v in y]
    i = 0
    while i < len(points):
        if points[i].x < 0:
            points.pop(i)
        else:
            i += 1
    del points[0]
    return sum(p.x**2 for p in points)


@case(Y)
@program("None, and an object in a later trip", mutation=True)
def the_object_before(y):
    last = None
    for p in [Point(v, 1.0) for v in y]:
        if last is not None:
            p.x += 0.5 * last.x
        last = p
    return last.x if last else 0.0


@case(Y)
@program("list of objects", "is and in", mutation=True)
def objects_told_apart(y):
    found = [Held(v) for v in y]
    first, seen, total = found[0], [], 0.0
    for p in found + [found[1]]:
        if p is not first and p not in seen:
            total += p.x**2
        seen.append(p)
    return total


# ---------------------------------------------------------- lists of links, trees


@case(Y)
@program("linked list", mutation=True)
def linked_list_by_data(y):
    head = None
    for v in y:
        head = Link(v, head)
    total, weight = 0.0, 1.0
    while head is not None:
        total += weight * head.value**2
        weight += 1
        head = head.rest
    return total


@case(Y)
@program("graph of nodes", mutation=True)
def nodes_that_know_each_other(y):
    nodes = []
    for v in y:
        n = Node(v * v)
        if nodes:
            nodes[-1].near.append(n)
            n.near.append(nodes[0])
        nodes.append(n)
    return sum(n.total() * (k + 1) for k, n in enumerate(nodes))


@case(Y)
@program("tree of nodes", "while", mutation=True, analytic=False)
def tree_filled_by_a_loop(y):
    root = Node(y[0])
    for v in y[1:]:
        n = root
        while True:
            if v < n.value:
                if n.left is None:
                    n.left = Node(v)
                    break
                n = n.left
            else:
                if n.right is None:
                    n.right = Node(v)
                    break
                n = n.right
    stack, total, k = [root], 0.0, 1
    while stack:
        n = stack.pop()
        total += k * n.value**2
        k += 1
        if n.left is not None:
            stack.append(n.left)
        if n.right is not None:
            stack.append(n.right)
    return total


def inserted(node, v):
    if node is None:
        return Node(v)
    if v < node.value:
        node.left = inserted(node.left, v)
    else:
        node.right = inserted(node.right, v)
    return node


def weighted_depth(node, depth):
    if node is None:
        return 0.0
    below = weighted_depth(node.left, depth + 1) + weighted_depth(node.right, depth + 1)
    return depth * node.value**2 + below


@case(Y)
@program("tree of nodes", "recursion", mutation=True, analytic=False)
def tree_filled_by_recursion(y):
    root = None
    for v in y:
        root = inserted(root, v)
    return weighted_depth(root, 1)
