"""Matrices of derivatives of functions that take or give containers.

    jacobian(f)({"a": a, "b": b})     ->     {"u": {"a": ..., "b": ...}, "v": ...}

A block for each part of the result by each part of the argument: a sweep along one
part (zeros along the others) finds a block of each part on the other side.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sourcegrad.frontend import library_matrices as library
from sourcegrad.frontend.snapshots import opened
from sourcegrad.frontend.special import SPECIAL
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Mapping,
    Object,
    Struct,
    map_leaves,
)
from sourcegrad.ir import Expr, Lit, Obj, Op, Region
from sourcegrad.kinds import differentiable, is_array, is_scalar, strip


@dataclass(frozen=True)
class Blocks:
    """The blocks of one argument: `form` is the result, `parts` hold for each of its
    parts that carries a derivative the blocks in the form of the argument."""

    form: Abstract
    parts: list[Abstract]


def as_it_is(b: Any, tree: Abstract) -> Abstract:
    """An operand as the number, the array or the container that it is now."""
    if isinstance(tree, Mapping) and tree.type is dict:
        tree = b.structure(tree)
    if isinstance(tree, Object):
        tree = opened(tree, b.env)
    return b.atom(tree) if isinstance(tree, Expr) else b.settle(tree)


def carriers(b: Any, tree: Abstract, what: str, node: Any) -> list[Expr]:
    """The parts of a container that carry derivatives, in order.

    Raises:
        UnsupportedSyntaxError: what a part holds is known only at run time.
    """
    return [e for e in _followed(b, tree, what, node) if _carries(b, e)]


def _followed(b: Any, tree: Abstract, what: str, node: Any) -> Iterator[Expr]:
    if isinstance(tree, Struct):
        for item in tree.items:
            yield from _followed(b, item, what, node)
        return
    kind = strip(b.infer(tree)) if isinstance(tree, Expr) else None
    if kind is None or differentiable(kind) and not (is_scalar(kind) or is_array(kind)):
        raise b.unsupported(
            node,
            f"a matrix of derivatives where {what} has parts known at run time only",
            "take the derivative of a function of numbers and arrays",
        )
    assert isinstance(tree, Expr)
    yield tree


def _carries(b: Any, e: Expr) -> bool:
    return differentiable(strip(b.infer(e)))


def along(b: Any, tree: Abstract, which: int, unit: Abstract) -> Abstract:
    """A tangent of a container, or a cotangent: along one part of it."""
    count = 0

    def part(e: Expr) -> Abstract:
        nonlocal count
        if not _carries(b, e):
            return Lit(None)
        count += 1
        if count == which + 1:
            return unit
        if is_scalar(b.infer(e)):
            return Lit(0.0)
        with b.passively():
            zeros: Expr = b.emit(Op("call", (b.numpy("zeros_like"), e), ()), "zeros")
            return zeros

    return map_leaves(tree, part)


def filled(b: Any, tree: Abstract, blocks: list[Abstract], node: Any) -> Abstract:
    """A container with a block in place of each part that carries a derivative."""
    rest = iter(blocks)

    def made(tree: Abstract) -> Abstract:
        if not isinstance(tree, Struct):
            assert isinstance(tree, Expr)
            return next(rest) if _carries(b, tree) else Lit(None)
        items = [made(item) for item in tree.items]
        plain = issubclass(tree.type, (tuple, list, dict))
        own = tree.type if plain else types.SimpleNamespace
        return Struct(own, tree.keys, items, None, b.site(node))

    return made(tree)


def assembled(b: Any, found: list[Blocks], several: bool, node: Any) -> Abstract:
    """The matrix: for each part of the result, the blocks of each argument."""
    lines: list[Abstract] = []
    for line in zip(*[blocks.parts for blocks in found], strict=True):
        whole = Struct(tuple, tuple(range(len(line))), list(line))
        lines.append(whole if several else line[0])
    return filled(b, found[0].form, lines, node)


# ----------------------------------------------------------------------- sweeps


def tried(b: Any, push: Bound, x: Abstract, node: Any) -> Abstract:
    """What a function gives, by the form of its tangent: a run that is not kept."""
    first, *_ = carriers(b, x, "an argument", node)
    unit = Lit(1.0) if is_scalar(b.infer(first)) else first
    outer = dict(b.env)
    with b.inside(Region()):
        y = as_it_is(b, b.call_value(push, [along(b, x, 0, unit)], {}, node))
    b.env = outer
    return y


def by_parts_of_argument(
    b: Any, push: Bound, tree: Abstract, y: Abstract, node: Any
) -> Blocks:
    """The blocks of an argument from tangents along each of its parts."""
    inputs = carriers(b, tree, "an argument", node)
    outputs = carriers(b, y, "the result", node)
    columns = []
    for k, x in enumerate(inputs):
        found = _along_part(b, push, tree, k, x, node)
        columns.append(_each(b, library.block_of_columns, found, len(outputs), x, node))
    lines = zip(*columns, strict=True)
    return Blocks(y, [filled(b, tree, list(line), node) for line in lines])


def by_parts_of_result(
    b: Any, pull: Bound, y: Abstract, tree: Abstract, node: Any
) -> Blocks:
    """The blocks of an argument from cotangents of each part of the result."""
    inputs = carriers(b, tree, "an argument", node)
    lines: list[Abstract] = []
    for k, part in enumerate(carriers(b, y, "the result", node)):
        found = _along_part(b, pull, y, k, part, node)
        row = _each(b, library.block_of_rows, found, len(inputs), part, node)
        lines.append(filled(b, tree, row, node))
    return Blocks(y, lines)


def _along_part(
    b: Any, sweep: Bound, tree: Abstract, which: int, x: Expr, node: Any
) -> Abstract:
    """The parts that a sweep finds along a number; along an array, a list of them."""
    run = Bound(Obj(library.parts_along, "parts_along"), [sweep, Lit(which), tree])
    if is_scalar(b.infer(x)):
        return b.settle(b.call_value(run, [Lit(1.0)], {}, node))
    return b.settle(b.inline_library(library.units, [run, x], node))


def _each(
    b: Any, block: Callable[..., Any], found: Abstract, count: int, x: Expr, node: Any
) -> list[Abstract]:
    if is_scalar(b.infer(x)):
        assert isinstance(found, Struct)
        return list(found.items)
    return [
        b.settle(b.inline_library(block, [found, Lit(i), x], node))
        for i in range(count)
    ]


def parts_along(b: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`parts_along(sweep, which, form, unit)`."""
    sweep, which, tree, unit = args
    given = along(b, tree, which.value, unit)
    found = as_it_is(b, b.call_value(sweep, [given], kw, node))
    items: list[Abstract] = [*carriers(b, found, "the result", node)]
    return Struct(tuple, tuple(range(len(items))), items)


SPECIAL[library.parts_along] = parts_along
