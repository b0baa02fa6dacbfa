"""Statistics of samples of SciPy: means, moments, scores, entropies, transforms.

Convention: `nan_policy` is "propagate"; another one is refused.
"""

import numpy as np
from scipy import special, stats

from ..runtime import not_differentiable
from .registry import composite, constant

constant(stats.rankdata, stats.tiecorrect)


def require(nan_policy):
    """Refuse to leave out elements by value."""
    if nan_policy != "propagate":
        not_differentiable(
            "a statistic of SciPy has a rule for nan_policy='propagate' only",
            hint="select the elements first, as x[~np.isnan(x)]",
        )


def count_along(a, axis):
    """How many elements a statistic takes."""
    return a.size if axis is None else a.shape[axis]


# ------------------------------------------------------------------------ means


def averaged(x, axis, weights, keepdims):
    """The mean with weights, which SciPy broadcasts to the shape of the sample."""
    every = np.broadcast_to(weights, np.shape(x))
    return np.average(x, axis, every, keepdims=keepdims)


@composite(stats.gmean)
def gmean(
    a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False
):
    require(nan_policy)
    logs = np.log(a)
    if weights is None:
        return np.exp(np.mean(logs, axis=axis, keepdims=keepdims))
    else:
        return np.exp(averaged(logs, axis, weights, keepdims))


@composite(stats.hmean)
def hmean(
    a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False
):
    require(nan_policy)
    if weights is None:
        return 1.0 / np.mean(1.0 / a, axis=axis, keepdims=keepdims)
    else:
        return 1.0 / averaged(1.0 / a, axis, weights, keepdims)


@composite(stats.pmean)
def pmean(
    a, p, *, axis=0, dtype=None, weights=None, nan_policy="propagate", keepdims=False
):
    require(nan_policy)
    if p == 0:
        return stats.gmean(a, axis, dtype, weights, keepdims=keepdims)
    powers = np.power(a, p)
    if weights is None:
        return np.power(np.mean(powers, axis=axis, keepdims=keepdims), 1.0 / p)
    else:
        whole = averaged(powers, axis, weights, keepdims)
        return np.power(whole, 1.0 / p)


@composite(stats.tmean)
def tmean(
    a,
    limits=None,
    inclusive=(True, True),
    axis=None,
    *,
    nan_policy="propagate",
    keepdims=False,
):
    require(nan_policy)
    if limits is not None:
        not_differentiable("scipy.stats.tmean has no derivative rule with limits")
    return np.mean(a, axis=axis, keepdims=keepdims)


@composite(stats.tvar)
def tvar(
    a,
    limits=None,
    inclusive=(True, True),
    axis=0,
    ddof=1,
    *,
    nan_policy="propagate",
    keepdims=False,
):
    require(nan_policy)
    if limits is not None:
        not_differentiable("scipy.stats.tvar has no derivative rule with limits")
    return np.var(a, axis=axis, ddof=ddof, keepdims=keepdims)


@composite(stats.tstd)
def tstd(
    a,
    limits=None,
    inclusive=(True, True),
    axis=0,
    ddof=1,
    *,
    nan_policy="propagate",
    keepdims=False,
):
    require(nan_policy)
    if limits is not None:
        not_differentiable("scipy.stats.tstd has no derivative rule with limits")
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)


# ---------------------------------------------------------------------- moments


@composite(stats.moment)
def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):
    require(nan_policy)
    if np.ndim(order) > 0:
        not_differentiable(
            "scipy.stats.moment of several orders has no derivative rule",
            hint="call it once for each order",
        )
    if center is None:
        away = a - np.mean(a, axis=axis, keepdims=True)
    else:
        away = a - center
    return np.mean(np.power(away, order), axis=axis, keepdims=keepdims)


@composite(stats.skew)
def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    require(nan_policy)
    away = a - np.mean(a, axis=axis, keepdims=True)
    second = np.mean(away * away, axis=axis, keepdims=keepdims)
    third = np.mean(away * away * away, axis=axis, keepdims=keepdims)
    ratio = third / np.power(second, 1.5)
    n = count_along(a, axis)
    if bias or n <= 2:
        return ratio
    else:
        return ratio * np.sqrt(n * (n - 1.0)) / (n - 2.0)


