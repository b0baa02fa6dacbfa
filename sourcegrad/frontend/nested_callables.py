"""Inner functions in what a function differentiated here reads, as objects.

    layers = [np.tanh, lambda h: h * w]        a list of functions
    grad(net)(x)                               net reads the list

The text of the gradient stands by itself, so what it reads has to be data: a function
with what it captures becomes an object with attributes for that, and a `__call__`.
"""

from __future__ import annotations

import builtins
import types
from typing import Any

from sourcegrad.frontend.known import literal
from sourcegrad.frontend.lifting import Lifted, as_partial
from sourcegrad.frontend.nested import FINISH, PUBLIC, derivative
from sourcegrad.frontend.snapshots import freeze, opened, plain
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Closure,
    Listing,
    Mapping,
    Object,
    Struct,
)
from sourcegrad.ir import Lit, Obj
from sourcegrad.loader.load import load, stable_name
from sourcegrad.names import identifier


class _Around(Exception):
    """A function reads the very object that holds it."""


def unread(*args: Any, **kwargs: Any) -> Any:
    """Stands for a function kept in the object that it reads itself."""
    raise TypeError("this attribute is a function of the object that it is kept in; "
                    "call the method instead")  # fmt: skip


def with_data(b: Any, inner: Lifted, node: Any) -> Lifted:
    """A function whose operands hold no inner functions any more."""
    for name, tree in inner.operands.items():
        if _holds_function(b, tree):
            inner.operands[name] = as_data(b, tree, node)
    return inner


def _holds_function(b: Any, tree: Abstract) -> bool:
    if isinstance(tree, Closure | Bound):
        return True
    if isinstance(tree, Object) and not isinstance(tree, Listing | Mapping):
        tree = opened(tree, b.env)  # a snapshot, with the objects in it opened too
    if not isinstance(tree, Struct):
        return False
    return any(_holds_function(b, item) for item in tree.items)


def as_data(
    b: Any, tree: Abstract, node: Any, within: tuple[Object, ...] = ()
) -> Abstract:
    """A tree with an object in place of each inner function.

    `within` are the objects that it is part of.
    """
    if isinstance(tree, Closure):
        tree = as_partial(b, tree, node)
    if isinstance(tree, Bound):
        return _callable(b, tree, node, within)
    if isinstance(tree, Object) and not isinstance(tree, Listing | Mapping):
        if tree in within:
            raise _Around
        found = opened(tree, b.env)
        freeze(found, b.frozen)  # what the object holds is handed on as it is now
        within, tree = (*within, tree), plain(found)
    if not isinstance(tree, Struct):
        return tree
    items = [_part(b, item, node, within) for item in tree.items]
    return Struct(tree.type, tree.keys, items)


def _part(b: Any, tree: Abstract, node: Any, within: tuple[Object, ...]) -> Abstract:
    """An item or attribute; a function of the object that it is in is not read."""
    try:
        return as_data(b, tree, node, within)
    except _Around:
        return b.binder.bind(unread, "unread")


def _callable(b: Any, bound: Bound, node: Any, within: tuple[Object, ...]) -> Struct:
    """A function with operands given, as an object that holds these."""
    given = [as_data(b, a, node, within) for a in bound.args]
    held = {k: as_data(b, v, node, within) for k, v in bound.keywords.items()}
    if what := derivative(bound.fn):
        own, head, parts = _transform(b, what, given, node)
        given = []
    else:
        fn = as_data(b, bound.fn, node, within)
        own, head = (fn.obj, "fn") if isinstance(fn, Obj) else (None, "self.fn")
        parts = {"fn": fn} if own is None else {}
    taken = {f"given_{k}": a for k, a in enumerate(given)}
    first = [f"self.{n}" for n in taken]
    last = [f"{k}=self.{k}" for k in held]
    cls = _made(b, own, head, ", ".join([*first, "*args", *last]))
    parts |= taken | held
    return Struct(cls, tuple(parts), list(parts.values()))


def _transform(
    b: Any, what: str, given: list[Abstract], node: Any
) -> tuple[Any, str, dict[str, Abstract]]:
    """A transform, its call, and its function as an attribute."""
    plainly = what in PUBLIC and len(given) == 3 and literal(given[2]) is None
    f, argnums, *_ = given if plainly else [Lit(None), Lit(None)]
    told = argnums.items if isinstance(argnums, Struct) else [argnums]
    values = tuple(n.value for n in told if isinstance(n, Lit))
    if not plainly or len(values) != len(told):
        raise b.unsupported(node, "this derivative as operand of a function "
                            "differentiated here", "write it as a lambda")  # fmt: skip
    chosen = values if isinstance(argnums, Struct) else values[0]
    return PUBLIC[what], f"fn(self.f, {chosen!r})", {"f": f}


def _made(b: Any, fn: Any, head: str, operands: str) -> type:
    """The class of such objects, made once per compilation."""
    key = ("callable", fn, head, operands)
    found = b.context.derived.get(key)
    if found is None:
        name = identifier(getattr(fn, "__name__", "function"))
        text = (
            f"def __call__(self, *args, **kwargs):\n"
            f"    return {head}({operands}, **kwargs)\n"
        )
        code = getattr(fn, "__code__", None)
        file = stable_name(code.co_filename if code else "", name, "function")
        space = {"__builtins__": builtins, "__name__": __name__, "fn": fn}
        call = load(text, file, space)["__call__"]
        found = b.context.derived[key] = types.new_class(
            name, (), {}, lambda body: body.update(__call__=call)
        )
    return found


def register() -> None:
    """Let functions that are differentiated inside of others read such objects."""
    FINISH[:] = [with_data]
