"""Helpers of generated code: cotangents of functions that move elements about.

NumPy and `runtime` only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime import add_at_zeros, float_zeros, not_differentiable


def untile(g: Any, x: Any, reps: Any) -> Any:
    """The cotangent of `x` in `np.tile(x, reps)`: the sum over the copies.

    >>> untile(np.arange(4.0), np.zeros(2), 2)
    array([2., 4.])
    """
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    ndim = max(np.ndim(x), len(reps))
    reps = (1,) * (ndim - len(reps)) + reps
    shape = (1,) * (ndim - np.ndim(x)) + np.shape(x)
    pairs = tuple(n for pair in zip(reps, shape, strict=True) for n in pair)
    copies = tuple(range(0, 2 * ndim, 2))
    return np.reshape(np.sum(np.reshape(g, pairs), axis=copies), np.shape(x))


def unrepeat(g: Any, x: Any, repeats: Any, axis: Any = None) -> Any:
    """The cotangent of `x` in `np.repeat(x, repeats, axis)`: sums over repeats.

    >>> unrepeat(np.arange(4.0), np.zeros(2), [1, 3])
    array([0., 6.])
    """
    if axis is None:
        return np.reshape(unrepeat(g, np.ravel(x), repeats, 0), np.shape(x))
    axis %= np.ndim(x)
    shape = np.shape(x)
    if np.ndim(repeats) == 0:
        split = shape[: axis + 1] + (int(repeats),) + shape[axis + 1 :]
        return np.sum(np.reshape(g, split), axis=axis + 1)
    return add_taken(x, np.repeat(np.arange(shape[axis]), repeats), g, axis)


def unpad(g: Any, x: Any, pad_width: Any) -> Any:
    """The part of `g` that `x` takes in `np.pad(x, pad_width)`.

    >>> unpad(np.arange(5.0), np.zeros(2), (1, 2))
    array([1., 2.])
    """
    if isinstance(pad_width, dict):
        given = {axis % np.ndim(x): widths for axis, widths in pad_width.items()}
        starts = [int(np.ravel(given.get(i, 0))[0]) for i in range(np.ndim(x))]
    else:
        starts = np.broadcast_to(pad_width, (np.ndim(x), 2))[:, 0].tolist()
    inside = zip(starts, np.shape(x), strict=True)
    return g[tuple(slice(start, start + n) for start, n in inside)]


def pad_linearly(
    x: Any,
    pad_width: Any,
    mode: Any,
    stat_length: Any = None,
    reflect_type: str = "even",
) -> Any:
    """`np.pad(x, pad_width, mode)` in a mode that is linear in `x`.

    Raises:
        NonDifferentiableError: the mode is not one of these.

    >>> pad_linearly(np.array([1.0, 2.0]), 1, "reflect", None, "odd")
    array([0., 1., 2., 3.])
    """
    if mode in ("reflect", "symmetric"):
        return np.pad(x, pad_width, mode, reflect_type=reflect_type)
    if mode == "mean":
        return np.pad(x, pad_width, mode, stat_length=stat_length)
    if mode not in ("edge", "wrap", "linear_ramp"):
        not_differentiable(f"np.pad with mode {mode!r} has no derivative rule")
    return np.pad(x, pad_width, mode)


def add_padded(
    g: Any,
    x: Any,
    pad_width: Any,
    mode: Any,
    stat_length: Any = None,
    reflect_type: str = "even",
) -> Any:
    """The cotangent of `x` in `pad_linearly(x, pad_width, mode)`.

    Raises:
        NonDifferentiableError: the mode is not linear.

    >>> add_padded(np.ones(4), np.zeros(2), 1, "edge")
    array([2., 2.])
    """
    if mode not in ("edge", "reflect", "symmetric", "wrap") or reflect_type != "even":
        return _sum_padded(g, x, pad_width, mode, stat_length, reflect_type)
    source = np.pad(np.arange(np.size(x)).reshape(np.shape(x)), pad_width, mode)
    return np.reshape(add_at_zeros(np.ravel(x), source, g), np.shape(x))


def _sum_padded(
    g: Any, x: Any, pad_width: Any, mode: Any, stat_length: Any, reflect_type: str
) -> Any:
    """As `add_padded`, where pads are sums: NumPy pads one axis after the other."""
    if isinstance(pad_width, dict):
        widths = [pad_width.get(k, 0) for k in range(np.ndim(x))]
        pad_width = [w if np.ndim(w) else (w, w) for w in widths]
    widths = np.broadcast_to(pad_width, (np.ndim(x), 2)).tolist()
    lengths: list[Any] = [None] * np.ndim(x)
    if stat_length is not None:
        lengths = np.broadcast_to(stat_length, (np.ndim(x), 2)).tolist()
    for axis, (width, length) in enumerate(zip(widths, lengths, strict=True)):
        unit = np.eye(np.shape(x)[axis], dtype=g.dtype)
        both = (length, (1, 1)) if length else None
        matrix = pad_linearly(unit, (width, (0, 0)), mode, both, reflect_type)
        g = np.moveaxis(np.tensordot(matrix.T, g, (1, axis)), 0, axis)
    return g


def one_thick(x: Any, axis: int) -> tuple[int, ...]:
    """The shape of a slice of `x` of thickness 1.

    >>> one_thick(np.zeros((2, 3)), -1)
    (2, 1)
    """
    shape = list(np.shape(x))
    shape[axis] = 1
    return tuple(shape)


def place_diagonal(g: Any, x: Any, offset: int, axis1: int, axis2: int) -> Any:
    """Zeros like `x`, with `g` on the diagonal that `np.diagonal` reads.

    >>> place_diagonal(np.array([1.0, 2.0]), np.zeros((2, 2)), 0, 0, 1)
    array([[1., 0.],
           [0., 2.]])
    """
    x_bar = float_zeros(x)
    diagonal = np.diagonal(x_bar, offset, axis1, axis2)
    diagonal.flags.writeable = True
    diagonal[...] = g
    return x_bar


def undiff(g: Any, n: int, axis: int, shape: Any) -> Any:
    """The cotangent of `x`, of this shape, in `np.diff(x, n, axis)`.

    >>> undiff(np.array([1.0, 10.0]), 1, 0, (3,)), undiff(np.ones(0), 2, 0, (1,))
    (array([-1., -9., 10.]), array([0.]))
    """
    if np.size(g) == 0:
        return np.zeros_like(g, shape=shape)
    if n == 0:
        return np.array(g)
    for _ in range(n):
        g = np.moveaxis(g, axis, -1)
        longer = np.empty_like(g, shape=(*g.shape[:-1], g.shape[-1] + 1))
        longer[..., 0], longer[..., -1] = -g[..., 0], g[..., -1]
        np.subtract(g[..., :-1], g[..., 1:], out=longer[..., 1:-1])
        g = np.moveaxis(longer, -1, axis)
    return g


def neighbour_sums(x: Any) -> Any:
    """The sums of neighbours along the last axis.

    >>> neighbour_sums(np.array([1.0, 2.0, 4.0]))
    array([3., 6.])
    """
    return x[..., 1:] + x[..., :-1]


def unpaired(g: Any, shape: Any) -> Any:
    """The cotangent of `x`, of this shape, in `neighbour_sums(x)`.

    >>> unpaired(np.array([1.0, 10.0]), (3,))
    array([ 1., 11., 10.])
    """
    if np.size(g) == 0:
        return np.zeros_like(g, shape=shape)
    x_bar = np.empty_like(g, shape=(*g.shape[:-1], g.shape[-1] + 1))
    x_bar[..., 0], x_bar[..., -1] = g[..., 0], g[..., -1]
    np.add(g[..., 1:], g[..., :-1], out=x_bar[..., 1:-1])
    return x_bar


def segments(indices: Any, extent: int) -> tuple[Any, Any]:
    """Of `np.add.reduceat`: the places that are summed, and the sum each belongs to.

    >>> [p.tolist() for p in segments([0, 2, 1], 4)]
    [[0, 1, 2, 1, 2, 3], [0, 0, 1, 2, 2, 2]]
    """
    starts = np.asarray(indices)
    stops = np.maximum(np.append(starts[1:], extent), starts + 1)
    places = [np.arange(i, j) for i, j in zip(starts, stops, strict=True)]
    owners = np.repeat(np.arange(len(starts)), stops - starts)
    return np.concatenate(places), owners


def in_range(indices: Any, extent: int, mode: str) -> Any:
    """The indices that `np.take` reads in the modes "wrap" and "clip".

    >>> in_range(np.array([-1, 5]), 3, "wrap"), in_range(np.array([-1, 5]), 3, "clip")
    (array([2, 2]), array([0, 2]))
    """
    if mode == "wrap":
        return np.asarray(indices) % extent
    return np.clip(indices, 0, extent - 1)


def add_taken(x: Any, indices: Any, g: Any, axis: int) -> Any:
    """Zeros like `x`, with `g` added where `np.take(x, indices, axis)` reads.

    >>> add_taken(np.ones((2, 3)), [0, 0], np.ones((2, 2)), 1)
    array([[2., 0., 0.],
           [2., 0., 0.]])
    """
    front = (slice(None),) * (axis % np.ndim(x))
    return add_at_zeros(x, front + (np.asarray(indices),), g)


def add_along(x: Any, indices: Any, g: Any, axis: Any) -> Any:
    """Zeros like `x`, with `g` added where `np.take_along_axis` reads.

    >>> add_along(np.ones(3), np.array([0, 0]), np.ones(2), 0)
    array([2., 0., 0.])
    """
    if axis is None:
        return np.reshape(add_at_zeros(np.ravel(x), indices, g), x.shape)
    index = [
        np.reshape(np.arange(n), (n,) + (1,) * (x.ndim - i - 1))
        for i, n in enumerate(x.shape)
    ]
    index[axis] = indices
    return add_at_zeros(x, tuple(index), g)


def split_like(g: Any, parts: Any, axis: Any) -> Any:
    """The cotangents of the arrays that were joined along `axis`: a tuple, or one array
    where one array held the parts.

    >>> split_like(np.arange(4.0), (np.zeros(3), 1.5), 0)
    (array([0., 1., 2.]), array(3.))
    """
    axis = 0 if axis is None else axis % np.ndim(g)
    before = (slice(None),) * axis
    bars, start = [], 0
    for part in parts:
        width = _width(part, g, axis)
        piece = g[before + (slice(start, start + width),)]
        bars.append(np.reshape(piece, np.shape(part)))
        start += width
    return np.stack(bars) if isinstance(parts, np.ndarray) else tuple(bars)


def _width(part: Any, g: Any, axis: int) -> int:
    """The length along `axis` of one of the arrays that were joined to a `g`."""
    if np.ndim(part) == np.ndim(g):
        return int(np.shape(part)[axis])
    return np.size(part) if np.ndim(g) == 1 else 1


def join_like(parts: Any, g: Any, axis: Any) -> Any:
    """The inverse of `split_like`: parts joined along `axis` to the shape of `g`.

    >>> join_like((np.zeros(2), 1.5), np.zeros(3), 0)
    array([0. , 0. , 1.5])
    """
    axis = 0 if axis is None else axis % np.ndim(g)
    shape = np.shape(g)
    return np.concatenate(
        [
            np.reshape(p, shape[:axis] + (_width(p, g, axis),) + shape[axis + 1 :])
            for p in parts
        ],
        axis=axis,
    )


def unsplit(parts: Any, x: Any, cuts: Any, axis: Any) -> Any:
    """The cotangent of an `x` that was split at `cuts`, from those of its parts.

    Parts overlap where a cut lies before the last one: there they add up.

    >>> unsplit([np.ones(3), np.ones(0), np.ones(3)], np.zeros(4), [3, 1], 0)
    array([1., 2., 2., 1.])
    """
    joined = np.concatenate(parts, axis=axis)
    if joined.shape == np.shape(x):
        return joined
    g = np.zeros(np.shape(x), joined.dtype)
    for view, part in zip(np.array_split(g, cuts, axis), parts, strict=True):
        view += part
    return g


def unnest(g: Any, nested: Any) -> Any:
    """The cotangent of a nested list or tuple of which an array was made.

    >>> unnest(np.array([[1.0, 2.0], [3.0, 4.0]]), [(1.5, 2.5), np.zeros(2)])
    [(np.float64(1.0), np.float64(2.0)), array([3., 4.])]
    """
    if not isinstance(nested, (list, tuple)):
        return g
    bars = [unnest(g[i], part) for i, part in enumerate(nested)]
    return tuple(bars) if isinstance(nested, tuple) else bars


def refit(g: Any, x: Any) -> Any:
    """`g` cut, or padded with zeros, to the shape of `x`; its real part for a real `x`.

    >>> refit(np.arange(4.0), np.zeros(3)), refit(np.ones(1), np.zeros(2))
    (array([0., 1., 2.]), array([1., 0.]))
    """
    if not np.iscomplexobj(x):
        g = np.real(g)
    if np.shape(g) == np.shape(x):
        return g
    g = g[tuple(slice(n) for n in np.shape(x))]
    lacking = [n - m for n, m in zip(np.shape(x), np.shape(g), strict=True)]
    return np.pad(g, [(0, n) for n in lacking]) if any(lacking) else g


def fold_spectrum(full: Any, axis: int) -> Any:
    """The first half of a spectrum, doubled where an entry stands for two.

    >>> fold_spectrum(np.ones(4), 0), fold_spectrum(np.ones(5), 0)
    (array([1., 2., 1.]), array([1., 2., 2.]))
    """
    n = np.shape(full)[axis]
    half = np.moveaxis(full, axis, -1)[..., : n // 2 + 1]
    twice = [1.0 if k == 0 or 2 * k == n else 2.0 for k in range(n // 2 + 1)]
    weights = np.array(twice, dtype=half.real.dtype)
    return np.moveaxis(half * weights, -1, axis)


def halved_spectrum(g: Any, n: int, axis: int) -> Any:
    """The conjugate of the first half of a spectrum of `n` entries, halved where an
    entry stands for two: what `irfft` takes for the cotangent in `rfft`.

    >>> halved_spectrum(np.array([1.0, 2.0, 2.0j]), 4, 0)
    array([1.+0.j, 1.+0.j, 0.-2.j])
    """
    halves = np.moveaxis(0.5 * np.conj(g), axis, -1)
    halves[..., 0] *= 2.0
    if n % 2 == 0:
        halves[..., -1] *= 2.0
    return np.moveaxis(halves, -1, axis)


def widen(g: Any, a: Any, v: Any, mode: str) -> Any:
    """The cotangent of a full convolution, from that of the part `mode` keeps.

    >>> widen(np.ones(1), np.zeros(2), np.zeros(2), "valid")
    array([0., 1., 0.])
    """
    full, short = len(a) + len(v) - 1, min(len(a), len(v))
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[mode]
    return np.pad(g, (start, full - start - len(g)))


def unblock(g: Any, nested: Any) -> Any:
    """The cotangent of the nested lists of which `np.block` made a matrix.

    >>> unblock(np.arange(4.0), [np.zeros(3), 1.5])
    [array([0., 1., 2.]), array(3.)]
    """
    if not isinstance(nested, list):
        return np.reshape(g, np.shape(nested))
    axis = np.ndim(g) - _depth(nested)
    before = (slice(None),) * axis
    bars, start = [], 0
    for part in nested:
        width = _extent(part, axis, np.ndim(g))
        bars.append(unblock(g[before + (slice(start, start + width),)], part))
        start += width
    return bars


def _depth(nested: Any) -> int:
    return 1 + _depth(nested[0]) if isinstance(nested, list) else 0


def _extent(nested: Any, axis: int, ndim: int) -> int:
    """The size along `axis` of the array that `np.block` makes of nested lists."""
    if isinstance(nested, list):
        sizes = [_extent(part, axis, ndim) for part in nested]
        return sum(sizes) if axis == ndim - _depth(nested) else sizes[0]
    shape = (1,) * (ndim - np.ndim(nested)) + np.shape(nested)
    return int(shape[axis])


def running_position(x: Any, axis: int, largest: bool) -> Any:
    """Along `axis`, where the extreme of the elements so far stands; the first of ties.

    >>> running_position(np.array([1.0, 3.0, 3.0, 4.0]), 0, True)
    array([0, 1, 1, 3])
    """
    extreme = np.maximum if largest else np.minimum
    values = np.moveaxis(x, axis, 0)
    best = extreme.accumulate(values, axis=0)
    fresh = np.ones(values.shape, dtype=bool)
    fresh[1:] = best[1:] != best[:-1]
    at = np.arange(len(values)).reshape(-1, *(1,) * (values.ndim - 1))
    return np.moveaxis(np.maximum.accumulate(np.where(fresh, at, 0), axis=0), 0, axis)


def full_widths(a: Any, v: Any, mode: str) -> list[tuple[int, int]]:
    """What `np.pad` adds to a convolution of `a` and `v` to have it in mode "full".

    >>> full_widths(np.zeros(5), np.zeros(3), "same")
    [(1, 1)]
    """
    widths = []
    for n, m in zip(np.shape(a), np.shape(v), strict=True):
        short = min(n, m)
        start = {"full": 0, "same": (m - 1) // 2, "valid": short - 1}[mode]
        size = {"full": n + m - 1, "same": n, "valid": max(n, m) - short + 1}[mode]
        widths.append((start, n + m - 1 - size - start))
    return widths or [(0, 0)]  # of two numbers: nothing, as np.pad takes it
