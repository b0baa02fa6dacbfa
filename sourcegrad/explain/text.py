"""The generated text, for reading."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sourcegrad.api import Gradient, grad
from sourcegrad.compile.entry import bind, for_backend, generate, parameter_names
from sourcegrad.explain.specs import parameter_specs
from sourcegrad.forward_api import Jvp
from sourcegrad.frontend.signature import Spec, spec_of
from sourcegrad.request import Request
from sourcegrad.source.find import find
from sourcegrad.transform.base import Transform

if TYPE_CHECKING:
    from sourcegrad.pipeline.generated import Generated

STAGES = ("ast", "core", "ssa", "reverse", "forward", "optimised", "source")
PACKAGINGS = ("joint", "split")
MODES = ("reverse", "forward")


def source_of(
    transform: Transform,
    args: tuple[Any, ...] = (),
    stage: str | None = None,
    packaging: str = "joint",
    given: Mapping[str, Spec] | None = None,
) -> str:
    """The text of a transform.

    Args:
        transform: the transform.
        args: example arguments whose kinds the text is for.
        stage: one of `STAGES`; None is "source".
        packaging: "joint" or "split".
        given: signatures of parameters, in place of example arguments. What neither
            gives comes from annotations and defaults, else the text is generic.

    Raises:
        ValueError: there is no such stage, packaging or parameter.
        SourcegradError: the function cannot be differentiated.
    """
    if stage not in (None, *STAGES):
        raise ValueError(f"stage must be one of {', '.join(STAGES)}, not {stage!r}")
    if packaging not in PACKAGINGS:
        raise ValueError(f"packaging must be 'joint' or 'split', not {packaging!r}")
    if stage in ("ast", "core"):
        return parsed(transform._fn, stage == "core")
    made = generated(transform, args, stage, packaging, given or {})
    if stage in (None, "source"):
        return made.text
    if stage not in made.stages:
        raise ValueError(f"there is no stage {stage!r} in this mode")
    return made.stages[str(stage)] + "\n"


def parsed(fn: types.FunctionType, structured: bool) -> str:
    """The function as it was read, or with its exits brought to tail position."""
    import gast

    from sourcegrad.frontend import exits
    from sourcegrad.printer.text import to_source

    tree = copy.deepcopy(find(fn).tree)
    if structured:
        names = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)}
        tree = exits.run(tree, names)
    return to_source(tree)


def generated(
    transform: Transform,
    args: tuple[Any, ...],
    stage: str | None,
    packaging: str,
    given: Mapping[str, Spec],
) -> Generated:
    """What is generated for example arguments or given signatures."""
    fn = transform._fn
    names = parameter_names(fn)
    if args:
        values = bind(fn, (*transform._args, *args), dict(transform._kwargs))
        specs = {n: spec_of(v) for n, v in zip(names, values, strict=True)}
    else:
        bound = dict(zip(names, transform._args, strict=False)) | dict(
            transform._kwargs
        )
        specs = parameter_specs(fn, given, bound)
    request = transform._request
    if packaging == "split":
        if request.what in ("jvp", "tangent"):
            raise ValueError("there is no split packaging in forward mode")
        request = Request("vjp", request.wrt, True)
    return generate(fn, specs, for_backend(request, transform.backend), stage)


def gradient_source(
    f: Callable[..., Any],
    argnums: Any = 0,
    *example_args: Any,
    mode: str = "reverse",
    order: int = 1,
    stage: str | None = None,
    packaging: str = "joint",
) -> str:
    """The text of the generated gradient; it runs by itself.

    Args:
        f: the function.
        argnums: as for `grad`.
        example_args: arguments whose kinds the text is specialised for; without any,
            annotations and defaults serve, else the text is generic.
        mode: "reverse", or "forward" for the value and the tangent.
        order: 1, or higher for the derivative of the generated gradient (this needs
            example arguments).
        stage: "ast", "core", "ssa", "reverse" or "forward", "optimised" or "source".
        packaging: "joint", or "split" into a forward and a reverse function.

    Raises:
        ValueError: an option has no such value.
        SourcegradError: the function cannot be differentiated.

    >>> print(gradient_source(lambda x: x * x, 0, 3.0).splitlines()[-1])
        return x_bar
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    if order < 1 or (order > 1 and not example_args):
        raise ValueError("order must be 1, or higher with example arguments")
    for _ in range(order - 1):
        f = grad(f, argnums)
    transform = (Jvp if mode == "forward" else Gradient)(f, argnums)
    return transform.source(*example_args, stage=stage, packaging=packaging)
