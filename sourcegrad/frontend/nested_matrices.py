"""Matrices of derivatives inside differentiated functions: `jacobian(f)(x)` and kin.

The sweep is generated once, as for `jvp` or `vjp`; what runs it for every number of
the argument or of the result is a loop of plain Python, built in like any other.
"""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

from sourcegrad.frontend import library_matrices as library
from sourcegrad.frontend.copies import copied
from sourcegrad.frontend.known import literal
from sourcegrad.frontend.lifting import Lifted
from sourcegrad.frontend.nested import (
    AS_FUNCTION,
    OF,
    PUBLIC,
    call_made,
    chosen,
    derived_of,
    found_for,
    function_of,
    generated,
)
from sourcegrad.frontend.nested_cases import by_cases
from sourcegrad.frontend.nested_parts import (
    Blocks,
    as_it_is,
    assembled,
    by_parts_of_argument,
    by_parts_of_result,
    tried,
)
from sourcegrad.frontend.nested_slopes import apart
from sourcegrad.frontend.special import SPECIAL
from sourcegrad.frontend.structs import Abstract, Bound, Object, Pointer, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op
from sourcegrad.kinds import is_scalar
from sourcegrad.names import fresh
from sourcegrad.request import Request
from sourcegrad.source.written import matrix_of


