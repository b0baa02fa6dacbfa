"""Text for compilers: chains are computed again, and gradients stay what they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sourcegrad import SourcegradError, grad
from sourcegrad.api import Gradient
from sourcegrad.compile.entry import bind, compile_entry
from tests import zoo
from tests.compare import assert_same_tree
from tests.numba_kernels import nbody_energy
from tests.oracle import dual_grad

CASES = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(refused=None)
    if found.issue <= zoo.CURRENT_ISSUE
]


@pytest.mark.numba_full
@pytest.mark.parametrize(("found", "k"), CASES)
def test_gradient_of_the_text_for_compilers(found, k):
    gradient = Gradient(found.function, found.argnums)
    args = (*gradient._args, *found.arguments()[k])
    values = bind(gradient._fn, args, gradient._kwargs)
    request = replace(gradient._request, compiled=True)
    try:
        entry = compile_entry(gradient._fn, values, request, "python")
    except SourcegradError:
        with pytest.raises(SourcegradError):  # then the plain text is refused too
            compile_entry(gradient._fn, values, gradient._request, "python")
        return
    expected = dual_grad(found.function, found.arguments()[k], found.argnums)
    assert_same_tree(entry.calls[0](*values), expected, rtol=1e-9, atol=1e-12)


def test_differences_of_positions_are_not_recorded():
    pytest.importorskip("numba")
    args = np.arange(6.0).reshape(2, 3), np.ones(2)
    plain = grad(nbody_energy, (0, 1)).source(*args)
    compiled = grad(nbody_energy, (0, 1), backend="numba").source(*args)
    assert plain.count(".append(") == 2
    assert compiled.count(".append(") == 1
    assert "sqrt_d2_saved.append" in compiled
