"""Inner functions as functions of their own, with what they capture as parameters."""

from __future__ import annotations

import functools
import symtable
import types
from dataclasses import dataclass
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.errors import UnsupportedSyntaxError
from sourcegrad.frontend.binding import bind_arguments, function_scope
from sourcegrad.frontend.held import keywords_of
from sourcegrad.frontend.scope import declared
from sourcegrad.frontend.signature import Leaf, Node, Spec, Static, spec_of
from sourcegrad.frontend.snapshots import opened
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Closure,
    Mapping,
    Object,
    Struct,
    same,
)
from sourcegrad.ir import Expr, Lit, Obj
from sourcegrad.kinds import BOTTOM, UNKNOWN, strip
from sourcegrad.loader.load import load, stable_name
from sourcegrad.names import fresh, identifier
from sourcegrad.printer.text import to_source
from sourcegrad.source.find import unwrap


@dataclass
class Lifted:
    """A function that exists, and what each of its parameters holds.

    `own` are the parameters that the program's own call gives, in order; `star` is
    the one that takes any number of operands.
    """

    fn: types.FunctionType
    operands: dict[str, Abstract]
    own: tuple[str, ...]
    star: str | None = None


def lifted(b: Any, f: Abstract, args: Any, kw: Any, node: Any) -> Lifted:
    """The function that a callee stands for, with the operands of a call.

    Raises:
        UnsupportedSyntaxError: it is no function that can be found.
    """
    if isinstance(f, Bound):
        inner = lifted(b, f.fn, [*f.args, *args], {**f.keywords, **kw}, node)
        return Lifted(inner.fn, inner.operands, inner.own[len(f.args) :], inner.star)
    if isinstance(f, Closure):
        return _closure(b, f, args, kw, node)
    if isinstance(f, Obj) and callable(f.obj):
        found = unwrap(f.obj)
        first = [b.constant(a, "bound") for a in found.args]
        named: dict[str, Abstract] = {}
        for layer in found.skipped:
            if isinstance(layer, functools.partial):
                named = {**keywords_of(b, layer), **named}
        named = {k: v for k, v in named.items() if k in found.kwargs}
        _, tree = function_scope(b, found.fn)
        bound = bind_arguments(b, tree.args, [*first, *args], {**named, **kw}, found.fn)
        ordered = {n: bound[n] for n in _parameters(found.fn)}
        star = tree.args.vararg.id if tree.args.vararg else None
        return Lifted(found.fn, ordered, tuple(ordered)[len(first) :], star)
    raise b.error(
        UnsupportedSyntaxError,
        "the function to differentiate here is known only at run time",
        where=b.locate(node),
    )


def _parameters(fn: types.FunctionType) -> tuple[str, ...]:
    import inspect

    return tuple(inspect.signature(fn, follow_wrapped=False).parameters)


# -------------------------------------------------------------------- closures


def _closure(b: Any, closure: Closure, args: Any, kw: Any, node: Any) -> Lifted:
    """An inner function as one at module level."""
    bound = bind_arguments(b, closure.node.args, args, kw, closure)
    definitions: dict[str, Any] = {}
    captured: dict[str, Abstract] = {}
    capture(b, closure, list(bound), definitions, captured, node)
    name = fresh(identifier(closure.name), set())
    params = [(p, None) for p in [*bound, *captured]]
    body = [*definitions.values(), *body_of(closure.node)]
    text = to_source(
        gast.Module(body=[syntax.function(name, params, body)], type_ignores=[])
    )
    fn = b.context.derived.setdefault(("lifted", text, closure.scope.fn), None)
    if fn is None:
        fn = b.context.derived["lifted", text, closure.scope.fn] = made(
            text, name, closure
        )
    star = closure.node.args.vararg
    return Lifted(fn, {**bound, **captured}, tuple(bound), star.id if star else None)


def as_partial(b: Any, closure: Closure, node: Any, bound: bool = False) -> Bound:
    """An inner function as one at module level, with what it captures given.

    Args:
        b: the builder.
        closure: the function.
        node: where it is used.
        bound: all its parameters will be given, by name.

    Raises:
        UnsupportedSyntaxError: it has defaults, or changes what it captures.
    """
    params = closure.node.args
    more = closure.defaults or params.kwonlyargs
    if params.vararg or params.kwarg or (more and not bound):
        raise b.unsupported(
            node,
            "an inner function with defaults or starred parameters as a value here",
            "give it plain parameters only",
        )
    own = [a.id for a in [*params.posonlyargs, *params.args, *params.kwonlyargs]]
    definitions: dict[str, Any] = {}
    captured: dict[str, Abstract] = {}
    capture(b, closure, own, definitions, captured, node)
    name = fresh(identifier(closure.name), set())
    body = [*definitions.values(), *body_of(closure.node)]
    new = syntax.function(name, [(p, None) for p in [*own, *captured]], body)
    text = to_source(gast.Module(body=[new], type_ignores=[]))
    key = ("partial", text, closure.scope.fn)
    if key not in b.context.derived:
        b.context.derived[key] = made(text, name, closure)
    return Bound(b.binder.bind(b.context.derived[key], name), [], captured)


