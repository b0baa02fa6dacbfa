"""Classes defined inside the function: their methods are inner functions."""

from __future__ import annotations

import ast
import dataclasses
import functools
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


_DECORATORS = {
    property: "property",
    staticmethod: "staticmethod",
    classmethod: "classmethod",
    functools.cached_property: "cached_property",
}
_OUTSIDE = "define the class at module level"


class Classes(Objects):
    """Builds class definitions."""

    def stmt_ClassDef(self, stmt: Any) -> None:
        if stmt.keywords:
            raise self.unsupported(
                stmt, "a class with keywords inside the function", _OUTSIDE
            )
        bases = []
        for node in stmt.bases:
            base = self.expr(node)
            if not (isinstance(base, Obj) and isinstance(base.obj, type)):
                raise self.unsupported(node, "this base class", _OUTSIDE)
            bases.append(base.obj)
        key = ("class", stmt, self.scope)
        if key not in self.context.derived:
            members = {n: m for item in stmt.body for n, m in self.member(item)}
            notes = {
                item.target.id: ast.unparse(gast.gast_to_ast(item.annotation))
                for item in stmt.body
                if isinstance(item, gast.AnnAssign)
            }
            made = type(stmt.name, tuple(bases), {**members, "__annotations__": notes})
            for node in reversed(stmt.decorator_list):
                made = self.decorated_class(node, made)
            self.context.derived[key] = _Built(made, members)
        cls = self.context.derived[key].cls
        self.env[(self.owner(stmt.name), stmt.name)] = Obj(cls, stmt.name)

    def decorated_class(self, node: Any, made: type) -> type:
        """A class with what a decorator adds: `dataclass`, with options or without."""
        options: dict[str, Any] = {}
        maker = node
        if isinstance(node, gast.Call) and not node.args:
            maker = node.func
            options = {
                k.arg: k.value.value
                for k in node.keywords
                if isinstance(k.value, gast.Constant) and k.arg is not None
            }
            if len(options) < len(node.keywords):
                raise self.unsupported(node, "this decorator of a class", _OUTSIDE)
        held = self.expr(maker)
        if not isinstance(held, Obj) or held.obj is not dataclasses.dataclass:
            raise self.unsupported(node, "this decorator of a class", _OUTSIDE)
        return dataclasses.dataclass(**options)(made)

    def member(self, item: Any) -> list[tuple[str, Any]]:
        """What one statement of a class body defines."""
        if isinstance(item, gast.FunctionDef):
            return [(item.name, self.method(item))]
        if isinstance(item, gast.AnnAssign) and isinstance(item.target, gast.Name):
            if item.value is None:
                return []
            return [(item.target.id, self.default_of(item.value))]
        if isinstance(item, gast.Assign) and all(
            isinstance(t, gast.Name) for t in item.targets
        ):
            if [t.id for t in item.targets] == ["__slots__"]:
                return [("__slots__", ast.literal_eval(gast.gast_to_ast(item.value)))]
            tree = self.settle(self.expr(item.value))
            return [(t.id, LocalMember("value", tree)) for t in item.targets]
        if isinstance(item, (gast.Pass, gast.Expr)):
            return []
        raise self.unsupported(
            item, "this statement in a class inside the function", _OUTSIDE
        )

    def default_of(self, node: Any) -> Any:
        """What an annotated name of a class body holds: a value, or a field."""
        called = self.expr(node.func) if isinstance(node, gast.Call) else None
        if not (isinstance(called, Obj) and called.obj is dataclasses.field):
            return LocalMember("value", self.settle(self.expr(node)))
        options = {}
        for keyword in node.keywords:
            if keyword.arg not in ("default", "default_factory"):
                raise self.unsupported(node, "this option of a field", _OUTSIDE)
            held = LocalMember("value", self.settle(self.expr(keyword.value)))
            options[keyword.arg] = held
        return dataclasses.field(**options)

    def method(self, item: Any) -> LocalMember:
        """A method, property or static method."""
        sort = "method"
        for node in item.decorator_list:
            held = (
                self.expr(node)
                if isinstance(node, gast.Name | gast.Attribute)
                else None
            )
            found = _DECORATORS.get(held.obj) if isinstance(held, Obj) else None
            if found is None or sort != "method":
                raise self.unsupported(
                    item, "this decorator in a class inside the function", _OUTSIDE
                )
            sort = found
        self.scope.has_closures = True
        defaults = [self.settle(self.expr(d)) for d in item.args.defaults]
        kw = [
            None if d is None else self.settle(self.expr(d))
            for d in item.args.kw_defaults
        ]
        closure: Abstract = Closure(item, self.scope, defaults, kw, item.name)
        return LocalMember(sort, closure)
