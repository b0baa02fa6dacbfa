"""`heapq` and `bisect` along lists of active elements.

The bodies are built in where the call stands, as those of `library` are: they are
read, never run.  Where an item belongs is a decision on values, so a constant.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.sequences import followed, is_sequence
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Lit
from sourcegrad.runtime_heaps import heap_order, path_down, path_up
from sourcegrad.runtime_sequences import order_of

Handler = Callable[..., Any]

# ------------------------------------------------------------------------ bodies


def heappush(items: Any, item: Any) -> None:
    """`heapq.heappush(items, item)`."""
    items.append(item)
    path = path_up(items)
    for k in range(len(path) - 1):
        items[path[k]] = items[path[k + 1]]
    items[path[-1]] = item


def heappop(items: Any) -> Any:
    """`heapq.heappop(items)`."""
    last = items[-1]
    taken = items[0]
    items.pop()
    if len(items) > 0:
        path = path_down(items, last)
        for k in range(len(path) - 1):
            items[path[k]] = items[path[k + 1]]
        items[path[-1]] = last
    return taken


def heapreplace(items: Any, item: Any) -> Any:
    """`heapq.heapreplace(items, item)`."""
    taken = items[0]
    path = path_down(items, item)
    for k in range(len(path) - 1):
        items[path[k]] = items[path[k + 1]]
    items[path[-1]] = item
    return taken


def heappushpop(items: Any, item: Any) -> Any:
    """`heapq.heappushpop(items, item)`."""
    taken = item
    if len(items) > 0 and items[0] < item:
        taken = items[0]
        path = path_down(items, item)
        for k in range(len(path) - 1):
            items[path[k]] = items[path[k + 1]]
        items[path[-1]] = item
    return taken


def heapify(items: Any) -> None:
    """`heapq.heapify(items)`."""
    new = [items[k] for k in heap_order(items)]
    for k in range(len(new)):
        items[k] = new[k]


def first_of(count: Any, items: Any, backwards: Any) -> Any:
    """`heapq.nsmallest(count, items)`, or `nlargest` if backwards."""
    return [items[k] for k in order_of(items, backwards)[: max(count, 0)]]


def first_by(count: Any, items: Any, key: Any, backwards: Any) -> Any:
    """`heapq.nsmallest(count, items, key)`, or `nlargest` if backwards."""
    marks = [key(item) for item in items]
    return [items[k] for k in order_of(marks, backwards)[: max(count, 0)]]


def insort_right(items: Any, item: Any) -> None:
    """`bisect.insort(items, item)`."""
    items.insert(bisect.bisect_right(items, item), item)


def insort_left(items: Any, item: Any) -> None:
    """`bisect.insort_left(items, item)`."""
    items.insert(bisect.bisect_left(items, item), item)


def insort_by(items: Any, item: Any, key: Any) -> None:
    """`bisect.insort(items, item, key=key)`."""
    marks = [key(other) for other in items]
    items.insert(bisect.bisect_right(marks, key(item)), item)


def place_by(search: Any, items: Any, mark: Any, key: Any) -> Any:
    """`bisect.bisect(items, mark, key=key)`."""
    return search([key(item) for item in items], mark)


# ---------------------------------------------------------------------- handlers


def changing(body: Any) -> Handler:
    """A function that changes the list it is given."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if kw or not args:
            return NotImplemented
        if isinstance(args[0], Struct) and args[0].type is list:
            raise b.demote(args[0], node)
        base = b.atom(args[0]) if isinstance(args[0], Expr) else args[0]
        if not b.is_active_list(base) and not b.active(args, kw):
            if not (isinstance(base, Expr) and b.is_own_list(base)):
                return NotImplemented
        return b.inline_library(body, [base, *args[1:]], node)

    return handler


def of_sorted(backwards: bool) -> Handler:
    """`nlargest` and `nsmallest`."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        args = [*args, *(kw[n] for n in ("n", "iterable") if n in kw)]
        key = args[2] if len(args) > 2 else kw.get("key", Lit(None))
        items = b.settle(b.elements(args[1], node))
        if not followed(b, [items, key], {}) or not is_sequence(b, items):
            return NotImplemented
        end = Lit(backwards)
        if key == Lit(None):
            return b.inline_library(first_of, [args[0], items, end], node)
        return b.inline_library(first_by, [args[0], items, key, end], node)

    return handler


def place(search: Any) -> Handler:
    """`bisect_left` and `bisect_right`: a position, so a constant."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        key = kw.get("key", Lit(None))
        rest = {k: v for k, v in kw.items() if k != "key"}
        fn = b.binder.bind(search, search.__name__)
        items: Abstract = b.settle(b.elements(args[0], node))
        with b.passively():
            if key != Lit(None):
                if rest or len(args) != 2:
                    raise b.unsupported(node, "bisect with a key and bounds",
                                        "make a list of the keys")  # fmt: skip
                return b.inline_library(place_by, [fn, items, args[1], key], node)
            return b.emit(b.call_tree(fn, [items, *args[1:]], rest, node), "place")

    return handler


def inserting(plain: Any) -> Handler:
    """`insort`."""
    change = changing(plain)

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        key = kw.get("key", Lit(None))
        if key == Lit(None) and len(args) == 2:
            return change(b, args, {}, node)
        if len(args) != 2 or set(kw) != {"key"} or plain is insort_left:
            hint = "use list.insert at the place that bisect finds"
            raise b.unsupported(node, "insort with these options", hint)
        return changing(insort_by)(b, [*args, key], {}, node)

    return handler


HEAPS: dict[Any, Handler] = {
    heapq.heappush: changing(heappush),
    heapq.heappop: changing(heappop),
    heapq.heapreplace: changing(heapreplace),
    heapq.heappushpop: changing(heappushpop),
    heapq.heapify: changing(heapify),
    heapq.nlargest: of_sorted(True),
    heapq.nsmallest: of_sorted(False),
    bisect.bisect_left: place(bisect.bisect_left),
    bisect.bisect_right: place(bisect.bisect_right),
    bisect.insort_left: inserting(insort_left),
    bisect.insort_right: inserting(insort_right),
}
