"""Runs a generated program through the compiler and judges the outcome."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import hashlib
import importlib.util
import io
import linecache
import pathlib
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from tests.fuzz.program import Program
from tests.oracle import dual_vjp

RTOL = 1e-8
SECONDS_OF_THE_PRIMAL = 0.7


class Timeout(Exception):
    """The program did not end in time."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The judgement on one program.

    Attributes:
        kind: ok, wrong, crash, refused, or discarded (the program itself is unfit).
        detail: why, one line or a traceback.
        where: the check that decided.
    """

    kind: str
    detail: str = ""
    where: str = ""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises Timeout in the main thread when a program does not end; may be nested."""

    def ring(*_: Any) -> None:
        raise Timeout(f"no end within {seconds} s")

    old = signal.signal(signal.SIGALRM, ring)
    left = signal.setitimer(signal.ITIMER_REAL, seconds)[0]
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, old)
        signal.setitimer(signal.ITIMER_REAL, left)


class Wrong(Exception):
    """A result that differs from what it must be."""


@contextlib.contextmanager
def loaded(text: str) -> Iterator[ModuleType]:
    """The module of a text, imported from a temporary file so that it has a source."""
    name = "fuzzed_" + hashlib.sha256(text.encode()).hexdigest()[:16]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
            yield module
        finally:
            del sys.modules[name]
            linecache.cache.pop(str(path), None)


def fresh_arguments(values: Any) -> tuple[float, np.ndarray, int]:
    """New arguments `(x, y, n)`."""
    x, y, n = values
    return float(x), np.array(y, float), int(n)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silences prints and warnings: many programs do not use an argument."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


def judge(program: Program, optimised_too: bool = True) -> Outcome:
    """The outcome of every check on a program.

    Args:
        program: the generated module and arguments.
        optimised_too: also compare raw with optimised code (slower).
    """
    with quiet(), loaded(program.text) as module:
        expected = []
        for values in program.arguments:
            try:
                with time_limit(SECONDS_OF_THE_PRIMAL):
                    expected.append(reference(module.program, values))
            except (Unfit, Timeout) as error:
                return Outcome("discarded", str(error))
        for values, wanted in zip(program.arguments, expected, strict=True):
            outcome = _compare(module.program, values, wanted, optimised_too)
            if outcome.kind != "ok":
                return outcome
    return Outcome("ok")


class Unfit(Exception):
    """The program overflows, raises, or sits on a discontinuity."""


@dataclasses.dataclass(frozen=True)
class Reference:
    """What a plain call gives, and the gradient by the oracle."""

    value: Any
    gradient: tuple[Any, Any]
    array_after: np.ndarray


def reference(f: Callable[..., Any], values: Any) -> Reference:
    """The value by a plain call and the gradient by the oracle.

    Raises:
        Unfit: the program is no fair test.
    """
    args = fresh_arguments(values)
    try:
        value = f(*args)
    except (ArithmeticError, UnboundLocalError, ValueError) as error:
        raise Unfit(f"the primal raises {type(error).__name__}: {error}") from None
    if not np.isfinite(value) or abs(value) > 1e6:
        raise Unfit("the value is not tame")
    (again,), gradient = dual_vjp(f, fresh_arguments(values), None, (0, 1))
    if not np.isclose(again, value, rtol=1e-9, atol=1e-11):
        raise Unfit("rounding changes a branch")
    if not all(np.all(np.abs(g) < 1e8) for g in gradient):
        raise Unfit("the gradient is not tame")
    return Reference(value, gradient, args[1])


def _compare(f: Any, values: Any, wanted: Reference, optimised_too: bool) -> Outcome:
    import sourcegrad
    from sourcegrad.request import options

    checks = [("joint", True, check_joint), ("split", True, check_split)]
    if optimised_too:
        checks += [("joint raw", False, check_joint), ("split raw", False, check_split)]
    for name, optimise, check in checks:
        try:
            with options(optimise=optimise):
                check(f, values, wanted)
        except Wrong as error:
            return Outcome("wrong", f"{error} at {values}", name)
        except sourcegrad.SourcegradError as error:
            return Outcome("refused", f"{type(error).__name__}: {error}", name)
        except Timeout:
            raise
        except Exception:
            return Outcome("crash", traceback.format_exc(limit=-6), name)
    return Outcome("ok")


def _require(condition: Any, text: str) -> None:
    if not condition:
        raise Wrong(text)


def _require_close(got: Any, wanted: Any, what: str) -> None:
    for name, g, w in zip(("x", "y"), got, wanted, strict=True):
        _require(np.shape(g) == np.shape(w), f"{what}: shape of the gradient of {name}")
        size = 1.0 + np.max(np.abs(w))
        good = np.allclose(g, w, rtol=RTOL, atol=RTOL * size)
        _require(good, f"{what}: gradient of {name} is {g!r}, want {w!r}")


def same_bits(a: Any, b: Any) -> bool:
    """Whether two results are equal bit for bit and of one type."""
    return type(a) is type(b) and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def check_joint(f: Any, values: Any, wanted: Reference) -> None:
    """value_and_grad: value bit for bit, gradient, arguments as a call leaves them."""
    import sourcegrad

    args = fresh_arguments(values)
    value, gradient = sourcegrad.value_and_grad(f, (0, 1))(*args)
    _require(same_bits(value, wanted.value), f"value {value!r}, want {wanted.value!r}")
    _require_close(gradient, wanted.gradient, "value_and_grad")
    _require(np.array_equal(args[1], wanted.array_after), "the argument differs")
    shared = np.shares_memory(gradient[1], args[1])
    _require(not shared, "the gradient shares memory with the argument")
    alone = sourcegrad.grad(f, (0, 1))(*fresh_arguments(values))
    _require_close(alone, wanted.gradient, "grad")


def check_split(f: Any, values: Any, wanted: Reference) -> None:
    """vjp: value, pullback called twice after the caller changed its array."""
    import sourcegrad

    args = fresh_arguments(values)
    value, pullback = sourcegrad.vjp(f, *args)
    _require(same_bits(value, wanted.value), f"value {value!r}, want {wanted.value!r}")
    _require(np.array_equal(args[1], wanted.array_after), "the argument differs")
    args[1][...] = np.nan
    first = copy.deepcopy(pullback(1.0)[:2])
    _require_close(first, wanted.gradient, "pullback")
    again = pullback(1.0)[:2]
    _require_close(again, wanted.gradient, "second call of the pullback")
    twice = pullback(2.0)[:2]
    doubled = tuple(2.0 * g for g in wanted.gradient)
    _require_close(twice, doubled, "pullback of a doubled cotangent")
