"""Statistics in terms of sums: those that skip nan, covariance, correlation.

Convention: an entry that is skipped has derivative 0.
"""

import numpy as np

from .registry import composite

# ------------------------------------------------------------- skipping nan


@composite(np.nansum)
def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    return np.sum(np.where(np.isnan(a), 0.0, a), axis=axis, keepdims=keepdims)


@composite(np.nanprod)
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return np.prod(np.where(np.isnan(a), 1.0, a), axis=axis, keepdims=keepdims)


@composite(np.nancumsum)
def nancumsum(a, axis=None, dtype=None, out=None):
    return np.cumsum(np.where(np.isnan(a), 0.0, a), axis=axis)


@composite(np.nancumprod)
def nancumprod(a, axis=None, dtype=None, out=None):
    return np.cumprod(np.where(np.isnan(a), 1.0, a), axis=axis)


@composite(np.nanmean)
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    known = np.logical_not(np.isnan(a))
    total = np.sum(np.where(known, a, 0.0), axis=axis, keepdims=keepdims)
    count = np.sum(known, axis=axis, keepdims=keepdims, dtype=np.result_type(a))
    return total / count


@composite(np.nanvar)
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    known = np.logical_not(np.isnan(a))
    dtype = np.result_type(np.real(a))
    count = np.sum(known, axis=axis, keepdims=keepdims, dtype=dtype)
    mean = np.sum(np.where(known, a, 0.0), axis=axis, keepdims=True)
    mean = mean / np.sum(known, axis=axis, keepdims=True, dtype=dtype)
    deviation = np.where(known, a - mean, 0.0)
    squares = np.real(deviation * np.conj(deviation))
    return np.sum(squares, axis=axis, keepdims=keepdims) / (count - ddof)


@composite(np.nanstd, convention="gradient 0 where all are equal")
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    known = np.logical_not(np.isnan(a))
    count = np.sum(known, axis=axis, keepdims=keepdims)
    filled = np.where(known, a, np.nanmean(a, axis=axis, keepdims=True))
    spread = np.std(filled, axis=axis, keepdims=keepdims)
    every = np.size(a) // max(np.size(spread), 1)
    return spread * np.sqrt(every / (count - ddof)).astype(np.result_type(spread))


# ---------------------------------------------------------------- covariance


@composite(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    rows = np.atleast_2d(m)
    rows = rows.T if not rowvar and np.ndim(m) == 2 else rows
    if y is not None:
        more = np.atleast_2d(y)
        more = more.T if not rowvar and np.ndim(y) == 2 else more
        rows = np.concatenate((rows, more), axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    rows = rows - np.mean(rows, axis=1, keepdims=True)
    product = np.dot(rows, np.conj(rows.T)) / max(rows.shape[1] - ddof, 0)
    return np.squeeze(product)


@composite(np.cov, options=True)
def cov_weighted(
    m,
    y=None,
    rowvar=True,
    bias=False,
    ddof=None,
    fweights=None,
    aweights=None,
    *,
    dtype=None,
):
    rows = np.atleast_2d(m)
    rows = rows.T if not rowvar and np.ndim(m) == 2 else rows
    if y is not None:
        more = np.atleast_2d(y)
        more = more.T if not rowvar and np.ndim(y) == 2 else more
        rows = np.concatenate((rows, more), axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    counts = np.ones(rows.shape[1]) if fweights is None else fweights
    weights = counts if aweights is None else counts * aweights
    total = np.sum(weights)
    if aweights is None:
        free = total - ddof
    else:
        free = total - ddof * np.sum(weights * aweights) / total
    rows = rows - np.sum(rows * weights, axis=1, keepdims=True) / total
    return np.squeeze(np.dot(rows, np.conj((rows * weights).T)) / free)


@composite(np.corrcoef)
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = np.cov(x, y, rowvar)
    if np.ndim(c) == 0:
        return c / c
    else:
        spread = np.sqrt(np.real(np.diag(c)))
        return c / np.expand_dims(spread, 1) / spread