def jacobian_call(b: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`jacobian(f, argnums, mode)(args)`."""
    f, argnums, mode, *primals = args
    inner = function_of(b, f, primals, kw, node)
    wrt, several = chosen(b, argnums, inner, node)
    make = by_rows if literal(mode) == "reverse" else by_columns
    return assembled(b, [make(b, inner, n, node) for n in wrt], several, node)


def hessian_call(b: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`hessian(f, argnums)(args)`: forward mode over the gradient."""
    f, argnums, _, *primals = args
    inner = function_of(b, f, primals, kw, node)
    wrt, several = chosen(b, argnums, inner, node)
    lines = []
    for first in wrt:
        slope = derived_of(b, "grad", inner, Lit(first), Lit(False), node)
        line = [by_columns(b, slope, second, node) for second in wrt]
        lines.append(assembled(b, line, several, node))
    return packed(lines, several)


def elementwise_call(b: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`elementwise_grad(f, argnums)(args)`."""
    f, argnums, _, *primals = args
    inner = function_of(b, f, primals, kw, node)
    wrt, several = chosen(b, argnums, inner, node)
    found, pull = pullback(b, inner, wrt, node)
    y = one_array(b, found, node)
    ones: Expr = Lit(1.0)
    if not is_scalar(b.infer(y)):
        with b.passively():
            ones = b.emit(Op("call", (b.numpy("ones_like"), y), ()), "ones")
    parts = b.call_value(pull, [ones], {}, node)
    return parts if several else parts.items[0]


def linearize_call(b: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`linearize(f, *primals)`: the value, and the pushforward at the primals."""
    f, *primals = args
    held = [b.settle(p) for p in primals]
    inner = function_of(b, f, held, {}, node)
    names = inner.own[: len(primals)]
    push = pushforward(b, inner, names, node)  # at the primals, before `f` writes
    y = b.settle(b.call_value(f, held, {}, node))
    return packed([y, push], True)


# ----------------------------------------------------------------------- blocks


def packed(items: list[Any], several: bool) -> Any:
    """One for each of several parameters, or the one."""
    if not several:
        return items[0]
    return Struct(tuple, tuple(range(len(items))), items)


def pushforward(b: Any, inner: Lifted, names: tuple[str, ...], node: Any) -> Bound:
    """The generated tangent of a function, its primals given: it may run many times,
    each time on copies of those that the function writes."""
    (fn,), written = found_for(b, inner, Request("tangent", names, True), node)
    made = Obj(fn, b.binder.bind(fn, fn.__name__).path)
    changing = [
        name in (written or ()) or may_change(tree)
        for name, tree in inner.operands.items()
    ]
    if not any(changing):
        return Bound(Obj(OF["inlined"], "inlined"), [made, *inner.operands.values()])
    operands = fresh_operands(b, inner.operands, written or frozenset(), node)
    flags: list[Abstract] = [Lit(change) for change in changing]
    which = Struct(tuple, tuple(range(len(flags))), flags)
    return Bound(Obj(library.on_copies, "on_copies"), [made, which, *operands.values()])


def may_change(tree: Abstract) -> bool:
    """Whether an operand is, or holds, an object or a dict: what a function gives it is
    not among the memory that it writes."""
    if isinstance(tree, Struct):
        return tree.is_dict or any(map(may_change, tree.items))
    return isinstance(tree, (Object, Pointer))


def fresh_operands(
    b: Any, operands: dict[str, Abstract], written: frozenset[str], node: Any
) -> dict[str, Abstract]:
    """Operands for one run: copies of what it writes, and of objects and dicts."""
    whole = {n: copied(b, t, True, node, (n,)) if may_change(t) else t
             for n, t in operands.items()}  # fmt: skip
    rest = frozenset(n for n in written if not may_change(operands[n]))
    return apart(b, whole, rest)


def run_on_copies(b: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`on_copies(sweep, which, *operands)`: the sweep, built in."""
    made, which, *given = args
    count = len(which.items)
    held = {str(k): tree for k, tree in enumerate(given[:count])}
    written = frozenset(
        str(k) for k, flag in enumerate(which.items) if flag == Lit(True)
    )
    held = fresh_operands(b, held, written, node)
    inlined = Obj(OF["inlined"], "inlined")
    return b.call_value(inlined, [made, *held.values(), *given[count:]], kw, node)


def pullback(
    b: Any, inner: Lifted, names: tuple[str, ...], node: Any
) -> tuple[Abstract, Bound]:
    """The value of a function and its generated pullback, the residuals given."""
    first, second = generated(b, inner, Request("vjp", names, True), node)
    result = b.settle(call_made(b, Lifted(first, inner.operands, inner.own), node))
    y, residuals = result.items
    made = Obj(second, b.binder.bind(second, second.__name__).path)
    return as_it_is(b, y), Bound(Obj(OF["inlined"], "inlined"), [made, residuals])


def one_array(b: Any, tree: Abstract, node: Any) -> Expr:
    """The result of a function that works element by element."""
    if isinstance(tree, Expr):
        return tree
    raise b.unsupported(
        node,
        "an elementwise gradient of a function that gives a container",
        "let it give one array",
    )


def by_columns(b: Any, inner: Lifted, name: str, node: Any) -> Blocks:
    """The blocks of one parameter, a tangent at a time."""
    x = as_it_is(b, inner.operands[name])
    push = pushforward(b, inner, (name,), node)
    y = tried(b, push, x, node)
    if not (isinstance(x, Expr) and isinstance(y, Expr)):
        return by_parts_of_argument(b, push, x, y, node)
    if is_scalar(b.infer(x)):
        return Blocks(y, [b.settle(b.call_value(push, [Lit(1.0)], {}, node))])
    vector = getattr(b.infer(x), "ndim", None) == 1
    fn = library.columns if vector else library.columns_of_blocks
    return Blocks(y, [b.settle(b.inline_library(fn, [push, x], node))])


def by_rows(b: Any, inner: Lifted, name: str, node: Any) -> Blocks:
    """The blocks of one parameter, a cotangent at a time."""
    _, written = found_for(b, inner, Request("vjp", (name,), True), node)
    own = fresh_operands(b, inner.operands, written or frozenset(), node)
    y, pull = pullback(b, replace(inner, operands=own), (name,), node)
    x = as_it_is(b, inner.operands[name])
    if not (isinstance(x, Expr) and isinstance(y, Expr)):
        return by_parts_of_result(b, pull, y, x, node)
    if is_scalar(b.infer(y)):
        found = b.settle(b.call_value(pull, [Lit(1.0)], {}, node).items[0])
        return Blocks(y, [found])
    vector = getattr(b.infer(y), "ndim", None) == 1
    fn = library.rows if vector else library.rows_of_blocks
    return Blocks(y, [b.settle(b.inline_library(fn, [pull, y], node))])


# --------------------------------------------------- matrices of matrices


def matrix_function(b: Any, what: str, given: Any, kw: Any, node: Any) -> Lifted:
    """A matrix as a function to differentiate: its call is the whole body.

    jacobian(f, 1)    ->    def f_jacobian(x, a): return jacobian(f, "a")(x, a)
    """
    f, argnums, option, *args = given
    vector = [args.pop()] if what == "hvp" else []
    inner = function_of(b, f, args, kw, node)
    wrt, several = chosen(b, argnums, inner, node)
    options = [wrt if several else wrt[0], *([literal(option)] * known(option))]
    taken = set(inner.operands)
    extra = {fresh("v", taken): v for v in vector}
    fn = written_out(b, what, inner.fn, options, tuple(extra))
    return Lifted(fn, {**inner.operands, **extra}, (*inner.own, *extra))


def known(option: Abstract) -> bool:
    """Whether the call says more than the function and its argnums."""
    return bool(literal(option))


def written_out(
    b: Any,
    what: str,
    fn: types.FunctionType,
    options: list[Any],
    extra: tuple[str, ...],
) -> types.FunctionType:
    """The function whose body is the call of a transform of `fn`, made once."""
    key = (what, fn, *options, *extra)
    found = b.context.derived.get(key)
    if found is None:
        made = matrix_of(PUBLIC[what], fn, options, extra)
        found = b.context.derived[key] = made
    return found


def register(linearize: Any, jvp: Any) -> None:
    """Tell the compiler which public call is `linearize`, and which is `jvp`."""
    SPECIAL[linearize] = linearize_call
    SPECIAL[jvp] = by_cases(SPECIAL[jvp])


SPECIAL[library.on_copies] = run_on_copies
SPECIAL[OF["jacobian"]] = by_cases(jacobian_call)
SPECIAL[OF["hessian"]] = by_cases(hessian_call)
SPECIAL[OF["elementwise_grad"]] = by_cases(elementwise_call)

AS_FUNCTION |= dict.fromkeys(
    ("jacobian", "hessian", "elementwise_grad", "hvp"), matrix_function
)
