"""Distances of points of SciPy, one pair at a time or all pairs of two sets.

Conventions: the distance of a point to itself has gradient 0; ties for the largest
difference share equally. Distances that count where elements differ are refused:
they do not change smoothly.
"""

import numpy as np
from scipy import special
from scipy.spatial import distance

from ..runtime import not_differentiable
from ..runtime_norms import per_norm
from ..runtime_spatial import pulls, square_index, squares_of, table_of
from ..runtime_special import quotient
from .registry import adjoint, composite, constant, tangent

constant(
    square_index,
    distance.num_obs_dm,
    distance.num_obs_y,
    distance.is_valid_dm,
    distance.is_valid_y,
)

# ---------------------------------------------------- formulas along the last axis


def weighed_norm(apart, w, p):
    """The norm of order `p` of weighed differences."""
    if w is not None:
        apart = apart * np.power(w, 1.0 / p)
    return np.linalg.norm(apart, p, -1)


def cosine_of(u, v, w):
    """One minus the cosine of the angle between vectors."""
    if w is None:
        product = np.sum(u * v, axis=-1)
        lengths = np.linalg.norm(u, axis=-1) * np.linalg.norm(v, axis=-1)
    else:
        product = np.sum(w * u * v, axis=-1)
        squares = np.sum(w * u * u, axis=-1) * np.sum(w * v * v, axis=-1)
        lengths = np.sqrt(squares)
    return 1.0 - product / lengths


def centred(u, w):
    """A vector minus its mean."""
    if w is None:
        return u - np.mean(u, axis=-1, keepdims=True)
    else:
        return u - np.sum(w * u, axis=-1, keepdims=True) / np.sum(w)


def root_of(square):
    """A length from its square; the gradient is 0 at 0."""
    some = square > 0.0
    return np.where(some, np.sqrt(np.where(some, square, 1.0)), 0.0)[()]


def mean_of_entropies(p, q, base):
    """The distance of Jensen and Shannon along the last axis."""
    p = p / np.sum(p, axis=-1, keepdims=True)
    q = q / np.sum(q, axis=-1, keepdims=True)
    middle = 0.5 * (p + q)
    parts = special.rel_entr(p, middle) + special.rel_entr(q, middle)
    total = 0.5 * np.sum(parts, axis=-1)
    return root_of(total if base is None else total / np.log(base))


def canberra_of(u, v, w):
    """The sum of relative differences."""
    parts = quotient(np.abs(u - v), np.abs(u) + np.abs(v))
    return np.sum(parts if w is None else w * parts, axis=-1)


def braycurtis_of(u, v, w):
    """Summed differences over summed sums."""
    apart, both = np.abs(u - v), np.abs(u + v)
    if w is not None:
        apart, both = w * apart, w * both
    return np.sum(apart, axis=-1) / np.sum(both, axis=-1)


def mahalanobis_of(u, v, VI):
    """The length of the difference in a metric."""
    apart = u - v
    return root_of(np.sum(apart @ VI * apart, axis=-1))


def between(u, v, metric, p, w, V, VI):
    """The distance by the name of a metric, along the last axis."""
    if metric in ("euclidean", "euclid", "eu", "e"):
        return weighed_norm(u - v, w, 2)
    elif metric in ("sqeuclidean", "sqe", "sqeuclid"):
        apart = u - v
        squares = apart * apart
        return np.sum(squares if w is None else w * squares, axis=-1)
    elif metric in ("cityblock", "cblock", "cb", "c", "manhattan"):
        return weighed_norm(u - v, w, 1)
    elif metric in ("chebyshev", "chebychev", "cheby", "cheb", "ch"):
        apart = np.abs(u - v)
        if w is not None:
            apart = apart * np.sign(w)
        return np.max(apart, axis=-1)
    elif metric in ("minkowski", "mi", "m", "pnorm"):
        return weighed_norm(u - v, w, p)
    elif metric in ("cosine", "cos"):
        return cosine_of(u, v, w)
    elif metric in ("correlation", "co"):
        return cosine_of(centred(u, w), centred(v, w), w)
    elif metric == "canberra":
        return canberra_of(u, v, w)
    elif metric == "braycurtis":
        return braycurtis_of(u, v, w)
    elif metric in ("seuclidean", "se", "s"):
        return np.linalg.norm((u - v) / np.sqrt(V), axis=-1)
    elif metric in ("mahalanobis", "mahal", "mah"):
        return mahalanobis_of(u, v, VI)
    elif metric in ("jensenshannon", "js"):
        return mean_of_entropies(u, v, None)
    else:
        not_differentiable(
            "scipy.spatial.distance has no derivative rule for this metric",
            why="it compares elements, or it is a function of the user's own",
            hint="write it with NumPy on X[:, None] - Y[None]",
        )


def spread(V, metric, whole):
    """The variances that "seuclidean" takes where none are given."""
    if V is None and metric in ("seuclidean", "se", "s"):
        return np.var(whole, axis=0, ddof=1)
    else:
        return V


def inverse_spread(VI, metric, whole):
    """The matrix that "mahalanobis" takes where none is given."""
    if VI is None and metric in ("mahalanobis", "mahal", "mah"):
        return np.linalg.inv(np.cov(whole.T)).T
    else:
        return VI


# ------------------------------------------------------------------ sets of points


@adjoint(table_of, convention="gradient 0 at distance 0")
def table_adjoint(y, y_bar, u, v):
    return pulls(y_bar, y, u, v), pulls(y_bar.T, y.T, v, u)


