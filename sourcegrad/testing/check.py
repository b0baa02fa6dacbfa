"""The gradient of one function at one point, against slopes of the function."""

from __future__ import annotations

import copy
import functools
import inspect
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad.api import grad
from sourcegrad.compile.entry import bind, parameter_names
from sourcegrad.errors import GradientMismatch
from sourcegrad.forward.trees import as_tangent
from sourcegrad.forward_api import Jvp
from sourcegrad.testing.orders import Derivative, generated, gradient_of, tangent_of
from sourcegrad.testing.places import Places
from sourcegrad.testing.slopes import Slope, complex_step, differences, kink
from sourcegrad.testing.trees import Part, at, is_active, mapped, parts
from sourcegrad.transform.base import Transform
from sourcegrad.vjp_api import vjp

DIRECTIONS = 3
SEED = 20
SHOWN = 5
MOST_ENTRIES = 2000


@dataclass
class Row:
    """One entry of the gradient beside its reference."""

    name: str
    gradient: complex
    slope: Slope
    margin: float

    @property
    def wrong(self) -> bool:
        """Whether they differ by more than rounding and the slope's own error."""
        return not abs(self.gradient - self.slope.value) <= self.margin

    def __str__(self) -> str:
        reference = f"{self.slope.method} {self.slope.value:.12g}"
        return f"{self.name}: gradient {np.real(self.gradient):.12g}, {reference}"


