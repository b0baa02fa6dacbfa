"""Small ordinary functions of one number that every tool meets."""

import numpy as np

from tests.zoo import case, program

G = 3.0


@case(1.3)
@program("probe", numba=True)
def probe_straight(x):
    return np.sin(x) * x + np.exp(x)


@case(1.3)
@program("probe", numba=True)
def probe_ternary(x):
    y = x * x if x > 0 else -x
    return y


@case(1.3)
@program("probe", numba=True)
def probe_boolop(x):
    y = x
    if x > 0 and x < 10:
        y = x * x
    return y


@case(1.3)
@program("probe", numba=True)
def probe_if_else(x):
    if x > 1.0:
        y = x * x
    else:
        y = np.sin(x)
    return y


@case(1.3)
@program("probe", numba=True)
def probe_for_range(x):
    y = x
    for i in range(3):
        y = y * np.sin(x)
    return y


@case(1.3)
@program("probe")
def probe_for_enum(x):
    y = x
    for i, c in enumerate([1.0, 2.0]):
        y = y * c + i
    return y


@case(1.3)
@program("probe", numba=True)
def probe_while_loop(x):
    y = x
    while y < 50.0:
        y = y * y
    return y


@case(1.3)
@program("probe", numba=True)
def probe_brk(x):
    y = x
    for i in range(10):
        y = y * x
        if y > 5.0:
            break
    return y


@case(1.3)
@program("probe", numba=True)
def probe_cont(x):
    y = x
    for i in range(4):
        if i == 2:
            continue
        y = y * x
    return y


@case(1.3)
@program("probe", numba=True)
def probe_for_else(x):
    y = x
    for i in range(2):
        y = y * x
    else:
        y = y + x
    return y


@case(1.3)
@program("probe", numba=True)
def probe_early(x):
    if x > 1.0:
        return x * x
    return x


@case(1.3)
@program("probe", numba=True)
def probe_early_loop(x):
    y = x
    for i in range(5):
        y = y * x
        if y > 5.0:
            return y
    return x


@case(1.3)
@program("probe", numba=True)
def probe_overwrite(x):
    x = x * x
    x = x * x
    return x


@case(1.3)
@program("probe", numba=True)
def probe_swap(x):
    a = x
    b = x * x
    a, b = (b, a)
    return a * b * b


def helper(a, k=2.0):
    return a * k


@case(1.3)
@program("probe", numba=True)
def probe_call(x):
    return helper(x) * helper(x, k=3.0)


@case(1.3)
@program("probe")
def probe_starcall(x):
    args = (x, 3.0)
    return helper(*args)


@case(1.3)
@program("probe", numba=True)
def probe_rec(x, n=3):
    if n == 0:
        y = x
    else:
        y = probe_rec(x * x, n - 1)
    return y


@case(1.3)
@program("probe")
def probe_nested(x):

    def g(z):
        return z * x

    return g(x) * x


@case(1.3)
@program("probe")
def probe_lam(x):
    g = lambda z: z * x
    return g(x) * x


@case(1.3)
@program("probe", issue=3)
def probe_nonloc(x):
    acc = x

    def g(z):
        nonlocal acc
        acc = acc * z

    g(x)
    return acc


class Lin:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x

    def fwd(self, x):
        return self.w * x * x


LIN = Lin(3.0)


@case(1.3)
@program("probe", issue=3)
def probe_method(x):
    return LIN.fwd(x) * x


@case(1.3)
@program("probe", issue=3)
def probe_objctor(x):
    m = Lin(x)
    return m(x)


@case(1.3)
@program("probe", mutation=True)
def probe_setattr_(x):
    m = Lin(1.0)
    m.w = x * x
    return m.w * x


@case(1.3)
@program("probe")
def probe_lst(x):
    l = [x, x * x]
    return l[0] * l[1]


@case(1.3)
@program("probe", mutation=True)
def probe_append(x):
    l = []
    for i in range(3):
        l.append(x * i)
    return l[1] * l[2]


@case(1.3)
@program("probe")
def probe_dct(x):
    d = {"a": x, "b": x * x}
    return d["a"] * d["b"]


@case(1.3)
@program("probe")
def probe_comp(x):
    l = [x * i for i in range(3)]
    return l[1] * l[2]


@case(1.3)
@program("probe")
def probe_genexp(x):
    return sum((x * i for i in range(3))) * x


@case(1.3)
@program("probe", issue=3)
def probe_try_ok(x):
    try:
        y = x * x
    except ValueError:
        y = x
    return y


@case(1.3)
@program("probe", issue=3)
def probe_try_raise(x):
    try:
        y = x * x
        raise ValueError("a")
    except ValueError:
        y = x * x * x
    return y


@case(1.3)
@program("probe")
def probe_fstring(x):
    s = f"{x}"  # noqa: F841
    return x * x


@case(1.3)
@program("probe", issue=3)
def probe_matchst(x):
    k = 1
    if k == 1:
        y = x * x
    return y


@case(1.3)
@program("probe", numba=True)
def probe_glob(x):
    return x * G


@case(1.3)
@program("del")
def deleted_in_a_tuple(x):
    a, b, c = x * x, x + 1.0, [x, 2.0 * x]
    total = a * b
    del (a, (b, c[0]))
    a = total * c[0]
    return a * x
