"""Classes: methods, attributes, properties, constructors, dataclasses."""

import abc
import collections
import dataclasses
import functools
import logging

import numpy as np

from tests.zoo import case, program


class Spring:
    rest = 0.5

    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * (x - self.rest) ** 2

    @staticmethod
    def cube(x):
        return x**3

    @classmethod
    def scaled(cls, x):
        return x * x * cls.rest

    @property
    def stiff(self):
        return self.k * 10.0

    def uses_property(self, x):
        return self.stiff * x + self.energy(x)

    def __call__(self, x):
        return self.energy(x) * 3.0


class Damped(Spring):
    def __init__(self, k, c):
        super().__init__(k)
        self.c = c

    def energy(self, x):
        return super().energy(x) - self.c * x


SPRING = Spring(4.0)
DAMPED = Damped(3.0, 0.2)


@dataclasses.dataclass
class Layer:
    weight: np.ndarray
    bias: float
    activation: str = "tanh"

    def forward(self, x):
        return np.tanh(self.weight @ x + self.bias)


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def norm2(self):
        return self.x * self.x + self.y * self.y


class Cell:
    def __init__(self):
        self.state = 0.0
        self.history = []

    def step(self, x):
        self.state = np.tanh(self.state + x)
        self.history.append(self.state)
        return self.state


@case(1.3)
@program("methods", "properties", issue=3)
def methods_of_a_global_object(x):
    return SPRING.uses_property(x) + Spring.cube(x) + SPRING.scaled(x) + SPRING(x)


@case(1.3)
@program("inheritance", "super", issue=3)
def inheritance(x):
    return DAMPED.energy(x) * x + DAMPED(x) + DAMPED.stiff


@case(1.3)
@program("constructor", issue=3)
def constructor(x):
    s = Spring(x * x)
    return s.energy(x) + s.stiff * s.k


@case(1.3)
@program("attribute store", issue=3)
def attribute_store(x):
    s = Spring(1.0)
    s.k = x * x
    s.k += x
    s.rest = x * 0.1
    return s.energy(x) * s.k


@case(Layer(np.array([[0.5, -0.3], [0.2, 0.9]]), 0.1), np.array([0.4, 1.2]))
@program("dataclass argument", argnums=(0, 1), issue=3)
def dataclass_argument(layer, x):
    return np.sum(layer.forward(x)) * layer.bias


@case(Spring(4.0), 1.3)
@program("object argument", argnums=(0, 1), issue=3)
def object_argument(spring, x):
    return spring.energy(x) * spring.k + spring.stiff


@case(1.3, 0.4)
@program("operators of a class", argnums=(0, 1), issue=3)
def operators_of_a_class(x, y):
    v = Vector(x, y) + Vector(y * 2.0, x * y)
    return v.norm2() * v[0]


@case(1.3)
@program("state of an object", issue=3)
def state_of_an_object(x):
    cell = Cell()
    total = 0.0
    for i in range(3):
        total = total + cell.step(x * (i + 1) * 0.2) * x
    return total * cell.history[1] + cell.state


@case(1.3)
@program("dataclass", "replace", issue=3)
def dataclass_built(x):
    layer = Layer(np.array([[x, 1.0]]), x * x)
    other = dataclasses.replace(layer, bias=2.0 * x)
    return np.sum(layer.forward(np.array([1.0, x]))) + other.bias * layer.bias


@case(1.3)
@program("local class", issue=3)
def local_class(x):
    class Local:
        def __init__(self, w):
            self.w = w

        def apply(self, z):
            return self.w * z * x

    return Local(x).apply(x) + Local(2.0).apply(3.0)


def stiff_spring(k):
    spring = Spring(k)
    spring.k = spring.k * 2.0
    return spring


@case(1.3)
@program("object made by a function", issue=3)
def object_made_by_a_function(x):
    spring = stiff_spring(0.2)
    spring.k = spring.k * x
    return spring.energy(x) + stiff_spring(0.5).energy(2.0 * x)


