"""Distributions and statistics of SciPy, in value and parameters."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import stats

from tests.rules.scipy_check import agrees

X = np.array([1.3, 0.7, 2.1])
U = np.array([0.3, 0.62, 0.45])
A = np.array([1.4, 2.2])

# A distribution, its shapes, and points inside of its support.
CONTINUOUS = [
    (stats.norm, [], X),
    (stats.skewnorm, [1.4], X),
    (stats.exponnorm, [1.4], X),
    (stats.johnsonsu, [0.4, 1.3], X),
    (stats.johnsonsb, [0.4, 1.3], U),
    (stats.t, [3.3], X),
    (stats.cauchy, [], X),
    (stats.laplace, [], X - 1.0),
    (stats.gennorm, [1.4], X),
    (stats.dgamma, [1.4], X - 1.0),
    (stats.logistic, [], X),
    (stats.genlogistic, [1.4], X),
    (stats.hypsecant, [], X),
    (stats.gumbel_r, [], X),
    (stats.gumbel_l, [], X),
    (stats.moyal, [], X),
    (stats.loggamma, [1.4], X),
    (stats.vonmises, [1.4], X),
    (stats.beta, [1.4, 2.2], U),
    (stats.uniform, [], U),
    (stats.powerlaw, [1.4], U),
    (stats.arcsine, [], U),
    (stats.triang, [0.4], U),
    (stats.cosine, [], X),
    (stats.wrapcauchy, [0.4], X),
    (stats.truncnorm, [-0.5, 3.2], X),
    (stats.truncnorm, [0.3, 2.9], X),
    (stats.truncexpon, [3.0], X),
    (stats.loguniform, [0.4, 3.1], X),
    (stats.pareto, [1.4], X + 1.0),
    (stats.genpareto, [0.4], X),
    (stats.genpareto, [-0.2], X),
    (stats.genextreme, [0.2], X),
    (stats.genextreme, [-0.2], X),
    (stats.expon, [], X),
    (stats.gamma, [1.4], X),
    (stats.erlang, [2.0], X),
    (stats.chi2, [3.3], X),
    (stats.chi, [3.3], X),
    (stats.invgamma, [1.4], X),
    (stats.gengamma, [1.4, 1.2], X),
    (stats.nakagami, [1.4], X),
    (stats.maxwell, [], X),
    (stats.f, [3.0, 4.5], X),
    (stats.betaprime, [1.4, 2.2], X),
    (stats.lomax, [1.4], X),
    (stats.fisk, [1.4], X),
    (stats.burr12, [1.4, 2.2], X),
    (stats.halfnorm, [], X),
    (stats.gibrat, [], X),
    (stats.wald, [], X),
    (stats.foldnorm, [1.4], X),
    (stats.powernorm, [1.4], X - 1.0),
    (stats.fatiguelife, [1.4], X),
    (stats.alpha, [1.4], X),
    (stats.norminvgauss, [1.4, 0.6], X - 1.0),
    (stats.foldcauchy, [1.4], X),
    (stats.skewcauchy, [0.4], X - 1.0),
    (stats.laplace_asymmetric, [1.4], X - 1.0),
    (stats.loglaplace, [1.4], X),
    (stats.exponweib, [1.4, 2.2], X),
    (stats.exponpow, [1.4], U),
    (stats.halfgennorm, [1.4], X),
    (stats.burr, [1.4, 2.2], X),
    (stats.mielke, [1.4, 2.2], X),
    (stats.semicircular, [], U),
    (stats.anglit, [], U),
    (stats.bradford, [1.4], U),
    (stats.halfcauchy, [], X),
    (stats.halflogistic, [], X),
    (stats.lognorm, [0.8], X),
    (stats.invgauss, [1.4], X),
    (stats.rayleigh, [], X),
    (stats.rice, [0.8], X),
    (stats.levy, [], X),
    (stats.weibull_min, [1.4], X),
    (stats.weibull_max, [1.4], -X),
    (stats.invweibull, [1.4], X),
    (stats.gompertz, [0.8], X),
    (stats.dweibull, [1.4], X - 1.0),
    (stats.pearson3, [0.8], X - 1.0),
    (stats.pearson3, [-0.8], X - 1.0),
    (stats.jf_skew_t, [1.4, 2.2], X - 1.0),
    (stats.levy_l, [], -X),
    (stats.kappa3, [1.4], X),
    (stats.powerlognorm, [1.4, 0.8], X),
    (stats.recipinvgauss, [1.4], X),
    (stats.genexpon, [1.4, 2.2, 0.7], X),
    (stats.genhalflogistic, [0.4], U),
    (stats.rdist, [2.4], U),
    (stats.truncpareto, [1.4, 4.2], X + 0.5),
    (stats.truncpareto, [-1.4, 4.2], X + 0.5),
    (stats.truncweibull_min, [1.4, 0.2, 3.2], X),
    (stats.trapezoid, [0.4, 0.7], np.array([0.3, 0.52, 0.85])),
    (stats.argus, [1.4], U),
]
METHODS = ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")


def methods(dist):
    from sourcegrad.rules import lookup

    return [m for m in METHODS if lookup(getattr(dist, m)) is not None]


def name(case):
    return "-".join([case[0].name, *map(str, case[1])])


def program(method, start):
    """A method as a function of its point, shapes, location and scale in one array."""
    if start == 0:
        return lambda v: method(v[:3], 0.0, v[3])
    if start == 1:
        return lambda v: method(v[:3], v[3], 0.1 * v[4], v[5])
    if start == 2:
        return lambda v: method(v[:3], v[3], v[4], loc=0.1 * v[5], scale=v[6])
    return lambda v: method(v[:3], v[3], v[4], v[5], loc=0.1 * v[6], scale=v[7])


@pytest.mark.parametrize("case", CONTINUOUS, ids=name)
def test_continuous(case):
    dist, shapes, points = case
    assert "pdf" in methods(dist)
    scale = 1.1 if dist is not stats.truncexpon else 1.0
    ends = [scale] if not shapes else [0.0, scale]
    for which in methods(dist):
        where = U if which in ("ppf", "isf") else points
        v = np.array([*where, *shapes, *ends])
        agrees(program(getattr(dist, which), len(shapes)), v, order=1)


@pytest.mark.parametrize("dist", [stats.foldnorm, stats.kappa3], ids=lambda d: d.name)
def test_quantiles_at_order_two(dist):
    agrees(lambda v: dist.ppf(v[:3], v[3]), np.array([*U, 1.4]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [c for c in CONTINUOUS if c[0].name in ("norm", "gamma", "beta", "t", "lognorm")],
    ids=name,
)
def test_densities_at_order_two(case):
    dist, shapes, points = case
    v = np.array([*points, *shapes, *([1.1] if not shapes else [0.0, 1.1])])
    agrees(program(dist.logpdf, len(shapes)), v)


K = np.array([2.0, 0.0, 5.0])
DISCRETE = [
    (lambda v, f: f(K, v), stats.poisson, X, "pmf logpmf cdf sf logcdf logsf"),
    (lambda v, f: f(np.array([0, 1, 1]), v), stats.bernoulli, U, "pmf logpmf"),
    (lambda v, f: f(np.array([0.0, 0.4, 0.0]), v), stats.bernoulli, U, "cdf sf"),
    (lambda v, f: f(K, 7, v), stats.binom, U, "pmf logpmf cdf sf logcdf logsf"),
    (lambda v, f: f(K[1:], v[0], v[1:]), stats.nbinom, U, "pmf logpmf"),
    (lambda v, f: f(K[1:], 3.0 + v[0], v[1:]), stats.nbinom, U, "cdf sf"),
    (lambda v, f: f(K + 1, v), stats.geom, U, "pmf logpmf cdf sf logsf"),
    (lambda v, f: f(K, 7, v[0], v[1:2]), stats.betabinom, X, "pmf logpmf"),
    (lambda v, f: f(K, 7, v[0], v[1:2]), stats.betanbinom, X, "pmf logpmf"),
    (lambda v, f: f(K + 1, v), stats.logser, U, "pmf logpmf"),
    (lambda v, f: f(K + 1, v + 1.0), stats.zipf, X, "pmf logpmf"),
    (lambda v, f: f(K, v), stats.planck, X, "pmf logpmf cdf sf"),
    (lambda v, f: f(K, v), stats.dlaplace, X, "pmf logpmf"),
]


@pytest.mark.parametrize("case", DISCRETE, ids=lambda c: f"{c[1].name}-{c[3][:3]}")
def test_discrete(case):
    call, dist, v, which = case
    for method in which.split():
        f = getattr(dist, method)
        total = program_of_counts(call, f)
        agrees(total, v, order=1)


def program_of_counts(call, f):
    return lambda v: call(v, f)


def test_a_count_is_a_constant_and_loc_moves_it():
    assert sg.grad(lambda k: stats.poisson.logpmf(k, 1.5))(2.0) == 0.0
    g = sg.grad(lambda m: stats.poisson.logpmf(3, m, loc=1))(1.5)
    assert g == pytest.approx(2 / 1.5 - 1)


def test_outside_of_the_support_the_density_is_constant():
    for f in (
        lambda x: stats.expon.pdf(x),
        lambda x: stats.gamma.pdf(x, 2.0),
        lambda x: stats.beta.pdf(x, 2.0, 3.0),
        lambda x: stats.uniform.cdf(x),
        lambda x: stats.pareto.sf(x, 2.0),
        lambda x: stats.lognorm.cdf(x, 0.5),
        lambda x: stats.truncnorm.pdf(x, 0.0, 1.0),
        lambda x: stats.gamma.logpdf(x, 2.0),
        lambda x: stats.chi2.logpdf(x, 3.0),
        lambda x: stats.lognorm.logpdf(x, 0.5),
        lambda x: stats.invgauss.cdf(x, 0.5),
        lambda x: stats.levy.logpdf(x),
        lambda x: stats.recipinvgauss.sf(x, 0.5),
        lambda x: stats.fatiguelife.cdf(x, 0.5),
    ):
        assert sg.grad(f)(-1.0) == 0.0
        assert sg.jvp(f, (-1.0,), (1.0,))[1] == 0.0
    assert sg.grad(lambda x: stats.expon.cdf(x))(0.0) == 1.0
    assert sg.grad(lambda x: stats.expon.logpdf(x))(0.0) == -1.0


def test_noncentral_chi_squared():
    for f in (
        lambda v: stats.ncx2.logpdf(v, 3.3, v[::-1]),
        lambda v: stats.ncx2.cdf(v, 3.3, v[::-1], scale=v),
    ):
        agrees(f, X, order=1)
    with pytest.raises(sg.SourcegradError, match="no closed form is known"):
        sg.grad(lambda df: stats.ncx2.cdf(1.0, df, 2.0))(3.3)


def test_far_tails():
    # the hazard of the normal distribution, by its asymptotic series
    want = 40.0 + 1 / 40 - 2 / 40**3 + 10 / 40**5
    assert sg.grad(lambda x: stats.norm.logcdf(x))(-40.0) == pytest.approx(want)
    assert sg.grad(lambda x: stats.norm.logsf(x))(40.0) == pytest.approx(-want)
    f = sg.grad(lambda m: stats.truncnorm.logpdf(1.0, (0.5 - m) / 2.0, np.inf, m, 2.0))
    h = 1e-5
    ahead, behind = (
        stats.truncnorm.logpdf(1.0, (0.5 - m) / 2.0, np.inf, m, 2.0)
        for m in (0.3 + h, 0.3 - h)
    )
    assert f(0.3) == pytest.approx((ahead - behind) / (2 * h), rel=1e-6)


# --------------------------------------------------------------------- frozen

OUTSIDE = stats.gamma(2.0, scale=3.0)
COUNTS = stats.poisson(2.5)


@pytest.mark.parametrize(
    "f",
    [
        lambda v: stats.norm(v[0], v[1]).logpdf(v),
        lambda v: stats.gamma(a=v[0], scale=v[1]).sf(v),
        lambda v: stats.norm(0, 1).cdf(v),
        lambda v: stats.norm().ppf(0.2 * v),
        lambda v: stats.poisson(v).logpmf(np.array([1, 2, 3])),
        lambda v: stats.norm.freeze(v[0], 2.0).isf(0.3 * v),
        lambda v: OUTSIDE.logpdf(v) + OUTSIDE.pdf(v) + OUTSIDE.cdf(v),
        lambda v: OUTSIDE.sf(v) + OUTSIDE.logsf(v) + OUTSIDE.logcdf(v),
        lambda v: OUTSIDE.ppf(0.3 * v) + OUTSIDE.isf(0.2 * v),
        lambda v: v * COUNTS.pmf(2) + COUNTS.logpmf(1),
    ],
)
def test_frozen(f):
    agrees(f, X, order=1)


def test_a_frozen_distribution_is_called_as_its_distribution():
    f = sg.value_and_grad(lambda x: stats.norm(0.0, x).logpdf(2.0))
    text = f.source(1.5)
    assert "stats.norm.logpdf(2.0, 0.0, x)" in text
    assert "Frozen" not in text


class Prior:
    """A user's object that holds a distribution."""

    def __init__(self):
        self.dist = stats.norm(0.0, 2.0)

    def __call__(self, x):
        return np.sum(self.dist.logpdf(x))


