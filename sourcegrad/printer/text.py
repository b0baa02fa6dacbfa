"""From a gast tree to the text of a Python program.

astor's generator writes the statements; this subclass adds comments as node data,
black's layout, and what astor lacks. Any statement may carry `comments` (a list of
lines printed above it) and `trailing_comment`. What astor cannot print (f-strings,
patterns, type parameters and aliases) is unparsed by the standard library.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import gast
from astor.code_gen import SourceGenerator

from sourcegrad.printer.check import check_round_trip
from sourcegrad.printer.constants import constant_text
from sourcegrad.printer.expressions import (
    NAMED,
    YIELD,
    arguments,
    bare,
    expression,
    parameters,
    sequence,
    symbol,
    unparse,
)
from sourcegrad.printer.layout import WIDTH, wrap

__all__ = ["Printer", "check_round_trip", "to_source"]

_DEFINITIONS = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
_IMPORTS = ("Import", "ImportFrom")


def to_source(tree: gast.AST) -> str:
    """Print a tree: a module, a statement or an expression.

    Args:
        tree: a gast tree (an ast tree works too).

    Returns:
        The text, ending in a newline unless the tree is an expression.

    >>> tree = gast.parse("def f(x): return -(x*y)**2")
    >>> tree.body[0].body[0].comments = ["line 1: the result"]
    >>> print(to_source(tree), end="")
    def f(x):
        # line 1: the result
        return -((x * y) ** 2)
    """
    if isinstance(tree, gast.Expression | ast.Expression):
        return expression(tree.body)
    if not isinstance(tree, ast.mod | ast.stmt):
        return expression(tree)
    printer = Printer()
    if isinstance(tree, ast.mod):
        printer.visit(tree)
    else:
        printer.statements([tree])
    text = "".join(printer.result).lstrip("\n")
    return f"{text}\n" if text else ""


class Printer(SourceGenerator):
    """astor's generator for gast trees, laid out as black lays out code."""

    def __init__(self) -> None:
        super().__init__(" " * 4)
        self.after_definition = False

    # ---- lines and blocks --------------------------------------------------------

    def line(self, text: str, node: Any = None) -> None:
        """Write a logical line, with the comments of its node."""
        trailing = getattr(node, "trailing_comment", None)
        lines = wrap(text, self.indentation)
        above = list(getattr(node, "comments", None) or ())
        if trailing:
            last = lines[lines.rfind("\n") + 1 :]
            margin = 0 if "\n" in lines else 4 * self.indentation
            if margin + len(last) + 4 + len(trailing) <= WIDTH and "\n" not in trailing:
                lines += f"  # {trailing}"
            else:
                above.append(trailing)
        self.comment(above)
        self.newline()
        self._separate()
        self.write(lines)

    def _separate(self) -> None:
        """Leave blank lines after a definition, whatever follows it."""
        if self.after_definition:
            self.newline(extra=1 if self.indentation else 2)
            self.after_definition = False

    def comment(self, comments: Sequence[str]) -> None:
        """Write comments on lines of their own."""
        width = max(WIDTH - 4 * self.indentation, 40)
        for comment in comments:
            for part in comment.splitlines() or [""]:
                for text in _comment_lines(part, width):
                    self.newline()
                    self._separate()
                    self.write(text)

    def statements(self, nodes: Sequence[Any]) -> None:
        """Write statements, with blank lines around definitions and after imports."""
        if nodes:
            self.visit(nodes[0])
        for previous, node in pairwise(nodes):
            blank = self._blank_lines(previous, node)
            if blank:
                self.newline(extra=blank)
            self.visit(node)

    def _blank_lines(self, previous: Any, node: Any) -> int:
        if type(node).__name__ in _DEFINITIONS:
            return 1 if self.indentation else 2
        imports = type(previous).__name__ in _IMPORTS
        return int(imports and type(node).__name__ not in _IMPORTS)

    def body(self, statements: Sequence[Any], of_definition: bool = False) -> None:
        """Write an indented block; an empty one is `pass`."""
        self.indentation += 1
        if statements:
            if type(statements[0]).__name__ in _DEFINITIONS and not of_definition:
                self.newline(extra=1)
            self.statements(statements)
        else:
            self.line("pass")
        self.indentation -= 1

    def else_body(self, elsewhat: Sequence[Any]) -> None:
        """Write the else block of a loop, `if` or `try`, if there is one."""
        if elsewhat:
            self.line("else:")
            self.body(elsewhat)

    def visit(self, node: Any) -> None:
        """Write a node; what has no method here is unparsed."""
        method = getattr(self, f"visit_{type(node).__name__}", None)
        if method is not None:
            method(node)
        else:
            self.line(unparse(node), node)

    def visit_Module(self, node: Any) -> None:
        """Write a module; a docstring is followed by a blank line."""
        self.comment(getattr(node, "comments", None) or ())
        body = list(node.body)
        if body and _is_docstring(body[0]):
            self._docstring(body.pop(0))
            first = type(body[0]).__name__ if body else ""
            self.newline(extra=2 if first in _DEFINITIONS else 1)
        self.statements(body)

    # ---- simple statements -------------------------------------------------------

    def visit_Expr(self, node: Any) -> None:
        """Write an expression statement."""
        self.line(bare(node.value, YIELD), node)

    def visit_Assign(self, node: Any) -> None:
        """Write an assignment; a tuple for a single name keeps its parentheses."""
        targets = "".join([f"{bare(target)} = " for target in node.targets])
        unpacks = type(node.targets[-1]).__name__ in ("Tuple", "List")
        value = bare(node.value, YIELD) if unpacks else _right_side(node.value)
        self.line(targets + value, node)

    def visit_AugAssign(self, node: Any) -> None:
        """Write `x += y`."""
        text = f"{expression(node.target)} {symbol(node.op)}= {_right_side(node.value)}"
        self.line(text, node)

    def visit_AnnAssign(self, node: Any) -> None:
        """Write `x: t = y`."""
        target = expression(node.target)
        is_name = type(node.target).__name__ == "Name"
        text = target if node.simple or not is_name else f"({target})"
        text += f": {expression(node.annotation)}"
        if node.value is not None:
            text += f" = {_right_side(node.value)}"
        self.line(text, node)

    def visit_Return(self, node: Any) -> None:
        """Write a return statement."""
        self.line(f"return {bare(node.value)}" if node.value else "return", node)

    def visit_Delete(self, node: Any) -> None:
        """Write a del statement."""
        self.line(f"del {sequence(node.targets)}", node)

    def visit_Assert(self, node: Any) -> None:
        """Write an assert statement."""
        message = f", {expression(node.msg)}" if node.msg is not None else ""
        self.line(f"assert {expression(node.test)}{message}", node)

    def visit_Raise(self, node: Any) -> None:
        """Write a raise statement."""
        exc = f" {expression(node.exc)}" if node.exc is not None else ""
        cause = f" from {expression(node.cause)}" if node.cause is not None else ""
        self.line(f"raise{exc}{cause}", node)

    def visit_Import(self, node: Any) -> None:
        """Write an import."""
        self.line(f"import {_aliases(node.names)}", node)

    def visit_ImportFrom(self, node: Any) -> None:
        """Write a from-import."""
        module = "." * (node.level or 0) + (node.module or "")
        self.line(f"from {module} import {_aliases(node.names)}", node)

    def visit_Global(self, node: Any) -> None:
        """Write a global or nonlocal statement."""
        self.line(f"{type(node).__name__.lower()} {', '.join(node.names)}", node)

    visit_Nonlocal = visit_Global

    def visit_Pass(self, node: Any) -> None:
        """Write pass, break or continue."""
        self.line(type(node).__name__.lower(), node)

    visit_Break = visit_Continue = visit_Pass

    # ---- definitions -------------------------------------------------------------

    def visit_FunctionDef(self, node: Any, is_async: bool = False) -> None:
        """Write a function with its decorators and docstring."""
        self._decorated(node)
        returns = f" -> {expression(node.returns)}" if node.returns is not None else ""
        head = f"{'async ' if is_async else ''}def {node.name}{_type_parameters(node)}"
        self._header(f"{head}({parameters(node.args)}){returns}:", node)
        self._definition_body(node)
        self.after_definition = True

    def visit_ClassDef(self, node: Any) -> None:
        """Write a class."""
        self._decorated(node)
        bases = arguments([expression(base) for base in node.bases], node.keywords)
        head = f"class {node.name}{_type_parameters(node)}"
        self._header(f"{head}({bases}):" if bases else f"{head}:", node)
        self._definition_body(node)
        self.after_definition = True

    def _decorated(self, node: Any) -> None:
        if node.decorator_list:
            self.comment(getattr(node, "comments", None) or ())
        for decorator in node.decorator_list:
            self.line(f"@{expression(decorator, NAMED)}")

    def _header(self, text: str, node: Any) -> None:
        """The first line; its comments stand above the decorators, if any."""
        if not node.decorator_list:
            self.line(text, node)
        else:
            shown = gast.Pass()
            shown.trailing_comment = getattr(node, "trailing_comment", None)
            self.line(text, shown)

    def _definition_body(self, node: Any) -> None:
        body = list(node.body)
        if not body or not _is_docstring(body[0]):
            self.body(body, of_definition=True)
            return
        self.indentation += 1
        self._docstring(body[0])
        if len(body) > 1:
            is_class = type(node).__name__ == "ClassDef"
            if is_class or type(body[1]).__name__ in _DEFINITIONS:
                self.newline(extra=1)
            self.statements(body[1:])
        self.indentation -= 1

    def _docstring(self, node: Any) -> None:
        self.comment(getattr(node, "comments", None) or ())
        self.newline()
        self.write(_docstring_text(node.value.value))

    # ---- compound statements -----------------------------------------------------

    def visit_If(self, node: Any, word: str = "if") -> None:
        """Write an if statement; an else that is one `if` becomes `elif`."""
        self.line(f"{word} {expression(node.test, NAMED)}:", node)
        self.body(node.body)
        if len(node.orelse) == 1 and type(node.orelse[0]).__name__ == "If":
            self.visit_If(node.orelse[0], "elif")
        else:
            self.else_body(node.orelse)

    def visit_For(self, node: Any, is_async: bool = False) -> None:
        """Write a for loop."""
        word = "async for" if is_async else "for"
        self.line(f"{word} {bare(node.target)} in {expression(node.iter)}:", node)
        self.body_or_else(node)

    def visit_While(self, node: Any) -> None:
        """Write a while loop."""
        self.line(f"while {expression(node.test, NAMED)}:", node)
        self.body_or_else(node)

    def visit_With(self, node: Any, is_async: bool = False) -> None:
        """Write a with statement."""
        items = [
            expression(item.context_expr)
            if item.optional_vars is None
            else f"{expression(item.context_expr)} as {expression(item.optional_vars)}"
            for item in node.items
        ]
        self.line(f"{'async ' if is_async else ''}with {', '.join(items)}:", node)
        self.body(node.body)

    def visit_Try(self, node: Any, word: str = "except") -> None:
        """Write a try statement."""
        self.line("try:", node)
        self.body(node.body)
        for handler in node.handlers:
            kind = f" {expression(handler.type)}" if handler.type is not None else ""
            name = (
                handler.name
                if isinstance(handler.name, str | None)
                else (handler.name.id)
            )
            self.line(f"{word}{kind}{f' as {name}' if name else ''}:", handler)
            self.body(handler.body)
        self.else_body(node.orelse)
        if node.finalbody:
            self.line("finally:")
            self.body(node.finalbody)

    def visit_TryStar(self, node: Any) -> None:
        """Write a try statement with `except*`."""
        self.visit_Try(node, "except*")

    def visit_Match(self, node: Any) -> None:
        """Write a match statement; the patterns are unparsed."""
        self.line(f"match {bare(node.subject)}:", node)
        self.indentation += 1
        for case in node.cases:
            guard = f" if {expression(case.guard, NAMED)}" if case.guard else ""
            self.line(f"case {unparse(case.pattern)}{guard}:", case)
            self.body(case.body)
        self.indentation -= 1


