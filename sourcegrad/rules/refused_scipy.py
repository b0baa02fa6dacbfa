"""SciPy functions that are refused by name, each with the reason and a way out.

Read when such a function meets an active value; the modules of SciPy are looked at
only if the program has imported them.
"""

from __future__ import annotations

import sys
from typing import Any

from .refused_scipy_old import TABLE as _OLD
from .refused_scipy_stats import TABLE as _MORE

_ROOTS = "it finds zeros or nodes of a family by number"
_NO_FORMULA = "no formula for its derivative is known here"
_MANY = "it returns a table of many orders at once"
_FACTOR = "its result is unique only up to a choice that the library makes"
_DESIGN = "it designs a filter, step by step"
_SPECTRA = "it windows, averages and scales a spectrum in one call"
_RANKS = "it picks elements by rank"
_LABELS = "it goes by labels or regions, which do not change smoothly"
_OBJECT = "it makes an object that is no plain array"
_FIT = "it fits, by an algorithm of its own"
_CALLS = "it calls a Python function out of the compiler's sight"
_COUNTS = "it counts where elements differ"

_CONSTANT = "take it as a constant: sourcegrad.stop_gradient(…)"
_RULE = "give it a rule with @sourcegrad.adjoint"
_FFT = "write it with scipy.fft and products"
_NUMPY = "write it with NumPy"