@composite(stats.kurtosis)
def kurtosis(
    a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False
):
    require(nan_policy)
    squares = np.square(a - np.mean(a, axis=axis, keepdims=True))
    second = np.mean(squares, axis=axis, keepdims=keepdims)
    ratio = np.mean(squares * squares, axis=axis, keepdims=keepdims) / second**2
    shift = 3.0 if fisher else 0.0
    n = count_along(a, axis)
    if bias or n <= 3:
        return ratio - shift
    else:
        scale = (n - 1.0) / ((n - 2.0) * (n - 3.0))
        return scale * ((n + 1.0) * ratio - 3.0 * (n - 1.0)) + 3.0 - shift


@composite(stats.variation)
def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    require(nan_policy)
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)
    return spread / np.mean(a, axis=axis, keepdims=keepdims)


@composite(stats.sem)
def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    require(nan_policy)
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)
    return spread / count_along(a, axis) ** 0.5


@composite(stats.gstd)
def gstd(a, axis=0, ddof=1, *, keepdims=False, nan_policy="propagate"):
    require(nan_policy)
    return np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


# ----------------------------------------------------------------------- scores


@composite(stats.zscore)
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    require(nan_policy)
    away = a - np.mean(a, axis=axis, keepdims=True)
    return away / np.std(a, axis=axis, ddof=ddof, keepdims=True)


@composite(stats.zmap)
def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    require(nan_policy)
    away = scores - np.mean(compare, axis=axis, keepdims=True)
    return away / np.std(compare, axis=axis, ddof=ddof, keepdims=True)


@composite(stats.gzscore)
def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    require(nan_policy)
    logs = np.log(a)
    away = logs - np.mean(logs, axis=axis, keepdims=True)
    return away / np.std(logs, axis=axis, ddof=ddof, keepdims=True)


# ------------------------------------------------------------ entropies, transforms


@composite(stats.entropy)
def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    require(nan_policy)
    p = pk / np.sum(pk, axis=axis, keepdims=True)
    if qk is None:
        parts = special.entr(p)
    else:
        if np.shape(pk) != np.shape(qk):
            not_differentiable(
                "scipy.stats.entropy has a rule for pk and qk of one shape"
            )
        parts = special.rel_entr(p, qk / np.sum(qk, axis=axis, keepdims=True))
    total = np.sum(parts, axis=axis, keepdims=keepdims)
    return total if base is None else total / np.log(base)


@composite(stats.boxcox)
def boxcox(x, lmbda=None, alpha=None, optimizer=None):
    if lmbda is None:
        not_differentiable(
            "scipy.stats.boxcox that fits lmbda itself has no derivative rule",
            hint="give lmbda, or maximise scipy.stats.boxcox_llf",
        )
    return special.boxcox(x, lmbda)


@composite(stats.boxcox_llf)
def boxcox_llf(lmb, data, *, axis=0, keepdims=False, nan_policy="propagate"):
    require(nan_policy)
    moved = special.boxcox(data, lmb)
    logs = np.sum(np.log(data), axis=axis, keepdims=keepdims)
    spread = np.log(np.var(moved, axis=axis, keepdims=keepdims))
    return (lmb - 1.0) * logs - 0.5 * count_along(data, axis) * spread


@composite(stats.yeojohnson)
def yeojohnson(x, lmbda=None):
    if lmbda is None:
        not_differentiable(
            "scipy.stats.yeojohnson that fits lmbda itself has no derivative rule",
            hint="give lmbda",
        )
    above = x >= 0.0
    high = special.boxcox1p(np.where(above, x, 0.0), lmbda)
    low = -special.boxcox1p(np.where(above, 0.0, -x), 2.0 - lmbda)
    return np.where(above, high, low)


# ------------------------------------------------------------------ order statistics


