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
from sourcegrad.frontend.structs import Closure, Object, Struct
from sourcegrad.ir import Expr, Obj

# Where it is not sure that a call is made, or how often.
_UNSURE = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.SetComp,
           gast.DictComp, gast.GeneratorExp)  # fmt: skip


def may_change(b: Any, node: gast.Call) -> bool:
    """Whether a call may change something that is read later."""
    base = node.func
    while isinstance(base, (gast.Attribute, gast.Subscript)):
        base = base.value
    if changes(node):
        return True
    if not isinstance(base, gast.Name):
        return False
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


def has_calls(b: Any, node: Any) -> bool:
    """Whether a call that may change something stands in an expression."""
    return any(isinstance(n, gast.Call) and may_change(b, n) for n in gast.walk(node))


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

    def visit_Call(self, node: gast.Call) -> Any:
        if not may_change(self.b, node):
            return self.generic_visit(node)
        self.count += 1
        name = f"$made{self.count}"
        with self.b.actively():
            held = self.b.settle(self.b.expr(node))
        self.b.env[self.b.scope, name] = held
        return gast.copy_location(syntax.name(name), node)

    def visit(self, node: Any) -> Any:
        if isinstance(node, _UNSURE) and has_calls(self.b, node):
            what = (
                "a call that may change something, inside of what is kept as written,"
            )
            raise self.b.unsupported(
                node, what, "make it a statement of its own before"
            )
        return super().visit(node)
