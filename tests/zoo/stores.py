"""Programs that store into arrays: every index, views, aliases, callees."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7, -0.6])
A = np.arange(6.0).reshape(2, 3) * 0.3 - 0.4


@case(X.copy())
@program("scalar store", mutation=True, numba=True)
def scalar_stores(x):
    y = np.zeros(4)
    y[0] = x[0] * x[1]
    y[-1] = x[2] * y[0]
    y[0] = y[0] * y[3]
    return np.sum(y * y)


@case(X.copy())
@program("store in a loop", mutation=True, numba=True)
def stores_in_a_loop(x):
    y = np.zeros(4)
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * x[i] + np.sin(y[i - 1])
    return y[3] * y[1]


@case(X.copy())
@program("slice store", mutation=True, numba=True)
def slice_stores(x):
    y = np.ones(6)
    y[1:5] = x * x
    y[::2] = y[1::2] * 2.0
    y[:2] = x[0]
    return np.sum(y * y * y)


@case(X.copy())
@program("fancy store", mutation=True)
def fancy_stores(x):
    y = np.zeros(4)
    y[[2, 0]] = x[:2] * x[2:]
    y[np.array([1, 1])] = x[:2]
    y[[3, 3]] += x[1:3]
    return np.sum(y * y) + y[1] * x[0]


@case(X.copy())
@program("boolean store", mutation=True)
def boolean_stores(x):
    y = x * x
    y[x > 0.5] = 2.0 * x[0]
    y[x < 0.0] *= x[1]
    return np.sum(y * y)


@case(A.copy())
@program("matrix store", mutation=True, numba=True)
def matrix_stores(a):
    b = np.zeros((3, 3))
    b[:2, :] = a * a
    b[2] = a[0] * a[1]
    b[:, 0] = b[:, 1] * b[:, 2]
    b[1, 1] = a[0, 0]
    return np.sum(b * b)


@case(X.copy())
@program("increment", mutation=True, numba=True)
def increments_of_elements(x):
    y = x.copy()
    z = np.sin(y)
    y[0] += x[1] * x[2]
    y[1:3] -= x[:2]
    y[2] *= y[0]
    y[3] /= 2.0 + x[0] * x[0]
    y[0] **= 2
    return np.sum(y * z)


@case(X.copy())
@program("in-place operators", mutation=True, numba=True)
def in_place_operators(x):
    y = x * 1.0
    y += x
    y *= x
    y -= 0.5
    y /= 1.0 + x * x
    y **= 2
    return np.sum(y)


@case(X.copy())
@program("overlap", mutation=True)
def overlapping_slices(x):
    y = x.copy()
    y[1:] += y[:-1]
    y[:-1] *= y[1:]
    y[1:] = y[:-1]
    return np.sum(y * np.array([1.0, 2.0, 3.0, 4.0]))


@case(X.copy())
@program("views", mutation=True)
def store_through_a_view(x):
    y = x.copy()
    v = y[1:]
    v *= 2.0
    w = v[::2]
    w[0] = x[0] * x[1]
    return np.sum(y * y * y) + v[0]


@case(X.copy())
@program("views", "reshape", "transpose", mutation=True)
def store_through_reshape_and_transpose(x):
    y = x.copy()
    m = y.reshape(2, 2)
    m.T[0, 1] = x[0] * x[3]
    m.T[1] += x[:2]
    y.reshape(4, 1)[2, 0] *= 3.0
    return np.sum(y * y * y) + m[0, 1]


@case(X.copy())
@program("alias", mutation=True)
def store_through_an_alias(x):
    y = x * 2.0
    z = y
    z[0] = x[1] * x[1]
    y += x
    return np.sum(z * x)


@case(X.copy())
@program("view read after a store", mutation=True)
def view_read_after_base_store(x):
    b = np.zeros(4)
    v = b[:2]
    b[0] = 3.0 * x[0]
    b[1] = x[1]
    return v[0] ** 2 + v[1]


@case(X.copy(), 3)
@case(X.copy(), 0)
@program("buffer swap", mutation=True, numba=True)
def swapped_buffers(x, n):
    u = x.copy()
    v = np.zeros(4)
    for _ in range(n):
        for i in range(1, 3):
            v[i] = u[i] + 0.3 * (u[i - 1] - 2.0 * u[i] * u[i] + u[i + 1])
        u, v = v, u
    return np.sum(u * u) + v[1]


@case(X.copy(), 3)
@program("stencil", mutation=True, numba=True)
def heat_in_place(x, n):
    u = x.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


@case(X.copy())
@program("mutated argument", mutation=True)
def mutated_argument(x):
    x[0] = x[1] * x[2]
    x += 1.0
    return np.sum(x * x)


def fill_with_squares(target, source):
    target[0] = source * source
    target[1:] += source


@case(X.copy())
@program("mutating callee", mutation=True)
def mutating_callee(x):
    y = np.zeros(4)
    fill_with_squares(y, x[1])
    fill_with_squares(y[2:], x[0])
    return np.sum(y * x)


def first_half(a):
    return a[:2]


@case(X.copy())
@program("callee returns a view", mutation=True)
def callee_returns_a_view(x):
    y = x * x
    h = first_half(y)
    h *= x[2]
    return np.sum(y * y)


@case(X.copy())
@program("out", mutation=True)
def out_argument(x):
    y = np.zeros(4)
    np.multiply(x, x, out=y)
    np.sin(y, out=y)
    np.add(y[:2], x[2:], out=y[1:3])
    return np.sum(y * y)


@case(X.copy())
@program("add.at", "copyto", "put", "fill", mutation=True)
def functions_that_store(x):
    y = np.zeros(4)
    np.add.at(y, [0, 0, 2], x[1:])
    z = np.empty((2, 2))
    np.copyto(z, x[:2] * 3.0)
    np.fill_diagonal(z, x[3])
    w = x.copy()
    np.put(w, [1, 3], x[:2] * x[:2])
    w[:1].fill(x[2])
    return np.sum(y * w) + np.sum(z @ z)


@case(X.copy())
@program("place", "putmask", "sort", mutation=True)
def masks_and_sort_in_place(x):
    y, z = x.copy(), x * 2.0
    np.place(y, x > 0.5, x[:2])
    np.putmask(z, x > 0.5, x * x)
    y.sort()
    return np.sum(y * z * np.arange(4.0))


@case(A.copy())
@program("row swap", mutation=True)
def swapped_rows_and_entries(a):
    b = a * 1.0
    b[[0, 1]] = b[[1, 0]]
    b[0, 0], b[0, 1] = b[0, 1], b[0, 0]
    return np.sum(b * np.arange(6.0).reshape(2, 3) * b)


@case(X.copy())
@program("containers of arrays", mutation=True)
def one_array_under_three_names(x):
    rows = [np.zeros(4)] * 3
    rows[0] += x
    rows[2] *= 2.0
    return np.sum(rows[1] ** 2) + np.sum(rows[0])


@case(X.copy())
@program("overwritten needed value", mutation=True)
def overwritten_needed_value(x):
    b = 1.0 / (1.0 + np.exp(-x))
    c = b * b
    b[1] = 2.0
    return np.sum(b * c)


@case(X.copy())
@program("array of states", mutation=True, numba=True)
def state_of_a_recurrence(x):
    h = np.zeros((5, 2))
    for t in range(4):
        h[t + 1, 0] = np.tanh(h[t, 0] * 0.5 + x[t] * h[t, 1])
        h[t + 1, 1] = h[t, 0] + x[t]
    return h[4, 0] * h[3, 1]


@case(X.copy())
@program("closure stores", mutation=True)
def closure_stores(x):
    y = np.zeros(4)

    def put(i, v):
        y[i] += v * v

    put(0, x[1])
    put(0, x[2])
    put(3, x[0])
    return np.sum(y * x)


@case(X.copy())
@program("conditional store", "views", mutation=True)
def conditional_alias(x):
    y, z = x.copy(), x * 2.0
    t = y if x[0] > 0 else z
    t[1] = x[0] * x[2]
    t = z if x[0] > 0 else y
    t[:2] *= 0.5
    return np.sum(y * z)


@case(X.copy(), np.array([2, 0, 3, 1]))
@program("permuted index array", mutation=True)
def permuted_index_array(x, p):
    p = p.copy()
    y = np.zeros(4)
    for i in range(3):
        y[p[i]] += x[i] * x[p[i + 1]]
        p[i + 1] = p[i]
    return np.sum(y * y)


@case(X.copy())
@program("flat", mutation=True)
def flat_stores(x):
    m = x.reshape(2, 2).copy()
    m.flat[3] = x[0] * x[1]
    return np.sum(m * m)


@case(X.copy())
@program("fancy store", "sliced index array", mutation=True)
def stores_by_sliced_index_arrays(x):
    p = np.array([2, 0, 3, 1])
    y = x * 2.0
    y[p[:2]] = y[p[2:]]
    y[p[1:] - 1] *= y[3]
    z = y[np.where(y > 0)[0]]
    y[0] = z[0] * x[1]
    z[-1] *= x[0]
    return np.sum(y * y) + np.sum(z * z)


@case(X.copy(), 3)
@program("rows", "loop over rows", mutation=True)
def rows_of_a_new_array(x, n):
    m = np.zeros((2, 3))
    for column in m.T:
        column[0] = x[3] * x[0]
    for i, row in enumerate(m[::-1]):
        row[1:] += x[1] * i
    m.T[1:][0] *= x[2]
    return np.sum(m * m)


@case(X.copy(), 3)
@program("rows", "unpacked rows", mutation=True)
def unpacked_rows(x, n):
    m = np.outer(x[:2], x)
    a, b = m
    for _ in range(n):
        a[1] += b[0] * x[2]
        a, b = b, a
    return np.sum(m * m) + a[0]


@case(X.copy())
@program("rows", "index array", mutation=True)
def rows_of_an_index_array(x):
    p = np.array([[0, 1], [2, 3]])
    total = 1.0
    for row in p:
        total += x[row[0]] * x[1]
        row[0] = 1
        total *= x[row[0]]
    return total * x[p[0, 0]]
