"""Helpers of generated code: transposed cosine and sine transforms of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime import not_differentiable

_PARTNER = {1: 1, 2: 3, 3: 2, 4: 4}
_SWAPPED = {"forward": "backward", "backward": "forward", None: "forward"}


def trig_pullback(
    name: str, g: Any, kind: int, axes: Any, norm: Any, orthogonalize: Any
) -> Any:
    """The transposed matrix of `scipy.fft.NAME` along axes, times `g`.

    An orthogonal transform has its inverse as transpose; the others are the
    transform of the partner type, up to a factor for the elements at an end.

    Args:
        name: "dct", "idct", "dst" or "idst".
        g: the cotangent of the result.
        kind: the type, from 1 to 4.
        axes: one axis, several, or None for all.
        norm: as for the transform.
        orthogonalize: as for the transform; its default only.

    Raises:
        NonDifferentiableError: `orthogonalize` is not what `norm` implies.

    >>> trig_pullback("dct", np.array([1.0, 0.0]), 2, -1, None, None)
    array([2., 2.])
    """
    if orthogonalize is not None and bool(orthogonalize) != (norm == "ortho"):
        not_differentiable(
            f"scipy.fft.{name} has a derivative rule where orthogonalize is what norm "
            "implies",
            hint="leave out orthogonalize",
        )
    if axes is None:
        axes = range(g.ndim)
    for axis in (axes,) if isinstance(axes, int) else axes:
        g = _along_axis(name, g, kind, axis, norm)
    return g


def _along_axis(name: str, g: Any, kind: int, axis: int, norm: Any) -> Any:
    from scipy import fft

    if norm == "ortho":
        inverse = name[1:] if name[0] == "i" else f"i{name}"
        return getattr(fft, inverse)(g, kind, axis=axis, norm=norm)
    if name[0] == "i":
        name, kind, norm = name[1:], _PARTNER[kind], _SWAPPED[norm]
    transform = getattr(fft, name)
    ends = np.ones(g.shape[axis])
    if kind == 1 and name == "dct":
        ends[1:-1] = 2.0
        before, after = 1.0 / ends, ends
    else:
        ends[0 if name == "dct" else -1] = 2.0
        before = ends if kind == 2 else np.ones_like(ends)
        after = 1.0 / ends if kind == 3 else np.ones_like(ends)
    shape = [1] * g.ndim
    shape[axis] = -1
    g = g * before.reshape(shape)
    return transform(g, _PARTNER[kind], axis=axis, norm=norm) * after.reshape(shape)
