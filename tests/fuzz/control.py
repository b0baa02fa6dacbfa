"""Statements of the first grammar: assignments, branches, loops, exits, functions."""

from __future__ import annotations

from tests.fuzz.context import Context, statement, write_statements
from tests.fuzz.expressions import LENGTH, bounded, condition, scalar, vector


@statement
def assign(ctx: Context) -> None:
    """`name = scalar`."""
    value, name = bounded(ctx), ctx.target("s")
    ctx.emit(f"{name} = {value}")
    ctx.define(name, "s")


@statement
def plain_copy(ctx: Context) -> None:
    """`name = name`, for numbers."""
    name = ctx.target("s")
    ctx.emit(f"{name} = {ctx.pick(ctx.names('s'))}")
    ctx.define(name, "s")


@statement
def augmented(ctx: Context) -> None:
    """`name op= scalar`."""
    names = ctx.assignable("s")
    if not names:
        return assign(ctx)
    operator = ctx.pick(("+=", "-=", "*=", "/="))
    value = bounded(ctx, 1) if ctx.loops == 0 else f"np.tanh({scalar(ctx, 1)})"
    if operator in ("+=", "-=") and ctx.loops:
        value = f"0.2 * {value}"
    if operator == "/=":
        value = f"(1.2 + ({scalar(ctx, 1)}) ** 2)"
    return ctx.emit(f"{ctx.pick(names)} {operator} {value}")


@statement
def chained(ctx: Context) -> None:
    """`a = b = scalar`."""
    value, first, second = bounded(ctx), ctx.target("s"), ctx.fresh()
    ctx.emit(f"{first} = {second} = {value}")
    ctx.define(first, "s")
    ctx.define(second, "s")


@statement
def unpack(ctx: Context) -> None:
    """`a, b = scalar, scalar`, often a swap."""
    names = ctx.assignable("s")
    if len(names) >= 2 and ctx.chance(0.6):
        shuffled = list(names)
        ctx.rng.shuffle(shuffled)
        count = min(len(names), ctx.rng.randint(2, 3))
        left = shuffled[:count]
        right = left[1:] + left[:1]
        if ctx.chance(0.4):
            right[0] = bounded(ctx, 1)
        return ctx.emit(f"{', '.join(left)} = {', '.join(right)}")
    values = f"{bounded(ctx, 1)}, {bounded(ctx, 1)}"
    first, second = ctx.fresh(), ctx.fresh()
    ctx.emit(f"{first}, {second} = {values}")
    ctx.define(first, "s")
    return ctx.define(second, "s")


@statement
def vector_assign(ctx: Context) -> None:
    """`name = vector`, always a fresh array."""
    value, name = vector(ctx, LENGTH, 2), ctx.target("v", LENGTH)
    template = ctx.pick(("np.tanh({})", "np.sin({})", "1.0 * np.cos({})"))
    ctx.emit(f"{name} = {template.format(value)}")
    ctx.define(name, "v", LENGTH)


@statement
def matrix_assign(ctx: Context) -> None:
    """`name = matrix`."""
    a, b = vector(ctx, 3, 1), vector(ctx, 2, 1)
    forms = ("np.outer(np.sin({b}), {a})", "np.stack([np.sin({a}), np.tanh({a})])")
    name = ctx.target("m")
    ctx.emit(f"{name} = {ctx.pick(forms).format(a=a, b=b)}")
    ctx.define(name, "m")


@statement
def integer_assign(ctx: Context) -> None:
    """An integer computed from integers or from data."""
    name = ctx.target("i")
    options = [f"{ctx.rng.randint(0, 3)}", f"int({scalar(ctx, 1)} > 0.2)"]
    if ctx.names("v"):
        options.append(f"int(np.argmax({ctx.pick(ctx.names('v'))}))")
    if ctx.names("i"):
        options.append(f"({ctx.pick(ctx.names('i'))} * 2 + 1) % 4")
    ctx.emit(f"{name} = {ctx.pick(options)}")
    ctx.define(name, "i")


@statement
def boolean_assign(ctx: Context) -> None:
    """A condition kept under a name."""
    text, name = condition(ctx), ctx.fresh()
    ctx.emit(f"{name} = {text}")
    ctx.define(name, "b")
    ctx.frozen.add(name)


