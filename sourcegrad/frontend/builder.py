"""The frontend as one class, and the building of the function to differentiate."""

from __future__ import annotations

import functools
import inspect
import types
from collections import Counter
from dataclasses import dataclass
from typing import Any

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend import (
    aliases,
    changed_outside,
    implicit,  # noqa: F401  (its handlers)
    own_arguments,
)
from sourcegrad.frontend.arenas import require_followed, require_values
from sourcegrad.frontend.binding import bind_arguments, function_scope
from sourcegrad.frontend.context import Context
from sourcegrad.frontend.hidden import require_shown
from sourcegrad.frontend.pairs import Pairs
from sourcegrad.frontend.scope import RETURN
from sourcegrad.frontend.signature import Leaf, Node, Spec, Static
from sourcegrad.frontend.special import SPECIAL
from sourcegrad.frontend.structs import Abstract, Poison, Struct, leaves
from sourcegrad.frontend.writers import build_in
from sourcegrad.ir import Assign, Expr, Function, Lit, Op, Ref, Value, attr
from sourcegrad.kinds import (
    NUMBER,
    UNKNOWN,
    Kind,
    ListKind,
    Num,
    TupleKind,
    differentiable,
    is_float,
    join,
    strip,
)
from sourcegrad.names import identifier
from sourcegrad.source.find import find

_BUILT_IN = (tuple, list, dict)


class Builder(Pairs):
    """Builds IR from the functions of one compilation."""

    special = SPECIAL

    def __init__(self, context: Context) -> None:
        super().__init__(context.binder)
        self.context = context
        self.stack = []
        self.rolled = []
        self.made_lists = set()
        self.put_lists = set()
        self.made = {}
        self.rows = {}
        self.sharing = {}
        self.origins = {}
        self.makers = {}
        self.unnamed = Counter()
        self.frozen = set()
        self.merged = set()
        self.classes = {}
        self.changed: list[Any] = []
        self.outside: dict[int, Any] = {}


@dataclass
class Primal:
    """The primal as IR.

    `arguments` maps each parameter to the tree of its leaves, `result` is the tree
    of what it returns.
    """

    function: Function
    arguments: dict[str, Abstract]
    result: Abstract
    context: Context
    source: Any
    wrt: tuple[str, ...]

    def argument(self, name: str) -> Abstract:
        """The tree of a parameter, or of an element of `*args`."""
        base, _, rest = name.partition("[")
        tree = self.arguments[base]
        if not rest:
            return tree
        k = int(rest.rstrip("]"))
        if not isinstance(tree, Struct) or k >= len(tree.items):
            raise ValueError(f"argnums is out of range: there is no argument {name}")
        return tree.items[k]


def build(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    wrt: tuple[str, ...],
    context: Context,
) -> Primal:
    """Build the IR of a function for one signature.

    Args:
        fn: the user's function.
        specs: the signature of each parameter, in order.
        wrt: the parameters to differentiate with respect to.
        context: the state of the compilation.

    Raises:
        SourcegradError: the function cannot be differentiated, with the place.
    """

    def once() -> Primal:
        primal = _build_once(fn, specs, wrt, context)
        callees = [s.function for s in context.specialisations.values()]
        for function in (primal.function, *callees):
            if function is not None and not context.dirty:
                aliases.spread(function, context)
        built = [f for f in (primal.function, *callees) if f is not None]
        changed_outside.require_followed(context, built)
        return primal

    source = find(fn)
    return context.until_settled(once, source.location(source.tree))


def _build_once(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    wrt: tuple[str, ...],
    context: Context,
) -> Primal:
    b = Builder(context)
    scope, tree = function_scope(b, fn)
    assert scope.source is not None
    b.scope, b.stack = scope, [fn.__code__]
    b.where = scope.source.location(tree)
    params: list[Value] = []
    arguments: dict[str, Abstract] = {}
    for name, spec in specs.items():
        value, held = _parameter(b, name, spec, name in wrt)
        params.append(value)
        arguments[name] = held
        b.env[(scope, name)] = own_arguments.own(b, held)
    changed_outside.open_all(b)
    b.open_arenas()
    if tree.args.vararg or tree.args.kwarg:
        _gather(b, scope, tree.args, fn, arguments)
    b.block(tree.body)
    if not b.region.ends:
        own_arguments.hand_back(b)
    build_in(context)
    require_followed(b, b.region)
    result = b.env.get((scope, RETURN), Lit(None))
    if isinstance(result, Poison):
        b.held_now(result, "", None)
        raise b.error(NonDifferentiableError, f"the result {result.reason}")
    result = b.records(result)
    require_values(b, result)
    b.region.yields = list(leaves(result))
    require_shown(b, b.region)
    name = identifier(fn.__name__)
    return Primal(Function(name, params, b.region, result), arguments, result, context,
                  scope.source, wrt)  # fmt: skip


