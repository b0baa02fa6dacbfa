"""Jacobians, by rows or by columns; the diagonal of one that has no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.batch_api import for_stacks
from sourcegrad.cache import Entry
from sourcegrad.errors import SourcegradError
from sourcegrad.floating import silent
from sourcegrad.forward.trees import size
from sourcegrad.forward_api import Tangent
from sourcegrad.forward_kept import arguments_apart
from sourcegrad.matrices.arranged import arranged, by_columns, by_rows
from sourcegrad.matrices.base import (
    MODES,
    Matrix,
    all_values,
    is_complex,
    moved_values,
    require_real,
)
from sourcegrad.transform.arguments import Argnums, check_argument
from sourcegrad.transform.base import Transform
from sourcegrad.transform.finite import finite
from sourcegrad.vjp_api import Vjp


class Jacobian(Matrix):
    """`jacobian(f)`."""

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: Argnums,
        mode: str,
        backend: str,
        holomorphic: bool = False,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        super().__init__(f, argnums, backend)
        self.mode, self.holomorphic = mode, holomorphic
        self._forward = Tangent(f, argnums, backend=backend)
        self._reverse = Vjp(f, argnums, backend=backend)
        for transform in (self._forward, self._reverse):
            transform._request = for_stacks(transform._request, backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._forward if self.mode == "forward" else self._reverse

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at these arguments."""
        values = all_values(self._forward, args, kwargs)
        moved = moved_values(self._forward, values)
        for name, value in zip(self._forward._request.wrt, moved, strict=True):
            check_argument(name, value)
        single = not isinstance(self.argnums, tuple)
        if self.sweep()._entry(values).loud and self._has_careful(values):
            return self._careful()(*args, **kwargs)
        if self.mode == "forward":
            require_real(moved, self.holomorphic, self.__name__)
            return by_columns(self._forward, values, moved, single)
        entry = self._reverse._entry(values)
        if entry.powers and not self._reverse._request.complex_powers:
            return self._asking(complex_powers=True)(*args, **kwargs)
        self._reverse.require_apart(values)
        operands = self._reverse._unfolded(arguments_apart(values))[1]
        y, residuals = entry.calls[0](*operands)
        if is_complex(y):
            require_real(moved, self.holomorphic, self.__name__)
        turn = self.mode == "auto" and size(y) > size(moved)
        if turn and (self.holomorphic or not is_complex(moved)):
            return by_columns(self._forward, values, moved, single)
        matrix = self._rows(entry, y, residuals, size(moved))
        if matrix is None:
            with silent():
                return self._careful()(*args, **kwargs)
        if is_complex(y) and not self.holomorphic:
            # Of a real argument, a cotangent is the real part of the product.
            with silent():
                other = by_rows(entry, y, residuals, size(moved), -1j)
            matrix = matrix + 1j * other
        return arranged(y, moved, matrix, single)

    def _rows(
        self, entry: Entry, y: Any, residuals: Any, width: int
    ) -> np.ndarray | None:
        """The matrix; None where it is not finite and zero did not win yet."""
        final = self._reverse._request.careful or not entry.repeatable
        try:
            with silent():
                matrix = by_rows(entry, y, residuals, width)
        except (ArithmeticError, ValueError):
            if final:
                raise
            return None
        return matrix if final or finite(matrix) else None

    def _careful(self) -> Jacobian:
        """The same Jacobian, in which zero wins in every product."""
        return self._asking(careful=True, batched=False)

    def _has_careful(self, values: tuple[Any, ...]) -> bool:
        """Whether this is not that one already, and there is one: a program that cannot
        run again runs with zero winning at once."""
        if self._reverse._request.careful:
            return False
        try:
            self._careful().sweep()._entry(values)
        except SourcegradError:
            return False
        return True

    def _asking(self, **changes: Any) -> Jacobian:
        """The same Jacobian, with something else in the requests of its sweeps."""
        new = Jacobian(self.f, self.argnums, self.mode, self.backend, self.holomorphic)
        new._forward = self._forward._asking(**changes)
        new._reverse = self._reverse._asking(**changes)
        return new

    def __reduce__(self) -> Any:
        return type(self), (
            self.f, self.argnums, self.mode, self.backend, self.holomorphic
        )  # fmt: skip


class ElementwiseGradient(Matrix):
    """`elementwise_grad(f)`."""

    title = "elementwise_grad"

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        super().__init__(f, argnums, backend)
        self._reverse = Vjp(f, argnums, backend=backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._reverse

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The diagonal at these arguments."""
        values = all_values(self._reverse, args, kwargs)
        y, pullback = self._reverse.pulled(values)
        found = pullback(np.ones_like(y) if isinstance(y, np.ndarray) else 1.0)
        for g in found:
            if np.shape(g) != np.shape(y):
                raise ValueError(
                    f"the argument has shape {np.shape(g)} but the result "
                    f"{np.shape(y)}: the function is not elementwise; use "
                    "sourcegrad.jacobian"
                )
        return found if isinstance(self.argnums, tuple) else found[0]
