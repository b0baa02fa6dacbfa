"""Calls built in: the body of a user's function, an inner function, a rule or a
stand-in for a library's, built where it is called."""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad.errors import (
    KindError,
    NonDifferentiableError,
    SourcegradError,
    SourceUnavailableError,
)
from sourcegrad.frontend.binding import bind_arguments, closure_scope, function_scope
from sourcegrad.frontend.call_operands import CallOperands
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.provenance import is_own
from sourcegrad.frontend.recursion import call_recursive, count, descends, unfolds
from sourcegrad.frontend.scope import RETURN, Scope
from sourcegrad.frontend.structs import Abstract, Closure, Poison
from sourcegrad.ir import Lit, Obj, Op

DEEPEST = 60  # calls of inner functions built into each other

MOST_UNFOLDED = (
    3000  # calls of recursions built in, all builds of a compilation counted
)


class Inlining(CallOperands):
    """Builds bodies of callees into the caller."""

    stack: list[Any]

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
        static = str(fn.obj.__module__).startswith("sourcegrad.rules.")
        self.static += static  # a method of an object of ours, as what made it
        result = self.run_inline(scope, tree, fn.obj.__code__)
        self.static -= static
        return result

    def unfolded(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A call of a recursion built in, with the counts known that decide how deep
        it goes."""
        made = self.context.derived["unfolded"] = (
            self.context.derived.get("unfolded", 0) + 1
        )
        if len(self.stack) > DEEPEST or made > MOST_UNFOLDED:
            error = self.unsupported(
                node,
                f"so deep a recursion of {fn.path} with objects",
                "end it by a count that is known when compiling, or keep the numbers "
                "in lists or arrays",
            )
            error.why = "what it makes must be known in each call, which are built in"
            raise error
        scope, tree = function_scope(self, fn.obj)
        self.context.inlined[fn.obj.__code__] = fn.obj
        scope.folds = True
        args, kw = [counted(a) for a in args], {k: counted(a) for k, a in kw.items()}
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
            self.followed_on_paths(result)
            raise self.error(
                NonDifferentiableError, f"the result of {scope.name} {result.reason}"
            )
        return result

    def followed_on_paths(self, result: Poison) -> None:
        """Let objects of which a result is one live in arenas (see `Pointers`)."""
        raise AssertionError("Pointers provides it")

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
        try:
            bound = bind_arguments(self, tree.args, args, kw, fn)
        except TypeError as e:
            raise self.error(
                KindError, f"the derivative rule of this call, {scope.name}, {e}"
            ) from None
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
        try:
            bound = bind_arguments(self, tree.args, args, kw or {}, fn)
        except TypeError as e:
            raise self.error(
                KindError, f"{scope.name}() {e}", where=self.locate(node)
            ) from None
        self.env |= {(scope, name): self.settle(held) for name, held in bound.items()}
        return self.run_inline(scope, tree, fn.__code__)

    entered_calls: int


def counted(tree: Abstract) -> Abstract:
    """An operand as the number it is, where that is known when compiling."""
    number = count(tree)
    return tree if number is None else Lit(number)


def _returned(expr: Any) -> Any:
    return gast.copy_location(gast.Return(value=expr), expr)
