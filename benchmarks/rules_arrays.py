"""Reductions, indexing, joining and linear algebra, and their adjoints, as plain data.

Each row is a name, the shape of ``x``, the function of ``x``, and its adjoint: what the
cotangent ``g`` of the result ``y`` contributes to that of ``x``. For the
factorisations it is the whole: function and adjoint.
"""

import numpy as np

VECTOR, MATRIX, SQUARE = (1_000_000,), (1000, 1000), (300, 300)
_rng = np.random.default_rng(10)
INDEX = _rng.integers(0, 1_000_000, 500_000)
MASK = _rng.random(1_000_000) > 0.5
ROWS_INDEX = _rng.integers(0, 1000, 500)
RIGHT = _rng.random((300, 300))
EYE = 300.0 * np.eye(300)


def _scattered(g, x, index):
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, index, g)
    return x_bar


def _placed(g, x, index):
    x_bar = np.zeros_like(x)
    x_bar[index] = g
    return x_bar


def _maximum(g, x, y):
    at = x == y
    return g * at / np.sum(at)


def _maximum_of_rows(g, x, y):
    at = x == y[:, None]
    return (g / np.sum(at, axis=1))[:, None] * at


def _differences(g, x, y):
    x_bar = np.zeros_like(x)
    x_bar[1:] += g
    x_bar[:-1] -= g
    return x_bar


def lower(s):
    """Of the cotangent of a symmetric matrix, the part of its lower triangle."""
    both = 0.5 * (s + s.T)
    return np.tril(both) + np.tril(both, -1)


def _cholesky(g, x):
    low = np.linalg.cholesky(x + EYE)
    p = np.tril(low.T @ g)
    p[np.diag_indices(300)] *= 0.5
    back = np.linalg.inv(low)
    return low, lower(back.T @ p @ back)


def _eigenvalues(g, x):
    w, v = np.linalg.eigh(x)
    return w, lower((v * g) @ v.T)


def _solved(g, x):
    # NumPy hands out no factorisation: a second one is the price of its exact value
    a = x + EYE
    y = np.linalg.solve(a, RIGHT)
    return y, -np.linalg.solve(a.T, g) @ y.T


def _inverse(g, x):
    y = np.linalg.inv(x + EYE)
    return y, -y.T @ g @ y.T


def _singular_values(g, x):
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    return s, (u * g) @ vt


def _determinant(g, x):
    a = x / 300.0 + np.eye(300)
    y = np.linalg.det(a)
    return y, (g * y / 300.0) * np.linalg.inv(a).T


