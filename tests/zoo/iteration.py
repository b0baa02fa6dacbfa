"""Generators and `itertools`."""

import itertools
import math
import operator

import numpy as np

from tests.zoo import case, program

X = np.array([0.5, 1.5, -0.3, 0.8])
P = np.array([0.5, 1.5, 0.3, 0.8])


def windows(x, n):
    for i in range(len(x) - n + 1):
        yield x[i : i + n]


def flat(tree):
    if isinstance(tree, list):
        for part in tree:
            yield from flat(part)
    else:
        yield tree


class Table:
    def __init__(self, rows):
        self.rows = rows

    def cells(self):
        for row in self.rows:
            yield from row

    def __iter__(self):
        for row in self.rows:
            yield sum(row)


class Mass:
    def __init__(self, place, weight):
        self.place, self.weight = place, weight


@case(0.3)
@program("generator", issue=3)
def series_by_a_generator(x):
    def terms(n):
        t = 1.0
        for k in range(n):
            t = t * x / (k + 1)
            yield k, t

    total = 0.0
    for k, t in terms(5):
        total = total + t * k
    return total + sum(t for _, t in terms(3)) + max([t for _, t in terms(3)])


@case(X)
@case(P)
@program("generator and break", issue=3)
def generator_left_early(x):
    s = 0.0
    for k, w in enumerate(windows(x, 2), 1):
        if w[0] < 0:
            break
        if w[1] > 1.2:
            continue
        s += w[0] * w[1] * k
    else:
        s *= 3.0
    return s


@case(X)
@case(P)
@program("generator and return", issue=3)
def generator_left_by_return(x):
    for w in windows(x, 2):
        for v in w:
            if v < 0:
                return w[0] * v
    return x[0]


@case(0.3)
@program("generator without end", issue=3)
def newton_by_a_generator(y):
    def steps():
        z = y
        while True:
            yield z
            z = 0.5 * (z + y / z)

    for k, z in enumerate(steps()):
        last = z
        if k > 4:
            break
    return last * y


@case(X)
@program("generator with effects", mutation=True)
def generator_and_reader_share_state(x):
    state = np.zeros(2)

    def sums():
        for v in x:
            state[0] += v
            yield state[0] * v
            state[0] *= 0.5

    s = 0.0
    for y in sums():
        state[0] += y
        s += y * y
    return s + state[0]


@case([0.4, [0.2, 0.9], [[0.1]]])
@program("yield from", issue=3)
def leaves_by_yield_from(tree):
    return sum(v * v for v in flat(tree))


@case(np.array([[0.3, 0.7], [0.2, 0.4]]))
@program("generator methods", issue=3)
def cells_of_a_table(x):
    table = Table([[x[0, 0], x[0, 1]], [x[1, 0], x[1, 1]]])
    return sum(v * v for v in table.cells()) + math.prod(table)


@case(0.6)
@program("generators in a row", issue=3)
def generators_in_a_row(x):
    def lines(n):
        for k in range(n):
            yield k * x

    def squares(values):
        for v in values:
            yield v * v

    return sum(squares(lines(4))) + sum(v for v in squares(lines(2)))


@case(X)
@program("itertools.accumulate", issue=3)
def accumulated(x):
    sums = list(itertools.accumulate(x))
    products = list(itertools.accumulate(x, operator.mul))
    decayed = list(itertools.accumulate(x, lambda a, b: a * 0.5 + b, initial=1.0))
    return sums[2] * products[3] + decayed[-1] + sum(sums)


@case(X)
@program("itertools.chain", "itertools.islice", issue=3)
def chained_and_sliced(x):
    s = 0.0
    for v in itertools.chain(x[:2], [x[3] * 2], x):
        s += v**2
    for v in itertools.islice(x, 1, 3):
        s += v * s
    for k, v in enumerate(itertools.islice(itertools.cycle([x[0], x[1]]), 5)):
        s += k * v
    return s


