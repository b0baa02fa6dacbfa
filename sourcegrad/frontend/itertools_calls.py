"""Calls of `itertools`: which generator of `iterators` each becomes.

Along known structures that are short, the result is a known structure itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend import iterators
from sourcegrad.frontend.cursors import is_cursor
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.sequences import either, followed, is_sequence
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.frontend.walks import ENDLESS, called
from sourcegrad.ir import Expr, Lit, Obj, Op

Handler = Callable[..., Any]
MOST = 48


def read(b: Any, tree: Abstract, node: Any) -> Abstract:
    """An operand as a sequence that can be read by position and more than once."""
    held = b.settle(b.elements(tree, node))
    if isinstance(held, Struct) and held.is_dict:
        return _row([Lit(k) for k in held.keys])
    if isinstance(held, Struct) or is_sequence(b, held):
        return held
    return b.emit(Op("call", (b.binder.bind(list, "list"), held), ()), "items")


def generator(b: Any, fn: Any, args: list[Any], node: Any) -> Any:
    """A generator of `iterators`, not yet read."""
    return b.generator_of(Obj(fn, fn.__name__), args, {}, node)


def structures(held: list[Any]) -> list[list[Any]] | None:
    """The items of each, where all are known structures."""
    if all(isinstance(h, Struct) for h in held):
        return [h.items for h in held]
    return None


def _row(items: list[Any]) -> Struct:
    return Struct(tuple, tuple(range(len(items))), items)


def _rows(found: Any) -> Struct:
    rows = [_row(list(i)) if isinstance(i, tuple) else i for i in found]
    return _row(rows)


def along(make: Any, fn: Any, options: int = 0) -> Handler:
    """A function of sequences, followed by as many options."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if not followed(b, args, kw) or kw:
            return NotImplemented
        split = len(args) - options
        held = [read(b, a, node) for a in args[:split]]
        rest = args[split:]
        items = structures(held)
        if items is not None and all(map(_is_known, rest)):
            numbers = [literal(r) for r in rest]
            found = list(itertools.islice(make(*items, *numbers), MOST + 1))
            if len(found) <= MOST:
                return _rows(found)
        return generator(b, fn, [*held, *rest], node)

    return handler


def _is_known(tree: Abstract) -> bool:
    return isinstance(tree, Expr) and known(tree)


