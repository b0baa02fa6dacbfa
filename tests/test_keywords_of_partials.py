"""Keywords of a `functools.partial` that change after its derivative was compiled."""

import functools
import types

import numpy as np
import pytest
from scipy.special import logsumexp

import sourcegrad


def damped(x, act=np.sin, w=1.0, options=None, twice=False):
    s = np.sum(w * act(x))
    if twice:
        s = s * 2.0
    return s if options is None else s * options["gain"][0]


def difference(f, x, h=1e-5):
    return (f(x + h) - f(x - h)) / (2.0 * h)


def curvature(f, x, h=1e-4):
    return (f(x + h) - 2.0 * f(x) + f(x - h)) / (h * h)


STEPS = [
    {"act": np.cos},
    {"w": np.array([1.0, 5.0])},
    {"w": np.ones((2, 2))},
    {"w": -3.0},
    {"twice": True},
    {"options": {"gain": [2.0]}},
    {"options": {"gain": [3.0, 1.0]}},
    {"act": lambda x: x * x * x},
]


def derivatives(p):
    """First and second derivatives of a partial, and of what calls it."""

    def caller(x):
        return p(x)

    first = [
        sourcegrad.grad(p),
        sourcegrad.grad(caller),
        sourcegrad.jacobian(p),
        sourcegrad.grad(lambda x, g: g(x)),
        lambda x: sourcegrad.jvp(caller, (x,), (1.0,))[1],
        lambda x: sourcegrad.vjp(caller, x)[1](1.0)[0],
    ]
    first[3] = functools.partial(first[3], g=p)
    second = [
        sourcegrad.grad(sourcegrad.grad(p)),
        sourcegrad.hessian(caller),
        sourcegrad.grad(lambda x: sourcegrad.grad(p)(x)),
        sourcegrad.grad(lambda x: sourcegrad.grad(caller)(x)),
    ]
    return first, second


def test_a_keyword_changed_in_place_is_seen_by_all_derivatives():
    p = functools.partial(damped)
    first, second = derivatives(p)
    for step in [{}, *STEPS]:
        p.keywords.update(step)
        slope, bend = difference(p, 0.7), curvature(p, 0.7)
        assert [float(d(0.7)) for d in first] == pytest.approx([slope] * 6, rel=1e-7)
        assert [float(d(0.7)) for d in second] == pytest.approx([bend] * 4, rel=1e-4)


def test_what_is_inside_of_a_keyword_changes():
    p = functools.partial(damped, w=np.ones(2), options={"gain": [2.0]})
    g = sourcegrad.grad(lambda x: p(x))
    assert g(0.7) == pytest.approx(difference(p, 0.7))
    p.keywords["w"][1] = 4.0
    assert g(0.7) == pytest.approx(difference(p, 0.7))
    p.keywords["options"]["gain"][0] = -1.0
    assert g(0.7) == pytest.approx(difference(p, 0.7))


def test_the_outer_partial_wins_and_a_removed_keyword_is_gone():
    inner = functools.partial(damped, w=2.0)
    outer = functools.partial(inner, twice=True)
    slopes = [sourcegrad.grad(outer), sourcegrad.grad(lambda x: outer(x))]
    changes = [
        lambda: inner.keywords.update(w=3.0),
        lambda: outer.keywords.update(w=5.0),
        lambda: outer.keywords.pop("twice"),
        lambda: inner.keywords.pop("w"),
        lambda: outer.keywords.pop("w"),
    ]
    for change in changes:
        change()
        wanted = difference(outer, 0.7)
        assert [g(0.7) for g in slopes] == pytest.approx([wanted] * 2)


def test_kept_maps_are_those_of_the_point_where_they_were_made():
    p = functools.partial(damped, w=2.0)
    wanted = 2.0 * np.cos(0.7)
    maps = []
    for f in (p, lambda x: p(x)):
        maps.append(lambda pull=sourcegrad.vjp(f, 0.7)[1]: pull(1.0)[0])
        maps.append(lambda push=sourcegrad.linearize(f, 0.7)[1]: push(1.0))
    p.keywords["w"] = 10.0
    assert [kept() for kept in maps] == pytest.approx([wanted] * 4)


def test_a_lambda_among_the_keywords_is_called_where_nothing_is_active():
    p = functools.partial(lambda x, gain: x * gain() * gain(), gain=lambda: 3.0)
    assert sourcegrad.grad(lambda x: p(x))(2.0) == 9.0


def test_zero_and_minus_zero_are_two_values_of_a_keyword():
    p = functools.partial(lambda x, k: np.arctan2(k, x), k=0.0)
    value = sourcegrad.value_and_grad(lambda x: p(x))
    assert value(-1.0)[0] == np.pi
    p.keywords["k"] = -0.0
    assert value(-1.0)[0] == -np.pi


def test_an_option_that_decides_how_many_results_there_are():
    p = functools.partial(logsumexp, return_sign=False)
    g = sourcegrad.grad(p)
    assert g(np.zeros(2)) == pytest.approx([0.5, 0.5])
    p.keywords["return_sign"] = True
    with pytest.raises(sourcegrad.NonDifferentiableError, match="functools.partial"):
        g(np.zeros(2))


# ------------------------------------------- one object that is read at two places


def test_two_modules_share_a_number_and_one_of_them_replaces_it():
    spaces = [types.ModuleType("first"), types.ModuleType("second")]
    number, array = 0.5, np.array([1.0, 2.0])

    def first(x):
        return K * x * W[0]  # noqa: F821

    def second(x):
        return K * x * x * W[0]  # noqa: F821

    parts = []
    for space, f in zip(spaces, (first, second), strict=True):
        vars(space).update(K=number, W=array)
        parts.append(types.FunctionType(f.__code__, vars(space)))
    one, two = parts
    g = sourcegrad.grad(lambda x: one(x) + two(x))
    assert g(2.0) == 0.5 + 2.0
    spaces[1].K = 5.0  # type: ignore[attr-defined]
    assert g(2.0) == 0.5 + 20.0
    spaces[0].W = np.array([10.0])  # type: ignore[attr-defined]
    assert g(2.0) == 5.0 + 20.0


def test_two_closures_share_a_number_and_one_of_them_replaces_it():
    def line(k):
        return lambda x: k * x

    def parabola(k):
        def f(x):
            return k * x * x

        def change(new):
            nonlocal k
            k = new

        return f, change

    shared = 1.5
    a, (b, change) = line(shared), parabola(shared)
    g = sourcegrad.grad(lambda x: a(x) + b(x))
    assert g(2.0) == 1.5 + 6.0
    change(10.0)
    assert g(2.0) == 1.5 + 40.0
