"""More statements of the second grammar: functions that write, views in loops, buffers
in containers."""

from __future__ import annotations

from tests.fuzz.context import Context, statement
from tests.fuzz.expressions import LENGTH, bounded, index, scalar, vector
from tests.fuzz.stores import _some_vector, buffer, matrix_store


def _matrix(ctx: Context) -> str | None:
    names = ctx.names("m")
    if not names:
        matrix_store(ctx)
        return None
    return str(ctx.pick(names))


@statement
def writing_function(ctx: Context) -> None:
    """put, place, putmask, sort, flat, copyto and ufunc methods that write."""
    name = _some_vector(ctx, 2)
    if name is None:
        return buffer(ctx)
    length = ctx.scope[name].length
    a, b = vector(ctx, length, 0), vector(ctx, length, 1)
    two, s = vector(ctx, 2, 0), bounded(ctx, 1)
    mask = f"{a} > {ctx.number()}"
    forms = (
        f"np.put({name}, [0, -1], np.sin({two}))",
        f"np.put({name}, [1, 1], np.cos({two}))",
        f"{name}.put([0, 1], {s})",
        f"np.place({name}, {mask}, np.sin({two}))",
        f"np.putmask({name}, {mask}, np.tanh({b}))",
        f"np.copyto({name}, np.tanh({b}), where={mask})",
        f"np.copyto({name}, {s})",
        f"{name}.sort()",
        f"{name}[::-1].sort()",
        f"{name}.fill({s})",
        f"{name}.flat[{index(ctx, length)}] = {s}",
        f"{name}.flat[1:] = {s}",
        f"{name}.flat[{index(ctx, length)}] *= {s}",
        f"np.subtract.at({name}, [0, 1, 0], {s})",
        f"np.add({name}, np.sin({b}), out={name})",
        f"np.multiply({name}[:2], {two}, out={name}[-2:])",
        f"np.add({name}, {s}, out={name}, where={mask})",
        f"np.negative({name}, out={name})",
        f"np.clip({name}, -0.8, 0.9, out={name})",
        f"np.cumsum(np.tanh({b}), out={name})",
    )
    return ctx.emit(ctx.pick(forms))


@statement
def power_in_place(ctx: Context) -> None:
    """`**=`, `/=` and `//=`-free operators on arrays, elements and slices."""
    name = _some_vector(ctx)
    if name is None:
        return buffer(ctx)
    length = ctx.scope[name].length
    ctx.emit(f"{name}[...] = np.tanh({name})")
    target = ctx.pick((name, f"{name}[{index(ctx, length)}]", f"{name}[:1]"))
    return ctx.emit(f"{target} {ctx.pick(('**= 2', '**= 3', '/= 1.7', '*= -1'))}")


@statement
def swap_elements(ctx: Context) -> None:
    """Elements, rows and slices of one array that change places."""
    if ctx.names("m") and ctx.chance(0.4):
        m = ctx.pick(ctx.names("m"))
        forms = (
            f"{m}[[0, 1]] = {m}[[1, 0]]",
            f"{m}[0], {m}[1] = {m}[1].copy(), {m}[0].copy()",
            f"{m}[:, 0], {m}[:, 2] = {m}[:, 2].copy(), {m}[:, 0].copy()",
            f"{m}[...] = {m}[::-1]",
        )
        return ctx.emit(ctx.pick(forms))
    name = _some_vector(ctx, 2)
    if name is None:
        return buffer(ctx)
    s = ctx.target("s")
    forms = (
        f"{name}[0], {name}[1] = {name}[1], {name}[0]",
        f"{name}[[0, 1]] = {name}[[1, 0]]",
        f"{name}[0], {s} = {bounded(ctx, 1)}, {name}[0]",
        f"{name}[:] = {name}[::-1]",
        f"{name}[1:] = {name}[:-1]",
        f"{name}[:-1] += {name}[1:]",
    )
    text = ctx.pick(forms)
    ctx.emit(text)
    return ctx.define(s, "s") if f", {s} = " in text else None


