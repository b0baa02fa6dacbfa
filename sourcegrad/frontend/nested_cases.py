"""Derivatives of a function that a condition chooses, as a choice of derivatives.

f = math.sin if x > 0 else math.cos
g = grad(f)(x)        ->        g = grad(math.sin)(x) if x > 0 else grad(math.cos)(x)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.nested import OF, derivative
from sourcegrad.frontend.special import SPECIAL
from sourcegrad.frontend.structs import Abstract, Bound, Choice


def by_cases(handler: Callable[..., Any]) -> Callable[..., Any]:
    """A handler for one function, or for the one that a condition chooses."""

    def handled(b: Any, args: Any, kw: Any, node: Any) -> Any:
        f, *rest = args
        cases = _cases(f)
        if cases is None:
            return handler(b, args, kw, node)
        held = [b.settle(a) for a in rest]
        named = {k: b.settle(v) for k, v in kw.items()}
        cond, first, second = cases
        return b.choose(
            cond,
            lambda: handled(b, [first, *held], named, node),
            lambda: handled(b, [second, *held], named, node),
        )

    return handled


def _cases(f: Abstract) -> tuple[Any, Abstract, Abstract] | None:
    """The condition and the two functions that a function is chosen from."""
    if isinstance(f, Choice):
        return f.cond, f.first, f.second
    inner = _cases(f.args[0]) if isinstance(f, Bound) and derivative(f.fn) else None
    if inner is None or not isinstance(f, Bound):
        return None
    cond, first, second = inner
    made = [Bound(f.fn, [g, *f.args[1:]], f.keywords) for g in (first, second)]
    return cond, made[0], made[1]


for _what in ("grad", "value_and_grad", "hvp"):
    SPECIAL[OF[_what]] = by_cases(SPECIAL[OF[_what]])
