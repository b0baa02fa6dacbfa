"""Stacks of seeds: a sweep for all of them where there is one, else one at a time."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sourcegrad.cache import Entry
from sourcegrad.compile.entry import entry_for, generate, load_entry
from sourcegrad.forward.trees import is_active, leaves, mapped, parts, rebuilt, size
from sourcegrad.loader.notes import noted
from sourcegrad.request import Request

# As many numbers as the seeds of one sweep may hold: 32 MB of doubles.
LARGEST = 1 << 22


def with_stacks(
    fn: types.FunctionType, values: tuple[Any, ...], request: Request, backend: str
) -> Entry:
    """The compiled functions of a request, with that for stacks last if there is one.

    Args:
        fn: the user's function.
        values: arguments of all its parameters.
        request: what is wanted.
        backend: "python" or "numba"; numba runs one seed at a time.
    """
    return entry_for(fn, values, for_stacks(request, backend), backend)


def for_stacks(request: Request, backend: str) -> Request:
    """The request that asks for stacks too; numba runs one seed at a time."""
    return dataclasses.replace(request, batched=backend == "python")


def reverse_for_stacks(
    fn: types.FunctionType, specs: Any, wrt: tuple[str, ...], entry: Entry
) -> Callable[..., Any] | None:
    """The reverse sweep of an entry for a stack of seeds; None if it has none.

    It reads the residuals of the entry's forward sweep, so the two must have been
    made alike: a global that was rebound since may have changed what is recorded.
    """
    request = Request("vjp", wrt, True, batched=True)
    made = generate(fn, specs, request)
    if len(made.entries) < 3:
        return None
    twin = load_entry(fn, made, request, "python")
    if _code(twin.functions[0]) != _code(entry.functions[0]):
        return None
    return _beside(inspect.unwrap(twin.functions[2]), entry)


def _beside(fn: Any, entry: Entry) -> Callable[..., Any]:
    """A function that sees the globals that the reverse sweep of an entry sees."""
    known = inspect.unwrap(entry.functions[1]).__globals__
    for name, value in fn.__globals__.items():
        known.setdefault(name, value)
    made = types.FunctionType(
        fn.__code__, known, fn.__name__, fn.__defaults__, fn.__closure__
    )
    return noted(made, [])


def _code(fn: Any) -> Any:
    code = inspect.unwrap(fn).__code__
    return code.co_code, code.co_consts, code.co_names, code.co_varnames


# -------------------------------------------------------------------------- stacks


def form_of(tree: Any) -> Any:
    """A tree of the same structure, shapes and dtypes that takes no memory.

    >>> form_of(np.ones((2, 3))).strides
    (0, 0)
    """

    def leaf(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            return x
        return np.broadcast_to(np.zeros((), x.dtype), x.shape)

    return mapped(leaf, tree)


def as_stack(form: Any, stacks: Any, what: str) -> tuple[Any, int]:
    """Stacks of seeds as arrays in the structure of one, and how many there are.

    Args:
        form: what one seed is like.
        stacks: the structure of one seed, with the seeds along axis 0 of each leaf.
        what: what to call them in messages.

    Raises:
        ValueError: structure or shapes do not fit, or the counts differ.

    >>> as_stack(1.0, [1, 2], "seeds")
    (array([1., 2.]), 2)
    """
    made = _stack(form, stacks, what)
    counts = {len(leaf) for leaf in leaves(made)}
    if len(counts) > 1:
        raise ValueError(f"{what} have stacks of different lengths: {sorted(counts)}")
    return made, counts.pop() if counts else 0


def _stack(form: Any, stacks: Any, what: str) -> Any:
    if stacks is None:  # nothing for what carries no derivative
        return None
    inner = parts(form)
    if inner is not None:
        given = parts(stacks)
        if given is None or list(given) != list(inner):
            raise ValueError(
                f"{what} must have the structure of one seed, a {type(form).__name__} "
                f"with {list(inner)}, with the seeds along axis 0 of each array"
            )
        items = [_stack(x, given[k], f"{what}[{k!r}]") for k, x in inner.items()]
        return rebuilt(form, items)
    if not is_active(form):
        return None
    found = np.asarray(stacks)
    if found.ndim == 0 or found.shape[1:] != np.shape(form):
        raise ValueError(
            f"{what} have shape {found.shape}, but a stack of seeds of shape "
            f"{np.shape(form)} has the seeds along an axis in front of those"
        )
    if np.iscomplexobj(found) and not np.iscomplexobj(form):
        raise ValueError(f"{what} are complex, but what they are for is real")
    return found.astype(np.result_type(form, 0.0), copy=False)


def rows_of(form: Any, stacks: Any, count: int) -> Iterator[Any]:
    """The seeds of a stack, one after the other."""
    for k in range(count):
        yield mapped(functools.partial(_pick, k), stacks)


def _pick(k: int, stack: Any) -> Any:
    return stack[k]


def zeros_of(form: Any) -> Any:
    """A seed of zeros."""
    return mapped(lambda x: np.zeros(np.shape(x), np.result_type(x, 0.0))[()], form)


def stacked(rows: list[Any]) -> Any:
    """Trees of one structure as one tree of arrays stacked on axis 0.

    >>> stacked([(1.0, None), (2.0, None)])
    (array([1., 2.]), None)
    """
    columns = zip(*(list(leaves(row)) for row in rows), strict=True)
    found = iter([np.stack(column) for column in columns])
    return mapped(lambda _: next(found), rows[0])


def one_at_a_time(run: Callable[[Any], Any], form: Any, stacks: Any, count: int) -> Any:
    """A sweep for each seed of a stack, and what they give as a stack."""
    if not count:
        return mapped(lambda x: np.asarray(x)[None][:0], run(zeros_of(form)))
    return stacked([run(seed) for seed in rows_of(form, stacks, count)])


# ---------------------------------------------------------------------- unit seeds


def unit_stacks(form: Any) -> Iterator[tuple[Any, int]]:
    """The unit seeds of a tree in order, as stacks of at most `LARGEST` numbers.

    >>> [(s[0].tolist(), n) for s, n in unit_stacks((np.zeros(2),))]
    [([[1.0, 0.0], [0.0, 1.0]], 2)]
    """
    total = size(form)
    step = max(1, LARGEST // max(total, 1))
    for first in range(0, total, step):
        count = min(step, total - first)
        yield (
            mapped(functools.partial(_units, _starts(form), count, first), form),
            count,
        )


def _starts(form: Any) -> Iterator[int]:
    start = 0
    for leaf in leaves(form):
        yield start
        start += int(np.size(leaf))


def _units(starts: Iterator[int], count: int, first: int, x: Any) -> np.ndarray:
    """`count` seeds for the next leaf of a tree; the k-th seed has its 1 at position
    `first + k` of the tree."""
    first -= next(starts)
    made = np.zeros((count, int(np.size(x))), np.result_type(x, 0.0))
    rows = np.arange(max(0, -first), min(count, made.shape[1] - first))
    made[rows, rows + first] = 1.0
    return made.reshape(count, *np.shape(x))


def as_rows(tree: Any, count: int) -> np.ndarray:
    """What a sweep gave for a stack, as a matrix with a row per seed."""
    found = [np.reshape(leaf, (count, -1)) for leaf in leaves(tree)]
    return np.concatenate(found, axis=1) if found else np.zeros((count, 0))
