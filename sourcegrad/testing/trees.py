"""Arguments and gradients as lists of numbers with names, for `check_grad`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad.frontend.signature import attribute_names


@dataclass(frozen=True)
class Part:
    """A leaf that carries a derivative: its name, its path, its value as an array."""

    name: str
    path: tuple[tuple[str, Any], ...]
    value: Any

    def entry(self, index: tuple[int, ...]) -> str:
        """The name of one number of the leaf, such as `w[0, 2]`."""
        return f"{self.name}[{', '.join(map(str, index))}]" if index else self.name


def is_active(leaf: Any) -> bool:
    """Whether a leaf is a float or complex number, or an array of these."""
    if isinstance(leaf, (float, complex)):
        return True
    return isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind in "fc"


def children(tree: Any) -> list[tuple[str, Any, Any]] | None:
    """The parts of a container as (sort, key, value); None for a leaf.

    >>> children({"k": 1.0})
    [('item', 'k', 1.0)]
    """
    if isinstance(tree, (tuple, list)):
        return [("item", k, v) for k, v in enumerate(tree)]
    if isinstance(tree, dict):
        return [("item", k, v) for k, v in tree.items()]
    if isinstance(tree, (np.ndarray, np.generic)) or callable(tree):
        return None
    names = attribute_names(tree)
    return None if names is None else [("attr", n, getattr(tree, n)) for n in names]


def parts(
    tree: Any, name: str, path: tuple[tuple[str, Any], ...] = ()
) -> Iterator[Part]:
    """The active leaves of a tree, in order.

    >>> [p.name for p in parts(({"k": 1.0}, 2, 3.0), "p")]
    ["p[0]['k']", 'p[2]']
    """
    inner = children(tree)
    if inner is None:
        if is_active(tree):
            yield Part(name, path, tree)
        return
    for sort, key, value in inner:
        label = f"{name}.{key}" if sort == "attr" else f"{name}[{key!r}]"
        yield from parts(value, label, (*path, (sort, key)))


def at(tree: Any, path: tuple[tuple[str, Any], ...]) -> Any:
    """What stands at a path."""
    for sort, key in path:
        tree = getattr(tree, key) if sort == "attr" else tree[key]
    return tree


def mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of a tree with its active leaves changed, in the order of `parts`."""
    inner = children(tree)
    if inner is None:
        return change(tree) if is_active(tree) else copy.deepcopy(tree)
    items = [mapped(value, change) for _, _, value in inner]
    if isinstance(tree, tuple):
        return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)
    made = copy.copy(tree)
    for (sort, key, _), item in zip(inner, items, strict=True):
        if sort == "attr":
            object.__setattr__(made, key, item)
        else:
            made[key] = item
    return made
