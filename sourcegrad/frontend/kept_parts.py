"""Statements and texts kept as written that mention objects the program built.

    assert timer.elapsed >= 0, "clock"      elapsed = 0.1
                                       ->   assert elapsed >= 0, "clock"

What is read of an object stands for the reading; the object itself, as in the message
of an error, is only named.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.frontend.structs import Abstract, Mapping, is_user_object
from sourcegrad.frontend.texts import text_of
from sourcegrad.ir import Expr
from sourcegrad.names import fresh


def apart(b: Any, node: Any, held: dict[str, Abstract]) -> tuple[Any, dict[str, Any]]:
    """The node with readings of objects replaced, and what its names hold.

    Args:
        b: the builder.
        node: the statement or text.
        held: what the free names of the node hold.
    """
    objects = {n: h for n, h in held.items() if not _stands_for_itself(b, h)}
    if not objects:
        return node, held
    parts = _Parts(b, objects, set(held))
    new = copy.deepcopy(node)
    if isinstance(new, gast.Raise) and isinstance(new.exc, gast.Call):
        parts.naming = True
        new.exc.args = [parts.visit(a) for a in new.exc.args]
    elif isinstance(new, gast.Assert):
        new.test = parts.visit(new.test)
        parts.naming = parts.unread = True  # looked at only where the test fails
        new.msg = None if new.msg is None else parts.visit(new.msg)
    else:
        new = parts.visit(new)
    kept = {n: h for n, h in held.items() if n not in objects}
    return new, kept | parts.found


def _stands_for_itself(b: Any, tree: Abstract) -> bool:
    """Whether a name can be read as it is where no derivative is asked for."""
    return isinstance(tree, Mapping) or b.can_materialise(tree)


class _Parts(gast.NodeTransformer):
    """Replaces what is read of objects by names."""

    def __init__(self, b: Any, objects: dict[str, Abstract], taken: set[str]) -> None:
        self.b, self.objects, self.taken = b, objects, taken
        self.found: dict[str, Expr] = {}
        self.naming = self.unread = False

    def visit_Attribute(self, node: Any) -> Any:
        return self.read(node) if _root(node) in self.objects else node

    visit_Subscript = visit_Attribute

    def visit_Call(self, node: Any) -> Any:
        return self.whole(node, [node.func, *node.args])

    def visit_FormattedValue(self, node: Any) -> Any:
        """`{state}` of an object shows the text that its class gives it."""
        if self.naming or self.unread or _root(node.value) not in self.objects:
            return self.generic_visit(node)
        with self.b.passively():
            held = self.b.expr(node.value)
        if is_user_object(held) and node.format_spec is None:
            method = "__repr__" if node.conversion == ord("r") else "__str__"
            held = text_of(self.b, held, method, node)
            node.conversion = -1
        node.value = self.named(self.b.materialise(held, node), node)
        return node

    def visit_Compare(self, node: Any) -> Any:
        return self.whole(node, [node.left, *node.comparators])

    def whole(self, node: Any, operands: list[Any]) -> Any:
        """An operation of which an operand is an object is read as one."""
        named = {n.id for n in operands if isinstance(n, gast.Name)}
        if named & set(self.objects) or _root(node) in self.objects:
            return self.read(node)
        return self.generic_visit(node)

    def visit_Name(self, node: Any) -> Any:
        held = self.objects.get(node.id)
        if held is None:
            return node
        if not self.naming:
            self.b.materialise(held, node)  # says what cannot be used like this
            raise self.b.unsupported(
                node,
                f"{node.id!r}, which holds objects, as a whole",
                "write what is read of the objects",
            )
        cls = getattr(held, "type", None)
        text = f"<{getattr(cls, '__name__', 'function')} object>"
        return gast.copy_location(gast.Constant(value=text, kind=None), node)

    def read(self, node: Any) -> Any:
        """A name for what an expression gives."""
        if self.unread:
            return gast.copy_location(gast.Constant(value="<value>", kind=None), node)
        return self.named(self.b.passive_expr(node), node)

    def named(self, held: Expr, node: Any) -> Any:
        name = fresh("part", self.taken)
        self.found[name] = held
        return gast.copy_location(syntax.name(name), node)


def _root(node: Any) -> str | None:
    """The name that a chain of attributes, items and calls begins with."""
    while isinstance(node, (gast.Attribute, gast.Subscript, gast.Call)):
        node = node.func if isinstance(node, gast.Call) else node.value
    return node.id if isinstance(node, gast.Name) else None
