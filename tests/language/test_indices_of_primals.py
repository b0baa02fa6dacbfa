"""Indices made of an int that is one of the primals: inactive, whatever made them."""

import numpy as np
import pytest

import sourcegrad as sg

K = np.array([1.0, 2.0, 3.0, 1.5])


def ends(k, n):
    inner = np.arange(1, n)
    return k[inner].sum() * k[np.array([0, n - 1])].prod()


def block(k, n):
    stiffness = np.diag(k) + 0.1 * np.outer(k, k)
    free = np.arange(1, n)
    moved = np.zeros(n)
    moved[free] = np.linalg.solve(stiffness[np.ix_(free, free)], np.ones(n - 1))
    return moved @ moved


def rolled(k, n):
    order = np.concatenate([np.roll(np.arange(n), 1), [0]])
    odd = np.flatnonzero(np.arange(n) % 2)
    late = np.nonzero(np.arange(n) > 1)
    return k[order].prod() + k[odd].sum() + (k[late] ** 2).sum()


def stored(k, n):
    y = k * 1.0
    y[np.array([0, n - 1])] *= k[np.array([n - 1, 1])]
    return (y * y).sum()


@pytest.mark.parametrize("f", [ends, block, rolled, stored])
def test_pullback_with_a_size_among_the_primals(f):
    steps = 1e-6 * np.eye(4)
    want = [(f(K + h, 4) - f(K - h, 4)) / 2e-6 for h in steps]
    value, pullback = sg.vjp(f, K, 4)
    assert value == f(K, 4)
    k_bar, n_bar = pullback(1.0)
    assert np.allclose(k_bar, want, rtol=1e-6, atol=1e-8)
    assert n_bar == 0.0
    assert np.allclose(sg.grad(f)(K, 4), want, rtol=1e-6, atol=1e-8)
    assert np.isclose(sg.jvp(f, (K, 4), (K, None))[1], want @ K, rtol=1e-6)
