"""The `statistics` module: means and spreads of lists of numbers.

Each definition is in terms of NumPy's, which has the derivatives; the value is what the
library itself computes, in fractions. What has no rule here (medians, regression,
`NormalDist`) is followed as any Python code. A spread of equal numbers has the gradient
that `numpy.std` has.
"""

import statistics

import numpy as np

from .registry import composite


@composite(statistics.mean)
def mean(data):
    return np.mean(np.array(list(data)))


@composite(statistics.fmean)
def fmean(data, weights=None):
    if weights is None:
        return np.mean(np.array(list(data)))
    else:
        return np.average(np.array(list(data)), None, np.array(list(weights)))


@composite(statistics.geometric_mean)
def geometric_mean(data):
    return np.exp(np.mean(np.log(np.array(list(data)))))


@composite(statistics.harmonic_mean)
def harmonic_mean(data, weights=None):
    if weights is None:
        return 1.0 / np.mean(1.0 / np.array(list(data)))
    else:
        shares = np.array(list(weights))
        return np.sum(shares) / np.sum(shares / np.array(list(data)))


@composite(statistics.variance)
def variance(data, xbar=None):
    if xbar is None:
        return np.var(np.array(list(data)), ddof=1)
    else:
        far = np.array(list(data)) - xbar
        return np.sum(far * far) / (len(far) - 1)


@composite(statistics.pvariance)
def pvariance(data, mu=None):
    if mu is None:
        return np.var(np.array(list(data)))
    else:
        far = np.array(list(data)) - mu
        return np.mean(far * far)


@composite(statistics.stdev)
def stdev(data, xbar=None):
    if xbar is None:
        return np.std(np.array(list(data)), ddof=1)
    else:
        far = np.array(list(data)) - xbar
        return np.sqrt(np.sum(far * far) / (len(far) - 1))


@composite(statistics.pstdev)
def pstdev(data, mu=None):
    if mu is None:
        return np.std(np.array(list(data)))
    else:
        far = np.array(list(data)) - mu
        return np.sqrt(np.mean(far * far))
