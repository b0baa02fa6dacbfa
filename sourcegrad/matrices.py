"""Jacobians, Hessians, and their products with vectors."""

from __future__ import annotations

import functools
import inspect
import math
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad import api
from sourcegrad.api import Gradient
from sourcegrad.batch_api import as_rows, for_stacks, rows_of, unit_stacks, zeros_of
from sourcegrad.cache import Entry
from sourcegrad.compile import (
    before_compiling,
    bind,
    inner_functions,
    parameter_names,
)
from sourcegrad.errors import NonDifferentiableError, SourcegradError
from sourcegrad.floating import silent
from sourcegrad.forward.trees import (
    as_tangent,
    leaves,
    mapped,
    row,
    size,
    unit_tangents,
)
from sourcegrad.forward_api import Tangent, finite_or_none, jvp, linearize
from sourcegrad.forward_kept import arguments_apart
from sourcegrad.source_written import call_of
from sourcegrad.transform import Transform
from sourcegrad.transform_arguments import Argnums, check_argument
from sourcegrad.transform_finite import finite
from sourcegrad.vjp_api import Vjp, vjp

MODES = ("auto", "forward", "reverse")


class Matrix:
    """Base of what is made of several sweeps, or of one sweep over another.

    It has the name and doc of what it does; `source` is the text of its sweep.
    """

    title = "jacobian"
    last: tuple[str, ...] = ()

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        self.f, self.argnums, self.backend = f, argnums, backend
        name = getattr(f, "__name__", "f")
        self.__name__ = self.__qualname__ = f"{name}_{self.title}"
        self.__doc__ = f"{self.title.capitalize()} of {name}."
        self.__wrapped__ = f

    def sweep(self) -> Transform:
        """The transform that is run, once or several times."""
        raise NotImplementedError

    def source(self, *args: Any, stage: str | None = None) -> str:
        """The generated text of one sweep for arguments like these."""
        return self.sweep().source(*args, stage=stage)

    def show(self, *args: Any, **options: Any) -> None:
        """Print the generated text."""
        print(self.source(*args, **options))

    @functools.cached_property
    def __sourcegrad_function__(self) -> types.FunctionType:
        """A function that does the same, for transforms of this one."""
        return call_of(self, self.f, self.title, self.last)

    def __repr__(self) -> str:
        return f"<{self.title} of {self.f!r}>"

    def __reduce__(self) -> Any:
        return type(self), (self.f, self.argnums, self.backend)


