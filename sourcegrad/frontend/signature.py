"""Signatures: what of a call's arguments decides the compiled code."""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad.kinds import Kind, is_generator, kind_of

LONG = 32
_MADE_IN_PYTHON = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class statement, not built in


@dataclass(frozen=True)
class Leaf:
    """An argument, or a part of one, that is one value."""

    kind: Kind


@dataclass(frozen=True)
class Node:
    """A container: its type, its keys or attribute names, its parts."""

    type: type
    keys: tuple[Any, ...]
    parts: tuple[Spec, ...]


@dataclass(frozen=True)
class Static:
    """A function or class given as an argument: compiled for that very object."""

    obj: Any

    def __hash__(self) -> int:
        return id(self.obj)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and other.obj is self.obj


Spec = Leaf | Node | Static


def spec_of(value: Any, depth: int = 0) -> Spec:
    """The signature of an argument.

    >>> spec_of((1.0, 2.0)).type.__name__
    'tuple'
    """
    if type(value) is np.ndarray:
        return _array_leaf(value.dtype, value.ndim)
    if isinstance(value, enum.Enum):
        return Static(value)
    if isinstance(value, (int, float, complex, np.ndarray, np.generic)) or depth > 8:
        return Leaf(kind_of(value))
    if isinstance(value, (tuple, list)):
        return _sequence(value, depth)
    if isinstance(value, dict):
        parts = tuple(spec_of(v, depth + 1) for v in value.values())
        return Node(type(value), tuple(value), parts)
    if isinstance(
        value,
        (types.FunctionType, types.BuiltinFunctionType, type, np.ufunc, np.vectorize),
    ):
        return Static(value)
    if isinstance(value, types.MethodType):
        return Static(value)
    if not is_object(value):
        sparse = type(value).__module__.startswith("scipy.sparse")
        scipy = type(value).__module__.startswith("scipy")
        static = scipy and not sparse or callable(value)
        return Static(value) if static else Leaf(kind_of(value))
    names = attribute_names(value) or ()
    parts = tuple(spec_of(getattr(value, n), depth + 1) for n in names)
    return Node(type(value), names, parts)


_NO_OBJECTS = (int, float, complex, np.ndarray, np.generic, tuple, list, dict,
               types.FunctionType, types.BuiltinFunctionType, types.MethodType,
               type, np.ufunc, np.vectorize)  # fmt: skip


def is_object(value: Any) -> bool:
    """Whether a value is an object of a class of the user's, known by its attributes.

    >>> is_object(types.SimpleNamespace(w=1.0)), is_object(np.sin), is_object([1.0])
    (True, False, False)
    """
    library = type(value).__module__.partition(".")[0]
    if isinstance(value, _NO_OBJECTS) or library == "scipy":
        return False  # what SciPy makes is known by what it is
    if callable(value) and (
        library == "sourcegrad" or not _called_in_python(type(value))
    ):
        return False  # `grad(f)`, a NumPy function, a partial, a compiled function
    return attribute_names(value) is not None


def _called_in_python(cls: type) -> bool:
    """Whether instances are called by a method that Python has the text of."""
    return isinstance(
        next((vars(c)["__call__"] for c in cls.__mro__ if "__call__" in vars(c)), None),
        types.FunctionType,
    )


@functools.cache
def _array_leaf(dtype: np.dtype[Any], ndim: int) -> Leaf:
    return Leaf(kind_of(np.empty((0,) * ndim, dtype)))


def _sequence(value: Any, depth: int) -> Spec:
    kind = kind_of(list(value)) if type(value) is list else None
    scalars = all(type(v) in (int, float) for v in value)
    if kind is not None and scalars and len(value) > LONG:
        return Leaf(kind)
    parts = tuple(spec_of(v, depth + 1) for v in value)
    return Node(type(value), tuple(range(len(value))), parts)


def attribute_names(value: Any) -> tuple[str, ...] | None:
    """The attributes of an object of a user's class, or None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(f.name for f in dataclasses.fields(value))
    if value is None or isinstance(value, (str, bytes, type, types.ModuleType)):
        return None
    if isinstance(value, np.dtype) or is_generator(value):
        return None
    if callable(getattr(value, "__next__", None)):
        return None
    state = getattr(value, "__dict__", None)
    own = type(value).__flags__ & _MADE_IN_PYTHON
    if state is None or type(value).__module__ == "builtins" and not own:
        return None
    return tuple(sorted(k for k in state if isinstance(k, str)))


def map_spec(spec: Spec, fn: Callable[[Leaf], Spec]) -> Spec:
    """The signature with `fn` applied to its leaves."""
    if isinstance(spec, Leaf):
        return fn(spec)
    if isinstance(spec, Node):
        return Node(spec.type, spec.keys, tuple(map_spec(p, fn) for p in spec.parts))
    return spec
