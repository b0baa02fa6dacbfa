"""Lambdas, inner functions and what they capture."""

import functools
import math

import numpy as np

from tests.zoo import case, program


@case(1.3)
@program("lambda", numba=True)
def lambdas(x):
    f = lambda z: z * x
    g = lambda a, b=2.0: f(a) + b * x
    return f(x) * g(x) + (lambda z: z * z)(x)


@case(1.3)
@program("inner function", "capture", numba=True)
def inner_function(x):
    y = x * x

    def g(z):
        t = z * y
        return t + x

    return g(x) * g(2.0)


@case(1.3)
@program("inner function", "late binding")
def late_binding(x):
    scale = x

    def g(z):
        return z * scale

    first = g(x)
    scale = x * x * 3.0
    return first + g(x)


@case(1.3)
@program("lambda", "late binding", "lists")
def lambdas_in_a_loop(x):
    functions = [lambda z: z * x + i for i in range(3)]
    return functions[0](x) * functions[2](1.0)


@case(1.3)
@program("lambda", "default binding", "lists", issue=3)
def lambdas_with_bound_defaults(x):
    functions = [lambda z, k=i: z * x + k for i in range(3)]
    return functions[0](x) * functions[1](1.0) + functions[2](x)


@case(1.3)
@program("nonlocal", issue=3)
def nonlocal_accumulator(x):
    total = x

    def add(z):
        nonlocal total
        total = total * z + 1.0

    add(x)
    add(2.0)
    return total * x


@case(1.3)
@program("nonlocal", "loop", issue=3)
def nonlocal_counter(x):
    count, state = 0, x

    def step():
        nonlocal count, state
        count += 1
        state = state * np.sin(x) + count
        return state

    s = 0.0
    while count < 3:
        s = s + step()
    return s * state


def apply_twice(f, x):
    return f(f(x))


def square(x):
    return x * x


def compose(f, g):
    return lambda x: f(g(x))


@case(1.3)
@program("higher-order function")
def functions_as_arguments(x):
    return (
        apply_twice(square, x)
        + apply_twice(np.sin, x)
        + apply_twice(lambda z: z * x, 2.0)
    )


@case(1.3)
@program("function returned", issue=3)
def composed_function(x):
    h = compose(square, lambda z: z + x)
    return h(x) + compose(h, np.cos)(0.5)


def make_scaled(k):
    def inner(x):
        return np.sin(x) * k + k * x

    return inner


scaled_by_two, scaled_by_five = make_scaled(2.0), make_scaled(5.0)


@case(1.3)
@program("factory", "closures of one factory")
def closures_of_one_factory(x):
    return scaled_by_two(x) * scaled_by_five(x)


for _k, _closure in (("two", scaled_by_two), ("five", scaled_by_five)):
    _closure.__name__ = f"made_by_factory_{_k}"
    case(0.7)(program("factory")(_closure))


@case(1.3)
@program("factory called inside", issue=3)
def factory_called_inside(x):
    f = make_scaled(x)
    return f(x) * f(2.0)


@case(1.3)
@program("functools.partial", issue=3)
def partial_application(x):
    f = functools.partial(lambda a, b, c: a * b + c, x, c=2.0)
    return f(x) * f(3.0)


@case(np.array([0.3, 0.8, 1.7]))
@program("functools.reduce", issue=3)
def reduced(x):
    product = functools.reduce(lambda a, b: a * b, list(x))
    return product + functools.reduce(lambda a, b: a + b * a, x, 1.0)


@case(np.array([0.3, 0.8, 1.7]))
@program("map", "filter", issue=3)
def mapped_and_filtered(x):
    total = sum(map(lambda v: v**2, filter(lambda v: v > 0.5, x)))
    return total * max(map(np.sin, x))


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2.0

    return wrapper


@logged
def decorated_helper(x):
    return x**3


@case(1.3)
@program("decorated callee", issue=3)
def decorated_callee(x):
    return decorated_helper(x) * x


@case(1.3)
@program("decorated function", issue=3)
@logged
def decorated_function(x):
    return x**3


@case(1.3)
@program("recursive inner function", issue=3)
def recursive_inner_function(x):
    def power(n):
        return 1.0 if n == 0 else x * power(n - 1)

    return power(3) + power(2)


@case(1.3)
@program("inner function", "conditional definition", issue=3)
def function_chosen_at_run_time(x):
    if x > 1.0:
        f = lambda z: z * z * x
    else:
        f = np.sin
    table = {"f": f, "g": lambda z: z + x}
    return f(x) * table["g"](x) + table["f"](2.0)


@case(1.3)
@program("inner function", "nested", numba=True)
def doubly_nested_functions(x):
    def outer(a):
        def inner(b):
            return a * b * x

        return inner(a) + inner(x)

    return outer(x * 2.0)


@case(1.3)
@program("lambda", "ternary", numba=True)
def lambda_with_condition(x):
    relu = lambda z: z if z > 0 else 0.0
    return relu(x) * relu(x - 1.0) + relu(-x)


BINDING = 3.0


@case(1.3)
@program("global variable", numba=True)
def reads_a_global(x):
    return x * BINDING + square(x) * BINDING


@case(1.3)
@case(-0.4)
@program("ternary", "function chosen at run time")
def library_function_chosen(x):
    f = math.tanh if x > 0.3 else np.sin
    g = np.cos if 0.5 > 0.1 else np.exp
    return f(x) * g(x)


def activation(slope):
    return lambda v: np.tanh(slope * v)


def powers_of(scale):
    def square(v):
        return scale * v * v

    def cube(v):
        return scale * v**3

    return square, cube


@case(1.3)
@program("factory called inside", "inactive arguments")
def factories_without_active_arguments(x):
    square, cube = powers_of(0.4)
    layers = [activation(0.8), activation(x)]
    total = sum(f(x) for f in layers)
    return total + square(x) * cube(2.0 * x) + functools.partial(activation, 0.7)()(x)


@case(0.4, 2)
@program("lists", "functions in a loop")
def list_of_functions_in_a_loop(x, n):
    for i in range(n):
        steps = [lambda v: v * x, np.sin]
        scales = [lambda v, k=k: v * k for k in (1.0, i)]
        x = steps[0](x) + steps[1](x) * 0.1 + scales[1](x)
    return x
