"""Expressions of a sweep, for a stack of seeds."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from sourcegrad import runtime, runtime_batch
from sourcegrad.adjoint.cotangents import library
from sourcegrad.batch.functions import FUNCTIONS, Call
from sourcegrad.batch.indices import behind_the_seeds
from sourcegrad.batch.shapes import Operand, Unbatchable, aligned, spread
from sourcegrad.batch.spread import SHAPES, depends
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Value,
    attr,
    call,
    getitem,
)
from sourcegrad.kinds import Kind, Num, is_scalar
from sourcegrad.kinds_operators import OPERATORS
from sourcegrad.rules.methods import ATTRIBUTES, METHODS, VARIADIC

_ELEMENTWISE = {"add", "sub", "mul", "truediv", "pow"}
_OF_PARTS = (np.where, np.real, np.imag, np.conj, np.conjugate)


def axes_of(kind: Kind) -> int:
    """How many axes one seed's value has.

    Raises:
        Unbatchable: it is not known.
    """
    if is_scalar(kind):
        return 0
    if isinstance(kind, Num) and kind.flavor == "array" and kind.ndim is not None:
        return kind.ndim
    raise Unbatchable("a value of unknown kind")


class Expressions:
    """Turns expressions of one seed into expressions of the stack.

    Args:
        b: infers kinds, of the expressions as they are for one seed.
        stacks: the values that depend on the seeds.
        count: the number of seeds.
        writes: whether the sweep stores into stacks.
    """

    def __init__(self, b: Any, stacks: set[Value], count: Expr, writes: bool) -> None:
        self.b = b
        self.writes = writes
        self.stacks = stacks
        self.count = count
        self.known: dict[Value, Value] = {}
        self.fresh: set[Value] = set()
        self.trees: set[Value] = set()

    def value(self, value: Value) -> Ref:
        """The value of the new sweep that stands for one of the old."""
        return Ref(self.known.get(value, value))

    def is_part(self, e: Expr) -> bool:
        """Whether an expression is a seed that is a container, or a part of one."""
        if isinstance(e, Op) and e.op in ("getitem", "attr"):
            return self.is_part(e.args[0])
        return isinstance(e, Ref) and e.value in self.trees

    def part(self, e: Expr) -> Expr:
        """A part of a container of stacks."""
        if isinstance(e, Ref):
            return self.value(e.value)
        assert isinstance(e, Op)
        return Op(e.op, (self.part(e.args[0]), *e.args[1:]), e.data)

    # -------------------------------------------------------------- as they are

    def same(self, e: Expr) -> Expr:
        """An expression that is the same for all seeds."""
        if isinstance(e, Ref):
            return self.value(e.value)
        if not isinstance(e, Op):
            return e
        if e.op == "attr" and e.data in SHAPES and depends(e.args[0], self.stacks):
            return self.shape_of(e)
        if e.op == "call" and depends(Op("tuple", e.args[1:]), self.stacks):
            raise Unbatchable("the length of a stack")
        args = tuple(map(self.same, e.args))
        if all(a is b for a, b in zip(args, e.args, strict=True)):
            return e
        new = Op(e.op, args, e.data)
        new.kind = e.kind
        return new

    def shape_of(self, e: Op) -> Expr:
        """The shape of one seed's cotangent."""
        base = self.stack(e.args[0])
        if e.data == "shape":
            rest = Op("slice", (Lit(1), Lit(None), Lit(None)))
            return getitem(attr(base, "shape"), rest)
        if e.data == "dtype":
            return attr(base, "dtype")
        raise Unbatchable("the size of a stack")

    def lifted(self, e: Expr) -> Expr:
        """What is the same for all seeds, as a stack in memory of its own."""
        if isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj):
            if e.args[0].obj in (np.zeros_like, runtime.zeros_like):
                axes_of(self.b.infer(e))
                fn = library(self.b, runtime_batch.zeros_each)
                return call(fn, self.same(e.args[1]), self.count)
            if e.args[0].obj.__module__ == "sourcegrad.runtime_project":
                raise Unbatchable("memory laid out like that of a value")
        axes_of(self.b.infer(e))
        return call(library(self.b, runtime_batch.repeated), self.same(e), self.count)

    # --------------------------------------------------------------------- stacks

    def stack(self, e: Expr) -> Expr:
        """An expression that depends on the seeds, for all of them."""
        if isinstance(e, Ref):
            axes_of(self.b.infer(e))
            return self.value(e.value)
        assert isinstance(e, Op)
        made = self.part(e) if self.is_part(e) else self.operation(e)
        if isinstance(made, Op):
            made.kind = stacked_kind(self.b.infer(e))
        return made

    def operation(self, e: Op) -> Expr:
        """An operation on stacks."""
        ndim = axes_of(self.b.infer(e))
        if e.op in UNARY:
            return Op(e.op, (self.stack(e.args[0]),))
        if e.op in _ELEMENTWISE:
            return Op(e.op, tuple(aligned(list(map(self.operand, e.args)))))
        if e.op == "getitem":
            if depends(e.args[1], self.stacks) or not depends(e.args[0], self.stacks):
                raise Unbatchable("a subscript that depends on the seed")
            axes_of(self.b.infer(e.args[0]))
            index = behind_the_seeds(self.b, e.args[1])
            read = getitem(self.stack(e.args[0]), self.same(index))
            # A number that is read stays what it is; a column would be a view.
            number = is_scalar(self.b.infer(e)) and self.writes
            return call(library(self.b, np.copy), read) if number else read
        fn, args, kwargs = _callee(e)
        operands = list(map(self.operand, args))
        named = {k: self.operand(v) for k, v in kwargs.items()}
        if _is_elementwise(fn) and not named:
            return call(_named(self.b, e, fn), *aligned(operands))
        handler = FUNCTIONS.get(fn)
        if handler is None:
            raise Unbatchable(f"{getattr(fn, '__name__', fn)} of a stack")
        return handler(Call(self.b, fn, operands, named, ndim, self.count))

    def operand(self, e: Expr) -> Operand:
        """An operand of an operation on stacks."""
        if not depends(e, self.stacks):
            return Operand(self.same(e), _axes_or_none(self.b.infer(e)), False)
        return Operand(self.stack(e), axes_of(self.b.infer(e)), True)

    def either(self, e: Expr, as_stack: bool) -> Expr:
        """An expression, as a stack if that is asked for."""
        if depends(e, self.stacks):
            return self.stack(e)
        return self.lifted(e) if as_stack else self.same(e)

    def into(self, slot: Expr, value: Expr) -> Expr:
        """A value stored into a slot of a stack."""
        operand = self.operand(value)
        if not operand.stacked:
            return operand.expr
        axes = axes_of(self.b.infer(slot))
        if operand.ndim > axes:
            raise Unbatchable("a value with more axes than where it is stored")
        return spread(operand, axes)

    # ------------------------------------------------------------------ results

    def result(self, e: Expr) -> Expr:
        """A result: every number or array in it is a stack."""
        if e == Lit(None):
            return e
        if isinstance(e, Op) and e.op in ("tuple", "list"):
            return Op(e.op, tuple(map(self.result, e.args)), e.data)
        if isinstance(e, Op) and e.op == "dict":
            parts = [a if k % 2 == 0 else self.result(a) for k, a in enumerate(e.args)]
            return Op("dict", tuple(parts), e.data)
        if _is_record(e):
            assert isinstance(e, Op)
            return Op("call", (e.args[0], *map(self.result, e.args[1:])), e.data)
        made = self.either(e, True)
        shared = isinstance(e, Ref) and e.value not in self.fresh
        if shared and is_scalar(self.b.infer(e)):
            return call(library(self.b, np.copy), made)  # a number is never shared
        return made


