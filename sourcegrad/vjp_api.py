"""Pullbacks: `vjp`."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from sourcegrad.cache import Entry
from sourcegrad.compile.entry import (
    bind,
    generate,
    load_entry,
    may_be_singular,
    parameter_names,
)
from sourcegrad.compile.noticed import all_noticed, is_large, is_plain
from sourcegrad.errors import NonDifferentiableError, SourcegradError
from sourcegrad.floating import Noticing, silent
from sourcegrad.forward.trees import require_seed
from sourcegrad.request import Request
from sourcegrad.runtime_pickle import packed, restored
from sourcegrad.source.find import unwrap
from sourcegrad.source.written import pullback_of
from sourcegrad.transform.base import Transform
from sourcegrad.transform.finite import finite
from sourcegrad.transform.moved import moving


class Vjp(Transform):
    """Forward and reverse function of all inputs: what `vjp` runs."""

    what = "vjp"
    _chosen = False

    def pulled(
        self, values: tuple[Any, ...], places: tuple[int | None, ...] | None = None
    ) -> tuple[Any, Pullback]:
        """The value and the pullback at arguments of all parameters.

        `places` tells which cotangent is that of each primal, if some have none.
        """
        from sourcegrad.frontend.signature import spec_of
        from sourcegrad.runtime_project import kept_apart

        if not self._request.complex_powers and self._entry(values).powers:
            # Whether one was complex would show in the reverse sweep only
            return self._asking(complex_powers=True).pulled(values, places)
        specs = {
            n: spec_of(v)
            for n, v in zip(parameter_names(self._fn), values, strict=True)
        }
        example = None if self._inner is None else kept_apart(values)
        origin = Origin(
            self.f,
            specs,
            self._request.wrt,
            self.backend,
            example,
            powers=self._request.complex_powers,
            places=places,
        )
        if self._inner is None:
            return self._run(values, origin)
        # The value is a derivative: zero wins in it too
        return self._with_zero_winning(
            self._entry(values),
            lambda: self._run(values, origin),
            lambda own: own._run(values, dataclasses.replace(origin, careful=True)),
            values,
        )

    def _run(self, values: tuple[Any, ...], origin: Origin) -> tuple[Any, Pullback]:
        from sourcegrad.batch_api import form_of

        entry = self._entry(values)
        y, residuals = entry.calls[0](*self._unfolded(values)[1])
        return y, Pullback(entry, residuals, origin, form_of(y))


@dataclasses.dataclass(frozen=True)
class Origin:
    """What a pullback was made from.

    `example` holds the arguments where the function is itself a transform;
    `careful` tells that zero wins in the functions that made its residuals, `powers`
    that they take powers of real numbers for complex ones; `places` which cotangent is
    that of each primal, where one has None.
    """

    f: Any
    specs: Any
    wrt: tuple[str, ...]
    backend: str
    example: tuple[Any, ...] | None
    careful: bool = False
    powers: bool = False
    places: tuple[int | None, ...] | None = None

    @property
    def transform(self) -> Vjp:
        """The transform that gives forward and reverse function."""
        made = Vjp(self.f, self.wrt, backend=self.backend)
        if self.powers:
            made = made._asking(complex_powers=True)
        return made._careful() if self.careful else made

    def entry(self) -> Entry:
        """The compiled functions, made again."""
        if self.example is not None:
            return self.transform._entry(self.example)
        fn = unwrap(self.f).fn
        request = Request("vjp", self.wrt, True, complex_powers=self.powers)
        return load_entry(fn, generate(fn, self.specs, request), request, self.backend)

    def again(self, entry: Entry, residuals: Any) -> Callable[[Any], Any] | None:
        """The pullback in which zero wins; None where there is none."""
        if self.example is None:
            from sourcegrad.compile.careful import careful_reverse

            reverse = careful_reverse(self.f, self.specs, self.wrt, self.backend, entry)
        else:
            if self.careful or not entry.repeatable:
                return None
            try:
                made = self.transform._careful()
                operands = made._unfolded(self.example)[1]
                found = made._entry(self.example)
            except SourcegradError:
                return None
            residuals = found.calls[0](*operands)[1]
            reverse = found.calls[1]
        return None if reverse is None else functools.partial(reverse, residuals)


class Pullback:
    """The linear map from a cotangent of the result to those of the arguments.

    It may be called many times, from several threads, and pickled.
    """

    __sourcegrad_linear__ = True  # its derivative is that of its reverse sweep

    def __init__(self, entry: Entry, residuals: Any, origin: Origin, form: Any) -> None:
        self._entry = entry
        self._reverse = entry.calls[1]
        self._residuals = residuals
        self._origin = origin
        self._form = form
        self._stacks: Callable[..., Any] | None | bool = False
        self._again: Callable[..., Any] | None | bool = False
        self._noticed: bool | None = None  # whether NumPy would tell of nan

    @functools.cached_property
    def __sourcegrad_function__(self) -> types.FunctionType:
        """A function that does the same, for transforms of this map.

        Raises:
            NonDifferentiableError: it is a map of the numba backend, or one that keeps
                buffers whose names change hands.
        """
        if self._origin.backend != "python":
            raise NonDifferentiableError(
                "a pullback that numba compiled has no derivative",
                hints=("call vjp without backend='numba' for this one",),
            )
        if self._origin.places is not None:
            raise NonDifferentiableError(
                "this pullback leaves out an int by which no derivative is known, so "
                "it has no derivative of its own",
                hints=("call vjp inside of the function that is differentiated",),
            )
        if "renewed(" in self._entry.text:
            raise NonDifferentiableError(
                "this pullback keeps buffers in which cotangents are gathered under "
                "several names, so it has no derivative of its own",
                hints=("call vjp inside of the function that is differentiated",),
            )
        reverse = inspect.unwrap(self._entry.functions[1])
        return pullback_of(reverse, self._residuals, self._form)

    def __call__(self, y_bar: Any) -> Any:
        """The cotangents of the arguments for a cotangent of the result.

        Raises:
            ValueError: the cotangent does not have the form of the result.
        """
        require_seed(self._form, y_bar)
        found = self._with_zero_winning(
            lambda: self._reverse(self._residuals, y_bar),
            lambda careful: careful(y_bar),
            y_bar,
        )
        return self._placed(found)

    def _placed(self, found: Any) -> Any:
        """The cotangents with None for each primal that has none."""
        places = self._origin.places
        if places is None:
            return found
        return tuple(None if k is None else found[k] for k in places)

    def _with_zero_winning(
        self, run: Callable[[], Any], again: Callable[[Any], Any], y_bar: Any = None
    ) -> Any:
        """What `run` gives; where that is not finite, what the pullback gives in which
        zero wins over inf and nan."""
        if not may_be_singular(self._entry.text):
            return run()
        notice = Noticing()
        try:
            found = notice(run) if self._entry.warns else run()
        except (ArithmeticError, ValueError):
            careful = self._careful()
            if careful is None:
                raise
        else:
            if self._finite(found, notice, y_bar):
                return found
            careful = self._careful()
            if careful is None:
                return found  # there is no such version: what was found stands
        with silent():
            return again(careful)

    def _finite(self, found: Any, notice: Noticing, y_bar: Any) -> bool:
        """Whether all of a result is finite: NumPy told of nothing, or it is seen."""
        if self._noticed and not notice.found and is_plain(y_bar):
            return True
        if not finite(found):
            return False
        if self._noticed is None and y_bar is not None and is_large(found):
            self._noticed = all_noticed(self._entry, self._residuals)
        return True

    def _careful(self) -> Any:
        """The pullback in which zero wins, made when first asked for."""
        if self._again is False:
            self._again = self._origin.again(self._entry, self._residuals)
        return self._again

    def batched(self, y_bars: Any) -> Any:
        """The cotangents for each seed of a stack on axis 0.

        The sweep runs once for all seeds where the kinds of the program's values show
        that this gives the same, else once per seed.

        Args:
            y_bars: a stack of cotangents; of a result that is a container, a container
                of stacks.

        Returns:
            A tuple with one stack of cotangents per primal.

        Raises:
            ValueError: the stack does not fit the result.

        >>> import numpy as np
        >>> y, pullback = vjp(lambda x, w: x * w, 2.0, 5.0)
        >>> pullback.batched(np.array([1.0, 2.0]))
        (array([ 5., 10.]), array([2., 4.]))
        """
        from sourcegrad import batch_api

        seeds, count = batch_api.as_stack(self._form, y_bars, "the cotangents")
        sweep = self._for_stacks()
        if sweep is None:
            return batch_api.one_at_a_time(self, self._form, seeds, count)
        found = self._with_zero_winning(
            lambda: sweep(self._residuals, seeds, count),
            lambda careful: batch_api.one_at_a_time(careful, self._form, seeds, count),
        )
        return self._placed(found)

    def _for_stacks(self) -> Any:
        """The sweep for a stack of seeds, compiled when first asked for."""
        if self._stacks is False:
            from sourcegrad.batch_api import reverse_for_stacks

            origin, found = self._origin, None
            if origin.backend == "python" and origin.example is None:
                fn = unwrap(origin.f).fn
                found = reverse_for_stacks(fn, origin.specs, origin.wrt, self._entry)
            self._stacks = found
        return self._stacks

    def __reduce__(self) -> Any:
        memories, tree = packed(self._residuals)
        return _unpickled, (self._origin, memories, tree, self._form)


def _unpickled(origin: Origin, memories: Any, tree: Any, form: Any) -> Pullback:
    return Pullback(origin.entry(), restored(memories, tree), origin, form)


def vjp(
    f: Callable[..., Any], *primals: Any, backend: str = "python"
) -> tuple[Any, Pullback]:
    """The value of a function and the pullback of cotangents.

    Args:
        f: the function.
        primals: its arguments.

    Returns:
        `(y, pullback)`; `pullback(y_bar)` gives a tuple with one cotangent per primal:
        None for an int by which a function has no derivative, as the order of a Bessel
        function.

    >>> y, pullback = vjp(lambda x, w: x * w, 2.0, 5.0)
    >>> y, pullback(1.0)
    (10.0, (5.0, 2.0))
    """
    every = tuple(range(len(primals)))
    transform = Vjp(f, every, backend=backend)
    given = (*transform._args, *primals)
    values = bind(transform._fn, given, dict(transform._kwargs))
    moved = moving(transform, every, primals, values)
    if moved == every:
        return transform.pulled(values)
    places = tuple(moved.index(k) if k in moved else None for k in every)
    return Vjp(f, moved, backend=backend).pulled(values, places)
