"""Functions written around others: a call of the one is the whole body of the other.

jacobian(f, 1)      ->    def f_jacobian(x, a): return jacobian(f, "a")(x, a)
f(x, *rest) of 3    ->    def f_spread(x, rest_0, rest_1): return f(x, rest_0, rest_1)
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Any

import numpy as np

from sourcegrad.loader.load import load, stable_name
from sourcegrad.names import fresh, identifier
from sourcegrad.runtime_project import in_form

_STARS: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


def matrix_of(
    maker: Callable[..., Any],
    fn: types.FunctionType,
    options: Sequence[Any],
    extra: Sequence[str],
) -> types.FunctionType:
    """A call of a transform of `fn`, which takes some operands more.

    Args:
        maker: the transform.
        fn: what it is of.
        options: what it is given after `fn`.
        extra: names of the operands that come after those of `fn`.
    """
    params = list(signature(fn, follow_wrapped=False).parameters.values())
    names = [*(p.name for p in params), *extra]
    taken = set(names)
    inner = fresh(identifier(fn.__name__), taken)
    what = fresh(maker.__name__, taken)
    made = f"{what}({', '.join([inner, *map(repr, options)])})"
    by_place = [_handed(p) for p in params if p.kind < p.KEYWORD_ONLY]
    named = [_handed(p) for p in params if p.kind >= p.KEYWORD_ONLY]
    call = f"{made}({', '.join([*by_place, *extra, *named])})"
    return _written(fn, what, names, call, {what: maker, inner: fn}, taken)


def call_of(
    made: Any, f: Callable[..., Any], what: str, extra: Sequence[str]
) -> types.FunctionType:
    """A call of a transform of `f`, with the parameters of `f` and their defaults.

    Args:
        made: the transform.
        f: what it is of.
        what: the name of the transform.
        extra: operands that it takes last; parameters before them have no default.
    """
    params = list(signature(f).parameters.values())
    taken = {p.name for p in params}
    inner = fresh(f"{what}_of_f", taken)
    space: dict[str, Any] = {inner: made}
    heads: list[str] = []
    for p in params:
        given = extra and p.kind < p.VAR_POSITIONAL
        default = "" if p.default is p.empty or given else f"{p.name}_default"
        default = default and fresh(default, taken)
        space |= {default: p.default} if default else {}
        heads.append(
            _STARS.get(p.kind, "") + p.name + (f"={default}" if default else "")
        )
    place = [p.kind for p in params]
    k = sum(kind < Parameter.VAR_POSITIONAL for kind in place)
    star = Parameter.VAR_POSITIONAL in place
    more = [] if star else list(extra)  # else they are the last of the star's
    bare = ["*"] if Parameter.KEYWORD_ONLY in place and not star else []
    handed = [_handed(p) for p in params]
    title = fresh(identifier(getattr(made, "__name__", what)), taken)
    text = (
        f"def {title}({', '.join([*heads[:k], *more, *bare, *heads[k:]])}):\n"
        f"    return {inner}({', '.join([*handed[:k], *more, *handed[k:]])})\n"
    )
    return load(text, stable_name("", title, f"call of {what}"), space)[title]


def pullback_of(
    reverse: types.FunctionType, residuals: Any, form: Any
) -> types.FunctionType:
    """The linear map that a kept pullback is, in terms of its reverse sweep.

    Args:
        reverse: the generated reverse sweep.
        residuals: what it is given of the forward sweep.
        form: a tree like the result.
    """
    title = f"{identifier(reverse.__name__.removesuffix('_reverse'))}_pullback"
    taken = {title, "y_bar", "residuals", "form", "in_form"}
    inner = fresh(identifier(reverse.__name__), taken)
    array = isinstance(form, np.ndarray) and form.ndim > 0
    seed = "in_form(form, y_bar)" if array else "y_bar"
    text = f"def {title}(y_bar):\n    return {inner}(residuals, {seed})\n"
    space = {inner: reverse, "residuals": residuals, "form": form, "in_form": in_form}
    return load(text, stable_name("", title, "pullback"), space)[title]


def spread(
    fn: types.FunctionType, star: str, count: int
) -> tuple[types.FunctionType, tuple[str, ...]]:
    """`fn` for so many operands of `*star`, and the names that they have."""
    params = list(signature(fn, follow_wrapped=False).parameters.values())
    taken = {p.name for p in params}
    items = tuple(fresh(f"{star}_{k}", taken) for k in range(count))
    inner = fresh(identifier(fn.__name__), taken)
    names: list[str] = []
    handed = []
    for p in params:
        several = p.name == star
        names += items if several else [p.name]
        if not several:
            handed.append(_handed(p))
        elif p.kind is p.VAR_POSITIONAL:
            handed += items
        else:  # an inner function, which has them as a tuple
            handed.append(f"({''.join(f'{i}, ' for i in items)})")
    call = f"{inner}({', '.join(handed)})"
    return _written(fn, "spread", names, call, {inner: fn}, taken), items


def _written(
    fn: types.FunctionType, what: str, names: list[str], call: str,
    space: dict[str, Any], taken: set[str],
) -> types.FunctionType:  # fmt: skip
    title = fresh(f"{identifier(fn.__name__)}_{what}", taken)
    text = f"def {title}({', '.join(names)}):\n    return {call}\n"
    file = stable_name(fn.__code__.co_filename, title, "function")
    return load(text, file, {"__builtins__": builtins, **space})[title]


def _handed(parameter: Parameter) -> str:
    """A parameter as a call hands it on."""
    name, kind = parameter.name, parameter.kind
    if kind is Parameter.KEYWORD_ONLY:
        return f"{name}={name}"
    return _STARS.get(kind, "") + name
