"""Forward mode: `jvp` and `linearize`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.batch_api import as_stack, one_at_a_time, with_stacks
from sourcegrad.cache import Entry
from sourcegrad.compile.entry import bind
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.floating import silent
from sourcegrad.forward.trees import as_tangent, leaves, require_none
from sourcegrad.forward_kept import arguments_apart, kept, same
from sourcegrad.transform.base import Transform
from sourcegrad.transform.finite import finite
from sourcegrad.transform.moved import moving


class Jvp(Transform):
    """The value and tangent of a function, as a function of all its parameters and
    then one tangent per differentiated one."""

    what = "jvp"

    def __call__(self, *args: Any) -> Any:
        """Value and tangent at these primals and tangents."""
        count = len(args) - len(self._request.wrt)
        primals, dots = args[:count], args[count:]
        values = bind(self._fn, (*self._args, *primals), dict(self._kwargs))
        return self.run(values, dots)

    def run(self, values: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
        """The sweep for arguments of all parameters."""
        entry, operands = self._found(values)
        return self._with_zero_winning(
            entry,
            lambda: entry.calls[0](*operands, *dots),
            lambda other: other.run(values, dots),
            values,
        )


class Tangent(Jvp):
    """The tangent alone; what only the value needs is left out."""

    what = "tangent"

    def stacks_of(self, values: tuple[Any, ...]) -> Any:
        """As `for_stacks`, for a transform whose request asks for it: a function of
        all values, the stacks and their number."""
        entry = self._entry(values)
        if len(entry.calls) < 2:
            return None
        sweep = entry.calls[1]

        def run(values: tuple[Any, ...], stacks: Any, count: int) -> Any:
            return sweep(*self._unfolded(values)[1], *stacks, count)

        return run

    def for_stacks(self, values: tuple[Any, ...]) -> Any:
        """The sweep for stacks of tangents; None where there is none."""
        if self._inner is not None:
            return None
        entry = with_stacks(self._fn, values, self._request, self.backend)
        return entry.calls[1] if len(entry.calls) > 1 else None


class KeptTangent(Tangent):
    """A tangent of what the function read when it was made."""

    _kept: Any = None
    _pickled: list[Any] | None = None

    def __reduce__(self) -> Any:
        made = super().__reduce__()
        if self._kept is None:
            return made
        if not self.current:
            raise _outdated("what it read is not to be found again where it is loaded")
        read = [was for _, was in self._kept.seen]
        return (*made, {"_pickled": read, "_args": self._args, "_kwargs": self._kwargs})

    def keep(self, values: tuple[Any, ...]) -> None:
        """Read what the function reads beside its arguments, once and for all."""
        entry, _ = super()._found(values)
        self._kept = kept(entry, copied=self.backend == "python")
        if self._pickled is not None:
            found = [was for _, was in self._kept.seen]
            if not same(found, self._pickled):
                raise _outdated("what it reads here is not what it read when pickled")

    @property
    def current(self) -> bool:
        """Whether all that was read is still what it was."""
        return self._kept is None or self._kept.current()

    def _found(
        self, values: tuple[Any, ...], backend: str | None = None
    ) -> tuple[Entry, tuple[Any, ...]]:
        if self._kept is None and self._pickled is not None:
            self.keep(values)
        if self._kept is None:
            return super()._found(values, backend)
        if not self._kept.valid():
            raise _outdated("attributes of classes, and what numba reads, are not kept")
        if self.backend != "python":
            return super()._found(values, backend)
        return self._kept.entry, self._unfolded(values)[1]

    def _asking(self, **changes: Any) -> Any:
        if not self.current:
            why = "its derivative was not finite, and is not to be found otherwise now"
            raise _outdated(why)
        new = super()._asking(**changes)
        new._kept = None
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> KeptTangent:
        return self  # nothing of it changes


def _outdated(why: str) -> NonDifferentiableError:
    """The refusal of a pushforward that would be that of something else."""
    return NonDifferentiableError(
        "this pushforward was made before something its function reads changed",
        None,
        why,
        ("call linearize again",),
    )


def jvp(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    backend: str = "python",
) -> tuple[Any, Any]:
    """The value of a function and its derivative along a direction.

    Args:
        f: the function.
        primals: its arguments.
        tangents: one per primal, with its structure; None for one that is constant.
        backend: "python" or "numba".

    Returns:
        `(y, y_dot)`, of the same structure.

    Raises:
        ValueError: a tangent does not fit its primal.
        SourcegradError: `f` cannot be differentiated.

    >>> jvp(lambda x, w: x * w, (2.0, 5.0), (1.0, 0.0))
    (10.0, 5.0)
    """
    primals, tangents = tuple(primals), tuple(tangents)
    if len(primals) != len(tangents):
        raise ValueError(
            f"there are {len(primals)} primals but {len(tangents)} tangents"
        )
    moved = tuple(k for k, v in enumerate(tangents) if v is not None)
    if not moved:
        raise ValueError("all tangents are None: there is no direction")
    dots = [as_tangent(primals[k], tangents[k], f"tangent {k}") for k in moved]
    return Jvp(f, moved, backend=backend)(*primals, *dots)


class Pushforward:
    """The linear map from tangents of the arguments to the tangent of the result.

    It may be called many times; it keeps copies of the arguments, and of the data that
    the function reads beside them.
    """

    def __init__(
        self, transform: KeptTangent, primals: tuple[Any, ...], moved: tuple[int, ...]
    ) -> None:
        self._transform = transform
        self._primals = primals
        self._moved = moved

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the result for tangents of the primals: one for each, None
        for one that holds no number, such as an index array."""
        if len(tangents) != len(self._primals):
            raise TypeError(
                f"there are {len(self._primals)} primals, but {len(tangents)} tangents"
            )
        dots = []
        for k, (x, v) in enumerate(zip(self._primals, tangents, strict=True)):
            if k in self._moved:
                dots.append(as_tangent(x, v, f"tangent {k}"))
            else:
                require_none(x, v, f"tangent {k}")
        transform = self._transform
        given = (*transform._args, *self._primals), dict(transform._kwargs)
        values = bind(transform._fn, *arguments_apart(given))
        return transform.run(values, tuple(dots))

    def batched(self, *stacks: Any) -> Any:
        """The tangents of the result for stacks of tangents on axis 0.

        The sweep runs once for all seeds where the kinds of the program's values show
        that this gives the same, else once per seed.

        Args:
            stacks: one stack of tangents per primal, the tangents along axis 0.

        Returns:
            The stack of tangents of the result.

        Raises:
            ValueError: a stack does not fit its primal.

        >>> import numpy as np
        >>> y, pushforward = linearize(lambda x: x * x, 3.0)
        >>> pushforward.batched(np.array([1.0, 2.0]))
        array([ 6., 12.])
        """
        if len(stacks) != len(self._primals):
            raise TypeError(
                f"there are {len(self._primals)} primals, but {len(stacks)} stacks"
            )
        for k, (x, v) in enumerate(zip(self._primals, stacks, strict=True)):
            if k not in self._moved:
                require_none(x, v, f"tangent {k}")
        seeds, count = as_stack(self._primals, stacks, "the tangents")
        transform = self._transform
        own = (*transform._args, *self._primals)
        values = bind(transform._fn, own, dict(transform._kwargs))
        sweep = transform.for_stacks(values) if transform.current else None
        found = None
        if sweep is not None:
            dots = [seeds[k] for k in self._moved]
            found = finite_or_none(
                lambda: sweep(*arguments_apart(values), *dots, count)
            )
        if found is not None:
            return found
        return one_at_a_time(lambda dots: self(*dots), self._primals, seeds, count)


