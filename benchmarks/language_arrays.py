"""Ordinary functions of a short vector, each with its adjoint written by hand.

`NAME` is the function, `NAME_gradient` sweeps forward, then back, keeping what the way
back reads and no more; gradients are memory of their own.
"""

import numpy as np


def total(x):
    return np.sum(x * x)


def total_gradient(x):
    return 2.0 * x


def method_call(x):
    return (x * x).sum()


def method_call_gradient(x):
    return 2.0 * x


def inner(x):
    return np.dot(x, x)


def inner_gradient(x):
    return 2.0 * x


def matrix_product(x):
    return x @ x


def matrix_product_gradient(x):
    return 2.0 * x


def broadcast(x):
    return np.sum(np.ones((4, 3)) * x)


def broadcast_gradient(x):
    return np.sum(np.ones((4, 3)), axis=0)


def item(x):
    return x[0] * x[1]


def item_gradient(x):
    x_bar = np.zeros_like(x)
    x_bar[0] += x[1]
    x_bar[1] += x[0]
    return x_bar


def slices(x):
    return np.sum(x[1:] * x[:-1])


def slices_gradient(x):
    x_bar = np.zeros_like(x)
    x_bar[1:] += x[:-1]
    x_bar[:-1] += x[1:]
    return x_bar


def fancy(x):
    return np.sum(x[np.array([0, 0, 1])] ** 2)


def fancy_gradient(x):
    index = np.array([0, 0, 1])
    x_bar = np.zeros_like(x)
    np.add.at(x_bar, index, 2.0 * x[index])
    return x_bar


def mask(x):
    return np.sum(x[x > 0.5] ** 2)


def mask_gradient(x):
    above = x > 0.5
    x_bar = np.zeros_like(x)
    x_bar[above] = 2.0 * x[above]
    return x_bar


def store(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = x[2] * x[2]
    return np.sum(y * y)


def store_gradient(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = x[2] * x[2]
    y_bar = 2.0 * y
    x_bar = np.zeros_like(x)
    x_bar[2] += 2.0 * y_bar[1] * x[2]
    x_bar[0] += y_bar[0] * x[1]
    x_bar[1] += y_bar[0] * x[0]
    return x_bar


def increment_copy(x):
    y = x.copy()
    y[1:] += y[:-1] * 2.0
    return np.sum(y * y)


def increment_copy_gradient(x):
    y = x.copy()
    y[1:] += y[:-1] * 2.0
    y_bar = 2.0 * y
    y_bar[:-1] += 2.0 * y_bar[1:]
    return y_bar


def loop_store(x):
    y = np.zeros(3)
    y[0] = x[0]
    for i in range(1, 3):
        y[i] = y[i - 1] * x[i]
    return y[2]


def loop_store_gradient(x):
    y = np.zeros(3)
    y[0] = x[0]
    for i in range(1, 3):
        y[i] = y[i - 1] * x[i]
    y_bar = np.zeros_like(y)
    y_bar[2] += 1.0
    x_bar = np.zeros_like(x)
    for i in range(2, 0, -1):
        g = y_bar[i]
        x_bar[i] += g * y[i - 1]
        y_bar[i - 1] += g * x[i]
    x_bar[0] += y_bar[0]
    return x_bar


def view_write(x):
    y = x.copy()
    v = y[1:]
    v *= 2.0
    return np.sum(y * y * y)


def view_write_gradient(x):
    y = x.copy()
    v = y[1:]
    v *= 2.0
    y_bar = 3.0 * y * y
    v_bar = y_bar[1:]
    v_bar *= 2.0
    return y_bar


def view_chain(x):
    y = x.copy()
    v = y.reshape(3, 1)
    v[0, 0] = x[2] * x[1]
    return np.sum(y * y * y)


def view_chain_gradient(x):
    y = x.copy()
    v = y.reshape(3, 1)
    v[0, 0] = x[2] * x[1]
    y_bar = 3.0 * y * y
    v_bar = y_bar.reshape(3, 1)
    g = v_bar[0, 0]
    v_bar[0, 0] = 0.0
    y_bar[2] += g * x[1]
    y_bar[1] += g * x[2]
    return y_bar


def argument_write(x):
    x[0] = x[1] * x[2]
    return np.sum(x * x)


def argument_write_gradient(x):
    x[0] = x[1] * x[2]
    x_bar = 2.0 * x
    g = x_bar[0]
    x_bar[0] = 0.0
    x_bar[1] += g * x[2]
    x_bar[2] += g * x[1]
    return x_bar


def in_place(x):
    y = x * 1.0
    y += x
    y *= x
    return np.sum(y)


def in_place_gradient(x):
    y = x * 1.0
    y += x
    # y *= x, with a cotangent of ones, then y += x and y = x * 1.0
    return y + x + x


def output_argument(x):
    y = np.zeros(3)
    np.multiply(x, x, out=y)
    return np.sum(y * y)


def output_argument_gradient(x):
    y = np.zeros(3)
    np.multiply(x, x, out=y)
    y_bar = 2.0 * y
    return 2.0 * y_bar * x


def for_element(x):
    s = 0.0
    for v in x:
        s = s + v * v
    return s


def for_element_gradient(x):
    x_bar = np.zeros_like(x)
    for i in range(len(x) - 1, -1, -1):
        x_bar[i] += 2.0 * x[i]
    return x_bar


def stack(x):
    return np.sum(np.stack([x, x * x]) ** 2)


def stack_gradient(x):
    y = np.stack([x, x * x])
    y_bar = 2.0 * y
    return y_bar[0] + 2.0 * y_bar[1] * x


def einsum(x):
    return np.einsum("i,i->", x, x)


def einsum_gradient(x):
    return 2.0 * x


def inverse(x):
    return np.sum(np.linalg.inv(np.diag(x)))


def inverse_gradient(x):
    y = np.linalg.inv(np.diag(x))
    y_bar = np.ones_like(y)
    d_bar = -y.T @ y_bar @ y.T
    return np.diag(d_bar).copy()


def where(x):
    return np.sum(np.where(x > 0.5, x * x, x))


def where_gradient(x):
    return np.where(x > 0.5, 2.0 * x, 1.0)


def write_square(v, s):
    v[0] = s * s


def helper_write(x):
    y = np.zeros(3)
    write_square(y, x[1])
    return np.sum(y * x)


def helper_write_gradient(x):
    y = np.zeros(3)
    s = x[1]
    y[0] = s * s
    x_bar = y.copy()
    y_bar_0 = x[0]
    x_bar[1] += 2.0 * y_bar_0 * s
    return x_bar
