"""Numerical kernels that the numba backend must compile, with sample arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def newton_root(a: float, n: int) -> float:
    """The cube root, by Newton's method."""
    x = a
    for _ in range(n):
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


def euler_pendulum(theta: float, omega: float, n: int) -> float:
    """The angle of a damped pendulum after n steps of Euler's method."""
    dt = 0.01
    for _ in range(n):
        push = -math.sin(theta) - 0.1 * omega
        theta = theta + dt * omega
        omega = omega + dt * push
    return theta


def heat_stencil(u0: Any, n: int) -> float:
    """The energy of a rod after n explicit steps of the heat equation."""
    u = u0.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    s = 0.0
    for i in range(len(u)):
        s = s + u[i] * u[i]
    return s


def nbody_energy(x: Any, m: Any) -> float:
    """The potential energy of masses in space."""
    n = x.shape[0]
    e = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d2 = 0.01
            for k in range(3):
                d = x[i, k] - x[j, k]
                d2 = d2 + d * d
            e = e - m[i] * m[j] / math.sqrt(d2)
    return e


def gmm_loop(means: Any, log_scales: Any, data: Any) -> float:
    """The log-likelihood of data under a mixture of isotropic Gaussians."""
    total = 0.0
    for i in range(data.shape[0]):
        inside = 0.0
        for k in range(means.shape[0]):
            q = 0.0
            for d in range(data.shape[1]):
                z = (data[i, d] - means[k, d]) * math.exp(-log_scales[k])
                q = q + z * z
            inside = inside + math.exp(-0.5 * q - data.shape[1] * log_scales[k])
        total = total + math.log(inside / means.shape[0])
    return total


def _points(*shape: int) -> Any:
    return np.sin(np.arange(1.0, 1.0 + math.prod(shape)) * 1.7).reshape(shape)


KERNELS: list[tuple[Any, tuple[Any, ...], tuple[int, ...]]] = [
    (newton_root, (5.0, 12), (0,)),
    (euler_pendulum, (0.7, -0.2, 300), (0, 1)),
    (heat_stencil, (_points(16), 10), (0,)),
    (nbody_energy, (3.0 * _points(5, 3), 2.0 + _points(5)), (0, 1)),
    (gmm_loop, (_points(3, 2), 0.1 * _points(3), _points(8, 2) + 0.1), (0, 1)),
]
