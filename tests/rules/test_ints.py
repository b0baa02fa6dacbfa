"""A Python int is a number like any other: arrays made of it have a derivative too.

Every function of the libraries is called with such arrays, as far as it takes them;
its derivative is that of differences of the function of floats.
"""

from __future__ import annotations

import importlib
import io
import linecache
import warnings
from contextlib import redirect_stdout

import numpy as np
import pytest

import sourcegrad
from sourcegrad import grad, hessian, jvp, vjp

FORMS = ("[x, 2, 3 * x]", "x * np.array([1, 3, 2])", "np.array([[x, 2], [1, 4]]), x")
STEP = 1e-4
# Their result is of random numbers, a text, or a step that differences see.
LEFT_OUT = frozenset("info test show_runtime source lookfor tri logspace".split())


def programs(module):
    """Functions of a number `x`, one for each function of a module and each form."""
    library = importlib.import_module(module)
    namespace = {"np": np, "library": library}
    for name in sorted(dir(library)):
        fn = getattr(library, name, None)
        if name[0] == "_" or name in LEFT_OUT or isinstance(fn, type):
            continue
        if not callable(fn):
            continue
        for k, form in enumerate(FORMS):
            text = f"def f(x):\n    return np.sum(library.{name}({form})) * 0.3\n"
            file = f"<ints {module} {name} {k}>"
            linecache.cache[file] = (len(text), None, text.splitlines(True), file)
            exec(compile(text, file, "exec"), namespace)
            yield f"{name}({form})", namespace["f"]


def slope(f):
    """The derivative of `f` at 3 by differences, where there is one."""
    try:
        whole, exact = f(3), f(3.0)
        if not isinstance(whole, (float, np.floating)) or whole != exact:
            return None
        steps = [(f(3 + h) - f(3 - h)) / (2 * h) for h in (STEP, 2 * STEP)]
    except (TypeError, ValueError, AttributeError, IndexError, np.exceptions.AxisError):
        return None
    except (np.linalg.LinAlgError, ZeroDivisionError, OverflowError, NameError):
        return None
    smooth = np.isfinite(steps[0]) and abs(steps[0]) < 1e3
    return steps[0] if smooth and np.isclose(*steps, 1e-4, 1e-7) else None


@pytest.mark.parametrize(
    ("module", "least"), [("numpy", 250), ("numpy.linalg", 7), ("scipy.special", 60)]
)
def test_functions_of_arrays_of_ints(module, least):
    pytest.importorskip("scipy") if module.startswith("scipy") else None
    wrong, right, refused = [], 0, []
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for title, f in programs(module):
            expected = slope(f)
            if expected is None:
                continue
            try:
                found = float(grad(f)(3)), float(jvp(f, (3,), (1.0,))[1])
            except sourcegrad.SourcegradError:
                refused.append(title)
                continue
            except (TypeError, ValueError, IndexError, AttributeError) as error:
                found = repr(error)
                wrong.append((title, found, expected))
                continue
            if np.allclose(found, expected, 1e-4, 1e-6):
                right += 1
            elif np.isnan(found).all():  # by convention, at a pole of a term
                refused.append(title)
            else:
                wrong.append((title, found, expected))
    print(f"{module}: {right} right, refused: {', '.join(refused)}")
    assert not wrong, "\n".join(map(str, wrong))
    assert right >= least


def kept(x):
    a = np.array([x, x**2, 3])
    a[2] = a[0] * a[1]
    return (a[1] * a[0] + a[2]) * 0.5


def swapped(x):
    u, v = np.array([x, 2]), np.array([2 * x, 1])
    for _ in range(3):
        u[0] = v[1] * x
        u, v = v, u
    return (u * v).sum() * 0.5


def rows(x):
    a = np.array([[x, 2], [3, x]])
    total = 0
    for row in a.T:
        row[0] *= x
        total = total + row.sum()
    return total * 0.5 + np.trace(a)


def joined(x):
    a = np.arange(3)
    if x > 2:
        a = a * x
    return np.sum(a[1:] * a[:-1]) * 0.5


@pytest.mark.parametrize("f", [kept, swapped, rows, joined])
def test_arrays_of_ints_that_change(f):
    expected = (f(3 + STEP) - f(3 - STEP)) / (2 * STEP)
    second = (f(3 + STEP) - 2 * f(3.0) + f(3 - STEP)) / STEP**2
    assert grad(f)(3) == pytest.approx(expected, rel=1e-6)
    assert vjp(f, 3)[1](1.0)[0] == pytest.approx(expected, rel=1e-6)
    assert jvp(f, (3,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)
    assert hessian(f)(3) == pytest.approx(second, rel=1e-5)


def truncated(x):
    a = np.array([x, 2])
    a[1] = x * 0.5
    return a.sum() * 1.0


def truncated_zeros(x):
    a = np.zeros_like(np.array([x, 2]))
    a[0] += x / 2
    return a.sum() * 0.5


@pytest.mark.parametrize("f", [truncated, truncated_zeros])
def test_what_an_array_of_ints_cuts_off_is_refused(f):
    with pytest.raises(sourcegrad.NonDifferentiableError, match="give floats"):
        grad(f)(3)
    with pytest.raises(sourcegrad.NonDifferentiableError, match="was made of ints"):
        jvp(f, (3,), (1.0,))
    assert grad(f)(3.0) == pytest.approx((f(3 + STEP) - f(3 - STEP)) / (2 * STEP))