@statement
def if_(ctx: Context) -> None:
    """if, elif, else."""
    ctx.emit(f"if {condition(ctx)}:")
    with ctx.block():
        write_statements(ctx, ctx.rng.randint(1, 3))
    if ctx.chance(0.25):
        ctx.emit(f"elif {condition(ctx)}:")
        with ctx.block():
            write_statements(ctx, ctx.rng.randint(1, 2))
    if ctx.chance(0.5):
        ctx.emit("else:")
        with ctx.block():
            write_statements(ctx, ctx.rng.randint(1, 2))


@statement
def maybe_defined(ctx: Context) -> None:
    """A name defined under a condition and read under the same condition."""
    flag, name = ctx.fresh(), ctx.fresh()
    ctx.emit(f"{flag} = {condition(ctx)}")
    ctx.emit(f"if {flag}:")
    with ctx.block():
        ctx.emit(f"{name} = {bounded(ctx)}")
    write_statements(ctx, 1)
    into = ctx.target("s")
    if into not in ctx.scope:
        ctx.emit(f"{into} = {ctx.number()}")
        ctx.define(into, "s")
    ctx.emit(f"if {flag}:")
    with ctx.block():
        ctx.emit(f"{into} = np.tanh({name} * {scalar(ctx, 1)})")


def _range(ctx: Context) -> str:
    bounds = [ctx.bound, ctx.bound, str(ctx.rng.randint(0, 4))]
    roll = ctx.rng.random()
    if roll < 0.5:
        return f"range({ctx.pick(bounds)})"
    if roll < 0.7:
        return f"range({ctx.rng.randint(0, 2)}, {ctx.rng.randint(0, 5)})"
    if roll < 0.85:
        start, stop = ctx.rng.randint(2, 6), ctx.rng.randint(-1, 3)
        return f"range({start}, {stop}, -{ctx.pick((1, 2))})"
    return f"range(0, {ctx.rng.randint(1, 7)}, {ctx.rng.randint(2, 3)})"


def _header(ctx: Context) -> tuple[str, dict[str, str], str | None]:
    """Target, kinds of the names it binds, and a name that may be read afterwards."""
    roll, fresh = ctx.rng.random(), ctx.fresh
    kept = ctx.pick(ctx.assignable("i")) if ctx.assignable("i") else None
    vectors = ctx.names("v")
    if roll < 0.55 or not vectors:
        name = kept if kept and ctx.chance(0.4) else fresh()
        return f"for {name} in {_range(ctx)}:", {name: "i"}, name
    if roll < 0.65:
        name = fresh()
        return f"for {name} in {ctx.pick(vectors)}:", {name: "s"}, None
    if roll < 0.75:
        i, v = fresh(), fresh()
        return (
            f"for {i}, {v} in enumerate({ctx.pick(vectors)}):",
            {i: "i", v: "s"},
            None,
        )
    if roll < 0.85:
        a, b = fresh(), fresh()
        pair = f"{ctx.pick(vectors)}, {ctx.pick(vectors)}"
        return f"for {a}, {b} in zip({pair}):", {a: "s", b: "s"}, None
    name = fresh()
    values = ", ".join(scalar(ctx, 1) for _ in range(ctx.rng.randint(1, 3)))
    brackets = ctx.pick(("[{}]", "({},)"))
    return f"for {name} in {brackets.format(values)}:", {name: "s"}, None


@statement
def for_(ctx: Context) -> None:
    """A for loop, at most two deep, with exits and an else."""
    if ctx.loops >= 2:
        return assign(ctx)
    header, bound, _kept = _header(ctx)
    ctx.emit(header)
    with ctx.block(loop=True):
        for name, kind in bound.items():
            ctx.define(name, kind)
        write_statements(ctx, ctx.rng.randint(1, 4))
    return _loop_else(ctx)


def _loop_else(ctx: Context) -> None:
    if ctx.chance(0.15):
        ctx.emit("else:")
        with ctx.block():
            write_statements(ctx, 1)


@statement
def while_(ctx: Context) -> None:
    """A while loop bounded by a counter that nothing else writes."""
    if ctx.loops >= 2:
        return assign(ctx)
    counter = ctx.fresh()
    ctx.emit(f"{counter} = 0")
    test = f"{counter} < {ctx.pick((ctx.bound, '3', '2'))}"
    if ctx.chance(0.6):
        test = f"{test} and {condition(ctx, 0)}"
    ctx.emit(f"while {test}:")
    with ctx.block(loop=True):
        ctx.emit(f"{counter} += 1")
        ctx.define(counter, "i")
        ctx.frozen.add(counter)
        write_statements(ctx, ctx.rng.randint(1, 4))
    _loop_else(ctx)
    return ctx.define(counter, "i")


