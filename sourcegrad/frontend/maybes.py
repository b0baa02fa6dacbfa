"""Names that hold None at first, and a tuple or list of known structure later.

    best = None                              best_there, best_0, best_1 = False, None, …
    for v in x:                        ->    for v in x:
        if best is None or v < best[0]:          if not best_there or v < best_0:
            best = (v, v * v)                        best_there, best_0 = True, v

Whether it is there is one more value that branches and loops carry; where the program
uses what it holds, that is there, or raises as None does.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend.pointed import Pointed
from sourcegrad.frontend.structs import Abstract, Maybe, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op


class Maybes(Pointed):
    """Builds what is done with structures that may be None."""

    def item(self, base: Abstract, index: Expr, node: Any, mark: int) -> Abstract:
        return super().item(held(base), index, node, mark)

    def indexed_object(self, base: Abstract, node: Any) -> Any:
        return super().indexed_object(held(base), node)

    def attribute(self, base: Abstract, name: str, node: Any) -> Abstract:
        return super().attribute(held(base), name, node)

    def unpack(self, targets: list[Any], tree: Abstract, node: Any) -> None:
        super().unpack(targets, held(tree), node)

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        return super().elements(held(tree), node)

    def call_object(
        self, fn: Obj, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> Any:
        if self.looks_only(fn.obj) or fn.obj is len:
            args = list(map(held, args))
        return super().call_object(fn, args, kw, node)

    def operator_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        if isinstance(left, Maybe) or isinstance(right, Maybe):
            raise self.unsupported(
                node, "an operator on what may be None", "unpack the parts first"
            )
        return super().operator_call(op, left, right, node)

    def compare_call(
        self, op: str, left: Abstract, right: Abstract, node: Any
    ) -> Expr | None:
        tests = {"is": "not", "==": "not", "is not": "", "!=": ""}
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Maybe) and other == Lit(None) and op in tests:
                return Op("not_", (one.there,)) if tests[op] else one.there
        if isinstance(left, Maybe) or isinstance(right, Maybe):
            if op in ("is", "is not", "==", "!="):
                raise self.unsupported(
                    node,
                    f"the comparison {op} of what may be None",
                    "compare the parts, or compare with None",
                )
            left, right = held(left), held(right)
            if isinstance(left, (Expr, Struct)) and isinstance(right, (Expr, Struct)):
                sides = (self.materialise(left, node), self.materialise(right, node))
                return Op("compare", sides, (op,))
        return super().compare_call(op, left, right, node)

    def truth_call(self, tree: Abstract, node: Any) -> Expr:
        if not isinstance(tree, Maybe):
            return super().truth_call(tree, node)
        known = isinstance(tree.held, Struct) and tree.held.items
        return tree.there if known else Lit(False)


def held(tree: Any) -> Any:
    """What a name holds that may be None, where it is used as it is."""
    return tree.held if isinstance(tree, Maybe) else tree
