"""Functions of optional libraries that take functions: handlers, loaded when met."""

from __future__ import annotations

import importlib
import importlib.util
import types
from collections.abc import Callable
from typing import Any

from sourcegrad.ir import Obj

# The package of a function, and the module here that has the handlers by name.
MODULES = {"optimize": "scipy_optimize", "integrate": "scipy_ode"}


def solver_of(fn: Obj) -> Callable[..., Any] | None:
    """The handler for a solver of SciPy, or None.

    Args:
        fn: any object; a solver is told by its module and name.
    """
    obj = fn.obj
    if not isinstance(obj, types.FunctionType):
        return None
    library, _, rest = str(obj.__module__).partition(".")
    area = MODULES.get(rest.partition(".")[0]) if library == "scipy" else None
    if area is None:
        return None
    if importlib.util.find_spec(f"{__package__}.{area}") is None:
        return None  # an area without handlers: its functions have rules, or none
    module = importlib.import_module(f"{__package__}.{area}")
    made: Callable[..., Any] | None = module.handler(fn)
    return made