@statement
def views_in_a_loop(ctx: Context) -> None:
    """Rows, unpacked rows and slices that a loop writes through."""
    m = _matrix(ctx)
    if m is None:
        return None
    i, row, s = ctx.fresh(), ctx.fresh(), bounded(ctx, 1)
    roll = ctx.rng.randrange(6)
    if roll == 0:
        ctx.emit(f"for {row} in {m}:")
        return ctx.emit(f"    {row}[{index(ctx, 3)}] = np.sin({row}[0] * {s})")
    if roll == 1:
        ctx.emit(f"for {i}, {row} in enumerate({m}):")
        return ctx.emit(f"    {row} *= 0.5 + {i}")
    if roll == 2:
        ctx.emit(f"for {i} in range(2):")
        ctx.emit(f"    {row} = {m}[{i}]")
        return ctx.emit(f"    {row}[1:] = np.tanh({row}[:-1] + {s})")
    if roll == 3:
        first, second = ctx.fresh(), ctx.fresh()
        ctx.emit(f"{first}, {second} = {m}")
        ctx.emit(f"{first}[1] = {second}[0] * {s}")
        ctx.define(first, "v", 3)
        return ctx.define(second, "v", 3)
    if roll == 4:
        ctx.emit(f"for {i} in range(1, 3):")
        return ctx.emit(f"    {m}[:, {i}] += 0.3 * np.sin({m}[:, {i} - 1])")
    ctx.emit(f"for {row} in {m}.T:")
    return ctx.emit(f"    {row}[0] = np.cos({row}[1] + {s})")


@statement
def matrix_forms(ctx: Context) -> None:
    """Stores into matrices by masks, meshes, diagonals, broadcasting."""
    m = _matrix(ctx)
    if m is None:
        return None
    v, w, s = vector(ctx, 3, 1), vector(ctx, 2, 0), bounded(ctx, 1)
    forms = (
        f"{m}[{m} > {ctx.number()}] = {s}",
        f"{m}[np.ix_([0, 1], [2, 0])] *= {s}",
        f"np.fill_diagonal({m}, {s})",
        f"{m} += np.sin({v})",
        f"{m} *= np.cos({w})[:, None]",
        f"{m}.T[...] = np.tanh({m}.T + {s})",
        f"{m}.T[1:] = {s}",
        f"{m}.reshape(3, 2)[1] = np.sin({w})",
        f"{m}[:, ::2] = np.tanh({m}[:, :2])",
        f"{m}[1, {index(ctx, 3)}] *= {s}",
        f"{m}[:, 1:] += 0.3 * np.sin({m}[:, :2])",
        f"{m}[0, ::2] -= {s}",
        f"{m}.flat[{index(ctx, 6)}] = {s}",
        f"{m}[1, {m}[0] > 0] = {s}",
        f"np.add.at({m}, ([0, 0], [1, 1]), {s})",
        f"{m}[-1][1:] = np.sin({w})",
        f"{m}.sort(axis={ctx.pick(('0', '1'))})",
        f"{m}.T.reshape(-1)[0] = {s}",
        f"np.add({m}, {m}[::-1], out={m})",
    )
    return ctx.emit(ctx.pick(forms))


@statement
def rolling_buffers(ctx: Context) -> None:
    """Two buffers that a loop swaps and fills, as solvers of equations do."""
    u, v, i = (ctx.fresh() for _ in range(3))
    source = ctx.pick(ctx.names("v", LENGTH) or [f"np.full({LENGTH}, 0.3)"])
    ctx.emit(f"{u}, {v} = {source}.copy(), np.zeros({LENGTH})")
    ctx.emit(f"for {i} in range({ctx.pick((ctx.bound, '2', '3'))}):")
    body = (
        f"{v}[1:] = np.sin({u}[:-1] + {bounded(ctx, 0)})",
        f"{v}[{i} % 4] = np.tanh({u}[0] * {u}[1] + {bounded(ctx, 0)})",
        f"{v}[...] = 0.5 * {u} + {v}",
    )
    ctx.emit(f"    {ctx.pick(body)}")
    ctx.emit(f"    {u}, {v} = {v}, {u}")
    ctx.define(u, "v", LENGTH)
    ctx.define(v, "v", LENGTH)