@composite(stats.iqr)
def iqr(
    x,
    axis=None,
    rng=(25, 75),
    scale=1.0,
    nan_policy="propagate",
    interpolation="linear",
    keepdims=False,
):
    require(nan_policy)
    if interpolation != "linear" or isinstance(scale, str):
        not_differentiable("scipy.stats.iqr has a rule for its defaults only")
    low = np.percentile(x, rng[0], axis=axis, keepdims=keepdims)
    return (np.percentile(x, rng[1], axis=axis, keepdims=keepdims) - low) / scale


@composite(stats.median_abs_deviation)
def median_abs_deviation(
    x, axis=0, center=np.median, scale=1.0, nan_policy="propagate", *, keepdims=False
):
    require(nan_policy)
    if center is not np.median or isinstance(scale, str):
        not_differentiable(
            "scipy.stats.median_abs_deviation has a derivative rule about the median"
        )
    away = np.abs(x - np.median(x, axis=axis, keepdims=True))
    return np.median(away, axis=axis, keepdims=keepdims) / scale


@composite(stats.circmean)
def circmean(
    samples,
    high=6.283185307179586,
    low=0,
    axis=None,
    nan_policy="propagate",
    *,
    keepdims=False,
):
    require(nan_policy)
    unit = 6.283185307179586 / (high - low)
    angles = samples * unit
    sine = np.mean(np.sin(angles), axis=axis, keepdims=keepdims)
    cosine = np.mean(np.cos(angles), axis=axis, keepdims=keepdims)
    return np.mod(np.arctan2(sine, cosine) / unit - low, high - low) + low


@composite(stats.circvar)
def circvar(
    samples,
    high=6.283185307179586,
    low=0,
    axis=None,
    nan_policy="propagate",
    *,
    keepdims=False,
):
    require(nan_policy)
    angles = samples * (6.283185307179586 / (high - low))
    sine = np.mean(np.sin(angles), axis=axis, keepdims=keepdims)
    return 1.0 - np.hypot(sine, np.mean(np.cos(angles), axis=axis, keepdims=keepdims))


@composite(stats.circstd, convention="gradient 0 where all are equal")
def circstd(
    samples,
    high=6.283185307179586,
    low=0,
    axis=None,
    nan_policy="propagate",
    *,
    normalize=False,
    keepdims=False,
):
    require(nan_policy)
    unit = 6.283185307179586 / (high - low)
    angles = samples * unit
    sine = np.mean(np.sin(angles), axis=axis, keepdims=keepdims)
    length = np.hypot(sine, np.mean(np.cos(angles), axis=axis, keepdims=keepdims))
    spread = np.sqrt(-2.0 * np.log(length))
    return spread if normalize else spread / unit


@composite(stats.kstat)
def kstat(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    require(nan_policy)
    count = count_along(data, axis)
    mean = np.mean(data, axis=axis, keepdims=True)
    away = data - mean
    squares = np.sum(away**2, axis=axis, keepdims=keepdims)
    if n == 1:
        return np.mean(data, axis=axis, keepdims=keepdims)
    elif n == 2:
        return squares / (count - 1.0)
    elif n == 3:
        cubes = np.sum(away**3, axis=axis, keepdims=keepdims)
        return count * cubes / ((count - 1.0) * (count - 2.0))
    else:
        fourth = count * (count + 1.0) * np.sum(away**4, axis=axis, keepdims=keepdims)
        below = (count - 1.0) * (count - 2.0) * (count - 3.0)
        return (fourth - 3.0 * (count - 1.0) * squares**2) / below


# ------------------------------------------------------------------ of two samples


@composite(stats.wasserstein_distance, convention="0 where two elements coincide")
def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None):
    if u_weights is not None or v_weights is not None or len(u_values) != len(v_values):
        not_differentiable(
            "scipy.stats.wasserstein_distance has a rule for two samples of one length "
            "without weights",
            hint="repeat the elements by their weights",
        )
    return np.mean(np.abs(np.sort(u_values) - np.sort(v_values)))