@case(X)
@program("itertools.product", "itertools.combinations", issue=3)
def products_and_combinations(x):
    s = 0.0
    for i, j in itertools.product(range(4), range(4)):
        s += x[i] * x[j] * (i - j) ** 2
    for a, b in itertools.product(x, [1.0, x[0]]):
        s += a * b
    for a, b in itertools.combinations(x, 2):
        s += a * b**2
    for i, j in itertools.permutations(range(4), 2):
        s += x[i] * x[j] ** 2
    return s


@case(X)
@program("pairs of objects", issue=3)
def pairs_of_masses(x):
    masses = [Mass(x[:2], 1.0), Mass(x[2:], 2.0), Mass(x[1:3], x[0])]
    energy = 0.0
    for a, b in itertools.combinations(masses, 2):
        d = a.place - b.place
        energy -= a.weight * b.weight / np.sqrt(np.sum(d * d) + 0.1)
    return energy


@case(X)
@program("itertools.pairwise", "itertools.zip_longest", "itertools.repeat", issue=3)
def pairwise_and_longest(x):
    s = sum((b - a) ** 2 for a, b in itertools.pairwise(x))
    s += sum(a * b for a, b in itertools.zip_longest(x, x[:2], fillvalue=1.5))
    for a, b in zip(x, itertools.repeat(x[0])):
        s += a * b
    for a, k in zip(x, itertools.count(2, 3)):
        s += a * k
    return s


@case(X)
@program("itertools.groupby", "itertools.takewhile", issue=3)
def grouped_and_taken(x):
    s = sum(v * v for v in itertools.takewhile(lambda v: v > 0, x))
    s += sum(itertools.dropwhile(lambda v: v > 0, x))
    for positive, group in itertools.groupby(x, key=lambda v: v > 0):
        s += (2 if positive else 3) * sum(group) ** 2
    return s + sum(itertools.starmap(operator.mul, [(x[0], x[1]), (x[2], 2.0)]))


@case(X, X[::-1].copy())
@program("zip(strict)", "enumerate(start)", "map", argnums=(0, 1), issue=3)
def zipped_and_mapped(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y, strict=True), start=1):
        s += i * a * b
    s += sum(map(lambda a, b, c: a * b + c, x, y, [1.0, 2.0, x[0], 4.0]))
    pairs = list(zip(x, y))
    return s + pairs[1][0] * pairs[2][1] + dict(zip("abcd", x))["b"]


@case(X)
@program("tuple of a comprehension", issue=3)
def tuple_of_a_comprehension(x):
    a, b, c = tuple(x[i] * 2 for i in range(3))
    return a * b + c


@case(0.6)
@program("operator getters", issue=3)
def getters(x):
    pairs = [(k, x * (3 - k) ** 2) for k in range(4)]
    best = max(pairs, key=operator.itemgetter(1))
    mass = Mass(x, x * x)
    return best[1] * best[0] + operator.attrgetter("weight")(mass)


def multiples(x, n):
    for k in range(n):
        yield x * k


def powers_without_end(x):
    value = 1.0
    while True:
        value = value * x
        yield value


@case(0.7)
@program("zip of generators", issue=3)
def generators_in_step(x):
    total = 0.0
    for k, (a, b) in enumerate(
        zip(multiples(x, 3), powers_without_end(x), strict=False)
    ):
        total = total + a * b * k
    for c, b in zip([1.0, 2.0], powers_without_end(x), strict=False):
        total = total * c + b
    both = zip(powers_without_end(x), [1.0, 2.0, 3.0], (x, x * x), strict=False)
    return total + sum(a * b * c for a, b, c in both)


@case(np.array([0.3, 0.7, -0.2, 0.5]))
@program("walrus in a comprehension", issue=3)
def walrus_read_after(x):
    kept = [v for k in range(4) if (v := np.sin(x[k])) > 0]
    total = 0.0
    sums = [total := total + u * u for u in x]
    if any((first := u) > 0.5 for u in x):
        return first**2 * v * sum(kept) + total * sums[1]
    return total


@case(np.array([0.3, 0.7, -0.2, 0.5]))
@program("zip of generators", "itertools.cycle", issue=3)
def signs_in_turn(x):
    pairs = zip(x, itertools.cycle([1.0, -2.0]), strict=False)
    total = 0.0
    for value, sign in pairs:
        total = total * value + sign
    return total
