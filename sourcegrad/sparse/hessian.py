"""Sparse Hessians: as few sweeps as a colouring of their pattern needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.forward_kept import arguments_apart
from sourcegrad.matrices.base import all_values, moved_values
from sourcegrad.matrices.second import Second
from sourcegrad.sparse.base import (
    Pattern,
    SparseMatrix,
    assembled,
    filled,
    flat,
    require_one,
)
from sourcegrad.sparse.colouring import star_colours
from sourcegrad.transform.arguments import Argnums
from sourcegrad.transform.base import Transform


class SparseHessian(SparseMatrix):
    """`sparse_hessian(f)`."""

    title = "sparse_hessian"

    def __init__(
        self,
        f: Callable[..., Any],
        sparsity: Any = None,
        argnums: Argnums = 0,
        backend: str = "python",
    ) -> None:
        require_one(argnums)
        self._second = Second(f, argnums, backend, False)
        super().__init__(f, sparsity, argnums, backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._second.forward

    def product(self, values: tuple[Any, ...], x: Any, v: np.ndarray) -> np.ndarray:
        """The matrix times a vector: a forward sweep over the gradient."""
        self._second.require_apart(values)
        return flat(self._second.run(arguments_apart(values), (filled(x, v),)))

    def graph(self, pattern: Pattern) -> list[np.ndarray]:
        """For each variable those that it meets in an entry off the diagonal."""
        both = pattern.by_row + pattern.by_row.T
        rows = np.split(both.indices, both.indptr[1:-1])
        return [np.sort(row[row != k]) for k, row in enumerate(rows)]

    def colours(self, pattern: Pattern) -> np.ndarray:
        """A star colouring."""
        if "star" not in self._known:
            self._known["star"] = star_colours(self.graph(pattern))
        return self._known["star"]

    def sweeps(self, *args: Any, **kwargs: Any) -> int:
        """How many sweeps a call with arguments like these takes."""
        pattern = self.found(all_values(self.sweep(), args, kwargs))
        return int(self.colours(pattern).max(initial=-1)) + 1

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at these arguments."""
        values = all_values(self.sweep(), args, kwargs)
        pattern = self.found(values)
        x = moved_values(self.sweep(), values)[0]
        colours = self.colours(pattern)
        count = int(colours.max(initial=-1)) + 1
        products = [
            self.product(values, x, (colours == colour).astype(float))
            for colour in range(count)
        ]
        matrix = self.recovered(pattern, colours, products)
        probe = np.random.default_rng(1).uniform(0.5, 1.5, pattern.shape[1])
        return self.checked(matrix, self.product(values, x, probe), probe)

    def recovered(
        self, pattern: Pattern, colours: np.ndarray, products: list[np.ndarray]
    ) -> Any:
        """Each entry from the product in which it stands alone in its row: that of its
        column, or by symmetry that of its row."""
        graph = self.graph(pattern)
        rows, columns, data = [], [], []
        for i, near in enumerate(graph):
            rows.append(i)
            columns.append(i)
            data.append(products[colours[i]][i])
            shades = colours[near]
            for j, shade in zip(near, shades, strict=True):
                alone = np.count_nonzero(shades == shade) == 1
                rows.append(i)
                columns.append(int(j))
                data.append(products[shade][i] if alone else products[colours[i]][j])
        return assembled(pattern, np.array(data), rows, columns)

    def __reduce__(self) -> Any:
        return type(self), (self.f, self.sparsity, self.argnums, self.backend)


def sparse_hessian(
    f: Callable[..., Any],
    sparsity: Any = None,
    argnums: Argnums = 0,
    *,
    backend: str = "python",
) -> SparseHessian:
    """The Hessian as a SciPy sparse array, by as few sweeps as its pattern needs.

    Args:
        f: a function whose result has exactly one element.
        sparsity: which entries may be other than zero, as for `sparse_jacobian`; either
            of two symmetric entries is enough, and the diagonal always belongs to it.
        argnums: the argument to differentiate by, one.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments. It has `pattern(*args)` and `sweeps(*args)`.

    Raises:
        ImportError: SciPy is missing.
        NonDifferentiableError: when called, if the pattern misses entries.

    >>> chain = sparse_hessian(lambda x: np.sum(x[1:] * x[:-1] ** 2))
    >>> chain(np.array([1.0, 2.0, 3.0])).toarray()
    array([[4., 2., 0.],
           [2., 6., 4.],
           [0., 4., 0.]])
    """
    return SparseHessian(f, sparsity, argnums, backend)
