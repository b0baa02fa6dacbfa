"""Roots and minima of `scipy.optimize`: what each solver is called with, which
equation its result satisfies, and what its result holds."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sourcegrad import runtime_implicit
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.implicit import (
    SCALAR,
    VECTOR,
    Equation,
    differentiated,
    equation,
    own_call,
    solution,
    unknown_kind,
)
from sourcegrad.frontend.known import literal
from sourcegrad.frontend.lifting import Lifted
from sourcegrad.frontend.nested import OF, call_made, derived_of, function_of
from sourcegrad.frontend.structs import Abstract, Bound, Poison, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, attr, getitem
from sourcegrad.kinds import UNKNOWN, Kind, Num, is_scalar
from sourcegrad.loader.load import load

_FACTS = ("success", "status", "message", "nfev", "nit")


@dataclass
class Call:
    """A call of a solver, its operands by the names of the parameters."""

    b: Any
    fn: Any
    given: dict[str, Any]
    own: Expr
    node: Any

    def get(self, name: str) -> Any:
        """An operand, or its default."""
        if name in self.given:
            return self.given[name]
        default = inspect.signature(self.fn).parameters[name].default
        return Lit(None if default is inspect.Parameter.empty else default)

    def args(self) -> list[Abstract]:
        """The operand `args`: SciPy takes what is no tuple for its one element."""
        held = self.b.settle(self.get("args"))
        if isinstance(held, Struct) and held.type is tuple:
            return list(held.items)
        if isinstance(held, Lit) and held.value in (None, ()):
            return []
        return [held]

    def is_default(self, name: str) -> bool:
        """Whether an option has no effect."""
        held = self.get(name)
        if isinstance(held, Struct):
            return not held.items
        return isinstance(held, Lit) and held.value in (None, (), False, 0)

    def refuse(self, what: str, why: str = "", *hints: str) -> NonDifferentiableError:
        """The error for a call that has no derivative here."""
        return self.b.error(
            NonDifferentiableError, what, why, hints, self.b.locate(self.node)
        )

    def refuse_option(self, *names: str) -> None:
        """Refuse options that change what equation the result satisfies."""
        for name in names:
            if not self.is_default(name):
                raise self.refuse(
                    f"{self.fn.__name__} with the option {name!r} has no derivative"
                )


def handler(fn: Obj) -> Callable[..., Any] | None:
    """The handler for a function of `scipy.optimize`."""
    if fn.obj.__name__ in REFUSED:
        return partial(_refused, fn)
    found = SOLVERS.get(fn.obj.__name__)
    return None if found is None else partial(_handled, fn, found)


def _handled(
    fn: Obj, solve: Callable[[Call], Abstract], b: Any, args: Any, kw: Any, node: Any
) -> Any:
    if b.deriving:
        return NotImplemented
    args = [b.settle(a) for a in args]
    kw = {k: b.settle(v) for k, v in kw.items()}
    own = own_call(b, fn, args, kw, node)
    if b.passive:
        return own
    given = inspect.signature(fn.obj).bind(*args, **kw).arguments
    return solve(Call(b, fn.obj, dict(given), own, node))


def _refused(fn: Obj, b: Any, args: Any, kw: Any, node: Any) -> Any:
    if b.deriving or not b.active(args, kw):
        return NotImplemented
    raise b.missing(fn.path, node)


def _class(name: str) -> type:
    return getattr(sys.modules["scipy.optimize"], name)


def result(
    c: Call, whole: Ref, parts: dict[str, Abstract], hidden: tuple[str, ...] = ()
) -> Struct:
    """The result object with parts that carry derivatives; `hidden` ones cannot."""
    facts: dict[str, Abstract] = {n: attr(whole, n) for n in _FACTS}
    for name in hidden:
        facts[name] = Poison(f"the result's {name!r} has no derivative here")
    every = {**parts, **facts}
    return Struct(_class("OptimizeResult"), tuple(every), list(every.values()), whole)


def solved(c: Call, given: Equation) -> Ref:
    """The unknown of an equation, with its derivative."""
    return differentiated(c.b, given.x, lambda: given.step(c.b, c.node))


# ------------------------------------------------------------------------- roots


def root(c: Call) -> Abstract:
    """`root`."""
    if isinstance(c.get("jac"), Lit) and c.get("jac").value is True:
        raise c.refuse(
            "root with jac=True has no derivative",
            "the function returns two things",
            "give the Jacobian as a function of its own",
        )
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, attr(whole, "x"), _flat(c))
    x = solved(c, equation(c.b, c.get("fun"), x, c.args(), c.node))
    return result(c, whole, {"x": x, "fun": attr(whole, "fun")}, ("jac",))


def _flat(c: Call) -> Kind:
    """The kind of the unknown of `root`, which two methods take as a vector."""
    method = literal(c.get("method"))
    return (
        VECTOR if method in ("hybr", "lm") else unknown_kind(c.b, c.get("x0"), c.node)
    )


def fsolve(c: Call) -> Abstract:
    """`fsolve`."""
    if c.is_default("full_output"):
        x = solution(c.b, c.own, VECTOR)
        return solved(c, equation(c.b, c.get("func"), x, c.args(), c.node))
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, getitem(whole, Lit(0)), VECTOR)
    x = solved(c, equation(c.b, c.get("func"), x, c.args(), c.node))
    rest = [getitem(whole, Lit(k)) for k in (1, 2, 3)]
    return Struct(tuple, (0, 1, 2, 3), [x, *rest], whole)


def bracketed(c: Call) -> Abstract:
    """`brentq` and its kin: a root of one number."""
    return _scalar_root(c, c.get("f"), SCALAR)


def newton(c: Call) -> Abstract:
    """`newton`: a root of one number, or of an array of them."""
    kind = unknown_kind(c.b, c.get("x0"), c.node)
    return _scalar_root(c, c.get("func"), kind)


def _scalar_root(c: Call, f: Abstract, kind: Any) -> Abstract:
    whole = c.own
    if not c.is_default("full_output"):
        whole = solution(c.b, c.own, UNKNOWN, "solution")
    own = whole if whole is c.own else getitem(whole, Lit(0))
    x = solution(c.b, own, kind)
    given = equation(c.b, f, x, c.args(), c.node)
    given.each = kind.ndim > 0
    found = solved(c, given)
    if whole is c.own:
        return found
    return Struct(tuple, (0, 1), [found, getitem(whole, Lit(1))], whole)


def root_scalar(c: Call) -> Abstract:
    """`root_scalar`."""
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, attr(whole, "root"), SCALAR)
    if not c.is_default("fprime") and isinstance(c.get("fprime"), Lit):
        raise c.refuse(
            "root_scalar with fprime=True has no derivative",
            "the function returns two things",
            "give the slope as a function of its own",
        )
    x = solved(c, equation(c.b, c.get("f"), x, c.args(), c.node))
    facts = ("converged", "iterations", "function_calls", "flag")
    parts = {"root": x, **{n: attr(whole, n) for n in facts}}
    return Struct(_class("RootResults"), tuple(parts), list(parts.values()), whole)


def fixed_point(c: Call) -> Abstract:
    """`fixed_point`."""
    kind = unknown_kind(c.b, c.get("x0"), c.node)
    if is_scalar(kind):
        kind = Num("any", 0, "float64")  # SciPy gives an array without dimensions
    x = solution(c.b, c.own, kind)
    given = equation(c.b, c.get("func"), x, c.args(), c.node)
    given.fixed = True
    return solved(c, given)


# ------------------------------------------------------------------------ minima


def minimize(c: Call) -> Abstract:
    """`minimize`: the gradient is zero in the variables that are not on a bound."""
    c.refuse_option("constraints")
    f, gradient = _objective(c)
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, attr(whole, "x"), VECTOR)
    given = equation(c.b, gradient, x, c.args(), c.node)
    if not c.is_default("bounds"):
        given.free = _free(c, x, runtime_implicit.free_of)
    x = solved(c, given)
    least = solution(c.b, attr(whole, "fun"), SCALAR, "least")
    args = [x, *c.args()]
    fun = differentiated(c.b, least, lambda: c.b.call_value(f, args, {}, c.node))
    hidden = ("jac", "hess", "hess_inv")
    return result(c, whole, {"x": x, "fun": fun}, hidden)


def _objective(c: Call) -> tuple[Abstract, Abstract]:
    """The function to minimise, and its gradient."""
    f, jac = c.get("fun"), c.get("jac")
    if isinstance(jac, Lit) and jac.value is True:
        made = of_transform(c, f)
        if made is None:
            raise c.refuse(
                "minimize with jac=True has no derivative",
                "the function returns two things",
                "give the gradient as a function of its own",
            )
        inner = made.args
        return inner[0], Bound(Obj(OF["grad"], "grad"), list(inner))
    return f, Bound(Obj(OF["grad"], "grad"), [f, Lit(0), Lit(False)])


def of_transform(c: Call, f: Abstract) -> Bound | None:
    """`value_and_grad(f)` taken apart."""
    from sourcegrad.frontend.nested import Derivative, of_object

    if isinstance(f, Obj):
        f = of_object(c.b, f, c.node) or f
    if isinstance(f, Bound) and isinstance(f.fn, Obj):
        made = f.fn.obj
        if isinstance(made, Derivative) and made.what == "value_and_grad":
            return f
    return None


def _free(c: Call, x: Ref, fn: Any) -> Expr:
    """Which variables do not lie on their bounds, which are constants."""
    held = c.b.materialise(c.get("bounds"), c.node)
    if c.b.is_varied(held):
        raise c.refuse("the bounds of a minimum are taken as constants here")
    callee = c.b.binder.bind(fn, fn.__name__)
    free = solution(
        c.b, Op("call", (callee, x, held), ()), Num("any", 0, "bool"), "free"
    )
    if x.value.kind.ndim:  # type: ignore[attr-defined]
        free.value.kind = Num("array", 1, "bool")
    return free


def minimize_scalar(c: Call) -> Abstract:
    """`minimize_scalar`."""
    f = c.get("fun")
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, attr(whole, "x"), SCALAR)
    gradient = Bound(Obj(OF["grad"], "grad"), [f, Lit(0), Lit(False)])
    given = equation(c.b, gradient, x, c.args(), c.node)
    if not c.is_default("bounds"):
        given.free = _free(c, x, runtime_implicit.free_within)
    found = solved(c, given)
    least = solution(c.b, attr(whole, "fun"), SCALAR, "least")
    args = [found, *c.args()]
    fun = differentiated(c.b, least, lambda: c.b.call_value(f, args, {}, c.node))
    return result(c, whole, {"x": found, "fun": fun})


# ----------------------------------------------------------------- least squares


def least_squares(c: Call) -> Abstract:
    """`least_squares`: the gradient of half the sum of squares is zero."""
    if literal(c.get("loss")) != "linear":
        raise c.refuse(
            "least_squares with another loss than 'linear' has no derivative",
            "",
            "write the loss into a function for minimize",
        )
    c.refuse_option("kwargs")
    f, args = c.get("fun"), c.args()
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, attr(whole, "x"), VECTOR)
    given = normal_equation(c, f, x, args)
    if "bounds" in c.given:
        given.free = _free(c, x, runtime_implicit.free_within)
    moved = solved(c, given)
    residual = differentiated(
        c.b,
        solution(c.b, attr(whole, "fun"), VECTOR, "residual"),
        lambda: _array(c, c.b.call_value(f, [moved, *args], {}, c.node)),
    )
    cost = differentiated(
        c.b,
        solution(c.b, attr(whole, "cost"), SCALAR, "cost"),
        lambda: _half_squares(c, residual),
    )
    parts: dict[str, Abstract] = {"x": moved, "fun": residual, "cost": cost}
    return result(c, whole, parts, ("jac", "grad"))


def _array(c: Call, found: Abstract) -> Abstract:
    return c.b.call_value(Obj(np.asarray, "np.asarray"), [found], {}, c.node)


def _half_squares(c: Call, residual: Ref) -> Abstract:
    squares = c.b.finish(Op("pow", (residual, Lit(2))))
    total = c.b.finish(Op("call", (c.b.numpy("sum"), squares), ()))
    return c.b.finish(Op("mul", (Lit(0.5), total)))


def leastsq(c: Call) -> Abstract:
    """`leastsq`."""
    c.refuse_option("full_output")
    whole = solution(c.b, c.own, UNKNOWN, "solution")
    x = solution(c.b, getitem(whole, Lit(0)), VECTOR)
    x = solved(c, normal_equation(c, c.get("func"), x, c.args()))
    return Struct(tuple, (0, 1), [x, getitem(whole, Lit(1))], whole)


def normal_equation(c: Call, f: Abstract, x: Ref, args: list[Abstract]) -> Equation:
    """The gradient of half the sum of squares of a function."""

    def gradient() -> Lifted:
        inner = function_of(c.b, f, [x, *args], {}, c.node)
        squares = around(c, inner, _SQUARES)
        return derived_of(c.b, "grad", squares, Lit(0), Lit(False), c.node)

    return Equation(x, lambda: call_made(c.b, gradient(), c.node), gradient)


_SQUARES = """
def half_squares({params}):
    residual = np.asarray(f({params}))
    return 0.5 * np.sum(residual**2)
