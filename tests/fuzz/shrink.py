"""Reduces a failing program to a minimal one that fails in the same way."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from tests.fuzz.program import Program

_BODIES = ("body", "orelse", "finalbody", "handlers")


def shrink(
    program: Program, fails: Callable[[Program], bool], limit: int = 400
) -> Program:
    """The smallest program found that still fails.

    Args:
        program: one that fails.
        fails: whether another program fails in the same way.
        limit: how many programs to try.
    """
    for k in range(len(program.arguments)):
        alone = Program(program.text, (program.arguments[k],))
        if len(program.arguments) > 1 and fails(alone):
            program = alone
            break
    tried = 0
    seen: set[str] = set()
    progress = True
    while progress and tried < limit:
        progress = False
        for text in _smaller(program.text):
            if text in seen or len(text) > len(program.text):
                continue
            seen.add(text)
            tried += 1
            smaller = Program(text, program.arguments)
            if tried > limit:
                break
            if _compiles(text) and fails(smaller):
                program, progress = smaller, True
                break
    return program


def _compiles(text: str) -> bool:
    try:
        compile(text, "<shrunk>", "exec")
    except SyntaxError:
        return False
    return True


def _smaller(text: str) -> Iterator[str]:
    """Texts with one part removed or replaced, largest parts first."""
    tree = ast.parse(text)
    sites = [n for n in ast.walk(tree) if any(getattr(n, b, None) for b in _BODIES)]
    for edits in (_removals, _hoists, _simplifications):
        for site in range(len(sites)):
            for variant in range(edits(sites[site], None)):
                changed = copy.deepcopy(tree)
                again = [
                    n
                    for n in ast.walk(changed)
                    if any(getattr(n, b, None) for b in _BODIES)
                ]
                edits(again[site], variant)
                yield ast.unparse(ast.fix_missing_locations(changed)) + "\n"


def _lists(node: ast.AST) -> list[list[ast.stmt]]:
    found = (getattr(node, b, None) for b in _BODIES)
    return [x for x in found if isinstance(x, list) and x]


def _removals(node: ast.AST, variant: int | None) -> int:
    """Removes one statement."""
    places = [(x, k) for x in _lists(node) for k in range(len(x))]
    if variant is not None:
        statements, k = places[variant]
        del statements[k]
        if not statements and statements is getattr(node, "body", None):
            statements.append(ast.Pass())
    return len(places)


def _hoists(node: ast.AST, variant: int | None) -> int:
    """Replaces a compound statement by its body."""
    places = [
        (x, k)
        for x in _lists(node)
        for k in range(len(x))
        if isinstance(x[k], ast.If | ast.For | ast.While | ast.Try)
    ]
    if variant is not None:
        statements, k = places[variant]
        statements[k : k + 1] = statements[k].body  # type: ignore[attr-defined]
    return len(places)


def _simplifications(node: ast.AST, variant: int | None) -> int:
    """Replaces an expression by one of its operands."""
    places = []
    for statements in _lists(node):
        for statement in statements:
            if _lists(statement):
                expressions = [
                    getattr(statement, k)
                    for k in ("test", "iter")
                    if hasattr(statement, k)
                ]
            else:
                expressions = [statement]
            for root in expressions:
                places += [spot for part in ast.walk(root) for spot in _spots(part)]
    if variant is not None:
        parent, field, at, new = places[variant]
        if at is None:
            setattr(parent, field, new)
        else:
            getattr(parent, field)[at] = new
    return len(places)


Spot = tuple[ast.AST, str, int | None, ast.expr]


def _spots(parent: ast.AST) -> Iterator[Spot]:
    for field, value in ast.iter_fields(parent):
        if field in ("targets", "target", "func"):
            continue
        items = value if isinstance(value, list) else [value]
        for at, item in enumerate(items):
            if not isinstance(item, ast.BinOp | ast.UnaryOp | ast.Call | ast.IfExp):
                continue
            operands = [
                n for n in ast.iter_child_nodes(item) if isinstance(n, ast.expr)
            ]
            for operand in operands:
                if isinstance(item, ast.Call) and operand is item.func:
                    continue
                yield parent, field, at if isinstance(value, list) else None, operand
