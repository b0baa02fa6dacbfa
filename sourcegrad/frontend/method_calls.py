"""Methods of run-time values: arrays, lists and other objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from sourcegrad.errors import KindError
from sourcegrad.frontend.object_calls import ObjectCalls
from sourcegrad.frontend.operands import as_arrays
from sourcegrad.frontend.provenance import REPORTS, module_of
from sourcegrad.frontend.ruled_calls import has_out, without_out
from sourcegrad.frontend.structs import Abstract, Attr, Struct
from sourcegrad.ir import Expr, Obj, Op, attr, call
from sourcegrad.kinds import UNKNOWN, Atom, ListKind, Num, draws
from sourcegrad.loader.load import GENERATED
from sourcegrad.rules import registry
from sourcegrad.rules.methods import (
    METHODS,
    MUTATING_METHODS,
    SWAPPED,
    SYNONYMS,
    VARIADIC,
)


class MethodCalls(ObjectCalls):
    """Builds calls of methods."""

    def follow_container(self, base: Expr) -> None:
        """See `Stores`."""
        raise AssertionError("Stores provides it")

    def call_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """`base.name(…)` of a run-time value."""
        kind = self.infer(base)
        if isinstance(kind, ListKind) and name != "__getitem__":
            return self.list_method(base, name, args, kw, node)
        if isinstance(kind, Num) and name in MUTATING_METHODS:
            return self.mutating_method(base, name, args, kw, node)
        if draws(kind):
            if not self.deriving and self.active(args, kw):
                owner = self.binder.bind(kind.type, kind.type.__name__)
                draw = Obj(getattr(kind.type, name), f"{owner.path}.{name}")
                return self.call_object(draw, [base, *args], kw, node)
            if self.passive and not self.deriving:  # as an index, drawn by a weight
                drawn = self.call_tree(attr(base, name), args, kw, node)
                return self.emit(drawn) if any(self.varied_refs(drawn)) else drawn
        if isinstance(kind, Atom) and module_of(kind.type) in REPORTS:
            with self.passively():
                return self.call_tree(attr(base, name), args, kw, node)
        if name == "__getitem__" and len(args) == 1 and not self.deriving:
            place = self.materialise(args[0], node)
            return self.item(base, place, node, len(self.region.stmts))
        if has_out(kw) and isinstance(kind, Num) and not self.deriving:
            method = Attr(base, name)
            return self.write_into(kw["out"], method, args, without_out(kw), node)
        varied = not self.passive and (self.is_varied(base) or self.active(args, kw))
        ruled = registry.lookup(METHODS[name]) if name in METHODS else None
        vague = varied and kind == UNKNOWN and not self.deriving
        if vague and _of_arrays(name) and not self.is_own_text():
            self.require_array(base, name, node)
            return self.array_call(base, name, args, kw, node)
        if varied and ruled is not None and not self.deriving:
            if self.rule_taking(ruled, [base, *args], kw) is not ruled:
                return self.call_object(self.numpy(name), [base, *args], kw, node)
            (_, *args), kw = as_arrays(self, ruled, [base, *args], kw, node)
        if varied and not self.deriving and name in SWAPPED and args:
            return self.array_call(base, name, args, kw, node)
        if varied and not self.deriving and _is_renamed(name, kw):
            return self.call_object(self.numpy(name), [base, *args], kw, node)
        tree = self.call_tree(attr(base, name), args, kw, node)
        if self.deriving:
            return self.folded(tree)
        if not varied:
            return tree
        function = METHODS.get(name) or VARIADIC.get(name)
        rule = registry.lookup(function) if function else None
        if not isinstance(kind, Num):
            if self.active(args, kw):
                self.follow_container(base)
            raise self.error(
                KindError,
                f"what {name!r} is called on is not known to be an array here",
                "its kind could not be inferred",
                (),
                self.locate(node),
            )
        if rule is None:
            raise self.missing(f"the method {name!r}", node)
        if rule.kind == "constant":
            return self.constant_result(tree)
        if name in METHODS:
            self.check_rule_takes(rule, [base, *args], kw, node)
        return self.structured_call(tree) if self.is_varied(tree) else tree

    def is_own_text(self) -> bool:
        """Whether what is built is a derivative's text, of which another form is taken
        where this one is refused."""
        source = self.scope.source
        return source is None or source.filename.startswith(GENERATED)

    def require_array(self, base: Expr, name: str, node: Any) -> None:
        """An error at run time where what a method is called on is no array."""
        is_a, *types = (
            self.binder.bind(f, text)
            for f, text in (
                (isinstance, "isinstance"),
                (np.ndarray, "np.ndarray"),
                (np.generic, "np.generic"),
            )
        )
        test = call(is_a, self.atom(base), Op("tuple", tuple(types)))
        self.refuse_where(
            Op("not_", (test,)),
            f"{self.locate(node)}: what {name!r} is called on is no array, which was "
            "not known when compiling",
        )

    def array_call(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """A method of an array as a call of the function of that name."""
        single = len(args) == 1
        if name in VARIADIC and args and not single:
            args = [Struct(tuple, tuple(range(len(args))), list(args))]
        if name in SWAPPED:
            return self.call_object(
                self.numpy(name), [args[0], base, *args[1:]], kw, node
            )
        fn = self.numpy("ndarray" if not hasattr(np, name) else name)
        if fn.obj is np.ndarray:  # flatten, item, tolist
            fn = Obj(METHODS[name], f"{fn.path}.{name}")
        return self.call_object(fn, [base, *args], kw, node)

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


def _of_arrays(name: str) -> bool:
    """Whether an array has a method of this name that has a derivative."""
    return name in METHODS or name in VARIADIC or name in SWAPPED


def _is_renamed(name: str, kw: dict[str, Abstract]) -> bool:
    """Whether a method has an option that its function calls by another name."""
    names = SYNONYMS.get(METHODS.get(name), {})
    return any(k in names for k in kw)
