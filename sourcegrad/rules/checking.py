"""Registration of a rule: what is wrong with it is said at once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import RuleDefinitionError
from .rule import module_of_method, qualified_name

_LEADING = {"elementwise": 1, "adjoint": 2, "composite": 0}
_SHAPE = {
    "elementwise": "(y, x, ...): the result, then the operands",
    "adjoint": "(y, y_bar, x, ...): the result, its cotangent, then the parameters",
    "composite": "(x, ...): the parameters of the target",
    "tangent": "(y, x, x_dot, ...): the result, then the parameters and tangents",
}


def check_registration(
    target: Any, fn: Callable[..., Any] | None, facts: dict[str, Any]
) -> None:
    """Raise if `target` cannot have a rule or `fn` does not fit it.

    Raises:
        RuleDefinitionError: no target, a target that is no callable, or a rule
            whose parameters are not those of the target.
    """
    if not callable(target):
        what = (
            "no function is named" if target is None else f"{target!r} is no callable"
        )
        raise RuleDefinitionError(
            f"{what}, so there is nothing to give a rule",
            why="a rule belongs to the function it is registered for",
            hints=("pass the function itself, as in @adjoint(my_function)",),
            code="rule-target",
        )
    if fn is None:
        return
    if not callable(fn):
        raise RuleDefinitionError(
            f"the rule for {qualified_name(target)} is no function: {fn!r}",
            code="rule-function",
        )
    kind = "tangent" if facts.get("tangent") is fn else facts["kind"]
    _check_parameters(target, fn, kind)


def _check_parameters(target: Any, fn: Callable[..., Any], kind: str) -> None:
    """Raise unless the rule's own parameters are leading ones of the target's."""
    given = list(inspect.signature(fn).parameters)
    if kind == "tangent":
        given, taken = given[:1], [n for n in given[1:] if not n.endswith("_dot")]
        lost = [n for n in inspect.signature(fn).parameters if n.endswith("_dot")]
        lost = [n for n in lost if n.removesuffix("_dot") not in taken]
        if lost:
            _refuse(target, fn, kind, f"{lost[0]} is the tangent of no parameter")
    else:
        skip = _LEADING[kind]
        if len(given) < skip + (kind != "composite"):
            _refuse(target, fn, kind, f"it takes {len(given)} parameters")
        of_module = given[:1] == ["self"] and module_of_method(target) is not None
        taken = given[skip + (kind == "composite" and of_module) :]
    expected = operand_names(target)
    if expected is None:
        return
    names, exact = expected
    if len(taken) > len(names) or (exact and len(taken) != len(names)):
        _refuse(
            target, fn, kind, f"{qualified_name(target)} takes {len(names)} operands"
        )
    if not exact and kind != "elementwise":
        anonymous = names.count("")
        for position, name in enumerate(taken[anonymous:]):
            if name not in names:
                _refuse(
                    target,
                    fn,
                    kind,
                    f"{qualified_name(target)} has no parameter {name!r}",
                )
            if position == anonymous == 0 and names[0] != name:
                _refuse(target, fn, kind, f"the first parameter is {names[0]!r}")


def operand_names(target: Any) -> tuple[list[str], bool] | None:
    """The parameter names of a callable, and whether their number is exact.

    A parameter that is only given by position has the name "". None for a callable
    that does not tell its parameters or that takes any number.

    >>> operand_names(np.add)
    (['x1', 'x2'], True)
    """
    if isinstance(target, np.ufunc):
        operands = [f"x{i + 1}" for i in range(target.nin)]
        if target.signature is None:
            return operands, True
        # A function of whole axes: its operands are given by position.
        return ["" for _ in operands] + ["axis", "keepdims"], False
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL or p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    named = [p.name if p.kind is not p.POSITIONAL_ONLY else "" for p in parameters]
    return named, False


def _refuse(target: Any, fn: Callable[..., Any], kind: str, why: str) -> None:
    raise RuleDefinitionError(
        f"the {kind} rule {fn.__name__!r} does not fit {qualified_name(target)}",
        why=why,
        hints=(f"write it as {fn.__name__}{_SHAPE[kind]}",),
        code="rule-signature",
    )