class Check:
    """The gradient of one function at one point, against slopes.

    Args:
        transform: the gradient.
        args: the arguments, where to check.
    """

    def __init__(self, transform: Transform, args: Sequence[Any]) -> None:
        self.transform = transform
        self.args = tuple(args)
        given = (*transform._args, *args)
        self.values = bind(transform._fn, given, dict(transform._kwargs))
        self.fn = on_plain(transform.f, transform._fn)
        self.title = f"{getattr(transform.f, '__name__', 'f')}()"
        self.names = parameter_names(transform._fn)
        self.places = Places(self.names)
        self.wrt = transform._request.wrt
        self.argnums = self.places.argnums(self.wrt)
        self.rng = np.random.default_rng(SEED)
        start = copy.deepcopy(list(self.values))
        for n in self.wrt:
            start = self.places.replaced(start, n, self.floated(n))
        self.result = self.primal(start)
        found = list(parts(self.result, "result"))
        self.single = (
            len(found) == 1 and not found[0].path and np.size(found[0].value) == 1
        )
        self.weights = [
            np.ones(np.shape(p.value))
            if self.single
            else self.rng.uniform(0.5, 1.5, np.shape(p.value))
            for p in found
        ]
        self.parts = [
            Part(p.name, (("item", n), *p.path), p.value)
            for n in self.wrt
            for p in parts(self.floated(n), n)
        ]

    def floated(self, name: str) -> Any:
        """The argument; a number is taken as a float."""
        value = copy.deepcopy(self.places.read(self.values, name))
        return float(value) if type(value) is int else value

    def primal(self, values: Sequence[Any]) -> Any:
        """The function's own result."""
        bound = self.call(values)
        return self.fn(*bound.args, **bound.kwargs)

    def call(self, values: Sequence[Any]) -> inspect.BoundArguments:
        """The arguments as a call hands them."""
        given = dict(zip(self.names, values, strict=True))
        return inspect.BoundArguments(inspect.signature(self.fn), OrderedDict(given))

    # ------------------------------------------------------------------ gradient

    def gradient(self) -> dict[str, Any]:
        """The gradient by name of the parameter, from the compiler."""
        if self.single:
            got = self.transform(*copy.deepcopy(self.args))
            several = self.transform._request.several
            return dict(zip(self.wrt, got if several else (got,), strict=True))
        bound = self.call(copy.deepcopy(self.values))
        fn = functools.partial(self.fn, **bound.kwargs) if bound.kwargs else self.fn
        with warnings.catch_warnings():  # parameters that nobody asked about
            warnings.simplefilter("ignore")
            _, pullback = vjp(fn, *bound.args)
        weights = iter(self.weights)
        seed = mapped(self.result, lambda y: _like(y, next(weights)))
        got = pullback(seed)
        return {n: got[self.places.position(n)] for n in self.wrt}

    def run(self, modes: Sequence[str]) -> None:
        """Compare, in each of the modes.

        Raises:
            GradientMismatch: they differ.
        """
        if not self.parts:
            self.transform(*copy.deepcopy(self.args))  # it says why, where it can
            raise ValueError(f"nothing to check: {', '.join(self.wrt)} holds no floats")
        if "reverse" in modes:
            self.reverse()
        if "forward" in modes:
            self.forward()

    def reverse(self) -> None:
        """The gradient, or the pullback of random weights, along random directions."""
        gradient = self.gradient()
        leaves = [self.leaf(gradient, part) for part in self.parts]
        self.tolerance = self.relative([p.value for p in self.parts] + leaves)
        for _ in range(DIRECTIONS):
            v = [self.direction(p.value) for p in self.parts]
            row = self.row("slope", leaves, v)
            if row.wrong:
                self.fail(leaves, row)

    def forward(self) -> None:
        """The tangents of random directions."""
        self.tolerance = self.relative([p.value for p in self.parts])
        for _ in range(DIRECTIONS):
            v = [self.direction(p.value) for p in self.parts]
            y_dot = list(parts(self.tangent(v), "tangent"))
            pairs = list(zip(y_dot, self.weights, strict=True))
            got = sum(np.sum(np.asarray(p.value) * w) for p, w in pairs)
            scale = float(sum(np.sum(np.abs(p.value * w)) for p, w in pairs))
            row = self.beside("slope", float(np.real(got)), scale, self.along(v), False)
            if row.wrong:
                raise GradientMismatch(
                    f"the tangent of {self.title} is not that of the function",
                    why=f"along a random direction the tangent is {row.gradient:.12g}, "
                    f"{row.slope.method} {row.slope.value:.12g} (random seed {SEED})",
                )

    def tangent(self, v: list[Any]) -> Any:
        """The tangent of the result along a direction, from the compiler."""
        values = tuple(copy.deepcopy(self.values))
        return Jvp(self.fn, self.argnums).run(values, tuple(self.dots(v)))[1]

    def dots(self, v: list[Any]) -> list[Any]:
        """A direction as a tangent for each argument."""
        steps = iter(v)
        dots = []
        for n in self.wrt:
            value = self.floated(n)
            dot = mapped(value, lambda x: _like(x, np.asarray(next(steps))))
            dots.append(as_tangent(value, dot))
        return dots

    def derivative(self, mode: str) -> Derivative:
        """The generated derivative in a mode as a function, and its arguments."""
        if mode == "forward":
            v = [self.direction(p.value) for p in self.parts]
            return tangent_of(self.fn, self.argnums, self.values, self.dots(v))
        if self.single:  # a generated gradient ends in the seed, whose default is 1
            return generated(grad(self.fn, self.argnums), self.values, ())
        found = list(parts(self.result, "result"))
        return gradient_of(self.fn, self.argnums, self.values, found, self.weights)

    def leaf(self, gradient: dict[str, Any], part: Part) -> Any:
        """The part of the gradient that belongs to a part of the arguments."""
        try:
            found = at(gradient, part.path)
        except (KeyError, IndexError, TypeError, AttributeError):
            found = None
        if not is_active(found) or np.shape(found) != np.shape(part.value):
            shape = np.shape(part.value)
            raise GradientMismatch(
                f"the gradient of {self.title} for {part.name} is {found!r}",
                why=f"{part.name} is a {type(part.value).__name__} of shape {shape}",
            )
        return found

    def relative(self, leaves: list[Any]) -> float:
        """The relative error that the coarsest dtype in play allows."""
        every = [*leaves, *(p.value for p in parts(self.result, ""))]
        eps = max(
            (float(np.finfo(np.asarray(x).dtype).eps) for x in every), default=0.0
        )
        return 1e-6 if eps < 1e-10 else min(2e3 * eps, 0.05)

    # -------------------------------------------------------------------- slopes

    def direction(self, x: Any) -> Any:
        """A random direction, in proportion to the argument."""
        x = np.asarray(x)
        v = self.rng.uniform(0.5, 1.0, x.shape) * self.rng.choice([-1.0, 1.0], x.shape)
        if x.dtype.kind == "c":
            v = v * np.exp(1j * self.rng.uniform(0, 2 * np.pi, x.shape))
        return v * np.where(x == 0, 1.0, np.abs(x))

    def along(self, v: list[Any]) -> Callable[[Any], Any]:
        """The function, weighed, on the line through the arguments."""

        def phi(t: Any) -> Any:
            steps = iter(v)
            values = [mapped(value, _widened) for value in self.values]
            for n in self.wrt:
                moved = mapped(self.floated(n), lambda x: _moved(x, t, next(steps)))
                values = self.places.replaced(values, n, moved)
            with np.errstate(all="ignore"):
                result = self.primal(values)
            ys = [p.value for p in parts(result, "")]
            total = sum(
                np.sum(np.asarray(y) * w) for y, w in zip(ys, self.weights, strict=True)
            )
            return total if isinstance(t, complex) else float(np.real(total))

        return phi

    def row(self, name: str, leaves: list[Any], v: list[Any]) -> Row:
        """The gradient along a direction beside the slope of the function."""
        pairs = list(zip(leaves, v, strict=True))
        scale = float(sum(np.sum(np.abs(g * d)) for g, d in pairs))
        got = sum(float(np.real(np.sum(g * d))) for g, d in pairs)
        real = all(np.asarray(g).dtype.kind == "f" for g in leaves)
        return self.beside(name, got, scale, self.along(v), real)

    def beside(
        self, name: str, got: float, scale: float, phi: Callable[[Any], Any], real: bool
    ) -> Row:
        """A derivative along a direction beside the slope of the function there."""
        slope = differences(phi)
        exact = complex_step(phi, slope) if real else None
        if exact is None and not slope.error <= 1e-3 * max(
            scale, abs(slope.value), 1e-6
        ):
            self.unsettled(phi, slope)
        slope = exact or slope
        margin = (
            self.tolerance * max(scale, abs(slope.value)) + 10 * slope.error + 1e-12
        )
        return Row(name, got, slope, margin)

    def unsettled(self, phi: Callable[[float], float], slope: Slope) -> None:
        """Refuse to judge by slopes that are none; not checked is not passed."""
        raise GradientMismatch(
            f"the gradient of {self.title} cannot be checked here",
            why=f"its differences do not settle (slope {slope.value:.6g}, give or take "
            f"{slope.error:.2g}){self.sides(phi)}",
            hints=(
                "choose a point away from jumps and kinks, where the value is finite",
            ),
        )

    def sides(self, phi: Callable[[float], float]) -> str:
        """What to say of a kink, if there is one."""
        found = kink(phi)
        if found is None:
            return ""
        left, right = (f"{slope:.6g}" for slope in found)
        return f"; there is a kink: slope {left} to the left, {right} to the right"

    # ------------------------------------------------------------------- failure

    def fail(self, leaves: list[Any], along: Row) -> None:
        """Say which entries are wrong, worst first."""
        found = [self.entry(leaves, *place) for place in self.entries()]
        wrong = [pair for pair in found if pair[0].wrong]
        wrong.sort(key=lambda p: -abs(p[0].gradient - p[0].slope.value))
        if not wrong:  # each entry is within its margin, their sum is not
            wrong = [(along, [np.ones(np.shape(g)) for g in leaves])]
        shown = [str(row) for row, _ in wrong[:SHOWN]]
        if len(wrong) > SHOWN:
            shown.append(f"and {len(wrong) - SHOWN} more")
        kinds = sorted({np.asarray(p.value).dtype.name for p in self.parts})
        shown[-1] += self.sides(self.along(wrong[0][1]))
        shown.append(f"({', '.join(kinds)}; random seed {SEED})")
        raise GradientMismatch(
            f"the gradient of {self.title} is not that of the function",
            why="\n  ".join(shown),
        )

    def entries(self) -> list[tuple[int, tuple[int, ...], complex, str]]:
        """Every entry: its part, index, direction, and what its name ends in."""
        found = [
            (k, index, *unit)
            for k, part in enumerate(self.parts)
            for index in np.ndindex(np.shape(part.value))
            for unit in self.units(part.value)
        ]
        if len(found) > MOST_ENTRIES:
            chosen = self.rng.choice(len(found), MOST_ENTRIES, replace=False)
            found = [found[i] for i in chosen]
        return found

    def entry(
        self,
        leaves: list[Any],
        k: int,
        index: tuple[int, ...],
        unit: complex,
        suffix: str,
    ) -> tuple[Row, list[Any]]:
        """One entry of the gradient beside its slope, and the direction."""
        part = self.parts[k]
        v = [np.zeros_like(p.value, np.result_type(p.value, float)) for p in self.parts]
        size = float(np.abs(np.asarray(part.value)[index])) or 1.0
        v[k][index] = unit * size
        row = self.row(part.entry(index) + suffix, leaves, v)
        return _scaled(row, size), v

    def units(self, x: Any) -> list[tuple[complex, str]]:
        """The directions of one entry: one, and i for a complex one."""
        return [(1.0, ".real"), (1j, ".imag")] if np.iscomplexobj(x) else [(1.0, "")]