class Gain:
    def __init__(self, w):
        self.w = w

    def __add__(self, other):
        return type(self)(self.w + other.w)

    def of(self, v):
        return self.w * v


class SquaredGain(Gain):
    def of(self, v):
        return super().of(v) ** 2


@case(1.3)
@program("type of an object", issue=3)
def type_of_an_object(x):
    both = SquaredGain(0.5) + Gain(x)
    return both.of(x) + type(both)(x).of(2.0)


class Shape(abc.ABC):
    """An abstract base class."""

    @abc.abstractmethod
    def area(self): ...

    def scaled(self, factor):
        return self.area() * factor


class Disc(Shape):
    """A shape."""

    def __init__(self, r):
        self.r = r

    def area(self):
        return 3.0 * self.r**2


class Block(Shape):
    """Another one."""

    def __init__(self, w, h):
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h


@case(1.3)
@program("abstract base class", "logging", issue=3)
def abstract_shapes(x):
    shapes = [Disc(x), Block(x, 2.0 * x)]
    total = 0.0
    for k, shape in enumerate(shapes):
        total += shape.scaled(k + 1.0)
        logging.getLogger("shapes").debug("shape %s of area %s", k, shape.area())
    return total


class Mass:
    """A particle that is pushed about."""

    def __init__(self, x, v):
        self.x, self.v = x, v

    def push(self, force):
        self.v = self.v + 0.1 * force
        self.x = self.x + self.v


@case(1.3, 3)
@program("objects changed in nested loops", mutation=True, issue=3)
def pushed_particles(x, n):
    masses = [Mass(x, 0.0), Mass(x * x, 1.0)]
    named = {"a": Mass(x, x), "b": Mass(2.0, x)}
    for _ in range(n):
        for mass in masses:
            mass.push(-mass.x)
        for name, mass in named.items():
            mass.push(0.5 * masses[0].x)
        named["a"].x += named["b"].x
    return masses[0].x * masses[1].v + named["a"].x * named["b"].v


@case(1.3)
@program("truth of a queue in a while loop", mutation=True, issue=3)
def drained_queue(x):
    queue = collections.deque([(0, x)])
    total = 0.0
    while queue:
        level, v = queue.popleft()
        total += v * v / (level + 1)
        if level < 2:
            queue.append((level + 1, v * x))
            queue.append((level + 1, v + 1.0))
    return total


class Lens:
    """A class with a cached property."""

    def __init__(self, f):
        self.f = f

    @functools.cached_property
    def power(self):
        return 1.0 / self.f


@functools.total_ordering
class Price:
    """Ordered by one method and equality."""

    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v

    def __eq__(self, other):
        return self.v == other.v


class Stopwatch:
    """A context manager that keeps what it measured."""

    def __enter__(self):
        self.start = 2.0
        return self

    def __exit__(self, *exception):
        self.elapsed = 3.0 - self.start
        return False


@functools.singledispatch
def weight(thing):
    return 1.0


@weight.register
def _(thing: int):
    return thing * 2.0


@case(1.3)
@program("cached property", "total_ordering", "singledispatch", issue=3)
def cached_and_ordered(x):
    lens = Lens(x)
    a, b = Price(lens.power), Price(x * x)
    best = a if a > b else b
    return best.v * lens.power * weight(3) + weight("a") * x


@case(1.3)
@program("assert on an object", "f-string of a dict", "error about an object", issue=3)
def checked_objects(x):
    with Stopwatch() as watch:
        sizes = {}
        for k in range(3):
            sizes[k] = x**k
    assert watch.elapsed >= 0.0, f"clock {watch.elapsed}"
    assert len(sizes) == 3 and sizes[2] < 10.0, f"no {sizes['such key']}"
    if sizes[1] > 100.0:
        raise ValueError(watch)
    print(f"{sizes[1]} of {len(sizes)}")
    return sizes[2] * watch.elapsed
