"""Checks that printed text means the tree it was printed from."""

from __future__ import annotations

import ast

import gast

from sourcegrad.printer.constants import constant_text


def check_round_trip(tree: gast.AST, text: str) -> None:
    """Check that a printed text means the tree it was printed from.

    Args:
        tree: the tree; comments are not compared.
        text: what `to_source` made of it.

    Raises:
        AssertionError: the text parses to another tree.

    >>> check_round_trip(gast.parse("x = 1"), "x = 1.0")
    Traceback (most recent call last):
    AssertionError: the text does not mean the tree it was printed from
    """
    want, have = _dump(tree), _dump(gast.parse(text))
    if have != want:
        raise AssertionError(
            "the text does not mean the tree it was printed from\n"
            f"text:\n{text}\ntree:   {want}\nparsed: {have}"
        )


def _dump(tree: gast.AST) -> str:
    """A dump in which constants that have no literal stand as they are parsed."""
    if isinstance(tree, ast.expr):
        tree = gast.Expr(tree)
    if not isinstance(tree, ast.mod):
        tree = gast.Module([tree], [])
    plain = gast.ast_to_gast(gast.gast_to_ast(tree))  # a copy
    return str(gast.dump(_Literals().visit(plain)))


class _Literals(gast.NodeTransformer):
    """Replaces `Constant(-1)` by a minus sign and `Constant(1)`, and so on."""

    def visit_Constant(self, node: gast.Constant) -> gast.AST:
        """Parse the text of a numeric constant."""
        if isinstance(node.value, int | float | complex):
            return gast.parse(constant_text(node.value), mode="eval").body
        return node
