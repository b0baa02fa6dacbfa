"""Helpers of generated code for tensor products and linear algebra.

NumPy and `runtime` only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from .runtime import not_differentiable

# ---------------------------------------------------------------- tensordot


def _contracted(a: Any, b: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The axes of `a` and of `b` that a tensordot sums over, none negative."""
    na, nb = np.ndim(a), np.ndim(b)
    if np.ndim(axes) == 0:
        return list(range(na - axes, na)), list(range(axes))
    of_a, of_b = axes
    of_a = [of_a] if np.ndim(of_a) == 0 else of_a
    of_b = [of_b] if np.ndim(of_b) == 0 else of_b
    return [int(i) % na for i in of_a], [int(i) % nb for i in of_b]


def tensordot_left(g: Any, a: Any, b: Any, axes: Any) -> Any:
    """The cotangent of `a` in `np.tensordot(a, b, axes)`; only its shape is read.

    >>> tensordot_left(np.ones((2, 2)), np.ones((2, 3)), np.ones((3, 2)), 1)
    array([[2., 2., 2.],
           [2., 2., 2.]])
    """
    of_a, of_b = _contracted(a, b, axes)
    free_a = [i for i in range(np.ndim(a)) if i not in of_a]
    free_b = [i for i in range(np.ndim(b)) if i not in of_b]
    product = np.tensordot(g, b, (list(range(len(free_a), np.ndim(g))), free_b))
    place = free_a + [of_a[of_b.index(i)] for i in sorted(of_b)]
    return np.transpose(product, np.argsort(place))


def tensordot_right(g: Any, a: Any, b: Any, axes: Any) -> Any:
    """The cotangent of `b` in `np.tensordot(a, b, axes)`; only its shape is read.

    >>> tensordot_right(np.ones(2), np.ones((2, 3)), np.ones(3), 1)
    array([2., 2., 2.])
    """
    of_a, of_b = _contracted(a, b, axes)
    free_a = [i for i in range(np.ndim(a)) if i not in of_a]
    free_b = [i for i in range(np.ndim(b)) if i not in of_b]
    product = np.tensordot(a, g, (free_a, list(range(len(free_a)))))
    place = [of_b[of_a.index(i)] for i in sorted(of_a)] + free_b
    return np.transpose(product, np.argsort(place))


# ------------------------------------------------------------------- einsum


