"""What ``import sourcegrad`` costs a program that has NumPy already."""

import statistics
import subprocess
import sys

from benchmarks.timing import Row

PROGRAM = """\
import time
import numpy
start = time.perf_counter()
import sourcegrad
print(time.perf_counter() - start)
"""


def import_seconds() -> float:
    """Seconds of the import in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    )
    return float(result.stdout)


def measure(runs: int = 9) -> list[Row]:
    """The rows of this theme: the first run, which may write bytecode, is dropped."""
    import_seconds()
    milliseconds = 1e3 * statistics.median(import_seconds() for _ in range(runs))
    return [Row("import sourcegrad beyond NumPy", milliseconds, 80.0, "ms")]