@statement
def buffers_in_containers(ctx: Context) -> None:
    """Arrays written through lists, tuples, dicts and attributes that hold them."""
    name = ctx.fresh()
    old = ctx.names("v", LENGTH)
    a = ctx.pick(old) if old else f"np.ones({LENGTH})"
    s, w = bounded(ctx, 1), bounded(ctx, 1)
    roll = ctx.rng.randrange(6)
    if roll == 0:
        ctx.emit(f"{name} = [np.zeros({LENGTH}), {a}]")
        ctx.emit(f"{name}[{ctx.pick('01')}][{index(ctx, LENGTH)}] += {s}")
        ctx.emit(f"{name}[0], {name}[1] = {name}[1], {name}[0]")
        return ctx.emit(f"{name}[0][1:3] = {w}")
    if roll == 1:
        ctx.emit(f'{name} = {{"u": {a}, "w": np.full({LENGTH}, {s})}}')
        ctx.emit(f'{name}["w"][1:] *= {name}["u"][:-1]')
        return ctx.emit(f'{name}["u"][{index(ctx, LENGTH)}] = np.sum({name}["w"])')
    if roll == 2:
        low, high = ctx.fresh(), ctx.fresh()
        ctx.emit(f"{name} = np.tanh({a})")
        ctx.emit(f"{low}, {high} = {name}[:2], {name}[2:]")
        ctx.emit(f"{low}[...] = {high} * {s}")
        ctx.define(name, "v", LENGTH)
        ctx.define(low, "v", 2)
        return ctx.define(high, "v", 2)
    if roll == 3:
        i = ctx.fresh()
        ctx.emit(f"{name} = [np.zeros(2) for _ in range(3)]")
        ctx.emit(f"for {i} in range(1, 3):")
        ctx.emit(f"    {name}[{i}][0] = np.sin({name}[{i} - 1][0] + {s})")
        ctx.emit(f"    {name}[{i} - 1] *= 0.5")
        total = ctx.target("s")
        ctx.emit(f"{total} = {name}[2][0] + {name}[1][0]")
        return ctx.define(total, "s")
    if roll == 4:
        b = ctx.fresh()
        ctx.emit(f"{name} = ({a}, np.full({LENGTH}, {w}))")
        ctx.emit(f"for {b} in {name}:")
        return ctx.emit(f"    {b}[{index(ctx, LENGTH)}] = np.sin({b}[0] + {s})")
    ctx.emit(f"{name} = types.SimpleNamespace(u={a}, w={s})")
    ctx.emit(f"{name}.u[{index(ctx, LENGTH)}] = {name}.w")
    total = ctx.target("s")
    ctx.emit(f"{total} = np.sum({name}.u[1:]) * {name}.w")
    return ctx.define(total, "s")


@statement
def moving_index(ctx: Context) -> None:
    """Integer arrays that are permuted, filled and used as indices."""
    p, i = ctx.fresh(), ctx.fresh()
    name = _some_vector(ctx, LENGTH)
    if name is None:
        return buffer(ctx)
    ctx.emit(f"{p} = np.{ctx.pick(('array([2, 0, 3, 1])', 'arange(4)[::-1].copy()'))}")
    roll = ctx.rng.randrange(4)
    if roll == 0:
        ctx.emit(f"for {i} in range(3):")
        ctx.emit(f"    {name}[{p}[{i}]] += 0.5 * {name}[{p}[{i} + 1]]")
        return ctx.emit(f"    {p}[{i} + 1] = {p}[{i}]")
    if roll == 1:
        ctx.emit(f"{name}[{p}[:2]] = np.sin({name}[{p}[2:]])")
        return ctx.emit(f"{p}[:] = 0")
    if roll == 2:
        ctx.emit(f"{p} = np.where({name} > {ctx.number()})[0]")
        return ctx.emit(f"{name}[{p}] *= {scalar(ctx, 1)}")
    ctx.emit(f"{p} = np.argsort({name})")
    return ctx.emit(f"{name}[{p}[0]] = np.tanh({scalar(ctx, 1)})")
