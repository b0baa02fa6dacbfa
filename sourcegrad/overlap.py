"""Arguments that share memory while one of them is written: found at each call."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from sourcegrad.errors import AliasError
from sourcegrad.names import root_of

_NUMBERS = frozenset({float, int, bool, complex})  # what holds no memory to share
_WORK: Any = 10_000  # NumPy's own annotation knows -1 and 0 only


def apart(
    names: Sequence[str],
    written: frozenset[str],
    outside: Callable[[], Sequence[tuple[str, Any]]],
    given: frozenset[str] = frozenset(),
) -> Callable[..., None]:
    """What refuses arguments that overlap.

    Args:
        names: the parameters, in order.
        written: those whose memory the program writes.
        outside: gives captured and global objects that the program reads.
        given: the objects that get attributes, by how they are reached.
    """

    def refuse(*args: Any) -> None:
        others = outside()
        if given:
            found = [*zip(names, args, strict=False), *others]
            refuse_one_object(found, given, frozenset(names))
        if not written:
            return
        held = [a for a in args if a.__class__ not in _NUMBERS]
        if others or len(held) != 1 or held[0].__class__ is not np.ndarray:
            refuse_overlap(names, args, written, others)

    return refuse


def checked(fn: Callable[..., Any], refuse: Callable[..., None]) -> Callable[..., Any]:
    """The generated function, refusing arguments that overlap.

    Args:
        fn: the generated function.
        refuse: what `apart` gave.
    """

    @functools.wraps(fn)
    def call(*args: Any) -> Any:
        refuse(*args)
        return fn(*args)

    return call


def refuse_overlap(
    names: Sequence[str],
    args: Sequence[Any],
    written: frozenset[str],
    outside: Sequence[tuple[str, Any]],
) -> None:
    """Refuse a call in which a written array shares memory with another one.

    Raises:
        AliasError: two of the arrays overlap, or it could not be decided.
    """
    found = [(n, a, n in written) for n, v in zip(names, args, strict=False)
             for n, a in _arrays(v, n, n in written)]  # fmt: skip
    marked = {n.split("[")[0].split(".")[0] for n in written}
    arrays = [(n, a, n.split("[")[0].split(".")[0] in marked) for n, a, _ in found]
    arrays += [(n, a, False) for name, v in outside for n, a in _arrays(v, name, False)]
    refuse_same(names, args, marked)
    for k, (n1, a1, w1) in enumerate(arrays):
        for n2, a2, w2 in arrays[k + 1 :]:
            if (w1 or w2) and _overlap(a1, a2):
                raise AliasError(
                    f"{n1} and {n2} share memory, "
                    "and the function writes to one of them",
                    why="a write to the one would change the other as well",
                    hints=(f"pass a copy: {n2}.copy()",),
                )


def refuse_same(names: Sequence[str], args: Sequence[Any], written: set[str]) -> None:
    """Refuse a call in which a list or dict that is changed is found twice.

    Raises:
        AliasError: it is.
    """
    seen: dict[int, str] = {}
    for name, value in zip(names, args, strict=False):
        for path, held in _containers(value, name):
            first = seen.setdefault(id(held), path)
            if first != path and written & {first.split("[")[0], name}:
                raise AliasError(
                    f"{first} and {path} are one {type(held).__name__}, "
                    "and the function changes it",
                    why="a change of the one is a change of the other as well",
                    hints=(f"pass a copy: {type(held).__name__}({path})",),
                )


def refuse_one_object(
    held: Sequence[tuple[str, Any]], given: frozenset[str], names: frozenset[str]
) -> None:
    """Refuse a call in which an object that gets attributes is reached in two ways,
    one of them from an argument: what is reached from outside alone is known.

    Args:
        held: arguments and what is read of the user's world, with their names.
        given: the objects that get attributes, by how they are reached.
        names: the parameters.

    Raises:
        AliasError: one is.
    """
    seen: dict[int, str] = {}
    for name, value in held:
        for path, found in _objects(value, name, seen):
            first = seen.setdefault(id(found), path)
            handed = root_of(first) in names or root_of(path) in names
            if handed and first != path and (first in given or path in given):
                raise AliasError(
                    f"{first} and {path} are one object, "
                    "and the function stores into an attribute of it",
                    why="a change of the one is a change of the other as well",
                    hints=(f"pass a copy: copy.copy({path})",),
                )


_CODE = (type, types.ModuleType, types.FunctionType, types.MethodType)


def _objects(value: Any, name: str, seen: dict[int, str]) -> Iterator[tuple[str, Any]]:
    """The objects an argument consists of, with readable names; what is in one that
    was seen before is not looked at again."""
    if isinstance(value, (list, tuple, dict)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            yield from _objects(item, f"{name}[{key!r}]", seen)
    elif hasattr(value, "__dict__") and not isinstance(value, _CODE):
        known = id(value) in seen
        yield name, value
        for key, item in () if known else vars(value).items():
            yield from _objects(item, f"{name}.{key}", seen)


def _containers(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The lists and dicts an argument consists of, with readable names."""
    if depth > 6 or not isinstance(value, (list, tuple, dict)):
        return
    if not isinstance(value, tuple):
        yield name, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield from _containers(item, f"{name}[{key!r}]", depth + 1)


def _overlap(a: np.ndarray, b: np.ndarray) -> bool:
    if not np.may_share_memory(a, b):
        return False
    try:
        return bool(np.shares_memory(a, b, max_work=_WORK))
    except np.exceptions.TooHardError:
        return True


def _arrays(
    value: Any, name: str, _: bool, depth: int = 0
) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays an argument consists of, with readable names."""
    if isinstance(value, np.ndarray):
        yield name, value
    elif depth > 6 or isinstance(
        value, (str, bytes, int, float, complex, types.ModuleType)
    ):
        return
    elif isinstance(value, (list, tuple)):
        for k, item in enumerate(value):
            yield from _arrays(item, f"{name}[{k}]", _, depth + 1)
    elif isinstance(value, dict):
        for k, item in value.items():
            yield from _arrays(item, f"{name}[{k!r}]", _, depth + 1)
    elif not callable(value):
        for k, item in getattr(value, "__dict__", {}).items():
            yield from _arrays(item, f"{name}.{k}", _, depth + 1)
