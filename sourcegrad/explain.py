"""The generated text, for reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.api import Transform, _Vjp, grad
from sourcegrad.compile import bind, parameter_names
from sourcegrad.frontend.signature import Leaf, Spec, spec_of
from sourcegrad.kinds import NUMERIC
from sourcegrad.pipeline import Generated, Request, generate


def source_of(transform: Transform, args: tuple[Any, ...], stage: Any, packaging: str) -> str:
    """The text of a transform for example arguments; generic without any."""
    made = generated(transform, args, stage, packaging)
    if stage not in (None, "source"):
        return made.stages[stage]
    return made.text


def generated(
    transform: Transform, args: tuple[Any, ...], stage: str | None, packaging: str
) -> Generated:
    """What is generated for example arguments."""
    fn = transform._fn
    names = parameter_names(fn)
    specs: dict[str, Spec]
    if args or not names:
        values = bind(fn, (*transform._args, *args), dict(transform._kwargs))
        specs = {n: spec_of(v) for n, v in zip(names, values, strict=True)}
    else:
        specs = dict.fromkeys(names, Leaf(NUMERIC))
    request = transform._request
    if packaging == "split":
        request = Request("vjp", request.wrt, True)
    elif packaging != "joint":
        raise ValueError(f"packaging must be 'joint' or 'split', not {packaging!r}")
    return generate(fn, specs, request, stage)


def gradient_source(
    f: Callable[..., Any],
    argnums: Any = 0,
    *example_args: Any,
    mode: str = "reverse",
    order: int = 1,
    stage: str | None = None,
    packaging: str = "joint",
) -> str:
    """The text of the generated gradient.

    Args:
        f: the function.
        argnums: as for `grad`.
        example_args: arguments whose kinds the text is specialised for.
        stage: "ast", "core", "ssa", "reverse", "optimised" or "source".
        packaging: "joint" or "split".

    >>> print(gradient_source(lambda x: x * x, 0, 3.0).splitlines()[-1])
        return x_bar
    """
    return grad(f, argnums).source(*example_args, stage=stage, packaging=packaging)


__all__ = ["Transform", "_Vjp", "gradient_source"]
