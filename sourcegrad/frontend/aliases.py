"""Memory that receives active values is active under every name that it has.

    a = np.zeros(3)
    pair = [a, b]                 the store is into `t`; that `a` and `b` receive
    t = pair[k]            ->     its value too is known from the alias classes only
    t[:] = x * x
    return np.sum(a)

A function is built, its alias classes are found, and where a name of such memory was
taken for inactive, that is noted and the function is built again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sourcegrad.analysis import effects, outside
from sourcegrad.analysis.choices import found_in, is_choice
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.errors import UnsupportedSyntaxError
from sourcegrad.frontend.context import Context, ListFact
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Expr,
    Function,
    If,
    Lit,
    Loop,
    Op,
    Ref,
    Store,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import refs, walk
from sourcegrad.kinds import (
    Kind,
    ListKind,
    Num,
    TupleKind,
    differentiable,
    is_float,
    is_scalar,
    join,
    kind_of,
    strip,
)


def spread(function: Function, context: Context) -> None:
    """Note which names of written memory must be active; the build is then not done.

    Raises:
        UnsupportedSyntaxError: such memory has no name to note it under.
    """
    stores = [s for s in walk(function.body) if isinstance(s, (Append, Store))]
    calls = [s for s in walk(function.body) if isinstance(s, CallFn)]
    if not calls and not any(_stores_active(s) for s in stores):
        return
    fx = effects.run(function)
    for store in stores:
        _widen(store, fx, context)
    hot = {
        fx.find(s.base.value)
        for s in stores
        if _stores_active(s) and isinstance(s.base, Ref)
    }
    hot |= {fx.find(v) for s in calls for v in _written_actively(s)}
    outside.refuse_stores(function, fx, stores)
    outside.refuse_calls(function, fx, calls)
    made = {s.target: s.expr for s in walk(function.body) if isinstance(s, Assign)}
    derived = set(_derived(function, made))
    derived |= {p for p in function.params if p.key is None}  # read leaf by leaf
    for value in _names(fx, hot):
        if value.varied or value in derived or _is_dict(made.get(value)):
            continue
        _note(value, made.get(value), context)
    if not context.dirty:
        _refuse_tuples(fx, hot, made, context)


def _written_actively(stmt: CallFn) -> Iterator[Value]:
    """The memory that a callee puts active values into."""
    callee = stmt.callee
    if callee.function is None:
        return
    effects.returned(callee)  # finds what is written
    for k in sorted(callee.written):
        if callee.function.params[k].varied:
            yield from (v for v in refs(stmt.args[k]) if has_memory(v))


def _widen(store: Append | Store, fx: Effects, context: Context) -> None:
    """A list has under every name the kind of item that it gets under one."""
    base, value = store.base, store.value
    if not isinstance(base, Ref) or not isinstance(base.value.kind, ListKind):
        return
    kind: Kind | None = None
    if isinstance(value, Ref):
        kind = strip(value.value.kind)
    elif isinstance(value, Lit):
        kind = kind_of(value.value)
    if kind is None:
        return
    for other in fx.members(base.value):
        fact = context.demoted.get(other.key)
        if fact is not None and not fact.deep:
            merged = join(fact.item, kind)
            if merged != fact.item:
                fact.item, context.dirty = merged, True


def _is_dict(expr: Expr | None) -> bool:
    """Whether an expression makes a dict: what it holds is active, not the dict."""
    return isinstance(expr, Op) and expr.op == "dict"


def _stores_active(store: Append | Store) -> bool:
    return any(v.varied for v in refs(store.value))


def _names(fx: Effects, hot: set[Value]) -> list[Value]:
    """The arrays in hot classes, and the containers that hold them."""
    holders = _holders(fx, hot)
    found = []
    for value in [v for v in fx.parent if v not in fx.nameless]:
        root, kind = fx.find(value), value.kind
        if root in hot and isinstance(kind, ListKind):
            if differentiable(kind):
                found.append(value)
        elif root in hot and not isinstance(kind, TupleKind):
            if not isinstance(kind, Num) or is_float(kind.dtype):
                found.append(value)
        elif root in holders and isinstance(kind, ListKind):
            if differentiable(kind) and not is_scalar(kind.item):
                found.append(value)
    return found


def _holders(fx: Effects, hot: set[Value]) -> set[Value]:
    """The classes of containers that hold memory of hot classes, at any depth."""
    found: set[Value] = set()
    while True:
        more = {
            fx.find(c)
            for c, inner in list(fx.contents.items())
            if fx.find(inner) in hot | found
        }
        if more <= found:
            return found
        found |= more


def _derived(function: Function, made: dict[Value, Expr]) -> Iterator[Value]:
    """Values that are active as soon as what they come from is."""
    for value, expr in made.items():
        if isinstance(expr, Op) and expr.op == "raw":
            continue  # built item by item where what it holds is active
        if view_bases(expr) or isinstance(expr, Ref) or _found_in_container(expr):
            yield value
    for stmt in walk(function.body):
        if isinstance(stmt, (If, Loop)):
            yield from stmt.results
        if isinstance(stmt, (Loop, Unpack)):
            yield from stmt.targets


def _found_in_container(expr: Expr) -> bool:
    if is_choice(expr):
        return found_in(expr)
    return (
        isinstance(expr, Op)
        and expr.op in ("getitem", "pop")
        and not isinstance(expr.args[0], Op)
    )


def _refuse_tuples(
    fx: Effects, hot: set[Value], made: dict[Value, Expr], context: Context
) -> None:
    """A tuple that a call made is no name that can be active: the call is built in.

    Raises:
        UnsupportedSyntaxError: a library made the tuple.
    """
    for holder in _holders(fx, hot):
        for value in fx.members(holder):
            kind = value.kind
            if not isinstance(kind, TupleKind) or value.varied:
                continue
            if not any(differentiable(k) and not is_scalar(k) for k in kind.items):
                continue
            site = context.kept.get(id(made.get(value)), (None, None))[1]
            if site is not None and site not in context.demoted:
                context.demoted[site] = ListFact()
                context.dirty = True
            elif value in made:
                raise _unnamed(value)


def _note(value: Value, expr: Any, context: Context) -> None:
    """Let a value be active in the next build."""
    if isinstance(value.kind, ListKind):
        site: Any = value.key
        if isinstance(expr, Op) and expr.op == "raw":  # built item by item then
            site = context.derived.get(("kept", expr.data[0]), site)
        site = context.kept.get(id(expr), (None, site))[1]
        if site is not None:
            fact = context.demoted.setdefault(site, ListFact())
            if not fact.varied:
                fact.varied = context.dirty = True
                return
    else:
        key = context.places.get(value) if value.key is None else value.key
        if key is not None and key not in context.varied:
            context.varied.add(key)
            context.dirty = True
            return
    raise _unnamed(value)


def _unnamed(value: Value) -> UnsupportedSyntaxError:
    """The refusal of memory that has a name which cannot be made active."""
    return UnsupportedSyntaxError(
        f"{value.name!r} is memory that an active value is stored into under another "
        "name, which cannot be differentiated yet",
        value.where,
        "it has more than one name, and this one could not be followed",
        (f"give it a name of its own: {value.name} = {value.name}.copy()",),
    )