def _right_side(node: Any) -> str:
    """What is assigned: `yield` needs no parentheses, a tuple keeps them."""
    return expression(node, YIELD)


def _aliases(names: Sequence[Any]) -> str:
    return ", ".join(
        [f"{a.name} as {a.asname}" if a.asname else str(a.name) for a in names]
    )


def _type_parameters(node: Any) -> str:
    params = getattr(node, "type_params", None) or []
    return f"[{', '.join(map(unparse, params))}]" if params else ""


def _is_docstring(node: Any) -> bool:
    value: Any = getattr(node, "value", None) if type(node).__name__ == "Expr" else None
    return type(value).__name__ == "Constant" and isinstance(value.value, str)


def _docstring_text(value: str) -> str:
    """A docstring in triple quotes, or as any string where those would change it."""
    plain = value.replace("\\", "\\\\")
    if plain.isprintable() or all(c.isprintable() or c == "\n" for c in plain):
        text = f'"""{plain}"""'
        if '"""' not in plain and not plain.endswith('"') and plain:
            return text
    return constant_text(value)


def _comment_lines(text: str, width: int) -> list[str]:
    """A comment as lines no wider than that; more lines are indented."""
    line = f"# {text}".rstrip()
    if len(line) <= width:
        return [line]
    return textwrap.wrap(
        line,
        width,
        subsequent_indent="#     ",
        break_long_words=False,
        break_on_hyphens=False,
    )
