"""Statements of the third grammar: calls, closures, containers, objects."""

from __future__ import annotations

from tests.fuzz.context import Context, statement
from tests.fuzz.control import assign, list_display
from tests.fuzz.expressions import LENGTH, bounded, call, condition, scalar

CELL = """class Cell:
    def __init__(self, w):
        self.w = w
        self.state = 0.5

    def step(self, v):
        self.state = np.tanh(self.state + self.w * v)
        return self.state * self.w

    @property
    def double(self):
        return 2.0 * self.w

    def __call__(self, v):
        return np.sin(self.w * v) + self.state
"""


@statement
def call_statement(ctx: Context) -> None:
    """A call whose result has any kind, or that is made for its effects."""
    helpers = [h for h in ctx.helpers if ctx.loops + h.recursive < 3]
    if not helpers:
        return assign(ctx)
    helper = ctx.pick(helpers)
    text = call(ctx, helper, 1)
    if helper.result == "t":
        first, second = ctx.target("s"), ctx.fresh()
        ctx.emit(f"{first}, {second} = {text}")
        ctx.define(first, "s")
        return ctx.define(second, "s")
    if helper.result == "n":
        return ctx.emit(text)
    length = LENGTH if helper.result == "v" else 0
    name = ctx.target(helper.result, length)
    if helper.result == "s" and ctx.loops:
        text = f"np.tanh({text})"
    ctx.emit(f"{name} = {text}")
    return ctx.define(name, helper.result, length)


@statement
def nonlocal_function(ctx: Context) -> None:
    """An inner function that rebinds a captured name, and a call of it."""
    names = ctx.assignable("s")
    if not names:
        return assign(ctx)
    captured, name, parameter = ctx.pick(names), ctx.fresh(), ctx.fresh()
    ctx.emit(f"def {name}({parameter}):")
    ctx.emit(f"    nonlocal {captured}")
    ctx.emit(f"    {captured} = np.tanh({captured} * {parameter} + {ctx.number()})")
    ctx.emit(f"    return {captured} * {parameter}")
    ctx.define(name, "f")
    ctx.frozen.add(name)
    into = ctx.target("s")
    ctx.emit(f"{into} = np.sin({name}({scalar(ctx, 1)}))")
    return ctx.define(into, "s")


@statement
def cell_object(ctx: Context) -> None:
    """An object: made, stored into, stepped, called."""
    names = ctx.names("c")
    if not names or ctx.chance(0.2):
        name = ctx.fresh()
        ctx.emit(f"{name} = Cell({bounded(ctx, 1)})")
        return ctx.define(name, "c")
    name, roll = ctx.pick(names), ctx.rng.random()
    if roll < 0.2:
        return ctx.emit(f"{name}.w = {bounded(ctx, 1)}")
    if roll < 0.35:
        return ctx.emit(f"{name}.state += 0.2 * np.sin({scalar(ctx, 1)})")
    into = ctx.target("s")
    forms = (f"{name}.step({{}})", f"{name}({{}})", f"{name}.double * np.cos({{}})")
    ctx.emit(f"{into} = np.sin({ctx.pick(forms).format(scalar(ctx, 1))})")
    return ctx.define(into, "s")


@statement
def fold(ctx: Context) -> None:
    """A builtin that consumes a list or a generator."""
    names = [n for n in ctx.names("l") if ctx.scope[n].length]
    if not names:
        return list_display(ctx)
    source, v, w = ctx.pick(names), ctx.fresh(), ctx.fresh()
    forms = (
        f"sum(np.sin({v}) * {ctx.number()} for {v} in {source})",
        f"functools.reduce(lambda {v}, {w}: np.tanh({v} * {w} + 0.3), {source})",
        f"sorted({source})[0]",
        f"max({source}, key=lambda {v}: -{v})",
        f"sum(map(lambda {v}: np.cos({v}), {source}))",
        f"sum({v} * 0.5 for {v} in filter(lambda {w}: {w} > 0.1, {source}))",
        f"sum([{v} * {w} for {v}, {w} in zip({source}, reversed({source}))])",
        f"min({v} * {v} for {v} in {source})",
    )
    into = ctx.target("s")
    text = ctx.pick(forms)
    ctx.emit(f"{into} = np.tanh({text})" if ctx.loops else f"{into} = {text}")
    return ctx.define(into, "s")


