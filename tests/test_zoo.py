"""Every program of the zoo, in every packaging and optimisation level.

Expected gradients come from the dual-number oracle, which is itself held against
complex step where that is legal and against extrapolated differences.
"""

from __future__ import annotations

import copy
import importlib.util
from typing import Any

import numpy as np
import pytest

from tests import zoo
from tests.compare import assert_same_tree, copied, seeds_for
from tests.oracle import (
    central_difference_grad,
    complex_step_grad,
    dual_grad,
    dual_hessian_vector,
)

CASES = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(refused=None)
]
REFUSED = [found for found in zoo.load().values() if found.refused is not None]
NUMBA_IN_BRIEF = set(
    "sine_and_exponential augmented_assignment if_else nested_ifs for_range "
    "ranges_of_every_step while_until_large fibonacci_state break_and_continue "
    "return_in_nested_loops calls_of_every_form for_over_array reads_in_nested_loops "
    "tuple_built_and_read".split()
)
NUMBA = [
    pytest.param(
        found,
        k,
        id=f"{found.name}-{k}",
        marks=[] if found.name in NUMBA_IN_BRIEF and k == 0 else pytest.mark.numba_full,
    )
    for found, k in zoo.each_case(numba=True)
]


def refusal_allowed(found: zoo.Program) -> bool:
    """Whether the program belongs to a later issue."""
    return found.issue > zoo.CURRENT_ISSUE


# A recursion that fills a memo: its residuals have a type without end, and its tangent
# hands a list to itself. Lists and dicts that a derivative inside a function would
# change for the outer one.
REFUSED_AT_ORDER_TWO = {
    "best_cut",
    "argument_changed_in_callee",
    "replaced_array",
    "filled_in",
    "nested_argument",
}


def run_or_xfail(found: zoo.Program, action: Any, order: int = 1) -> Any:
    """The result of `action`; a refusal is expected for programs of a later issue, and
    at order two for those whose text is outside of the language."""
    from sourcegrad import SourcegradError

    try:
        return action()
    except SourcegradError as error:
        known = order > 1 and found.name in REFUSED_AT_ORDER_TWO
        if not (known or refusal_allowed(found)):
            raise
        pytest.xfail(f"refused until a later issue: {error}")


@pytest.mark.parametrize(("found", "k"), CASES)
def test_oracle_equals_differences(found, k):
    got = dual_grad(found.function, found.arguments()[k], found.argnums)
    if found.smooth:
        expected = central_difference_grad(
            found.function, found.arguments()[k], found.argnums
        )
        assert_same_tree(got, expected, rtol=2e-7, atol=1e-8)
    if found.analytic and found.smooth:
        exact = complex_step_grad(found.function, found.arguments()[k], found.argnums)
        if exact is not None:
            assert_same_tree(got, exact, rtol=1e-11, atol=1e-13)


def test_complex_step_judges_most_programs():
    legal = [
        found.name
        for found, k in zoo.each_case(refused=None, analytic=True, smooth=True)
        if complex_step_grad(found.function, found.arguments()[k], found.argnums)
        is not None
    ]
    assert len(set(legal)) >= 100


