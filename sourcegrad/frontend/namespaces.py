"""The dict of an object: `obj.__dict__` and `vars(obj)`, as plain Python.

It is the attributes themselves, past what the class of the object says of them: what is
stored in it is stored in the object.  The frontend builds these methods in; they are
never run.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.descriptors import member_of, put_plainly
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.structs import Abstract, LocalMember, Object, Struct
from sourcegrad.ir import Lit, Ref, Undef

Handler = Callable[..., Any]
_WAY_OUT = "read and store the attributes themselves"


def held_under(whole: Any, name: Any) -> Any:
    """The attribute that an object itself has under a name."""
    raise AssertionError("the frontend builds it in")


def hold_under(whole: Any, name: Any, value: Any) -> None:
    """Let an object have an attribute, whatever its class says."""
    raise AssertionError("the frontend builds it in")


def names_of(whole: Any) -> Any:
    """The names of the attributes that an object itself has."""
    raise AssertionError("the frontend builds it in")


class Namespace:
    """The dict of an object."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def __getitem__(self, name: Any) -> Any:
        return held_under(self.whole, name)

    def __setitem__(self, name: Any, value: Any) -> None:
        hold_under(self.whole, name, value)

    def __contains__(self, name: Any) -> Any:
        return name in names_of(self.whole)

    def __len__(self) -> Any:
        return len(names_of(self.whole))

    def __iter__(self) -> Any:
        return iter(names_of(self.whole))

    def get(self, name: Any, default: Any = None) -> Any:
        """The attribute under a name, or the default."""
        if name in names_of(self.whole):
            return held_under(self.whole, name)
        return default

    def update(self, *others: Any, **more: Any) -> None:
        """Take over the keys and values of other dicts."""
        for other in (*others, more):
            for name, value in other.items():
                hold_under(self.whole, name, value)

    def keys(self) -> Any:
        """The names."""
        return names_of(self.whole)

    def values(self) -> Any:
        """What the object holds."""
        return [held_under(self.whole, name) for name in names_of(self.whole)]

    def items(self) -> Any:
        """Names and what the object holds under them."""
        return [(name, held_under(self.whole, name)) for name in names_of(self.whole)]

    def copy(self) -> Any:
        """A dict of its own."""
        return {name: held_under(self.whole, name) for name in names_of(self.whole)}


def namespace(b: Any, whole: Abstract, node: Any) -> Object:
    """What stands for the dict of an object.

    Raises:
        UnsupportedSyntaxError: its attributes are not the program's own.
    """
    if type(whole) is not Object or whole.joined or whole in b.frozen:
        raise b.unsupported(node, "the __dict__ of this object", _WAY_OUT)
    with b.actively():
        made: Object = b.built(Namespace, [whole], {}, node)
    return made


def namespace_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`vars(obj)`."""
    if len(args) == 1 and isinstance(args[0], Object):
        return namespace(b, args[0], node)
    raise b.unsupported(node, "a call of vars", _WAY_OUT)


def contents(b: Any, made: Object) -> Struct:
    """The dict of an object as it is now."""
    whole = b.env[made, "whole"]
    names = _names(b, whole, None)
    held = [b.held_now(b.env[whole, name], name, None) for name in names]
    return Struct(dict, tuple(names), held)


def _read(b: Any, args: Any, kw: Any, node: Any) -> Any:
    whole, name = args[0], _name(b, args[1], node)
    if name not in _names(b, whole, node):
        return b.missing_key(Lit(name))
    return b.held_now(b.env[whole, name], name, node)


def _put(b: Any, args: Any, kw: Any, node: Any) -> Any:
    whole, name = args[0], _name(b, args[1], node)
    b.env[whole, name] = b.settle(args[2], name)
    return Lit(None)


def _list(b: Any, args: Any, kw: Any, node: Any) -> Any:
    names = _names(b, args[0], node)
    return Struct(tuple, tuple(range(len(names))), [Lit(name) for name in names])


def _name(b: Any, index: Any, node: Any) -> str:
    if not known(index):
        b.unroll_around()
        raise b.unsupported(node, "an attribute by a computed name", _WAY_OUT)
    return str(literal(index))


def _names(b: Any, whole: Object, node: Any) -> list[str]:
    """The names of the attributes of an object, in the order of their first stores."""
    found = {
        key[1]: tree
        for key, tree in b.env.items()
        if isinstance(key, tuple) and key[0] is whole and not isinstance(tree, Undef)
    }
    fields = getattr(whole.type, "__dataclass_fields__", {})
    for name, tree in found.items():
        late = isinstance(tree, Ref) and tree.value.maybe_undefined
        member = member_of(whole.type, name)
        shared = isinstance(member, LocalMember) or member is not None
        if late or shared and name not in fields and not _says(member):
            raise b.unsupported(node, f"the __dict__ of an object with {name!r}, which "
                                "it may have of its class, or of a branch,",
                                _WAY_OUT)  # fmt: skip
    return list(found)


def _says(member: Any) -> bool:
    """Whether a member of a class is code, of which an object has no copy."""
    return callable(member) or hasattr(type(member), "__get__")


NAMESPACES: dict[Any, Handler] = {
    builtins.vars: namespace_of,
    object.__setattr__: put_plainly,
    held_under: _read,
    hold_under: _put,
    names_of: _list,
}
