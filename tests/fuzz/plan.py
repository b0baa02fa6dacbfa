"""Which checks a campaign makes on each program."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Plan:
    """Which checks are made.

    Attributes:
        raw: also the code that is not simplified (slower).
        forward: also tangents.
        thorough: also the gradient and the tangent without the value.
        orders: the highest order: 1, 2 (all four mixes of the modes) or 3 (all eight).
        only: the one check to make, by name; "" for all that are asked for.
    """

    raw: bool = True
    forward: bool = True
    thorough: bool = True
    orders: int = 1
    only: str = ""

    def holds(self, name: str) -> bool:
        """Whether a check with a name is made."""
        return self.only in ("", name)


EVERYTHING = Plan()
FAST = Plan(raw=False, thorough=False)
