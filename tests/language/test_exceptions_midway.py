"""Exceptions midway: after stores, out of callees, with active values, past finally.

Every program is held against differences, in both modes, by `judged.check`.
"""

import contextlib
import math

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

RNG = np.random.default_rng(1)
X = RNG.uniform(0.5, 1.5, 6)
M = RNG.uniform(size=(3, 3))
_A = RNG.uniform(0.5, 1.5, (4, 4)) + 4 * np.eye(4)
S = _A + _A.T - 9.0 * np.eye(4)


def g(x, i):
    y = x
    for k in range(5):
        y = y * math.sin(y) + x
        if y > 2.5 - 0.25 * i:
            raise ValueError("big")
    return y


def aborted_loop_in_callee(x):
    total = 0.0
    for i in range(6):
        try:
            total = total + g(x, i) * x
        except ValueError:
            total = total * x + i
    return total


def fill(a, x):
    a[0] = x * x
    if x > 1.0:
        raise ValueError("x")
    a[1] = x


def aborted_store_in_callee(x):
    a = np.ones(2) * x
    try:
        fill(a, x)
    except ValueError:
        pass
    return a[0] * a[1]


def aborted_tuple_store(x):
    a = np.ones(2) * x
    try:
        a[0], a[5] = (x * x, x)
    except IndexError:
        pass
    return a[0] * a[1]


def aborted_pop(x):
    s = [x, x * x]
    try:
        y = s.pop() * math.sqrt(-x)
    except ValueError:
        y = x
    return y * s[0] * len(s)


def aborted_append(x):
    s = [x, x * x]

    def push(v):
        s.append(v)
        if len(s) > 2:
            raise ValueError

    try:
        push(x**3)
    except ValueError:
        pass
    return s[0] * s[-1]


class Bad(Exception):
    def __init__(self, value, code=0):
        super().__init__("bad")
        self.value = value
        self.code = code


class Worse(Bad):
    pass


class Tmp:
    def __init__(self, buf, i, v):
        self.buf = buf
        self.i = i
        self.v = v

    def __enter__(self):
        self.old = self.buf[self.i]
        self.buf[self.i] = self.v
        return self.buf

    def __exit__(self, *a):
        self.buf[self.i] = self.old


def temp_store(x):
    a = x * 1.0
    s = 0.0
    for i in range(6):
        with Tmp(a, i, x[i] * x[0]) as b:
            s += np.sum(b * b) * i
    return s + a.sum()


class Sup:
    def __enter__(self):
        return self

    def __exit__(self, tp, e, tb):
        return tp is not None and issubclass(tp, (ValueError, Bad))


def swallow_payload(x):
    y = x
    with Sup():
        y = y * 2
        if y > 1:
            raise Bad(y)
        y = y * 5
    return y * x


@contextlib.contextmanager
def guard(out, x):
    try:
        yield (x * 2)
    except Bad as e:
        out.append(e.value * x)
    else:
        out.append(x)
    finally:
        out.append(x * x)


def gen_catches(x):
    out = []
    with guard(out, x) as y:
        z = y * y
        if z > 3:
            raise Bad(z)
        z = z * 3
    return sum(out) * z


def with_in_loop_try(x):
    s = 0.0
    for i in range(5):
        try:
            with guard([], x[i]) as y:
                if y > 2.2:
                    raise KeyError(i)
                s += y * y
        except KeyError as e:
            s *= x[e.args[0]]
    return s


def subclass_order(x):
    y = x
    try:
        y = y * 2
        if y > 4:
            raise Worse(y * y, 3)
        if y > 2:
            raise Bad(y, code=2)
        y = y + 1
    except Worse as e:
        y = e.value * e.code
    except Bad as e:
        y = e.value**2 * e.code
    else:
        y = -y
    finally:
        y = y * 1.5
    return y


def nested_payload(x):
    try:
        try:
            raise Bad(x * x)
        except KeyError:
            y = 1.0
        finally:
            z = x * 3
    except Bad as e:
        y = e.value * z
    return y


