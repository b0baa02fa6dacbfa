"""What sparse matrices of derivatives share: patterns, and values filled into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.forward.trees import leaves, mapped, size
from sourcegrad.matrices.base import Matrix, all_values, moved_values
from sourcegrad.transform.arguments import Argnums

_SAMPLES = 3
_CLOSE = 1e-6


def sparse_module() -> Any:
    """`scipy.sparse`.

    Raises:
        ImportError: SciPy is not there.
    """
    try:
        import scipy.sparse as module
    except ImportError as error:
        raise ImportError(
            "sparse Jacobians and Hessians need SciPy: pip install sourcegrad[scipy]"
        ) from error
    return module


# -------------------------------------------------------------------- patterns


class Pattern:
    """Which entries of a matrix may be other than zero."""

    def __init__(self, entries: Any) -> None:
        module = sparse_module()
        held = module.csr_array(entries)
        held.sum_duplicates()
        self.shape = held.shape
        rows, columns = held.nonzero()
        ones = np.ones(len(rows), bool)
        self.by_row = module.csr_array((ones, (rows, columns)), shape=held.shape)
        self.by_column = self.by_row.tocsc()

    def rows(self) -> list[np.ndarray]:
        """For each row the columns of its entries."""
        return np.split(self.by_row.indices, self.by_row.indptr[1:-1])

    def columns(self) -> list[np.ndarray]:
        """For each column the rows of its entries."""
        return np.split(self.by_column.indices, self.by_column.indptr[1:-1])


def filled(tree: Any, numbers: np.ndarray) -> Any:
    """A tree like another one, with these numbers in order."""
    place = 0

    def leaf(x: Any) -> Any:
        nonlocal place
        count = int(np.size(x))
        part = numbers[place : place + count]
        place += count
        if isinstance(x, np.ndarray):
            return part.reshape(x.shape).astype(x.dtype)
        return type(x)(part[0]) if isinstance(x, np.generic) else float(part[0])

    return mapped(leaf, tree)


def flat(tree: Any) -> np.ndarray:
    """All numbers of a tree in order."""
    parts = [np.ravel(leaf) for leaf in leaves(tree)]
    return np.concatenate(parts) if parts else np.zeros(0)


class SparseMatrix(Matrix):
    """What sparse Jacobians and Hessians share.

    A pattern that is not given is found at the first call: the matrix is taken column
    by column there and at points around, and every entry that is ever other than zero
    belongs to it. Each call is checked by one more product with a random vector.
    """

    def __init__(
        self, f: Callable[..., Any], sparsity: Any, argnums: Argnums, backend: str
    ) -> None:
        super().__init__(f, argnums, backend)
        self.sparsity = sparsity
        self._pattern = None if sparsity is None else Pattern(sparsity)
        self._known: dict[str, np.ndarray] = {}

    def pattern(self, *args: Any, **kwargs: Any) -> Any:
        """The pattern in use for arguments like these, a SciPy sparse array of bool."""
        values = all_values(self.sweep(), args, kwargs)
        return self.found(values).by_row

    def found(self, values: tuple[Any, ...]) -> Pattern:
        """The pattern given, or found where there is none for a matrix so wide."""
        width = size(moved_values(self.sweep(), values)[0])
        if self._pattern is None or (
            self.sparsity is None and self._pattern.shape[1] != width
        ):
            self._pattern, self._known = self.detected(values), {}
        if self._pattern.shape[1] != width:
            raise ValueError(
                f"the pattern has {self._pattern.shape[1]} columns, but the argument "
                f"has {width} numbers"
            )
        return self._pattern

    def detected(self, values: tuple[Any, ...]) -> Pattern:
        """The pattern at the arguments and at points around them."""
        rng = np.random.default_rng(0)
        x = moved_values(self.sweep(), values)[0]
        rows: list[np.ndarray] = []
        columns: list[np.ndarray] = []
        for sample in range(_SAMPLES):
            near = flat(x) if sample == 0 else self.near(flat(x), rng)
            place = self.replaced(values, filled(x, near))
            for j, column in enumerate(self.all_columns(place, x)):
                (hit,) = np.nonzero(column != 0)  # nan counts as an entry
                rows.append(hit)
                columns.append(np.full(len(hit), j))
                height = len(column)
        ones = np.ones(sum(map(len, rows)), bool)
        places = (np.concatenate(rows), np.concatenate(columns))
        shape = (height, size(x))
        return Pattern(sparse_module().coo_array((ones, places), shape=shape))

    def near(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A point around another one, at which no entry vanishes by chance."""
        return x * (1 + 0.01 * rng.uniform(-1, 1, len(x)))

    def replaced(self, values: tuple[Any, ...], x: Any) -> tuple[Any, ...]:
        """The arguments with another value of the one of interest."""
        place = moved_values(self.sweep(), tuple(range(len(values))))[0]
        return (*values[:place], x, *values[place + 1 :])

    def all_columns(self, values: tuple[Any, ...], x: Any) -> Iterator[np.ndarray]:
        """The matrix column by column."""
        for j in range(size(x)):
            unit = np.zeros(size(x))
            unit[j] = 1.0
            yield self.product(values, x, unit)

    def product(self, values: tuple[Any, ...], x: Any, v: np.ndarray) -> np.ndarray:
        """The matrix times a vector."""
        raise NotImplementedError

    def checked(self, matrix: Any, found: np.ndarray, v: np.ndarray) -> Any:
        """The matrix, if it gives the right product with a vector.

        Raises:
            NonDifferentiableError: the matrix has entries outside of the pattern.
        """
        size_of = abs(matrix) @ np.abs(v) + np.abs(found)
        wrong = np.abs(matrix @ v - found) > _CLOSE * size_of
        if wrong.any():
            raise NonDifferentiableError(
                f"{self.__name__}: the pattern misses entries of row "
                f"{int(np.argmax(wrong))}",
                why="a product of the matrix with a vector differs from that of the "
                "entries in the pattern",
                hints=(
                    "give the pattern of all entries: sparsity=…",
                    "or use the dense jacobian or hessian",
                ),
            )
        return matrix


def require_one(argnums: Argnums) -> None:
    """Refuse several arguments to differentiate by.

    Raises:
        ValueError: `argnums` is a tuple.
    """
    if isinstance(argnums, tuple):
        raise ValueError("a sparse matrix is by one argument: argnums is no tuple")


def assembled(pattern: Pattern, data: np.ndarray, rows: Any, columns: Any) -> Any:
    """The entries of a pattern as a SciPy sparse array."""
    return sparse_module().csr_array((data, (rows, columns)), shape=pattern.shape)
