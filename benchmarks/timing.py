"""Interleaved timing: ratios of two callables that share the machine's mood."""

import ctypes
import gc
import os
import statistics
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

# Short batches in many rounds: a neighbour on the machine spoils few of them.
BATCH_SECONDS = 0.0005


@dataclass(frozen=True)
class Row:
    """One line of the table: a measured number and the bound that it must keep."""

    name: str
    measured: float
    bound: float
    unit: str = "x"

    @property
    def ok(self) -> bool:
        """Whether the bound holds."""
        return self.measured <= self.bound

    def __str__(self) -> str:
        verdict = "OK" if self.ok else "MISS"
        measured = f"{self.measured:8.2f} {self.unit}"
        return f"{self.name:<62}{measured:<13}<= {self.bound:g} {self.unit:<4}{verdict}"


@contextmanager
def no_collector():
    """Run the body with the cyclic garbage collector off."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# Of glibc: mallopt(3)
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3


def settle_allocator() -> None:
    """Let glibc keep freed memory, so that page faults are not what is measured."""
    mallopt = (
        getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    )
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, 2**30)
        mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


def seconds(f: Callable[..., Any], args: tuple[Any, ...], calls: int) -> float:
    """Processor seconds of one call of ``f(*args)``, averaged over ``calls``.

    Nothing that is measured waits for anything but other programs.
    """
    repeat = range(calls)
    start = time.process_time()
    for _ in repeat:
        f(*args)
    return (time.process_time() - start) / calls


def calls_per_batch(f: Callable[..., Any], args: tuple[Any, ...]) -> int:
    """How many calls fill one batch, found by doubling (the best of three each)."""
    calls = 1
    f(*args)
    while True:
        per_call = min(seconds(f, args, calls) for _ in range(3))
        if per_call * calls >= BATCH_SECONDS / 2.0:
            return max(1, round(BATCH_SECONDS / per_call))
        calls *= 2


def paired(
    candidate: Callable[..., Any],
    candidate_args: tuple[Any, ...],
    baseline: Callable[..., Any],
    baseline_args: tuple[Any, ...],
    rounds: int = 401,
) -> list[tuple[float, float]]:
    """Seconds per call of both, in turns, so that load falls on both alike."""
    settle_allocator()
    n_candidate = calls_per_batch(candidate, candidate_args)
    n_baseline = calls_per_batch(baseline, baseline_args)
    pairs = []
    with no_collector():
        for turn in range(rounds):
            if turn % 2:
                b = seconds(baseline, baseline_args, n_baseline)
                c = seconds(candidate, candidate_args, n_candidate)
            else:
                c = seconds(candidate, candidate_args, n_candidate)
                b = seconds(baseline, baseline_args, n_baseline)
            pairs.append((c, b))
    return pairs


def time_ratio(
    candidate: Callable[..., Any],
    candidate_args: tuple[Any, ...],
    baseline: Callable[..., Any],
    baseline_args: tuple[Any, ...],
    rounds: int = 401,
) -> float:
    """The candidate's time over the baseline's, each the quick decile of its rounds.

    What a neighbour on the machine does can only add time, to some rounds of either.

    >>> def once(x): return sum(x)
    >>> def thrice(x): return sum(x) + sum(x) + sum(x)
    >>> data = list(range(10_000))
    >>> 2.0 < time_ratio(thrice, (data,), once, (data,)) < 4.0
    True
    """
    pairs = paired(candidate, candidate_args, baseline, baseline_args, rounds)
    return quick([c for c, _ in pairs]) / quick([b for _, b in pairs])


def time_ratio_to_many(
    candidate: Callable[..., Any],
    candidate_args: tuple[Any, ...],
    baseline: Callable[..., Any],
    baseline_args: tuple[Any, ...],
    count: int,
    rounds: int = 101,
) -> float:
    """The candidate's time over that of ``count`` calls of the baseline."""

    def many(*args: Any) -> None:
        for _ in range(count):
            baseline(*args)

    return time_ratio(candidate, candidate_args, many, baseline_args, rounds)


def quick(times: list[float]) -> float:
    """The lower decile of some times."""
    return sorted(times)[len(times) // 10]


def time_difference(
    candidate: Callable[..., Any],
    baseline: Callable[..., Any],
    args: tuple[Any, ...],
    rounds: int = 401,
) -> float:
    """The median over rounds of the candidate's seconds less the baseline's."""
    pairs = paired(candidate, args, baseline, args, rounds)
    return statistics.median(c - b for c, b in pairs)
