"""Helpers of generated code: transposed filters and resamplings of `scipy.ndimage`.

A filter is padding by the rule of its mode, then a correlation that keeps what lies
inside; both are transposed in turn. A resampling along axes is a small matrix for
each axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .runtime import not_differentiable

_PADS = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}


def _modes(mode: Any, ndim: int) -> list[str]:
    names = [mode] * ndim if isinstance(mode, str) else list(mode)
    return [_PADS[name] for name in names]


def _sources(n: int, before: int, after: int, mode: str) -> Any:
    """Which element each position of a padded axis has; -1 for a constant."""
    if mode == "constant":
        return np.pad(np.arange(n), (before, after), constant_values=-1)
    return np.pad(np.arange(n), (before, after), mode)  # type: ignore[call-overload]


def _reach(size: int, origin: int) -> tuple[int, int]:
    """How far a window of a correlation reaches before and after an element."""
    before = size // 2 + origin
    return before, size - 1 - before


def _turned(size: int, origin: int) -> int:
    """The origin of the window of a filter whose window is turned."""
    return size - 1 - 2 * (size // 2) - origin


def correlate_pullback(g: Any, x: Any, weights: Any, mode: Any, origin: Any) -> Any:
    """The cotangent of the input of `scipy.ndimage.correlate`; only its shape is read.

    >>> g = np.array([1.0, 0.0, 0.0])
    >>> correlate_pullback(g, g, np.array([1.0, 2.0, 3.0]), "reflect", 0).tolist()
    [3.0, 3.0, 0.0]
    """
    from scipy import ndimage

    origins = [origin] * x.ndim if isinstance(origin, int) else list(origin)
    if set(_modes(mode, x.ndim)) == {"constant"}:
        pairs = zip(weights.shape, origins, strict=True)
        places = [_turned(size, shift) for size, shift in pairs]
        return ndimage.correlate(g, np.flip(weights), mode="constant", origin=places)
    total = np.pad(g, [(0, size - 1) for size in weights.shape])
    places = [size - 1 - size // 2 for size in weights.shape]
    turned = np.flip(weights)
    total = ndimage.correlate(total, turned, mode="constant", origin=places)
    sizes = zip(weights.shape, origins, _modes(mode, x.ndim), strict=True)
    for axis, (size, shift, name) in enumerate(sizes):
        total = _gathered(total, *_reach(size, shift), name, axis)
    return total


def _gathered(total: Any, before: int, after: int, mode: str, axis: int) -> Any:
    """Sum the positions of a padded axis at the elements they repeat."""
    moved = np.moveaxis(total, axis, 0)
    n = len(moved) - before - after
    inner = moved[before : before + n]
    source = _sources(n, before, after, mode)
    at = np.flatnonzero(source >= 0)
    at = at[(at < before) | (at >= before + n)]
    if at.size:
        inner = inner.copy()
        np.add.at(inner, source[at], moved[at])
    return np.moveaxis(inner, 0, axis)


def correlate_weights(
    g: Any, x: Any, weights: Any, mode: Any, cval: float, origin: Any
) -> Any:
    """The cotangent of the weights of `scipy.ndimage.correlate`.

    >>> x = np.array([1.0, 2.0, 4.0])
    >>> correlate_weights(np.ones(3), x, np.ones(3), "nearest", 0.0, 0).tolist()
    [4.0, 7.0, 10.0]
    """
    origins = [origin] * x.ndim if isinstance(origin, int) else list(origin)
    padded = x
    for axis, (size, shift, name) in enumerate(
        zip(weights.shape, origins, _modes(mode, x.ndim), strict=True)
    ):
        widths = [(0, 0)] * x.ndim
        widths[axis] = _reach(size, shift)
        edge = {"constant_values": cval} if name == "constant" else {}
        padded = np.pad(padded, widths, name, **edge)  # type: ignore[call-overload]
    found = np.zeros(weights.shape, np.result_type(g, x))
    for index in np.ndindex(*weights.shape):
        place = tuple(slice(i, i + n) for i, n in zip(index, x.shape, strict=True))
        found[index] = np.sum(g * padded[place])
    return found


# --------------------------------------------------------- one axis at a time


def axes_pullback(g: Any, shape: Any, name: str, options: Any) -> Any:
    """The transpose of a linear function that works on one axis at a time.

    Args:
        g: the cotangent of the result.
        shape: that of the operand.
        name: the function of `scipy.ndimage` for vectors.
        options: for each axis, the arguments after the vector, or None to leave
            the axis as it is.

    >>> axes_pullback(np.array([1.0, 0.0]), (2,), "uniform_filter1d", [(3,)])
    array([0.66666667, 0.33333333])
    """
    from scipy import ndimage

    function = getattr(ndimage, name)
    own = None  # memory that a former axis made, to be filled again
    total = g
    for axis, given in enumerate(options):
        if given is not None and name in _WINDOWS:
            total = own = _WINDOWS[name](total, own, axis, *given)
        elif given is not None:
            matrix = np.stack([function(e, *given) for e in np.eye(shape[axis])])
            turned = np.tensordot(matrix, np.moveaxis(total, axis, 0), 1)
            total = np.moveaxis(turned, 0, axis)
    return np.array(total, g.dtype, copy=True if total is g else None)


def _uniform(
    g: Any,
    own: Any,
    axis: int,
    size: int,
    _: int = -1,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Any:
    """The transpose of `uniform_filter1d`: the mean over the turned window."""
    from scipy import ndimage

    if _PADS[mode] == "constant":
        place = _turned(size, origin)
        return ndimage.uniform_filter1d(g, size, axis, own, "constant", origin=place)
    before, after = _reach(size, origin)
    wide = np.pad(g, [(0, size - 1) if k == axis else (0, 0) for k in range(g.ndim)])
    place = size - 1 - size // 2
    total = ndimage.uniform_filter1d(wide, size, axis, mode="constant", origin=place)
    return _gathered(total, before, after, _PADS[mode], axis)


def _gaussian(
    g: Any,
    own: Any,
    axis: int,
    sigma: float,
    _: int = -1,
    order: int = 0,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
) -> Any:
    """The transpose of `gaussian_filter1d`: its window is even, or odd by its order."""
    from scipy import ndimage

    reach = int(truncate * float(sigma) + 0.5)
    inside = _PADS[mode] == "constant"
    widths = [(reach, reach) if k == axis else (0, 0) for k in range(g.ndim)]
    wide = g if inside else np.pad(g, widths)
    total = ndimage.gaussian_filter1d(
        wide, sigma, axis, order, own if inside else None, "constant", 0.0, truncate
    )
    total = -total if order % 2 else total
    return total if inside else _gathered(total, reach, reach, _PADS[mode], axis)


_WINDOWS: dict[str, Callable[..., Any]] = {
    "uniform_filter1d": _uniform,
    "gaussian_filter1d": _gaussian,
}


def axes_forward(x: Any, name: str, options: Any) -> Any:
    """The function whose transpose `axes_pullback` is.

    >>> axes_forward(np.array([3.0, 0.0]), "uniform_filter1d", [(3,)]).tolist()
    [2.0, 1.0]
    """
    from scipy import ndimage

    function = getattr(ndimage, name)
    for axis, given in enumerate(options):
        if given is not None:
            moved = np.moveaxis(x, axis, -1)
            rows = moved.reshape(-1, moved.shape[-1])
            rows = np.stack([function(row, *given) for row in rows])
            x = np.moveaxis(rows.reshape(*moved.shape[:-1], -1), -1, axis)
    return x


def each_axis(x: Any, *options: Any) -> list[tuple[Any, ...]]:
    """Options for each axis: a list gives one to each, anything else goes to all.

    >>> each_axis(np.zeros((2, 2)), 1.5, [0, 1])
    [(1.5, 0), (1.5, 1)]
    """
    columns = [
        list(option) if isinstance(option, (list, tuple)) else [option] * x.ndim
        for option in (_listed(o) for o in options)
    ]
    return list(zip(*columns, strict=True))


def _listed(option: Any) -> Any:
    return option.tolist() if isinstance(option, np.ndarray) else option


def one_axis(x: Any, axis: int, *options: Any) -> list[tuple[Any, ...] | None]:
    """Options for one axis alone.

    >>> one_axis(np.zeros((2, 2)), -1, 3)
    [None, (3,)]
    """
    found: list[tuple[Any, ...] | None] = [None] * x.ndim
    found[axis] = options
    return found


def line_shape(x: Any, axis: int) -> tuple[int, ...]:
    """The shape of weights along one axis, among as many axes as `x` has.

    >>> line_shape(np.zeros((2, 2)), 0)
    (-1, 1)
    """
    shape = [1] * x.ndim
    shape[axis] = -1
    return tuple(shape)


def turned_origin(weights: Any, origin: Any) -> list[int]:
    """The origin of a correlation that is a convolution with the weights turned.

    >>> turned_origin(np.ones((3, 2)), 0)
    [0, -1]
    """
    origins = [origin] * weights.ndim if isinstance(origin, int) else list(origin)
    return [
        -shift - (size % 2 == 0)
        for shift, size in zip(origins, weights.shape, strict=True)
    ]


def other_axes(x: Any, axis: int) -> list[int]:
    """The axes but one.

    >>> other_axes(np.zeros((2, 2, 2)), -1)
    [0, 1]
    """
    return [k for k in range(x.ndim) if k != axis % x.ndim]


def origin_along(x: Any, axis: int, origin: int) -> list[int]:
    """The origins of a filter that is shifted along one axis.

    >>> origin_along(np.zeros((2, 2)), 0, -1)
    [-1, 0]
    """
    return [origin * order for order in first_order(x, axis % x.ndim)]


def first_order(x: Any, axis: int) -> list[int]:
    """The order of a filter that differentiates once along an axis.

    >>> first_order(np.zeros((2, 2)), 1)
    [0, 1]
    """
    return [int(k == axis) for k in range(x.ndim)]


def second_order(x: Any, axis: int) -> list[int]:
    """The order of a filter that differentiates twice along an axis.

    >>> second_order(np.zeros((2, 2)), 1)
    [0, 2]
    """
    return [2 * order for order in first_order(x, axis)]


def refuse_output(output: Any, name: str) -> None:
    """Refuse to write into an array that is given.

    Raises:
        NonDifferentiableError: `output` is an array.
    """
    if isinstance(output, np.ndarray):
        not_differentiable(
            f"scipy.ndimage.{name} that writes into an array has no derivative rule",
            hint="leave out output, and use the result",
        )
