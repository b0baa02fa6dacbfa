"""The Hessian of the digits loss times a vector: the tangent of its adjoint, by hand.

The tangent of each line of ``hand_digits.loss_and_gradient`` that it needs; products of
the pattern of the rectifier, which is constant, are taken once.
"""

import numpy as np

from benchmarks.hand_digits import Array, Params, col2im, im2col


def _total(x: Array) -> Array:
    return np.sum(x, axis=1, keepdims=True)


def hessian_product(
    params: Params, images: Array, targets: Array, dots: Params
) -> Params:
    """The derivative of the gradient along ``dots``."""
    _, height, width, batch = images.shape
    w3, w4, f2 = params["weight1"], params["weight2"], params["filters2"]
    w3_dot, w4_dot, f2_dot = dots["weight1"], dots["weight2"], dots["filters2"]
    columns1 = im2col(images)
    hidden1 = params["filters1"] @ columns1 + params["filter_bias1"]
    hidden1_dot = dots["filters1"] @ columns1 + dots["filter_bias1"]
    on1 = hidden1 > 0.0
    shape1 = (-1, height - 2, width - 2, batch)
    hidden1 = np.where(on1, hidden1, 0.0).reshape(shape1)
    hidden1_dot = np.where(on1, hidden1_dot, 0.0).reshape(shape1)
    columns2, columns2_dot = im2col(hidden1), im2col(hidden1_dot)
    hidden2 = f2 @ columns2 + params["filter_bias2"]
    hidden2_dot = f2_dot @ columns2 + f2 @ columns2_dot + dots["filter_bias2"]
    on2 = hidden2 > 0.0
    features = np.where(on2, hidden2, 0.0).reshape(-1, batch)
    features_dot = np.where(on2, hidden2_dot, 0.0).reshape(-1, batch)
    hidden3 = 1.0 / (1.0 + np.exp(-(w3 @ features + params["bias1"])))
    slope = hidden3 * (1.0 - hidden3)
    hidden3_dot = slope * (w3_dot @ features + w3 @ features_dot + dots["bias1"])
    scores = w4 @ hidden3 + params["bias2"]
    scores_dot = w4_dot @ hidden3 + w4 @ hidden3_dot + dots["bias2"]
    exps = np.exp(scores - np.max(scores, axis=0))
    p = exps / np.sum(exps, axis=0)

    bar: Params = {}
    g = (p - targets) / batch
    g_dot = p * (scores_dot - np.sum(p * scores_dot, axis=0)) / batch
    bar["weight2"] = g_dot @ hidden3.T + g @ hidden3_dot.T
    bar["bias2"] = _total(g_dot)
    h = w4.T @ g
    h_dot = w4_dot.T @ g + w4.T @ g_dot
    g = h * slope
    g_dot = h_dot * slope + h * (hidden3_dot * (1.0 - 2.0 * hidden3))
    bar["weight1"] = g_dot @ features.T + g @ features_dot.T
    bar["bias1"] = _total(g_dot)
    h = (w3.T @ g).reshape(hidden2.shape)
    h_dot = (w3_dot.T @ g + w3.T @ g_dot).reshape(hidden2.shape)
    g, g_dot = h * on2, h_dot * on2
    bar["filters2"] = g_dot @ columns2.T + g @ columns2_dot.T
    bar["filter_bias2"] = _total(g_dot)
    g_dot = col2im(f2_dot.T @ g + f2.T @ g_dot, hidden1.shape)
    g_dot = g_dot.reshape(on1.shape) * on1
    bar["filters1"] = g_dot @ columns1.T
    bar["filter_bias1"] = _total(g_dot)
    return bar
