"""Builtins and markers that work on structure, and so belong to the language."""

from __future__ import annotations

import builtins
import collections
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from sourcegrad import markers, runtime, runtime_quad
from sourcegrad.frontend import object_order
from sourcegrad.frontend.array_stores import ARRAY_STORES, add_at
from sourcegrad.frontend.beside_known import beside_known
from sourcegrad.frontend.copies import COPIES
from sourcegrad.frontend.cursors import CURSORS
from sourcegrad.frontend.decorators import DECORATORS
from sourcegrad.frontend.einsum import labelled
from sourcegrad.frontend.heaps import HEAPS
from sourcegrad.frontend.hooks import on_adjoint, replacement
from sourcegrad.frontend.itertools_calls import with_iterators
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.live import met
from sourcegrad.frontend.mapping_methods import with_mappings
from sourcegrad.frontend.namespaces import NAMESPACES
from sourcegrad.frontend.records import RECORDS
from sourcegrad.frontend.sequences import with_sequences
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Maybe,
    Object,
    Pointer,
    Struct,
    Super,
    has_own,
)
from sourcegrad.frontend.texts import TEXTS
from sourcegrad.frontend.typetests import is_callable, is_instance
from sourcegrad.frontend.vectorized import vectorize
from sourcegrad.ir import Expr, Lit, Op
from sourcegrad.kinds import is_array
from sourcegrad.runtime_project import replaced

Handler = Callable[..., Any]


def _structs(args: list[Abstract]) -> bool:
    return all(isinstance(a, Struct) for a in args)


def _sequence(kind: type, items: list[Abstract], site: Any = None) -> Struct:
    return Struct(kind, tuple(range(len(items))), items, None, site)


