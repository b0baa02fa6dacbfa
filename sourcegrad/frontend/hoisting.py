"""Calls inside of what is kept as written, made before it.

    text = f"{counter.step(x)} steps"     ->     step = …; text = f"{step} steps"

What is kept as written is not followed, and such a call may change what is read later.
"""

from __future__ import annotations

import copy
import types
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.errors import SourcegradError
from sourcegrad.frontend.changing import changes
from sourcegrad.frontend.reads import is_data
from sourcegrad.frontend.structs import Bound, Closure, LocalMember, Object, Struct
from sourcegrad.ir import Expr, Obj

# Where it is not sure that a call is made, or how often.
_UNSURE = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.SetComp,
           gast.DictComp, gast.GeneratorExp)  # fmt: skip


def may_change(b: Any, node: gast.Call) -> bool:
    """Whether a call may change something that is read later."""
    base = node.func
    while isinstance(base, (gast.Attribute, gast.Subscript)):
        base = base.value
    if changes(node) or any(_is_handed(b, a) for a in _operands(node)):
        return True
    if not isinstance(base, gast.Name):
        return isinstance(base, gast.Call)  # of what another call gives
    try:
        held = b.lookup(base.id, node)
    except SourcegradError:
        return False  # a name of its own, as in a comprehension
    for name in _attributes(node.func) if isinstance(held, Obj) else ():
        if is_data(held.obj):
            return False
        held = Obj(getattr(held.obj, name, None), name)
    if isinstance(held, Obj):
        followed = isinstance(held.obj, types.FunctionType) or _is_made(held.obj)
        return followed and not b.is_library(held.obj)
    called = isinstance(node.func, gast.Name)
    if isinstance(held, Struct) and not (held.is_dict or held.is_sequence):
        return not called and not issubclass(held.type, BaseException)
    return (
        isinstance(held, (Object, Closure))
        or called
        and not isinstance(held, Expr)
        and not isinstance(held, Struct)
    )


def _is_made(obj: Any) -> bool:
    """Whether a call of something makes an object by code of the user's."""
    made = isinstance(obj, type) and not issubclass(obj, (BaseException, tuple))
    return made and isinstance(obj.__init__, types.FunctionType)


def _attributes(func: Any) -> list[str]:
    names: list[str] = []
    while isinstance(func, gast.Attribute):
        names.insert(0, func.attr)
        func = func.value
    return names


def _operands(node: gast.Call) -> list[Any]:
    return [*node.args, *(k.value for k in node.keywords)]


def _is_handed(b: Any, node: Any) -> bool:
    """Whether an operand is a function of the user's, which the callee may call."""
    if isinstance(node, gast.Lambda):
        return has_calls(b, node.body)
    base = node
    while isinstance(base, gast.Attribute):
        base = base.value
    if not isinstance(base, gast.Name):
        return False
    try:
        held = b.lookup(base.id, node)
    except SourcegradError:
        return False
    if isinstance(held, Object | Struct) and base is not node:
        member = getattr(held.type, node.attr, None)
        return isinstance(member, types.FunctionType | LocalMember)
    if isinstance(held, Obj) and base is node:
        return isinstance(held.obj, types.FunctionType) and not b.is_library(held.obj)
    return isinstance(held, Closure | Bound) and base is node


def has_calls(b: Any, node: Any) -> bool:
    """Whether a call that may change something, or a name that is bound, stands in an
    expression."""
    return any(_acts(b, n) for n in gast.walk(node))


def _acts(b: Any, node: Any) -> bool:
    if isinstance(node, gast.Call):
        return may_change(b, node)
    return isinstance(node, gast.NamedExpr)


def hoisted(b: Any, node: Any) -> Any:
    """An expression or statement with names for the calls that may change something,
    which are made now.

    Raises:
        UnsupportedSyntaxError: it is not sure that the call is made.
    """
    if not has_calls(b, node):
        return node
    return _Hoist(b).visit(copy.deepcopy(node))


class _Hoist(gast.NodeTransformer):
    def __init__(self, b: Any) -> None:
        self.b = b
        self.count = 0

    def visit_Call(self, node: Any) -> Any:
        if not _acts(self.b, node):
            return self.generic_visit(node)
        return self.made(node)

    def made(self, node: Any) -> Any:
        """A name for what an expression gives now."""
        self.count += 1
        name = f"$made{self.count}"
        with self.b.actively():
            held = self.b.settle(self.b.expr(node))
        self.b.env[self.b.scope, name] = held
        return gast.copy_location(syntax.name(name), node)

    visit_NamedExpr = visit_Call

    def visit_FormattedValue(self, node: Any) -> Any:
        if has_calls(self.b, node.value):
            node.value = self.made(node.value)
        return self.generic_visit(node)

    def visit(self, node: Any) -> Any:
        if isinstance(node, _UNSURE) and has_calls(self.b, node):
            what = (
                "a call that may change something, inside of what is kept as written,"
            )
            raise self.b.unsupported(
                node, what, "make it a statement of its own before"
            )
        return super().visit(node)
