"""Operands of unlike shapes: each function of `scipy.special` broadcasts them.

The cotangent of an operand has its shape; its value is that of differences, or the
operand is refused. Walks the module, so that no rule is left out.
"""

from __future__ import annotations

import linecache
import warnings

import numpy as np
import pytest

import sourcegrad
from sourcegrad import grad, jvp
from sourcegrad.rules import lookup

special = pytest.importorskip("scipy.special")

SHAPES = {
    2: [((3,), ()), ((), (3,)), ((2, 1), (1, 3)), ((1,), (3,))],
    3: [((3,), (), ()), ((), (3,), ()), ((2, 1), (1, 3), ())],
    4: [((3,), (), (), (2, 1)), ((), (), (2, 1), (3,))],
}
STEP = 1e-4
# Orders that SciPy cuts to whole numbers, with a warning, where they are not.
LEFT_OUT = frozenset(["kn", "yn"])
# Their third operand is a flag.
FLAGGED = frozenset(f"spherical_{kind}" for kind in ("in", "jn", "kn", "yn"))


def operand(shape, k):
    """Numbers between 0.3 and 0.9, other ones for each operand."""
    return 0.31 + 0.09 * k + 0.11 * np.arange(np.prod(shape, dtype=int)).reshape(shape)


def total(y):
    """A sum of all numbers of a result that is real, by different weights."""
    parts = y if isinstance(y, tuple) else (y,)
    if any(np.asarray(p).dtype.kind != "f" for p in parts):
        raise TypeError
    return sum(np.sum(np.sin(p)) * (1.0 + i) for i, p in enumerate(parts))


def program(name, args, k, parts):
    """The function of operand `k`, the others being constants."""
    given = ", ".join("x" if i == k else f"a{i}" for i in range(len(args)))
    terms = " + ".join(
        f"np.sum(np.sin({'y' if parts is None else f'y[{i}]'})) * {1.0 + i}"
        for i in range(parts or 1)
    )
    text = f"def f(x):\n    y = special.{name}({given})\n    return {terms}\n"
    file = f"<broadcast {name} {k} {[np.shape(a) for a in args]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace = {"np": np, "special": special}
    namespace |= {f"a{i}": a for i, a in enumerate(args)}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


def slope(f, x, d):
    """The derivative of `f` along `d`, where it is smooth."""
    steps = [(f(x + h * d) - f(x - h * d)) / (2 * h) for h in (STEP, 2 * STEP)]
    smooth = np.isfinite(steps[0]) and abs(steps[0]) < 1e4
    return steps[0] if smooth and np.isclose(*steps, 1e-4, 1e-6) else None


def cases(count):
    """Each function of so many operands, with operands of each choice of shapes."""
    for name in sorted(dir(special)):
        function = getattr(special, name)
        left_out = LEFT_OUT | FLAGGED if count > 2 else LEFT_OUT
        if name[0] == "_" or name in left_out or isinstance(function, type):
            continue
        if not callable(function) or lookup(function) is None:
            continue
        for shapes in SHAPES[count]:
            args = [operand(shape, k) for k, shape in enumerate(shapes)]
            args = [a if a.ndim else float(a) for a in args]
            try:
                y = function(*args)
                total(y)
            except (TypeError, ValueError, IndexError, AttributeError):
                continue
            yield name, args, len(y) if isinstance(y, tuple) else None


@pytest.mark.parametrize(
    ("count", "least"), [pytest.param(2, 200, marks=pytest.mark.slow), (3, 80), (4, 10)]
)
def test_operands_of_unlike_shapes(count, least):
    wrong, right, refused = [], 0, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, args, parts in cases(count):
            for k, x in enumerate(args):
                f, d = program(name, args, k, parts), 0.5 + operand(np.shape(x), 2)
                expected = slope(f, x, d)
                if expected is None:
                    continue
                title = f"{name}, operand {k} of {[np.shape(a) for a in args]}"
                try:
                    g = grad(f)(x)
                    found = np.sum(g * d), jvp(f, (x,), (d,))[1]
                except sourcegrad.SourcegradError:
                    refused[name, k] = None
                    continue
                except Exception as error:
                    wrong.append((title, repr(error)))
                    continue
                right += 1
                if np.shape(g) != np.shape(x):
                    wrong.append((title, np.shape(g)))
                elif not np.allclose(found, expected, 1e-3, 1e-5):
                    wrong.append((title, found, expected))
    print(f"{count} operands: {right} right, refused: {list(refused)}")
    assert not wrong, "\n".join(map(str, wrong))
    assert right >= least
