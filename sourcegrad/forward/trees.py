"""Arguments, results and their derivatives as trees of numbers and arrays.

A derivative has the structure of its value: the same containers with derivatives at
the leaves, a `SimpleNamespace` for an object, None where a leaf can carry none.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sourcegrad.frontend.signature import attribute_names

_LEAVES = (
    np.ndarray, np.generic, int, float, complex, type, np.ufunc, types.FunctionType,
    types.BuiltinFunctionType, types.MethodType,
)  # fmt: skip

_NUMBERS = (np.ndarray, np.number, int, float, complex)


def parts(tree: Any) -> dict[Any, Any] | None:
    """The parts of a container by key or attribute name; None for a leaf.

    >>> parts({"k": 1.0}), parts(2.0)
    ({'k': 1.0}, None)
    """
    if isinstance(tree, (tuple, list)):
        return dict(enumerate(tree))
    if isinstance(tree, dict):
        return dict(tree)
    if isinstance(tree, _LEAVES):
        return None
    names = attribute_names(tree)
    return None if names is None else {n: getattr(tree, n) for n in names}


def rebuilt(tree: Any, items: list[Any]) -> Any:
    """A container like `tree` with other parts.

    >>> rebuilt((1.0, 2.0), [3.0, None])
    (3.0, None)
    """
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*items)
    if isinstance(tree, (tuple, list)):
        return type(tree)(items)
    keys = list(parts(tree) or {})
    if isinstance(tree, dict):
        return type(tree)(zip(keys, items, strict=True))
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        if {f.name for f in dataclasses.fields(tree) if f.init} == set(keys):
            return type(tree)(**dict(zip(keys, items, strict=True)))
    return types.SimpleNamespace(**dict(zip(keys, items, strict=True)))


def is_active(leaf: Any) -> bool:
    """Whether a leaf can carry a derivative: a number (Python int too) or an array
    of floats or complex numbers.

    >>> is_active(1), is_active(True), is_active(np.arange(2))
    (True, False, False)
    """
    if isinstance(leaf, bool):
        return False
    if isinstance(leaf, (int, float, complex)):
        return True
    return isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind in "fc"


def leaves(tree: Any) -> Iterator[Any]:
    """The active leaves of a tree, in order.

    >>> list(leaves((1.0, {"k": 2.0}, "s")))
    [1.0, 2.0]
    """
    inner = parts(tree)
    if inner is not None:
        for part in inner.values():
            yield from leaves(part)
    elif is_active(tree):
        yield tree


def mapped(fn: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with `fn` of each active leaf, None for every other one.

    >>> mapped(lambda x: 2 * x, [1.0, "s", (3.0,)])
    [2.0, None, (6.0,)]
    """
    inner = parts(tree)
    if inner is not None:
        return rebuilt(tree, [mapped(fn, part) for part in inner.values()])
    return fn(tree) if is_active(tree) else None


def varying(x: Any) -> Any:
    """An argument with None for the ints in its containers: they count, and carry no
    derivative; an int that is an argument itself does.

    >>> varying(1), varying([1, 2.0])
    (1, [None, 2.0])
    """
    inner = parts(x)
    if inner is None:
        return x
    items = [None if type(p) is int else varying(p) for p in inner.values()]
    same = all(a is b for a, b in zip(items, inner.values(), strict=True))
    return x if same else rebuilt(x, items)


def as_tangent(x: Any, v: Any, where: str = "the tangent") -> Any:
    """A tangent with the structure, shapes and dtypes of a primal.

    Args:
        x: the primal.
        v: the tangent that was given.
        where: what to call it in messages.

    Raises:
        ValueError: its shape or structure is another one, or it is not zero where the
            primal carries no derivative.

    >>> as_tangent(2.0, 1), as_tangent(np.zeros(2), [1, 2])
    (1.0, array([1., 2.]))
    """
    if type(x) is np.ndarray and type(v) is np.ndarray and x.dtype == v.dtype:
        if x.shape == v.shape and x.dtype.kind in "fc":
            return v
    inner = parts(x)
    if inner is not None:
        given = parts(v)
        if given is None or list(given) != list(inner):
            raise ValueError(
                f"{where} must have the structure of its argument: {type(x).__name__} "
                f"with {list(inner)}, not {v!r}"
            )
        items = []
        for k, part in inner.items():
            place = f"{where}[{k!r}]"
            if type(part) is int:  # it counts: the sweep has no tangent for it
                require_none(part, given[k], place)
            items.append(as_tangent(part, given[k], place))
        return rebuilt(x, items)
    if not is_active(x):
        return require_none(x, v, where)
    if v is None and isinstance(x, int):
        v = 0.0  # as gradients have None for what carries none
    if np.shape(v) != np.shape(x):
        raise ValueError(
            f"{where} has shape {np.shape(v)}, but its argument has shape {np.shape(x)}"
        )
    return _converted(x, v, where)


