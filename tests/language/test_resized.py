"""Lists and dicts that change while a loop runs along them."""

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


class Held:
    def __init__(self, v):
        self.v = v


def objects_grown(x):
    held = [Held(x[0]), Held(x[1])]
    total = 0.0
    for o in held:
        total += o.v**2
        if len(held) < 4:
            held.append(Held(o.v * x[2]))
    return total


def objects_swapped(x):
    held = [Held(x[0]), Held(x[1]), Held(x[2])]
    total = 0.0
    for _, o in enumerate(held):
        total += o.v**2
        held[2] = Held(total)
        held[0], held[1] = held[1], held[0]
    return total + held[0].v


def later_value_of_a_dict(x):
    d = {"a": x[0], "b": x[1], "c": x[2]}
    total = 0.0
    for v in d.values():
        total = total * 1.5 + v * v
        d["b"] = total
    for k, v in d.items():
        d["c"] = d[k] * v
    return total + d["c"]


def views_of_a_dict(x):
    d = {"a": x[0], "b": x[1]}
    values, items, keys = d.values(), d.items(), d.keys()
    d["a"] = x[3] ** 2
    d["c"] = x[2]
    return sum(values) + sum(v * v for _, v in items) + sum(d[k] for k in keys)


def dict_of_objects(x):
    d = {"a": Held(x[0]), "b": Held(x[1])}
    total = 0.0
    for _, o in d.items():
        total += o.v**2
        d["b"] = Held(total * x[2])
    return total


def computed_keys(x):
    d = {}
    for i in range(3):
        d[int(x[i] > 1) + i] = x[i]
    total = 0.0
    for _, v in d.items():
        total = total * 1.5 + v * v
        d[2] = total
    for v in d.values():
        total += v
        d[2] = total
    return total + d[2]


PROGRAMS = (
    objects_grown,
    objects_swapped,
    later_value_of_a_dict,
    views_of_a_dict,
    dict_of_objects,
    computed_keys,
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


def dict_grown(x):
    d = {"a": x[0], "b": x[1]}
    total = 0.0
    for v in d.values():
        total += v
        d["c"] = v
    return total


def test_a_loop_along_a_dict_that_grows_is_refused():
    with pytest.raises(RuntimeError, match="changed size"):
        dict_grown(X)
    with pytest.raises(SourcegradError, match="changes its length"):
        sourcegrad.grad(dict_grown)(X)
