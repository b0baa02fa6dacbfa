"""`isinstance`, `callable` and `is None`, decided when compiling where kinds tell."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Closure,
    Maybe,
    Object,
    Pointer,
    Struct,
    Variant,
)
from sourcegrad.frontend.variants import one_of_classes
from sourcegrad.ir import BINARY, UNARY, Expr, Lit, Obj, Op, Ref, Undef
from sourcegrad.kinds import Atom, Instance, Kind, ListKind, Num, TupleKind

_PY: dict[str | None, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int, bool),
    "number": (float, int, bool),
    "float": (float, int, bool),
    "complex": (complex, float, int, bool),
    None: (complex, float, int, bool),
}
_NUMPY = tuple({np.dtype(code).type for code in np.typecodes["All"]})


def types_of(kind: Kind) -> tuple[type, ...]:
    """The classes a value of this kind can have; none where that is not known.

    >>> types_of(Num("array", 2, "float64"))
    (<class 'numpy.ndarray'>,)
    """
    match kind:
        case Num(flavor="py", dtype=dtype):
            return _PY.get(dtype, ())
        case Num(flavor="array"):
            return (np.ndarray,)
        case Num(flavor="np", dtype="number"):
            return (np.int64, np.float64)
        case Num(flavor="np", dtype=str(dtype)):
            return (np.dtype(dtype).type,)
        case Num(flavor="np"):
            return _NUMPY
        case Num(flavor="scalar"):
            return (*_NUMPY, *_PY[None])
        case Num():
            return (*_NUMPY, *_PY[None], np.ndarray)
        case TupleKind(type=cls) | Atom(type=cls) | Instance(type=cls):
            return (cls,)
        case ListKind():
            return (list,)
    return ()


def candidates(b: Any, tree: Abstract) -> tuple[type, ...]:
    """The classes that what a name holds can have."""
    if isinstance(tree, (Struct, Object)):
        return (tree.type,)
    if isinstance(tree, (Closure, Bound)):
        return (types.FunctionType,)
    if isinstance(tree, (Lit, Obj)):
        return (type(tree.value if isinstance(tree, Lit) else tree.obj),)
    if not isinstance(tree, Expr) or isinstance(tree, Undef):
        return ()
    found = types_of(b.infer(tree))
    return found if never_none(b, tree) or not found else (*found, type(None))


def never_none(b: Any, tree: Expr) -> bool:
    """Whether a value is certainly not None: kinds do not tell."""
    if isinstance(tree, Ref):
        value = tree.value
        if value.maybe_undefined:
            return False
        if isinstance(value.key, tuple) and value.key[0] == "param":
            return True
        made = b.made.get(value)
        return made is not None and not isinstance(made, Ref) and never_none(b, made)
    return isinstance(tree, Op) and tree.op in _NUMBERS


_NUMBERS = frozenset({*BINARY, *UNARY, "list", "tuple", "compare"})


def classes_of(tree: Abstract) -> Iterator[type]:
    """The classes in the second operand of `isinstance`.

    Raises:
        LookupError: one of them is not known when compiling.
    """
    if isinstance(tree, Struct):
        for item in tree.items:
            yield from classes_of(item)
    elif isinstance(tree, Obj) and isinstance(tree.obj, type):
        yield tree.obj
    elif isinstance(tree, Obj) and isinstance(tree.obj, (types.UnionType, tuple)):
        parts = tree.obj if isinstance(tree.obj, tuple) else tree.obj.__args__
        for part in parts:
            yield from classes_of(Obj(part, ""))
    elif isinstance(tree, Op) and tree.op in ("or_", "tuple"):
        for arg in tree.args:
            yield from classes_of(arg)
    else:
        raise LookupError


def is_instance(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`isinstance(x, classes)`."""
    if len(args) != 2 or kw:
        return NotImplemented
    try:
        classes = tuple(classes_of(args[1]))
    except LookupError:
        return NotImplemented
    if isinstance(args[0], Variant):
        arms = (args[0].first, args[0].second)
        answers = [is_instance(b, [t, args[1]], kw, node) for t in arms]
        return one_of_classes(args[0].cond, *answers)
    if isinstance(args[0], (Pointer, Maybe)):
        there = b.there_test(args[0])
        yes, none = (issubclass(c, classes) for c in (args[0].cls, type(None)))
        return Lit(yes) if yes == none else there if yes else Op("not_", (there,))
    if isinstance(args[0], Expr) and all(map(_is_followed, classes)):
        return Lit(False)
    found = candidates(b, args[0])
    if np.ndarray in found and any(_narrower(c) for c in classes):
        return NotImplemented
    known = {issubclass(c, classes) for c in found}
    return Lit(known.pop()) if len(known) == 1 else NotImplemented


def _is_followed(cls: type) -> bool:
    """Whether objects of a class are those that rules make, known part by part."""
    return str(cls.__module__).startswith("sourcegrad.rules.")


def _narrower(cls: type) -> bool:
    """Whether a class is one of those that arrays are taken for arrays in spite of."""
    return issubclass(cls, np.ndarray) and cls is not np.ndarray


def is_callable(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`callable(x)`."""
    if len(args) != 1 or kw:
        return NotImplemented
    if isinstance(args[0], Obj):
        return Lit(callable(args[0].obj))
    if isinstance(args[0], (Closure, Bound)):
        return Lit(True)
    found = candidates(b, args[0])
    # The class itself can be called; its instances, if it or a base defines it.
    answers = {any("__call__" in vars(base) for base in c.__mro__) for c in found}
    return Lit(answers.pop()) if len(answers) == 1 else NotImplemented
