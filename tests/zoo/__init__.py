"""The zoo: small functions that every mode, packaging and backend must agree on.

Each file holds programs of one kind.  A program is registered with its arguments:

    @case(1.3)
    @case(-0.4)
    @program("if", numba=True)
    def sign_of_square(x): ...
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
from collections.abc import Callable, Iterator
from typing import Any

# Programs of a later issue may be refused for now, but never be wrong.
CURRENT_ISSUE = 3
FILES = tuple(
    "straight branches loops exits calls closures containers reads objects "
    "exceptions stores stores_and_calls mutated_containers "
    "containers_at_run_time object_states iteration several_names computed_index "
    "grown arenas arenas_used rows nothing patterns limits dynamic heaps iterators "
    "changed_arguments given_objects held_objects variants recursions partly_bound "
    "probes_scalar probes_array".split()
)


@dataclasses.dataclass
class Program:
    """One function of the zoo.

    Attributes:
        function: the function itself.
        constructs: what of the language it shows.
        cases: tuples of positional arguments.
        argnums: the arguments to differentiate by.
        numba: whether it uses only numbers, arrays, ranges and tuples.
        mutation: whether it stores into arrays or changes lists.
        issue: the issue whose compiler must accept it.
        refused: what a refusal must mention, for programs that must be refused.
        analytic: whether a complex step is legal.
        smooth: whether differences of the primal are meaningful.
    """

    function: Callable[..., Any]
    constructs: tuple[str, ...]
    cases: list[tuple[Any, ...]]
    argnums: Any = 0
    numba: bool = False
    mutation: bool = False
    issue: int = 2
    refused: str | None = None
    analytic: bool = True
    smooth: bool = True

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def arguments(self) -> list[tuple[Any, ...]]:
        """Fresh copies of every tuple of sample arguments."""
        return copy.deepcopy(self.cases)


PROGRAMS: dict[str, Program] = {}


def program(*constructs: str, **flags: Any) -> Callable[[Any], Any]:
    """Registers a function; the decorators `case` above it add its arguments.

    Args:
        constructs: what of the language it shows.
        flags: further attributes of `Program`.
    """

    def register(function: Any) -> Any:
        if function.__name__ in PROGRAMS:
            raise ValueError(f"two programs are named {function.__name__}")
        if flags.get("mutation"):
            flags.setdefault("issue", 3)
        PROGRAMS[function.__name__] = Program(function, constructs, [], **flags)
        return function

    return register


def case(*args: Any) -> Callable[[Any], Any]:
    """Adds one tuple of sample arguments to a registered function."""

    def add(function: Any) -> Any:
        PROGRAMS[function.__name__].cases.insert(0, args)
        return function

    return add


def load() -> dict[str, Program]:
    """All programs by name."""
    for file in FILES:
        importlib.import_module(f"tests.zoo.{file}")
    return PROGRAMS


def each_case(**wanted: Any) -> Iterator[tuple[Program, int]]:
    """Every program whose attributes are as wanted, with the index of each case."""
    for found in load().values():
        if all(getattr(found, k) == v for k, v in wanted.items()):
            yield from ((found, k) for k in range(len(found.cases)))
