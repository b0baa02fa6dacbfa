"""What a name can hold while the frontend runs: expressions, and static structures.

Tuples, lists and dicts whose structure is known are kept apart into their leaves, so
that building and unpacking them costs nothing in the generated code and every leaf
has a cotangent of its own.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sourcegrad.errors import Location
from sourcegrad.ir import UNDEF, Expr, Obj, Ref, Value
from sourcegrad.names import fresh, identifier

if TYPE_CHECKING:
    from sourcegrad.frontend.scope import Scope


@dataclass(eq=False)
class Struct:
    """A container of known structure; `keys` are attribute names for objects.

    `origin` is an expression that holds the whole container, if there is one.
    `site` identifies the list display it came from, so that it can be demoted to a
    run-time list when the program mutates it.
    `live` makes the structure anew, where it shows a container that may change (the
    items of a dict, what a loop over a list meets); only one that `grows` may change
    its length while a loop runs along it.
    """

    type: type
    keys: tuple[Any, ...]
    items: list[Abstract]
    origin: Expr | None = None
    site: Any = None
    live: Callable[[], Struct] | None = None
    grows: bool = False

    @property
    def is_dict(self) -> bool:
        """Whether items are found by key."""
        return issubclass(self.type, dict)

    @property
    def is_sequence(self) -> bool:
        """Whether items are found by position."""
        return issubclass(self.type, (tuple, list))


@dataclass(eq=False)
class Closure:
    """An inner function or lambda with the scope it was defined in."""

    node: Any
    scope: Scope
    defaults: list[Abstract]
    kw_defaults: list[Abstract | None]
    name: str


@dataclass(eq=False)
class Bound:
    """A function with operands already given: a bound method, a partial."""

    fn: Abstract
    args: list[Abstract]
    keywords: dict[str, Abstract] = field(default_factory=dict)


@dataclass(eq=False)
class Attr:
    """A method of a run-time value, looked up but not yet called."""

    base: Expr
    name: str


@dataclass(eq=False)
class LocalMember:
    """What a class defined inside the function has under a name: a method, property,
    cached_property, staticmethod or classmethod (`tree` is an inner function), or a
    value."""

    sort: str
    tree: Any


@dataclass(eq=False)
class Object:
    """An object built by the program itself; its attributes live in the environment
    under keys `(self, name)`.  One that is `joined` stands for one of several."""

    type: type
    where: Location | None = None
    joined: bool = field(default=False, kw_only=True)


@dataclass(eq=False)
class Given(Object):
    """An object from outside that the program gives attributes: they live in the
    environment as those of its own objects do, and each store is made in `whole` too.

    `names` are the attributes it had when the function began, `stored` those that it
    was given since; one that `follows` no stores is only read, and can be handed on.
    """

    whole: Any = None
    names: tuple[str, ...] = ()
    stored: set[str] = field(default_factory=set)
    site: Any = None
    follows: bool = True


@dataclass(eq=False)
class Mapping(Object):
    """A dict that the program changes, with keys known when compiling.

    Its values live in the environment as attributes do, and so do its keys (a tuple
    of literals), so that a branch or a loop that adds a key is noticed.
    """

    site: Any = None
    factory: Any = None
    names: dict[Any, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def name(self, key: Any) -> str:
        """The name under which the environment holds the value of a key."""
        if key not in self.names:  # 1, 1.0 and True are one key
            self.names[key] = fresh(identifier(f"at_{key}"), self.taken)
        return self.names[key]


@dataclass(eq=False)
class Listing(Object):
    """A list of objects or functions that the program changes: its items are known one
    by one, and live in the environment as one structure."""

    site: Any = None


@dataclass(eq=False)
class Pointer(Object):
    """An object found in an arena: `ref` is its place in the lists that hold the
    attributes, or None (see `arenas`)."""

    ref: Any = None
    arena: Any = None

    @property
    def cls(self) -> type:
        """The class that the program sees."""
        sort, held = self.arena.key
        return held if sort == "class" else dict


@dataclass(eq=False)
class Maybe(Object):
    """A tuple or list of known structure, or None: `there` tells which, and the leaves
    of `held` are None where it is not there."""

    there: Any = None
    held: Any = None

    @property
    def cls(self) -> type:
        """The class of what it is, if it is there."""
        found: type = getattr(self.held, "type", object)
        return found


@dataclass(eq=False)
class Super:
    """`super()`: attributes of an instance looked up behind a class."""

    behind: type
    instance: Abstract


@dataclass(eq=False)
class Choice:
    """One of two functions, by a condition of the program: a call branches on it."""

    cond: Expr
    first: Abstract
    second: Abstract


@dataclass(eq=False)
class Variant:
    """One of two objects of different classes, by a condition of the program."""

    cond: Any
    first: Abstract
    second: Abstract


@dataclass(eq=False)
class Poison:
    """A name that holds something the compiler cannot follow; using it is an error.

    `wanted` names a decision under which the name would hold something: where it is
    used all the same, that is taken, and the function is built again.
    `held` are the different things it holds.
    """

    reason: str
    where: Location | None = None
    wanted: Any = None
    held: tuple[Any, ...] = ()


Abstract = (
    Expr | Struct | Closure | Bound | Attr | Object | Super | Choice | Variant | Poison
)


def is_function(tree: Abstract) -> bool:
    """Whether a name holds a function that is known when compiling."""
    if isinstance(tree, Obj):
        return callable(tree.obj)
    return isinstance(tree, (Closure, Bound, Choice))


def leaves(tree: Abstract) -> Iterator[Expr]:
    """The expressions at the leaves of a tree, in order."""
    if isinstance(tree, Struct):
        for item in tree.items:
            yield from leaves(item)
    elif isinstance(tree, Expr):
        yield tree


def map_leaves(tree: Abstract, fn: Callable[[Expr], Abstract]) -> Abstract:
    """The tree with `fn` applied to the expressions at its leaves."""
    if isinstance(tree, Struct):
        items = [map_leaves(i, fn) for i in tree.items]
        return replace(tree, items=items, origin=None, live=None)
    return fn(tree) if isinstance(tree, Expr) else tree


def refilled(tree: Abstract, supply: Iterable[Abstract]) -> Abstract:
    """The tree with its leaves replaced, in order."""
    rest = iter(supply)
    return map_leaves(tree, lambda _: next(rest))


def same(a: Abstract, b: Abstract) -> bool:
    """Whether two trees are certainly the same."""
    if a is b:
        return True
    if isinstance(a, Struct) and isinstance(b, Struct):
        shown = a.live is b.live  # else of two containers, which may change apart
        return shown and same_form(a, b) and all(map(same, a.items, b.items))
    if isinstance(a, Closure) and isinstance(b, Closure):
        return a.node is b.node and a.scope is b.scope
    if isinstance(a, Bound) and isinstance(b, Bound):
        return (
            same(a.fn, b.fn)
            and len(a.args) == len(b.args)
            and all(map(same, a.args, b.args))
            and a.keywords.keys() == b.keywords.keys()
            and all(same(a.keywords[k], b.keywords[k]) for k in a.keywords)
        )
    return isinstance(a, Expr) and isinstance(b, Expr) and a == b


def same_form(a: Struct, b: Struct) -> bool:
    """Whether two structures have the same type and keys."""
    return type(a) is type(b) and a.type is b.type and a.keys == b.keys


def undefined_like(tree: Abstract) -> Abstract:
    """The tree with every leaf undefined."""
    return map_leaves(tree, lambda _: UNDEF)


def values(tree: Abstract) -> Iterator[Value]:
    """The values at the leaves of a tree."""
    for leaf in leaves(tree):
        if isinstance(leaf, Ref):
            yield leaf.value


def is_user_object(tree: Abstract) -> bool:
    """Whether a tree is an instance of a class of the user's, known part by part."""
    if isinstance(tree, Object):
        return True
    return isinstance(tree, Struct) and not issubclass(tree.type, (tuple, list, dict))


def has_own(tree: Abstract, *names: str) -> bool:
    """Whether syntax calls methods of the user's: of an object of the user's class, or
    of a named tuple whose class defines one of these."""
    if is_user_object(tree):
        return True
    own = (types.FunctionType, LocalMember)
    return isinstance(tree, Struct) and any(
        isinstance(getattr(tree.type, name, None), own) for name in names
    )
