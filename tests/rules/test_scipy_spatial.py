"""Distances of SciPy by every metric that is smooth, in points, weights and options."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy.spatial import distance

from tests.rules.scipy_check import agrees

P = np.array([[0.7, -1.3, 0.4], [0.4, 1.9, 1.1], [2.2, 0.3, -0.6], [1.2, 0.9, 0.5]])
Q = np.abs(P)

CASES = [
    (lambda x: distance.cdist(x, x[:2] ** 2), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "sqeuclidean"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "cityblock"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "chebyshev"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "minkowski", p=3), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "minkowski", p=1.7, w=x[3]), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "cosine"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "correlation"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "canberra"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "braycurtis"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "seuclidean"), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "seuclidean", V=x[3]), P),
    (lambda x: distance.cdist(x[:, :2], x[:3, :2] ** 2, "mahalanobis"), P),
    (lambda x: distance.cdist(x, x[:2], "mahalanobis", VI=x[:3].T @ x[:3]), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "jensenshannon"), Q),
    (lambda x: distance.pdist(x), P),
    (lambda x: distance.pdist(x, "cosine"), P),
    (lambda x: distance.pdist(x, metric="minkowski", p=3), P),
    (lambda x: distance.pdist(x, "seuclidean"), P),
    (lambda x: distance.squareform(distance.pdist(x)), P),
    (lambda x: distance.squareform(x[:3] + x[:3].T, checks=False), P),
    (lambda x: distance.euclidean(x[0], x[1]) + distance.sqeuclidean(x[1], x[2]), P),
    (lambda x: distance.euclidean(x[0], x[1], x[3]), P),
    (lambda x: distance.cityblock(x[0], x[1]) + distance.chebyshev(x[1], x[2]), P),
    (lambda x: distance.minkowski(x[0], x[1], 3), P),
    (lambda x: distance.cosine(x[1], x[2]), P),
    (lambda x: distance.correlation(x[0], x[1], x[3]), P),
    (lambda x: distance.canberra(x[0], x[1]) + distance.braycurtis(x[0], x[2]), P),
    (lambda x: distance.seuclidean(x[0], x[1], x[3]), P),
    (lambda x: distance.mahalanobis(x[0], x[1], x[:3].T @ x[:3]), P),
    (lambda x: distance.jensenshannon(x[0], x[1], 2.0), Q),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: str(c[0].__code__.co_consts[1:3]))
def test_orders_one_and_two(case):
    agrees(*case)


def test_a_point_has_no_distance_to_itself():
    x = np.array([[1.0, 2.0], [1.0, 2.0]])
    for metric in ("euclidean", "minkowski", "chebyshev", "canberra"):
        g = sg.grad(lambda x, m=metric: np.sum(distance.cdist(x, x, m)))(x)
        assert g.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_points_that_nearly_touch_keep_their_digits():
    x = np.array([[1e6, 2e6], [1e6 + 3e-6, 2e6 + 4e-6], [1e6, 2e6 + 1e3]])
    g = sg.grad(lambda x: np.sum(distance.cdist(x[:1], x[1:])))(x)
    apart = x[0] - x[1:]
    parts = apart / np.sqrt(np.sum(apart * apart, axis=1, keepdims=True))
    np.testing.assert_allclose(g[0], parts.sum(0), rtol=1e-12)
    np.testing.assert_allclose(g[1:], -parts, rtol=1e-12)


def test_distances_to_missing_points_that_are_masked():
    x, y = P.copy(), P[:2] + 0.3
    wanted = sg.grad(lambda x: np.sum(distance.cdist(x, y)))(x)

    def f(x):
        apart = distance.cdist(x, y)
        return np.sum(np.where(np.isnan(apart), 0.0, apart))

    x[1, 2] = np.nan
    found = sg.grad(f)(x)
    assert found[1].tolist() == [0.0, 0.0, 0.0]
    np.testing.assert_allclose(found[[0, 2, 3]], wanted[[0, 2, 3]])


def test_what_counts_is_refused():
    for metric in ("hamming", "jaccard"):
        with pytest.raises(sg.SourcegradError, match="this metric"):
            sg.grad(lambda x, m=metric: np.sum(distance.cdist(x, x, m)))(P)
