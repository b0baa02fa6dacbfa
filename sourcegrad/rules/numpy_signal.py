"""Convolution, numerical gradients, phase unwrapping, polynomials."""

import numpy as np

from ..runtime import is_zero, not_differentiable, unbroadcast
from ..runtime_shapes import widen
from .registry import adjoint, by_value, composite, tangent


@adjoint(np.convolve)
def convolve_adjoint(y, y_bar, a, v, mode="full"):
    if np.ndim(a) == 0 or np.ndim(v) == 0:
        return unbroadcast(y_bar * v, a), unbroadcast(y_bar * a, v)
    else:
        g = widen(y_bar, a, v, mode)
        return np.convolve(g, v[::-1], "valid"), np.convolve(g, a[::-1], "valid")


@tangent(np.convolve)
def convolve_tangent(y, a, a_dot, v, v_dot, mode="full"):
    if is_zero(v_dot):
        return np.convolve(a_dot, v, mode)
    elif is_zero(a_dot):
        return np.convolve(a, v_dot, mode)
    else:
        return np.convolve(a_dot, v, mode) + np.convolve(a, v_dot, mode)


@adjoint(np.correlate)
def correlate_adjoint(y, y_bar, a, v, mode="valid"):
    if len(a) < len(v):
        g = widen(y_bar[::-1], v, a, mode)[::-1]
    else:
        g = widen(y_bar, a, v, mode)
    v_bar = np.convolve(g, a[::-1], "valid")[::-1]
    return np.convolve(g, np.conj(v), "valid"), np.conj(v_bar)


@tangent(np.correlate)
def correlate_tangent(y, a, a_dot, v, v_dot, mode="valid"):
    if is_zero(v_dot):
        return np.correlate(a_dot, v, mode)
    elif is_zero(a_dot):
        return np.correlate(a, v_dot, mode)
    else:
        return np.correlate(a_dot, v, mode) + np.correlate(a, v_dot, mode)


@composite(np.gradient)
def gradient(f, *varargs, axis=None, edge_order=1):
    h = varargs[0] if len(varargs) > 0 else 1.0
    axes = tuple(range(np.ndim(f))) if axis is None else axis
    if axis is None and np.ndim(f) == 1:
        return gradient_along(f, h, 0, edge_order)
    elif not isinstance(axes, tuple):
        return gradient_along(f, h, axes, edge_order)
    elif len(axes) == 1:
        return gradient_along(f, h, axes[0], edge_order)
    elif len(varargs) == len(axes):
        steps = zip(varargs, axes, strict=True)
        return tuple([gradient_along(f, h, along, edge_order) for h, along in steps])
    else:
        return tuple([gradient_along(f, h, along, edge_order) for along in axes])


def gradient_along(f, spacing, along, edge_order):
    f = np.moveaxis(f, along, -1)
    if np.ndim(spacing) == 0:
        inner = (f[..., 2:] - f[..., :-2]) / (2.0 * spacing)
        first, last = spacing, spacing
        before, after = spacing, spacing
    else:
        step = np.diff(spacing)
        h, k = step[:-1], step[1:]
        inner = (
            -k / (h * (h + k)) * f[..., :-2]
            + (k - h) / (h * k) * f[..., 1:-1]
            + h / (k * (h + k)) * f[..., 2:]
        )
        first, last = step[0], step[-1]
        before, after = step[1 % len(step)], step[-2 % len(step)]
    if edge_order == 1:
        left = (f[..., 1] - f[..., 0]) / first
        right = (f[..., -1] - f[..., -2]) / last
    else:
        left = (
            -(2.0 * first + before) / (first * (first + before)) * f[..., 0]
            + (first + before) / (first * before) * f[..., 1]
            - first / (before * (first + before)) * f[..., 2]
        )
        right = (
            last / (after * (last + after)) * f[..., -3]
            - (last + after) / (last * after) * f[..., -2]
            + (2.0 * last + after) / (last * (last + after)) * f[..., -1]
        )
    whole = np.concatenate((left[..., np.newaxis], inner, right[..., np.newaxis]), -1)
    return np.moveaxis(whole, -1, along)


