"""Statements about records whose number is known only at run time."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement
from tests.fuzz.expressions import bounded, condition, index

CLASSES = """class Mass:
    drag = 0.2

    def __init__(self, v, w):
        self.v = v
        self.w = w

    def push(self, f):
        self.v = np.sin(self.v + f * self.w) * (1.0 - self.drag)
        return self.v

    def total(self):
        return self.v * self.w


class Link:
    def __init__(self, v, after=None):
        self.v = v
        self.after = after


def heaviest(masses):
    best = None
    for m_ in masses:
        if best is None or m_.total() > best.total():
            best = m_
    return best


def chained(values):
    head = None
    for v_ in values:
        head = Link(np.tanh(v_), head)
    return head


def length_of(link):
    return 0 if link is None else 1 + length_of(link.after)
"""
# How a record is made, and how its two numbers are read.
_DICT, _MASS = "R", "M"
_MADE = {_DICT: '{{"v": {0}, "w": {1}}}', _MASS: "Mass({0}, {1})"}
_READ = {_DICT: ('{0}["v"]', '{0}["w"]'), _MASS: ("{0}.v", "{0}.w")}


def _of(ctx: Context, kind: str, record: str) -> str:
    return str(ctx.pick(_READ[kind])).format(record)


def _new(ctx: Context, kind: str, a: str = "") -> str:
    return _MADE[kind].format(a or bounded(ctx, 1), bounded(ctx, 1))


def _values(ctx: Context) -> str:
    """What a loop runs over."""
    return str(ctx.pick(ctx.names("v") or ["(0.3, -0.5, 1.1)"]))


def _records(ctx: Context) -> tuple[str, str]:
    """A list of two records or more: one that there is, or a new one."""
    names = [(n, k) for k in (_DICT, _MASS) for n in ctx.names(k)]
    if names and ctx.chance(0.75):
        name, kind = ctx.pick(names)
        return str(name), str(kind)
    name, kind = ctx.fresh(), ctx.pick((_DICT, _MASS))
    roll, v = ctx.rng.random(), "v_"
    if roll < 0.35:
        made = _new(ctx, kind, f"np.sin({v} * {bounded(ctx, 0)})")
        ctx.emit(f"{name} = [{made} for {v} in {_values(ctx)}]")
    elif roll < 0.75:
        ctx.emit(f"{name} = [{_new(ctx, kind)}, {_new(ctx, kind)}]")
        ctx.emit(f"for {v} in {_values(ctx)}:")
        ctx.emit(f"    if {v} > {ctx.number()}:")
        ctx.emit(f"        {name}.append({_new(ctx, kind, f'np.tanh({v})')})")
    else:
        k = ctx.fresh()
        ctx.emit(f"{name}, {k} = [{_new(ctx, kind)}], 0")
        ctx.emit(f"while {k} < 3:")
        last = _of(ctx, kind, f"{name}[-1]")
        ctx.emit(f"    {name}.append({_new(ctx, kind, f'np.cos({last} + 0.3)')})")
        ctx.emit(f"    {k} += 1")
    ctx.define(name, kind)
    return name, kind


@statement
def grown_records(ctx: Context) -> None:
    """Records in a list that grows: made, read, changed under several names."""
    name, kind = _records(ctx)
    roll = ctx.rng.random()
    if roll < 0.3:
        return _change(ctx, name, kind)
    if roll < 0.5:
        return _loop(ctx, name, kind)
    if roll < 0.6 and ctx.loops == 0:
        return _rearrange(ctx, name, kind)
    key = f"key=lambda r_: {_READ[kind][0].format('r_')}"
    forms = [
        f"{_of(ctx, kind, f'{name}[{index(ctx, 2)}]')} * {bounded(ctx, 0)}",
        f"sum({_of(ctx, kind, 'r_')} for r_ in {name})",
        f"sum([{_of(ctx, kind, 'r_')} * {bounded(ctx, 0)} for r_ in {name}])",
        f"max({_of(ctx, kind, 'r_')} for r_ in {name})",
        f"{_of(ctx, kind, f'max({name}, {key})')} + len({name})",
        f"{_of(ctx, kind, f'sorted({name}, {key})[0]')} * {bounded(ctx, 0)}",
        f"np.array([{_of(ctx, kind, 'r_')} for r_ in {name}]).sum()",
        f"{_of(ctx, kind, f'[r_ for r_ in {name} if {condition(ctx, 0)} or True][0]')}",
    ]
    if kind == _MASS:
        forms += [
            f"{name}[{index(ctx, 2)}].push({bounded(ctx, 1)})",
            f"heaviest({name}).v * {bounded(ctx, 0)}",
            f"heaviest({name}).push({bounded(ctx, 0)})",
            f"sum(r_.total() for r_ in {name})",
        ]
    return into_scalar(ctx, ctx.pick(forms))


def _change(ctx: Context, name: str, kind: str) -> None:
    """A store into one record, under its place, a name, or in a branch."""
    roll, a = ctx.rng.random(), bounded(ctx, 1)
    record = f"{name}[{index(ctx, 2)}]"
    if roll < 0.5:
        one = ctx.fresh()
        ctx.emit(f"{one} = {record}")
        if ctx.chance(0.4):
            ctx.emit(f"if {condition(ctx, 0)}:")
            ctx.emit(f"    {one} = {name}[{index(ctx, 2)}]")
        record = one
    if kind == _MASS and ctx.chance(0.3):
        return ctx.emit(f"{record}.push({a})")
    place = _of(ctx, kind, record)
    ctx.emit(f"{place} = {a}" if ctx.chance(0.5) else f"{place} *= np.cos({a})")
    return None


def _loop(ctx: Context, name: str, kind: str) -> None:
    total = existing(ctx)
    heads = (
        f"for r_ in {name}:",
        f"for k_, r_ in enumerate({name}):",
        f"for r_, v_ in zip({name}, {_values(ctx)}):",
        f"for r_ in reversed({name}):",
    )
    ctx.emit(ctx.pick(heads))
    if ctx.chance(0.4):
        ctx.emit(f"    if {_of(ctx, kind, 'r_')} > {ctx.number()}:")
        ctx.emit(f"        {ctx.pick(('continue', 'break'))}")
    ctx.emit(f"    {total} = np.sin({total} + {_of(ctx, kind, 'r_')})")
    if ctx.chance(0.5):
        ctx.emit(f"    {_of(ctx, kind, 'r_')} = np.tanh({total} * {bounded(ctx, 0)})")


def _rearrange(ctx: Context, name: str, kind: str) -> None:
    one, other = ctx.fresh(), _READ[kind][0].format("r_")
    changes = (
        f"{name}.append({name}[0])",
        f"{name}.append({_new(ctx, kind)})",
        f"{name}.reverse()",
        f"{name}.insert(0, {_new(ctx, kind)})",
        f"{name}[0], {name}[-1] = {name}[-1], {name}[0]",
        f"{name}[1] = {name}[0]",
        f"{name}[{ctx.rng.randint(0, 1)}] = {_new(ctx, kind)}",
        f"{name}.sort(key=lambda r_: {other})",
        f"{name}.extend([{_new(ctx, kind)}])",
    )
    if ctx.chance(0.2):
        ctx.emit(f"{one} = {ctx.pick((f'{name}[:]', f'list({name})', name))}")
        ctx.define(one, kind)
    ctx.emit(ctx.pick(changes))


@statement
def best_so_far(ctx: Context) -> None:
    """None at first, then the best that a loop has seen."""
    best, i, a = ctx.fresh(), ctx.fresh(), bounded(ctx, 0)
    made = ctx.pick(
        (
            ("({0}, {1})", "{0}[0]", "{0}[1]"),
            ("Mass({0}, {1})", "{0}.v", "{0}.w"),
            ('{{"v": {0}, "w": {1}}}', '{0}["v"]', '{0}["w"]'),
        )
    )
    loss, first = ctx.fresh(), made[1].format(best)
    ctx.emit(f"{best} = None")
    ctx.emit(f"for {i} in {_values(ctx)}:")
    ctx.emit(f"    {loss} = np.sin({i} * {a})")
    ctx.emit(f"    if {best} is None or {loss} < {first}:")
    ctx.emit(f"        {best} = {made[0].format(loss, f'np.cos({i})')}")
    if ctx.chance(0.4):
        ctx.emit(f"if {best} is not None:")
        ctx.emit(f"    {best} = {made[0].format(first, f'np.tanh({a})')}")
    into_scalar(ctx, f"{first} * {made[2].format(best)}")


@statement
def linked(ctx: Context) -> None:
    """A chain of objects that is built, walked and changed."""
    names = ctx.names("L")
    if not names or ctx.chance(0.3):
        name, values = (
            ctx.fresh(),
            ctx.pick(
                (_values(ctx), f"(0.4, {bounded(ctx, 1)})", f"{_values(ctx)}[:2]")
            ),
        )
        if ctx.chance(0.5):
            ctx.emit(f"{name} = chained({values})")
        else:
            ctx.emit(f"{name} = None")
            ctx.emit(f"for v_ in {values}:")
            ctx.emit(f"    {name} = Link(v_ * {bounded(ctx, 0)}, {name})")
        return ctx.define(name, "L")
    name, at, total = ctx.pick(names), ctx.fresh(), existing(ctx)
    if ctx.chance(0.25):
        place = ctx.pick((f"{name}.v", f"{name}.after.v"))
        return ctx.emit(f"{place} {ctx.pick(('=', '*='))} np.cos({bounded(ctx, 1)})")
    if ctx.chance(0.2):
        return ctx.emit(f"{name} = Link({bounded(ctx, 1)}, {name})")
    if ctx.chance(0.2):
        return into_scalar(ctx, f"{name}.v * length_of({name})")
    ctx.emit(f"{at} = {name}")
    ctx.emit(f"while {at} is not None:")
    ctx.emit(f"    {total} = np.sin({total} * 0.9 + {at}.v)")
    if ctx.chance(0.4):
        ctx.emit(f"    {at}.v = {at}.v * np.cos({total})")
    ctx.emit(f"    {at} = {at}.after")
    return None
