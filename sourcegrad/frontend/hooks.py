"""`on_adjoint(x, hook)`: what runs on a cotangent, built where the program says so.

    h = on_adjoint(x, lambda g: np.clip(g, -c, c))

The hook is built into a region of its own, with the cotangent as a value that the
reverse sweep will provide; there the region becomes ordinary statements.  So a hook
may be whatever the language has (a lambda, an inner function, a method, a partial),
its text stands in the adjoint, and what it captures is recorded like anything else.
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

import gast

from sourcegrad.frontend.context import WritesUnseen
from sourcegrad.frontend.structs import Abstract, Struct, leaves, map_leaves
from sourcegrad.ir import (
    Assign,
    Effect,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Store,
    Unpack,
    Value,
    call,
)
from sourcegrad.ir_walk import region_defs, region_uses, walk
from sourcegrad.kinds import NONE, ListKind, Num, strip
from sourcegrad.loader.load import GENERATED
from sourcegrad.runtime_project import replaced


@dataclass(eq=False)
class Hook:
    """The body of a hook: cotangents `given`, statements, cotangents `found`."""

    given: list[Value]
    body: Region
    found: list[Expr]

    @property
    def looks_only(self) -> bool:
        """Whether every cotangent stays what it is."""
        return self.found == list(map(Ref, self.given)) and not any(
            isinstance(stmt, Store) for stmt in walk(self.body)
        )

    @property
    def quiet(self) -> bool:
        """Whether it can only compute something new, and write into nothing."""
        return all(isinstance(stmt, Assign) for stmt in self.body.stmts)


def on_adjoint(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`on_adjoint(x, hook)`: the identity, with a hook in the reverse sweep."""
    x = b.settle(args[0] if args else kw["x"])
    hook = args[1] if len(args) > 1 else kw["hook"]
    if not isinstance(x, (Expr, Struct)):
        raise b.unsupported(
            node, "on_adjoint of an object built here", "give it an array or a number"
        )
    held = [e for e in leaves(x) if b.is_varied(e)]
    if b.passive or not held:
        return x
    if any(isinstance(b.infer(e), ListKind) for e in held):
        raise b.unsupported(
            node, "on_adjoint of a list", "give each element a hook of its own"
        )
    made = hook_of(b, hook, x, node)
    captured = dict.fromkeys(region_uses(made.body))
    for value in (*region_defs(made.body), *made.given):
        captured.pop(value, None)
    tree = Op("hook", (*held, *map(Ref, captured)), made)
    if isinstance(x, Expr):
        tree.kind = b.infer(x)
        return b.emit(tree)
    targets = [b.value(_title(e), b.infer(e), True) for e in held]
    b.append(Unpack(targets, tree))
    new = dict(zip(held, map(Ref, targets), strict=True))
    return map_leaves(x, lambda e: new.get(e, e))


def hook_of(b: Any, hook: Abstract, x: Abstract, node: Any) -> Hook:
    """The hook, built for the cotangent of `x`."""
    given: list[Value] = []

    def cotangent(e: Expr) -> Expr:
        if not b.is_varied(e):
            return Lit(None)
        given.append(Value(f"{_title(e)}_bar", strip(b.infer(e)), False, b.where))
        return Ref(given[-1])

    g = map_leaves(x, cotangent)
    outer, body, mark = dict(b.env), Region(), b.mark()
    try:
        with b.inside(body), b.passively():
            found = b.call_value(hook, [g], {}, node)
            ends = _ends(b, found, g, node)
    except WritesUnseen:
        b.back_to(mark)
        body = Region()
        with b.inside(body), b.actively():
            found = b.call_value(hook, [g], {}, node)
            ends = _ends(b, found, g, node)
    if any(b.env.get(key) is not held for key, held in outer.items()):
        raise b.unsupported(
            node,
            "a hook that assigns names of the function around it",
            "let it append to a list, or store into an array",
        )
    b.env = outer
    body.yields = ends
    return Hook(given, body, ends)


def _title(e: Expr) -> str:
    return e.value.name if isinstance(e, Ref) else "x"


def _ends(b: Any, found: Abstract, g: Abstract, node: Any) -> list[Expr]:
    """What the cotangents become: what the hook returned, unless that is None."""
    if isinstance(g, Struct) and not _is_none(b, found):
        if not (isinstance(found, Struct) and found.keys == g.keys):
            raise b.unsupported(
                node,
                "a hook on a container whose result has another structure",
                "return None, or a cotangent for each part",
            )
        pairs = zip(leaves(found), leaves(g), strict=True)
        return [_end(b, f, e) for f, e in pairs if isinstance(e, Ref)]
    if isinstance(g, Struct):
        if isinstance(found, Op):
            b.append(Effect(found))
        return [e for e in leaves(g) if isinstance(e, Ref)]
    assert isinstance(g, Expr)
    return [_end(b, b.materialise(found, node), g)]


def _is_none(b: Any, found: Abstract) -> bool:
    return isinstance(found, Expr) and b.infer(found) == NONE


def _end(b: Any, found: Expr, g: Expr) -> Expr:
    if _is_none(b, found):
        if isinstance(found, Op):
            b.append(Effect(found))
        return g
    if not isinstance(b.infer(found), Num):
        found = call(b.binder.bind(replaced, "replaced"), found, g)
    return b.emit(found, _title(g)) if isinstance(found, Op) else found


def replacement(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`replaced(found, g)` of generated code, where it is known which it is."""
    found, g = args
    if _is_none(b, found):
        if isinstance(found, Op):
            b.append(Effect(found))
        return g
    if isinstance(found, Expr) and isinstance(b.infer(found), Num):
        return found
    return NotImplemented


def calls_hook(b: Any, node: Any) -> bool:
    """Whether a statement of an adjoint calls a hook, which looks and no more."""
    fn, scope = getattr(node, "func", None), b.scope.fn
    if scope is None or not scope.__code__.co_filename.startswith(GENERATED):
        return False
    if not isinstance(fn, (gast.Name, gast.Attribute)):
        return False
    held = b.expr(fn)
    obj = held.obj if isinstance(held, Obj) else None
    own = str(getattr(obj, "__module__", "")).partition(".")[0] == "sourcegrad"
    return isinstance(obj, (types.FunctionType, types.MethodType)) and not own
