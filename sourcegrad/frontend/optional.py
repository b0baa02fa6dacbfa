"""Functions of optional libraries that take functions: handlers, loaded when met."""

from __future__ import annotations

import importlib
import importlib.util
import types
from collections.abc import Callable
from typing import Any

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
    obj = fn.obj
    if not isinstance(obj, types.FunctionType):
        return None
    library, _, rest = str(obj.__module__).partition(".")
    areas = MODULES.get(rest.partition(".")[0], ()) if library == "scipy" else ()
    for area in areas:
        if importlib.util.find_spec(f"{__package__}.{area}") is None:
            continue  # not every package has handlers
        module = importlib.import_module(f"{__package__}.{area}")
        made: Callable[..., Any] | None = module.handler(fn)
        if made is not None:
            return made
    return None
