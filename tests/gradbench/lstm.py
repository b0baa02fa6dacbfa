"""A character model: long short-term memory with elementwise weights."""

from __future__ import annotations

import math

import numpy as np


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def layer(weight, bias, hidden, cell, x):
    gates = np.concatenate((x, hidden, x, hidden)) * weight + bias
    forget, take, out, change = np.split(gates, 4)
    cell = cell * sigmoid(forget) + sigmoid(take) * np.tanh(change)
    return sigmoid(out) * np.tanh(cell), cell


def predict(main, extra, state, x):
    x = x * extra[0]
    new_state = []
    for i in range(0, len(state), 2):
        hidden, cell = layer(main[i], main[i + 1], state[i], state[i + 1], x)
        new_state += [hidden, cell]
        x = hidden
    return x * extra[1] + extra[2], new_state


def objective(main, extra, state, sequence):
    total = 0.0
    count = 0
    state = list(state)
    for t in range(len(sequence) - 1):
        y, state = predict(main, extra, state, sequence[t])
        normalised = y - np.log(2 + np.sum(np.exp(y)))
        total += np.sum(sequence[t + 1] * normalised)
        count += len(y)
    return -total / count


def in_place(main, extra, state, sequence):
    b = extra.shape[1]
    state = state.copy()
    loss = 0.0
    for now, following in zip(sequence[:-1], sequence[1:]):
        x = now * extra[0]
        for i in range(len(state) // 2):
            w, bias = main[2 * i], main[2 * i + 1]
            hidden, cell = state[2 * i], state[2 * i + 1]
            forget = sigmoid(x * w[:b] + bias[:b])
            take = sigmoid(hidden * w[b : 2 * b] + bias[b : 2 * b])
            out = sigmoid(x * w[2 * b : 3 * b] + bias[2 * b : 3 * b])
            change = np.tanh(hidden * w[3 * b :] + bias[3 * b :])
            cell = cell * forget + take * change
            hidden = out * np.tanh(cell)
            state[2 * i] = hidden
            state[2 * i + 1] = cell
            x = hidden
        y = x * extra[1] + extra[2]
        loss += following @ (y - np.log(2 + np.exp(y).sum()))
    return -loss / ((len(sequence) - 1) * b)


def reshaped(main, extra, state, sequence):
    layers = len(main) // 2
    b = extra.shape[1]
    weights = main.reshape(layers, 2, 4, b)
    hiddens, cells = state[::2].copy(), state[1::2].copy()
    loss = 0.0
    for t in range(sequence.shape[0] - 1):
        x = sequence[t] * extra[0]
        for i in range(layers):
            (wf, wi, wo, wc), (bf, bi, bo, bc) = weights[i]
            cells[i] = cells[i] * sigmoid(x * wf + bf) + sigmoid(
                hiddens[i] * wi + bi
            ) * np.tanh(hiddens[i] * wc + bc)
            hiddens[i] = sigmoid(x * wo + bo) * np.tanh(cells[i])
            x = hiddens[i]
        y = x * extra[1] + extra[2]
        loss -= np.dot(sequence[t + 1], y - np.log(2.0 + np.sum(np.exp(y))))
    return loss / (t + 1) / b


def logistic(v):
    return 1.0 / (1.0 + math.exp(-v))


def element_by_element(main, extra, state, sequence):
    c, b = sequence.shape
    layers = main.shape[0] // 2
    state = state.copy()
    x = np.zeros(b)
    y = np.zeros(b)
    loss = 0.0
    for t in range(c - 1):
        for j in range(b):
            x[j] = sequence[t, j] * extra[0, j]
        for i in range(layers):
            for j in range(b):
                h = state[2 * i, j]
                forget = logistic(x[j] * main[2 * i, j] + main[2 * i + 1, j])
                take = logistic(h * main[2 * i, b + j] + main[2 * i + 1, b + j])
                out = logistic(
                    x[j] * main[2 * i, 2 * b + j] + main[2 * i + 1, 2 * b + j]
                )
                change = math.tanh(
                    h * main[2 * i, 3 * b + j] + main[2 * i + 1, 3 * b + j]
                )
                cell = state[2 * i + 1, j] * forget + take * change
                h = out * math.tanh(cell)
                state[2 * i, j] = h
                state[2 * i + 1, j] = cell
                x[j] = h
        total = 2.0
        for j in range(b):
            y[j] = x[j] * extra[1, j] + extra[2, j]
            total += math.exp(y[j])
        for j in range(b):
            loss += sequence[t + 1, j] * (y[j] - math.log(total))
    return -loss / ((c - 1) * b)


WHOLE = (objective, in_place, reshaped)
LOOPS = (element_by_element,)
