"""Containers of objects and functions that grow, and structures of nodes."""

import functools

import numpy as np

from tests.zoo import case, program


class Layer:
    def __init__(self, weight, bias):
        self.weight = weight
        self.bias = bias

    def __call__(self, x):
        return np.tanh(self.weight * x + self.bias)


class Network:
    def __init__(self, sizes, w):
        self.layers = []
        for before, after in zip(sizes[:-1], sizes[1:], strict=True):
            self.layers.append(Layer(w * before, 0.1 * after))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@case(0.7)
@program("list of objects", "append in a loop", mutation=True, issue=3, analytic=False)
def network_of_layers(w):
    return Network([2, 3, 1], w).forward(0.4)


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.v = self.v - dt * self.x
        self.x = self.x + dt * self.v


@case(0.7)
@program("list of objects", "append in a loop", mutation=True, issue=3)
def particles_that_move(w):
    particles = []
    for i in range(3):
        particles.append(Particle(w * i, 1.0))
    for _ in range(5):
        for p in particles:
            p.step(0.1)
    total = 0.0
    for i in range(len(particles)):
        for j in range(i + 1, len(particles)):
            total += (particles[i].x - particles[j].x) ** 2
    return total


@case(0.7)
@program("dict of objects", mutation=True, issue=3)
def bodies_by_name(w):
    bodies = {}
    for k, name in enumerate(["sun", "earth", "moon"]):
        bodies[name] = Particle(w * k, 1.0)
    for body in bodies.values():
        body.step(0.1)
    return bodies["sun"].x + bodies["earth"].v * bodies["moon"].x


@case(0.7)
@program("list of objects", "list methods", mutation=True, issue=3, analytic=False)
def layers_put_in_order(w):
    layers = [Layer(w, 0.1 * k) for k in range(3)]
    layers[1] = Layer(2 * w, 0.0)
    del layers[0]
    layers.insert(0, Layer(w, w))
    layers = layers + [Layer(1.0, w)]
    layers += [Layer(w, 1.0), Layer(0.0, 0.0)]
    last = layers.pop()
    layers.reverse()
    return sum(layer(0.1) * k for k, layer in enumerate(layers)) + last(w) + len(layers)


@case(0.7)
@program("list of functions", "append in a loop", mutation=True, issue=3)
def functions_of_a_loop(w):
    bound, late = [], {}
    for k in range(3):
        bound.append(lambda x, k=k: x * w + k)
        late[k] = lambda x: x * w + k  # noqa: B023  (late binding is what is shown)
    y = 1.0
    for f in bound:
        y = f(y)
    return y * late[0](w) + late[2](1.0)


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


@case(0.7)
@program("linked list", mutation=True, issue=3)
def linked_list(w):
    head = None
    for i in range(4):
        head = Node(w * i + 1.0, head)
    total, node = 0.0, head
    while node is not None:
        total = total * w + node.value**2
        node = node.left
    return total


@case(0.7)
@program("linked list", mutation=True, issue=3)
def linked_list_turned_round(w):
    head = None
    for i in range(4):
        head = Node(w * i + 1.0, head)
    before = None
    while head is not None:
        following = head.left
        head.left = before
        before, head = head, following
    return before.value + before.left.value**2 * before.left.left.value


def grown(x, depth):
    if depth == 0:
        return None
    return Node(x, grown(x * 0.5, depth - 1), grown(x + 1.5, depth - 1))


def weighed(tree):
    if tree is None:
        return 0.0
    return tree.value**2 + weighed(tree.left) + 0.5 * weighed(tree.right)


@case(0.7)
@program("tree", "recursion", issue=3)
def tree_by_recursion(w):
    return weighed(grown(w, 3))


@case(0.7)
@program("tree", "stack of nodes", mutation=True, issue=3)
def tree_by_a_stack(w):
    stack = [Node(w, Node(2 * w), Node(w**2, None, Node(w + 1)))]
    total, k = 0.0, 1
    while stack:
        node = stack.pop()
        total += node.value**2 * k
        k += 1
        for child in (node.left, node.right):
            if child is not None:
                stack.append(child)
    return total


@case(0.7)
@program("dict union", mutation=True, issue=3)
def union_in_place(x):
    held = {"a": x}
    same = held
    held |= {"b": x**2}
    for i in range(3):
        same |= {i: x * i}
    return held["a"] * same["b"] + held[1] * held[2]


DEPTH = 2
SIZES = [2, 3, 1]
SETTINGS = {"depth": 2, "bias": 0.1}


class Deep:
    DEPTH = 3

    def __init__(self, w):
        self.layers = []
        for k in range(self.DEPTH):
            self.layers.append(Layer(w * k, SETTINGS["bias"]))


@case(0.7)
@program("list of objects", "global variable", mutation=True, issue=3, analytic=False)
def layers_by_globals(w):
    layers = []
    for k in range(DEPTH):
        layers.append(Layer(w * k, 0.1))
    for before, after in zip(SIZES[:-1], SIZES[1:], strict=True):
        layers.append(Layer(w * before, 0.1 * after))
    layers += [Layer(w * SIZES[k], 0.2) for k in range(len(SIZES) - 1)]
    k = 0
    while k < SETTINGS["depth"]:
        layers.append(Layer(w - k, 0.3))
        k += 1
    x = 0.4
    for layer in layers + Deep(w).layers:
        x = layer(x)
    return x


@case(0.7)
@program("list of objects", "change at an index", mutation=True, issue=3)
def bodies_that_attract(x):
    bodies = [Particle(x * k, 0.0) for k in range(3)]
    for _ in range(2):
        for i in range(3):
            for j in range(3):
                if i != j:
                    d = bodies[j].x - bodies[i].x
                    bodies[i].v += 0.01 * d * d
        for body in bodies:
            body.x += body.v
    first = bodies[0]
    return sum(b.x * b.v for b in bodies) + (x if first in bodies else 0.0)


@case(0.7)
@program("linked list", "append at the end", mutation=True, issue=3)
def linked_list_grown_at_the_end(x):
    head = last = Node(x)
    for k in range(3):
        last.left = Node(last.value * x + k)
        last = last.left
    total, node = 0.0, head
    while node:
        total = total * 0.5 + node.value
        node = node.left
    return total * last.value


@case(0.7)
@program("list of functions", "functools.reduce", mutation=True, issue=3)
def functions_put_together(x):
    steps = []
    for k in range(3):
        steps.append(lambda v, k=k: v * x + k)
    whole = functools.reduce(lambda f, g: lambda v: g(f(v)), steps)
    return whole(x)
