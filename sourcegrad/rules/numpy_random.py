"""Random draws, differentiated in location and scale.

A draw is `loc + scale * standard`, and the standard draw does not depend on the
parameters, so the derivative along a fixed stream of random numbers is that of this
line (D. Kingma and M. Welling, "Auto-encoding variational Bayes", 2014, 2.4). What is
chosen among active elements is an index by drawn positions: NumPy draws the same
positions from a count as from an array. Draws
that cannot be written so in an operand are refused when that operand is active.
"""

import numpy as np
from numpy import random

from ..runtime import is_zero, unbroadcast
from ..runtime_special import no_partial
from .registry import adjoint, composite, constant, tangent

Generator = random.Generator
RandomState = random.RandomState

# ---------------------------------------------------------- location and scale


@adjoint(random.normal, random.laplace, random.logistic, random.gumbel, pure=False)
def normal_adjoint(y, y_bar, loc=0.0, scale=1.0, size=None):
    by_scale = y_bar * ((y - loc) / scale)
    return unbroadcast(y_bar, loc), unbroadcast(by_scale, scale)


@tangent(random.normal, random.laplace, random.logistic, random.gumbel)
def normal_tangent(y, loc=0.0, loc_dot=0.0, scale=1.0, scale_dot=0.0, size=None):
    return loc_dot + (y - loc) / scale * scale_dot


@adjoint(
    Generator.normal,
    Generator.laplace,
    Generator.logistic,
    Generator.gumbel,
    RandomState.normal,
    RandomState.laplace,
    RandomState.logistic,
    RandomState.gumbel,
    pure=False,
)
def drawn_normal_adjoint(y, y_bar, self, loc=0.0, scale=1.0, size=None):
    by_scale = y_bar * ((y - loc) / scale)
    return None, unbroadcast(y_bar, loc), unbroadcast(by_scale, scale)


@tangent(
    Generator.normal,
    Generator.laplace,
    Generator.logistic,
    Generator.gumbel,
    RandomState.normal,
    RandomState.laplace,
    RandomState.logistic,
    RandomState.gumbel,
)
def drawn_normal_tangent(
    y, self, loc=0.0, loc_dot=0.0, scale=1.0, scale_dot=0.0, size=None
):
    return loc_dot + (y - loc) / scale * scale_dot


# ----------------------------------------------------------------- two bounds


@adjoint(random.uniform, pure=False)
def uniform_adjoint(y, y_bar, low=0.0, high=1.0, size=None):
    share = (y - low) / (high - low)
    return unbroadcast(y_bar * (1.0 - share), low), unbroadcast(y_bar * share, high)


@tangent(random.uniform)
def uniform_tangent(y, low=0.0, low_dot=0.0, high=1.0, high_dot=0.0, size=None):
    share = (y - low) / (high - low)
    return (1.0 - share) * low_dot + share * high_dot


@adjoint(Generator.uniform, RandomState.uniform, pure=False)
def drawn_uniform_adjoint(y, y_bar, self, low=0.0, high=1.0, size=None):
    share = (y - low) / (high - low)
    by_low = unbroadcast(y_bar * (1.0 - share), low)
    return None, by_low, unbroadcast(y_bar * share, high)


@tangent(Generator.uniform, RandomState.uniform)
def drawn_uniform_tangent(
    y, self, low=0.0, low_dot=0.0, high=1.0, high_dot=0.0, size=None
):
    share = (y - low) / (high - low)
    return (1.0 - share) * low_dot + share * high_dot


# --------------------------------------------------------------- scale alone


@adjoint(random.exponential, random.rayleigh, pure=False)
def exponential_adjoint(y, y_bar, scale=1.0, size=None):
    return unbroadcast(y_bar * (y / scale), scale)


@tangent(random.exponential, random.rayleigh)
def exponential_tangent(y, scale=1.0, scale_dot=0.0, size=None):
    return y / scale * scale_dot


@adjoint(
    Generator.exponential,
    Generator.rayleigh,
    RandomState.exponential,
    RandomState.rayleigh,
    pure=False,
)
def drawn_exponential_adjoint(y, y_bar, self, scale=1.0, size=None):
    return None, unbroadcast(y_bar * (y / scale), scale)


@tangent(
    Generator.exponential,
    Generator.rayleigh,
    RandomState.exponential,
    RandomState.rayleigh,
)
def drawn_exponential_tangent(y, self, scale=1.0, scale_dot=0.0, size=None):
    return y / scale * scale_dot


# ------------------------------------------------------ a scale beside a shape


