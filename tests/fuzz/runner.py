"""Runs a generated program through the compiler and judges the outcome."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib.util
import io
import linecache
import pathlib
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

import sourcegrad
from sourcegrad.request import options
from tests.fuzz.checks import checks
from tests.fuzz.comparing import Wrong
from tests.fuzz.plan import EVERYTHING, Plan
from tests.fuzz.program import Program
from tests.fuzz.reference import Reference, Timeout, Unfit, reference, time_limit

SECONDS_OF_THE_PRIMAL = 0.7


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


def judge(program: Program, plan: Plan = EVERYTHING) -> Outcome:
    """The outcome of every check on a program.

    Args:
        program: the generated module and arguments.
        plan: which checks are made.
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
            outcome = _compare(module.program, values, wanted, plan)
            if outcome.kind != "ok":
                return outcome
    return Outcome("ok")


def _compare(f: Any, values: Any, wanted: Reference, plan: Plan) -> Outcome:
    for name, optimise, check in checks(plan):
        if not plan.holds(name):
            continue
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
