"""Names that hold None at first, and a tuple or list later; functions that just end."""

from typing import NamedTuple

import numpy as np

from tests.zoo import case, program

Y = np.array([0.7, -0.4, 1.3, 0.2])


class Found(NamedTuple):
    loss: float
    x: float


@case(np.array([0.3, 0.7]))
@program("None, and a tuple in a later trip", mutation=True, analytic=False)
def none_or_a_pair(x):
    best = None
    for v in x:
        if best is None or v > best[0]:
            best = (v, v * v)
    return best[1]


@case(Y)
@case(-Y)
@program(
    "None, and a tuple in a later trip", "unpacking", mutation=True, analytic=False
)
def best_pair_taken_apart(y):
    best = None
    for v in y:
        loss = (v - 0.3) ** 2
        if best is None or loss < best[0]:
            best = (loss, v)
    if best is None:
        return 0.0
    loss, x = best
    return loss + 3 * x


@case(Y)
@program("None, and a tuple in a later trip", "the trip before", mutation=True)
def pair_of_the_trip_before(y):
    before, total = None, 0.0
    for v in y:
        if before is not None:
            a, b = before
            total += a * v + b
        before = (v, v * 2)
    return total


@case(Y)
@case(7.0 * Y)
@program("None, and a tuple in a later trip", "ternary", mutation=True, analytic=False)
def pair_that_may_not_be_found(y):
    best = None
    for v in y:
        if v > 5:
            best = (v * v, v)
    return y[0] if best is None else best[0]


@case(Y)
@program("None, and a named tuple in a later trip", mutation=True, analytic=False)
def best_named_tuple(y):
    best = None
    for v in y:
        found = Found(v * v, v)
        if best is None or found.loss > best.loss:
            best = found
    return best.x * best.loss


@case(Y)
@program("None, and a list in a later trip", "truth", mutation=True, analytic=False)
def best_list(y):
    best = None
    for v in y:
        if not best or v > best[0]:
            best = [v, v * v]
    return best[1] * best[0]


@case(Y)
@program("None, and a tuple in a later trip", "array", mutation=True, analytic=False)
def best_pair_with_an_array(y):
    best = None
    for v in y:
        found = (v, np.array([v, v * v]))
        if best is None or found[0] > best[0]:
            best = found
    return best[1] @ best[1]


@case(Y)
@case(-Y)
@program("a tuple, and None in a later trip", mutation=True, analytic=False)
def nested_pair_or_none(y):
    last = None
    for v in y:
        last = (v, (v * v, 1.0)) if v > 0 else None
    return last[1][0] * last[1][1] if last is not None else y[1]


@case(Y)
@case(-Y)
@program("None or a tuple", "by path", analytic=False)
def pair_by_path(y):
    pair = None
    if y[0] > 0:
        pair = (y[0], y[1])
    if pair:
        return pair[0] * pair[1]
    return y[2]


@case(Y)
@case(-Y)
@program("None or a tuple", "result of a function", analytic=False)
def pair_or_none_of_a_function(y):
    def first(y, limit):
        for v in y:
            if v > limit:
                return v, v * v
        return None

    total = 0.0
    for limit in (0.5, 2.0):
        found = first(y, limit)
        if found is not None:
            total += found[0] * found[1]
        else:
            total += y[3]
    return total


@case(Y)
@program("a function that just ends", "number", analytic=False)
def number_or_nothing(y):
    def twice(y, limit):
        if y[0] > limit:
            return y[0] * 2

    total = 0.0
    for limit in (0.5, 2.0):
        found = twice(y, limit)
        total += found * y[1] if found is not None else y[2]
    return total


@case(Y)
@program("a function that just ends", "array", analytic=False)
def array_or_nothing(y):
    def several(y, limit):
        if y[0] > limit:
            return y * 2
        elif y[1] > limit:
            return y * 3

    total = 0.0
    for limit in (0.5, 2.0):
        found = several(y, limit)
        if found is not None:
            total += np.sum(found) * y[1]
        else:
            total += y[2]
    return total


@case(Y)
@program("a function that just ends", "tuple", analytic=False)
def pair_or_nothing(y):
    def both(y, limit):
        if y[0] > limit:
            return y[0], y[1]

    one, other, total = both(y, 0.5), both(y, 2.0), 0.0
    if one is not None:
        total += one[0] * one[1]
    if other is not None:
        total += 100.0
    return total


@case(Y)
@program("a function that just ends", "dict", analytic=False)
def dict_or_nothing(y):
    def found(y, limit):
        if y[0] > limit:
            return {"a": y[0]}

    total = 0.0
    for limit in (0.5, 2.0):
        r = found(y, limit)
        total += r["a"] * y[1] if r is not None else y[2]
    return total
