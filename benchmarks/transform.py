"""How long the compiler takes for a function of thirty lines."""

import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sourcegrad
from benchmarks.timing import Row

PROGRAM = """\
import math


def thirty_lines(x, y, n):
    a = x * y
    b = math.sin(a) + x
    c = math.exp(-b * b)
    total = 0.0
    for i in range(n):
        t = x + 0.1 * i
        if t > y:
            u = math.cos(t) * a
            total = total + u * u
        else:
            u = t * b
            total = total - u / (1.0 + t * t)
    d = total * c
    e = math.sqrt(1.0 + d * d)
    z = e
    while z > 1.5:
        z = z * 0.5 + 0.1 * math.sin(z)
        a = a + z
    f = z * a
    g = math.log(1.0 + f * f)
    h = math.tanh(g) * y
    if h > 0.0:
        k = h * e
    else:
        k = -h * d
    p = k + f
    q = p * math.atan(b)
    r = q * q + c
    s = r / (2.0 + q * q)
    return s + p * 0.5
"""


def fresh_copy(folder: Path, number: int) -> Callable[..., Any]:
    """Import the program from a file of its own, so that no cache knows it."""
    path = folder / f"thirty_lines_{number}.py"
    path.write_text(PROGRAM, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = module.thirty_lines
    return function


def measure(copies: int = 11) -> list[Row]:
    """The rows of this theme: the median over copies, the first (cold) one included.

    Processor time: the compiler waits for nothing, so the rest is other programs'.
    """
    args = (0.7, 1.1, 5)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(copies):
            function = fresh_copy(Path(folder), number)
            start = time.process_time()
            sourcegrad.grad(function, (0, 1)).compiled(*args)
            times.append(1e3 * (time.process_time() - start))
    return [Row("transforming 30 lines", statistics.median(times), 60.0, "ms")]
