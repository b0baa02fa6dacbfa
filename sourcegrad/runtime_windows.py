"""Helpers of generated code: the windows that a filter by rank of `scipy.ndimage` sees.

NumPy and `runtime_ndimage` only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime_ndimage import _modes, _reach


def window_sizes(ndim: int, size: Any, footprint: Any) -> tuple[int, ...]:
    """The shape of a window of a filter.

    >>> window_sizes(2, 3, None), window_sizes(1, None, np.array([1, 0]))
    ((3, 3), (2,))
    """
    if footprint is not None:
        return tuple(np.shape(footprint))
    return (int(size),) * ndim if np.ndim(size) == 0 else tuple(map(int, size))


def window_along(ndim: int, size: int, axis: int) -> tuple[int, ...]:
    """The shape of a window along one axis.

    >>> window_along(3, 5, -1)
    (1, 1, 5)
    """
    return tuple(size if k == axis % ndim else 1 for k in range(ndim))


def origin_at(ndim: int, origin: int, axis: int) -> tuple[int, ...]:
    """The origin of a window along one axis.

    >>> origin_at(3, -1, 0)
    (-1, 0, 0)
    """
    return tuple(origin if k == axis % ndim else 0 for k in range(ndim))


def percentile_rank(count: int, percentile: float) -> int:
    """The rank that `scipy.ndimage.percentile_filter` picks.

    >>> percentile_rank(9, 50), percentile_rank(9, 100), percentile_rank(9, -50)
    (4, 8, 4)
    """
    part = percentile + 100.0 if percentile < 0.0 else percentile
    return count - 1 if part == 100.0 else int(count * part / 100.0)


def _padded(x: Any, sizes: Any, mode: Any, cval: float, origin: Any) -> Any:
    origins = [origin] * x.ndim if np.ndim(origin) == 0 else list(origin)
    for axis, (size, shift, name) in enumerate(
        zip(sizes, origins, _modes(mode, x.ndim), strict=True)
    ):
        widths = [_reach(size, shift) if k == axis else (0, 0) for k in range(x.ndim)]
        edge = {"constant_values": cval} if name == "constant" else {}
        x = np.pad(x, widths, name, **edge)  # type: ignore[call-overload]
    return x


def windows(x: Any, sizes: Any, mode: Any, cval: float, origin: Any) -> Any:
    """For each element, those of the window around it, along one last axis.

    >>> windows(np.array([1.0, 2.0, 3.0]), (3,), "nearest", 0.0, 0).tolist()
    [[1.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 3.0]]
    """
    wide = _padded(x, sizes, mode, cval, origin)
    view = np.lib.stride_tricks.sliding_window_view(wide, sizes)
    return view.reshape(*x.shape, -1)


def windows_pullback(g: Any, shape: Any, sizes: Any, mode: Any, origin: Any) -> Any:
    """The cotangent of an array of this shape in `windows`.

    >>> windows_pullback(np.ones((3, 3)), (3,), (3,), "nearest", 0).tolist()
    [3.0, 3.0, 3.0]
    """
    places = np.arange(1, int(np.prod(shape)) + 1).reshape(shape)
    read = windows(places, sizes, mode, 0, origin)  # 0 stands for what is no element
    found = np.zeros(places.size + 1, g.dtype)
    np.add.at(found, read, g)
    return found[1:].reshape(shape)
