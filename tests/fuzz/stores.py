"""Statements of the second grammar: stores, views, swaps, lists that change."""

from __future__ import annotations

from tests.fuzz.context import Context, Var, statement, write_statements
from tests.fuzz.control import assign
from tests.fuzz.expressions import (
    LENGTH,
    bounded,
    condition,
    index,
    read_slice,
    scalar,
    vector,
)


def _some_vector(ctx: Context, least: int = 1) -> str | None:
    names = [n for n in ctx.names("v") if ctx.scope[n].length >= least]
    return str(ctx.pick(names)) if names else None


def _small(ctx: Context, text: str) -> str:
    """A value for a store: bounded inside of loops."""
    if ctx.loops == 0 and ctx.chance(0.5):
        return text
    return str(ctx.pick(("np.tanh({})", "np.sin({})"))).format(text)


def _update(ctx: Context, target: str, value: str) -> None:
    """`target op= value` that cannot grow fast."""
    operator = ctx.pick(("+=", "+=", "-=", "*=", "/="))
    if operator == "/=":
        value = f"1.2 + np.abs({value})"
    elif operator == "*=":
        value = f"np.cos({value})" if ctx.loops else value
    elif ctx.loops:
        value = f"0.3 * np.sin({value})"
    ctx.emit(f"{target} {operator} {value}")


@statement
def buffer(ctx: Context) -> None:
    """A fresh array to be filled."""
    name = ctx.target("v", LENGTH)
    forms = [f"np.zeros({LENGTH})", f"np.ones({LENGTH})", f"np.full({LENGTH}, 0.5)"]
    source = [n for n in ctx.names("v", LENGTH)]
    if source:
        old = ctx.pick(source)
        forms += [f"{old}.copy()", f"np.zeros_like({old})", f"1.0 * {old}"]
        forms += [f"np.array({old})", f"{old} + 0.5"]
    ctx.emit(f"{name} = {ctx.pick(forms)}")
    ctx.define(name, "v", LENGTH)


@statement
def store_element(ctx: Context) -> None:
    """`a[i] = scalar`."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    at = index(ctx, ctx.scope[name].length)
    return ctx.emit(f"{name}[{at}] = {_small(ctx, scalar(ctx, 2))}")


@statement
def update_element(ctx: Context) -> None:
    """`a[i] op= scalar`."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    at = index(ctx, ctx.scope[name].length)
    return _update(ctx, f"{name}[{at}]", scalar(ctx, 1))


def _slice(ctx: Context, total: int) -> tuple[str, int]:
    """A slice of `total` elements and its length."""
    if ctx.chance(0.2):
        return ctx.pick(("::2", "::-2")), (total + 1) // 2
    if ctx.chance(0.15):
        return "::-1", total
    length = ctx.rng.randint(1, total)
    start = ctx.rng.randint(0, total - length)
    stop = start + length
    return f"{start or ''}:{stop if stop < total else ''}", length


@statement
def store_slice(ctx: Context) -> None:
    """`a[i:j] = vector or scalar`, overlaps included."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    where, length = _slice(ctx, ctx.scope[name].length)
    roll = ctx.rng.random()
    if roll < 0.25 and length < ctx.scope[name].length:
        value = read_slice(ctx, name, length)
    elif roll < 0.4:
        value = _small(ctx, scalar(ctx, 1))
    else:
        value = _small(ctx, vector(ctx, length, 1))
    return ctx.emit(f"{name}[{where}] = {value}")


@statement
def update_slice(ctx: Context) -> None:
    """`a[i:j] op= vector`."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    where, length = _slice(ctx, ctx.scope[name].length)
    value = vector(ctx, length, 1)
    if length < ctx.scope[name].length and ctx.chance(0.3):
        value = read_slice(ctx, name, length)
    return _update(ctx, f"{name}[{where}]", value)


@statement
def store_fancy(ctx: Context) -> None:
    """A store or update by an integer array, with repeats."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    total, count = ctx.scope[name].length, ctx.rng.randint(1, 3)
    picks = str([ctx.rng.randint(-total, total - 1) for _ in range(count)])
    where = picks if ctx.chance(0.5) else f"np.array({picks})"
    value = vector(ctx, count, 1)
    if ctx.chance(0.3):
        return ctx.emit(f"np.add.at({name}, {where}, 0.2 * np.sin({value}))")
    if ctx.chance(0.5):
        return _update(ctx, f"{name}[{where}]", value)
    return ctx.emit(f"{name}[{where}] = {_small(ctx, value)}")


@statement
def store_masked(ctx: Context) -> None:
    """A store or update by a boolean array."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    length = ctx.scope[name].length
    mask = f"{vector(ctx, length, 0)} > {ctx.number()}"
    if ctx.chance(0.5):
        return _update(ctx, f"{name}[{mask}]", scalar(ctx, 1))
    return ctx.emit(f"{name}[{mask}] = {_small(ctx, scalar(ctx, 1))}")


