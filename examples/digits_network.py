"""A small convolutional network in plain NumPy: nothing here knows of gradients.

A batch of images is (channels, height, width, batch), so that a convolution is one
matrix product and NumPy's inner loops run along the batch. Parameters are a dict of
arrays.
"""

import numpy as np

FILTER = 3


def im2col(x, size):
    """Lay out every size-by-size patch of ``x`` as one column of a matrix."""
    channels, height, width, batch = x.shape
    rows = height - size + 1
    columns = width - size + 1
    windows = [
        x[:, i : i + rows, j : j + columns] for i in range(size) for j in range(size)
    ]
    return np.stack(windows, axis=1).reshape(
        channels * size * size, rows * columns * batch
    )


def convolution(x, weight, bias):
    """Correlate each image with each filter: (channels, ...) to (filters, ...).

    ``weight`` is (filters, channels * FILTER * FILTER), ``bias`` is (filters, 1).
    """
    channels, height, width, batch = x.shape
    out = weight @ im2col(x, FILTER) + bias
    return out.reshape(len(weight), height - FILTER + 1, width - FILTER + 1, batch)


def affine(x, weight, bias):
    """Map the columns of ``x`` by ``weight`` and shift them by ``bias``."""
    return weight @ x + bias


def relu(x):
    """The positive part of ``x``."""
    return np.where(x > 0.0, x, 0.0)


def sigmoid(x):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def flatten(x):
    """One column per image."""
    channels, height, width, batch = x.shape
    return x.reshape(channels * height * width, batch)


def softmax_cross_entropy(scores, targets):
    """Mean of -log(probability of the target class); ``targets`` is one-hot."""
    shifted = scores - np.max(scores, axis=0)
    log_total = np.log(np.sum(np.exp(shifted), axis=0))
    return np.sum(targets * (log_total - shifted)) / targets.shape[1]


def predict(params, images):
    """The score of each class (rows) for each image (columns)."""
    x = relu(convolution(images, params["filters1"], params["filter_bias1"]))
    x = relu(convolution(x, params["filters2"], params["filter_bias2"]))
    x = flatten(x)
    x = sigmoid(affine(x, params["weight1"], params["bias1"]))
    return affine(x, params["weight2"], params["bias2"])


def loss(params, images, targets):
    """The number that training makes small."""
    return softmax_cross_entropy(predict(params, images), targets)


def initial_parameters(seed=0):
    """Normal weights scaled by the fan-in (He et al. 2015), small biases."""
    rng = np.random.default_rng(seed)

    def normal(outputs, inputs):
        return rng.standard_normal((outputs, inputs)) * np.sqrt(2.0 / inputs)

    area = FILTER * FILTER
    return {
        "filters1": normal(8, area),
        "filter_bias1": np.full((8, 1), 0.1),
        "filters2": normal(16, 8 * area),
        "filter_bias2": np.full((16, 1), 0.1),
        "weight1": normal(32, 16 * 4 * 4),
        "bias1": np.zeros((32, 1)),
        "weight2": normal(10, 32),
        "bias2": np.zeros((10, 1)),
    }
