"""Bundle adjustment: reprojection errors of points seen by cameras."""

from __future__ import annotations

import math

import numpy as np

BLOCK = 15


def rodrigues(r, x):
    square = np.sum(r * r)
    if square == 0:
        return x + np.cross(r, x)
    theta = np.sqrt(square)
    axis = r / theta
    across = np.cross(axis, x)
    along = axis * (np.dot(axis, x) * (1 - np.cos(theta)))
    return x * np.cos(theta) + across * np.sin(theta) + along


def project(cam, x):
    y = rodrigues(cam[:3], x - cam[3:6])
    p = y[:2] / y[2]
    square = np.sum(p**2)
    p = p * (1.0 + cam[9] * square + cam[10] * square**2)
    return cam[6] * p + cam[7:9]


def residual(cam, x, w, feat):
    return w * (project(cam, x) - feat)


def weight_residual(w):
    return 1 - w * w


def gathered(cams, points, weights, feats):
    """All residuals at once, of cameras and points gathered by observation."""
    r, centre = cams[:, :3], cams[:, 3:6]
    theta = np.linalg.norm(r, axis=1, keepdims=True)
    axis = r / theta
    x = points - centre
    cos, sin = np.cos(theta), np.sin(theta)
    y = (
        cos * x
        + sin * np.cross(axis, x)
        + (1 - cos) * axis * np.sum(axis * x, axis=1, keepdims=True)
    )
    p = y[:, :2] / y[:, 2:]
    square = np.sum(p * p, axis=1)
    p = p * (1 + cams[:, 9] * square + cams[:, 10] * square**2)[:, None]
    return weights[:, None] * (cams[:, 6:7] * p + cams[:, 7:9] - feats)


def residual_in_numbers(packed, feat):
    """One residual of the fifteen numbers it depends on, in scalar arithmetic."""
    r1, r2, r3 = packed[0], packed[1], packed[2]
    x1 = packed[11] - packed[3]
    x2 = packed[12] - packed[4]
    x3 = packed[13] - packed[5]
    square = r1 * r1 + r2 * r2 + r3 * r3
    if square > 0.0:
        theta = math.sqrt(square)
        c, s = math.cos(theta), math.sin(theta)
        a1, a2, a3 = r1 / theta, r2 / theta, r3 / theta
        dot = (a1 * x1 + a2 * x2 + a3 * x3) * (1.0 - c)
        y1 = x1 * c + (a2 * x3 - a3 * x2) * s + a1 * dot
        y2 = x2 * c + (a3 * x1 - a1 * x3) * s + a2 * dot
        y3 = x3 * c + (a1 * x2 - a2 * x1) * s + a3 * dot
    else:
        y1 = x1 + r2 * x3 - r3 * x2
        y2 = x2 + r3 * x1 - r1 * x3
        y3 = x3 + r1 * x2 - r2 * x1
    p1, p2 = y1 / y3, y2 / y3
    radius = p1 * p1 + p2 * p2
    factor = 1.0 + packed[9] * radius + packed[10] * radius * radius
    out = np.empty(2)
    out[0] = packed[14] * (packed[6] * p1 * factor + packed[7] - feat[0])
    out[1] = packed[14] * (packed[6] * p2 * factor + packed[8] - feat[1])
    return out


def observation_by_observation(cams, points, weights, obs, feats):
    """Both residuals of every observation, in a loop over observations."""
    p = len(weights)
    out = np.zeros((p, 2))
    packed = np.zeros(BLOCK)
    for i in range(p):
        for k in range(11):
            packed[k] = cams[obs[i, 0], k]
        for k in range(3):
            packed[11 + k] = points[obs[i, 1], k]
        packed[14] = weights[i]
        out[i] = residual_in_numbers(packed, feats[i])
    return out
