"""Calls of the user's functions, and of those without a rule: transformed where
something active is passed, kept as they are where nothing is and they write nothing."""

from __future__ import annotations

import types
from typing import Any

from sourcegrad.analysis.writes import writes_outside
from sourcegrad.errors import SourcegradError
from sourcegrad.frontend.changed_outside import touches
from sourcegrad.frontend.context import Restart, WritesUnseen
from sourcegrad.frontend.provenance import (
    REPORTS,
    is_library,
    is_own,
    is_stand_in,
    module_of,
)
from sourcegrad.frontend.ruled_calls import RuledCalls
from sourcegrad.frontend.structs import Abstract, Object, Struct
from sourcegrad.ir import Expr, Lit, Obj, Ref
from sourcegrad.kinds import BOTTOM, UNKNOWN, Kind

# For how many kinds of arguments at once what a recursion gives is found: each is
# built anew inside the others.
MOST_ASSUMED = 1


class FunctionCalls(RuledCalls):
    """Builds calls of Python functions."""

    def call_unknown(self, fn: Expr, args: Any, kw: Any, node: Any) -> Abstract:
        """A callee known only at run time: fine if nothing active is passed."""
        if self.active(args, kw) or (not self.passive and self.is_varied(fn)):
            text = self.scope.source.segment(node) if self.scope.source else "this call"
            self.unroll_around()
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
        if touches(self, fn.obj):
            return self.inline_touching(fn, args, kw, node)
        if must and self.passive:
            with self.actively():
                return self.call_function(fn, args, kw, node)
        if not must and not self.active(args, kw):
            site = ("call", self.site(node))
            if site in self.context.demoted and not self.passive:
                return self.inline_actively(fn, args, kw, node)
            kind, writes = self.result_kind(fn, args, kw, node)
            if kind is None and self.passive:
                raise WritesUnseen
            if kind == BOTTOM and not self.context.assumed_kinds:
                kind = UNKNOWN  # nothing was found but what calls of itself gave
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
            unseen = writes is None and self.holds_memory(args, kw, varied=True)
            if writes or unseen:
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
        if ("unfolded", code) in self.context.derived:
            return self.unfolded(fn, args, kw, node)
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

    def inline_actively(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A callee that writes into its arguments, called where no derivative is
        asked for: its writes count all the same."""
        if self.passive:
            raise WritesUnseen
        if fn.obj.__code__ in self.stack:
            raise self.unsupported(node, "recursion that writes into its arguments")
        return self.inline_function(fn, args, kw, node)

    def inline_touching(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A callee that may look at an object from outside which is given attributes:
        it is built in, whatever is asked for."""
        if self.passive and not all(isinstance(a, Object) for a in args):
            raise WritesUnseen
        if fn.obj.__code__ in self.stack:
            raise self.unsupported(
                node, "recursion with an object from outside that is given attributes",
                "hand the object in as an argument",
            )  # fmt: skip
        with self.actively():
            return self.inline_function(fn, args, kw, node)

    def is_large(self, fn: types.FunctionType) -> bool:
        """Whether a callee becomes a pair of functions rather than inlined."""
        return self.context.is_large(fn)

    def result_kind(
        self, fn: Obj, args: Any, kw: Any, node: Any
    ) -> tuple[Kind | None, bool | None]:
        """The kind of an inactive user call, and whether it writes into what it is
        given, found by building it aside; None where it could not be built.  There is
        no kind for functions and objects, which may meet active values later."""
        if len(self.stack) > 6:
            self.context.quiet.unseen(fn.obj)
            return UNKNOWN, None
        if fn.obj.__code__ in self.stack:
            return self.recursive_kind(fn, args, kw, node)
        return self.kind_aside(fn, args, kw, node)

    def recursive_kind(
        self, fn: Obj, args: Any, kw: Any, node: Any
    ) -> tuple[Kind | None, bool | None]:
        """The same of a function that is being built: what its calls of itself give is
        assumed, until what it gives is that."""
        args = [self.any_number(a) for a in args]
        kw = {k: self.any_number(v) for k, v in kw.items()}
        if is_own(fn.obj):  # of which the kind is not needed
            return UNKNOWN, None
        if not all(map(self.can_pass, [*args, *kw.values()])):
            self.context.quiet.unseen(fn.obj)
            return UNKNOWN, None
        named = tuple((k, self.form_key(v)) for k, v in sorted(kw.items()))
        key = (fn.obj, tuple(map(self.form_key, args)), named)
        assumed = self.context.assumed_kinds
        if key in assumed:
            return assumed[key]
        if sum(other[0] is fn.obj for other in assumed) >= MOST_ASSUMED:
            self.context.quiet.unseen(fn.obj)
            return UNKNOWN, None
        found: tuple[Kind | None, bool | None] = BOTTOM, False
        try:
            for _ in range(4):
                assumed[key] = found
                found = self.kind_aside(fn, args, kw, node)
                if found == assumed[key]:
                    return found
        finally:
            del assumed[key]
        return UNKNOWN, None

    def any_number(self, tree: Abstract) -> Abstract:
        """An operand of a recursion, which is another number at each depth."""
        if isinstance(tree, Struct):
            items = [self.any_number(item) for item in tree.items]
            return Struct(tree.type, tree.keys, items, None, tree.site)
        if isinstance(tree, Lit) and type(tree.value) in (int, float, complex):
            return Ref(self.value("number", self.infer(tree), False))
        return tree

    def kind_aside(
        self, fn: Obj, args: Any, kw: Any, node: Any
    ) -> tuple[Kind | None, bool | None]:
        """What `result_kind` gives, of the function as it is built with what calls of
        itself are assumed to give."""
        before = self.constructed
        try:
            with self.aside() as region:
                with self.passively(), self.tentatively():
                    result = self.inline_function(fn, args, kw, node)
                kind: Kind | None = self.tree_kind(result)
                object_made = kind == UNKNOWN and self.constructed > before
                met = not self.passive or self.holds_memory(args, kw)
                if met and (object_made or not self.can_materialise(result)):
                    kind = None
                self.context.quiet.saw(fn.obj, region)
                return kind, writes_outside(region)
        except SourcegradError:
            self.context.quiet.unseen(fn.obj)
            object_made = self.constructed > before and not self.passive
            return None if object_made else UNKNOWN, None

    def followed_call(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract | None:
        """An inactive call built in, since it makes functions or objects; None where
        it cannot be."""
        mark = self.mark()
        try:
            return self.inline_function(fn, args, kw, node)
        except SourcegradError:
            self.back_to(mark)
            return None

    def unfold(self, fn: Any) -> None:
        """Build a recursion in, call by call: it makes or changes objects, which must
        be known in each.

        Raises:
            Restart: that was not tried.
        """
        key = ("unfolded", fn.__code__)
        if key not in self.context.derived:
            self.context.derived[key] = True
            raise Restart

    def call_pair(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A call of a function that becomes a pair (see `Pairs`)."""
        raise AssertionError

    def can_pass(self, tree: Abstract) -> bool:
        """Whether a tree can be an argument of a function built apart (see `Pairs`)."""
        raise AssertionError

    def form_key(self, tree: Abstract) -> Any:
        """What of an argument decides the code of the callee (see `Pairs`)."""
        raise AssertionError

    constructed = 0  # objects made by code of which no derivative is asked
