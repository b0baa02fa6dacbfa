"""Many programs in a row: counts, failures made small, the report."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import random
import re
from collections.abc import Iterable

from tests.fuzz.counts import FLOOR, Counts
from tests.fuzz.orders import ORDERS
from tests.fuzz.plan import EVERYTHING, Plan
from tests.fuzz.program import Program, generate
from tests.fuzz.reference import Timeout, time_limit
from tests.fuzz.runner import Outcome, judge
from tests.fuzz.shrink import shrink

SECONDS = 60  # of each order: the largest programs compile for a quarter of that
SECONDS_WHILE_SHRINKING = 5


def judged(
    program: Program, plan: Plan = EVERYTHING, seconds: int = SECONDS
) -> Outcome:
    """`judge`, where a gradient that does not end is a crash."""
    try:
        with time_limit(seconds * plan.orders):
            return judge(program, plan)
    except Timeout as error:
        return Outcome("crash", str(error), "time limit")


def program_of(grammar: str, seed: int, number: int) -> Program:
    """The program with a number in the campaign of a seed."""
    return generate(random.Random(f"{grammar}:{seed}:{number}"), grammar)


def reason(outcome: Outcome) -> str:
    """A refusal or crash without what differs from program to program."""
    lines = [line for line in outcome.detail.splitlines() if line.strip()]
    coded = [line.strip() for line in lines if re.match(r"\s*SG\d", line)]
    text = lines[-1] if outcome.kind == "crash" else (coded or lines)[0]
    text = re.sub(r"\S*fuzzed_\S+", "FILE", text)
    text = re.sub(r"`[^`]*`|'[^']*'|(?<!SG)\b\d+", "_", text)
    text = re.sub(r"^(SG204 )\S+", r"\1_", text)
    order = f"{outcome.where}: " if outcome.where in ORDERS else ""
    return f"{order}{text[:150]}"


def signature(outcome: Outcome) -> tuple[str, str]:
    """What must stay the same while a failing program is made small."""
    if outcome.kind == "wrong":
        return outcome.kind, re.split(r" is | differs|, want|[0-9]", outcome.detail)[0]
    return outcome.kind, reason(outcome)


@dataclasses.dataclass
class Report:
    """What a campaign found."""

    outcomes: collections.Counter[str] = dataclasses.field(
        default_factory=collections.Counter
    )
    counts: Counts = dataclasses.field(default_factory=Counts)
    refusals: collections.Counter[str] = dataclasses.field(
        default_factory=collections.Counter
    )
    failures: list[tuple[str, Outcome, Program]] = dataclasses.field(
        default_factory=list
    )
    examples: dict[str, Program] = dataclasses.field(default_factory=dict)
    refused: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether a gradient was wrong or an error was not a refusal."""
        return bool(self.outcomes["wrong"] or self.outcomes["crash"])

    def merge(self, other: Report) -> None:
        """Adds what another campaign found."""
        self.outcomes += other.outcomes
        self.counts.update(other.counts)
        self.refusals += other.refusals
        self.failures += other.failures
        self.refused += other.refused
        self.examples = other.examples | self.examples

    def news(self) -> list[str]:
        """A line for each program that was refused or failed."""
        failed = [f"{title}: {found.kind}" for title, found, _ in self.failures]
        return failed + [f"{title}: refused, {why}" for title, why in self.refused]

    def text(self) -> str:
        """The printed report."""
        lines = []
        for title, outcome, program in self.failures:
            lines += [f"=== {title}: {outcome.kind} in {outcome.where}"]
            lines += [outcome.detail, body(program), f"arguments {program.arguments}"]
        lines.append("programs per construct:")
        lines += [f"  {count:6} {name}" for name, count in self.counts.most_common()]
        few = self.counts.under_floor()
        lines.append(f"in fewer than {FLOOR} programs: {', '.join(few) or 'none'}")
        lines.append("refusals:")
        for why, count in self.refusals.most_common():
            lines.append(f"  {count:6} {why}")
            if why in self.examples:
                lines.append(body(self.examples[why]))
        kinds = ("ok", "wrong", "crash", "refused", "discarded")
        checked = sum(self.outcomes[k] for k in kinds[:3])
        summary = ", ".join(f"{self.outcomes[k]} {k}" for k in kinds)
        lines.append(f"{checked} checked: {summary}")
        return "\n".join(lines)


def body(program: Program) -> str:
    """The program without its imports."""
    text = program.text.split("import numpy as np", 1)[-1].strip()
    return f"---\n{text}\n---"


def campaign(
    grammar: str,
    seed: int,
    numbers: Iterable[int],
    plan: Plan = EVERYTHING,
    small: int = 5,
    report: Report | None = None,
    refused: bool = False,
) -> Report:
    """Judges programs of one grammar; those that are refused count for no construct.

    Args:
        grammar: a key of GRAMMARS.
        seed: with the number of a program, what it is made from.
        numbers: which programs.
        plan: which checks are made.
        small: how many failures (and kinds of refusal) to make small.
        report: one to add to.
        refused: whether to make one program of each kind of refusal small.
    """
    report = report or Report()
    shrunk: collections.Counter[tuple[str, str]] = collections.Counter()
    for number in numbers:
        title = f"grammar {grammar}, seed {seed}, program {number}"
        program = program_of(grammar, seed, number)
        outcome = judged(program, plan)
        report.outcomes[outcome.kind] += 1
        if outcome.kind not in ("discarded", "refused"):
            report.counts.add(program.own)
        if outcome.kind == "refused":
            report.refusals[reason(outcome)] += 1
            report.refused.append((title, reason(outcome)))
            if refused and reason(outcome) not in report.examples:
                report.examples[reason(outcome)] = minimal(program, outcome)[1]
        if outcome.kind in ("wrong", "crash"):
            kind = signature(outcome)
            shrunk[kind] += 1
            if shrunk[kind] <= (2 if outcome.kind == "crash" else small):
                report.failures.append((title, *minimal(program, outcome)))
    return report


def minimal(program: Program, outcome: Outcome) -> tuple[Outcome, Program]:
    """A small program that fails in the same way, and its outcome."""
    wanted = signature(outcome)
    plan = Plan(orders=3, only=outcome.where)

    def fails(other: Program) -> bool:
        with contextlib.suppress(Exception):
            return signature(judged(other, plan, SECONDS_WHILE_SHRINKING)) == wanted
        return False

    smallest = shrink(program, fails)
    return judged(smallest, plan), smallest
