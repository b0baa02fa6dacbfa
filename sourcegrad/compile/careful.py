"""Pullbacks in which zero wins: the careful twin of a reverse function.

A zero cotangent contributes nothing even where a partial is inf or nan, and a zero
partial nothing where a cotangent is.  Products are computed plainly first, since they
nearly always are finite; where a pullback gives something that is not, the reverse
sweep runs again with that rule.  It reads the residuals that are there: the forward
sweep, and so what it kept, is the same for both, and the primal does not run again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from sourcegrad.cache import Entry
from sourcegrad.compile.entry import for_backend, generate, load_entry, may_win
from sourcegrad.errors import SourcegradError
from sourcegrad.request import Request
from sourcegrad.source.find import unwrap


def careful_reverse(
    f: Any, specs: Any, wrt: tuple[str, ...], backend: str, entry: Entry
) -> Callable[[Any, Any], Any] | None:
    """The reverse function of an entry, with zero winning in every product.

    Args:
        f: the function that was differentiated.
        specs: its signature.
        wrt: the parameters.
        backend: what the entry was made for; the twin runs as Python.
        entry: the forward function whose residuals are to be read.

    Returns:
        A function of residuals and cotangent; None where there is none.
    """
    fn = unwrap(f).fn
    if not may_win(fn, entry.text):
        return None
    request = for_backend(Request("vjp", wrt, True, careful=True), backend)
    try:
        made = generate(fn, specs, request)
    except SourcegradError:
        return None
    if _forwards(made.text) != _forwards(entry.text):
        return None
    return load_entry(fn, made, request, "python").calls[1]


def _forwards(text: str) -> dict[str, str]:
    """The generated functions that are no reverse sweeps, without their comments."""
    return {
        node.name: ast.dump(node)
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and "_reverse" not in node.name
    }
