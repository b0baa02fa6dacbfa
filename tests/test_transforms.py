"""Transforms of functions whose parameters are not all positional."""

import math
import pickle

import numpy as np
import pytest

import sourcegrad as sg


def polynomial(*coefficients):
    """The value at 2."""
    total = 0.0
    for c in coefficients:
        total = 2.0 * total + c * c
    return total


def scaled(x, *factors, **options):
    for f in factors:
        x = x * f + options.get("bias", 0.0)
    return x


def squares(*xs):
    return (xs[0] ** 2).sum()


def by_keyword(x, *, y):
    return x * y


def test_as_many_variadic_arguments_as_parameters():
    """One argument is an element of `*args`, never `*args` itself."""
    assert sg.grad(polynomial)(3.0) == 6.0
    assert sg.grad(scaled, "factors")(2.0, 3.0, 4.0) == (8.0, 6.0)
    assert sg.grad(scaled, 2)(2.0, 3.0, 4.0, bias=1.0) == 7.0
    assert sg.differentiable(polynomial).grad(3.0) == 6.0


def test_elements_of_variadic_arguments():
    assert sg.grad(polynomial, (0, 2))(1.0, 2.0, 3.0) == (8.0, 6.0)
    assert sg.vjp(polynomial, 1.0, 2.0)[1](1.0) == (4.0, 4.0)
    assert sg.jvp(polynomial, (1.0, 2.0), (1.0, 0.0)) == (6.0, 4.0)


def test_matrices_of_variadic_arguments():
    x = np.arange(3.0)
    np.testing.assert_allclose(sg.hessian(squares)(x), 2.0 * np.eye(3))
    np.testing.assert_allclose(sg.jacobian(squares)(x), 2.0 * x)
    np.testing.assert_allclose(sg.hvp(squares)(x, np.ones(3)), [2.0, 2.0, 2.0])


@pytest.mark.parametrize("transform", [sg.grad, sg.jacobian])
def test_element_that_was_not_given(transform):
    with pytest.raises(ValueError, match="out of range"):
        transform(polynomial, 3)(1.0, 2.0)


def test_parameter_only_by_keyword():
    assert sg.grad(by_keyword)(3.0, y=4.0) == 4.0
    with pytest.raises(TypeError, match="positional"):
        sg.grad(by_keyword)(3.0, 4.0)


def _sum_of(u, v, k):
    if k > 1:
        return _sum_of(u, v, k - 1)
    return u + v


def test_the_pullback_of_a_call_leaves_its_seed_alone():
    y, seed = np.array([1.0, 2.0]), np.ones(2)
    _, pullback = sg.vjp(lambda x, y: _sum_of(x * y, y, 2), 3.0, y)
    for _ in range(2):
        x_bar, y_bar = pullback(seed)
        assert x_bar == 3.0
        assert np.array_equal(y_bar, [4.0, 4.0])
        assert np.array_equal(seed, [1.0, 1.0])


# -- transforms of transforms ----------------------------------------------------------


def cube(x, k):
    return k * x**3


@pytest.mark.parametrize("x", [2.0, 3, np.float32(1.5)])
def test_the_pullback_of_a_gradient(x):
    y, pullback = sg.vjp(sg.grad(cube), x, 5)
    assert y == pytest.approx(15 * x**2)
    x_bar, k_bar = pullback(2.0)
    assert x_bar == pytest.approx(60 * x) and k_bar == pytest.approx(6 * x**2)


def test_the_pullback_of_a_gradient_pickles():
    x = np.array([1.0, 2.0])
    y, pullback = sg.vjp(sg.grad(total_cube), x)
    x[:] = 0.0
    again = pickle.loads(pickle.dumps(pullback))
    np.testing.assert_allclose(y, [3.0, 12.0])
    np.testing.assert_allclose(again(np.ones(2))[0], [6.0, 12.0])


def total_cube(x):
    return np.sum(x**3)


def _root_tried(x, y):
    z = (x > 0) * y
    try:
        v = math.sqrt(z)
    except ValueError:
        v = z
    return 0.5 * v + y


def test_zero_wins_where_the_program_tries():
    value, gradient = sg.value_and_grad(_root_tried, (0, 1))(-0.7, -1.2)
    assert (value, gradient) == (-1.2, (0.0, 1.0))


@pytest.mark.parametrize(
    ("f", "seed"),
    [
        (lambda x: np.sum(x * x), np.ones(3)),
        (lambda x: x * x, np.ones((3, 1))),
        (lambda x: x * x, np.ones(2)),
        (lambda x: x * x, 1j * np.ones(3)),
        (lambda x: (x * x, x[0]), 1.0),
        (lambda x: (x * x, x[0]), (1.0,)),
        (lambda x: {"a": x * x}, {"b": np.ones(3)}),
    ],
)
def test_a_cotangent_that_does_not_fit_the_result_is_refused(f, seed):
    _, pull = sg.vjp(f, np.arange(3.0))
    with pytest.raises(ValueError, match="the cotangent"):
        pull(seed)


def test_a_number_stands_for_the_cotangent_of_each_element():
    _, pull = sg.vjp(lambda x: x * x, np.arange(3.0))
    np.testing.assert_array_equal(pull(2.0)[0], [0.0, 4.0, 8.0])


@pytest.mark.parametrize("argnums", [np.ones(2), 1.5, [0], None, True])
def test_arguments_are_named_by_numbers_and_names(argnums):
    with pytest.raises(TypeError, match="argnums must be an int"):
        sg.grad(lambda x, y: x * y, argnums)
