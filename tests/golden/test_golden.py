"""The golden adjoints are what the compiler makes, they run, and they are right."""

from __future__ import annotations

import copy

import pytest

from tests.compare import assert_same_tree
from tests.golden import HERE, NAMES, generated, golden, primal, text_path
from tests.oracle import central_difference_grad, complex_step_grad

HINT = "the text changed: read `python -m tests.golden && git diff tests/golden`"


def test_every_text_has_its_primal():
    texts = {path.name for path in HERE.glob("*.adjoint.py")}
    assert texts == {text_path(name).name for name in NAMES}
    assert len(NAMES) >= 14


@pytest.mark.parametrize("name", NAMES)
def test_text_is_current(name):
    assert generated(name) == text_path(name).read_text(encoding="utf-8"), HINT


@pytest.mark.parametrize("name", NAMES)
def test_golden_adjoint_is_right(name):
    function, argnums, arguments = primal(name)
    got = golden(name)(*copy.deepcopy(arguments))
    differences = central_difference_grad(function, copy.deepcopy(arguments), argnums)
    assert_same_tree(got, differences, rtol=2e-7, atol=1e-8)
    exact = complex_step_grad(function, copy.deepcopy(arguments), argnums)
    if exact is not None:
        assert_same_tree(got, exact, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_primal_is_what_it_claims_to_be(name):
    function, _, arguments = primal(name)
    assert function.__module__ == f"tests.golden.{name}"
    first = function(*copy.deepcopy(arguments))
    assert_same_tree(first, function(*copy.deepcopy(arguments)), rtol=0, atol=0)
