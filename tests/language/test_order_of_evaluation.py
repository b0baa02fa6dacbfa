"""What stands on the left is read before a call on the right writes there."""

import numpy as np
import pytest

from tests.language.judged import check


def doubled(a):
    np.copyto(a, a + a)
    return 3.0


def element_of_an_array(x):
    c = np.ones(3) * x
    c[1] += doubled(c)
    return np.sum(c * c)


def slice_of_an_array(x):
    c = np.ones(3) * x
    c[1:] += doubled(c)
    return np.sum(c * c)


def masked_elements(x):
    c = np.arange(3.0) * x + 0.1
    c[c > 0.2] -= doubled(c) * x
    c[[0, 1]] *= doubled(c) * x
    c[:2] += doubled(c) * x
    return np.sum(c * c)


def item_of_a_list(x):
    items = [x, 2 * x, 3 * x]

    def push():
        items[1] = items[1] * 5
        return x

    for k in range(3):
        items[k] *= push()
    return sum(items)


def value_of_a_dict(x):
    d = {"a": x}

    def change():
        d["a"] = d["a"] * 3
        return x

    d["a"] += change()
    return d["a"]


def name(x):
    v = x

    def change():
        nonlocal v
        v = v * 3
        return x

    v += change()
    return v


def index_and_value(x):
    c = np.ones(3) * x

    def change(k):
        c[k] = c[k] * 7
        return k

    c[change(1)] += change(1) * x
    return np.sum(c * c)


def operands(x):
    c = np.ones(3) * x

    def change(k):
        c[k] = c[k] * 7
        return c[k]

    y = c[1] + change(1) + c[1]
    t = (c[1], change(1), c[1])
    return y * t[0] * t[1] + t[2]


PROGRAMS = [
    element_of_an_array,
    slice_of_an_array,
    masked_elements,
    item_of_a_list,
    value_of_a_dict,
    name,
    index_and_value,
    operands,
]


@pytest.mark.parametrize("x", [0.3, 1.3])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_the_left_is_read_first(program, x):
    check(program, x)
