"""What loops run along: the kinds of elements, and walks by position.

A walk is how an element is made of a position in one or several sequences: of
`zip(x, y)`, of `enumerate(x)`, of `zip(x, itertools.count(1))`.
"""

from __future__ import annotations

import itertools
from typing import Any

import gast
import numpy as np

from sourcegrad.frontend.known import known, literal
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, attr
from sourcegrad.kinds import (
    BOTTOM,
    INT,
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    join,
    strip,
)

ENDLESS = (itertools.repeat, itertools.count, itertools.cycle)
STEPPED = (zip, enumerate, reversed, np.ndenumerate)


def called(e: Expr) -> Any:
    """The function that an expression calls, or None."""
    if isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj):
        return e.args[0].obj
    return None


def endless(e: Expr) -> bool:
    """Whether an expression makes an iterator without end."""
    return _is_in(called(e), ENDLESS)


def operands(e: Op) -> tuple[tuple[Expr, ...], dict[str, Expr]]:
    """The positional and keyword operands of a call."""
    names = e.data or ()
    split = len(e.args) - len(names)
    return e.args[1:split], dict(zip(names, e.args[split:], strict=True))


def element_kind(b: Any, e: Expr) -> Kind:
    """The kind of an element of an inactive iterable."""
    if isinstance(e, Ref) and b.infer(e) == UNKNOWN:
        e = b.made.get(e.value, e)  # an iterator that was made before the loop
    fn = called(e)
    if fn is not None and isinstance(e, Op):
        listed = b.context.yields.get(e)
        if isinstance(listed, ListKind):
            return strip(listed.item)
        args, kw = operands(e)
        found = _of_call(b, fn, args, kw)
        if found is not None:
            return found
    kind = b.infer(e)
    if isinstance(kind, ListKind):
        return strip(kind.item)
    if isinstance(kind, TupleKind):
        return joined(kind.items)
    if isinstance(kind, Num):
        return strip(b.infer(Op("getitem", (e, Lit(0)))))
    return UNKNOWN


def joined(kinds: Any) -> Kind:
    """The kind that covers several."""
    found: Kind = BOTTOM
    for item in kinds:
        found = join(found, strip(item))
    return found


def _of_call(b: Any, fn: Any, args: Any, kw: Any) -> Kind | None:
    """The kind of an element of what a known function returns."""

    def inner(k: int = 0) -> Kind:
        return element_kind(b, args[k])

    if fn is range:
        return INT
    if fn is itertools.count:
        return joined([INT, *map(b.infer, (*args, *kw.values()))])
    if fn is np.ndindex:
        size = b.length(args[0]) if len(args) == 1 else len(args)
        starred = any(isinstance(a, Op) and a.op == "star" for a in args)
        return None if starred or size is None else TupleKind((INT,) * size)
    if not args or not isinstance(fn, type) and fn not in (sorted, _flat):
        return None
    if fn is enumerate:
        return TupleKind((INT, inner()))
    if fn is zip or fn is itertools.product:
        times = literal(kw["repeat"]) if known(kw.get("repeat")) else 1
        if "repeat" in kw and not known(kw["repeat"]):
            return None
        return TupleKind(tuple(map(inner, range(len(args)))) * times)
    if fn in (itertools.combinations, itertools.permutations,
              itertools.combinations_with_replacement):  # fmt: skip
        size = literal(args[1]) if len(args) > 1 and known(args[1]) else None
        return TupleKind((inner(),) * size) if type(size) is int else None
    if fn is itertools.pairwise:
        return TupleKind((inner(),) * 2)
    if fn is itertools.chain:
        return joined(map(inner, range(len(args))))
    if fn in (itertools.islice, itertools.cycle, reversed, sorted, list, tuple, set):
        return inner()
    return None


_flat = itertools.chain.from_iterable


def has_length(b: Any, e: Expr) -> bool:
    """Whether an iterable ends by itself."""
    fn = called(e)
    if fn is itertools.repeat:
        return len(operands(e)[0]) > 1  # type: ignore[arg-type]
    if fn in STEPPED:
        return any(has_length(b, a) for a in operands(e)[0])  # type: ignore[arg-type]
    return not _is_in(fn, ENDLESS)


def _is_in(fn: Any, group: tuple[Any, ...]) -> bool:
    return any(fn is item for item in group)


def is_varied_iterable(b: Any, e: Expr) -> bool:
    """Whether a loop over the iterable meets active elements."""
    fn = called(e)
    if _is_in(fn, STEPPED) or _is_in(fn, ENDLESS):
        return any(is_varied_iterable(b, a) for a in operands(e)[0])  # type: ignore[arg-type]
    return b.is_varied(e)


def is_strict(e: Expr) -> bool:
    """Whether an expression is `zip(…, strict=True)`."""
    if called(e) is not zip or not isinstance(e, Op):
        return False
    return operands(e)[1].get("strict", Lit(False)) != Lit(False)