def length(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`len`."""
    if len(args) == 1 and has_own(args[0], "__len__"):
        return b.call_special(args[0], "__len__", [], node)
    if len(args) == 1 and isinstance(args[0], Struct):
        return Lit(len(args[0].items))
    return NotImplemented


def class_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`type(x)` of an object or structure."""
    if len(args) == 1 and isinstance(args[0], (Pointer, Maybe)) and not kw:
        if b.there_test(args[0]) != Lit(True):
            raise b.unsupported(node, "the type of what may be None", "use isinstance")
        return b.binder.bind(args[0].cls, args[0].cls.__name__)
    if len(args) == 1 and isinstance(args[0], (Object, Struct)) and not kw:
        return b.binder.bind(args[0].type, args[0].type.__name__)
    return NotImplemented


def magnitude(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`abs` of an object."""
    if len(args) == 1 and has_own(args[0], "__abs__"):
        return b.call_special(args[0], "__abs__", [], node)
    return NotImplemented


def as_tuple(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`tuple`."""
    if not args:
        return _sequence(tuple, [])
    if b.static and (numbers := _numbers(args[0])) is not None:
        return _sequence(tuple, [Lit(k) for k in numbers])
    return _sequence(tuple, met(args[0])) if _structs(args) else NotImplemented


def _numbers(tree: Abstract) -> range | None:
    """The range that a rule goes along, where its bounds are known."""
    if not (isinstance(tree, Op) and tree.op == "call" and not tree.data):
        return None
    fn, *bounds = tree.args
    if getattr(fn, "obj", None) is not range or not all(map(known, bounds)):
        return None
    return range(*map(literal, bounds))


def as_list(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`list`."""
    if not args:
        return b.display(list, [], b.site(node))
    if _structs(args):
        return b.display(list, met(args[0]), b.site(node))
    return NotImplemented


def as_dict(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`dict`."""
    if not args:
        return b.dict_display(tuple(kw), list(kw.values()), b.site(node))
    source = args[0]
    if isinstance(source, Struct) and source.is_dict:
        merged = dict(zip(source.keys, source.items, strict=True)) | kw
        return b.dict_display(tuple(merged), list(merged.values()), b.site(node))
    if isinstance(source, Struct) and all(
        isinstance(i, Struct) and len(i.items) == 2 and isinstance(i.items[0], Lit)
        for i in source.items
    ):
        pairs = {i.items[0].value: i.items[1] for i in source.items} | kw  # type: ignore
        return b.dict_display(tuple(pairs), list(pairs.values()), b.site(node))
    return NotImplemented


def enumerated(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`enumerate`."""
    start = kw.get("start", args[1] if len(args) > 1 else Lit(0))
    if not (isinstance(args[0], Struct) and isinstance(start, Lit)):
        return NotImplemented
    pairs = [
        _sequence(tuple, [Lit(start.value + k), i]) for k, i in enumerate(met(args[0]))
    ]
    return _sequence(list, pairs)  # type: ignore[arg-type]


def zipped(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`zip`, where the number of elements is known."""
    sizes = {len(a.items) for a in args if isinstance(a, Struct)}
    strict = kw.get("strict", Lit(False)) != Lit(False)
    if not sizes or strict and (len(sizes) > 1 or not _structs(args)):
        return NotImplemented
    if not _structs(args):
        return beside_known(b, args, node)
    columns = [met(a)[: min(sizes)] for a in args]
    rows = [_sequence(tuple, list(row)) for row in zip(*columns, strict=True)]
    return _sequence(list, rows)  # type: ignore[arg-type]


def mapped(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`map` of a function along known structures."""
    if not args[1:] or not _structs(args[1:]):
        return NotImplemented
    rows = zip(*(met(a) for a in args[1:]), strict=False)
    return _sequence(
        list, [b.settle(b.call_value(args[0], list(r), {}, node)) for r in rows]
    )


def reverse(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`reversed`."""
    return _sequence(list, met(args[0])[::-1]) if _structs(args) else NotImplemented


def total(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`sum` of a known structure of arrays, which has no library rule."""
    if not (args and isinstance(args[0], Struct)) or not b.active(args, kw):
        return NotImplemented
    items = met(args[0])
    if any(has_own(i, "__add__", "__radd__") for i in items):
        return _total_of_objects(b, items, args, kw, node)
    if all(isinstance(i, Expr) and not is_array(b.infer(i)) for i in items):
        return NotImplemented
    acc: Abstract = kw.get("start", args[1] if len(args) > 1 else Lit(0))
    for item in items:
        operands = (b.materialise(acc, node), b.materialise(item, node))
        acc = b.finish(Op("add", operands))
    return acc


def _total_of_objects(b: Any, items: Any, args: Any, kw: Any, node: Any) -> Any:
    """`sum` of objects, by their own addition."""
    acc: Abstract = kw.get("start", args[1] if len(args) > 1 else Lit(0))
    for item in items:
        acc = b.operator_call("add", acc, item, node)
    return acc


def extremum(name: str) -> Handler:
    """`max` and `min`: the operand they return gets the whole cotangent."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if kw or not b.active(args, kw):
            return NotImplemented
        items = met(args[0]) if len(args) == 1 and isinstance(args[0], Struct) else args
        if len(items) > 1 and all(isinstance(i, Object) for i in items):
            return _extreme_object(b, name, items, node)
        if len(items) < 2 or not all(isinstance(i, Expr) for i in items):
            return NotImplemented
        best = b.settle(items[0])
        for item in items[1:]:
            held = b.settle(item)
            test = Op("compare", (held, best), (">" if name == "max" else "<",))
            best = b.choose(test, lambda held=held: held, lambda best=best: best)
        return best

    return handler


def _extreme_object(b: Any, name: str, items: Any, node: Any) -> Any:
    """`max` and `min` of objects, by their own comparison."""
    best = items[0]
    for item in items[1:]:
        test = b.compare_call(">" if name == "max" else "<", item, best, node)
        if test is None:
            return NotImplemented
        best = b.choose(test, lambda item=item: item, lambda best=best: best)
    return best


def stop(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`stop_gradient`."""
    tree = b.materialise(args[0] if args else kw["x"], node)
    if not b.is_varied(tree):
        return tree
    with b.passively():
        return b.emit(tree if isinstance(tree, Op) else Op("call", (b.binder.bind(
            markers.stop_gradient, "stop_gradient"), tree), ()))  # fmt: skip


def partial(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`functools.partial`."""
    return Bound(
        args[0],
        [b.settle(a) for a in args[1:]],
        {k: b.settle(v) for k, v in kw.items()},
    )


def reduced(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`functools.reduce` along a known structure."""
    if not isinstance(args[1], Struct) or not args[1].items and len(args) == 2:
        return NotImplemented
    items = met(args[1])
    acc = args[2] if len(args) > 2 else items.pop(0)
    for item in items:
        acc = b.settle(b.call_value(args[0], [acc, item], {}, node))
    return acc


def dict_items(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.items()`."""
    pairs = [
        _sequence(tuple, [Lit(k), v])
        for k, v in zip(args[0].keys, args[0].items, strict=True)
    ]
    return _sequence(list, pairs)  # type: ignore[arg-type]


def dict_values(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.values()`."""
    return _sequence(list, list(args[0].items))


def dict_keys(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.keys()`."""
    return _sequence(list, [Lit(k) for k in args[0].keys])


def dict_get(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.get(key, default)`."""
    tree = b.structure(args[0])
    if b.passive and not b.active_choice(tree):
        known = isinstance(args[1], Lit)
        if not known:
            return NotImplemented
    default = args[2] if len(args) > 2 else Lit(None)
    if not isinstance(args[1], Lit) and not b.can_materialise(args[0]):
        key, other = b.atom(args[1]), Lit(None if None not in tree.keys else "$other")
        met = Op("compare", (key, Op("tuple", tuple(map(Lit, tree.keys)))), ("in",))
        with b.passively():
            place = b.atom(Op("ifexp", (b.atom(met), key, other)))
        both = [*tree.items, b.settle(default)]
        wider = Struct(dict, (*tree.keys, other.value), both)
        return b.item(wider, place, node, len(b.region.stmts))
    key = b.lookup_key(args[0], args[1])
    if key in tree.keys:
        return tree.items[tree.keys.index(key)]
    return default


def item(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`x.__getitem__(key)`, as a key function."""
    return b.item(args[0], b.materialise(args[1]), node, len(b.region.stmts))


def mutates(name: str) -> Handler:
    """A list method that changes the list: it becomes a run-time list."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        return b.struct_method(args[0], name, args[1:], kw, node)

    return handler


def refused(what: str) -> Handler:
    """A builtin that looks at or changes names behind the compiler's back."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        raise b.unsupported(node, f"{what}, which reaches names as text,")

    return handler


def super_(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`super()` and `super(cls, self)`, where the class is known."""
    cls, instance = b.super_of(args, node)
    return Super(cls, instance)


def namespace(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`types.SimpleNamespace` of named parts; an object where it gets others later."""
    if args:
        return NotImplemented
    site, held = b.site(node), {k: b.settle(v) for k, v in kw.items()}
    if ("gets attributes", site) not in b.context.derived:
        return Struct(
            types.SimpleNamespace, tuple(held), list(held.values()), None, site
        )
    made = Object(types.SimpleNamespace, b.where)
    b.env |= {(made, k): v for k, v in held.items()}
    return made


def iterator(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """A list copy or an iterator over a known structure."""
    return args[0] if isinstance(args[0], Struct) else NotImplemented


def points_of_integral(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """The points that stand for an integral: constants, whatever the function is."""
    from sourcegrad.frontend.implicit import own_call, solution
    from sourcegrad.kinds import UNKNOWN

    if b.deriving:
        return NotImplemented
    fn = b.binder.bind(runtime_quad.quad_points, "quad_points")
    own = own_call(b, fn, args, kw, node)
    return own if b.passive else solution(b, own, UNKNOWN, "points")


def operated(op: str) -> Handler:
    """`operator.add` and its kin, of objects with operators of their own and of known
    sequences."""
    sign = {"add": "+", "mul": "*"}.get(op)
    written = gast.parse(f"a {sign} b", mode="eval").body if sign else None

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        name = op.strip("_")
        if written is not None and len(args) == 2 and isinstance(args[0], Struct):
            joined = args[0].is_sequence and not has_own(args[0], f"__{name}__")
            found = (
                b.joined(gast.copy_location(written, node), *args) if joined else None
            )
            if found is not None:
                return found
        if kw or not any(has_own(a, f"__{name}__", f"__r{name}__") for a in args):
            return NotImplemented
        if len(args) == 1:
            found = b.unary_call(op, args[0], node)
        else:
            found = b.operator_call(op, *args, node)
        return NotImplemented if found is None else found

    return handler


_OPERATED = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("lshift", "rshift", "and_", "or_", "xor", "neg", "pos", "invert"),
)

_STRUCTURES: dict[Any, Handler] = {
    **{getattr(operator, op): operated(op) for op in _OPERATED},
    runtime_quad.quad_points: points_of_integral,
    builtins.eval: refused("eval"),
    builtins.exec: refused("exec"),
    builtins.locals: refused("locals"),
    builtins.globals: refused("globals"),
    builtins.super: super_,
    builtins.len: length,
    builtins.type: class_of,
    builtins.abs: magnitude,
    builtins.tuple: as_tuple,
    builtins.list: as_list,
    builtins.dict: as_dict,
    builtins.enumerate: enumerated,
    builtins.zip: zipped,
    list.index: object_order.index,
    list.count: object_order.count,
    builtins.map: mapped,
    builtins.reversed: reverse,
    builtins.sum: total,
    builtins.max: extremum("max"),
    builtins.min: extremum("min"),
    builtins.isinstance: is_instance,
    builtins.callable: is_callable,
    functools.partial: partial,
    functools.reduce: reduced,
    markers.stop_gradient: stop,
    markers.on_adjoint: on_adjoint,
    dict.items: dict_items,
    dict.values: dict_values,
    dict.keys: dict_keys,
    dict.get: dict_get,
    dict.__getitem__: item,
    list.__getitem__: item,
    tuple.__getitem__: item,
    collections.OrderedDict.items: dict_items,
    collections.OrderedDict.values: dict_values,
    collections.OrderedDict.keys: dict_keys,
    **{
        getattr(list, name): mutates(name)
        for name in (
            "append",
            "pop",
            "extend",
            "insert",
            "remove",
            "clear",
            "reverse",
            "sort",
        )
    },
    list.copy: iterator,
    types.SimpleNamespace: namespace,
    replaced: replacement,
    runtime.scatter_add: add_at("add"),
    np.einsum: labelled,
    np.vectorize: vectorize,
    **RECORDS,
    **NAMESPACES,
    **DECORATORS,
    **ARRAY_STORES,
    **COPIES,
    **CURSORS,
    **HEAPS,
    **TEXTS,
}

SPECIAL = with_iterators(with_sequences(with_mappings(_STRUCTURES)))
