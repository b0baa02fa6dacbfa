"""`np.vectorize`: the function it is given, element by element."""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend.structs import Abstract, Bound
from sourcegrad.ir import Obj


def _along(b: Any) -> Obj:
    from sourcegrad.rules.numpy_functional import along  # an area: loaded when used

    found: Obj = b.binder.bind(along, "along")
    return found


def vectorize(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.vectorize(function)` in the program."""
    if b.passive:
        return NotImplemented
    if kw or len(args) != 1:
        raise b.unsupported(node, "np.vectorize with options", "write a loop")
    return Bound(_along(b), list(args), {})


def call_vectorized(b: Any, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
    """A call of an instance of `np.vectorize` that was made elsewhere."""
    made = fn.obj
    if kw or made.signature is not None or made.excluded or made.otypes is not None:
        raise b.unsupported(
            node, "np.vectorize with keywords, a signature or otypes", "write a loop"
        )
    inner = b.binder.bind(made.pyfunc, getattr(made.pyfunc, "__name__", "pyfunc"))
    return element_by_element(b, inner, args, node)


def element_by_element(b: Any, inner: Obj, args: Any, node: Any) -> Abstract:
    """A function of numbers, called with the elements of arrays."""
    found: Abstract = b.call_value(_along(b), [inner, *args], {}, node)
    return found