def components(b: Any, e: Expr) -> tuple[list[Expr], Any]:
    """The sequences a loop walks along, and how an element is made of them."""
    fn = called(e)
    args, kw = operands(e) if fn is not None and isinstance(e, Op) else ((), {})
    if fn is enumerate:
        parts, shape = components(b, args[0])
        start = args[1] if len(args) > 1 else kw.get("start", Lit(0))
        return parts, ("enumerate", shape, start)
    if fn is zip and set(kw) <= {"strict"}:
        pairs = [components(b, a) for a in args]
        every = [p for parts, _ in pairs for p in parts]
        return every, ("zip", [s for _, s in pairs])
    if fn is reversed:
        parts, shape = components(b, args[0])
        return parts, ("reversed", shape, b.count(parts[0]))
    if fn is itertools.repeat:
        times = [Op("call", (b.binder.bind(range, "range"), a), ()) for a in args[1:]]
        return list(times), ("same", b.atom(args[0]))
    if fn is itertools.count:
        start = args[0] if args else kw.get("start", Lit(0))
        step = args[1] if len(args) > 1 else kw.get("step", Lit(1))
        return [], ("count", start, step)
    if fn is itertools.cycle:
        base = b.atom(args[0])
        return [], ("cycle", base, b.atom(b.count(base)))
    if fn is np.ndenumerate:
        base = b.atom(args[0])
        return [attr(base, "flat")], ("indexed", base)
    if isinstance(e, Op) and e.op == "attr" and e.data == "flat":
        return [e], ("flat", b.atom(e.args[0]))
    base = b.atom(e)
    return [base], ("item" if is_sequence(b, base) else "along", base)


def is_sequence(b: Any, e: Expr) -> bool:
    """Whether an iterable has items by position, as far as that is known."""
    kind = b.infer(e)
    made = b.made.get(e.value) if isinstance(e, Ref) else e
    if isinstance(made, Op) and made.op == "raw":
        if isinstance(made.data[0], gast.GeneratorExp):
            return False
    if b.is_varied(e) or isinstance(kind, (Num, ListKind, TupleKind)):
        return True
    return kind in (Atom(range), Atom(str), Atom(bytes), Atom(tuple))


def has_iterators(b: Any, tree: Any) -> bool:
    """Whether a loop reads what an iterator gives, one item after the other."""
    if not isinstance(tree, Expr):
        return False
    fn = called(tree)
    if _is_in(fn, STEPPED):
        return any(has_iterators(b, a) for a in operands(tree)[0])  # type: ignore[arg-type]
    if _is_in(fn, ENDLESS) or isinstance(tree, Op) and tree.op == "attr":
        return False
    return not is_sequence(b, tree)


def is_endless(b: Any, tree: Any) -> bool:
    """Whether a loop reads an iterator that does not end by itself."""
    return isinstance(tree, Expr) and not has_length(b, tree)


def header(b: Any, parts: list[Expr], strict: bool) -> tuple[Expr, list[int | None]]:
    """`zip(gen, range(len(x)))`: what a loop runs along that reads some of its items
    by position and others, which an iterator gives, one after the other.

    Returns:
        The iterable, and for each of its items which of `parts` gives it, or None for
        a position.
    """
    items: list[Expr] = []
    gives: list[int | None] = []
    for k, part in enumerate(parts):
        if is_sequence(b, part):
            items.append(Op("call", (b.binder.bind(range, "range"), b.count(part)), ()))
            gives.append(None)
        else:
            items.append(part)
            gives.append(k)
    keywords = ("strict",) if strict else ()
    flag = (Lit(True),) if strict else ()
    fn = b.binder.bind(zip, "zip")
    return Op("call", (fn, *items, *flag), keywords), gives


def element(b: Any, shape: Any, position: Expr, node: Any, given: Any = None) -> Any:
    """The element at a position, or what an iterator has `given` for it."""
    from sourcegrad.frontend.structs import Struct

    match shape:
        case ("enumerate", inner, start):
            number = position if start == Lit(0) else Op("add", (position, start))
            return Struct(
                tuple, (0, 1), [number, element(b, inner, position, node, given)]
            )
        case ("zip", parts):
            items = [element(b, p, position, node, given) for p in parts]
            return Struct(tuple, tuple(range(len(items))), items)
        case ("reversed", inner, count):
            last = Op("sub", (Op("sub", (count, Lit(1))), position))
            return element(b, inner, last, node, given)
        case ("flat", base):
            return b.subscript(*b.flat_place(base, position), node)
        case ("indexed", base):
            base, index = b.flat_place(base, position)
            return Struct(tuple, (0, 1), [index, b.subscript(base, index, node)])
        case ("same", tree):
            return tree
        case ("along", base):
            return given[base]
        case ("count", start, step):
            steps = position if step == Lit(1) else Op("mul", (position, step))
            return b.finish(Op("add", (start, steps)))
        case ("cycle", base, count):
            return b.subscript(base, Op("mod", (position, count)), node)
    return b.subscript(shape[1], position, node)
