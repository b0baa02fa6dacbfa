"""Subscripts: items and slices of structures known when compiling, and of values known
only at run time."""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad.frontend.chosen import of_functions
from sourcegrad.frontend.live import now
from sourcegrad.frontend.operators import Operators
from sourcegrad.frontend.slices import spelled
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Bound,
    Choice,
    Closure,
    Object,
    Struct,
    Variant,
    is_function,
    leaves,
)
from sourcegrad.ir import Expr, Lit, Obj, Op, Plain, Ref, Value, call
from sourcegrad.kinds import BOTTOM, Num, TupleKind, is_array, is_float
from sourcegrad.runtime_places import flat_index


class Subscripts(Operators):
    """Builds subscripts and their indices."""

    made: dict[Value, Expr]

    def indexed_object(self, base: Abstract, node: Any) -> Any:
        """A subscript whose index is an operand (see `Indexers`)."""
        return None

    def item_call(self, base: Abstract, index: Abstract, node: Any) -> Any:
        """A subscript of an object (see `Dunders`)."""
        return None

    def expr_Subscript(self, node: Any) -> Abstract:
        base = self.expr(node.value)
        if isinstance(base, Struct) and isinstance(node.value, (gast.Tuple, gast.List)):
            base = self.settle(base)  # an item that is not picked may raise as well
        if isinstance(base, Obj) and not self.deriving:
            base = of_functions(self, base) or base
        found = self.indexed_object(base, node)
        if found is not None:
            return found
        mark = len(self.region.stmts)
        return self.item(base, spelled(self, base, self.index(node.slice)), node, mark)

    def item(self, base: Abstract, index: Expr, node: Any, mark: int) -> Abstract:
        """`base[index]`; the index was evaluated behind the statement at `mark`."""
        base, index = self.unflattened(base, index)
        found = None if isinstance(base, Expr) else self.item_call(base, index, node)
        if found is not None:
            return found
        if isinstance(base, Struct):
            found = now(self.struct_item(base, index))
            if found is None and ("place", node) in self.context.demoted:
                found = self.runtime_item(base, index)
            if found is not None:
                return found
        operands = [self.materialise(base, node), index]
        self.keep_order(operands, [mark, len(self.region.stmts)])
        item = self.subscript(operands[0], operands[1], node)
        made = self.made.get(item.value) if isinstance(item, Ref) else item
        if isinstance(base, Struct) and isinstance(made, Op):
            self.context.kept[id(made)] = (made, ("place", node))
        return item

    def unflattened(self, base: Abstract, index: Expr) -> tuple[Abstract, Expr]:
        """`a.flat[k]` as an item of the array itself."""
        if not isinstance(base, Attr) or base.name != "flat":
            return base, index
        whole = self.atom(base.base)
        fn = self.binder.bind(flat_index, "flat_index")
        with self.passively():
            return whole, self.atom(call(fn, whole, index))

    def subscript(self, base: Expr, index: Expr, node: Any) -> Abstract:
        """`base[index]` of a run-time value."""
        tree = Op("getitem", (base, index))
        kind = self.infer(tree)
        if isinstance(kind, TupleKind) and self.is_varied(tree) and not self.passive:
            blanks = [gast.Constant(value=None, kind=None) for _ in kind.items]
            return self.unpacked(tree, blanks)
        return self.finish(tree)

    def unpacked(self, expr: Expr, targets: list[Any]) -> Struct:
        """See `Bindings`."""
        raise AssertionError("Bindings provides it")

    def index(self, node: Any) -> Expr:
        """A subscript: always inactive."""
        with self.passively():
            return self.index_item(node)

    def index_item(self, node: Any) -> Expr:
        if isinstance(node, gast.Slice):
            parts = [Lit(None) if p is None else self.plain(p)
                     for p in (node.lower, node.upper, node.step)]  # fmt: skip
            return Op("slice", tuple(parts))
        if isinstance(node, gast.Tuple):
            return Op("tuple", tuple(self.index_item(e) for e in node.elts))
        return self.plain(node)

    def struct_item(self, base: Struct, index: Expr) -> Abstract | None:
        """An item of a structure by a literal key, or a slice by literal bounds."""
        from sourcegrad.frontend.known import known, literal

        if known(index):
            index = Lit(literal(index))
        if isinstance(index, Op) and index.op == "slice" and base.is_sequence:
            bounds = [_literal_int(a) for a in index.args]
            if any(b is _NOT_LITERAL for b in bounds):
                return self.dynamic_item(base, index)
            items = base.items[slice(*bounds)]
            kind = list if issubclass(base.type, list) else tuple
            return Struct(kind, tuple(range(len(items))), items, None, base.site)
        if not isinstance(index, Lit):
            return self.dynamic_item(base, index)
        if base.is_dict:
            if index.value in base.keys:
                return base.items[base.keys.index(index.value)]
            return self.missing_key(index)
        if base.is_sequence and isinstance(index.value, int):
            try:
                return base.items[index.value]
            except IndexError:
                return self.missing_item(IndexError, Lit(f"{base.type.__name__} index"
                                         " out of range"))  # fmt: skip
        return None

    def missing_key(self, index: Lit) -> Abstract:
        """A key the dict does not have: raised when the program gets there."""
        return self.missing_item(KeyError, index)

    def missing_item(self, error: type, index: Lit) -> Abstract:
        """The program's own error, where it gets there; what follows is not reached."""
        kind = self.binder.bind(error, error.__name__)
        node = gast.parse("raise kind(key)").body[0]
        self.append(Plain(node, ("kind", "key"), (kind, index), raises=True))
        self.region.ends = True
        unreached = Op("getitem", (Op("list", ()), Lit(0)))
        unreached.kind = BOTTOM
        return unreached

    def dynamic_item(self, base: Struct, index: Expr) -> Abstract | None:
        """An item chosen at run time: needs a run-time list if it is active."""
        if any(
            isinstance(i, (Object, Closure, Bound, Choice, Variant)) for i in base.items
        ):
            return self.runtime_item(base, index)
        if self.passive or not any(map(self.may_be_active, leaves(base))):
            return None
        return self.runtime_item(base, index)

    def may_be_active(self, leaf: Expr) -> bool:
        """Whether a leaf is active, or an array that may become so."""
        kind = self.infer(leaf)
        held = isinstance(leaf, Ref) and isinstance(kind, Num) and is_array(kind)
        if is_function(leaf):
            return True
        return self.is_varied(leaf) or held and is_float(kind.dtype)  # type: ignore[attr-defined]

    def runtime_item(self, base: Struct, index: Expr) -> Abstract:
        """See `Bindings`."""
        raise AssertionError("Bindings provides it")


_NOT_LITERAL = object()


def _literal_int(expr: Expr) -> Any:
    if isinstance(expr, Lit) and (expr.value is None or isinstance(expr.value, int)):
        return expr.value
    if isinstance(expr, Op) and expr.op == "neg" and isinstance(expr.args[0], Lit):
        return -expr.args[0].value
    return _NOT_LITERAL
