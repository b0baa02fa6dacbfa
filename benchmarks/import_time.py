"""What ``import sourcegrad`` costs a program that has NumPy already."""

import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.timing import Row

PROGRAM = """\
import time
import numpy
start = time.perf_counter()
import sourcegrad
print(time.perf_counter() - start)
"""


def import_seconds(bytecode: str) -> float:
    """Seconds of the import in a process of its own, with bytecode kept as usual."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    return float(result.stdout)


def measure(runs: int = 9) -> list[Row]:
    """The rows of this theme: the first run, which writes bytecode, is dropped."""
    with tempfile.TemporaryDirectory() as bytecode:
        import_seconds(bytecode)
        times = [import_seconds(bytecode) for _ in range(runs)]
    milliseconds = 1e3 * statistics.median(times)
    return [Row("import sourcegrad beyond NumPy", milliseconds, 80.0, "ms")]
