"""Frozen distributions of SciPy: `stats.norm(0.0, s).logpdf(x)`.

Where a program freezes a distribution, the compiler builds a `Frozen` in its place,
whose methods are those of the distribution itself; the generated code calls them
directly. A distribution frozen outside of the function is followed into its parts.
"""

from __future__ import annotations

from typing import Any

from scipy.stats._distn_infrastructure import (
    rv_continuous_frozen,
    rv_discrete_frozen,
    rv_frozen,
    rv_generic,
)

from .registry import composite


class Frozen:
    """A distribution with its arguments, as `stats.norm(0.0, s)` makes one."""

    def __init__(self, dist: Any, args: Any, kwds: Any) -> None:
        self.dist = dist
        self.args = args
        self.kwds = kwds

    def pdf(self, x: Any) -> Any:
        """`pdf` of the distribution."""
        return self.dist.pdf(x, *self.args, **self.kwds)

    def logpdf(self, x: Any) -> Any:
        """`logpdf` of the distribution."""
        return self.dist.logpdf(x, *self.args, **self.kwds)

    def pmf(self, k: Any) -> Any:
        """`pmf` of the distribution."""
        return self.dist.pmf(k, *self.args, **self.kwds)

    def logpmf(self, k: Any) -> Any:
        """`logpmf` of the distribution."""
        return self.dist.logpmf(k, *self.args, **self.kwds)

    def cdf(self, x: Any) -> Any:
        """`cdf` of the distribution."""
        return self.dist.cdf(x, *self.args, **self.kwds)

    def logcdf(self, x: Any) -> Any:
        """`logcdf` of the distribution."""
        return self.dist.logcdf(x, *self.args, **self.kwds)

    def sf(self, x: Any) -> Any:
        """`sf` of the distribution."""
        return self.dist.sf(x, *self.args, **self.kwds)

    def logsf(self, x: Any) -> Any:
        """`logsf` of the distribution."""
        return self.dist.logsf(x, *self.args, **self.kwds)

    def ppf(self, q: Any) -> Any:
        """`ppf` of the distribution."""
        return self.dist.ppf(q, *self.args, **self.kwds)

    def isf(self, q: Any) -> Any:
        """`isf` of the distribution."""
        return self.dist.isf(q, *self.args, **self.kwds)

    def mean(self) -> Any:
        """`mean` of the distribution."""
        return self.dist.mean(*self.args, **self.kwds)

    def median(self) -> Any:
        """`median` of the distribution."""
        return self.dist.median(*self.args, **self.kwds)

    def var(self) -> Any:
        """`var` of the distribution."""
        return self.dist.var(*self.args, **self.kwds)

    def std(self) -> Any:
        """`std` of the distribution."""
        return self.dist.std(*self.args, **self.kwds)

    def entropy(self) -> Any:
        """`entropy` of the distribution."""
        return self.dist.entropy(*self.args, **self.kwds)

    def moment(self, order: Any = None) -> Any:
        """`moment` of the distribution."""
        return self.dist.moment(order, *self.args, **self.kwds)

    def stats(self, moments: Any = "mv") -> Any:
        """`stats` of the distribution."""
        return self.dist.stats(*self.args, moments=moments, **self.kwds)

    def support(self) -> Any:
        """`support` of the distribution."""
        return self.dist.support(*self.args, **self.kwds)

    def interval(self, confidence: Any = None) -> Any:
        """`interval` of the distribution."""
        return self.dist.interval(confidence, *self.args, **self.kwds)

    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        """`rvs` of the distribution."""
        return self.dist.rvs(
            *self.args, size=size, random_state=random_state, **self.kwds
        )


@composite(rv_generic.__call__, rv_generic.freeze, builds=True)
def freeze(self, *args, **kwds):
    return Frozen(self, args, kwds)


# ------------------------------------------------- frozen outside of the function


@composite(rv_continuous_frozen.pdf)
def frozen_pdf(self, x):
    return self.dist.pdf(x, *self.args, **self.kwds)


@composite(rv_continuous_frozen.logpdf)
def frozen_logpdf(self, x):
    return self.dist.logpdf(x, *self.args, **self.kwds)


@composite(rv_discrete_frozen.pmf)
def frozen_pmf(self, k):
    return self.dist.pmf(k, *self.args, **self.kwds)


@composite(rv_discrete_frozen.logpmf)
def frozen_logpmf(self, k):
    return self.dist.logpmf(k, *self.args, **self.kwds)


@composite(rv_frozen.cdf)
def frozen_cdf(self, x):
    return self.dist.cdf(x, *self.args, **self.kwds)


@composite(rv_frozen.logcdf)
def frozen_logcdf(self, x):
    return self.dist.logcdf(x, *self.args, **self.kwds)


@composite(rv_frozen.sf)
def frozen_sf(self, x):
    return self.dist.sf(x, *self.args, **self.kwds)


@composite(rv_frozen.logsf)
def frozen_logsf(self, x):
    return self.dist.logsf(x, *self.args, **self.kwds)


@composite(rv_frozen.ppf)
def frozen_ppf(self, q):
    return self.dist.ppf(q, *self.args, **self.kwds)


@composite(rv_frozen.isf)
def frozen_isf(self, q):
    return self.dist.isf(q, *self.args, **self.kwds)
