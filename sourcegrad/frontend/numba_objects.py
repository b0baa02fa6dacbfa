"""What numba makes of functions and loops, as the plain Python that it stands for."""

from __future__ import annotations

import types
from typing import Any

from sourcegrad.frontend.vectorized import element_by_element
from sourcegrad.ir import Obj

_OF_ELEMENTS, _OF_ROWS = "numba.np.ufunc.dufunc", "numba.np.ufunc.gufunc"


def numba_call(b: Any, fn: Obj, args: Any, kw: Any, node: Any) -> Any:
    """A call of `numba.prange`, or of what `numba.vectorize` made; None for another.

    Outside of a parallel function a `prange` is a range, which the text of a gradient
    says so that loops over it run backwards by their index.
    """
    obj: Any = fn.obj
    home = str(getattr(type(fn.obj), "__module__", ""))
    if getattr(obj, "__module__", None) == "numba.misc.special":
        if obj.__name__ == "prange":
            return b.call_value(b.binder.bind(range, "range"), args, kw, node)
    if home not in (_OF_ELEMENTS, _OF_ROWS) or not b.active(args, kw):
        return None
    inner = getattr(getattr(obj, "_dispatcher", None), "py_func", None)
    known = home == _OF_ELEMENTS and isinstance(inner, types.FunctionType)
    if not known or kw or len(args) != obj.nin:
        return b.call_ruleless(fn, args, kw, node)
    name = getattr(inner, "__name__", "inner")
    return element_by_element(b, b.binder.bind(inner, name), args, node)
