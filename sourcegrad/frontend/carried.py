"""What a loop carries, found by building its body until nothing changes."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from sourcegrad.frontend.checkpoint_loops import is_counted
from sourcegrad.frontend.live import is_shown
from sourcegrad.frontend.merging import key_name
from sourcegrad.frontend.scope import STOP
from sourcegrad.frontend.snapshots import (
    Perhaps,
    Place,
    closed,
    freeze,
    holds_object,
    opened,
)
from sourcegrad.frontend.structs import (
    Abstract,
    Object,
    Pointer,
    Poison,
    Struct,
    leaves,
    refilled,
    same,
    same_form,
    undefined_like,
)
from sourcegrad.frontend.unrolling import Unrolling
from sourcegrad.ir import UNDEF, Expr, Lit, Loop, Obj, Ref, Region, Undef, Value
from sourcegrad.ir_walk import region_uses
from sourcegrad.kinds import BOTTOM, NONE, Bottom, Kind, ListKind, Num, join, strip


@dataclass
class _Carried:
    """What the header of a loop is thought to be, per name; `wanted` is the decision to
    build the loop trip by trip, if it can be."""

    start: Any
    wanted: Any = None
    trees: dict[Any, Abstract] = field(default_factory=dict)
    facts: dict[Any, list[tuple[Kind, bool]]] = field(default_factory=dict)


def _is_nothing_yet(tree: Abstract) -> bool:
    """Whether it is the item of a list of which it is not known yet what it holds."""
    return isinstance(tree, Ref) and tree.value.kind == BOTTOM


class Carrying(Unrolling):
    """Builds the loop itself, with the values that its body hands to the next trip."""

    budget: Expr | None = None
    unnamed: Counter[Any]

    # ------------------------------------------------------------ the loop itself

    def loop(
        self,
        sort: str,
        iterable: Expr | None,
        targets: list[Value],
        names: Any,
        body: Callable[[Loop], None],
        pattern: Any = None,
    ) -> None:
        """Build a loop: guess what it carries, build the body, correct, repeat."""
        start, where = self.env, self.where
        budget, self.budget = self.budget, None
        if iterable is not None and not self.is_pure(iterable):
            if budget is None or not is_counted(iterable):
                iterable = self.atom(iterable)
        carried = _Carried(start, self.unrolled_by)
        self.unrolled_by = None
        for name in names:
            key = (self.owner(name), name)
            init = start.get(key, UNDEF)
            if not self.is_list(init):  # `out += …` extends it: the same list remains
                carried.trees[key] = self.header_tree(init)
        counts = Counter(self.unnamed)
        for _ in range(40):
            self.unnamed = Counter(counts)  # each build of the body names as the last
            loop = Loop(sort, targets, iterable, None, [], Region(), where=where)
            loop.nested_target, loop.budget = pattern, budget
            self.env, self.where = dict(start), where
            headers = self.make_headers(loop, carried, start)
            for key, tree in headers.items():
                freeze(carried.trees[key], self.frozen)
                self.env[key] = closed(tree, self.env, where, self.frozen)
            self.env[STOP] = Lit(False)
            self.rolled.append(carried.wanted)
            with self.inside(loop.body), self.in_loop():
                body(loop)
            self.rolled.pop()
            if self.settled(loop, carried, headers, start):
                break
        else:
            raise AssertionError("the values a loop carries do not settle")
        self.where = where
        self.finish_loop(loop, carried, headers, start)

    @contextlib.contextmanager
    def in_loop(self) -> Iterator[None]:
        """What is built inside leaves a loop when an exception is on its way."""
        catcher = self.catcher
        if catcher is not None:
            catcher.loops += 1
        try:
            yield
        finally:
            if catcher is not None:
                catcher.loops -= 1

    def is_list(self, tree: Abstract) -> bool:
        """Whether a name holds a list."""
        if isinstance(tree, Struct):
            return tree.type is list
        return isinstance(tree, Ref) and isinstance(tree.value.kind, ListKind)

    def header_tree(self, init: Abstract) -> Abstract:
        return init

    def make_headers(
        self, loop: Loop, carried: _Carried, start: Any
    ) -> dict[Any, Abstract]:
        """Parameters of the body for every carried leaf."""
        headers: dict[Any, Abstract] = {}
        for key, tree in carried.trees.items():
            facts = carried.facts.setdefault(
                key, [self.fact(leaf) for leaf in leaves(tree)]
            )
            inits = list(leaves(tree))
            params: list[Ref] = []
            for init, (kind, varied) in zip(inits, facts, strict=True):
                param = self.header_value(key_name(key), kind, varied)
                param.maybe_undefined = _undefined(init) or self.infer(init) == NONE
                params.append(Ref(param))
            loop.body.params += [p.value for p in params]
            loop.inits += inits
            headers[key] = refilled(tree, params)
        return headers

    def header_value(self, name: str, kind: Kind, varied: bool) -> Value:
        return self.value(name.strip("$"), kind, varied)

    def fact(self, leaf: Expr) -> tuple[Kind, bool]:
        kind = self.infer(leaf)
        return kind, isinstance(leaf, Ref) and leaf.value.varied

    def settled(self, loop: Loop, carried: _Carried, headers: Any, start: Any) -> bool:
        """Compare the end of the body with the header; correct what was guessed."""
        good = True
        if self.env[STOP] != Lit(False):
            stop = self.env[STOP]
            assert isinstance(stop, Expr)
            loop.body.stop = stop
        if loop.body.ends:
            return True
        for key, tree in list(self.env.items()):
            if key == STOP or key in headers:
                continue
            before = start.get(key, UNDEF)
            if not same(tree, before) and not self.is_private(key, start):
                carried.trees[key] = before
                good = False
        for key, header in headers.items():
            good &= self.check_carried(key, header, carried, loop)
        return good

    def is_private(self, key: Any, start: Any) -> bool:
        """Whether a name bound in the body cannot be seen after the loop."""
        if key in start:
            return False
        scope: Any = self.scope
        while scope is not None:
            if isinstance(key, tuple) and key[0] is scope:
                return False
            # A generator's body holds its reader's; a walrus binds outside
            scope = scope.reader.scope if scope.reader is not None else scope.parent
        return isinstance(key, tuple)

    def check_carried(
        self, key: Any, header: Abstract, carried: _Carried, loop: Loop
    ) -> bool:
        """Whether one carried name ends the body as it was thought to begin it."""
        if isinstance(header, Poison) and header.wanted is not None:
            self.env[key] = header
            return True
        end = self.ending(key, header, carried)
        if is_shown(end) or is_shown(carried.trees[key]):
            return self.not_carried(key, carried, header, end)
        if isinstance(header, Object) and isinstance(end, Object):
            if header is not end and self.open_carried(key, header, end, carried):
                return False
        form = opened(end, self.env)
        start = carried.trees[key]
        if self.may_be_none(form) and self.is_none(start):
            carried.trees[key] = self.none_as(start, form)
            carried.facts.pop(key)
            return False
        if self.may_be_none(header) and not isinstance(header, (Place, Perhaps)):
            if isinstance(form, Perhaps) or self.is_none(end):
                carried.trees[key] = self.there(opened(start, carried.start))
                carried.facts.pop(key)
                return False
        if isinstance(header, (Ref, Undef)) and isinstance(end, Struct):
            init = carried.trees[key]
            if isinstance(init, Undef):
                found = self.unread(key, header, loop)
                carried.trees[key] = found or undefined_like(end)
                carried.facts.pop(key)
                return False
        if isinstance(header, Pointer) and _is_nothing_yet(end):
            self.env[key] = header  # what its list holds is found out in this build
            return True
        if not self.comparable(header, end):
            self.same_lists(header, end)
            return same(header, end) or self.not_carried(key, carried, header, end)
        facts = carried.facts[key]
        good = True
        inits = list(leaves(carried.trees[key]))
        for k, (init, leaf) in enumerate(zip(inits, leaves(end), strict=True)):
            new = self.carried_fact(init, leaf, facts[k])
            if new != facts[k]:
                facts[k], good = new, False
        return good

    def not_carried(self, key: Any, carried: _Carried, *held: Abstract) -> bool:
        """Let a name hold something that cannot be told; whether it did before."""
        poison = self.another(carried, held)
        self.env[key] = poison
        if isinstance(carried.trees[key], Poison):
            return True
        carried.trees[key] = poison
        carried.facts.pop(key, None)
        return False

    def another(self, carried: _Carried, held: tuple[Abstract, ...]) -> Poison:
        """What stands for a name that holds another structure in each trip."""
        return Poison("holds different things in different trips", self.where,
                      carried.wanted, held)  # fmt: skip

    def unread(self, key: Any, header: Expr, loop: Loop) -> Poison | None:
        """What stands for an object that each trip binds anew and none reads from the
        trip before: it is not carried, unless it is read after the loop."""
        wanted = ("read after", self.where, key_name(key))
        if wanted in self.context.derived or not holds_object(self.env.get(key, UNDEF)):
            return None
        if isinstance(header, Ref) and header.value in region_uses(loop.body):
            return None
        return Poison("holds an object of the last trip", self.where, wanted)

    def ending(self, key: Any, header: Abstract, carried: _Carried) -> Abstract:
        """What a carried name holds at the end of the body."""
        end = self.env.get(key, UNDEF)
        if isinstance(end, Undef):
            end = undefined_like(header)
            self.env[key] = end
        opens = isinstance(header, Struct) or isinstance(carried.trees[key], Undef)
        return self.formed(end, header, self.env) if opens else end

    def formed(self, end: Abstract, header: Abstract, env: Any) -> Abstract:
        """What a carried name holds, in the form that the header has."""
        form = opened(end, env)
        if isinstance(header, (Place, Perhaps)) and self.is_none(end):
            return self.none_as(end, header)
        if isinstance(header, Perhaps) and self.may_be_none(form):
            return self.there(form)
        return form

    def open_carried(
        self, key: Any, header: Object, end: Object, carried: _Carried
    ) -> bool:
        """Carry the attributes of an object, since the body makes another one."""
        tree = opened(header, carried.start)
        form = opened(end, self.env)
        if not isinstance(tree, Struct) or not isinstance(form, Struct):
            return False
        carried.trees[key] = tree
        carried.facts.pop(key, None)
        return True

    def comparable(self, header: Abstract, end: Abstract) -> bool:
        if isinstance(header, Struct) and isinstance(end, Struct):
            return same_form(header, end) and all(
                map(self.comparable, header.items, end.items)
            )
        if not isinstance(header, Expr) and same(header, end):
            return True
        leafy = isinstance(header, Expr) and isinstance(end, Expr)
        return leafy and not any(
            isinstance(e, Obj) and callable(e.obj) for e in (header, end)
        )

    def carried_fact(
        self, init: Expr, leaf: Expr, old: tuple[Kind, bool]
    ) -> tuple[Kind, bool]:
        kind, varied = old
        new = self.infer(leaf)
        token = getattr(kind, "shape", None)
        if isinstance(init, Undef):
            token = None
        merged = (
            join(strip(kind), strip(new))
            if not isinstance(kind, Bottom)
            else strip(new)
        )
        if token is not None and isinstance(merged, Num) and merged.flavor == "array":
            if getattr(new, "shape", None) == token:
                merged = replace(merged, shape=token)
        leaf_varied = isinstance(leaf, Ref) and leaf.value.varied
        return merged, varied or leaf_varied

    def finish_loop(
        self, loop: Loop, carried: _Carried, headers: Any, start: Any
    ) -> None:
        """Yields and results, and the environment after the loop."""
        end_env = self.env
        self.env = dict(start)
        for key, header in headers.items():
            end = end_env.get(key, UNDEF)
            if isinstance(header, Struct):
                end = self.formed(end, header, end_env)
                freeze(end, self.frozen)
            if isinstance(end, Undef) or loop.body.ends:
                end = undefined_like(header)
            if not self.comparable(header, end):
                self.env[key] = header if same(header, end) else end
                continue
            loop.body.yields += list(leaves(end))
            results: list[Ref] = []
            for leaf in leaves(header):
                assert isinstance(leaf, Ref)
                value = self.value(
                    leaf.value.name, strip(leaf.value.kind), leaf.value.varied
                )
                value.where = loop.where
                value.maybe_undefined = leaf.value.maybe_undefined
                results.append(Ref(value))
            loop.results += [r.value for r in results]
            tree = refilled(header, results)
            self.env[key] = closed(tree, self.env, loop.where, self.frozen)
        stop = start.get(STOP)
        self.env.pop(STOP, None)
        if stop is not None:
            self.env[STOP] = stop
        self.append(loop)


def _undefined(init: Expr) -> bool:
    """Whether a carried value may have no value at first."""
    return isinstance(init, Undef) or (
        isinstance(init, Ref) and init.value.maybe_undefined
    )
