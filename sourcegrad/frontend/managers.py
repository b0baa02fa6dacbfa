"""Context managers of the user's, followed into.

    with doubled(x) as y:      a generator function made a manager by `contextmanager`:
        body                   its body, with the body of the `with` for its `yield`

    with Timer(x) as t:        t = Timer(x).__enter__()
        body                   try: body
                               finally: __exit__(None, None, None)

An `__exit__` that looks at the exception or may swallow it is called in a handler.
"""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Any

import gast

from sourcegrad.frontend.lazy import Lazy
from sourcegrad.frontend.reads import is_data
from sourcegrad.frontend.structs import Abstract, Bound, Object
from sourcegrad.ir import Obj
from sourcegrad.names import fresh
from sourcegrad.source.find import find

_HELPER = contextlib.contextmanager(lambda: iter(())).__code__


class Managers(Lazy):
    """Builds `with` statements of the user's own managers."""

    def managed(self, items: list[Any], stmt: Any) -> None:
        item = items[0] if items else None
        node = item.context_expr if item is not None else None
        if isinstance(node, gast.Call) and self.generator_behind(node) is not None:
            self.through_generator(item, items[1:], stmt)
        elif node is not None and self.is_own_manager(node):
            self.block(self.entered(item, items[1:], stmt))
        else:
            super().managed(items, stmt)

    def is_harmless_with(self, stmt: Any) -> bool:
        nodes = [item.context_expr for item in stmt.items]
        followed = [
            self.is_own_manager(n)
            or isinstance(n, gast.Call)
            and self.generator_behind(n) is not None
            for n in nodes
        ]
        return all(followed) or super().is_harmless_with(stmt)

    # -------------------------------------------------------------- generators

    def generator_behind(self, node: gast.Call) -> Obj | None:
        """The generator function behind a call of what `contextmanager` made."""
        with self.passively():
            fn = self.expr(node.func)
        if isinstance(fn, Bound):
            fn = fn.fn
        obj = fn.obj if isinstance(fn, Obj) else None
        if not isinstance(obj, types.FunctionType) or obj.__code__ is not _HELPER:
            return None
        inner = obj.__wrapped__  # type: ignore[attr-defined]
        return self.binder.bind(inner, inner.__name__)

    def through_generator(self, item: Any, rest: list[Any], stmt: Any) -> None:
        """The generator's body, with that of the `with` in place of its `yield`."""
        node = item.context_expr
        fn = self.expr(node.func)
        inner = self.generator_behind(node)
        assert inner is not None
        args, kw = self.arguments(node)
        if isinstance(fn, Bound):
            args, kw = [*fn.args, *args], {**fn.keywords, **kw}
        made = self.generator_of(inner, args, kw, node)
        reached = 0

        def visit(tree: Abstract) -> None:
            nonlocal reached
            reached += 1
            if item.optional_vars is not None:
                self.bind(item.optional_vars, tree)
            if rest:
                self.managed(rest, stmt)
            else:
                self.block(stmt.body)

        if yields_once(made.tree):
            self.drain(made, visit, throws=True)
        if reached != 1:
            raise self.unsupported(
                node,
                "a context manager whose yield is in a loop or a branch",
                "yield at one place of its function, outside loops and branches",
            )

    # ----------------------------------------------------------------- classes

    def is_own_manager(self, node: Any) -> bool:
        """Whether an expression gives an object of a class that can be followed."""
        with self.passively():
            held = self.expr(node.func if isinstance(node, gast.Call) else node)
        cls: Any = held.type if isinstance(held, Object) else None
        if isinstance(node, gast.Call):
            known = isinstance(held, Obj) and not is_data(held.obj)
            cls = held.obj if known else None  # type: ignore[union-attr]
        root = str(getattr(cls, "__module__", "")).partition(".")[0]
        if not isinstance(cls, type) or root in (*sys.stdlib_module_names, "numpy"):
            return False
        methods = (getattr(cls, name, None) for name in ("__enter__", "__exit__"))
        init = getattr(cls, "__init__", None)
        plain = isinstance(init, (types.FunctionType, types.WrapperDescriptorType))
        return plain and all(isinstance(m, types.FunctionType) for m in methods)

    def entered(self, item: Any, rest: list[Any], stmt: Any) -> list[Any]:
        """The statements that a `with` of an object stands for."""
        key = ("entered", item)
        if key not in self.context.derived:
            node = item.context_expr
            cls = self.expr(node.func if isinstance(node, gast.Call) else node)
            kind = cls.type if isinstance(cls, Object) else cls.obj  # type: ignore
            body = stmt.body
            if rest:
                body = [gast.copy_location(gast.With(rest, stmt.body, None), stmt)]
            own = fresh("manager", self.context.names)  # a `with` may hold another
            self.context.derived[key] = _entered(item, body, looks_at_errors(kind), own)
        found: list[Any] = self.context.derived[key]
        return found


def yields_once(tree: Any) -> bool:
    """Whether a generator function yields at one place, outside loops."""
    loops = [s for s in gast.walk(tree) if isinstance(s, (gast.For, gast.While))]
    return len(_yields(tree)) == 1 and not any(map(_yields, loops))


def _yields(tree: Any) -> list[Any]:
    return [n for n in gast.walk(tree) if isinstance(n, gast.Yield)]


def looks_at_errors(cls: Any) -> bool:
    """Whether the `__exit__` of a class reads what it is given, or may swallow it."""
    tree = find(cls.__exit__).tree
    given = {a.id for a in tree.args.args[1:]}
    given |= {a.id for a in (tree.args.vararg, tree.args.kwarg) if a is not None}
    for node in gast.walk(tree):
        if isinstance(node, gast.Name) and node.id in given:
            if isinstance(node.ctx, gast.Load):
                return True
        if isinstance(node, gast.Return) and node.value is not None:
            if not isinstance(node.value, gast.Constant) or node.value.value:
                return True
    return False


def _entered(item: Any, body: list[Any], looks: bool, own: str) -> list[Any]:
    """`with` of an object, to be held under a name, as a `try`."""
    text = "$manager = 0\n$manager.__enter__()\n"
    leave = "$manager.__exit__(None, None, None)"
    if looks:
        text += (
            "try: pass\nexcept BaseException as $error:\n"
            "    if not $manager.__exit__($error.__class__, $error, None): raise\n"
            f"else: {leave}"
        )
    else:
        text += f"try: pass\nfinally: {leave}"
    text = text.replace("$manager", f"hidden_{own}")
    made, enter, tried = gast.parse(text.replace("$", f"hidden_{own}_")).body
    for stmt in (made, enter, tried):  # before there is anything of the user's in them
        for node in gast.walk(stmt):
            if isinstance(node, gast.Name) and node.id.startswith("hidden_"):
                node.id = f"${node.id.removeprefix('hidden_')}"
            gast.copy_location(node, item.context_expr)
    made.value, tried.body = item.context_expr, body
    if item.optional_vars is not None:
        entered = gast.Assign([item.optional_vars], enter.value, None)
        enter = gast.copy_location(entered, item.context_expr)
    return [made, enter, tried]
