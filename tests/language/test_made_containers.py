"""Arrays that a call put into a list or tuple, and that receive active values later."""

import linecache
import types

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

X = np.random.default_rng(3).uniform(0.5, 1.5, 4)


def two_buffers():
    return [np.zeros(2), np.zeros(2)]


def buffers(n):
    return [np.zeros(2) for _ in range(n)]


def pair():
    return np.zeros(2), np.zeros(2)


def overlapping(n):
    whole = np.zeros(n)
    return whole, whole[1:]


def overlapping_list():
    whole = np.zeros(4)
    return [whole, whole[1:]]


def split_by_a_library(x):
    y = np.split(np.zeros(4), 2)
    y[1] += x[:2]
    y[0] += x[2:] * x[0]
    return np.sum(np.concatenate(y) ** 2)


def rows_of_an_array(x):
    y = list(np.zeros((2, 2)))
    y[1] += x[:2]
    y[0] += x[2:] * x[0]
    return np.sum(np.concatenate(y) ** 2)


def list_of_a_callee(x):
    y = two_buffers()
    y[1] += x[:2]
    y[0][1] = x[3] * x[0]
    return np.sum(np.concatenate(y) ** 2)


def comprehension_of_a_callee(x):
    y = buffers(3)
    y[1] += x[:2]
    y[2][:] = x[2:] * x[0]
    return np.sum(np.concatenate(y) ** 2)


def tuple_of_a_callee(x):
    y = pair()
    y[1][:] = x[:2]
    y[0][0] = x[2] * x[0]
    return np.sum(np.concatenate(y) ** 2)


def callee_whose_results_share_memory(x):
    a, b = overlapping(4)
    a[:] = x * x
    b[0] = x[3]
    return np.sum(a * x) + np.sum(b**2)


def tuple_whose_items_share_memory(x):
    y = overlapping(4)
    y[1][:] = x[1:] ** 2
    return np.sum(y[0] * x)


def list_whose_items_share_memory(x):
    y = overlapping_list()
    y[1][:] = x[1:] ** 2
    return np.sum(y[0] * x)


def copies_by_a_comprehension(x):
    pieces = np.broadcast_arrays(np.zeros(2), np.zeros(2))
    y = [piece.copy() for piece in pieces]
    y[0] += x[:2] ** 2
    return np.sum(y[0] * x[2:])


def loop_over_what_a_call_made(x):
    y = np.split(np.ones(4), 2)
    for part in y:
        part *= x[:2]
    return np.sum(y[0] * y[1])


def parts_of_an_array_of_the_program(x):
    whole = np.zeros(4)
    for part in np.split(whole, 2):
        part[:] = x[:2] ** 2
    return np.sum(whole * x)


