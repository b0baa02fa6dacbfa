# sourcegrad 0.1.0: adjoint of stencil.py:stencil (3187f963), wrt u
# for u: float64[1d], steps: int
import numpy as np
from sourcegrad.runtime import sum_to


def stencil_grad(u, steps, y_bar=1.0):
    # forward sweep
    saved = []
    for t in range(steps):
        u_shape = u.shape
        left = np.roll(u, 1)
        left_shape = left.shape
        right = np.roll(u, -1)
        right_shape = right.shape
        product = 2.0 * u
        product_shape_1 = product.shape
        product = left - product
        t_shape = product.shape
        product = 0.1 * (product + right)
        product_shape = product.shape
        saved.append(
            (u_shape, left_shape, right_shape, product_shape_1, t_shape, product_shape)
        )
        u = u + product
    # reverse sweep
    # line 11: return np.sum(u * u)
    u_bar = 2.0 * y_bar * u
    for _ in range(steps):
        u_shape, left_shape, right_shape, product_shape_1, t_shape, product_shape = (
            saved.pop()
        )
        # line 10: u = u + 0.1 * (left - 2.0 * u + right)
        u_bar_1 = sum_to(u_bar, u_shape)
        t_bar_1 = 0.1 * sum_to(u_bar, product_shape)
        t_bar = sum_to(t_bar_1, t_shape)
        right_bar = sum_to(t_bar_1, right_shape)
        left_bar = sum_to(t_bar, left_shape)
        u_bar = u_bar_1 - 2.0 * sum_to(t_bar, product_shape_1)
        # line 9: right = np.roll(u, -1)
        u_bar += np.roll(right_bar, 1, None)
        # line 8: left = np.roll(u, 1)
        u_bar += np.roll(left_bar, -1, None)
    return u_bar.copy()
