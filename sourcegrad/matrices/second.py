"""Second derivatives along a direction."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sourcegrad.api import Gradient
from sourcegrad.errors import SourcegradError
from sourcegrad.forward_api import Tangent
from sourcegrad.transform.arguments import Argnums


class Second:
    """Second derivatives along a direction, compiled per signature.

    Forward mode over the gradient; where the generated gradient is outside of the
    language (the residuals of a recursion are), the gradient of forward mode, which
    is the same number.
    """

    def __init__(
        self, f: Callable[..., Any], argnums: Argnums, backend: str, holomorphic: bool
    ) -> None:
        gradient = Gradient(f, argnums, backend=backend, holomorphic=holomorphic)
        self.forward = Tangent(gradient, argnums, backend=backend)
        self.inner = Tangent(f, argnums, backend=backend)
        self.inner._request = replace(self.inner._request, stands_in=True)
        self.backend = backend

    def run(self, values: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
        """The tangent of the gradient."""
        try:
            self.forward._found(values)
        except SourcegradError as error:
            return self.by_reverse(values, dots, error)
        return self.forward.run(values, dots)

    def require_apart(self, values: tuple[Any, ...]) -> None:
        """As of a `Transform`."""
        self.inner.require_apart(values)

    def stacks_of(self, values: tuple[Any, ...]) -> Any:
        """The same along a stack of directions, None where it is not compiled so."""
        try:
            return self.forward.stacks_of(values)
        except SourcegradError:
            return None  # `run` goes the other way, or says why there is none

    def by_reverse(self, values: Any, dots: Any, error: SourcegradError) -> Any:
        """The gradient of the tangent; if that fails too, the first error is raised."""
        known = self.inner._request
        operands = (*values, *dots)
        try:
            fn: Any = inspect.unwrap(self.inner._entry(values, "python").functions[0])
            wrt: Any = known.wrt if known.several else known.wrt[0]
            gradient = Gradient(fn, wrt, backend=self.backend)
            gradient._entry(operands)
        except SourcegradError:
            raise error from None
        return gradient(*operands)