def on_plain(f: Any, fn: Callable[..., Any]) -> Callable[..., Any]:
    """`fn` itself, under the transforms that `f` puts on a method or partial of it."""
    if not isinstance(f, Transform):
        return fn
    wrt = f._request.wrt
    inner = on_plain(f.f, fn)
    chosen = wrt if f._request.several else wrt[0]
    return type(f)(inner, chosen, has_aux=f.has_aux, backend=f.backend)


def _scaled(row: Row, size: float) -> Row:
    """A row for a step of one."""
    slope = Slope(row.slope.value / size, row.slope.error / size, row.slope.method)
    return Row(row.name, row.gradient / size, slope, row.margin / size)


def _moved(x: Any, t: Any, v: Any) -> Any:
    """A leaf moved by `t` times `v`, in double precision."""
    if isinstance(x, np.ndarray):
        return x.astype(np.result_type(x.dtype, float)) + t * v
    moved = _widened(x) + t * v
    if isinstance(x, np.generic):
        return np.asarray(moved)[()]
    return moved.item() if isinstance(moved, (np.generic, np.ndarray)) else moved


def _widened(x: Any) -> Any:
    """A copy of a leaf in double precision at least."""
    if isinstance(x, (np.ndarray, np.generic)):
        return x.astype(np.result_type(x.dtype, float))
    return x


def _like(y: Any, weight: Any) -> Any:
    """A weight in the type of a result."""
    if isinstance(y, np.ndarray):
        return weight.astype(y.dtype)
    return y.dtype.type(weight) if isinstance(y, np.generic) else type(y)(weight)
