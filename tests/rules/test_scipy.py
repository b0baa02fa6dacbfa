"""SciPy's functions: each in a program, against differences, at orders one and two."""

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.rules import all_rules, catalogue, checking, registry

pytest.importorskip("scipy")

from scipy import fft, integrate, linalg, signal, special, stats
from scipy.spatial import distance

from tests.rules.scipy_check import agrees
from tests.rules.versions import options_to_come

X = np.array([1.3, 0.7, 2.1])
U = np.array([0.3, 0.62, 0.45])
M = np.array([[2.0, 0.3, -0.4], [0.1, 1.5, 0.2], [0.5, -0.3, 1.8]])
P = np.array([[0.7, -1.3], [0.4, 1.9], [2.2, 0.1]])

# Functions of one array, at a point; the result is weighed to a number.
UNARY = [
    (lambda x: special.gamma(x), X),
    (lambda x: special.gammaln(x), X),
    (lambda x: special.loggamma(x), X),
    (lambda x: special.rgamma(x), X),
    (lambda x: special.digamma(x), X),
    (lambda x: special.psi(x), X),
    (lambda x: special.polygamma(2, x), X),
    (lambda x: special.beta(x, x[::-1] + 1.0), X),
    (lambda x: special.betaln(x, x[::-1] + 1.0), X),
    (lambda x: special.poch(x, 0.4 * x + 1.0), X),
    (lambda x: special.binom(x + 4.5, x), X),
    (lambda x: special.gammainc(1.7, x), X),
    (lambda x: special.gammaincc(1.7, x), X),
    (lambda x: special.gammaincinv(1.7, x), U),
    (lambda x: special.betainc(1.7, 2.2, x), U),
    (lambda x: special.betaincinv(1.7, 2.2, x), U),
    (lambda x: special.stdtr(3.3, x), X),
    (lambda x: special.zeta(2.5, x), X),
    (lambda x: special.erf(x), X),
    (lambda x: special.erfc(x), X),
    (lambda x: special.erfcx(x), X),
    (lambda x: special.erfi(x), X),
    (lambda x: special.erfinv(x), U),
    (lambda x: special.erfcinv(x), U),
    (lambda x: special.dawsn(x), X),
    (lambda x: special.ndtr(x), X),
    (lambda x: special.ndtri(x), U),
    (lambda x: special.log_ndtr(-3.0 * x), X),
    (lambda x: special.owens_t(x, 0.4 * x), X),
    (lambda x: special.fresnel(x)[0] * special.fresnel(x)[1], X),
    (lambda x: special.expit(x), X),
    (lambda x: special.log_expit(x), X),
    (lambda x: special.logit(x), U),
    (lambda x: special.xlogy(x, x[::-1]), X),
    (lambda x: special.xlog1py(x, x[::-1]), X),
    (lambda x: special.entr(x), X),
    (lambda x: special.rel_entr(x, x[::-1] ** 2), X),
    (lambda x: special.kl_div(x, x[::-1] ** 2), X),
    (lambda x: special.exprel(x - 0.7), X),
    (lambda x: special.exp2(x), X),
    (lambda x: special.exp10(x), U),
    (lambda x: special.expm1(x), X),
    (lambda x: special.log1p(x), X),
    (lambda x: special.cosm1(x), X),
    (lambda x: special.cbrt(x), X),
    (lambda x: special.boxcox(x, 0.6), X),
    (lambda x: special.expi(x), X),
    (lambda x: special.exp1(x), X),
    (lambda x: special.expn(3, x), X),
    (lambda x: special.spence(x), X),
    (lambda x: special.sici(x)[0] - special.sici(x)[1], X),
    (lambda x: special.huber(1.0, x), X),
    (lambda x: special.huber(x, 2.0 * x[::-1]), X),
    (lambda x: special.pseudo_huber(x, 2.0 * x[::-1]), X),
    (lambda x: special.logsumexp(x), X),
    (lambda x: special.logsumexp(np.outer(x, x), axis=1), X),
    (lambda x: special.logsumexp(np.outer(x, x), axis=0, keepdims=True), X),
    (lambda x: special.logsumexp(x, b=x[::-1]), X),
    (lambda x: special.logsumexp(x, b=x[::-1], keepdims=True), X),
    (lambda x: special.logsumexp(np.outer(x, x), (0, 1)), X),
    (lambda x: special.logsumexp(x, b=x[::-1] - 3.0, return_sign=True)[0], X),
    (lambda x: special.softmax(x), X),
    (lambda x: special.softmax(np.outer(x, x), axis=1), X),
    (lambda x: special.log_softmax(np.outer(x, x), axis=0), X),
    (lambda x: special.j0(x), X),
    (lambda x: special.j1(x), X),
    (lambda x: special.y0(x), X),
    (lambda x: special.y1(x), X),
    (lambda x: special.i0(x), X),
    (lambda x: special.i1(x), X),
    (lambda x: special.i0e(x), -X),
    (lambda x: special.i1e(x), X),
    (lambda x: special.k0(x), X),
    (lambda x: special.k1(x), X),
    (lambda x: special.k0e(x), X),
    (lambda x: special.k1e(x), X),
    (lambda x: special.jv(0.7, x), X),
    (lambda x: special.jn(3, x), X),
    (lambda x: special.yv(0.7, x), X),
    (lambda x: special.yn(1, x), X),
    (lambda x: special.iv(0.7, x), X),
    (lambda x: special.ive(0.7, x), X),
    (lambda x: special.kv(0.7, x), X),
    (lambda x: special.kn(2, x), X),
    (lambda x: special.kve(0.7, x), X),
    (lambda x: special.airy(x)[0] * special.airy(x)[3], X),
    (lambda x: special.airy(x)[1] * special.airy(x)[2], X),
    (lambda x: special.ellipk(x), U),
    (lambda x: special.ellipe(x), U),
    (lambda x: special.ellipkinc(x[::-1], x), U),
    (lambda x: special.ellipeinc(x[::-1], x), U),
    (lambda x: special.hyp0f1(1.2, x), X),
    (lambda x: special.hyp1f1(1.2, 2.3, x), X),
    (lambda x: special.hyp2f1(1.2, 0.3, 2.5, x), U),
    (lambda x: np.multiply.outer(x, x), X),
    (lambda x: np.subtract.outer(x, x) ** 3, X),
    (lambda x: np.logaddexp.reduce(np.outer(x, x), axis=1), X),
    (lambda x: np.multiply.accumulate(x), X),
    (lambda x: np.maximum.accumulate(x) ** 2, X),
    (lambda x: stats.norm.logpdf(x, x[::-1], 1.0 + x * x), X),
    (lambda x: stats.norm.pdf(x, loc=x[::-1], scale=1.0 + x * x), X),
    (lambda x: stats.norm.cdf(x, scale=1.0 + x * x), X),
    (lambda x: stats.norm.logcdf(x, x[::-1]), X),
    (lambda x: stats.norm.sf(x, x[::-1]), X),
    (lambda x: stats.norm.logsf(x), X),
    (lambda x: stats.norm.ppf(x, x, 2.0 * x), U),
    (lambda x: stats.expon.logpdf(x, scale=2.0 * x[::-1]), X),
    (lambda x: stats.expon.cdf(x, scale=2.0 * x[::-1]), X),
    (lambda x: stats.gamma.logpdf(x, x[::-1], scale=1.5), X),
    (lambda x: stats.gamma.pdf(x, x[::-1]), X),
    (lambda x: stats.gamma.cdf(x, 1.7, scale=x[::-1]), X),
    (lambda x: stats.chi2.logpdf(x, 2.0 * x[::-1]), X),
    (lambda x: stats.beta.logpdf(x, 2.0 * x[::-1], 1.4), U),
    (lambda x: stats.beta.cdf(x, 2.0, 1.4), U),
    (lambda x: stats.t.logpdf(x, x[::-1] + 2.0), X),
    (lambda x: stats.t.cdf(x, 3.3), X),
    (lambda x: stats.cauchy.logpdf(x, 0.2, x[::-1]), X),
    (lambda x: stats.laplace.logpdf(x, 0.2, x[::-1]), X),
    (lambda x: stats.logistic.logpdf(x, 0.2, x[::-1]), X),
    (lambda x: stats.poisson.logpmf(np.array([2, 0, 5]), x), X),
    (lambda x: stats.bernoulli.logpmf(np.array([1, 0, 1]), x), U),
    (lambda x: stats.binom.logpmf(np.array([2, 0, 5]), 7, x), U),
    (lambda a: linalg.solve(a, a[0] ** 2), M),
    (lambda a: linalg.inv(a), M),
    (lambda a: linalg.det(a), M),
    (lambda a: linalg.norm(a), M),
    (lambda a: linalg.lstsq(a[:, :2], a[0])[0], M),
    (lambda a: linalg.pinv(a[:, :2]), M),
    (lambda a: linalg.solve_triangular(a, a[0]), M),
    (lambda a: linalg.solve_triangular(a, a.T, lower=True), M),
    (lambda a: linalg.solve_triangular(a, a[1], trans=1, lower=True), M),
    (lambda a: linalg.solve_triangular(a, a[1], trans="T", unit_diagonal=True), M),
    (lambda a: linalg.cholesky(a @ a.T), M),
    (lambda a: linalg.cholesky(a @ a.T, lower=True), M),
    (lambda a: linalg.cho_solve(linalg.cho_factor(a @ a.T), a[0]), M),
    (lambda a: linalg.cho_solve(linalg.cho_factor(a @ a.T, lower=True), a), M),
    (lambda a: linalg.eigh(a @ a.T)[1] ** 2, M),
    (lambda a: linalg.eigh(a @ a.T, eigvals_only=True), M),
    (lambda a: linalg.eigvalsh(a @ a.T, lower=False), M),
    (lambda a: linalg.eigvalsh(a + a.T, a @ a.T), M),
    (lambda a: linalg.svd(a)[1], M),
    (lambda a: linalg.svdvals(a), M),
    (lambda a: linalg.qr(a, mode="economic")[1], M),
    (lambda a: linalg.expm(a), M),
    (lambda a: linalg.logm(a), M),
    (lambda a: np.real(linalg.sqrtm(a)), M),  # before SciPy 1.16 always complex
    (lambda a: linalg.solve_sylvester(a, a @ a.T, a.T), M),
    (lambda x: linalg.toeplitz(x), X),
    (lambda x: linalg.toeplitz(x, x[::-1] ** 2), X),
    (lambda x: linalg.circulant(x), X),
    (lambda x: linalg.hankel(x, x[::-1] ** 2), X),
    (lambda x: signal.convolve(x, np.concatenate((x, x**2))), X),
    (lambda x: signal.convolve(np.outer(x, x), np.outer(x, x)[:2], "same"), X),
    (lambda x: signal.convolve(x, x[:2], mode="valid"), X),
    (lambda x: signal.fftconvolve(x, x**2, mode="same"), X),
    (lambda x: signal.correlate(x, x[:2]), X),
    (lambda x: signal.correlate(x, x[:2] ** 2, "same"), X),
    (lambda x: signal.correlate(x[:2], x**2, "valid"), X),
    (lambda x: signal.lfilter(x, np.array([1.0, 0.4]), x**2), X),
    (lambda x: signal.lfilter(x[:2], x, np.array([1.0, 0.4, 2.0, -1.0])), X),
    (lambda x: np.real(fft.fft(x) ** 2), X),
    (lambda x: np.abs(fft.rfft(x, 4)), X),
    (lambda x: fft.irfft(fft.rfft(x) ** 2, 3), X),
    (lambda x: np.imag(fft.ifft(x) ** 3), X),
    (lambda x: np.real(fft.fft2(np.outer(x, x))), X),
    (lambda x: np.real(fft.ifftn(np.outer(x, x**2))), X),
    (lambda x: fft.dct(x, norm="ortho") ** 2, X),
    (lambda x: fft.idst(x, norm="ortho") ** 2, X),
    (lambda x: integrate.trapezoid(x**2, x), X),
    (lambda x: integrate.cumulative_trapezoid(x**2, x), X),
    (lambda x: integrate.cumulative_trapezoid(x**2, dx=0.5, initial=0), X),
    (lambda x: integrate.simpson(np.outer(x, x), dx=0.5), X),
    (lambda x: integrate.simpson(x**2, x=np.array([0.0, 0.7, 1.9])), X),
    (lambda x: distance.cdist(x, x[:2] ** 2), P),
    (lambda x: distance.cdist(x, x[:2] ** 2, "sqeuclidean"), P),
    (lambda x: distance.pdist(x), P),
]


