"""The log posterior of a Gaussian mixture with a Wishart prior."""

from __future__ import annotations

import math

import numpy as np


def log_gamma_distrib(a, p):
    out = 0.25 * p * (p - 1) * math.log(math.pi)
    for j in range(1, p + 1):
        out += math.lgamma(a + 0.5 * (1 - j))
    return out


def log_wishart_prior(d, k, gamma, m, sum_q, q_diagonal, lower):
    dof = d + m + 1
    const = dof * d * np.log(gamma / np.sqrt(2)) - log_gamma_distrib(0.5 * dof, d)
    frobenius = np.sum(q_diagonal**2) + np.sum(lower**2)
    return 0.5 * gamma**2 * frobenius - m * np.sum(sum_q) - k * const


def logsumexp(x, axis=None):
    top = np.max(x, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(x - top), axis=axis)) + np.squeeze(top, axis=axis)


def whole(alpha, mu, q, l, x, gamma, m):
    n, d = x.shape
    k = len(alpha)
    diagonal = np.exp(q)
    lower = np.zeros((k, d, d))
    columns, rows = np.triu_indices(d, 1)
    lower[:, rows, columns] = l
    lower[:, np.arange(d), np.arange(d)] = diagonal
    centred = x[:, None, :] - mu
    scaled = np.einsum("kab,nkb->nka", lower, centred)
    beta = alpha + q.sum(axis=1) - 0.5 * np.sum(scaled**2, axis=2)
    fit = logsumexp(beta, axis=1).sum() - n * (
        0.5 * d * np.log(2 * np.pi) + logsumexp(alpha)
    )
    return fit - log_wishart_prior(d, k, gamma, m, q.sum(1), diagonal, l)


def component(log_diagonal, below):
    d = len(log_diagonal)
    out = np.diag(np.exp(log_diagonal))
    at = 0
    for j in range(d):
        out[j + 1 :, j] = below[at : at + d - j - 1]
        at += d - j - 1
    return out


def by_component(alpha, mu, q, l, x, gamma, m):
    n, d = x.shape
    k = len(alpha)
    factors = [component(q[j], l[j]) for j in range(k)]
    beta = np.stack(
        [
            alpha[j] + np.sum(q[j]) - 0.5 * np.sum(((x - mu[j]) @ factors[j].T) ** 2, 1)
            for j in range(k)
        ],
        axis=1,
    )
    top = beta.max(axis=1)
    fit = np.sum(top + np.log(np.exp(beta - top[:, None]).sum(axis=1)))
    norm = n * (0.5 * d * math.log(2 * math.pi) + logsumexp(alpha))
    frobenius = sum(np.linalg.norm(factor) ** 2 for factor in factors)
    dof = d + m + 1
    const = k * (
        dof * d * math.log(gamma / math.sqrt(2)) - log_gamma_distrib(dof / 2, d)
    )
    return fit - norm + const - 0.5 * gamma**2 * frobenius + m * np.sum(q)


def log_sum_exp(v):
    top = v[0]
    for i in range(len(v)):
        if v[i] > top:
            top = v[i]
    total = 0.0
    for i in range(len(v)):
        total += math.exp(v[i] - top)
    return top + math.log(total)


def element_by_element(alpha, mu, q, l, x, gamma, m):
    n, d = x.shape
    k = alpha.shape[0]
    beta = np.zeros(k)
    centred = np.zeros(d)
    total = 0.0
    for i in range(n):
        for j in range(k):
            for a in range(d):
                centred[a] = x[i, a] - mu[j, a]
            norm = 0.0
            for a in range(d):
                entry = math.exp(q[j, a]) * centred[a]
                for b in range(a):
                    entry += l[j, b * d - b * (b + 1) // 2 + a - b - 1] * centred[b]
                norm += entry * entry
            sum_q = 0.0
            for a in range(d):
                sum_q += q[j, a]
            beta[j] = alpha[j] + sum_q - 0.5 * norm
        total += log_sum_exp(beta)
    total -= n * (0.5 * d * math.log(2.0 * math.pi) + log_sum_exp(alpha))
    dof = d + m + 1
    const = 0.25 * d * (d - 1) * math.log(math.pi)
    for j in range(1, d + 1):
        const += math.lgamma(0.5 * dof + 0.5 * (1 - j))
    total += k * (dof * d * math.log(gamma / math.sqrt(2.0)) - const)
    for j in range(k):
        for a in range(d):
            total -= 0.5 * gamma * gamma * math.exp(q[j, a]) ** 2
            total += m * q[j, a]
        for a in range(l.shape[1]):
            total -= 0.5 * gamma * gamma * l[j, a] ** 2
    return total


WHOLE = (whole, by_component)
LOOPS = (element_by_element,)
