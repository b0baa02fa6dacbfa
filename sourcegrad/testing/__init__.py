"""Checks of gradients against the function itself: `check_grad`, `check_rule`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sourcegrad.api import grad
from sourcegrad.loader.load import load
from sourcegrad.names import identifier
from sourcegrad.testing.check import Check
from sourcegrad.testing.trees import parts
from sourcegrad.transform.arguments import Argnums
from sourcegrad.writer.literals import literal

MODES = ("reverse", "forward")


def check_grad(
    f: Callable[..., Any],
    args: Sequence[Any],
    argnums: Argnums = 0,
    order: int = 1,
    modes: Sequence[str] = MODES,
) -> None:
    """Check the derivatives of a function against the function itself.

    Slopes along random directions come from the complex step where that is legal,
    else from extrapolated central differences. A function with many results is checked
    for a random cotangent. The arguments are copied.

    Args:
        f: the function.
        args: its arguments, where to check.
        argnums: as for `grad`.
        order: 2 checks the derivatives of the generated derivatives as well, in every
            mix of the modes; and so on.
        modes: the modes to check, "reverse" and "forward".

    Raises:
        GradientMismatch: the gradient is not that of `f`; it shows both values and the
            worst entry by name. Also where `f` gives no slope to compare with.
        SourcegradError: the function cannot be differentiated.
        ValueError: an unknown mode, or an order below 1.

    >>> check_grad(lambda p: p[0] * p[1] ** 2, ([3.0, 4.0],), order=2)
    """
    modes = (modes,) if isinstance(modes, str) else tuple(modes)
    if not modes or set(modes) - set(MODES):
        raise ValueError(f"modes must be some of {MODES}, not {modes!r}")
    if order < 1:
        raise ValueError(f"order must be at least 1, not {order}")
    check = Check(grad(f, argnums), args)
    check.run(modes)
    if order == 1:
        return
    for mode in modes:
        derivative, values = check.derivative(mode)
        held = check.places.parameters(check.wrt)
        chosen = held if len(held) > 1 else held[0]
        check_grad(derivative, values, chosen, order - 1, modes)


def check_rule(
    target: Callable[..., Any], *args: Any, order: int = 1, **keywords: Any
) -> None:
    """Check the rule of a library function at a point, through compiled code.

    Args:
        target: the function that has a rule.
        args: its positional arguments; those with floats are differentiated by.
        order: as for `check_grad`.
        keywords: its keyword arguments.

    Raises:
        GradientMismatch: the rule is wrong.
        MissingRuleError: there is no rule.

    >>> import numpy as np
    >>> check_rule(np.tanh, 0.3)
    >>> check_rule(np.sum, np.ones((2, 3)), axis=1)
    """
    namespace: dict[str, Any] = {"target": target, "np": np}
    names, texts = [], []
    for k, arg in enumerate(args):
        active = any(parts(arg, ""))
        text = None if active else literal(arg)
        texts.append(text or f"x{k}")
        if text is None:
            names.append((f"x{k}", arg, active))
    for key, value in keywords.items():
        text = literal(value)
        if text is None:
            namespace[f"given_{key}"] = value
        texts.append(f"{key}={text or f'given_{key}'}")
    title = f"call_{identifier(getattr(target, '__name__', 'target'))}"
    head = ", ".join(n for n, _, _ in names)
    code = f"def {title}({head}):\n    return target({', '.join(texts)})\n"
    f = load(code, f"<check of {title}>", namespace)[title]
    wrt = tuple(n for n, _, active in names if active)
    check_grad(f, tuple(v for _, v, _ in names), wrt, order)
