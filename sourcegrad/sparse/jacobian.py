"""Sparse Jacobians: as few sweeps as a colouring of their pattern needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.forward.trees import size
from sourcegrad.forward_api import Tangent
from sourcegrad.forward_kept import arguments_apart
from sourcegrad.matrices.base import MODES, all_values, moved_values
from sourcegrad.sparse.base import (
    Pattern,
    SparseMatrix,
    assembled,
    filled,
    flat,
    require_one,
)
from sourcegrad.sparse.colouring import column_colours
from sourcegrad.transform.arguments import Argnums
from sourcegrad.transform.base import Transform
from sourcegrad.vjp_api import Vjp


class SparseJacobian(SparseMatrix):
    """`sparse_jacobian(f)`."""

    title = "sparse_jacobian"

    def __init__(
        self,
        f: Callable[..., Any],
        sparsity: Any = None,
        argnums: Argnums = 0,
        mode: str = "auto",
        backend: str = "python",
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        require_one(argnums)
        self._forward = Tangent(f, argnums, backend=backend)
        self._reverse = Vjp(f, argnums, backend=backend)
        self.mode = mode
        super().__init__(f, sparsity, argnums, backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._reverse if self.mode == "reverse" else self._forward

    def product(self, values: tuple[Any, ...], x: Any, v: np.ndarray) -> np.ndarray:
        """The matrix times a vector: a forward sweep."""
        self._forward.require_apart(values)
        return flat(self._forward.run(arguments_apart(values), (filled(x, v),)))

    def colours(self, pattern: Pattern) -> tuple[str, np.ndarray]:
        """The mode that needs fewer sweeps, and its colouring."""
        rows, columns = pattern.rows(), pattern.columns()
        if "forward" not in self._known and self.mode != "reverse":
            self._known["forward"] = column_colours(columns, rows)
        if "reverse" not in self._known and self.mode != "forward":
            self._known["reverse"] = column_colours(rows, columns)
        mode = min(self._known, key=lambda m: self._known[m].max(initial=-1))
        return mode, self._known[mode]

    def sweeps(self, *args: Any, **kwargs: Any) -> int:
        """How many sweeps a call with arguments like these takes."""
        pattern = self.found(all_values(self._forward, args, kwargs))
        return int(self.colours(pattern)[1].max(initial=-1)) + 1

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at these arguments."""
        values = all_values(self._forward, args, kwargs)
        pattern = self.found(values)
        x = moved_values(self._forward, values)[0]
        mode, colours = self.colours(pattern)
        probe = np.random.default_rng(1).uniform(0.5, 1.5, pattern.shape[1])
        if mode == "forward":
            matrix = self.by_columns(pattern, colours, values, x)
        else:
            matrix = self.by_rows(pattern, colours, values)
        return self.checked(matrix, self.product(values, x, probe), probe)

    def by_columns(
        self, pattern: Pattern, colours: np.ndarray, values: Any, x: Any
    ) -> Any:
        """From a forward sweep for each colour of columns."""
        rows, columns = pattern.by_column.tocoo().coords
        data = np.zeros(len(rows))
        for colour in range(int(colours.max(initial=-1)) + 1):
            found = self.product(values, x, (colours == colour).astype(float))
            self.require_height(pattern, len(found))
            own = colours[columns] == colour
            data[own] = found[rows[own]]
        return assembled(pattern, data, rows, columns)

    def by_rows(self, pattern: Pattern, colours: np.ndarray, values: Any) -> Any:
        """From a reverse sweep for each colour of rows."""
        rows, columns = pattern.by_row.tocoo().coords
        data = np.zeros(len(rows))
        self._reverse.require_apart(values)
        y, pullback = self._reverse.pulled(arguments_apart(values))
        self.require_height(pattern, size(y))
        for colour in range(int(colours.max(initial=-1)) + 1):
            seed = filled(y, (colours == colour).astype(float))
            found = flat(pullback(seed))
            own = colours[rows] == colour
            data[own] = found[columns[own]]
        return assembled(pattern, data, rows, columns)

    def require_height(self, pattern: Pattern, height: int) -> None:
        """Refuse a pattern with another number of rows than the result has.

        Raises:
            ValueError: it has.
        """
        if pattern.shape[0] != height:
            raise ValueError(
                f"the pattern has {pattern.shape[0]} rows, but the result has "
                f"{height} numbers"
            )

    def __reduce__(self) -> Any:
        return type(self), (
            self.f, self.sparsity, self.argnums, self.mode, self.backend
        )  # fmt: skip


def sparse_jacobian(
    f: Callable[..., Any],
    sparsity: Any = None,
    argnums: Argnums = 0,
    mode: str = "auto",
    *,
    backend: str = "python",
) -> SparseJacobian:
    """The Jacobian as a SciPy sparse array, by as few sweeps as its pattern needs.

    Args:
        f: the function.
        sparsity: which entries may be other than zero: a SciPy sparse array or matrix,
            or an array; its shape is (numbers of the result, numbers of the argument).
            None: found at the first call, by a sweep for each column at three points.
        argnums: the argument to differentiate by, one.
        mode: "forward" colours columns, "reverse" rows, "auto" whichever takes fewer
            sweeps.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments. It has `pattern(*args)` and `sweeps(*args)`.

    Raises:
        ImportError: SciPy is missing.
        NonDifferentiableError: when called, if the pattern misses entries; each call
            takes one more sweep to see to that.

    >>> second = sparse_jacobian(lambda x: x[1:] - x[:-1])
    >>> second(np.array([1.0, 4.0, 9.0])).toarray()
    array([[-1.,  1.,  0.],
           [ 0., -1.,  1.]])
    """
    return SparseJacobian(f, sparsity, argnums, mode, backend)
