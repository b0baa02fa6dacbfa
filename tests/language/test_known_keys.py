"""Dicts picked from a dict by its keys, and arms that teach the kinds of others."""

import random

import numpy as np
import pytest

import sourcegrad as sg


def peak(height, width):
    return height * np.exp(-1.0 / width**2)


def by_prefix(p):
    own = {k[3:]: v for k, v in p.items() if k.startswith("g1_")}
    rest = {k[3:]: v for k, v in p.items() if not k.startswith("g1_") and len(k) > 3}
    return peak(**own) + 2.0 * peak(**rest)


def by_membership(p):
    wanted = ("g1_height", "g2_width")
    q = {k.split("_")[1]: v * v for k, v in p.items() if k in wanted and v is not None}
    return peak(**q)


def renamed(p):
    q = {"x_" + k: v for k, v in p.items() if k[0] == "g" and k != "g1_width"}
    return q["x_g1_height"] * q["x_g2_width"] + len(q) * q["x_g2_height"]


def by_value(p):  # the condition is known only at run time
    q = {k: v for k, v in p.items() if v > 0.5}
    return sum(v**2 for v in q.values())


P = {"g1_height": 0.4, "g1_width": 0.8, "g2_height": 1.1, "g2_width": 1.6}


@pytest.mark.parametrize("f", [by_prefix, by_membership, renamed, by_value])
def test_dict_picked_by_its_keys(f):
    got = sg.grad(f)(P)
    pulled = sg.vjp(f, P)[1](1.0)[0]
    for key in P:
        up, down = ({**P, key: P[key] + h} for h in (1e-6, -1e-6))
        want = (f(up) - f(down)) / 2e-6
        assert np.isclose(got[key], want, rtol=1e-6, atol=1e-8)
        assert np.isclose(pulled[key], want, rtol=1e-6, atol=1e-8)
        dots = {k: float(k == key) for k in P}
        assert np.isclose(sg.jvp(f, (P,), (dots,))[1], want, rtol=1e-6, atol=1e-8)


class Dense:
    def __init__(self, w):
        self.w = w

    def weights(self):
        return [self.w, self.w * 2.0]


class Scale:
    def __init__(self, by):
        self.by = by


def weights_of_some(x):
    layers = [Dense(x), Scale(3.0 * x), Dense(x * x)]
    total = sum(w**2 for la in layers if isinstance(la, Dense) for w in la.weights())
    return total * sum([la.by for la in layers if not isinstance(la, Dense)])


def test_items_picked_by_their_class():
    f, h = weights_of_some, 1e-6
    want = (f(0.8 + h) - f(0.8 - h)) / (2 * h)
    assert np.isclose(sg.grad(f)(0.8), want, rtol=1e-7)
    assert np.isclose(sg.vjp(f, 0.8)[1](1.0)[0], want, rtol=1e-7)
    assert np.isclose(sg.jvp(f, (0.8,), (1.0,))[1], want, rtol=1e-7)


def chain_in_a_dict(x, parents):
    frames = {}
    for k, parent in enumerate(parents):
        local = np.eye(2) * x[k] + np.array([[0.0, x[k] ** 2], [0.0, 0.0]])
        frames[k] = local if parent < 0 else frames[parent].dot(local)
    return sum(frame.sum() for frame in frames.values())


def chain_in_a_list(x, parents):
    frames = []
    for k, parent in enumerate(parents):
        local = np.array([np.cos(x[k]), np.sin(x[k])])
        frames.append(frames[parent].take([1, 0]) * local if parent >= 0 else local)
    return sum(frame.sum() for frame in frames)


@pytest.mark.parametrize("f", [chain_in_a_dict, chain_in_a_list])
def test_arm_that_reads_what_the_other_makes(f):
    x, parents = np.array([0.5, 0.8, 1.3, 0.2]), [-1, 0, 0, 2]
    want = [(f(x + h, parents) - f(x - h, parents)) / 2e-6 for h in 1e-6 * np.eye(4)]
    assert np.allclose(sg.grad(f)(x, parents), want, rtol=1e-6)
    assert np.allclose(sg.vjp(f, x, parents)[1](1.0)[0], want, rtol=1e-6)
    assert np.isclose(sg.jvp(f, (x, parents), (np.ones(4), None))[1], np.sum(want))


def noisy(x, seed):
    generator = random.Random(seed)
    return x * generator.random() + x * generator.choice([1.0, 2.0])


def test_seed_of_a_generator_among_the_primals():
    value, pullback = sg.vjp(noisy, 1.5, 3)
    assert value == noisy(1.5, 3)
    assert np.isclose(pullback(1.0)[0], noisy(1.0, 3))
