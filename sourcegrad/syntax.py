"""Makers of gast nodes: the one place where nodes are built by hand."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import gast


def name(text: str, store: bool = False) -> Any:
    """A name, to load or to store."""
    ctx = gast.Store() if store else gast.Load()
    return gast.Name(id=text, ctx=ctx, annotation=None, type_comment=None)


def dotted(path: str) -> Any:
    """`a.b.c` or `a.b["c"]` from its text."""
    if "[" in path:
        return _read(ast.parse(path, mode="eval").body)
    first, *rest = path.split(".")
    node = name(first)
    for part in rest:
        node = attribute(node, part)
    return node


def _read(node: Any) -> Any:
    """A read of a part of an object, without its place in a text."""
    if isinstance(node, ast.Attribute):
        return attribute(_read(node.value), node.attr)
    if isinstance(node, ast.Subscript):
        return subscript(_read(node.value), constant(ast.literal_eval(node.slice)))
    return name(node.id)


def attribute(value: Any, attr: str) -> Any:
    """`value.attr`."""
    return gast.Attribute(value=value, attr=attr, ctx=gast.Load())


def constant(value: Any) -> Any:
    """A literal; negative numbers as Python writes them."""
    if type(value) in (int, float) and (value < 0 or str(value) == "-0.0"):
        return gast.UnaryOp(op=gast.USub(), operand=constant(-value))
    if type(value) is float and value != value or value in (float("inf"),):
        return gast.Call(func=name("float"), args=[constant(str(value))], keywords=[])
    return gast.Constant(value=value, kind=None)


def subscript(value: Any, index: Any, store: bool = False) -> Any:
    """`value[index]`."""
    ctx = gast.Store() if store else gast.Load()
    return gast.Subscript(value=value, slice=index, ctx=ctx)


def sequence(kind: str, items: Sequence[Any], store: bool = False) -> Any:
    """A tuple or list display."""
    ctx = gast.Store() if store else gast.Load()
    maker = gast.Tuple if kind == "tuple" else gast.List
    return maker(elts=list(items), ctx=ctx)


def assign(target: Any, value: Any) -> Any:
    """`target = value`."""
    return gast.Assign(targets=[target], value=value, type_comment=None)


def delete(names: Sequence[str]) -> Any:
    """`del a, b`."""
    targets = [gast.Name(id=n, ctx=gast.Del(), annotation=None, type_comment=None)
               for n in names]  # fmt: skip
    return gast.Delete(targets=targets)


def target(names: Sequence[str]) -> Any:
    """What a list of names is assigned to: one name, or a tuple."""
    nodes = [name(n, store=True) for n in names]
    return nodes[0] if len(nodes) == 1 else sequence("tuple", nodes, store=True)


def function(
    title: str, params: Sequence[tuple[str, Any]], body: list[Any]
) -> gast.FunctionDef:
    """A function definition; a parameter is a name and a default or None."""
    args = [gast.Name(id=p, ctx=gast.Param(), annotation=None, type_comment=None)
            for p, _ in params]  # fmt: skip
    arguments = gast.arguments(
        args=args,
        posonlyargs=[],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[d for _, d in params if d is not None],
    )
    return gast.FunctionDef(
        name=title,
        args=arguments,
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