def test_objects_of_scipy_as_arguments_and_attributes():
    np.testing.assert_allclose(sg.grad(Prior())(X), -X / 4.0)
    f = sg.grad(lambda x, p: np.sum(p.logpdf(x)))
    np.testing.assert_allclose(f(X, stats.norm(0.0, 2.0)), -X / 4.0)
    np.testing.assert_allclose(f(X, stats.norm(1.0, 3.0)), (1.0 - X) / 9.0)
    np.testing.assert_allclose(f(X, stats.logistic), -np.tanh(X / 2.0))


def test_a_class_of_two_distributions():
    assert sg.grad(lambda x: stats.vonmises.pdf(x, 1.4))(4.0) != 0.0
    with pytest.raises(sg.SourcegradError, match="pdf"):
        sg.grad(lambda x: stats.vonmises_line.pdf(x, 1.4))(4.0)


def test_a_method_without_a_formula_is_refused_by_its_name():
    with pytest.raises(sg.SourcegradError, match="stats.norm.moment has no") as caught:
        sg.grad(lambda s: stats.norm(0.0, s).moment(2))(2.0)
    assert "no formula is given for this method of scipy.stats.norm" in str(
        caught.value
    )


# ---------------------------------------------------------------- many variables

P = np.array([[2.0, 0.3, -0.4], [0.3, 1.5, 0.2], [-0.4, 0.2, 1.8]])