def moved_values(transform: Transform, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of the differentiated parameters, or elements of `*args`."""
    names = parameter_names(transform._fn)
    found = []
    for wanted in transform._request.wrt:
        base, _, place = wanted.partition("[")
        value = values[names.index(base)]
        if place:
            k = int(place.rstrip("]"))
            if k >= len(value):
                raise ValueError(
                    f"argnums is out of range: there is no argument {wanted}"
                )
            value = value[k]
        found.append(value)
    return tuple(found)


def all_values(transform: Transform, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """The arguments of all parameters, bound and default ones included."""
    if not kwargs and transform._plain and len(args) == transform._count:
        return tuple(args)
    return bind(
        transform._fn, (*transform._args, *args), {**transform._kwargs, **kwargs}
    )


# ------------------------------------------------------------------- jacobian


class Jacobian(Matrix):
    """`jacobian(f)`."""

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: Argnums,
        mode: str,
        backend: str,
        holomorphic: bool = False,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        super().__init__(f, argnums, backend)
        self.mode, self.holomorphic = mode, holomorphic
        self._forward = Tangent(f, argnums, backend=backend)
        self._reverse = Vjp(f, argnums, backend=backend)
        for transform in (self._forward, self._reverse):
            transform._request = for_stacks(transform._request, backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._forward if self.mode == "forward" else self._reverse

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at these arguments."""
        values = all_values(self._forward, args, kwargs)
        moved = moved_values(self._forward, values)
        for name, value in zip(self._forward._request.wrt, moved, strict=True):
            check_argument(name, value)
        single = not isinstance(self.argnums, tuple)
        if self.mode == "forward":
            require_real(moved, self.holomorphic, self.__name__)
            return by_columns(self._forward, values, moved, single)
        entry = self._reverse._entry(values)
        if entry.powers and not self._reverse._request.complex_powers:
            return self._asking(complex_powers=True)(*args, **kwargs)
        self._reverse.require_apart(values)
        operands = self._reverse._unfolded(arguments_apart(values))[1]
        y, residuals = entry.calls[0](*operands)
        if is_complex(y):
            require_real(moved, self.holomorphic, self.__name__)
        turn = self.mode == "auto" and size(y) > size(moved)
        if turn and (self.holomorphic or not is_complex(moved)):
            return by_columns(self._forward, values, moved, single)
        matrix = self._rows(entry, y, residuals, size(moved))
        if matrix is None:
            with silent():
                return self._careful()(*args, **kwargs)
        if is_complex(y) and not self.holomorphic:
            # Of a real argument, a cotangent is the real part of the product.
            with silent():
                other = by_rows(entry, y, residuals, size(moved), -1j)
            matrix = matrix + 1j * other
        return arranged(y, moved, matrix, single)

    def _rows(
        self, entry: Entry, y: Any, residuals: Any, width: int
    ) -> np.ndarray | None:
        """The matrix; None where it is not finite and zero did not win yet."""
        final = self._reverse._request.careful or not entry.repeatable
        try:
            with silent():
                matrix = by_rows(entry, y, residuals, width)
        except (ArithmeticError, ValueError):
            if final:
                raise
            return None
        return matrix if final or finite(matrix) else None

    def _careful(self) -> Jacobian:
        """The same Jacobian, in which zero wins in every product."""
        return self._asking(careful=True, batched=False)

    def _asking(self, **changes: Any) -> Jacobian:
        """The same Jacobian, with something else in the requests of its sweeps."""
        new = Jacobian(self.f, self.argnums, self.mode, self.backend, self.holomorphic)
        new._forward = self._forward._asking(**changes)
        new._reverse = self._reverse._asking(**changes)
        return new

    def __reduce__(self) -> Any:
        return type(self), (
            self.f, self.argnums, self.mode, self.backend, self.holomorphic
        )  # fmt: skip


def require_real(moved: tuple[Any, ...], holomorphic: bool, name: str) -> None:
    """Refuse complex arguments, unless the function is said to be holomorphic.

    Raises:
        NonDifferentiableError: the matrix of a function of complex numbers is that of
            its real and imaginary parts, unless it is holomorphic.
    """
    if not holomorphic and is_complex(moved):
        raise NonDifferentiableError(
            f"{name} has a complex argument",
            why="the derivative of a function that is not holomorphic is no number",
            hints=(
                "for a holomorphic function: holomorphic=True",
                "for a real result: jacobian(f, mode='reverse')",
                "else differentiate by the real and the imaginary part",
            ),
        )


def is_complex(tree: Any) -> bool:
    """Whether any number of a tree is complex."""
    return any(map(np.iscomplexobj, leaves(tree)))


def by_rows(
    entry: Entry, y: Any, residuals: Any, width: int, scale: complex = 1.0
) -> np.ndarray:
    """The rows of a Jacobian: a reverse sweep for each number of the result, or one
    for many of them."""
    if len(entry.calls) < 3:
        rows = [entry.calls[1](residuals, _scaled(seed, scale))
                for seed in unit_tangents(y)]  # fmt: skip
        return _matrix(rows, width)
    parts = [
        as_rows(entry.calls[2](residuals, _scaled(seeds, scale), count), count)
        for seeds, count in unit_stacks(y)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, width))


def _scaled(tree: Any, scale: complex) -> Any:
    """Seeds times a number; those of real results stay real, and are then zero."""
    if scale == 1.0:
        return tree

    def leaf(x: Any) -> Any:
        return x * scale if np.iscomplexobj(x) else x * 0.0

    return mapped(leaf, tree)


def arranged(y: Any, moved: tuple[Any, ...], matrix: np.ndarray, single: bool) -> Any:
    """The matrix cut into blocks, in the structure of result and arguments."""
    rows = _cuts(y)

    def block(leaf: Any) -> Any:
        part = matrix[next(rows)]
        columns = _cuts(moved)

        def inner(x: Any) -> Any:
            found = part[:, next(columns)]
            shape = (*np.shape(leaf), *np.shape(x))
            return np.array(found).reshape(shape) if shape else found.item()

        made = mapped(inner, moved)
        return made[0] if single else made

    return mapped(block, y)


def by_columns(
    transform: Tangent | Second,
    values: tuple[Any, ...],
    moved: tuple[Any, ...],
    single: bool,
) -> Any:
    """A Jacobian by a forward sweep per number of the arguments, or one for many."""
    transform.require_apart(values)
    sweep, run = transform.stacks_of(values), transform.run
    if not size(moved):
        y = run(arguments_apart(values), zeros_of(moved))
        return arranged(y, moved, np.zeros((size(y), 0)), single)
    found = None if sweep is None else _by_stacks(sweep, values, moved)
    if found is None:
        columns = [run(arguments_apart(values), dots) for dots in unit_tangents(moved)]
        found = columns[0], _matrix(columns, size(columns[0]))
    return arranged(found[0], moved, found[1].T, single)