# module: [(names, why, what to write instead)]
_TABLE: dict[str, list[tuple[str, str, str]]] = {
    "scipy.special": [
        (
            "ai_zeros bei_zeros beip_zeros ber_zeros berp_zeros bi_zeros "
            "erf_zeros fresnel_zeros fresnelc_zeros fresnels_zeros jn_zeros "
            "jnjnp_zeros jnp_zeros jnyn_zeros kei_zeros keip_zeros kelvin_zeros "
            "ker_zeros kerp_zeros y0_zeros y1_zeros y1p_zeros yn_zeros "
            "ynp_zeros c_roots cg_roots h_roots he_roots j_roots js_roots "
            "l_roots la_roots p_roots ps_roots s_roots t_roots ts_roots u_roots "
            "us_roots roots_chebyc roots_chebys roots_chebyt roots_chebyu "
            "roots_gegenbauer roots_genlaguerre roots_hermite roots_hermitenorm "
            "roots_jacobi roots_laguerre roots_legendre roots_sh_chebyt "
            "roots_sh_chebyu roots_sh_jacobi roots_sh_legendre",
            _ROOTS,
            _CONSTANT,
        ),
        (
            "assoc_legendre_p assoc_legendre_p_all legendre_p_all "
            "sph_harm_y_all sph_legendre_p sph_legendre_p_all lmbda lqmn lqn "
            "pbdn_seq pbdv_seq pbvv_seq riccati_jn riccati_yn factorialk "
            "factorial2",
            _MANY,
            "use lpmv, eval_legendre, sph_harm_y or spherical_jn",
        ),
        (
            "chebyc chebys chebyt chebyu gegenbauer genlaguerre hermite "
            "hermitenorm jacobi laguerre legendre sh_chebyt sh_chebyu sh_jacobi "
            "sh_legendre errstate geterr seterr",
            _OBJECT,
            "use eval_legendre and the other eval_ functions",
        ),
        (
            "bdtrik bdtrin besselpoly chndtridf chndtrinc chndtrix ellip_harm "
            "ellip_harm_2 ellip_normal fdtridfd kolmogi kolmogorov mathieu_a "
            "mathieu_b mathieu_cem mathieu_even_coef mathieu_modcem1 "
            "mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_odd_coef "
            "mathieu_sem modfresnelm modfresnelp nbdtrik nbdtrin ncfdtr ncfdtri "
            "ncfdtridfd ncfdtridfn ncfdtrinc nctdtr nctdtridf nctdtrinc "
            "nctdtrit obl_ang1 obl_ang1_cv obl_cv obl_cv_seq obl_rad1 "
            "obl_rad1_cv obl_rad2 obl_rad2_cv pdtrik pro_ang1 pro_ang1_cv "
            "pro_cv pro_cv_seq pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv "
            "smirnov smirnovi stdtridf",
            _NO_FORMULA,
            _RULE,
        ),
        ("round", "it rounds", _CONSTANT),
    ],
    "scipy.linalg": [
        (
            "null_space orth hessenberg schur rsf2csf qz ordqz cossin ldl rq "
            "cdf2rdf matrix_balance subspace_angles orthogonal_procrustes",
            _FACTOR,
            "use svd, qr, eigh or eig",
        ),
        (
            "cho_solve_banded cholesky_banded eig_banded eigvals_banded",
            "no rule is known for the banded storage",
            "use solveh_banded, or the whole matrix",
        ),
        ("qr_delete qr_insert qr_multiply qr_update", _FACTOR, "use qr and products"),
        ("funm signm", _CALLS, "use expm, logm, sqrtm, cosm or eigh"),
        ("solve_discrete_are", _NO_FORMULA, "use implicit_root with the equation"),
        (
            "clarkson_woodruff_transform expm_cond find_best_blas_type "
            "get_blas_funcs get_lapack_funcs fiedler_companion diagsvd",
            "it has no derivative that is needed",
            _NUMPY,
        ),
    ],
    "scipy.signal": [
        ("get_window", "its window may have a shape", "write the window's formula"),
        (
            "CZT ShortTimeFFT StateSpace TransferFunction ZerosPolesGain "
            "ZoomFFT lti dlti",
            _OBJECT,
            "use lfilter and the functions of scipy.fft",
        ),
        (
            "lombscargle closest_STFT_dual_window czt czt_points zoom_fft envelope",
            _SPECTRA,
            _FFT,
        ),
        (
            "order_filter wiener argrelextrema argrelmax "
            "argrelmin find_peaks find_peaks_cwt peak_prominences peak_widths",
            _RANKS,
            "select with np.sort or an index",
        ),
        (
            "decimate resample_poly sosfiltfilt hilbert2 deconvolve lfiltic "
            "lfilter_zi sosfilt_zi sepfir2d spline_filter symiirorder1 "
            "symiirorder2 cspline1d cspline1d_eval cspline2d qspline1d "
            "qspline1d_eval qspline2d gauss_spline",
            _NO_FORMULA,
            "use lfilter, filtfilt, upfirdn, resample or convolve",
        ),
        (
            "abcd_normalize band_stop_obj bessel besselap bilinear bilinear_zpk "
            "buttap butter buttord cheb1ap cheb1ord cheb2ap cheb2ord cheby1 "
            "cheby2 check_COLA check_NOLA cont2discrete ellip ellipap ellipord "
            "findfreqs firls firwin firwin2 firwin_2d gammatone iircomb "
            "iirdesign iirfilter iirnotch iirpeak invres invresz kaiser_atten "
            "kaiser_beta kaiserord lp2bp lp2bp_zpk lp2bs lp2bs_zpk lp2hp "
            "lp2hp_zpk lp2lp lp2lp_zpk minimum_phase normalize place_poles "
            "remez residue residuez sos2tf sos2zpk ss2tf ss2zpk tf2sos tf2ss "
            "tf2zpk unique_roots zpk2sos zpk2ss zpk2tf",
            _DESIGN,
            "design the filter outside, and pass its coefficients",
        ),
        (
            "bode dbode dfreqresp dimpulse dlsim dstep freqresp freqs freqs_zpk "
            "freqz freqz_sos freqz_zpk group_delay impulse lsim sosfreqz step",
            "it simulates a system or evaluates its response",
            "write the response as a ratio of np.polyval, or use lfilter",
        ),
        (
            "gausspulse sawtooth square sweep_poly vectorstrength",
            "it makes a wave form",
            "write it with np.sin and np.exp",
        ),
    ],
    "scipy.ndimage": [
        (
            "geometric_transform",
            "its splines at any coordinates are not transposed here",
            "use shift, zoom, or scipy.interpolate.RegularGridInterpolator",
        ),
        (
            "generic_filter generic_filter1d generic_gradient_magnitude "
            "generic_laplace vectorized_filter",
            _CALLS,
            "use correlate, or write a sum over shifted slices",
        ),
        (
            "black_tophat white_tophat grey_closing grey_dilation grey_erosion "
            "grey_opening morphological_gradient morphological_laplace",
            _RANKS,
            "use maximum_filter and minimum_filter",
        ),
        (
            "binary_closing binary_dilation binary_erosion binary_fill_holes "
            "binary_hit_or_miss binary_opening binary_propagation "
            "center_of_mass distance_transform_bf distance_transform_cdt "
            "distance_transform_edt extrema find_objects histogram label "
            "labeled_comprehension maximum maximum_position mean median minimum "
            "minimum_position standard_deviation sum sum_labels value_indices "
            "variance watershed_ift",
            _LABELS,
            "use np.sum, np.mean or np.bincount with the labels",
        ),
        (
            "fourier_ellipsoid fourier_gaussian fourier_shift fourier_uniform",
            "it multiplies a spectrum in place",
            "multiply the spectrum by the factor",
        ),
    ],
    "scipy.interpolate": [
        (
            "AAA BPoly BarycentricInterpolator BivariateSpline "
            "CloughTocher2DInterpolator CubicHermiteSpline "
            "FloaterHormannInterpolator InterpolatedUnivariateSpline "
            "KroghInterpolator LSQBivariateSpline LSQSphereBivariateSpline "
            "LSQUnivariateSpline LinearNDInterpolator NdBSpline NdPPoly "
            "NearestNDInterpolator PPoly RBFInterpolator Rbf "
            "RectBivariateSpline RectSphereBivariateSpline "
            "SmoothBivariateSpline SmoothSphereBivariateSpline UnivariateSpline "
            "interp2d",
            "it is followed in its values for a few kinds only",
            "make it outside of the function, or use CubicSpline or BSpline",
        ),
        (
            "approximate_taylor_polynomial barycentric_interpolate bisplev "
            "bisplrep generate_knots griddata insert krogh_interpolate lagrange "
            "make_lsq_spline make_smoothing_spline make_splprep make_splrep "
            "pade pchip_interpolate spalde splantider splder splint splprep "
            "splrep sproot",
            _FIT,
            "use CubicSpline, make_interp_spline or RegularGridInterpolator",
        ),
    ],
    "scipy.fft": [
        ("fht ifht fhtoffset", _NO_FORMULA, _RULE),
        (
            "register_backend set_backend set_global_backend set_workers skip_backend",
            "it changes settings",
            "call it outside of the function",
        ),
    ],
    "scipy.integrate": [
        (
            "BDF DOP853 DenseOutput LSODA OdeSolution OdeSolver RK23 RK45 Radau "
            "complex_ode ode",
            _OBJECT,
            "use solve_ivp",
        ),
        (
            "cubature lebedev_rule nquad nsum qmc_quad quad_vec "
            "solve_bvp tanhsinh newton_cotes odeint solve_ivp",
            _CALLS,
            "use quad, dblquad, tplquad, fixed_quad, or simpson of values at points",
        ),
    ],
    "scipy.spatial.distance": [
        (
            "dice hamming jaccard rogerstanimoto russellrao sokalsneath yule "
            "directed_hausdorff",
            _COUNTS,
            "use a smooth metric such as euclidean or cityblock",
        ),
        (
            "CDistMetricWrapper PDistMetricWrapper MetricInfo Callable partial",
            _OBJECT,
            "call cdist or pdist",
        ),
    ],
}


