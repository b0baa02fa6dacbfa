"""What a compilation gives: generated functions as text."""

from __future__ import annotations

from dataclasses import dataclass, field

from sourcegrad.frontend.context import Context
from sourcegrad.frontend.reads import Guard
from sourcegrad.ir import Function
from sourcegrad.ir_text import function_text
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


class Staged:
    """What keeps the text of one stage, for who asks for it."""

    def __init__(self, stage: str | None) -> None:
        self.stage = stage
        self.stages: dict[str, str] = {}

    def note(self, stage: str, function: Function | None) -> None:
        """Keep the text of a stage that is asked for."""
        if self.stage == stage and function is not None:
            known = self.stages.get(stage)
            text = function_text(function)
            self.stages[stage] = text if known is None else f"{known}\n\n{text}"
