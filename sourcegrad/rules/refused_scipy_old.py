"""SciPy functions that later releases of SciPy have dropped, refused by name.

They are public from SciPy 1.13 on, the oldest release there are rules for, until
the release that drops them.
"""

from __future__ import annotations

_DROPPED = "SciPy has replaced it, and drops it in a later release"

TABLE: dict[str, list[tuple[str, str, str]]] = {
    "scipy.special": [
        ("btdtr", _DROPPED, "use scipy.special.betainc"),
        ("btdtri", _DROPPED, "use scipy.special.betaincinv"),
        ("clpmn lpmn lpn", _DROPPED, "use lpmv or eval_legendre"),
        ("sph_harm", _DROPPED, "use lpmv times np.exp(1j * m * theta)"),
    ],
    "scipy.linalg": [("kron", _DROPPED, "use np.kron")],
    "scipy.signal": [
        (
            "cascade cmplx_sort cwt daub morlet morlet2 qmf ricker",
            _DROPPED,
            "write the wavelet with NumPy, and convolve with it",
        ),
    ],
    "scipy.integrate": [
        ("cumtrapz", _DROPPED, "use scipy.integrate.cumulative_trapezoid"),
        ("simps", _DROPPED, "use scipy.integrate.simpson"),
        ("trapz", _DROPPED, "use scipy.integrate.trapezoid"),
        ("quadrature romberg", _DROPPED, "use scipy.integrate.quad"),
    ],
    "scipy.spatial.distance": [
        (
            "kulczynski1 sokalmichener",
            "it counts where elements differ",
            "use a smooth metric such as euclidean or cityblock",
        ),
        ("Optional", "it makes an object that is no plain array", "call cdist"),
    ],
    "scipy.stats": [
        ("find_repeats", _DROPPED, "use np.unique with return_counts=True"),
        ("rvs_ratio_uniforms", _DROPPED, "draw with numpy.random"),
    ],
}
