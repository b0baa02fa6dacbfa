# sourcegrad 0.1.0: adjoint of straight_line.py:straight_line (b837c27d), wrt x
# for x: float
import numpy as np


def straight_line_grad(x, y_bar=1.0):
    # forward sweep
    s = np.sin(x)
    e = np.exp(x)
    # reverse sweep
    # line 9: y = s * x + e
    s_bar = y_bar * x
    x_bar = y_bar * s
    # line 8: e = np.exp(x)
    x_bar = x_bar + y_bar * e
    # line 7: s = np.sin(x)
    x_bar = x_bar + s_bar * np.cos(x)
    return float(x_bar)