def accumulated(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`itertools.accumulate(items, function, initial=…)`."""
    if not followed(b, args, kw):
        return NotImplemented
    items = read(b, args[0], node)
    function = args[1] if len(args) > 1 else kw.get("func", Lit(None))
    initial = kw.get("initial", Lit(None))
    plain = function == Lit(None)
    if initial == Lit(None):
        fn: Any = iterators.accumulate_sum if plain else iterators.accumulate
    else:
        fn = iterators.accumulate_sum_from if plain else iterators.accumulate_from
    given = [items, *([] if plain else [function])]
    return generator(b, fn, given if initial == Lit(None) else [*given, initial], node)


def lazily(fn: Any, sequence: int) -> Handler:
    """A function that reads its operand at `sequence` item by item."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if not followed(b, args, kw) or kw:
            return NotImplemented
        return generator(b, fn, args, node)

    return handler


def longest(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`itertools.zip_longest`."""
    if not followed(b, args, kw) or not args:
        return NotImplemented
    held = [read(b, a, node) for a in args]
    fill = kw.get("fillvalue", Lit(None))
    items = structures(held)
    if items is not None:
        return _rows(itertools.zip_longest(*items, fillvalue=fill))
    size = extent(b, held, max, node)
    return generator(b, iterators.zip_longest, [size, fill, *held], node)


def extent(b: Any, held: list[Any], of: Any, node: Any) -> Expr:
    """The greatest or least length of several sequences."""
    counts = [
        b.materialise(b.call_object(Obj(len, "len"), [h], {}, node)) for h in held
    ]
    fn = b.binder.bind(of, of.__name__)
    size = counts[0] if len(counts) == 1 else Op("call", (fn, *counts), ())
    with b.passively():
        return b.atom(size)


def zipped(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`zip` of sequences, where no loop runs along it directly."""
    if not followed(b, args, kw) or not args or kw:
        return NotImplemented
    if any(b.is_unread(a) for a in args):
        raise b.unsupported(
            node, "zip of a generator", "make a list of it first: list(…)"
        )
    held = [read(b, a, node) for a in args]
    return generator(b, iterators.zipped, [extent(b, held, min, node), *held], node)


def numbered(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`enumerate` of a sequence, where no loop runs along it directly."""
    if not followed(b, args, kw):
        return NotImplemented
    start = kw.get("start", args[1] if len(args) > 1 else Lit(0))
    return generator(b, iterators.numbered, [args[0], start], node)


def products(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`itertools.product(…, repeat=n)`."""
    if not followed(b, args, kw) or not args:
        return NotImplemented
    times = kw.get("repeat", Lit(1))
    if not _is_known(times):
        raise b.unsupported(node, "itertools.product with a computed repeat",
                            "write the loops")  # fmt: skip
    held = [read(b, a, node) for a in args] * literal(times)
    items = structures(held)
    if items is not None:
        found = list(itertools.islice(itertools.product(*items), MOST + 1))
        if len(found) <= MOST:
            return _rows(found)
    return generator(b, iterators.product, held, node)


def selected(make: Any, fn: Any) -> Handler:
    """`combinations` and its kin, of a size known when compiling."""
    inner = along(make, fn, 1)

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if not followed(b, args, kw):
            return NotImplemented
        args = [*args, *kw.values()]
        if len(args) < 2 or not _is_known(args[1]) or type(literal(args[1])) is not int:
            raise b.unsupported(node, f"itertools.{make.__name__} of a computed size",
                                "write the loops")  # fmt: skip
        return inner(b, [args[0], Lit(literal(args[1]))], {}, node)

    return handler


def sliced(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`itertools.islice`."""
    if not followed(b, args, kw):
        return NotImplemented
    bounds = [Lit(0), *args[1:]] if len(args) == 2 else list(args[1:])
    bounds += [Lit(1)] * (3 - len(bounds))
    endless = isinstance(args[0], Expr) and called(args[0]) in ENDLESS
    args = [b.iterator_of(args[0], node) if endless else args[0], *args[1:]]
    if b.is_unread(args[0]) or is_cursor(args[0]):
        if len(args) != 2:
            raise b.unsupported(node, "itertools.islice from a place inside",
                                "skip items in the loop")  # fmt: skip
        return generator(b, iterators.islice_any, args, node)
    held = read(b, args[0], node)
    if isinstance(held, Struct) and all(map(_is_known, bounds)):
        return _row(list(itertools.islice(held.items, *map(literal, bounds))))
    start = Lit(0) if bounds[0] == Lit(None) else bounds[0]
    step = Lit(1) if bounds[2] == Lit(None) else bounds[2]
    return generator(b, iterators.islice, [held, start, bounds[1], step], node)


def chained(fn: Any) -> Handler:
    """`itertools.chain`: of known structures one structure, else one after another."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if not followed(b, args, kw):
            return NotImplemented
        parts = args
        if fn is iterators.chain_all and isinstance(args[0], Struct):
            parts = list(args[0].items)
        if all(isinstance(p, Struct) and not p.is_dict for p in parts):
            return _row([item for p in parts for item in p.items])
        return generator(b, fn, args, node)

    return handler


def grouped(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`itertools.groupby(items, key)`."""
    if not followed(b, args, kw):
        return NotImplemented
    key = args[1] if len(args) > 1 else kw.get("key", Lit(None))
    if key == Lit(None):
        raise b.unsupported(node, "itertools.groupby of active values without a key",
                            "give it a key")  # fmt: skip
    return generator(b, iterators.groupby, [read(b, args[0], node), key], node)


def endless(fn: Any) -> Handler:
    """`repeat`, `count` and `cycle`: kept as written where a `zip` reads them."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if not followed(b, args, kw):
            return NotImplemented
        held = [b.settle(a) for a in args]
        if fn is itertools.cycle:
            held = [read(b, args[0], node)]
        if not all(map(b.can_materialise, held)):
            return NotImplemented
        return b.call_tree(b.binder.bind(fn, fn.__name__), held, kw, node)

    return handler


ITERTOOLS: dict[Any, Handler] = {
    itertools.accumulate: accumulated,
    itertools.chain: chained(iterators.chain),
    itertools.chain.from_iterable: chained(iterators.chain_all),
    itertools.pairwise: along(itertools.pairwise, iterators.pairwise),
    itertools.zip_longest: longest,
    itertools.combinations: selected(itertools.combinations, iterators.combinations),
    itertools.combinations_with_replacement: selected(
        itertools.combinations_with_replacement, iterators.combinations_again
    ),
    itertools.permutations: selected(itertools.permutations, iterators.permutations),
    itertools.product: products,
    itertools.islice: sliced,
    itertools.takewhile: lazily(iterators.takewhile, 1),
    itertools.dropwhile: lazily(iterators.dropwhile, 1),
    itertools.filterfalse: lazily(iterators.filterfalse, 1),
    itertools.compress: lazily(iterators.compress, 0),
    itertools.starmap: lazily(iterators.starmap, 1),
    itertools.groupby: grouped,
    itertools.repeat: endless(itertools.repeat),
    itertools.count: endless(itertools.count),
    itertools.cycle: endless(itertools.cycle),
}
_batched = getattr(itertools, "batched", None)  # Python 3.12
if _batched is not None:
    ITERTOOLS[_batched] = along(_batched, iterators.batched, 1)


def with_iterators(handlers: dict[Any, Handler]) -> dict[Any, Handler]:
    """The handlers of builtins, and behind them generators for what is left."""
    merged = handlers | ITERTOOLS
    merged[zip] = either(handlers[zip], zipped)
    merged[enumerate] = either(handlers[enumerate], numbered)
    return merged
