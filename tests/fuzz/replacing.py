"""Items of containers that give their places to others: arrays that products need in
their shape, and numbers, tuples and lists in the place of each other."""

from __future__ import annotations

from tests.fuzz.context import Context, statement
from tests.fuzz.expressions import bounded, scalar, vector


def _reads(ctx: Context, text: str) -> None:
    total = ctx.target("s")
    ctx.emit(f"{total} = {text}")
    ctx.define(total, "s")


@statement
def arrays_in_turn(ctx: Context) -> None:
    """Arrays of a list, dict or deque, each made of the others by a product."""
    a, held, i = ctx.fresh(), ctx.fresh(), ctx.fresh()
    v, w = vector(ctx, 2, 0), vector(ctx, 2, 0)
    s = bounded(ctx, 1)
    trips = ctx.pick((ctx.bound, "2", "3"))
    ctx.emit(f"{a} = np.outer(np.tanh({v}), np.cos({w}))")
    product = ctx.pick(
        (
            f"{a} @ {held}[({i} + 1) % 3]",
            f"{a}.T @ {held}[{i} % 3] + {held}[({i} + 2) % 3] * {s}",
            f"({held}[({i} + 1) % 3] * {s}).reshape(1, 2)[0]",
            f"np.dot({held}[{i} % 3], {a})",
            f"np.sum(np.stack([{held}[0], {held}[2]]), axis=0) * 0.5",
        )
    )
    first = ctx.pick((f"{a} @ {v}", f"np.sin({w})", f"{s} * {w}"))
    roll = ctx.rng.randrange(5)
    if roll == 0:
        ctx.emit(f"{held} = [{first}, np.cos({w}), {a}[0] * {s}]")
    elif roll == 1:
        ctx.emit(f"{held} = {{0: {first}, 1: np.cos({w}), 2: {a}[1]}}")
    elif roll == 2:
        ctx.emit(f"{held} = [{a} @ ({w} * {i}) for {i} in range(3)]")
    elif roll == 3:
        ctx.emit(f"{held} = []")
        ctx.emit(f"for {i} in range(3):")
        ctx.emit(f"    {held}.append({a} @ ({v} + {i}))")
    else:
        ctx.emit(f"{held} = collections.deque([{first}, {w}, {a}[0]], maxlen=3)")
    ctx.emit(f"for {i} in range({trips}):")
    change = (
        f"{held}[{i} % 3] = {product}",
        f"{held}[0], {held}[1] = {held}[1], {product}",
        f"{held}[0], {held}[{i} % 3] = {held}[{i} % 3], {held}[0]",
    )
    ctx.emit(f"    {ctx.pick(change)}")
    if roll in (0, 2, 3) and ctx.chance(0.3):
        ctx.emit(f"    {held}.append({held}.pop(0))")
    if roll == 4 and ctx.chance(0.5):
        ctx.emit(f"    {held}.append({a} @ {held}[0])")
    _reads(ctx, f"np.sin({held}[0] @ {held}[1]) + np.tanh({held}[2][1])")


@statement
def items_of_other_forms(ctx: Context) -> None:
    """Numbers where lists or tuples were, and lists or tuples where others were."""
    held, i = ctx.fresh(), ctx.fresh()
    s, t, u = scalar(ctx, 1), bounded(ctx, 1), bounded(ctx, 0)
    item = ctx.pick(
        (
            f"[{s}, {t}]",
            f"({s}, {t})",
            f"[{t}, ({u}, {s})]",
            f"({t}, [{u}, {i} * {t}])",
            f"[np.array([{s}, {t}]), {u}]",
            f"(np.array([{s}, {t}]), {u})",
        )
    )
    if ctx.chance(0.5):
        ctx.emit(f"{held} = [{item} for {i} in range(3)]")
    else:
        ctx.emit(f"{held} = {ctx.pick(('[None] * 3', '{}'))}")
        ctx.emit(f"for {i} in range(3):")
        ctx.emit(f"    {held}[{i}] = {item}")
    read = f"np.sum(np.sin({held}[2][0]))"
    if ctx.chance(0.5) or item.startswith(("[np", "(np")):
        ctx.emit(f"{held}[0] = {t} * {u}")
        return _reads(ctx, f"float({held}[0] + {read})")
    ctx.emit(f"for {i} in range(2):")
    ctx.emit(f"    {held}[{i}] = ({t} * {i}, {s})")
    return _reads(ctx, f"float({held}[0][1] * {held}[1][0] + {read})")
