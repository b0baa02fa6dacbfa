"""Residuals of recursive functions, which numba cannot nest.

The residuals of a recursive call hold those of the next call, and so on: a tuple type
without end. For numba they go onto one list per recursive function, the tape, and
stand in the text as their place on it:

    return y, (c, f_residuals, x)    becomes    return y, push(f_tape, (c, ...))
    c, f_residuals, x = residuals    becomes    c, ... = peek(f_tape, residuals)

The entry makes the tapes. What lies on a tape has a type that only inference knows:
a first compilation, never run, finds it (see `Probe`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sourcegrad.numba.values import Probe

FORWARD, REVERSE = "_forward", "_reverse"
Nodes = dict[str, ast.FunctionDef]


def run(nodes: Nodes, entries: tuple[str, ...]) -> list[str]:
    """Put the residuals of recursive functions onto tapes.

    Args:
        nodes: the generated functions; changed in place.
        entries: the functions that are called from outside.

    Returns:
        The names of the tapes, which the functions read as if they were global.
    """
    recursive = _recursive(nodes)
    if not recursive:
        return []
    tapes = {name: _tape(name) for name in recursive}
    for name, node in nodes.items():
        _placeholders(node, recursive)
        if name in tapes:
            _pushed(node, tapes[name])
        elif name.endswith(REVERSE) and _forward_of(name) in tapes:
            _peeked(node, tapes[_forward_of(name)])
    _make(nodes, entries, list(tapes.values()))
    return list(tapes.values())


def _tape(forward: str) -> str:
    return f"{forward.removesuffix(FORWARD)}_tape"


def maker(tape: str) -> str:
    """The name of the function that makes a tape."""
    return f"new_{tape}"


def probes(tapes: list[str]) -> tuple[dict[str, Any], dict[str, Probe]]:
    """Makers of tapes that note what is put on them, and these notes."""
    from sourcegrad.numba.values import Probe, probe_maker

    found = {tape: Probe(tape) for tape in tapes}
    return {maker(t): probe_maker(p) for t, p in found.items()}, found


def makers(found: dict[str, Probe]) -> dict[str, Any]:
    """Makers of lists for what the probes saw."""
    from sourcegrad.numba.values import list_maker

    return {maker(t): list_maker(p.item()) for t, p in found.items()}


def _forward_of(reverse: str) -> str:
    return reverse.removesuffix(REVERSE) + FORWARD


def _recursive(nodes: Nodes) -> set[str]:
    """The forward functions that can reach themselves by calls."""
    calls = {
        name: {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in nodes
        }
        for name, node in nodes.items()
        if name.endswith(FORWARD)
    }
    found = set()
    for name in calls:
        seen: set[str] = set()
        stack = list(calls[name])
        while stack:
            callee = stack.pop()
            if callee not in seen:
                seen.add(callee)
                stack += calls.get(callee, ())
        if name in seen:
            found.add(name)
    return found


def _call_of(node: ast.AST) -> str:
    """The function that an assignment calls by name, if it does."""
    value = getattr(node, "value", None)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id
    return ""


def _placeholders(node: ast.FunctionDef, recursive: set[str]) -> None:
    """A place on a tape that may stay unknown is -1, not None: it is a number."""
    handles = set()
    for stmt in ast.walk(node):
        if isinstance(stmt, ast.Assign) and _call_of(stmt) in recursive:
            (target,) = stmt.targets
            assert isinstance(target, ast.Tuple)
            last = target.elts[-1]
            assert isinstance(last, ast.Name)
            handles.add(last.id)
    for stmt in ast.walk(node):
        if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name):
            empty = isinstance(stmt.value, ast.Constant) and stmt.value.value is None
            if empty and stmt.targets[0].id in handles:
                stmt.value = ast.copy_location(ast.Constant(-1), stmt.value)


def _pushed(node: ast.FunctionDef, tape: str) -> None:
    pack = residuals_of(node)
    _returned(node).elts[-1] = _called("push", [_name(tape), pack], pack)


def _peeked(node: ast.FunctionDef, tape: str) -> None:
    first = node.body[0]
    if not isinstance(first, ast.Assign) or not _is(first.value, "residuals"):
        return  # nothing was recorded
    first.value = _called("peek", [_name(tape), first.value], first.value)


def _make(nodes: Nodes, entries: tuple[str, ...], tapes: list[str]) -> None:
    """The first entry makes the tapes; a second one finds them in its residuals."""
    node = nodes[entries[0]]
    made = [_assigned(tape, _called(maker(tape), [], node), node) for tape in tapes]
    node.body[:0] = made
    if len(entries) == 1:
        return
    pack = residuals_of(node)
    _returned(node).elts[-1] = _tuple([pack, *map(_name, tapes)], pack)
    reverse = nodes[entries[1]]
    names = ["residuals", *tapes]
    target = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
    stmt = ast.Assign([target], _name("residuals"))
    reverse.body.insert(0, ast.copy_location(stmt, reverse.body[0]))


def hold_residuals(nodes: Nodes, entries: tuple[str, ...]) -> None:
    """Keep the residuals of a pullback in memory of compiled code."""
    if len(entries) == 1:
        return
    node, reverse = (nodes[e] for e in entries)
    pack = residuals_of(node)
    _returned(node).elts[-1] = _called("hold", [pack], pack)
    stmt = _assigned(
        "residuals", _called("held", [_name("residuals")], reverse), reverse
    )
    reverse.body.insert(0, stmt)


def residuals_of(node: ast.FunctionDef) -> ast.expr:
    """What a forward function returns last."""
    return _returned(node).elts[-1]


def _returned(node: ast.FunctionDef) -> ast.Tuple:
    last = node.body[-1]
    assert isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple)
    return last.value


def _tuple(items: list[ast.expr], at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Tuple(items, ast.Load()), at)


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _called(name: str, args: list[ast.expr], at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Call(_name(name), args, []), at)


def _assigned(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)
