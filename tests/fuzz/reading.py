"""Statements that read containers step by step, or by name, while these change."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement
from tests.fuzz.expressions import bounded, condition, index, scalar

GENERATORS = """def halves(v, k):
    for i_ in range(k):
        yield v
        v = np.sin(v) * 0.5 + 0.1 * i_


def above(values, least):
    for v_ in values:
        if v_ > least:
            yield v_ * v_
    yield least


def joined(first, second):
    yield from first
    yield from halves(second, 2)


def running(values):
    total = 0.0
    for k_, v_ in enumerate(values):
        total = np.tanh(total + v_)
        if k_ > 2:
            return
        yield k_, total
"""


def _list(ctx: Context) -> str:
    """A list with an element at least."""
    names = [n for n in ctx.names("l") if ctx.scope[n].length]
    if names and ctx.chance(0.8):
        return str(ctx.pick(names))
    name = ctx.fresh()
    ctx.emit(f"{name} = [{bounded(ctx, 1)}, {bounded(ctx, 1)}]")
    ctx.define(name, "l", 2)
    return name


def _dict(ctx: Context) -> str:
    """A dict with the keys p and q."""
    names = ctx.names("d")
    if names and ctx.chance(0.8):
        return str(ctx.pick(names))
    name = ctx.fresh()
    ctx.emit(f'{name} = {{"p": {bounded(ctx, 1)}, "q": {bounded(ctx, 1)}}}')
    ctx.define(name, "d")
    return name


@statement
def named_iterator(ctx: Context) -> None:
    """An iterator that has a name, read by next, by loops and by builtins."""
    names, a = ctx.names("z"), bounded(ctx, 1)
    if ctx.chance(0.25):
        return _read_once(ctx)
    if not names or ctx.chance(0.3):
        name, source = ctx.fresh(), _list(ctx)
        forms = [f"iter({source})", f"iter(({a}, {bounded(ctx, 1)}, 0.5))"]
        forms += [f"iter({v})" for v in ctx.names("v")[:1]]
        ctx.emit(f"{name} = {ctx.pick(forms)}")
        return ctx.define(name, "z")
    name = ctx.pick(names)
    if ctx.chance(0.6):
        return into_scalar(ctx, f"next({name}, {a})")
    if ctx.chance(0.4):
        forms = [f"sum({name}) * {a}", f"max({name}, default={a})"]
        return into_scalar(ctx, ctx.pick(forms))
    return _loop_along(ctx, name)


def _read_once(ctx: Context) -> None:
    """An iterator that computes its items when they are read."""
    name, v, a, source = ctx.fresh(), ctx.fresh(), bounded(ctx, 1), _list(ctx)
    forms = [f"map(np.sin, {source})", f"({v} * {a} for {v} in {source})"]
    forms += [f"halves({a}, 3)", f"filter(lambda {v}: {v} > 0.1, {source})"]
    forms += [f"above({source}, {a})"]
    ctx.emit(f"{name} = {ctx.pick(forms)}")
    if ctx.chance(0.4):
        ctx.emit(f"{source}[0] = {bounded(ctx, 1)}")
    if ctx.chance(0.5):
        return into_scalar(ctx, f"sum({name}) * {a}")
    return _loop_along(ctx, name)


def _loop_along(ctx: Context, name: str) -> None:
    v, total = ctx.fresh(), existing(ctx)
    ctx.emit(f"for {v} in {name}:")
    ctx.emit(f"    {total} = np.sin({total} + {v})")
    if ctx.chance(0.6):
        ctx.emit(f"    if {total} > {ctx.number()}:")
        ctx.emit("        break")


@statement
def named_pairs(ctx: Context) -> None:
    """enumerate and zip that have a name, along a list that changes."""
    name, k, v, source = ctx.fresh(), ctx.fresh(), ctx.fresh(), _list(ctx)
    total, a = existing(ctx), bounded(ctx, 1)
    form = ctx.pick(("enumerate({0})", "zip(range(4), {0})", "enumerate({0}, 1)"))
    ctx.emit(f"{name} = {form.format(source)}")
    if ctx.chance(0.4):
        ctx.emit(f"{source}[{index(ctx, ctx.scope[source].length)}] = {a}")
    ctx.emit(f"for {k}, {v} in {name}:")
    ctx.emit(f"    {total} = np.tanh({total} * {v} + 0.2 * {k})")
    if ctx.chance(0.3):
        ctx.emit(f"    if {k} > 0:")
        ctx.emit(f"        {ctx.pick(('break', f'{source}[-1] = {a}'))}")


@statement
def named_view(ctx: Context) -> None:
    """keys, values and items of a dict under a name, read after the dict changed."""
    source, name, a = _dict(ctx), ctx.fresh(), bounded(ctx, 1)
    method = ctx.pick(("values", "values", "items", "keys"))
    ctx.emit(f"{name} = {source}.{method}()")
    other = source
    if ctx.chance(0.3):
        other = ctx.fresh()
        ctx.emit(f"{other} = {source}")
    changes = (f'{other}["p"] = {a}', f'{other}["q"] *= {a}')
    changes += (f'{other}.update({{"p": {a}}})', f'{other}["w"] = {a}')
    if ctx.chance(0.7):
        change = ctx.pick(changes)
        guarded = ctx.chance(0.3) and "w" not in change
        if guarded:
            ctx.emit(f"if {condition(ctx, 0)}:")
        ctx.emit("    " * guarded + change)
    into_scalar(ctx, _of_view(ctx, name, method, a))


def _of_view(ctx: Context, name: str, method: str, a: str) -> str:
    forms = {
        "values": (f"sum({name}) * {a}", f"max({name})", f"list({name})[0]"),
        "items": (
            f"sum(v_ * len(k_) for k_, v_ in {name})",
            f"dict({name})['q'] * {a}",
        ),
        "keys": (f"({a} if 'w' in {name} else 0.3)", f"len({name}) * {a}"),
    }
    return str(ctx.pick(forms[method]))


@statement
def changed_while_read(ctx: Context) -> None:
    """A loop along a container that its body changes."""
    total, v, i = existing(ctx), ctx.fresh(), ctx.fresh()
    a = bounded(ctx, 1)
    if ctx.chance(0.35):
        source = _dict(ctx)
        ctx.emit(f"for {i}, {v} in {source}.items():")
        body = (f'{source}["q"] = np.sin({v} + {a})', f"{source}[{i}] = {v} * {a}")
        ctx.emit(f"    {total} = np.sin({total} + {v})")
        return ctx.emit(f"    {ctx.pick(body)}")
    source = _list(ctx) if ctx.chance(0.5) else ""
    if source:
        last = index(ctx, ctx.scope[source].length)
        ctx.emit(f"for {i}, {v} in enumerate({source}):")
        body = (f"{source}[{i}] = np.sin({v} * {a})", f"{source}[{last}] = {v} * 0.5")
        ctx.emit(f"    {total} = np.sin({total} + {v})")
        return ctx.emit(f"    {ctx.pick(body)}")
    source = ctx.fresh()
    ctx.emit(f"{source} = [{a}, {bounded(ctx, 1)}, {bounded(ctx, 1)}]")
    copied = ctx.chance(0.3)
    ctx.emit(f"for {v} in {f'list({source})' if copied else source}:")
    ctx.emit(f"    {total} = np.sin({total} + {v})")
    if copied:
        ctx.emit(f"    if {v} > {ctx.number()}:")
        ctx.emit(f"        {source}.remove({v})")
    elif ctx.chance(0.6):
        ctx.emit(f"    if len({source}) < 6 and {v} > {ctx.number()}:")
        ctx.emit(f"        {source}.append({v} * {bounded(ctx, 0)})")
    else:
        ctx.emit(f"    if len({source}) > 1:")
        ctx.emit(f"        {total} = np.sin({total} * {source}.pop())")
    return into_scalar(ctx, f"sum({source})")


@statement
def dict_of_lists(ctx: Context) -> None:
    """A dict whose values are lists: they grow, change, move, and are read."""
    names = ctx.names("D")
    if not names or ctx.chance(0.25):
        name, a, b = ctx.fresh(), bounded(ctx, 1), bounded(ctx, 1)
        forms = (
            f'{{"p": [{a}, {b}], "q": [{b}]}}',
            f'{{k_: [{a}] for k_ in ("p", "q")}}',
            f"dict(p=[{a}], q=[{b}, {a}])",
        )
        ctx.emit(f"{name} = {ctx.pick(forms)}")
        return ctx.define(name, "D")
    name, a, (k, v) = ctx.pick(names), bounded(ctx, 1), (ctx.fresh(), ctx.fresh())
    key, other = ctx.rng.sample(["p", "q"], 2)
    at = ctx.pick(("0", "-1", "len({0}) - 1")).format(f'{name}["{key}"]')
    changes = [f'{name}["{key}"][{at}] = {a}', f'{name}["{key}"][{at}] *= {a}']
    changes += [f'{name}["{key}"] = [{a}, {name}["{other}"][0]]']
    changes += [f'{name}["p"], {name}["q"] = {name}["q"], {name}["p"]']
    changes += [f'{name}["{key}"] = {name}["{other}"]']
    if ctx.loops == 0:
        changes += [f'{name}["{key}"].append({a})'] * 2
        changes += [f'{name}.setdefault("{ctx.pick("pw")}", []).append({a})']
    roll = ctx.rng.random()
    if roll < 0.55:
        return ctx.emit(ctx.pick(changes))
    if roll < 0.75:
        total = existing(ctx)
        ctx.emit(f"for {k}, {v} in {name}.items():")
        ctx.emit(f"    for e_ in {v}:")
        ctx.emit(f"        {total} = np.sin({total} + e_ * len({k}))")
        return ctx.emit(f"    {v}[0] = {v}[-1] * {a}") if ctx.chance(0.4) else None
    forms = (
        f'sum({name}["{key}"]) * {a}',
        f"sum(sum({v}) for {v} in {name}.values())",
        f"{{{k}: sum({v}) for {k}, {v} in {name}.items()}}['{key}']",
        f'{name}["{key}"][-1] * {name}["{other}"][0]',
    )
    return into_scalar(ctx, ctx.pick(forms))


@statement
def list_of_lists(ctx: Context) -> None:
    """Rows of numbers: read and stored by computed indices, swapped, shared, copied."""
    names, a = ctx.names("M"), bounded(ctx, 1)
    if not names or ctx.chance(0.25):
        name, b = ctx.fresh(), bounded(ctx, 1)
        forms = (
            f"[[{a}, 0.2, {b}], [0.5, {b}, {a}]]",
            f"[[{a} * j_ + i_ for j_ in range(3)] for i_ in range(2)]",
            "[[0.1] * 3 for _ in range(2)]",
        )
        ctx.emit(f"{name} = {ctx.pick(forms)}")
        return ctx.define(name, "M")
    name = ctx.pick(names)
    row, column = index(ctx, 2), index(ctx, 3)
    roll = ctx.rng.random()
    if roll < 0.35:
        operator = ctx.pick(("=", "+=", "*="))
        return ctx.emit(f"{name}[{row}][{column}] {operator} np.tanh({a})")
    if roll < 0.45:
        swap = f"{name}[0], {name}[1] = {name}[1], {name}[0]"
        return ctx.emit(ctx.pick((swap, f"{name}[{row}] = [{a}, 0.3, {a}]")))
    if roll < 0.55:
        kept = ctx.fresh()
        ctx.emit(f"{kept} = {name}[{row}]")
        ctx.emit(f"{kept}[{column}] = {a}")
        return ctx.define(kept, "l", 3) if ctx.loops == 0 else None
    if roll < 0.65:
        new = ctx.fresh()
        forms = (
            f"[r_[:] for r_ in {name}]",
            f"[[v_ * {a} for v_ in r_] for r_ in {name}]",
        )
        ctx.emit(f"{new} = {ctx.pick(forms)}")
        return ctx.define(new, "M")
    forms = (
        f"{name}[{row}][{column}] * {a}",
        f"sum(map(sum, {name}))",
        f"sum(c_[0] * c_[1] for c_ in zip(*{name}))",
        f"sum(v_ * {a} for r_ in {name} for v_ in r_)",
        f"max(max(r_) for r_ in {name})",
        f"sum([list(c_) for c_ in zip(*{name})][{column}])",
    )
    return into_scalar(ctx, ctx.pick(forms))


@statement
def tuple_of_lists(ctx: Context) -> None:
    """A tuple that holds lists, which change."""
    name, a, b, v = ctx.fresh(), bounded(ctx, 1), bounded(ctx, 1), ctx.fresh()
    ctx.emit(f"{name} = ([{a}, {b}], [{b}, 0.3])")
    at, total = index(ctx, 2), existing(ctx)
    changes = [f"{name}[0][{at}] = {bounded(ctx, 1)}", f"{name}[1][{at}] *= {a}"]
    changes += [f"{name}[0].append({b})", f"{name}[1].append({a})"]
    ctx.emit(ctx.pick(changes))
    if ctx.chance(0.4):
        first, second = ctx.fresh(), ctx.fresh()
        ctx.emit(f"{first}, {second} = {name}")
        ctx.emit(f"{ctx.pick((first, second))}[-1] = {bounded(ctx, 1)}")
    if ctx.chance(0.4):
        ctx.emit(f"for {v} in {name}:")
        return ctx.emit(f"    {total} = np.sin({total} + {v}[0] * {v}[-1])")
    forms = (f"sum({name}[0]) * {name}[1][{at}]", f"{name}[{at}][-1] + sum({name}[1])")
    return into_scalar(ctx, ctx.pick(forms))


@statement
def dict_comprehension(ctx: Context) -> None:
    """Dicts comprehended from dicts, lists and pairs, some with a condition."""
    name, k, v = ctx.fresh(), ctx.fresh(), ctx.fresh()
    source, a = _dict(ctx), bounded(ctx, 1)
    roll = ctx.rng.randrange(4)
    if roll == 0:
        ctx.emit(f"{name} = {{{k}: {v} * {a} for {k}, {v} in {source}.items()}}")
        return ctx.define(name, "d")
    if roll == 1:
        items = _list(ctx)
        ctx.emit(f"{name} = {{{k}: {v} * {a} for {k}, {v} in enumerate({items})}}")
        return into_scalar(ctx, f"{name}[0] * sum({name}.values())")
    if roll == 2:
        ctx.emit(f"{name} = {{{k}: {v} for {k}, {v} in {source}.items() if {v} > 0.2}}")
        return into_scalar(ctx, f"{name}.get('p', {a}) + sum({name}.values())")
    ctx.emit(f"{name} = {{{k}: [{v}, {a}] for {k}, {v} in {source}.items()}}")
    return ctx.define(name, "D")


@statement
def generators_read(ctx: Context) -> None:
    """Generator functions whose items are read where they are called."""
    a, b, v, k = bounded(ctx, 1), bounded(ctx, 1), ctx.fresh(), ctx.fresh()
    source, total = _list(ctx), existing(ctx)
    if ctx.chance(0.5):
        forms = (
            f"sum(halves({a}, {ctx.bound}))",
            f"max(above({source}, {b}))",
            f"list(joined({source}, {a}))[-1]",
            f"sum({v} for {k}, {v} in running({source}) if {k} < 2)",
            f"sum({v} * {k} for {v}, {k} in zip(halves({a}, 3), {source}))",
            f"dict(running({source}))[0]",
            f"sum(above(halves({a}, 3), {b}))",
        )
        return into_scalar(ctx, ctx.pick(forms))
    heads = (
        f"for {v} in halves({a}, {ctx.bound}):",
        f"for {v} in above({source}, {b}):",
        f"for {v} in joined({source}, {a}):",
        f"for {k}, {v} in running({source}):",
        f"for {k}, {v} in enumerate(above({source}, {b})):",
    )
    ctx.emit(ctx.pick(heads))
    ctx.emit(f"    {total} = np.sin({total} + {v} * {b})")
    if ctx.chance(0.4):
        ctx.emit(f"    if {total} > {ctx.number()}:")
        ctx.emit(f"        {ctx.pick(('break', 'continue'))}")
        return ctx.emit(f"    {total} *= 0.7")
    return None


@statement
def own_generator(ctx: Context) -> None:
    """An inner generator function that reads, and may bind, what is around it."""
    name, total, a = ctx.fresh(), existing(ctx), bounded(ctx, 1)
    ctx.emit(f"def {name}(k_):")
    binds = ctx.chance(0.5)
    if binds:
        ctx.emit(f"    nonlocal {total}")
    ctx.emit("    for i_ in range(k_):")
    if binds:
        ctx.emit(f"        {total} = np.sin({total} + 0.2 * i_)")
    ctx.emit(f"        yield {total} * {a} + i_")
    v, into = ctx.fresh(), existing(ctx)
    if ctx.chance(0.5):
        ctx.emit(f"for {v} in {name}({ctx.bound}):")
        ctx.emit(f"    {into} = np.tanh({into} + {v})")
        if ctx.chance(0.4):
            ctx.emit(f"    if {v} > {ctx.number()}:")
            ctx.emit("        break")
        return
    into_scalar(ctx, f"sum({v} * {scalar(ctx, 0)} for {v} in {name}(2))")
