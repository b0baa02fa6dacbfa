"""Loops along active sequences and what iterators give beside them: generators with and
without an end, files, sets, views of dicts, iterators that are read on afterwards."""

import io
import itertools
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from tests.language.judged import check


def fractions_of_one():
    k = 0
    while True:
        k += 1
        yield 1.0 / k


def halves(v, n):
    for _ in range(n):
        yield v
        v = v / 2


def generator_first(xs):
    s = 0.0
    for e, a in zip(halves(0.42, 5), xs):
        s += a * a * e
    return s


def generator_without_end(xs):
    s = 0.0
    for a, e in zip(xs, fractions_of_one()):
        s += a * a * e
    return s


def generator_without_end_first(xs):
    s = 0.0
    for e, a in zip(fractions_of_one(), xs):
        s += a * a * e
    return s


def iterator_read_on(xs):
    s, it = 0.0, iter([1.0, 2.0, 3.0, 4.0, 5.0])
    for a, e in zip(xs, it):
        s += a * e
    return s + next(it) * xs[0]


def iterator_first_read_on(xs):
    s, it = 0.0, iter([1.0, 2.0, 3.0, 4.0, 5.0])
    for e, a in zip(it, xs):
        s += a * e
    return s + next(it) * xs[0]


def lines_of_a_file(xs):
    s = 0.0
    for i, (a, line) in enumerate(zip(xs, io.StringIO("1.0\n2.0\n3.5\n"))):
        s += a * a * float(line) * i
    return s


def a_set(xs):
    s = 0.0
    for a, k in zip(xs, {3.0}):
        s += a * a * k
    return s


def views_of_a_dict(xs):
    weights, s = {"a": 1.0, "b": 2.0}, 0.0
    for (_, v), a in zip(weights.items(), xs):
        s += v * a * a
    for a, k in zip(xs, weights):
        s += a * weights[k]
    for a, _, v in zip(xs, weights.keys(), weights.values()):
        s += a * v
    return s


def map_of_text(xs):
    return sum(a * a * w for a, w in zip(xs, map(float, ["1", "2", "3"])))


def expression_that_is_named(xs):
    pairs = (a * w for a, w in zip(xs, (float(t) for t in "1 2 3".split())))
    return sum(pairs) * xs[0]


def left_early(xs):
    s = 0.0
    for a, b, w in zip(xs, xs[1:], fractions_of_one()):
        if w < 0.4:
            break
        s += a * b * w
    else:
        s *= 2
    return s


def strictly(xs):
    s = 0.0
    for a, w in zip(xs, (k for k in (1.0, 2.0, 3.0)), strict=True):
        s += a * a * w
    return s


def stores_beside_a_generator(xs):
    out = np.zeros(3)
    for i, (a, w) in enumerate(zip(xs, fractions_of_one())):
        out[i] = a * a * w * i
    return out.sum()


def numbered_generator(xs):
    s = 0.0
    for a, (i, w) in zip(xs, enumerate(fractions_of_one())):
        s += a * a * w * i
    return s


def of_itertools(xs):
    s = 0.0
    for a, w in zip(xs, itertools.chain([1.0], fractions_of_one())):
        s += a * a * w
    for a, w in zip(xs, itertools.islice(fractions_of_one(), 1, 3)):
        s += a * w
    for a, w in zip(reversed(xs), filter(None, [0.0, 1.0, 2.0])):
        s += a * a * w
    return s


def round_and_round(xs):
    s = sum(a * b for a, b in zip(itertools.cycle([xs[0], xs[0] * xs[1]]), xs))
    for w, a in zip([1.0, 2.0, 3.0], itertools.cycle([xs[0], xs[2]])):
        s += w * a * a
    return s


PROGRAMS = [
    round_and_round,
    generator_first,
    generator_without_end,
    generator_without_end_first,
    iterator_read_on,
    iterator_first_read_on,
    lines_of_a_file,
    a_set,
    views_of_a_dict,
    map_of_text,
    expression_that_is_named,
    left_early,
    strictly,
    stores_beside_a_generator,
    numbered_generator,
    of_itertools,
]
XS = np.array([1.1, 0.7, 1.9])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_along_an_array(f):
    check(f, XS)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_along_a_list(f):
    slopes = [
        sum(c * (f([*XS[:k], XS[k] + h, *XS[k + 1 :]])) for c, h in _STENCIL) / 12e-3
        for k in range(3)
    ]
    assert_allclose(sourcegrad.grad(f)(list(XS)), slopes, rtol=1e-8, atol=1e-8)


_STENCIL = ((1.0, -2e-3), (-8.0, -1e-3), (8.0, 1e-3), (-1.0, 2e-3))


def test_what_an_iterator_gives_keeps_the_user_s_name():
    text = sourcegrad.gradient_source(generator_first, 0, XS)
    assert re.search(r"for e, i in zip\(\w+, range\(len\(xs\)\)\):", text)