def test_zoo_is_large_and_every_program_has_cases():
    programs = zoo.load().values()
    assert len(programs) >= 110
    assert [found.name for found in programs if not found.cases] == []


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "raw"])
@pytest.mark.parametrize(("found", "k"), CASES)
def test_joint_gradient(found, k, optimise):
    import sourcegrad
    from sourcegrad.request import options

    expected = dual_grad(found.function, found.arguments()[k], found.argnums)
    plain_args = found.arguments()[k]
    value = copied(found.function(*plain_args))

    def action() -> Any:
        args = found.arguments()[k]
        with options(optimise=optimise):
            got = sourcegrad.grad(found.function, found.argnums)(*args)
            again = sourcegrad.value_and_grad(found.function, found.argnums)(
                *found.arguments()[k]
            )
        assert_same_tree(args, plain_args, rtol=0, atol=0)
        return got, again

    got, again = run_or_xfail(found, action)
    assert_same_tree(got, expected, rtol=1e-9, atol=1e-12)
    assert_same_tree(again, (value, expected), rtol=1e-9, atol=1e-12)
    assert_same_tree(again[0], value, rtol=0, atol=0)


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "raw"])
@pytest.mark.parametrize(("found", "k"), CASES)
def test_split_gradient(found, k, optimise):
    import sourcegrad
    from sourcegrad.request import options

    every = tuple(range(len(found.cases[k])))
    wanted = found.argnums if isinstance(found.argnums, tuple) else (found.argnums,)
    expected = dual_grad(found.function, found.arguments()[k], wanted)
    value = copied(found.function(*found.arguments()[k]))

    def action() -> Any:
        args = found.arguments()[k]
        with options(optimise=optimise):
            y, pullback = sourcegrad.vjp(found.function, *args)
            assert_same_tree(y, value, rtol=0, atol=0)
            first = copy.deepcopy(pullback(seeds_for(y)))
            scribble(args)
            return first, pullback(seeds_for(y))

    first, second = run_or_xfail(found, action)
    assert len(first) == len(every)
    picked = tuple(first[n] for n in wanted)
    assert_same_tree(picked, expected, rtol=1e-9, atol=1e-12)
    assert_same_tree(tuple(second[n] for n in wanted), picked, rtol=0, atol=0)


def scribble(args: Any) -> None:
    """Overwrites the caller's arrays, which a pullback must not read."""
    for x in args:
        if isinstance(x, np.ndarray):
            x[...] = np.nan if x.dtype.kind == "f" else 0


@pytest.mark.parametrize("found", REFUSED, ids=lambda found: found.name)
def test_refused_with_place_and_cause(found):
    import sourcegrad

    with pytest.raises(sourcegrad.SourcegradError) as caught:
        sourcegrad.grad(found.function)(*found.arguments()[0])
    text = str(caught.value)
    assert found.refused in text.lower()
    place = f"{found.function.__module__.rpartition('.')[2]}.py:"
    assert "argument" in found.constructs or place in text


@pytest.mark.parametrize(("found", "k"), NUMBA)
def test_numba_gradient(found, k):
    pytest.importorskip("numba")
    import sourcegrad

    expected = dual_grad(found.function, found.arguments()[k], found.argnums)
    got = run_or_xfail(
        found,
        lambda: sourcegrad.grad(found.function, found.argnums, backend="numba")(
            *found.arguments()[k]
        ),
    )
    assert_same_tree(got, expected, rtol=1e-9, atol=1e-12)


SECOND_ORDER = [
    param
    for param in CASES
    if param.values[0].issue == 2
    and param.values[0].smooth
    and isinstance(param.values[0].argnums, int)
    and type(param.values[0].cases[param.values[1]][0]) is float
]


# Residuals of a recursion have a type without end, and a record made in one arm and
# read in a later one is memory chosen by a path: refused when fed back as text. The
# transforms `hessian` and `hvp` differentiate these all the same.
REFUSED_AS_TEXT = (
    "by_turns",
    "even_part",
    "fibonacci",
    "nested_comprehensions",
    "probe_rec",
    "recursive_power",
    "return_everywhere",
)


@pytest.mark.parametrize(("found", "k"), SECOND_ORDER)
def test_second_order_by_feeding_the_source_back(found, k, tmp_path):
    import sourcegrad

    args = found.arguments()[k]
    text = sourcegrad.gradient_source(found.function, found.argnums, *args)
    path = tmp_path / f"{found.name}_gradient.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    gradient = getattr(module, f"{found.name}_grad")
    if found.name in REFUSED_AS_TEXT and _records(text):
        with pytest.raises(sourcegrad.SourcegradError, match=rf"{path.name}:\d+"):
            sourcegrad.grad(gradient)(*found.arguments()[k])
        return
    got = sourcegrad.grad(gradient)(*found.arguments()[k])
    expected = dual_hessian_vector(found.function, found.arguments()[k], 1.0)
    assert_same_tree(got, expected, rtol=1e-8, atol=1e-10)


def _records(text: str) -> bool:
    """Whether a generated gradient keeps values for its reverse sweep."""
    return "residuals" in text or ".append(" in text
