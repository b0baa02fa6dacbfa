# sourcegrad 0.1.0: adjoint of buffer_swap.py:buffer_swap (8a9be266), wrt x
# for x: float64[1d], steps: int
import numpy as np
from sourcegrad.runtime import unbroadcast


def buffer_swap_grad(x, steps, y_bar=1.0):
    # forward sweep
    old = np.copy(x)
    old_bar_1 = np.zeros_like(old)
    new = np.zeros_like(x)
    new_bar = np.zeros_like(new)
    t_saved = []
    old_bar = old_bar_1
    for t_1 in range(steps):
        new[1:-1] = 0.5 * (old[:-2] + old[2:])
        t = old[0]
        t_saved.append(t)
        new[0] = t * t
        new[-1] = old[-1]
        old, new, old_bar, new_bar = new, old, new_bar, old_bar
    # reverse sweep
    # line 14: return np.sum(old * x)
    old_bar += unbroadcast(y_bar * x, old)
    x_bar = unbroadcast(y_bar * old, x)
    for _ in range(steps):
        old_bar, new_bar = new_bar, old_bar
        t = t_saved.pop()
        # line 12: new[-1] = old[-1]
        g_1 = new_bar[-1]
        new_bar[-1] = 0.0
        old_bar[-1] += g_1
        # line 11: new[0] = old[0] * old[0]
        g_1 = new_bar[0]
        new_bar[0] = 0.0
        old_bar[0] += 2.0 * g_1 * t
        # line 10: new[1:-1] = 0.5 * (old[:-2] + old[2:])
        g = new_bar[1:-1].copy()
        new_bar[1:-1] = 0.0
        t_bar = 0.5 * g
        old_bar[:-2] += t_bar
        old_bar[2:] += t_bar
    # line 7: old = np.copy(x)
    x_bar += old_bar_1
    return x_bar
