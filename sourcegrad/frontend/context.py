"""What one compilation knows: decisions found on the way, and functions built."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from sourcegrad.analysis.quiet import Quiet
from sourcegrad.errors import Location, SourcegradError, UnsupportedSyntaxError
from sourcegrad.frontend.scope import Binder
from sourcegrad.ir import Function, Op
from sourcegrad.kinds import BOTTOM, Kind
from sourcegrad.source.find import find

LARGE = 12


class Restart(Exception):
    """A decision was made that earlier code should have known: build again."""


class WritesUnseen(Exception):
    """A callee writes into arguments that were evaluated as inactive."""


@dataclass
class ListFact:
    """What is known of a run-time container made at one place."""

    item: Kind = BOTTOM
    varied: bool = False
    deep: bool = False


@dataclass
class LooseFact(ListFact):
    """The same of a list that may be one of several: what is learned of it holds for
    those, and is spread to them by their alias class."""

    value: Any = None


@dataclass(eq=False)
class Specialisation:
    """A user function built for one signature, to be called as a pair.

    `form` is the result's tree with leaves as (kind, varied); None until known.
    `returned` tells which results may share memory with which operands.
    `written` tells the operands whose memory is written.
    `plain` is the body that is called where no derivative follows: that of a trip of
    a checkpointed loop.
    """

    name: str
    fn: types.FunctionType
    key: Any
    function: Function | None = None
    form: Any = None
    busy: bool = True
    assumed: bool = False
    returned: frozenset[tuple[int, int]] | None = None
    written: frozenset[int] | None = None
    plain: Function | None = None

    def __deepcopy__(self, memo: Any) -> Specialisation:
        return self


@dataclass
class Context:
    """State of one compilation, shared by all functions in it.

    `by_slope` is the mode in which gradients inside have the derivative that symmetry
    gives them: "reverse" or "forward"; `careful` that zero wins in them.
    `complex_powers` says that a power of a real number may be complex: so it is where
    there is one (`powers`) and parts of a real number are read (`parts_read`).
    `whole` says that an argument is an int: arrays made of it are of ints.
    `yields` has the kinds of the lists that inactive generators would give.
    `given` are the objects from outside that get attributes, by how they are reached;
    `changed` are those of them that are no arguments.
    """

    binder: Binder = field(default_factory=Binder)
    pairs: set[Any] = field(default_factory=set)
    writers: set[Any] = field(default_factory=set)
    demoted: dict[Any, ListFact] = field(default_factory=dict)
    varied: set[Any] = field(default_factory=set)
    places: dict[Any, Any] = field(default_factory=dict)
    kept: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    recursive: set[Any] = field(default_factory=set)
    dicts: dict[Any, str] = field(default_factory=dict)
    specialisations: dict[Any, Specialisation] = field(default_factory=dict)
    inlined: dict[types.CodeType, types.FunctionType] = field(default_factory=dict)
    trees: dict[Any, Any] = field(default_factory=dict)
    locals: dict[int, tuple[Any, set[str]]] = field(default_factory=dict)
    derived: dict[Any, Any] = field(default_factory=dict)
    assumed_kinds: dict[Any, Any] = field(default_factory=dict)
    yields: dict[Op, Kind] = field(default_factory=dict)
    quiet: Quiet = field(default_factory=Quiet)
    by_slope: str = ""
    careful: bool = False
    complex_powers: bool = False
    powers: bool = False
    parts_read: bool = False
    dirty: bool = False
    active_exceptions: bool = False
    given: set[str] = field(default_factory=set)
    changed: dict[str, None] = field(default_factory=dict)
    whole: bool = False
    inline_all: bool = False
    names: set[str] = field(default_factory=set)
    _sizes: dict[Any, int] = field(default_factory=dict)

    def callees(self) -> list[types.FunctionType]:
        """The user's functions that the generated text is made from, but the main."""
        pairs = [s.fn for s in self.specialisations.values()]
        return list(dict.fromkeys([*pairs, *self.inlined.values()]))

    def forget(self, earlier: set[Any]) -> None:
        """Drop the functions built since: they are not complete, or took the result of
        a recursion for another one than it is."""
        for key in [k for k in self.specialisations if k not in earlier]:
            self.names.discard(self.specialisations.pop(key).name)

    def is_large(self, fn: types.FunctionType) -> bool:
        """Whether a callee is kept as a function of its own."""
        if self.inline_all:
            return False
        code = fn.__code__
        if code not in self._sizes:
            tree = find(fn).tree
            weights = {gast.For: 4, gast.While: 4}
            self._sizes[code] = sum(
                weights.get(type(n), 1)
                for n in gast.walk(tree)
                if isinstance(n, gast.stmt)
            )
        return self._sizes[code] > LARGE

    @property
    def takes_powers_for_real(self) -> bool:
        """Whether there are powers that could be complex, of which that is not said."""
        return self.powers and not self.complex_powers

    def widened(self) -> bool:
        """Whether powers turn out to be read as complex numbers, as never before."""
        new = self.powers and self.parts_read and not self.complex_powers
        self.complex_powers = self.complex_powers or new
        return new

    def until_settled(self, build: Callable[[], Any], where: Location) -> Any:
        """Build until no decision made on the way changes what was built.

        Raises:
            UnsupportedSyntaxError: the decisions do not settle.
        """
        for _ in range(60):
            self.dirty = False
            self.specialisations.clear()
            self.places.clear()
            self.kept.clear()
            try:
                result = build()
            except Restart:
                continue
            except RecursionError:
                raise UnsupportedSyntaxError(
                    "the calls and loops of this function are nested too deeply",
                    where,
                    "what makes objects is built in call by call, and trip by trip",
                    ("keep the numbers in lists or arrays instead of objects",),
                ) from None
            except SourcegradError:
                if self.dirty or self.widened():  # not every fact was known yet
                    continue
                raise
            if not self.dirty and not self.widened():
                return result
        raise UnsupportedSyntaxError(
            "what the containers of this function hold does not settle",
            where,
            "each reading of the function finds another kind for one of them",
            ("give every list and dict elements of one kind, made in one place",),
        )