"""


def around(c: Call, inner: Lifted, text: str) -> Lifted:
    """A function of the same operands that calls another one."""
    names = ", ".join(inner.operands)
    key = ("around", inner.fn, text, names)
    made = c.b.context.derived.get(key)
    if made is None:
        space = {"np": np, "f": inner.fn}
        code = load(text.format(params=names).lstrip(), "<sourcegrad half_squares>", {})
        made = types.FunctionType(code["half_squares"].__code__, space, "half_squares")
        c.b.context.derived[key] = made
    return Lifted(made, dict(inner.operands), inner.own)


SOLVERS: dict[str, Callable[[Call], Abstract]] = {
    "root": root,
    "fsolve": fsolve,
    "brentq": bracketed,
    "brenth": bracketed,
    "bisect": bracketed,
    "ridder": bracketed,
    "toms748": bracketed,
    "newton": newton,
    "root_scalar": root_scalar,
    "fixed_point": fixed_point,
    "minimize": minimize,
    "minimize_scalar": minimize_scalar,
    "least_squares": least_squares,
    "leastsq": leastsq,
}
REFUSED = frozenset(
    "linprog milp linear_sum_assignment quadratic_assignment nnls lsq_linear "
    "isotonic_regression curve_fit differential_evolution dual_annealing shgo direct "
    "basinhopping brute fmin fmin_powell fmin_cg fmin_bfgs fmin_ncg fmin_l_bfgs_b "
    "fmin_tnc fmin_cobyla fmin_slsqp fminbound brent golden bracket broyden1 broyden2 "
    "anderson linearmixing diagbroyden excitingmixing newton_krylov".split()
)
