"""The digits network and its adjoint, written by hand in plain NumPy.

The yardstick for the generated gradient: it imports nothing of sourcegrad, keeps what
the reverse sweep reads and no more, and reuses its names so that memory is freed.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Params = dict[str, Array]

FILTER = 3


def im2col(x: Array) -> Array:
    """Lay out every patch of ``x`` (channels, height, width, batch) as a column."""
    _, height, width, batch = x.shape
    rows, columns = height - FILTER + 1, width - FILTER + 1
    windows = [
        x[:, i : i + rows, j : j + columns]
        for i in range(FILTER)
        for j in range(FILTER)
    ]
    return np.stack(windows, axis=1).reshape(-1, rows * columns * batch)


def col2im(columns_bar: Array, shape: tuple[int, ...]) -> Array:
    """Add every column back to the patch it was read from: the adjoint of im2col."""
    channels, height, width, batch = shape
    rows, columns = height - FILTER + 1, width - FILTER + 1
    windows_bar = columns_bar.reshape(channels, -1, rows, columns, batch)
    x_bar = np.zeros(shape)
    for i in range(FILTER):
        for j in range(FILTER):
            window = x_bar[:, i : i + rows, j : j + columns]
            window += windows_bar[:, i * FILTER + j]
    return x_bar


def loss_and_gradient(
    params: Params, images: Array, targets: Array
) -> tuple[float, Params]:
    """The loss and its gradient with respect to every parameter."""
    _, height, width, batch = images.shape
    columns1 = im2col(images)
    hidden1 = params["filters1"] @ columns1 + params["filter_bias1"]
    hidden1 = np.where(hidden1 > 0.0, hidden1, 0.0)
    hidden1 = hidden1.reshape(-1, height - 2, width - 2, batch)
    columns2 = im2col(hidden1)
    hidden2 = params["filters2"] @ columns2 + params["filter_bias2"]
    hidden2 = np.where(hidden2 > 0.0, hidden2, 0.0)
    features = hidden2.reshape(-1, batch)
    hidden3 = params["weight1"] @ features + params["bias1"]
    hidden3 = 1.0 / (1.0 + np.exp(-hidden3))
    scores = params["weight2"] @ hidden3 + params["bias2"]

    scores = scores - np.max(scores, axis=0)
    exps = np.exp(scores)
    totals = np.sum(exps, axis=0)
    value = np.sum(targets * (np.log(totals) - scores)) / batch

    bar: Params = {}
    scores_bar = (exps / totals - targets) / batch
    bar["weight2"] = scores_bar @ hidden3.T
    bar["bias2"] = np.sum(scores_bar, axis=1, keepdims=True)
    x_bar = params["weight2"].T @ scores_bar
    x_bar = x_bar * hidden3 * (1.0 - hidden3)
    bar["weight1"] = x_bar @ features.T
    bar["bias1"] = np.sum(x_bar, axis=1, keepdims=True)
    x_bar = params["weight1"].T @ x_bar
    x_bar = x_bar.reshape(hidden2.shape) * (hidden2 > 0.0)
    bar["filters2"] = x_bar @ columns2.T
    bar["filter_bias2"] = np.sum(x_bar, axis=1, keepdims=True)
    x_bar = col2im(params["filters2"].T @ x_bar, hidden1.shape)
    x_bar = (x_bar * (hidden1 > 0.0)).reshape(len(hidden1), -1)
    bar["filters1"] = x_bar @ columns1.T
    bar["filter_bias1"] = np.sum(x_bar, axis=1, keepdims=True)
    return float(value), bar
