"""Arrays that are one thing or another, or None, and are written afterwards.

Every derivative is compared with central differences: of the function for order one,
of its second difference for order two.
"""

import numpy as np
import pytest

import sourcegrad

GLOBAL = np.array([3.0, 4.0])


def new_at_both_sides(x, k):
    v = np.ones(2) if k > 0 else np.full(2, 3.0)
    v[0] = x * x
    v[1] += x
    return np.sum(v * v)


def new_or_named(x, k):
    w = np.full(2, 3.0)
    v = np.ones(2) if k > 0 else w
    v[0] = x * x
    v[1] += x
    return np.sum(v * v) + w[1] * x


def new_or_global(x, k):
    w = GLOBAL.copy() if k > 0 else np.zeros(2)
    v = x * np.ones(2) if k > 1 else w
    v[0] = x * x
    v[1] = v[1] * x
    return np.sum(v * v)


def new_or_written(x, k):
    v = np.ones(2) if k > 0 else np.full(2, 3.0)
    w = np.ones(2) if k > 1 else v
    w[0] = x * w[1]
    w[1] *= x
    v[0] += w[1] * x
    return np.sum(v) * np.sum(w)


def three_ways_and_a_loop(x, k):
    w = np.ones(2) if k > 0 else np.full(2, 2.0) if k > -1 else np.full(2, 5.0)
    for i in range(3):
        if k == i:
            w = np.full(2, 7.0)
        w[0] += x * w[1]
        w[1] *= x
    return np.sum(w * w)


def item_of_a_list(x, k):
    v = [np.ones(2), np.full(2, 2.0)][k % 2]
    v[0] = x * x
    v[1] += x
    return np.sum(v * v)


def item_of_a_dict(x, k):
    w = np.ones(2)
    v = {0: w, 1: np.full(2, 2.0)}[k % 2]
    v[0] = x * x
    v[1] += x
    return np.sum(v * v) + w[0] * x


def none_or_new(x, k):
    if k > 0:
        v = x * np.ones(2)
    else:
        v = None if k < 0 else np.ones(2)
    s = x * x
    if v is not None:
        v[0] = v[0] * s
        v[1] += x
        s = s + v[0] * v[1]
    return s


def view_of_a_choice(x, k):
    v = np.ones(3) if k > 0 else np.zeros(3)
    w = v[1:]
    v += x
    return w.sum() * x


def choice_of_views(x, k):
    v = np.ones(3) if k else np.full(3, 2.0)
    w = v[1:] if x > 0 else v[:2]
    w += x * x
    v[1] *= x
    return np.sum(v * v) + w[0]


def view_of_an_item(x, k):
    v = [np.ones(3), np.zeros(3)][k % 2]
    w = v[1:]
    v[1] = x * x
    return np.sum(w) * x


CASES = [
    view_of_a_choice,
    choice_of_views,
    view_of_an_item,
    new_at_both_sides,
    new_or_named,
    new_or_global,
    new_or_written,
    three_ways_and_a_loop,
    item_of_a_list,
    item_of_a_dict,
    none_or_new,
]


def primal(f, x, k):
    GLOBAL[:] = 3.0, 4.0
    return f(x, k)


def slope(f, x, k, h=1e-5):
    return (primal(f, x + h, k) - primal(f, x - h, k)) / (2.0 * h)


def bend(f, x, k, h=1e-4):
    around = primal(f, x + h, k) + primal(f, x - h, k)
    return (around - 2.0 * primal(f, x, k)) / (h * h)


def along(f):
    return lambda x, k: sourcegrad.jvp(f, (x, k), (1.0, None))[1]


FIRST = {
    "grad": sourcegrad.grad,
    "vjp": lambda f: lambda x, k: sourcegrad.vjp(f, x, k)[1](1.0)[0],
    "jvp": along,
}
SECOND = {
    "reverse over reverse": lambda f: sourcegrad.grad(sourcegrad.grad(f)),
    "forward over reverse": sourcegrad.hessian,
    "reverse over forward": lambda f: sourcegrad.grad(along(f)),
    "forward over forward": lambda f: along(along(f)),
}


@pytest.mark.parametrize("k", [-1, 0, 1, 2])
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_every_derivative(f, k):
    for name, transform in FIRST.items():
        derivative = transform(f)
        GLOBAL[:] = 3.0, 4.0
        found = derivative(0.7, k)
        assert found == pytest.approx(slope(f, 0.7, k), rel=1e-7), name
    for name, transform in SECOND.items():
        derivative = transform(f)
        GLOBAL[:] = 3.0, 4.0
        found = derivative(0.7, k)
        assert found == pytest.approx(bend(f, 0.7, k), rel=1e-4, abs=1e-5), name


# --------------------------------------------------- what a callee takes or gives


def takes_list(v, x, n):
    if n > 0:
        return takes_list(v, np.sin(x), n - 1) * x
    if v is None:
        return x * x
    return v[0] * x + v[1]


def list_or_none_handed_on(x, k):
    v = None
    if k > 0:
        v = []
        for i in range(2):
            v.append(x * x * (i + 1))
    return takes_list(v, x, 2)


def takes_array(v, x, n):
    if n > 0:
        return takes_array(v, np.sin(x), n - 1) * x
    if v is None:
        return x * x
    return np.sum(v) * x


def array_or_none_handed_on(x, k):
    return takes_array(np.array([x, x * x]) if k > 0 else None, x, 2)


def finds_list(x, n, k):
    if n > 0:
        return finds_list(np.sin(x), n - 1, k)
    if k > 1:
        return None
    out = []
    for i in range(3 + k):
        out.append(x * (i + 1))
    return out


def list_or_none_found(x, k):
    s = x * x
    found = finds_list(x, 1, k)
    if found is not None:
        s = s + found[0] * found[1]
    other = finds_list(2.0 * x, 1, k + 1)
    return s + other[1] if other else s


def finds_array(x, n, k):
    if n > 0:
        return finds_array(np.sin(x), n - 1, k)
    if k > 1:
        return None
    return x * np.ones(2)


def array_or_none_found(x, k):
    s = x * x
    found = finds_array(x, 0, k)
    if found is not None:
        s = s + found[0] * found[1]
    other = finds_array(2.0 * x, 1, k + 1)
    return s if other is None else s + other @ other


HANDED = [
    list_or_none_handed_on,
    array_or_none_handed_on,
    list_or_none_found,
    array_or_none_found,
]


@pytest.mark.parametrize("k", [-1, 0, 1, 2])
@pytest.mark.parametrize("f", HANDED, ids=lambda f: f.__name__)
def test_none_goes_in_and_out_of_recursions(f, k):
    for name, transform in FIRST.items():
        found = transform(f)(0.7, k)
        assert found == pytest.approx(slope(f, 0.7, k), rel=1e-7), name
    for name, transform in SECOND.items():
        found = transform(f)(0.7, k)
        assert found == pytest.approx(bend(f, 0.7, k), rel=1e-4, abs=1e-5), name
