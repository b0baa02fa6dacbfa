"""What two paths leave behind, under one name each: the phis of a branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import KindError, NonDifferentiableError
from sourcegrad.frontend import variants
from sourcegrad.frontend.expressions import Expressions
from sourcegrad.frontend.live import is_shown
from sourcegrad.frontend.scope import RETURN, STOP, VALUE, Scope
from sourcegrad.frontend.snapshots import (
    Perhaps,
    Place,
    closed,
    freeze,
    nothing,
    opened,
    perhaps,
    place,
    placed,
)
from sourcegrad.frontend.structs import (
    Abstract,
    Choice,
    Object,
    Poison,
    Struct,
    is_function,
    leaves,
    same,
    same_form,
    undefined_like,
)
from sourcegrad.ir import (
    UNDEF,
    Expr,
    If,
    Lit,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Undef,
    Value,
    call,
)
from sourcegrad.kinds import BOOL, NONE, Bottom, ListKind, Num, join, strip
from sourcegrad.names import identifier


class Merging(Expressions):
    """Merges what the arms of a branch bind.

    `frozen` are the objects that joined ones were made of, and those.
    """

    frozen: set[Object]
    merged: set[Value]

    def branch(
        self, cond: Expr, then: Callable[[], None], orelse: Callable[[], None]
    ) -> If:
        """Build both arms and merge what they bind."""
        cond = self.atom(cond, None)
        if isinstance(cond, Ref) and has_memory(cond.value):  # which may change
            with self.passively():
                cond = self.atom(self.truth_of(cond))
        if isinstance(cond, Ref) and cond.value.name == "t":
            cond.value.name = "cond"
        where = self.where
        start = self.env
        arms = []
        for build in (then, orelse):
            self.env, region = dict(start), Region()
            with self.inside(region):
                build()
            arms.append((region, self.env))
            self.where = where
        (r1, e1), (r2, e2) = arms
        stmt = If(cond, r1, r2, where=where)
        self.append(stmt)
        self.env = self.merge(stmt, start, e1, e2)
        return stmt

    def refuse_where(self, test: Expr, message: str) -> None:
        """Raise an error at run time where a test holds."""
        kind = self.binder.bind(KindError, "KindError")

        def refuse() -> None:
            node = gast.parse("raise kind(text)").body[0]
            held = (kind, Lit(message))
            self.append(Plain(node, ("kind", "text"), held, raises=True))
            self.region.ends = True

        self.branch(test, refuse, lambda: None)

    def truth_of(self, held: Ref) -> Expr:
        """Whether a list has items, or what else makes an object true."""
        if isinstance(held.value.kind, ListKind) and not held.value.maybe_undefined:
            count = call(self.binder.bind(len, "len"), held)
            return Op("compare", (count, Lit(0)), (">",))
        return call(self.binder.bind(bool, "bool"), held)

    def merge(self, stmt: If, start: Any, e1: Any, e2: Any) -> Any:
        """The environment after a branch."""
        r1, r2 = stmt.then, stmt.orelse
        if r1.ends and r2.ends:
            self.region.ends = True
            return e1
        env = dict(start)
        for key in {**e1, **e2}:
            a, b = e1.get(key, UNDEF), e2.get(key, UNDEF)
            if same(a, b):
                env[key] = a
            elif r1.ends or r2.ends:
                env[key] = self.only(stmt, key, b if r1.ends else a, r1.ends)
            else:
                env[key] = self.phi_opened(stmt, key, (a, e1), (b, e2), env)
        return env

    def phi_opened(self, stmt: If, key: Any, a: Any, b: Any, env: Any) -> Abstract:
        """One name for what either arm binds; objects are joined part by part."""
        if key == (self.scope, RETURN):  # a function that just ends returns None
            a, b = (_returned(a[0]), a[1]), (_returned(b[0]), b[1])
        if placed(a[0]) is a[0] and placed(b[0]) is b[0] and UNDEF in (a[0], b[0]):
            return self.phi(stmt, key, a[0], b[0])
        for held, other in ((a[0], b[0]), (b[0], a[0])):
            if isinstance(held, Ref) and variants.is_object(other):
                self.follow_container(held)
        first, second = opened(*a), opened(*b)
        merged = self.phi(stmt, key, first, second)
        unknown = isinstance(merged, Poison) and merged.wanted is None
        if unknown and variants.are_variants(first, second):
            merged = variants.joined(self, stmt, key, first, second)
        if not isinstance(merged, Poison):
            freeze(first, self.frozen)
            freeze(second, self.frozen)
        return closed(merged, env, self.where, self.frozen)

    def follow_container(self, base: Expr) -> None:
        """See `Stores`."""
        raise AssertionError("Stores provides it")

    def only(self, stmt: If, key: Any, tree: Abstract, first_ends: bool) -> Abstract:
        """What a name holds after a branch of which one arm raises."""
        tree = placed(tree)
        other = undefined_like(tree)
        pair = (other, tree) if first_ends else (tree, other)
        merged = self.phi(stmt, key, *pair)
        for leaf, held in zip(leaves(merged), leaves(tree), strict=True):
            if isinstance(leaf, Ref) and leaf != held:
                leaf.value.maybe_undefined = self.may_be_missing(held)
        return closed(merged, self.env, self.where, self.frozen)

    def alike(self, a: Abstract, b: Abstract) -> tuple[Abstract, Abstract]:
        """What two paths bind, where None stands beside a record or a structure."""
        if self.is_none(a) and self.may_be_none(b):
            return self.none_as(a, b), self.there(b)
        if self.is_none(b) and self.may_be_none(a):
            return self.there(a), self.none_as(b, a)
        if isinstance(a, Perhaps) != isinstance(b, Perhaps):
            if self.may_be_none(a) and self.may_be_none(b):
                return self.there(a), self.there(b)
        return a, b

    def none_as(self, none: Abstract, form: Abstract) -> Abstract:
        """None as a structure of another one's form."""
        if isinstance(form, Place):
            return place(form.arena, none)
        return nothing(form)

    def there(self, tree: Abstract) -> Abstract:
        """A structure that may be None, and is not."""
        if isinstance(tree, (Place, Perhaps)):
            return tree
        return perhaps(Lit(True), tree)

    def may_be_none(self, tree: Abstract) -> bool:
        """Whether a name may hold None in the place of this."""
        if isinstance(tree, (Place, Perhaps)):
            return True
        flat = isinstance(tree, Struct) and tree.is_sequence and not is_shown(tree)
        return flat and _depth(tree) <= _DEEPEST

    def is_none(self, tree: Abstract) -> bool:
        """Whether a name certainly holds None."""
        held = isinstance(tree, (Lit, Ref, Obj))
        return held and self.infer(tree) == NONE  # type: ignore[arg-type]

    def may_be_missing(self, e: Expr) -> bool:
        """Whether a name may hold nothing, or None."""
        if isinstance(e, Ref) and e.value.maybe_undefined:
            return True
        if isinstance(e, Op) and e.op == "ifexp":
            return any(map(self.may_be_missing, e.args[1:]))
        return isinstance(e, Undef) or self.infer(e) == NONE

    def phi(self, stmt: If, key: Any, a: Abstract, b: Abstract) -> Abstract:
        """One name for what either arm binds."""
        a, b = self.alike(a, b)
        if self.is_nothing(a) and not isinstance(b, Expr):
            a = undefined_like(b)
        if self.is_nothing(b) and not isinstance(a, Expr):
            b = undefined_like(a)
        if same(a, b):
            return a
        if (a, b) == (Lit(True), Lit(False)) and key != STOP:
            if self.infer(stmt.cond) == BOOL:
                return stmt.cond
        joined = not (is_shown(a) or is_shown(b))
        if (
            joined
            and isinstance(a, Struct)
            and isinstance(b, Struct)
            and same_form(a, b)
        ):
            items = [
                self.phi(stmt, (key, k), i, j)
                for k, i, j in zip(a.keys, a.items, b.items, strict=True)
            ]
            site = a.site
            if a.site != b.site:
                lists = a.type is list and None not in (a.site, b.site)
                site = ("several", a.site, b.site) if lists else None
            return replace(a, items=items, origin=None, site=site)
        if is_function(a) and is_function(b):
            return Choice(stmt.cond, a, b)
        if isinstance(a, Expr) and isinstance(b, Expr) and _is_leaf(a) and _is_leaf(b):
            return self.phi_leaf(stmt, key, a, b)
        for tree in (a, b):
            if isinstance(tree, Poison) and tree.wanted is not None:
                return tree
        self.same_lists(a, b)
        return Poison(
            "holds different things on the two paths that lead here",
            self.where,
            held=(a, b),
        )

    def is_nothing(self, tree: Abstract) -> bool:
        """Whether a name is certainly not bound, as before the first trip of a loop."""
        if not isinstance(tree, (Undef, Ref)):
            return False
        return isinstance(self.infer(tree), Bottom)

    def phi_leaf(self, stmt: If, key: Any, a: Expr, b: Expr) -> Expr:
        kind = join(strip(self.infer(a)), strip(self.infer(b)))
        shape = getattr(self.infer(a), "shape", None)
        if isinstance(kind, Num) and shape is not None:
            if getattr(self.infer(b), "shape", None) == shape:
                kind = self.infer(a)
        varied = any(isinstance(e, Ref) and e.value.varied for e in (a, b))
        value = self.value(key_name(key), kind, varied and self.may_vary(kind))
        value.maybe_undefined = self.may_be_missing(a) or self.may_be_missing(b)
        value.temp = key_name(key).startswith("$")
        self.merged.add(value)
        if value.temp:
            value.name = value.name.strip("$")
        stmt.then.yields.append(a)
        stmt.orelse.yields.append(b)
        stmt.results.append(value)
        return Ref(value)

    def may_vary(self, kind: Any) -> bool:
        """Whether a part of a varied whole can be varied itself."""
        from sourcegrad.kinds import differentiable

        return differentiable(kind)

    def same_lists(self, a: Abstract, b: Abstract) -> None:
        """See `Lists`."""
        raise AssertionError

    def choose(
        self, cond: Expr, taken: Callable[[], Abstract], other: Callable[[], Abstract]
    ) -> Abstract:
        """A value that depends on a condition."""

        def arm(build: Callable[[], Abstract]) -> Callable[[], None]:
            def run() -> None:
                self.env[VALUE] = self.settle(build())

            return run

        self.branch(cond, arm(taken), arm(other))
        result = self.env.pop(VALUE)
        if isinstance(result, Poison):
            raise self.error(NonDifferentiableError, f"this {result.reason}")
        return result


# What a recursion returns may hold what its own calls return, without an end.
_DEEPEST = 3


def _depth(tree: Abstract) -> int:
    """How many structures are in each other."""
    if not isinstance(tree, Struct):
        return 0
    return 1 + max(map(_depth, tree.items), default=0)


def _returned(tree: Abstract) -> Abstract:
    return Lit(None) if isinstance(tree, Undef) else tree


def _is_leaf(expr: Expr) -> bool:
    return not (isinstance(expr, Obj) and callable(expr.obj))


def key_name(key: Any) -> str:
    """A readable name for a key of the environment."""
    if isinstance(key, tuple) and len(key) == 2:
        owner, name = key
        if name == "":  # the place of a record
            return key_name(owner)
        if isinstance(owner, tuple):
            return f"{key_name(owner)}_{name}"
        if isinstance(owner, Scope) and name == RETURN:
            return owner.name
        text = str(name)
        if text.startswith("$") or text.isidentifier():
            return text
        return f"item_{identifier(text).lstrip('_')}"
    return str(key)