@pytest.mark.parametrize(
    "case", UNARY, ids=lambda c: "-".join(c[0].__code__.co_names[:2])
)
def test_against_differences(case):
    agrees(*case)


def test_the_quantile_of_a_family_with_a_shape():
    agrees(lambda x: stats.skewnorm.ppf(0.3, x), np.array([0.7, -1.2]))


PARAMETERS = [
    (lambda a: special.jv(a, 1.2), "jv"),
    (lambda a: special.hyp1f1(1.0, a, 2.0), "hyp1f1"),
    (lambda a: special.mathieu_a(1, a), "mathieu_a"),
    (lambda a: np.sum(signal.order_filter(a * X, np.ones(3), 1)), "order_filter"),
]


@pytest.mark.parametrize("case", PARAMETERS, ids=lambda c: c[1])
def test_what_has_no_formula_is_refused_by_name(case):
    with pytest.raises(sg.SourcegradError, match=case[1]):
        sg.grad(case[0])(1.5)


def test_gammainc_in_its_parameter_agrees_with_mpmath():
    mpmath = pytest.importorskip("mpmath")
    g = sg.grad(lambda a, x: special.gammainc(a, x))
    for a in (0.1, 0.9, 3.0, 40.0):
        for x in (1e-3, 0.7, 5.0, 60.0):
            want = mpmath.diff(lambda p: mpmath.gammainc(p, 0, x, regularized=True), a)
            assert g(a, x) == pytest.approx(float(want), rel=1e-9, abs=1e-13)


