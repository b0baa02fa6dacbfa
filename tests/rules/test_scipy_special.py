"""Special functions of SciPy, family by family; their parameters against mpmath."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import special

from tests.rules.scipy_check import agrees
from tests.rules.versions import known

X = np.array([1.3, 0.7, 2.1])
U = np.array([0.3, 0.62, 0.45])

# In the variable: orders one and two.
SMOOTH = [
    (lambda x: special.gammainc(1.7, x), X),
    (lambda x: special.gammaincc(1.7, x), X),
    (lambda x: special.gammainccinv(1.7, x), U),
    (lambda x: special.betaincc(1.7, 2.2, x), U),
    (lambda x: special.betainccinv(1.7, 2.2, x), U),
    (lambda x: special.multigammaln(x + 2.0, 3), X),
    (lambda x: special.comb(x + 3.0, x), X),
    (lambda x: special.comb(x + 3.0, 2.0, repetition=True), X),
    (lambda x: special.perm(x + 3.0, x), X),
    (lambda x: special.factorial(x), X),
    (lambda x: special.rgamma(x - 2.0), X),
    (lambda x: special.zeta(2.5, x), X),
    (lambda x: special.agm(x, x[::-1] ** 2), X),
    (lambda x: special.powm1(x, x[::-1]), X),
    (lambda x: special.boxcox(x, x[::-1] - 1.0), X),
    (lambda x: special.boxcox1p(x, x[::-1] - 1.0), X),
    (lambda x: special.inv_boxcox(x, 0.5 * x[::-1]), X),
    (lambda x: special.inv_boxcox1p(x, 0.5 * x[::-1]), X),
    (lambda x: special.softplus(x), X),
    (lambda x: np.real(special.lambertw(x)), X),
    (lambda x: np.abs(special.lambertw(x - 1.5, 1)), X),
    (lambda x: special.wrightomega(x), X),
    (lambda x: np.imag(special.wofz(x + 0.3j)), X),
    (lambda x: special.wofz(x).real, X),
    (lambda x: special.ndtri_exp(-x), X),
    (lambda x: special.voigt_profile(x, x[::-1], 0.4 * x), X),
    (lambda x: special.spence(x), X),
    (lambda x: special.expn(2, x) + special.expn(1, x) + special.expn(0, x), X),
    (lambda x: special.shichi(x)[0] - special.shichi(x)[1], X),
    (lambda x: special.itj0y0(x)[0] * special.itj0y0(x)[1], X),
    (lambda x: special.iti0k0(x)[0] * special.iti0k0(x)[1], X),
    (lambda x: special.it2j0y0(x)[0] * special.it2j0y0(x)[1], X),
    (lambda x: special.it2i0k0(x)[0] * special.it2i0k0(x)[1], X),
    (lambda x: special.itstruve0(x), X),
    (lambda x: special.it2struve0(x), X),
    (lambda x: special.itmodstruve0(x), X),
    (lambda x: special.jve(0.7, x), X),
    (lambda x: special.yve(0.7, x), X),
    (lambda x: np.real(special.hankel1(0.7, x)), X),
    (lambda x: np.imag(special.hankel2(0.7, x)), X),
    (lambda x: np.abs(special.hankel1e(0.7, x)), X),
    (lambda x: np.imag(special.hankel2e(0.7, x)), X),
    (lambda x: special.struve(0.7, x), X),
    (lambda x: special.modstruve(0.7, x), X),
    (lambda x: special.ber(x) * special.bei(x), X),
    (lambda x: special.ker(x) * special.kei(x), X),
    (lambda x: special.berp(x) * special.beip(x), X),
    (lambda x: special.kerp(x) * special.keip(x), X),
    (lambda x: special.kelvin(x)[0].real * special.kelvin(x)[3].imag, X),
    (lambda x: special.kelvin(x)[1].real * special.kelvin(x)[2].imag, X),
    (lambda x: special.spherical_jn(2, x), X),
    (lambda x: special.spherical_jn(2, x, derivative=True), X),
    (lambda x: special.spherical_yn(1, x), X),
    (lambda x: special.spherical_in(2, x), X),
    (lambda x: special.spherical_kn(1, x, derivative=True), X),
    (lambda x: special.jvp(0.7, x), X),
    (lambda x: special.yvp(0.7, x, 2), X),
    (lambda x: special.ivp(0.7, x, 0), X),
    (lambda x: special.kvp(0.7, x), X),
    (lambda x: np.real(special.h1vp(0.7, x)), X),
    (lambda x: np.imag(special.h2vp(0.7, x)), X),
    (lambda x: special.airye(x)[0] * special.airye(x)[2], X),
    (lambda x: special.airye(x)[1] * special.airye(x)[3], X),
    (lambda x: special.pbdv(0.7, x)[0] * special.pbdv(0.7, x)[1], X),
    (lambda x: special.pbvv(0.7, x)[0] * special.pbvv(0.7, x)[1], X),
    (lambda x: special.pbwa(0.7, x)[0] * special.pbwa(0.7, x)[1], X),
    (lambda x: special.hyperu(1.2, 0.4, x), X),
    (lambda x: special.wright_bessel(0.5, 1.2, x), X),
    (lambda x: special.log_wright_bessel(0.5, 1.2, x), X),
    (lambda x: special.ellipkm1(x), U),
    (lambda x: special.ellipkinc(x[::-1] + 2.0, x), U),
    (lambda x: special.ellipeinc(x[::-1] - 4.0, x), U),
    (lambda x: special.ellipj(x, 0.4 * x[::-1])[0], X),
    (lambda x: special.ellipj(x, 0.4 * x[::-1])[1], X),
    (lambda x: special.ellipj(x, 0.4 * x[::-1])[2], X),
    (lambda x: special.ellipj(x, 0.4 * x[::-1])[3], X),
    (lambda x: special.elliprf(x, 2.0 * x[::-1], x**2 + 1.0), X),
    (lambda x: special.elliprd(x, 2.0 * x[::-1], x**2 + 1.0), X),
    (lambda x: special.elliprj(x, 2.0 * x[::-1], x**2 + 1.0, 3.0 * x), X),
    (lambda x: special.elliprg(x, 2.0 * x[::-1], x**2 + 1.0), X),
    (lambda x: special.eval_legendre(3, x), U),
    (lambda x: special.eval_legendre(0, x) + special.eval_legendre(1, x), U),
    (lambda x: special.eval_sh_legendre(3, x), U),
    (lambda x: special.eval_chebyt(4, x) + special.eval_chebyt(0, x), U),
    (lambda x: special.eval_chebyu(4, x) + special.eval_chebyu(0, x), U),
    (lambda x: special.eval_chebyc(3, x), U),
    (lambda x: special.eval_chebys(3, x), U),
    (lambda x: special.eval_sh_chebyt(3, x), U),
    (lambda x: special.eval_sh_chebyu(3, x), U),
    (lambda x: special.eval_gegenbauer(3, 0.7, x), U),
    (lambda x: special.eval_jacobi(3, 0.7, 1.2, x), U),
    (lambda x: special.eval_sh_jacobi(3, 2.2, 1.2, x), U),
    (lambda x: special.eval_laguerre(3, x), X),
    (lambda x: special.eval_genlaguerre(3, 0.7, x), X),
    (lambda x: special.assoc_laguerre(x, 3, 2), X),
    (lambda x: special.eval_hermite(3, x) + special.eval_hermite(0, x), U),
    (lambda x: special.eval_hermitenorm(3, x), U),
    (lambda x: special.lpmv(1, 2.0, x), U),
    (lambda x: special.legendre_p(3, x), U),
    (lambda x: special.sph_harm_y(3, 2, x, x[::-1]).real, X),
    (lambda x: special.sph_harm_y(3, -3, x, x[::-1]).imag, X),
    (lambda x: special.sph_harm_y(0, 0, x, x[::-1]).real * x, X),
    (lambda x: special.diric(x, 5) + special.diric(x, 4), X),
    (lambda x: special.sindg(30.0 * x) + special.cosdg(20.0 * x), X),
    (lambda x: special.tandg(30.0 * x) + special.cotdg(20.0 * x), X),
    (lambda x: special.radian(x, x**2, x**3), X),
    (lambda x: special.chdtr(3.0, x) * special.chdtrc(2.0, x), X),
    (lambda x: special.gdtr(x, 1.7, x[::-1]) * special.gdtrc(x, 2.0, 1.5), X),
    (lambda x: special.gdtria(x, 1.7, x[::-1]) * special.gdtrix(x, 2.0, x), U),
    (lambda x: special.pdtr(2, x) * special.pdtrc(1, x), X),
    (lambda x: special.pdtri(2, x) * special.chdtri(3.0, x), U),
    (lambda x: special.bdtr(2, 5, x) * special.bdtrc(1, 4, x), U),
    (lambda x: special.bdtri(2, 5, x) * special.nbdtri(2, 5, x), U),
    (lambda x: special.nbdtr(2, 5, x) * special.nbdtrc(1, 4, x), U),
    (lambda x: special.fdtr(3.0, 4.0, x) * special.fdtrc(3.5, 4.0, x), X),
    (lambda x: special.fdtri(3.0, 4.0, x) * special.stdtrit(3.0, x), U),
    (
        lambda x: special.nrdtrimn(x, x[::-1], 0.4) + special.nrdtrisd(x, 0.2 * x, 2.0),
        U,
    ),
    (lambda x: special.chndtr(x, 3.0, x[::-1]), X),
    (lambda x: special.tklmbda(0.2 * x, 0.7), X),
]

# In parameters whose slope is a series: order one.
ONCE = [
    (lambda a: special.gammainc(a, a[::-1]), X),
    (lambda a: special.gammaincinv(a, 0.3) + special.gammainccinv(a, 0.2), X),
    (lambda a: special.betainc(a, a[::-1], 0.3) + special.betaincc(a, 2.0, 0.9), X),
    (lambda a: special.betaincinv(a, a[::-1], 0.3), X),
    (lambda a: special.betainccinv(a, a[::-1], 0.3), X),
    (lambda a: special.zeta(a + 1.0, a[::-1]) + special.zeta(a + 1.5), X),
    (lambda a: special.zetac(a + 1.5), X),
    (lambda a: special.stdtr(a, a[::-1]) + special.stdtr(a, -0.4), X),
    (lambda a: special.stdtrit(a + 1.0, U), X),
    (lambda a: special.chdtr(a, 1.2) + special.chdtrc(a, 0.4), X),
    (lambda a: special.chdtri(a, 0.3) + special.chdtriv(0.3, a), X),
    (lambda p: special.chdtriv(p, 1.3), U),
    (lambda a: special.gdtr(1.3, a, a[::-1]) + special.gdtrc(0.7, a, 1.0), X),
    (lambda p: special.gdtrib(1.3, p, p[::-1]), U),
    (lambda p: special.gdtrib(p, 0.3, 1.3), U),
    (lambda p: special.btdtria(p, 1.3, 0.4) + special.btdtrib(1.3, p, 0.4), U),
    (lambda p: special.btdtria(0.4, 1.3, p) + special.btdtrib(p, 0.4, 0.3), U),
    (lambda p: special.btdtria(0.4, p, 0.2) + special.btdtrib(1.3, 0.4, p), U),
    (lambda a: special.fdtr(a, a[::-1], 0.8) + special.fdtrc(a, 2.0, 1.8), X),
    (lambda a: special.fdtri(a, a[::-1], 0.3), X),
]


def name(case):
    return "-".join(case[0].__code__.co_names[:3])


NEW = ("softplus", "log_wright_bessel", "legendre_p", "sph_harm_y")


@pytest.mark.parametrize("case", known(SMOOTH, special, *NEW), ids=name)
def test_orders_one_and_two(case):
    agrees(*case)


@pytest.mark.parametrize("case", ONCE, ids=name)
def test_parameters(case):
    agrees(*case, order=1)
    f, x = case
    with pytest.raises(sg.SourcegradError, match="no closed form is known"):
        sg.hessian(lambda x: np.sum(f(x)))(x)


@pytest.mark.filterwarnings("ignore::sourcegrad.UnreachedInputWarning")
@pytest.mark.filterwarnings("ignore:non-integer arg:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:floating point number truncated:RuntimeWarning")
def test_counts_are_cut_to_whole_numbers_and_so_constant():
    def f(n):
        return special.bdtr(1.0, n, 0.3) + special.nbdtr(1.0, n, 0.3)

    assert f(4.0) != f(5.0)
    assert special.bdtr(1.0, 4.3, 0.3) == special.bdtr(1.0, 4.0, 0.3)
    assert sg.grad(f)(4.0) == 0.0


@pytest.mark.parametrize("f", [special.betaincinv, special.betaincc, special.betainc])
def test_parameters_in_single_precision(f):
    a = np.array([1.3, 0.7, 2.1])
    want = sg.grad(lambda a: np.sum(f(a, a[::-1], 0.3)))(a)
    got = sg.grad(lambda a: np.sum(f(a, a[::-1], np.float32(0.3))))(a.astype("f"))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, want, rtol=1e-4)


@pytest.mark.skipif(not hasattr(special, "legendre_p"), reason="SciPy 1.15")
def test_the_tangent_of_a_polynomial_has_the_axis_of_its_value():
    y, y_dot = sg.jvp(lambda z: special.legendre_p(3, z), (U,), (np.ones(3),))
    np.testing.assert_allclose(y_dot, (7.5 * U * U - 1.5) * np.ones_like(y))


mpmath = pytest.importorskip("mpmath")


@pytest.mark.parametrize("a", [0.02, 0.9, 3.0, 40.0, 900.0])
@pytest.mark.parametrize("x", [1e-3, 0.7, 5.0, 60.0, 900.0])
def test_gammainc_in_its_parameter(a, x):
    want = mpmath.diff(lambda p: mpmath.gammainc(p, 0, x, regularized=True), a)
    got = sg.grad(lambda a: special.gammainc(a, x))(a)
    assert got == pytest.approx(float(want), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("a", [0.05, 1.0, 60.0])
@pytest.mark.parametrize("b", [0.05, 2.5, 30.0])
@pytest.mark.parametrize("x", [1e-9, 0.2, 0.7, 1.0 - 1e-9])
def test_betainc_in_its_parameters(a, b, x):
    def integral(a, b):
        return mpmath.betainc(a, b, 0, x, regularized=True)

    got = sg.grad(lambda a, b: special.betainc(a, b, x), (0, 1))(a, b)
    want = [mpmath.diff(integral, (a, b), n) for n in ((1, 0), (0, 1))]
    assert got == pytest.approx([float(w) for w in want], rel=1e-8, abs=1e-11)


@pytest.mark.parametrize("s", [1.1, 2.0, 7.5, 40.0])
@pytest.mark.parametrize("q", [0.01, 1.0, 30.0])
def test_zeta_in_its_exponent(s, q):
    want = float(mpmath.zeta(s, q, 1))
    assert sg.grad(lambda s: special.zeta(s, q))(s) == pytest.approx(want, rel=1e-11)


def test_integrals_of_airy_functions():
    # SciPy's values hold seven digits only, so their differences fewer
    for k, sign in enumerate((1, 1, -1, -1)):
        got = sg.grad(lambda x, k=k: special.itairy(x)[k])(1.3)
        assert got == special.airy(sign * 1.3)[0 if k % 2 == 0 else 2]


def test_slopes_at_removable_singularities():
    zero = sg.grad(lambda m: special.ellipkinc(1.2, m) + special.ellipeinc(1.2, m))(0.0)
    half = sum(
        mpmath.diff(lambda m: f(1.2, m), 0) for f in (mpmath.ellipf, mpmath.ellipe)
    )
    assert zero == pytest.approx(float(half), abs=1e-14)
    assert sg.grad(lambda x: special.spence(x))(1.0) == -1.0
    assert sg.grad(lambda x: special.shichi(x)[0])(0.0) == 1.0
    assert sg.grad(lambda x: special.eval_legendre(4, x))(1.0) == pytest.approx(10.0)
    assert sg.grad(lambda x: special.diric(x, 5))(0.0) == 0.0
    assert sg.grad(lambda x: special.rgamma(x))(-3.0) == pytest.approx(-6.0)
    assert sg.grad(lambda t: special.stdtr(3.0, t))(0.0) == pytest.approx(0.36755259694)
    assert sg.grad(lambda x: special.boxcox(2.0, x))(0.0) == pytest.approx(
        0.5 * np.log(2.0) ** 2
    )
    for f in (lambda x: special.exprel(x), lambda x: special.cosm1(x)):
        assert np.isfinite(sg.grad(f)(0.0))


@pytest.mark.parametrize(
    "f",
    [
        lambda z: special.erf(z),
        lambda z: special.wofz(z),
        lambda z: special.loggamma(z),
        lambda z: special.jv(1, z),
        lambda z: special.airy(z)[0],
        lambda z: special.lambertw(z),
        lambda z: special.sici(z)[0],
        lambda z: special.fresnel(z)[1],
        lambda z: special.spence(z),
        lambda z: special.hyp2f1(0.3, 0.7, 1.2, z),
    ],
)
def test_holomorphic(f):
    z = 0.4 + 0.3j
    h = 1e-3
    steps = [(f(z + k * h) - f(z - k * h)) / (2.0 * k * h) for k in (1, 2, 3)]
    want = 1.5 * steps[0] - 0.6 * steps[1] + 0.1 * steps[2]
    got = sg.grad(lambda z: np.real(f(z)))(z)
    assert got == pytest.approx(want, rel=1e-9)


def test_what_is_not_holomorphic_is_refused():
    for f in (
        lambda z: np.real(special.ive(0.5, z)),
        lambda z: np.real(special.jve(0.5, z)),
        lambda z: np.real(special.airye(z)[0]),
    ):
        with pytest.raises(sg.SourcegradError, match="complex numbers"):
            sg.grad(f)(0.4 + 0.3j)


@pytest.mark.parametrize(
    "place", [(1.3, 1.3, 1.3), (1.0, 2.0, 2.0), (2.0, 2.0, 1.0), (1.0, 2.0, 1.0)]
)
def test_carlsons_integral_of_equal_arguments(place):
    # R_D is an integral over t: so are its derivatives, with another power
    def slope(powers):
        factors = [(v, p) for v, p in zip(place, powers, strict=True)]
        return -mpmath.quad(
            lambda t: mpmath.fprod((t + v) ** -p for v, p in factors),
            [0, 1, mpmath.inf],
        )

    want = (0.75 * slope((1.5, 0.5, 1.5)), 0.75 * slope((0.5, 1.5, 1.5)))
    want = (*want, 2.25 * slope((0.5, 0.5, 2.5)))
    got = sg.grad(lambda x, y, z: special.elliprd(x, y, z), (0, 1, 2))(*place)
    np.testing.assert_allclose(got, np.array(want, float), rtol=1e-7)
