"""Every public name of SciPy's modules is differentiated, constant, or refused."""

import inspect
import types
import warnings

import pytest

import sourcegrad as sg
from sourcegrad.frontend.optional import solver_of
from sourcegrad.ir import Obj
from sourcegrad.rules import lookup
from sourcegrad.rules.refused import refusal

pytest.importorskip("scipy")

from scipy import (
    fft,
    integrate,
    interpolate,
    linalg,
    ndimage,
    signal,
    sparse,
    special,
    stats,
)
from scipy.sparse import linalg as sparse_linalg
from scipy.spatial import distance

MODULES = (
    special,
    linalg,
    signal,
    ndimage,
    interpolate,
    fft,
    integrate,
    distance,
    sparse,
    sparse_linalg,
    stats,
)
# The test runner of SciPy itself; solvers that have handlers in place of rules.
IGNORED = {"test"}


def public(module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(set(dir(module))):
            obj = getattr(module, name, None)
            if name[0] == "_" or not callable(obj) or isinstance(obj, types.ModuleType):
                continue
            if isinstance(obj, type) and issubclass(obj, BaseException):
                continue
            if name not in IGNORED:
                yield name, obj


def is_known(obj):
    if lookup(obj) is not None or refusal(obj) is not None:
        return True
    if solver_of(Obj(obj, "f")) is not None:
        return True
    methods = [getattr(obj, m, None) for m in ("pdf", "pmf", "logpdf", "logpmf")]
    return any(lookup(m) is not None for m in methods if m is not None)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_every_function_is_classified(module):
    assert [name for name, obj in public(module) if not is_known(obj)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_nothing_is_both_differentiated_and_refused(module):
    both = [
        name
        for name, obj in public(module)
        if lookup(obj) is not None and refusal(obj) is not None
    ]
    assert both == []


def test_a_refusal_says_why_and_what_to_write():
    with pytest.raises(sg.SourcegradError) as caught:
        sg.grad(lambda x: linalg.orth(x)[0, 0])(special.gamma([[1.5, 2.0], [3.0, 4.0]]))
    text = str(caught.value)
    assert "orth has no derivative rule" in text
    assert "use svd, qr, eigh or eig" in text
    assert inspect.currentframe() is not None
