"""From any callable to a plain function, without changing what it computes."""

import functools
import math
import pickle
import time
import types

import numpy as np
import pytest

from sourcegrad import grad
from sourcegrad.errors import SourceUnavailableError, UnsupportedSyntaxError
from sourcegrad.source.find import find, unwrap


class Model:
    __k = 3.0

    def value(self, x):
        return self.__k * x

    @staticmethod
    def shift(x):
        return x + 4

    @classmethod
    def scale(cls, x):
        return cls.__k * x

    def __call__(self, x):
        return x / 9


def call(inner, *args):
    return inner.fn(*inner.args, *args, **inner.kwargs)


def power(x, n, scale=1.0):
    return scale * x**n


def test_bound_method_and_callable_instance():
    model = Model()
    for f in (model.value, model, Model.scale, model.shift):
        inner = unwrap(f)
        assert isinstance(inner.fn, types.FunctionType)
        assert call(inner, 2.0) == f(2.0)
    assert unwrap(model.value).args == (model,)
    assert unwrap(model).fn is Model.__call__
    assert unwrap(staticmethod(power)).fn is power


def test_partials_nest_and_the_outer_one_wins():
    inner = functools.partial(power, 3.0, scale=2.0)
    outer = functools.partial(inner, scale=5.0)
    for f in (inner, outer, functools.partial(Model().value)):
        args = (2,) if f is not None and f.func is power else (2.0,)
        assert call(unwrap(f), *args) == f(*args)
    method = functools.partial(Model().value, 4.0)
    assert call(unwrap(method)) == method()
    assert unwrap(outer).kwargs == {"scale": 5.0}


def test_partial_placeholder_is_refused():
    placeholder = getattr(functools, "Placeholder", None)
    if placeholder is None:
        pytest.skip("Python 3.14 has functools.Placeholder")
    with pytest.raises(UnsupportedSyntaxError):
        unwrap(functools.partial(power, placeholder, 2))


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = f(*args, **kwargs)
        print(time.perf_counter() - start)
        return result

    return wrapper


def direct(f):
    @functools.wraps(f)
    def wrapper(x, n):
        """Passes on what it gets."""
        return f(x, n)

    return wrapper


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2 * f(*args, **kwargs)

    return wrapper


def changed(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        result = f(*args, **kwargs)
        result = result + 1
        return result

    return wrapper


def swapped(f):
    @functools.wraps(f)
    def wrapper(x, n):
        return f(n, x)

    return wrapper


def rebound(f):
    @functools.wraps(f)
    def wrapper(x, n):
        x = x + 1
        return f(x, n)

    return wrapper


def cached(f):
    memory = {}

    @functools.wraps(f)
    def wrapper(*args):
        if args in memory:
            return memory[args]
        return f(*args)

    return wrapper


def retried(f):
    @functools.wraps(f)
    def wrapper(*args):
        try:
            return f(*args)
        except ValueError:
            return f(*args)

    return wrapper


def silent(f):
    @functools.wraps(f)
    def wrapper(*args):
        if args:
            return f(*args)

    return wrapper


@pytest.mark.parametrize("decorator", [logged, direct, functools.lru_cache])
def test_wrapper_that_passes_all_on_is_taken_off(decorator):
    wrapped = decorator(power)
    inner = unwrap(wrapped)
    assert inner.fn is power
    assert inner.skipped == (wrapped,)


@pytest.mark.parametrize(
    "decorator", [doubled, changed, swapped, rebound, cached, retried, silent]
)
def test_wrapper_that_computes_is_itself_the_function(decorator):
    wrapped = decorator(power)
    assert unwrap(wrapped).fn is wrapped


def test_layers_are_taken_off_in_turn():
    f = functools.partial(logged(direct(power)), 3.0)
    inner = unwrap(f)
    assert inner.fn is power
    assert inner.args == (3.0,)
    assert len(inner.skipped) == 3
    assert call(inner, 2) == 9.0


def test_numba_dispatcher():
    numba = pytest.importorskip("numba")
    assert unwrap(numba.njit(power)).fn is power


@pytest.mark.parametrize(
    ("f", "text"),
    [
        (math.floor, "math.floor has no Python source"),
        (np.argmax, "argmax has no Python source"),
        ("abc".upper, "upper has no Python source"),
        (functools.partial(math.floor), "math.floor has no Python source"),
        (Model, "is a class, not a function"),
        (3, "is not a function"),
    ],
)
def test_what_has_no_source_says_why(f, text):
    with pytest.raises(SourceUnavailableError, match=text) as e:
        unwrap(f)
    assert e.value.why
    assert pickle.loads(pickle.dumps(e.value)).message == e.value.message
    if not isinstance(f, types.FunctionType):
        with pytest.raises(SourceUnavailableError):
            find(f)


def test_the_hint_for_compiled_functions_works():
    with pytest.raises(SourceUnavailableError) as e:
        unwrap(math.floor)
    hint = e.value.hints[0].split("  ")[0]
    assert eval(hint)(0.5) == math.floor(0.5)
    assert find(lambda x: math.floor(x)).name == "lambda_"


def doubled(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return f(*a, **k) * 2.0

    return inner


@doubled
def cubed(t, k=2.0):
    return t**3 * k


@doubled
def scaled(a, k):
    return a[0] * k**2


def test_a_wrapper_whose_stars_are_named_as_parameters_of_what_it_wraps():
    assert grad(cubed)(0.5) == pytest.approx(3.0)
    assert grad(cubed, "k")(0.5, k=3.0) == pytest.approx(0.25)
    assert grad(scaled, 1)(np.array([3.0, 1.0]), 2.0) == pytest.approx(24.0)
