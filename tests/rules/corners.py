"""One call of a function with a rule, in all the forms that its operands can take.

Each form goes through compiled code in both modes: the tangent is held against
differences of the function, the cotangents against the tangent by the pairing
`real(sum(x_bar * x_dot))`, and every cotangent has the shape and the dtype of its
operand. What NumPy itself does not take in some form is no form of that call.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import sourcegrad as sg
from sourcegrad.loader.load import load

from .check import combine, is_active, moved, pair, pair_parts, random_like

WIDE = (np.longdouble, np.clongdouble)
SINGLE = {"f": np.float32, "c": np.complex64}
DOUBLE = {"f": np.float64, "c": np.complex128}
LONG = {"f": np.longdouble, "c": np.clongdouble}


# ------------------------------------------------------------------- forms


def mapped(x: Any, change: Any) -> Any:
    """`change` applied to the arrays and numbers that can carry a derivative."""
    if isinstance(x, (list, tuple)):
        new = [mapped(v, change) for v in x]
        return type(x)(*new) if hasattr(x, "_fields") else type(x)(new)
    return change(x) if x is not None and is_active(x) else x


def strided(x: Any) -> Any:
    """The same numbers, every second element of a larger array."""
    if np.ndim(x) == 0:
        return x
    wide = np.zeros([2 * n for n in np.shape(x)], dtype=np.asarray(x).dtype)
    view = wide[(slice(None, None, 2),) * np.ndim(x)]
    view[...] = x
    return view


def backwards(x: Any) -> Any:
    """The same numbers, with negative strides."""
    turn = (slice(None, None, -1),) * np.ndim(x)
    return np.array(x)[turn].copy()[turn] if np.ndim(x) else x


def fortran(x: Any) -> Any:
    """The same numbers, in the order of Fortran."""
    return np.array(x, order="F") if np.ndim(x) else x


def typed(table: dict[str, Any]) -> Any:
    """A change to other dtypes, real to real and complex to complex."""

    def change(x: Any) -> Any:
        dtype = table[np.asarray(x).dtype.kind]
        return np.asarray(x, dtype=dtype) if np.ndim(x) else dtype(x)

    return change


def sized(n: int) -> Any:
    """A change to arrays whose axes all have so many elements."""

    def change(x: Any) -> Any:
        cut = x[(slice(0, n),) * np.ndim(x)] if np.ndim(x) else x
        return cut.copy() if np.ndim(x) else x

    return change


def first(x: Any) -> Any:
    """An array without dimensions."""
    return np.array(np.ravel(x)[0]) if np.size(x) else np.array(0.7)


def number(x: Any) -> Any:
    """A Python number."""
    return np.ravel(x)[0].item() if np.size(x) else 0.7


def stretched(x: Any) -> Any:
    """One element along the first axis, to be broadcast."""
    return x[:1].copy() if np.ndim(x) else x


def dropped(x: Any) -> Any:
    """Without the first axis, to be broadcast."""
    return x[0].copy() if np.ndim(x) and len(x) else x


def complexed(x: Any) -> Any:
    """The same as complex numbers, with imaginary parts."""
    return x + 0.25j * x if np.ndim(x) else complex(x) * (1 + 0.25j)


EVERY = {
    "given": lambda x: x,
    "strided": strided,
    "backwards": backwards,
    "fortran": fortran,
    "single": typed(SINGLE),
    "long": typed(LONG),
    "size 1": sized(1),
    "empty": sized(0),
    "0-d": first,
    "number": number,
}
EACH = {
    "stretched": stretched,
    "dropped": dropped,
    "0-d": first,
    "number": number,
    "complex": complexed,
    "single": typed(SINGLE),
}
AXES = (None, 0, -1, (0, 1), (-1, 0), (0,), ())


def forms(target: Any, args: tuple, kwargs: dict) -> Iterator[tuple[str, tuple, dict]]:
    """The call in all its forms: a name, positional arguments, keywords."""
    active = [i for i, x in enumerate(args) if not is_constant(x)]
    for name, change in EVERY.items():
        yield name, mapped(args, change), kwargs
    if len(active) > 1:
        for i in active:
            for name, change in EACH.items():
                new = (*args[:i], mapped(args[i], change), *args[i + 1 :])
                yield f"argument {i} {name}", new, kwargs
    takes = parameters(target)
    for axis in AXES if "axis" in takes else ():
        yield f"axis={axis}", args, {**kwargs, "axis": axis}
        if "keepdims" in takes:
            named = {**kwargs, "axis": axis, "keepdims": True}
            yield f"axis={axis}, keepdims=True", args, named


def is_constant(x: Any) -> bool:
    """Whether nothing in an argument can carry a derivative."""
    found: list[Any] = []
    mapped(x, found.append)
    return not found


def parameters(target: Any) -> tuple[str, ...]:
    """The names of the parameters of a callable, if it tells."""
    try:
        return tuple(inspect.signature(target).parameters)
    except (TypeError, ValueError):
        return ()


# ------------------------------------------------------------------- checks

_programs: dict[Any, Any] = {}


def program(
    target: Any, args: tuple, kwargs: dict, wrt: tuple[int, ...] | None = None
) -> tuple[Any, list[int]]:
    """A function of the active arguments that calls `target`, and their positions."""
    namespace: dict[str, Any] = {"target": target}
    active = [i for i, x in enumerate(args) if not is_constant(x)]
    active = [i for i in active if wrt is None or i in wrt]
    texts = []
    for i, x in enumerate(args):
        texts.append(f"x{i}" if i in active else said(f"c{i}", x, namespace))
    for key, x in kwargs.items():
        texts.append(f"{key}={said(f'given_{key}', x, namespace)}")
    head = ", ".join(f"x{i}" for i in active)
    code = f"def call({head}):\n    return target({', '.join(texts)})\n"
    held = tuple((k, id(v)) for k, v in namespace.items())
    key = (code, held)
    if key not in _programs:
        loaded = load(code, f"<corner {len(_programs)}>", namespace)
        _programs[key] = (loaded["call"], namespace)
    return _programs[key][0], active


def said(name: str, x: Any, namespace: dict[str, Any]) -> str:
    """The text of a constant argument: a literal, or a name for it."""
    if isinstance(x, (int, str, bool, tuple, type(None))) and "array" not in repr(x):
        return repr(x)
    namespace[name] = x
    return name


def verify(
    target: Any,
    args: tuple,
    kwargs: dict,
    rtol: float = 1e-6,
    wrt: tuple[int, ...] | None = None,
) -> str:
    """Check one call in both modes, in the arguments at the positions `wrt`.

    Returns:
        "checked", or "no call" where the function itself raises or gives nothing that
        can carry a derivative.

    Raises:
        AssertionError: a derivative is wrong, or has another shape or dtype.
        SourcegradError: the call is refused.
    """
    f, active = program(target, args, kwargs, wrt)
    values = [args[i] for i in active]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            y = f(*values)
        except Exception:
            return "no call"
        if not values or is_constant(y):
            return "no call"
        check_modes(f, values, y, rtol)
    return "checked"


def check_modes(f: Any, values: list[Any], y: Any, rtol: float) -> None:
    """Hold the tangent against differences, and the cotangents against the tangent."""
    rng = np.random.default_rng(5)
    low = narrow(values) or narrow([y])
    rtol = max(rtol, 2e-3) if low else rtol
    double = [mapped(x, typed(DOUBLE)) if low else x for x in values]
    dots = [random_like(x, rng) for x in values]
    y_dot = sg.jvp(f, tuple(values), tuple(dots))[1]
    want = differences(f, double, [mapped(d, typed(DOUBLE)) for d in dots])
    close(y_dot, want, rtol, "tangent")
    y_bar = random_like(y, rng)
    again, pullback = sg.vjp(f, *values)
    close(again, y, 0.0, "value")
    seed = zeroed(y_bar, y)
    bars = pullback(seed)
    for i, (bar, x) in enumerate(zip(bars, values, strict=True)):
        check_form(bar, x, f"cotangent {i}")
    got = math.fsum(pair(g, d) for g, d in zip(bars, dots, strict=True))
    expected = pair_parts(y_bar, want)
    scale = 1.0 + sum(absolute(g, d) for g, d in zip(bars, dots, strict=True))
    if np.isfinite(expected):
        assert abs(got - expected) <= rtol * scale, f"cotangent {got} not {expected}"


def differences(f: Any, operands: list[Any], dots: list[Any]) -> Any:
    """The directional derivative, to sixth order in the step."""
    h = 1e-3
    weights = [w / (60.0 * h) for w in (-1, 9, -45, 45, -9, 1)]
    values = [
        f(*(moved(x, d, k * h) for x, d in zip(operands, dots, strict=True)))
        for k in (-3, -2, -1, 1, 2, 3)
    ]
    return combine(weights, values)


def narrow(x: Any) -> bool:
    """Whether a leaf holds single precision."""
    found: list[Any] = []
    mapped(x, found.append)
    return any(np.asarray(v).dtype in (np.float32, np.complex64) for v in found)


def zeroed(y_bar: Any, y: Any) -> Any:
    """A seed in the structure of the result, zero where it carries no derivative."""
    if isinstance(y, (list, tuple)):
        parts = [zeroed(g, v) for g, v in zip(y_bar or [None] * len(y), y, strict=True)]
        return type(y)(*parts) if hasattr(y, "_fields") else type(y)(parts)
    return y_bar


def close(got: Any, want: Any, rtol: float, what: str) -> None:
    """Equal up to rounding, part by part, where the reference is finite."""
    if isinstance(want, (list, tuple)):
        for a, b in zip(got, want, strict=True):
            close(a, b, rtol, what)
        return
    if want is None or not is_active(want):
        return
    got = np.zeros_like(want) if got is None else got
    assert np.shape(got) == np.shape(want), f"{what}: shape {np.shape(got)}"
    finite = np.isfinite(want)
    scale = 1.0 + np.max(np.abs(want), initial=0.0, where=finite)
    error = np.max(np.abs(np.asarray(got) - want), initial=0.0, where=finite)
    assert error <= rtol * scale, f"{what}: {got!r} not {want!r}"


def check_form(bar: Any, x: Any, what: str) -> None:
    """A cotangent has the structure, the shape and the dtype of its operand."""
    if isinstance(x, (list, tuple)):
        for g, v in zip(bar, x, strict=True):
            check_form(g, v, what)
        return
    if x is None or not is_active(x):
        return
    assert np.shape(bar) == np.shape(x), f"{what}: shape {np.shape(bar)}"
    dtypes = np.asarray(bar).dtype, np.asarray(x).dtype
    assert dtypes[0] == dtypes[1], f"{what}: dtype {dtypes[0]} not {dtypes[1]}"


def absolute(x_bar: Any, x_dot: Any) -> float:
    """The sum of the sizes of the terms of a pairing."""
    if x_bar is None or x_dot is None:
        return 0.0
    if isinstance(x_dot, (list, tuple)):
        return math.fsum(absolute(a, b) for a, b in zip(x_bar, x_dot, strict=True))
    return float(np.sum(np.abs(np.asarray(x_bar) * np.asarray(x_dot))))
