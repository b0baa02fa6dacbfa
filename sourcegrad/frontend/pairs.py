"""User functions that stay functions: built once per signature, called as a pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import KindError, SourcegradError, UnsupportedSyntaxError
from sourcegrad.frontend.arenas import require_followed
from sourcegrad.frontend.binding import bind_arguments, function_scope
from sourcegrad.frontend.context import Restart, Specialisation
from sourcegrad.frontend.hidden import require_shown
from sourcegrad.frontend.lifting import as_partial
from sourcegrad.frontend.managers import Managers
from sourcegrad.frontend.scope import RETURN
from sourcegrad.frontend.snapshots import (
    Perhaps,
    Place,
    closed,
    freeze,
    holds_object,
    opened,
    placed,
    plain,
)
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Closure,
    Mapping,
    Object,
    Pointer,
    Poison,
    Struct,
    leaves,
    map_leaves,
)
from sourcegrad.frontend.tables import Table
from sourcegrad.ir import CallFn, Expr, Function, Lit, Obj, Ref, Value
from sourcegrad.kinds import BOTTOM, NUMBER, Num, is_array, is_float, strip
from sourcegrad.names import fresh

TABLE_PARTS = ("slots", "held")


class Pairs(Managers):
    """Builds calls of functions differentiated apart."""

    def call_pair(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        inside, recursive = fn.obj.__code__ in self.stack, ("recursion", fn.obj)
        if inside:
            args = [self.as_operand(a) for a in args]
            kw = {k: self.as_operand(v) for k, v in kw.items()}
        for tree in (*args, *kw.values()):
            if inside and isinstance(tree, Mapping):
                raise self.to_table(tree)
        if recursive in self.context.derived:
            args = [self.as_constant(a, node) for a in args]
            kw = {k: self.as_constant(v, node) for k, v in kw.items()}
        trees = [*args, *kw.values()]
        if not all(map(self.can_pass, trees)):
            if not inside:
                return self.inline_function(fn, args, kw, node)
            if recursive not in self.context.derived:
                self.context.derived[recursive] = True
                raise Restart
            self.unfold(fn.obj)
            raise self.unsupported(
                node, "recursion with an object that changes as argument",
                "hand it the attributes, or a list",
            )  # fmt: skip
        _, tree = function_scope(self, fn.obj)
        try:
            bound: Any = bind_arguments(self, tree.args, args, kw, fn.obj)
        except TypeError as e:
            raise self.error(
                KindError, f"{fn.path}() {e}", where=self.locate(node)
            ) from None
        bound |= self.arena_lists()
        bound = {n: placed(self.settle(held, n)) for n, held in bound.items()}
        spec = self.specialise(fn, bound)
        operands = [
            e
            for held in bound.values()
            for e in parts_of(held, self.env)
            if _is_operand(e)
        ]
        return self.pair_result(spec, operands)

    def as_operand(self, tree: Abstract) -> Abstract:
        """An object as the structure of its attributes, which a callee may read; it is
        not changed any more, since the callee may hand it back."""
        if isinstance(tree, Pointer):
            return tree
        found = plain(opened(tree, self.env))
        if found is tree or not self.can_materialise(found):
            return tree
        freeze(opened(tree, self.env), self.frozen)
        return found

    def as_constant(self, tree: Abstract, node: Any) -> Abstract:
        """An inner function as one that stands by itself, known when compiling, with
        what it captures as operands."""
        if isinstance(tree, Closure):
            return as_partial(self, tree, node)
        if isinstance(tree, Struct) and not self.can_materialise(tree):
            items = [self.as_constant(item, node) for item in tree.items]
            return Struct(tree.type, tree.keys, items)
        return tree

    def can_pass(self, tree: Abstract) -> bool:
        """Whether a tree can be an argument of a function differentiated apart."""
        if isinstance(tree, Bound):
            held = [*tree.args, *tree.keywords.values()]
            return isinstance(tree.fn, Obj) and all(map(self.can_pass, held))
        if isinstance(tree, Struct):
            return all(map(self.can_pass, tree.items))
        if isinstance(tree, Expr) and self.holds_objects(tree):
            return True
        return isinstance(tree, Pointer) or is_table(tree) or self.can_materialise(tree)

    def pair_result(self, spec: Specialisation, operands: list[Expr]) -> Abstract:
        """The call statement, and its result as a tree of new values."""
        form: Any = spec.form
        if form is None:
            spec.assumed = True
            form = _Slot(BOTTOM, False, False)
        elif spec.busy:
            spec.assumed = True
        targets: list[Value] = []

        def make(tree: Any) -> Abstract:
            if isinstance(tree, _Slot):
                varied = tree.varied and not self.passive
                value = self.value(spec.name, tree.kind, varied, temp=True)
                value.maybe_undefined = tree.missing
                targets.append(value)
                own = None if tree.same is None else operands[tree.same]
                return own if isinstance(own, Ref) else Ref(value)
            if isinstance(tree, Struct):
                items = [make(i) for i in tree.items]
                if isinstance(tree, (Place, Perhaps)):
                    return replace(tree, items=items)
                return Struct(tree.type, tree.keys, items)
            return tree

        result = make(form)
        self.append(CallFn(targets, spec, operands))
        return closed(result, self.env, self.where, self.frozen)

    def specialise(self, fn: Obj, bound: dict[str, Abstract]) -> Specialisation:
        """The function built for these kinds of arguments."""
        key = (fn.obj, tuple((n, self.form_key(t)) for n, t in bound.items()))
        known = self.context.specialisations.get(key)
        if known is not None:
            return known
        spec = Specialisation(fresh(fn.obj.__name__, self.context.names), fn.obj, key)
        earlier = set(self.context.specialisations)
        self.context.specialisations[key] = spec
        try:
            self.build_until_settled(fn, bound, spec)
        except SourcegradError:  # who tries it, and does without, must not find it
            self.context.forget(earlier)
            raise
        return spec

    def build_until_settled(
        self, fn: Obj, bound: dict[str, Abstract], spec: Specialisation
    ) -> None:
        """Build a function until it gives what its calls of itself are taken to give.

        Raises:
            UnsupportedSyntaxError: the kind of its result does not settle.
        """
        for _ in range(20):
            spec.assumed = False
            earlier = set(self.context.specialisations)
            function, form = self.build_apart(fn.obj, bound, spec)
            before, spec.form, spec.function = spec.form, form, function
            if not spec.assumed or self.same_form_key(before, form):
                spec.busy = False
                return
            self.context.forget(earlier)
        raise UnsupportedSyntaxError(
            "the kind of this recursion's result does not settle", self.where
        )

    def form_key(self, tree: Abstract) -> Any:
        """What of an argument decides the code of the callee."""
        if isinstance(tree, Bound):
            given = tuple((k, self.form_key(v)) for k, v in tree.keywords.items())
            return (tree.fn, tuple(map(self.form_key, tree.args)), given)
        if isinstance(tree, Struct):
            return (tree.type, tree.keys, tuple(map(self.form_key, tree.items)))
        if isinstance(tree, Object):
            held = (self.env[tree, name] for name in TABLE_PARTS)
            return (tree.type, tuple(map(self.form_key, held)))
        assert isinstance(tree, Expr)
        if not _is_operand(tree):
            return tree
        varied = isinstance(tree, Ref) and tree.value.varied and not self.passive
        return (strip(self.infer(tree)), varied, self.may_be_missing(tree))

    def same_form_key(self, a: Any, b: Any) -> bool:
        if isinstance(a, _Slot) and isinstance(b, _Slot):
            return (a.kind, a.varied, a.missing) == (b.kind, b.varied, b.missing)
        if isinstance(a, Struct) and isinstance(b, Struct):
            return (
                a.type is b.type
                and a.keys == b.keys
                and all(map(self.same_form_key, a.items, b.items))
            )
        return a is None and b is None or a == b

    def build_apart(
        self, fn: Any, bound: dict[str, Abstract], spec: Specialisation
    ) -> tuple[Function, Any]:
        """The callee as a function of its own, with the form of its result."""
        inner = type(self)(self.context)
        scope, tree = function_scope(inner, fn)
        inner.scope, inner.stack = scope, [fn.__code__]
        inner.passive = self.passive
        params: list[Value] = []
        for name, held in bound.items():
            own = self.parameter(name, held, params, inner)
            inner.env[(scope, name)] = closed(own, inner.env, self.where, inner.frozen)
        inner.enter_arenas(scope)
        inner.block(tree.body)
        require_followed(inner, inner.region)
        require_shown(inner, inner.region)
        result = placed(inner.env.get((scope, RETURN), Lit(None)))
        if isinstance(result, Poison) or holds_object(result):
            self.unfold(fn)
        if isinstance(result, Poison):
            self.followed_on_paths(result)
            raise self.error(KindError, f"the result of {fn.__name__} {result.reason}")
        outputs = list(leaves(result))
        inner.region.yields = outputs
        form = map_leaves(result, lambda e: inner.slot(e, params))
        return Function(spec.name, params, inner.region, result), form

    def slot(self, e: Expr, params: list[Value]) -> _Slot:
        """What the caller knows of a result."""
        varied = isinstance(e, Ref) and e.value.varied
        made = _Slot(strip(self.infer(e)), varied, self.may_be_missing(e))
        if isinstance(e, Ref) and e.value in params and has_memory(e.value):
            made.same = params.index(e.value)
        return made

    def parameter(
        self, name: str, held: Abstract, params: list[Value], inner: Any
    ) -> Abstract:
        """A parameter of the callee for an argument of the caller."""
        if isinstance(held, Struct):
            if isinstance(held, Place):
                own = self.parameter(name, held.items[0], params, inner)
                return replace(held, items=[own])
            items = [self.parameter(f"{name}_{k}", i, params, inner)
                     for k, i in zip(held.keys, held.items, strict=True)]  # fmt: skip
            return Struct(held.type, held.keys, items, None, held.site)
        if isinstance(held, Bound):
            args = [self.parameter(f"{name}_{k}", a, params, inner)
                    for k, a in enumerate(held.args)]  # fmt: skip
            named = {
                k: self.parameter(k, a, params, inner) for k, a in held.keywords.items()
            }
            return Bound(held.fn, args, named)
        if isinstance(held, Object):
            made = Object(held.type, self.where)
            for part in TABLE_PARTS:
                own = self.parameter(part, self.env[held, part], params, inner)
                inner.env[made, part] = own
            return made
        assert isinstance(held, Expr)
        if not _is_operand(held):
            return held
        kind = strip(self.infer(held))
        varied = isinstance(held, Ref) and held.value.varied and not self.passive
        if varied and isinstance(kind, Num) and not is_float(kind.dtype):
            kind = NUMBER
        value = self.value(name, kind, varied)
        value.maybe_undefined = self.may_be_missing(held)
        source = held.value.key if isinstance(held, Ref) else None
        known = source in self.context.demoted or is_array(kind)
        # What is written there is learnt of the memory that it is in the caller
        value.key = source if known and source else ("param", name)
        params.append(value)
        return Ref(value)


def is_table(tree: Abstract) -> bool:
    """Whether a tree is a dict of the run time."""
    return isinstance(tree, Object) and tree.type is Table


def parts_of(tree: Abstract, env: Any) -> Iterator[Expr]:
    """The leaves of an argument, with those of the operands a function is given and
    of a dict of the run time."""
    if isinstance(tree, Bound):
        for item in (*tree.args, *tree.keywords.values()):
            yield from parts_of(item, env)
    elif isinstance(tree, Struct):
        for item in tree.items:
            yield from parts_of(item, env)
    elif isinstance(tree, Object):
        for name in TABLE_PARTS:
            yield from leaves(env[tree, name])
    else:
        yield from leaves(tree)


class _Slot(Expr):
    """A leaf of a result's form: kind, whether it is varied, and may be None; which
    operand it is, where it is the memory of one as a whole."""

    __slots__ = ("kind", "varied", "missing", "same")

    def __init__(self, kind: Any, varied: bool, missing: bool) -> None:
        self.kind, self.varied, self.missing = kind, varied, missing
        self.same: int | None = None


def _is_operand(e: Expr) -> bool:
    """Whether a leaf is passed at run time rather than compiled in."""
    if isinstance(e, Lit):
        return e.value is not None and not isinstance(e.value, (str, bool, type(...)))
    return not (isinstance(e, Obj) and callable(e.obj))
