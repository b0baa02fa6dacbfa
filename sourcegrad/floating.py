"""Floating-point warnings: of a derivative only those that its primal gives.

Where a mask makes a cotangent zero, the partial beside it may be inf or nan, and the
operation that computes it would warn of something that the user's program never does.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from sourcegrad.frontend.reads import Guard
from sourcegrad.frontend.signature import Leaf, Node, Spec
from sourcegrad.kinds import Kind, Num

_IMPORTS = re.compile(r"^(?:from|import) (?!math\b|cmath\b)", flags=re.MULTILINE)
_PYTHON = ("math", "cmath", "builtins", "operator", "functools", "itertools")


def may_warn(specs: Iterable[Spec], guards: Iterable[Guard], text: str) -> bool:
    """Whether NumPy may do anything of what a generated function does: Python's own
    arithmetic raises an error where it would warn.

    Args:
        specs: the signatures of the arguments.
        guards: what the function relies on.
        text: its text.
    """
    return (
        _IMPORTS.search(text) is not None
        or any(map(_holds_numpy, specs))
        or any(_is_numpy(g) for g in guards)
    )


def _holds_numpy(spec: Spec) -> bool:
    if isinstance(spec, Leaf):
        return not _of_python(spec.kind)
    return isinstance(spec, Node) and any(map(_holds_numpy, spec.parts))


def _of_python(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.flavor == "py"


def _is_numpy(guard: Guard) -> bool:
    if guard.kind is not None:
        return not _of_python(guard.kind)
    if isinstance(guard.expected, types.ModuleType):
        return guard.expected.__name__ not in _PYTHON
    home = getattr(guard.expected, "__module__", None)
    return not isinstance(guard.expected, types.FunctionType) and home not in _PYTHON


def silent() -> Any:
    """A context in which no operation of NumPy warns."""
    return np.errstate(all="ignore")


class Noticing:
    """Runs functions without warnings, and notices where there would have been one.

    >>> notice = Noticing()
    >>> notice(lambda: np.ones(2) / 0.0), notice.found
    (array([inf, inf]), True)
    """

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found = False

    def __call__(self, run: Callable[[], Any]) -> Any:
        """What `run` gives."""
        with np.errstate(all="call", under="ignore", call=self._note):
            return run()

    def _note(self, kind: str, flag: int) -> None:
        self.found = True


def call(fn: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """A call with one value for each parameter, in order."""
    signature = inspect.signature(fn)
    bound = inspect.BoundArguments(
        signature,
        dict(zip(signature.parameters, values, strict=True)),
    )
    return fn(*bound.args, **bound.kwargs)
