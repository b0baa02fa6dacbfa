"""Gradients by running a function on dual numbers: the oracle itself."""

from __future__ import annotations

import contextlib
import inspect
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tests.oracle import trees
from tests.oracle.dual import Dual, OracleDomainError, primal
from tests.oracle.transplant import Transplant
from tests.oracle.ufuncs import plain

Function = Callable[..., Any]


def normalise(f: Function, argnums: Any) -> tuple[tuple[int, ...], bool]:
    """Positions of the arguments of interest, and whether one was asked for alone."""
    single = isinstance(argnums, int | str)
    wanted = (argnums,) if single else tuple(argnums)
    if any(isinstance(n, str) for n in wanted):
        names = list(inspect.signature(f).parameters)
        wanted = tuple(names.index(n) if isinstance(n, str) else n for n in wanted)
    return wanted, single


class _Seeder:
    """Hands out duals whose derivative is the next unit vector, plus inner ones."""

    def __init__(self, size: int, inner: Any, position: int) -> None:
        self._size, self._inner, self._position = size, inner, position
        self._next = 0

    def leaf(self, x: Any) -> Any:
        if isinstance(x, np.ndarray):
            flat = plain(x)
            for at in np.ndindex(*flat.shape):
                flat[at] = self.scalar(flat[at])
            return x
        return self.scalar(x)

    def scalar(self, x: Any) -> Dual:
        if isinstance(x, Dual):
            raise OracleDomainError("overlapping leaves of the arguments")
        k, self._next = self._next, self._next + 1
        if not self._inner:
            return Dual(x, np.eye(1, self._size, k)[0])
        for level, vector in enumerate(self._inner, 1):
            x = Dual(x, float(vector[k]), level)
        return Dual(x, float(k == self._position), level + 1)


def _size(args: Any, wanted: tuple[int, ...]) -> int:
    return sum(np.size(v) for n in wanted for v in trees.leaves(args[n]))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silences what the program prints and NumPy's warnings."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        yield


def run(
    f: Function,
    args: tuple[Any, ...],
    wanted: tuple[int, ...],
    kwargs: dict[str, Any] | None = None,
    inner: Any = (),
    position: int = 0,
) -> Any:
    """The result of `f` on duals seeded in the wanted arguments.

    Args:
        f: the function.
        args: its arguments.
        wanted: the positions of those that are seeded.
        kwargs: keyword arguments.
        inner: flat directions; with any, each element is a dual of duals, one level
            for each direction, and `position` is the one with a unit at the top.
        position: see `inner`.
    """
    transplant = Transplant()
    copy = transplant.convert(f)
    values = [transplant.convert(a) for a in _apart(args)]
    options = {k: transplant.convert(v) for k, v in (kwargs or {}).items()}
    seeder = _Seeder(_size(args, wanted), inner, position)
    for n in wanted:
        values[n] = trees.place(values[n], seeder.leaf, trees.set_part)
    with quiet():
        return copy(*values, **options)


def _apart(args: tuple[Any, ...]) -> list[Any]:
    """The arguments, where an array that overlaps an earlier one is copied.

    The gradients by each are only defined for functions that do not change them.
    """
    seen: list[np.ndarray] = []
    out = []
    for x in args:
        if isinstance(x, np.ndarray):
            again = any(np.shares_memory(x, other) for other in seen)
            seen.append(x)
            x = x.copy() if again else x
        out.append(x)
    return out


def _output_leaves(y: Any) -> list[Any]:
    if isinstance(y, np.ndarray):
        return list(plain(y).ravel())
    if isinstance(y, Dual | int | float | np.number | np.bool):
        return [y]
    return [v for p in (trees.children(y) or {}).values() for v in _output_leaves(p)]


def _split(flat: np.ndarray, f_args: Any, wanted: tuple[int, ...], single: bool) -> Any:
    pieces, start = [], 0
    for n in wanted:
        for leaf in trees.leaves(f_args[n]):
            pieces.append(flat[start : start + np.size(leaf)])
            start += np.size(leaf)
    result = tuple(trees.gradient_like(f_args[n], pieces) for n in wanted)
    return result[0] if single else result


