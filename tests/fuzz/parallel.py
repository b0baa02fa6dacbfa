"""Campaigns in several processes, and programs for the constructs that are rare."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType

from tests.fuzz.campaign import Report, campaign, program_of
from tests.fuzz.counts import FLOOR, Counts, constructs
from tests.fuzz.plan import Plan

# Programs that one process judges before it hands over what it found.
CHUNK = 25
# Programs of each grammar that are looked through in one round of filling.
ROUND = 400
ROUNDS = 40
Task = tuple[str, int, Sequence[int]]


class Campaigns:
    """Runs campaigns and gathers what they find.

    Args:
        jobs: how many processes.
        plan: which checks are made.
        refused: whether to make one program of each kind of refusal small.

    Attributes:
        report: what was found so far.
    """

    def __init__(self, jobs: int, plan: Plan, refused: bool = False) -> None:
        self.report, self._plan, self._refused = Report(), plan, refused
        # A fresh interpreter for each: a fork of a process with threads may hang.
        self._pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))

    def __enter__(self) -> Campaigns:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def run(self, tasks: Sequence[Task]) -> None:
        """Judges the programs of every task: a grammar, a seed, numbers of programs."""
        chunks = [
            (grammar, seed, numbers[at : at + CHUNK])
            for grammar, seed, numbers in tasks
            for at in range(0, len(numbers), CHUNK)
        ]
        judged = [
            self._pool.submit(campaign, *chunk, self._plan, 5, None, self._refused)
            for chunk in chunks
        ]
        for future in judged:
            found = future.result()
            self.report.merge(found)
            lines = [*found.news(), f"{dict(self.report.outcomes)} so far"]
            print(*lines, sep="\n", file=sys.stderr, flush=True)

    def fill(self, grammars: Sequence[str], seed: int, start: int) -> None:
        """Judges more programs until enough hold each construct.

        Args:
            grammars: where they may come from.
            seed: what they are made from.
            start: the number of the first.
        """
        for _ in range(ROUNDS):
            if not self.report.counts.under_floor():
                return
            expected = Counts(self.report.counts)
            numbers = range(start, start + ROUND)
            self.run([(g, seed, _rare(g, seed, numbers, expected)) for g in grammars])
            start += ROUND


def _rare(
    grammar: str, seed: int, numbers: Sequence[int], expected: Counts
) -> list[int]:
    """The programs with a construct that is rare, which they then add to."""
    chosen = []
    for number in numbers:
        found = constructs(program_of(grammar, seed, number).own)
        if any(0 < expected[name] < FLOOR for name in found):
            expected.update(found)
            chosen.append(number)
    return chosen
