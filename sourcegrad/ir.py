"""The intermediate representation: structured SSA.

A `Region` is a list of statements; `If` and `Loop` own regions, hand carried
values in (`Region.params`) and take results out (`Region.yields`), so that a phi is
a result of a region.  Expressions are immutable trees: an operation on active
values has atoms or inactive trees as operands (A-normal form), while inactive
expressions stay whole.

The representation is that of MLIR's `scf` dialect, seen from Python: there is no
control-flow graph because the reverse of a region is then the reversed list, of an
`If` an `If`, of a loop a loop.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from sourcegrad.errors import Location
from sourcegrad.kinds import UNKNOWN, Kind

# ----------------------------------------------------------------- expressions


class Value:
    """One SSA value: a definition, a name to print, a kind and a place.

    `temp` marks names the compiler made, which may be folded into their use.
    """

    __slots__ = (
        "name",
        "kind",
        "varied",
        "where",
        "temp",
        "maybe_undefined",
        "known",
        "key",
        "like",
    )

    def __init__(
        self,
        name: str,
        kind: Kind = UNKNOWN,
        varied: bool = False,
        where: Location | None = None,
        temp: bool = False,
    ) -> None:
        self.name = name
        self.kind = kind
        self.varied = varied
        self.where = where
        self.temp = temp
        self.maybe_undefined = False
        self.known: Lit | None = None
        self.key: Any = None
        self.like: Value | None = None

    def __repr__(self) -> str:
        return f"%{self.name}"


class Expr:
    """Base of the immutable expression trees."""

    __slots__ = ()

    def __deepcopy__(self, memo: Any) -> Expr:
        return self


class Ref(Expr):
    """A use of a value."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)

    def __deepcopy__(self, memo: Any) -> Ref:
        return Ref(copy.deepcopy(self.value, memo))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and other.value is self.value

    def __hash__(self) -> int:
        return hash(id(self.value))


class Lit(Expr):
    """A literal constant: number, string, None, Ellipsis, bool, bytes."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Lit)
            and type(other.value) is type(self.value)
            and repr(other.value) == repr(self.value)
        )

    def __hash__(self) -> int:
        return hash((type(self.value), repr(self.value)))


class Obj(Expr):
    """A resolved object of the user's world, printed by its dotted `path`.

    Two names of one number are apart: each may be bound to another one later.
    """

    __slots__ = ("obj", "path")

    def __init__(self, obj: Any, path: str) -> None:
        self.obj = obj
        self.path = path

    def __repr__(self) -> str:
        return self.path

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Obj) or other.obj is not self.obj:
            return False
        return other.path == self.path or callable(self.obj)

    def __hash__(self) -> int:
        return hash(id(self.obj))


class Undef(Expr):
    """No value: what a name holds on a path that does not bind it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undef"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Undef)

    def __hash__(self) -> int:
        return 7


UNDEF = Undef()


class Op(Expr):
    """An operation on sub-expressions.

    `op` is one of the BINARY or UNARY names, or
    compare (data: operator names), and, or, ifexp,
    call (args: function, operands…; data: keyword names of the last operands),
    attr (data: name), getitem, slice, tuple, list, set, dict (keys and values in
    turn), star, pop (of a list), raw (data: a gast tree and the names in it that
    stand for the operands), usercall.
    """

    __slots__ = ("op", "args", "data", "_hash", "kind")

    def __init__(self, op: str, args: tuple[Expr, ...], data: Any = None) -> None:
        self.op = op
        self.args = args
        self.data = data
        self._hash: int | None = None
        self.kind: Kind | None = None

    def __deepcopy__(self, memo: Any) -> Op:
        new = Op(self.op, copy.deepcopy(self.args, memo), self.data)
        new.kind = self.kind
        return new

    def __repr__(self) -> str:
        inner = ", ".join(map(repr, self.args))
        tail = "" if self.data is None or self.op == "raw" else f" {self.data!r}"
        return f"{self.op}({inner}{tail})"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Op)
            and self.op == other.op
            and hash(self) == hash(other)
            and self.data == other.data
            and self.args == other.args
        )

    def __hash__(self) -> int:
        if self._hash is None:
            data = id(self.data[0]) if self.op == "raw" else self.data
            self._hash = hash((self.op, self.args, data))
        return self._hash


BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
}
UNARY = {"neg": "-", "pos": "+", "not_": "not ", "invert": "~"}


def call(fn: Expr, *args: Expr, **keywords: Expr) -> Op:
    """A call expression with positional and keyword operands."""
    return Op("call", (fn, *args, *keywords.values()), tuple(keywords))


def attr(base: Expr, name: str) -> Op:
    """The expression `base.name`."""
    return Op("attr", (base,), name)