@statement
def update_array(ctx: Context) -> None:
    """`a op= vector or scalar` on a whole array."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    length = ctx.scope[name].length
    value = scalar(ctx, 1) if ctx.chance(0.3) else vector(ctx, length, 1)
    return _update(ctx, name, value)


@statement
def view(ctx: Context) -> None:
    """A view of a vector or of a matrix, or a view of a view."""
    if ctx.names("m") and ctx.chance(0.4):
        return _matrix_view(ctx)
    source = _some_vector(ctx, 2)
    if source is None:
        return buffer(ctx)
    total, name = ctx.scope[source].length, ctx.fresh()
    where, length = _slice(ctx, total)
    text = f"{source}[{where}]"
    if total == 4 and ctx.chance(0.2):
        text, length = ctx.pick(
            (
                (f"{source}.reshape(2, 2)[{ctx.rng.randint(0, 1)}]", 2),
                (f"{source}.reshape(2, 2).T[{ctx.rng.randint(0, 1)}]", 2),
                (f"{source}.reshape(-1)", 4),
                (f"np.asarray({source})", 4),
                (f"{source}.reshape(2, 2).T.reshape(-1)", 4),
            )
        )
    ctx.emit(f"{name} = {text}")
    return ctx.define(name, "v", length)


def _matrix_view(ctx: Context) -> None:
    source, name = ctx.pick(ctx.names("m")), ctx.fresh()
    text, length = ctx.pick(
        (
            (f"{source}[{ctx.rng.randint(-2, 1)}]", 3),
            (f"{source}[:, {ctx.rng.randint(-3, 2)}]", 2),
            (f"{source}.T[{ctx.rng.randint(0, 2)}]", 2),
            (f"{source}.reshape(-1)", 6),
            (f"{source}.ravel()", 6),
            (f"{source}.T[1:, 0]", 2),
            (f"{source}.T.reshape(-1)", 6),
        )
    )
    ctx.emit(f"{name} = {text}")
    ctx.define(name, "v", length)


@statement
def alias(ctx: Context) -> None:
    """A second name for an array, sometimes chosen at run time."""
    source = _some_vector(ctx)
    if source is None:
        return buffer(ctx)
    length = ctx.scope[source].length
    others = [n for n in ctx.names("v", length) if n != source]
    text = source
    if others and ctx.chance(0.35):
        text = f"{source} if {condition(ctx, 0)} else {ctx.pick(others)}"
    name = ctx.target("v", length)
    ctx.emit(f"{name} = {text}")
    return ctx.define(name, "v", length)


@statement
def swap_arrays(ctx: Context) -> None:
    """`a, b = b, a` of arrays of one length."""
    for length in (LENGTH, 3, 2):
        names = ctx.assignable("v", length)
        if len(names) >= 2:
            ctx.rng.shuffle(names)
            left = names[: ctx.rng.randint(2, min(3, len(names)))]
            right = left[1:] + left[:1]
            return ctx.emit(f"{', '.join(left)} = {', '.join(right)}")
    return buffer(ctx)


@statement
def matrix_store(ctx: Context) -> None:
    """A store into a matrix: element, row, column, through the transpose."""
    if not ctx.names("m"):
        name = ctx.fresh()
        ctx.emit(f"{name} = {ctx.pick(('np.zeros((2, 3))', 'np.full((2, 3), 0.4)'))}")
        return ctx.define(name, "m")
    name = ctx.pick(ctx.names("m"))
    i, j = index(ctx, 2), index(ctx, 3)
    targets = {
        f"{name}[{i}, {j}]": 0,
        f"{name}[{i}][{j}]": 0,
        f"{name}.T[{j}, {i}]": 0,
        f"{name}[{i}]": 3,
        f"{name}[:, {j}]": 2,
        f"{name}[..., {j}]": 2,
        f"{name}.T[{j}]": 2,
        f"{name}[{i}, 1:]": 2,
        f"{name}[[0, 1], [2, {ctx.rng.randint(0, 2)}]]": 2,
    }
    target = ctx.pick(list(targets))
    length = targets[target]
    value = vector(ctx, length, 1) if length else scalar(ctx, 1)
    if ctx.chance(0.55):
        return _update(ctx, target, value)
    return ctx.emit(f"{target} = {_small(ctx, value)}")


@statement
def out_argument(ctx: Context) -> None:
    """A NumPy function that writes into its argument."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    length = ctx.scope[name].length
    a, b = vector(ctx, length, 0), vector(ctx, length, 1)
    forms = (
        f"np.multiply(np.sin({a}), {b}, out={name})",
        f"np.add(np.sin({a}), np.tanh({b}), out={name})",
        f"np.tanh({b}, out={name})",
        f"np.copyto({name}, np.sin({b}))",
        f"{name}.fill({_small(ctx, scalar(ctx, 1))})",
        f"np.put({name}, [0, -1], np.cos({scalar(ctx, 1)}))",
    )
    return ctx.emit(ctx.pick(forms))


