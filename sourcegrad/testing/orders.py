"""The derivatives of a function as functions that can be checked again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sourcegrad.api import grad
from sourcegrad.forward_api import Jvp
from sourcegrad.loader.load import load
from sourcegrad.testing.trees import Part
from sourcegrad.transform.arguments import Argnums

Derivative = tuple[Callable[..., Any], tuple[Any, ...]]


def generated(transform: Any, values: Sequence[Any], dots: Sequence[Any]) -> Derivative:
    """The function that a transform generates for arguments, and its arguments."""
    fn = transform._entry(tuple(values)).functions[0]
    return fn, (*transform._unfolded(tuple(values))[1], *dots)


def tangent_of(
    fn: Callable[..., Any], argnums: Argnums, values: Sequence[Any], dots: Any
) -> Derivative:
    """The generated tangent, at directions that stay as they are."""
    return generated(Jvp(fn, argnums), values, dots)


def gradient_of(
    fn: Callable[..., Any],
    argnums: Argnums,
    values: Sequence[Any],
    results: Sequence[Part],
    weights: Sequence[Any],
) -> Derivative:
    """The generated gradient of the weighed sum of the results of a function."""
    total = weighed(fn, results, weights)
    return generated(grad(total, argnums), values, ())


def weighed(
    fn: Callable[..., Any], results: Sequence[Part], weights: Sequence[Any]
) -> Callable[..., Any]:
    """The function whose result is a weighed sum of the results of another one.

    >>> two = lambda x: (x, {"k": x * x})
    >>> from sourcegrad.testing.trees import parts
    >>> weighed(two, list(parts(two(1.0), "y")), [2.0, 3.0])(10.0)
    np.float64(320.0)
    """
    parameters = inspect.signature(fn).parameters.values()
    plain = [p.replace(annotation=p.empty, default=p.empty) for p in parameters]
    head = str(inspect.Signature(plain))[1:-1]
    handed = ", ".join(_handed(p) for p in plain)
    terms = [
        f"np.sum(np.real(y{_access(part)} * weight_{k}))"
        for k, part in enumerate(results)
    ]
    title = f"weighed_{getattr(fn, '__name__', 'f').strip('<>')}"
    code = (
        f"def {title}({head}):\n    y = function({handed})\n"
        f"    return {' + '.join(terms)}\n"
    )
    namespace = {"function": fn, "np": np}
    namespace |= {f"weight_{k}": w for k, w in enumerate(weights)}
    return load(code, f"<{title}>", namespace)[title]


def _handed(parameter: inspect.Parameter) -> str:
    """A parameter handed on under its own name."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"*{parameter.name}"
    if parameter.kind is parameter.VAR_KEYWORD:
        return f"**{parameter.name}"
    if parameter.kind is parameter.KEYWORD_ONLY:
        return f"{parameter.name}={parameter.name}"
    return parameter.name


def _access(part: Part) -> str:
    """The text that reads a part of a result."""
    steps = (f".{key}" if sort == "attr" else f"[{key!r}]" for sort, key in part.path)
    return "".join(steps)
