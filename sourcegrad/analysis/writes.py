"""Which statements may write memory."""

from __future__ import annotations

from sourcegrad.analysis.views import view_bases
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Op,
    Plain,
    Ref,
    Region,
    Stmt,
    Store,
    Unpack,
)
from sourcegrad.ir_walk import regions, stmt_exprs, walk, walk_expr


def writes(stmt: Stmt) -> bool:
    """Whether a statement, or one inside it, may write memory that others read."""
    match stmt:
        case Append(base=Ref(value=base)) if base.key == "record":
            return not pure(stmt.value)  # only the reverse sweep reads a record
        case Store() | Append() | Effect() | CallFn() | Plain():
            return True
        case Assign(expr=e) | Unpack(expr=e):
            return not pure(e)
    return any(writes(s) for r in regions(stmt) for s in r.stmts)


def changes_operands_only(fn: object) -> bool:
    """Whether a function does no more than to write into what it is given: NumPy's and
    our own helpers; who knows what else a function of the user's may write."""
    if isinstance(fn, tuple):  # a function that is generated beside this one
        return False
    module = getattr(fn, "__module__", None) or "numpy"  # that of a ufunc's methods
    return str(module).partition(".")[0] in ("sourcegrad", "numpy")


def writes_outside(region: Region) -> bool:
    """Whether statements write memory that they did not make themselves."""
    made = {
        s.target
        for s in walk(region)
        if isinstance(s, Assign) and not view_bases(s.expr)
    }
    for stmt in walk(region):
        base = getattr(stmt, "base", None)
        if isinstance(stmt, (Store, Append)):
            if not (isinstance(base, Ref) and base.value in made):
                return True
        elif isinstance(stmt, CallFn) or isinstance(stmt, Plain) and stmt.puts:
            return True
        for expr in stmt_exprs(stmt):
            for e in walk_expr(expr):
                if isinstance(e, Op) and e.op == "pop":
                    return True
    return False
