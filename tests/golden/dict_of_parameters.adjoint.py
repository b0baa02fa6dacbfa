# sourcegrad 0.1.0: adjoint of dict_of_parameters.py:dict_of_parameters (986e7131), wrt params
# for params: dict, x: float64[2d], target: float64[1d]
import numpy as np
from sourcegrad.runtime import sum_to, unbroadcast


def dict_of_parameters_grad(params, x, target, y_bar=1.0):
    # forward sweep
    params_b = params["b"]
    params_v = params["v"]
    hidden = x @ params["w"]
    product_shape_1 = hidden.shape
    hidden = np.tanh(hidden + params_b)
    error = hidden @ params_v
    product_shape = error.shape
    error = error - target
    # reverse sweep
    # line 9: return np.mean(error * error)
    error_bar = 2.0 * y_bar / max(error.size, 1) * error
    # line 8: error = hidden @ params["v"] - target
    product_bar = sum_to(error_bar, product_shape)
    hidden_bar = np.outer(product_bar, params_v)
    params_v_bar = hidden.T @ product_bar
    # line 7: hidden = np.tanh(x @ params["w"] + params["b"])
    t_bar = hidden_bar * (1.0 - hidden * hidden)
    params_b_bar = unbroadcast(t_bar, params_b)
    params_w_bar = x.T @ sum_to(t_bar, product_shape_1)
    return {"w": params_w_bar, "b": params_b_bar.copy(), "v": params_v_bar}
