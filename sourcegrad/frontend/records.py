"""Builtins that work on the attributes of objects: `getattr`, `replace`, `asdict`."""

from __future__ import annotations

import builtins
import collections
import dataclasses
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from sourcegrad.frontend import library
from sourcegrad.frontend.descriptors import member_of
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.structs import Abstract, Given, Maybe, Object, Pointer, Struct
from sourcegrad.ir import UNDEF, Expr, Lit, Obj, Ref, Undef
from sourcegrad.kinds import ListKind, Num, is_array, strip

Handler = Callable[..., Any]


def _known_object(tree: Abstract) -> bool:
    known = isinstance(tree, Struct) and not tree.is_dict
    return isinstance(tree, Object) or known


def _fields(b: Any, tree: Abstract, node: Any) -> dict[str, Abstract]:
    """The fields of a dataclass instance."""
    names = [f.name for f in dataclasses.fields(tree.type)]  # type: ignore[union-attr]
    return {n: b.attribute(tree, n, node) for n in names}


def replaced(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`dataclasses.replace`."""
    if not args or not _known_object(args[0]):
        return NotImplemented
    cls = args[0].type
    fields = {f.name for f in dataclasses.fields(cls) if f.init}
    given = {n: v for n, v in _fields(b, args[0], node).items() if n in fields}
    return b.construct(b.binder.bind(cls, cls.__name__), [], given | kw, node)


def as_dict(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`dataclasses.asdict` of an instance whose fields are not containers."""
    if len(args) != 1 or kw or not _known_object(args[0]):
        return NotImplemented
    fields = _fields(b, args[0], node)
    if any(isinstance(v, (Struct, Object)) for v in fields.values()):
        raise b.unsupported(node, "dataclasses.asdict of nested containers")
    return Struct(dict, tuple(fields), list(fields.values()), None, b.site(node))


def as_tuple(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`dataclasses.astuple` of an instance whose fields are not containers."""
    found = as_dict(b, args, kw, node)
    if found is NotImplemented:
        return found
    return Struct(tuple, tuple(range(len(found.items))), found.items)


def base_init(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`super().__init__(…)` of a class that inherits from `object` or an exception."""
    made, *given = args
    if isinstance(made, Object) and issubclass(made.type, BaseException):
        held = [b.settle(a) for a in given]
        b.env[(made, "args")] = Struct(tuple, tuple(range(len(held))), held)
    return Lit(None)


def named_replace(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`record._replace(**fields)` of a named tuple."""
    record = args[0]
    names = record.type._fields
    unknown = [k for k in kw if k not in names]
    if unknown:
        raise b.unsupported(node, f"_replace with the unknown field {unknown[0]!r}")
    items = [kw.get(n, old) for n, old in zip(names, record.items, strict=True)]
    return Struct(record.type, record.keys, items)


def named_dict(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`record._asdict()` of a named tuple."""
    return Struct(dict, args[0].type._fields, list(args[0].items), None, b.site(node))


def named_tuple_class(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`collections.namedtuple(name, fields)` of texts: the class, made once."""
    given = [text_of(a) for a in args]
    if len(given) != 2 or kw or None in given or not isinstance(given[0], str):
        return NotImplemented
    key = ("named tuple", node, tuple(map(str, given)))
    if key not in b.context.derived:
        b.context.derived[key] = collections.namedtuple(given[0], given[1])  # noqa: PYI024
    return b.binder.bind(b.context.derived[key], given[0])


def text_of(tree: Any) -> Any:
    """A text, or a list of texts, that is known when compiling; None if it is not."""
    if isinstance(tree, Struct):
        items = [text_of(i) for i in tree.items]
        return None if None in items else items
    found = literal(tree) if known(tree) else None
    return found if isinstance(found, str) else None


def get(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`getattr(object, "name", default)` of a known name."""
    if not known(args[1]):
        return by_name(b, args, node)
    name = literal(args[1])
    if len(args) == 3:
        there = _has(b, args[0], name)
        if there is None:
            return by_name(b, args, node)
        if not there:
            return args[2]
    return b.attribute(args[0], name, node)


def by_name(b: Any, args: Any, node: Any) -> Any:
    """An attribute whose name is known only at run time."""
    if isinstance(args[0], (Object, Struct)) or b.active(args, {}):
        b.unroll_around()
        raise b.unsupported(
            node,
            "getattr by a name that is not known when compiling",
            "keep the values in a dict, or write the attribute itself",
        )
    return NotImplemented


def has(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`hasattr(object, "name")` of a known name."""
    if not known(args[1]) or not isinstance(args[0], (Object, Struct)):
        return NotImplemented
    return Lit(_has(b, args[0], literal(args[1])))


def _has(b: Any, tree: Any, name: str) -> bool | None:
    """Whether a value has an attribute; None where its class is not known."""
    if isinstance(tree, Obj):
        return hasattr(tree.obj, name)
    if isinstance(tree, (Pointer, Maybe)):
        if b.there_test(tree) != Lit(True):
            raise b.unsupported(None, "whether what may be None has an attribute",
                                "compare with None first")  # fmt: skip
        late = tree.arena.late if isinstance(tree, Pointer) else ()
        if name in late:
            raise b.unsupported(None, f"whether an object has {name!r} already",
                                "give it a value in __init__")  # fmt: skip
        names = tree.arena.fields if isinstance(tree, Pointer) else ()
        own = tree.cls is not dict and name in (names or ())
        return own or hasattr(tree.cls, name)
    if isinstance(tree, Expr):
        kind = strip(b.infer(tree))
        known_class = _class_of(kind)
        return None if known_class is None else hasattr(known_class, name)
    if isinstance(tree, Struct) and not tree.is_sequence and name in tree.keys:
        return True
    held = b.env.get((tree, name), UNDEF)
    late = isinstance(held, Ref) and held.value.maybe_undefined
    if late or isinstance(tree, Given) and name in tree.stored and held == UNDEF:
        raise b.unsupported(None, f"whether an object has {name!r} already",
                            "give it a value in __init__")  # fmt: skip
    if not isinstance(held, Undef) or member_of(tree.type, name) is not None:
        return True
    if hasattr(tree.type, "__getattr__"):
        raise b.unsupported(None, "whether an object with a __getattr__ has an "
                            "attribute", "read it in a try statement")  # fmt: skip
    return hasattr(object, name)


def _class_of(kind: Any) -> type | None:
    """The class whose attributes the values of a kind have, if that is known."""
    if is_array(kind):
        return np.ndarray
    if isinstance(kind, Num) and kind.flavor == "np":
        return np.generic
    if isinstance(kind, Num) and kind.flavor == "py":
        return {"float": float, "int": int, "bool": bool, "complex": complex}.get(
            str(kind.dtype)
        )
    return list if isinstance(kind, ListKind) else None


def put(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`setattr(object, "name", value)` of a known name."""
    if not known(args[1]):
        b.unroll_around()
        raise b.unsupported(
            node,
            "setattr by a name that is not known when compiling",
            "keep the values in a dict, or write the attribute itself",
        )
    name = literal(args[1])
    target = gast.Attribute(value=node.args[0], attr=name, ctx=gast.Store())
    b.set_attribute(args[0], gast.copy_location(target, node), args[2])
    return Lit(None)


RECORDS: dict[Any, Handler] = {
    collections.namedtuple: named_tuple_class,
    builtins.getattr: get,
    builtins.hasattr: has,
    builtins.setattr: put,
    dataclasses.replace: replaced,
    dataclasses.asdict: as_dict,
    dataclasses.astuple: as_tuple,
    library.base_init: base_init,
    library.named_replace: named_replace,
    library.named_dict: named_dict,
}
