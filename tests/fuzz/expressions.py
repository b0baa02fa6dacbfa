"""Random expressions: scalars, vectors, conditions, indices.  All stay tame."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.context import Context, Helper

LENGTH = 4
_UNARY = ("np.sin({})", "np.cos({})", "np.tanh({})", "np.exp(-({}) ** 2)")
_MATH = ("math.sin({})", "math.cos({})", "math.tanh({})", "math.atan({})")
_SMOOTH = ("np.sqrt(1.2 + ({}) ** 2)", "np.arctan({})", "np.log(1.5 + ({}) ** 2)")


def scalar(ctx: Context, depth: int = 2) -> str:
    """An expression that is a float."""
    if depth <= 0 or ctx.chance(0.2):
        return _leaf(ctx)
    return _SCALARS[ctx.weighted(_WEIGHTS)](ctx, depth - 1)


def bounded(ctx: Context, depth: int = 2) -> str:
    """A scalar expression whose value cannot grow from one trip to the next."""
    inner = scalar(ctx, depth)
    if ctx.loops == 0 and ctx.chance(0.5):
        return inner
    if ctx.chance(0.15):
        return f"0.4 * {_scalar_name(ctx)} + np.tanh({inner})"
    return str(ctx.pick(("np.tanh({})", "np.sin({})", "0.7 * np.cos({})"))).format(
        inner
    )


def _scalar_name(ctx: Context) -> str:
    names = ctx.names("s")
    return str(ctx.pick(names)) if names else ctx.number()


def _leaf(ctx: Context) -> str:
    options: list[Callable[[], str]] = [lambda: _scalar_name(ctx)] * 4
    options += [ctx.number]
    if ctx.names("v"):
        options += [lambda: element(ctx)] * 2
    for kind, read in (("l", _list_read), ("t", _tuple_read), ("d", _dict_read)):
        if [n for n in ctx.names(kind) if kind == "d" or ctx.scope[n].length]:
            options += [lambda read=read: read(ctx)]  # type: ignore[misc]
    for kind, parts in _PARTS.items():
        if ctx.names(kind):
            options.append(lambda k=kind, p=parts: _part(ctx, k, p))  # type: ignore[misc]
    if ctx.names("i"):
        options.append(lambda: f"0.3 * {ctx.pick(ctx.names('i'))}")
    return ctx.pick(options)()  # type: ignore[no-any-return]


# How a number is read from objects of a kind.
_PARTS = {
    "c": (".w", ".state"),
    "p": (".a", ".b", "[0]", "[-1]"),
    "o": (".left", ".right"),
    "q": ("[0]", "[-1]", "[1]"),
    "g": ("[0]", ".level"),
    "h": (".w", "[1]", ".buffer[0]", ".gain"),
}


def _part(ctx: Context, kind: str, parts: tuple[str, ...]) -> str:
    return f"{ctx.pick(ctx.names(kind))}{ctx.pick(parts)}"


def element(ctx: Context) -> str:
    """One element of a vector or matrix."""
    if ctx.names("m") and ctx.chance(0.3):
        name = ctx.pick(ctx.names("m"))
        return f"{name}[{index(ctx, 2)}, {index(ctx, 3)}]"
    name = ctx.pick(ctx.names("v"))
    return f"{name}[{index(ctx, ctx.scope[name].length)}]"


def index(ctx: Context, length: int) -> str:
    """An index into `length` elements: a literal, negative, or computed."""
    names = ctx.names("i")
    if names and ctx.chance(0.45):
        name, shift = ctx.pick(names), ctx.rng.randint(0, 2)
        return f"({name} + {shift}) % {length}" if shift else f"{name} % {length}"
    return str(ctx.rng.randint(-length, length - 1))


def _list_read(ctx: Context) -> str:
    name = ctx.pick([n for n in ctx.names("l") if ctx.scope[n].length])
    if ctx.chance(0.2):
        return f"sum({name})"
    return f"{name}[{index(ctx, ctx.scope[name].length)}]"


def _tuple_read(ctx: Context) -> str:
    name = ctx.pick(ctx.names("t"))
    length = ctx.scope[name].length
    return f"{name}[{ctx.rng.randint(-length, length - 1)}]"


def _dict_read(ctx: Context) -> str:
    return f'{ctx.pick(ctx.names("d"))}["{ctx.pick("pq")}"]'


def _sum(ctx: Context, depth: int) -> str:
    return f"({scalar(ctx, depth)} {ctx.pick('+-')} {scalar(ctx, depth)})"


def _product(ctx: Context, depth: int) -> str:
    return f"{atom(ctx, depth)} * {atom(ctx, depth)}"


def atom(ctx: Context, depth: int) -> str:
    """A scalar in parentheses where it needs them."""
    text = scalar(ctx, depth)
    simple = text.isidentifier() or (text.replace(".", "").isdigit())
    return text if simple else f"({text})"


def _quotient(ctx: Context, depth: int) -> str:
    return f"{atom(ctx, depth)} / (1.5 + ({scalar(ctx, depth)}) ** 2)"


def _function(ctx: Context, depth: int) -> str:
    templates = _UNARY + _SMOOTH + (_MATH if ctx.chance(0.4) else ())
    return str(ctx.pick(templates)).format(scalar(ctx, depth))


def _power(ctx: Context, depth: int) -> str:
    return f"{atom(ctx, depth)} ** {ctx.pick((2, 3, 2.0))}"


def _negative(ctx: Context, depth: int) -> str:
    return f"-{atom(ctx, depth)}"


def _ternary(ctx: Context, depth: int) -> str:
    then, other = scalar(ctx, depth), scalar(ctx, depth)
    return f"({then} if {condition(ctx, 1)} else {other})"


def _reduction(ctx: Context, depth: int) -> str:
    if not ctx.names("v"):
        return _leaf(ctx)
    inner = vector(ctx, ctx.pick((LENGTH, LENGTH, 3, 2)), depth)
    forms = (
        "np.sum({})",
        "np.mean({})",
        "np.max({})",
        "({}).sum()",
        "np.dot({0}, {0})",
    )
    return str(ctx.pick(forms)).format(inner)


def _masked_sum(ctx: Context, depth: int) -> str:
    if not ctx.names("v"):
        return _leaf(ctx)
    name = ctx.pick(ctx.names("v"))
    return f"np.sum({name}[{name} > {ctx.number()}])"


def _builtin(ctx: Context, depth: int) -> str:
    a, b = scalar(ctx, depth), scalar(ctx, depth)
    return str(ctx.pick(("abs({0})", "max({0}, {1})", "min({0}, {1})"))).format(a, b)


def _short_circuit(ctx: Context, depth: int) -> str:
    return f"({condition(ctx, 1)}) * {atom(ctx, depth)}"


def _call(ctx: Context, depth: int) -> str:
    helpers = [
        h for h in ctx.helpers if h.result == "s" and ctx.loops + h.recursive < 3
    ]
    functions = ctx.names("f")
    if functions and (not helpers or ctx.chance(0.4)):
        return f"{ctx.pick(functions)}({scalar(ctx, depth)})"
    return call(ctx, ctx.pick(helpers), depth) if helpers else _leaf(ctx)


def call(ctx: Context, helper: Helper, depth: int) -> str:
    """A call of a helper: positional, by keyword, with defaults, with stars."""
    args: list[str] = []
    keywords = False
    for at, kind in enumerate(helper.parameters):
        optional = len(helper.parameters) - at <= helper.defaults
        if optional and ctx.chance(0.4):
            keywords = True
            continue
        text = argument(ctx, kind, depth)
        keywords = keywords or ctx.chance(0.15)
        args.append(f"p{at}={text}" if keywords else text)
    if args and not keywords and ctx.chance(0.1):
        return f"{helper.name}(*({', '.join(args)},))"
    return f"{helper.name}({', '.join(args)})"


def argument(ctx: Context, kind: str, depth: int) -> str:
    """An argument of a kind: scalars are kept bounded."""
    if kind == "s":
        return f"np.sin({scalar(ctx, depth)})" if ctx.chance(0.5) else _scalar_name(ctx)
    if kind == "i":
        return str(ctx.rng.randint(0, 3))
    if kind == "f":
        names = ctx.names("f")
        return str(ctx.pick(names)) if names else str(ctx.pick(("np.sin", "math.tanh")))
    if kind == "l":
        names = [n for n in ctx.names("l") if ctx.scope[n].length >= 2]
        return (
            str(ctx.pick(names)) if names else f"[{scalar(ctx, 1)}, {scalar(ctx, 1)}]"
        )
    names = ctx.names("v", LENGTH)
    if names and ctx.chance(0.7):
        return str(ctx.pick(names))
    return vector(ctx, LENGTH, depth)


_SCALARS: dict[str, Callable[[Context, int], str]] = {
    "sum": _sum,
    "product": _product,
    "quotient": _quotient,
    "function": _function,
    "power": _power,
    "negative": _negative,
    "ternary": _ternary,
    "reduction": _reduction,
    "masked": _masked_sum,
    "builtin": _builtin,
    "short": _short_circuit,
    "call": _call,
}
_WEIGHTS = {
    "sum": 4,
    "product": 4,
    "quotient": 1,
    "function": 3,
    "power": 1,
    "negative": 0.5,
    "ternary": 0.5,
    "reduction": 1.2,
    "masked": 0.3,
    "builtin": 0.4,
    "short": 0.2,
    "call": 1.5,
}


def condition(ctx: Context, depth: int = 1) -> str:
    """A condition: data dependent, on integers, or a combination."""
    roll = ctx.rng.random()
    if depth > 0 and roll < 0.15:
        joint = ctx.pick(("and", "or"))
        return f"{condition(ctx, 0)} {joint} {condition(ctx, 0)}"
    if roll < 0.22:
        return f"not {scalar(ctx, 0)} > {ctx.number()}"
    if roll < 0.3:
        return f"-0.8 < {scalar(ctx, 1)} <= {ctx.pick((0.1, 0.4, 0.9))}"
    if roll < 0.42 and ctx.names("i"):
        return f"{ctx.pick(ctx.names('i'))} {ctx.pick(('>', '==', '!='))} 1"
    if roll < 0.48 and ctx.names("b"):
        return str(ctx.pick(ctx.names("b")))
    return f"{scalar(ctx, 1)} {ctx.pick(('>', '<', '>='))} {ctx.number()}"


def vector(ctx: Context, length: int, depth: int = 1) -> str:
    """An expression that is a vector of the length."""
    roll = ctx.rng.random()
    if depth <= 0 or roll < 0.25:
        return _vector_leaf(ctx, length)
    a = vector(ctx, length, depth - 1)
    if roll < 0.4:
        return f"({a} {ctx.pick('+-')} {vector(ctx, length, depth - 1)})"
    if roll < 0.55:
        return f"{atom(ctx, 0)} * {a}"
    if roll < 0.65:
        return f"{a} * {vector(ctx, length, depth - 1)}"
    if roll < 0.8:
        return str(ctx.pick(_UNARY)).format(a)
    if roll < 0.88:
        return f"np.where({a} > {ctx.number()}, {a}, {scalar(ctx, 1)})"
    parts = ", ".join(scalar(ctx, 1) for _ in range(length))
    return f"np.array([{parts}])" if roll < 0.95 else f"np.maximum({a}, {ctx.number()})"


def _vector_leaf(ctx: Context, length: int) -> str:
    exact = ctx.names("v", length)
    longer = [n for n in ctx.names("v") if ctx.scope[n].length > length]
    roll = ctx.rng.random()
    if exact and (roll < 0.55 or not longer):
        return (
            fancy(ctx, ctx.pick(exact), length) if roll < 0.12 else str(ctx.pick(exact))
        )
    if longer:
        return read_slice(ctx, ctx.pick(longer), length)
    names = ctx.names("v")
    if names:
        return fancy(ctx, ctx.pick(names), length)
    return f"np.array([{', '.join(scalar(ctx, 1) for _ in range(length))}])"


def read_slice(ctx: Context, name: str, length: int) -> str:
    """A slice of a longer vector with the length asked for."""
    total = ctx.scope[name].length
    if total == 2 * length and ctx.chance(0.3):
        return f"{name}[{ctx.rng.randint(0, 1)}::2]"
    start = ctx.rng.randint(0, total - length)
    if ctx.chance(0.2):
        stop = start - 1 if start else ""
        return f"{name}[{start + length - 1}:{stop}:-1]"
    stop_text = f"{start + length - total}" if start + length < total else ""
    return f"{name}[{start or ''}:{stop_text}]"


def fancy(ctx: Context, name: str, length: int) -> str:
    """A read by an integer array, with repeats."""
    total = ctx.scope[name].length
    picks = [ctx.rng.randint(-total, total - 1) for _ in range(length)]
    return f"{name}[np.array({picks})]" if ctx.chance(0.6) else f"{name}[{picks}]"
