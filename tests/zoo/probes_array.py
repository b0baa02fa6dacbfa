"""Small ordinary functions of one array that every tool meets."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7])


@case(X.copy())
@program("probe", numba=True)
def a_sum(x):
    return np.sum(x * x)


@case(X.copy())
@program("probe", numba=True)
def a_method(x):
    return (x * x).sum()


@case(X.copy())
@program("probe", numba=True)
def a_dot(x):
    return np.dot(x, x)


@case(X.copy())
@program("probe", numba=True)
def a_matmul(x):
    return x @ x


@case(X.copy())
@program("probe")
def a_bcast(x):
    return np.sum(np.ones((4, 3)) * x)


@case(X.copy())
@program("probe", numba=True)
def a_index(x):
    return x[0] * x[1]


@case(X.copy())
@program("probe", numba=True)
def a_slice(x):
    return np.sum(x[1:] * x[:-1])


@case(X.copy())
@program("probe")
def a_fancy(x):
    return np.sum(x[np.array([0, 0, 1])] ** 2)


@case(X.copy())
@program("probe")
def a_mask(x):
    return np.sum(x[x > 0.5] ** 2)


@case(X.copy())
@program("probe", mutation=True)
def a_store(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = x[2] * x[2]
    return np.sum(y * y)


@case(X.copy())
@program("probe", mutation=True)
def a_store_copy(x):
    y = x.copy()
    y[1:] += y[:-1] * 2.0
    return np.sum(y * y)


@case(X.copy())
@program("probe", mutation=True)
def a_loop_store(x):
    y = np.zeros(3)
    y[0] = x[0]
    for i in range(1, 3):
        y[i] = y[i - 1] * x[i]
    return y[2]


@case(X.copy())
@program("probe", mutation=True)
def a_view_mut(x):
    y = x.copy()
    v = y[1:]
    v *= 2.0
    return np.sum(y * y * y)


@case(X.copy())
@program("probe", mutation=True)
def a_view_chain(x):
    y = x.copy()
    v = y.reshape(3, 1)
    v[0, 0] = x[2] * x[1]
    return np.sum(y * y * y)


@case(X.copy())
@program("probe", mutation=True)
def a_arg_mut(x):
    x[0] = x[1] * x[2]
    return np.sum(x * x)


@case(X.copy())
@program("probe", mutation=True)
def a_iadd(x):
    y = x * 1.0
    y += x
    y *= x
    return np.sum(y)


@case(X.copy())
@program("probe", mutation=True)
def a_out(x):
    y = np.zeros(3)
    np.multiply(x, x, out=y)
    return np.sum(y * y)


@case(X.copy())
@program("probe", numba=True)
def a_for_elem(x):
    s = 0.0
    for v in x:
        s = s + v * v
    return s


@case(X.copy())
@program("probe")
def a_stack(x):
    return np.sum(np.stack([x, x * x]) ** 2)


@case(X.copy())
@program("probe")
def a_einsum(x):
    return np.einsum("i,i->", x, x)


@case(X.copy())
@program("probe")
def a_inv(x):
    return np.sum(np.linalg.inv(np.diag(x)))


@case(X.copy())
@program("probe")
def a_where(x):
    return np.sum(np.where(x > 0.5, x * x, x))


def a_helper_mut_inner(v, s):
    v[0] = s * s


@case(X.copy())
@program("probe", mutation=True)
def a_helper_mut(x):
    y = np.zeros(3)
    a_helper_mut_inner(y, x[1])
    return np.sum(y * x)
