"""`scipy.stats.gaussian_kde`: a density that is a mean of Gaussian bells.

One made outside of the function is differentiated in the points; one made inside
in the data too, and in a bandwidth that is a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special, stats

from ..runtime import not_differentiable
from .registry import composite


def energies(dataset, covariance, points):
    """Half the squared distance of each datum (rows) to each point, in the metric."""
    at = np.atleast_2d(points)
    dimensions, count = dataset.shape
    if dimensions > 1 and np.ndim(points) == 1:
        at = np.reshape(points, (dimensions, 1))
    apart = np.expand_dims(dataset, 2) - np.expand_dims(at, 1)
    flat = np.reshape(apart, (dimensions, count * at.shape[1]))
    halves = 0.5 * np.sum(flat * np.linalg.solve(covariance, flat), axis=0)
    return np.reshape(halves, (count, at.shape[1]))


def density(dataset, covariance, weights, points):
    """The mean of the bells at points."""
    bells = np.exp(-energies(dataset, covariance, points))
    return weights @ bells / np.sqrt(np.linalg.det(2.0 * np.pi * covariance))


def log_density(dataset, covariance, weights, points):
    """The logarithm of the mean of the bells at points."""
    logs = -energies(dataset, covariance, points)
    total = special.logsumexp(logs, axis=0, b=np.expand_dims(weights, 1))
    return total - 0.5 * np.log(np.linalg.det(2.0 * np.pi * covariance))


def evaluate(self, points):
    return density(self.dataset, self.covariance, self.weights, points)


def pdf(self, x):
    return density(self.dataset, self.covariance, self.weights, x)


def logpdf(self, x):
    return log_density(self.dataset, self.covariance, self.weights, x)


composite(stats.gaussian_kde.evaluate)(evaluate)
composite(stats.gaussian_kde.pdf)(pdf)
composite(stats.gaussian_kde.logpdf)(logpdf)


class Kernels:
    """`stats.gaussian_kde(dataset)`, made inside of the function."""

    def __init__(self, dataset: Any, covariance: Any, weights: Any) -> None:
        self.dataset = dataset
        self.covariance = covariance
        self.weights = weights

    def __call__(self, points: Any) -> Any:
        """The density at points."""
        return density(self.dataset, self.covariance, self.weights, points)

    def evaluate(self, points: Any) -> Any:
        """The density at points."""
        return density(self.dataset, self.covariance, self.weights, points)

    def pdf(self, x: Any) -> Any:
        """The density at points."""
        return density(self.dataset, self.covariance, self.weights, x)

    def logpdf(self, x: Any) -> Any:
        """The logarithm of the density at points."""
        return log_density(self.dataset, self.covariance, self.weights, x)


@composite(stats.gaussian_kde, builds=True)
def gaussian_kde(dataset, bw_method=None, weights=None):
    if weights is not None:
        not_differentiable(
            "gaussian_kde made inside of the function has a rule without weights",
            hint="make it outside, if the data do not depend on the arguments",
        )
    rows = np.atleast_2d(dataset)
    dimensions, count = rows.shape
    if bw_method is None or bw_method == "scott":
        factor = count ** (-1.0 / (dimensions + 4.0))
    elif bw_method == "silverman":
        factor = (count * (dimensions + 2.0) / 4.0) ** (-1.0 / (dimensions + 4.0))
    else:
        factor = bw_method
    spread = np.reshape(np.cov(rows), (dimensions, dimensions))
    equal = np.full(count, 1.0 / count)
    return Kernels(rows, spread * factor**2, equal)
