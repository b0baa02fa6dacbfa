"""Runs a campaign of random programs and prints what it found.

    python -m tests.fuzz --examples 500 --seed 1 --grammar stores
    python -m tests.fuzz --examples 200 --orders 3 --grammar control
    python -m tests.fuzz --examples 6000 --seeds 5 --jobs 2 --fill

Exits with 1 when a gradient is wrong or an error is not a SourcegradError.
"""

from __future__ import annotations

import argparse
import contextlib
import sys

from tests.fuzz.campaign import body, judged, program_of
from tests.fuzz.parallel import Campaigns
from tests.fuzz.plan import Plan
from tests.fuzz.program import GRAMMARS


def main(arguments: list[str] | None = None) -> int:
    """The exit code of a campaign with these command line arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1, help="this many from --seed on")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--fill",
        action="store_true",
        help="more programs with each construct that too few of them hold",
    )
    parser.add_argument("--grammar", choices=[*GRAMMARS, "all"], default="all")
    parser.add_argument("--fast", action="store_true", help="fewer checks")
    parser.add_argument(
        "--orders",
        nargs="?",
        type=int,
        choices=(1, 2, 3),
        const=2,
        default=1,
        help="the highest order, two if no number follows",
    )
    parser.add_argument("--show", type=int, help="print and judge one program")
    parser.add_argument("--refused", action="store_true", help="an example per refusal")
    options = parser.parse_args(arguments)
    full = not options.fast
    plan = Plan(raw=full, thorough=full, orders=options.orders)
    grammars = list(GRAMMARS) if options.grammar == "all" else [options.grammar]
    if options.show is not None:
        program = program_of(grammars[0], options.seed, options.show)
        outcome = judged(program, plan)
        print(body(program), program.arguments, outcome.kind, outcome.where, sep="\n")
        print(outcome.detail)
        return int(outcome.kind in ("wrong", "crash"))
    seeds = range(options.seed, options.seed + options.seeds)
    each = options.examples // (len(grammars) * len(seeds))
    with Campaigns(options.jobs, plan, options.refused) as campaigns:
        with contextlib.suppress(KeyboardInterrupt):  # report what there is
            campaigns.run([(g, seed, range(each)) for seed in seeds for g in grammars])
            if options.fill:
                campaigns.fill(grammars, seeds[0], each)
    report = campaigns.report
    print(report.text())
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