def test_what_is_constant_at_a_corner_has_gradient_zero_there():
    for f, slope in (
        (lambda x, y: special.xlogy(x, y), 0.0),
        (lambda x, y: special.xlog1py(x, y - 1.0), 0.0),
        (lambda x, y: special.rel_entr(x, y), 0.0),
        (lambda x, y: special.kl_div(x, y), 1.0),
    ):
        assert sg.grad(f, 1)(0.0, 0.0) == slope
        assert sg.jvp(lambda y, f=f: f(0.0, y), (0.0,), (1.0,))[1] == slope
        assert sg.grad(sg.grad(f, 1), 1)(0.0, 0.0) == 0.0
    counts, rates = np.array([0.0, 2.0]), np.array([0.0, 4.0])
    g = sg.grad(lambda m: np.sum(special.xlogy(counts, m) - m))(rates)
    assert g.tolist() == [-1.0, -0.5]


def test_logsumexp_where_all_is_masked_or_infinite():
    a = np.array([[-np.inf, -np.inf], [0.0, -np.inf], [np.inf, 1.0]])
    want = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]

    def f(a):
        return np.sum(special.logsumexp(a, axis=1))

    assert sg.grad(f)(a).tolist() == want
    moved = sg.jvp(lambda a: special.logsumexp(a, axis=1), (a,), (np.ones((3, 2)),))[1]
    assert moved.tolist() == [0.0, 1.0, 1.0]
    both = np.array([np.inf, np.inf, 0.0])
    assert sg.grad(lambda a: special.logsumexp(a))(both).tolist() == [0.5, 0.5, 0.0]
    weights = np.array([0.0, 0.0])
    g = sg.grad(lambda a: special.logsumexp(a, b=weights))(np.array([1.0, 2.0]))
    assert g.tolist() == [0.0, 0.0]


