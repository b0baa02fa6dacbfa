"""Statements that build, change and read containers of numbers."""

from __future__ import annotations

import dataclasses

from tests.fuzz.context import Context, statement
from tests.fuzz.control import list_display
from tests.fuzz.expressions import bounded, condition, index, scalar

RECORDS = """class Point(NamedTuple):
    a: float
    b: float = 0.5


Span = collections.namedtuple("Span", "a b")


@dataclasses.dataclass
class Pair:
    left: float
    right: float = 0.3

    def swap(self):
        self.left, self.right = self.right, self.left

    def total(self):
        return self.left * self.right + self.left


@dataclasses.dataclass(frozen=True)
class Frozen:
    left: float
    right: float
"""


def into_scalar(ctx: Context, text: str) -> None:
    """`name = text`, kept bounded inside of loops."""
    into = ctx.target("s")
    ctx.emit(f"{into} = np.tanh({text})" if ctx.loops else f"{into} = {text}")
    ctx.define(into, "s")


def existing(ctx: Context) -> str:
    """A scalar that is surely bound, to be changed by what follows."""
    names = ctx.assignable("s")
    if names and ctx.chance(0.7):
        return str(ctx.pick(names))
    name = ctx.fresh()
    ctx.emit(f"{name} = {ctx.number()}")
    ctx.define(name, "s")
    return name


def _list(ctx: Context, least: int = 1) -> str | None:
    names = [n for n in ctx.names("l") if ctx.scope[n].length >= least]
    if not names:
        list_display(ctx)
        return None
    return str(ctx.pick(names))


def _grow(ctx: Context, name: str, by: int) -> None:
    var = ctx.scope[name]
    ctx.scope[name] = dataclasses.replace(var, length=var.length + by)


@statement
def list_slice(ctx: Context) -> None:
    """Reads, stores and deletions of slices of lists."""
    name = _list(ctx, 2)
    if name is None:
        return None
    a, b = bounded(ctx, 1), bounded(ctx, 1)
    var, roll = ctx.scope[name], ctx.rng.random()
    if roll < 0.3:
        new, length = ctx.fresh(), var.length
        text, kept = ctx.pick(
            (("[1:]", length - 1), ("[:-1]", length - 1), ("[::-1]", length))
        )
        ctx.emit(f"{new} = {name}{text}")
        return ctx.define(new, "l", kept)
    if roll < 0.5:
        return ctx.emit(f"{name}[:2] = [{a}, {b}]")
    if roll < 0.6:
        return ctx.emit(f"{name}[:] = [np.sin({name}[0]), *{name}[1:]]")
    if roll < 0.75 and ctx.loops == 0:
        ctx.emit(f"{name}[1:1] = [{a}, {b}]")
        return _grow(ctx, name, 2)
    if var.length > max(var.floor, 1) + 1:
        ctx.emit(f"del {name}[{ctx.pick(('0', '-1', '1', ':1', '-1:'))}]")
        return _grow(ctx, name, -1)
    return ctx.emit(f"{name}[:] = {name}[::-1]")


@statement
def list_method(ctx: Context) -> None:
    """extend, insert, reverse, sort, clear, +=, * and + of lists."""
    name = _list(ctx)
    if name is None:
        return None
    a, b = bounded(ctx, 1), bounded(ctx, 1)
    if ctx.chance(0.3):
        new, length = ctx.fresh(), ctx.scope[name].length
        text, count = ctx.pick(
            (
                (f"{name} + [{a}]", length + 1),
                (f"{name} * 2", 2 * length),
                (f"{name}.copy()", length),
                (f"list({name})", length),
                (f"[*{name}, {a}, *{name}]", 2 * length + 1),
                (f"[{a}] * 2", 2),
            )
        )
        ctx.emit(f"{new} = {text}")
        return ctx.define(new, "l", count)
    options = [f"{name}.reverse()", f"{name}.reverse()", f"{name}.sort()"]
    if ctx.loops == 0:
        grows = [f"{name}.extend([{a}, {b}])", f"{name} += [{a}, {b}]"]
        grows += [f"{name}.extend(np.sin(z_) for z_ in ({a}, {b}))"]
        if ctx.chance(0.5):
            ctx.emit(ctx.pick(grows))
            return _grow(ctx, name, 2)
        if ctx.chance(0.5):
            ctx.emit(f"{name}.insert({ctx.pick(('0', '1', '-1'))}, {a})")
            return _grow(ctx, name, 1)
    return ctx.emit(ctx.pick(options))