def reraise_payload(x):
    y = x
    try:
        try:
            y = y * x
            raise Bad(y)
        except Bad as e:
            y = e.value + 1
            raise
    except Bad as e:
        return e.value * y


def convert_payload(x):
    try:
        try:
            raise Bad(x * x)
        except Bad as e:
            raise Worse(e.value * x, 2) from e
    except Worse as w:
        return w.value * w.code


def deep(x, n):
    if n == 0:
        if x > 1:
            raise Bad(x * x)
        return x
    return deep(x * 1.1, n - 1)


def recursive_raise(x):
    try:
        return deep(x, 3)
    except Bad:
        return 2 * x


def helper(a, i):
    if i >= 3:
        raise IndexError("out")
    a[i] = a[i] * a[i]
    return a[i]


def callee_stores_then_raises(x):
    a = x * 1.0
    s = 0.0
    for i in range(5):
        try:
            s += helper(a, i) * x[0]
        except IndexError:
            a[0] *= x[i]
    return s * a.sum()


def while_in_try(x):
    i = 0
    s = 1.0
    try:
        while s < 100:
            s = s * (1 + x[i])
            i += 1
    except IndexError:
        s = s * x[0]
    else:
        s = s + 1
    return s


def for_else_in_try(x):
    s = 0.0
    try:
        for v in x:
            if v > 1.45:
                break
            s += math.log(v - 0.6)
        else:
            s *= 2
    except ValueError:
        s *= v
    return s


def try_in_nested_loops(x):
    s = 0.0
    for i in range(3):
        for j in range(3):
            try:
                if (i + j) % 2:
                    raise ValueError
                s += x[i] * x[j]
            except ValueError:
                if j == 2:
                    break
                s *= 1.1
        else:
            s += x[4]
    return s


def raise_in_nested_loops(x):
    s = 0.0
    try:
        for i in range(5):
            for j in range(5):
                s += x[i] * x[j]
                if s > 6:
                    raise Bad(s)
    except Bad as e:
        return e.value * s + i * x[0] + j * x[1]
    return s


def return_in_except_finally(x):
    log = []
    for k in range(4):
        try:
            try:
                if k == 2:
                    raise Bad(x * k)
                log.append(x)
            finally:
                log.append(x * x)
        except Bad as e:
            return sum(log) * e.value
    return 0.0


def finally_flow(x):
    s = 0.0
    for k in range(5):
        try:
            if k == 1:
                continue
            if k == 3:
                break
            s += x * k
        finally:
            s += x * x
    return s


def finally_break_overrides_return(x):
    s = x
    while True:
        try:
            s = s * 2
            return s
        finally:
            s = s * x
            if s > 1:
                break
    return s * s


def except_tuple_var(x):
    errs = (ValueError, Bad)
    try:
        raise Bad(x)
    except errs:
        return x * 3


def np_error_attempts(x):
    best = 0.0
    for n in (2, 3, 5):
        try:
            m = x.reshape(n, -1)
            best = best + np.sum(m[0])
        except ValueError:
            best = best * x[0]
    return best


def singular_retry(a):
    m = a * 1.0
    m[1] = m[0] * 2
    for k in range(3):
        try:
            r = np.linalg.inv(m)
            break
        except np.linalg.LinAlgError:
            m[1, 1] += a[0, 0] + k
    return r


def overflow(x):
    try:
        y = math.exp(x * 1000)
    except OverflowError:
        y = x * x
    return y


def stopiter(x):
    it = iter([1.0, 2.0])
    s = 0.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        s += v * x
    return s


def type_error(x):
    try:
        y = "a" + x
    except TypeError:
        y = x * 2
    return y


def lookup_default(x):
    table = {1: x, 2: x * x}
    s = 0.0
    for k in (1, 2, 3):
        try:
            s += table[k]
        except KeyError:
            table[k] = s * x
            s += table[k]
    return s


def log_err(x):
    msgs = []
    try:
        if x > 1:
            raise ValueError(f"x={x}")
        y = x
    except ValueError as e:
        msgs.append(str(e))
        y = x * len(msgs)
    return y


