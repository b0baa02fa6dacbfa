"""Objects in containers that a function finds in globals, closures and attributes."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from tests.zoo import case, program


class Layer:
    """An affine map and a bend."""

    gain = 1.5

    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, x):
        return np.tanh(self.w * x + self.b) * self.gain

    @property
    def slope(self):
        return self.w * self.gain


class Square(Layer):
    """Another class with the same methods."""

    def forward(self, x):
        return self.w * x**2 + self.b


@dataclass
class Spring:
    """A spring with a length at rest."""

    k: float
    rest: float = 0.2

    def energy(self, x):
        return 0.5 * self.k * (x - self.rest) ** 2


class Network:
    """An object that holds a list of others, and is a sequence of them."""

    def __init__(self, layers, scales):
        self.layers, self.scales = layers, scales

    def forward(self, x):
        for layer, scale in zip(self.layers, self.scales, strict=False):
            x = scale * layer.forward(x)
        return x

    def __len__(self):
        return len(self.layers)


NET = [Layer(0.5, 0.1), Square(1.5, -0.2), Layer(-0.7, 0.3)]
SPRINGS = [Spring(1.0), Spring(2.5, -0.4), Spring(0.5, 0.9)]
MODEL = {"enc": Layer(0.3, 0.4), "dec": (Square(0.6, 0.1), Layer(1.1, 0.0))}
WHOLE = Network([Layer(0.8, 0.0), Square(0.4, 0.2)], np.array([1.3, -0.6]))
SCALES = [2.0, -0.5, 0.25]


@case(0.7)
@program("list of objects", "global variable", "loop over objects", issue=3)
def global_layers(x):
    for layer in NET:
        x = layer.forward(x)
    return x


@case(0.7, np.array([0.3, 1.2, -0.4]))
@program("list of objects", "global variable", "zip", argnums=(0, 1), issue=3)
def global_layers_beside_an_array(x, ws):
    total = 0.0
    for k, (layer, w) in enumerate(zip(NET, ws, strict=False)):
        total += w * layer.forward(x) * (k + 1)
    return total


@case(0.4)
@program("list of objects", "global variable", "zip", "comprehension", issue=3)
def global_layers_beside_numbers(x):
    return sum(s * layer.forward(x) for layer, s in zip(NET, SCALES, strict=False))


@case(0.7)
@program("list of objects", "functools.reduce", "lambda", issue=3)
def global_layers_reduced(x):
    return functools.reduce(lambda h, layer: layer.forward(h), NET, x) + len(NET) * x


@case(0.7)
@program("dict of objects", "global variable", issue=3)
def global_objects_by_name(x):
    h = MODEL["enc"].forward(x)
    for part in MODEL["dec"]:
        h = part.forward(h)
    return h * MODEL["enc"].slope


@case(np.array([0.7, -0.2]))
@program("list of objects in an attribute", "global variable", "zip", issue=3)
def global_network(x):
    return np.sum(WHOLE.forward(x)) * len(WHOLE) * WHOLE.layers[0].w


@case(0.6, 2)
@case(0.6, -3)
@program("list of objects", "global variable", "computed index", issue=3)
def global_spring_by_number(x, k):
    nearest = SPRINGS[k]
    return nearest.energy(x) * nearest.k


@case(0.6)
@program("list of objects", "min", "key function", issue=3)
def weakest_global_spring(x):
    weakest = min(SPRINGS, key=lambda s: s.energy(x))
    stiffest = max(SPRINGS, key=lambda s: s.k)
    return weakest.energy(x) * 3.0 + stiffest.energy(x)


@case(0.6, 5)
@program("list of objects", "while", "nested loops", issue=3)
def global_springs_relaxed(x, n):
    while n > 0:
        force = 0.0
        for spring in SPRINGS:
            force -= spring.k * (x - spring.rest)
        x = x + 0.05 * force
        n -= 1
    return sum([s.energy(x) for s in SPRINGS[1:]])


def _stacked(*layers):
    kept = list(layers)

    def forward(x):
        first, *rest = kept
        x = first.forward(x)
        for layer in rest:
            x = x + layer.forward(x)
        return x

    return forward


stacked = _stacked(Layer(0.2, 0.1), Square(0.5, 0.3), Layer(1.4, -0.1))


@case(0.9)
@program("list of objects", "closure", issue=3)
def captured_layers(x):
    return stacked(x) * stacked(0.5 * x)


class Weight:
    """An object with an order of its own."""

    def __init__(self, size, worth):
        self.size, self.worth = size, worth

    def __lt__(self, other):
        return self.size < other.size


@dataclass(order=True)
class Rung:
    """An object that is ordered by its first field, then by the second."""

    height: float
    width: float = 1.0


WEIGHTS = [Weight(0.5, 2.0), Weight(0.1, -1.0), Weight(0.5, 4.0)]
MIXED = [Square(0.6, 0.1), Spring(1.3), Square(-0.4, 0.2)]


def _placed(parts):
    return sum([(k + 1) * p.size * p.worth for k, p in enumerate(parts)])


@case(0.7)
@program("list of objects", "sorted", "order of a class", issue=3)
def objects_by_their_own_order(x):
    mine = [Weight(x, 2.0), Weight(x * x, x), Weight(x, 3.0 * x)]
    last, *rest = sorted(mine, reverse=True)
    rungs = sorted([Rung(x * x, x), Rung(x), Rung(x * x, 0.2)])
    return last.worth * _placed(rest) + rungs[0].width * rungs[2].height


@case(0.7)
@program("list of objects", "sorted", "key function", "global variable", issue=3)
def global_objects_in_order(x):
    by_size = sorted(WEIGHTS)
    by_worth = sorted(WEIGHTS, key=lambda w: w.worth * x, reverse=True)
    return _placed(by_size) * x + _placed(by_worth[:2]) * x**2


@case(0.7)
@program("list of objects", "sort", "remove", "index", mutation=True, issue=3)
def objects_sorted_and_removed(x):
    first, second = Weight(x, 1.5), Weight(x * x, x)
    parts = [first, second]
    parts.append(Weight(0.6, x))
    at = parts.index(second)
    parts.remove(first)
    kept = second in parts and first not in parts
    parts.sort(key=lambda w: -w.size)
    return _placed(parts) * (at + len(parts)) * kept


@case(0.7)
@program("list of objects", "classes mixed", "computed index", issue=3)
def objects_of_several_classes(x):
    total = 0.0
    for k in range(len(MIXED)):
        part = MIXED[k]
        if isinstance(part, Spring):
            total += part.energy(x)
        else:
            total -= part.forward(x)
    return total