@pytest.mark.parametrize(
    "f",
    [
        lambda v: stats.multivariate_normal.logpdf(v, v[::-1], P),
        lambda v: stats.multivariate_normal.pdf(v, np.zeros(3), 0.5 * v),
        lambda v: stats.multivariate_normal.logpdf(np.outer(v, v), v, P),
        lambda v: stats.multivariate_normal.logpdf(v, np.zeros(3), np.outer(v, v) + P),
        lambda v: stats.multivariate_normal.logpdf(v, 0.3, v[0]),
        lambda v: stats.multivariate_normal.entropy(v, np.outer(v, v) + P),
        lambda v: stats.multivariate_normal(v, P).logpdf(np.ones(3)),
        lambda v: stats.multivariate_t.logpdf(v, v[::-1], P + np.outer(v, v), 3.5),
        lambda v: stats.multivariate_t.pdf(v, v[::-1], P, v[0]),
        lambda v: stats.dirichlet.logpdf(np.array([0.2, 0.5, 0.3]), v),
        lambda v: stats.dirichlet.pdf(np.array([0.2, 0.5]), v),
        lambda v: stats.dirichlet(v).logpdf(np.array([0.2, 0.5, 0.3])),
    ],
)
def test_many_variables(f):
    agrees(f, X, order=1)


