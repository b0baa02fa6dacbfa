"""Expressions whose parts change what other parts read, with or without a throw."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement
from tests.fuzz.expressions import LENGTH, bounded, condition, index

# `turned` writes what it is given; `weighed` reads its parts in its own time; `gainer`
# reads what it keeps when it is made.
CALLEES = """def turned(a, v):
    a[0] = np.tanh(v + a[-1])
    return a[1] * 0.5


def weighed(*parts, start=0.2):
    total = start
    for k_, p_ in enumerate(parts):
        total = np.sin(total * 0.9 + p_ * (k_ + 1))
    return total


def summed(parts, start):
    total = start
    for p_ in parts:
        total = np.sin(total * 0.8) + p_ * start
    return total


def gainer(a, v):
    gain = a[0] * v
    return lambda w_: np.tanh(w_ * gain)


class Gauge:
    def __init__(self, *parts):
        self.parts = list(parts)
        self.level = parts[0]
        self.count = 0

    def __getitem__(self, k):
        return self.parts[k]

    def __setitem__(self, k, v):
        self.count += 1
        self.level = self.level * 0.5 + v
        self.parts[k] = v

    def fill(self, v):
        self.level = np.sin(self.level + v)
        self.parts[-1] = self.level
        return self.level * v

    def moved(self, v):
        self.level += v
        return self
"""


def _state(ctx: Context) -> tuple[list[str], list[str]]:
    """What can be read of some state, and templates that change it as they are read."""
    options = [("v", n) for n in ctx.names("v", LENGTH)]
    options += [("l", n) for n in ctx.names("l") if ctx.scope[n].length >= 2]
    options += [("g", n) for n in ctx.names("g")] * 2
    if not options or ctx.chance(0.15):
        name, parts = ctx.fresh(), f"{bounded(ctx, 1)}, {bounded(ctx, 1)}"
        kind = ctx.pick("lgg")
        ctx.emit(f"{name} = " + (f"[{parts}]" if kind == "l" else f"Gauge({parts})"))
        ctx.define(name, kind, 2 if kind == "l" else 0)
    else:
        kind, name = ctx.pick(options)
    size = LENGTH if kind == "v" else 2
    reads = [f"{name}[0]", f"{name}[-1]", f"{name}[{index(ctx, size)}]"]
    effects = [f"turned({name}, {{}})", f"gainer({name}, turned({name}, {{}}))(0.7)"]
    if kind == "v":
        reads += [f"np.sum({name})", f"{name} @ {name}", f"{name}[1:][0]"]
        effects += [f"turned({name}[::-1], {{}})", f"turned({name}[1:3], {{}})"]
    elif kind == "l":
        reads += [f"sum({name})", f"max({name})", f"[*{name}][0]"]
    else:
        reads += [f"{name}.level", f"{name}.level", f"{name}.count"]
        reads += [f"sum({name}.parts)"]
        effects += [f"{name}.fill({{}})"] * 3 + [f"{name}.moved({{}}).level"]
    return reads, effects


def _effect(ctx: Context, effects: list[str], throws: bool) -> str:
    value = bounded(ctx, 1)
    if throws and ctx.chance(0.4):
        value = f"checked({value})"
    return str(ctx.pick(effects)).format(value)


def _joined(ctx: Context, parts: list[str], guarded: bool) -> str:
    """One expression that reads the parts, most often from left to right."""
    a, b, *_ = parts
    every = ", ".join(parts)
    spread = " + ".join(f"({p}) * {k + 1}.0" for k, p in enumerate(parts))
    forms = (
        spread,
        spread,
        f"weighed({every})",
        f"weighed({every})",
        f"weighed({b}, start={a})",
        f"weighed(*[{every}])",
        f"weighed(*({a},), start={b})",
        f"sum(p_ * 0.5 for p_ in ({every}))",
        f"summed([{every}], {b})",
        f"[{every}][0] * [{every}][-1]",
        f'{{"p": {a}, "q": {b}}}["{ctx.pick("pq")}"]',
        f"max({every}, 0.1)",
        f"({a} if {b} > 0.0 else {b}) * ({a})",
        f"(0.6 if {a} < {b} < {a} + 1.0 else 0.3) * ({a})",
        f"np.array([{every}]).sum()",
        f"np.hypot({a}, {b})",
        f"({a}) ** 2 - ({b}) * ({a})",
        f"({a} and {b}) * 0.5 + ({b} or {a})",
        f"sum([v_ * {b} for v_ in ({a}, {b})])",
        f"(w_ := {a}) * {b} + w_ * {a}",
    )
    # In a try these are refused where a part of them stores.
    late = (
        f"summed((p_ * {b} for p_ in ({a}, 0.3)), {a})",
        f"sum((v_ * {b} for v_ in (0.4, {a})), start={b})",
        f"(lambda v_, w_={a}: v_ * w_)({b})",
        f"functools.reduce(lambda v_, w_: np.sin(v_ + w_), [{every}], {a})",
    )
    return str(ctx.pick(forms if guarded else forms + late * 2))


def _parts(ctx: Context, throws: bool) -> tuple[list[str], list[str]]:
    reads, effects = _state(ctx)
    parts = [str(ctx.pick(reads)), _effect(ctx, effects, throws)]
    if ctx.chance(0.3):
        parts.reverse()
    if ctx.chance(0.5):
        effect = ctx.chance(0.4)
        parts.append(_effect(ctx, effects, throws) if effect else str(ctx.pick(reads)))
    return parts, reads


@statement
def parts_that_change(ctx: Context) -> None:
    """One statement whose parts change what its other parts read."""
    guarded = ctx.chance(0.7)
    parts, reads = _parts(ctx, guarded)
    total = existing(ctx)
    inner = "    " * guarded
    if guarded:
        ctx.emit("try:")
        if ctx.chance(0.3):
            ctx.emit(f"    {total} = {total} * 0.9")
    whole = _joined(ctx, parts, guarded or ctx.tries > 0)
    stores = [r for r in reads if r.endswith(("[0]", "[-1]", ".level"))]
    stores = [r for r in stores if "*" not in r and ":" not in r]
    place = str(ctx.pick(stores))
    roll = ctx.rng.random()
    if roll < 0.5:
        ctx.emit(f"{inner}{total} = np.sin({total} + {whole})")
    elif roll < 0.6:
        ctx.emit(f"{inner}{place} = np.sin({whole})")
    elif roll < 0.7:
        ctx.emit(f"{inner}{place} {ctx.pick(('+=', '*='))} np.sin({whole})")
    elif roll < 0.8:
        ctx.emit(f"{inner}{total}, {place} = np.tanh({parts[0]}), np.sin({parts[1]})")
    elif roll < 0.9:
        ctx.emit(f"{inner}if {parts[0]} > {parts[1]} or {condition(ctx, 0)}:")
        ctx.emit(f"{inner}    {total} = np.sin({total} + {whole})")
    else:
        ctx.emit(f"{inner}for v_ in ({', '.join(parts)}):")
        ctx.emit(f"{inner}    {total} = np.sin({total} + v_ * {ctx.pick(reads)})")
    if guarded:
        _caught(ctx, total, reads)
    into_scalar(ctx, f"{ctx.pick(reads)} * {bounded(ctx, 0)}")


def _caught(ctx: Context, total: str, reads: list[str]) -> None:
    ctx.emit("except TooLarge:")
    ctx.emit(f"    {total} = np.tanh({total} * {ctx.pick(reads)})")
    if ctx.chance(0.3):
        ctx.emit("finally:")
        ctx.emit(f"    {total} = {total} * np.cos({ctx.pick(reads)})")