PROGRAMS = [
    split_by_a_library,
    rows_of_an_array,
    list_of_a_callee,
    comprehension_of_a_callee,
    tuple_of_a_callee,
    callee_whose_results_share_memory,
    tuple_whose_items_share_memory,
    list_whose_items_share_memory,
    copies_by_a_comprehension,
    loop_over_what_a_call_made,
    parts_of_an_array_of_the_program,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_stored_there_counts(f):
    check(f, X)


def nested(x, n):
    y = []
    for _ in range(n):
        y.append([np.zeros(2)])
    y[0][0][1] += x[1] ** 2
    return np.sum(y[0][0])


def test_an_array_two_lists_deep_counts_or_is_refused():
    with pytest.raises(sourcegrad.SourcegradError, match="must be kept apart"):
        sourcegrad.grad(nested)(X, 2)
    _, moved = sourcegrad.jvp(nested, (X, 2), (np.ones(4), None))
    assert moved == pytest.approx(2 * X[1])


def rows_of_lists(n):
    return [[np.zeros(2), np.zeros(2)] for _ in range(n)]


def loop_over_lists_in_a_list(x, n):
    y = [np.split(np.zeros(4), 2) for _ in range(n)]
    for row in y:
        for part in row:
            part += x[:2]
    return np.sum(y[1][0] ** 2)


def tuples_in_a_list(x, n):
    y = [(np.zeros(2), np.zeros(2)) for _ in range(n)]
    y[1][0][:] = x[:2]
    return np.sum(y[1][0] ** 2)


def lists_of_a_callee(x, n):
    y = rows_of_lists(n)
    y[1][0] += x[:2]
    return np.sum(y[1][0] ** 2)


@pytest.mark.parametrize(
    "f", [loop_over_lists_in_a_list, tuples_in_a_list, lists_of_a_callee]
)
def test_deep_containers_are_refused_rather_than_lost(f):
    with pytest.raises(sourcegrad.SourcegradError):
        sourcegrad.grad(f)(X, 2)


# ---------------------------------------------------- calls with a star before a list


def product(a, b):
    return np.sum(a * b**2)


def computed_place(x, k):
    def wrapped(*args):
        args = list(args)
        args[k] = args[k] * 2
        return product(*args)

    return wrapped(x, x + 1)


def list_that_grew(x, n):
    args = []
    for k in range(n):
        args.append(x * (k + 1))
    return product(*args) + np.sum(np.multiply(*args))


def beside_another(x, n):
    rest = [x * (k + 1) for k in range(n)]
    return (lambda a, b, c: np.sum(a * b**2 + c))(x, *rest)


def pairs_of_a_list(x, n):
    pairs = [(x[k], x[k + 1]) for k in range(n)]
    return sum([product(*p) for p in pairs])


@pytest.mark.parametrize(
    ("f", "n"),
    [
        (computed_place, 0),
        (computed_place, 1),
        (list_that_grew, 2),
        (beside_another, 2),
        (pairs_of_a_list, 3),
    ],
)
def test_a_star_before_a_list_of_the_run_time(f, n):
    check(lambda x: f(x, n), X)


def test_too_many_operands_are_an_error():
    with pytest.raises(ValueError, match="unpack"):
        sourcegrad.grad(lambda x: product(*[x * k for k in range(int(x[0]) + 3)]))(X)


# ------------------------------------------------------------ slices that are objects


def numbers_by_a_slice(x, part):
    values = [x[0], x[1] * x[0], x[2] ** 2, x[3]]
    return sum(values[part]) + values[part][0] ** 2


def slice_with_a_name(x):
    values = [x[0], x[1] * x[0], x[2] ** 2, x[3]]
    tail = slice(1, None)
    return sum(values[tail])


def slice_in_place(x):
    values = list(x)
    return sum(v * k for k, v in enumerate(values[slice(None, None, -1)]))


def arrays_by_a_slice(x):
    parts = [x * 1, x * x, x**3]
    tail = slice(1, None)
    return sum(np.sum(p**2) for p in parts[tail])


def argument_between_bounds(values, n):
    return sum(values[n:]) ** 2


@pytest.mark.parametrize(
    "part", [slice(1, None), slice(None, 2), slice(None, None, 2), slice(-1, 0, -1)]
)
def test_a_slice_given_as_an_argument(part):
    check(lambda x: numbers_by_a_slice(x, part), X)
    got = sourcegrad.grad(numbers_by_a_slice)(X, part)
    want = sourcegrad.grad(lambda x: numbers_by_a_slice(x, part))(X)
    assert got == pytest.approx(want)


@pytest.mark.parametrize("f", [slice_with_a_name, slice_in_place, arrays_by_a_slice])
def test_a_slice_made_by_the_program(f):
    check(f, X)


def test_a_list_argument_between_computed_bounds():
    got = sourcegrad.grad(argument_between_bounds)([1.0, 2.0, 4.0], 1)
    assert got == [0.0, 12.0, 12.0]


def test_a_tuple_between_computed_bounds_is_refused():
    with pytest.raises(sourcegrad.SourcegradError, match="slice of a tuple"):
        sourcegrad.grad(argument_between_bounds)((1.0, 2.0, 4.0), 1)


def test_the_slope_of_a_slope_where_a_slice_is_an_object():
    def along(x):
        return sourcegrad.grad(arrays_by_a_slice)(x)

    _, moved = sourcegrad.jvp(along, (X,), (np.ones(4),))
    assert moved == pytest.approx(12 * X**2 + 30 * X**4)  # of x^4 + x^6


# -------------------------------------------------- subscripts known at run time only

PRODUCT = "ij,jk->ik"
CHOSEN = {"turned": "ij,kj->ik"}


class Contraction:
    def __init__(self, subscripts):
        self.subscripts = subscripts

    def __call__(self, a, b):
        return np.einsum(self.subscripts, a, b)


def einsum_of_globals(a, b):
    return np.einsum(PRODUCT, a, b) * np.einsum(CHOSEN["turned"], a, b)


def einsum_of_a_loop(a, b):
    total = np.zeros((3, 3))
    for subscripts in (PRODUCT, "ij,kj->ik"):
        total = total + np.einsum(subscripts, a, b) ** 2
    return total


def einsum_of_letters(a, b, letter):
    return np.einsum(f"i{letter},{letter}j->ij", a, b)


def einsum_of_an_object(a, b):
    return Contraction("ij,kj->ik")(a, b)


@pytest.mark.parametrize(
    "f", [einsum_of_globals, einsum_of_a_loop, einsum_of_an_object]
)
def test_subscripts_from_elsewhere(f):
    a, b = np.random.default_rng(0).normal(size=(2, 3, 3))
    check(f, a, b)


def test_subscripts_given_as_an_argument():
    a, b = np.random.default_rng(0).normal(size=(2, 3, 3))
    check(lambda a, b: einsum_of_letters(a, b, "k"), a, b)
    got = sourcegrad.grad(lambda *x: np.sum(einsum_of_letters(*x)), 1)(a, b, "k")
    assert got == pytest.approx(a.T @ np.ones((3, 3)))


# --------------------------------------------------- functions without a module's name

TEXT = """
import numpy as np

class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

def helper(x):
    return np.sin(x) * x

def multiples(x):
    for k in range(3):
        yield k * x

def by_helpers(x):
    return helper(x) + Square(x).area() + sum(multiples(x))

def of_object(square):
    return square.area() * 2
"""


@pytest.fixture
def namespace():
    name = "<functions of no module>"
    linecache.cache[name] = (len(TEXT), None, TEXT.splitlines(True), name)
    space: dict = {}
    exec(compile(TEXT, name, "exec"), space)
    return types.SimpleNamespace(**space)


def test_functions_and_classes_of_a_namespace_without_a_name(namespace):
    assert namespace.helper.__module__ is None
    got = sourcegrad.grad(namespace.by_helpers)(1.3)
    assert got == pytest.approx(np.sin(1.3) + 1.3 * np.cos(1.3) + 2.6 + 3)
    slope = sourcegrad.grad(namespace.of_object)(namespace.Square(1.3))
    assert slope.side == pytest.approx(5.2)
