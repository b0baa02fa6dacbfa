"""Mean, variance, standard deviation and entropy of SciPy's distributions.

Closed forms of the standard distribution, moved by location and scale. Parameters
outside of a distribution's domain are not looked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special, stats

from .registry import composite
from .scipy_stats_shapes import (
    HALF_LOG,
    shape_a,
    shape_c,
    shape_df,
    shape_s,
    shapes_ab,
    shapes_none,
)

Form = Callable[..., Any]
EULER = 0.5772156649015329


def mean_of(parameters: Form, form: Form) -> Form:
    def method(*args, **kwds):
        shapes, loc, scale = parameters(*args, **kwds)
        return loc + scale * form(*shapes)

    return method


def var_of(parameters: Form, form: Form) -> Form:
    def method(*args, **kwds):
        shapes, _, scale = parameters(*args, **kwds)
        return scale * scale * form(*shapes)

    return method


def std_of(parameters: Form, form: Form) -> Form:
    def method(*args, **kwds):
        shapes, _, scale = parameters(*args, **kwds)
        return scale * np.sqrt(form(*shapes))

    return method


def entropy_of(parameters: Form, form: Form) -> Form:
    def method(*args, **kwds):
        shapes, _, scale = parameters(*args, **kwds)
        return form(*shapes) + np.log(scale)

    return method


def summaries(
    dist: Any, parameters: Form, mean: Form, var: Form, entropy: Form
) -> None:
    """Register the summaries of a distribution, given those of the standard one."""
    composite(dist.mean)(mean_of(parameters, mean))
    composite(dist.var)(var_of(parameters, var))
    composite(dist.std)(std_of(parameters, var))
    composite(dist.entropy)(entropy_of(parameters, entropy))


# ------------------------------------------------------- without a shape


def zero():
    return 0.0


def one():
    return 1.0


def norm_entropy():
    return HALF_LOG + 0.5


def uniform_mean():
    return 0.5


def uniform_var():
    return 1.0 / 12.0


def logistic_var():
    return math.pi**2 / 3.0


def two():
    return 2.0


def laplace_entropy():
    return 1.0 + math.log(2.0)


def gumbel_mean():
    return EULER


def gumbel_var():
    return math.pi**2 / 6.0


def gumbel_entropy():
    return 1.0 + EULER


summaries(stats.norm, shapes_none, zero, one, norm_entropy)
summaries(stats.expon, shapes_none, one, one, one)
summaries(stats.uniform, shapes_none, uniform_mean, uniform_var, zero)
summaries(stats.logistic, shapes_none, zero, logistic_var, two)
summaries(stats.laplace, shapes_none, zero, two, laplace_entropy)
summaries(stats.gumbel_r, shapes_none, gumbel_mean, gumbel_var, gumbel_entropy)

# ------------------------------------------------------------ gamma and beta


def gamma_mean(a):
    return a


def gamma_entropy(a):
    return a + special.gammaln(a) + (1.0 - a) * special.digamma(a)


summaries(stats.gamma, shape_a, gamma_mean, gamma_mean, gamma_entropy)


def chi2_mean(df):
    return df


def chi2_var(df):
    return 2.0 * df


def chi2_entropy(df):
    return gamma_entropy(0.5 * df) + math.log(2.0)


summaries(stats.chi2, shape_df, chi2_mean, chi2_var, chi2_entropy)


def beta_mean(a, b):
    return a / (a + b)


def beta_var(a, b):
    return a * b / ((a + b) * (a + b) * (a + b + 1.0))


def beta_entropy(a, b):
    inner = (a - 1.0) * special.digamma(a) + (b - 1.0) * special.digamma(b)
    return special.betaln(a, b) - inner + (a + b - 2.0) * special.digamma(a + b)


summaries(stats.beta, shapes_ab, beta_mean, beta_var, beta_entropy)

# --------------------------------------------------------- powers of others


def lognorm_mean(s):
    return np.exp(0.5 * s * s)


def lognorm_var(s):
    return np.expm1(s * s) * np.exp(s * s)


def lognorm_entropy(s):
    return HALF_LOG + 0.5 + np.log(s)


summaries(stats.lognorm, shape_s, lognorm_mean, lognorm_var, lognorm_entropy)


def weibull_mean(c):
    return special.gamma(1.0 + 1.0 / c)


def weibull_var(c):
    return special.gamma(1.0 + 2.0 / c) - special.gamma(1.0 + 1.0 / c) ** 2


def weibull_entropy(c):
    return 1.0 + EULER - EULER / c - np.log(c)


summaries(stats.weibull_min, shape_c, weibull_mean, weibull_var, weibull_entropy)
