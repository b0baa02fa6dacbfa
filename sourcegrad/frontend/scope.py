"""Scopes, the objects generated code refers to, and the guards on them."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from sourcegrad.frontend.reads import (
    CellRead,
    Fixed,
    GlobalRead,
    Guard,
    builtins_of,
    is_data,
)
from sourcegrad.frontend.structs import Abstract
from sourcegrad.ir import Obj
from sourcegrad.kinds import kind_of
from sourcegrad.names import RESERVED, fresh, identifier
from sourcegrad.source.find import Source

# Keys of the environment that are no names of the program.
STOP = "$stop"
RETURN = "$return"
VALUE = "$value"


@dataclass(eq=False)
class Scope:
    """One activation of a function while it is built.

    Names in `locals` live in the environment under keys `(scope, name)`; `place` is
    the call that a builtin's body is built in for; where it `folds`, conditions of
    literals are decided when compiling, and where it `decides`, those of kinds;
    `reader` takes what a generator yields.
    """

    name: str
    source: Source | None
    locals: set[str]
    fn: types.FunctionType | None
    parent: Scope | None = None
    outer: dict[str, Scope] = field(default_factory=dict)
    is_rule: bool = False
    has_closures: bool = False
    place: Any = None
    folds: bool = False
    reader: Reader | None = None
    decides: bool = False

    def __repr__(self) -> str:
        return f"<scope {self.name}>"


@dataclass(eq=False)
class Reader:
    """What reads a generator: the scope, calls and handlers it stands in, what it does,
    and whether its exceptions are thrown into the generator, as `with` does."""

    scope: Scope
    stack: list[Any]
    visit: Callable[[Abstract], None]
    catcher: Any = None
    throws: bool = False


class Binder:
    """Gives every object of the user's world that generated code names one name.

    The same object has the same name everywhere; two objects of one name (from two
    modules) get two names. Data is told apart by where it is read, too: two modules or
    closures may hold one number now, and one of them another one later.
    """

    def __init__(self) -> None:
        self.roots: dict[str, Any] = {}
        self.by_id: dict[int, str] = {}
        self.guards: list[Guard] = []
        self.readers: dict[str, Callable[[], Any]] = {}
        self.parts = 0  # of the container that is opened
        self.met: dict[int, Obj] = {}  # objects in such containers
        self.cells: dict[str, types.CellType] = {}
        self.taken: set[str] = set()
        self._guarded: set[Any] = set()
        self._renamed: dict[Any, str] = {}
        self._origins: dict[str, Any] = {}

    def reserve(self, name: str, obj: Any = None) -> None:
        """Keep a name for a parameter, which holds this function or class if given."""
        self.taken.add(name)
        if obj is not None and not is_data(obj):
            self.roots[name] = obj
            self.by_id[id(obj)] = name

    def bind(self, obj: Any, name: str, origin: Any = None) -> Obj:
        """An expression that names the object, by `name` if that is free.

        Args:
            obj: the object.
            name: the wanted name.
            origin: for data, what tells the place that it is read from.
        """
        data = is_data(obj)
        name = identifier(name) if "<" in name else name  # a lambda
        if not data and id(obj) in self.by_id:
            return Obj(obj, self.by_id[id(obj)])
        if getattr(builtins, name, self) is obj and name not in self.taken:
            return Obj(obj, name)
        key = (id(obj), name, origin if data else None)
        name = self._renamed.get(key, name)
        same = self.roots.get(name, self) is obj
        if not same or data and self._origins.get(name) != origin:
            if name in self.roots or name in self.taken or name in RESERVED:
                name = fresh(identifier(name), self.taken)
                self._renamed[key] = name
        self.roots[name] = obj
        self.taken.add(name)
        if data:
            self._origins[name] = origin
        else:
            self.by_id[id(obj)] = name
        return Obj(obj, name)

    def global_(self, fn: types.FunctionType, name: str) -> Obj:
        """The global `name` as function `fn` sees it, guarded.

        Raises:
            KeyError: there is no such global or builtin.
        """
        space = fn.__globals__
        if name not in space:
            obj = builtins_of(space)[name]
            self.guard(("g", id(space), name), name, GlobalRead(space, name), obj)
            return self.bind(obj, name)
        obj, origin = space[name], ("g", id(space), name)
        bound = self.bind(obj, name, origin)
        self.guard(origin, bound.path, GlobalRead(space, name), obj)
        return bound

    def cell(self, fn: types.FunctionType, name: str) -> Obj:
        """What the closure cell `name` of `fn` holds, guarded.

        Raises:
            KeyError: `fn` has no such cell, or it is empty.
        """
        index = fn.__code__.co_freevars.index(name)
        cell = (fn.__closure__ or ())[index]
        try:
            obj = cell.cell_contents
        except ValueError:
            raise KeyError(name) from None
        bound = self.bind(obj, name, ("c", id(cell)))
        if is_data(obj):
            self.cells.setdefault(bound.path, cell)
        self.guard(("c", id(cell)), bound.path, CellRead(cell), obj)
        return bound

    def guard(self, key: Any, path: str, read: Callable[[], Any], obj: Any) -> None:
        """Record that compiled code relies on what `read` gives, found at a path."""
        if is_data(obj):
            self.readers.setdefault(path, read)
        if key not in self._guarded:
            self._guarded.add(key)
            kind = kind_of(obj) if is_data(obj) else None
            self.guards.append(Guard(path, read, obj, kind))

    def reader(self, whole: Obj) -> Callable[[], Any]:
        """Reads what is found now where an object of the user's world was found; one
        that was found nowhere is that object always."""
        return self.readers.get(whole.path) or Fixed(whole.obj)


def assigned_names(stmts: Any) -> dict[str, None]:
    """Names that statements bind in their own scope, in order of first binding."""
    found: dict[str, None] = {}
    _collect(stmts, found)
    return found


def _collect(node: Any, found: dict[str, None]) -> None:
    if isinstance(node, (list, tuple)):
        for item in node:
            _collect(item, found)
    elif isinstance(node, gast.Name):
        if isinstance(node.ctx, (gast.Store, gast.Del)):
            found.setdefault(node.id)
    elif isinstance(node, (gast.FunctionDef, gast.ClassDef, gast.AsyncFunctionDef)):
        found.setdefault(node.name)
    elif isinstance(node, gast.Lambda):
        return
    elif isinstance(
        node, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)
    ):
        for inner in gast.walk(node):  # a walrus inside binds outside
            if isinstance(inner, gast.NamedExpr):
                _collect(inner.target, found)
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        for alias in node.names:
            found.setdefault((alias.asname or alias.name).split(".")[0])
    elif isinstance(node, gast.AST):
        for child in gast.iter_child_nodes(node):
            _collect(child, found)
        for attribute in ("rest", "name"):  # match patterns keep names as strings
            name = getattr(node, attribute, None)
            if isinstance(name, str) and type(node).__name__.startswith("Match"):
                found.setdefault(name)


def declared(stmts: Any, kind: Any) -> set[str]:
    """Names in `nonlocal` or `global` statements of this scope."""
    found: set[str] = set()
    stack = list(stmts)
    while stack:
        node = stack.pop()
        if isinstance(node, kind):
            found.update(node.names)
        elif not isinstance(node, (gast.FunctionDef, gast.Lambda, gast.ClassDef)):
            stack.extend(gast.iter_child_nodes(node))
    return found


def parameters(args: Any) -> list[str]:
    """The names of all parameters of a gast `arguments` node, in order."""
    names = [a.id for a in [*args.posonlyargs, *args.args]]
    if args.vararg:
        names.append(args.vararg.id)
    names += [a.id for a in args.kwonlyargs]
    if args.kwarg:
        names.append(args.kwarg.id)
    return names


Env = dict[Any, Abstract]
