"""Every public name of NumPy and `cmath` has a rule, is constant, or is refused."""

import cmath
import types
import warnings

import numpy as np
import pytest

from sourcegrad.rules import lookup, methods
from sourcegrad.rules.refused import REFUSED, refusal

MODULES = (
    np,
    np.linalg,
    np.fft,
    np.emath,
    np.lib.stride_tricks,
    np.random,
    np.random.Generator,
    cmath,
)
# The test runners of NumPy itself, and a property.
IGNORED = {"test", "bit_generator"}


def public(module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(set(dir(module))):
            obj = getattr(module, name, None)
            if name[0] == "_" or not callable(obj) or isinstance(obj, types.ModuleType):
                continue
            if isinstance(obj, type) and issubclass(obj, BaseException):
                continue
            if not is_deprecated(module, name):
                yield name, obj


def is_deprecated(module, name):
    """Names that NumPy keeps with a warning until it drops them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(module, name)
    return bool(caught)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_every_function_is_classified(module):
    unknown = [
        name
        for name, obj in public(module)
        if lookup(obj) is None and refusal(obj) is None and name not in IGNORED
    ]
    assert unknown == []


def test_nothing_is_both_differentiated_and_refused():
    assert [f for f in REFUSED if lookup(f) is not None] == []


def test_every_method_and_attribute_is_classified():
    known = (
        set(methods.METHODS)
        | set(methods.VARIADIC)
        | set(methods.SWAPPED)
        | set(methods.SELECTING)
        | set(methods.ATTRIBUTES)
        | methods.CONSTANT_METHODS
        | methods.CONSTANT_ATTRIBUTES
        | methods.MUTATING_METHODS
        | methods.REFUSED_METHODS
    )
    x = np.ones((1, 1))
    names = [n for n in dir(x) if n[0] != "_" and hasattr(x, n)]
    assert [n for n in names if n not in known] == []


def test_every_method_stands_for_a_function_with_a_rule():
    tables = (methods.METHODS, methods.VARIADIC, methods.SWAPPED, methods.ATTRIBUTES)
    for table in tables:
        assert [n for n, f in table.items() if lookup(f) is None] == []


@pytest.mark.parametrize("name", sorted(methods.METHODS))
def test_a_method_is_its_function(name):
    x = np.array([[1.5]])
    options = {
        "argpartition": (0,),
        "astype": (np.float32,),
        "clip": (0.0, 1.0),
        "dot": (x,),
        "repeat": (2,),
        "searchsorted": (1.0,),
        "swapaxes": (0, 1),
        "take": ([0],),
    }.get(name, ())
    x = x[0] if name == "searchsorted" else x
    function = methods.METHODS[name]
    want, got = getattr(x, name)(*options), function(x, *options)
    np.testing.assert_array_equal(got, want)


JAX_AND_AUTOGRAD = """
abs absolute add all angle any append arange arccos arccosh arcsin arcsinh arctan
arctan2 arctanh argmax argmin argsort array array_split atleast_1d atleast_2d
atleast_3d average block broadcast_arrays broadcast_to cbrt ceil clip column_stack
compress concatenate conj conjugate convolve copysign corrcoef correlate cos cosh cov
cross cumprod cumsum deg2rad degrees delete diag diagflat diagonal diff divide dot
dsplit dstack ediff1d einsum exp exp2 expand_dims expm1 extract fabs fix flip fliplr
flipud float_power floor fmax fmin fmod frexp full geomspace gradient heaviside hsplit
hstack hypot i0 imag inner insert interp inverse kron ldexp linspace log log10 log1p
log2 logaddexp logaddexp2 logspace matmul max maximum mean median meshgrid min minimum
mod modf moveaxis multiply nancumprod nancumsum nanmax nanmean nanmedian nanmin
nanpercentile nanprod nanquantile nanstd nansum nanvar negative nextafter outer pad
partition percentile polyadd polyder polyfit polyint polymul polysub polyval power prod
ptp quantile rad2deg radians ravel real reciprocal remainder repeat reshape roll
rollaxis roots rot90 select sign sin sinc sinh sort split sqrt square squeeze stack std
subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose
trapezoid tril triu unwrap vander var vdot vsplit vstack where
""".split()


def test_what_jax_and_autograd_differentiate_has_a_rule():
    missing = [
        n for n in JAX_AND_AUTOGRAD if hasattr(np, n) and lookup(getattr(np, n)) is None
    ]
    assert missing == []
