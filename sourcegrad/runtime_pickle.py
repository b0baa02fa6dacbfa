"""Residuals of a pullback for pickle, which forgets that arrays share memory.

NumPy only, like `runtime`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class View:
    """An array as a part of a memory that others are parts of too."""

    memory: int
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype


def packed(residuals: Any) -> tuple[list[Any], Any]:
    """Residuals with every array that shares memory with another as a `View`.

    Returns:
        The bytes of each shared memory, and the residuals.

    >>> a = np.arange(3.0)
    >>> memories, (b, v, c) = packed((a, a[1:], np.ones(1)))
    >>> len(memories), v.offset, c.tolist()
    (1, 8, [1.0])
    """
    users: dict[int, set[int]] = {}
    _count(residuals, users)
    memories: list[Any] = []
    known: dict[int, int] = {}
    shared = {owner for owner, ids in users.items() if len(ids) > 1}
    return memories, _pack(residuals, shared, known, memories)


def restored(memories: list[Any], tree: Any) -> Any:
    """The residuals again, sharing memory as they did.

    >>> a = np.zeros(3)
    >>> b, v = restored(*packed((a, a[1:])))
    >>> v += 1.0
    >>> b.tolist(), a.tolist()
    ([0.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    """
    if isinstance(tree, View):
        memory = memories[tree.memory]
        return np.ndarray(
            tree.shape, tree.dtype, memory.data, tree.offset, tree.strides
        )
    if isinstance(tree, dict):
        return {k: restored(memories, v) for k, v in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(restored(memories, item) for item in tree)
    return tree


def _owner(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _count(tree: Any, users: dict[int, set[int]]) -> None:
    """Which arrays are parts of each memory."""
    if isinstance(tree, np.ndarray):
        users.setdefault(id(_owner(tree)), set()).add(id(tree))
    elif isinstance(tree, dict):
        _count(list(tree.values()), users)
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            _count(item, users)


def _pack(
    tree: Any, shared: set[int], known: dict[int, int], memories: list[Any]
) -> Any:
    if isinstance(tree, np.ndarray):
        owner = _owner(tree)
        if id(owner) not in shared or owner.dtype.hasobject:
            return tree
        if id(owner) not in known:
            known[id(owner)] = len(memories)
            memories.append(_bytes(owner))
        offset = _address(tree) - _address(owner)
        place = known[id(owner)]
        return View(place, offset, tree.shape, tree.strides, tree.dtype)
    if isinstance(tree, dict):
        return {k: _pack(v, shared, known, memories) for k, v in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(_pack(item, shared, known, memories) for item in tree)
    return tree


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _bytes(owner: np.ndarray) -> np.ndarray:
    """A copy of the memory of an array that owns it, whatever its layout."""
    order = sorted(range(owner.ndim), key=lambda k: -owner.strides[k])
    return np.frombuffer(bytearray(owner.transpose(order).tobytes()), np.uint8)
