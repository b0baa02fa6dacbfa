"""What the compiler knows that it cannot follow: each of these is refused with a line,
a reason and a way out."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.7, 1.9, 0.3])


class Mass:
    def __init__(self, v):
        self.v = v


class Gauge:
    def __init__(self, v):
        self.v = v

    @property
    def turned(self):
        self.v = self.v * 0.5
        return 1


def raised_after_a_store(a, v, depth):
    a[depth] = v * v
    if depth == 0:
        raise ValueError
    return raised_after_a_store(a, v * 2.0, depth - 1)


@case(X.copy())
@program(
    "recursion in a try that raises after it has stored", refused="recursion in a try"
)
def recursion_caught(x):
    a = x * 1.0
    try:
        raised_after_a_store(a, x[0], 2)
    except ValueError:
        a[1] += 1.0
    return np.sum(a)


@case(1.3)
@program(
    "property that stores, in a statement that raises in a try", refused="try block"
)
def property_before_an_error(x):
    gauge, r = Gauge(x), 1.0
    try:
        r = None + gauge.turned
    except TypeError:
        r = x
    return r + gauge.v


@case(X.copy())
@program("objects beside numbers in a list that grows", refused="different things")
def objects_beside_numbers(x):
    items = [Mass(x[0])]
    for v in x:
        items.append(v if v > 0.5 else Mass(v))
    return items[0].v * x[1]


@case(X.copy())
@program("next of a generator without an end", refused="next")
def next_of_an_endless_generator(x):
    def steps():
        v = x[0]
        while True:
            v = np.sin(v)
            yield v

    numbers = steps()
    return next(numbers) + x[1] * next(numbers)
