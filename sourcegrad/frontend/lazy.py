"""Generator expressions, `map` and `filter` whose items have effects, or are read late.

A reader that stops early leaves the rest undone, so they are generators built into the
loop that reads them; those without effects are lists, which nobody can tell apart. So
are those that are given a name, or handed on, where something changes before they are
read.

    log = []                                    found = False
    any(log.append(v) or v > a for v in x)  ->  for v in x:
                                                    log.append(v)
                                                    if v > a:
                                                        found = True
                                                        break
"""

from __future__ import annotations

import builtins
import functools
import types
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.analysis.writes import writes_outside
from sourcegrad.frontend import iterators, library, tables
from sourcegrad.frontend.binding import is_star
from sourcegrad.frontend.changing import (
    changes,
    changes_behind,
    changes_somewhere,
)
from sourcegrad.frontend.cursors import is_cursor
from sourcegrad.frontend.generators import Generator, Generators
from sourcegrad.frontend.library_kinds import is_hashable
from sourcegrad.frontend.structs import (
    Abstract,
    Closure,
    Listing,
    Mapping,
    Object,
    Struct,
    same,
)
from sourcegrad.ir import Effect, Expr, Lit, Obj
from sourcegrad.ir_walk import walk

_ITEMS = "$items"
# What stops reading as soon as it knows its answer.
_STOPS = {builtins.any: library.any_of, builtins.all: library.all_of}
# What calls a function for each item as soon as that is read.
_ALONG = {
    (functools.reduce, 2): library.reduced_along,
    (functools.reduce, 3): library.reduced_from,
    (builtins.max, 1, "key"): library.largest_along,
    (builtins.min, 1, "key"): library.smallest_along,
}
# What reads all that there is, so that a list does as well.
_READ_ALL = frozenset({list, tuple, set, frozenset, dict, sum, max, min, sorted})


