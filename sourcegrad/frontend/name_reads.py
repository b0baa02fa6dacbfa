"""Reading a name: local, of an enclosing function, captured, global or builtin."""

from __future__ import annotations

from typing import Any

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.evaluation import Evaluation
from sourcegrad.frontend.held import from_outside, reader_of
from sourcegrad.frontend.live import now
from sourcegrad.frontend.scope import Scope
from sourcegrad.frontend.structs import Abstract
from sourcegrad.ir import Lit, Undef


class NameReads(Evaluation):
    """Builds constants and names."""

    def expr_Constant(self, node: Any) -> Abstract:
        return Lit(node.value)

    def expr_Name(self, node: Any) -> Abstract:
        return now(self.lookup(node.id, node))

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
            if bound is not None:
                return from_outside(self, bound, reader_of(fn, name))
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
        return self.held_now(found, name, node)
