"""Results of several parts where the kind of the operand is not known when compiling,
as for the items of a list of arrays of several shapes."""

import numpy as np
import pytest

from sourcegrad import UnsupportedSyntaxError, grad
from tests.language.judged import check

V = np.array([0.3, 0.7, 1.1])
M = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.2]])


def part_by_place(v, m):
    values = [v, m]
    values[1] = values[1] * 2.0
    return np.linalg.slogdet(values[1])[1] * np.sum(values[0])


def unpacked(v, m):
    values = [v, m]
    values[1] = values[1] * 2.0
    sign, log = np.linalg.slogdet(values[1])
    return sign * log * np.sum(values[0])


def part_by_name(v, m):
    values = [v, m]
    values[1] = values[1] * 2.0
    found = np.linalg.slogdet(values[1])
    return found.logabsdet * np.sum(values[0]) + found[1]


def factors(v, m):
    values = [v, m]
    values[1] = values[1] @ values[1].T
    q, r = np.linalg.qr(values[1])
    found = np.linalg.eigh(values[1])
    return np.sum(q * r) + np.sum(found.eigenvalues**2) + np.sum(values[0])


def elementwise_parts(v, m):
    values = [v, m]
    values[0] = values[0] * 2.0
    rest, whole = np.modf(values[0])
    return np.sum(rest**2) + np.sum(whole) + np.sum(values[1])


@pytest.mark.parametrize(
    "f", [part_by_place, unpacked, part_by_name, factors, elementwise_parts]
)
def test_results_of_several_parts(f):
    check(f, V, M)


def test_an_attribute_of_something_unknown_is_refused():
    def f(v, m):
        values = [v, (m, m)]
        values[0] = values[0] * 2.0
        return np.sum(values[1].unheard_of) + np.sum(values[0])

    with pytest.raises(UnsupportedSyntaxError, match="unheard_of"):
        grad(f)(V, M)


def symmetric(f, place):
    def inner(*args, **options):
        args = list(args)
        args[place] = 0.5 * (args[place] + args[place].T)
        return f(*args, **options)

    return inner


def quadratic(v, m, *rest, scale=1.0):
    return v @ m @ v * scale + sum(rest)


def stars_of_a_changed_list(v, m):
    return symmetric(quadratic, 1)(v, m, v[0], scale=v[1])


def stars_into_a_library_function(v, m):
    args = [v]
    args.append(m[0])
    args[0] = args[0] * 2.0
    return np.sum(np.arctan2(*args))


def two_stars_of_a_built_dict(v, m):
    options = {}
    options["m"] = m * 2.0
    options["v"] = v
    return quadratic(**options)


@pytest.mark.parametrize(
    "f",
    [stars_of_a_changed_list, stars_into_a_library_function, two_stars_of_a_built_dict],
)
def test_stars_of_containers_that_change(f):
    check(f, V, M)
