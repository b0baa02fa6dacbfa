"""Scopes of callees, and the binding of arguments to parameters."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any, TypeGuard

import gast

from sourcegrad.errors import UnsupportedSyntaxError
from sourcegrad.frontend import exits
from sourcegrad.frontend.scope import Scope, assigned_names, declared, parameters
from sourcegrad.frontend.structs import Abstract, Closure, Struct
from sourcegrad.ir import Op
from sourcegrad.names import identifier
from sourcegrad.source.find import Source, find

if TYPE_CHECKING:
    from sourcegrad.frontend.inlining import Inlining


def function_scope(
    builder: Inlining, fn: types.FunctionType, prepare: Any = None
) -> tuple[Scope, Any]:
    """A new scope for a function, and its tree with structured exits; a generator's
    tree is prepared first."""
    source = find(fn)
    if prepare is None:
        refuse_unusual(builder, source, fn)
    tree = structured(builder, source.tree, fn.__code__, prepare)
    name = identifier(source.name)
    return Scope(name, source, locals_of(builder, tree), fn), tree


_FLAGS = {
    inspect.CO_GENERATOR: (
        "a generator",
        "collect what it yields in a list and return that",
    ),
    inspect.CO_COROUTINE: (
        "an async function",
        "differentiate a plain function of its data",
    ),
    inspect.CO_ASYNC_GENERATOR: ("an async generator", "use a plain function"),
}


def refuse_unusual(builder: Inlining, source: Source, fn: types.FunctionType) -> None:
    """Refuse generators and coroutines.

    Raises:
        UnsupportedSyntaxError: the function is one.
    """
    for flag, (what, hint) in _FLAGS.items():
        if fn.__code__.co_flags & flag:
            raise UnsupportedSyntaxError(
                f"{what} cannot be differentiated",
                source.location(source.tree),
                "",
                (hint,),
            )


def structured(builder: Inlining, tree: Any, key: Any, prepare: Any = None) -> Any:
    """The tree after the exits pass, made once per compilation."""
    cache = builder.context.trees
    if key not in cache:
        tree = tree if prepare is None else prepare(tree)
        taken = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)}
        cache[key] = exits.run(tree, taken, "" if prepare is None else "$")
    return cache[key]


def closure_scope(
    builder: Inlining, closure: Closure, prepare: Any = None
) -> tuple[Scope, Any]:
    """A new scope for an inner function: free names lead to where it was defined."""
    node = closure.node
    if isinstance(node, gast.Lambda):
        tree = node
        names = set(parameters(node.args)) | set(assigned_names(node.body))
    else:
        tree = structured(builder, node, node, prepare)
        names = locals_of(builder, tree)
    home = closure.scope
    outer = dict(home.outer) | dict.fromkeys(home.locals, home)
    for name in names:
        outer.pop(name, None)
    scope = Scope(identifier(closure.name), home.source, names, home.fn, home, outer)
    return scope, tree


def locals_of(builder: Inlining, tree: Any) -> set[str]:
    """`local_names`, found once per compilation and tree."""
    cache = builder.context.locals
    if id(tree) not in cache:
        cache[id(tree)] = (tree, local_names(tree))  # kept, so that its id is its own
    return set(cache[id(tree)][1])


def local_names(tree: Any) -> set[str]:
    """The names local to a function: parameters and what it binds."""
    names = set(parameters(tree.args)) | set(assigned_names(tree.body))
    return names - declared(tree.body, gast.Nonlocal) - declared(tree.body, gast.Global)


def bind_arguments(
    builder: Inlining,
    params: Any,
    args: list[Abstract],
    kw: dict[str, Abstract],
    fn: Any,
) -> dict[str, Abstract]:
    """What each parameter holds at a call.

    Raises:
        TypeError: the arguments do not fit, said as Python says it.
    """
    positional = [a.id for a in [*params.posonlyargs, *params.args]]
    only_positional = {a.id for a in params.posonlyargs}
    keyword_only = [a.id for a in params.kwonlyargs]
    bound: dict[str, Abstract] = dict(zip(positional, args, strict=False))
    extra = args[len(positional) :]
    rest: dict[str, Abstract] = {}
    for name, value in kw.items():
        if name in bound and name not in only_positional:
            raise TypeError(f"got multiple values for argument {name!r}")
        if name in keyword_only or (name in positional and name not in only_positional):
            bound[name] = value
        elif params.kwarg:
            rest[name] = value
        else:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
    if extra and not params.vararg:
        raise TypeError(
            f"takes {len(positional)} positional arguments, {len(args)} were given"
        )
    bound |= _defaults(builder, params, fn, bound)
    missing = [n for n in [*positional, *keyword_only] if n not in bound]
    if missing:
        raise TypeError(f"is missing the argument {missing[0]!r}")
    if params.vararg and extra and is_star(extra[-1]):
        bound[params.vararg.id] = extra[-1].args[0]  # a list of the run time
    elif params.vararg:
        bound[params.vararg.id] = Struct(tuple, tuple(range(len(extra))), extra)
    if params.kwarg:
        bound[params.kwarg.id] = Struct(dict, tuple(rest), list(rest.values()))
    return bound


def is_star(tree: Abstract) -> TypeGuard[Op]:
    """Whether an operand stands for all items of a sequence."""
    return isinstance(tree, Op) and tree.op == "star"


def _defaults(
    builder: Inlining, params: Any, fn: Any, bound: Any
) -> dict[str, Abstract]:
    positional = [a.id for a in [*params.posonlyargs, *params.args]]
    keyword_only = [a.id for a in params.kwonlyargs]
    if isinstance(fn, Closure):
        values: list[Any] = list(fn.defaults)
        by_name = {
            n: d
            for n, d in zip(keyword_only, fn.kw_defaults, strict=True)
            if d is not None
        }
    else:
        found = fn.__defaults__ or ()
        values = [builder.constant(v, f"{fn.__name__}_default") for v in found]
        by_name = {
            n: builder.constant(v, f"{fn.__name__}_{n}")
            for n, v in (fn.__kwdefaults__ or {}).items()
        }
    last = positional[len(positional) - len(values) :] if values else []
    everything = dict(zip(last, values, strict=True)) | by_name
    return {n: v for n, v in everything.items() if n not in bound}
