"""Callees that write into their arguments."""

from __future__ import annotations

from sourcegrad.analysis import effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import AliasError
from sourcegrad.frontend.context import Context, Restart, Specialisation
from sourcegrad.frontend.midway import writes_midway
from sourcegrad.ir import Value
from sourcegrad.kinds import ListKind, Num, draws, is_array, is_scalar

WRITES, WRITES_MIDWAY = "writes", "writes and may raise then"


def build_in(context: Context) -> None:
    """A callee that writes into its arguments is built in, where its writes count.

    Args:
        context: the compilation, all functions of which are built.

    Raises:
        Restart: a callee is built in from now on.
        AliasError: it is checkpointed, and would write again.
    """
    if context.dirty:  # not every fact is known yet
        return
    note_attempts(context)
    specs = context.specialisations.values()
    recursive = {s.fn for s in specs if s.function and effects.is_recursive(s)}
    for spec in specs:
        written = _written(spec)
        if not written:
            continue
        if getattr(spec.fn, "__sourcegrad_checkpoint__", False):
            raise _repeated(spec, written[0])
        if spec.fn in recursive and all(can_share(spec, p) for p in written):
            continue  # it cannot be built in, and its caller's cotangents are handed on
        context.writers.add(spec.fn.__code__)
        raise Restart


def note_attempts(context: Context) -> None:
    """What calls of pairs inside of a `try` assumed of their functions, held against
    what these do.

    Args:
        context: the compilation, all functions of which are built.

    Raises:
        Restart: it was assumed that a function does not write, or not before it may
            raise.
    """
    found = []
    for spec in context.specialisations.values():
        if spec.function is None or not _written(spec):
            continue
        found.append((WRITES, spec.fn))
        if writes_midway(spec.function.body, lambda s: bool(_written(s.callee))):
            found.append((WRITES_MIDWAY, spec.fn))
    asked = [f for f in found if ("asked whether it", *f) in context.derived]
    new = [f for f in asked if f not in context.derived]
    context.derived |= dict.fromkeys(new, True)
    if new:
        raise Restart


def can_share(spec: Specialisation, param: Value) -> bool:
    """Whether a callee that writes to an argument can work on the caller's cotangent
    of that memory: none, or that of an array, of a list of numbers, or of a list of
    arrays that it does not write to."""
    kind = param.kind
    if not param.varied or is_array(kind):
        return True
    if not isinstance(kind, ListKind) or not isinstance(kind.item, Num):
        return False
    assert spec.function is not None
    fx = effects.run(spec.function)
    return is_scalar(kind.item) or not fx.holds_written(param)


def _written(spec: Specialisation) -> list[Value]:
    """The parameters whose memory is written; what a Generator draws from is not."""
    if spec.function is None:
        return []
    fx = effects.run(spec.function)
    return [
        p for p in spec.function.params
        if has_memory(p) and fx.is_written(p) and not draws(p.kind)
    ]  # fmt: skip


def _repeated(spec: Specialisation, param: Value) -> AliasError:
    assert spec.function is not None
    fx = effects.run(spec.function)
    places = [s.where for s, v in fx.written if fx.find(v) is fx.find(param)]
    return AliasError(
        f"the checkpointed function {spec.fn.__name__} changes its argument "
        f"{param.name!r}",
        places[0],
        "it runs again in the reverse sweep, and would change it again",
        (f"let it begin with {param.name} = {param.name}.copy()",),
    )
