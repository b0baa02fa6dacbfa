"""Helpers of generated code: how `scipy.signal` cuts a signal into segments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .runtime import not_differentiable


class SegmentPlan(NamedTuple):
    """Samples of a segment, the step to the next, and the length of a transform."""

    width: int
    step: int
    size: int


def segment_plan(
    length: int, count: int, nperseg: Any, noverlap: Any, nfft: Any
) -> SegmentPlan:
    """The plan for a signal and a window of these lengths, by SciPy's numbers.

    Raises:
        ValueError: as SciPy raises, for numbers that fit neither each other nor the
            signal.

    >>> segment_plan(8, 4, None, None, None)
    SegmentPlan(width=4, step=2, size=4)
    """
    if count > length:
        raise ValueError("window is longer than input signal")
    if nperseg is not None and count != min(int(nperseg), length):
        raise ValueError(f"{nperseg=} is not the length of the window, {count}")
    return _checked(count, noverlap, count if nfft is None else int(nfft))


def _checked(count: int, noverlap: Any, size: int) -> SegmentPlan:
    overlap = count // 2 if noverlap is None else int(noverlap)
    if size < count:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    if overlap >= count:
        raise ValueError("noverlap must be less than nperseg.")
    return SegmentPlan(count, count - overlap, size)


def inverse_plan(
    bins: int, onesided: bool, nperseg: Any, noverlap: Any, nfft: Any
) -> SegmentPlan:
    """The plan of `scipy.signal.istft` for segments of so many frequencies.

    Raises:
        ValueError: as SciPy raises, for numbers that do not fit each other.

    >>> inverse_plan(3, True, None, None, None)
    SegmentPlan(width=4, step=2, size=4)
    """
    default = 2 * (bins - 1) if onesided else bins
    count = default if nperseg is None else int(nperseg)
    if nfft is not None:
        return _checked(count, noverlap, int(nfft))
    size = count if onesided and count == default + 1 else default
    return _checked(min(count, size), noverlap, size)._replace(width=count)


def named_window(window: Any, nperseg: Any, length: int) -> Any:
    """The samples of a window that has a name, none longer than the signal.

    Raises:
        NonDifferentiableError: the signal is empty.

    >>> named_window("boxcar", None, 3).tolist()
    [1.0, 1.0, 1.0]
    """
    from scipy import signal

    if length == 0:
        not_differentiable(
            "the spectrum of an empty signal has no derivative rule",
            hint="skip it where the signal's size is 0",
        )
    return signal.get_window(
        window, min(256 if nperseg is None else int(nperseg), length)
    )


def real_dtype(dtype: Any) -> Any:
    """The dtype of real numbers in the spectrum of a signal.

    >>> real_dtype(np.complex64)
    dtype('float32')
    """
    return np.result_type(dtype, np.complex64).type(0).real.dtype


def one_sided_weights(size: int, onesided: bool, dtype: Any) -> Any:
    """How often each square of a spectrum counts, of which one side stands for two.

    >>> one_sided_weights(4, True, float).tolist()
    [1.0, 2.0, 1.0]
    """
    if not onesided:
        return np.ones(size, real_dtype(dtype))
    weights = np.full(size // 2 + 1, 2.0, real_dtype(dtype))
    weights[0] = 1.0
    if size % 2 == 0:
        weights[-1] = 1.0
    return weights


def segment_centres(length: int, plan: SegmentPlan, lead: float) -> Any:
    """The sample in the middle of each segment; the signal begins `lead` samples in.

    >>> segment_centres(8, SegmentPlan(4, 2, 4), 0.0).tolist()
    [2.0, 4.0, 6.0]
    """
    half = plan.width / 2
    return np.arange(half, length - half + 1, plan.step) - lead


def median_bias(count: int) -> float:
    """The mean of the median of so many squares, of which the mean is 1.

    >>> median_bias(1), round(median_bias(3), 12)
    (1.0, 0.833333333333)
    """
    even = 2.0 * np.arange(1.0, (count - 1) // 2 + 1)
    return float(1.0 + np.sum(1.0 / (even + 1.0) - 1.0 / even))


def overlap_add(pieces: Any, step: int) -> Any:
    """The sum of segments along the last axis, each a step further than the last.

    >>> overlap_add(np.ones((3, 2)), 1).tolist()
    [1.0, 2.0, 2.0, 1.0]
    """
    number, count = pieces.shape[-2:]
    shape = (*pieces.shape[:-2], count + (number - 1) * step)
    total = np.zeros(shape, dtype=pieces.dtype)
    for k in range(number):
        total[..., k * step : k * step + count] += pieces[..., k, :]
    return total


def lengths_of_signal(shape: Any, s: Any, axes: Any) -> Any:
    """Lengths for `np.fft.irfftn`: of one coefficient SciPy makes one number.

    >>> lengths_of_signal((3, 1), None, None), lengths_of_signal((3, 2), None, (1,))
    ((3, 1), (2,))
    """
    if s is not None:
        return s
    sizes = [shape[k] for k in (range(len(shape)) if axes is None else axes)]
    return (*sizes[:-1], max(1, 2 * (sizes[-1] - 1)))


def last_axes(sizes: Any, axes: Any) -> Any:
    """The axes of a transform; NumPy wants them by name where it is given lengths.

    >>> last_axes((4, 3), None), last_axes((4,), (0,))
    ((-2, -1), (0,))
    """
    return tuple(range(-len(sizes), 0)) if axes is None else axes