@adjoint(np.unwrap)
def unwrap_adjoint(y, y_bar, p, discont=None, axis=-1, *, period=6.283185307179586):
    return y_bar


@tangent(np.unwrap)
def unwrap_tangent(y, p, p_dot, discont=None, axis=-1, *, period=6.283185307179586):
    return p_dot


@composite(np.polyval)
def polyval(p, x):
    y = 0.0 * x
    for i in range(len(p)):
        y = y * x + p[i]
    return y


@composite(np.polyadd)
def polyadd(a1, a2):
    a1, a2 = np.atleast_1d(a1), np.atleast_1d(a2)
    n = max(len(a1), len(a2))
    return np.pad(a1, (n - len(a1), 0)) + np.pad(a2, (n - len(a2), 0))


@composite(np.polysub)
def polysub(a1, a2):
    a1, a2 = np.atleast_1d(a1), np.atleast_1d(a2)
    n = max(len(a1), len(a2))
    return np.pad(a1, (n - len(a1), 0)) - np.pad(a2, (n - len(a2), 0))


@composite(np.polymul)
def polymul(a1, a2):
    return np.convolve(a1, a2)


@composite(np.polyder)
def polyder(p, m=1):
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@composite(np.polyint)
def polyint(p, m=1, k=None):
    if k is not None:
        not_differentiable("np.polyint with constants of integration has no rule")
    for _ in range(m):
        p = np.append(p / np.arange(len(p), 0, -1), 0.0)
    return p


@composite(np.poly)
def poly(seq_of_zeros):
    if np.ndim(seq_of_zeros) > 1:
        not_differentiable(
            "np.poly of a matrix has no derivative rule",
            hint="use np.poly(np.linalg.eigvals(a))",
        )
    p = np.ones(1)
    for i in range(len(seq_of_zeros)):
        p = np.append(p, 0.0) - np.append(np.zeros(1), seq_of_zeros[i] * p)
    return p


@adjoint(np.roots, singular=True, source="the implicit function theorem")
def roots_adjoint(y, y_bar, p):
    slope = np.polyval(np.polyder(p), y)
    return -np.dot(y_bar / slope, np.vander(y, len(p)))


@tangent(np.roots)
def roots_tangent(y, p, p_dot):
    return -np.dot(np.vander(y, len(p)), p_dot) / np.polyval(np.polyder(p), y)


by_value(np.roots)


@composite(np.polyfit)
def polyfit(x, y, deg, rcond=None):
    columns = np.vander(x, deg + 1)
    size = np.linalg.norm(columns, axis=0)
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    scaled = np.linalg.lstsq(columns / size, y, rcond)[0]
    return scaled / (size if np.ndim(y) == 1 else np.expand_dims(size, 1))


@composite(np.polyfit, options=True)
def polyfit_weighted(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full:
        not_differentiable("np.polyfit with full=True has no derivative rule")
    columns = np.vander(x, deg + 1)
    if w is not None:
        columns = columns * np.expand_dims(w, 1)
        y = y * (w if np.ndim(y) == 1 else np.expand_dims(w, 1))
    size = np.linalg.norm(columns, axis=0)
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    scaled = np.linalg.lstsq(columns / size, y, rcond)[0]
    found = scaled / (size if np.ndim(y) == 1 else np.expand_dims(size, 1))
    if not cov:
        return found
    elif np.ndim(y) != 1:
        not_differentiable("np.polyfit with cov has a derivative rule for one set of y")
    else:
        spread = np.linalg.inv(columns.T @ columns)
        if cov != "unscaled":
            rest = y - columns @ found
            spread = spread * (np.sum(rest * rest) / (len(x) - deg - 1))
        return found, spread
