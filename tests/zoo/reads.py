"""Arrays read by every kind of index."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7, -0.6])
A = np.arange(12.0).reshape(3, 4) * 0.3 - 1.0
ORDER = np.array([2, 0, 0, 3])


@case(X.copy())
@program("scalar index", numba=True)
def scalar_indices(x):
    return x[0] * x[-1] + x[1] ** 2 * x[0]


@case(A.copy())
@program("scalar index", "rows", numba=True)
def rows_and_elements(a):
    return a[0, 1] * a[2][3] + np.sum(a[1] * a[-1])


@case(X.copy())
@program("slices", numba=True)
def slices(x):
    return np.sum(x[1:] * x[:-1]) + np.sum(x[::2]) * x[::-1][0] + np.sum(x[-2:])


@case(A.copy())
@program("slices", "several axes", numba=True)
def slices_of_a_matrix(a):
    return (
        np.sum(a[1:, :-1] * a[:-1, 1:]) + np.sum(a[:, 2] * a[:, 0]) + np.sum(a[::2, 1])
    )


@case(A.copy())
@program("ellipsis", "new axis")
def ellipsis_and_new_axis(a):
    return np.sum(a[..., 0][:, None] * a[None, 1]) + a[..., 1, 2] * a[0, ..., 3]


@case(X.copy())
@program("fancy index")
def fancy_index(x):
    y = x[np.array([0, 0, 2])] ** 2
    z = x[ORDER] * x[[1, 1, 2, 3]]
    return np.sum(y) + np.sum(z)


@case(A.copy())
@program("fancy index", "several axes")
def fancy_index_of_a_matrix(a):
    rows, columns = np.array([0, 2, 0]), np.array([1, 1, 1])
    return np.sum(a[rows, columns] ** 2) + np.sum(a[rows][:, columns] * a[1, 0])


@case(X.copy())
@program("boolean index")
def boolean_index(x):
    return np.sum(x[x > 0.5] ** 2) + np.sum(x[~(x > 0.5)]) * x[0]


@case(X.copy(), 2)
@case(X.copy(), 0)
@program("computed index", numba=True)
def computed_index(x, k):
    s = x[k]
    for i in range(3):
        s = s * x[(i * 2 + k) % 4] + x[i - k]
    return s


@case(X.copy(), 2)
@case(X.copy(), 0)
@program("computed slice", numba=True)
def computed_slices(x, k):
    s = 1.0
    for i in range(1, 4):
        s = s * 0.5 + np.sum(x[: i - 1] * x[1:i]) + np.sum(x[k : k + i])
    return s


@case(A.copy())
@program("reads in nested loops", numba=True)
def reads_in_nested_loops(a):
    s = 0.0
    for i in range(1, 3):
        for j in range(3):
            s = s + a[i, j] * a[i - 1, j + 1] * np.sin(a[i, 0])
    return s


@case(X.copy())
@program("views", "transpose", "reshape")
def views_that_are_only_read(x):
    m = x.reshape(2, 2)
    t = m.T
    row = t[1]
    return np.sum(row * m[0]) + t[0, 1] * x[2] + np.sum(m.ravel() * x)


@case(X.copy())
@program("argmax", "integer results")
def index_from_data(x):
    k = np.argmax(x)
    order = np.argsort(x)
    return x[k] * x[order[0]] + np.sum(x[order] * np.arange(4.0))


@case(X.copy(), X * 0.5 + 1.0)
@program("where", argnums=(0, 1))
def where_of_two_arrays(x, y):
    z = np.where(x > 0.5, x * y, y)
    return np.sum(z * z) + np.sum(np.maximum(x, y) * np.minimum(x, 2.0 * y))


@case(A.copy())
@program("reductions", analytic=False)
def reductions(a):
    m = np.mean(a, axis=0)
    s = np.sum(a * a, axis=1, keepdims=True)
    return np.sum(m * m) + np.sum(s * a) + np.max(a) * np.prod(m[:2]) + np.std(m)


@case(A.copy())
@program("softmax")
def softmax_cross_entropy(a):
    shifted = a - np.max(a, axis=1, keepdims=True)
    log_sum = np.log(np.sum(np.exp(shifted), axis=1))
    return np.mean(log_sum - shifted[np.arange(3), np.array([1, 0, 3])])


@case(A.copy())
@program("products")
def products_of_every_form(a):
    b = np.einsum("ij,kj->ik", a, a)
    c = np.tensordot(a, a, axes=([1], [1])) + np.outer(a[:, 0], a[:, 1])
    return np.sum(b * c) + np.dot(a[0], a[1]) + np.trace(b)


@case(X.copy())
@program("joining")
def joining(x):
    s = np.stack([x, x * x])
    c = np.concatenate((x[:2], s[1], s[0, 1:3]))
    return np.sum(c * np.arange(8.0)) + np.sum(np.pad(x, 1)[1:] * 2.0)


@case(1.3, 0.4)
@program("arrays from scalars", argnums=(0, 1))
def arrays_from_scalars(x, y):
    m = np.array([[x, y * y], [2.0, x * y]])
    v = np.array([x, y])
    return np.sum(m @ v) * m[1, 1]


@case(X.copy())
@program("shape", "len", numba=True)
def shapes_and_lengths(x):
    n = x.shape[0]
    s = x[0] * n
    for i in range(len(x)):
        s = s + x[i] / n
    return s * x.size * x.ndim


@case(X.copy())
@program("linear algebra", analytic=False)
def linear_algebra(x):
    m = np.diag(x) + np.outer(x, x) + 3.0 * np.eye(4)
    y = np.linalg.solve(m, x)
    return np.sum(y * np.linalg.inv(m)[0]) + np.linalg.det(m) + np.linalg.norm(y)


@case(np.array([0.7, -0.4, 1.3]))
@program("diagonal matrix")
def diagonals_among_other_uses(x):
    a = np.diag(x) @ np.outer(x, x)
    return np.sum(np.diagonal(a) * x) + np.sum(x * x) + np.sum(np.diag(x) ** 2)


@case(np.arange(12.0).reshape(4, 3) / 7.0)
@program("fancy index", "a list beside an array")
def likelihood_of_labels(z):
    log_p = z - np.log(np.exp(z).sum(1, keepdims=True))
    return -log_p[np.arange(4), [0, 2, 1, 2]].mean()
