"""NumPy's functions that write into arrays, as the stores they are.

Which slots a call writes is found by a helper of `runtime_places`; the store itself
is one of the user's language, built from `store_library`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad import runtime_places
from sourcegrad.analysis.views import may_repeat
from sourcegrad.frontend import store_library
from sourcegrad.frontend.structs import Abstract
from sourcegrad.ir import Expr, Lit, Op
from sourcegrad.kinds import Kind, TupleKind, is_scalar

Handler = Callable[..., Any]


def target_array(b: Any, tree: Abstract, node: Any) -> Expr:
    """The array that a call writes into."""
    return b.atom(b.materialise(tree, node))


def places_of(b: Any, helper: Any, *operands: Expr) -> Expr:
    """The index that a helper finds."""
    with b.passively():
        return b.emit(
            Op("call", (b.binder.bind(helper, helper.__name__), *operands), ())
        )


def write(b: Any, fn: Any, args: list[Abstract], node: Any) -> Lit:
    """A store as `store_library` writes it."""
    b.inline_library(fn, args, node)
    return Lit(None)


def store_at(b: Any, base: Expr, places: Expr, value: Abstract, node: Any) -> Lit:
    """Values written to places, used over and over if they are fewer."""
    tree = b.materialise(value, node)
    one = is_scalar(b.infer(tree)) or _is_one_place(b.infer(places))
    fn = store_library.store if one else store_library.store_in_turn
    return write(b, fn, [base, places, tree], node)


def _is_one_place(kind: Kind) -> bool:
    """Whether places of this kind are a single element."""
    if isinstance(kind, TupleKind):
        return all(map(is_scalar, kind.items))
    return is_scalar(kind)


def bound(names: tuple[str, ...], args: Any, kw: Any) -> list[Any]:
    """The operands by position, None for those not given."""
    given = dict(zip(names, args, strict=False)) | kw
    return [given.get(name) for name in names]


# ------------------------------------------------------------------ by position


def put(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.put(a, ind, v, mode)`."""
    a, ind, v, mode = bound(("a", "ind", "v", "mode"), args, kw)
    base = target_array(b, a, node)
    with b.passively():
        operands = [b.materialise(t, node) for t in (ind, mode) if t is not None]
    places = places_of(b, runtime_places.put_index, base, *operands)
    return store_at(b, base, places, v, node)