def raise_class(x):
    try:
        raise KeyError
    except LookupError:
        return x * x


def raise_from_none(x):
    try:
        try:
            math.sqrt(-x)
        except ValueError:
            raise Bad(x * x) from None
    except Bad as b:
        return b.value


def append_then_raise(x):
    out = []

    def add(v):
        out.append(v * v)
        if len(out) > 2:
            raise Bad(v)

    try:
        for v in x:
            add(v)
    except Bad as e:
        out.append(e.value)
    return sum(out)


def pop_until(x):
    s = list(x)
    t = 0.0
    while True:
        try:
            t = t * 0.5 + s.pop()
        except IndexError:
            return t


CASES = [
    (aborted_loop_in_callee, 1.3),
    (aborted_store_in_callee, 0.7),
    (aborted_store_in_callee, 1.3),
    (aborted_tuple_store, 1.3),
    (aborted_pop, 1.3),
    (aborted_append, 1.3),
    (temp_store, X),
    (swallow_payload, 0.3),
    (swallow_payload, 1.3),
    (gen_catches, 0.2),
    (gen_catches, 1.3),
    (with_in_loop_try, X[:5]),
    (subclass_order, 2.5),
    (subclass_order, 0.8),
    (subclass_order, 1.3),
    (nested_payload, 1.3),
    (reraise_payload, 1.3),
    (convert_payload, 1.3),
    (recursive_raise, 0.3),
    (recursive_raise, 1.3),
    (callee_stores_then_raises, X[:5]),
    (while_in_try, X[:5]),
    (for_else_in_try, X[:5]),
    (try_in_nested_loops, X[:5]),
    (raise_in_nested_loops, X[:5]),
    (return_in_except_finally, 1.3),
    (finally_flow, 1.3),
    (finally_break_overrides_return, 1.3),
    (except_tuple_var, 1.3),
    (np_error_attempts, X[:5]),
    (singular_retry, M),
    (overflow, 1.3),
    (stopiter, 1.3),
    (type_error, 1.3),
    (lookup_default, 1.3),
    (log_err, 1.3),
    (raise_class, 1.3),
    (raise_from_none, 1.3),
    (append_then_raise, X[:5]),
    (pop_until, X[:5]),
]


@pytest.mark.parametrize(("f", "x"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, x):
    check(f, x)


class Gauge:
    def __init__(self, level):
        self.level = level


def settled(p):
    """Built aside and given up in the midst of its `try`: it is called as it is."""
    g = Gauge(0.3)
    try:
        g.level += np.sin(p)
        p = p * [g]
    except ValueError:
        pass
    return p


def tried(p):
    g = Gauge(0.3)
    try:
        g.level += np.sin(p)
    except ValueError:
        p = p * 2.0
    return p + g.level


def not_too_high(v):
    if v > 1.0:
        raise ValueError("high")
    return v


def behind_a_try_given_up(x, n):
    if n > 100 and settled(x) > 0.3:
        return x
    return not_too_high(tried(x) * 2.0)


def test_a_try_that_is_given_up_catches_nothing_behind_it():
    check(behind_a_try_given_up, 0.05, 1)
    with pytest.raises(ValueError, match="high"):
        sourcegrad.grad(behind_a_try_given_up)(3.0, 1)
    with pytest.raises(ValueError, match="high"):
        sourcegrad.jvp(behind_a_try_given_up, (3.0, 1), (1.0, None))


def always_too_high(v):
    raise ValueError("high")


def handlers_inside_handlers(y):
    for _ in range(2):
        p = 0.3
        try:
            try:
                try:
                    p = np.dot(y, y)
                except ValueError:
                    pass
                finally:
                    try:
                        p = always_too_high(0.3)
                    except ValueError:
                        p = np.tanh(p)
            except ValueError:
                pass
            p = p * np.sin(y[0])
        except ValueError:
            pass
    return p * y[1]


def test_an_exception_kept_while_others_are_caught():
    check(handlers_inside_handlers, X[:3])
