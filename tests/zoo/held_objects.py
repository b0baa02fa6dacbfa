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