@statement
def leave_loop(ctx: Context) -> None:
    """break or continue under a condition."""
    if not ctx.loops:
        return assign(ctx)
    ctx.emit(f"if {condition(ctx)}:")
    with ctx.block():
        if ctx.chance(0.4):
            write_statements(ctx, 1)
        ctx.emit(ctx.pick(("break", "continue")))
    return None


@statement
def early_return(ctx: Context) -> None:
    """A return under a condition."""
    ctx.emit(f"if {condition(ctx, 0)} and {condition(ctx, 0)}:")
    with ctx.block():
        ctx.emit(f"return {result(ctx)}")


@statement
def lambda_(ctx: Context) -> None:
    """A lambda that captures what is in scope."""
    name, parameter = ctx.fresh(), ctx.fresh()
    before = dict(ctx.scope)
    ctx.define(parameter, "s")
    body = scalar(ctx, 2)
    ctx.scope = before
    ctx.emit(f"{name} = lambda {parameter}: np.tanh({body})")
    ctx.define(name, "f")
    ctx.frozen.add(name)


@statement
def inner_function(ctx: Context) -> None:
    """A nested function with its own branches that captures names."""
    name, parameter, local = ctx.fresh(), ctx.fresh(), ctx.fresh()
    ctx.emit(f"def {name}({parameter}):")
    before = dict(ctx.scope)
    ctx.indent += 1
    ctx.define(parameter, "s")
    ctx.emit(f"{local} = np.tanh({scalar(ctx, 2)})")
    ctx.define(local, "s")
    if ctx.chance(0.4):
        ctx.emit(f"if {condition(ctx, 0)}:")
        with ctx.block():
            ctx.emit(f"return np.sin({scalar(ctx, 1)})")
    ctx.emit(f"return np.cos({scalar(ctx, 2)})")
    ctx.indent -= 1
    ctx.scope = before
    ctx.define(name, "f")
    ctx.frozen.add(name)


@statement
def tuple_display(ctx: Context) -> None:
    """A tuple of scalars."""
    count, name = ctx.rng.randint(2, 3), ctx.fresh()
    ctx.emit(f"{name} = ({', '.join(scalar(ctx, 1) for _ in range(count))})")
    ctx.define(name, "t", count)


@statement
def list_display(ctx: Context) -> None:
    """A list of scalars, displayed or comprehended."""
    name = ctx.fresh()
    if ctx.chance(0.5):
        variable = ctx.fresh()
        before = dict(ctx.scope)
        ctx.define(variable, "i")
        body = bounded(ctx, 1)
        if ctx.names("v") and ctx.chance(0.4):
            ctx.define(variable, "s")
            source = ctx.pick(ctx.names("v"))
            count = ctx.scope[source].length
            text = f"[np.sin({scalar(ctx, 1)}) for {variable} in {source}]"
        else:
            count = ctx.rng.randint(2, 3)
            text = f"[{body} for {variable} in range({count})]"
        ctx.scope = before
    else:
        count = ctx.rng.randint(2, 3)
        text = f"[{', '.join(scalar(ctx, 1) for _ in range(count))}]"
    ctx.emit(f"{name} = {text}")
    ctx.define(name, "l", count)


@statement
def print_(ctx: Context) -> None:
    """A side effect."""
    ctx.emit(f"print(f'{{{scalar(ctx, 0)}:.3f}}')")


def result(ctx: Context) -> str:
    """What a function returns: a plain name, an element, or a mixture."""
    roll = ctx.rng.random()
    if ctx.result == "v":
        return vector(ctx, LENGTH, 1)
    if ctx.result == "t":
        return f"{scalar(ctx, 1)}, {scalar(ctx, 1)}"
    if roll < 0.2:
        return str(ctx.pick(ctx.names("s")))
    if roll < 0.3 and ctx.names("v"):
        return f"np.sum({ctx.pick(ctx.names('v'))})"
    if roll < 0.4:
        return scalar(ctx, 2)
    return " + ".join(_contribution(ctx) for _ in range(ctx.rng.randint(2, 4)))


def _contribution(ctx: Context) -> str:
    """A term of the result that lets one variable count."""
    kind = ctx.pick([k for k in "sssvvm" if ctx.names(k)])
    name = ctx.pick(ctx.names(kind))
    if kind == "s":
        return str(ctx.pick(("{0}", "{0} * {0}", "np.sin({0})"))).format(name)
    return str(ctx.pick(("np.sum({0} * {0})", "np.sum(np.sin({0}))"))).format(name)
