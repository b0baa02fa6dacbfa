"""`solve_ivp` and `odeint`: the solver's values, with the derivative along its steps.

The steps are constants, but for the ends of the interval and the times of output,
which may be active; so the derivative is that of a solution by the same method on a
mesh that does not move.  Explicit methods are taken again with their own tableau,
implicit ones by Radau's collocation.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from sourcegrad import runtime_ode
from sourcegrad.frontend import library_ode as library
from sourcegrad.frontend.implicit import VECTOR, differentiated, own_call, solution
from sourcegrad.frontend.reads import Guard
from sourcegrad.frontend.scipy_optimize import Call
from sourcegrad.frontend.structs import Abstract, Poison, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, attr, getitem
from sourcegrad.kinds import UNKNOWN, Num

MATRIX = Num("array", 2, "float64")
EXPLICIT = ("RK45", "RK23", "DOP853")
_PLACES = Num("array", 1, "int64")


def handler(fn: Obj) -> Callable[..., Any] | None:
    """The handler for a function of `scipy.integrate`."""
    found = {"solve_ivp": solve_ivp, "odeint": odeint}.get(fn.obj.__name__)
    return None if found is None else partial(_handled, fn, found)


def _handled(fn: Obj, solve: Any, b: Any, args: Any, kw: Any, node: Any) -> Any:
    if b.deriving:
        return NotImplemented
    args = [b.settle(a) for a in args]
    kw = {k: b.settle(v) for k, v in kw.items()}
    if b.passive:
        return own_call(b, fn, args, kw, node)
    bound = inspect.signature(fn.obj).bind(*args, **kw)
    given = dict(bound.arguments)
    given |= given.pop("options", {})
    return solve(Call(b, fn.obj, given, Lit(None), node), fn, args, kw)


# ---------------------------------------------------------------------- solve_ivp


def solve_ivp(c: Call, fn: Obj, args: list[Any], kw: dict[str, Any]) -> Abstract:
    """`solve_ivp`."""
    b = c.b
    c.refuse_option("events")
    method = _method(c)
    whole = solution(b, _dense(c, fn, args, kw), UNKNOWN, "solution")
    span = b.elements(c.get("t_span"), c.node)
    t0, t1 = _pick(b, span, 0), _pick(b, span, 1)
    outputs = _outputs(c)
    path = whole
    if method not in (*EXPLICIT, "Radau"):
        method = "DOP853" if method == "LSODA" else "Radau"
        path = _again(c, method, [t0, t1], c.get("args"))
        if isinstance(outputs, Lit):
            outputs = solution(b, attr(whole, "t"), VECTOR, "t")
    mesh = Mesh(c, path, outputs)
    times = mesh.times(t0, t1, outputs)
    args_ = _operands(c)
    y = solution(b, attr(whole, "y"), MATRIX, "y")

    def states() -> Abstract:
        found = _steps(c, method, times, args_, path, mesh, c.get("fun"))
        return b.finish(attr(mesh.chosen(found), "T"))

    y = differentiated(b, y, states)
    t = solution(b, attr(whole, "t"), VECTOR, "t")
    t = differentiated(b, t, lambda: mesh.chosen(times))
    parts: dict[str, Abstract] = {"t": t, "y": y}
    for name in ("success", "status", "message", "nfev", "njev", "nlu"):
        parts[name] = attr(whole, name)
    parts["sol"] = Poison("the dense output 'sol' has no derivative: give t_eval")
    kind = type_of_result(fn.obj)
    return Struct(kind, tuple(parts), list(parts.values()), whole)


def type_of_result(fn: Any) -> type:
    """`OdeResult`."""
    return fn.__globals__["OdeResult"]


def _method(c: Call) -> str:
    """The name of the method."""
    held = c.get("method")
    name = held.value if isinstance(held, Lit) else None
    if isinstance(held, Obj):
        name = _fixed(c, held) if isinstance(held.obj, str) else held.path
        name = name.rpartition(".")[2]
    if name not in (*EXPLICIT, "Radau", "BDF", "LSODA"):
        raise c.refuse(
            "solve_ivp with a method that is known only at run time",
            "the derivative is taken along the steps of the method",
            "name one: RK45, RK23, DOP853, Radau, BDF or LSODA",
        )
    return str(name)


def _fixed(c: Call, held: Obj) -> str:
    """A captured text, from now on the one that the code relies on."""
    guards = c.b.binder.guards
    for guard in [g for g in guards if g.expected is held.obj]:
        guards.append(Guard(guard.name, guard.read, held.obj, None))
    return str(held.obj)


def _dense(c: Call, fn: Obj, args: list[Any], kw: dict[str, Any]) -> Expr:
    """The program's own call, with the steps in its result."""
    head = [*args]
    named = dict(kw)
    if len(head) > 5:
        head[5] = Lit(True)
    else:
        named["dense_output"] = Lit(True)
    return own_call(c.b, fn, head, named, c.node)


def _pick(b: Any, span: Abstract, k: int) -> Expr:
    """An end of the interval."""
    if isinstance(span, Struct):
        held = span.items[k]
        assert isinstance(held, Expr)
        return held
    held = b.materialise(span)
    return b.atom(b.finish(getitem(held, Lit(k))))