def finite_or_none(run: Callable[[], Any]) -> Any:
    """What a sweep for a stack gives; None where it is not all finite, since a sweep
    of one is repeated with zero winning over inf and nan."""
    try:
        with silent():
            found = run()
    except (ArithmeticError, ValueError):
        return None
    return found if finite(found) else None


def linearize(
    f: Callable[..., Any], *primals: Any, backend: str = "python"
) -> tuple[Any, Pushforward]:
    """The value of a function and the pushforward of tangents at that point.

    Args:
        f: the function.
        primals: its arguments.
        backend: "python" or "numba".

    Returns:
        `(y, pushforward)`; `pushforward(*tangents)` is the tangent of `y`.

    Raises:
        ValueError: no argument holds a number.

    >>> y, pushforward = linearize(lambda x, w: x * w, 2.0, 5.0)
    >>> y, pushforward(1.0, 0.0), pushforward(0.0, 1.0)
    (10.0, 5.0, 2.0)
    """
    own = arguments_apart(primals)
    moved = tuple(k for k, x in enumerate(primals) if next(leaves(x), None) is not None)
    if not moved:
        raise ValueError("no argument holds a number that could move")
    transform = Tangent(f, moved, backend=backend)
    shared = bind(transform._fn, (*transform._args, *primals), dict(transform._kwargs))
    moved = moving(transform, moved, primals, shared)
    transform = KeptTangent(f, moved, backend=backend)
    transform.require_apart(shared)
    transform._args, kwargs = arguments_apart(
        (transform._args, dict(transform._kwargs))
    )
    transform._kwargs = kwargs
    given = (*transform._args, *own)
    transform.keep(bind(transform._fn, given, dict(transform._kwargs)))
    return f(*primals), Pushforward(transform, own, moved)
