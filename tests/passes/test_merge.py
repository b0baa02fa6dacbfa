"""Repeated reads of shapes are merged."""

import numpy as np

from sourcegrad.ir import Assign, Op, Ref, Region, Unpack, Value, attr
from sourcegrad.kinds import INT, Num
from sourcegrad.passes import merge
from tests.passes.texts import assert_right, text

MATRIX = Num("array", 2, "float64")


def test_the_second_read_goes_and_names_are_kept():
    x = Value("x", MATRIX)
    blank, n = Value("_", INT), Value("n", INT)
    m, k, y = Value("m", INT), Value("k", INT), Value("y", INT)
    body = Region(
        stmts=[
            Unpack([blank, n], attr(Ref(x), "shape")),
            Unpack([m, k], attr(Ref(x), "shape")),
            Assign(y, Op("mul", (Ref(m), Ref(k)))),
        ],
        yields=[Ref(y)],
    )
    merge.run(body)
    assert len(body.stmts) == 2
    assert body.stmts[1].expr == Op("mul", (Ref(blank), Ref(n)))
    assert blank.name == "m"


def test_lists_are_measured_again():
    def f(x):
        parts = [x]
        n = len(parts)
        parts.append(x * x)
        m = len(parts)
        return n * parts[0] + m * parts[1]

    assert_right(f, 1.5)


def test_arms_do_not_share():
    def f(x, flag):
        if flag:
            n, m = x.shape
            y = x * n
        else:
            n, m = x.shape
            y = x * m
        k, _ = x.shape
        return np.sum(y * k * n)

    x = np.random.default_rng(0).normal(size=(2, 3))
    assert_right(f, x, True)
    assert_right(f, x, False)


def test_functions_that_each_read_the_shape():
    def rows(x):
        n, m = x.shape
        return x.reshape(n * m)

    def f(x):
        n, m = x.shape
        return np.sum(rows(x) ** 2) / (n * m)

    x = np.random.default_rng(0).normal(size=(2, 3))
    assert text(f, x).count("= x.shape") == 1
    assert_right(f, x)
