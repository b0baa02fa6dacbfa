"""Lists of arrays are released before the reverse sweep."""

import tracemalloc

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right, text


def windows(x):
    parts = []
    for i in range(3):
        parts.append(x[i : i + 4] * 2.0)
    return np.sum(np.tanh(np.stack(parts)))


def test_a_list_that_is_done_with_is_deleted():
    x = np.random.default_rng(0).normal(size=8)
    assert "    del parts\n" in text(windows, x)
    assert_right(windows, x)


def test_a_list_that_is_read_again_is_kept():
    def f(x):
        parts = []
        for i in range(3):
            parts.append(np.exp(x[i]))
        total = 0.0
        for i in range(3):
            total = total + parts[i] * parts[i]
        return total

    x = np.array([0.1, 0.2, 0.3])
    assert "del parts" not in text(f, x)
    assert_right(f, x)


def test_lists_of_numbers_and_returned_lists_stay():
    def numbers(x):
        parts = []
        for i in range(3):
            parts.append(x[i] * 2.0)
        return np.sum(np.array(parts) * x[:3])

    assert "del" not in text(numbers, np.ones(4))

    def aux(x):
        parts = []
        for i in range(3):
            parts.append(x * i)
        return np.sum(np.sin(x)), parts

    f = sourcegrad.value_and_grad(aux, has_aux=True)
    value, gradient, parts = f(np.zeros(2))
    assert (value, gradient.tolist(), len(parts)) == (0.0, [1.0, 1.0], 3)


def test_memory_goes_down():
    def f(x):
        parts = []
        for _ in range(8):
            parts.append(x * 2.0)
        return np.sum(np.tanh(np.stack(parts)))

    x = np.zeros(20000)
    compiled = sourcegrad.grad(f).compiled(x)
    compiled(x)
    tracemalloc.start()
    try:
        compiled(x)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Three of eight: with the list it would be four.
    assert peak < 26 * x.nbytes
