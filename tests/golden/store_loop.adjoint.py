# sourcegrad 0.1.0: adjoint of store_loop.py:store_loop (1adc01e3), wrt x
# for x: float64[1d], n: int
import numpy as np


def store_loop_grad(x, n, y_bar=1.0):
    # forward sweep
    a = np.zeros(n)
    a[0] = x[0]
    for i in range(1, n):
        a[i] = a[i - 1] * 0.5 + np.sin(x[i])
    # reverse sweep
    # line 11: return np.sum(a * a)
    a_bar = 2.0 * y_bar * a
    # line 9: for i in range(1, n):
    x_bar = np.zeros_like(x)
    for i in range(n - 1, 0, -1):
        t = x[i]
        # line 10: a[i] = a[i - 1] * 0.5 + np.sin(x[i])
        g = a_bar[i]
        a_bar[i] = 0.0
        x_bar[i] += g * np.cos(t)
        a_bar[i - 1] += 0.5 * g
    # line 8: a[0] = x[0]
    x_bar[0] += a_bar[0]
    return x_bar
