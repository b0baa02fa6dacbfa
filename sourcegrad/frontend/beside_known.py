"""`zip` of objects or functions, known one by one, with sequences of the run time.

    for layer, w in zip(net, ws):            raise unless len(ws) >= 2
        x = w * layer(x)             ->      x = ws[0] * …
                                             x = ws[1] * …

The loop is built trip by trip, as often as there are objects.
"""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.live import met, shows
from sourcegrad.frontend.sequences import is_sequence
from sourcegrad.frontend.structs import Abstract, Expr, Object, Struct, is_function
from sourcegrad.ir import Lit, Op, Plain, call


def beside_known(b: Any, args: list[Abstract], node: Any) -> Any:
    """The pairs of a `zip` in which objects or functions stand.

    Args:
        b: the builder.
        args: what is zipped: at least one known structure, and something else.
        node: the call.

    Returns:
        A structure, made anew in each trip of a loop along it; NotImplemented where no
        objects or functions are in it, or something else is no sequence.
    """
    known = [a for a in args if isinstance(a, Struct)]
    others = [a for a in args if not isinstance(a, Struct)]
    if not any(_is_known(i) for a in known for i in met(a)):
        return NotImplemented
    if b.deriving or not all(isinstance(a, Expr) and is_sequence(b, a) for a in others):
        return NotImplemented
    size = min(len(a.items) for a in known)
    held = [a if isinstance(a, Struct) else b.atom(a) for a in args]
    for a in held:
        if not isinstance(a, Struct):
            _require_length(b, a, size, node)

    def rows() -> Struct:
        found: list[Abstract] = []
        for k in range(size):
            row = [_item(b, a, k, node) for a in held]
            found.append(Struct(tuple, tuple(range(len(row))), row))
        return Struct(list, tuple(range(size)), found)

    return shows(rows(), rows)


def _is_known(tree: Abstract) -> bool:
    """Whether a tree is, or holds, an object or a function."""
    if isinstance(tree, Struct):
        own = not (tree.is_dict or tree.is_sequence)
        return own or any(map(_is_known, tree.items))
    return isinstance(tree, Object) or is_function(tree)


def _item(b: Any, held: Abstract, k: int, node: Any) -> Abstract:
    if isinstance(held, Struct):
        return met(held)[k]
    item: Abstract = b.subscript(held, Lit(k), node)
    return item


def _require_length(b: Any, held: Expr, size: int, node: Any) -> None:
    """Raise where a sequence is shorter than the known structure beside it."""
    count = call(b.binder.bind(len, "len"), held)
    raised = b.binder.bind(NonDifferentiableError, "NonDifferentiableError")
    text = Lit(
        f"{b.locate(node)}: this zip ends before the {size} objects in it do; "
        f"cut the objects off: net[:n]"
    )
    stmt = gast.parse("raise kind(text)").body[0]

    def refuse() -> None:
        b.append(Plain(stmt, ("kind", "text"), (raised, text), raises=True))
        b.region.ends = True

    with b.passively():
        short = b.atom(Op("compare", (count, Lit(size)), ("<",)))
    b.branch(short, refuse, lambda: None)