ROWS = (
    ("sum", VECTOR, lambda x: np.sum(x), lambda g, x, y: np.full_like(x, g)),
    (
        "sum, axis 0",
        MATRIX,
        lambda x: np.sum(x, axis=0),
        lambda g, x, y: np.broadcast_to(g, x.shape).copy(),
    ),
    (
        "sum, axis 1",
        MATRIX,
        lambda x: np.sum(x, axis=1),
        lambda g, x, y: np.broadcast_to(g[:, None], x.shape).copy(),
    ),
    (
        "mean, axis 1",
        MATRIX,
        lambda x: np.mean(x, axis=1),
        lambda g, x, y: np.broadcast_to((g / x.shape[1])[:, None], x.shape).copy(),
    ),
    ("mean", VECTOR, lambda x: np.mean(x), lambda g, x, y: np.full_like(x, g / x.size)),
    (
        "var",
        VECTOR,
        lambda x: np.var(x),
        lambda g, x, y: (2.0 * g / x.size) * (x - np.mean(x)),
    ),
    (
        "std",
        VECTOR,
        lambda x: np.std(x),
        lambda g, x, y: (g / (x.size * y)) * (x - np.mean(x)),
    ),
    (
        "prod, axis 1",
        MATRIX,
        lambda x: np.prod(x + 0.6, axis=1),
        lambda g, x, y: (g * y)[:, None] / (x + 0.6),
    ),
    ("max", VECTOR, lambda x: np.max(x), _maximum),
    ("max, axis 1", MATRIX, lambda x: np.max(x, axis=1), _maximum_of_rows),
    (
        "cumsum",
        VECTOR,
        lambda x: np.cumsum(x),
        lambda g, x, y: np.cumsum(g[::-1])[::-1].copy(),
    ),
    ("diff", VECTOR, lambda x: np.diff(x), _differences),
    (
        "norm",
        VECTOR,
        lambda x: np.linalg.norm(x),
        lambda g, x, y: (g / y) * x,
    ),
    (
        "x[1:]",
        VECTOR,
        lambda x: x[1:],
        lambda g, x, y: _placed(g, x, slice(1, None)),
    ),
    (
        "x[::2]",
        VECTOR,
        lambda x: x[::2],
        lambda g, x, y: _placed(g, x, slice(None, None, 2)),
    ),
    ("x[7]", VECTOR, lambda x: x[7], lambda g, x, y: _placed(g, x, 7)),
    ("x[index]", VECTOR, lambda x: x[INDEX], lambda g, x, y: _scattered(g, x, INDEX)),
    ("x[mask]", VECTOR, lambda x: x[MASK], lambda g, x, y: _placed(g, x, MASK)),
    (
        "x[rows]",
        MATRIX,
        lambda x: x[ROWS_INDEX],
        lambda g, x, y: _scattered(g, x, ROWS_INDEX),
    ),
    (
        "take",
        VECTOR,
        lambda x: np.take(x, INDEX),
        lambda g, x, y: _scattered(g, x, INDEX),
    ),
    (
        "take, axis 1",
        MATRIX,
        lambda x: np.take(x, ROWS_INDEX, axis=1),
        lambda g, x, y: _scattered(g, x, (slice(None), ROWS_INDEX)),
    ),
    (
        "concatenate",
        VECTOR,
        lambda x: np.concatenate([x, x]),
        lambda g, x, y: g[: len(x)] + g[len(x) :],
    ),
    ("stack", VECTOR, lambda x: np.stack([x, x]), lambda g, x, y: g[0] + g[1]),
    (
        "hstack",
        MATRIX,
        lambda x: np.hstack([x, x]),
        lambda g, x, y: g[:, :1000] + g[:, 1000:],
    ),
    (
        "pad",
        VECTOR,
        lambda x: np.pad(x, 3),
        lambda g, x, y: g[3:-3].copy(),
    ),
    ("roll", VECTOR, lambda x: np.roll(x, 5), lambda g, x, y: np.roll(g, -5)),
    ("flip", VECTOR, lambda x: np.flip(x), lambda g, x, y: g[::-1].copy()),
    (
        "tile",
        VECTOR,
        lambda x: np.tile(x, 3),
        lambda g, x, y: np.sum(g.reshape(3, -1), axis=0),
    ),
    (
        "repeat",
        VECTOR,
        lambda x: np.repeat(x, 3),
        lambda g, x, y: np.sum(g.reshape(-1, 3), axis=1),
    ),
    (
        "broadcast_to",
        (1000,),
        lambda x: np.broadcast_to(x, (1000, 1000)),
        lambda g, x, y: np.sum(g, axis=0),
    ),
    ("transpose", MATRIX, lambda x: x.T, lambda g, x, y: g.T.copy()),
    (
        "reshape",
        MATRIX,
        lambda x: x.reshape(-1),
        lambda g, x, y: g.reshape(x.shape).copy(),
    ),
    ("diagonal", MATRIX, lambda x: np.diagonal(x), lambda g, x, y: np.diag(g)),
    ("trace", MATRIX, lambda x: np.trace(x), lambda g, x, y: g * np.eye(1000)),
    ("triu", MATRIX, lambda x: np.triu(x), lambda g, x, y: np.triu(g)),
    ("x @ b", SQUARE, lambda x: x @ RIGHT, lambda g, x, y: g @ RIGHT.T),
    ("b @ x", SQUARE, lambda x: RIGHT @ x, lambda g, x, y: RIGHT.T @ g),
    (
        "dot",
        VECTOR,
        lambda x: np.dot(x, x),
        lambda g, x, y: 2.0 * g * x,
    ),
    (
        "outer",
        (1000,),
        lambda x: np.outer(x, RIGHT[0]),
        lambda g, x, y: g @ RIGHT[0],
    ),
    (
        "einsum",
        SQUARE,
        lambda x: np.einsum("ij,kj->ik", x, RIGHT),
        lambda g, x, y: np.einsum("ik,kj->ij", g, RIGHT),
    ),
)

FACTORISATIONS = (
    ("inv", SQUARE, lambda x: np.linalg.inv(x + EYE), _inverse),
    ("det", SQUARE, lambda x: np.linalg.det(x / 300.0 + np.eye(300)), _determinant),
    ("solve", SQUARE, lambda x: np.linalg.solve(x + EYE, RIGHT), _solved),
    ("cholesky", SQUARE, lambda x: np.linalg.cholesky(x + EYE), _cholesky),
    ("eigh", SQUARE, lambda x: np.linalg.eigh(x)[0], _eigenvalues),
    (
        "svd",
        SQUARE,
        lambda x: np.linalg.svd(x, full_matrices=False)[1],
        _singular_values,
    ),
)
