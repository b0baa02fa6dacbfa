"""Programs made so that one rule of the compiler decides their gradient."""

from __future__ import annotations

from tests.fuzz.program import Program
from tests.mutants.breaking import HEAD, probe

CONTROL: dict[str, Program] = {
    "overwritten_in_loop": probe(
        """
        s = x
        t = x
        for i in range(n):
            t = s * x
            s = 0.5 * i * y[0]
        return s * x + t
        """
    ),
    "carried": probe(
        """
        s = x
        for i in range(n):
            s = np.sin(s) * x + y[i]
        return s * s
        """
    ),
    "square_of_a_sum": probe(
        """
        s = x
        for i in range(n):
            t = s * 0.5 + x
            s = t * t
        return s
        """
    ),
    "used_around_loop": probe(
        """
        g = np.sin(x)
        s = 0.0
        for k in range(n):
            s = s + g * y[k] * x
        return s * g * g
        """
    ),
    "branch": probe(
        """
        if x > 0.0:
            s = x * y[0]
        else:
            s = y[1] * 3.0
        return s * x
        """
    ),
    "branch_in_loop": probe(
        """
        s = x
        for i in range(n):
            if y[i] > 0.0:
                s = s * np.cos(x)
            else:
                s = np.sin(s) + y[i]
        return s * x
        """
    ),
    "fancy_read": probe("return np.sum(y[[0, 0, 2]] ** 2) * x"),
    "broadcast": probe("t = np.sum(y)\nreturn np.sum(t * y * y) + x"),
    "one_cotangent_for_two": probe(
        """
        a = np.sin(y)
        b = np.cos(y)
        s = 0.0
        for i in range(n):
            s = s + a[i] * x
        u = a + b
        return s + np.sum(np.sin(u))
        """
    ),
    "used_twice": probe("t = x * y[0]\nreturn np.sin(t) * t + t"),
    "break_": probe(
        """
        s = x
        for i in range(6):
            s = s * 1.3 + y[i % 4]
            if s > 1.5:
                break
            s = s * x + 0.1 * i
        return s * s
        """
    ),
    "break_of_a_linear_loop": probe(
        """
        s = x
        for i in range(6):
            if i == n:
                break
            s = s + x * y[i % 4]
        return s
        """
    ),
    "linear_range_step": probe(
        """
        s = x
        for i in range(0, 4, 2):
            s = s + x * y[i]
        return s
        """
    ),
    "while_": probe(
        """
        s = x
        k = 0
        while k < 4 and s < 2.0:
            k += 1
            s = s * s + np.tanh(s) + y[k - 1] * 0.1
        return s * x
        """
    ),
    "range_step": probe(
        """
        s = x
        for i in range(0, 4, 2):
            s = s * x + y[i] * s
        for i in range(3, 0, -1):
            s = np.sin(s) * y[i]
        return s
        """
    ),
    "rebound_bound": probe(
        """
        s = x
        k = n
        for i in range(k):
            s = np.sin(s) + y[i] * s
            k = 1
        return s * k
        """
    ),
    "rotation": probe(
        """
        a, b, c = x, y[0], y[1]
        for i in range(n):
            a, b, c = b, np.sin(c) * a, a * x
        return a * b + c
        """
    ),
    "returned_carried": probe(
        """
        s = x
        for i in range(n):
            s = np.sin(s) * s + y[i]
        return s
        """
    ),
    "names": probe(
        """
        x_bar = x * y[0]
        t = x_bar * x
        y_bar = np.sin(t) * x_bar
        t_bar = y_bar * t
        return t_bar * x_bar + y_bar
        """
    ),
    "callee": Program(
        HEAD
        + "def helper(a, b):\n    for i in range(2):\n"
        + "        if a > 5.0:\n            return b\n        a = np.sin(a) * b\n"
        + "    return a * b\n\n\n"
        + "def program(x, y, n):\n    s = x\n    for i in range(n):\n"
        + "        s = helper(s, x) + helper(x, y[i])\n    return s * x\n",
        ((0.7, (0.3, -0.8, 1.2, 0.5), 3),),
    ),
    "nested_loops": probe(
        """
        s = x
        for i in range(n):
            t = s
            for j in range(i):
                t = np.sin(t) * y[j] + s
            s = t * x
        return s
        """
    ),
    "index_state": probe(
        """
        s = x
        j = 0
        for i in range(4):
            j = (j * 2 + i) % 4
            s = s * 0.5 + y[j] * y[j] * x
            j = j + 1
        return s
        """
    ),
}
STORES: dict[str, Program] = {
    "overwrite": probe(
        """
        a = np.sin(y)
        a[0] = a[1] * x
        a[1] = a[0] * a[2]
        return np.sum(a * a)
        """
    ),
    "overlap": probe(
        """
        a = y.copy()
        a[1:] = a[:-1] * 2.0
        a[1:] += a[:-1]
        return np.sum(a * y)
        """
    ),
    "increment_of_a_slice": probe(
        """
        a = y.copy()
        v = np.sin(y[:2])
        a[2:] = y[2:] * 2.0
        a[2:] += v
        return np.sum(a * a) + np.sum(v) * x
        """
    ),
    "two_buffers": probe(
        """
        a = np.sin(y)
        b = np.cos(y)
        a[0] = x
        b[1] = y[2] * x
        u = a + b
        return np.sum(u * y)
        """
    ),
    "old_contents": probe(
        """
        a = y.copy()
        s = np.sum(np.sin(a))
        a[1] = x * x
        t = np.sum(np.sin(a) * a)
        a += 2.0 * y
        return s + t + np.sum(a * a)
        """
    ),
    "old_contents_in_loop": probe(
        """
        a = y.copy()
        s = x
        for i in range(n):
            a[i] = s * 0.1
            s = s + np.sum(np.sin(a)) * x
        return s + np.sum(a * a)
        """
    ),
    "view": probe(
        """
        a = y.copy()
        v = a[1:]
        v *= x
        v[0] = y[0] * y[0]
        return np.sum(a * a * a)
        """
    ),
    "reread": probe(
        """
        a = y.copy()
        s = 0.0
        for i in range(n):
            t = a[i]
            s = s + t * t * t
            a[i] = 5.0 * x
            a[i - 1] = s
        return s + np.sum(a)
        """
    ),
    "swap_of_buffers": probe(
        """
        u = y.copy()
        v = np.zeros(4)
        for k in range(n):
            for i in range(1, 3):
                v[i] = u[i] + 0.3 * u[i - 1] * u[i + 1]
            u, v = v, u
        return np.sum(u * u) + v[1] * x
        """
    ),
    "old_contents_read_once": probe(
        """
        a = y * 2.0
        t = np.sin(a)
        s = np.sum(t * t) + a[0] * a[1]
        a[0] = x * s
        a[1] = np.cos(s) * x
        return np.sum(a * y) + s
        """
    ),
}
_CALLEES = """
def squares(v, k):
    if k > 1:
        return squares(v * 0.5, k - 1)
    return v * v


def exponential(v, k):
    if k > 1:
        return exponential(v * 0.5, k - 1)
    return np.exp(v)


def joined(u, v, k):
    if k > 1:
        return joined(u, v, k - 1)
    return u + v
"""
CALLS: dict[str, Program] = {
    "operand_written": probe(
        """
        v = y * 1.5
        t = squares(v, 1)
        v[1] = x * x
        return np.sum(t * v)
        """,
        callees=_CALLEES,
    ),
    "result_written": probe(
        """
        t = exponential(y, 2)
        t *= x
        return np.sum(t * t)
        """,
        callees=_CALLEES,
    ),
    "one_cotangent_for_two_operands": probe(
        """
        u = 2.0 * y
        v = np.sin(y)
        first = np.sum(u[1:] * v[:-1]) + u[2] * v[1] * x
        t = joined(u, v, 2)
        return np.sum(t * t) + first
        """,
        callees=_CALLEES,
    ),
    "chosen_array": probe(
        """
        a = y * 1.0
        b = y * 2.0
        t = a
        if n > 5:
            t = b
        s = np.sum(t * t)
        a[0] = x * s
        return np.sum(a) + s
        """
    ),
    "rows_of_indices": probe(
        """
        p = np.array([[0, 1], [2, 3]])
        s = x
        for row in p:
            s = s * y[row[0]] + y[row[0]] * y[row[0]]
            p[:, 0] = 3
        return s
        """
    ),
}
ALL = CONTROL | STORES | CALLS