@tangent(table_of)
def table_tangent(y, u, u_dot, v, v_dot):
    apart = np.expand_dims(u, 1) - np.expand_dims(v, 0)
    moved = np.expand_dims(u_dot, 1) - np.expand_dims(v_dot, 0)
    return per_norm(np.sum(apart * moved, axis=-1), y)


@adjoint(squares_of)
def squares_adjoint(y, y_bar, u, v):
    twice = 2.0 * y_bar
    return pulls(twice, 1.0, u, v), pulls(twice.T, 1.0, v, u)


@tangent(squares_of)
def squares_tangent(y, u, u_dot, v, v_dot):
    apart = np.expand_dims(u, 1) - np.expand_dims(v, 0)
    moved = np.expand_dims(u_dot, 1) - np.expand_dims(v_dot, 0)
    return 2.0 * np.sum(apart * moved, axis=-1)


@composite(pulls)
def pulls_of(g, y, u, v):
    apart = np.expand_dims(u, 1) - np.expand_dims(v, 0)
    return np.sum(np.expand_dims(per_norm(g, y), -1) * apart, axis=1)


def unit(u):
    """Vectors of length 1."""
    return u / np.linalg.norm(u, axis=-1, keepdims=True)


def table_between(u, v, metric, p, w, V, VI):
    """The distances of all pairs by the name of a metric."""
    if w is None and metric in ("euclidean", "euclid", "eu", "e"):
        return table_of(u, v)
    elif w is None and metric in ("sqeuclidean", "sqe", "sqeuclid"):
        return squares_of(u, v)
    elif w is None and metric in ("seuclidean", "se", "s"):
        scale = np.sqrt(V)
        return table_of(u / scale, v / scale)
    elif w is None and metric in ("cosine", "cos"):
        return 1.0 - unit(u) @ unit(v).T
    else:
        u, v = np.expand_dims(u, 1), np.expand_dims(v, 0)
        return between(u, v, metric, p, w, V, VI)


@composite(distance.cdist, convention="gradient 0 at distance 0")
def cdist(XA, XB, metric="euclidean", *, out=None, p=2, w=None, V=None, VI=None):
    if V is None and VI is None:
        whole = np.concatenate((XA, XB))
        V = spread(V, metric, whole)
        VI = inverse_spread(VI, metric, whole)
    return table_between(XA, XB, metric, p, w, V, VI)


@composite(distance.pdist, convention="gradient 0 at distance 0")
def pdist(X, metric="euclidean", *, out=None, p=2, w=None, V=None, VI=None):
    first, second = np.triu_indices(X.shape[0], 1)
    V = spread(V, metric, X)
    VI = inverse_spread(VI, metric, X)
    return between(X[first], X[second], metric, p, w, V, VI)


@composite(distance.squareform)
def squareform(X, force="no", checks=True):
    if X.ndim == 1:
        return np.concatenate((np.zeros(1), X))[square_index(len(X))]
    else:
        first, second = np.triu_indices(X.shape[0], 1)
        return X[first, second]


# --------------------------------------------------------------- pairs of vectors


@composite(distance.euclidean, convention="gradient 0 at distance 0")
def euclidean(u, v, w=None):
    return between(u, v, "euclidean", 2, w, None, None)


@composite(distance.sqeuclidean)
def sqeuclidean(u, v, w=None):
    return between(u, v, "sqeuclidean", 2, w, None, None)


@composite(distance.cityblock)
def cityblock(u, v, w=None):
    return between(u, v, "cityblock", 1, w, None, None)


@composite(distance.chebyshev, convention="ties share equally")
def chebyshev(u, v, w=None):
    return between(u, v, "chebyshev", 1, w, None, None)


@composite(distance.minkowski, convention="gradient 0 at distance 0")
def minkowski(u, v, p=2, w=None):
    return between(u, v, "minkowski", p, w, None, None)


@composite(distance.cosine)
def cosine(u, v, w=None):
    return between(u, v, "cosine", 2, w, None, None)


@composite(distance.correlation)
def correlation(u, v, w=None, centered=True):
    if centered:
        return between(u, v, "correlation", 2, w, None, None)
    else:
        return between(u, v, "cosine", 2, w, None, None)


@composite(distance.canberra)
def canberra(u, v, w=None):
    return between(u, v, "canberra", 2, w, None, None)


@composite(distance.braycurtis)
def braycurtis(u, v, w=None):
    return between(u, v, "braycurtis", 2, w, None, None)


@composite(distance.seuclidean, convention="gradient 0 at distance 0")
def seuclidean(u, v, V):
    return between(u, v, "seuclidean", 2, None, V, None)


@composite(distance.mahalanobis)
def mahalanobis(u, v, VI):
    return between(u, v, "mahalanobis", 2, None, None, VI)


@composite(distance.jensenshannon)
def jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    if keepdims:
        not_differentiable("jensenshannon with keepdims has no derivative rule")
    if np.ndim(p) == 0 or np.ndim(p) != np.ndim(q):
        not_differentiable(
            "jensenshannon has a derivative rule for two arrays of as many dimensions",
            why="each is made a distribution along the axis before they are compared",
            hint="give the smaller one axes of its own: q[:, None]",
        )
    return mean_of_entropies(np.moveaxis(p, axis, -1), np.moveaxis(q, axis, -1), base)
