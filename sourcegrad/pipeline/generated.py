"""What a compilation gives: generated functions as text."""

from __future__ import annotations

from dataclasses import dataclass, field

from sourcegrad.frontend.context import Context
from sourcegrad.frontend.scope import Guard
from sourcegrad.loader.places import Places


@dataclass
class Generated:
    """Generated functions as text, and what is needed to run them."""

    text: str
    entries: tuple[str, ...]
    context: Context
    guards: list[Guard]
    stages: dict[str, str] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    quiet: bool = False
    warns: bool = False
    places: Places = field(default_factory=dict)

    @property
    def repeatable(self) -> bool:
        """Whether running the primal again has no effect that anyone could see."""
        return self.quiet and not self.written
