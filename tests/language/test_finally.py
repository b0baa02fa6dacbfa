"""What stands in `finally` runs behind the body, and sees what that has stored."""

from __future__ import annotations

import numpy as np
import pytest

from tests.language.judged import check

Y = np.array([0.735, -1.109, -0.757, 0.825])


class Shelf:
    scale = 0.8

    def __init__(self, *items):
        self.items = list(items)

    def __setitem__(self, k, v):
        self.items[k] = np.sin(v)

    def __call__(self, v):
        return np.tanh(self.items[0] + v * self.scale)

    def __enter__(self):
        self.scale = self.scale * 0.5
        return self

    def __exit__(self, *error):
        self.items[0] = self.items[0] * 0.9
        return False


def manager_that_stores(x, y):
    shelf = Shelf(x + 1.26, y[-1], 0.4)
    before = shelf(x)
    with shelf:
        shelf[(len(y) + 2) % 2] = np.tanh(x)
    return before + shelf.items[0] * shelf.scale


def checked(v):
    if v > 0.5:
        raise ValueError("x")
    return np.sin(v) * v


def element_stored_then_read_in_finally(x, y):
    a = np.zeros(3)
    a[0] = x
    d = a[0] * 2
    try:
        a[0] = x**3
    finally:
        a[1] = a[0] * 2
    return d + a[1] * a[0]


def raised_after_a_store(x, y):
    a = np.array([x, x * x, 1.0])
    t = a[0] * a[1]
    try:
        a[0] = checked(x)
        a[1] *= 2
    except ValueError:
        a[1] = a[0] * a[1]
    finally:
        a[2] = a[0] * a[1]
    return t + a[2] + a[0] * a[1]


def list_in_a_loop(x, y):
    l = [x, y[0]]
    s = l[0] + l[1]
    for k in range(3):
        try:
            l[0] = l[0] * x
            if l[0] > 1e3:
                break
        finally:
            l[1] = l[0] + l[1]
    return s * l[1] * (l[0] + l[1])


def list_that_grows(x, y):
    l = [x, y[0]]
    s = l[0] + l[1]
    try:
        for k in range(3):
            l.append(l[-1] * x)
            checked(l[-1])
    except ValueError:
        l.append(x)
    finally:
        l.append(l[0] * l[-1])
    return s * sum(l) * l[-1]


def dict_of_known_keys(x, y):
    d = {"p": x, "q": 1.0}
    s = d["p"] * d["q"]
    try:
        d["p"] = x**3
        d["q"] = checked(x)
    except ValueError:
        d["q"] = d["p"] * 2
    finally:
        d["r"] = d["p"] * d["q"]
    return s + d["r"] * d["p"]


def view_stored_in_the_body(x, y):
    b = y.copy()
    v = b[1:]
    s = np.sum(v * v)
    try:
        b[2] = x
        v *= 2.0
    finally:
        b[0] = np.sum(v * v) * x
    return s + b[0] + np.sum(v * v)


def return_through_finally(x, y):
    b = y.copy()

    def f():
        try:
            b[0] = x * b[1]
            return b[0] * b[1]
        finally:
            b[1] = b[0] * b[1]

    return f() + b[0] * b[1]


def read_again_behind_a_with(x, y):
    b = y.copy()
    s = np.sin(b[0]) * x
    with np.errstate(all="ignore"):
        b[0] = x * np.sin(b[0])
    return s + np.sin(b[0]) * x


def continue_through_finally(x, y):
    b = y.copy()
    t = 0.0
    for k in range(4):
        q = np.sin(b[k]) * x
        try:
            b[k] = q * x
            if k == 2:
                continue
            t += np.sin(b[k]) * x
        finally:
            t += np.sin(b[k]) * x * 2
            b[k] = t
    return t + np.sum(b * b)


def while_with_an_else(x, y):
    b = y.copy()
    t = 0.0
    k = 0
    while k < 4:
        k += 1
        try:
            try:
                b[k - 1] = checked(b[k - 1] * x)
            finally:
                t += b[k - 1] * x
                b[k - 1] *= 2
        except ValueError:
            t *= b[k - 1]
            continue
        t += b[k - 1]
    else:
        t *= x
    return t + np.sum(b * b)


def raised_from_a_handler(x, y):
    t = x
    try:
        try:
            t = checked(t) * x
        except ValueError as e:
            t = t * 2
            raise KeyError("a") from e
        finally:
            t = t * t
    except KeyError:
        t = t * 3
    finally:
        t = t * x
    return t


def result_is_what_it_was(x, y):
    t = x
    try:
        t = t * 2
        return t
    finally:
        t = t * 100


def element_changed_after_return(x, y):
    l = [x]
    try:
        return l[0] * 2
    finally:
        l[0] = 100 * x


def list_changed_after_return(x, y):
    l = [x]

    def f():
        try:
            return l
        finally:
            l[0] = l[0] * x

    return f()[0]


def store_and_return_in_a_loop(x, y):
    def f():
        for k in range(3):
            try:
                if k == 1:
                    return y[k] * x
            finally:
                y[k] = x * k
        return x

    return f() + np.sum(y * y)


def continue_in_finally(x, y):
    def f():
        for k in range(3):
            try:
                return y[k] * x
            finally:
                if k < 2:
                    continue
        return 7.0

    return f() * x


def else_and_finally_of_each_trip(x, y):
    c = 0.0
    for k in range(4):
        try:
            c += checked(y[k] * x)
        except ValueError:
            c *= 2.0
            break
        else:
            c += x
        finally:
            c = np.sin(c)
    else:
        c += 10 * x
    return c


def raised_through_finally(x, y):
    b = [x, x * x]
    s = b[0] * b[1]
    try:
        try:
            b[0] = b[0] * 3
            raise ValueError
        finally:
            b[1] = b[0] * b[1]
    except ValueError:
        b[0] = b[0] * b[1]
    return s + b[0] * b[1]


def rows_of_a_matrix(x, y):
    m = np.outer(y, y) * x
    s = m[0, 0] + m[1, 1]
    try:
        m[0] = m[1] * 2
        m[2, :] += m[0]
    finally:
        m[1] = m[0] + m[2]
    return s + np.sum(m * m)


def name_bound_again(x, y):
    b = y.copy()
    s = b.sum()
    try:
        b = b * x
        b[0] = checked(b[0])
    except ValueError:
        b[1] = x
    finally:
        b = b * 2
        b[2] = b[0]
    return s * np.sum(b * b)


PROGRAMS = (
    manager_that_stores,
    element_stored_then_read_in_finally,
    raised_after_a_store,
    list_in_a_loop,
    list_that_grows,
    dict_of_known_keys,
    view_stored_in_the_body,
    return_through_finally,
    read_again_behind_a_with,
    continue_through_finally,
    while_with_an_else,
    raised_from_a_handler,
    result_is_what_it_was,
    element_changed_after_return,
    list_changed_after_return,
    store_and_return_in_a_loop,
    continue_in_finally,
    else_and_finally_of_each_trip,
    raised_through_finally,
    rows_of_a_matrix,
    name_bound_again,
)


@pytest.mark.parametrize("x", [0.763, -0.4, 0.3])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f, x):
    check(f, x, Y.copy())