def test_masked_logarithms_give_no_nan():
    x = np.array([0.0, 1.0])
    g = sg.grad(lambda x: np.sum(np.where(x > 0, special.xlogy(x, x), 0.0)))
    assert g(x).tolist() == [0.0, 1.0]
    points = np.array([[1.0, 2.0], [1.0, 2.0]])
    g = sg.grad(lambda p: np.sum(distance.cdist(p, p)))(points)
    assert g.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_every_rule_of_scipy_fits_and_can_be_differentiated_again():
    registry.import_libraries()
    rules = [r for r in all_rules() if r.name.startswith("scipy")]
    assert len(rules) > 150
    assert registry._extras == set(registry.EXTRAS)
    for rule in rules:
        if rule.name not in options_to_come():
            checking.check_registration(rule.target, rule.fn, {"kind": rule.kind})
        assert catalogue.missing_helpers(rule) == []
        assert rule.kind == "constant" or "forward" in catalogue.modes(rule)


def test_names_are_those_a_user_writes():
    names = {r.name for r in all_rules()}
    assert {"scipy.special.erf", "scipy.linalg.solve", "scipy.stats.norm.pdf"} <= names


@pytest.mark.parametrize(
    "case",
    [
        (lambda x: integrate.romb(np.outer(x, V5), dx=0.3), X),
        (lambda x: integrate.cumulative_simpson(x**2, dx=0.5), X),
        (lambda x: integrate.cumulative_simpson(x**2, x=np.array([0, 1, 3.0])), X),
        (lambda x: integrate.cumulative_simpson(np.outer(x, x), axis=0, initial=0), X),
        (lambda x: integrate.fixed_quad(lambda t: np.exp(-x[0] * t), 0.1, x[1])[0], X),
        (lambda x: integrate.fixed_quad(power_of, x[0], x[1], (x[2],), 7)[0], X),
    ],
    ids=lambda c: c[0].__code__.co_names[1],
)
def test_more_integrals(case):
    agrees(*case)


V5 = np.array([1.0, 0.4, 2.0, -1.0, 0.3])


def power_of(t, p):
    return t**p
