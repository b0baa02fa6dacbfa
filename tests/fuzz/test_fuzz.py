"""Random programs against the oracle, and tests of the fuzzer itself."""

from __future__ import annotations

import ast
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.campaign import body, campaign, judged
from tests.fuzz.checks import check_joint
from tests.fuzz.counts import constructs
from tests.fuzz.plan import FAST
from tests.fuzz.program import GRAMMARS, Program, generate
from tests.fuzz.reference import Unfit, fresh_arguments, reference
from tests.fuzz.runner import loaded, quiet
from tests.fuzz.shrink import shrink
from tests.oracle import central_difference_grad

# The share of each grammar's programs that must be differentiated, not refused.
MUST_ACCEPT = {"control": 0.98, "stores": 0.9, "calls": 0.9, "objects": 0.85}
MUST_ACCEPT |= {"protocols": 0.85, "grown": 0.85}
# How many programs run here: those that take long to compile are fewer.
EXAMPLES = {"control": 80, "stores": 40, "calls": 40, "objects": 15}
EXAMPLES |= {"protocols": 15, "grown": 15}
SETTINGS = settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize(
    "grammar",
    [
        pytest.param(g, marks=[] if g in ("stores", "grown") else pytest.mark.slow)
        for g in GRAMMARS
    ],
)
def test_shrinking_random_programs(grammar):
    @SETTINGS
    @given(st.randoms(use_true_random=False))
    def check(rng):
        program = generate(rng, grammar)
        outcome = judged(program, seconds=120)  # also on a machine that is busy
        failed = outcome.kind in ("wrong", "crash")
        assert not failed, f"{outcome}\n{body(program)}\n{program.arguments}"

    check()


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_campaign_finds_nothing(grammar):
    report = campaign(grammar, 2024, range(EXAMPLES[grammar]), FAST)
    assert not report.failed, report.text()
    fit = sum(report.outcomes[k] for k in ("ok", "refused"))
    assert report.outcomes["ok"] >= MUST_ACCEPT[grammar] * fit, report.text()


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_the_oracle_agrees_with_differences_on_random_programs(grammar):
    compared = 0
    for seed in range(60):
        program = generate(random.Random(seed), grammar)
        with quiet(), loaded(program.text) as module:
            for values in program.arguments:
                try:
                    wanted = reference(module.program, values)
                except Unfit:
                    continue
                expected = central_difference_grad(
                    module.program, fresh_arguments(values), (0, 1), step=1e-5, levels=1
                )
                for got, slope in zip(wanted.gradient, expected, strict=True):
                    np.testing.assert_allclose(got, slope, rtol=1e-5, atol=1e-6)
                compared += 1
    assert compared > 100


def test_the_same_seed_gives_the_same_program():
    first, second = (generate(random.Random(7), "calls") for _ in range(2))
    assert first == second
    assert first != generate(random.Random(8), "calls")


WANTED = {
    "control": """if; for; while; break; continue; swap; lambda; recursion; ternary;
        loop else; early return; inner function; list comprehension; fancy read;
        boolean read; slice read; negative read; computed read; return in a loop""",
    "stores": """slice store; fancy store; boolean store; slice update; view; out=; try;
        raise; transpose; append; pop; copy; reshape or ravel; copy of a name; .flat;
        put, place or putmask; ufunc.at; sort; fill or copyto; **=; several axes store;
        callee that writes; fancy update; boolean update""",
    "calls": """nonlocal; walrus; match; star; attribute store; default argument;
        keyword argument; dict comprehension; generator expression; object built;
        lambda""",
    "objects": """set; set method; deque; defaultdict; dict method; named tuple;
        list method that changes; sorted or reversed; map, filter or reduce; partial;
        dataclass;
        any or all; zip; with; finally; else of a try; except; assert; del; nonlocal;
        sequence pattern; mapping pattern; class pattern; star pattern; literal pattern;
        alternative pattern; capture pattern; guard of a pattern; walrus; star;
        chained comparison; method that stores; attribute update; attribute store""",
    "protocols": """named iterator; named view; next; dict of lists; tuple of lists;
        container changed while it is read; list of lists; computed row read; with;
        computed row store; dict comprehension; generator function;
        object with __getitem__ and kin; property with a setter, default of the class;
        dataclass with factories and __post_init__; store in a finally; loop else;
        exit through a finally; raise in a handler; try in a handler or finally;
        part that changes what another part reads""",
    "grown": """object in a growing list; object that holds another; sorted or reversed;
        dicts in a comprehension; dicts in a growing list; comparison with None; zip;
        swap; inner function; attribute store; attribute update""",
}


@pytest.mark.parametrize("grammar", WANTED)
def test_every_construct_is_generated(grammar):
    found: set[str] = set()
    for seed in range(300):
        found |= constructs(generate(random.Random(seed), grammar).own)
    assert {name.strip() for name in WANTED[grammar].split(";")} - found == set()


def test_shrinking_keeps_only_what_fails():
    program = generate(random.Random(3), "stores")
    marked = program.text.replace(
        "def program(x, y, n):", "def program(x, y, n):\n    x = x * np.sinh(x)"
    )

    def fails(other: Program) -> bool:
        return "sinh" in other.text

    small = shrink(Program(marked, program.arguments), fails)
    (function,) = (
        node
        for node in ast.parse(small.text).body
        if isinstance(node, ast.FunctionDef) and node.name == "program"
    )
    assert "sinh" in ast.unparse(function)
    assert len(function.body) <= 2
    assert len(small.arguments) == 1


def test_a_wrong_gradient_is_noticed():
    program = Program("def program(x, y, n):\n    return x * x\n", ((0.5, (1.0,), 1),))
    with loaded(program.text) as module:
        wanted = reference(module.program, program.arguments[0])
        assert wanted.gradient[0] == 1.0
        worse = type(wanted)(
            wanted.value, (1.1, wanted.gradient[1]), wanted.array_after
        )
        with pytest.raises(Exception, match=r"gradient of x|sourcegrad|value_and_grad"):
            check_joint(module.program, program.arguments[0], worse)
