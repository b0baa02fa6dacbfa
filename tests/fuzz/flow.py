"""Statements about exceptions, context managers, patterns and order of evaluation."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement, write_statements
from tests.fuzz.control import assign
from tests.fuzz.expressions import LENGTH, bounded, condition, scalar

TOOLS = """class TooLarge(Exception):
    pass


class Guard:
    def __init__(self, w):
        self.w = w
        self.open = False

    def __enter__(self):
        self.open = True
        return self

    def __exit__(self, *error):
        self.open = False
        return False


def checked(v):
    if v > 0.4:
        raise TooLarge(f"{v} is too large")
    return np.sin(v) * v
"""


def _target(ctx: Context) -> str:
    """A scalar that every arm assigns to."""
    name = ctx.target("s")
    if name not in ctx.scope:
        ctx.emit(f"{name} = {ctx.number()}")
        ctx.define(name, "s")
    return name


@statement
def with_(ctx: Context) -> None:
    """with: errstate, suppress, nullcontext, a manager of the program's own."""
    if ctx.tries:
        return assign(ctx)
    name = ctx.fresh()
    roll = ctx.rng.randrange(4)
    if roll == 0:
        ctx.emit(f'with np.errstate({ctx.pick(("over", "all"))}="ignore"):')
    elif roll == 1:
        ctx.emit("with contextlib.nullcontext():")
    elif roll == 2:
        ctx.emit(f"with Guard(2.0) as {name}:")
    else:
        total = existing(ctx)
        ctx.emit("with contextlib.suppress(TooLarge):")
        ctx.emit(f"    {total} = np.sin({total} + checked({bounded(ctx, 1)}))")
        return None
    with ctx.block():
        if roll == 2 and ctx.chance(0.5):
            total = existing(ctx)
            ctx.emit(f"{total} = {total} / {name}.w if {name}.open else 0.0")
        write_statements(ctx, ctx.rng.randint(1, 3))
    return None


@statement
def try_of_callee(ctx: Context) -> None:
    """An exception of a callee or of the library, caught, with else and finally."""
    into, v = _target(ctx), bounded(ctx, 1)
    key = ctx.pick(('"a"', '"b"'))
    thrower, kind = ctx.pick(
        (
            (f"checked({v})", "TooLarge"),
            (f"math.sqrt({v})", "ValueError"),
            (f"math.log({v} + 0.5)", "ValueError"),
            (f'{{"a": {v}}}[{key}]', "KeyError"),
            (f"math.acos({v} * 1.5)", "ValueError"),
        )
    )
    ctx.emit("try:")
    ctx.emit(f"    {into} = np.tanh({thrower})")
    if ctx.chance(0.3):
        ctx.emit(f"    {into} *= {bounded(ctx, 1)}")
    ctx.emit(f"except {ctx.pick((kind, f'({kind}, ZeroDivisionError)', 'Exception'))}:")
    ctx.emit(f"    {into} = {bounded(ctx, 1)}")
    if ctx.chance(0.3):
        ctx.emit("else:")
        ctx.emit(f"    {into} = np.sin({into} * 2.0)")
    if ctx.chance(0.3):
        ctx.emit("finally:")
        ctx.emit(f"    {into} = {into} * 0.9")


@statement
def try_in_loop(ctx: Context) -> None:
    """Each trip of a loop tries; or the loop stands in the try."""
    into, i = _target(ctx), ctx.fresh()
    vectors = ctx.names("v", LENGTH)
    element = f"{ctx.pick(vectors)}[{i}]" if vectors else f"0.3 * {i}"
    if ctx.chance(0.6):
        ctx.emit(f"for {i} in range(3):")
        ctx.emit("    try:")
        ctx.emit(f"        {into} = np.sin({into} + checked({element}))")
        ctx.emit("    except TooLarge:")
        ctx.emit(f"        {ctx.pick(('continue', 'break', f'{into} *= 0.5'))}")
        return
    ctx.emit("try:")
    ctx.emit(f"    for {i} in range(4):")
    ctx.emit(f"        {into} = np.sin({into} + {element})")
    ctx.emit(f"        if {into} > {ctx.number()}:")
    ctx.emit('            raise TooLarge("stop")')
    ctx.emit("except TooLarge:")
    ctx.emit(f"    {into} = {into} * 0.5")


@statement
def finally_(ctx: Context) -> None:
    """try and finally, without a handler."""
    if ctx.tries or ctx.loops > 1:
        return assign(ctx)
    total = existing(ctx)
    ctx.emit("try:")
    with ctx.block():
        write_statements(ctx, ctx.rng.randint(1, 2))
    ctx.emit("finally:")
    ctx.emit(f"    {total} = np.tanh({total} * {bounded(ctx, 1)})")
    return None


@statement
def assert_(ctx: Context) -> None:
    """An assertion that holds."""
    ctx.emit(f'assert abs({scalar(ctx, 0)}) < 1e9, "too large"')


@statement
def delete_name(ctx: Context) -> None:
    """A name that is made, used and deleted."""
    name = ctx.fresh()
    ctx.emit(f"{name} = {bounded(ctx)}")
    into_scalar(ctx, f"np.sin({name} * {scalar(ctx, 0)})")
    ctx.emit(f"del {name}")


def _emit_cases(ctx: Context, into: str, subject: str, arms: list[str]) -> None:
    ctx.emit(f"match {subject}:")
    for arm in arms:
        ctx.emit(f"    case {arm}:")
        pattern = arm.partition(" if ")[0]
        bound = [w for w in ("m_", "k_") if w in pattern]
        value = f"np.sin({bound[0]} * {scalar(ctx, 0)})" if bound else bounded(ctx, 1)
        ctx.emit(f"        {into} = {value}")


