"""Which object one is: known of objects met by name or place, whether or not they carry
a derivative; refused of one that is several, by the path taken."""

import pytest

from sourcegrad import SourcegradError, grad, jvp, vjp


class Mass:
    def __init__(self, m):
        self.m = m


def same(x, p, q):
    return x * x * (p is q) + x * (p == q) + p.m * x


def in_a_list(x, parts):
    return x * x * (parts[0] is parts[2]) + x * (parts[1] is not parts[0])


def in_trips(x, parts):
    total = 0.0
    for part in parts:
        if part is parts[0]:
            total += x * x
    return total


@pytest.mark.parametrize("argnums", [0, (0, 1)])
def test_objects_among_the_arguments(argnums):
    a, b = Mass(2.0), Mass(2.0)

    def by_x(f, *args):
        found = grad(f, argnums)(*args)
        return found if argnums == 0 else found[0]

    assert by_x(same, 0.5, a, a) == 1.0 + 1.0 + 2.0
    assert by_x(same, 0.5, a, b) == 2.0
    assert by_x(in_a_list, 0.5, [a, b, a]) == 1.0 + 1.0
    assert by_x(in_a_list, 0.5, [a, a, b]) == 0.0
    assert by_x(in_trips, 0.5, [a, b, a]) == 2.0
    assert vjp(in_trips, 0.5, [a, b, a])[1](1.0)[0] == 2.0


def test_objects_built_in_the_function():
    def f(x):
        p, q = Mass(x), Mass(x)
        parts = [p, q, p]
        return x * x * (parts[0] is parts[2]) + x * (q in parts) + x * (p == q)

    assert grad(f)(0.5) == 2.0


def one_path(x):
    p, q = Mass(x), Mass(x)
    r = p if x > 0 else q
    return x * x * (r is p)


def by_its_place(x):
    p, q = Mass(x), Mass(2.0 * x)
    nearest = min([p, q], key=lambda o: o.m)
    return x * x * (nearest == p)


def among_others(x):
    p, q = Mass(x), Mass(x)
    r = p if x > 0 else q
    return x * x * (r in [p, q])


@pytest.mark.parametrize("f", [one_path, by_its_place, among_others])
def test_one_of_several_is_refused(f):
    for run in (grad(f), lambda x: jvp(f, (x,), (1.0,))):
        with pytest.raises(SourcegradError, match="the same one|is another"):
            run(0.5)