def _explicit(subscripts: str, operands: Any) -> tuple[list[str], str]:
    """The labels of each operand and of the result, without ellipses."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow:
        once = sorted(c for c in set(inputs) - set(".,") if inputs.count(c) == 1)
        output = "..." * ("..." in inputs) + "".join(once)
    free = [c for c in string.ascii_letters if c not in subscripts]
    widths = [
        np.ndim(x) - len(term.replace("...", "")) if "..." in term else 0
        for term, x in zip(terms, operands, strict=True)
    ]
    dots = "".join(free[: max(widths)])
    terms = [
        term.replace("...", dots[len(dots) - width :])
        for term, width in zip(terms, widths, strict=True)
    ]
    return terms, output.replace("...", dots)


def is_inner_product(subscripts: Any) -> bool:
    """Whether `np.einsum(subscripts, a, b)` is the sum of `a * b`, axis for axis.

    >>> is_inner_product("ij,ij->"), is_inner_product("ij,ji->")
    (True, False)
    """
    if not isinstance(subscripts, str) or "." in subscripts:
        return False
    terms, _, output = subscripts.replace(" ", "").partition("->")
    left, _, right = terms.partition(",")
    return not output and left == right and len(set(left)) == len(left)


def einsum_bar(g: Any, i: int, subscripts: str, *operands: Any) -> Any:
    """The cotangent of operand number `i` in `np.einsum(subscripts, *operands)`.

    >>> einsum_bar(1.0, 0, "ii->", np.ones((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    terms, output = _explicit(subscripts, operands)
    x, labels = operands[i], terms[i]
    others = [j for j in range(len(terms)) if j != i]
    unique = "".join(dict.fromkeys(labels))
    known = set(output).union(*(terms[j] for j in others))
    shared = "".join(c for c in unique if c in known)
    call = ",".join([output] + [terms[j] for j in others]) + "->" + shared
    rest = [operands[j] for j in others]
    # Planning the contraction takes longer than a small one
    large = np.size(g) + sum(map(np.size, rest)) > 1000
    x_bar = np.einsum(call, g, *rest, optimize=large)
    sizes = [np.shape(x)[labels.index(c)] for c in unique]
    missing = tuple(k for k, c in enumerate(unique) if c not in known)
    x_bar = np.expand_dims(x_bar, missing)
    narrow = tuple(k for k, n in enumerate(sizes) if n == 1 and x_bar.shape[k] != 1)
    x_bar = np.sum(x_bar, axis=narrow, keepdims=True)
    if list(x_bar.shape) != sizes:  # memory of its own, which may be added to
        x_bar = np.broadcast_to(x_bar, sizes).copy()
    if len(unique) == len(labels):
        return x_bar
    full = np.zeros(np.shape(x), dtype=x_bar.dtype)
    np.einsum(f"{labels}->{unique}", full)[...] = x_bar
    return full


# ---------------------------------------------------------- matrix functions


def diagonal_matrix(d: Any) -> Any:
    """The diagonal matrices of which the last axis of `d` is the diagonal.

    >>> diagonal_matrix(np.array([1.0, 2.0]))
    array([[1., 0.],
           [0., 2.]])
    """
    return np.expand_dims(d, -2) * np.eye(d.shape[-1], dtype=d.dtype)


def half_tril(m: Any) -> Any:
    """The lower triangle of `m`, with its diagonal halved.

    >>> half_tril(np.full((2, 2), 2.0))
    array([[1., 0.],
           [2., 1.]])
    """
    return _half_diagonal(np.tril(m))


def _half_diagonal(m: Any) -> Any:
    """A matrix that no one else sees, or several, with its diagonal halved."""
    np.einsum("...ii->...i", m)[...] *= 0.5
    return m


def fold_triangle(s: Any, uplo: str) -> Any:
    """The cotangent of a matrix of which only one triangle is read.

    `s` is the cotangent of the Hermitian matrix that the triangle stands for.

    >>> fold_triangle(np.array([[1.0, 2.0], [3.0, 4.0]]), "L")
    array([[1., 0.],
           [5., 4.]])
    """
    both = s + np.conj(np.swapaxes(s, -1, -2))
    if uplo in ("U", "u"):
        return _half_diagonal(np.triu(both))
    return _half_diagonal(np.tril(both))


def cofactors(a: Any, det: Any, inverse: Any = None) -> Any:
    """The matrix of cofactors: the derivative of `det = np.linalg.det(a)`.

    It is det(a) inv(a).T where that exists, and is found through the singular
    values elsewhere (Stewart, "On the adjugate matrix", 1998).

    Args:
        a: the matrix, or several.
        det: its determinant.
        inverse: that of the matrix, where it was found already.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]]), np.float64(0.0)).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    if np.all(det) and np.all(np.isfinite(det)):
        inverse = np.linalg.inv(a) if inverse is None else inverse
        size = np.max(np.abs(a), initial=0.0) * np.max(np.abs(inverse), initial=0.0)
        if size < 1e6:  # the inverse has lost at most six digits
            return np.expand_dims(det, (-2, -1)) * np.swapaxes(inverse, -1, -2)
    u, s, vh = np.linalg.svd(a)
    n = a.shape[-1]
    spread = np.repeat(s[..., np.newaxis, :], n, axis=-2)
    spread[..., range(n), range(n)] = 1.0
    others = np.prod(spread, axis=-1)
    phase = np.linalg.det(u) * np.linalg.det(vh)
    scaled = np.conj(u) * (phase[..., np.newaxis] * others)[..., np.newaxis, :]
    return scaled @ np.conj(vh)


def minors(a: Any) -> Any:
    """The matrix of cofactors, one determinant each: slow, and differentiable.

    >>> minors(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    n = a.shape[-1]
    rows = []
    for i in range(n):
        others = np.delete(a, i, axis=-2)
        cells = []
        for j in range(n):
            sign = 1.0 if (i + j) % 2 == 0 else -1.0
            cells.append(sign * np.linalg.det(np.delete(others, j, axis=-1)))
        rows.append(np.stack(cells, axis=-1))
    return np.stack(rows, axis=-2)


def hermitian_part(m: Any, uplo: str) -> Any:
    """The Hermitian matrix of which `m` gives one triangle.

    >>> hermitian_part(np.array([[1.0, 2.0], [3.0, 4.0]]), "L")
    array([[1., 3.],
           [3., 4.]])
    """
    if uplo in ("U", "u"):
        m = np.swapaxes(m, -1, -2)
        low = half_tril(m)
        return np.swapaxes(low, -1, -2) + np.conj(low)
    low = half_tril(m)
    return low + np.conj(np.swapaxes(low, -1, -2))


def check_phase(m: Any) -> Any:
    """`m`, once the result is seen not to depend on the phase of complex vectors.

    `m` is `v.T @ v_bar`: an imaginary part on its diagonal is the derivative in the
    phase of a vector, which an eigenvalue routine chooses as it likes.

    Raises:
        NonDifferentiableError: the result depends on a phase.

    >>> check_phase(np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    if np.iscomplexobj(m):
        turn = np.abs(np.imag(np.diagonal(m, axis1=-2, axis2=-1)))
        noise = np.max(np.abs(m), initial=0.0)
        if np.any(turn > 4096.0 * np.finfo(m.dtype).eps * noise):
            not_differentiable(
                "the result depends on the phase of a complex eigenvector",
                why="a vector times a phase is an eigenvector too, and which one "
                "comes out is not a differentiable function of the matrix",
                hint="use what no phase changes, such as abs(v) or v @ v.conj().T",
            )
    return m


def refuse_stack(a: Any, name: str) -> None:
    """Refuse a stack of matrices where the derivative rule is for one.

    Raises:
        NonDifferentiableError: `a`, or a part of it, has more than two dimensions.

    >>> refuse_stack(np.eye(2), "scipy.linalg.eigh")
    """
    if isinstance(a, tuple):
        for part in a:
            refuse_stack(part, name)
    elif np.ndim(a) > 2:
        not_differentiable(
            f"{name} of a stack of matrices has no derivative rule",
            hint="call it for each matrix in a loop, or use a function of np.linalg",
        )


def real_places(v: Any, uplo: Any) -> Any:
    """Where LAPACK makes an element of each complex eigenvector real.

    >>> real_places(np.array([[0.8], [0.6]]), None)
    array([[0]])
    """
    if uplo is None:
        return np.argmax(np.abs(v), axis=-2, keepdims=True)
    last = v.shape[-2] - 1 if uplo in ("U", "u") else 0
    return np.full((*v.shape[:-2], 1, v.shape[-1]), last)


def kept_real(v_dot: Any, v: Any, uplo: Any) -> Any:
    """The tangents of complex eigenvectors in the phase that LAPACK gives them.

    It keeps one element of each vector real: the largest one in `geev` (`uplo` is
    None), the first or the last one in `heev` of a lower or an upper triangle.

    >>> kept_real(np.array([[1j], [0.0]]), np.array([[0.8 + 0j], [0.6]]), "L")
    array([[0.+0.j  ],
           [0.-0.75j]])
    """
    if not np.iscomplexobj(v):
        return v_dot
    place = real_places(v, uplo)
    element = np.take_along_axis(v, place, -2)
    return v_dot - 1j * v * phase_turn(element, np.take_along_axis(v_dot, place, -2))


def phase_turn(element: Any, moved: Any) -> Any:
    """How fast a phase turns that keeps a complex number real whose tangent is `moved`.

    >>> phase_turn(np.array([2.0 + 0j]), np.array([3.0 + 1j]))
    array([0.5])
    """
    size = np.real(element)
    return np.divide(np.imag(moved), size, out=np.zeros_like(size), where=size != 0.0)


def gap_quotient(m: Any, w: Any) -> Any:
    """`m[i, j] / (w[j] - w[i])`, and 0 on the diagonal.

    Where two of `w` coincide, a zero of `m` gives 0; anything else there has no
    derivative.

    Raises:
        NonDifferentiableError: repeated values meet an entry of `m` that is not 0.

    >>> gap_quotient(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 2.0]))
    array([[ 0.,  2.],
           [-3.,  0.]])
    """
    gap = w[..., np.newaxis, :] - w[..., :, np.newaxis]
    size = np.max(np.abs(w), axis=-1, initial=0.0)[..., np.newaxis, np.newaxis]
    eps = np.finfo(gap.dtype).eps
    same = np.abs(gap) <= 16.0 * w.shape[-1] * eps * size
    diagonal = np.eye(w.shape[-1], dtype=bool)
    noise = np.max(np.abs(m), axis=(-2, -1), keepdims=True, initial=0.0)
    if np.any((np.abs(m) > 256.0 * eps * noise) & same & ~diagonal):
        not_differentiable(
            "the eigenvectors of a repeated eigenvalue have no derivative",
            why="the result depends on vectors of a degenerate eigenspace "
            "(or on singular vectors of a repeated singular value)",
            hint="use the eigenvalues alone, or separate them",
        )
    return np.where(same | diagonal, 0.0, m) / np.where(same | diagonal, 1.0, gap)
