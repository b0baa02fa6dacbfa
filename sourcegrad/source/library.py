"""A Python function around a function that has a rule, so that it can be differentiated
itself: `grad(np.arctan2)`."""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sourcegrad.loader.load import load, register
from sourcegrad.names import fresh, identifier

# Options that say where a result goes and of which type it is; the rest is passed on.
_LEFT_OUT = frozenset(
    "out where dtype casting order subok like initial copy ndmin device".split()
)
# Options that say what the result is made of: known before the text is written.
FORMS = frozenset("return_sign eigvals_only permute_l p_indices".split())
_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_PLAIN = (type(None), bool, int, float, str)

_NONE: Mapping[str, Any] = types.MappingProxyType({})


def around(f: Any, given: Mapping[str, Any] = _NONE) -> types.FunctionType | None:
    """A function that calls `f` and nothing else, if `f` has a derivative rule.

    Of the options `given`, those in `FORMS` are part of its text.

    >>> bool(around(np.arctan2)(1.0, 1.0) == np.arctan2(1.0, 1.0))
    True
    >>> str(inspect.signature(around(np.linalg.norm)))
    '(x, ord=None, axis=None, keepdims=False)'
    """
    from sourcegrad.rules import lookup

    if isinstance(f, type) or not callable(f):
        return None
    try:
        rule = lookup(f)
    except TypeError:  # unhashable: in no table
        return None
    if rule is None or (rule.kind == "constant" and not isinstance(f, np.ufunc)):
        return None
    forms = tuple((k, bool(v)) for k, v in given.items() if k in FORMS)
    return _made(f, rule.parameters, forms)


@functools.cache
def _made(
    f: Callable[..., Any],
    parameters: tuple[inspect.Parameter, ...],
    forms: tuple[tuple[str, bool], ...],
) -> types.FunctionType:
    kept = [p for p in _fitted(f, parameters) if _is_passed_on(p)]
    handed = ", ".join([*map(_handed, kept), *(f"{k}={v}" for k, v in forms)])
    taken = {p.name for p in kept}
    path, namespace = _path(f, taken)
    title = identifier(getattr(f, "__name__", "f"))
    title = f"call_{title}" if title in {path, *namespace} else title
    head = ", ".join(map(_declared, kept))
    text = f"def {title}({head}):\n    return {path}({handed})\n"
    filename = register(text, f"<{path}>")
    made = load(text, filename, namespace)[title]
    made.__doc__ = getattr(f, "__doc__", None)
    return made


def _fitted(f: Any, parameters: tuple[inspect.Parameter, ...]) -> Any:
    """The parameters of the rule that the function takes by name, or must be given;
    where it takes any number of operands, its own."""
    own = _own(f) or {p.name: p for p in parameters}
    kinds = [p.kind for p in own.values()]
    if kinds[0] == _REST[0] and _REST[0] not in {p.kind for p in parameters}:
        options = {p.name for p in parameters if p.default is not p.empty}
        yield from (p for p in own.values() if p.kind == _REST[0] or p.name in options)
        return
    anything = {*kinds} >= {*_REST}  # of a distribution
    for p in parameters or _operands(f):
        if p.default is p.empty or anything:
            yield p
        elif p.name in own:
            by_place = own[p.name].kind is p.POSITIONAL_ONLY
            yield p.replace(default=p.empty) if by_place else p


def _own(f: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(f).parameters)
    except (TypeError, ValueError):  # it does not tell
        return {}


def _operands(f: np.ufunc) -> list[inspect.Parameter]:
    """The operands of a step function, which has no rule to name them."""
    names = ["x"] if f.nin == 1 else [f"x{k + 1}" for k in range(f.nin)]
    return [
        inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names
    ]


def _is_passed_on(parameter: inspect.Parameter) -> bool:
    if parameter.name in _LEFT_OUT or parameter.name in FORMS:
        return False
    default = parameter.default
    if default is inspect.Parameter.empty:
        return True
    finite = not isinstance(default, float) or default - default == 0.0
    return isinstance(default, _PLAIN) and finite


def _declared(p: inspect.Parameter) -> str:
    """A parameter as a definition writes it; by position or name."""
    if p.kind is p.VAR_POSITIONAL:
        return f"*{p.name}"
    if p.kind is p.VAR_KEYWORD:
        return f"**{p.name}"
    return p.name if p.default is p.empty else f"{p.name}={p.default!r}"


def _handed(p: inspect.Parameter) -> str:
    """A parameter as a call hands it on."""
    if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
        return _declared(p)
    bare = p.default is p.empty or p.kind is p.POSITIONAL_ONLY
    return p.name if bare and p.kind is not p.KEYWORD_ONLY else f"{p.name}={p.name}"


def _path(f: Any, taken: set[str]) -> tuple[str, dict[str, Any]]:
    """How a program names the function, and the globals that name needs."""
    name = getattr(f, "__name__", "f")
    if getattr(np, name, None) is f:
        return f"np.{name}", {"np": np}
    if getattr(builtins, name, None) is f:
        return name, {}
    if isinstance(f, types.MethodType):  # of a distribution: norm.logpdf
        owner = f.__self__
        short = fresh(identifier(getattr(owner, "name", type(owner).__name__)), taken)
        return f"{short}.{name}", {short: owner}
    module = (getattr(f, "__module__", None) or "").split(".")
    owner = inspect.getmodule(f)
    if isinstance(owner, types.ModuleType) and getattr(owner, name, None) is f:
        short = fresh(module[-1].lstrip("_"), taken)
        return f"{short}.{name}", {short: owner}
    return identifier(name), {identifier(name): f}
