"""Objects from outside that the program gives attributes: they are followed as its own.

    def f(body, dt):                      def f(body, dt):
        body.v = body.v - dt                  body_v = body.v
        return body.v ** 2       ->           v = body_v - dt
                                              body.v = v
                                              return v ** 2

An attribute is read once, when the function begins, and known by the name of what was
stored from then on.  Each store is made in the object as well, where the program makes
it: the caller finds the object as a plain call leaves it, also behind an exception, and
nothing that comes later, such as the reverse sweep, reads the attribute again.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import gast

from sourcegrad.frontend import changed_outside
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.structs import Abstract, Given, Struct, leaves
from sourcegrad.ir import Expr, Lit, Obj, Op, Plain, Ref

_OUTSIDE = "a store into an attribute of an object from outside"
_WAY_OUT = "make the object in the function, or return its new state"
_AS_ARGUMENT = "hand the object in as an argument: f(model, x)"
_BASES = (object, BaseException, types.SimpleNamespace)
PLAIN_STORES = tuple(c.__setattr__ for c in _BASES)
_PLAIN_READS = tuple(c.__getattribute__ for c in _BASES)


_WAYS = (
    "__iter__", "__next__", "__len__", "__bool__", "__getitem__", "__contains__",
    "__eq__", "__lt__", "__gt__", "__float__", "__int__", "__index__", "__array__",
)  # fmt: skip


def has_own_ways(cls: type) -> bool:
    """Whether a class says itself what its instances are as sequences, truth values or
    operands of a comparison: they are more than their attributes then.

    >>> class Pair:
    ...     def __len__(self):
    ...         return 2
    >>> has_own_ways(Pair), has_own_ways(types.SimpleNamespace)
    (True, False)
    """
    found = (vars(c).get(name) for c in cls.__mro__ for name in _WAYS)
    return any(
        isinstance(member, types.FunctionType)
        and member.__code__.co_filename != "<string>"  # as of a dataclass
        for member in found
    )


def given_object(b: Any, origin: Expr, tree: Struct, stored: bool) -> Given:
    """What stands for an argument that gets attributes.

    Args:
        b: the builder, at the beginning of the function.
        origin: the argument, or how it is reached from one.
        tree: the attributes that it has.
        stored: whether it gets attributes; else it is only read.
    """
    whole = origin
    if stored:
        b.context.given.add(_path(origin))
        whole = b.atom(origin)
    made = Given(tree.type, b.where, whole=whole, names=tree.keys)
    made.site = tree.site
    made.follows = stored
    b.class_defaults(made, tree.type, None)
    for name, item in zip(tree.keys, tree.items, strict=True):
        for leaf in leaves(item):
            if isinstance(leaf, Ref):
                leaf.value.temp = False  # read before the first store, and only once
        b.env[made, name] = item
    return made


def _path(whole: Expr) -> str:
    """How an argument, or an object in one, is reached."""
    if isinstance(whole, Op):
        inner = _path(whole.args[0])
        if whole.op == "attr":
            return f"{inner}.{whole.data}"
        return f"{inner}[{whole.args[1]!r}]"
    assert isinstance(whole, Ref)
    return whole.value.name


def follow(b: Any, base: Abstract, target: Any) -> None:
    """Let an object that gets an attribute be one that is followed.

    Raises:
        Restart: it is from now on.
        UnsupportedSyntaxError: it cannot be.
    """
    site = base.site if isinstance(base, (Struct, Given)) else None
    if isinstance(site, tuple) and site[:1] == ("param",):
        key = ("changed argument", site[1])
        if key not in b.context.derived:
            b.context.derived[key] = True
            raise Restart
    whole = changed_outside.origin(base)
    if whole is not None:
        changed_outside.change(b, whole)
    b.unroll_around()
    outside = isinstance(base, Obj)
    raise b.unsupported(target, _OUTSIDE, _AS_ARGUMENT if outside else _WAY_OUT)


def put(b: Any, base: Given, target: Any, held: Abstract) -> None:
    """Store into the object itself what its attribute is from now on.

    Args:
        b: the builder.
        base: the object.
        target: `base.name`, as the user wrote it.
        held: the value, with atoms for leaves.

    Raises:
        UnsupportedSyntaxError: such a store is not followed.
    """
    name = target.attr
    if isinstance(held, Struct):
        b.require_one_list(held, target)
    reason = _unusual(base, name)
    if reason is None and not _is_kept(held):
        reason = "of a dict, function or object"
    if reason is not None:
        raise b.unsupported(target, f"{_OUTSIDE}, {reason},", _WAY_OUT)
    node = gast.parse(f"whole.{name} = value").body[0]
    value = b.materialise(held, target)
    base.stored.add(name)
    b.append(Plain(node, ("whole", "value"), (base.whole, value), puts=True))


def _is_kept(held: Abstract) -> bool:
    """Whether what is stored is data that no other name changes in place unseen."""
    if isinstance(held, Struct):
        return held.type is tuple and all(map(_is_kept, held.items))
    if isinstance(held, Obj):
        return not isinstance(held.obj, (list, dict, set))
    return isinstance(held, (Ref, Lit))


def _unusual(base: Given, name: str) -> str | None:
    """Why a store into an attribute may do something else than bind it."""
    cls: Any = base.type
    if name.startswith("__"):
        return "with a name that begins with underscores"
    if cls.__getattribute__ not in _PLAIN_READS or hasattr(cls, "__getattr__"):
        return "whose class says how attributes are read"
    if dataclasses.is_dataclass(cls) and name not in base.names:
        return "which is no field of its dataclass"
    member = next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None)
    if hasattr(type(member), "__set__") and not isinstance(
        member, types.MemberDescriptorType
    ):
        return "which is a descriptor of its class"
    return None
