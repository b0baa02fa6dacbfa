"""Hessians, and their products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.batch_api import for_stacks
from sourcegrad.forward.trees import as_tangent
from sourcegrad.matrices.arranged import by_columns
from sourcegrad.matrices.base import Matrix, all_values, moved_values, require_real
from sourcegrad.matrices.second import Second
from sourcegrad.transform.arguments import Argnums
from sourcegrad.transform.base import Transform


class Hessian(Matrix):
    """`hessian(f)`: a forward sweep over the gradient per number of the argument."""

    title = "hessian"

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: Argnums,
        backend: str,
        holomorphic: bool = False,
    ) -> None:
        super().__init__(f, argnums, backend)
        self.holomorphic = holomorphic
        self._second = Second(f, argnums, backend, holomorphic)
        forward = self._second.forward
        forward._request = for_stacks(forward._request, backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._second.forward

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at these arguments."""
        values = all_values(self._second.forward, args, kwargs)
        moved = moved_values(self._second.forward, values)
        single = not isinstance(self.argnums, tuple)
        require_real(moved, self.holomorphic, self.__name__)
        try:
            return by_columns(self._second, values, moved, single)
        except TypeError:
            forward = self._second.forward
            if forward._request.complex_powers or not forward._entry(values).powers:
                raise
        new = Hessian(self.f, self.argnums, self.backend, self.holomorphic)
        new._second.forward = forward._asking(complex_powers=True)
        return new(*args, **kwargs)

    def __reduce__(self) -> Any:
        return type(self), (self.f, self.argnums, self.backend, self.holomorphic)


class HessianProduct(Matrix):
    """`hvp(f)`."""

    title = "hvp"
    last = ("direction",)

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        super().__init__(f, argnums, backend)
        self._second = Second(f, argnums, backend, False)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._second.forward

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The product at these arguments; the direction comes last."""
        if len(args) < 2:
            raise TypeError(f"{self.__name__}() takes the arguments and then a vector")
        *primals, v = args
        values = all_values(self._second.forward, primals, kwargs)
        moved = moved_values(self._second.forward, values)
        if isinstance(self.argnums, tuple):
            dots = as_tangent(moved, tuple(v), "the vector")
        else:
            dots = (as_tangent(moved[0], v, "the vector"),)
        return self._second.run(values, dots)
