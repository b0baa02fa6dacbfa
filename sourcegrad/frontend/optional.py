"""Functions of optional libraries that take functions: handlers, loaded when met."""

from __future__ import annotations

import importlib
import importlib.util
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from sourcegrad.rules import catalogue

if TYPE_CHECKING:
    from sourcegrad.ir import Obj

# The package of a function, and the modules here that have the handlers by name.
MODULES = {
    "optimize": ("scipy_optimize",),
    "integrate": ("scipy_quad", "scipy_ode"),
}


def solver_of(fn: Obj) -> Callable[..., Any] | None:
    """The handler for a solver of SciPy, or None.

    Args:
        fn: any object; a solver is told by its module and name.
    """
    for module in _modules_for(fn.obj):
        made: Callable[..., Any] | None = module.handler(fn)
        if made is not None:
            return made
    return None


def is_solver(obj: Any) -> bool:
    """Whether a handler takes calls of an object, be it to refuse them."""
    return any(True for _ in _taking(obj))


def is_followed(obj: Any) -> bool:
    """Whether a handler gives the function a derivative, not only a refusal.

    Args:
        obj: any object.
    """
    return any(
        obj.__name__ not in getattr(module, "REFUSED", ()) for module in _taking(obj)
    )


def _taking(obj: Any) -> Iterator[types.ModuleType]:
    """The modules that have a handler for an object."""
    for module in _modules_for(obj):
        from sourcegrad.ir import Obj

        if module.handler(Obj(obj, obj.__name__)) is not None:
            yield module


def _modules_for(obj: Any) -> Iterator[types.ModuleType]:
    """The modules that may have a handler for an object."""
    if not isinstance(obj, types.FunctionType):
        return
    library, _, rest = str(obj.__module__).partition(".")
    for area in MODULES.get(rest.partition(".")[0], ()) if library == "scipy" else ():
        if importlib.util.find_spec(f"{__package__}.{area}") is not None:
            yield importlib.import_module(f"{__package__}.{area}")


catalogue.followed_by(is_followed)