_TABLE |= _MORE
for _module, _groups in _OLD.items():
    _TABLE[_module] = [*_TABLE[_module], *_groups]


def _found() -> dict[Any, tuple[str, str]]:
    """The refused functions of the modules in use."""
    found: dict[Any, tuple[str, str]] = {}
    for module, groups in _TABLE.items():
        loaded = sys.modules.get(module)
        for names, why, hint in groups if loaded else ():
            for name in names.split():
                obj = getattr(loaded, name, None)
                if obj is not None:
                    found[obj] = (why, hint)
    return found


_state: dict[str, Any] = {"modules": None, "found": {}}


def refusal_of_scipy(obj: Any) -> tuple[str, str] | None:
    """Why a function of SciPy is refused and what to write instead, or None.

    >>> import scipy.linalg
    >>> refusal_of_scipy(scipy.linalg.orth)[1]
    'use svd, qr, eigh or eig'
    """
    modules = [module for module in _TABLE if module in sys.modules]
    if modules != _state["modules"]:
        _state["found"] = _found()
        _state["modules"] = modules
    reason: tuple[str, str] | None = _state["found"].get(obj)
    if reason is None and sys.modules.get("scipy.stats") is not None:
        return _of_distribution(obj)
    return reason


def _of_distribution(obj: Any) -> tuple[str, str] | None:
    """The refusal of a method of a distribution that has no rule."""
    owner = obj if hasattr(obj, "rvs") else getattr(obj, "__self__", None)
    if not type(owner).__module__.startswith("scipy.stats") and owner is not obj:
        return None
    if not str(getattr(obj, "__module__", "")).startswith("scipy.stats"):
        return None
    return (
        f"no formula is given for this method of scipy.stats.{_name(owner)}",
        "use logpdf, or write it with scipy.special",
    )


def _name(owner: Any) -> str:
    return str(getattr(owner, "name", type(owner).__name__))
