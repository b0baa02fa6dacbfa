"""Bindings: names, unpacking, augmented assignment, stores into attributes."""

from __future__ import annotations

import types
from typing import Any

import gast

from sourcegrad.errors import KindError
from sourcegrad.frontend import descriptors, given, spreads, variants
from sourcegrad.frontend.array_stores import store_at
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.merging import Merging
from sourcegrad.frontend.scope import Scope
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Given,
    Object,
    Struct,
    Variant,
    has_own,
)
from sourcegrad.ir import (
    Effect,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Unpack,
    Value,
    attr,
    call,
)
from sourcegrad.kinds import Atom, ListKind, Num, TupleKind, is_array, is_scalar

_AUGMENTED = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow",
    "FloorDiv": "floordiv", "Mod": "mod", "MatMult": "matmul", "BitAnd": "and_",
    "BitOr": "or_", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
}  # fmt: skip
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


class Bindings(Merging):
    """Binds names, and what stands on the left of an assignment."""

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
        if isinstance(tree, Struct) and not has_own(tree, "__iter__"):
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
            old = self.attribute(base, target.attr, target)
            new = self.augmented_tree(old, op, stmt, target)
            if new is not None:
                self.set_attribute(base, target, new)

    def augmented_tree(
        self, old: Abstract, op: str, stmt: Any, target: Any
    ) -> Abstract | None:
        """`old op= value` of whatever an attribute or item holds: the new value, or
        None where it happens in place."""
        own = has_own(old, f"__{op.strip('_')}__", f"__i{op.strip('_')}__")
        if own and not isinstance(old, Expr):
            found: Abstract = self.augmented_call(op, old, self.expr(stmt.value), stmt)
            return found
        return self.augmented(self.materialise(old, target), op, stmt)

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
            if not held.is_dict and held.type is not tuple:
                found = self.augmented_call(op, held, right, stmt)
                if found is not None:
                    self.bind_name(name, found)
                    return
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
        name = f"__i{op.strip('_')}__"
        has = self.binder.bind(hasattr, "hasattr")
        self.refuse_where(
            call(has, self.atom(old), Lit(name)),
            f"{self.locate(stmt)}: {text} {_SIGN.get(op, op)}= … changes {text} in "
            "place, which was not known when compiling; write "
            f"{text} = {text} {_SIGN.get(op, op)} … if no other name shares it",
        )

    # ------------------------------------------------- provided by other parts

    def change_dict(self, tree: Struct, node: Any) -> Exception:
        """See `Mappings`."""
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
        if (
            isinstance(base, Struct)
            and base.type is types.SimpleNamespace
            and base.site
        ):
            self.context.derived["gets attributes", base.site] = True
            raise Restart  # built again as an object
        if isinstance(base, Variant):
            variants.set_attribute(self, base, target, tree)
            return
        if not isinstance(base, Object) or isinstance(base, Given) and not base.follows:
            given.follow(self, base, target)
        assert isinstance(base, Object)
        if not self.set_property(base, target, tree):
            self.set_plainly(base, target, tree)

    def set_plainly(self, base: Object, target: Any, tree: Abstract) -> None:
        """Let an object itself hold a value under a name."""
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
        """Let the class of an object say what a store does; whether it does."""
        cls: Any = base.type
        if cls.__setattr__ in given.PLAIN_STORES:
            return self.set_by_member(base, target, tree)
        if not descriptors.set_by_class(self, base, target, tree):
            raise self.unsupported(target, "a store into an object with __setattr__")
        return True

    def set_by_member(self, base: Object, target: Any, tree: Abstract) -> bool:
        """Call the setter of a property or descriptor; whether it is one."""
        member = descriptors.member_of(base.type, target.attr)
        if descriptors.write(self, base, target.attr, tree, target):
            return True
        if not isinstance(member, property):
            return False
        if member.fset is None:
            raise self.unsupported(target, "a store into a property without a setter")
        setter = self.binder.bind(member.fset, f"set_{target.attr}")
        self.call_value(setter, [base, self.settle(tree)], {}, target)
        return True
