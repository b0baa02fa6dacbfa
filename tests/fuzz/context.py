"""What a generator of programs knows while it writes: names, kinds, randomness."""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# Names that a compiler might make up are used on purpose.
NAMES = (
    "a b c d e g h p q r u w z t1 t2 x_bar y_bar s_bar x_1 y_1 x_dot out value tape "
    "saved x_saved y_saved residuals out_bar grad tmp acc k_bar v1 v2 v3 v4 u_bar cond"
).split()


@dataclasses.dataclass(frozen=True)
class Var:
    """What is known of a variable.

    Attributes:
        kind: s scalar, v vector, m matrix, i small integer, b boolean, l list of
            scalars, t tuple of scalars, d dict of scalars with keys "p" and "q",
            f function of one scalar, c object with attributes w and state, p named
            tuple (a, b), o dataclass (left, right), q deque of two numbers or more,
            h object with w, log and buffer, g object with parts and level.
        length: number of elements; for lists, those that are surely there.
        floor: elements of a list that must not be popped here.
    """

    kind: str
    length: int = 0
    floor: int = 0


@dataclasses.dataclass(frozen=True)
class Helper:
    """A function of the program's module: one letter per parameter, and its result."""

    name: str
    parameters: str
    result: str
    defaults: int = 0
    recursive: bool = False


class Context:
    """The state of one function being written.

    Args:
        rng: the source of every choice.
        weights: weight of each statement by name.
        scope: the parameters.
    """

    def __init__(
        self, rng: random.Random, weights: dict[str, float], scope: dict[str, Var]
    ) -> None:
        self.rng, self.weights = rng, weights
        self.scope: dict[str, Var] = dict(scope)
        self.lines: list[str] = []
        self.helpers: list[Helper] = []
        self.indent, self.loops, self.tries, self.budget = 1, 0, 0, 8
        self.frozen: set[str] = set()
        self.result, self.bound = "s", "2"
        self.taken: set[str] = set(scope)

    def emit(self, text: str) -> None:
        """Writes one line."""
        self.lines.append("    " * self.indent + text)

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.rng.random() < probability

    def pick(self, options: Sequence[Any]) -> Any:
        """One of the options."""
        return options[self.rng.randrange(len(options))]

    def weighted(self, weights: dict[str, float]) -> str:
        """One key, by weight."""
        total = sum(weights.values())
        at = self.rng.random() * total
        for name, weight in weights.items():
            at -= weight
            if at < 0:
                return name
        return next(iter(weights))

    def number(self) -> str:
        """A literal, sometimes negative, sometimes an integer."""
        if self.chance(0.15):
            return str(self.rng.randint(-2, 3))
        return repr(round(self.rng.uniform(-1.5, 1.5), 2))

    def names(self, kind: str, length: int | None = None) -> list[str]:
        """The variables of a kind."""
        return [
            name
            for name, var in self.scope.items()
            if var.kind == kind and (length is None or var.length == length)
        ]

    def assignable(self, kind: str, length: int | None = None) -> list[str]:
        """The variables of a kind that may be rebound."""
        return [n for n in self.names(kind, length) if n not in self.frozen]

    def target(self, kind: str, length: int = 0) -> str:
        """A name to assign to: an existing variable of the kind or a new one."""
        old = self.assignable(kind, length if kind in "vtl" else None)
        if old and self.chance(0.6):
            return str(self.pick(old))
        return self.fresh()

    def fresh(self) -> str:
        """A name that is not in use anywhere in the function."""
        free = [n for n in NAMES if n not in self.taken]
        name = self.pick(free) if free else f"n{len(self.taken)}"
        self.taken.add(name)
        return str(name)

    def define(self, name: str, kind: str, length: int = 0) -> None:
        """Records what a name is bound to from here on."""
        self.scope[name] = Var(kind, length)

    @contextlib.contextmanager
    def block(self, loop: bool = False) -> Iterator[None]:
        """An indented block, after which only what was known before is known.

        Lists may have lost elements in it.
        """
        before, start = dict(self.scope), len(self.lines)
        if loop:
            self.scope = {
                n: dataclasses.replace(v, floor=v.length) if v.kind == "l" else v
                for n, v in self.scope.items()
            }
        self.indent += 1
        self.loops += loop
        yield
        if len(self.lines) == start:
            self.emit("pass")
        self.indent -= 1
        self.loops -= loop
        after, self.scope = self.scope, before
        for name, var in before.items():
            if var.kind == "l":
                now = min(var.length, after.get(name, var).length)
                self.scope[name] = dataclasses.replace(var, length=now)


Statement = Callable[[Context], None]
STATEMENTS: dict[str, Statement] = {}


def statement(function: Statement) -> Statement:
    """Registers a writer of statements under its name."""
    STATEMENTS[function.__name__.rstrip("_")] = function
    return function


def write_statements(ctx: Context, count: int) -> None:
    """Writes up to `count` statements as far as the budget goes."""
    for _ in range(count):
        if ctx.budget <= 0:
            return
        ctx.budget -= 1
        STATEMENTS[ctx.weighted(ctx.weights)](ctx)
