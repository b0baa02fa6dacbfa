"""Memory that has several names: in containers, in branches, after a swap."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.5, 1.5, -0.3])


class Holder:
    def __init__(self, buffer):
        self.buffer = buffer

    def put(self, i, value):
        self.buffer[i] = value


@case(X, 4)
@program("arrays in a list, by computed index", mutation=True)
def ring_of_buffers(x, n):
    rings = [np.zeros(3), np.zeros(3)]
    for k in range(n):
        for i in range(3):
            rings[k % 2][i] = x[i] * (k + 1) + rings[(k + 1) % 2][i] * 0.5
    return np.sum(rings[n % 2] ** 2 + rings[(n + 1) % 2])


@case(X, 3)
@program("two names by computed index", mutation=True)
def source_and_destination(x, n):
    a, b = np.zeros(3), np.zeros(3)
    pair = [a, b]
    for k in range(n):
        src, dst = pair[k % 2], pair[(k + 1) % 2]
        dst[:] = np.sin(src) + x
    return np.sum(a * b)


@case(X, 3)
@program("arrays of a comprehension", mutation=True)
def history_of_buffers(x, n):
    history = [np.zeros(3) for _ in range(n)]
    for k in range(n):
        history[k][:] = x * k
        history[k] *= 0.5
        if k > 0:
            history[k][0] += history[k - 1][1] * x[2]
    return sum([np.sum(h**2) for h in history])


@case(X)
@program("array changed after it was appended", mutation=True)
def changed_after_append(x):
    held = []
    for k in range(3):
        a = np.zeros(3)
        a[k] = x[k]
        held.append(a)
        a[2] = x[2] * k
    return sum([np.sum(v**2) for v in held])


@case(X)
@program("name kept before a swap", mutation=True)
def kept_before_swaps(x):
    a, b = np.zeros(3), np.zeros(3)
    keep = a
    for _ in range(3):
        b[:] = np.sin(a) + x
        a, b = b, a
    return np.sum(keep * x)


@case(X)
@program("name carried by a while loop", mutation=True)
def carried_name(x):
    a = np.zeros(3)
    v = a
    k = 0
    while k < 3:
        v[k] = x[k] ** 2
        k += 1
        w = v
        v = w
    return np.sum(a * x)


@case(X)
@program("the same array twice in a list", mutation=True)
def same_array_twice(x):
    a = np.zeros(3)
    held = [a for _ in range(2)]
    held[0][:] = x * x
    more = [np.zeros(3)] * 2
    more[0][:] = x
    return np.sum(a * x) + np.sum(more[1] * x)


@case(X, 1)
@case(X, 0)
@program("array in a tuple, by computed index", mutation=True)
def chosen_from_a_tuple(x, k):
    a, b = np.zeros(3), np.zeros(3)
    t = (a, b)[k]
    t[:] = x * x
    return np.sum(a) + np.sum(b * x)


@case(X, "q")
@program("array in a dict, by computed key", mutation=True)
def chosen_from_a_dict(x, k):
    a, b = np.zeros(3), np.zeros(3)
    d = {"p": a, "q": b}
    d[k][:] = x * x
    d[k] += x
    return np.sum(a) + np.sum(b * x)


@case(X, 2)
@program("loop over a list of arrays", mutation=True)
def loop_over_buffers(x, n):
    held = []
    for _ in range(n):
        held.append(np.zeros(3))
    for k, t in enumerate(held):
        t[:] = x * k
        t += x
    for t, s in zip(held, x):
        t[0] += s * s
    return np.sum(held[0] * x) + np.sum(held[1] * x)


@case(X)
@program("array in two objects", mutation=True)
def array_in_two_objects(x):
    a = np.zeros(3)
    first, second = Holder(a), Holder(a)
    first.put(0, x[0] ** 2)
    second.put(1, first.buffer[0] * x[1])
    return np.sum(a * x)


@case(X)
@program("array changed after it was appended", mutation=True)
def changed_after_it_was_put_away(x):
    a, b = np.zeros(3), x * 2.0
    a[0] = x[0]
    held = [a, b]
    held.append(b)
    a[2] = x[2] * 2.0
    b[1] = x[0]
    return np.sum(held[0] ** 2) + np.sum(held[2] * x)
