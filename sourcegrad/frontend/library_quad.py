"""An integral as a sum over points, as plain Python that the frontend builds in."""

from __future__ import annotations

from typing import Any

from sourcegrad.runtime_quad import finite_end


def weighed_sum(
    func: Any,
    low: Any,
    high: Any,
    args: Any,
    from_low: Any,
    from_high: Any,
    shift: Any,
    by_low: Any,
    by_high: Any,
    fixed: Any,
) -> Any:
    """The sum of a function at points that go with the limits."""
    start = finite_end(low)
    end = finite_end(high)
    total = 0.0
    for k in range(len(shift)):
        x = from_low[k] * start + from_high[k] * end + shift[k]
        weight = by_low[k] * start + by_high[k] * end + fixed[k]
        total = total + weight * func(x, *args)
    return total
