"""Lists that grow or shrink while a loop runs along them."""

import numpy as np
import pytest

import sourcegrad
from sourcegrad import SourcegradError

X = np.array([0.7, 1.3, -0.4, 2.1])


def grown(x):
    items = [x[0], x[1]]
    for v in items:
        if len(items) < 5:
            items.append(v * x[2])
    return sum(items) + items[-1] * items[2]


def queue_of_pairs(x):
    queue = [(x[0], 0)]
    total = 0.0
    for v, depth in queue:
        total += v * v
        if depth < 2:
            queue.append((v * x[1], depth + 1))
            queue.append((v + x[2], depth + 1))
    return total


def shrunk(x):
    items = [x[0], x[1], x[2], x[3]]
    total = 0.0
    for v in items:
        total += v * v
        if v > 0:
            items.remove(v)
    return total * sum(items)


def shrunk_inside(x):
    items = [x[0], x[1], x[2], x[3]]
    total = 0.0
    for v in items:
        for w in items:
            total += v * w
            if len(items) > 2:
                items.pop()
    return total


def by_another_name(x):
    items = [x[0], x[1]]
    same = items if x[0] > 0 else [x[2]]
    for v in items:
        if len(items) < 5:
            same.insert(0, v * x[2])
        else:
            break
    return sum(items) * items[0]


def numbered(x):
    items = [x[0], x[1], x[2], x[3]]
    total = 0.0
    for k, v in enumerate(items):
        total += v * v * (k + 1)
        if v > 1:
            del items[k]
    return total * sum(items)


def in_step(x):
    items = [x[0], x[1], x[2]]
    total = 0.0
    for v, w in zip(items, x):
        total += v * w
        items.append(v * total)
    return total + sum(items)


def comprehended(x):
    items = [x[0], x[1]]
    made = [items.append(v * x[2]) or v * v for v in items if len(items) < 5]
    return sum(items) + sum(made)


def by_a_closure(x):
    items = [x[0], x[1]]
    total = 0.0

    def put(v):
        items.append(v)

    for v in items:
        total += v * v
        if len(items) < 5:
            put(v * total)
    return total


def in_finally(x):
    items = [x[0], x[1]]
    total = 0.0
    for v in items:
        try:
            if len(items) >= 4:
                raise ValueError
            items.append(v * v)
        except ValueError:
            total += v
        finally:
            total += v * 2
    return total + sum(items)


def read_by_a_generator(x):
    items = [x[0], x[1]]

    def squares():
        for v in items:
            yield v * v

    total = 0.0
    for w in squares():
        total += w
        if len(items) < 4:
            items.append(w * x[2])
    return total + sum(items)


PROGRAMS = (
    grown,
    queue_of_pairs,
    shrunk,
    shrunk_inside,
    by_another_name,
    numbered,
    in_step,
    comprehended,
    by_a_closure,
    in_finally,
    read_by_a_generator,
)


def differences(f):
    steps = 1e-6 * np.eye(4)
    return np.array([(f(X + e) - f(X - e)) / 2e-6 for e in steps])


@pytest.mark.parametrize("f", PROGRAMS)
def test_loops_read_what_is_there_when_they_come_to_it(f):
    value, gradient = sourcegrad.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_allclose(gradient, differences(f), rtol=1e-6, atol=1e-7)
    v = np.array([0.3, -1.0, 0.5, 2.0])
    value, dot = sourcegrad.jvp(f, (X,), (v,))
    assert value == f(X)
    np.testing.assert_allclose(dot, differences(f) @ v, rtol=1e-6, atol=1e-7)


def backwards(x):
    items = [x[0], x[1], x[2]]
    total = 0.0
    for v in reversed(items):
        total += v * v
        items.pop(0)
    return total


def test_reversed_of_a_list_that_shrinks_is_refused():
    with pytest.raises(SourcegradError, match="whose length the loop changes"):
        sourcegrad.grad(backwards)(X)
