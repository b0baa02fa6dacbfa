"""What only compiled code has: tapes of recursive functions, held residuals, forms."""

from __future__ import annotations

from typing import Any, NoReturn

from numba import types
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.cpython.listobj import build_list
from numba.experimental import structref
from numba.extending import intrinsic, overload, register_model

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.runtime import not_differentiable

# ---- residuals of a pullback -----------------------------------------------------


@structref.register
class HeldType(types.StructRef):
    """The type of residuals that Python code hands from one function to another."""

    def unify(self, typingctx: Any, other: Any) -> Any:
        """One type for what inference first knew in part, and then in full."""
        if not isinstance(other, HeldType):
            return None
        both = self.field_dict["value"], other.field_dict["value"]
        value = typingctx.unify_pairs(*both)
        return None if value is None else HeldType([("value", value)])


class Held(structref.StructRefProxy):
    """Residuals in memory of compiled code, opaque to Python."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a pullback compiled by numba cannot be pickled; "
            'make it with backend="python", or call vjp again where it is needed'
        )


structref.define_boxing(HeldType, Held)


# An intrinsic: its first parameter, a typing context, is not given in a call.
new_box: Any = structref.new


def hold(value: Any) -> Any:
    """Residuals as one opaque value."""
    return value


def held(box: Any) -> Any:
    """What `hold` was given."""
    return box


@overload(hold)
def _hold(value):  # type: ignore[no-untyped-def]
    box_type = HeldType([("value", types.unliteral(value))])

    def held_in_box(value):  # type: ignore[no-untyped-def]
        box = new_box(box_type)
        box.value = value
        return box

    return held_in_box


@overload(held)
def _held(box):  # type: ignore[no-untyped-def]
    return lambda box: box.value


# ---- tapes -----------------------------------------------------------------------


class Probe(types.Opaque):
    """The type of a tape in the compilation that finds out what is put on it."""

    made = 0

    def __init__(self, name: str) -> None:
        Probe.made += 1
        super().__init__(f"{name}_{Probe.made}")
        self.seen: list[Any] = []

    def item(self) -> Any:
        """The type of what is put on the tape.

        Raises:
            TypingError: there is none, or no single one.
        """
        from numba.core.registry import cpu_target

        context = cpu_target.typing_context
        whole = [t for t in self.seen if t.is_precise()] or self.seen
        found = context.unify_types(*whole) if whole else None
        if found is None:
            raise TypingError(
                f"Cannot unify the residuals of a recursive call: {self.seen}"
            )
        return found


register_model(Probe)(models.OpaqueModel)


def peek(tape: Any, place: int) -> Any:
    """The residuals at a place on a tape."""
    return tape[place]


@intrinsic
def _push(typingctx, tape, item):  # type: ignore[no-untyped-def]
    """Put residuals on a tape and give their place.

    The place is a number before the type of what is put there is known, which may
    hang on the place that a recursive call gives.
    """
    if isinstance(tape, Probe):
        tape.seen.append(types.unliteral(item))

        def nowhere(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.get_constant(types.intp, 0)

        return types.intp(tape, item), nowhere

    def append(tape, item):  # type: ignore[no-untyped-def]
        tape.append(item)
        return len(tape) - 1

    def appended(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return context.compile_internal(builder, append, sig, args)

    return types.intp(tape, tape.dtype), appended


# An intrinsic, as `new_box`.
push: Any = _push


@overload(peek)
def _peek(tape, place):  # type: ignore[no-untyped-def]
    if not isinstance(tape, Probe):
        return lambda tape, place: tape[place]
    anything = _undefined(tape.item())
    return lambda tape, place: anything()


def _undefined(of_type: Any) -> Any:
    """A function whose result has the type, for code that is compiled but never run."""

    @intrinsic
    def undefined(typingctx):  # type: ignore[no-untyped-def]
        def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.get_constant_undef(sig.return_type)

        return of_type(), generate

    return undefined


def probe_maker(probe: Probe) -> Any:
    """A function that makes a tape of this probing type."""

    @intrinsic
    def new_probe(typingctx):  # type: ignore[no-untyped-def]
        def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.get_dummy_value()

        return probe(), generate

    return new_probe


def list_maker(item: Any) -> Any:
    """A function that makes an empty list of items of a type."""

    @intrinsic
    def new_list(typingctx):  # type: ignore[no-untyped-def]
        def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return build_list(context, builder, sig.return_type, ())

        return types.List(item)(), generate

    return new_list


# ---- refusals at run time --------------------------------------------------------


@overload(not_differentiable)
def _not_differentiable(message, why="", hint=""):  # type: ignore[no-untyped-def]
    def refuse(message, why="", hint=""):  # type: ignore[no-untyped-def]
        raise NonDifferentiableError(message)

    return refuse


# ---- statements that numba and NumPy read differently -----------------------------


def add_in_place(x: Any, v: Any) -> Any:
    """`x += v`, right for views that overlap, which numba's own `+=` is not.

    >>> import numpy as np
    >>> add_in_place(np.zeros(2), 1.0)
    array([1., 1.])
    """
    x += v
    return x


@overload(add_in_place)
def _add_in_place(x, v):  # type: ignore[no-untyped-def]
    if not isinstance(x, types.Array):
        return lambda x, v: x + v
    if not isinstance(v, types.Array):

        def add_scalar(x, v):  # type: ignore[no-untyped-def]
            x += v
            return x

        return add_scalar

    def add(x, v):  # type: ignore[no-untyped-def]
        x[...] = x + v
        return x

    return add
