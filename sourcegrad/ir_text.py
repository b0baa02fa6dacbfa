"""The IR as text, for `--stage` and for reading."""

from __future__ import annotations

from sourcegrad.ir import (
    BINARY,
    UNARY,
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    Function,
    If,
    Lit,
    Loop,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Undef,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import regions
from sourcegrad.kinds import Atom, Instance, Kind, ListKind, Num, TupleKind


def kind_text(kind: Kind) -> str:
    """A kind in a few characters.

    >>> from sourcegrad.kinds import FLOAT
    >>> kind_text(FLOAT), kind_text(Num("array", 2, "float64"))
    ('float', 'float64[2d]')
    """
    match kind:
        case Num(flavor="py", dtype=dtype):
            return str(dtype)
        case Num(flavor="np", dtype=dtype):
            return f"np.{dtype}"
        case Num(ndim=ndim, dtype=dtype, flavor=flavor):
            dims = "?" if ndim is None else ndim
            return f"{dtype or 'num'}[{dims}d]" + ("" if flavor == "array" else "?")
        case TupleKind(items=items):
            return "(" + ", ".join(map(kind_text, items)) + ")"
        case ListKind(item=item):
            return f"list[{kind_text(item)}]"
        case Atom(type=t) | Instance(type=t):
            return t.__name__
    return type(kind).__name__.lower()


class Namer:
    """Numbers values of one name in order of appearance: `%x`, `%x.1`."""

    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.counts: dict[str, int] = {}

    def __call__(self, value: Value) -> str:
        """The name of a value, the same each time."""
        if value not in self.names:
            k = self.counts.get(value.name, 0)
            self.counts[value.name] = k + 1
            self.names[value] = f"%{value.name}" + (f".{k}" if k else "")
        return self.names[value]

    def typed(self, value: Value) -> str:
        """A definition: name, kind, and `*` where the value is varied."""
        return f"{self(value)}: {kind_text(value.kind)}{'*' if value.varied else ''}"


def function_text(function: Function) -> str:
    """A whole function as text."""
    n = Namer()
    lines = [f"function {function.name}({', '.join(map(n.typed, function.params))}):"]
    lines += region_lines(function.body, n, 1, "return")
    return "\n".join(lines)


def region_lines(region: Region, n: Namer, depth: int, leave: str) -> list[str]:
    """The lines of a region, indented."""
    pad = "    " * depth
    lines: list[str] = []
    for stmt in region.stmts:
        lines += stmt_lines(stmt, n, depth)
    if region.yields:
        lines.append(
            pad + f"{leave} " + ", ".join(expr_text(e, n) for e in region.yields)
        )
    if region.stop is not None:
        lines.append(pad + f"stop {expr_text(region.stop, n)}")
    return lines or [pad + "pass"]


def stmt_lines(stmt: Stmt, n: Namer, depth: int) -> list[str]:
    """The lines of one statement."""
    pad = "    " * depth
    match stmt:
        case Assign(target=t, expr=e):
            return [pad + f"{n.typed(t)} = {expr_text(e, n)}"]
        case Unpack(targets=ts, expr=e):
            return [pad + f"{', '.join(map(n.typed, ts))} = {expr_text(e, n)}"]
        case CallFn(targets=ts, callee=c, args=args):
            inner = ", ".join(expr_text(a, n) for a in args)
            return [pad + f"{', '.join(map(n.typed, ts))} = pair {c.name}({inner})"]
        case Store(base=base, index=i, value=v, op=op):
            place = expr_text(base, n) + ("" if i is None else f"[{expr_text(i, n)}]")
            sign = f"{BINARY[op]}=" if op else "="
            return [pad + f"store {place} {sign} {expr_text(v, n)}"]
        case Append(base=base, value=v):
            return [pad + f"append {expr_text(base, n)}, {expr_text(v, n)}"]
        case Effect(expr=e):
            return [pad + f"effect {expr_text(e, n)}"]
        case Plain(args=args, node=node):
            inner = ", ".join(expr_text(a, n) for a in args)
            return [pad + f"{type(node).__name__.lower()}({inner})"]
        case If():
            return _if_lines(stmt, n, depth)
        case Loop():
            return _loop_lines(stmt, n, depth)
        case Scoped():
            head = ", ".join(expr_text(e, n) for e in stmt.header)
            lines = [
                pad + f"{', '.join(map(n.typed, stmt.targets))} = {stmt.sort} {head}:"
            ]
            for region in regions(stmt):
                lines += region_lines(region, n, depth + 1, "yield")
            return lines
    return [pad + repr(stmt)]


def _if_lines(stmt: If, n: Namer, depth: int) -> list[str]:
    pad = "    " * depth
    head = f"{', '.join(map(n.typed, stmt.results))} = " if stmt.results else ""
    return [
        pad + f"{head}if {expr_text(stmt.cond, n)}:",
        *region_lines(stmt.then, n, depth + 1, "yield"),
        pad + "else:",
        *region_lines(stmt.orelse, n, depth + 1, "yield"),
    ]


def _loop_lines(stmt: Loop, n: Namer, depth: int) -> list[str]:
    pad = "    " * depth
    carried = ", ".join(
        f"{n.typed(p)} = {expr_text(i, n)}"
        for p, i in zip(stmt.body.params, stmt.inits, strict=True)
    )
    head = _loop_head(stmt, n)
    results = f"{', '.join(map(n.typed, stmt.results))} = " if stmt.results else ""
    tail = f" carrying ({carried})" if carried else ""
    return [
        pad + f"{results}{head}{tail}:",
        *region_lines(stmt.body, n, depth + 1, "yield"),
    ]


def _loop_head(stmt: Loop, n: Namer) -> str:
    if stmt.sort == "for" and stmt.iterable is not None:
        targets = ", ".join(map(n.typed, stmt.targets))
        return f"for {targets} in {expr_text(stmt.iterable, n)}"
    if stmt.cond is not None:
        return f"while {expr_text(stmt.cond, n)}"
    assert stmt.mirror is not None
    return f"backwards {_loop_head(stmt.mirror, n)}"  # how, is decided by `record`


def expr_text(e: Expr, n: Namer) -> str:
    """An expression as text."""
    if isinstance(e, Ref):
        return n(e.value)
    if isinstance(e, (Lit, Obj, Undef)):
        return repr(e)
    assert isinstance(e, Op)
    parts = [expr_text(a, n) for a in e.args]
    if e.op in BINARY:
        return f"({parts[0]} {BINARY[e.op]} {parts[1]})"
    if e.op in UNARY:
        return f"({UNARY[e.op]}{parts[0]})"
    if e.op == "compare":
        tail = " ".join(f"{o} {p}" for o, p in zip(e.data, parts[1:], strict=True))
        return f"({parts[0]} {tail})"
    if e.op == "getitem":
        return f"{parts[0]}[{parts[1]}]"
    if e.op == "attr":
        return f"{parts[0]}.{e.data}"
    if e.op == "call":
        names = e.data or ()
        split = len(parts) - len(names)
        named = [f"{k}={v}" for k, v in zip(names, parts[split:], strict=True)]
        return f"{parts[0]}({', '.join(parts[1:split] + named)})"
    return f"{e.op}({', '.join(parts)})"