def test_the_probabilities_of_a_multinomial():
    counts = np.array([1, 0, 3])
    p = np.array([0.2, 0.3, 0.5])
    g = sg.grad(lambda p: stats.multinomial.logpmf(counts, 4, p))(p)
    np.testing.assert_allclose(g, counts / p)


# --------------------------------------------------------------------- samples

M = np.array([[2.0, 0.3, 0.4], [0.1, 1.5, 0.2], [0.5, 0.35, 1.8], [1.2, 0.6, 0.9]])


@pytest.mark.parametrize(
    "f",
    [
        lambda a: stats.gmean(a) + stats.hmean(a) + stats.pmean(a, 1.7),
        lambda a: stats.gmean(a, axis=1, weights=a) + stats.hmean(a, 1, weights=a),
        lambda a: stats.moment(a, 3) + stats.moment(a, 2, axis=0, center=0.5),
        lambda a: stats.skew(a) + stats.skew(a, bias=False),
        lambda a: stats.kurtosis(a, None) + stats.kurtosis(a, None, False, False),
        lambda a: stats.variation(a) + stats.sem(a) + stats.gstd(a),
        lambda a: stats.tmean(a) + stats.tvar(a) + stats.tstd(a),
        lambda a: stats.zscore(a) + stats.zscore(a, axis=1, ddof=1),
        lambda a: stats.zmap(a, a[:2]) + stats.gzscore(a),
        lambda a: stats.entropy(a) + stats.entropy(a, a[::-1], base=2.0),
        lambda a: stats.boxcox(a[0], 0.4) + stats.boxcox_llf(0.4, a[0]),
        lambda a: stats.yeojohnson(a[0] - 0.35, 0.4),
        lambda a: stats.iqr(a) + stats.iqr(a, axis=0) + stats.median_abs_deviation(a),
        lambda a: stats.circmean(a) + stats.circvar(a),
    ],
)
def test_samples(f):
    agrees(f, M, order=1)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: stats.circstd(a, axis=0) + stats.circstd(a, normalize=True),
        lambda a: stats.circstd(a, high=3.0, axis=1),
        lambda a: stats.kstat(a, 1) + stats.kstat(a, 2),
        lambda a: stats.kstat(a, 3, axis=0) + stats.kstat(a, 4, axis=0),
        lambda a: stats.wasserstein_distance(a[:, 0], a[:, 1] ** 2),
    ],
)
def test_spreads_and_distances_of_samples(f):
    agrees(f, M)


@pytest.mark.parametrize("name", ["cdf", "sf", "logcdf", "logsf"])
@pytest.mark.parametrize(
    ("dist", "shapes"),
    [
        (stats.gennorm, (1.3,)),
        (stats.gennorm, (2.0,)),
        (stats.dgamma, (1,)),
        (stats.dgamma, (2.5,)),
        (stats.dweibull, (1.0,)),
        (stats.laplace, ()),
        (stats.laplace_asymmetric, (2,)),
        (stats.t, (3.0,)),
    ],
)
def test_slope_at_the_centre_is_the_density(name, dist, shapes):
    method = getattr(dist, name)

    def f(x):
        return method(x, *shapes, 0.7, 1.5)

    density = dist.pdf(0.7, *shapes, 0.7, 1.5)
    sign = 1.0 if "cdf" in name else -1.0
    whole = np.exp(method(0.7, *shapes, 0.7, 1.5)) if "log" in name else 1.0
    expected = sign * density / whole
    assert sg.grad(f)(0.7) == pytest.approx(expected, rel=1e-9)
    assert sg.jvp(f, (0.7,), (1.0,))[1] == pytest.approx(expected, rel=1e-9)
