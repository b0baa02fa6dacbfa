"""Numerical programs that work in place, as one finds them in textbooks.

Each program is held against differences, in both modes, by `judged.check`.
"""

import math

import numpy as np
import pytest

from tests.language.judged import check, sample


def fft_butterfly(re, im):
    n = len(re)
    re = re.copy()
    im = im.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            re[i], re[j] = (re[j], re[i])
            im[i], im[j] = (im[j], im[i])
    size = 2
    while size <= n:
        ang = -2 * math.pi / size
        for start in range(0, n, size):
            for k in range(size // 2):
                c, s = (math.cos(ang * k), math.sin(ang * k))
                a, b = (start + k, start + k + size // 2)
                tr = re[b] * c - im[b] * s
                ti = re[b] * s + im[b] * c
                re[b] = re[a] - tr
                im[b] = im[a] - ti
                re[a] += tr
                im[a] += ti
        size *= 2
    return np.stack([re, im])


def bitonic(x):
    a = list(x)
    n = len(a)
    k = 2
    while k <= n:
        j = k // 2
        while j > 0:
            for i in range(n):
                l = i ^ j
                if l > i and (i & k == 0) == (a[i] > a[l]):
                    a[i], a[l] = (a[l], a[i])
            j //= 2
        k *= 2
    return np.array(a) * np.arange(n)


def heapsort(x):
    a = x.copy()
    n = len(a)

    def sift(start, end):
        root = start
        while 2 * root + 1 < end:
            ch = 2 * root + 1
            if ch + 1 < end and a[ch] < a[ch + 1]:
                ch += 1
            if a[root] < a[ch]:
                a[root], a[ch] = (a[ch], a[root])
                root = ch
            else:
                break

    for s in range(n // 2 - 1, -1, -1):
        sift(s, n)
    for e in range(n - 1, 0, -1):
        a[0], a[e] = (a[e], a[0])
        sift(0, e)
    return a * np.arange(n)


def dp_table(c):
    n, m = c.shape
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = c[i - 1, j - 1] + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


def softdtw(c):
    n, m = c.shape
    D = np.zeros((n + 1, m + 1))
    D[0, 1:] = 10.0
    D[1:, 0] = 10.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            z = np.array([D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]])
            D[i, j] = c[i - 1, j - 1] - np.log(np.sum(np.exp(-z)))
    return D[-1, -1]


def ring_buffer(x):
    buf = np.zeros(4)
    out = []
    head = 0
    for v in x:
        buf[head] = v * v
        head = (head + 1) % 4
        out.append(buf.mean() * v)
    return np.array(out)


def lstm(xs, W, b):
    T = xs.shape[0]
    H = 2
    h = np.zeros((T + 1, H))
    c = np.zeros((T + 1, H))
    for t in range(T):
        z = W @ np.concatenate([xs[t], h[t]]) + b
        i, f, o = 1 / (1 + np.exp(-z[: 3 * H].reshape(3, H)))
        g = np.tanh(z[3 * H :])
        c[t + 1] = f * c[t] + i * g
        h[t + 1] = o * np.tanh(c[t + 1])
    return h[1:]


def adaptive_rk(p):
    t, y, h = (0.0, p[0], 0.5)
    n = 0
    ts = np.zeros(50)
    ys = np.zeros(50)
    ys[0] = y
    while t < 1.0 and n < 49:
        h = min(h, 1.0 - t)
        k1 = -p[1] * y + p[2] * math.sin(t)
        k2 = -p[1] * (y + h * k1) + p[2] * math.sin(t + h)
        y1 = y + h * k1
        y2 = y + 0.5 * h * (k1 + k2)
        err = abs(y2 - y1)
        if err > 0.01:
            h *= 0.5
            continue
        t += h
        y = y2
        n += 1
        ts[n] = t
        ys[n] = y
        if err < 0.001:
            h *= 2
    return ys[: n + 1]


def cumulative(x):
    a = x.copy()
    for i in range(1, len(a)):
        a[i] += a[i - 1]
    a /= a[-1]
    return a


def nbody(p):
    pos = p.copy()
    vel = np.zeros_like(pos)
    n = len(pos)
    dt = 0.05
    for step in range(3):
        acc = np.zeros_like(pos)
        for i in range(n):
            for j in range(i + 1, n):
                d = pos[j] - pos[i]
                r3 = (d @ d + 0.1) ** 1.5
                acc[i] += d / r3
                acc[j] -= d / r3
        vel += dt * acc
        pos += dt * vel
    return pos


def sgd(X, w):
    w = w.copy()
    m = np.zeros_like(w)
    v = np.zeros_like(w)
    for t in range(1, 5):
        x = X[t % 5]
        g = 2 * (w @ x - 1.0) * x
        m[:] = 0.9 * m + 0.1 * g
        v[:] = 0.99 * v + 0.01 * g**2
        w -= 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 0.001)
    return w


def iir(x):
    y = np.empty_like(x)
    for n in range(len(x)):
        y[n] = x[n]
        if n >= 1:
            y[n] += 0.5 * y[n - 1]
        if n >= 2:
            y[n] -= 0.2 * y[n - 2] * y[n - 1]
    return y


def floyd(W):
    D = W.copy()
    np.fill_diagonal(D, 0)
    for k in range(4):
        for i in range(4):
            for j in range(4):
                if D[i, k] + D[k, j] < D[i, j]:
                    D[i, j] = D[i, k] + D[k, j]
    return D


def neville(y):
    x = np.arange(5.0)
    p = y.copy()
    t = 2.3
    for k in range(1, 5):
        for i in range(5 - k):
            p[i] = ((t - x[i + k]) * p[i] + (x[i] - t) * p[i + 1]) / (x[i] - x[i + k])
    return p[0]


def insertion_sort(x):
    a = x.copy()
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a * np.arange(6)


def list_of_buffers(W, x):
    acts = [x] + [np.zeros(3) for _ in range(2)]
    for l in range(2):
        acts[l + 1][:] = np.tanh(W[l] * acts[l])
        acts[l + 1][0] += acts[l][1]
    return acts[-1]


def dict_state(x):
    st = {"h": np.zeros(4), "n": 0}
    for k in range(3):
        st["h"][k] = x[k] ** 2 + st["h"][k - 1]
        st["n"] += 1
        st["h"] *= x[3]
    return st["h"] * st["n"]


CASES = [
    (
        fft_butterfly,
        (
            sample(-1, 1, 8),
            sample(-1, 1, 8),
        ),
    ),
    (bitonic, (sample(-1, 1, 8),)),
    (heapsort, (sample(-1, 1, 7),)),
    (dp_table, (sample(0.1, 0.9, 4, 4),)),
    (softdtw, (sample(0.1, 0.9, 4, 5),)),
    (ring_buffer, (sample(-1, 1, 12),)),
    (
        lstm,
        (
            sample(-1, 1, 4, 3),
            sample(-1, 1, 8, 5),
            sample(-1, 1, 8),
        ),
    ),
    (adaptive_rk, (sample(0.5, 1.5, 3),)),
    (cumulative, (sample(0.1, 0.9, 6),)),
    (nbody, (sample(-1, 1, 6, 2),)),
    (
        sgd,
        (
            sample(-1, 1, 5, 3),
            sample(-1, 1, 3),
        ),
    ),
    (iir, (sample(-1, 1, 10),)),
    (floyd, (sample(0.1, 0.9, 4, 4),)),
    (neville, (sample(-1, 1, 5),)),
    (insertion_sort, (sample(-1, 1, 6),)),
    (
        list_of_buffers,
        (
            sample(-1, 1, 2, 3),
            sample(-1, 1, 3),
        ),
    ),
    (dict_state, (sample(-1, 1, 4),)),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, args):
    check(f, *args)
