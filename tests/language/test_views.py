"""Views that may be copies, that are read-only, that are chosen by a path, and memory
made in a try block: each program against differences, in both modes.
"""

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

RNG = np.random.default_rng(3)
X = RNG.uniform(0.5, 1.5, 4)
A = RNG.uniform(0.5, 1.5, (4, 4))


def diag_of_mutated(x):
    d = x.copy()
    d[0] = x[1] ** 2
    D = np.diag(d)
    d[2] = 5.0
    return D @ D


def diag_view_of_mutated(a):
    b = a.copy()
    b[0] = a[1] ** 2
    d = np.diag(b)
    return d * b[1]


def bcast_of_mutated(a):
    b = a.copy()
    b[0] = a[1] ** 2
    c = np.broadcast_to(b[0], (3, 4))
    return c * a[:3]


def windows_of_mutated(x):
    d = np.zeros(8)
    d[::2] = x
    w = np.lib.stride_tricks.sliding_window_view(d, 3)
    return w * w


def tri_of_mutated(x):
    d = x.copy()
    d[1:] = x[:-1]
    return np.tile(d, 2) * np.repeat(d, 2) + np.concatenate([d, d])


def triu_mutated(a):
    b = a.copy()
    b[0] *= a[1]
    u = np.triu(b)
    b[:] = 0
    return u @ u


def atleast(a):
    b = a[0].copy()
    b[0] = a[1, 1]
    c = np.atleast_2d(b)
    c[0, 1] = a[2, 2] ** 2
    return b @ c.T


def expand(a):
    b = a[0].copy()
    c = b[:, None]
    c[1, 0] = a[1, 1] ** 2
    d = np.expand_dims(b, 0)
    d[0, 2] = 3.0
    e = np.reshape(b, (2, 2))
    e[1, 1] *= a[0, 0]
    return b * a[1]


def astype_nocopy(a):
    b = a.copy()
    c = b.astype(float, copy=False)
    c[0] = a[1] ** 2
    d = b.astype(float)
    d[1] = 0
    return b.sum() * d


def np_array_copies(a):
    b = np.array(a)
    c = np.array(b, copy=True)
    b[0] = a[1] ** 2
    c *= b
    return c


def ternary_alias(a):
    b = a.copy()
    c = a * 2
    t = b if a[0, 0] > 0 else c
    t[0] = a[1] ** 2
    return b * c


def ifelse_alias_loop(a):
    b = a.copy()
    c = a * 2
    for k in range(4):
        t = b if k % 2 else c
        t[k] *= a[k, 0]
        t += 0.1 * b
    return b * c


def array_made_in_try(x):
    try:
        a = np.exp(x)
        a[1] = x[2] ** 2
        b = a[1:]
        b *= x[0]
        if x[0] > 9:
            raise ValueError
        c = a * x
    except ValueError:
        c = x * 1.0
    return c * a


def array_made_in_try_loop(x):
    s = 0.0
    for k in range(3):
        try:
            a = np.zeros(4)
            a[k] = x[k] ** 2
            a[k + 1] = x[k]
            a[k + 2] = 1.0
        except IndexError:
            a = x * 1.0
        s = s + a @ x
    return s


CASES = [
    (diag_of_mutated, X),
    (diag_view_of_mutated, A),
    (bcast_of_mutated, A),
    (windows_of_mutated, X),
    (tri_of_mutated, X),
    (triu_mutated, A),
    (atleast, A),
    (expand, A),
    (astype_nocopy, A),
    (np_array_copies, A),
    (ternary_alias, A),
    (ifelse_alias_loop, A),
    (array_made_in_try, X),
    (array_made_in_try_loop, X),
]


@pytest.mark.parametrize(("f", "x"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, x):
    check(f, x)


def test_a_read_only_view_of_what_is_written_later_is_refused():
    def diagonal(a):
        b = a.copy()
        d = np.diagonal(b)
        b[0] = a[1] ** 2
        return np.sum(d * b[1])

    def spread(a):
        b = a.copy()
        c = np.broadcast_to(b[0], (3, 4))
        b[0] = a[1] ** 2
        return np.sum(c * a[:3])

    for f in (diagonal, spread):
        with pytest.raises(sourcegrad.SourcegradError, match=r"test_views.py:\d+"):
            sourcegrad.grad(f)(A)


def fortran_order(x):
    a = np.asfortranarray(x.reshape(2, 2))
    b = a.ravel()
    b[0] *= 4.0
    a[0, 0] = x[1] * x[2]
    return np.sum(a**2) + np.sum(b * np.arange(4.0))


def test_a_conversion_of_the_layout_may_copy():
    x = np.array([0.7, 1.3, -0.4, 2.1])
    steps = 1e-6 * np.eye(4)
    expected = [(fortran_order(x + e) - fortran_order(x - e)) / 2e-6 for e in steps]
    found = sourcegrad.grad(fortran_order)(x)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