@statement
def star_unpack(ctx: Context) -> None:
    """`a, *rest = ...` and reads of the rest."""
    first, rest = ctx.fresh(), ctx.fresh()
    values = ", ".join(scalar(ctx, 1) for _ in range(3))
    ctx.emit(f"{first}, *{rest} = {values}")
    ctx.define(first, "s")
    ctx.define(rest, "l", 2)


@statement
def dict_display(ctx: Context) -> None:
    """A dict displayed or comprehended, then read by items."""
    name = ctx.fresh()
    if ctx.chance(0.5):
        key = ctx.fresh()
        ctx.emit(f'{name} = {{{key}: {bounded(ctx, 1)} for {key} in ("p", "q")}}')
    else:
        ctx.emit(f'{name} = {{"p": {bounded(ctx, 1)}, "q": {bounded(ctx, 1)}}}')
    ctx.define(name, "d")
    if ctx.chance(0.5):
        into, v = ctx.target("s"), ctx.fresh()
        ctx.emit(f"{into} = np.tanh(sum({v} * {v} for {v} in {name}.values()))")
        ctx.define(into, "s")


@statement
def nested_container(ctx: Context) -> None:
    """Containers in containers, unpacked again."""
    name, a, b, c = (ctx.fresh() for _ in range(4))
    values = [scalar(ctx, 1) for _ in range(3)]
    ctx.emit(f"{name} = [({values[0]}, [{values[1]}]), ({values[2]}, [2.0, 0.5])]")
    ctx.emit(f"({a}, [{b}]), {c} = {name}")
    ctx.define(a, "s")
    ctx.define(b, "s")
    into = ctx.target("s")
    ctx.emit(f"{into} = np.sin({a} * {b} + {c}[0] * {c}[1][{index_of(ctx)}])")
    ctx.define(into, "s")


def index_of(ctx: Context) -> str:
    """0, 1 or -1."""
    return str(ctx.pick(("0", "1", "-1")))


@statement
def walrus(ctx: Context) -> None:
    """An assignment inside of a condition."""
    name, into = ctx.fresh(), ctx.target("s")
    if into not in ctx.scope:
        ctx.emit(f"{into} = {ctx.number()}")
        ctx.define(into, "s")
    ctx.emit(f"if ({name} := {bounded(ctx, 1)}) > {ctx.number()}:")
    ctx.emit(f"    {into} = np.sin({name} * {scalar(ctx, 1)})")
    ctx.define(name, "s")


@statement
def match_(ctx: Context) -> None:
    """match on an integer or on a tuple."""
    into = ctx.target("s")
    if into not in ctx.scope:
        ctx.emit(f"{into} = {ctx.number()}")
        ctx.define(into, "s")
    if ctx.names("i") and ctx.chance(0.6):
        ctx.emit(f"match {ctx.pick(ctx.names('i'))}:")
        arms = ["0", "1 | 2", "_"]
    else:
        a, b = ctx.fresh(), ctx.fresh()
        ctx.emit(f"match ({scalar(ctx, 1)}, {scalar(ctx, 1)}):")
        arms = [f"({a}, {b}) if {a} > {b}", "_"]
    for arm in arms:
        ctx.emit(f"    case {arm}:")
        ctx.emit(f"        {into} = {bounded(ctx, 1)}")


@statement
def conditional_function(ctx: Context) -> None:
    """A function chosen at run time and called."""
    name, into = ctx.fresh(), ctx.target("s")
    options = [*ctx.names("f"), "np.sin", "math.tanh", "lambda z_: z_ * 0.5"]
    first, second = ctx.pick(options), ctx.pick(options)
    wrap = [f"({f})" if "lambda" in f else f for f in (first, second)]
    ctx.emit(f"{name} = {wrap[0]} if {condition(ctx, 0)} else {wrap[1]}")
    ctx.emit(f"{into} = np.cos({name}({scalar(ctx, 1)}))")
    ctx.define(name, "f")
    ctx.frozen.add(name)
    ctx.define(into, "s")


@statement
def window(ctx: Context) -> None:
    """A deque that forgets."""
    name, v, into = ctx.fresh(), ctx.fresh(), ctx.target("s")
    vectors = ctx.names("v")
    if not vectors:
        return assign(ctx)
    if into not in ctx.scope:
        ctx.emit(f"{into} = {ctx.number()}")
        ctx.define(into, "s")
    ctx.emit(f"{name} = collections.deque(maxlen=2)")
    ctx.emit(f"for {v} in {ctx.pick(vectors)}:")
    ctx.emit(f"    {name}.append({v})")
    return ctx.emit(f"    {into} = np.tanh({into} + sum({name}) * {name}[0])")
