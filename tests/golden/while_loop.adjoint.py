# sourcegrad 0.1.0: adjoint of while_loop.py:while_loop (8a682ff4), wrt x
# for x: float, tol: float
import math


def while_loop_grad(x, tol, y_bar=1.0):
    # forward sweep
    saved = []
    y = x
    while y * y > tol:
        cos_y = math.cos(y)
        saved.append((y, cos_y))
        y = 0.5 * y * cos_y
    # reverse sweep
    # line 10: return y * x
    y_bar_1 = y_bar * x
    x_bar = y_bar * y
    while saved:
        y, cos_y = saved.pop()
        # line 9: y = 0.5 * y * math.cos(y)
        y_bar = -(0.5 * y_bar_1 * y * math.sin(y))
        y_bar_1 = y_bar + 0.5 * y_bar_1 * cos_y
    # line 8: while y * y > tol:
    x_bar = x_bar + y_bar_1
    return x_bar
