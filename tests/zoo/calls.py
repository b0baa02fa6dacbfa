"""Programs that call user functions."""

import numpy as np

from tests.zoo import case, program


def scaled(a, k=2.0):
    return a * k


def polar(r, phi):
    return r * np.cos(phi), r * np.sin(phi)


def power(x, *, exponent=3, shift=0.0):
    return (x + shift) ** exponent


def variadic_product(x, *factors, **options):
    s = x
    for t in factors:
        s = s * t + options.get("bias", 0.0)
    return s


@case(1.3)
@program("calls", "default arguments", "keyword arguments", numba=True)
def calls_of_every_form(x):
    return scaled(x) * scaled(x, x) * scaled(k=x, a=3.0) + scaled(x, k=0.5)


@case(1.3, 0.4)
@program("calls", "several results", argnums=(0, 1), numba=True)
def several_results(r, phi):
    a, b = polar(r, phi)
    c, _ = polar(a, b)
    return a * b + c


@case(1.3)
@program("star arguments")
def star_arguments(x):
    args = (x, 3.0)
    options = {"exponent": 2, "shift": x}
    return scaled(*args) + power(x, **options) + power(x)


@case(1.3)
@program("variadic callee", issue=3)
def variadic_callee(x):
    return variadic_product(x, 2.0, x, bias=x) + variadic_product(x)


@case(1.3, 3)
@case(1.3, 0)
@program("recursion", numba=True)
def recursive_power(x, n):
    if n == 0:
        return x * 1.0
    return recursive_power(x, n - 1) * x + n


@case(0.7, 5)
@case(0.7, 0)
@program("mutual recursion")
def even_part(x, n):
    return x if n == 0 else odd_part(x * 1.1, n - 1) + x


def odd_part(x, n):
    return x * x if n == 0 else even_part(np.sin(x), n - 1)


@case(0.9, 4)
@program("double recursion")
def fibonacci(x, n):
    if n < 2:
        return x**n
    return fibonacci(x, n - 1) + x * fibonacci(x, n - 2)


@case(1.3)
@program("calls in a loop", numba=True)
def calls_in_a_loop(x):
    y = x
    for i in range(4):
        y = scaled(y, 0.5 + 0.1 * i) + scaled(x)
    return y


def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high * x
    return x


@case(1.3)
@case(0.1)
@case(5.0)
@program("callee with early returns", numba=True)
def callee_with_early_returns(x):
    return clamp(x, 0.5, 2.0) * x + clamp(0.1 * x, -1.0, 1.0)


def iterate(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) * x
        if y > 0.9:
            break
    return y


@case(1.3)
@program("callee with a loop", numba=True)
def callee_with_a_loop(x):
    total = 0.0
    for k in range(3):
        total = total + iterate(x * (k + 1) * 0.4, k)
    return total


def unused_argument(x, y):
    return x * x


@case(1.3, 0.4)
@program("unused argument", argnums=(0, 1), numba=True, smooth=True)
def argument_unused_by_the_callee(x, y):
    return unused_argument(x, y) * x


@case(1.3)
@program("nested calls", numba=True)
def nested_calls(x):
    return scaled(scaled(scaled(x, x), x), scaled(x))


def identity_of(x):
    return x


@case(np.array([0.3, 0.8]))
@program("callee returns its argument")
def callee_returns_its_argument(x):
    y = identity_of(x)
    z = identity_of(y) * y
    return np.sum(z * x)


def affine(x, w, b):
    return x @ w + b


def relu(x):
    return np.maximum(x, 0.0)


@case(
    np.array([[0.5, -0.3], [0.2, 0.9]]),
    np.array([[0.4, 0.1], [-0.7, 0.6]]),
    np.array([0.1, 0.2]),
)
@program("network", argnums=(0, 1, 2), analytic=False)
def two_layers(x, w, b):
    hidden = relu(affine(x, w, b))
    return np.mean(affine(hidden, w.T, b) ** 2)


def returns_none(x):
    x * 2.0


@case(1.3)
@program("callee without a result")
def callee_without_a_result(x):
    assert returns_none(x) is None
    return x * x


@case(1.3)
@program("keyword-only", "same name as a global")
def local_shadows_global(x):
    scaled = x * 3.0
    return scaled * x


def constant_callee(n):
    return 2.0 * n


@case(1.3)
@program("inactive call", numba=True)
def inactive_call(x):
    k = constant_callee(3)
    return x * k + constant_callee(1)


def swapped(a, b):
    return b, a


@case(1.3, 0.4)
@program("calls", "swap", argnums=(0, 1), numba=True)
def swap_by_a_call(x, y):
    for _ in range(3):
        x, y = swapped(x * 0.9, y)
    return x * x * y


def depth_first(tree, x):
    if isinstance(tree, tuple):
        left, right = tree
        return depth_first(left, x) * depth_first(right, x) + x
    return tree * x


@case(1.3)
@program("recursion over a structure")
def recursion_over_a_structure(x):
    return depth_first((1.0, ((2.0, 0.5), 3.0)), x)
