"""Run the themes that are named, or all, and print one table; exit 1 on a miss.

python -m benchmarks
python -m benchmarks stencil rules
python -m benchmarks --only diff "x ** 2" linalg.det
"""

import argparse
import importlib
import os
import sys

# One thread for both sides: a second one measures the machine's load, not the code.
for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

THEMES = (
    "import_time",
    "transform",
    "dispatch",
    "scalar",
    "linear_loop",
    "digits",
    "stencil",
    "language",
    "derivatives",
    "checkpoint",
    "stacks",
    "rules",
    "first_calls",
)


def main() -> int:
    """Print ``name  measured  bound  OK/MISS`` per row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("themes", nargs="*", metavar="theme", help=", ".join(THEMES))
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="row", help="rows of the theme rules"
    )
    given = parser.parse_args()
    chosen = given.themes or (("rules",) if given.only else THEMES)
    unknown = [name for name in chosen if name not in THEMES]
    if unknown:
        parser.error(f"no theme {', '.join(unknown)}: choose from {', '.join(THEMES)}")
    rows = []
    for name in chosen:
        theme = importlib.import_module(f"benchmarks.{name}")
        rows_of = theme.measure(given.only) if name == "rules" else theme.measure()
        for row in rows_of:
            print(row, flush=True)
            rows.append(row)
    missed = sum(not row.ok for row in rows)
    print(f"{len(rows) - missed} of {len(rows)} bounds hold")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
