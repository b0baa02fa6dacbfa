"""Arrays of globals under other names: a store of an active value is refused, and so is
any store where the reverse sweep would read what it left."""

import numpy as np
import pytest

from sourcegrad import SourcegradError, grad, jvp, vjp

A = np.array([1.0, 2.0])
B = np.array([1.0, 2.0])


@pytest.fixture(autouse=True)
def as_they_were():
    A[:] = B[:] = [1.0, 2.0]


def on_one_path(x):
    a = A if x > 0 else B
    a[0] = x
    return A[0] * x


def in_the_second_trip(x):
    a = B
    for _ in range(2):
        a[0] = x
        a = A
    return A[0] * x


def reshaped(x):
    a = A.reshape(2)
    a[0] = x
    return A[0] * x


def by_number(x):
    [A, B][int(x > 0)][0] = x
    return B[0] * x


def doubled_in_place(x):
    a = A[:1]
    a *= x
    return A[0] * x


@pytest.mark.parametrize(
    "f", [on_one_path, in_the_second_trip, reshaped, by_number, doubled_in_place]
)
def test_a_store_of_an_active_value_is_refused(f):
    for run in (grad(f), lambda x: vjp(f, x), lambda x: jvp(f, (x,), (1.0,))):
        with pytest.raises(SourcegradError, match="store of an active value"):
            run(0.7)


def test_a_store_behind_a_read_is_refused():
    def f(x):
        y = A[0] * x
        a = A[:1]
        a[0] = 3.0
        return y

    with pytest.raises(SourcegradError, match="read and written"):
        grad(f)(0.7)


def test_a_log_under_another_name_is_written():
    def f(x):
        log = A.reshape(-1)
        for k in range(2):
            log[k] = 10.0 + k
            x = x * x
        return x

    assert grad(f)(0.7) == pytest.approx(4 * 0.7**3)
    assert A.tolist() == [10.0, 11.0]
