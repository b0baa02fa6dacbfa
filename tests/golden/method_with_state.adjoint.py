# sourcegrad 0.1.0: adjoint of method_with_state.py:method_with_state (e9c682ce), wrt x
# for x: float64[1d]
import numpy as np
from sourcegrad.runtime import sum_to

from tests.golden.method_with_state import LAYER


def method_with_state_grad(x, y_bar=1.0):
    # forward sweep
    h = x @ LAYER.weight
    product_shape = h.shape
    h = np.tanh(h + LAYER.bias)
    # reverse sweep
    # line 22: return np.sum(h * h)
    h_bar = 2.0 * y_bar * h
    # line 14: return np.tanh(x @ self.weight + self.bias)
    x_bar = LAYER.weight @ sum_to(h_bar * (1.0 - h * h), product_shape)
    return x_bar
