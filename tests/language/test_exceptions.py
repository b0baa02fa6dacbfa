"""Exceptions caught by the function itself: by names, in loops, by NumPy, in managers.

Every program is held against differences, in both modes, by `judged.check`.
"""

import contextlib
import math
import threading

import numpy as np
import pytest

from tests.language.judged import check

RNG = np.random.default_rng(1)
X = RNG.uniform(0.5, 1.5, 6)
M = RNG.uniform(size=(3, 3))
_A = RNG.uniform(0.5, 1.5, (4, 4)) + 4 * np.eye(4)
S = _A + _A.T - 9.0 * np.eye(4)


class Stop(Exception):
    pass


class Diverged(ValueError):
    def __init__(self, x, it):
        super().__init__("diverged")
        self.x = x
        self.it = it


def raise_active(x):
    try:
        if x > 0:
            raise Stop(x * x)
        y = x * 3
    except Stop as e:
        return e.args[0] * x
    return y


def raise_attr(x):
    y = x
    try:
        for i in range(20):
            y = y * y
            if y > 50:
                raise Diverged(y, i)
    except Diverged as e:
        return e.x * x + e.it
    return y


def stepper(y, h):
    z = y + h * y * y
    if z > 3.0:
        raise Diverged(z, 0)
    return z


def callee_throws_midloop(x):
    y = x
    n = 0
    try:
        for i in range(10):
            y = stepper(y, 0.2)
            n += 1
    except Diverged:
        y = y * 2
    return y * x + n


def callee_throws_read_partial(x):
    y = x
    z = 1.0
    tot = 0.0
    try:
        for i in range(10):
            tot = tot + y
            z = stepper(y, 0.2)
            y = z
    except Diverged as e:
        y = e.x * tot
    return y * z


def retry_step(x):
    t = 0.0
    y = x
    h = 1.0
    while t < 2.0:
        try:
            y = stepper(y, h)
            t = t + h
        except Diverged:
            h = h * 0.5
            if h < 0.05:
                break
    return y


def chol_jitter_for(a):
    K = 0.5 * (a + a.T)
    for k in range(8):
        try:
            L = np.linalg.cholesky(K + 10.0 ** (k - 3) * np.eye(4))
        except np.linalg.LinAlgError:
            continue
        else:
            break
    else:
        raise RuntimeError("no")
    return 2 * np.sum(np.log(np.diag(L)))


def chol_jitter_ret(a):
    K = 0.5 * (a + a.T)
    for k in range(8):
        try:
            L = np.linalg.cholesky(K + 10.0 ** (k - 3) * np.eye(4))
            return 2 * np.sum(np.log(np.diag(L)))
        except np.linalg.LinAlgError:
            pass
    return 0.0


def zero_div(x):
    try:
        y = 1.0 / (x - x)
    except ZeroDivisionError:
        y = x * x
    return y + x


def zero_div_loop(x):
    s = 0.0
    for i in range(-2, 3):
        try:
            s = s + x / i
        except ZeroDivisionError:
            s = s * x
    return s


def index_err(x):
    i = 0
    s = 0.0
    try:
        while True:
            s = s + x[i] ** 2
            i += 1
    except IndexError:
        pass
    return s


def try_returns(x):
    for i in range(5):
        try:
            x = x * 1.5
            if x > 6:
                return x * x
            if x > 4:
                continue
            if x < 2:
                raise ValueError
        except ValueError:
            x = x + 0.7
            if i == 3:
                break
        else:
            x = x * 1.1
        finally:
            x = x - 0.01
    return x


def finally_break(x):
    y = x
    for i in range(5):
        try:
            y = y * x
        finally:
            if y > 2.5:
                break
    return y


def finally_overrides(x):
    try:
        return x * x
    finally:
        x = x * 3


def nested_try2(x):
    y = x
    try:
        try:
            y = y * 2
            y = math.sqrt(-y)
        except KeyError:
            y = 0.0
        else:
            y = 100.0
        y = 50.0
    except ValueError:
        y = y * y
    return y


def reraise(x):
    y = x
    try:
        try:
            y = y * x
            raise ValueError("a")
        except ValueError as e:
            y = y + 1
            raise RuntimeError("b") from e
    except RuntimeError:
        y = y * y
    return y


def reraise_bare(x):
    y = x
    try:
        try:
            y = y * x
            raise ValueError("a")
        except ValueError:
            y = y * 3
            raise
    except (ValueError, TypeError):
        y = y * y
    return y


class Timer:
    def __init__(self, scale):
        self.scale = scale
        self.n = 0

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *a):
        self.n -= 1
        return False

    def apply(self, x):
        return x * self.scale


def user_cm(x):
    with Timer(x * x) as t:
        y = t.apply(x)
    return y * t.scale


class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, tp, v, tb):
        return tp is not None and issubclass(tp, ValueError)


def swallow_cm(x):
    y = x
    with Swallow():
        y = y * 2
        y = math.sqrt(y)
        y = y * 5
    return y * x


