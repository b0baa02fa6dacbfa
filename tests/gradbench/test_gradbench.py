"""The GradBench programs give the golden values, in all styles and both backends.

The golden values come from hand-differentiated programs; entries are compared to 1e-9
of the largest one, part by part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sourcegrad import elementwise_grad, grad, hvp, jacobian, jvp, vjp
from tests.gradbench import (
    ba,
    det,
    gmm,
    hello,
    ht,
    inputs,
    kmeans,
    llsq,
    lse,
    lstm,
    ode,
    particle,
    saddle,
)

NUMBA = pytest.param("numba", marks=pytest.mark.numba_full)
MODES = ("rr", "rf", "fr", "ff")


def check(found: Any, name: str, *parts: str) -> None:
    """Compare with the parts of a golden value, each to its largest entry."""
    wanted = inputs.golden(name)
    parts = parts or ("value",)
    found = found if len(parts) > 1 else (found,)
    for got, part in zip(found, parts, strict=True):
        got, want = np.asarray(got), wanted[part]
        assert got.shape == want.shape
        assert np.max(np.abs(got - want)) <= 1e-9 * np.max(np.abs(want)), part


def styles(module: Any) -> list[Any]:
    """All versions of a program in Python, those in loops with numba too."""
    found = [pytest.param(f, "python", id=f.__name__)
             for f in (*module.WHOLE, *module.LOOPS)]  # fmt: skip
    return found + [
        pytest.param(f, "numba", id=f"{f.__name__}-numba", marks=pytest.mark.numba_full)
        for f in module.LOOPS
    ]


def every(module: Any) -> Callable[..., Any]:
    return pytest.mark.parametrize(("f", "backend"), styles(module))


@pytest.mark.parametrize("f", [hello.square, hello.power, hello.numpy_square])
def test_hello(f):
    check(grad(f)(1.5), "hello")


@every(lse)
def test_lse(f, backend):
    gradient = grad(f, backend=backend)
    check(gradient(inputs.lse()), "lse_2500")
    check(gradient(inputs.lse_wide()), "lse_wide")


@every(llsq)
def test_llsq(f, backend):
    check(grad(f, backend=backend)(inputs.llsq(), 16), "llsq_16")


@every(ode)
def test_ode(f, backend):
    check(grad(f, backend=backend)(inputs.ode(), 10), "ode_visible")


@every(det)
def test_det(f, backend):
    check(grad(f, backend=backend)(inputs.det()), "det_5")


@every(lstm)
def test_lstm(f, backend):
    found = grad(f, (0, 1), backend=backend)(*inputs.lstm())
    check(found, "lstm_l2_c1024", "main_params", "extra_params")


def test_lstm_whose_state_is_a_list():
    main, extra, state, sequence = inputs.lstm()
    found = grad(lstm.objective, (0, 1))(main, extra, list(state), sequence)
    check(found, "lstm_l2_c1024", "main_params", "extra_params")


@every(gmm)
@pytest.mark.parametrize(("d", "k"), [(2, 5), (10, 25)])
def test_gmm(f, backend, d, k):
    found = grad(f, ("alpha", "mu", "q", "l"), backend=backend)(*inputs.gmm(d, k))
    check(found, f"gmm_d{d}_k{k}_n1000", "alpha", "mu", "q", "l")


# ------------------------------------------------- kmeans: the Hessian's diagonal


@every(kmeans)
def test_kmeans(f, backend):
    centroids, points = inputs.kmeans()
    slope = grad(f, backend=backend)(centroids, points)
    ones = np.ones_like(centroids)
    diagonal = hvp(f, backend=backend)(centroids, points, ones)
    check(slope / diagonal, "kmeans_k10_n1000_d8")


@pytest.mark.parametrize("f", kmeans.WHOLE + kmeans.LOOPS)
def test_kmeans_by_a_tangent_of_a_gradient(f):
    centroids, points = inputs.kmeans()
    slope, diagonal = jvp(
        lambda c: grad(f)(c, points), (centroids,), (np.ones_like(centroids),)
    )
    check(slope / diagonal, "kmeans_k10_n1000_d8")


# ------------------------------------------------------------- bundle adjustment


def blocks_of(rows: Any, p: int) -> np.ndarray:
    """Rows of derivatives by camera, point and weight, put side by side."""
    out = np.zeros((p, 2, ba.BLOCK))
    for k, (camera, point, weight) in enumerate(rows):
        out[:, k, :11], out[:, k, 11:14], out[:, k, 14] = camera, point, weight
    return out


def test_ba_by_observation():
    cameras, points, weights, seen, features = inputs.ba(10, 50, 200)
    jac = jacobian(ba.residual, (0, 1, 2))
    found = [
        jac(cameras[c], points[x], float(w), feature)
        for (c, x), w, feature in zip(seen, weights, features, strict=True)
    ]
    rows = [
        [np.stack([f[part][row] for f in found]) for part in range(3)]
        for row in range(2)
    ]
    check(blocks_of(rows, 200), "ba_tiny", "blocks")


@pytest.mark.parametrize("backend", ["python", NUMBA])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_ba_of_fifteen_numbers(mode, backend):
    cameras, points, weights, seen, features = inputs.ba(10, 50, 200)
    jac = jacobian(ba.residual_in_numbers, mode=mode, backend=backend)
    packed = [
        np.concatenate((cameras[c], points[x], [w]))
        for (c, x), w in zip(seen, weights, strict=True)
    ]
    found = [jac(p, f) for p, f in zip(packed, features, strict=True)]
    check(np.stack(found), "ba_tiny", "blocks")


@pytest.mark.parametrize(
    ("name", "size"), [("ba_tiny", (10, 50, 200)), ("ba_p5000", (21, 1000, 5000))]
)
def test_ba_at_once(name, size):
    cameras, points, weights, seen, features = inputs.ba(*size)
    gathered = cameras[seen[:, 0]], points[seen[:, 1]], weights
    y, pullback = vjp(lambda c, x, w: ba.gathered(c, x, w, features), *gathered)
    seeds = [np.broadcast_to(row, y.shape).copy() for row in np.eye(2)]
    check(blocks_of(map(pullback, seeds), len(weights)), name, "blocks")
    check(elementwise_grad(ba.weight_residual)(weights), name, "wdiag")


@pytest.mark.parametrize("backend", ["python", NUMBA])
def test_ba_in_a_loop(backend):
    cameras, points, weights, seen, features = inputs.ba(10, 50, 200)
    gathered = cameras[seen[:, 0]], points[seen[:, 1]], weights
    own = np.stack([np.arange(200)] * 2, axis=1)

    def residuals(cameras, points, weights, own, features):
        return ba.observation_by_observation(cameras, points, weights, own, features)

    y, pullback = vjp(residuals, *gathered, own, features, backend=backend)
    seeds = [np.broadcast_to(row, y.shape).copy() for row in np.eye(2)]
    rows = [pullback(seed)[:3] for seed in seeds]
    check(blocks_of(rows, 200), "ba_tiny", "blocks")


# ------------------------------------------------------------------ hand tracking


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
@pytest.mark.parametrize("f", [ht.simple, ht.simple_at_once])
def test_ht_simple(f, mode):
    hand = inputs.hand(20, 100, False)
    args = hand["theta"], hand["model"], hand["correspondences"], hand["points"]
    check(jacobian(f, mode=mode)(*args), "ht_simple_c20")


@pytest.mark.parametrize("backend", ["python", NUMBA])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_ht_in_loops(mode, backend):
    hand = inputs.hand(20, 100, False)
    model = hand["model"][:-1]
    args = hand["theta"], *model, hand["correspondences"], hand["points"]
    jac = jacobian(ht.simple_in_loops, mode=mode, backend=backend)
    check(jac(*args), "ht_simple_c20")


def test_ht_complicated():
    hand = inputs.hand(100, 544, True)
    rest = hand["model"], hand["triangles"], hand["correspondences"], hand["points"]
    theta, us = hand["theta"], hand["us"]
    by_theta = jacobian(ht.complicated, mode="forward")(theta, us, *rest)
    seeds = [np.broadcast_to(row, us.shape) for row in np.eye(2)]
    by_us = [
        jvp(lambda us: ht.complicated(theta, us, *rest), (us,), (seed,))[1]
        for seed in seeds
    ]
    check(np.column_stack([*by_us, by_theta]), "ht_complicated_c100")


# ------------------------------- derivatives inside optimisers inside derivatives

START = np.array([1.0, 1.0])


@pytest.mark.parametrize("modes", MODES)
def test_saddle_outer_gradient(modes):
    outer, inner = (saddle.MODES[mode] for mode in modes)
    found = outer(lambda x: saddle.worst_case(x, START, inner), START)
    check(found, "saddle", "outer_gradient")


@pytest.mark.parametrize("modes", MODES)
def test_particle_outer_gradient(modes):
    outer, inner = (saddle.MODES[mode] for mode in modes)
    found = outer(lambda w: particle.miss(w, inner), np.array([0.0]))
    check(found, "particle", "outer_gradient")


@pytest.mark.slow
@pytest.mark.parametrize("modes", MODES)
def test_saddle(modes):
    check(saddle.solve(START, modes), "saddle", "solution")


@pytest.mark.slow
@pytest.mark.parametrize("modes", MODES)
def test_particle(modes):
    check(np.array([particle.solve(0.0, modes)]), "particle", "solution")
