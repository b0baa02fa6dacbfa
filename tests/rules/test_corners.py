"""Every rule of NumPy in all the forms of its operands; SciPy's in most (`corners`)."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

import sourcegrad as sg
from tests.rules.versions import NUMPY

from . import corners

AREAS = (
    "complex creation cumulative elementwise factorizations functional indexing "
    "joining linalg products shapes signal sorting statistics"
).split()
X = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
REDUCTIONS = "sum mean prod max min amax amin var std ptp median cumsum cumprod".split()

# What is no derivative to compare with, or no call that a program makes.
NOT_COMPARED = {
    ("gradient", "complex"): "NumPy drops the imaginary part of a spacing",
    ("gradient", "dropped"): "a spacing of zero",
    ("gradient", "0-d"): "a spacing of zero",
    ("gradient", "number"): "a spacing of zero",
    ("interp", "size 1"): "one knot has no slope",
    ("take", "empty"): "an index beyond the end, which NumPy does not see",
    ("compress", "empty"): "an index beyond the end, which NumPy does not see",
    ("polymul", "empty"): "NumPy takes no empty polynomial in np.convolve",
    ("poly", "empty"): "it is the number one",
    ("lstsq", "empty"): "there is no system",
    ("nanpercentile", "empty"): "there is no data",
    ("nanstd", "0-d"): "an axis of an array that has none",
    ("nanstd", "number"): "an axis of an array that has none",
    ("accumulate", "axis=(0,)"): "an axis in a tuple",
    ("cumulative_sum", "axis=(0,)"): "an axis in a tuple",
    ("cumulative_prod", "axis=(0,)"): "an axis in a tuple",
    ("unstack", "axis=(0,)"): "an axis in a tuple",
    ("average", "axis=(0,)"): "an axis in a tuple",
    ("flatten", "0-d"): "a NumPy scalar is no array",
    ("item", "0-d"): "a NumPy scalar is no array",
    ("tolist", "0-d"): "a NumPy scalar is no array",
}


def calls() -> dict[str, list[tuple[Any, tuple]]]:
    """Calls by the name of the function, from the tables of the tests of each area."""
    found: dict[str, list[tuple[Any, tuple]]] = {}
    for area in AREAS:
        table = importlib.import_module(f"tests.rules.test_numpy_{area}")
        for target, *args in getattr(table, "CASES", ()):
            found.setdefault(name_of(target), []).append((target, tuple(args)))
    for name in REDUCTIONS:
        found.setdefault(name, []).insert(0, (getattr(np, name), (X,)))
    return found


def name_of(target: Any) -> str:
    owner = getattr(target, "__self__", None)
    own = getattr(target, "__name__", str(target))
    return f"{owner.__name__}.{own}" if isinstance(owner, np.ufunc) else own


CALLS = calls()
FIRST = 2  # calls of each function, so that no one of them takes long
# Operands that a rule says nothing about, and lists from outside of the function.
WRT: dict[str, tuple[int, ...]] = {
    name: (0,) for name in "quantile percentile nanquantile nanpercentile".split()
}


LEFT_OUT = {"select"}
if NUMPY < (2, 1):
    LEFT_OUT |= {"tensorsolve"}  # cannot solve for a number


@pytest.mark.parametrize("name", sorted(set(CALLS) - LEFT_OUT))
def test_numpy(name: str) -> None:
    refused = []
    checked = 0
    for target, args in CALLS[name][:FIRST]:
        for form, given, options in corners.forms(target, args, {}):
            if compared(name, form):
                try:
                    found = corners.verify(target, given, options, wrt=WRT.get(name))
                    checked += found == "checked"
                except AssertionError as wrong:
                    pytest.fail(f"{name}, {form}: {wrong}")
                except sg.SourcegradError as e:
                    refused.append(f"{form}: {e.message}")
    assert checked > 0
    print(*refused, sep="\n")  # with `pytest -rP`


def compared(name: str, form: str) -> bool:
    last = name.split(".")[-1]
    short = form.split(", keepdims")[0]
    for ending in (short, short.split(" ", 2)[-1] if "argument" in short else short):
        if (last, ending) in NOT_COMPARED:
            return False
    return True


SCIPY = "fft linalg ndimage signal spatial".split()


@pytest.mark.parametrize("area", SCIPY)
@pytest.mark.filterwarnings("ignore")
def test_scipy(area: str) -> None:
    pytest.importorskip("scipy")
    table = importlib.import_module(f"tests.rules.test_scipy_{area}")
    for f, x, *_ in table.CASES:
        for form in ("strided", "backwards", "fortran", "single"):
            value = corners.EVERY[form](x)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                try:
                    y = f(value)
                except (ValueError, TypeError):  # SciPy does not take this form
                    continue
                corners.check_modes(f, [value], y, 1e-5)
