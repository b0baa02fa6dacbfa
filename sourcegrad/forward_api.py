"""Forward mode: `jvp` and `linearize`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.api import Transform
from sourcegrad.compile import bind
from sourcegrad.forward.trees import as_tangent, leaves, mapped


class Jvp(Transform):
    """The value and tangent of a function, as a function of all its parameters and
    then one tangent per differentiated one."""

    what = "jvp"

    def __call__(self, *args: Any) -> Any:
        """Value and tangent at these primals and tangents."""
        count = len(args) - len(self._request.wrt)
        primals, dots = args[:count], args[count:]
        values = bind(self._fn, (*self._args, *primals), dict(self._kwargs))
        return self._run(values, dots)

    def _run(self, values: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
        """The sweep for arguments of all parameters."""
        entry = self._entry(values)
        return entry.calls[0](*self._unfolded(values)[1], *dots)


class Tangent(Jvp):
    """The tangent alone; what only the value needs is left out."""

    what = "tangent"


def jvp(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    backend: str = "python",
) -> tuple[Any, Any]:
    """The value of a function and its derivative along a direction.

    Args:
        f: the function.
        primals: its arguments.
        tangents: one per primal, with its structure; None for one that is constant.
        backend: "python" or "numba".

    Returns:
        `(y, y_dot)`, of the same structure.

    Raises:
        ValueError: a tangent does not fit its primal.
        SourcegradError: `f` cannot be differentiated.

    >>> jvp(lambda x, w: x * w, (2.0, 5.0), (1.0, 0.0))
    (10.0, 5.0)
    """
    primals, tangents = tuple(primals), tuple(tangents)
    if len(primals) != len(tangents):
        raise ValueError(
            f"there are {len(primals)} primals but {len(tangents)} tangents"
        )
    moved = tuple(k for k, v in enumerate(tangents) if v is not None)
    if not moved:
        raise ValueError("all tangents are None: there is no direction")
    dots = [as_tangent(primals[k], tangents[k], f"tangent {k}") for k in moved]
    return Jvp(f, moved, backend=backend)(*primals, *dots)


class Pushforward:
    """The linear map from tangents of the arguments to the tangent of the result.

    It may be called many times; it keeps copies of the arguments.
    """

    def __init__(self, transform: Tangent, primals: tuple[Any, ...]) -> None:
        self._transform = transform
        self._primals = primals

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the result for tangents of the primals."""
        if len(tangents) != len(self._primals):
            raise TypeError(
                f"there are {len(self._primals)} primals, but {len(tangents)} tangents"
            )
        pairs = zip(self._primals, tangents, strict=True)
        dots = [as_tangent(x, v, f"tangent {k}") for k, (x, v) in enumerate(pairs)]
        return self._transform(*_copied(self._primals), *dots)

    def batched(self, *stacks: Any) -> Any:
        """The tangents of the result for stacks of tangents on axis 0.

        >>> y, pushforward = linearize(lambda x: x * x, 3.0)
        >>> pushforward.batched(np.array([1.0, 2.0]))
        array([ 6., 12.])
        """
        count = len(next(leaves(stacks)))
        rows = [self(*_row(stacks, k)) for k in range(count)]
        return stacked(rows)


def _row(stacks: Any, k: int) -> Any:
    """The k-th of every stack of a tree."""

    def pick(stack: Any) -> Any:
        return stack[k]

    return mapped(pick, stacks)


def stacked(rows: list[Any]) -> Any:
    """Trees of one structure as one tree of arrays stacked on axis 0."""
    columns = zip(*(list(leaves(row)) for row in rows), strict=True)
    found = iter([np.stack(column) for column in columns])
    return mapped(lambda _: next(found), rows[0])


def _copied(tree: Any) -> Any:
    from sourcegrad.runtime_project import kept_apart

    return kept_apart(tree)


def linearize(
    f: Callable[..., Any], *primals: Any, backend: str = "python"
) -> tuple[Any, Pushforward]:
    """The value of a function and the pushforward of tangents at that point.

    Args:
        f: the function.
        primals: its arguments.
        backend: "python" or "numba".

    Returns:
        `(y, pushforward)`; `pushforward(*tangents)` is the tangent of `y`.

    >>> y, pushforward = linearize(lambda x, w: x * w, 2.0, 5.0)
    >>> y, pushforward(1.0, 0.0), pushforward(0.0, 1.0)
    (10.0, 5.0, 2.0)
    """
    kept = _copied(primals)
    transform = Tangent(f, tuple(range(len(primals))), backend=backend)
    return f(*primals), Pushforward(transform, kept)
