"""Sparse Jacobians and Hessians: as few sweeps as a colouring of their pattern needs.

The result is a SciPy sparse array; SciPy is imported when one is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.forward.trees import leaves, mapped, size
from sourcegrad.forward_api import Tangent
from sourcegrad.forward_kept import arguments_apart
from sourcegrad.matrices.base import MODES, Matrix, all_values, moved_values
from sourcegrad.matrices.second import Second
from sourcegrad.sparse_colouring import column_colours, star_colours
from sourcegrad.transform import Transform
from sourcegrad.transform_arguments import Argnums
from sourcegrad.vjp_api import Vjp

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


def _assembled(pattern: Pattern, data: np.ndarray, rows: Any, columns: Any) -> Any:
    return sparse_module().csr_array((data, (rows, columns)), shape=pattern.shape)


# -------------------------------------------------------------------- jacobian


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
        return _assembled(pattern, data, rows, columns)

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
        return _assembled(pattern, data, rows, columns)

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


# --------------------------------------------------------------------- hessian


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
        return _assembled(pattern, np.array(data), rows, columns)

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
