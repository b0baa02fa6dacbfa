"""Statements about functions as values, effects of callees, and objects with state."""

from __future__ import annotations

from tests.fuzz.containers import existing, into_scalar
from tests.fuzz.context import Context, statement
from tests.fuzz.expressions import LENGTH, bounded, index, scalar, vector

CALLEES = """def first_half(a):
    return a[:2]


def doubled_in_place(a, s=2.0):
    a *= s
    return a


def shifted(a, *, by=0.1):
    a[1:] = a[:-1] + by


def put_all(a, values):
    for i_, v_ in enumerate(values):
        a[i_] = v_


def collect(items, v, **more):
    items.append(v)
    for k_ in more:
        items.append(more[k_] * v)
    return items[-1]


def powers(w):
    def square(v):
        return w * v * v

    def cube(v):
        return w * v ** 3

    return square, cube


def scaler(w):
    return lambda v: np.tanh(w * v)


def apply_all(functions, v):
    for f_ in functions:
        v = f_(v)
    return v


def variadic(v, *rest, scale=1.0, **more):
    total = v * scale
    for r_ in rest:
        total = np.sin(total + r_)
    return total + sum(more.values())


def even(v, k):
    return v if k <= 0 else odd(np.sin(v), k - 1)


def odd(v, k):
    return v * v if k <= 0 else even(np.cos(v), k - 1)


class Base:
    gain = 0.7

    def __init__(self, w):
        self.w = w
        self.log = []
        self.buffer = np.zeros(4)

    def gained(self, v):
        return self.w * v * self.gain

    def push(self, v):
        self.log.append(self.gained(v))
        self.buffer[len(self.log) % 4] += v
        return self

    @property
    def total(self):
        return sum(self.log) + np.sum(self.buffer)

    @total.setter
    def total(self, v):
        self.log = [v]

    @classmethod
    def made(cls, w):
        return cls(np.sin(w))

    @staticmethod
    def half(v):
        return 0.5 * v

    def __add__(self, other):
        return type(self)(self.w + other.w)

    def __getitem__(self, k):
        return self.buffer[k]

    def __setitem__(self, k, v):
        self.buffer[k] = v

    def __len__(self):
        return len(self.log)


class Derived(Base):
    def __init__(self, w, c=0.3):
        super().__init__(w)
        self.c = c

    def gained(self, v):
        return super().gained(v) + self.c
"""


@statement
def late_binding(ctx: Context) -> None:
    """A closure that sees what its names are bound to when it is called."""
    captured, name = existing(ctx), ctx.fresh()
    form = ctx.pick((f"lambda v_: v_ * {captured}", ""))
    if form:
        ctx.emit(f"{name} = {form}")
    else:
        ctx.emit(f"def {name}(v_):")
        ctx.emit(f"    return np.sin({captured}) + v_")
    ctx.emit(f"{captured} = {bounded(ctx, 1)}")
    into_scalar(ctx, f"{name}({scalar(ctx, 1)})")


@statement
def counters(ctx: Context) -> None:
    """A factory of closures with state of their own, by nonlocal."""
    make, step = ctx.fresh(), ctx.fresh()
    ctx.emit(f"def {make}(start_):")
    ctx.emit("    total_ = start_")
    ctx.emit("    def add_(v_):")
    ctx.emit("        nonlocal total_")
    ctx.emit(f"        total_ = np.sin(total_ + v_ * {ctx.number()})")
    ctx.emit("        return total_")
    ctx.emit("    return add_")
    ctx.emit(f"{step} = {make}({bounded(ctx, 1)})")
    if ctx.chance(0.5):
        ctx.emit(f"{step}({scalar(ctx, 0)})")
    into_scalar(ctx, f"{step}({scalar(ctx, 1)}) + {step}({scalar(ctx, 0)})")


@statement
def functions_kept(ctx: Context) -> None:
    """Functions in lists, dicts and tuples, and functions that are returned."""
    name, a, b = ctx.fresh(), bounded(ctx, 1), bounded(ctx, 1)
    roll = ctx.rng.randrange(6)
    if roll == 0:
        ctx.emit(f"{name} = [np.sin, lambda v_: v_ * {a}, math.tanh]")
        return into_scalar(ctx, f"apply_all({name}, {b})")
    if roll == 1:
        ctx.emit(f'{name} = {{"p": np.cos, "q": lambda v_: v_ * {a}}}')
        return into_scalar(ctx, f'{name}["{ctx.pick("pq")}"]({b})')
    if roll == 2:
        other = ctx.fresh()
        ctx.emit(f"{name}, {other} = powers({a})")
        return into_scalar(ctx, f"{name}({b}) * {other}({scalar(ctx, 0)})")
    if roll == 3:
        return into_scalar(ctx, f"scaler({a})({b})")
    if roll == 4:
        ctx.emit(f"{name} = [lambda v_, k_=k_: v_ * k_ for k_ in (1.0, {a})]")
        return into_scalar(ctx, f"{name}[0]({b}) + {name}[1]({b})")
    ctx.emit(f"{name} = [scaler({a}), scaler({b})]")
    return into_scalar(ctx, f"sum(f_({scalar(ctx, 0)}) for f_ in {name})")