def _gather(
    b: Builder,
    scope: Any,
    params: Any,
    fn: types.FunctionType,
    given: dict[str, Abstract],
) -> None:
    """What `*args` and `**kwargs` hold: the arguments a wrapped function names."""
    own = {a.id for a in [*params.posonlyargs, *params.args, *params.kwonlyargs]}
    named = inspect.signature(fn).parameters
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    later = {n for n in given if n in named and named[n].kind is keyword_only}
    bare = inspect.signature(fn, follow_wrapped=False).parameters
    if [(p.name, p.kind) for p in named.values()] == [
        (p.name, p.kind) for p in bare.values()
    ]:
        return  # its own: a wrapped one may have parameters of the same names
    args = [held for n, held in given.items() if n not in later]
    kw = {n: given[n] for n in later}
    if not params.vararg:
        args, kw = [], dict(given)
    for name, held in bind_arguments(b, params, args, kw, fn).items():
        if name not in own or (scope, name) not in b.env:
            b.env[(scope, name)] = held


def _parameter(
    b: Builder, name: str, spec: Spec, active: bool
) -> tuple[Value, Abstract]:
    """A parameter of the function, and the tree of its leaves."""
    if isinstance(spec, Leaf):
        kind = spec.kind
        if (
            active
            and isinstance(kind, Num)
            and not is_float(kind.dtype)
            and kind.ndim == 0
        ):
            kind, b.context.whole = NUMBER, True
        value = b.value(name, kind, active and differentiable(kind))
        value.key = ("param", name)
        if value.key in b.context.varied:
            value.varied = True
        return value, Ref(value)
    value = Value(name, UNKNOWN, False, b.where)
    held = _tree(b, name, spec, Ref(value), active)
    if not any(map(b.is_varied, leaves(held))):
        value.kind = _kind(spec)
    return value, held


def _kind(spec: Spec) -> Kind:
    """The kind of an argument, for what is chosen from it by a computed index."""
    if isinstance(spec, Leaf):
        return strip(spec.kind)
    parts = [_kind(part) for part in spec.parts] if isinstance(spec, Node) else []
    if isinstance(spec, Node) and spec.type is tuple:
        return TupleKind(tuple(parts))
    if isinstance(spec, Node) and spec.type is list and parts:
        return ListKind(functools.reduce(join, parts))
    return UNKNOWN


def _tree(b: Builder, name: str, spec: Spec, whole: Expr, active: bool) -> Abstract:
    """The leaves of a container argument, each read once at entry."""
    if isinstance(spec, Static):
        return b.binder.bind(spec.obj, identifier(name))
    if isinstance(spec, Leaf):
        kind = spec.kind
        if (
            active
            and isinstance(kind, Num)
            and not is_float(kind.dtype)
            and kind.ndim == 0
        ):
            return whole if kind.dtype == "bool" else _leaf(b, name, kind, whole, False)
        return _leaf(b, name, kind, whole, active and differentiable(kind))
    items = []
    by_attribute = not issubclass(spec.type, _BUILT_IN)
    for key, part in zip(spec.keys, spec.parts, strict=True):
        own = f"{name}_{identifier(str(key))}".replace("__", "_")
        inner = attr(whole, key) if by_attribute else Op("getitem", (whole, Lit(key)))
        items.append(_tree(b, own, part, inner, active))
    changes = spec.type in (list, dict) or not issubclass(spec.type, _BUILT_IN)
    site = ("param", name) if changes else None
    return Struct(spec.type, spec.keys, items, whole, site)


def _leaf(b: Builder, name: str, kind: Any, path: Expr, varied: bool) -> Expr:
    value = b.value(name, kind, varied, temp=True)
    value.key = ("param", name)
    if isinstance(path, Op):
        path.kind = strip(kind)
    b.append(Assign(value, path))
    return Ref(value)