@statement
def match_values(ctx: Context) -> None:
    """match on literals, alternatives, captures, guards."""
    into = _target(ctx)
    number = ctx.pick(ctx.names("i") or ["2"])
    arms = ctx.pick(
        (
            ["0", "1 | 2", "_"],
            ["0 | 3", "m_ if m_ > 2", "_"],
            ["int(m_)", "_"],
            ["(1 | 2) as m_", "None", "_"],
            ["True", "-1", "m_"],
        )
    )
    _emit_cases(ctx, into, str(number), arms)


@statement
def match_parts(ctx: Context) -> None:
    """match on sequences, mappings and classes that hold active values."""
    into, a, b = _target(ctx), bounded(ctx, 1), bounded(ctx, 1)
    subject, arms = ctx.pick(
        (
            (f"({a}, {b})", ["(m_, k_) if m_ > k_", "(_, k_)"]),
            (f"[{a}, {b}, 1.0]", ["[m_]", "[m_, *_]"]),
            (f"[{a}, {b}, 0.5]", ["[_, *m_] if len(m_) > 5", "[*_, m_, k_]"]),
            (f'{{"u": {a}, "w": {b}}}', ['{"u": m_, "z": 1}', '{"w": m_}']),
            (
                f'{{"k": {a}, "v": {b}}}',
                ['{"k": m_, "v": k_} if k_ > 0', '{"v": m_, **k_}'],
            ),
            (f"Pair({a}, {b})", ["Pair(left=m_, right=k_) if k_ > 0", "Pair(m_, _)"]),
            (f"Point({a}, {b})", ["Point(a=m_)"]),
            (f"(Pair({a}, {b}), {a})", ["(Pair(m_, _), k_)", "_"]),
            (f'("go", {a})', ['("stop", m_)', '("go", m_)', "_"]),
            (f"({a}, ({b}, 2))", ["(m_, (_, 1))", "(_, (m_, int()))", "_"]),
        )
    )
    arms = [arm if "m_" in arm else arm.replace("k_", "m_") for arm in arms]
    if "len(m_)" in arms[0]:
        ctx.emit(f"match {subject}:")
        ctx.emit("    case [_, *m_] if len(m_) > 5:")
        ctx.emit(f"        {into} = m_[0]")
        ctx.emit("    case [*m_, k_]:")
        ctx.emit(f"        {into} = np.sin(m_[1] * k_)")
        return
    _emit_cases(ctx, into, subject, arms)


@statement
def walrus_everywhere(ctx: Context) -> None:
    """Walrus in comprehensions, arguments, while, ternary, and boolean operators."""
    name, i, value = ctx.fresh(), ctx.fresh(), bounded(ctx, 1)
    roll = ctx.rng.randrange(5)
    if roll == 0:
        ctx.emit(f"[({name} := np.sin({i} * {value})) for {i} in (0.5, 1.0)]")
        return ctx.define(name, "s")
    if roll == 1:
        into_scalar(ctx, f"np.sin(({name} := {value}) * 2.0) + {name}")
        return ctx.define(name, "s")
    if roll == 2:
        into_scalar(ctx, f"({name} if ({name} := {value}) > 0.1 else -{name})")
        return ctx.define(name, "s")
    total = existing(ctx)
    if roll == 3:
        ctx.emit(f"{i} = 0")
        ctx.emit(f"while ({name} := np.cos({total} + {i})) > 0.2 and {i} < 3:")
        ctx.emit(f"    {i} += 1")
        ctx.emit(f"    {total} = np.sin({total} + {name})")
        return ctx.define(name, "s")
    ctx.emit(f"if {condition(ctx, 0)} and ({name} := {value}) > 0:")
    return ctx.emit(f"    {total} = np.tanh({total} * {name})")


@statement
def short_circuit(ctx: Context) -> None:
    """Operands that are evaluated or not, where that has an effect."""
    log, name, total = ctx.fresh(), ctx.fresh(), existing(ctx)
    ctx.emit(f"{log} = []")
    ctx.emit(f"def {name}(v_):")
    ctx.emit(f"    {log}.append(v_ * {ctx.number()})")
    ctx.emit("    return v_ > 0.1")
    a, b, c = (bounded(ctx, 1) for _ in range(3))
    test = ctx.pick(
        (
            f"{name}({a}) and {name}({b})",
            f"{name}({a}) or {name}({b})",
            f"not {name}({a}) and ({name}({b}) or {name}({c}))",
            f"{name}({a}) if {name}({b}) else {name}({c})",
            f"0.1 < {a} < {b} and {name}({c})",
        )
    )
    ctx.emit(f"if {test}:")
    ctx.emit(f"    {total} = np.sin({total} + {a})")
    ctx.emit(f"{total} = np.tanh({total} + sum({log}))")
    ctx.taken.add(name)


@statement
def logical_value(ctx: Context) -> None:
    """`and`, `or` and chains as values."""
    a, b, c = (bounded(ctx, 1) for _ in range(3))
    forms = (
        f"({a} or {b})",
        f"({a} and {b})",
        f"({a} > 0 and {b} or {c})",
        f"(-0.5 < {a} < {b} < 2.0) * {c}",
        f"({a} if -0.2 <= {b} <= 0.6 else {c})",
        f"(None or {a}) * (0.0 or {b})",
    )
    into_scalar(ctx, ctx.pick(forms))
