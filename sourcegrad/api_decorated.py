"""`differentiable`: a function that carries its derivatives."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from sourcegrad.api import Gradient, ValueAndGradient, grad, value_and_grad
from sourcegrad.transform.arguments import Argnums


class Differentiable:
    """A function with its derivatives as methods; called plainly it runs the primal."""

    __qualname__: str
    __sourcegrad_primal__ = True  # its call is no derivative

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        functools.update_wrapper(self, f)
        self.f, self.argnums, self.backend = f, argnums, backend

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The primal, as it was written."""
        return self.f(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return Differentiable(
            self.f.__get__(instance, owner), self.argnums, self.backend
        )

    @functools.cached_property
    def grad(self) -> Gradient:
        """The gradient, see `sourcegrad.grad`."""
        return grad(self.f, self.argnums, backend=self.backend)

    @functools.cached_property
    def value_and_grad(self) -> ValueAndGradient:
        """Value and gradient, see `sourcegrad.value_and_grad`."""
        return value_and_grad(self.f, self.argnums, backend=self.backend)

    def vjp(self, *primals: Any) -> tuple[Any, Any]:
        """Value and pullback, see `sourcegrad.vjp`."""
        from sourcegrad.vjp_api import vjp

        return vjp(self.f, *primals, backend=self.backend)

    def jvp(
        self, primals: tuple[Any, ...], tangents: tuple[Any, ...]
    ) -> tuple[Any, Any]:
        """Value and tangent, see `sourcegrad.jvp`."""
        from sourcegrad.forward_api import jvp

        return jvp(self.f, primals, tangents, backend=self.backend)

    def source(self, *args: Any, **options: Any) -> str:
        """The generated text of the gradient."""
        return self.grad.source(*args, **options)

    def show(self, *args: Any, **options: Any) -> None:
        """Print the generated text of the gradient."""
        self.grad.show(*args, **options)

    def __reduce__(self) -> Any:
        return _find_decorated, (self.f.__module__, self.__qualname__)


def _find_decorated(module: str, qualname: str) -> Any:
    import importlib

    found: Any = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def differentiable(
    f: Callable[..., Any] | None = None,
    *,
    argnums: Argnums = 0,
    backend: str = "python",
) -> Any:
    """Decorator that gives a function `.grad`, `.value_and_grad`, `.vjp`, `.source`.

    >>> @differentiable
    ... def square(x):
    ...     return x * x
    >>> square(3.0), square.grad(3.0)
    (9.0, 6.0)
    """
    if f is None:
        return functools.partial(differentiable, argnums=argnums, backend=backend)
    return Differentiable(f, argnums, backend)
