"""Subscripts whose index is an operand like any other.

An index into an array, a list or a dict only selects. `np.r_[x, y]` computes, and so
does the `__getitem__` of a class of the user's: there the index carries a derivative.
"""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy as np

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.dunders import Dunders
from sourcegrad.frontend.structs import Abstract, Struct, has_own
from sourcegrad.ir import Expr, Lit, Obj, Op
from sourcegrad.kinds import Num, is_scalar

_SELECTED = (np.ndarray, np.generic, list, tuple, dict, str, bytes, range)


class Indexers(Dunders):
    """Builds the subscripts of objects and of NumPy's joining indexers."""

    def indexed_object(self, base: Abstract, node: Any) -> Any:
        """`base[…]` where the index is an operand; None where it only selects."""
        if has_own(base, "__getitem__"):
            return self.item_call(base, self.operand_index(node.slice), node)
        if self.passive or not isinstance(base, Obj):
            return None
        if isinstance(base.obj, _SELECTED) or isinstance(base.obj, type):
            return None
        index = self.operand_index(node.slice)
        if not any(map(self.is_operand, self.deep_leaves(index))):
            return None
        if base.obj is np.r_ or base.obj is np.c_:
            return self.joined_items(base.obj, index, node)
        if isinstance(
            getattr(type(base.obj), "__getitem__", None), types.FunctionType
        ) and not type(base.obj).__module__.startswith("numpy"):
            method = gast.Attribute(node.value, "__getitem__", gast.Load())
            called = self.expr(gast.copy_location(method, node.value))
            return self.call_value(called, [index], {}, node)
        raise self.error(
            NonDifferentiableError,
            "an active value is the index of this object",
            "what the object computes from it is out of sight",
            ("call a function that has a rule, such as np.linspace or np.array",),
            self.locate(node),
        )

    def is_operand(self, leaf: Expr) -> bool:
        """Whether a part of an index carries a derivative, as a bound may."""
        if isinstance(leaf, Op) and leaf.op == "slice":
            return any(map(self.is_varied, leaf.args))
        return self.is_varied(leaf)

    def operand_index(self, node: Any) -> Abstract:
        """An index built like any expression; a slice stays a selection."""
        if isinstance(node, gast.Tuple):
            items = [self.operand_index(e) for e in node.elts]
            return Struct(tuple, tuple(range(len(items))), items)
        if isinstance(node, gast.Slice):
            parts = (node.lower, node.upper, node.step)
            bounds = [Lit(None) if p is None else self.plain(p) for p in parts]
            return Op("slice", tuple(bounds))
        return self.expr(node)

    def joined_items(self, indexer: Any, index: Abstract, node: Any) -> Abstract:
        """`np.r_[…]` and `np.c_[…]`: the items one after the other, or as columns."""
        items = [index]
        if isinstance(index, Struct) and index.type is tuple:
            items = list(index.items)
        parts = [self.one_item(item, node) for item in items]
        self.check_types(parts, node)
        held = Struct(list, tuple(range(len(parts))), parts)
        deep = any(getattr(self.kind_of(p), "ndim", 0) > 2 for p in parts)
        if indexer is np.c_ and not deep:
            return self.call_object(self.numpy("column_stack"), [held], {}, node)
        if indexer is np.r_:
            atleast = self.numpy("atleast_1d")
            flat = [p if self.is_deep(p) else self.call_object(atleast, [p], {}, node)
                    for p in parts]  # fmt: skip
            held = Struct(list, held.keys, flat)
        axis: dict[str, Abstract] = {} if indexer is np.r_ else {"axis": Lit(-1)}
        return self.call_object(self.numpy("concatenate"), [held], axis, node)

    def one_item(self, item: Abstract, node: Any) -> Abstract:
        """One item; a slice stands for a range of numbers."""
        if isinstance(item, Op) and item.op == "slice":
            return self.numbers(item.args, node)
        if isinstance(item, Lit) and isinstance(item.value, str):
            raise self.unsupported(node, f"the directive {item.value!r} in an index",
                                   "use np.concatenate or np.stack")  # fmt: skip
        return item

    def numbers(self, bounds: tuple[Expr, ...], node: Any) -> Abstract:
        """The range of numbers that a slice stands for; `5j` counts them."""
        start, stop, step = bounds
        first = Lit(0) if start == Lit(None) else start
        if isinstance(step, Lit) and isinstance(step.value, complex):
            count = Lit(int(abs(step.value)))
            return self.call_object(
                self.numpy("linspace"), [first, stop, count], {}, node
            )
        by = [] if step == Lit(None) else [step]
        return self.call_object(self.numpy("arange"), [first, stop, *by], {}, node)

    def check_types(self, parts: list[Abstract], node: Any) -> None:
        """Refuse what would be widened: Python numbers beside short floats."""
        kinds = [k for k in map(self.kind_of, parts) if isinstance(k, Num)]
        short = any(k.dtype in ("float32", "float16", "complex64") for k in kinds)
        if short and any(k.flavor == "py" for k in kinds):
            raise self.unsupported(
                node,
                "a Python number beside a float32 array in this index",
                "use np.concatenate with arrays of one dtype",
            )

    def kind_of(self, tree: Abstract) -> Any:
        """The kind of an expression; None for a structure."""
        return self.infer(tree) if isinstance(tree, Expr) else None

    def is_deep(self, tree: Abstract) -> bool:
        """Whether a tree is known to have an axis already."""
        kind = self.kind_of(tree)
        if isinstance(kind, Num) and not is_scalar(kind):
            return bool(kind.ndim)
        return isinstance(tree, Struct) and tree.is_sequence
