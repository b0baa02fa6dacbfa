"""Methods of SciPy's distributions from their standard forms.

A distribution is given by its logarithm of the density, its distribution function
and its quantiles for location 0 and scale 1. What its methods are for any location
and scale is written here once; `parameters` sorts the arguments of one distribution
into shapes, location and scale.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..runtime_special import made_safe, standard_quantile
from .registry import composite, constant, elementwise, same_rules

Form = Callable[..., Any]

constant(standard_quantile)

# ------------------------------------------------------- continuous distributions


def logpdf_of(parameters: Form, logpdf: Form) -> Form:
    def method(x, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return logpdf((x - loc) / scale, *shapes) - np.log(scale)

    return method


def pdf_of(parameters: Form, logpdf: Form) -> Form:
    def method(x, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return np.exp(logpdf((x - loc) / scale, *shapes)) / scale

    return method


def plain_of(parameters: Form, form: Form) -> Form:
    """A method whose form only stands for a standardised argument: cdf, logsf, …"""

    def method(x, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return form((x - loc) / scale, *shapes)

    return method


def rest_of(parameters: Form, cdf: Form) -> Form:
    def method(x, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return 1.0 - cdf((x - loc) / scale, *shapes)

    return method


def log_of(parameters: Form, form: Form) -> Form:
    def method(x, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return np.log(form((x - loc) / scale, *shapes))

    return method


def log_rest_of(parameters: Form, cdf: Form) -> Form:
    def method(x, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return np.log(1.0 - cdf((x - loc) / scale, *shapes))

    return method


def quantile_of(parameters: Form, ppf: Form) -> Form:
    def method(q, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return loc + scale * ppf(q, *shapes)

    return method


def upper_quantile_of(parameters: Form, ppf: Form) -> Form:
    def method(q, *args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return loc + scale * ppf(1.0 - q, *shapes)

    return method


def quantile_by_newton(name: str, logpdf: Form, cdf: Form) -> Form:
    """A quantile function from the distribution function that it inverts.

    Two steps of Newton's method from the quantile as a constant: each step doubles the
    order of the derivatives that are right, here to three.
    """

    def ppf(q, *shapes):
        z = standard_quantile(name, q, *shapes)
        z = z + (q - cdf(z, *shapes)) / np.exp(logpdf(z, *shapes))
        return z + (q - cdf(z, *shapes)) / np.exp(logpdf(z, *shapes))

    return ppf


def continuous(
    dist: Any,
    parameters: Form,
    logpdf: Form,
    cdf: Form | None = None,
    ppf: Form | None = None,
    **own: Form,
) -> None:
    """Register the methods of a continuous distribution.

    Args:
        dist: the distribution, as `stats.norm`.
        parameters: its arguments as (shapes, loc, scale).
        logpdf: the logarithm of the standard density.
        cdf: the standard distribution function.
        ppf: the standard quantile function; Newton's method on `cdf`, if not given.
        own: sharper forms of "sf", "logcdf", "logsf", "isf".
    """
    composite(dist.logpdf)(logpdf_of(parameters, logpdf))
    composite(dist.pdf)(pdf_of(parameters, logpdf))
    if cdf is not None:
        composite(dist.cdf)(plain_of(parameters, cdf))
        composite(dist.sf)(rest_of(parameters, cdf))
        composite(dist.logcdf)(log_of(parameters, cdf))
        composite(dist.logsf)(log_rest_of(parameters, cdf))
    if ppf is None and cdf is not None:
        ppf = quantile_by_newton(dist.name, logpdf, cdf)
    if ppf is not None:
        composite(dist.ppf)(quantile_of(parameters, ppf))
        composite(dist.isf)(upper_quantile_of(parameters, ppf))
    if "sf" in own:
        composite(dist.logsf)(log_of(parameters, own["sf"]))
    for name, form in own.items():
        make = quantile_of if name == "isf" else plain_of
        composite(getattr(dist, name))(make(parameters, form))
    same_rules(dist)


# ------------------------------------------------------------ the positive half line


@elementwise(made_safe, convention="1 everywhere: what is made of it is masked")
def made_safe_partial(y, outside, z):
    return None, 1.0


def inside(z):
    """The argument, and 1 where it is below 0: of what is made of it there, nothing
    is to be taken."""
    return made_safe(z < 0.0, z)


def within(z, body):
    """A logarithm of a density, and -inf below 0."""
    return np.where(z < 0.0, -np.inf, body)[()]


def at_least(z):
    """The argument, and 0 where it is below."""
    return np.where(z < 0.0, 0.0, z)[()]


# --------------------------------------------------------- discrete distributions


def counted_of(parameters: Form, form: Form) -> Form:
    def method(k, *args, **kwds):
        shapes, loc = parameters(*args, **kwds)
        return form(np.floor(k - loc), *shapes)

    return method


def exp_counted_of(parameters: Form, form: Form) -> Form:
    def method(k, *args, **kwds):
        shapes, loc = parameters(*args, **kwds)
        return np.exp(form(np.floor(k - loc), *shapes))

    return method


def rest_counted_of(parameters: Form, form: Form) -> Form:
    def method(k, *args, **kwds):
        shapes, loc = parameters(*args, **kwds)
        return 1.0 - form(np.floor(k - loc), *shapes)

    return method


def log_counted_of(parameters: Form, form: Form) -> Form:
    def method(k, *args, **kwds):
        shapes, loc = parameters(*args, **kwds)
        return np.log(form(np.floor(k - loc), *shapes))

    return method


def log_rest_counted_of(parameters: Form, form: Form) -> Form:
    def method(k, *args, **kwds):
        shapes, loc = parameters(*args, **kwds)
        return np.log(1.0 - form(np.floor(k - loc), *shapes))

    return method


def discrete(
    dist: Any, parameters: Form, logpmf: Form, cdf: Form | None = None
) -> None:
    """Register the methods of a discrete distribution; the counts are constants.

    Args:
        dist: the distribution, as `stats.poisson`.
        parameters: its arguments as (shapes, loc).
        logpmf: the logarithm of the probability of a count.
        cdf: the distribution function of a count.
    """
    composite(dist.logpmf)(counted_of(parameters, logpmf))
    composite(dist.pmf)(exp_counted_of(parameters, logpmf))
    if cdf is not None:
        composite(dist.cdf)(counted_of(parameters, cdf))
        composite(dist.sf)(rest_counted_of(parameters, cdf))
        composite(dist.logcdf)(log_counted_of(parameters, cdf))
        composite(dist.logsf)(log_rest_counted_of(parameters, cdf))
    same_rules(dist)
