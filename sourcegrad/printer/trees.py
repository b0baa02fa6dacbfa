"""From expressions of the IR, with names, to trees of Python."""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, Undef, Value
from sourcegrad.runtime import zeros_like
from sourcegrad.runtime_project import zero_buffer
from sourcegrad.syntax_rename import renamed

BIN = {
    "add": gast.Add,
    "sub": gast.Sub,
    "mul": gast.Mult,
    "truediv": gast.Div,
    "floordiv": gast.FloorDiv,
    "mod": gast.Mod,
    "pow": gast.Pow,
    "matmul": gast.MatMult,
    "lshift": gast.LShift,
    "rshift": gast.RShift,
    "and_": gast.BitAnd,
    "or_": gast.BitOr,
    "xor": gast.BitXor,
}
_UN = {"neg": gast.USub, "pos": gast.UAdd, "not_": gast.Not, "invert": gast.Invert}
_CMP = {
    "<": gast.Lt, "<=": gast.LtE, ">": gast.Gt, ">=": gast.GtE, "==": gast.Eq,
    "!=": gast.NotEq, "is": gast.Is, "is not": gast.IsNot, "in": gast.In,
    "not in": gast.NotIn,
}  # fmt: skip


class Trees:
    """Makes the trees of expressions with given names."""

    names: dict[Value, str]
    loose: dict[str, None]

    def expr(self, e: Expr) -> Any:
        """The tree of an expression."""
        match e:
            case Ref(value=value):
                return syntax.name(self.names[value])
            case Lit(value=value):
                return syntax.constant(value)
            case Obj(path=path):
                return syntax.dotted(path)
            case Undef():
                return syntax.constant(None)
        assert isinstance(e, Op)
        if e.op in BIN:
            left, right = map(self.expr, e.args)
            return gast.BinOp(left=left, op=BIN[e.op](), right=right)
        if e.op in _UN:
            return gast.UnaryOp(op=_UN[e.op](), operand=self.expr(e.args[0]))
        return getattr(self, f"expr_{e.op}")(e)

    def expr_compare(self, e: Op) -> Any:
        left, *rest = map(self.expr, e.args)
        return gast.Compare(
            left=left, ops=[_CMP[o]() for o in e.data], comparators=rest
        )

    def expr_and(self, e: Op) -> Any:
        op = gast.And() if e.op == "and" else gast.Or()
        return gast.BoolOp(op=op, values=[self.expr(a) for a in e.args])

    expr_or = expr_and

    def expr_ifexp(self, e: Op) -> Any:
        test, body, orelse = map(self.expr, e.args)
        return gast.IfExp(test=test, body=body, orelse=orelse)

    def expr_call(self, e: Op) -> Any:
        if _is_trip(e.args[0]) or _takes_none(e.args[0]):
            self.bind_first(e.args[1:])
        fn, *rest = map(self.expr, e.args)
        names = e.data or ()
        split = len(rest) - len(names)
        keywords = [
            gast.keyword(arg=k, value=v)
            for k, v in zip(names, rest[split:], strict=True)
        ]
        return gast.Call(func=fn, args=rest[:split], keywords=keywords)

    def bind_first(self, args: tuple[Expr, ...]) -> None:
        """What may be unbound is handed as None to a trip of a loop, and to what makes
        zeros."""
        for arg in args:
            if isinstance(arg, Ref) and arg.value.maybe_undefined:
                self.loose[self.names[arg.value]] = None

    def expr_attr(self, e: Op) -> Any:
        return syntax.attribute(self.expr(e.args[0]), e.data)

    def expr_getitem(self, e: Op) -> Any:
        return syntax.subscript(self.expr(e.args[0]), self.index(e.args[1]))

    def index(self, e: Expr) -> Any:
        """A subscript, slices included."""
        if isinstance(e, Op) and e.op == "slice":
            parts = [None if p == Lit(None) else self.expr(p) for p in e.args]
            return gast.Slice(lower=parts[0], upper=parts[1], step=parts[2])
        if isinstance(e, Op) and e.op == "tuple":
            return syntax.sequence("tuple", [self.index(a) for a in e.args])
        return self.expr(e)

    def expr_slice(self, e: Op) -> Any:
        args = [self.expr(a) for a in e.args]
        return gast.Call(func=syntax.name("slice"), args=args, keywords=[])

    def expr_tuple(self, e: Op) -> Any:
        return syntax.sequence(e.op, [self.expr(a) for a in e.args])

    expr_list = expr_tuple

    def expr_dict(self, e: Op) -> Any:
        parts = [self.expr(a) for a in e.args]
        return gast.Dict(keys=parts[::2], values=parts[1::2])

    def expr_star(self, e: Op) -> Any:
        return gast.Starred(value=self.expr(e.args[0]), ctx=gast.Load())

    def expr_pop(self, e: Op) -> Any:
        pop = syntax.attribute(self.expr(e.args[0]), "pop")
        return gast.Call(func=pop, args=[], keywords=[])

    def definition(self, e: Expr, title: str) -> Any:
        """A function of the program, printed under a name."""
        assert isinstance(e, Op)
        node, names = e.data
        found = dict(zip(names, map(self.expr, e.args), strict=True))
        return renamed(node, found, title)

    def expr_raw(self, e: Op) -> Any:
        node, names = e.data
        return renamed(node, dict(zip(names, map(self.expr, e.args), strict=True)))


def _takes_none(fn: Expr) -> bool:
    """Whether a function makes the zeros of what may not be there."""
    return isinstance(fn, Obj) and any(fn.obj is f for f in (zeros_like, zero_buffer))


def _is_trip(fn: Expr) -> bool:
    """Whether a function is one trip of a checkpointed loop."""
    if not (isinstance(fn, Obj) and isinstance(fn.obj, tuple)):
        return False
    sort, spec = fn.obj
    return sort != "reverse" and getattr(spec, "plain", None) is not None
