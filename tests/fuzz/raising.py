"""Statements about exceptions within exceptions, and about what `finally` does."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement, write_statements
from tests.fuzz.expressions import LENGTH, bounded, condition, index


def _stored(ctx: Context) -> str:
    """Where a value can be stored: an element, a key, an attribute."""
    options = []
    for kind, length in (("v", LENGTH), ("l", 0)):
        for name in ctx.names(kind):
            size = length or ctx.scope[name].length
            if size:
                options.append(f"{name}[{index(ctx, size)}]")
    options += [f'{name}["{ctx.pick("pq")}"]' for name in ctx.names("d")]
    options += [f"{name}.{ctx.pick(('left', 'right'))}" for name in ctx.names("o")]
    if options:
        return str(ctx.pick(options))
    name = ctx.fresh()
    ctx.emit(f"{name} = [{bounded(ctx, 1)}, {bounded(ctx, 1)}]")
    ctx.define(name, "l", 2)
    return f"{name}[{ctx.pick(('0', '1', '-1'))}]"


@statement
def store_in_finally(ctx: Context) -> None:
    """A finally that stores, after a body that may have thrown or returned."""
    place, total = _stored(ctx), existing(ctx)
    ctx.emit("try:")
    ctx.emit(f"    {total} = np.sin({total} + checked({bounded(ctx, 1)}))")
    if ctx.chance(0.4):
        ctx.emit(f"    {place} = {bounded(ctx, 1)}")
    if ctx.chance(0.3) and ctx.result == "s":
        ctx.emit(f"    if {condition(ctx, 0)}:")
        ctx.emit(f"        return {total} * {bounded(ctx, 0)}")
    ctx.emit("except TooLarge:")
    ctx.emit(f"    {total} = {bounded(ctx, 1)}")
    ctx.emit("finally:")
    ctx.emit(f"    {place} {ctx.pick(('=', '+=', '*='))} np.tanh({bounded(ctx, 1)})")


@statement
def exit_through_finally(ctx: Context) -> None:
    """A loop with an else that is left from a try, whose finally runs all the same."""
    i, total = ctx.fresh(), existing(ctx)
    head = ctx.pick((f"while {i} < 3:", f"for {i} in range(3):"))
    if head.startswith("while"):
        ctx.emit(f"{i} = 0")
    ctx.emit(head)
    if head.startswith("while"):
        ctx.emit(f"    {i} += 1")
    place = ctx.pick((total, None)) or _inner_place(ctx)
    ctx.emit("    try:")
    ctx.emit(f"        if {condition(ctx, 0)} and {i} > {ctx.rng.randint(0, 1)}:")
    ctx.emit(f"            {ctx.pick(('break', 'continue', 'break'))}")
    ctx.emit(f"        {total} = np.sin({total} + {bounded(ctx, 1)})")
    if ctx.chance(0.4):
        ctx.emit(f"        {total} *= checked({bounded(ctx, 1)})")
        ctx.emit("    except TooLarge:")
        ctx.emit(f"        {ctx.pick(('break', 'continue', f'{total} *= 0.5'))}")
    ctx.emit("    finally:")
    ctx.emit(f"        {place} = np.tanh({total} * {bounded(ctx, 1)})")
    if ctx.chance(0.6):
        ctx.emit("else:")
        ctx.emit(f"    {total} = {total} * {bounded(ctx, 0)}")


def _inner_place(ctx: Context) -> str:
    vectors = ctx.names("v", LENGTH)
    lists = [n for n in ctx.names("l") if ctx.scope[n].length]
    if vectors and ctx.chance(0.6):
        return f"{ctx.pick(vectors)}[{ctx.rng.randrange(LENGTH)}]"
    if lists:
        return f"{ctx.pick(lists)}[0]"
    return str(ctx.pick(ctx.assignable("s")))


@statement
def raised_again(ctx: Context) -> None:
    """Handlers that raise: another error, one from another, the same once more."""
    total, a, b = existing(ctx), bounded(ctx, 1), bounded(ctx, 1)
    if total in ctx.frozen:
        return
    again = ctx.pick(
        (
            ("except TooLarge as error_:", 'raise ValueError("large") from error_'),
            ("except TooLarge:", 'raise ValueError("large")'),
            ("except TooLarge:", 'raise ValueError("large") from None'),
            ("except TooLarge:", "raise"),
            ("except TooLarge as error_:", "raise error_"),
        )
    )
    caught = (
        "TooLarge"
        if "error_" in again[1][6:12] or again[1] == "raise"
        else "ValueError"
    )
    ctx.emit("try:")
    ctx.emit("    try:")
    ctx.emit(f"        {total} = np.sin({total} + checked({a}))")
    ctx.emit(f"    {again[0]}")
    ctx.emit(f"        {total} = np.tanh({total} * {b})")
    ctx.emit(f"        {again[1]}")
    if ctx.chance(0.4):
        ctx.emit("    finally:")
        ctx.emit(f"        {total} = {total} * 0.8")
    ctx.emit(f"except {ctx.pick((caught, f'({caught}, KeyError)'))}:")
    ctx.emit(f"    {total} = np.sin({total} + {bounded(ctx, 1)})")
    if ctx.chance(0.3):
        ctx.emit("else:")
        ctx.emit(f"    {total} *= 0.9")


@statement
def handled_in_handler(ctx: Context) -> None:
    """A try within a handler or within a finally."""
    total, a, b = existing(ctx), bounded(ctx, 1), bounded(ctx, 1)
    ctx.emit("try:")
    ctx.emit(f"    {total} = np.sin({total} + checked({a}))")
    if ctx.chance(0.5):
        ctx.emit("except TooLarge:")
    else:
        ctx.emit("except TooLarge:")
        ctx.emit(f"    {total} *= 0.5")
        ctx.emit("finally:")
    ctx.emit("    try:")
    ctx.emit(f"        {total} = np.sin({total} * checked({b}))")
    ctx.emit("    except TooLarge:")
    ctx.emit(f"        {total} = np.tanh({total} - 0.3)")


@statement
def tried_block(ctx: Context) -> None:
    """A try around statements of every kind, with a handler and a finally."""
    total = existing(ctx)
    ctx.emit("try:")
    ctx.tries += 1
    with ctx.block():
        write_statements(ctx, 2)
        ctx.emit(f"{total} = np.sin({total} + checked({bounded(ctx, 1)}))")
    ctx.emit("except TooLarge:")
    ctx.emit(f"    {total} *= 0.5")
    ctx.emit("finally:")
    ctx.emit(f"    {total} = np.tanh({total} * {bounded(ctx, 1)})")
    ctx.tries -= 1
    into_scalar(ctx, f"{total} * {bounded(ctx, 0)}")
