"""Exceptions, context managers, assertions."""

import collections
import contextlib
import math

import numpy as np

from tests.zoo import case, program


class TooLarge(Exception):
    def __init__(self, value):
        super().__init__(f"{value} is too large")
        self.value = value


def checked_square(x):
    if x > 2.0:
        raise TooLarge(x)
    return x * x


@case(1.3)
@program("raise", "not thrown", analytic=False)
def raise_not_reached(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return math.sqrt(x) * x


@case(1.3)
@program("try", "not thrown", issue=3)
def try_not_thrown(x):
    try:
        y = x * x
    except ValueError:
        y = x
    return y * x


@case(1.3)
@case(-1.3)
@program("try", "thrown by a library", issue=3, analytic=False)
def try_thrown_by_a_library(x):
    try:
        y = math.sqrt(x) * x
    except ValueError:
        y = x * x * x
    return y + x


@case(1.3)
@case(2.5)
@program("try", "thrown by a callee", issue=3)
def try_thrown_by_a_callee(x):
    y = x
    try:
        y = y * 3.0
        y = y + checked_square(x)
        y = y * x
    except TooLarge as error:
        y = y * error.value
    else:
        y = y + 100.0 * x
    finally:
        z = y * 2.0
    return z * y


@case(0.6)
@case(1.3)
@program("try", "thrown in a loop", issue=3)
def try_thrown_in_a_loop(x):
    y = 1.0
    try:
        for i in range(5):
            y = y * x + i
            if y > 3.0:
                raise ValueError("stop")
            y = y + 0.1 * x
    except ValueError:
        y = y * y
    return y * x


@case(1.3)
@case(0.2)
@program("try in a loop", issue=3)
def try_in_a_loop(x):
    total = 0.0
    for i in range(4):
        try:
            if i % 2 == 1:
                raise KeyError(i)
            total = total + x * i
        except KeyError as error:
            total = total * x + error.args[0]
            continue
        finally:
            total = total + 0.5
    return total * x


@case(3.0)
@program("try finally", "return", issue=3)
def return_through_finally(x):
    log = []
    try:
        y = x * x
        if x > 100:
            raise ValueError("too big")
        return y * 2.0
    finally:
        log.append(1)


@case(1.3)
@program("nested try", issue=3)
def nested_try(x):
    y = x
    try:
        try:
            y = y * x
            raise IndexError("inner")
        except KeyError:
            y = y * 100.0
        finally:
            y = y + x
    except (IndexError, ValueError):
        y = y * y
    return y


@case({"a": 1.3})
@program("try", "missing key", issue=3)
def try_missing_key(d):
    y = d["a"]
    try:
        y = y * d["b"]
    except KeyError:
        y = y * y * y
    return y


@contextlib.contextmanager
def doubled(x):
    yield x * 2.0


@case(1.3)
@program("with", issue=3)
def with_inactive_manager(x):
    with np.errstate(all="ignore"):
        y = x * x
        z = np.sqrt(y)
    return y * z


@case(1.3)
@program("with", "active value", issue=3)
def with_active_value(x):
    with doubled(x) as y, contextlib.nullcontext(x) as z:
        return y * y * z


@case(1.3)
@case(-1.3)
@program("with", "swallowed exception", issue=3)
def with_suppress(x):
    y = x
    with contextlib.suppress(ValueError):
        y = y * x
        if x < 0:
            raise ValueError("negative")
        y = y * 3.0
    return y * x


@case(1.3)
@program("assert in a loop", numba=True)
def assert_in_a_loop(x):
    y = x
    for i in range(3):
        y = y * x + i
        assert y > 0
    return y


@case(0.6)
@case(1.3)
@program("with", "loop", issue=3)
def loop_in_a_with_block(x):
    y = x
    if x > 1.0:
        with np.errstate(over="ignore"):
            while y < 9.0:
                y = y * y
                if y > 3.0:
                    z = y * 2.0
                    y = z * z
    return y


def settled(x, k):
    if k <= 0:
        return 1.2
    return settled(x, k - 1)


@case(0.6)
@case(1.6)
@program("return in a try", issue=3)
def return_in_a_try(x):
    bound = settled(x, 2)
    try:
        if x > 1.0 and bound < 1.4:
            return np.sin(x) + bound * bound
    except ValueError:
        pass
    return x * x


V = np.array([0.7, -1.1, 0.4, 1.6])


def positive(v):
    if v < 0:
        raise ValueError("negative")
    return v * v


@case(V.copy())
@case(-V)
@program("array made in a try", issue=3, mutation=True)
def array_made_in_a_try(x):
    y = x.copy()
    try:
        a = y[:2]
        y[1] = x[3] * x[0]
        a[0] = positive(x[0])
        y[2] *= a[1]
    except ValueError:
        a = y[2:]
        a[1] = x[0] * x[1]
    a *= x[2]
    return np.sum(y * y) + np.sum(a)


@case(V.copy())
@case(-V)
@program("array made in a try", "try in a loop", issue=3, mutation=True)
def arrays_made_in_tries_of_a_loop(x):
    y = x * 2.0
    total = 0.0
    for i in range(3):
        try:
            a = y[i:]
            a[0] = positive(x[i]) * y[0]
            a[0] += 0.1
        except ValueError:
            continue
        total += np.sum(a * a)
    return total + np.sum(y)


@case(V.copy())
@program("try", "what may raise is taken out", issue=3, mutation=True)
def parts_taken_out_in_a_try(x):
    m = np.outer(x[:2], x[:3])
    window = collections.deque(maxlen=2)
    try:
        m[:, 0], m[:, 2] = m[:, 2].copy(), m[:, 0].copy()
        for v in x:
            window.append(v)
    except ValueError:
        pass
    return np.sum(m * m) * m[0, 0] + sum(window)


@case(0.7)
@program("finally", "stores", mutation=True, issue=3)
def overwritten_at_last(x):
    a = np.ones(3) * x
    items = [1.0]
    items.append(x)
    try:
        y = np.sum(a * a) * sum(items)
    finally:
        a[:] = 0.0
        items.pop()
    return y + a[0] + len(items)


@contextlib.contextmanager
def pushed(items, v):
    items.append(v)
    try:
        yield v * 2
    finally:
        items.pop()


@case(0.7)
@program("finally", "with", mutation=True, issue=3)
def pushed_for_a_while(x):
    items = [1.0]
    with pushed(items, x) as d, pushed(items, x**2):
        y = d * sum(items)
    return y + len(items)
