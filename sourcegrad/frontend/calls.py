"""Calls: which function is that, and is it inlined, a pair, or a library's."""

from __future__ import annotations

import functools
import inspect
import types
from contextlib import nullcontext
from typing import Any

import gast
import numpy as np

from sourcegrad.analysis.views import has_memory
from sourcegrad.analysis.writes import writes_outside
from sourcegrad.errors import (
    KindError,
    MissingRuleError,
    NonDifferentiableError,
    SourcegradError,
    SourceUnavailableError,
)
from sourcegrad.frontend import spreads
from sourcegrad.frontend.binding import bind_arguments, closure_scope, function_scope
from sourcegrad.frontend.changing import changes
from sourcegrad.frontend.context import Restart, WritesUnseen
from sourcegrad.frontend.cursors import first_of, refuse_partial
from sourcegrad.frontend.decorators import of_getter
from sourcegrad.frontend.nested import of_object
from sourcegrad.frontend.operands import as_arrays
from sourcegrad.frontend.optional import solver_of
from sourcegrad.frontend.recursion import call_recursive, count, descends, unfolds
from sourcegrad.frontend.scope import Scope, is_data
from sourcegrad.frontend.statements import RETURN, Statements
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Bound,
    Choice,
    Closure,
    Object,
    Poison,
    Struct,
    leaves,
)
from sourcegrad.frontend.vectorized import call_vectorized
from sourcegrad.frontend.walks import endless
from sourcegrad.ir import (
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    attr,
)
from sourcegrad.kinds import (
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    differentiable,
    strip,
)
from sourcegrad.rules import registry
from sourcegrad.rules.methods import METHODS, MUTATING_METHODS, VARIADIC
from sourcegrad.rules.refused import refusal

REPORTS = ("logging", "warnings", "pprint")  # what they are told is only shown
DEEPEST = 60  # calls of inner functions built into each other
MOST_UNFOLDED = (
    3000  # calls of recursions built in, all builds of a compilation counted
)


