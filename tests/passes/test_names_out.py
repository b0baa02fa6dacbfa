"""Names: a temporary that ends has the name of what is made of it."""

import numpy as np

from sourcegrad.frontend.naming import temporary
from sourcegrad.ir import Obj, Op, Ref, Value, call
from sourcegrad.kinds import FLOAT, Num
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(5)


def test_a_name_is_used_again():
    def f(w, x, b):
        y = w @ x + b
        return np.sum(np.tanh(y))

    args = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4)), RNG.normal(size=(2, 1))
    source = text(f, *args)
    assert statement(source, "y = w") == "y = w @ x"
    assert_right(f, *args)


def test_a_name_that_is_read_later_is_not():
    def f(x):
        y = np.exp(x)
        z = y + 1.0
        return np.sum(y * z)

    source = text(f, np.ones(3))
    assert "y = np.exp(x)" in source and "z = y + 1.0" in source
    assert_right(f, RNG.normal(size=3))


def test_no_name_hides_a_function_that_is_used():
    from numpy import exp, log

    def f(x):
        return np.sum(exp(log(x) * exp(x)))

    assert_right(f, np.array([0.5, 1.5]))


def test_temporaries_say_what_they_hold():
    x, t = Value("x"), Value("t", temp=True)
    array = Num("array", 1, "float64")
    np_exp = Obj(np.exp, "np.exp")
    assert temporary(call(np_exp, Ref(x)), FLOAT) == "exp_x"
    assert temporary(call(np_exp, Ref(t)), FLOAT) == "exp"
    assert temporary(call(Obj(np.max, "np.max"), Ref(t)), array) == "largest"
    assert temporary(Op("matmul", (Ref(x), Ref(t))), array) == "product"
    assert temporary(Op("compare", (Ref(x), Ref(t)), (">",)), array) == "mask"
    assert temporary(Op("add", (Ref(x), Ref(t))), FLOAT) == "t"


def test_text_is_the_same_every_time():
    def f(x):
        return np.sum(np.log(x**2) * np.sin(x) + 1.0 / x)

    assert len({text(f, np.ones(3)) for _ in range(3)}) == 1
