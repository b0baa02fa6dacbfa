"""`scipy.integrate.quad`: its own value, with the derivative of a sum over points.

    y, err = quad(f, a, b)    is     y_own, err = quad(f, a, b), as in the program
                                     y = sum of w[k] * f(x[k])

The second line counts for the derivative only. The points are those of Gauss' rule on
the intervals that the algorithm ended with, halved; they move with finite limits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from sourcegrad import runtime_quad
from sourcegrad.frontend import library_quad
from sourcegrad.frontend.implicit import (
    SCALAR,
    VECTOR,
    differentiated,
    own_call,
    solution,
)
from sourcegrad.frontend.scipy_optimize import Call
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Lit, Obj, getitem
from sourcegrad.kinds import UNKNOWN

_COLUMNS = ("from_low", "from_high", "shift", "by_low", "by_high", "fixed")
_SEARCH = ("epsabs", "epsrel", "limit", "points")


def handler(fn: Obj) -> Callable[..., Any] | None:
    """The handler for a function of `scipy.integrate`."""
    return partial(_quad, fn) if fn.obj.__name__ == "quad" else None


def _quad(fn: Obj, b: Any, args: Any, kw: Any, node: Any) -> Any:
    if b.deriving:
        return NotImplemented
    args = [b.settle(a) for a in args]
    kw = {k: b.settle(v) for k, v in kw.items()}
    own = own_call(b, fn, args, kw, node)
    if b.passive:
        return own
    given = dict(inspect.signature(fn.obj).bind(*args, **kw).arguments)
    call = Call(b, fn.obj, given, own, node)
    call.refuse_option("full_output", "weight", "complex_func")
    if any(b.is_varied(leaf) for leaf in b.deep_leaves(call.get("points"))):
        raise call.refuse("the break points of an integral are constants here")
    whole = solution(b, own, UNKNOWN, "found")
    integral = solution(b, getitem(whole, Lit(0)), SCALAR, "integral")
    error = solution(b, getitem(whole, Lit(1)), SCALAR, "error")
    found = differentiated(b, integral, lambda: _sum(call))
    return Struct(tuple, (0, 1), [found, error], whole)


def _sum(c: Call) -> Abstract:
    """The sum over points that stands for the integral."""
    b, given = c.b, c.given
    func, low, high = given["func"], given["a"], given["b"]
    extra = c.args()
    packed = Struct(tuple, tuple(range(len(extra))), extra)
    rule = b.binder.bind(runtime_quad.quad_points, "quad_points")
    options = {name: given[name] for name in _SEARCH if name in given}
    own = own_call(b, rule, [func, low, high, packed], options, c.node)
    points = solution(b, own, UNKNOWN, "points")
    columns = [
        solution(b, getitem(points, Lit(k)), VECTOR, name)
        for k, name in enumerate(_COLUMNS)
    ]
    operands = [func, low, high, packed, *columns]
    found: Abstract = b.inline_library(library_quad.weighed_sum, operands, c.node)
    return found
