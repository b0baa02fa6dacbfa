"""Classes defined inside the function: their methods are inner functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from sourcegrad.frontend.objects import Objects
from sourcegrad.frontend.structs import Abstract, Closure, LocalMember
from sourcegrad.ir import Obj


@dataclass(eq=False)
class _Built:
    """A class that was made for a definition, and what it was made of."""

    cls: type
    members: dict[str, Any]


class Classes(Objects):
    """Builds class definitions."""

    def stmt_ClassDef(self, stmt: Any) -> None:
        if stmt.decorator_list or stmt.keywords:
            raise self.unsupported(stmt, "a decorated class inside the function",
                                   "define it at module level")  # fmt: skip
        bases = []
        for node in stmt.bases:
            base = self.expr(node)
            if not (isinstance(base, Obj) and isinstance(base.obj, type)):
                raise self.unsupported(node, "this base class")
            bases.append(base.obj)
        key = ("class", stmt, self.scope)
        if key not in self.context.derived:
            members = {n: m for item in stmt.body for n, m in self.member(item)}
            made = type(stmt.name, tuple(bases), members)
            self.context.derived[key] = _Built(made, members)
        cls = self.context.derived[key].cls
        self.env[(self.owner(stmt.name), stmt.name)] = Obj(cls, stmt.name)

    def member(self, item: Any) -> list[tuple[str, Any]]:
        """What one statement of a class body defines."""
        if isinstance(item, gast.FunctionDef):
            return [(item.name, self.method(item))]
        if isinstance(item, gast.Assign) and all(
            isinstance(t, gast.Name) for t in item.targets
        ):
            tree = self.settle(self.expr(item.value))
            return [(t.id, LocalMember("value", tree)) for t in item.targets]
        if isinstance(item, (gast.Pass, gast.Expr)):
            return []
        raise self.unsupported(item, "this statement in a class inside the function",
                               "define the class at module level")  # fmt: skip

    def method(self, item: Any) -> LocalMember:
        """A method, property or static method."""
        sort = "method"
        for node in item.decorator_list:
            name = node.id if isinstance(node, gast.Name) else ""
            if (
                name not in ("property", "staticmethod", "classmethod")
                or sort != "method"
            ):
                raise self.unsupported(
                    item,
                    "this decorator in a class inside the function",
                    "define the class at module level",
                )
            sort = name
        self.scope.has_closures = True
        defaults = [self.settle(self.expr(d)) for d in item.args.defaults]
        kw = [
            None if d is None else self.settle(self.expr(d))
            for d in item.args.kw_defaults
        ]
        closure: Abstract = Closure(item, self.scope, defaults, kw, item.name)
        return LocalMember(sort, closure)
