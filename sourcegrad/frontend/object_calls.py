"""Calls of objects of the user's world: functions, classes, partial and bound ones,
wrappers, and instances with a `__call__`."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from sourcegrad.frontend.complex_powers import note_call
from sourcegrad.frontend.decorators import of_getter
from sourcegrad.frontend.function_calls import FunctionCalls
from sourcegrad.frontend.held import keywords_of
from sourcegrad.frontend.library_kinds import is_hashable
from sourcegrad.frontend.nested import of_object
from sourcegrad.frontend.numba_objects import numba_call
from sourcegrad.frontend.optional import solver_of
from sourcegrad.frontend.provenance import is_library
from sourcegrad.frontend.structs import Abstract
from sourcegrad.frontend.vectorized import call_vectorized
from sourcegrad.ir import Obj
from sourcegrad.rules import registry


class ObjectCalls(FunctionCalls):
    """Finds which function an object stands for, and builds its call."""

    def call_object(
        self, fn: Obj, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> Any:
        """A call of an object of the user's world."""
        obj = fn.obj
        derivative = of_object(self, fn, node)
        if derivative is not None:
            return self.call_value(derivative, args, kw, node)
        handler = self.special.get(obj) if is_hashable(obj) else None
        if is_hashable(obj):
            note_call(self, obj, args)
        handler = handler or solver_of(fn)
        if handler is not None:
            found = handler(self, args, kw, node)
            if found is not NotImplemented:
                return found
        rule = registry.lookup(obj) if is_hashable(obj) else None
        if rule is not None:
            return self.call_library(fn, rule, args, kw, node)
        got = of_getter(self, obj, args, kw, node)
        if got is not None:
            return got
        from_numba = numba_call(self, fn, args, kw, node)
        if from_numba is not None:
            return from_numba
        if isinstance(obj, np.vectorize) and self.active(args, kw):
            return call_vectorized(self, fn, args, kw, node)
        if isinstance(obj, functools.partial):
            inner = self.binder.bind(obj.func, getattr(obj.func, "__name__", "fn"))
            own = [self.constant(a, f"{fn.path}_{k}") for k, a in enumerate(obj.args)]
            keywords = {**keywords_of(self, obj), **kw}
            return self.call_value(inner, [*own, *args], keywords, node)
        if isinstance(obj, types.MethodType):
            ruled = registry.lookup(obj.__func__) is not None
            if is_library(obj.__func__) and not ruled:
                # a method of an object of a library is known by the user's own name
                return self.call_ruleless(fn, args, kw, node)
            method = self.binder.bind(obj.__func__, obj.__func__.__name__)
            owner = self.constant(obj.__self__, "self_object")
            return self.call_value(method, [owner, *args], kw, node)
        if isinstance(obj, type):
            return self.construct(fn, args, kw, node)
        if isinstance(obj, types.FunctionType):
            return self.call_function(fn, args, kw, node)
        return self.call_instance(fn, args, kw, node)

    def call_instance(
        self, fn: Obj, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> Any:
        """A call of an instance: by the `__call__` of its class where that is Python,
        whatever function it says that it wraps."""
        obj = fn.obj
        call: Any = getattr(type(obj), "__call__", None)  # noqa: B004
        compiled = getattr(obj, "py_func", None)
        if isinstance(call, types.FunctionType) and compiled is None:
            ours = type(obj).__module__.partition(".")[0] == "sourcegrad"
            if hasattr(obj, "__sourcegrad_linear__") and self.active(args, kw):
                sweep = obj.__sourcegrad_function__
                return self.call_function(
                    self.binder.bind(sweep, sweep.__name__), args, kw, node
                )
            if ours and not hasattr(obj, "__sourcegrad_primal__"):
                return self.call_ruleless(fn, args, kw, node)  # a kept derivative
            return self.call_value(
                self.binder.bind(call, "call"), [fn, *args], kw, node
            )
        wrapped = compiled or getattr(obj, "__wrapped__", None)
        if isinstance(wrapped, types.FunctionType):
            if is_library(wrapped):
                return self.call_ruleless(fn, args, kw, node)
            inner = self.binder.bind(wrapped, wrapped.__name__)
            return self.call_function(inner, args, kw, node)
        return self.call_unknown(fn, args, kw, node)

    def construct(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """A call of a class (see `Objects`)."""
        raise AssertionError
