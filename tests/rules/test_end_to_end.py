"""Rules in whole programs: what no rule shows by itself."""

import numpy as np
import pytest

import sourcegrad as sg

ZERO = np.zeros(3)
A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])

# Smooth functions of which a part has no derivative at 0, where a convention gives
# one: the second derivative is 2 on the diagonal, and must be that or not finite.
SQUARES = [
    lambda x: np.linalg.norm(x) ** 2,
    lambda x: np.linalg.norm(x, 2) ** 2,
    lambda x: np.linalg.norm(np.reshape(x, (1, 3)), "fro") ** 2,
    lambda x: np.sum(np.linalg.norm(np.reshape(x, (1, 3)), axis=1) ** 2),
    lambda x: np.linalg.vector_norm(x) ** 2,
    lambda x: np.hypot(np.hypot(x[0], x[1]), x[2]) ** 2,
    lambda x: np.abs(x[0] + 1j * x[1]) ** 2 + x[2] ** 2,
    lambda x: np.sqrt(np.sum(x * x)) ** 2,
    lambda x: 3.0 * np.std(x) ** 2,
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", SQUARES)
def test_a_convention_at_order_one_is_no_wrong_number_at_order_two(f):
    try:
        got = sg.hessian(f)(ZERO)
    except sg.NonDifferentiableError:
        return
    want = sg.hessian(f)(ZERO + 1e-3 * np.array([1.0, 2.0, -1.5]))
    finite = np.isfinite(got)
    np.testing.assert_allclose(got[finite], want[finite], atol=1e-6)
    assert not finite[0].all() or got[0, 0] != 0.0


def test_the_modulus_of_a_complex_number_at_order_two():
    h = sg.hessian(lambda x: np.abs(x[0] + 1j * x[1]))(np.array([3.0, 4.0]))
    want = np.array([[16.0, -12.0], [-12.0, 9.0]]) / 125.0
    np.testing.assert_allclose(h, want, rtol=1e-13)


def test_the_sign_of_a_complex_number_turns():
    g = sg.grad(lambda x: np.real(np.sign(x[0] + 1j * x[1])))(np.array([3.0, 4.0]))
    np.testing.assert_allclose(g, np.array([16.0, -12.0]) / 125.0, rtol=1e-13)


NORMS = [
    lambda x: np.sum(np.linalg.norm(x, 1, axis=1) ** 2),
    lambda x: np.sum(np.linalg.norm(x, 3, axis=1) ** 2),
    lambda x: np.sum(np.linalg.norm(x, 2.5, axis=0) ** 2),
    lambda x: np.sum(np.linalg.norm(x, np.inf, axis=1) ** 2),
    lambda x: np.linalg.norm(x, "fro") ** 3,
    lambda x: np.linalg.norm(x, "nuc") ** 2,
    lambda x: np.linalg.norm(x, 2) ** 2,
    lambda x: np.linalg.norm(x, -2) ** 2,
    lambda x: np.linalg.norm(x, 1) ** 2,
    lambda x: np.linalg.norm(x, np.inf) ** 2,
    lambda x: np.sum(np.multiply.outer(x[0], x[1]) ** 3),
    lambda x: np.sum(np.maximum.accumulate(x, axis=1) ** 3),
    lambda x: np.sum(np.minimum.accumulate(x, axis=0) ** 3),
    lambda x: np.sum(np.multiply.accumulate(x, axis=1) ** 2),
    lambda x: np.sum(np.multiply.reduce(x) ** 2),
    lambda x: np.sum(np.subtract.reduce(x, axis=1) ** 3),
    lambda x: np.sum(np.logaddexp.reduce(x, axis=1, keepdims=True) ** 2),
    lambda x: np.maximum.reduce(x, axis=1)[0] ** 3,
    lambda x: np.sum(np.arctan2.outer(x[0], x[1] + 3.0) * np.hypot.outer(x[1], x[0])),
    lambda x: np.sum(np.sort(x, axis=1)[:, :2] ** 3),
]


@pytest.mark.parametrize("f", NORMS)
def test_orders_one_and_two(f):
    d = np.cos(np.arange(6.0) ** 2).reshape(2, 3)
    g, h = sg.grad(f), 1e-5
    want = (f(A + h * d) - f(A - h * d)) / (2.0 * h)
    assert np.sum(g(A) * d) == pytest.approx(want, rel=1e-7)
    want = (g(A + h * d) - g(A - h * d)) / (2.0 * h)
    np.testing.assert_allclose(
        np.tensordot(sg.hessian(f)(A), d, 2), want, rtol=1e-6, atol=1e-7
    )


def test_results_thrown_away_under_one_name_are_kept_apart():
    def f(x):
        _, s, _ = np.linalg.svd(x, full_matrices=False)
        return np.sum(s**3)

    d, h = np.cos(np.arange(6.0) ** 2).reshape(2, 3), 1e-5
    want = (f(A + h * d) - f(A - h * d)) / (2.0 * h)
    assert np.sum(sg.grad(f)(A) * d) == pytest.approx(want, rel=1e-7)


def test_a_library_function_without_a_rule_is_refused_by_its_name():
    with pytest.raises(
        sg.SourcegradError, match=r"np\.multiply\.reduceat has no derivative"
    ):
        sg.grad(lambda x: np.sum(np.multiply.reduceat(x, [0, 2]) ** 2))(ZERO)
    with pytest.raises(sg.SourcegradError, match=r"np\.histogramdd has no derivative"):
        sg.grad(lambda x: np.sum(np.histogramdd(x)[0]))(ZERO)


V = np.array([1.0, 2.0, 4.0])
M = np.array([[1.0, 2.0, 3.0], [4.0, 5.5, 6.0], [2.0, 3.0, 9.0]])
LABELS = [
    lambda x: np.einsum(x, [0, 1], V, [1], [0]),
    lambda x: np.einsum(x, [0, 1], [1, 0]),
    lambda x: np.einsum(x, [..., 1], V, [1], [...]),
    lambda x: np.einsum(x, [0, 1], x, [1, 2], V, [0]),
]
LISTS = [
    lambda x: np.mean([x[0], x[1] * 2]),
    lambda x: np.linalg.norm([x[0, 0], x[1, 1]]),
    lambda x: np.max([x[0, 0], x[1, 1], 2.0]),
    lambda x: np.dot([x[0, 0], x[1, 0]], [3.0, x[0, 1]]),
    lambda x: np.std((x[0], x[1])),
    lambda x: np.polyval([x[0, 0], 1.0, x[0, 1]], x[1]),
]
ONE_ARRAY = [
    lambda x: np.vstack(x * x),
    lambda x: np.hstack(x * x),
    lambda x: np.concatenate(x * x),
    lambda x: np.stack(x * x, axis=1),
    lambda x: np.column_stack(x * x),
]
GRADIENTS = [
    lambda x: np.gradient(x)[1],
    lambda x: np.gradient(x, 0.1, 0.2)[0],
    lambda x: np.gradient(x, 0.3, axis=1),
    lambda x: np.gradient(x, V, axis=1, edge_order=2),
    lambda x: np.gradient(x, 2.0, axis=(0, 1))[1],
    lambda x: np.gradient(x[0], V),
]
CHOICES = [
    lambda x: np.select([x > 2.2, x > 1.2], [x * x, x], default=-1.0),
    lambda x: np.choose(np.array([0, 1, 1]), [x, x * x]),
    lambda x: np.choose(np.array([2, 1, 0]), x * x),
    lambda x: np.kron(x[0, 0], x[1]) * np.kron(x[0, 1], 2.0),
]
SPREAD = [
    lambda x: np.sum(np.sum(np.sin(x[:, :1]), axis=0) * np.cos(x)),
    lambda x: np.sum((x[..., np.newaxis] - x[0][np.newaxis]) ** 2),
    lambda x: x[None, :, None] * x[0],
]


@pytest.mark.parametrize(
    "f", [*LABELS, *LISTS, *ONE_ARRAY, *GRADIENTS, *CHOICES, *SPREAD]
)
def test_forms_of_a_call(f):
    np.testing.assert_array_equal(sg.vjp(f, M)[0], f(M))
    sg.check_grad(f, (M,), order=2)


def test_an_axis_that_is_an_argument():
    def f(x, axis, keep):
        return np.sum(np.max(x, axis=axis, keepdims=keep) * x, axis=-1)

    for axis in (0, 1, -1):
        x_bar, _, _ = sg.vjp(f, M, axis, True)[1](np.ones(3))
        want = sg.grad(lambda x: np.sum(f(x, axis, True)))(M)  # noqa: B023
        np.testing.assert_allclose(x_bar, want)


def test_sums_of_segments():
    for indices in ([0, 2], [1, 0, 2], [0, 1, 1, 2]):
        sg.check_grad(lambda x: np.add.reduceat(x, indices) ** 2, (V,), order=2)  # noqa: B023
        sg.check_grad(lambda x: np.add.reduceat(x, indices, axis=1) ** 2, (M,))  # noqa: B023


@pytest.mark.parametrize("mode", ["wrap", "clip"])
def test_take_beyond_the_end(mode):
    far = np.array([-1, 4, 1, 7])
    sg.check_grad(lambda x: np.take(x, far, mode=mode) ** 2, (V,), order=2)
    sg.check_grad(lambda x: np.take(x, far, axis=1, mode=mode) ** 2, (M,))
    sg.check_grad(lambda x: x.take(far, mode=mode) ** 2, (M,))
