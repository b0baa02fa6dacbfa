"""Functions of the program as values, for code that is not transformed.

    root(lambda x: x * x - a, x0)    stays as it is
    def g(x): ...; root(g, x0)       the definition stands in front of the call

Only where the value is used at once: the names that a function captures may stand for
something else later on in the generated text.
"""

from __future__ import annotations

import copy
import functools
import symtable
from typing import Any

import gast

from sourcegrad.frontend.lifting import free_in
from sourcegrad.frontend.nested import PUBLIC, Derivative
from sourcegrad.frontend.structs import Abstract, Bound, Closure, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, call
from sourcegrad.printer.text import to_source


def as_value(b: Any, tree: Abstract, node: Any) -> Abstract:
    """The tree with each function in it an expression that gives it."""
    if isinstance(tree, Struct):
        items = [as_value(b, item, node) for item in tree.items]
        return Struct(tree.type, tree.keys, items, tree.origin, tree.site)
    if isinstance(tree, Closure):
        return _closure(b, tree, node)
    if not isinstance(tree, Bound) or not isinstance(tree.fn, Obj):
        return tree
    if isinstance(tree.fn.obj, Derivative):
        return _transform(b, tree, node)
    method = len(tree.args) == 1 and not tree.keywords
    if method and isinstance(tree.args[0], Expr):
        return tree  # a method of a value
    return _partial(b, tree, node)


def _transform(b: Any, tree: Bound, node: Any) -> Expr:
    """`grad(f, argnums)` and its kin."""
    assert isinstance(tree.fn, Obj)
    made = PUBLIC.get(tree.fn.obj.what)
    if made is None:
        raise b.unsupported(node, "this function as an operand of a solver")
    held = [b.materialise(as_value(b, a, node), node) for a in tree.args]
    f, argnums, has_aux = held
    names = {} if has_aux == Lit(False) else {"has_aux": has_aux}
    rest = () if argnums == Lit(0) else (argnums,)
    return call(b.binder.bind(made, made.__name__), f, *rest, **names)


def _partial(b: Any, tree: Bound, node: Any) -> Expr:
    args = [b.materialise(as_value(b, a, node), node) for a in tree.args]
    kw = {k: b.materialise(as_value(b, v, node), node)
          for k, v in tree.keywords.items()}  # fmt: skip
    maker = b.binder.bind(functools.partial, "partial")
    return call(maker, tree.fn, *args, **kw)  # type: ignore[arg-type]


def _closure(b: Any, closure: Closure, node: Any) -> Expr:
    """The lambda, or the name of the definition, with captured values in place."""
    if closure.defaults or any(d is not None for d in closure.kw_defaults):
        raise b.unsupported(node, "a solver's function with default arguments")
    if any(
        isinstance(n, (gast.Nonlocal, gast.Global)) for n in gast.walk(closure.node)
    ):
        raise b.unsupported(
            node, "a solver's function that assigns names outside of it"
        )
    key = ("function value", closure.node)
    made = b.context.derived.get(key)
    if made is None:
        made = b.context.derived[key] = _bare(closure)
    names = _free(made)
    outer, b.scope = b.scope, closure.scope
    try:
        held = [as_value(b, b.lookup(n, node), node) for n in names]
        args = tuple(b.atom(b.materialise(h, node)) for h in held)
    finally:
        b.scope = outer
    tree = Op("raw", args, (made, tuple(names)))
    return tree if isinstance(made, gast.Lambda) else b.emit(tree, closure.name)


def _free(node: Any) -> list[str]:
    """The names a function reads from outside of it."""
    if isinstance(node, gast.Lambda):
        probe: Any = gast.Expr(value=node)
        text = to_source(gast.Module(body=[probe], type_ignores=[]))
    else:
        text = to_source(gast.Module(body=[node], type_ignores=[]))
    return [
        n
        for n in free_in(symtable.symtable(text, "probe", "exec"))
        if n != getattr(node, "name", None)
    ]


def _bare(closure: Closure) -> Any:
    """The function without annotations."""
    node = copy.deepcopy(closure.node)
    if isinstance(node, gast.FunctionDef):
        node.returns = None
    for n in gast.walk(node):
        if isinstance(n, gast.Name):
            n.annotation = None
    return node