def stacked_kind(kind: Kind) -> Kind:
    """The kind of the stack of values of a kind."""
    ndim = axes_of(kind)
    assert isinstance(kind, Num)
    names = {"float": "float64", "complex": "complex128", "number": "float64"}
    dtype = names.get(kind.dtype or "", kind.dtype)
    return Num("array", ndim + 1, dtype)


def _axes_or_none(kind: Kind) -> int:
    """The axes of an operand that is no stack; of an option there is no number."""
    try:
        return axes_of(kind)
    except Unbatchable:
        return -1


def _callee(e: Op) -> tuple[Any, list[Expr], dict[str, Expr]]:
    """The function that an operation stands for, and its operands."""
    if e.op in BINARY:
        return np.matmul if e.op == "matmul" else OPERATORS[e.op], list(e.args), {}
    if e.op == "attr" and e.data in ATTRIBUTES:
        return ATTRIBUTES[e.data], list(e.args), {}
    if e.op != "call":
        raise Unbatchable(f"a {e.op} of a stack")
    fn, *rest = e.args
    names = e.data or ()
    split = len(rest) - len(names)
    args, kwargs = rest[:split], dict(zip(names, rest[split:], strict=True))
    if isinstance(fn, Obj):
        return fn.obj, args, kwargs
    if isinstance(fn, Op) and fn.op == "attr":
        if fn.data in VARIADIC:
            packed = args if len(args) == 1 else [Op("tuple", tuple(args))] * bool(args)
            return VARIADIC[fn.data], [fn.args[0], *packed], kwargs
        if fn.data in METHODS:
            return METHODS[fn.data], [fn.args[0], *args], kwargs
    raise Unbatchable("a function that is known at run time only")


def _is_elementwise(fn: Any) -> bool:
    if isinstance(fn, np.ufunc):
        return fn.signature is None and fn.nout == 1
    return any(fn is known for known in _OF_PARTS)


def _named(b: Any, e: Op, fn: Any) -> Expr:
    """How the text names an elementwise function."""
    return e.args[0] if isinstance(e.args[0], Obj) else library(b, fn)


def _is_record(e: Expr) -> bool:
    """Whether an expression makes a container of a class of its own."""
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj)):
        return False
    cls = e.args[0].obj
    return isinstance(cls, type) and (
        cls is types.SimpleNamespace
        or issubclass(cls, (tuple, dict))
        or hasattr(cls, "__dataclass_fields__")
    )