class Lazy(Generators):
    """Builds iterators that are read in step with what they do."""

    def expr_GeneratorExp(self, node: Any) -> Abstract:
        if self.deriving:
            return self.listed(node)
        late = ("late", node) in self.context.derived
        if late or self.acts(node, lambda: self.listed(node)):
            return self.generator_expression(node)
        return self.listed(node)

    def expr_Compare(self, node: Any) -> Abstract:
        sides = [node.left, *node.comparators]
        if not isinstance(node.ops[0], _ORDERS) or not any(map(self.is_keys, sides)):
            return super().expr_Compare(node)
        left, *others = map(self.keys_as_set, sides)
        new = gast.Compare(left=left, ops=node.ops, comparators=others)
        return super().expr_Compare(gast.copy_location(new, node))

    def is_keys(self, node: Any) -> bool:
        """Whether a node is `d.keys()` of a dict, which compares as a set."""
        if not (_is_view(node) and node.func.attr == "keys"):
            return False
        if not tables.is_quiet(node.func.value) or self.deriving:
            return False
        with self.passively():
            held = self.expr(node.func.value)
        if isinstance(held, Object):
            return isinstance(held, Mapping) or held.type in tables.CLASSES
        return isinstance(held, Struct) and held.is_dict

    def keys_as_set(self, node: Any) -> Any:
        """The keys of a dict as a set; any other node as it is."""
        if not self.is_keys(node):
            return node
        key = "keys as a set", node
        if key not in self.context.derived:
            made = gast.Call(func=syntax.name("set"), args=[node], keywords=[])
            gast.copy_location(made.func, node)
            self.context.derived[key] = gast.copy_location(made, node)
        return self.context.derived[key]

    def expr_List(self, node: Any) -> Abstract:
        self.mark_parts(node)
        return super().expr_List(node)

    def expr_Tuple(self, node: Any) -> Abstract:
        self.mark_parts(node)
        return super().expr_Tuple(node)

    def expr_Dict(self, node: Any) -> Abstract:
        self.mark_parts(node)
        return super().expr_Dict(node)

    def arguments(self, node: Any, fn: Any = None) -> Any:
        given = [*node.args, *(k.value for k in node.keywords)]
        late = self.mark_beside(node)
        if isinstance(fn, Obj) and is_hashable(fn.obj) and fn.obj in _READ_ALL:
            for arg in (a for a in node.args if a not in late):
                self.context.derived["acts", arg] = False
        elif fn is not None and (made := _is_class(fn) or self.is_followed(fn)):
            for arg in given:
                self.mark_late(arg, kept=made is True)
        return super().arguments(node, fn)

    def stmt_Assign(self, stmt: Any) -> None:
        kept = not all(isinstance(t, gast.Name) for t in stmt.targets)
        self.mark_late(stmt.value, kept)
        super().stmt_Assign(stmt)

    def stmt_Return(self, stmt: Any) -> None:
        self.mark_late(stmt.value)
        super().stmt_Return(stmt)

    def stmt_For(self, stmt: Any) -> None:
        if isinstance(stmt.iter, gast.GeneratorExp) or _calls(stmt.iter, *_READ_LATE):
            self.mark_late(stmt.iter)
        super().stmt_For(stmt)

    def mark_late(self, node: Any, kept: bool = False) -> None:
        """An iterator, or a view of a dict, is read later than here: that matters where
        what it reads may change, or where it is kept as a part of something, so that
        nobody sees how often it is read.

        Args:
            node: what a statement binds, or a callee gets.
            kept: whether it becomes part of a container or an object.
        """
        if isinstance(node, gast.IfExp):
            self.mark_late(node.body, kept)
            self.mark_late(node.orelse, kept)
        elif isinstance(node, gast.NamedExpr):
            self.mark_late(node.value, kept)
        lazy = isinstance(node, gast.GeneratorExp) or _calls(node, *_ITERATORS)
        if not (lazy or _is_view(node)) or self.deriving:
            return
        if kept or self.changes_meanwhile(node):
            self.context.derived["late", node] = "kept" if kept else "named"
            for part in _read_by(node):
                self.mark_late(part, kept=True)
        else:
            self.context.derived["still", node] = True

    def mark_beside(self, node: Any) -> list[Any]:
        """The operands of a call that are read once the others are evaluated, which
        may change what they read."""
        given = [*node.args, *(k.value for k in node.keywords)]
        late = [
            arg
            for k, arg in enumerate(node.args)
            if any(map(self.may_act, given[k + 1 :]))
        ]
        for arg in late:
            self.mark_late(arg, kept=True)
        return late

    def mark_parts(self, node: Any) -> None:
        """The parts of a display are kept in it."""
        for part in node.values if isinstance(node, gast.Dict) else node.elts:
            self.mark_late(part, kept=True)

    def changes_meanwhile(self, node: Any) -> bool:
        """Whether the function around may change what an iterator reads."""
        source = self.scope.source
        if source is None:
            return False
        if _is_view(node):
            return len(self.stack) > 1 or changes_behind(
                source.tree, node, self.is_quiet_call
            )
        return changes_somewhere(source.tree, node, self.is_quiet_call)

    def may_act(self, node: Any) -> bool:
        """Whether an expression may change what another one reads."""
        return any(
            isinstance(n, gast.NamedExpr)
            or isinstance(n, gast.Call)
            and (changes(n) or not self.is_quiet_call(n.func))
            for n in gast.walk(node)
        )

    def is_quiet_call(self, func: Any) -> bool:
        """Whether a call of a name is one of a builtin or of a library."""
        if self.scope.is_rule:
            return True
        names = []
        while isinstance(func, gast.Attribute):
            names.append(func.attr)
            func = func.value
        if not isinstance(func, gast.Name) or self.scope.fn is None:
            return False
        if not names and hasattr(builtins, func.id):
            return True
        held = self.scope.fn.__globals__.get(func.id)
        for name in reversed(names):
            held = getattr(held, name, None)
        return held is not None and self.is_library(held)

    def listed(self, node: Any) -> Abstract:
        """A generator expression as the list of its items."""
        return super().expr_GeneratorExp(node)

    def call_object(self, fn: Obj, args: Any, kw: Any, node: Any) -> Any:
        if self.deriving or not is_hashable(fn.obj):
            return super().call_object(fn, args, kw, node)
        if fn.obj is zip and len(args) == 1 and not kw and is_star(args[0]):
            rows = [args[0].args[0]]
            return self.generator_of(Obj(iterators.columns, "columns"), rows, {}, node)
        late = self.context.derived.get(("late", node))
        if late is not None and fn.obj in _STEPS:
            made = self.stepped(fn, args, kw, late == "kept", node)
            if made is not None:
                return made
        along = _ALONG.get((fn.obj, len(args), *kw))
        if along is not None and any(map(self.is_unread, args)):
            with self.actively():
                return self.inline_library(along, [*args, *kw.values()], node)
        if kw:
            return super().call_object(fn, args, kw, node)
        lazily = _LAZY.get((fn.obj, min(len(args), 3)))
        if lazily is not None and (late or self.is_followed(args[0])):
            if late is not None or self.acts(node, lambda: self.called(fn, args, node)):
                return self.generator_of(Obj(lazily, fn.path), args, {}, node)
        stop = _STOPS.get(fn.obj)
        if stop is not None and len(args) == 1 and self.is_unread(args[0]):
            with self.actively():
                return self.inline_library(stop, args, node)
        return super().call_object(fn, args, kw, node)

    def stepped(
        self, fn: Obj, args: Any, kw: Any, kept: bool, node: Any
    ) -> Abstract | None:
        """`enumerate`, `zip`, `reversed` or `iter` that is read later, as a generator:
        where it is kept, or reads what is known part by part and may change."""
        read = any(is_cursor(a) or self.is_unread(a) for a in args)
        known = any(map(_shows, args))
        if read or not (known or kept or fn.obj is reversed):
            return None
        if fn.obj is iter:
            if not known or len(args) > 1:
                return None
            return self.generator_of(Obj(iterators.walked, "walked"), args, {}, node)
        make: Any = iterators.numbered
        given = [*args, *kw.values()]
        if fn.obj is reversed:
            count = self.call_object(Obj(len, "len"), args, {}, node)
            make, given = iterators.backwards, [*args, self.settle(count)]
        elif fn.obj is enumerate:
            given += [Lit(0)] * (len(given) < 2)
        elif (
            kw.get("strict", Lit(False)) != Lit(False)
            or len(args) not in iterators.IN_STEP
        ):
            raise self.unsupported(
                node, "a zip like this that is read later", "make a list of it: list(…)"
            )
        else:
            make, given = iterators.IN_STEP[len(args)], args
        return self.generator_of(Obj(make, make.__name__), given, {}, node)

    def call_function(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        view = tables.VIEWS.get(fn.obj)
        if view is not None and ("late", node) in self.context.derived:
            return self.construct(Obj(view, view.__name__), args, {}, node)
        return super().call_function(fn, args, kw, node)

    def call_method(
        self, base: Any, name: str, args: list[Abstract], kw: Any, node: Any
    ) -> Abstract:
        # `extend`, `update`, `join`: a method of a container reads all of a generator.
        args = [self.elements(a, node) if self.is_unread(a) else a for a in args]
        return super().call_method(base, name, args, kw, node)

    def extend(self, base: Abstract, more: Abstract, node: Any) -> None:
        super().extend(
            base, self.elements(more, node) if self.is_unread(more) else more, node
        )

    def not_a_value(self, tree: Any) -> Exception:
        what = "an object or a generator used like this"
        return self.unsupported(None, what, "hand over its numbers, or list(…) of it")

    def called(self, fn: Obj, args: Any, node: Any) -> Abstract:
        """The items of `map` or `filter` as a list."""
        return super().call_object(fn, args, {}, node)

    def is_followed(self, fn: Abstract) -> bool:
        """Whether what a function does is seen by the compiler."""
        if not isinstance(fn, Obj):
            return not isinstance(fn, Expr)
        return isinstance(fn.obj, types.FunctionType) and not self.is_library(fn.obj)

    def acts(self, node: Any, build: Any) -> bool:
        """Whether making the items does more than that, found by building it aside."""
        if isinstance(node, gast.GeneratorExp) and not any(
            isinstance(n, (gast.Call, gast.NamedExpr, gast.Await))
            for n in gast.walk(node)
        ):
            return False
        known = self.context.derived.get(("acts", node))
        if known is not None:
            return bool(known)
        start = dict(self.env)
        with self.aside() as region:
            with self.actively():
                build()
            changed = any(
                key in self.env and not same(held, self.env[key])
                for key, held in start.items()
            )
            changed = changed or any(
                key not in start and not self.is_private(key, start) for key in self.env
            )
        effects = any(isinstance(s, Effect) for s in walk(region))
        found = changed or effects or writes_outside(region)
        self.context.derived["acts", node] = found
        return found

    def generator_expression(self, node: Any) -> Generator:
        """A generator expression as the inner function that Python makes of it: its
        first iterable is evaluated now, all else where it is read."""
        key = "generator", node
        if key not in self.context.derived:
            self.context.derived[key] = _function(node)
        self.scope.has_closures = True
        closure = Closure(self.context.derived[key], self.scope, [], [], "items")
        first = self.settle(self.expr(node.generators[0].iter))
        found = self.call_closure(closure, [first], {}, node)
        assert isinstance(found, Generator)
        return found


_LAZY: dict[Any, Any] = {
    (map, 2): iterators.mapped,
    (map, 3): iterators.mapped_several,
    (filter, 2): iterators.filtered,
}


def _calls(node: Any, *names: str) -> bool:
    named = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    return named and node.func.id in names and bool(node.args)


def _is_view(node: Any) -> bool:
    """Whether a node is `x.values()`, `x.items()` or `x.keys()`."""
    method = node.func if isinstance(node, gast.Call) and not node.args else None
    return isinstance(method, gast.Attribute) and method.attr in _VIEWS


_ORDERS = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_VIEWS = ("values", "items", "keys")
_READ_LATE = ("map", "filter")
_ITERATORS = (*_READ_LATE, "enumerate", "zip", "reversed", "iter")
_STEPS = (enumerate, zip, reversed, iter)


def _read_by(node: Any) -> list[Any]:
    """What an iterator reads."""
    if isinstance(node, gast.GeneratorExp):
        return [node.generators[0].iter]
    return list(node.args)


def _shows(tree: Abstract) -> bool:
    """Whether a tree is a container that is known part by part and may change, or a
    view of one."""
    if isinstance(tree, Object):
        kinds = (*tables.CLASSES, *tables.VIEWS.values())
        return isinstance(tree, (Listing, Mapping)) or tree.type in kinds
    return isinstance(tree, Struct) and tree.live is not None


def _is_class(fn: Any) -> bool:
    """Whether a call of something makes an object, and no iterator."""
    if not isinstance(fn, Obj) or not isinstance(fn.obj, type):
        return False
    return fn.obj.__name__ not in _ITERATORS or fn.obj.__module__ != "builtins"


def _function(node: gast.GeneratorExp) -> gast.FunctionDef:
    """The generator function that a generator expression stands for."""
    body: Any = gast.Expr(value=gast.Yield(value=node.elt))
    for k, part in reversed(list(enumerate(node.generators))):
        for test in reversed(part.ifs):
            body = gast.If(test=test, body=[body], orelse=[])
        items = gast.Name(
            id=_ITEMS, ctx=gast.Load(), annotation=None, type_comment=None
        )
        body = gast.For(target=part.target, iter=part.iter if k else items, body=[body],
                        orelse=[], type_comment=None)  # fmt: skip
    bound = [n.target.id for n in gast.walk(node) if isinstance(n, gast.NamedExpr)]
    outside = [gast.Nonlocal(names=list(dict.fromkeys(bound)))] if bound else []
    param = gast.Name(id=_ITEMS, ctx=gast.Param(), annotation=None, type_comment=None)
    given = gast.arguments(args=[param], posonlyargs=[], vararg=None, kwonlyargs=[],
                           kw_defaults=[], kwarg=None, defaults=[])  # fmt: skip
    made = gast.FunctionDef(name="items", args=given, body=[*outside, body],
                            decorator_list=[], returns=None, type_comment=None,
                            type_params=[])  # fmt: skip
    for part in gast.walk(made):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return made
