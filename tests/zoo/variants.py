"""Objects of different classes that one name holds by turns."""

from __future__ import annotations

import numpy as np

from tests.zoo import case, program


class Disc:
    """A shape with a radius."""

    sides = 0

    def __init__(self, r):
        self.r = r

    def area(self):
        return np.pi * self.r**2

    @property
    def width(self):
        return 2.0 * self.r


class Box:
    """Another shape, with other attributes."""

    sides = 4

    def __init__(self, a, b):
        self.a, self.b = a, b

    def area(self):
        return self.a * self.b

    @property
    def width(self):
        return np.maximum(self.a, self.b)


class Ramp(Box):
    """A box that is cut in two."""

    def area(self):
        return super().area() / 2.0


SHAPES = [Disc(0.7), Box(0.4, 1.1), Ramp(1.3, 0.2)]


def _shape(x):
    if x > 1.0:
        return Disc(x)
    return Box(x, x * x) if x > 0.5 else Ramp(x, 2.0)


@case(0.7)
@case(-0.7)
@program("classes mixed", "conditional expression", issue=3)
def one_of_two_classes(x):
    shape = Disc(x) if x > 0 else Box(x, 3.0)
    return shape.area() * x + shape.width + shape.sides


@case(0.3)
@case(0.8)
@case(1.2)
@program("classes mixed", "callee", "isinstance", issue=3)
def one_of_three_classes(x):
    shape, other = _shape(x), _shape(x + 0.4)
    if isinstance(shape, Box):
        return shape.a * other.area() + shape.b
    return shape.r * other.width


@case(0.6, 4)
@program("classes mixed", "for", "computed index", issue=3)
def shapes_by_number(x, n):
    total = 0.0
    for k in range(n):
        shape = SHAPES[k % 3] if k > 0 else Disc(x)
        total += shape.area() * x**k
    return total


@case(0.6)
@program("classes mixed", "max", "sorted", "key function", issue=3)
def shapes_by_size(x):
    mine = [Disc(x), Box(x, 2.0), Ramp(3.0, x * x)]
    largest = max(mine, key=lambda s: s.area())
    order = sorted(SHAPES, key=lambda s: s.area() * x)
    return largest.area() * sum([(k + 1) * s.width * x for k, s in enumerate(order)])
