"""Helpers of generated code: what filters of `scipy.signal` take as given."""

from __future__ import annotations

from typing import Any

import numpy as np


def lag_products(g: Any, x: Any, count: int, axis: int) -> Any:
    """The sums of `g[n] * x[n - k]` along an axis and over all others, for each k.

    >>> lag_products(np.ones(3), np.array([1.0, 2.0, 4.0]), 2, -1).tolist()
    [7.0, 3.0]
    """
    g, x = np.moveaxis(g, axis, -1), np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    sums = [np.sum(g[..., k:] * x[..., : max(n - k, 0)]) for k in range(count)]
    return np.stack(sums)


def filter_start(b: Any, a: Any, count: int) -> Any:
    """How a filter answers when it starts as if its input had been 1 before.

    >>> filter_start(np.array([1.0, 1.0]), np.array([1.0]), 3).tolist()
    [1.0, 0.0, 0.0]
    """
    from scipy import signal

    start = signal.lfilter_zi(b, a)
    return signal.lfilter(b, a, np.zeros(count), zi=start)[0]


def analytic_gain(n: int) -> Any:
    """What the spectrum of a signal is multiplied by to make it analytic.

    >>> analytic_gain(4).tolist()
    [1.0, 2.0, 1.0, 0.0]
    """
    gain = np.zeros(n)
    gain[0] = 1.0
    gain[1 : (n + 1) // 2] = 2.0
    if n % 2 == 0:
        gain[n // 2] = 1.0
    return gain


def resample_gain(n: int, num: int) -> Any:
    """What the lower half of a spectrum is multiplied by for another length.

    >>> resample_gain(8, 4).tolist()
    [0.5, 0.5, 1.0]
    """
    m = min(n, num)
    gain = np.full(m // 2 + 1, num / n)
    if m % 2 == 0 and num != n:
        gain[-1] *= 2.0 if num < n else 0.5
    return gain


def savgol_rows(length: int, order: int, deriv: int, delta: float) -> Any:
    """The matrix of a Savitzky-Golay filter of a signal as long as its window.

    >>> savgol_rows(3, 1, 0, 1.0).round(12)[1].tolist()
    [0.333333333333, 0.333333333333, 0.333333333333]
    """
    from scipy import signal

    unit = np.eye(length)
    return signal.savgol_filter(unit, length, order, deriv, delta, axis=0)


def product2d(image: Any, kernel: Any, mode: str) -> Any:
    """The convolution of two images with zeros around them.

    >>> product2d(np.ones((2, 3)), np.array([[1.0, 2.0]]), "valid").tolist()
    [[3.0, 3.0], [3.0, 3.0]]
    """
    from scipy import signal

    return signal.convolve2d(image, kernel, mode)


def matches2d(image: Any, kernel: Any) -> Any:
    """The sums of products of a smaller image with each part of a larger one.

    >>> matches2d(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 10.0]])).tolist()
    [[21.0, 32.0]]
    """
    from scipy import signal

    return signal.correlate2d(image, np.conj(kernel), "valid")


def axes_of(x: Any, axes: Any) -> tuple[int, ...]:
    """The axes that are meant, none of them negative.

    >>> axes_of(np.zeros((2, 3)), -1)
    (1,)
    """
    given = (axes,) if np.ndim(axes) == 0 else axes
    return tuple(int(axis) % np.ndim(x) for axis in given)


def full_sizes(first: Any, second: Any, axes: tuple[int, ...]) -> tuple[int, ...]:
    """The lengths of a whole convolution along some axes.

    >>> full_sizes(np.zeros((2, 3)), np.zeros((2, 2)), (1,))
    (4,)
    """
    return tuple(first.shape[k] + second.shape[k] - 1 for k in axes)


def kept_places(first: Any, second: Any, mode: str, axes: tuple[int, ...]) -> Any:
    """The part of a whole convolution along some axes that a mode keeps.

    >>> kept_places(np.zeros((2, 3)), np.zeros((2, 2)), "valid", (1,))
    (slice(None, None, None), slice(1, 3, None))
    """
    places = [slice(None)] * np.ndim(first)
    for k in axes:
        n, m = first.shape[k], second.shape[k]
        if mode == "valid":
            places[k] = slice(min(n, m) - 1, max(n, m))
        elif mode == "same":
            places[k] = slice((m - 1) // 2, (m - 1) // 2 + n)
    return tuple(places)
