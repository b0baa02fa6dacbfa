"""Expressions: inactive ones stay whole trees, active operations are emitted."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

import gast
import numpy as np

from sourcegrad.errors import NonDifferentiableError, UnsupportedSyntaxError
from sourcegrad.frontend import library, spreads
from sourcegrad.frontend.chosen import of_functions
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.decorators import as_getter
from sourcegrad.frontend.emit import Emitter
from sourcegrad.frontend.held import holds_functions, opened, reader_of
from sourcegrad.frontend.inference import CONSTANT_ATTRIBUTES
from sourcegrad.frontend.kept_parts import apart
from sourcegrad.frontend.scope import MemberRead, Scope, is_data
from sourcegrad.frontend.slices import spelled
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Bound,
    Choice,
    Closure,
    LocalMember,
    Object,
    Poison,
    Struct,
    Super,
    is_function,
    leaves,
)
from sourcegrad.ir import (
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Undef,
    attr,
    call,
    walk_expr,
)
from sourcegrad.kinds import NONE, Atom, Num, TupleKind, is_array, is_float
from sourcegrad.rules.methods import ATTRIBUTES, METHODS
from sourcegrad.runtime_places import flat_index

_BINOPS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv",
    "Mod": "mod", "Pow": "pow", "MatMult": "matmul", "LShift": "lshift",
    "RShift": "rshift", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor",
}  # fmt: skip
_UNOPS = {"USub": "neg", "UAdd": "pos", "Not": "not_", "Invert": "invert"}
_COMPARES = {
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Eq": "==",
    "NotEq": "!=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}


class Expressions(Emitter):
    """Builds expressions of one scope at a time (`self.scope`)."""

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
                return tree.origin
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
            return attr(tree.base, tree.name)
        if isinstance(tree, Poison):
            raise self.error(
                NonDifferentiableError, tree.reason, where=self.locate(node)
            )
        getter = as_getter(self, tree, node)
        if getter is not None:
            return getter
        if isinstance(tree, Bound) and isinstance(tree.fn, Obj) and not tree.keywords:
            method = getattr(tree.fn.obj, "__name__", "")
            if len(tree.args) == 1 and isinstance(tree.args[0], Expr):
                return attr(tree.args[0], method)
        what = (
            "an object built in the function"
            if isinstance(tree, Object)
            else "a function"
        )
        raise self.error(
            UnsupportedSyntaxError,
            f"{what} defined inside the differentiated function "
            "is used as a value here",
            where=self.locate(node),
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

    # ------------------------------------------------------------------ names

    def expr_Constant(self, node: Any) -> Abstract:
        return Lit(node.value)

    def expr_Name(self, node: Any) -> Abstract:
        return self.lookup(node.id, node)

    def lookup(self, name: str, node: Any = None) -> Abstract:
        """What a name holds: local, enclosing, captured, global or builtin."""
        scope = self.scope
        if name in scope.locals or name[0] == "$":
            return self.local(scope, name, node)
        owner = scope.outer.get(name)
        if owner is not None:
            return self.local(owner, name, node)
        fn = scope.fn
        if fn is not None:
            try:
                captured = name in fn.__code__.co_freevars
                read = self.binder.cell if captured else self.binder.global_
                bound = read(fn, name)
            except KeyError:
                bound = None
            if bound is not None and holds_functions(bound.obj):
                return opened(self, bound, reader_of(fn, name))
            if bound is not None:
                return bound
        raise self.error(NonDifferentiableError, f"name {name!r} is not defined",
                         where=self.locate(node))  # fmt: skip

    def local(self, scope: Scope, name: str, node: Any) -> Abstract:
        """What a local name holds here."""
        found = self.env.get((scope, name))
        if found is None or isinstance(found, Undef):
            raise self.error(
                NonDifferentiableError,
                f"the name {name!r} is not bound when it is read here",
                where=self.locate(node),
            )
        if isinstance(found, Poison):
            if found.wanted is not None:
                self.context.derived[found.wanted] = True
                raise Restart
            raise self.error(NonDifferentiableError, f"{name!r} {found.reason}",
                             where=self.locate(node))  # fmt: skip
        return found

    # -------------------------------------------------------------- operators

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
        args = [a if expr.op == "call" and k == 0 else self.hoisted_operand(a)
                for k, a in enumerate(expr.args)]  # fmt: skip
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
        if arg.op == "call" and self.is_varied(arg):  # that no rule follows
            what = f"{arg.args[0]} of active values as an operand"
            raise self.unsupported(None, what)
        with self.passively():
            return self.emit(arg)

    def folded(self, expr: Op) -> Expr:
        """The operation of a rule, simplified."""
        from sourcegrad.frontend.folding import fold

        return fold(self, expr)

    def expr_BinOp(self, node: Any) -> Abstract:
        left, right = self.expr(node.left), None
        if isinstance(left, Struct) and left.type in (tuple, list):
            right = self.expr(node.right)
            joined = self.joined(node, left, right)
            if joined is not None:
                return joined
        op = _BINOPS[type(node.op).__name__]
        if not isinstance(left, Expr):
            right = self.expr(node.right) if right is None else right
            found = self.operator_call(op, left, right, node)
            if found is not None:
                return found
        first = self.materialise(left, node.left)
        mark = len(self.region.stmts)
        right = self.expr(node.right) if right is None else right
        if not isinstance(right, Expr):
            found = self.operator_call(op, first, right, node)
            if found is not None:
                return found
        operands = [first, self.materialise(right, node.right)]
        self.keep_order(operands, [mark, len(self.region.stmts)])
        return self.finish(Op(op, tuple(operands)))

    def operator_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        """An operator of an object (see `Dunders`)."""
        return None

    def joined(self, node: Any, left: Struct, right: Abstract) -> Abstract | None:
        """`a + b` of sequences and `a * 3`, of known structure."""
        op = type(node.op).__name__
        if op == "Add" and isinstance(right, Struct) and right.type is left.type:
            items = [*left.items, *right.items]
        elif op == "Mult" and isinstance(right, Lit) and isinstance(right.value, int):
            items = [self.settle(i) for i in left.items] * right.value
        else:
            return None
        site = (id(node), "joined") if left.type is list else None
        return self.display(left.type, items, site)

    def display(self, kind: type, items: list[Abstract], site: Any) -> Abstract:
        """A tuple or list display; a list that is mutated is a run-time one."""
        return Struct(kind, tuple(range(len(items))), items, None, site)

    def expr_UnaryOp(self, node: Any) -> Abstract:
        op = _UNOPS[type(node.op).__name__]
        if op == "not_":
            tree = Op(op, (self.condition(node.operand),))
            return self.folded(tree) if self.deriving else tree
        held = self.expr(node.operand)
        if not isinstance(held, Expr):
            found = self.unary_call(op, held, node)
            if found is not None:
                return found
        operand = self.materialise(held, node.operand)
        if (
            op == "neg"
            and isinstance(operand, Lit)
            and type(operand.value) in (int, float)
        ):
            if self.deriving:
                return Lit(-operand.value)
        return self.finish(Op(op, (operand,)))

    def condition(self, node: Any) -> Expr:
        """A condition: the truth of what an expression stands for."""
        with self.passively():
            held = self.expr(node)
            if isinstance(held, Object):
                return self.truth_call(held, node)
            return self.materialise(held, node)

    def unary_call(self, op: str, held: Abstract, node: Any) -> Any:
        """An operator of an object (see `Dunders`)."""
        return None

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        """The truth of an object (see `Dunders`)."""
        raise AssertionError("Dunders provides it")

    def compare_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        """A comparison of objects (see `Dunders`)."""
        raise AssertionError("Dunders provides it")

    def indexed_object(self, base: Abstract, node: Any) -> Any:
        """A subscript whose index is an operand (see `Indexers`)."""
        return None

    def item_call(self, base: Abstract, index: Abstract, node: Any) -> Any:
        """A subscript of an object (see `Dunders`)."""
        return None

    def compare_objects(self, node: Any) -> Expr | None:
        """A comparison of which an operand is an object the program built."""
        if len(node.ops) != 1:
            return None
        with self.passively():
            trees = spreads.evaluated(self, [node.left, node.comparators[0]])
        op = _COMPARES[type(node.ops[0]).__name__]
        if op in ("is", "is not") and Lit(None) in trees:
            if not all(isinstance(t, Expr) for t in trees):
                return Lit(op == "is not")
        if not any(isinstance(t, Object) for t in trees):
            return self.compared(node, [self.materialise(t, node) for t in trees])
        with self.passively():
            found = self.compare_call(op, trees[0], trees[1], node)
        if found is None:
            raise self.unsupported(node, f"the comparison {op} of this object")
        return found

    def compared(self, node: Any, operands: list[Expr]) -> Expr:
        """A comparison of expressions."""
        ops = tuple(_COMPARES[type(o).__name__] for o in node.ops)
        tree = Op("compare", tuple(operands), ops)
        return self.folded(tree) if self.deriving or self.static else tree

    def expr_Compare(self, node: Any) -> Abstract:
        found = self.compare_objects(node)
        if found is not None:
            return found
        with self.passively():
            operands = self.in_order([node.left, *node.comparators])
        return self.compared(node, operands)

    def expr_BoolOp(self, node: Any) -> Abstract:
        """`a and b`, lazily: an arm that needs statements becomes an `if`."""
        is_and = isinstance(node.op, gast.And)
        return self.lazily(node.values, is_and, node)

    def lazily(self, nodes: list[Any], is_and: bool, node: Any) -> Abstract:
        first = self.expr(nodes[0])
        if len(nodes) == 1:
            return first
        if self.deriving:
            return self.lazily_folded(first, nodes, is_and, node)
        known = self.static_truth(first) if isinstance(first, Expr) else None
        if known is not None:
            return self.lazily(nodes[1:], is_and, node) if known is is_and else first
        if not isinstance(first, Expr):
            first = self.materialise(first, nodes[0])
        region = Region()
        env = dict(self.env)
        with self.inside(region):
            rest = self.lazily(nodes[1:], is_and, node)
        name = "and" if is_and else "or"
        active = self.is_varied(first) or any(map(self.is_varied, leaves(rest)))
        if not region.stmts and isinstance(rest, Expr) and (self.passive or not active):
            if isinstance(rest, Op) and rest.op == name:
                return Op(name, (first, *rest.args))
            return Op(name, (first, rest))
        self.env = env  # built again, in the arm of an `if`
        held = self.atom(first, "left")
        taken, skipped = (lambda: self.lazily(nodes[1:], is_and, node)), (lambda: held)
        return (
            self.choose(held, taken, skipped)
            if is_and
            else self.choose(held, skipped, taken)
        )

    def lazily_folded(
        self, first: Abstract, nodes: list[Any], is_and: bool, node: Any
    ) -> Abstract:
        from sourcegrad.frontend.folding import truth

        known = truth(self, self.materialise(first))
        if known is not None:
            return self.lazily(nodes[1:], is_and, node) if known is is_and else first
        rest = self.materialise(self.lazily(nodes[1:], is_and, node))
        return Op("and" if is_and else "or", (self.materialise(first), rest))

    def expr_IfExp(self, node: Any) -> Abstract:
        cond = self.condition(node.test)
        known = self.static_truth(cond)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        arms: list[tuple[Region, Abstract]] = []
        env = dict(self.env)
        for arm in (node.body, node.orelse):
            region = Region()
            with self.inside(region):
                arms.append((region, self.expr(arm)))
            self.env = dict(env)
        (r1, a), (r2, b) = arms
        whole = (
            isinstance(a, Expr) and isinstance(b, Expr) and not (r1.stmts or r2.stmts)
        )
        active = self.active_choice(a, b) or is_function(a) and is_function(b)
        if whole and (self.passive or self.deriving or not active):
            return Op("ifexp", (cond, a, b))  # type: ignore[arg-type]
        return self.choose(
            cond, lambda: self.expr(node.body), lambda: self.expr(node.orelse)
        )

    def active_choice(self, *arms: Abstract) -> bool:
        """Whether one of the arms may carry a derivative."""
        return any(self.is_varied(leaf) for arm in arms for leaf in leaves(arm))

    def static_truth(self, cond: Expr) -> bool | None:
        """The truth of a condition where it is known when compiling."""
        from sourcegrad.frontend.folding import literal_truth, only_literals, truth

        scope = self.scope
        if self.deriving or scope.is_rule or scope.decides or only_literals(cond):
            return truth(self, cond)
        if (none := self.is_none_test(cond)) is not None:
            return none
        if self.scope.folds:
            return literal_truth(cond)
        return None

    def is_none_test(self, cond: Expr) -> bool | None:
        """The truth of `x is None` for an `x` that is certainly None."""
        if isinstance(cond, Op) and cond.op == "not_":
            inner = self.is_none_test(cond.args[0])
            return None if inner is None else not inner
        if not isinstance(cond, Op) or cond.op != "compare":
            return None
        if cond.data not in (("is",), ("is not",)) or cond.args[1] != Lit(None):
            return None
        held = cond.args[0]
        if isinstance(held, Ref) and self.infer(held) == NONE or held == Lit(None):
            return cond.data == ("is",)
        return None

    def choose(self, cond: Expr, taken: Any, other: Any) -> Abstract:
        """A value that depends on a condition (see `Statements`)."""
        raise AssertionError("Statements provides it")

    # ------------------------------------------------------------- containers

    def expr_Tuple(self, node: Any) -> Abstract:
        parts = spreads.evaluated(self, node.elts)
        if spreads.is_open(parts):
            return Op("tuple", spreads.plain(self, parts, node))
        return Struct(tuple, tuple(range(len(parts))), parts)

    def expr_List(self, node: Any) -> Abstract:
        parts = spreads.evaluated(self, node.elts)
        if spreads.is_open(parts):
            return spreads.listed(self, parts, node)
        return self.list_display(parts, node)

    def list_display(self, items: list[Abstract], node: Any) -> Abstract:
        """A list display: static, or a run-time list if it is mutated."""
        return self.display(list, items, self.site(node))

    def site(self, node: Any) -> Any:
        """What identifies the place a container is made at, in every activation."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        return (line, column, self.scope.name, self.scope.place)

    def expr_Dict(self, node: Any) -> Abstract:
        from sourcegrad.frontend.folding import known, literal

        keys: list[Any] = []
        items: list[Abstract] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                part = self.expr(value)
                if not (isinstance(part, Struct) and part.is_dict):
                    raise self.unsupported(
                        node, "a dict display with ** of an unknown dict"
                    )
                keys += part.keys
                items += part.items
                continue
            found = self.passive_expr(key)
            if not known(found):
                return self.unknown_dict(node)
            keys.append(literal(found))
            items.append(self.expr(value))
        merged = dict(zip(keys, items, strict=True))
        return self.dict_display(tuple(merged), list(merged.values()), self.site(node))

    def dict_display(self, keys: Any, items: list[Abstract], site: Any) -> Abstract:
        """A dict display; one that changes is kept apart (see `Mappings`)."""
        return Struct(dict, keys, items, None, site)

    def unknown_dict(self, node: Any) -> Abstract:
        """A dict display with keys known only at run time: inactive only."""
        pairs = [n for pair in zip(node.keys, node.values, strict=True) for n in pair]
        found = self.in_order(pairs)
        if not self.passive and any(map(self.is_varied, found)):
            raise self.unsupported(node, "a dict of active values with computed keys")
        return Op("dict", tuple(found))

    # ----------------------------------------------------- attributes, indices

    def expr_Attribute(self, node: Any) -> Abstract:
        return self.attribute(self.expr(node.value), node.attr, node)

    def attribute(self, base: Abstract, name: str, node: Any) -> Abstract:
        """`base.name`."""
        if isinstance(base, Obj) and not is_data(base.obj):
            return self.static_attribute(base, name, node)
        if isinstance(base, Super):
            return self.class_member(
                instance_type(base.instance), name, base.instance, node, base.behind
            )
        if isinstance(base, Object):
            return self.object_attribute(base, name, node)
        if isinstance(base, Struct):
            return self.struct_attribute(base, name, node)
        tree = self.materialise(base, node)
        kind = self.infer(tree)
        if isinstance(kind, Num):
            return self.array_attribute(tree, name, kind)
        if isinstance(kind, TupleKind) and name in getattr(kind.type, "_fields", ()):
            index = kind.type._fields.index(name)  # type: ignore[attr-defined]
            return self.subscript(tree, Lit(index), node)
        if isinstance(base, Obj):
            return self.instance_attribute(base, name, node)
        if not self.passive and self.is_varied(tree):
            if name in ATTRIBUTES and name != "flat":
                return self.finish(attr(tree, name))
            return Attr(tree, name)
        return attr(tree, name)

    def static_attribute(self, base: Obj, name: str, node: Any) -> Abstract:
        """An attribute of a module or class: resolved when compiling."""
        try:
            member = inspect.getattr_static(base.obj, name, None)
            if isinstance(member, LocalMember):
                tree = self.local_member(member, base.obj, None, node)
                return member.tree if member.sort == "method" else tree
            obj = getattr(base.obj, name)
        except AttributeError as e:
            raise self.error(
                NonDifferentiableError, str(e), where=self.locate(node)
            ) from None
        if isinstance(base.obj, types.ModuleType) and not base.obj.__name__.startswith(
            ("numpy", "scipy", "math", "cmath")
        ):
            holder = base.obj
            self.binder.guard(("m", id(holder), name), f"{base.path}.{name}",
                              MemberRead(holder, name), obj)  # fmt: skip
        return Obj(obj, f"{base.path}.{name}")

    def array_attribute(self, tree: Expr, name: str, kind: Num) -> Abstract:
        if name in CONSTANT_ATTRIBUTES:
            fold = self.deriving or self.static
            return self.folded(attr(tree, name)) if fold else attr(tree, name)
        if name == "flat" and not self.deriving:
            return Attr(tree, name)
        if name in ATTRIBUTES:
            return self.finish(attr(tree, name))
        if name in METHODS or hasattr(float, name) or name == "__getitem__":
            return Attr(tree, name)
        if hasattr(np.ndarray, name) or not self.is_varied(tree):
            return attr(tree, name)
        with self.passively():  # no such thing: raised when the program gets there
            return self.emit(attr(tree, name))

    def struct_attribute(self, base: Struct, name: str, node: Any) -> Abstract:
        if name == "__class__":
            return self.binder.bind(base.type, base.type.__name__)
        by_name = hasattr(base.type, "__getattr__")  # as SciPy's results
        if name in base.keys and (by_name or not (base.is_dict or base.is_sequence)):
            return base.items[base.keys.index(name)]
        if by_name and base.origin is not None and not hasattr(base.type, name):
            return attr(base.origin, name)
        fields = getattr(base.type, "_fields", ())
        if name in fields:
            return base.items[fields.index(name)]
        member = getattr(base.type, name, None)
        if name in ("_replace", "_asdict") and fields:
            marker = {"_replace": library.named_replace, "_asdict": library.named_dict}[
                name
            ]
            return Bound(Obj(marker, name), [base])
        if isinstance(member, (property, classmethod, types.MethodType)):
            return self.class_member(base.type, name, base, node)
        if base.is_sequence or base.is_dict:
            return Bound(Obj(member, f"{base.type.__name__}.{name}"), [base])
        return self.class_member(base.type, name, base, node)

    def super_of(self, args: list[Abstract], node: Any) -> tuple[type, Abstract]:
        """The class and instance that `super(…)` stands for."""
        if (
            len(args) == 2
            and isinstance(args[0], Obj)
            and isinstance(args[0].obj, type)
        ):
            return args[0].obj, args[1]
        fn, tree = self.scope.fn, self.scope.source
        owner = _defining_class(fn) if fn is not None and not args else None
        if owner is None or tree is None or not tree.tree.args.args:
            raise self.unsupported(node, "super() where the class is not known",
                                   "write super(Class, self)")  # fmt: skip
        return owner, self.lookup(tree.tree.args.args[0].id, node)

    def class_member(
        self,
        cls: type,
        name: str,
        instance: Abstract,
        node: Any,
        behind: type | None = None,
    ) -> Abstract:
        """What the class gives for an attribute: method, property, class variable."""
        order = cls.__mro__
        if behind is not None:
            order = order[order.index(behind) + 1 :]
        for owner in order:
            if name in vars(owner):
                member = vars(owner)[name]
                break
        else:
            raise self.error(
                NonDifferentiableError,
                f"{cls.__name__!r} object has no attribute {name!r}",
                where=self.locate(node),
            )
        if isinstance(member, LocalMember):
            return self.local_member(member, cls, instance, node)
        if isinstance(member, property) and member.fget is not None:
            fn = self.binder.bind(member.fget, name)
            return self.call_value(fn, [instance], {}, node)
        if isinstance(member, functools.cached_property):
            return self.cached_member(member, instance, name, node)
        if isinstance(member, staticmethod):
            return self.binder.bind(member.__func__, name)
        if isinstance(member, classmethod):
            owner_obj = self.binder.bind(cls, cls.__name__)
            return Bound(self.binder.bind(member.__func__, name), [owner_obj])
        if isinstance(member, types.FunctionType):
            return Bound(self.binder.bind(member, name), [instance])
        if isinstance(member, types.WrapperDescriptorType) and name == "__init__":
            return Bound(self.binder.bind(library.base_init, name), [instance])
        base = self.binder.bind(cls, cls.__name__)
        return Obj(member, f"{base.path}.{name}")

    def cached_member(
        self, member: Any, instance: Abstract, name: str, node: Any
    ) -> Abstract:
        """A cached property: computed again at each read, which gives the same as long
        as the object is not changed any more."""
        if isinstance(instance, Object):
            self.frozen.add(instance)
        fn = self.binder.bind(member.func, name)
        return self.call_value(fn, [instance], {}, node)

    frozen: set[Object]

    def local_member(
        self, member: LocalMember, cls: type, instance: Any, node: Any
    ) -> Abstract:
        """What a class defined inside the function gives for an attribute."""
        if member.sort == "property":
            return self.call_value(member.tree, [instance], {}, node)
        if member.sort in ("value", "staticmethod"):
            return member.tree
        first = Obj(cls, cls.__name__) if member.sort == "classmethod" else instance
        return Bound(member.tree, [first])

    def object_attribute(self, base: Object, name: str, node: Any) -> Abstract:
        found = self.env.get((base, name))
        if found is not None and not isinstance(found, Undef):
            return found
        return self.class_member(base.type, name, base, node)

    def instance_attribute(self, base: Obj, name: str, node: Any) -> Abstract:
        """An attribute of an object from outside: a constant, read at each call."""
        holder = base.obj
        if name in getattr(holder, "__dict__", {}) or name in getattr(
            type(holder), "__slots__", ()
        ):
            member = getattr(holder, name)
            key, path = ("i", id(holder), name), f"{base.path}.{name}"
            self.binder.guard(key, path, MemberRead(holder, name), member)
            return Obj(member, path)
        if isinstance(holder, (str, bytes, list, dict, tuple, set)) or not hasattr(
            type(holder), name
        ):
            return attr(base, name)
        return self.class_member(type(holder), name, base, node)

    def call_value(
        self, fn: Abstract, args: list[Abstract], kw: dict[str, Any], node: Any
    ) -> Any:
        """A call (see `Calls`)."""
        raise AssertionError("Calls provides it")

    def expr_Subscript(self, node: Any) -> Abstract:
        base = self.expr(node.value)
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
            found = self.struct_item(base, index)
            if found is None and ("place", id(node)) in self.context.demoted:
                found = self.runtime_item(base, index)
            if found is not None:
                return found
        operands = [self.materialise(base, node), index]
        self.keep_order(operands, [mark, len(self.region.stmts)])
        item = self.subscript(operands[0], operands[1], node)
        if isinstance(base, Struct) and isinstance(item, Op):
            self.context.kept[id(item)] = (item, ("place", id(node)))
        return item

    def unflattened(self, base: Abstract, index: Expr) -> tuple[Abstract, Expr]:
        """`a.flat[k]` as an item of the array itself."""
        if not isinstance(base, Attr) or base.name != "flat":
            return base, index
        whole = self.atom(base.base)
        fn = self.binder.bind(flat_index, "flat_index")
        with self.passively():
            return whole, self.atom(call(fn, whole, index))

    def numpy(self, name: str) -> Obj:
        """A NumPy function as the generated code names it."""
        root = self.binder.bind(np, "np")
        return Obj(getattr(np, name), f"{root.path}.{name}")

    def subscript(self, base: Expr, index: Expr, node: Any) -> Abstract:
        """`base[index]` of a run-time value."""
        tree = Op("getitem", (base, index))
        kind = self.infer(tree)
        if isinstance(kind, TupleKind) and self.is_varied(tree) and not self.passive:
            blanks = [gast.Constant(value=None, kind=None) for _ in kind.items]
            return self.unpacked(tree, blanks)
        return self.finish(tree)

    def unpacked(self, expr: Expr, targets: list[Any]) -> Struct:
        """See `Statements`."""
        raise AssertionError("Statements provides it")

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
        from sourcegrad.frontend.folding import known, literal

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
        """The program's own error, where it gets there."""
        kind = self.binder.bind(error, error.__name__)
        node = gast.parse("raise kind(key)").body[0]
        self.append(Plain(node, ("kind", "key"), (kind, index), raises=True))
        self.region.ends = True
        return Lit(0.0)

    def dynamic_item(self, base: Struct, index: Expr) -> Abstract | None:
        """An item chosen at run time: needs a run-time list if it is active."""
        if any(isinstance(i, (Object, Closure, Bound, Choice)) for i in base.items):
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
        """See `Statements`."""
        raise AssertionError("Statements provides it")

    # --------------------------------------------------------- kept as written

    def expr_JoinedStr(self, node: Any) -> Abstract:
        with self.passively():
            return self.raw(node)

    def raw(self, node: Any) -> Expr:
        """An inactive expression kept as the user wrote it."""
        from sourcegrad.frontend.freenames import free_names

        node = self.calls_first(node)
        found = {n: self.lookup(n, node) for n in free_names(node)}
        node, held = apart(self, node, found)
        args = tuple(self.atom(self.materialise(h, node)) for h in held.values())
        return Op("raw", args, (node, tuple(held)))

    def calls_first(self, node: Any) -> Any:
        """What is kept as written, with calls that count made before it."""
        return node

    def expr_Set(self, node: Any) -> Abstract:
        """A set of active values is a list of them, each once, in the set's order."""
        tree = self.inactive_set(node)
        if self.passive or not any(map(self.is_varied, getattr(tree, "args", ()))):
            return tree
        items = [self.settle(self.expr(e)) for e in node.elts]
        given = self.display(list, items, self.site(node))
        fn = self.binder.bind(library.set_of, "set_of")
        return self.call_value(fn, [given], {}, node)

    def expr_SetComp(self, node: Any) -> Abstract:
        return self.inactive_raw(node, "a set of active values")

    def inactive_set(self, node: Any) -> Expr:
        tree = self.raw(node)
        if isinstance(tree, Op):
            tree.kind = Atom(set)
        return tree

    def inactive_raw(self, node: Any, what: str) -> Expr:
        tree = self.inactive_set(node)
        if not self.passive and any(
            self.is_varied(a) for a in getattr(tree, "args", ())
        ):
            raise self.unsupported(node, what)
        return tree

    def expr_NamedExpr(self, node: Any) -> Abstract:
        outer, self.passive = self.passive, False
        found = self.settle(self.expr(node.value), node.target.id)
        self.passive = outer
        self.bind_name(node.target.id, found)
        return found

    def bind_name(self, name: str, tree: Abstract) -> None:
        """See `Statements`."""
        raise AssertionError("Statements provides it")

    def expr_Lambda(self, node: Any) -> Abstract:
        self.scope.has_closures = True
        defaults = [self.settle(self.expr(d)) for d in node.args.defaults]
        kw = [
            None if d is None else self.settle(self.expr(d))
            for d in node.args.kw_defaults
        ]
        return Closure(node, self.scope, defaults, kw, "lambda")


def instance_type(tree: Abstract) -> type:
    """The class of an instance."""
    if isinstance(tree, (Object, Struct)):
        return tree.type
    return type(tree.obj) if isinstance(tree, Obj) else object


def _defining_class(fn: types.FunctionType) -> type | None:
    """The class a method was defined in, from its `__class__` cell."""
    names = fn.__code__.co_freevars
    if "__class__" not in names or fn.__closure__ is None:
        return None
    found = fn.__closure__[names.index("__class__")].cell_contents
    return found if isinstance(found, type) else None


_NOT_LITERAL = object()
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


def _literal_int(expr: Expr) -> Any:
    if isinstance(expr, Lit) and (expr.value is None or isinstance(expr.value, int)):
        return expr.value
    if isinstance(expr, Op) and expr.op == "neg" and isinstance(expr.args[0], Lit):
        return -expr.args[0].value
    return _NOT_LITERAL