def _outputs(c: Call) -> Expr:
    """The times of output, an array or None."""
    held = c.get("t_eval")
    if isinstance(held, Lit) and held.value is None:
        return held
    found = c.b.call_value(Obj(np.asarray, "np.asarray"), [held], {}, c.node)
    return c.b.atom(found)


def _operands(c: Call) -> list[Abstract]:
    held = c.get("args")
    if isinstance(held, Lit) and held.value is None:
        return []
    if isinstance(held, Struct):
        return list(held.items)
    raise c.refuse(
        "args of a solver that is no display", "", "write a tuple: args=(a, b)"
    )


def _again(c: Call, method: str, times: list[Any], args: Any, **more: Any) -> Ref:
    """Another integration, whose steps can be taken again."""
    b = c.b
    run = b.binder.bind(runtime_ode.steps_by, "steps_by")
    empty = isinstance(args, Lit)
    held = Struct(tuple, (0, 1), times) if isinstance(times, list) else times
    name = "fun" if "fun" in c.given else "func"
    operands: list[Any] = [Lit(method), c.get(name), held, c.get("y0")]
    operands.append(Struct(tuple, (), []) if empty else args)
    for option in ("rtol", "atol"):
        if option in c.given:
            more[option] = c.given[option]
    own = own_call(b, run, operands, more, c.node)
    return solution(b, own, UNKNOWN, "again")


# --------------------------------------------------------------------------- mesh


class Mesh:
    """The times between which the derivative is taken, and those of output."""

    def __init__(self, c: Call, path: Ref, outputs: Expr) -> None:
        self.c, self.b = c, c.b
        self.all = isinstance(outputs, Lit)
        b = self.b
        mesh = b.binder.bind(runtime_ode.mesh_of, "mesh_of")
        places = b.binder.bind(runtime_ode.places_of, "places_of")
        taken = b.binder.bind(runtime_ode.steps_of, "steps_of")
        steps = Op("call", (taken, path), ())
        own = Op("call", (mesh, steps, outputs), ())
        self.values = solution(b, own, VECTOR, "mesh")
        where = Op("call", (places, self.values, outputs), ())
        self.places = None if self.all else solution(b, where, _PLACES, "places")

    def times(self, t0: Expr, t1: Expr, outputs: Expr) -> Ref:
        """The mesh with the active times in it."""
        b = self.b
        active = [e for e in (t0, t1, outputs) if b.is_varied(e)]
        if not active:
            return self.values
        copied = b.call_value(Obj(np.array, "np.array"), [self.values], {}, self.c.node)
        times = b.atom(copied)
        pairs = [(Lit(0), t0), (Lit(-1), t1)]
        if self.places is not None:
            pairs.append((self.places, outputs))
        for index, value in pairs:
            if b.is_varied(value):
                b.store(times, index, value, None, self.c.node)
        return times

    def chosen(self, found: Expr) -> Expr:
        """What belongs to the times of output."""
        if self.places is None:
            return found
        return self.b.atom(self.b.finish(getitem(found, self.places)))


def _steps(
    c: Call, method: str, times: Ref, args: list[Abstract], path: Ref, mesh: Mesh,
    f: Abstract, swapped: bool = False,
) -> Expr:  # fmt: skip
    """The states at all times of the mesh."""
    b = c.b
    rest = Struct(tuple, tuple(range(len(args))), args)
    y0 = c.get("y0")
    if method in EXPLICIT:
        own = [*tableau(b, method)]
        fn: Any = library.explicit_steps_swapped if swapped else library.explicit_steps
        found = b.inline_library(fn, [f, times, y0, rest, *own], c.node)
    else:
        made = b.binder.bind(runtime_ode.path_of, "path_of")
        with b.passively():
            guess = b.emit(Op("call", (made, path, mesh.values), ()), "path")
        found = b.inline_library(
            library.implicit_steps, [f, times, y0, rest, guess], c.node
        )
    return b.atom(found)


def tableau(b: Any, method: str) -> list[Obj]:
    """The nodes, weights and last weights of a method of SciPy."""
    cls = getattr(sys.modules["scipy.integrate"], method)
    path = b.binder.bind(cls, method).path
    return [Obj(getattr(cls, name), f"{path}.{name}") for name in ("C", "A", "B")]


# ------------------------------------------------------------------------- odeint


def odeint(c: Call, fn: Obj, args: list[Any], kw: dict[str, Any]) -> Abstract:
    """`odeint`."""
    b = c.b
    c.refuse_option("full_output", "Dfun", "tcrit")
    tfirst = c.get("tfirst")
    first = isinstance(tfirst, Lit) and bool(tfirst.value)
    own = own_call(b, fn, args, kw, c.node)
    y = solution(b, own, MATRIX, "y")
    held = b.call_value(Obj(np.asarray, "np.asarray"), [c.get("t")], {}, c.node)
    outputs = b.atom(held)
    operands = c.args()
    tuple_ = Struct(tuple, tuple(range(len(operands))), operands)
    again = _again(c, "DOP853", outputs, tuple_, tfirst=Lit(first))
    mesh = Mesh(c, again, outputs)
    times = mesh.times(Lit(0.0), Lit(0.0), outputs)

    def states() -> Abstract:
        found = _steps(
            c, "DOP853", times, operands, again, mesh, c.get("func"), not first
        )
        return mesh.chosen(found)

    return differentiated(b, y, states)
