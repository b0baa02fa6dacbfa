"""Recursion that keeps results, changes what it is given, or is handed functions."""

import math

import numpy as np

from tests.zoo import case, program

X = np.array([0.7, 1.9, 0.3, 1.2, 2.4])


def chebyshev(n, x, memo):
    if n in memo:
        return memo[n]
    if n < 2:
        value = 1.0 if n == 0 else x
    else:
        value = 2.0 * x * chebyshev(n - 1, x, memo) - chebyshev(n - 2, x, memo)
    memo[n] = value
    return value


@case(1.3, 6)
@program("memo as an argument", mutation=True)
def memo_handed_along(x, n):
    memo = {}
    return chebyshev(n, x, memo) + memo[2]


def fibonacci(n, x, memo=None):
    if memo is None:
        memo = {}
    if n in memo:
        return memo[n]
    if n <= 1:
        return x if n else 1.0
    memo[n] = fibonacci(n - 1, x, memo) + x * fibonacci(n - 2, x, memo)
    return memo[n]


@case(0.8, 7)
@program("memo as a default argument", mutation=True)
def memo_by_default(x, n):
    return fibonacci(n, x)


@case(X.copy())
@program("memo in a closure", "maximum of a generator expression", mutation=True)
def best_cut(x):
    memo = {}

    def cut(n):
        if n == 0:
            return 0.0
        if n not in memo:
            memo[n] = max(x[k] * (k + 1) + cut(n - 1 - k) for k in range(min(n, 3)))
        return memo[n]

    return cut(len(x))


def sort_in_place(values, low, high):
    if low >= high:
        return
    pivot, i = values[high], low
    for j in range(low, high):
        if values[j] < pivot:
            values[i], values[j] = values[j], values[i]
            i += 1
    values[i], values[high] = values[high], values[i]
    sort_in_place(values, low, i - 1)
    sort_in_place(values, i + 1, high)


@case(X.copy())
@program("recursion that changes a list", "recursion without a result", mutation=True)
def sorted_by_recursion(x):
    values = [v * v for v in x]
    sort_in_place(values, 0, len(values) - 1)
    return sum([k * v * v for k, v in enumerate(values)])


def walsh(a, n):
    if n == 1:
        return
    half = n // 2
    for k in range(half):
        p, q = a[k], a[k + half]
        a[k] = p + q
        a[k + half] = 0.5 * (p - q)
    walsh(a[:half], half)
    walsh(a[half:], half)


@case(np.array([0.1, 0.5, 0.9, 1.4]))
@program("recursion that changes views of an array", mutation=True)
def transformed_in_place(x):
    a = x.copy()
    walsh(a, len(a))
    return np.sum(a**3)


@case(X.copy())
@program("recursion that returns its argument or a new list", mutation=True)
def merge_sorted(x):
    def merged(values):
        if len(values) < 2:
            return values
        middle = len(values) // 2
        a, b = merged(values[:middle]), merged(values[middle:])
        out = []
        i = j = 0
        while i < len(a) and j < len(b):
            if a[i] <= b[j]:
                out.append(a[i])
                i += 1
            else:
                out.append(b[j])
                j += 1
        return out + a[i:] + b[j:]

    ordered = merged([v * v for v in x])
    return sum([k * v for k, v in enumerate(ordered)]) * ordered[-1]


def halved(f, low, high, n):
    middle = 0.5 * (low + high)
    if n == 0:
        return f(middle) * (high - low)
    return halved(f, low, middle, n - 1) + halved(f, middle, high, n - 1)


@case(0.9)
@program("function as an argument of a recursion", issue=3)
def integral_by_halves(x):
    scale = 2.0 * x
    return halved(lambda t: math.sin(scale * t), 0.0, x, 3) * halved(
        math.exp, 0.0, x, 1
    )


@case(1.7)
@program("inner functions that a recursive one calls", issue=3)
def adaptive_rule(x):
    def f(t):
        return math.exp(-x * t * t)

    def rule(low, high):
        return (high - low) / 6 * (f(low) + 4 * f((low + high) / 2) + f(high))

    def integrate(low, high, whole, depth):
        middle = (low + high) / 2
        left, right = rule(low, middle), rule(middle, high)
        if depth == 0 or abs(left + right - whole) < 1e-6:
            return left + right + (left + right - whole) / 15
        return integrate(low, middle, left, depth - 1) + integrate(
            middle, high, right, depth - 1
        )

    return integrate(0.0, x, rule(0.0, x), 6)


def _pell(x, n=5):
    if n <= 1:
        return x[n] * x[2]
    return _pell(x, n - 1) * 0.5 + np.sin(_pell(x, n - 2))


@case(X[:3])
@program("two calls of itself")
def twice_into_itself(x):
    return _pell(x) * x[0]


def _even(x, n):
    return (x, x * x) if n == 0 else _odd(x * 0.9, n - 1)


def _odd(x, n):
    a, b = _even(math.sin(x), n - 1)
    return b * a, a


@case(0.7, 4)
@program("mutual recursion that returns tuples")
def by_turns(x, n):
    a, b = _even(x, n)
    return a * b