def _by_stacks(
    sweep: Any, values: tuple[Any, ...], moved: tuple[Any, ...]
) -> tuple[Any, np.ndarray] | None:
    """The columns by sweeps of many each; None where they are not all finite."""
    parts, y = [], None
    for seeds, count in unit_stacks(moved):
        found = finite_or_none(
            functools.partial(sweep, arguments_apart(values), seeds, count)
        )
        if found is None:
            return None
        y = next(rows_of(found, found, 1)) if y is None else y
        parts.append(as_rows(found, count))
    return y, np.concatenate(parts)


def _matrix(trees: list[Any], width: int) -> np.ndarray:
    """One row per tree: its numbers in order."""
    if not trees or not width:
        return np.zeros((len(trees), width))
    return np.stack(list(map(row, trees)))


def _cuts(tree: Any) -> Iterator[slice]:
    """The range of numbers of each leaf."""
    start = 0
    for leaf in leaves(tree):
        count = math.prod(np.shape(leaf))
        yield slice(start, start + count)
        start += count


def jacobian(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    mode: str = "auto",
    *,
    holomorphic: bool = False,
    sparsity: Any = None,
    backend: str = "python",
) -> Any:
    """The Jacobian: the derivative of every element of the result by every element
    of the argument.

    Args:
        f: the function.
        argnums: as for `grad`.
        mode: "reverse" takes one sweep per element of the result, "forward" one per
            element of the argument, "auto" whichever are fewer; one sweep takes many
            of them at once where the kinds of the program's values allow.
        holomorphic: the function is one of complex numbers, and holomorphic; without,
            complex arguments are an error unless the result is real and the mode
            can be "reverse", which gives rows as `grad` does.
        sparsity: which entries may be other than zero; then this is
            `sparse_jacobian`.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments; each block has the shape of the result
        followed by that of the argument, containers are nested likewise.

    Raises:
        ValueError: there is no such mode.

    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    if sparsity is not None:
        from sourcegrad.sparse import sparse_jacobian

        return sparse_jacobian(f, sparsity, argnums, mode, backend=backend)
    return Jacobian(f, argnums, mode, backend, holomorphic)


# -------------------------------------------------------------------- hessian


class Second:
    """Second derivatives along a direction, compiled per signature.

    Forward mode over the gradient; where the generated gradient is outside of the
    language (the residuals of a recursion are), the gradient of forward mode, which
    is the same number.
    """

    def __init__(
        self, f: Callable[..., Any], argnums: Argnums, backend: str, holomorphic: bool
    ) -> None:
        gradient = Gradient(f, argnums, backend=backend, holomorphic=holomorphic)
        self.forward = Tangent(gradient, argnums, backend=backend)
        self.inner = Tangent(f, argnums, backend=backend)
        self.inner._request = replace(self.inner._request, stands_in=True)
        self.backend = backend

    def run(self, values: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
        """The tangent of the gradient."""
        try:
            self.forward._found(values)
        except SourcegradError as error:
            return self.by_reverse(values, dots, error)
        return self.forward.run(values, dots)

    def require_apart(self, values: tuple[Any, ...]) -> None:
        """As of a `Transform`."""
        self.inner.require_apart(values)

    def stacks_of(self, values: tuple[Any, ...]) -> Any:
        """The same along a stack of directions, None where it is not compiled so."""
        try:
            return self.forward.stacks_of(values)
        except SourcegradError:
            return None  # `run` goes the other way, or says why there is none

    def by_reverse(self, values: Any, dots: Any, error: SourcegradError) -> Any:
        """The gradient of the tangent; if that fails too, the first error is raised."""
        known = self.inner._request
        operands = (*values, *dots)
        try:
            fn: Any = inspect.unwrap(self.inner._entry(values, "python").functions[0])
            wrt: Any = known.wrt if known.several else known.wrt[0]
            gradient = Gradient(fn, wrt, backend=self.backend)
            gradient._entry(operands)
        except SourcegradError:
            raise error from None
        return gradient(*operands)


class Hessian(Matrix):
    """`hessian(f)`: a forward sweep over the gradient per number of the argument."""

    title = "hessian"

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: Argnums,
        backend: str,
        holomorphic: bool = False,
    ) -> None:
        super().__init__(f, argnums, backend)
        self.holomorphic = holomorphic
        self._second = Second(f, argnums, backend, holomorphic)
        forward = self._second.forward
        forward._request = for_stacks(forward._request, backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._second.forward

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at these arguments."""
        values = all_values(self._second.forward, args, kwargs)
        moved = moved_values(self._second.forward, values)
        single = not isinstance(self.argnums, tuple)
        require_real(moved, self.holomorphic, self.__name__)
        try:
            return by_columns(self._second, values, moved, single)
        except TypeError:
            forward = self._second.forward
            if forward._request.complex_powers or not forward._entry(values).powers:
                raise
        new = Hessian(self.f, self.argnums, self.backend, self.holomorphic)
        new._second.forward = forward._asking(complex_powers=True)
        return new(*args, **kwargs)

    def __reduce__(self) -> Any:
        return type(self), (self.f, self.argnums, self.backend, self.holomorphic)


