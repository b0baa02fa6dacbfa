"""Library functions on stacks, each with what it is for one seed's cotangent.

What is in none of these tables runs one seed at a time.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad import runtime, runtime_batch, runtime_project
from sourcegrad.adjoint.cotangents import library
from sourcegrad.batch.shapes import (
    ALL,
    Operand,
    Unbatchable,
    aligned,
    lengthened,
    literal,
    moved,
    moved_axis,
    spread,
)
from sourcegrad.ir import Expr, Lit, Op, attr, call, getitem


@dataclass
class Call:
    """A call with a stack among its operands, and what it is for one seed."""

    b: Any
    fn: Any
    args: list[Operand]
    kwargs: dict[str, Operand]
    ndim: int
    count: Expr

    def library(self, fn: Any) -> Expr:
        """How generated code names a function."""
        return library(self.b, fn)

    def first(self, *names: str) -> tuple[Expr, int, dict[str, Expr]]:
        """The stack that comes first, its axes, and the other operands by name.

        Raises:
            Unbatchable: another operand is a stack, or not known by these names.
        """
        x, *rest = self.args
        given = dict(zip(names, rest, strict=False)) | self.kwargs
        if not x.stacked or len(rest) > len(names) or not set(given) <= set(names):
            raise Unbatchable("options of a function")
        if any(o.stacked for o in given.values()):
            raise Unbatchable("options of a function")
        return x.expr, x.ndim, {k: o.expr for k, o in given.items()}


Handler = Callable[[Call], Expr]


def reduction(c: Call) -> Expr:
    """`np.sum(x, axis, keepdims=…)` along axes behind that of the seeds."""
    x, ndim, given = c.first("axis", "keepdims")
    if not ndim:
        return x
    axis = moved_axis(given.get("axis"), ndim)
    keep = given.get("keepdims", Lit(False))
    if not isinstance(keep, Lit):
        raise Unbatchable("keepdims that is known at run time only")
    if keep.value:
        return Op("call", (c.library(c.fn), x, axis, Lit(True)), ("axis", "keepdims"))
    return Op("call", (c.library(c.fn), x, axis), ("axis",))


def along(c: Call) -> Expr:
    """`np.cumsum(x, axis)` and `np.flip(x, axis)`."""
    x, ndim, given = c.first("axis")
    axis = given.get("axis", Lit(None))
    if c.fn is np.cumsum and axis == Lit(None) and ndim != 1:
        raise Unbatchable("a sum along all axes")
    axis = moved_axis(axis, ndim) if axis != Lit(None) or ndim != 1 else Lit(1)
    return Op("call", (c.library(c.fn), x, axis), ("axis",))


def reshape(c: Call) -> Expr:
    """`np.reshape(x, shape)`."""
    x, _, given = c.first("shape")
    return call(c.library(np.reshape), x, lengthened(given["shape"], c.count))


def ravel(c: Call) -> Expr:
    """`np.ravel(x)`."""
    x, _, given = c.first()
    return call(c.library(np.reshape), x, Op("tuple", (c.count, Lit(-1))))


def broadcast(c: Call) -> Expr:
    """`np.broadcast_to(x, shape)`."""
    c.first("shape")
    shape = lengthened(c.args[1].expr, c.count)
    return call(c.library(np.broadcast_to), spread(c.args[0], c.ndim), shape)


def full(c: Call) -> Expr:
    """`np.full(shape, x)`: an array of its own."""
    if len(c.args) != 2 or c.kwargs or c.args[0].stacked:
        raise Unbatchable("options of a function")
    shape = lengthened(c.args[0].expr, c.count)
    wide = call(c.library(np.broadcast_to), spread(c.args[1], c.ndim), shape)
    return call(c.library(np.array), wide)


def full_like(c: Call) -> Expr:
    """`np.full_like(x, y)`."""
    if len(c.args) != 2 or c.kwargs or c.args[0].stacked:
        raise Unbatchable("options of a function")
    shape = lengthened(attr(c.args[0].expr, "shape"), c.count)
    wide = call(c.library(np.broadcast_to), spread(c.args[1], c.ndim), shape)
    dtype = attr(c.args[0].expr, "dtype")
    return Op("call", (c.library(np.array), wide, dtype), ("dtype",))


def transpose(c: Call) -> Expr:
    """`np.transpose(x, axes)`."""
    x, ndim, given = c.first("axes")
    axes = literal(given.get("axes"))
    if axes is None:
        axes = tuple(range(ndim))[::-1]
    if not isinstance(axes, tuple) or len(axes) != ndim:
        raise Unbatchable("axes of a transpose")
    order = Op("tuple", (Lit(0), *(Lit(moved(k, ndim)) for k in axes)))
    return x if ndim < 2 else call(c.library(np.transpose), x, order)


def matrix_transpose(c: Call) -> Expr:
    """`x.mT`."""
    x, ndim, _ = c.first()
    if ndim < 2:
        raise Unbatchable("a transpose of a vector")
    return call(c.library(np.swapaxes), x, Lit(-1), Lit(-2))


def swapaxes(c: Call) -> Expr:
    """`np.swapaxes(x, i, j)` and `np.moveaxis(x, i, j)`."""
    x, ndim, given = c.first("axis1", "axis2", "source", "destination")
    axes = [moved_axis(e, ndim) for e in given.values()]
    if len(axes) != 2:
        raise Unbatchable("axes")
    return call(c.library(c.fn), x, *axes)


def expand_dims(c: Call) -> Expr:
    """`np.expand_dims(x, axis)`."""
    x, ndim, given = c.first("axis")
    axis = literal(given["axis"])
    if not isinstance(axis, int):
        raise Unbatchable("several new axes")
    return call(c.library(np.expand_dims), x, Lit(moved(axis, ndim + 1)))


def squeeze(c: Call) -> Expr:
    """`np.squeeze(x, axis)`."""
    x, ndim, given = c.first("axis")
    if literal(given.get("axis")) is None:
        raise Unbatchable("a squeeze of all axes")
    axis = moved_axis(given["axis"], ndim)
    return Op("call", (c.library(np.squeeze), x, axis), ("axis",))


def copied(c: Call) -> Expr:
    """`np.copy(x)` and `np.zeros_like(x)`: the same of the stack."""
    x, _, _ = c.first()
    return call(c.library(c.fn), x)


def to_number(c: Call) -> Expr:
    """`float(x)`."""
    x, ndim, _ = c.first()
    if ndim:
        raise Unbatchable("an array as a number")
    return call(c.library(runtime_batch.numbers_each), x)


def like_second(helper: Any) -> Handler:
    """A helper whose second operand only tells a shape: `unbroadcast(g, x)`."""

    def handler(c: Call) -> Expr:
        if len(c.args) != 2 or c.kwargs or c.args[1].stacked:
            raise Unbatchable("a shape that depends on the seed")
        return call(c.library(helper), c.args[0].expr, c.args[1].expr)

    return handler


def matmul(c: Call) -> Expr:
    """`x @ y` of vectors and matrices, one of them a stack."""
    if len(c.args) != 2 or c.kwargs:
        raise Unbatchable("options of a product")
    x, y = c.args
    if x.stacked and y.stacked:
        raise Unbatchable("a product of two stacks")
    if c.fn is np.dot and 0 in (x.ndim, y.ndim):
        return Op("mul", tuple(aligned([x, y])))
    if not (1 <= x.ndim <= 2 and 1 <= y.ndim <= 2):
        raise Unbatchable("a product of arrays of many axes")
    if y.stacked and y.ndim == 1:  # x @ y for each y: the stack's rows times x.T
        return Op("matmul", (y.expr, x.expr if x.ndim == 1 else _turned(x.expr)))
    return Op("matmul", (x.expr, y.expr))


def _turned(e: Expr) -> Expr:
    """The transpose of a matrix."""
    if isinstance(e, Op) and e.op == "attr" and e.data == "T":
        return e.args[0]
    return attr(e, "T")


def outer(c: Call) -> Expr:
    """`np.outer(x, y)` of vectors."""
    x, y = c.args
    if c.kwargs or x.ndim != 1 or y.ndim != 1 or (x.stacked and y.stacked):
        raise Unbatchable("an outer product")
    left = (ALL, ALL, Lit(None)) if x.stacked else (ALL, Lit(None))
    right = (ALL, Lit(None), ALL) if y.stacked else (Lit(None), ALL)
    return Op("mul", (getitem(x.expr, Op("tuple", left)),
                      getitem(y.expr, Op("tuple", right))))  # fmt: skip


def einsum(c: Call) -> Expr:
    """`np.einsum("ij,j->i", x, y)`: the seeds have a letter of their own."""
    text, *operands = c.args
    plain = isinstance(text.expr, Lit) and isinstance(text.expr.value, str)
    written = text.expr.value if isinstance(text.expr, Lit) and plain else ""
    if c.kwargs or "->" not in written or "." in written:
        raise Unbatchable("this einsum")
    inputs, output = written.replace(" ", "").split("->")
    letter = next(k for k in string.ascii_letters if k not in written)
    parts = [
        letter + part if o.stacked else part
        for part, o in zip(inputs.split(","), operands, strict=True)
    ]
    new = f"{','.join(parts)}->{letter}{output}"
    return call(c.library(np.einsum), Lit(new), *(o.expr for o in operands))


def triangle(c: Call) -> Expr:
    """`np.tril(x, k)` and `np.triu(x, k)`, which keep axes in front."""
    x, ndim, given = c.first("k")
    if ndim != 2:
        raise Unbatchable("a triangle of a vector")
    return Op("call", (c.library(c.fn), x, *given.values()), tuple(given))


def solve(c: Call) -> Expr:
    """`np.linalg.solve(a, y)` with the stack on the right."""
    if len(c.args) != 2 or c.kwargs:
        raise Unbatchable("options of a solver")
    a, y = c.args
    if a.stacked or a.ndim != 2:
        raise Unbatchable("a solver for many matrices")
    if y.ndim == 2:
        return call(_linalg(c), a.expr, y.expr)
    turned = call(c.library(np.transpose), y.expr)
    return call(c.library(np.transpose), call(_linalg(c), a.expr, turned))


def _linalg(c: Call) -> Expr:
    from sourcegrad.ir import Obj

    root = c.b.binder.bind(np, "np")
    return Obj(np.linalg.solve, f"{root.path}.linalg.solve")


FUNCTIONS: dict[Any, Handler] = {
    np.sum: reduction,
    np.mean: reduction,
    np.cumsum: along,
    np.flip: along,
    np.reshape: reshape,
    np.ravel: ravel,
    np.ndarray.flatten: ravel,
    np.broadcast_to: broadcast,
    np.full: full,
    np.full_like: full_like,
    np.transpose: transpose,
    np.matrix_transpose: matrix_transpose,
    np.swapaxes: swapaxes,
    np.moveaxis: swapaxes,
    np.expand_dims: expand_dims,
    np.squeeze: squeeze,
    np.copy: copied,
    np.zeros_like: copied,
    np.matmul: matmul,
    np.dot: matmul,
    np.outer: outer,
    np.einsum: einsum,
    np.tril: triangle,
    np.triu: triangle,
    np.linalg.solve: solve,
    float: to_number,
    runtime.unbroadcast: like_second(runtime_batch.unbroadcast_each),
    runtime.sum_to: like_second(runtime_batch.sum_to_each),
    runtime_project.project: like_second(runtime_batch.project_each),
}
