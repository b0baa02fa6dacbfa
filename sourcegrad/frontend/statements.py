"""Statements: bindings, branches, effects."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import KindError, NonDifferentiableError
from sourcegrad.frontend import given, spreads
from sourcegrad.frontend.array_stores import store_at
from sourcegrad.frontend.decorators import decorated
from sourcegrad.frontend.expressions import Expressions
from sourcegrad.frontend.hoisting import has_calls, hoisted
from sourcegrad.frontend.hooks import calls_hook
from sourcegrad.frontend.live import is_shown
from sourcegrad.frontend.scope import Scope
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
    Attr,
    Choice,
    Closure,
    Given,
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
    Effect,
    Expr,
    If,
    Lit,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Undef,
    Unpack,
    Value,
    attr,
    call,
)
from sourcegrad.kinds import (
    BOOL,
    NONE,
    Atom,
    Bottom,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_scalar,
    join,
    strip,
)
from sourcegrad.names import identifier

STOP = "$stop"
RETURN = "$return"
VALUE = "$value"
_AUGMENTED = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow",
    "FloorDiv": "floordiv", "Mod": "mod", "MatMult": "matmul", "BitAnd": "and_",
    "BitOr": "or_", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
}  # fmt: skip


class Statements(Expressions):
    """Builds statements into the current region.

    `frozen` are the objects that joined ones were made of, and those.
    """

    frozen: set[Object]
    merged: set[Value]

    def block(self, stmts: list[Any]) -> None:
        """Build statements in order, until one ends the region."""
        for k, stmt in enumerate(stmts):
            if self.region.ends:
                return
            if not self.deriving:
                self.where = self.locate(stmt)
            method = getattr(self, f"stmt_{type(stmt).__name__}", None)
            if method is None:
                raise self.unsupported(
                    stmt, _KEYWORD.get(type(stmt).__name__, type(stmt).__name__)
                )
            if self.catcher is not None and not self.deriving:
                self.guarded(stmt, method, stmts[k + 1 :])
                return
            method(stmt)

    catcher: Any = None

    def guarded(
        self, stmt: Any, method: Callable[[Any], None], rest: list[Any]
    ) -> None:
        """A statement inside a `try`, and those behind it (see `Throws`)."""
        raise AssertionError

    # --------------------------------------------------------------- bindings

    def stmt_Assign(self, stmt: Any) -> None:
        tree = self.expr(stmt.value)
        if len(stmt.targets) > 1:
            tree = self.settle(tree)
        for target in stmt.targets:
            self.bind(target, tree)

    def stmt_AnnAssign(self, stmt: Any) -> None:
        if stmt.value is not None:
            self.bind(stmt.target, self.expr(stmt.value))

    def bind(self, target: Any, tree: Abstract) -> None:
        """Bind a target of an assignment."""
        match type(target).__name__:
            case "Name":
                self.bind_name(target.id, self.settle(tree, target.id))
            case "Tuple" | "List":
                self.unpack(target.elts, tree, target)
            case "Subscript":
                self.store_item(target, tree)
            case "Attribute":
                self.store_attribute(target, tree)
            case kind:
                raise self.unsupported(target, f"assignment to a {kind}")

    def bind_name(self, name: str, tree: Abstract) -> None:
        """Bind a name; a value the compiler named gets the user's name."""
        owner = self.owner(name)
        if isinstance(tree, Ref) and tree.value.temp and not self.deriving:
            tree.value.name, tree.value.temp = name.lstrip("$"), name[0] == "$"
            self.named(tree.value, name)
        elif isinstance(tree, Ref) and tree.value.temp and tree.value.name == "t":
            tree.value.name = name.lstrip("$")
        elif isinstance(tree, Lit) and not (
            self.deriving or self.static or name[0] == "$"
        ):
            ref = self.emit(tree, name)
            ref.value.known = tree
            tree = ref
        self.env[(owner, name)] = tree

    def named(self, value: Value, name: str) -> None:
        """A value got the user's name (see `Stores`)."""

    def owner(self, name: str) -> Scope:
        """The scope in which an assignment binds a name."""
        if name in self.scope.locals or name not in self.scope.outer:
            return self.scope
        return self.scope.outer[name]

    def unpack(self, targets: list[Any], tree: Abstract, node: Any) -> None:
        """`a, *b, c = …`."""
        if isinstance(tree, Op) and isinstance(self.infer(tree), TupleKind):
            if tree.op != "tuple" or tree.data:
                tree = self.unpacked(tree, targets)
        star = [k for k, t in enumerate(targets) if isinstance(t, gast.Starred)]
        if isinstance(tree, Struct):
            items = [Lit(k) for k in tree.keys] if tree.is_dict else tree.items
            self.unpack_items(targets, list(items), star, node)
            return
        if isinstance(tree, Op) and tree.op == "tuple":
            self.unpack_items(targets, list(tree.args), star, node)
            return
        if not isinstance(tree, Expr):
            self.unpack(targets, self.elements(tree, node), node)
            return
        whole = self.materialise(tree, node)
        if star:
            self.unpack_star(targets, whole, star[0])
            return
        parts = self.unpacked(whole, targets)
        self.unpack_items(targets, list(parts.items), [], node)

    def unpacked(self, expr: Expr, targets: list[Any]) -> Struct:
        """A run-time sequence taken apart by one statement `a, b = expr`."""
        if isinstance(expr, Op) and not self.deriving:
            expr = self.hoisted(expr)
        taken_apart = isinstance(self.infer(expr), TupleKind)
        if isinstance(expr, Op) and expr.op not in ("call", "pop") and not taken_apart:
            expr = self.atom(expr)
        kind = self.infer(expr)
        kinds = kind.items if isinstance(kind, TupleKind) else ()
        item = self.infer(Op("getitem", (expr, Lit(0))))
        varied = not self.passive and self.is_varied(expr)
        found: list[Value] = []
        for k, target in enumerate(targets):
            own = kinds[k] if k < len(kinds) else item
            name = target.id if isinstance(target, gast.Name) else "t"
            value = self.value(
                name, own, varied and self.may_vary(own), temp=name == "t"
            )
            found.append(value)
        self.append(Unpack(found, expr))
        items: list[Abstract] = [self.structured(Ref(v)) for v in found]
        made = kind.type if isinstance(kind, TupleKind) else tuple
        return Struct(made, tuple(range(len(items))), items)

    def may_vary(self, kind: Any) -> bool:
        """Whether a part of a varied whole can be varied itself."""
        from sourcegrad.kinds import differentiable

        return differentiable(kind)

    def unpack_items(
        self, targets: list[Any], items: list[Abstract], star: list[int], node: Any
    ) -> None:
        if star:
            k, after = star[0], len(targets) - star[0] - 1
            end = len(items) - after
            middle = items[k:end]
            rest = self.display(list, middle, self.site(node))
            items = [*items[:k], rest, *items[end:]]
            targets = [t.value if isinstance(t, gast.Starred) else t for t in targets]
        if len(items) != len(targets):
            raise self.error(
                KindError, f"cannot unpack {len(items)} values into {len(targets)}"
            )
        items = [
            self.settle(i, t.id if isinstance(t, gast.Name) else None)
            if len(items) > 1
            else i
            for i, t in zip(items, targets, strict=True)
        ]
        for target, item in zip(targets, items, strict=True):
            self.bind(target, item)

    def unpack_star(self, targets: list[Any], whole: Expr, star: int) -> None:
        """`a, *rest, z = sequence` of unknown length, by index and slice."""
        base = self.atom(whole)
        last = len(targets) - 1
        for k, target in enumerate(targets):
            if k == star:
                stop = Lit(None) if k == last else Lit(k - last)
                index: Expr = Op("slice", (Lit(k), stop, Lit(None)))
                target = target.value
            else:
                index = Lit(k if k < star else k - len(targets))
            part = self.subscript(base, index, target)
            if k == star:
                part = self.as_list(part, target)
            self.bind(target, part)

    def as_list(self, part: Abstract, node: Any) -> Abstract:
        if not isinstance(part, Expr) or isinstance(self.infer(part), ListKind):
            return part
        if self.is_varied(part):
            return spreads.as_list(self, part, node)
        return Op("call", (Obj(list, "list"), part), ())

    def stmt_AugAssign(self, stmt: Any) -> None:
        target = stmt.target
        op = _AUGMENTED[type(stmt.op).__name__]
        if isinstance(target, gast.Name):
            self.augment_name(stmt, op)
        elif isinstance(target, gast.Subscript):
            self.augment_item(stmt, op)
        else:
            base = self.expr(target.value)
            old = self.materialise(self.attribute(base, target.attr, target), target)
            new = self.augmented(old, op, stmt)
            if new is not None:
                self.set_attribute(base, target, new)

    def augment_name(self, stmt: Any, op: str) -> None:
        name = stmt.target.id
        held = self.lookup(name, stmt.target)
        if isinstance(held, Struct):
            if held.type is list:
                self.lengthen(held, op, self.expr(stmt.value), stmt)
                return
            if held.is_dict and op == "or_":
                raise self.change_dict(held, stmt)
            right = self.expr(stmt.value)
            joined = self.joined(stmt, held, right)
            if joined is not None:
                self.bind_name(name, joined)
                return
        if isinstance(held, Object):
            self.bind_name(
                name, self.augmented_call(op, held, self.expr(stmt.value), stmt)
            )
            return
        new = self.augmented(self.materialise(held, stmt.target), op, stmt)
        if new is not None:
            self.bind_name(name, self.settle(new, name))

    def augmented(
        self, old: Expr, op: str, stmt: Any, value: Abstract | None = None
    ) -> Expr | None:
        """`old op= value`: the new value, or None where it happens in place."""
        kind = self.infer(old)
        value = self.expr(stmt.value) if value is None else value
        if isinstance(kind, ListKind):
            self.lengthen(old, op, value, stmt)
            return None
        right = self.materialise(value, stmt.value)
        if isinstance(kind, Num) and kind.flavor == "array":
            self.store(old, None, right, op, stmt)
            return None
        if kind == Atom(set) and op in _SET_UPDATES:
            base = self.atom(old)
            self.append(Effect(call(attr(base, _SET_UPDATES[op]), right)))
            return None
        if not is_scalar(kind) and not isinstance(kind, Atom | TupleKind):
            self.require_rebinding(old, op, stmt)
        return self.finish(Op(op, (old, right)))

    def lengthen(self, held: Any, op: str, value: Abstract, stmt: Any) -> None:
        """`held += value` and `held *= 2` of a list, which change it in place."""
        if op == "mul":
            times = value.value if isinstance(value, Lit) else 0
            if not isinstance(times, int) or times < 1:
                raise self.unsupported(stmt, "*= of a list by a number known at run "
                                       "time", "write a = a * n")  # fmt: skip
            one = gast.parse(f"a * {times - 1}", mode="eval").body
            copies = (
                self.joined(one, held, Lit(times - 1))
                if isinstance(held, Struct)
                else None
            )
            more = Op("mul", (self.materialise(held, stmt), Lit(times - 1)))
            value = self.finish(more) if copies is None else copies
        self.extend(held, value, stmt)

    def require_rebinding(self, old: Expr, op: str, stmt: Any) -> None:
        """Where it is not known whether `old op= …` rebinds or changes an array in
        place: the former, and an error at run time if it is the latter."""
        text = self.scope.source.segment(stmt.target) if self.scope.source else "x"
        message = Lit(
            f"{self.locate(stmt)}: {text} {_SIGN.get(op, op)}= … changes {text} in "
            "place, which was not known when compiling; write "
            f"{text} = {text} {_SIGN.get(op, op)} … if no other name shares it"
        )
        name = f"__i{op.strip('_')}__"
        has, kind = (self.binder.bind(f, f.__name__) for f in (hasattr, KindError))
        test = Op("call", (has, self.atom(old), Lit(name)), ())

        def refuse() -> None:
            node = gast.parse("raise kind(text)").body[0]
            self.append(Plain(node, ("kind", "text"), (kind, message), raises=True))
            self.region.ends = True

        self.branch(test, refuse, lambda: None)

    # ------------------------------------------------- provided by other parts

    def change_dict(self, tree: Struct, node: Any) -> Exception:
        """See `Mappings`."""
        raise AssertionError

    def same_lists(self, a: Abstract, b: Abstract) -> None:
        """See `Lists`."""
        raise AssertionError

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        """What a loop over an object runs along (see `Dunders`)."""
        raise AssertionError

    def augmented_call(
        self, op: str, held: Abstract, right: Abstract, node: Any
    ) -> Abstract:
        """`held op= right` of an object (see `Dunders`)."""
        raise AssertionError

    def store_item(self, target: Any, tree: Abstract) -> None:
        """`base[index] = value` (see `Stores`)."""
        raise AssertionError

    def augment_item(self, stmt: Any, op: str) -> None:
        """`base[index] op= value` (see `Stores`)."""
        raise AssertionError

    def store(
        self, base: Expr, index: Expr | None, value: Expr, op: str | None, node: Any
    ) -> None:
        """A store into an array (see `Stores`)."""
        raise AssertionError

    def extend(self, base: Abstract, items: Abstract, node: Any) -> None:
        """`base += items` of a list (see `Stores`)."""
        raise AssertionError

    # ------------------------------------------------------------- attributes

    def store_attribute(self, target: Any, tree: Abstract) -> None:
        self.set_attribute(self.expr(target.value), target, tree)

    def set_attribute(self, base: Abstract, target: Any, tree: Abstract) -> None:
        """`base.name = value`, of an object the program built itself."""
        if isinstance(base, Expr) and is_array(self.infer(base)):
            if self.store_part(base, target, tree):
                return
        if not isinstance(base, Object) or isinstance(base, Given) and not base.follows:
            given.follow(self, base, target)
        assert isinstance(base, Object)
        if self.set_property(base, target, tree):
            return
        if base in self.frozen:
            self.unroll_around()
            raise self.unsupported(
                target,
                "changing an object that is one of several, by the path taken, or of "
                "which a cached property was read,",
                "make a new object instead of changing this one",
            )
        held = self.settle(tree, target.attr)
        if isinstance(base, Given):
            given.put(self, base, target, held)
        self.env[(base, target.attr)] = held

    def store_part(self, base: Expr, target: Any, tree: Abstract) -> bool:
        """`a.flat = v`, `z.real = v` of an array; whether it is one of those."""
        if target.attr == "flat":
            _, places = self.unflattened(Attr(base, "flat"), Lit(Ellipsis))
            store_at(self, base, places, tree, target)
        elif target.attr == "real":
            part = self.materialise(self.attribute(base, "real", target))
            value = self.materialise(tree, target)
            self.store(part, Lit(Ellipsis), value, None, target)
        elif target.attr == "imag":
            real = self.materialise(self.attribute(base, "real", target))
            value = self.finish(Op("mul", (Lit(1j), self.materialise(tree, target))))
            whole = self.finish(Op("add", (real, value)))
            self.store(base, Lit(Ellipsis), whole, None, target)
        else:
            return False
        return True

    def set_property(self, base: Object, target: Any, tree: Abstract) -> bool:
        """Call the setter of a property; whether it is one."""
        cls: Any = base.type
        member = getattr(cls, target.attr, None)
        if cls.__setattr__ not in given.PLAIN_STORES:
            raise self.unsupported(target, "a store into an object with __setattr__")
        if not isinstance(member, property):
            return False
        if member.fset is None:
            raise self.unsupported(target, "a store into a property without a setter")
        setter = self.binder.bind(member.fset, f"set_{target.attr}")
        self.call_value(setter, [base, self.settle(tree)], {}, target)
        return True

    # ---------------------------------------------------------------- control

    def stmt_If(self, stmt: Any) -> None:
        cond = self.condition(stmt.test)
        known = self.static_truth(cond)
        if known is not None:
            self.block(stmt.body if known else stmt.orelse)
            return
        self.branch(
            cond, lambda: self.block(stmt.body), lambda: self.block(stmt.orelse)
        )

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

    def truth_of(self, held: Ref) -> Expr:
        """Whether a list has items, or what else makes an object true."""
        if isinstance(held.value.kind, ListKind):
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
        first, second = opened(*a), opened(*b)
        merged = self.phi(stmt, key, first, second)
        if not isinstance(merged, Poison):
            freeze(first, self.frozen)
            freeze(second, self.frozen)
        return closed(merged, env, self.where, self.frozen)

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

    # ----------------------------------------------------------------- leaving

    def stmt_Return(self, stmt: Any) -> None:
        tree = Lit(None) if stmt.value is None else self.expr(stmt.value)
        held = tree if self.deriving else self.settle(tree)
        self.env[(self.scope, RETURN)] = held

    def stmt_Break(self, stmt: Any) -> None:
        self.env[STOP] = Lit(True)

    def stmt_Continue(self, stmt: Any) -> None:
        pass

    stmt_Pass = stmt_Nonlocal = stmt_Continue

    def stmt_Raise(self, stmt: Any) -> None:
        self.keep(stmt, raises=True)
        self.region.ends = True

    def stmt_Assert(self, stmt: Any) -> None:
        if has_calls(self, stmt):
            self.stmt_If(_as_branch(stmt))
        else:
            self.keep(stmt)

    def calls_first(self, node: Any) -> Any:
        return hoisted(self, node)

    def keep(self, stmt: Any, raises: bool = False) -> None:
        """A statement kept as the user wrote it, on inactive operands."""
        with self.passively():
            tree = self.raw(stmt)
        stmt = tree.data[0] if isinstance(tree, Op) else stmt
        assert isinstance(tree, Op)
        self.append(Plain(stmt, tree.data[1], tree.args, raises))

    # ------------------------------------------------------------------ others

    def stmt_Expr(self, stmt: Any) -> None:
        if isinstance(stmt.value, gast.Constant):
            return
        with self.passively() if calls_hook(self, stmt.value) else nullcontext():
            tree = self.expr(stmt.value)
        if isinstance(tree, Op):  # it may raise, which is an effect
            self.append(Effect(tree))

    def stmt_FunctionDef(self, stmt: Any) -> None:
        self.scope.has_closures = True
        defaults = [self.settle(self.expr(d)) for d in stmt.args.defaults]
        kw = [
            None if d is None else self.settle(self.expr(d))
            for d in stmt.args.kw_defaults
        ]
        closure = Closure(stmt, self.scope, defaults, kw, stmt.name)
        held = decorated(self, closure, stmt.decorator_list, stmt)
        self.env[(self.owner(stmt.name), stmt.name)] = held

    def stmt_Delete(self, stmt: Any) -> None:
        for target in stmt.targets:
            if isinstance(target, (gast.Tuple, gast.List)):
                self.stmt_Delete(gast.Delete(targets=target.elts))
            elif isinstance(target, gast.Attribute):
                raise self.unsupported(
                    target, "del of an attribute", "leave it, or let it hold None"
                )
            elif not isinstance(target, gast.Name):
                self.delete_item(target)
            else:
                self.lookup(target.id, target)
                self.env[(self.owner(target.id), target.id)] = UNDEF

    def delete_item(self, target: Any) -> None:
        """`del a[i]` (see `Stores`)."""
        raise self.unsupported(target, "del of an item")

    def stmt_Import(self, stmt: Any) -> None:
        for alias in stmt.names:
            module = importlib.import_module(alias.name)
            name = alias.asname or alias.name.split(".")[0]
            if not alias.asname:
                module = importlib.import_module(name)
            self.env[(self.scope, name)] = self.binder.bind(module, name)

    def stmt_ImportFrom(self, stmt: Any) -> None:
        package = (
            self.scope.fn.__globals__.get("__package__") if self.scope.fn else None
        )
        module = importlib.import_module(
            "." * (stmt.level or 0) + (stmt.module or ""), package
        )
        for alias in stmt.names:
            if alias.name == "*":
                raise self.unsupported(stmt, "import *")
            name = alias.asname or alias.name
            self.env[(self.scope, name)] = self.binder.bind(
                getattr(module, alias.name), name
            )

    def stmt_Global(self, stmt: Any) -> None:
        raise self.unsupported(stmt, "a global statement", "return the value instead")


_SET_UPDATES = {
    "or_": "update",
    "and_": "intersection_update",
    "sub": "difference_update",
    "xor": "symmetric_difference_update",
}
_SIGN = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@",
    "floordiv": "//", "mod": "%", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<",
    "rshift": ">>",
}  # fmt: skip
_KEYWORD = {
    "Try": "try", "With": "with", "Match": "match", "AsyncFor": "async for",
    "AsyncWith": "async with", "ClassDef": "a class defined inside the function",
    "TryStar": "try with except*", "AsyncFunctionDef": "async functions",
}  # fmt: skip


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


def _as_branch(stmt: gast.Assert) -> gast.If:
    """An assertion as the `if` it stands for."""
    message = [] if stmt.msg is None else [stmt.msg]
    error = gast.Call(func=syntax.name("AssertionError"), args=message, keywords=[])
    test = gast.UnaryOp(op=gast.Not(), operand=stmt.test)
    made = gast.If(test=test, body=[gast.Raise(exc=error, cause=None)], orelse=[])
    for part in gast.walk(made):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, stmt)
    return made