@adjoint(random.gamma, pure=False)
def gamma_adjoint(y, y_bar, shape, scale=1.0, size=None):
    by_scale = y_bar * (y / scale)
    return no_partial("numpy.random.gamma", "shape"), unbroadcast(by_scale, scale)


@tangent(random.gamma)
def gamma_tangent(y, shape, shape_dot=0.0, scale=1.0, scale_dot=0.0, size=None):
    if not is_zero(shape_dot):
        no_partial("numpy.random.gamma", "shape")
    return y / scale * scale_dot


@adjoint(Generator.gamma, RandomState.gamma, pure=False)
def drawn_gamma_adjoint(y, y_bar, self, shape, scale=1.0, size=None):
    return (
        None,
        no_partial("numpy.random.Generator.gamma", "shape"),
        unbroadcast(y_bar * (y / scale), scale),
    )


@tangent(Generator.gamma, RandomState.gamma)
def drawn_gamma_tangent(
    y, self, shape, shape_dot=0.0, scale=1.0, scale_dot=0.0, size=None
):
    if not is_zero(shape_dot):
        no_partial("numpy.random.Generator.gamma", "shape")
    return y / scale * scale_dot


@adjoint(random.lognormal, pure=False)
def lognormal_adjoint(y, y_bar, mean=0.0, sigma=1.0, size=None):
    by_mean = y_bar * y
    by_sigma = by_mean * ((np.log(y) - mean) / sigma)
    return unbroadcast(by_mean, mean), unbroadcast(by_sigma, sigma)


@tangent(random.lognormal)
def lognormal_tangent(y, mean=0.0, mean_dot=0.0, sigma=1.0, sigma_dot=0.0, size=None):
    return y * (mean_dot + (np.log(y) - mean) / sigma * sigma_dot)


@adjoint(Generator.lognormal, RandomState.lognormal, pure=False)
def drawn_lognormal_adjoint(y, y_bar, self, mean=0.0, sigma=1.0, size=None):
    by_mean = y_bar * y
    by_sigma = by_mean * ((np.log(y) - mean) / sigma)
    return None, unbroadcast(by_mean, mean), unbroadcast(by_sigma, sigma)


@tangent(Generator.lognormal, RandomState.lognormal)
def drawn_lognormal_tangent(
    y, self, mean=0.0, mean_dot=0.0, sigma=1.0, sigma_dot=0.0, size=None
):
    return y * (mean_dot + (np.log(y) - mean) / sigma * sigma_dot)


# Without these two in NumPy's stubs before 2.5.
constant(
    *(getattr(random, name) for name in ("get_bit_generator", "set_bit_generator"))
)

constant(
    random.bytes,
    random.get_state,
    random.random_integers,
    random.ranf,
    random.sample,
    random.set_state,
    random.standard_cauchy,
    random.standard_exponential,
    random.BitGenerator,
    random.Generator,
    random.MT19937,
    random.PCG64,
    random.PCG64DXSM,
    random.Philox,
    random.RandomState,
    random.SFC64,
    random.SeedSequence,
    Generator.bytes,
    Generator.spawn,
    Generator.standard_cauchy,
    Generator.integers,
    Generator.random,
    Generator.standard_exponential,
    Generator.standard_normal,
    RandomState.bytes,
    RandomState.get_state,
    RandomState.rand,
    RandomState.randint,
    RandomState.randn,
    RandomState.random,
    RandomState.random_integers,
    RandomState.random_sample,
    RandomState.seed,
    RandomState.set_state,
    RandomState.standard_cauchy,
    RandomState.standard_exponential,
    RandomState.standard_normal,
    pure=False,
)

# ------------------------------------------------------------ drawn by position


@composite(random.permutation, pure=False, picks=True)
def permutation(x):
    return np.asarray(x)[np.random.permutation(len(x))]


@composite(RandomState.permutation, pure=False, picks=True)
def drawn_permutation(self, x):
    return np.asarray(x)[self.permutation(len(x))]


@composite(Generator.permutation, pure=False, picks=True)
def drawn_permutation_along(self, x, axis=0):
    return np.take(x, self.permutation(np.shape(x)[axis]), axis)


@composite(random.choice, pure=False, picks=True)
def choice(a, size=None, replace=True, p=None):
    return np.asarray(a)[np.random.choice(len(a), size, replace, p)]


@composite(RandomState.choice, pure=False, picks=True)
def drawn_choice(self, a, size=None, replace=True, p=None):
    return np.asarray(a)[self.choice(len(a), size, replace, p)]


@composite(Generator.choice, pure=False, picks=True)
def drawn_choice_along(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    places = self.choice(np.shape(a)[axis], size, replace, p, 0, shuffle)
    return np.take(a, places, axis)
