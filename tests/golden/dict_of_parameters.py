"""Parameters in a dict: the gradient is a dict like it."""

import numpy as np


def dict_of_parameters(params, x, target):
    hidden = np.tanh(x @ params["w"] + params["b"])
    error = hidden @ params["v"] - target
    return np.mean(error * error)


ARGUMENTS = (
    {
        "w": np.array([[0.3, -0.1, 0.2], [0.5, 0.4, -0.6]]),
        "b": np.array([0.1, 0.0, -0.1]),
        "v": np.array([0.7, -0.2, 0.3]),
    },
    np.array([[1.0, 2.0], [0.5, -1.0], [-1.5, 0.3]]),
    np.array([0.2, -0.1, 0.4]),
)
