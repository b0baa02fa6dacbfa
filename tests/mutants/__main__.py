"""Prints which broken rules the generators of the fuzzer see.

python -m tests.mutants --examples 60
"""

from __future__ import annotations

import argparse
import collections
import sys

from tests.fuzz.campaign import judged, program_of
from tests.fuzz.plan import FAST
from tests.fuzz.program import GRAMMARS
from tests.mutants.breaking import Mutant, broken
from tests.mutants.catalogue import MUTANTS
from tests.mutants.probes import ALL


def outcomes(mutant: Mutant, grammar: str, examples: int) -> collections.Counter[str]:
    """What a grammar's programs give under a broken rule."""
    found: collections.Counter[str] = collections.Counter()
    with broken(mutant):
        for number in range(examples):
            found[judged(program_of(grammar, 0, number), FAST).kind] += 1
    return found


def main(arguments: list[str] | None = None) -> int:
    """1 if a broken rule gives a wrong number nowhere."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__
    )
    parser.add_argument("--examples", type=int, default=40)
    parser.add_argument("--grammar", choices=GRAMMARS, action="append")
    options = parser.parse_args(arguments)
    survived = 0
    for mutant in MUTANTS:
        with broken(mutant):
            probes = [judged(ALL[name]).kind for name in mutant.probes]
        print(f"{mutant.name}\n  {'probes':8} {dict(collections.Counter(probes))}")
        seen = probes.count("wrong")
        for grammar in options.grammar or GRAMMARS:
            counts = outcomes(mutant, grammar, options.examples)
            seen += counts["wrong"]
            print(f"  {grammar:8} {dict(counts)}", flush=True)
        survived += not seen
    print(f"{len(MUTANTS) - survived} of {len(MUTANTS)} broken rules are seen")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