def getitem(base: Expr, index: Expr) -> Op:
    """The expression `base[index]`."""
    return Op("getitem", (base, index))


# ------------------------------------------------------------------ statements


@dataclass(eq=False)
class Stmt:
    """Base of the statements; `where` is the user's line it comes from."""

    where: Location | None = field(default=None, kw_only=True)
    comment: str | None = field(default=None, kw_only=True)


@dataclass(eq=False)
class Assign(Stmt):
    """`target = expr`."""

    target: Value
    expr: Expr


@dataclass(eq=False)
class Unpack(Stmt):
    """`a, b = expr` of a tuple with as many items as targets."""

    targets: list[Value]
    expr: Expr


@dataclass(eq=False)
class Store(Stmt):
    """`base[index] = value`, or `base[index] op= value`; without index: in place.

    With `each`, a function such as `np.add.at`, an index that repeats writes as often.
    """

    base: Expr
    index: Expr | None
    value: Expr
    op: str | None = None
    each: Expr | None = None


@dataclass(eq=False)
class Append(Stmt):
    """`base.append(value)` of a list."""

    base: Expr
    value: Expr


@dataclass(eq=False)
class Effect(Stmt):
    """An expression run for what it does: a print, a logging call."""

    expr: Expr


@dataclass(eq=False)
class Plain(Stmt):
    """A statement of the user kept as it is (assert, raise): a gast tree with names
    that stand for the operands, of which it `writes` the first, or none; or the one
    of an object from outside that gets the second as an attribute (`puts`)."""

    node: Any
    names: tuple[str, ...]
    args: tuple[Expr, ...]
    raises: bool = False
    writes: bool = False
    puts: bool = False


@dataclass(eq=False)
class CallFn(Stmt):
    """`targets = callee(args)`: a call of a user function differentiated as a pair.

    `callee` is a `Specialisation` of the pipeline.
    """

    targets: list[Value]
    callee: Any
    args: list[Expr]


@dataclass(eq=False)
class Region:
    """A list of statements with values handed in and out.

    `stop` is the loop body's "break now" flag; None when the body never breaks.
    `ends` tells that control does not leave at the end (it raises).
    """

    params: list[Value] = field(default_factory=list)
    stmts: list[Stmt] = field(default_factory=list)
    yields: list[Expr] = field(default_factory=list)
    stop: Expr | None = None
    ends: bool = False


@dataclass(eq=False)
class If(Stmt):
    """`if cond: then else: orelse`; `results[k]` is the arm's k-th yield."""

    cond: Expr
    then: Region
    orelse: Region
    results: list[Value] = field(default_factory=list)
    mirror: If | Scoped | None = None


@dataclass(eq=False)
class Loop(Stmt):
    """A loop.

    `sort` is "for" (over `iterable`, binding `targets` at each trip) or "while"
    (`cond` is evaluated with the header values, `body.params`).  The body's params
    start as `inits`, become its yields at each trip, and leave as `results`.
    `budget` is how many trips of a checkpointed loop keep their state.
    """

    sort: str
    targets: list[Value]
    iterable: Expr | None
    cond: Expr | None
    inits: list[Expr]
    body: Region
    results: list[Value] = field(default_factory=list)
    mirror: Loop | None = None
    nested_target: Any = None
    budget: Expr | None = None


@dataclass(eq=False)
class Scoped(Stmt):
    """Statements that run once inside a block of the user's.

    `sort` is "with" (`header` is the context manager, `targets` what it binds),
    "attempt" (the body may raise one of the types in `header`; `targets` are a flag
    that tells whether it did, and the exception) or "finally" (`final` runs behind
    the body, also when that raises).
    """

    sort: str
    header: list[Expr]
    targets: list[Value]
    body: Region
    final: Region | None = None


@dataclass(eq=False)
class Function:
    """A function: parameters, one region, and what its result is made of.

    `output` is a tree (see `frontend.structs`) whose leaves are `body.yields`.
    """

    name: str
    params: list[Value]
    body: Region
    output: Any = None
    defaults: dict[str, Any] = field(default_factory=dict)


def own_value(expr: Expr) -> Expr:
    """What an operation gives that differs from its operand in the derivative only.

    `as(value, definition)` is its value; `hook(x…, captured…)` is what it is given;
    `slope(operands…, values…, captured…)` is a tuple of the values.
    """
    if isinstance(expr, Op) and expr.op == "as":
        return expr.args[0]
    if isinstance(expr, Op) and expr.op == "slope":
        first = expr.data.operands
        return Op("tuple", expr.args[first : first + expr.data.outputs])
    if isinstance(expr, Op) and expr.op == "hook":
        count = len(expr.data.given)
        return expr.args[0] if count == 1 else Op("tuple", expr.args[:count])
    return expr
