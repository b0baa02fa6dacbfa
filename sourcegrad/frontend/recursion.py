"""Inner functions that call themselves: functions of their own, which are handed
what they read from the function around them."""

from __future__ import annotations

import copy
import operator
import symtable
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.lifting import body_of, capture, enclosed, free_in, made
from sourcegrad.frontend.scope import declared
from sourcegrad.frontend.structs import Abstract, Closure, Object, Struct
from sourcegrad.ir import Expr, Op
from sourcegrad.names import identifier
from sourcegrad.printer.text import to_source


class _Hand(gast.NodeTransformer):
    """Adds the captured names to every call of the function by its own name."""

    def __init__(self, name: str, captured: list[str]) -> None:
        self.name, self.captured = name, captured
        self.other_uses = 0

    def visit_Call(self, node: Any) -> Any:
        if not (isinstance(node.func, gast.Name) and node.func.id == self.name):
            return self.generic_visit(node)
        node.args = [self.visit(a) for a in node.args]
        node.keywords = [self.visit(k) for k in node.keywords]
        node.keywords += [
            gast.keyword(arg=n, value=syntax.name(n)) for n in self.captured
        ]
        return node

    def visit_Name(self, node: Any) -> Any:
        self.other_uses += node.id == self.name
        return node


_ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul,
               "floordiv": operator.floordiv}  # fmt: skip


def count(tree: Abstract) -> int | None:
    """A whole number that is known when compiling, such as `5 - 1`."""
    if isinstance(tree, Op) and tree.op in _ARITHMETIC:
        a, b = map(count, tree.args)
        if a is None or b is None or tree.op == "floordiv" and b == 0:
            return None
        return _ARITHMETIC[tree.op](a, b)
    value = literal(tree) if isinstance(tree, Expr) and known(tree) else None
    return value if type(value) is int else None


def unfolds(b: Any, closure: Closure, args: Any, kw: Any) -> bool:
    """Whether a recursion is built in call by call: its arguments are literals, and it
    keeps results in a dict or object that could not be handed to a function."""
    if (
        closure.node not in b.context.recursive
        or kw
        or isinstance(closure.node, gast.Lambda)
    ):
        return False
    if not args or any(count(a) is None for a in args):
        return False
    held = (b.env.get((closure.scope, n)) for n in captured_names(closure))
    return any(
        isinstance(h, Object) or isinstance(h, Struct) and h.is_dict for h in held
    )


def descends(b: Any, closure: Closure, args: Any) -> bool:
    """Whether a recursion goes into a structure and is built in call by call, since the
    function could not be one of its own: it is used as a value, or keeps names."""
    if closure.node not in b.context.recursive or isinstance(closure.node, gast.Lambda):
        return False
    key = (closure.node, closure.scope)
    inside = key in b.stack or any(isinstance(a, (Struct, Object)) for a in args)
    tree = closure.node
    hand = _Hand(tree.name, [])
    for stmt in copy.deepcopy(tree.body):
        hand.visit(stmt)
    return inside and bool(hand.other_uses or declared(tree.body, gast.Nonlocal))


def call_recursive(b: Any, closure: Closure, args: Any, kw: Any, node: Any) -> Abstract:
    """A call of an inner function that calls itself.

    Raises:
        UnsupportedSyntaxError: it changes what it captures, or is used as a value.
    """
    refuse_unusual(b, closure, node)
    held, helpers = captured_by(b, closure, node)
    key = ("recursive", closure.node, closure.scope.fn)
    if key not in b.context.derived:
        b.context.derived[key] = function_of(b, closure, list(held), helpers, node)
    fn = b.context.derived[key]
    bound = b.binder.bind(fn, identifier(closure.name))
    b.context.pairs.add(fn.__code__)
    return b.call_value(bound, args, {**kw, **held}, node)


def refuse_unusual(b: Any, closure: Closure, node: Any) -> None:
    """Refuse what cannot be handed along."""
    tree = closure.node
    if isinstance(tree, gast.Lambda) or tree.args.vararg or tree.args.kwarg:
        raise b.unsupported(node, "recursion of this inner function",
                            "define it at module level")  # fmt: skip
    if (
        declared(tree.body, gast.Nonlocal)
        or closure.defaults
        or any(closure.kw_defaults)
    ):
        raise b.unsupported(
            node, "recursion of an inner function with nonlocal names or defaults",
            "define it at module level",
        )  # fmt: skip


def captured_by(
    b: Any, closure: Closure, node: Any
) -> tuple[dict[str, Abstract], list[Any]]:
    """What the function reads from the functions around it: values, which it is handed,
    and the definitions of other inner functions, which are put into it."""
    tree = closure.node
    own = [a.id for a in [*tree.args.posonlyargs, *tree.args.args,
                          *tree.args.kwonlyargs]]  # fmt: skip
    helpers: dict[str, Any] = {tree.name: None}
    held: dict[str, Abstract] = {}
    capture(b, closure, own, helpers, held, node)
    del helpers[tree.name]
    return held, list(helpers.values())


def captured_names(closure: Closure) -> list[str]:
    """What the function reads from the functions around it, but not itself."""
    tree = closure.node
    params = [(a.id, None) for a in [*tree.args.posonlyargs, *tree.args.args,
                                     *tree.args.kwonlyargs]]  # fmt: skip
    probe = syntax.function("probe", params, body_of(tree))
    text = to_source(gast.Module(body=[probe], type_ignores=[]))
    names = free_in(symtable.symtable(text, "probe", "exec"))
    return [n for n in names if n != tree.name and enclosed(closure.scope, n)]


def function_of(
    b: Any, closure: Closure, captured: list[str], helpers: list[Any], node: Any
) -> Any:
    """The function, with what it captures as further parameters."""
    tree = copy.deepcopy(closure.node)
    hand = _Hand(tree.name, captured)
    body = [hand.visit(stmt) for stmt in [*copy.deepcopy(helpers), *tree.body]]
    if hand.other_uses:
        raise b.unsupported(node, "a recursive inner function that is used as a value",
                            "define it at module level")  # fmt: skip
    own = [
        a.id for a in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    ]
    params = [(n, None) for n in [*own, *captured]]
    name = identifier(closure.name)
    new = syntax.function(name, params, body)
    outer = syntax.function("around", [], [new, gast.Return(value=syntax.name(name))])
    text = to_source(gast.Module(body=[outer], type_ignores=[]))
    return made(text, "around", closure)()
