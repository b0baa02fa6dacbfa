"""The operands of a call: evaluated left to right, looked through for derivatives and
memory, and put together again for a callee that is not transformed."""

from __future__ import annotations

from typing import Any

from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.errors import MissingRuleError
from sourcegrad.frontend import spreads
from sourcegrad.frontend.held import from_outside
from sourcegrad.frontend.reads import Fixed, is_data
from sourcegrad.frontend.statements import Statements
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Bound,
    Given,
    Object,
    Struct,
    Variant,
    leaves,
)
from sourcegrad.frontend.walks import endless
from sourcegrad.ir import Expr, Lit, Obj, Op, Value
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import UNKNOWN, Kind, TupleKind, is_scalar, strip
from sourcegrad.rules.refused import refusal


class CallOperands(Statements):
    """Evaluates and inspects operands."""

    def structure(self, tree: Abstract) -> Abstract:
        """A dict as it is now (see `Mappings`)."""
        return tree

    def arguments(
        self, node: Any, fn: Abstract | None = None
    ) -> tuple[list[Abstract], dict[str, Abstract]]:
        """The operands of a call, evaluated left to right."""
        args = spreads.evaluated(self, node.args)
        if spreads.is_open(args):
            args = spreads.handed(self, args, fn, node)
        kwargs: dict[str, Abstract] = {}
        for keyword in node.keywords:
            value = self.expr(keyword.value)
            value = value if keyword.arg is not None else self.structure(value)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
                continue
            named = self.structure(value)
            if isinstance(named, Struct) and named.is_dict:
                kwargs |= dict(zip(named.keys, named.items, strict=True))
            elif self.scope.is_rule and isinstance(getattr(value, "obj", None), dict):
                # the arguments of an object from outside, which keeps them as they are
                kwargs |= {
                    k: Op("getitem", (value, Lit(k)))  # type: ignore[arg-type]
                    for k in value.obj  # type: ignore[union-attr]
                }
            else:
                raise self.unsupported(
                    node, "** of a dict that is known only at run time"
                )
        args = [self.materialise(a) if _is_flat(a) else a for a in args]
        if any(isinstance(v, Op) for v in [*args, *kwargs.values()]):
            self.settle_operands(args, kwargs)
        return args, kwargs

    def settle_operands(
        self, args: list[Abstract], kwargs: dict[str, Abstract]
    ) -> None:
        """Operands with effects are emitted, so that none runs twice or late."""
        for k, arg in enumerate(args):
            kept = isinstance(arg, Op) and (arg.op == "star" or endless(arg))
            if isinstance(arg, Op) and not kept and not self.is_pure(arg):
                args[k] = self.settle(arg)
        for key, arg in kwargs.items():
            if isinstance(arg, Op) and not self.is_pure(arg):
                kwargs[key] = self.settle(arg)

    def is_operand_tree(self, tree: Abstract) -> bool:
        """Whether a tree holds data alone, no function."""
        if isinstance(tree, Struct):
            return all(map(self.is_operand_tree, tree.items))
        return isinstance(tree, Expr) and (
            not isinstance(tree, Obj) or is_data(tree.obj) or isinstance(tree.obj, type)
        )

    def active(self, args: Any, kw: Any) -> bool:
        """Whether an operand carries a derivative."""
        if self.passive:
            return False
        trees = [*args, *kw.values()]
        return any(self.is_varied(leaf) for t in trees for leaf in self.deep_leaves(t))

    def deep_leaves(self, tree: Abstract, seen: frozenset[int] = frozenset()) -> Any:
        """The leaves of a tree, objects and bound arguments included."""
        if isinstance(tree, Object):
            for key, held in list(self.env.items()):
                if isinstance(key, tuple) and key[0] is tree and id(tree) not in seen:
                    yield from self.deep_leaves(held, seen | {id(tree)})
        elif isinstance(tree, Bound):
            for item in (tree.fn, *tree.args, *tree.keywords.values()):
                yield from self.deep_leaves(item, seen)
        elif isinstance(tree, Variant):
            yield from self.deep_leaves(tree.first, seen)
            yield from self.deep_leaves(tree.second, seen)
        elif isinstance(tree, Struct):
            for item in tree.items:
                yield from self.deep_leaves(item, seen)
        elif isinstance(tree, Attr):
            yield tree.base
        elif isinstance(tree, Expr):
            yield from leaves(tree)

    def call_tree(self, fn: Expr, args: Any, kw: Any, node: Any) -> Op:
        """The call as one expression."""
        operands = [self.materialise(a, node) for a in args]
        named = [self.materialise(v, node) for v in kw.values()]
        return Op("call", (fn, *operands, *named), tuple(kw))

    def missing(self, what: str, node: Any, obj: Any = None) -> MissingRuleError:
        """The error for a function without a rule."""
        known = refusal(obj)
        if known is not None:
            why, hint = known
            return MissingRuleError(
                f"{what} has no derivative rule", self.locate(node), why, (hint,)
            )
        return MissingRuleError(
            f"{what} has no derivative rule",
            self.locate(node),
            "an active value passes through it",
            (
                "give it one with @sourcegrad.adjoint or @sourcegrad.elementwise",
                "take it as a constant with sourcegrad.stop_gradient(…)",
            ),
        )

    def holds_memory(self, args: Any, kw: Any, varied: bool = False) -> bool:
        """Whether an operand is memory that a callee could write (and is active)."""
        held = (e for t in [*args, *kw.values()] for e in leaves(t))
        return any(
            has_memory(v) and (v.varied or not varied)
            for e in held
            for v in self.memories(e)
        )

    def memories(self, e: Expr) -> list[Value]:
        """What a callee that writes into an operand may write to."""
        if isinstance(e, Op) and e.op == "ifexp":
            return [v for arm in e.args[1:] for v in self.memories(arm)]
        found = isinstance(e, Op) and e.op in ("getitem", "attr")
        if found and not is_scalar(self.infer(e)):
            return list(refs(e))
        return view_bases(e)

    def may_write(self, name: str, node: Any) -> MissingRuleError:
        """The refusal of a callee that might change an active array unseen."""
        return MissingRuleError(
            f"{name} gets an active array, and whether it changes it is not known",
            self.locate(node),
            "its code cannot be followed",
            ("hand it a copy: x.copy()", "declare it with @sourcegrad.constant"),
        )

    def can_materialise(self, tree: Abstract) -> bool:
        """Whether a tree can be handed to code that is not transformed."""
        if isinstance(tree, Struct):
            return all(map(self.can_materialise, tree.items))
        if isinstance(tree, Given):
            return not tree.follows and (self.passive or not self.is_moving(tree))
        return isinstance(tree, (Expr, Attr))

    def tree_kind(self, tree: Abstract) -> Kind:
        """The kind of what a name holds."""
        if isinstance(tree, Expr):
            return strip(self.infer(tree))
        if isinstance(tree, Struct) and tree.type is tuple:
            return TupleKind(tuple(map(self.tree_kind, tree.items)))
        return UNKNOWN

    def constant(self, obj: Any, name: str) -> Abstract:
        """A constant object of the user's world as something a name can hold."""
        if obj is None or type(obj) in (int, float, bool, str, complex):
            return Lit(obj)
        if type(obj) is tuple and all(type(i) in (int, float, bool, str) for i in obj):
            return Struct(tuple, tuple(range(len(obj))), [Lit(i) for i in obj])
        bound = self.binder.bind(obj, getattr(obj, "__name__", name))
        return from_outside(self, bound, Fixed(obj))

    context: Any


def _is_flat(tree: Abstract) -> bool:
    """Whether an operand is `a.flat`, which a call takes as a one-dimensional array."""
    return isinstance(tree, Attr) and tree.name == "flat"