@statement
def partials(ctx: Context) -> None:
    """functools.partial and reduce, mutual recursion, stars."""
    a, b = bounded(ctx, 1), bounded(ctx, 1)
    forms = (
        f"functools.partial(variadic, {a}, scale={b})({scalar(ctx, 0)})",
        f"functools.partial(scaler, {a})()({b})",
        f"functools.partial(lambda v_, w_: np.sin(v_) * w_, {a})({b})",
        f"functools.reduce(lambda v_, f_: f_(v_), [np.sin, np.cos], {a})",
        f"variadic({a}, {b}, scale={ctx.number()}, u={a})",
        f"variadic(*({a}, {b}), **{{'scale': {a}, 'w': {b}}})",
        f"even({a}, {ctx.rng.randint(0, 3)})",
        f"apply_all((scaler({a}), np.sin), {b})",
        f"functools.reduce(variadic, [{a}, {b}, 0.5])",
    )
    into_scalar(ctx, ctx.pick(forms))


@statement
def effects_of_callees(ctx: Context) -> None:
    """Callees that write their argument, and that return it or a view of it."""
    vectors = ctx.names("v", LENGTH)
    if not vectors:
        name = ctx.fresh()
        ctx.emit(f"{name} = np.array([{', '.join(bounded(ctx, 1) for _ in 'abcd')}])")
        return ctx.define(name, "v", LENGTH)
    a, new, value = ctx.pick(vectors), ctx.fresh(), bounded(ctx, 1)
    roll = ctx.rng.randrange(6)
    if roll == 0:
        ctx.emit(f"{new} = first_half({a})")
        ctx.emit(f"{new}[{ctx.pick(('0', '1', '-1'))}] = {value}")
        return ctx.define(new, "v", 2)
    if roll == 1:
        ctx.emit(f"{new} = doubled_in_place({a}, {value})")
        return ctx.define(new, "v", LENGTH)
    if roll == 2:
        return ctx.emit(f"shifted({a}, by={value})")
    if roll == 3:
        return ctx.emit(f"put_all({a}, [{value}, {bounded(ctx, 1)}])")
    if roll == 4:
        return ctx.emit(f"doubled_in_place({a}[1:3])")
    return ctx.emit(f"first_half({a})[:] = {vector(ctx, 2, 1)}")


@statement
def list_of_a_callee(ctx: Context) -> None:
    """A callee that appends to the caller's list."""
    name = ctx.fresh()
    ctx.emit(f"{name} = [{bounded(ctx, 1)}]")
    into_scalar(ctx, f"collect({name}, {bounded(ctx, 1)}, u={ctx.number()})")
    into_scalar(ctx, f"sum({name}) * {name}[1]")


@statement
def object_with_state(ctx: Context) -> None:
    """Objects: inheritance, methods that store, properties, operators, indexing."""
    names = ctx.names("h")
    if not names or ctx.chance(0.2):
        name, a = ctx.fresh(), bounded(ctx, 1)
        made = (
            f"Base({a})",
            f"Derived({a})",
            f"Derived.made({a})",
            f"Derived(c={a}, w=0.5)",
        )
        ctx.emit(f"{name} = {ctx.pick(made)}")
        ctx.define(name, "h")
        return _change_object(ctx, name)
    name, value = ctx.pick(names), bounded(ctx, 1)
    if ctx.chance(0.7):
        return _change_object(ctx, name)
    forms = (
        f"{name}.gained({value})",
        f"{name}.total",
        f"({name} + Base({value})).gained(0.5)",
        f"{name}[{index(ctx, 4)}] * {name}.half({value})",
        f"len({name}) * {value}",
        f"getattr({name}, 'w') * {value}",
    )
    return into_scalar(ctx, ctx.pick(forms))


def _change_object(ctx: Context, name: str) -> None:
    """A store into an object, by a method or from outside."""
    value = bounded(ctx, 1)
    stores = [
        f"{name}.buffer[{index(ctx, 4)}] = {value}",
        f"{name}.w *= np.cos({value})",
        f"{name}.w += 0.3 * np.sin({value})",
        f"{name}[{index(ctx, 4)}] = {value}",
        f"{name}.w = np.sin({value})",
        f"{name}.buffer[1:] *= np.cos({value})",
    ]
    if ctx.loops == 0:
        stores += [f"{name}.push({value}).push({bounded(ctx, 1)})"] * 3
        stores += [f"{name}.total = {value}"] * 2
    ctx.emit(ctx.pick(stores))
