"""What an expression becomes: one tree where no derivative passes through it, and an
emitted operation where one does; operands keep the order they are written in."""

from __future__ import annotations

import functools
from contextlib import nullcontext
from typing import Any

import numpy as np

from sourcegrad.errors import NonDifferentiableError, UnsupportedSyntaxError
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.decorators import as_getter
from sourcegrad.frontend.emit import Emitter
from sourcegrad.frontend.scope import Scope
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Bound,
    Given,
    Object,
    Poison,
    Struct,
    Variant,
    leaves,
)
from sourcegrad.ir import Assign, Expr, Lit, Obj, Op, Undef, attr, call
from sourcegrad.ir_walk import walk_expr
from sourcegrad.kinds import (
    BOTTOM,
    UNKNOWN,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_scalar,
    join,
)


class Evaluation(Emitter):
    """Evaluates expressions of one scope at a time (`self.scope`)."""

    scope: Scope
    context: Any

    def expr(self, node: Any) -> Abstract:
        """What an expression of the user's function stands for."""
        method = getattr(self, f"expr_{type(node).__name__}", None)
        if method is None:
            raise self.unsupported(node, f"{type(node).__name__} expressions")
        return method(node)

    def unsupported(
        self, node: Any, what: str, hint: str = ""
    ) -> UnsupportedSyntaxError:
        """The refusal of a construct, at its place."""
        hints = (hint,) if hint else ()
        return UnsupportedSyntaxError(
            f"{what} cannot be differentiated yet", self.locate(node), "", hints
        )

    def locate(self, node: Any) -> Any:
        """Where a node stands in the user's file."""
        source = self.scope.source
        if self.deriving or source is None or not hasattr(node, "lineno"):
            return self.where
        return source.location(node)

    def plain(self, node: Any) -> Expr:
        """An expression as one tree (structures are put together again)."""
        return self.materialise(self.expr(node), node)

    def passive_expr(self, node: Any) -> Expr:
        """An expression whose derivative is not asked for."""
        with self.passively():
            return self.plain(node)

    def materialise(self, tree: Abstract, node: Any = None) -> Expr:
        """One expression for what a name holds."""
        if isinstance(tree, Undef):
            raise self.error(NonDifferentiableError, "this name is not bound here",
                             where=self.locate(node))  # fmt: skip
        if isinstance(tree, Expr):
            return tree
        if isinstance(tree, Struct):
            if tree.origin is not None and (
                self.passive or not self.active_choice(tree)
            ):
                return self.origin_of(tree)
            items = tuple(self.materialise(i, node) for i in tree.items)
            if tree.type in (tuple, list):
                return Op("tuple" if tree.type is tuple else "list", items)
            if issubclass(tree.type, tuple) and self.followed(tree):
                return self.tuple_of_fields(tree.type, items)
            if tree.type is dict:
                pairs = [
                    e
                    for k, v in zip(tree.keys, items, strict=True)
                    for e in (Lit(k), v)
                ]
                return Op("dict", tuple(pairs))
            cls = self.binder.bind(tree.type, tree.type.__name__)
            if issubclass(tree.type, BaseException):
                return Op("call", (cls, *items[0].args), ())  # type: ignore[attr-defined]
            by_name = not issubclass(tree.type, tuple)
            return Op("call", (cls, *items), tree.keys if by_name else ())
        if isinstance(tree, Attr):
            if tree.name == "flat" and self.is_varied(tree.base) and not self.passive:
                return self.finish(call(self.numpy("ravel"), tree.base))
            self.require_known(tree, node)
            return attr(tree.base, tree.name)
        if isinstance(tree, Poison):
            self.held_now(tree, "", node)
        getter = as_getter(self, tree, node)
        if getter is not None:
            return getter
        if isinstance(tree, Bound) and isinstance(tree.fn, Obj) and not tree.keywords:
            method = getattr(tree.fn.obj, "__name__", "")
            if len(tree.args) == 1 and isinstance(tree.args[0], Expr):
                return attr(tree.args[0], method)
        self.unroll_around()
        if isinstance(tree, Given):
            if not tree.follows and (self.passive or not self.is_moving(tree)):
                return tree.whole
            raise self.unsupported(
                node, "an object from outside that is followed, used as a value here,",
                "hand on its attributes instead",
            )  # fmt: skip
        what = (
            "an object built in"
            if isinstance(tree, (Object, Variant))
            else "a function defined inside"
        )
        raise self.error(
            UnsupportedSyntaxError,
            f"{what} the differentiated function is used as a value here",
            where=self.locate(node),
        )

    def is_moving(self, tree: Given) -> bool:
        """Whether an attribute of an object is active."""
        held = (self.env.get((tree, name)) for name in tree.names)
        return any(map(self.is_varied, (e for t in held if t for e in leaves(t))))

    def origin_of(self, tree: Struct) -> Expr:
        """Where a whole structure stands, with the kind of a sequence of numbers: an
        operator of an array takes that as an array."""
        origin = tree.origin
        assert origin is not None
        if tree.type in (tuple, list) and isinstance(origin, Op):
            kinds = [self.infer(i) for i in tree.items if isinstance(i, Expr)]
            if len(kinds) == len(tree.items) and all(map(is_scalar, kinds)):
                if self.infer(origin) == UNKNOWN:
                    start: Kind = BOTTOM
                    some = functools.reduce(join, kinds, start)
                    of_list = tree.type is list
                    origin.kind = ListKind(some) if of_list else TupleKind((*kinds,))
        return origin

    def unroll_around(self) -> None:
        """See `Unrolling`."""
        raise AssertionError("Unrolling provides it")

    def held_now(self, found: Abstract, name: str, node: Any) -> Abstract:
        """What is held under a name, if it can be told.

        Raises:
            Restart: it can, by a decision that is taken now.
        """
        if not isinstance(found, Poison):
            return found
        if found.wanted is not None and found.wanted not in self.context.derived:
            self.context.derived[found.wanted] = True
            raise Restart
        self.unroll_around()
        text = f"{name!r} {found.reason}" if name else found.reason
        raise self.error(NonDifferentiableError, text, where=self.locate(node))

    def require_known(self, tree: Attr, node: Any) -> None:
        """Refuse an attribute that may hold something active, of a value of which
        nothing is known: its derivative would be lost."""
        holders = (np.ndarray, float, list, dict, str)
        if self.passive or not self.is_varied(tree.base):
            return
        if self.infer(tree.base) == UNKNOWN and not any(
            hasattr(holder, tree.name) for holder in holders
        ):
            raise self.unsupported(
                node,
                f"the attribute {tree.name!r} of a value of unknown kind",
                "unpack it, or read it by its place: r[0]",
            )

    def followed(self, tree: Struct) -> bool:
        """Whether a derivative goes through a structure."""
        return not self.passive and self.active_choice(tree)

    def tuple_of_fields(self, cls: type, items: tuple[Expr, ...]) -> Op:
        """A named tuple of active values as a plain one, which rules can follow; its
        kind remembers the class."""
        made = Op("tuple", items)
        made.kind = TupleKind(tuple(map(self.infer, items)), cls)
        return made

    def in_order(self, nodes: list[Any]) -> list[Expr]:
        """Operands evaluated left to right; what must not move is emitted."""
        found: list[Expr] = []
        marks: list[int] = []
        for node in nodes:
            found.append(self.plain(node))
            marks.append(len(self.region.stmts))
        self.keep_order(found, marks)
        return found

    def keep_order(self, found: list[Expr], marks: list[int]) -> None:
        """Emit trees that later statements with effects would otherwise overtake."""
        end = len(self.region.stmts)
        for k in reversed(range(len(found))):
            later = self.region.stmts[marks[k] : end]
            if isinstance(found[k], Op) and any(not self.is_quiet(s) for s in later):
                tail = self.region.stmts[marks[k] :]
                del self.region.stmts[marks[k] :]
                found[k] = self.emit(found[k])
                self.region.stmts += tail

    def is_quiet(self, stmt: Any) -> bool:
        """Whether a statement neither has effects nor depends on when it runs."""
        return isinstance(stmt, Assign) and self.is_pure(stmt.expr)

    def is_pure(self, expr: Expr) -> bool:
        """Whether an expression has no effect, as far as the rules tell."""
        from sourcegrad.frontend.purity import pure

        return pure(expr)

    def finish(self, expr: Op) -> Expr:
        """An operation: emitted if active, a tree otherwise."""
        if self.deriving:
            return self.folded(expr)
        if self.passive or not self.is_varied(expr):
            return self.folded(expr) if self.static else expr
        return self.emit(self.hoisted(expr))

    def hoisted(self, expr: Op) -> Op:
        """An active operation with operands that cost something made values: the
        reverse sweep reads them too, and must not run them again."""
        args = []
        for k, arg in enumerate(expr.args):
            index = expr.op == "getitem" and k == 1  # inactive, whatever it is made of
            with self.passively() if index else nullcontext():
                called = expr.op == "call" and k == 0
                args.append(arg if called else self.hoisted_operand(arg))
        if all(a is b for a, b in zip(args, expr.args, strict=True)):
            return expr
        return Op(expr.op, tuple(args), expr.data)

    def hoisted_operand(self, arg: Expr) -> Expr:
        if not isinstance(arg, Op):
            return arg
        if arg.op in ("tuple", "list", "slice", "dict"):
            return self.hoisted(arg)
        kind = self.infer(arg)
        heavy = (
            isinstance(kind, Num)
            and kind.ndim != 0
            and arg.op not in ("attr", "getitem")
        )
        if not heavy and all(map(_costs_nothing, walk_expr(arg))):
            return arg
        ruleless = arg.op == "call" and self.is_varied(arg)
        if ruleless and not self.passive:
            what = f"{arg.args[0]} of active values as an operand"
            raise self.unsupported(None, what)
        with self.passively():
            return self.emit(arg)

    def folded(self, expr: Op) -> Expr:
        """The operation of a rule, simplified."""
        from sourcegrad.frontend.folding import fold

        return fold(self, expr)

    def active_choice(self, *arms: Abstract) -> bool:
        """Whether one of the arms may carry a derivative."""
        return any(self.is_varied(leaf) for arm in arms for leaf in leaves(arm))

    def site(self, node: Any) -> Any:
        """What identifies the place a container is made at, in every activation."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        return (line, column, self.scope.name, self.scope.place)

    def numpy(self, name: str) -> Obj:
        """A NumPy function as the generated code names it."""
        root = self.binder.bind(np, "np")
        return Obj(getattr(np, name), f"{root.path}.{name}")


_CHEAP = frozenset({len, int, min, max, abs, range, slice})


def _costs_nothing(e: Expr) -> bool:
    """Whether evaluating a node of an inactive tree again costs nothing."""
    if not isinstance(e, Op) or e.op in ("attr", "slice", "tuple", "compare"):
        return True
    if e.op == "call":
        fn = e.args[0]
        return isinstance(fn, Obj) and callable(fn.obj) and _is_in(fn.obj, _CHEAP)
    return e.op in (
        "add",
        "sub",
        "mul",
        "neg",
        "floordiv",
        "mod",
        "getitem",
        "not_",
        "and",
        "or",
        "pow",
        "truediv",
    )


def _is_in(obj: Any, group: frozenset[Any]) -> bool:
    try:
        return obj in group
    except TypeError:
        return False
