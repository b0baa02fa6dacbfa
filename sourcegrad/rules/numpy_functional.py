"""Functions that call a function of the user's: the function is gone into.

`np.vectorize` makes an object; a call of it is a call of `along`.
"""

import numpy as np

from .registry import composite


@composite(np.fromfunction, builds=True)
def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    grids = np.indices(shape, dtype=dtype)
    return function(*[grids[k] for k, _ in enumerate(shape)], **kwargs)


@composite(np.apply_along_axis, builds=True)
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    lines = np.moveaxis(arr, axis, -1)
    flat = np.reshape(lines, (-1, np.shape(lines)[-1]))
    parts = np.array([func1d(line, *args, **kwargs) for line in flat])
    whole = np.reshape(parts, np.shape(lines)[:-1] + np.shape(parts)[1:])
    if np.ndim(whole) == np.ndim(arr):
        return np.moveaxis(whole, -1, axis)
    else:
        return whole


@composite(np.apply_over_axes, builds=True)
def apply_over_axes(func, a, axes):
    for axis in axes:
        reduced = func(a, axis)
        if np.ndim(reduced) == np.ndim(a):
            a = reduced
        else:
            a = np.expand_dims(reduced, axis)
    return a


@composite(np.piecewise, builds=True)
def piecewise(x, condlist, funclist, *args, **kw):
    pieces = np.zeros_like(x)
    rest = np.ones(np.shape(x), bool)
    for k, condition in enumerate(condlist):
        piece = funclist[k]
        if callable(piece):
            pieces[condition] = piece(x[condition], *args, **kw)
        else:
            pieces[condition] = piece
        rest = rest & ~condition
    if len(funclist) > len(condlist):
        piece = funclist[-1]
        if callable(piece):
            pieces[rest] = piece(x[rest], *args, **kw)
        else:
            pieces[rest] = piece
    return pieces


@composite(np.resize)
def resize(a, new_shape):
    flat = np.ravel(a)
    places = np.arange(np.prod(new_shape)) % np.size(a)
    return np.reshape(flat[places], new_shape)


@composite(np.sort_complex)
def sort_complex(a):
    return np.sort(a + 0j)


@composite(np.polydiv)
def polydiv(u, v):
    rest = np.atleast_1d(u) + 0.0 * np.sum(v)
    divisor = np.atleast_1d(v)
    terms = max(len(rest) - len(divisor) + 1, 1)
    quotient = np.zeros(terms, rest.dtype)
    for k in range(len(rest) - len(divisor) + 1):
        factor = rest[k] / divisor[0]
        quotient[k] = factor
        rest[k : k + len(divisor)] -= factor * divisor
    first = 0
    while first < len(rest) - 1 and np.allclose(rest[first], 0.0, rtol=1e-14):
        first += 1
    return quotient, rest[first:]


def along(pyfunc, *args):
    """What `np.vectorize(pyfunc)(*args)` computes: a loop over broadcast operands.

    >>> along(max, np.array([1.0, 4.0]), 2.0)
    array([2., 4.])
    """
    shape = np.broadcast_shapes(*[np.shape(a) for a in args])
    if len(args) == 1:
        found = [pyfunc(x) for x in np.ravel(args[0])]
    else:
        flat = [np.ravel(np.broadcast_to(a, shape)) for a in args]
        found = [pyfunc(*[x[k] for x in flat]) for k in range(len(flat[0]))]
    return np.reshape(np.array(found), shape)


composite(along, builds=True)(along)