@statement
def list_change(ctx: Context) -> None:
    """append, pop, item store, insert on a list of scalars."""
    names = ctx.names("l")
    if not names:
        name = ctx.fresh()
        ctx.emit(f"{name} = [{bounded(ctx, 1)}]")
        return ctx.define(name, "l", 1)
    name = ctx.pick(names)
    var, roll = ctx.scope[name], ctx.rng.random()
    if roll < 0.45:
        ctx.emit(f"{name}.append({_small(ctx, scalar(ctx, 1))})")
        ctx.scope[name] = Var("l", var.length + 1, var.floor)
        return None
    if roll < 0.65 and var.length > max(var.floor, 1):
        into = ctx.target("s")
        ctx.scope[name] = Var("l", var.length - 1, var.floor)
        ctx.emit(f"{into} = {name}.pop({ctx.pick(('', '', '0'))})")
        return ctx.define(into, "s")
    if var.length and roll < 0.85:
        ctx.emit(f"{name}[{index(ctx, var.length)}] = {_small(ctx, scalar(ctx, 1))}")
        return None
    if var.length:
        return _update(ctx, f"{name}[{index(ctx, var.length)}]", scalar(ctx, 1))
    return assign(ctx)


@statement
def list_of_arrays(ctx: Context) -> None:
    """Arrays stored into through a list that holds them."""
    names = ctx.names("v", LENGTH)
    if not names:
        return buffer(ctx)
    name, count = ctx.fresh(), ctx.rng.randint(2, 3)
    ctx.emit(f"{name} = [{', '.join(ctx.pick(names) for _ in range(count))}]")
    at, where = index(ctx, count), index(ctx, LENGTH)
    if ctx.chance(0.5):
        return ctx.emit(f"{name}[{at}][{where}] = {_small(ctx, scalar(ctx, 1))}")
    return _update(ctx, f"{name}[{at}]", scalar(ctx, 1))


@statement
def dict_change(ctx: Context) -> None:
    """A dict that is made or stored into."""
    names = ctx.names("d")
    if not names:
        name = ctx.fresh()
        ctx.emit(f'{name} = {{"p": {bounded(ctx, 1)}, "q": {bounded(ctx, 1)}}}')
        return ctx.define(name, "d")
    target = f'{ctx.pick(names)}["{ctx.pick("pq")}"]'
    if ctx.chance(0.5):
        return _update(ctx, target, scalar(ctx, 1))
    return ctx.emit(f"{target} = {_small(ctx, scalar(ctx, 1))}")


@statement
def try_(ctx: Context) -> None:
    """try with an exception that may be thrown, from a loop too."""
    if ctx.tries or ctx.loops > 1:
        return assign(ctx)
    ctx.tries += 1
    ctx.emit("try:")
    with ctx.block():
        write_statements(ctx, ctx.rng.randint(1, 3))
        if ctx.chance(0.7):
            ctx.emit(f"if {condition(ctx, 0)}:")
            ctx.emit('    raise ValueError("stop")')
        write_statements(ctx, ctx.rng.randint(1, 2))
    ctx.tries -= 1
    ctx.emit(
        ctx.pick(("except ValueError:", "except (ValueError, KeyError) as error:"))
    )
    with ctx.block():
        write_statements(ctx, ctx.rng.randint(1, 2))
    if ctx.chance(0.3):
        ctx.emit("else:")
        with ctx.block():
            write_statements(ctx, 1)
    if ctx.chance(0.3):
        ctx.emit("finally:")
        with ctx.block():
            write_statements(ctx, 1)
    return None


@statement
def raise_(ctx: Context) -> None:
    """An exception under a condition, inside of a try only."""
    if not ctx.tries:
        return store_element(ctx)
    ctx.emit(f"if {condition(ctx, 0)}:")
    return ctx.emit('    raise ValueError("deep")')