class Calls(Statements):
    """Builds calls."""

    stack: list[Any]

    def expr_Call(self, node: Any) -> Abstract:
        if not self.deriving and (found := first_of(self, node)) is not None:
            return found
        refuse_partial(self, node)
        fn = self.expr(node.func)
        outer = self.passive
        if isinstance(fn, (Closure, Bound, Object, Struct, Choice)) or changes(node):
            return self.called_actively(fn, node)
        mark, env = len(self.region.stmts), dict(self.env)
        if self.is_constant_function(fn):
            self.passive = True
        try:
            args, kwargs = self.arguments(node, fn)
        finally:
            self.passive = outer
        try:
            return self.call_value(fn, args, kwargs, node)
        except WritesUnseen:
            del self.region.stmts[mark:]
            self.env = env
            return self.called_actively(fn, node)

    def called_actively(self, fn: Abstract, node: Any) -> Abstract:
        """A call whose writes count, also where no derivative is asked for."""
        outer, self.passive = self.passive, False
        try:
            args, kwargs = self.arguments(node, fn)
            return self.call_value(fn, args, kwargs, node)
        finally:
            self.passive = outer

    def is_constant_function(self, fn: Abstract) -> bool:
        """Whether no derivative passes through the function."""
        if not isinstance(fn, Obj) or is_data(fn.obj):
            return False
        if not _hashable(fn.obj):
            return False
        if fn.obj in self.special or solver_of(fn) is not None:
            return False
        rule = registry.lookup(fn.obj)
        return rule is not None and rule.kind == "constant"

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
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, Struct) and value.is_dict:
                kwargs |= dict(zip(value.keys, value.items, strict=True))
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

    def call_value(
        self, fn: Abstract, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> Abstract:
        """A call of whatever `fn` is."""
        if isinstance(fn, Closure):
            return self.call_closure(fn, args, kw, node)
        if isinstance(fn, Bound):
            return self.call_value(
                fn.fn, [*fn.args, *args], {**fn.keywords, **kw}, node
            )
        if isinstance(fn, Attr):
            return self.call_method(fn.base, fn.name, args, kw, node)
        if isinstance(fn, (Object, Struct)):
            method = self.class_member(fn.type, "__call__", fn, node)
            return self.call_value(method, args, kw, node)
        if isinstance(fn, Choice):
            held = [self.settle(a) for a in args]
            named = {k: self.settle(v) for k, v in kw.items()}
            first, second = fn.first, fn.second
            return self.choose(
                fn.cond,
                lambda: self.call_value(first, held, named, node),
                lambda: self.call_value(second, held, named, node),
            )
        if isinstance(fn, Poison):
            raise self.error(NonDifferentiableError, f"this function {fn.reason}")
        if isinstance(fn, Obj):
            return self.call_object(fn, args, kw, node)
        if isinstance(fn, Op) and fn.op == "attr":
            return self.call_method(fn.args[0], fn.data, args, kw, node)
        return self.call_unknown(self.materialise(fn, node), args, kw, node)

    def call_object(
        self, fn: Obj, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> Any:
        """A call of an object of the user's world."""
        obj = fn.obj
        derivative = of_object(self, fn, node)
        if derivative is not None:
            return self.call_value(derivative, args, kw, node)
        handler = self.special.get(obj) if _hashable(obj) else None
        handler = handler or solver_of(fn)
        if handler is not None:
            found = handler(self, args, kw, node)
            if found is not NotImplemented:
                return found
        rule = registry.lookup(obj) if _hashable(obj) else None
        if rule is not None:
            return self.call_library(fn, rule, args, kw, node)
        got = of_getter(self, obj, args, kw, node)
        if got is not None:
            return got
        if isinstance(obj, np.vectorize) and self.active(args, kw):
            return call_vectorized(self, fn, args, kw, node)
        if isinstance(obj, functools.partial):
            inner = self.binder.bind(obj.func, getattr(obj.func, "__name__", "fn"))
            own = [self.constant(a, f"{fn.path}_{k}") for k, a in enumerate(obj.args)]
            own_kw = {k: self.constant(v, k) for k, v in obj.keywords.items()}
            return self.call_value(inner, [*own, *args], {**own_kw, **kw}, node)
        if isinstance(obj, types.MethodType):
            ruled = registry.lookup(obj.__func__) is not None
            if is_library(obj.__func__) and not ruled:
                # a method of an object of a library is known by the user's own name
                return self.call_ruleless(fn, args, kw, node)
            method = self.binder.bind(obj.__func__, obj.__func__.__name__)
            owner = self.binder.bind(obj.__self__, "self_object")
            return self.call_value(method, [owner, *args], kw, node)
        if isinstance(obj, type):
            return self.construct(fn, args, kw, node)
        if isinstance(obj, types.FunctionType):
            return self.call_function(fn, args, kw, node)
        wrapped = getattr(obj, "py_func", None) or getattr(obj, "__wrapped__", None)
        if isinstance(wrapped, types.FunctionType):
            if is_library(wrapped):
                return self.call_ruleless(fn, args, kw, node)
            inner = self.binder.bind(wrapped, wrapped.__name__)
            return self.call_function(inner, args, kw, node)
        if is_data(obj) or not callable(obj):
            return self.call_unknown(fn, args, kw, node)
        call: Any = getattr(type(obj), "__call__", None)  # noqa: B004
        if isinstance(call, types.FunctionType):
            return self.call_value(
                self.binder.bind(call, "call"), [fn, *args], kw, node
            )
        return self.call_unknown(fn, args, kw, node)

    # ---------------------------------------------------------------- libraries

    def call_library(
        self, fn: Obj, rule: Any, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """A function with a rule."""
        args, kw = with_named_out(fn.obj, args, kw)
        if has_out(kw) and not self.deriving:
            return self.write_into(kw["out"], fn, args, without_out(kw), node)
        if not self.deriving and self.active(args, kw):
            args, kw = as_arrays(self, rule, args, kw, node)
        followed = rule.builds or (rule.kind == "composite" and self.active(args, kw))
        if followed and not self.deriving:
            return self.call_composite(fn, rule, args, kw, node)
        looks = rule.kind == "constant" and not self.deriving
        with self.passively() if looks else nullcontext():
            tree = self.call_tree(fn, args, kw, node)
        if self.deriving:
            return self.structured_derived(self.folded(tree))
        if self.passive:
            return self.folded(tree) if self.static else tree
        if self.static and rule.kind == "constant":
            known = self.folded(tree)
            if not isinstance(known, Op):
                return known
            tree = known
        if rule.kind == "constant":
            return self.constant_result(tree)
        if not self.active(args, kw) or not self.is_varied(tree):
            return tree
        self.check_rule_takes(rule, len(args), kw, node)
        return self.structured_call(tree)

    def call_composite(
        self, fn: Obj, rule: Any, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """The value is the function's own, the derivative that of its definition."""
        args = [self.settle(a) for a in args]
        kw = {k: self.settle(v) for k, v in kw.items()}
        self.static += 1
        result = self.inline_rule(rule.fn, args, kw)
        self.static -= 1
        if not isinstance(result, Expr) or fn.obj is rule.fn or rule.builds:
            return result
        if not all(map(self.is_operand_tree, (*args, *kw.values()))):
            return result  # a function of the user's, which is not to run twice
        own = self.call_tree(fn, args, kw, node)
        held = self.atom(result)
        if not self.is_varied(held):
            return self.constant_result(own)
        same = self.is_just_made(held) and self.is_like(own, held)
        return self.emit(Op("as", (own, held), "twin" if same else None))

    def is_just_made(self, held: Expr) -> bool:
        """Whether a value is what the last statement of this region gives."""
        last = self.region.stmts[-1] if self.region.stmts else None
        if not isinstance(last, Assign) or not isinstance(held, Ref):
            return False
        return last.target is held.value

    def is_like(self, own: Expr, held: Expr) -> bool:
        """Whether two expressions are certainly arrays, or numbers, of one dtype."""
        a, b = strip(self.infer(own)), strip(self.infer(held))
        if not isinstance(a, Num) or not isinstance(b, Num) or a.dtype is None:
            return False
        return (a.flavor, a.ndim, a.dtype) == (b.flavor, b.ndim, b.dtype)

    def is_operand_tree(self, tree: Abstract) -> bool:
        """Whether a tree holds data alone, no function."""
        if isinstance(tree, Struct):
            return all(map(self.is_operand_tree, tree.items))
        return isinstance(tree, Expr) and (
            not isinstance(tree, Obj) or is_data(tree.obj) or isinstance(tree.obj, type)
        )

    def structured_derived(self, tree: Expr) -> Abstract:
        return (
            self.structured_call(tree)
            if isinstance(self.infer(tree), TupleKind)
            and isinstance(tree, Op)
            and tree.op == "call"
            else tree
        )

    def structured_call(self, tree: Expr) -> Abstract:
        """An active call emitted; a tuple result is taken apart."""
        kind = self.infer(tree)
        if isinstance(kind, TupleKind):
            blanks = [gast.Constant(value=None, kind=None) for _ in kind.items]
            return self.unpacked(tree, blanks)
        return self.emit(self.hoisted(tree) if not self.deriving else tree)  # type: ignore[arg-type]

    def constant_result(self, tree: Op) -> Expr:
        """The result of a function with derivative zero."""
        if differentiable(self.infer(tree)) and any(
            True for _ in self.varied_refs(tree)
        ):
            with self.passively():
                return self.emit(tree)
        return tree

    def varied_refs(self, tree: Expr) -> Any:
        from sourcegrad.ir import refs

        return (v for v in refs(tree) if v.varied)

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

    def check_rule_takes(
        self, rule: Any, count: int, kw: dict[str, Any], node: Any
    ) -> None:
        """Refuse options that the rule does not know."""
        names = [p.name for p in rule.parameters]
        variadic = any(
            p.kind is inspect.Parameter.VAR_POSITIONAL for p in rule.parameters
        )
        unknown = [k for k in kw if k not in names]
        if unknown or (count > len(names) and not variadic):
            what = f"the option {unknown[0]!r}" if unknown else "so many arguments"
            raise self.error(
                MissingRuleError,
                f"the rule of {rule.name} does not take {what}",
                where=self.locate(node),
            )

    # ------------------------------------------------------------------ methods

    def call_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """`base.name(…)` of a run-time value."""
        kind = self.infer(base)
        if isinstance(kind, ListKind) and name != "__getitem__":
            return self.list_method(base, name, args, kw, node)
        if isinstance(kind, Num) and name in MUTATING_METHODS:
            return self.mutating_method(base, name, args, kw, node)
        if isinstance(kind, Atom) and kind.type is np.random.Generator:
            if not self.deriving and self.active(args, kw):
                owner = self.binder.bind(kind.type, "Generator")
                draw = Obj(getattr(kind.type, name), f"{owner.path}.{name}")
                return self.call_object(draw, [base, *args], kw, node)
        if isinstance(kind, Atom) and module_of(kind.type) in REPORTS:
            with self.passively():
                return self.call_tree(attr(base, name), args, kw, node)
        if name == "__getitem__" and len(args) == 1 and not self.deriving:
            place = self.materialise(args[0], node)
            return self.item(base, place, node, len(self.region.stmts))
        if has_out(kw) and isinstance(kind, Num) and not self.deriving:
            method = Attr(base, name)
            return self.write_into(kw["out"], method, args, without_out(kw), node)
        tree = self.call_tree(attr(base, name), args, kw, node)
        if self.deriving:
            return self.folded(tree)
        varied = not self.passive and (self.is_varied(base) or self.active(args, kw))
        if not varied:
            return tree
        function = METHODS.get(name) or VARIADIC.get(name)
        rule = registry.lookup(function) if function else None
        if not isinstance(kind, Num):
            raise self.error(
                KindError,
                f"what {name!r} is called on is not known to be an array here",
                "its kind could not be inferred",
                (f"call np.{name}(…) instead",) if name in METHODS else (),
                self.locate(node),
            )
        if rule is None:
            raise self.missing(f"the method {name!r}", node)
        if rule.kind == "constant":
            return self.constant_result(tree)
        return self.structured_call(tree) if self.is_varied(tree) else tree

    def list_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """A method of a run-time list (see `Stores`)."""
        raise AssertionError

    def mutating_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """A method that writes into an array (see `Stores`)."""
        raise AssertionError

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

    def call_unknown(self, fn: Expr, args: Any, kw: Any, node: Any) -> Abstract:
        """A callee known only at run time: fine if nothing active is passed."""
        if self.active(args, kw) or (not self.passive and self.is_varied(fn)):
            text = self.scope.source.segment(node) if self.scope.source else "this call"
            raise self.missing(text.split("(")[0], node, getattr(fn, "obj", None))
        if self.holds_memory(args, kw, varied=True) and not self.is_harmless(fn):
            text = self.scope.source.segment(node) if self.scope.source else "this call"
            raise self.may_write(text.split("(")[0], node)
        tree = self.call_tree(fn, args, kw, node)
        return self.folded(tree) if self.static else tree

    def is_harmless(self, fn: Expr) -> bool:
        """Whether an unknown callee is one that only looks at its operands."""
        module = module_of(fn.obj) if isinstance(fn, Obj) else ""
        known = ("builtins", "numpy", "math", "cmath", "operator", "copy")
        return module in known or module in REPORTS

    # ----------------------------------------------------------- user functions

    def call_function(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A Python function of the user's: transformed too, if active."""
        must = any(not self.can_materialise(a) for a in [*args, *kw.values()])
        if is_stand_in(fn.obj):
            return self.inline_library(fn.obj, args, node, kw)
        if module_of(fn.obj) in REPORTS:
            with self.passively():
                return self.call_tree(fn, args, kw, node)
        if self.deriving:
            return self.inline_rule(fn.obj, args, kw)
        if self.scope.is_rule and is_own(fn.obj):
            return self.inline_function(fn, args, kw, node)
        if is_library(fn.obj):
            return self.call_ruleless(fn, args, kw, node)
        if not must and not self.active(args, kw):
            site = ("call", self.site(node))
            if site in self.context.demoted and not self.passive:
                return self.inline_actively(fn, args, kw, node)
            kind, writes = self.result_kind(fn, args, kw, node)
            if kind is None:
                built = self.followed_call(fn, args, kw, node)
                if built is not None:
                    return built
                kind = UNKNOWN
            if writes is False or not self.holds_memory(args, kw):
                tree = self.call_tree(fn, args, kw, node)
                tree.kind = kind
                self.context.kept[id(tree)] = (tree, site)
                return tree
            if writes is None and self.holds_memory(args, kw, varied=True):
                raise self.may_write(fn.path, node)
            if writes:
                return self.inline_actively(fn, args, kw, node)
            tree = self.call_tree(fn, args, kw, node)
            return tree
        code = fn.obj.__code__
        if getattr(fn.obj, "__sourcegrad_checkpoint__", False):
            return self.call_pair(fn, args, kw, node)
        if code in self.context.writers:
            if code in self.stack:
                raise self.unsupported(node, "recursion that writes into its arguments")
            return self.inline_function(fn, args, kw, node)
        if code in self.context.pairs:
            return self.call_pair(fn, args, kw, node)
        if code in self.stack or (self.is_large(fn.obj) and not self.static):
            self.context.pairs.add(code)
            raise Restart
        return self.inline_function(fn, args, kw, node)

    def call_ruleless(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A library function without a rule: fine if nothing active is passed."""
        movable = all(self.can_materialise(a) for a in [*args, *kw.values()])
        if not movable or self.active(args, kw):
            raise self.missing(fn.path, node, fn.obj)
        return self.call_tree(fn, args, kw, node)

    def holds_memory(self, args: Any, kw: Any, varied: bool = False) -> bool:
        """Whether an operand is memory that a callee could write (and is active)."""
        held = (e for t in [*args, *kw.values()] for e in leaves(t))
        return any(
            isinstance(e, Ref)
            and has_memory(e.value)
            and (e.value.varied or not varied)
            for e in held
        )

    def may_write(self, name: str, node: Any) -> MissingRuleError:
        """The refusal of a callee that might change an active array unseen."""
        return MissingRuleError(
            f"{name} gets an active array, and whether it changes it is not known",
            self.locate(node),
            "its code cannot be followed",
            ("hand it a copy: x.copy()", "declare it with @sourcegrad.constant"),
        )

    def inline_actively(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A callee that writes into its arguments, called where no derivative is
        asked for: its writes count all the same."""
        if self.passive:
            raise WritesUnseen
        if fn.obj.__code__ in self.stack:
            raise self.unsupported(node, "recursion that writes into its arguments")
        return self.inline_function(fn, args, kw, node)

    def can_materialise(self, tree: Abstract) -> bool:
        """Whether a tree can be handed to code that is not transformed."""
        if isinstance(tree, Struct):
            return all(map(self.can_materialise, tree.items))
        return isinstance(tree, (Expr, Attr))

    def is_large(self, fn: types.FunctionType) -> bool:
        """Whether a callee becomes a pair of functions rather than inlined."""
        return self.context.is_large(fn)

    def inline_function(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """Build the callee's body here."""
        try:
            scope, tree = function_scope(self, fn.obj)
        except SourceUnavailableError as e:
            raise self.unavailable(fn, e, node) from None
        self.context.inlined[fn.obj.__code__] = fn.obj
        if is_own(fn.obj):
            scope.source = None  # the user's line is the call, not one of ours
        self.bind_parameters(scope, tree.args, args, kw, fn.obj, node)
        return self.run_inline(scope, tree, fn.obj.__code__)

    def unavailable(self, fn: Obj, e: Exception, node: Any) -> SourcegradError:
        error = self.missing(fn.path, node)
        error.why = f"its source is not available: {getattr(e, 'message', e)}"
        return error

    def bind_parameters(
        self, scope: Scope, params: Any, args: Any, kw: Any, fn: Any, node: Any
    ) -> None:
        try:
            bound = bind_arguments(self, params, args, kw, fn)
        except TypeError as e:
            raise self.error(
                KindError, f"{scope.name}() {e}", where=self.locate(node)
            ) from None
        for name, tree in bound.items():
            named = name if isinstance(tree, Op) else None
            self.env[(scope, name)] = self.settle(tree, named)

    def run_inline(self, scope: Scope, tree: Any, code: Any) -> Abstract:
        """Run the body of a callee whose parameters are bound; its result."""
        outer, where, stop = self.scope, self.where, self.env.get("$stop")
        self.scope = scope
        self.entered_calls += 1
        self.stack.append(code)
        body = tree.body if isinstance(tree.body, list) else [_returned(tree.body)]
        self.block(body)
        self.stack.pop()
        self.scope, self.where = outer, where
        if stop is not None:
            self.env["$stop"] = stop
        result = self.env.pop((scope, RETURN), Lit(None))
        if not scope.has_closures:
            for key in [k for k in self.env if isinstance(k, tuple) and k[0] is scope]:
                del self.env[key]
        if isinstance(result, Poison):
            raise self.error(
                NonDifferentiableError, f"the result of {scope.name} {result.reason}"
            )
        return result

    def call_closure(self, closure: Closure, args: Any, kw: Any, node: Any) -> Abstract:
        """An inner function, inlined in the scope it was defined in."""
        key = (closure.node, closure.scope)
        folds = unfolds(self, closure, args, kw)
        inward = not folds and descends(self, closure, args)
        if closure.node in self.context.recursive and not folds and not inward:
            return call_recursive(self, closure, args, kw, node)
        if key in self.stack and closure.node not in self.context.recursive:
            self.context.recursive.add(closure.node)
            raise Restart
        made = self.context.derived["unfolded"] = (
            self.context.derived.get("unfolded", 0) + folds + inward
        )
        if len(self.stack) > DEEPEST or made > MOST_UNFOLDED:
            raise self.unsupported(node, "so deep a nest of inner functions")
        scope, tree = closure_scope(self, closure)
        scope.folds = folds
        args = [Lit(count(a)) for a in args] if folds else args
        self.bind_parameters(scope, tree.args, args, kw, closure, node)
        return self.run_inline(scope, tree, key)

    def inline_rule(
        self, fn: Any, args: list[Abstract], kw: dict[str, Abstract]
    ) -> Abstract:
        """The body of a rule, inlined as derived code."""
        scope, tree = function_scope(self, fn)
        scope.is_rule = True
        if is_own(fn):
            scope.source = None  # the user's line is the call, not one of ours
        bound = bind_arguments(self, tree.args, args, kw, fn)
        self.env |= {(scope, name): held for name, held in bound.items()}
        return self.run_inline(scope, tree, fn.__code__)

    def inline_library(
        self,
        fn: Any,
        args: list[Abstract],
        node: Any,
        kw: dict[str, Abstract] | None = None,
    ) -> Abstract:
        """A builtin's body (see `library`), inlined as if written at `node`."""
        scope, tree = function_scope(self, fn)
        scope.source, scope.place = None, self.site(node)
        bound = bind_arguments(self, tree.args, args, kw or {}, fn)
        self.env |= {(scope, name): self.settle(held) for name, held in bound.items()}
        return self.run_inline(scope, tree, fn.__code__)

    def result_kind(
        self, fn: Obj, args: Any, kw: Any, node: Any
    ) -> tuple[Kind | None, bool | None]:
        """The kind of an inactive user call, and whether it writes into what it is
        given, found by building it aside; None where it could not be built.  There is
        no kind for functions and objects, which may meet active values later."""
        if fn.obj.__code__ in self.stack or len(self.stack) > 6:
            return UNKNOWN, None
        saved = (self.region, dict(self.env), self.where, self.scope, list(self.stack))
        self.region, before = Region(), self.constructed
        try:
            with self.passively():
                result = self.inline_function(fn, args, kw, node)
            kind: Kind | None = self.tree_kind(result)
            object_made = kind == UNKNOWN and self.constructed > before
            if not self.passive and (object_made or not self.can_materialise(result)):
                kind = None
            return kind, writes_outside(self.region)
        except SourcegradError:
            object_made = self.constructed > before and not self.passive
            return None if object_made else UNKNOWN, None
        finally:
            self.region, self.env, self.where, self.scope, self.stack = saved

    def followed_call(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract | None:
        """An inactive call built in, since it makes functions or objects; None where
        it cannot be."""
        saved = (self.region, dict(self.env), self.where, self.scope, list(self.stack))
        self.region = Region()
        try:
            result = self.inline_function(fn, args, kw, node)
        except SourcegradError:
            self.region, self.env, self.where, self.scope, self.stack = saved
            return None
        saved[0].stmts += self.region.stmts
        self.region = saved[0]
        return result

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
        return self.binder.bind(obj, getattr(obj, "__name__", name))

    # ------------------------------------------------- provided by other parts

    def write_into(
        self, out: Abstract, fn: Abstract, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """`fn(…, out=buffer)` (see `Stores`)."""
        raise AssertionError

    def construct(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A call of a class (see `Objects`)."""
        raise AssertionError

    def call_pair(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A call of a function that becomes a pair (see `Pairs`)."""
        raise AssertionError

    special: dict[Any, Any]
    context: Any
    entered_calls: int
    constructed = 0  # objects made by code of which no derivative is asked


def _is_flat(tree: Abstract) -> bool:
    """Whether an operand is `a.flat`, which a call takes as a one-dimensional array."""
    return isinstance(tree, Attr) and tree.name == "flat"


def has_out(kw: dict[str, Any]) -> bool:
    """Whether a call names a buffer for its result."""
    return kw.get("out") not in (None, Lit(None))


def without_out(kw: dict[str, Any]) -> dict[str, Any]:
    """The other options of a call."""
    return {k: v for k, v in kw.items() if k != "out"}


def with_named_out(fn: Any, args: Any, kw: Any) -> tuple[Any, Any]:
    """The buffer of a ufunc's result by name: `np.add(a, b, out)`."""
    if isinstance(fn, np.ufunc) and fn.nout == 1 and len(args) == fn.nin + 1:
        return args[:-1], kw | {"out": args[-1]}
    return args, kw


def module_of(obj: Any) -> str:
    """The package that an object comes from."""
    return str(getattr(obj, "__module__", None) or "").split(".")[0]


def is_library(fn: Any) -> bool:
    """Whether a Python function belongs to NumPy or SciPy: their sources are written
    for more than arrays, so a rule is needed."""
    return str(fn.__module__).split(".")[0] in ("numpy", "scipy")


def is_own(fn: Any) -> bool:
    """Whether a function is one of ours: the body of a rule, or a helper of one."""
    return str(fn.__module__).startswith(f"{__package__.partition('.')[0]}.")


def is_stand_in(fn: Any) -> bool:
    """Whether a function is one of the frontend's, written for one of a library."""
    return str(fn.__module__).startswith(f"{__package__}.")


def _returned(expr: Any) -> Any:
    return gast.copy_location(gast.Return(value=expr), expr)


def _hashable(obj: Any) -> bool:
    return getattr(type(obj), "__hash__", None) is not None
