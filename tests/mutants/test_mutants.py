"""Each broken rule of the compiler gives a wrong number on a program made for it."""

from __future__ import annotations

import pytest

from tests.fuzz.campaign import body, judged
from tests.mutants.breaking import Mutant, broken, mutated
from tests.mutants.catalogue import MUTANTS
from tests.mutants.probes import ALL


@pytest.mark.parametrize("name", ALL)
def test_the_whole_compiler_is_right_on_every_probe(name):
    outcome = judged(ALL[name])
    assert outcome.kind == "ok", f"{outcome.detail}\n{body(ALL[name])}"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_a_broken_rule_gives_a_wrong_number(mutant):
    with broken(mutant):
        outcomes = {name: judged(ALL[name]) for name in mutant.probes}
    kinds = {name: (o.kind, o.detail[-200:]) for name, o in outcomes.items()}
    assert "wrong" in {kind for kind, _ in kinds.values()}, kinds


def test_there_are_enough_rules():
    assert len(MUTANTS) >= 29


def test_a_mutant_that_no_longer_fits_is_an_error():
    old = Mutant("none", "sourcegrad.names:fresh", "no such text", "", ())
    with pytest.raises(LookupError, match="0 times"):
        mutated(old)