@statement
def alias_of_a_list(ctx: Context) -> None:
    """Two names for one list, which changes through the second."""
    name = _list(ctx)
    if name is None:
        return
    other = ctx.fresh()
    ctx.emit(f"{other} = {name}")
    ctx.emit(f"{other}[{index(ctx, ctx.scope[name].length)}] = {bounded(ctx, 1)}")
    into_scalar(ctx, f"sum({name}) * {name}[0]")


@statement
def dict_method(ctx: Context) -> None:
    """update, setdefault, get, pop, del, items, in, merge of dicts."""
    if not ctx.names("d"):
        name = ctx.fresh()
        ctx.emit(f'{name} = {{"p": {bounded(ctx, 1)}, "q": {bounded(ctx, 1)}}}')
        return ctx.define(name, "d")
    name, value = ctx.pick(ctx.names("d")), bounded(ctx, 1)
    key, other = ctx.rng.sample(["p", "q"], 2)
    roll = ctx.rng.randrange(9)
    if roll == 0:
        return ctx.emit(f'{name}.update({{"{key}": {value}}})')
    if roll == 1:
        return into_scalar(ctx, f'{name}.setdefault("{key}", {value})')
    if roll == 2:
        return into_scalar(ctx, f'{name}.get("{key}", 0.0) * {name}.get("w", {value})')
    if roll == 3:
        into_scalar(ctx, f'{name}.pop("{key}")')
        return ctx.emit(f'{name}["{key}"] = {value}')
    if roll == 4:
        ctx.emit(f'del {name}["{key}"]')
        return ctx.emit(f'{name}["{key}"] = {name}["{other}"] * 0.5')
    if roll == 5:
        k, v, total = ctx.fresh(), ctx.fresh(), existing(ctx)
        ctx.emit(f"for {k}, {v} in {name}.items():")
        ctx.emit(f"    {total} = np.tanh({total} + {v} * len({k}))")
        return None
    if roll == 6:
        new, k = ctx.fresh(), ctx.fresh()
        copied = f"{{{k}: {name}[{k}] * {value} for {k} in {name}}}"
        text = ctx.pick((f'{name} | {{"{key}": {value}}}', f"dict({name})", copied))
        ctx.emit(f"{new} = {text}")
        return ctx.define(new, "d")
    if roll == 7:
        return into_scalar(ctx, f'({name}["{key}"] if "{key}" in {name} else {value})')
    return into_scalar(ctx, f"sum({name}[k_] for k_ in sorted({name}))")


@statement
def computed_dict(ctx: Context) -> None:
    """A dict whose keys are numbers known at run time only."""
    name, i = ctx.fresh(), ctx.fresh()
    ctx.emit(f"{name} = {{}}")
    ctx.emit(f"for {i} in range(3):")
    before = dict(ctx.scope)
    ctx.define(i, "i")
    ctx.emit(f"    {name}[{i}] = np.tanh({scalar(ctx, 1)})")
    ctx.scope = before
    if ctx.chance(0.5):
        at = index(ctx, 3).replace("-", "")
        ctx.emit(f"{name}[{at} % 3] *= {bounded(ctx, 0)}")
    forms = (f"sum({name}.values())", f"{name}[{ctx.bound} % 3] * {name}[0]")
    into_scalar(ctx, ctx.pick(forms))


@statement
def default_dict(ctx: Context) -> None:
    """A defaultdict that counts or collects."""
    name, i, v = (ctx.fresh() for _ in range(3))
    factory = ctx.pick(("float", "list"))
    ctx.emit(f"{name} = collections.defaultdict({factory})")
    vectors = ctx.names("v")
    source = ctx.pick(vectors) if vectors else f"[{bounded(ctx, 1)}, {bounded(ctx, 1)}]"
    ctx.emit(f"for {i}, {v} in enumerate({source}):")
    if factory == "float":
        ctx.emit(f"    {name}[{i} % 2] += np.sin({v})")
        return into_scalar(ctx, f"{name}[0] * {name}[1]")
    ctx.emit(f"    {name}[{i} % 2].append({v} * {ctx.number()})")
    return into_scalar(ctx, f"sum({name}[0]) + {name}[1][0] ** 2")


@statement
def set_of_indices(ctx: Context) -> None:
    """A set of numbers that decides what happens."""
    name, i, total = ctx.fresh(), ctx.fresh(), existing(ctx)
    first = ctx.pick(("{0, 2}", "set()", "{1}", f"set(range({ctx.bound}))"))
    ctx.emit(f"{name} = {first}")
    ctx.emit(ctx.pick((f"{name}.add(1)", f"{name}.discard(0)", f"{name} |= {{3}}")))
    ctx.emit(f"for {i} in range(3):")
    ctx.emit(f"    if {i} {ctx.pick(('in', 'not in'))} {name}:")
    ctx.emit(f"        {total} = np.sin({total} * {bounded(ctx, 1)})")
    if ctx.chance(0.5):
        ctx.emit(f"        {name}.add({i} + 1)")


