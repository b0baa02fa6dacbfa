"""What Python makes of an object that the program builds: its text, and the number that
it stands for.

    print(state)             ->     text of `State.__str__`, built in; print(text)
    float(voltage)           ->     `Voltage.__float__`, built in
"""

from __future__ import annotations

import builtins
import dataclasses
import math
import operator
from typing import Any

from sourcegrad.frontend.structs import Abstract, is_user_object
from sourcegrad.ir import Expr, Lit, Op
from sourcegrad.runtime_texts import record_text


def text_of(b: Any, tree: Any, method: str, node: Any) -> Abstract:
    """`str` or `repr` of an object that the program builds.

    Args:
        b: the builder.
        tree: the object.
        method: "__str__" or "__repr__".
        node: where its text is asked for.

    Returns:
        The text as an expression; the address that Python shows of an object without
        a text of its own is left out.
    """
    with b.passively():
        if b.can_materialise(tree):
            fn = builtins.str if method == "__str__" else builtins.repr
            return b.call_tree(b.binder.bind(fn, fn.__name__), [tree], {}, node)
        for name in dict.fromkeys((method, "__repr__")):
            if _is_generated(tree.type, name):
                return _of_fields(b, tree, node)
            found = b.call_special(tree, name, [], node)
            if found is not NotImplemented:
                return found
    cls: type = tree.type
    return Lit(f"<{cls.__module__}.{cls.__qualname__} object>")


def _is_generated(cls: type, name: str) -> bool:
    """Whether a method is the `__repr__` that a dataclass is given."""
    inner = getattr(getattr(cls, name, None), "__wrapped__", None)
    code = getattr(inner, "__code__", None)
    made = code is not None and code.co_filename == "<string>"
    return made and name == "__repr__" and dataclasses.is_dataclass(cls)


def _of_fields(b: Any, tree: Any, node: Any) -> Expr:
    names = tuple(f.name for f in dataclasses.fields(tree.type) if f.repr)
    texts = [_part(b, b.attribute(tree, name, node), node) for name in names]
    fn = b.binder.bind(record_text, "record_text")
    return Op("call", (fn, Lit(tree.type.__qualname__), *texts), names)


def _part(b: Any, part: Abstract, node: Any) -> Expr:
    if is_user_object(part):
        part = text_of(b, part, "__repr__", node)
    else:
        fn = b.binder.bind(builtins.repr, "repr")
        part = b.call_tree(fn, [part], {}, node)
    return b.materialise(part, node)


def _as_text(method: str) -> Any:
    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if len(args) != 1 or kw or not is_user_object(args[0]):
            return NotImplemented
        return text_of(b, args[0], method, node)

    return handler


def _shown(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`print`, which shows objects by their text."""
    if not any(map(is_user_object, args)):
        return NotImplemented
    shown = [text_of(b, a, "__str__", node) if is_user_object(a) else a for a in args]
    return b.call_object(b.binder.bind(builtins.print, "print"), shown, kw, node)


def _number(fn: Any, *methods: str) -> Any:
    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if len(args) != 1 or kw or not is_user_object(args[0]):
            return NotImplemented
        for name in methods:
            found = b.call_special(args[0], name, [], node)
            if name == f"__{fn.__name__}__" and fn.__module__ == "math":
                if found is not NotImplemented:
                    return found
            if found is not NotImplemented:
                own = b.binder.bind(fn, fn.__name__)
                return b.call_object(own, [found], {}, node)
        return NotImplemented

    return handler


def _rounded(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`round` of an object, to a number of places or not."""
    if not args or kw or not is_user_object(args[0]):
        return NotImplemented
    return b.call_special(args[0], "__round__", list(args[1:]), node)


TEXTS: dict[Any, Any] = {
    builtins.str: _as_text("__str__"),
    builtins.repr: _as_text("__repr__"),
    builtins.print: _shown,
    builtins.int: _number(int, "__int__", "__index__", "__trunc__"),
    builtins.float: _number(float, "__float__", "__index__"),
    builtins.complex: _number(complex, "__complex__", "__float__", "__index__"),
    math.floor: _number(math.floor, "__floor__", "__float__"),
    math.ceil: _number(math.ceil, "__ceil__", "__float__"),
    math.trunc: _number(math.trunc, "__trunc__"),
    builtins.round: _rounded,
    operator.index: _number(operator.index, "__index__"),
}
