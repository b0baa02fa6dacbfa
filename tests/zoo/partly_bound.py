"""Programs with arrays that are made on some paths only: where there is none, there is
no shape of a cotangent either."""

import numpy as np

from tests.zoo import case, program


@case(np.array([0.3, -0.4]), 2, True)
@case(np.array([0.3, -0.4]), 2, False)
@case(np.array([0.3, -0.4]), 0, False)
@program("for", "loop variables afterwards")
def rows_of_the_last_trip(y, n, wanted):
    for k in range(n):
        rows = np.stack([np.sin(y) * k, np.cos(y)])
    total = y[0] * y[1]
    if n > 0:
        if wanted:
            total = total + np.sum(rows * rows)
    return total


@case(np.array([0.3, -0.4]), True, True)
@case(np.array([0.3, -0.4]), True, False)
@case(np.array([0.3, -0.4]), False, False)
@program("if", "maybe undefined")
def running_sums_if_made(y, made, wanted):
    if made:
        sums = np.cumsum(np.sin(y) * y)
        first = sums[0]
    total = y[0] * y[1]
    if made:
        if wanted:
            total = total + np.prod(sums) * first
        total = total * first
    return total


@case(np.array([0.3, -0.4]), 3)
@case(np.array([0.3, -0.4]), 1)
@program("for", "matrix product")
def last_residual(x, n):
    a = np.array([[3.0, 1.0], [1.0, 2.0]])
    for _ in range(n):
        r = a @ x - np.array([1.0, x[1]])
        x = x - 0.2 * r
    return r @ r


@case(np.array([0.3, -0.4]), 2)
@case(np.array([0.3, -0.4]), 0)
@program("while", "else", "break")
def system_of_the_last_trip(y, n):
    while n > 0:
        found = np.linalg.solve(np.eye(2) + np.outer(y, y), y * n)
        n -= 1
        if found[0] > 0.1:
            break
    else:
        return y[0] * y[1]
    return np.sum(found * found)


@case(np.array([0.3, -0.4]), 0)
@case(np.array([0.3, -0.4]), 1)
@case(np.array([0.3, -0.4]), 2)
@program("try", "raise", "except")
def sums_if_nothing_is_raised(y, fault):
    try:
        once = np.cumsum(y)[::-1]
        if fault == 1:
            raise ValueError
        twice = np.cumsum(once * once)
        if fault == 2:
            raise KeyError
    except ValueError:
        return once[0] * once[1]
    except KeyError:
        return y[0] * y[0]
    return np.sum(twice * y)


def _stacked(a):
    return np.stack([a, a * a])


@case(np.array([0.3, -0.4]), 2, True)
@case(np.array([0.3, -0.4]), 1, False)
@program("calls", "for")
def calls_of_the_last_trip(y, n, wanted):
    for _ in range(n):
        pair = _stacked(_stacked(y)[1])
    total = y[0] * y[1]
    if wanted:
        total = total + np.sum(pair * pair)
    return total


@case(np.array([0.3, -0.4]), 2)
@program("for", "return")
def returns_in_a_short_loop(y, n):
    for p in [y[0] * 2.0, y[1]]:
        rows = np.concatenate([np.sin(y * p), np.tanh(y)])
        if p < -0.5 * n:
            return np.sum(rows * rows)
    return np.sum(y * y) * y[0]


@case(np.array([0.3, -0.4]), 2)
@case(np.array([0.3, -0.4]), 0)
@program("if", "for", "maybe undefined")
def reads_in_a_loop_of_no_trips(y, n):
    if n > 0:
        sums = np.cumsum(y)
    total = y[0]
    for k in range(n):
        total = total + sums[k] * sums[k]
    if n > 1:
        total = total * np.prod(sums)
    for k in range(n):
        total = total * sums[k]
    return total
