"""Stores into arrays and into items of containers."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from sourcegrad.analysis.choices import found_in, is_choice
from sourcegrad.analysis.views import has_memory, is_basic_index, is_renewed, view_bases
from sourcegrad.analysis.writes import writes_outside
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.array_stores import METHOD_STORES, places_of, store_at
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.lists import Lists
from sourcegrad.frontend.slices import spelled
from sourcegrad.frontend.structs import Abstract, Attr, Object, Struct, values
from sourcegrad.ir import CallFn, Expr, Lit, Obj, Op, Ref, Region, Stmt, Store, Value
from sourcegrad.ir_walk import walk_expr
from sourcegrad.kinds import ListKind, Num, is_array, is_float, is_scalar
from sourcegrad.runtime_places import masked_index

_FACTS = ("shape", "ndim", "size", "dtype")


class Stores(Lists):
    """Builds what writes into arrays."""

    made: dict[Value, Expr]
    rows: dict[Value, list[Value]]
    sharing: dict[Value, list[Value]]
    origins: dict[Value, Expr]
    makers: dict[Value, Op]
    unnamed: Any

    # ------------------------------------------------------------------ arrays

    def store_item(self, target: Any, tree: Abstract) -> None:
        tree = self.settle(tree)
        base = self.expr(target.value)
        index = self.fixed_index(spelled(self, base, self.index(target.slice)))
        if isinstance(base, Attr) and base.name == "flat":
            base, index = self.unflattened(base, index)
            store_at(self, self.materialise(base), index, tree, target)
            return
        if self.store_call(base, [index, tree], "__setitem__", target):
            return
        if isinstance(base, Struct):
            raise self.demote(base, target)
        if self.store_slice(base, index, tree, target):
            return
        self.require_movable(base, tree)
        self.store(
            self.materialise(base, target),
            index,
            self.materialise(tree, target),
            None,
            target,
        )

    def require_movable(self, base: Abstract, tree: Abstract) -> None:
        """Objects stay where they are known (see `KnownLists`)."""

    def augment_item(self, stmt: Any, op: str) -> None:
        target = stmt.target
        base = self.expr(target.value)
        if isinstance(base, Object):
            self.augment_object(base, stmt, op)
            return
        if isinstance(base, Struct):
            self.augment_structure(base, stmt, op)
            return
        index = self.fixed_index(spelled(self, base, self.index(target.slice)))
        base, index = self.unflattened(base, index)
        base = self.atom(self.materialise(base, target))
        kind, region, mark = self.infer(base), self.region, len(self.region.stmts)
        value = self.expr(stmt.value)
        done = [s for s in region.stmts[mark:] if not _leaves_all(s)]
        wrote = writes_outside(Region(stmts=done))
        if not (wrote or isinstance(kind, ListKind)):
            self.store(base, index, self.materialise(value, stmt.value), op, stmt)
            return
        made = len(region.stmts)
        old = self.materialise(self.subscript(base, index, target), target)
        one = is_scalar(self.infer(old))
        copied = one or is_array(kind) and not is_basic_index(index)
        if wrote and copied:  # read before what is evaluated on the right writes there
            old = self.atom(old)
            region.stmts[mark:] = region.stmts[made:] + region.stmts[mark:made]
            if not one:
                right = self.materialise(value, stmt.value)
                whole = self.atom(self.finish(Op(op, (old, right))))
                self.store(base, index, whole, None, stmt)
                return
        if one or isinstance(kind, ListKind):
            new = self.augmented(old, op, stmt, value)
            if new is not None:
                self.store(base, index, self.atom(new), None, stmt)
            return
        self.store(base, index, self.materialise(value, stmt.value), op, stmt)

    def augment_structure(self, base: Struct, stmt: Any, op: str) -> None:
        """`base[k] op= value` of a known structure: in place only for an array."""
        item = self.struct_item(base, self.index(stmt.target.slice))
        if not isinstance(item, Expr) or not is_array(self.infer(item)):
            raise self.demote(base, stmt)
        self.augmented(item, op, stmt)

    def augment_object(self, base: Object, stmt: Any, op: str) -> None:
        """`base[k] op= value` by the object's own methods."""
        index = self.fixed_index(self.index(stmt.target.slice))
        old = self.settle(self.item_call(base, index, stmt.target))
        new = self.augmented_tree(old, op, stmt, stmt.target)
        if new is not None:
            self.store_call(base, [index, self.settle(new)], "__setitem__", stmt.target)

    def fixed_index(self, index: Expr) -> Expr:
        """An index that means the same later on: nothing in it reads memory."""
        if isinstance(index, Op) and index.op in ("tuple", "slice", "list"):
            return Op(index.op, tuple(map(self.fixed_index, index.args)), index.data)
        if isinstance(index, Op) and index.op == "neg":
            return Op("neg", (self.fixed_index(index.args[0]),))
        reads = any(
            isinstance(e, Op) and e.op in ("getitem", "call", "compare", "attr", "raw")
            for e in walk_expr(index)
        )
        if not reads:
            return index
        with self.passively():
            return self.atom(index)

    def check_fraction(self, kind: Num, value: Expr) -> None:
        """Refuse a store of an active value that may lose its fraction."""
        given = getattr(self.infer(value), "dtype", None)
        whole = given in ("number", "int", "int64")
        if not is_float(kind.dtype):
            form, hint = f"of dtype {kind.dtype}", "make the array with a float dtype"
        elif kind.dtype == "number" and not whole:
            form = "that was made of ints"
            hint = "give floats (3.0, not 3), or make the array with a float dtype"
        else:
            return
        raise self.error(
            NonDifferentiableError,
            f"an active value is stored into an array {form}",
            "the derivative would be cut off with the fraction",
            (hint,),
        )

    def store(
        self,
        base: Expr,
        index: Expr | None,
        value: Expr,
        op: str | None,
        node: Any,
        each: Expr | None = None,
    ) -> None:
        base = self.atom(base)
        kind = self.infer(base)
        value = value if isinstance(value, (Ref, Lit)) else self.settle_value(value)
        varied = not self.passive and self.is_varied(value)
        if isinstance(kind, ListKind):
            self.store_list(base, index, value, op, node)
            return
        if not isinstance(kind, Num) and varied:
            self.follow_container(base)
            raise self.unsupported(node, "a store of an active value into this object")
        if varied and isinstance(kind, Num):
            self.check_fraction(kind, value)
        if varied and not self.is_varied(base):
            self.mark_varied(base, node)
        if op not in (None, "add", "sub") and (varied or self.is_varied(base)):
            value = self.combined(base, index, value, op)
            op = None
            index = Lit(Ellipsis) if index is None else index
        self.append(Store(base, index, value, op, each))

    def follow_container(self, base: Expr) -> None:
        """Build a comprehension again whose arrays, or lists, turn out to receive
        active values.

        Raises:
            Restart: what is changed is an item of one.
        """
        self.follow_call(base)
        tree = self.made.get(base.value) if isinstance(base, Ref) else base
        place = self.context.kept.get(id(tree), (None, None))[1]
        if place is not None and place[0] == "place":  # a list in a known structure
            if place not in self.context.demoted:
                self.context.demoted[place] = ListFact()
                raise Restart
        if isinstance(tree, Op) and tree.op == "getitem":
            held = tree.args[0]
            tree = self.made.get(held.value) if isinstance(held, Ref) else None
        site = self.context.kept.get(id(tree), (None, None))[1]
        kept = site[1] if site is not None and site[0] == "dict" else None
        if isinstance(tree, Op) and tree.op in ("raw", "dict"):
            kept = tree.data[0] if tree.op == "raw" else tree.data
        for along in self.rows.get(base.value, ()) if isinstance(base, Ref) else ():
            self.follow_container(Ref(along))  # what a loop along it meets
        if isinstance(kept, gast.AST):
            key = ("followed", kept)
            if key not in self.context.derived:
                self.context.derived[key] = True
                raise Restart

    def follow_call(self, base: Expr) -> None:
        """Build a call of the user's in that makes a container whose arrays turn out to
        receive active values: which of them share memory is known then.

        Raises:
            Restart: the array stored into is an item of one.
        """
        expr: Expr | None = base
        part = not is_array(self.infer(base))
        while expr is not None:
            if isinstance(expr, Op) and expr.op in ("getitem", "pop"):
                expr = expr.args[0]
                part = part or not is_array(self.infer(expr))
            elif isinstance(expr, Ref) and expr.value in self.origins:
                expr, part = self.origins[expr.value], True
            elif isinstance(expr, Ref):
                expr = self.made.get(expr.value)
            else:
                break
        site = self.context.kept.get(id(expr), (None, None))[1]
        if part and site and site[0] == "call" and site not in self.context.demoted:
            self.context.demoted[site] = ListFact()
            raise Restart

    def settle_value(self, value: Expr) -> Expr:
        return (
            value
            if self.is_pure(value) and not self.is_varied(value)
            else self.atom(value)
        )

    def combined(
        self, base: Expr, index: Expr | None, value: Expr, op: str | None
    ) -> Expr:
        """The new contents for `base[index] op= value`."""
        old = base if index is None else self.finish(Op("getitem", (base, index)))
        assert op is not None
        return self.finish(Op(op, (old, value)))

    def mark_varied(self, base: Expr, node: Any) -> None:
        """An array turns out to receive active values: build again, knowing it."""
        self.follow_call(base)
        value = base.value if isinstance(base, Ref) else None
        for other in self.sharing.get(value, ()) if value is not None else ():
            other.varied = has_memory(other) and self.may_vary(other.kind)
        wholes = self.wholes(value) if value else []
        for whole in wholes:
            if not whole.varied:  # a view: the array it is of receives the value too
                self.mark_varied(Ref(whole), node)
        unnamed = bool(wholes) and value is not None and value.key is None
        if value is not None and (unnamed or self.follows(value)):
            value.varied = True  # as the memory it is part of makes it
            return
        if value is None or value.key is None:
            raise self.unsupported(node, "a store of an active value into this array")
        if value.key in self.context.varied:
            value.varied = True
            return
        self.context.varied.add(value.key)
        self.context.dirty = True
        value.varied = True

    def unpacked(self, expr: Expr, targets: list[Any]) -> Struct:
        found = super().unpacked(expr, targets)
        made = self.made.get(expr.value, expr) if isinstance(expr, Ref) else expr
        parts = list(values(found))
        if is_renewed(made):
            self.sharing |= dict.fromkeys(parts, parts)
        self.origins |= dict.fromkeys(parts, made)
        return found

    def wholes(self, value: Value) -> list[Value]:
        """The arrays that a value is a part of."""
        return view_bases(self.made.get(value, Lit(None))) or self.rows.get(value, [])

    def follows(self, value: Value) -> bool:
        """Whether a value is memory found in a container, or one of several."""
        if value not in self.made:
            header = isinstance(value.key, tuple) and value.key[:1] == ("header",)
            one_of = isinstance(value.kind, ListKind) and value in self.merged
            return value.key is None or header or one_of
        made = self.made[value]
        if is_choice(made):
            return found_in(made)
        return isinstance(made, Op) and made.op in ("getitem", "pop")

    def emit(self, expr: Expr, name: str | None = None) -> Ref:
        ref = super().emit(expr, name)
        if not self.deriving:
            self.made[ref.value] = expr
            if isinstance(expr, Op) and expr.op == "attr" and expr.data in _FACTS:
                return ref  # no memory under a name, whatever else has that name
            if isinstance(expr, Op) and expr.op == "call":
                self.makers[ref.value] = expr
            if name is not None:
                self.named(ref.value, name)
            elif isinstance(expr, Op) and expr.op == "call":
                self.unnamed[self.where] += 1
                self.named(ref.value, f"made {self.unnamed[self.where]}")
            elif is_array(ref.value.kind):
                self.placed(ref.value)
        return ref

    def placed(self, value: Value) -> None:
        """An array without a name: known by the place where it is made."""
        self.unnamed[self.where, "array"] += 1
        key = (self.where, f"array {self.unnamed[self.where, 'array']}")
        self.context.places[value] = key
        if key in self.context.varied:
            value.varied = True

    def named(self, value: Value, name: str) -> None:
        """A value got a name: what is known of memory made under it applies."""
        if value.key is None:
            value.key = (self.where, name)
        if value.key in self.context.varied and has_memory(value):
            value.varied = True
        made = self.makers.get(value)
        if isinstance(value.kind, ListKind) and made is not None:
            self.made_list(value, made)

    def made_list(self, value: Value, expr: Op) -> None:
        """A list that a call made: it may be changed as one that was displayed."""
        if any(has_memory(v) for v in view_bases(expr)):
            return
        self.made_lists.add(value.key)
        fact = self.context.demoted.get(value.key)
        if fact is not None:
            self.learn(fact, value.kind.item, value.varied)  # type: ignore[attr-defined]
            value.kind = ListKind(fact.item)
            value.varied = fact.varied

    def header_value(self, name: str, kind: Any, varied: bool) -> Value:
        value = super().header_value(name, kind, varied)
        value.key = ("header", self.where, name)
        if value.key in self.context.varied:
            value.varied = True
        return value

    def write_into(
        self, out: Abstract, fn: Abstract, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """`fn(…, out=buffer, where=mask)`: the result is stored into the buffer."""
        if isinstance(out, Struct) and out.type is tuple and len(out.items) == 1:
            out = out.items[0]
        buffer = self.atom(self.materialise(out, node))
        kw, where = dict(kw), None
        if isinstance(fn, Obj) and isinstance(fn.obj, np.ufunc):
            kw.pop("casting", None)
            where = kw.pop("where", None)
        if where is None or where == Lit(True):
            result = self.call_value(fn, args, kw, node)
            result = self.materialise(result, node)
            self.store(buffer, Lit(Ellipsis), result, None, node)
            return buffer
        with self.passively():
            mask = self.materialise(where, node)
        places = places_of(self, masked_index, buffer, mask)
        operands = [self.picked(a, buffer, places, node) for a in args]
        result = self.materialise(self.call_value(fn, operands, kw, node), node)
        self.store(buffer, places, result, None, node)
        return buffer

    def picked(
        self, operand: Abstract, buffer: Expr, places: Expr, node: Any
    ) -> Abstract:
        """The elements of an operand of a ufunc that a mask lets through."""
        tree = self.materialise(operand, node)
        if is_scalar(self.infer(tree)):
            return tree
        token = getattr(self.infer(buffer), "shape", None)
        alike = token is not None and getattr(self.infer(tree), "shape", None) == token
        if tree == buffer or alike:
            return self.subscript(tree, places, node)
        made = self.made.get(tree.value, Lit(None)) if isinstance(tree, Ref) else tree
        if not isinstance(made, Ref) and view_bases(made):
            copied = self.call_value(self.numpy("copy"), [tree], {}, node)
            tree = self.materialise(copied, node)  # it may show the buffer
        shape = Op("attr", (buffer,), "shape")
        spread = self.call_value(self.numpy("broadcast_to"), [tree, shape], {}, node)
        return self.subscript(self.materialise(spread), places, node)

    def add_at(self, op: str, args: Any, node: Any) -> Abstract:
        """`np.add.at(a, index, value)`: every repeat of an index writes."""
        base = self.atom(self.materialise(args[0], node))
        with self.passively():
            index = self.fixed_index(self.materialise(args[1], node))
        ufunc = "add" if op == "add" else "subtract"
        root = self.numpy(ufunc)
        each = Obj(root.obj.at, f"{root.path}.at")
        self.store(base, index, self.materialise(args[2], node), op, node, each)
        return Lit(None)

    def mutating_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        body = METHOD_STORES.get(name)
        if body is not None:
            body(self, [self.atom(base), *args], kw, node)
            return Lit(None)
        tree = self.call_tree(Op("attr", (base,), name), args, kw, node)
        if (
            self.passive
            or (name in ("resize", "setflags", "itemset"))
            or (self.is_varied(base) or self.active(args, kw))
        ):
            raise self.unsupported(
                node, f"the method {name!r}, which changes the array,"
            )
        return tree


def _leaves_all(stmt: Stmt) -> bool:
    """Whether a statement is a call of a pair that writes into no operand."""
    return isinstance(stmt, CallFn) and not stmt.callee.written
