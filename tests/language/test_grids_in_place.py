"""Simulations and filters on grids that work in place, as one finds them in textbooks.

Each program is held against differences, in both modes, by `judged.check`.
"""

import numpy as np
import pytest

from tests.language.judged import check, sample


def burgers_ghost(u0):
    u = np.zeros(12)
    u[1:-1] = u0
    dx = 0.1
    dt = 0.01
    for _ in range(6):
        u[0] = u[-2]
        u[-1] = u[1]
        f = 0.5 * u**2
        flux = np.where(u[:-1] > 0, f[:-1], f[1:])
        u[1:-1] -= dt / dx * (flux[1:] - flux[:-1])
    return u[1:-1]


def red_black(u, f):
    u = u.copy()
    for it in range(3):
        for color in (0, 1):
            for i in range(1, 4):
                for j in range(1 + (i + color) % 2, 4, 2):
                    u[i, j] = 0.25 * (
                        u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j]
                    )
    return u


def red_black_slices(u):
    u = u.copy()
    for _ in range(3):
        for k in range(2):
            rows = u[:-2:2, 1 + k : -1 : 2] + u[2::2, 1 + k : -1 : 2]
            columns = u[1:-1:2, k:-2:2] + u[1:-1:2, 2 + k :: 2]
            u[1:-1:2, 1 + k : -1 : 2] = 0.25 * (rows + columns)
    return u


def conv2d_loops(img):
    k = img[:3, :3].copy()
    out = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            out[i, j] = (img[i : i + 3, j : j + 3] * k).sum()
    np.maximum(out, 0, out=out)
    return out


def haar(x):
    a = x.copy()
    n = len(a)
    while n > 1:
        h = n // 2
        t = a[:n].copy()
        a[:h] = (t[0::2] + t[1::2]) / np.sqrt(2)
        a[h:n] = (t[0::2] - t[1::2]) / np.sqrt(2)
        n = h
    return a


def upwind_periodic(u):
    u = u.copy()
    un = np.empty_like(u)
    for n in range(5):
        un[:] = u
        for i in range(len(u)):
            u[i] = un[i] - 0.3 * un[i] * (un[i] - un[i - 1])
    return u


def scatter_histogram(x):
    h = np.zeros(5)
    for v in x:
        i = int(v * 2)
        w = v * 2 - i
        h[i] += 1 - w
        h[i + 1] += w
    return h


def game_views(a):
    a = a.copy()
    top, bot = (a[:2], a[2:])
    top += bot
    bot *= top
    a[::2, ::2] -= a[1::2, 1::2]
    return a


def multi_level(c, f):
    levels = [f.copy()]
    while len(levels[-1]) > 1:
        g = levels[-1]
        n = len(g) // 2
        h = np.empty(n)
        for i in range(n):
            h[i] = c[0] * g[2 * i] + c[1] * g[2 * i + 1]
        levels.append(h)
    s = 0.0
    for l in levels:
        s += c[2] * np.sum(l**2)
    return s


class Grid:
    def __init__(self, n):
        self.u = np.zeros(n)
        self.t = 0.0

    def step(self, q):
        self.u[1:-1] += 0.1 * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2]) + q
        self.apply_bc()
        self.t += 1

    def apply_bc(self):
        self.u[0] = self.u[1]
        self.u[-1] = -self.u[-2]


def grid_object(u0, q):
    g = Grid(6)
    g.u[:] = u0
    for _ in range(4):
        g.step(q)
    return g.u * g.t


CASES = [
    (burgers_ghost, (sample(0.5, 1.5, 10),)),
    (
        red_black,
        (
            sample(-1, 1, 5, 5),
            sample(-1, 1, 5, 5),
        ),
    ),
    (red_black_slices, (sample(-1, 1, 6, 6),)),
    (conv2d_loops, (sample(-1, 1, 6, 6),)),
    (haar, (sample(-1, 1, 8),)),
    (upwind_periodic, (sample(0.5, 1.5, 9),)),
    (scatter_histogram, (sample(0.5, 1.5, 6),)),
    (game_views, (sample(-1, 1, 4, 4),)),
    (
        multi_level,
        (
            sample(-1, 1, 3),
            sample(-1, 1, 5),
        ),
    ),
    (
        grid_object,
        (
            sample(-1, 1, 6),
            0.3,
        ),
    ),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, args):
    check(f, *args)