@contextlib.contextmanager
def scaled(x, k=2.0):
    y = x * k
    try:
        yield y
    finally:
        pass


def gen_cm(x):
    with scaled(x, 3.0) as y:
        z = y * y
    return z


@contextlib.contextmanager
def set_attr(buf, v):
    old = buf[0]
    buf[0] = v
    yield buf
    buf[0] = old


def gen_cm_mut(x):
    b = x * 1.0
    with set_attr(b, x[1] * x[2]) as c:
        s = c[0] * b[3]
    return s + b[0] * x[4]


def suppress_(x):
    y = x
    with contextlib.suppress(ValueError, ZeroDivisionError):
        y = math.sqrt(x) * 3
        y = y * x
    return y


def try_store_loop(x):
    a = np.zeros(6)
    try:
        for i in range(10):
            a[i] = x[i] ** 2
            if i:
                a[i] += a[i - 1]
    except IndexError:
        a *= 2
    return a


def try_list_loop(x):
    out = []
    try:
        for i in range(10):
            out.append(x[i] * x[0])
    except IndexError:
        out.append(x[1])
    return sum(out)


def safe_log(x):
    try:
        return math.log(x)
    except ValueError:
        return -x * x


def safe_callee(x):
    s = 0.0
    for v in x:
        s += safe_log(v)
    return s


def newton(f, df, x0, tol=1e-12, maxit=50):
    x = x0
    for _ in range(maxit):
        d = df(x)
        if d == 0:
            raise ZeroDivisionError("flat")
        dx = f(x) / d
        x = x - dx
        if abs(dx) < tol:
            return x
    raise RuntimeError("no convergence")


def newton_catch(a):
    try:
        r = newton(lambda x: x * x - a, lambda x: 2 * x, 1.0)
    except (RuntimeError, ZeroDivisionError):
        r = a
    return r


def newton_catch2(a):
    try:
        r = newton(lambda x: x * x + a, lambda x: 2 * x, 0.7, maxit=6)
    except RuntimeError:
        r = a * a
    return r


def exc_group(x):
    y = x
    for k in range(3):
        try:
            if k == 0:
                raise ValueError(k)
            if k == 1:
                raise KeyError("q")
            y = y * x
        except ValueError as e:
            y = y + e.args[0] + x
        except KeyError as e:
            y = y * 2 if e.args[0] == "q" else y
    return y


def assert_caught(x):
    try:
        assert x < 1, "big"
        y = x
    except AssertionError:
        y = x * x
    return y


def try_in_while_state(x):
    stack = [x]
    total = 0.0
    while stack:
        v = stack.pop()
        try:
            if v > 4:
                raise Stop()
            stack.append(v * 1.7)
            total += v
        except Stop:
            total *= v
    return total


def try_mut_rollback(x):
    a = x * 1.0
    for i in range(6):
        backup = a.copy()
        try:
            a[i] = a[i] * a[i - 1] * 3
            if a[i] > 4:
                raise ValueError
        except ValueError:
            a[:] = backup
            a[i] *= 0.5
    return a


def with_lock(x):
    lock = threading.Lock()
    with lock:
        y = x * x
    return y


def multi_except_else_return(x):
    try:
        y = x * 2
    except ValueError:
        return x
    else:
        return y * y
    finally:
        x = 1.0


def raise_in_lambda_callee(x):
    f = lambda v: math.sqrt(v)
    r = []
    for v in (x, -x, x * 2):
        try:
            r.append(f(v))
        except ValueError:
            r.append(v * v)
    return r[0] * r[1] * r[2]


CASES = [
    (raise_active, -0.3),
    (raise_active, 1.3),
    (raise_attr, 1.3),
    (callee_throws_midloop, 0.3),
    (callee_throws_midloop, 0.8),
    (callee_throws_read_partial, 0.8),
    (retry_step, 0.3),
    (retry_step, 0.8),
    (chol_jitter_for, S),
    (chol_jitter_ret, S),
    (zero_div, 0.0001),
    (zero_div, 1.3),
    (zero_div_loop, 1.3),
    (index_err, X[:5]),
    (try_returns, 3.3),
    (try_returns, 1.3),
    (finally_break, 1.3),
    (finally_overrides, 1.3),
    (nested_try2, 1.3),
    (reraise, 1.3),
    (reraise_bare, 1.3),
    (user_cm, 1.3),
    (swallow_cm, -1.3),
    (swallow_cm, 1.3),
    (gen_cm, 1.3),
    (gen_cm_mut, X[:5]),
    (suppress_, 1.3),
    (suppress_, -1.3),
    (try_store_loop, X),
    (try_list_loop, X),
    (safe_callee, X - 1),
    (newton_catch, 2.0),
    (newton_catch2, 2.0),
    (exc_group, 1.3),
    (assert_caught, 1.3),
    (try_in_while_state, 1.3),
    (try_mut_rollback, X),
    (with_lock, 1.3),
    (multi_except_else_return, 1.3),
    (raise_in_lambda_callee, 1.3),
]


@pytest.mark.parametrize(("f", "x"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, x):
    check(f, x)
