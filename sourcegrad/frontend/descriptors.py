"""Descriptors: members of a class that say what an attribute of its objects is.

    class Positive:                           class Box:
        def __set_name__(self, cls, name):        width = Positive()
            self.name = "_" + name
        def __get__(self, box, cls):
            return getattr(box, self.name)
        def __set__(self, box, value):
            setattr(box, self.name, max(value, 0.0))

`box.width = v` calls `__set__`, and `box.width` `__get__`.  One with a `__set__` comes
before what the object itself holds under that name, one without comes behind.  The kin
of functions that `functools` and C have (a `partialmethod`, a cached method) bind the
object as a function does.
"""

from __future__ import annotations

import functools
import types
from typing import Any

import gast

from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.provenance import module_of
from sourcegrad.frontend.structs import Abstract, Bound, Object
from sourcegrad.ir import Lit

_HANDLED = ("functools", "enum", "types", "builtins", "sourcegrad", "abc")


def member_of(cls: type, name: str) -> Any:
    """What a class holds under a name; None where it holds nothing.

    >>> member_of(bool, "real") is vars(int)["real"]
    True
    """
    return next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None)


def is_own_descriptor(member: Any, method: str) -> bool:
    """Whether the class of a member says in Python what `__get__` or `__set__` does.

    >>> is_own_descriptor(property(), "__get__")
    False
    """
    cls = type(member)
    own = isinstance(member_of(cls, method), types.FunctionType)
    return own and module_of(cls).partition(".")[0] not in _HANDLED


def comes_first(cls: type, name: str) -> bool:
    """Whether a class is asked for an attribute before the object is."""
    member = member_of(cls, name)
    return is_own_descriptor(member, "__set__") and is_own_descriptor(member, "__get__")


def read(b: Any, member: Any, cls: type, instance: Abstract, node: Any) -> Abstract:
    """`instance.name` by the `__get__` of a member of its class."""
    fn = b.binder.bind(member_of(type(member), "__get__"), "get")
    owner = b.binder.bind(cls, cls.__name__)
    with b.actively():
        return b.call_value(fn, [_itself(b, member), instance, owner], {}, node)


def write(b: Any, instance: Any, name: str, tree: Abstract, node: Any) -> bool:
    """`instance.name = tree` by the `__set__` of a member of its class; whether it has
    one."""
    member = member_of(instance.type, name)
    if not is_own_descriptor(member, "__set__"):
        return False
    b.guard_method(instance.type, name)
    fn = b.binder.bind(member_of(type(member), "__set__"), f"set_{name}")
    b.call_value(fn, [_itself(b, member), instance, b.settle(tree)], {}, node)
    return True


def set_by_class(b: Any, instance: Any, target: Any, tree: Abstract) -> bool:
    """`instance.name = tree` by the `__setattr__` of its class, if that is written in
    Python by the user; whether it is."""
    member = member_of(instance.type, "__setattr__")
    if type(instance) is not Object or not isinstance(member, types.FunctionType):
        return False
    if member.__code__.co_filename == "<string>":  # of a frozen dataclass
        return False
    b.guard_method(instance.type, "__setattr__")
    fn = b.binder.bind(member, "setattr")
    b.call_value(fn, [instance, Lit(target.attr), b.settle(tree)], {}, target)
    return True


def put_plainly(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`object.__setattr__(obj, "name", value)`, past what the class says of stores."""
    if len(args) != 3 or type(args[0]) is not Object:
        return NotImplemented
    if not known(args[1]):
        b.unroll_around()
        raise b.unsupported(
            node,
            "object.__setattr__ by a name that is not known when compiling",
            "write the attribute itself",
        )
    name = str(literal(args[1]))
    target = gast.Attribute(value=node.args[0], attr=name, ctx=gast.Store())
    target = gast.copy_location(target, node)
    if not b.set_by_member(args[0], target, args[2]):
        b.set_plainly(args[0], target, args[2])
    return Lit(None)


def otherwise(b: Any, cls: type, name: str, instance: Abstract, node: Any) -> Any:
    """What the `__getattr__` of a class gives for what is not there; None without."""
    member = member_of(cls, "__getattr__")
    if not isinstance(member, types.FunctionType) or not isinstance(instance, Object):
        return None
    b.guard_method(cls, "__getattr__")
    fn = b.binder.bind(member, "getattr")
    return b.call_value(fn, [instance, Lit(name)], {}, node)


def require_plain_reads(b: Any, cls: type, node: Any) -> None:
    """Refuse a class that says itself what every attribute is.

    Raises:
        UnsupportedSyntaxError: it does.
    """
    if isinstance(member_of(cls, "__getattribute__"), types.FunctionType):
        raise b.unsupported(
            node,
            f"an object of {cls.__name__!r}, which has a __getattribute__,",
            "let it be a __getattr__, a property or a descriptor",
        )


def _itself(b: Any, member: Any) -> Abstract:
    found: Abstract = b.constant(member, type(member).__name__.lower())
    return found


def bound_kin(b: Any, member: Any, name: str, instance: Abstract) -> Bound | None:
    """A function of `functools` with the object as its first operand."""
    if isinstance(member, functools.partialmethod):
        inner = bound_kin(b, member.func, name, instance)
        if inner is None:
            return None
        own = [b.constant(a, f"{name}_{k}") for k, a in enumerate(member.args)]
        held = {k: b.constant(v, k) for k, v in member.keywords.items()}
        return Bound(inner.fn, [*inner.args, *own], {**inner.keywords, **held})
    if isinstance(member, (types.FunctionType, functools._lru_cache_wrapper)):
        return Bound(b.binder.bind(member, name), [instance])
    return None
