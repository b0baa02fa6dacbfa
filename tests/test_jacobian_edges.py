"""Jacobians and Hessians of what is empty, a number, a container, given by name."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import hessian, hvp, jacobian

X = np.array([1.0, 2.0, 3.0])
MODES = ["forward", "reverse", "auto"]


class Line(NamedTuple):
    a: np.ndarray
    b: float


def scaled(a, b):
    return a * b


def squares(x):
    return x * x


def cubic(x):
    return np.sum(x**3)


def weighted(a, b):
    return np.sum(a * a * b)


@pytest.mark.parametrize("mode", MODES)
class TestJacobian:
    def test_empty_argument_and_result(self, mode):
        assert jacobian(squares, 0, mode)(np.zeros(0)).shape == (0, 0)
        assert jacobian(lambda x: x[:0] * 2.0, 0, mode)(X).shape == (0, 3)

    def test_numbers(self, mode):
        assert jacobian(squares, 0, mode)(3.0) == 6.0
        assert jacobian(squares, 0, mode)(3) == 6.0
        assert_allclose(jacobian(lambda t: t * X, 0, mode)(2.0), X)

    def test_shape_of_the_result_comes_first(self, mode):
        a = np.arange(6.0).reshape(2, 3)
        got = jacobian(lambda a: a.T @ a, 0, mode)(a)
        eye = np.eye(3)
        expected = np.einsum("il,kj->ijkl", eye, a) + np.einsum("jl,ki->ijkl", eye, a)
        assert_allclose(got, expected)

    def test_several_arguments_and_names(self, mode):
        by_a, by_b = jacobian(scaled, (0, 1), mode)(X, 2.0)
        assert_allclose(by_a, 2.0 * np.eye(3))
        assert_allclose(by_b, X)
        assert_allclose(jacobian(scaled, "b", mode)(X, b=2.0), X)
        turned = jacobian(scaled, ("b", "a"), mode)(X, 2.0)
        assert_allclose(turned[1], by_a)
        assert_allclose(jacobian(functools.partial(scaled, b=3.0), 0, mode)(X)[0, 0], 3)

    def test_containers_on_both_sides(self, mode):
        def pair(p):
            return {"u": p.a * p.b, "s": np.sum(p.a)}

        got = jacobian(pair, 0, mode)(Line(X, 2.0))
        assert type(got["u"]) is Line
        assert_allclose(got["u"].a, 2.0 * np.eye(3))
        assert_allclose(got["u"].b, X)
        assert_allclose(got["s"].a, np.ones(3))
        assert got["s"].b == 0.0

    def test_parts_of_a_result_that_are_no_numbers(self, mode):
        matrix, text, nothing = jacobian(lambda x: (x, "a", None), 0, mode)(X)
        assert_allclose(matrix, np.eye(3))
        assert text is None
        assert nothing is None

    def test_dtype_is_kept(self, mode):
        assert jacobian(squares, 0, mode)(X.astype(np.float32)).dtype == np.float32

    def test_whole_numbers_and_complex_are_refused(self, mode):
        with pytest.raises(sourcegrad.SourcegradError, match="int64"):
            jacobian(squares, 0, mode)(np.arange(3))
        with pytest.raises(sourcegrad.SourcegradError, match="complex"):
            jacobian(squares, 0, mode)(X * 1j)


def test_hessians_of_several_arguments():
    (aa, ab), (ba, bb) = hessian(weighted, (0, 1))(X, 2.0)
    assert_allclose(aa, 4.0 * np.eye(3))
    assert_allclose(ab, 2.0 * X)
    assert_allclose(ba, 2.0 * X)
    assert bb == 0.0
    assert hessian(cubic)(np.zeros(0)).shape == (0, 0)
    assert hessian(lambda t: t**3)(2.0) == 12.0
    with pytest.raises(TypeError, match="exactly one element"):
        hessian(squares)(X)


def test_products_with_directions():
    by_a, by_b = hvp(weighted, (0, 1))(X, 2.0, (X, 1.0))
    assert_allclose(by_a, 4.0 * X + 2.0 * X)
    assert by_b == pytest.approx(2.0 * X @ X)
    assert_allclose(hvp(weighted, "a")(X, 2.0, X), 4.0 * X)
    assert_allclose(hvp(cubic)(X, [1, 0, 0]), [6.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="shape"):
        hvp(cubic)(X, np.ones(2))
