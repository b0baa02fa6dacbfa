"""Dead code: what neither a result nor an effect needs is gone."""

import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, text


def joint(f, *args):
    """The text of the gradient alone, without comments."""
    lines = sourcegrad.grad(f).source(*args).splitlines()
    return "\n".join(n for n in lines if not n.lstrip().startswith("#"))


def test_the_value_is_not_computed_for_the_gradient():
    def f(x):
        y = math.sin(x)
        return y * y * x + math.exp(y) * 0.0 + 12.75

    assert "12.75" not in joint(f, 0.3)
    assert "12.75" in text(f, 0.3)
    assert_right(f, 0.3)


def test_inactive_work_is_gone():
    def f(x, n):
        unused = math.tanh(x) * n  # noqa: F841
        return x * x

    assert "tanh" not in text(f, 0.3, 2)
    assert_right(f, 0.3, 2)


def test_a_carried_value_that_nobody_reads_is_gone():
    def f(x):
        s = x
        count = 0.0
        for i in range(4):
            s = s * x
            count = count + math.tanh(s)
        return s

    assert "tanh" not in text(f, 0.7)
    assert_right(f, 0.7)


def test_carried_values_that_need_each_other_only_are_gone():
    def f(x):
        s, a, b = x, 1.0, 2.0
        for i in range(3):
            s = s * x
            a, b = math.atan(b), math.atan(a)
        return s

    assert "atan" not in text(f, 0.7)
    assert_right(f, 0.7)


def test_effects_stay_and_happen_once(capsys):
    def f(x):
        y = x * 3.0
        print("y is", y)
        return x * x

    assert sourcegrad.grad(f)(2.0) == 4.0
    assert capsys.readouterr().out == "y is 6.0\n"


def test_what_may_raise_still_raises():
    def f(x):
        assert x > 0.0, "positive only"
        return x * x

    with pytest.raises(AssertionError, match="positive only"):
        sourcegrad.grad(f)(-1.0)


def test_a_store_that_is_read_stays():
    def f(x):
        a = np.zeros(2)
        a[0] = x
        a[1] = x * x
        return a[1] * a[1]

    assert_right(f, 1.5)
    assert sourcegrad.grad(f)(1.5) == pytest.approx(4 * 1.5**3, rel=1e-14)


def test_branches_that_decide_nothing_are_gone():
    def f(x, flag):
        y = 1.0
        if flag:
            y = math.atan(x)  # noqa: F841
        return x * x

    assert "if " not in text(f, 0.4, True)
    assert_right(f, 0.4, True)


def test_a_forward_loop_that_nothing_is_read_of_goes():
    def f(x):
        s = 0.0
        for i in range(3):
            s = s + np.sum(x * i)
        return s

    generated = sourcegrad.gradient_source(f, 0, np.ones(3)).splitlines()
    assert sum(line.strip().startswith("for ") for line in generated) == 1
    assert_right(f, np.array([0.3, 0.4]))


def test_an_iterator_is_run_through_once():
    seen = []

    def f(x, numbers):
        s = 0.0
        for _ in numbers:
            s = s + np.sum(x)
        return s

    def numbers():
        for k in range(3):
            seen.append(k)
            yield k

    gradient = sourcegrad.grad(f)(np.ones(2), numbers())
    assert gradient.tolist() == [3.0, 3.0] and seen == [0, 1, 2]
