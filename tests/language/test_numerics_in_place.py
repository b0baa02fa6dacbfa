"""Numerical programs that work in place, as one finds them in textbooks.

Each program is held against differences, in both modes, by `judged.check`.
"""

import math

import numpy as np
import pytest

from tests.language.judged import check


def sample(low, high, *shape):
    """Numbers between two bounds, the same at every call."""
    return np.random.default_rng(11).uniform(low, high, shape)


def gauss(A, b):
    A = A.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


def lu_inplace(A, b):
    LU = np.array(A)
    n = LU.shape[0]
    for k in range(n - 1):
        LU[k + 1 :, k] /= LU[k, k]
        LU[k + 1 :, k + 1 :] -= np.outer(LU[k + 1 :, k], LU[k, k + 1 :])
    y = b.copy()
    for i in range(n):
        y[i] -= LU[i, :i] @ y[:i]
    for i in reversed(range(n)):
        y[i] = (y[i] - np.dot(LU[i, i + 1 :], y[i + 1 :])) / LU[i, i]
    return y


def cholesky_loops(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = sum((L[i, k] * L[j, k] for k in range(j)))
            if i == j:
                L[i, j] = math.sqrt(A[i, i] - s)
            else:
                L[i, j] = (A[i, j] - s) / L[j, j]
    return L


def thomas(d, u, l, r):
    n = len(d)
    c = np.empty(n - 1)
    x = np.empty(n)
    c[0] = u[0] / d[0]
    x[0] = r[0] / d[0]
    for i in range(1, n):
        m = d[i] - l[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = u[i] / m
        x[i] = (r[i] - l[i - 1] * x[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


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


def gram_schmidt(A):
    Q = A.copy()
    for j in range(3):
        for k in range(j):
            Q[:, j] -= Q[:, k] @ A[:, j] * Q[:, k]
        Q[:, j] /= np.linalg.norm(Q[:, j])
    return Q


def householder(A):
    R_ = A.copy()
    n = 4
    for k in range(n - 1):
        x = R_[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        R_[k:, k:] -= 2.0 * np.outer(v, v @ R_[k:, k:])
    return R_


def givens(A):
    A = A.copy()
    for j in range(4):
        for i in range(3, j, -1):
            r = np.hypot(A[i - 1, j], A[i, j])
            c = A[i - 1, j] / r
            s = A[i, j] / r
            G = np.array([[c, s], [-s, c]])
            A[i - 1 : i + 1, :] = G @ A[i - 1 : i + 1, :]
    return A


def jacobi_eig(A):
    A = 0.5 * (A + A.T)
    n = 4
    for sweep in range(2):
        for p in range(n):
            for q in range(p + 1, n):
                th = 0.5 * np.arctan2(2 * A[p, q], A[q, q] - A[p, p])
                c, s = (np.cos(th), np.sin(th))
                Ap = A[p].copy()
                Aq = A[q].copy()
                A[p] = c * Ap - s * Aq
                A[q] = s * Ap + c * Aq
                Ap = A[:, p].copy()
                Aq = A[:, q].copy()
                A[:, p] = c * Ap - s * Aq
                A[:, q] = s * Ap + c * Aq
    return np.diag(A)


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


def conv2d_loops(img):
    k = img[:3, :3].copy()
    out = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            out[i, j] = (img[i : i + 3, j : j + 3] * k).sum()
    np.maximum(out, 0, out=out)
    return out


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


def determinant(A):
    M = [list(row) for row in A]
    n = 3
    det = 1.0
    for i in range(n):
        det *= M[i][i]
        for r in range(i + 1, n):
            f = M[r][i] / M[i][i]
            for c in range(i, n):
                M[r][c] -= f * M[i][c]
    return det


def power_iter(A):
    v = np.ones(4)
    w = np.empty(4)
    for _ in range(8):
        np.dot(A, v, out=w)
        w /= np.sqrt(w @ w)
        v, w = (w, v)
    return v


def upwind_periodic(u):
    u = u.copy()
    un = np.empty_like(u)
    for n in range(5):
        un[:] = u
        for i in range(len(u)):
            u[i] = un[i] - 0.3 * un[i] * (un[i] - un[i - 1])
    return u


def matmul_tiles(A, B):
    C = np.zeros((3, 2))
    for i in range(3):
        for k in range(4):
            a = A[i, k]
            for j in range(2):
                C[i, j] += a * B[k, j]
    return C


def neville(y):
    x = np.arange(5.0)
    p = y.copy()
    t = 2.3
    for k in range(1, 5):
        for i in range(5 - k):
            p[i] = ((t - x[i + k]) * p[i] + (x[i] - t) * p[i + 1]) / (x[i] - x[i + k])
    return p[0]


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


def sinkhorn(K):
    P = K.copy()
    for _ in range(5):
        P /= P.sum(axis=1, keepdims=True)
        P /= P.sum(axis=0)
    return P


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


_A = sample(-1, 1, 5, 5) + 5 * np.eye(5)
SPD = _A @ _A.T

CASES = [
    (
        gauss,
        (
            sample(-1, 1, 5, 5) + 5 * np.eye(5),
            sample(-1, 1, 5),
        ),
    ),
    (
        lu_inplace,
        (
            sample(-1, 1, 5, 5) + 5 * np.eye(5),
            sample(-1, 1, 5),
        ),
    ),
    (cholesky_loops, (SPD,)),
    (
        thomas,
        (
            sample(2, 3, 6),
            sample(0.1, 0.9, 5),
            sample(0.1, 0.9, 5),
            sample(-1, 1, 6),
        ),
    ),
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
    (burgers_ghost, (sample(0.5, 1.5, 10),)),
    (
        red_black,
        (
            sample(-1, 1, 5, 5),
            sample(-1, 1, 5, 5),
        ),
    ),
    (red_black_slices, (sample(-1, 1, 6, 6),)),
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
    (gram_schmidt, (sample(-1, 1, 3, 3),)),
    (householder, (sample(-1, 1, 4, 4),)),
    (givens, (sample(-1, 1, 4, 4),)),
    (jacobi_eig, (sample(1, 2, 4, 4),)),
    (cumulative, (sample(0.1, 0.9, 6),)),
    (nbody, (sample(-1, 1, 6, 2),)),
    (
        sgd,
        (
            sample(-1, 1, 5, 3),
            sample(-1, 1, 3),
        ),
    ),
    (conv2d_loops, (sample(-1, 1, 6, 6),)),
    (iir, (sample(-1, 1, 10),)),
    (floyd, (sample(0.1, 0.9, 4, 4),)),
    (haar, (sample(-1, 1, 8),)),
    (determinant, (sample(1, 2, 3, 3),)),
    (power_iter, (sample(-1, 1, 4, 4),)),
    (upwind_periodic, (sample(0.5, 1.5, 9),)),
    (
        matmul_tiles,
        (
            sample(-1, 1, 3, 4),
            sample(-1, 1, 4, 2),
        ),
    ),
    (neville, (sample(-1, 1, 5),)),
    (scatter_histogram, (sample(0.5, 1.5, 6),)),
    (game_views, (sample(-1, 1, 4, 4),)),
    (insertion_sort, (sample(-1, 1, 6),)),
    (sinkhorn, (sample(0.1, 0.9, 3, 3),)),
    (
        multi_level,
        (
            sample(-1, 1, 3),
            sample(-1, 1, 5),
        ),
    ),
    (
        list_of_buffers,
        (
            sample(-1, 1, 2, 3),
            sample(-1, 1, 3),
        ),
    ),
    (dict_state, (sample(-1, 1, 4),)),
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
