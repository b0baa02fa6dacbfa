"""Run every theme and print one table; exit 1 where a bound is missed."""

import os
import sys

# One thread for both sides: a second one measures the machine's load, not the code.
for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from benchmarks import (  # noqa: E402
    digits,
    dispatch,
    import_time,
    linear_loop,
    scalar,
    transform,
)

THEMES = (import_time, transform, dispatch, scalar, linear_loop, digits)


def main() -> int:
    """Print ``name  measured  bound  OK/MISS`` per row."""
    rows = []
    for theme in THEMES:
        for row in theme.measure():
            print(row, flush=True)
            rows.append(row)
    missed = sum(not row.ok for row in rows)
    print(f"{len(rows) - missed} of {len(rows)} bounds hold")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