@statement
def deque_(ctx: Context) -> None:
    """A deque: made, appended on both sides, rotated, popped."""
    names = ctx.names("q")
    if not names:
        name = ctx.fresh()
        tail = ctx.pick(("", ", maxlen=3"))
        items = f"[{bounded(ctx, 1)}, {bounded(ctx, 1)}]"
        ctx.emit(f"{name} = collections.deque({items}{tail})")
        return ctx.define(name, "q", 2)
    name, value = ctx.pick(names), bounded(ctx, 1)
    roll = ctx.rng.randrange(6)
    if roll == 0:
        return ctx.emit(f"{name}.append({name}.popleft() * {value})")
    if roll == 1:
        return ctx.emit(f"{name}.appendleft({name}.pop())")
    if roll == 2:
        return ctx.emit(f"{name}.rotate({ctx.pick(('1', '-1'))})")
    if roll == 3 and ctx.loops == 0:
        return ctx.emit(f"{name}.{ctx.pick(('append', 'appendleft'))}({value})")
    if roll == 4:
        return ctx.emit(f"{name}[{ctx.pick(('0', '-1', '1'))}] = {value}")
    return into_scalar(ctx, f"sum({name}) * {name}[0]")


@statement
def record(ctx: Context) -> None:
    """Named tuples and dataclasses: made, read, replaced, changed."""
    kind = ctx.pick("poo")
    names = ctx.names(kind)
    if not names or ctx.chance(0.3):
        name, a, b = ctx.fresh(), bounded(ctx, 1), bounded(ctx, 1)
        made = {
            "p": (f"Point({a}, {b})", f"Point({a})", f"Span(a={a}, b={b})"),
            "o": (f"Pair({a}, {b})", f"Pair(right={a}, left={b})", f"Pair({a})"),
        }
        ctx.emit(f"{name} = {ctx.pick(made[kind])}")
        ctx.define(name, kind)
        if kind == "o":
            part, operator = ctx.pick(("left", "right")), ctx.pick(("=", "+=", "*="))
            ctx.emit(f"{name}.{part} {operator} np.tanh({bounded(ctx, 1)})")
        return None
    name, value = ctx.pick(names), bounded(ctx, 1)
    if kind == "p":
        a, b, new = ctx.fresh(), ctx.fresh(), ctx.fresh()
        if ctx.chance(0.5):
            ctx.emit(f"{new} = {name}._replace(a={value})")
            return ctx.define(new, "p")
        ctx.emit(f"{a}, {b} = {name}")
        ctx.define(a, "s")
        return ctx.define(b, "s")
    roll = ctx.rng.randrange(8)
    if roll == 0:
        return ctx.emit(f"{name}.swap()")
    if roll == 1:
        return into_scalar(ctx, f"{name}.total()")
    if roll == 2:
        new = ctx.fresh()
        ctx.emit(f"{new} = dataclasses.replace({name}, left={value})")
        return ctx.define(new, "o")
    if roll == 3:
        frozen = f"Frozen({value}, right={name}.left)"
        return into_scalar(ctx, f"(lambda z_: z_.left * z_.right)({frozen})")
    operator = ctx.pick(("=", "+=", "*="))
    value = f"np.tanh({value})"
    return ctx.emit(f"{name}.{ctx.pick(('left', 'right'))} {operator} {value}")


@statement
def starred(ctx: Context) -> None:
    """Unpacking with a star, at every place."""
    a, rest, b = (ctx.fresh() for _ in range(3))
    values = ", ".join(bounded(ctx, 1) for _ in range(4))
    source = ctx.pick((f"({values})", f"[{values}]"))
    vectors = ctx.names("v", 4)
    if vectors and ctx.chance(0.4):
        source = str(ctx.pick(vectors))
    forms = ((f"*{rest}, {b}", 3), (f"{a}, *{rest}, {b}", 2), (f"{a}, *{rest}", 3))
    left, length = ctx.pick(forms)
    ctx.emit(f"{left} = {source}")
    for name in (a, b):
        if name in left.replace(rest, "").replace("*", " ").split(", "):
            ctx.define(name, "s")
    ctx.define(rest, "l", length)


