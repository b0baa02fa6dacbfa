"""`iter` and `next`: an iterator is a sequence and a place in it."""

import itertools

import numpy as np

from tests.zoo import case, program

X = np.array([0.7, 1.9, 0.3, 1.2, 2.4])


class Powers:
    """An iterator of a class of its own."""

    def __init__(self, x, n):
        self.x, self.n, self.k = x, n, 0

    def __iter__(self):
        self.k = 0
        return self

    def __next__(self):
        if self.k >= self.n:
            raise StopIteration
        self.k += 1
        return self.x**self.k


class Ring:
    """A class that hands out iterators."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


@case(X.copy())
@program("iter", "next", "loop over the rest", mutation=True)
def differences_of_neighbours(x):
    it = iter(x)
    before = next(it)
    total = 0.0
    for v in it:
        total += (v - before) ** 2
        before = v
    return total


@case(X.copy())
@program("next with a default", "while True", mutation=True)
def read_until_none(x):
    it = iter(x)
    total = 0.0
    while True:
        v = next(it, None)
        if v is None:
            break
        total = 0.5 * total + v * v
    return total


@case(X.copy())
@program("StopIteration", mutation=True)
def read_until_stop(x):
    it = iter(x)
    total = 0.0
    try:
        while True:
            total = 0.5 * total + next(it) ** 2
    except StopIteration:
        pass
    return total


@case(X.copy())
@program("next in a loop over the same iterator", "zip of one iterator", mutation=True)
def pairs_of_one_iterator(x):
    it = iter(x * 2.0)
    total = 0.0
    for a in it:
        b = next(it, 1.0)
        total = 0.7 * total + a * b
    same = iter(x)
    for a, b in zip(same, same):
        total += a * b
    rest = iter(x)
    return total + sum(itertools.islice(rest, 2)) * next(rest)


@case(X.copy())
@program("next of a generator expression", mutation=True)
def first_that_fits(x):
    a = next(v for v in x if v > 1.0)
    b = next((v * v for v in x if v > 100.0), x[0])
    i = next(i for i, v in enumerate(x) if v > 2.0)
    return a * b + x[i]


@case(1.3)
@program("__next__", mutation=True)
def own_iterators(x):
    total = 0.0
    for v in Powers(x, 4):
        total += v
    it = iter(Powers(x, 3))
    ring = Ring([x, 2.0 * x, x * x])
    for a in ring:
        for b in ring:
            total += a * b
    return total * next(it) + next(it) + max(ring)


@case(X.copy().reshape(1, 5))
@program("np.ndindex", mutation=True, numba=True)
def by_index_of_all_axes(x):
    y = np.zeros_like(x)
    for i, j in np.ndindex(x.shape):
        y[i, j] = x[i, j] ** 2 * (i - j)
    total = 0.0
    for i, j in np.ndindex(x.shape):
        total += y[i, j] * x[i, j]
    return total


@case(X.copy())
@program("iter", "loop over the rest", mutation=True)
def rest_of_a_tuple(x):
    numbers = iter((x[0] ** 2, x[1] * x[2], x[3], 0.5))
    total = next(numbers)
    for v in numbers:
        total = total * v
        if total < 1.0:
            break
    return max(numbers, default=3.0 * x[4]) * total
