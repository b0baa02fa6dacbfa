"""Calls as one class: evaluates the callee, and hands it to the part that builds it."""

from __future__ import annotations

import types
from typing import Any

import gast

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend import variants
from sourcegrad.frontend.changing import changes
from sourcegrad.frontend.context import WritesUnseen
from sourcegrad.frontend.cursors import first_of, refuse_partial
from sourcegrad.frontend.method_calls import MethodCalls
from sourcegrad.frontend.provenance import is_library
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
    Variant,
)
from sourcegrad.ir import Obj, Op

# What a call of is built as the user's own code is, also where it is passive.
_FOLLOWED = (Closure, Bound, Object, Struct, Choice, Variant)


def _is_made(fn: Abstract, node: Any) -> bool:
    """Whether what is called is made where it is called, and may hold values."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(fn, _FOLLOWED) and not isinstance(node, gast.Name)


class Calls(MethodCalls):
    """Builds calls."""

    def expr_Call(self, node: Any) -> Abstract:
        if not self.deriving and (found := first_of(self, node)) is not None:
            return found
        refuse_partial(self, node)
        outer, writes = self.passive, changes(node)
        self.passive = outer and not writes
        mark = self.mark()
        fn = self.expr(node.func)
        self.passive = outer
        if outer and not writes and _is_made(fn, node.func):
            self.back_to(mark)
            with self.actively():
                fn = self.expr(node.func)
        if writes or isinstance(fn, _FOLLOWED):
            return self.called_actively(fn, node)
        mark = self.mark()
        if self.is_constant_function(fn):
            self.passive = True
        try:
            args, kwargs = self.arguments(node, fn)
        finally:
            self.passive = outer
        try:
            if self.passive and self.may_change(fn, args, kwargs):
                raise WritesUnseen
            return self.call_value(fn, args, kwargs, node)
        except WritesUnseen:
            self.back_to(mark)
            return self.called_actively(fn, node)

    def may_change(self, fn: Abstract, args: Any, kw: Any) -> bool:
        """Whether a function of the user's gets what it may change unseen: an object
        that the program built, a function, a generator."""
        obj = fn.obj if isinstance(fn, Obj) else None
        code = obj.__init__ if isinstance(obj, type) else obj  # type: ignore[misc]
        return (
            isinstance(code, (types.FunctionType, LocalMember))
            and not is_library(code)
            and not all(map(self.can_materialise, [*args, *kw.values()]))
        )

    def called_actively(self, fn: Abstract, node: Any) -> Abstract:
        """A call whose writes count, also where no derivative is asked for."""
        outer, self.passive = self.passive, False
        try:
            args, kwargs = self.arguments(node, fn)
            return self.call_value(fn, args, kwargs, node)
        finally:
            self.passive = outer

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
        if isinstance(fn, Variant):
            return variants.call(self, fn, args, kw, node)
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
