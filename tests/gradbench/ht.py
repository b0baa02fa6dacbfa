"""Hand tracking: a skeleton moves a mesh, which is compared with points."""

from __future__ import annotations

import math

import numpy as np

FINGERS = 5


def angle_axis_to_rotation(v):
    norm = np.sqrt(np.sum(v**2))
    if norm < 1e-4:
        return np.eye(3)
    x, y, z = v / norm
    s, c = np.sin(norm), np.cos(norm)
    return np.array(
        [
            [x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s],
            [x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c],
        ]
    )


def euler_rotation(a):
    cx, cz, cy = np.cos(a)
    sx, sz, sy = np.sin(a)
    rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return rz @ ry @ rx


def bone_angles(theta, bones):
    angles = np.zeros((bones, 3))
    at = 6
    for finger in range(FINGERS):
        first = 1 + 4 * finger
        angles[first + 1, 0] = theta[at]
        angles[first + 1, 1] = theta[at + 1]
        angles[first + 2, 0] = theta[at + 2]
        angles[first + 3, 0] = theta[at + 3]
        at += 4
    return angles


def transforms(theta, parents, relatives, inverses):
    angles = bone_angles(theta, len(parents))
    absolutes = []
    for i, parent in enumerate(parents):
        turn = np.eye(4)
        turn[:3, :3] = euler_rotation(angles[i])
        relative = relatives[i] @ turn
        if parent == -1:
            absolutes.append(relative)
        else:
            absolutes.append(absolutes[parent] @ relative)
    return [a @ inverse for a, inverse in zip(absolutes, inverses)]


def skin(theta, parents, relatives, inverses, positions, weights, mirrored):
    vertices = np.zeros((len(positions), 3))
    for i, t in enumerate(transforms(theta, parents, relatives, inverses)):
        vertices += weights[:, i : i + 1] * (positions @ t.T)[:, :3]
    if mirrored:
        vertices[:, 0] = -vertices[:, 0]
    return vertices @ angle_axis_to_rotation(theta[:3]).T + theta[3:6]


def simple(theta, model, correspondences, points):
    return (points - skin(theta, *model)[correspondences]).ravel()


def complicated(theta, us, model, triangles, correspondences, points):
    vertices = skin(theta, *model)
    corners = vertices[triangles[correspondences]]
    u, v = us[:, 0:1], us[:, 1:2]
    on_surface = u * corners[:, 0] + v * corners[:, 1] + (1 - u - v) * corners[:, 2]
    return (points - on_surface).ravel()


def all_at_once(theta, parents, relatives, inverses, positions, weights, mirrored):
    """The skin with one product over all bones."""
    stacked = np.stack(transforms(theta, parents, relatives, inverses))
    vertices = np.einsum("vi,iab,vb->va", weights, stacked, positions)[:, :3]
    if mirrored:
        vertices = vertices * np.array([-1.0, 1.0, 1.0])
    turn = angle_axis_to_rotation(theta[:3])
    return np.dot(vertices, turn.T) + theta[3:6]


def simple_at_once(theta, model, correspondences, points):
    return (points - all_at_once(theta, *model)[correspondences]).reshape(-1)


def matrix_product(a, b, out):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total


def write_relative(relative, angles, out):
    cx, cz, cy = math.cos(angles[0]), math.cos(angles[1]), math.cos(angles[2])
    sx, sz, sy = math.sin(angles[0]), math.sin(angles[1]), math.sin(angles[2])
    turn = np.zeros((4, 4))
    turn[0, 0] = cz * cy
    turn[0, 1] = cz * sy * sx - sz * cx
    turn[0, 2] = cz * sy * cx + sz * sx
    turn[1, 0] = sz * cy
    turn[1, 1] = sz * sy * sx + cz * cx
    turn[1, 2] = sz * sy * cx - cz * sx
    turn[2, 0] = -sy
    turn[2, 1] = cy * sx
    turn[2, 2] = cy * cx
    turn[3, 3] = 1.0
    matrix_product(relative, turn, out)


def simple_in_loops(
    theta, parents, relatives, inverses, positions, weights, correspondences, points
):
    """Residuals of vertices, element by element, as for numba."""
    bones = len(parents)
    angles = np.zeros((bones, 3))
    for finger in range(5):
        for k in range(3):
            angles[4 * finger + 2 + k, 0] = theta[6 + 4 * finger + k + (k > 0)]
        angles[4 * finger + 2, 1] = theta[7 + 4 * finger]
    relative = np.zeros((4, 4))
    absolutes = np.zeros((bones, 4, 4))
    moves = np.zeros((bones, 4, 4))
    for i in range(bones):
        write_relative(relatives[i], angles[i], relative)
        if parents[i] < 0:
            absolutes[i] = relative
        else:
            matrix_product(absolutes[parents[i]], relative, absolutes[i])
        matrix_product(absolutes[i], inverses[i], moves[i])
    norm = math.sqrt(theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2)
    turn = np.eye(3)
    if norm >= 1e-4:
        x, y, z = theta[0] / norm, theta[1] / norm, theta[2] / norm
        s, c = math.sin(norm), math.cos(norm)
        turn[0, 0] = x * x + (1 - x * x) * c
        turn[0, 1] = x * y * (1 - c) - z * s
        turn[0, 2] = x * z * (1 - c) + y * s
        turn[1, 0] = x * y * (1 - c) + z * s
        turn[1, 1] = y * y + (1 - y * y) * c
        turn[1, 2] = y * z * (1 - c) - x * s
        turn[2, 0] = x * z * (1 - c) - y * s
        turn[2, 1] = z * y * (1 - c) + x * s
        turn[2, 2] = z * z + (1 - z * z) * c
    out = np.zeros((len(correspondences), 3))
    vertex = np.zeros(3)
    for j in range(len(correspondences)):
        v = correspondences[j]
        vertex[:] = 0.0
        for i in range(bones):
            if weights[v, i] != 0.0:
                for a in range(3):
                    for b in range(4):
                        vertex[a] += weights[v, i] * moves[i, a, b] * positions[v, b]
        for a in range(3):
            moved = theta[3 + a]
            for b in range(3):
                moved += turn[a, b] * vertex[b]
            out[j, a] = points[j, a] - moved
    return out.ravel()
