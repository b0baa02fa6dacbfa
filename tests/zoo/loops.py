"""Programs with loops."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.3, 0.8, 1.7])


@case(1.1, 3)
@case(1.1, 1)
@case(1.1, 0)
@program("for", "range", "zero trips", numba=True)
def for_range(x, n):
    y = x
    for _ in range(n):
        y = y * np.sin(x) + 0.5
    return y


@case(1.1, 2, 9)
@case(1.1, 9, 2)
@program("for", "range", numba=True)
def ranges_of_every_step(x, lo, hi):
    y = x
    for i in range(lo, hi):
        y = y * 0.9 + x * i
    for i in range(lo, hi, 3):
        y = y * np.cos(x) + i
    for i in range(hi, lo, -2):
        y = y * 0.8 - x / (i + 1)
    return y


@case(1.1, 3)
@case(1.1, -3)
@program("for", "range", numba=True)
def range_with_variable_step(x, step):
    y = 1.0
    for i in range(0, 2 * step, step):
        y = y * x + i
    return y


@case(X.copy())
@program("for", "arrays", numba=True)
def for_over_array(x):
    s = 0.0
    for v in x:
        s = s * v + v * v
    return s


@case(np.arange(6.0).reshape(2, 3) + 0.5)
@program("for", "arrays", numba=True)
def for_over_rows(a):
    y = np.ones(3)
    for row in a:
        y = y * row + np.sin(row)
    return np.sum(y)


@case(1.3)
@program("for", "lists")
def for_over_list(x):
    y = x
    for c in [1.0, x, 2.0 * x]:
        y = y * c + c
    return y


@case(1.3, 0.4)
@program("for", "tuples", argnums=(0, 1))
def for_over_tuples(x, y):
    z = 0.0
    for a, (b, c) in ((x, (y, 1.0)), (y, (x, 2.0))):
        z = z * a + b * c
    return z


@case(X.copy())
@program("for", "enumerate")
def for_enumerate(x):
    s = 1.0
    for i, v in enumerate(x):
        s = s * v + i
    for i, v in enumerate([x[0], x[1]], start=2):
        s = s + v**i
    return s


@case(X.copy(), X * 2.0)
@program("for", "zip", argnums=(0, 1))
def for_zip(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s = s * 0.5 + a * b
    for a, b, c in zip(x, y, [1.0, 2.0]):
        s = s + a * b**c
    return s


@case({"a": 1.3, "b": 0.4})
@program("for", "dict items")
def for_dict_items(d):
    s = 1.0
    for key, v in d.items():
        s = s * v + len(key)
    for v in d.values():
        s = s + v * v
    for key in d:
        s = s * d[key]
    return s


@case(X.copy())
@program("for", "reversed", issue=3)
def for_reversed(x):
    s = 1.0
    for v in reversed(x):
        s = s * v + 1.0
    for i in reversed(range(3)):
        s = s * x[i] + i
    return s


@case(1.3)
@case(60.0)
@program("while", "zero trips", numba=True)
def while_until_large(x):
    y = x
    while y < 50.0:
        y = y * y + 0.1 * x
    return y


@case(2.0)
@program("while", numba=True)
def newton_square_root(a):
    x = a
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x * a


@case(1.3, 4)
@case(1.3, 0)
@program("while", "counter", numba=True)
def while_with_counter(x, n):
    y, i = x, 0
    while i < n:
        i += 1
        y = y * np.sin(x * i)
    return y * (i + 1)


@case(1.1)
@program("nested loops", numba=True)
def two_inner_loops(x):
    y = 0.0
    for j in range(2):
        for i in range(3):
            y += x * (i + 1)
        for i in range(j):
            y = y * 0.9 + x * x
    return y


@case(np.arange(6.0).reshape(2, 3) * 0.3 + 0.1)
@program("nested loops", "reads", numba=True)
def triangular_loop(a):
    s = 1.0
    for i in range(2):
        for j in range(i, 3):
            s = s * np.cos(a[i, j]) + a[i, j - 1] * a[i, j]
    return s


@case(1.3, 3)
@case(1.3, 0)
@program("loop variable after the loop")
def loop_variable_after(x, n):
    k = 10
    y = x
    for k in range(n):
        y = y * x + k
    return y * k


@case(2.0)
@program("loop variable after the loop")
def active_loop_variable_after(x):
    for k in (1.0, x, 3.0 * x):
        y = x**k
    return y * k


@case(1.3)
@program("overwritten loop variable", numba=True)
def overwritten_loop_variable(x):
    y = x
    for i in range(4):
        i = i * 2 + 1
        y = y * 0.5 + x * i
    return y * i


@case(1.3)
@program("overwritten loop variable")
def overwritten_active_loop_variable(x):
    y = 1.0
    for v in (x, 2.0 * x, 0.5):
        v = v * v
        y = y * v + v
    return y * v


@case(1.2)
@program("swap in a loop", numba=True)
def fibonacci_state(x):
    a, b = x, x * x
    for _ in range(6):
        a, b = b, a + b * 0.5
    return a * b


@case(1.2, 3)
@case(1.2, 0)
@program("swap in a loop", numba=True)
def pure_swaps(x, n):
    a, b, c = x, x * x, 2.0
    for _ in range(n):
        a, b, c = b, c, a
    return a * b * b * c + a


@case(1.3, 3)
@program("if in a loop", numba=True)
def if_in_a_loop(x, n):
    y = x
    for i in range(n):
        if y > 1.5:
            y = np.sqrt(y)
        elif i % 2 == 0:
            y = y + 0.3 * x * x
        else:
            y = y * x
    return y


@case(0.9, 1.5, 4)
@case(0.9, 1.5, 0)
@program("used before and after the loop", argnums=(0, 1), numba=True)
def used_before_and_after_loop(x, s, n):
    g = np.sin(x)
    acc = 0.0
    for k in range(n):
        acc = acc + s * np.exp(-k * x)
    return acc * g * g


@case(1.3, 3)
@program("defined in a loop")
def defined_in_the_loop(x, n):
    total = 0.0
    for i in range(n):
        if i == 0:
            last = x
        else:
            total = total + last * x
            last = last * x + i
    return total * last


@case(0.2)
@program("while", "nested loops", numba=True)
def while_in_while(x):
    y = x
    outer = 0
    while outer < 3:
        inner = y
        while inner < 2.0:
            inner = inner * 1.5 + x
        y = y + 0.1 * inner
        outer += 1
    return y


@case(1.3, np.array([2, 0, 1]))
@program("for", "integer arrays", numba=True)
def for_over_integer_array(x, order):
    y = 1.0
    for k in order:
        y = y * x + k
    return y


@case(np.array([0.5, -0.2]), 3)
@program("for", "array state", numba=True)
def array_state(x, n):
    v = x * 1.0
    for i in range(n):
        v = np.tanh(v * x + i * 0.1)
    return np.sum(v * v)


@case(np.array([0.5, -0.2]))
@program("for", "growing array")
def growing_array(x):
    v = x
    for _ in range(3):
        v = np.concatenate((v, np.sin(v[:1]) * x[1:]))
    return np.sum(v * v)


@case(np.array([1.5, 0.2, 3.0]))
@program("while", "vector")
def doubling_of_a_vector(a):
    b = a * 2
    while np.linalg.norm(b) < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c.sum()


@case(1.3, 5)
@program("set of iterations", issue=3)
def for_over_set_and_string(x, n):
    y = x
    for k in sorted({1, n}):
        y = y * x + k
    for letter in "ab":
        y = y * (2.0 if letter == "a" else x)
    return y