def require_none(x: Any, v: Any, where: str) -> None:
    """Refuse a tangent that would be lost.

    Raises:
        ValueError: it is not zero.
    """
    if isinstance(v, _NUMBERS) and np.any(v):
        raise ValueError(
            f"{where} is not zero, but {x!r} carries no derivative there; give a float "
            "for it, or None as its tangent"
        )


def require_seed(form: Any, seed: Any, where: str = "the cotangent") -> None:
    """Refuse a cotangent of the result that does not fit the result.

    A number may be given for an array: it stands for as many of them.

    Args:
        form: a tree like the result.
        seed: the cotangent that was given.
        where: what to call it in messages.

    Raises:
        ValueError: its shape or structure is another one, or it is complex and the
            result is not.

    >>> require_seed(np.zeros(2), np.ones(2))
    """
    if form.__class__ is seed.__class__ is np.ndarray and (
        seed.shape == form.shape and seed.dtype is form.dtype
    ):
        return
    inner = parts(form)
    if inner is not None:
        given = parts(seed)
        if given is None or list(given) != list(inner):
            raise ValueError(
                f"{where} must have the structure of the result: {type(form).__name__} "
                f"with {list(inner)}, not {seed!r}"
            )
        for key, part in inner.items():
            require_seed(part, given[key], f"{where}[{key!r}]")
    elif seed.__class__ is not float and is_active(form) and seed is not None:
        shape = np.shape(seed)
        if shape and shape != np.shape(form):
            raise ValueError(
                f"{where} has shape {shape}, but the result has shape {np.shape(form)}"
            )
        if np.iscomplexobj(seed) and not np.iscomplexobj(form):
            raise ValueError(f"{where} is complex, but the result is real")


def _converted(x: Any, v: Any, where: str) -> Any:
    if np.iscomplexobj(v) and not np.iscomplexobj(x):
        raise ValueError(f"{where} is complex, but its argument is real")
    if isinstance(x, np.ndarray):
        return np.asarray(v, dtype=x.dtype)
    if isinstance(x, np.generic):
        return x.dtype.type(v)
    return complex(v) if isinstance(x, complex) else float(v)


def unit_tangents(tree: Any) -> Iterator[Any]:
    """For each number of a tree in turn, the tangent that is 1 there and 0 elsewhere.

    >>> list(unit_tangents((1.0, 2.0)))
    [(1.0, 0.0), (0.0, 1.0)]
    """
    array = tree[0] if type(tree) is tuple and len(tree) == 1 else tree
    if type(array) is np.ndarray and array.ndim and is_active(array):
        for place in range(array.size):
            unit = np.zeros(array.shape, array.dtype)
            unit.flat[place] = 1.0
            yield unit if array is tree else (unit,)
        return
    for k, leaf in enumerate(leaves(tree)):
        for at in np.ndindex(*np.shape(leaf)):
            count = iter(range(k + 1))

            def part(x: Any, k: int = k, at: Any = at, count: Any = count) -> Any:
                zero = np.zeros(np.shape(x), getattr(x, "dtype", type(x * 1.0)))
                if next(count, None) == k:
                    zero[at] = 1.0
                return _converted(x, zero[()] if not np.shape(x) else zero, "")

            yield mapped(part, tree)


def row(tree: Any) -> np.ndarray:
    """The numbers of a tree, in order, as one array.

    >>> row((1.0, {"k": np.array([2.0, 3.0])}))
    array([1., 2., 3.])
    """
    whole = tree[0] if type(tree) is tuple and len(tree) == 1 else tree
    if type(whole) is np.ndarray and whole.dtype.kind in "fc":
        return whole.ravel()
    return np.concatenate([np.ravel(leaf) for leaf in leaves(tree)])


def size(tree: Any) -> int:
    """How many numbers a tree holds.

    >>> size((1.0, np.zeros((2, 3))))
    7
    """
    return sum(int(np.size(leaf)) for leaf in leaves(tree))
