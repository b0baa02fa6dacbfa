"""Where the structure of a program depends on globals, these are guarded by value."""

import math

import pytest

import sourcegrad

COUNT = 2


class Layer:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x


def power_by_layers(w):
    layers = []
    for _ in range(COUNT):
        layers.append(Layer(w))
    x = 1.0
    for layer in layers:
        x = layer(x)
    return x


def test_another_value_of_the_global_is_followed(monkeypatch):
    gradient = sourcegrad.grad(power_by_layers)
    for count in (2, 4, 0, 3, 2):
        monkeypatch.setattr(f"{__name__}.COUNT", count)
        expected = count * 0.7 ** (count - 1) if count else 0.0
        assert gradient(0.7) == pytest.approx(expected)


def made(count):
    def power(w):
        layers = [Layer(w) for _ in range(count)]
        return math.prod(layer(1.0) for layer in layers)

    return power


def test_closures_of_one_factory_keep_their_counts():
    for count in (2, 3, 2, 5):
        expected = count * 0.7 ** (count - 1)
        assert sourcegrad.grad(made(count))(0.7) == pytest.approx(expected)


def test_a_count_among_the_arguments_is_followed():
    def power(w, n):
        layers = []
        for _ in range(n):
            layers.append(Layer(w))
        return math.prod(layer(1.0) for layer in layers)

    for count in (3, 1, 5):
        expected = count * 0.7 ** (count - 1)
        assert sourcegrad.grad(power)(0.7, count) == pytest.approx(expected)