def dual_vjp(
    f: Function,
    args: tuple[Any, ...],
    cotangents: Any = None,
    argnums: Any = 0,
    kwargs: dict[str, Any] | None = None,
) -> tuple[list[float], Any]:
    """The values of all outputs, flat, and the pullback of the cotangents.

    Args:
        f: any Python function inside the oracle's domain.
        args: its arguments.
        cotangents: one number per output element, flat; None: ones.
        argnums: position, name, or a tuple of them.
        kwargs: keyword arguments.

    Returns:
        The output values and the gradient, with the structure of the arguments.
    """
    wanted, single = normalise(f, argnums)
    outputs = _output_leaves(run(f, args, wanted, kwargs))
    seeds = np.ones(len(outputs)) if cotangents is None else np.ravel(cotangents)
    flat = np.zeros(_size(args, wanted))
    for y, seed in zip(outputs, seeds, strict=True):
        if isinstance(y, Dual):
            flat = flat + seed * y.dot
    values = [float(primal(y)) for y in outputs]
    return values, _split(flat, args, wanted, single)


def dual_grad(
    f: Function,
    args: tuple[Any, ...],
    argnums: Any = 0,
    kwargs: dict[str, Any] | None = None,
) -> Any:
    """The gradient of a function with one output element, exact to rounding.

    >>> dual_grad(lambda x: x * x, (3.0,))
    6.0
    """
    values, gradient = dual_vjp(f, args, None, argnums, kwargs)
    if len(values) != 1:
        raise ValueError(f"the function has {len(values)} output elements, not one")
    return gradient


def dual_value(f: Function, args: tuple[Any, ...], argnums: Any = 0) -> float:
    """The value that the oracle's run of `f` gives."""
    return dual_vjp(f, args, None, argnums)[0][0]


def dual_hessian_vector(
    f: Function,
    args: tuple[Any, ...],
    vector: Any,
    argnums: Any = 0,
    kwargs: dict[str, Any] | None = None,
) -> Any:
    """The Hessian of `f` times a vector, by duals of duals.

    Args:
        f: a function with one output element.
        args: its arguments.
        vector: one number per element of the wanted arguments, flat or in their shape.
        argnums: position, name, or a tuple of them.
        kwargs: keyword arguments.

    >>> dual_hessian_vector(lambda x: x * x * x, (2.0,), 1.0)
    12.0
    """
    return dual_gradient_along(f, args, (vector,), argnums, kwargs)


def dual_gradient_along(
    f: Function,
    args: tuple[Any, ...],
    vectors: Sequence[Any],
    argnums: Any = 0,
    kwargs: dict[str, Any] | None = None,
) -> Any:
    """The gradient of `f` derived along each of several vectors in turn.

    Args:
        f: a function with one output element.
        args: its arguments.
        vectors: for each, one number per element of the wanted arguments, flat or in
            their shape.
        argnums: position, name, or a tuple of them.
        kwargs: keyword arguments.

    >>> dual_gradient_along(lambda x: x * x * x, (2.0,), (1.0, 5.0))
    30.0
    """
    wanted, single = normalise(f, argnums)
    directions = [_flat(vector) for vector in vectors]
    rows = []
    for k in range(_size(args, wanted)):
        (y,) = _output_leaves(run(f, args, wanted, kwargs, directions, k))
        for level in range(len(directions) + 1, 0, -1):
            y = y.dot if isinstance(y, Dual) and y.level == level else 0.0
        rows.append(y)
    return _split(np.array(rows, float), args, wanted, single)


def _flat(vector: Any) -> np.ndarray:
    return np.concatenate([np.ravel(np.asarray(v, float)) for v in _leaves_of(vector)])


def _leaves_of(vector: Any) -> list[Any]:
    return trees.leaves(vector)
