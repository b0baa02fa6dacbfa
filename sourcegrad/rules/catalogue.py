"""The catalogue: what the registered rules cover, read from the rules themselves."""

from __future__ import annotations

import ast
import builtins
import fnmatch
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .registry import Rule, all_rules, is_static, lookup

# Part of the language: the compiler takes them apart itself.
LANGUAGE = (dict, enumerate, list, max, min, reversed, set, sorted, tuple, zip)

# Tests for functions that the compiler follows without a rule (`followed_by`).
_followed: list[Callable[[Any], bool]] = []


class Row(NamedTuple):
    """One line of the catalogue."""

    function: str
    modes: str
    orders: str
    convention: str
    source: str


def describe(pattern: str = "*") -> list[Row]:
    """The catalogue's rows for the functions whose name fits `pattern`.

    Args:
        pattern: a shell pattern for the qualified name, or a part of the name.

    Returns:
        one row per function, sorted by name.

    >>> describe("numpy.tanh")
    [Row(function='numpy.tanh', modes='reverse, forward', orders='any', \
convention='', source='')]
    """
    glob = pattern if any(c in pattern for c in "*?[") else f"*{pattern}*"
    exact = [rule for rule in all_rules() if rule.name == pattern]
    chosen = exact or [r for r in all_rules() if fnmatch.fnmatchcase(r.name, glob)]
    return [
        Row(rule.name, modes(rule), orders(rule), rule.convention, rule.source)
        for rule in chosen
    ]


def modes(rule: Rule) -> str:
    """The modes in which a rule gives a derivative."""
    if rule.kind == "constant":
        return "constant"
    if rule.kind in ("elementwise", "composite"):
        return "reverse, forward"
    forward = rule.linear or rule.tangent is not None
    names = ["reverse"] * (rule.fn is not None) + ["forward"] * forward
    return ", ".join(names)


def orders(rule: Rule) -> str:
    """How often the rule can be differentiated: "any" or "1"."""
    if rule.kind == "constant":
        return ""
    return "1" if missing_helpers(rule) else "any"


def followed_by(test: Callable[[Any], bool]) -> None:
    """Let the catalogue know of functions that get a derivative without a rule.

    Args:
        test: whether an object is such a function.
    """
    _followed.append(test)


def missing_helpers(rule: Rule) -> list[str]:
    """Functions that the rule's text calls and that have no rule themselves."""
    missing: list[str] = []
    for fn in (rule.fn, rule.tangent):
        if fn is not None:
            missing += _missing_in(fn)
    return missing


def _missing_in(fn: Callable[..., Any]) -> list[str]:
    missing: list[str] = []
    for text, obj in called(fn):
        if obj in LANGUAGE or obj is fn or lookup(obj) is not None:
            continue
        if inspect.isclass(obj) and issubclass(obj, BaseException):
            continue
        if any(test(obj) for test in _followed):
            continue
        if inspect.isfunction(obj) and obj.__module__.startswith(__package__):
            missing += _missing_in(obj)  # a helper's helper is compiled as it stands
        elif not (inspect.isclass(obj) and obj.__module__.startswith(__package__)):
            missing.append(text)
    return missing


def called(fn: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The library functions that a rule's text calls, as (text, object).

    Method calls on values are left out: `methods.METHODS` covers those.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
    scope = {**vars(builtins), **fn.__globals__}
    body = tree.body[0]
    assert isinstance(body, ast.FunctionDef)
    for statement in body.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                obj = _resolve(node.func, scope)
                if obj is not None and obj is not is_static:
                    yield ast.unparse(node.func), obj


def _resolve(node: ast.expr, scope: dict[str, Any]) -> Any:
    """The object a dotted name stands for, or None."""
    if isinstance(node, ast.Name):
        return scope.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, scope)
        return None if owner is None else getattr(owner, node.attr, None)
    return None