def put_along(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.put_along_axis(arr, indices, values, axis)`."""
    a, ind, v, axis = bound(("arr", "indices", "values", "axis"), args, kw)
    base = target_array(b, a, node)
    with b.passively():
        operands = [
            b.materialise(Lit(-1) if t is None else t, node) for t in (ind, axis)
        ]
    places = places_of(b, runtime_places.along_index, base, *operands)
    return write(b, store_library.store, [base, places, v], node)


def fill_diagonal(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.fill_diagonal(a, val, wrap)`."""
    a, v, wrap = bound(("a", "val", "wrap"), args, kw)
    base = target_array(b, a, node)
    operands = [] if wrap is None else [b.materialise(wrap, node)]
    places = places_of(b, runtime_places.diagonal_index, base, *operands)
    return store_at(b, base, places, v, node)


# ------------------------------------------------------------------ by a mask


def place(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.place(arr, mask, vals)`."""
    a, mask, v = bound(("arr", "mask", "vals"), args, kw)
    base = target_array(b, a, node)
    with b.passively():
        chosen = b.materialise(mask, node)
    places = places_of(b, runtime_places.masked_index, base, chosen)
    return store_at(b, base, places, v, node)


def put_mask(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.putmask(a, mask, values)`."""
    a, mask, v = bound(("a", "mask", "values"), args, kw)
    base = target_array(b, a, node)
    with b.passively():
        chosen = b.materialise(mask, node)
    places = places_of(b, runtime_places.masked_index, base, chosen)
    tree = b.materialise(v, node)
    one = is_scalar(b.infer(tree)) or _is_one_place(b.infer(places))
    fn = store_library.store if one else store_library.store_by_place
    return write(b, fn, [base, places, tree], node)


def copy_to(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.copyto(dst, src, casting, where)`."""
    a, v, casting, where = bound(("dst", "src", "casting", "where"), args, kw)
    if casting not in (None, Lit("same_kind")):
        raise b.unsupported(node, "np.copyto with another casting than same_kind")
    base = target_array(b, a, node)
    if where is None or where == Lit(True):
        return write(b, store_library.store, [base, Lit(Ellipsis), v], node)
    return write(b, store_library.copy_where, [base, v, where], node)


# ------------------------------------------------------------------ methods


def fill(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`a.fill(value)`."""
    a, value = bound(("a", "value"), args, kw)
    return write(b, store_library.store, [a, Lit(Ellipsis), value], node)


def sort(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`a.sort(axis, kind)`."""
    a, axis = bound(("a", "axis"), args, kw)
    axis = Lit(-1) if axis is None else axis
    return write(b, store_library.sorted_in_place, [a, axis], node)


def partition(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`a.partition(kth, axis, kind)`."""
    a, kth, axis = bound(("a", "kth", "axis"), args, kw)
    axis = Lit(-1) if axis is None else axis
    return write(b, store_library.partitioned_in_place, [a, kth, axis], node)


def put_method(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`a.put(indices, values, mode)`."""
    a, ind, v, mode = bound(("a", "indices", "values", "mode"), args, kw)
    return put(b, [a, ind, v, *([] if mode is None else [mode])], {}, node)


def set_item(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`a.__setitem__(index, value)`."""
    base, index, value = args
    with b.passively():
        place = b.fixed_index(b.materialise(index, node))
    b.store(base, place, b.materialise(value, node), None, node)
    return Lit(None)


METHOD_STORES: dict[str, Handler] = {
    "fill": fill,
    "sort": sort,
    "partition": partition,
    "put": put_method,
    "__setitem__": set_item,
}

# ------------------------------------------------------------------ ufunc.at


def add_at(op: str) -> Handler:
    """`np.add.at` and `np.subtract.at`: increments, in whatever order."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        return b.add_at(op, args, node)

    return handler


def at(ufunc: np.ufunc) -> Handler:
    """`ufunc.at(a, indices, b)`: where a slot repeats, one after the other."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        fn = b.numpy(ufunc.__name__)
        base = target_array(b, args[0], node)
        with b.passively():
            index = b.fixed_index(b.materialise(args[1], node))
        if index == Lit(Ellipsis) or not may_repeat(b.infer, index):
            body = (
                store_library.at_once if len(args) < 3 else store_library.at_once_with
            )
            return write(b, body, [fn, base, index, *args[2:]], node)
        if not all_arrays(b, index):
            raise b.unsupported(
                node,
                f"np.{ufunc.__name__}.at with an index of arrays and slices",
                "loop over the slices",
            )
        return write(b, in_rounds(b, args, node), [fn, base, index, *args[2:]], node)

    return handler


def in_rounds(b: Any, args: Any, node: Any) -> Handler:
    """The body for `ufunc.at` where slots may repeat."""
    if len(args) < 3:
        return store_library.in_rounds
    one = is_scalar(b.infer(b.materialise(args[2], node)))
    each = store_library.in_rounds_with_each
    return store_library.in_rounds_with if one else each


def all_arrays(b: Any, index: Expr) -> bool:
    """Whether an index is made of integers and arrays of integers."""
    if isinstance(index, Op) and index.op == "tuple":
        return all(all_arrays(b, i) for i in index.args)
    kind = b.infer(index)
    return getattr(kind, "dtype", None) != "bool" and not (
        isinstance(index, Op) and index.op == "slice"
    )


def ufuncs() -> list[np.ufunc]:
    """NumPy's ufuncs with one result, whose method `at` is a store."""
    found = [u for u in vars(np).values() if isinstance(u, np.ufunc)]
    return [u for u in found if u.nout == 1 and u.nin < 3 and not u.signature]


ARRAY_STORES: dict[Any, Handler] = {
    np.put: put,
    np.put_along_axis: put_along,
    np.fill_diagonal: fill_diagonal,
    np.place: place,
    np.putmask: put_mask,
    np.copyto: copy_to,
    **{ufunc.at: at(ufunc) for ufunc in ufuncs()},
    np.add.at: add_at("add"),
    np.subtract.at: add_at("sub"),
}
