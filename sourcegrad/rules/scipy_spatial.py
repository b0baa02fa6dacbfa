"""Distances of points of SciPy: euclidean and squared euclidean.

Convention: the distance of a point to itself has gradient 0.
"""

import numpy as np
from scipy.spatial import distance

from ..runtime import not_differentiable
from ..runtime_norms import per_norm
from .registry import adjoint, composite, tangent


@adjoint(distance.cdist, convention="gradient 0 at distance 0")
def cdist_adjoint(y, y_bar, XA, XB, metric="euclidean"):
    apart = np.expand_dims(XA, 1) - np.expand_dims(XB, 0)
    if metric == "sqeuclidean":
        pull = np.expand_dims(2.0 * y_bar, -1) * apart
    elif metric == "euclidean":
        pull = np.expand_dims(per_norm(y_bar, y), -1) * apart
    else:
        not_differentiable(
            "scipy.spatial.distance.cdist has no derivative rule for this metric",
            hint="use metric='euclidean' or metric='sqeuclidean'",
        )
    return np.sum(pull, axis=1), -np.sum(pull, axis=0)


@tangent(distance.cdist)
def cdist_tangent(y, XA, XA_dot, XB, XB_dot, metric="euclidean"):
    apart = np.expand_dims(XA, 1) - np.expand_dims(XB, 0)
    moved = np.expand_dims(0.0 * XA + XA_dot, 1) - np.expand_dims(0.0 * XB + XB_dot, 0)
    rate = np.sum(apart * moved, axis=-1)
    if metric == "sqeuclidean":
        return 2.0 * rate
    elif metric == "euclidean":
        return per_norm(rate, y)
    else:
        not_differentiable(
            "scipy.spatial.distance.cdist has no derivative rule for this metric",
            hint="use metric='euclidean' or metric='sqeuclidean'",
        )


@composite(distance.pdist)
def pdist(X, metric="euclidean"):
    first, second = np.triu_indices(X.shape[0], 1)
    apart = X[first] - X[second]
    if metric == "sqeuclidean":
        return np.sum(apart * apart, axis=-1)
    elif metric == "euclidean":
        return np.linalg.norm(apart, axis=-1)
    else:
        not_differentiable(
            "scipy.spatial.distance.pdist has no derivative rule for this metric",
            hint="use metric='euclidean' or metric='sqeuclidean'",
        )
