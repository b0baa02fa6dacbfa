"""Objects in lists of known length: put in order, and found by which they are.

    sorted(particles, key=lambda p: p.x)      order = order_of([x, x_1])
                                        ->    first: one of the two, by order[0]

The order is known only at run time, so each place of the result holds one of the
objects; they are joined as where paths meet, and not changed any more.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from sourcegrad.frontend.chosen import chosen
from sourcegrad.frontend.structs import Abstract, Object, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, call
from sourcegrad.runtime_sequences import order_of

MOST = 32


def are_objects(items: list[Abstract]) -> bool:
    """Whether all are objects of classes, known one by one."""
    return bool(items) and all(map(_is_object, items))


def _is_object(tree: Abstract) -> bool:
    if isinstance(tree, Struct):
        return not (tree.is_dict or tree.is_sequence)
    return isinstance(tree, Object) and type(tree).__name__ in ("Object", "Given")


def in_order(
    b: Any, items: list[Abstract], key: Abstract, backwards: Expr, node: Any
) -> list[Abstract]:
    """The objects as `sorted` orders them.

    Args:
        b: the builder.
        items: the objects.
        key: the key function, or None as a literal.
        backwards: whether the largest comes first.
        node: the call.

    Raises:
        UnsupportedSyntaxError: they are too many, or have no form in common.
    """
    if len(items) > MOST:
        raise b.unsupported(node, f"sorting more than {MOST} objects")
    base = Struct(list, tuple(range(len(items))), items)
    with b.passively():
        marks = tuple(_marks(b, items, key, node))
        fn = b.binder.bind(order_of, "order_of")
        order = b.emit(call(fn, Op("list", marks), backwards), "order")
    found: list[Abstract] = []
    for k in base.keys:
        item = chosen(b, base, Op("getitem", (order, Lit(k))))
        if item is None:
            raise b.unsupported(
                node, "sorting objects of different classes",
                "give them one class, or sort numbers and look the objects up",
            )  # fmt: skip
        found.append(item)
    return found


def _marks(b: Any, items: list[Abstract], key: Abstract, node: Any) -> list[Expr]:
    """What the objects are ordered by."""
    if key != Lit(None):
        made = [b.call_value(key, [item], {}, node) for item in items]
        return [b.atom(b.materialise(m, node)) for m in made]
    cls: Any = getattr(items[0], "type", None)
    if _is_ordered_by_fields(cls) and all(i.type is cls for i in items):  # type: ignore
        names = [f.name for f in dataclasses.fields(cls) if f.compare]
        return [
            Op("tuple", tuple(b.materialise(b.attribute(i, n, node)) for n in names))
            for i in items
        ]
    return [_smaller(b, items, k, node) for k in range(len(items))]


def _is_ordered_by_fields(cls: Any) -> bool:
    """Whether a class is a dataclass with `order=True`."""
    made = getattr(cls, "__dataclass_params__", None)
    return made is not None and made.order


def _smaller(b: Any, items: list[Abstract], k: int, node: Any) -> Expr:
    """How many of the objects are smaller than one of them, by their own `<`."""
    count: Expr = Lit(0)
    for other in (item for j, item in enumerate(items) if j != k):
        test = b.compare_call("<", other, items[k], node)
        if test is None:
            raise b.unsupported(node, "sorting objects that have no order",
                                "give a key: sorted(…, key=…)")  # fmt: skip
        count = b.atom(Op("add", (count, call(Obj(int, "int"), test))))
    return count


def place_of(b: Any, items: list[Abstract], wanted: Abstract, node: Any) -> list[int]:
    """Where an object stands among others, by which it is.

    Raises:
        UnsupportedSyntaxError: their class says itself when two are equal.
    """
    for item in items:
        if b.method_of(item, "__eq__") is not None:
            raise b.unsupported(node, "finding an object by its own ==",
                                "find the place with a loop")  # fmt: skip
        b.require_identity(wanted, item, node)
    return [k for k, item in enumerate(items) if item is wanted]


def index(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`objects.index(one)`."""
    found = _places(b, args, node)
    if found is None or len(args) != 2:
        return NotImplemented
    if not found:
        return b.missing_item(ValueError, Lit("the object is not in list"))
    return Lit(found[0])


def count(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`objects.count(one)`."""
    found = _places(b, args, node)
    return NotImplemented if found is None else Lit(len(found))


def _places(b: Any, args: Any, node: Any) -> list[int] | None:
    held = b.structure(args[0])
    built = isinstance(held, Struct) and any(isinstance(i, Object) for i in held.items)
    return place_of(b, held.items, args[1], node) if built else None