def hessian(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    holomorphic: bool = False,
    backend: str = "python",
) -> Hessian:
    """The matrix of second derivatives, by forward mode over the gradient.

    Args:
        f: a function whose result has exactly one element.
        argnums: as for `grad`.
        holomorphic: the function is one of complex numbers, and holomorphic; without,
            complex arguments are an error.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments; the result has the shape of the argument
        twice, containers are nested likewise.

    >>> hessian(lambda x: x[0] * x[0] * x[1])(np.array([1.0, 2.0]))
    array([[4., 2.],
           [2., 0.]])
    """
    return Hessian(f, argnums, backend, holomorphic)


class HessianProduct(Matrix):
    """`hvp(f)`."""

    title = "hvp"
    last = ("direction",)

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        super().__init__(f, argnums, backend)
        self._second = Second(f, argnums, backend, False)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._second.forward

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The product at these arguments; the direction comes last."""
        if len(args) < 2:
            raise TypeError(f"{self.__name__}() takes the arguments and then a vector")
        *primals, v = args
        values = all_values(self._second.forward, primals, kwargs)
        moved = moved_values(self._second.forward, values)
        if isinstance(self.argnums, tuple):
            dots = as_tangent(moved, tuple(v), "the vector")
        else:
            dots = (as_tangent(moved[0], v, "the vector"),)
        return self._second.run(values, dots)


def hvp(
    f: Callable[..., Any], argnums: Argnums = 0, *, backend: str = "python"
) -> HessianProduct:
    """The Hessian times a vector, without building the Hessian: one forward sweep
    over the gradient.

    Args:
        f: a function whose result has exactly one element.
        argnums: as for `grad`.
        backend: "python" or "numba".

    Returns:
        A function of the arguments of `f` and then the vector, which has the
        structure of the argument; so has the result.

    >>> hvp(lambda x: x[0] * x[0] * x[1])(np.array([1.0, 2.0]), np.array([1.0, 0.0]))
    array([4., 2.])
    """
    return HessianProduct(f, argnums, backend)


# ---------------------------------------------------------------- elementwise


class ElementwiseGradient(Matrix):
    """`elementwise_grad(f)`."""

    title = "elementwise_grad"

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        super().__init__(f, argnums, backend)
        self._reverse = Vjp(f, argnums, backend=backend)

    def sweep(self) -> Transform:
        """The transform whose text is shown."""
        return self._reverse

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The diagonal at these arguments."""
        values = all_values(self._reverse, args, kwargs)
        y, pullback = self._reverse.pulled(values)
        found = pullback(np.ones_like(y) if isinstance(y, np.ndarray) else 1.0)
        for g in found:
            if np.shape(g) != np.shape(y):
                raise ValueError(
                    f"the argument has shape {np.shape(g)} but the result "
                    f"{np.shape(y)}: the function is not elementwise; use "
                    "sourcegrad.jacobian"
                )
        return found if isinstance(self.argnums, tuple) else found[0]


def elementwise_grad(
    f: Callable[..., Any], argnums: Argnums = 0, *, backend: str = "python"
) -> ElementwiseGradient:
    """The derivative of each element of the result by the same element of the argument.

    Args:
        f: a function that works element by element.
        argnums: as for `grad`.
        backend: "python" or "numba".

    Raises:
        ValueError: when called, if the result has not the shape of the argument.

    >>> elementwise_grad(lambda x: x * x)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    return ElementwiseGradient(f, argnums, backend)


@before_compiling
def _known_inside_functions() -> None:
    from sourcegrad.frontend import nested, nested_callables, nested_matrices

    nested_callables.register()

    nested.register(
        inner_functions,
        {
            Gradient: "grad",
            api.ValueAndGradient: "value_and_grad",
            HessianProduct: "hvp",
            Hessian: "hessian",
            Jacobian: "jacobian",
            ElementwiseGradient: "elementwise_grad",
        },
        grad=api.grad,
        value_and_grad=api.value_and_grad,
        hvp=hvp,
        hessian=hessian,
        jacobian=jacobian,
        elementwise_grad=elementwise_grad,
        jvp=jvp,
        vjp=vjp,
    )
    nested_matrices.register(linearize, jvp)
