"""Statements about classes that take part in Python's own syntax."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement, write_statements
from tests.fuzz.expressions import bounded, condition, index, scalar

CLASSES = """class Shelf:
    scale = 0.8
    opened = 0

    def __init__(self, *items):
        self.items = list(items)

    def __getitem__(self, k):
        return self.items[k] * self.scale

    def __setitem__(self, k, v):
        self.items[k] = np.sin(v)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        for v_ in self.items:
            yield v_ * self.scale

    def __contains__(self, v):
        return any(abs(u_ - v) < 0.3 for u_ in self.items)

    def __call__(self, v):
        return np.tanh(self.items[0] + v * self.scale)

    def __enter__(self):
        self.opened += 1
        self.scale = self.scale * 0.5
        return self

    def __exit__(self, *error):
        self.scale = self.scale * 2.0
        self.items[0] = self.items[0] * 0.9
        return False

    def __iadd__(self, v):
        self.items[-1] += v
        return self

    def __mul__(self, v):
        return Shelf(*[u_ * v for u_ in self.items])

    def __neg__(self):
        return self * -1.0

    def __eq__(self, other):
        return self.items == other.items

    def __bool__(self):
        return bool(self.items[0] > 0.0)


class Tank:
    loss = 0.1
    low = -0.5

    def __init__(self, level):
        self._level = level
        self.writes = 0

    @property
    def level(self):
        return self._level * (1.0 - self.loss)

    @level.setter
    def level(self, v):
        self.writes += 1
        self._level = v if v > self.low else self.low

    def fill(self, v):
        self.level += v
        return self.level

    def drain(self):
        self.level = self.level * 0.5
        return self


class SmallTank(Tank):
    loss = 0.3

    def fill(self, v):
        return super().fill(np.tanh(v)) * 0.5


@dataclasses.dataclass
class Tray:
    first: float
    items: list = dataclasses.field(default_factory=list)
    table: dict = dataclasses.field(default_factory=lambda: {"p": 0.5, "q": 0.2})
    gain: float = 0.4
    total: float = dataclasses.field(init=False)

    def __post_init__(self):
        self.total = self.first * self.gain

    def put(self, v):
        self.items.append(v)
        self.table["p"] += v * self.gain
        self.total = np.sin(self.total + v)
        return self
"""


def _made(ctx: Context, kind: str, made: tuple[str, ...]) -> str:
    """An object of a kind: one that there is, or a new one."""
    names = ctx.names(kind)
    if names and ctx.chance(0.8):
        return str(ctx.pick(names))
    name = ctx.fresh()
    ctx.emit(f"{name} = {ctx.pick(made)}")
    ctx.define(name, kind)
    return name


def _shelf(ctx: Context) -> str:
    a, b = bounded(ctx, 1), bounded(ctx, 1)
    return _made(ctx, "S", (f"Shelf({a}, {b})", f"Shelf({b}, {a}, 0.4)"))


@statement
def shelf(ctx: Context) -> None:
    """Indexing, length, iteration, membership, calls and operators of an object."""
    name, v, a = _shelf(ctx), ctx.fresh(), bounded(ctx, 1)
    roll, total = ctx.rng.random(), existing(ctx)
    at = index(ctx, 2)
    if roll < 0.35:
        stores = (
            f"{name}[{at}] = {a}",
            f"{name}[{at}] *= {a}",
            f"{name} += np.tanh({a})",
            f"{name}.scale = np.cos({a})",
        )
        return ctx.emit(ctx.pick(stores))
    if roll < 0.5:
        head = ctx.pick((f"for {v} in {name}:", f"for k_, {v} in enumerate({name}):"))
        ctx.emit(head)
        ctx.emit(f"    {total} = np.sin({total} + {v})")
        return ctx.emit(f"    {name}[-1] = {v} * 0.5") if ctx.chance(0.3) else None
    if roll < 0.6:
        new = ctx.fresh()
        ctx.emit(f"{new} = {ctx.pick((f'{name} * ({a})', f'-{name}', name))}")
        return ctx.define(new, "S")
    forms = (
        f"{name}({a})",
        f"{name}[{at}] * {a}",
        f"sum({name}) * len({name})",
        f"({a} if {scalar(ctx, 0)} in {name} else 0.2)",
        f"({a} if {name} else 0.4)",
        f"max({name}) * {a}",
        f"[*{name}][{at}] * {a}",
        f"({a} if {name} == {name} * 1.0 else 0.6)",
    )
    return into_scalar(ctx, ctx.pick(forms))


@statement
def shelf_opened(ctx: Context) -> None:
    """with an object of the program's own, whose methods store."""
    name, alias = _shelf(ctx), ctx.fresh()
    ctx.emit(ctx.pick((f"with {name}:", f"with {name} as {alias}:")))
    with ctx.block():
        ctx.emit(f"{name}[{index(ctx, 2)}] = {bounded(ctx, 1)}")
        write_statements(ctx, 1)
    into_scalar(ctx, f"{name}[0] + {name}.opened")


@statement
def tank(ctx: Context) -> None:
    """Properties with setters, and defaults of the class that an object shadows."""
    a = bounded(ctx, 1)
    name = _made(ctx, "T", (f"Tank({a})", f"SmallTank({a})", f"Tank(level={a})"))
    roll = ctx.rng.random()
    if roll < 0.55:
        stores = (
            f"{name}.level = {a}",
            f"{name}.level += np.tanh({a})",
            f"{name}.level *= np.cos({a})",
            f"{name}.loss = 0.3 * np.sin({a})",
            f"{name}.low = {a}",
            f"{name}.drain()",
            f"{name}.drain().fill({a})",
        )
        guarded = ctx.chance(0.3)
        if guarded:
            ctx.emit(f"if {condition(ctx, 0)}:")
        return ctx.emit("    " * guarded + ctx.pick(stores))
    forms = (
        f"{name}.level * {a}",
        f"{name}.fill({a})",
        f"{name}.loss * {a} + {name}.writes",
        f"{name}.low + {name}.level",
    )
    return into_scalar(ctx, ctx.pick(forms))


@statement
def tray(ctx: Context) -> None:
    """A dataclass with defaults, factories of defaults, and a __post_init__."""
    a, b = bounded(ctx, 1), bounded(ctx, 1)
    made = (f"Tray({a})", f"Tray({a}, gain={b})", f"Tray({a}, [{b}])")
    name = _made(ctx, "Y", (*made, f"Tray({a}, table={{'p': {b}, 'q': {a}}})"))
    roll = ctx.rng.random()
    if roll < 0.5:
        stores = [f"{name}.table['p'] = {a}", f"{name}.gain = np.sin({a})"]
        stores += [f"{name}.items = [{a}, {b}]", f"{name}.total *= np.cos({a})"]
        if ctx.loops == 0:
            stores += [f"{name}.put({a})", f"{name}.put({a}).put({b})"]
            stores += [f"{name}.items.append({a})"]
        return ctx.emit(ctx.pick(stores))
    if roll < 0.6:
        new = ctx.fresh()
        ctx.emit(f"{new} = dataclasses.replace({name}, first={a})")
        return ctx.define(new, "Y")
    forms = (
        f"{name}.total * {a}",
        f"sum({name}.items) + {name}.first",
        f"{name}.table['p'] * {name}.table['q']",
        f"sum({name}.table.values()) * {name}.gain",
        f"len({name}.items) * {a}",
    )
    return into_scalar(ctx, ctx.pick(forms))