@statement
def consumed(ctx: Context) -> None:
    """Builtins and generators that consume containers of active elements."""
    name = _list(ctx)
    if name is None:
        return
    v, w, i = (ctx.fresh() for _ in range(3))
    c = bounded(ctx, 1)
    forms = (
        f"sum({v} * {w} for {v}, {w} in zip({name}, reversed({name})))",
        f"sum({v} * ({i} + 1) for {i}, {v} in enumerate({name}))",
        f"max({name}) - min({name})",
        f"sum(sorted({name})[:1])",
        f"sorted({name}, reverse=True)[-1] * {c}",
        f"list(reversed({name}))[0] + {c}",
        f"sorted({name}, key=lambda {v}: -{v})[0]",
        f"max({name}, default={c})",
        f"sum(map(lambda {v}: {v} * {c}, {name}))",
        f"sum(map(lambda {v}, {w}: {v} * {w}, {name}, {name}[::-1]))",
        f"sum(filter(lambda {v}: {v} > 0, {name}))",
        f"sum({v} for {v} in {name} if {v} < {ctx.number()})",
        f"functools.reduce(lambda {v}, {w}: np.sin({v} + {w}), {name}, {c})",
        f"sum([{v} * {w} for {v} in {name} for {w} in {name}])",
        f"math.prod({name})",
        f"dict(zip('ab', [{c}, {name}[0]]))['b'] * {c}",
    )
    into_scalar(ctx, ctx.pick(forms))


@statement
def asked(ctx: Context) -> None:
    """Questions about all items of a list, some of which stop at the first answer."""
    name = _list(ctx)
    if name is None:
        return
    v, w, c = ctx.fresh(), ctx.fresh(), bounded(ctx, 1)
    forms = (
        f"(1.0 if any({v} > 0.5 for {v} in {name}) else 0.5) * {c}",
        f"({c} if all({v} < 0.9 for {v} in {name}) else 0.1)",
        f"(any({v} > 0.4 for {v} in {name}) or all({name})) * {c}",
        f"sum({v} for {v} in {name} if any({w} > {v} for {w} in {name}))",
        f"(not any({name}) or all({v} < 2 for {v} in {name})) * {c} + 0.1",
        f"(0.7 if any([{v} * {w} > {c} for {v}, {w} in zip({name}, {name}[1:])]) "
        f"else {name}[0])",
        f"sum({v} for {v} in {name} if not all({v} >= {w} for {w} in {name}))",
    )
    into_scalar(ctx, ctx.pick(forms))


@statement
def nested_change(ctx: Context) -> None:
    """Containers that hold containers, changed through them."""
    outer, a, b = ctx.fresh(), bounded(ctx, 1), bounded(ctx, 1)
    roll = ctx.rng.randrange(4)
    if roll == 0:
        ctx.emit(f"{outer} = [[{a}, {b}], [{b}]]")
        ctx.emit(f"{outer}[{index(ctx, 2)}].append({bounded(ctx, 1)})")
        ctx.emit(f"{outer}[0][1] *= {bounded(ctx, 1)}")
        return into_scalar(ctx, f"sum(sum(r_) for r_ in {outer}) * {outer}[1][0]")
    if roll == 1:
        ctx.emit(f'{outer} = {{"w": [{a}, {b}], "c": {{"z": {b}}}}}')
        ctx.emit(f'{outer}["w"][0] += {bounded(ctx, 1)}')
        ctx.emit(f'{outer}["c"]["z"] = {outer}["w"][0] * 0.5')
        return into_scalar(ctx, f'{outer}["c"]["z"] * {outer}["w"][1]')
    if roll == 2:
        ctx.emit(f"{outer} = ([{a}], {b})")
        ctx.emit(f"{outer}[0].append({outer}[1] * 2.0)")
        return into_scalar(ctx, f"{outer}[0][-1] * {outer}[0][0]")
    i = ctx.fresh()
    ctx.emit(f"{outer} = [({a}, 1)]")
    ctx.emit(f"for {i} in range(2):")
    ctx.emit(f"    {outer}.append((np.sin({outer}[-1][0] * {b}), {i}))")
    return into_scalar(ctx, f"sum(t_[0] * t_[1] for t_ in {outer})")


@statement
def stack(ctx: Context) -> None:
    """A list that grows in one loop and is emptied by another."""
    name, i, total = ctx.fresh(), ctx.fresh(), existing(ctx)
    ctx.emit(f"{name} = []")
    ctx.emit(f"for {i} in range({ctx.pick((ctx.bound, '3'))}):")
    before = dict(ctx.scope)
    ctx.define(i, "i")
    ctx.emit(f"    {name}.append(np.tanh({scalar(ctx, 1)}))")
    ctx.scope = before
    if ctx.chance(0.4):
        ctx.emit(f"    if {condition(ctx, 0)}:")
        ctx.emit(f"        {name}.pop()")
    ctx.emit(f"while {name}:")
    ctx.emit(f"    {total} = np.sin({total} * {name}.pop() + 0.1)")