def body_of(node: Any) -> list[Any]:
    """The statements of a function or lambda."""
    if isinstance(node, gast.Lambda):
        return [gast.Return(value=node.body)]
    return list(node.body)


def made(text: str, name: str, closure: Closure) -> types.FunctionType:
    """The function, with the globals of the function it was written in."""
    outer = closure.scope.fn
    file = outer.__code__.co_filename if outer is not None else "unknown"
    title = stable_name(file, name, "function")
    found = load(text, title, {})[name]
    space = outer.__globals__ if outer is not None else {}
    return types.FunctionType(found.__code__, space, name)


def capture(
    b: Any, closure: Closure, own: list[str], definitions: dict[str, Any],
    captured: dict[str, Abstract], node: Any, around: frozenset[str] = frozenset(),
) -> None:  # fmt: skip
    """What a function reads from the functions around it, inner functions included."""
    scope = closure.scope
    if declared(body_of(closure.node), gast.Nonlocal):
        raise b.unsupported(
            node,
            "such a use of an inner function that binds names around it",
            "keep what changes in a list or an object",
        )
    probe = syntax.function("probe", [(p, None) for p in own], body_of(closure.node))
    text = to_source(gast.Module(body=[probe], type_ignores=[]))
    for name in free_in(symtable.symtable(text, "probe", "exec")):
        if name in definitions or not enclosed(scope, name):
            continue
        outer, b.scope = b.scope, scope
        held = b.lookup(name, node)
        b.scope = outer
        hidden = name in around or not same(captured.get(name, held), held)
        if hidden:  # another thing of the same name
            raise b.unsupported(
                node, f"differentiating a function that captures two {name!r}"
            )
        if isinstance(held, Closure):
            definitions[name] = None
            params = [a.id for a in held.node.args.args]
            foreign = held.scope is not scope and name not in scope.outer
            names = around | local_names_of(closure.node) if foreign else around
            capture(b, held, params, definitions, captured, node, names)
            del definitions[name]
            definitions[name] = _definition(name, held)
        else:
            captured[name] = held


def local_names_of(node: Any) -> frozenset[str]:
    """The names that a function binds: they hide those of functions put into it."""
    return frozenset(
        n.id
        for n in gast.walk(node)
        if isinstance(n, gast.Name) and isinstance(n.ctx, (gast.Param, gast.Store))
    )


def _definition(name: str, closure: Closure) -> Any:
    if isinstance(closure.node, gast.Lambda):
        return syntax.assign(syntax.name(name, store=True), closure.node)
    return closure.node


def enclosed(scope: Any, name: str) -> bool:
    """Whether a name belongs to a function around, not to the module."""
    if name in scope.locals or name in scope.outer:
        return True
    return scope.fn is not None and name in scope.fn.__code__.co_freevars


def free_in(table: symtable.SymbolTable) -> list[str]:
    """The names that a text takes for global, in its functions."""
    found: dict[str, None] = {}
    for child in table.get_children():
        for symbol in child.get_symbols():
            if symbol.is_global():
                found.setdefault(symbol.get_name())
        found |= dict.fromkeys(free_in(child))
    return list(found)


# ------------------------------------------------------------------ signatures


def spec_for(b: Any, tree: Abstract, node: Any) -> Spec:
    """The signature of an operand that is known only as a tree of expressions.

    Raises:
        UnsupportedSyntaxError: it is an inner function or an object built here.
    """
    if isinstance(tree, Mapping) and tree.type is dict:
        tree = b.structure(tree)  # what it holds now
    if isinstance(tree, Object):
        tree = opened(tree, b.env)  # read by its attributes, as they are now
    if isinstance(tree, Struct):
        parts = tuple(spec_for(b, item, node) for item in tree.items)
        return Node(tree.type, tree.keys, parts)
    if isinstance(tree, Obj):
        return Static(tree.obj) if callable(tree.obj) else spec_of(tree.obj)
    if isinstance(tree, Lit):
        return spec_of(tree.value)
    if isinstance(tree, Expr):
        kind = strip(b.infer(tree))
        return Leaf(UNKNOWN if kind == BOTTOM else kind)
    raise b.unsupported(
        node, "an inner function or object as operand of a function differentiated here"
    )
