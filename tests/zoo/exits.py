"""Programs that leave loops and functions early."""

import numpy as np

from tests.zoo import case, program


@case(1.3)
@case(0.4)
@case(-2.0)
@program("early return", numba=True)
def early_return(x):
    if x > 1.0:
        return x * x
    y = np.sin(x)
    if y < 0.0:
        return y * y
    return y + x


@case(1.3)
@program("code after return")
def code_after_return(x):
    return x * x
    x = 3.0
    return x


@case(1.3)
@case(0.9)
@program("break", numba=True)
def break_in_for(x):
    y = x
    for _ in range(10):
        y = y * x
        if y > 5.0:
            break
        y = y + 0.01 * x
    return y * x


@case(1.3)
@program("continue", numba=True)
def continue_in_for(x):
    y = x
    for i in range(5):
        if i == 2:
            continue
        y = y * x
        if y > 2.5:
            y = y * 0.5
            continue
        y = y + x
    return y


@case(0.8)
@program("break", "continue", numba=True)
def break_and_continue(x):
    s = 0.0
    for i in range(10):
        if i % 2 == 1:
            continue
        if i > 6:
            break
        s = s * x + x * i
    return s


@case(1.3)
@case(0.9)
@program("early return", "for", numba=True)
def return_in_loop(x):
    y = x
    for _ in range(5):
        y = y * x
        if y > 3.0:
            return y * 2.0
    return x * x


@case(1.3, 2.0)
@case(0.3, 20.0)
@case(0.9, 1.0)
@program("early return", "nested loops", numba=True, argnums=(0, 1))
def return_in_nested_loops(x, limit):
    total = x
    for i in range(3):
        for j in range(4):
            total = total * 1.1 + x * j
            if total > limit:
                return total * x + limit
            if total < 0:
                break
        total = total + i * x
    return total


@case(1.2, 2.0)
@case(0.2, 2.0)
@program("loop else", argnums=(0, 1), smooth=True)
def for_else(x, limit):
    for i in range(4):
        if x * i > limit:
            y = x * i
            break
    else:
        y = x**3 * limit
    return y + x


@case(1.3)
@case(30.0)
@program("loop else", "while", numba=True)
def while_else(x):
    y = x
    n = 0
    while n < 4:
        y = y * 1.5
        n += 1
        if y > 20.0:
            break
    else:
        y = y * x
    return y + n


@case(1.3)
@program("while True", "break", numba=True)
def while_true(x):
    y = x
    while True:
        y = y * y
        if y > 10.0:
            break
    return y


@case(1.3)
@case(0.7)
@program("while", "continue", numba=True)
def while_with_continue(x):
    y, n = x, 0
    while n < 6:
        n += 1
        if n % 3 == 0:
            continue
        y = y * x if y < 2.0 else y - x
    return y


@case(1.1)
@case(1.9)
@program("break", "nested loops", numba=True)
def break_of_the_inner_loop(x):
    y = x
    for i in range(4):
        for j in range(5):
            if j > i:
                break
            y = y * 0.9 + x
            if y > 6.0:
                y = 1.0 + 0.1 * y
                break
        else:
            y = y + 100.0
        if y > 5.0:
            continue
        y = y * x
    return y


@case(np.array([1.0, -2.0]))
@program("early return", "arrays")
def conjugate_gradient(b):
    a = np.array([[4.0, 1.0], [1.0, 3.0]])
    x = np.zeros(2)
    r = b - a @ x
    p = r
    for _ in range(25):
        if np.sum(r * r) < 1e-22:
            return np.sum(x * np.array([1.0, 2.0]))
        ap = a @ p
        step = (r @ r) / (p @ ap)
        x = x + step * p
        r_next = r - step * ap
        p = r_next + (r_next @ r_next) / (r @ r) * p
        r = r_next
    return -1.0


@case(1.3)
@case(0.2)
@case(-1.0)
@program("early return", "nested", numba=True)
def return_everywhere(x):
    if x < 0:
        for i in range(3):
            x = x * 0.5
            if i == 1:
                return x * x
        return 0.0
    else:
        while x < 1.0:
            x = x * 1.7
            if x > 0.9:
                return x * 3.0
    return x


@case(1.3)
@program("break", "first trip", numba=True)
def break_at_once(x):
    y = x
    for _ in range(3):
        break
    while True:
        break
    return y * y


@case(1.3)
@case(2.5)
@program("exit in both arms", numba=True)
def exit_in_both_arms(x):
    y = x
    for i in range(6):
        y = y * 1.2
        if y > 4.0:
            y = y - x
            break
        else:
            y = y + 0.1 * i
            continue
    return y * x


@case(np.array([0.5, 1.5, -0.5, 2.5]))
@program("break", "over arrays", numba=True)
def first_negative(x):
    s = 1.0
    for v in x:
        if v < 0:
            break
        s = s * v + v
    return s * v


@case(1.3, 2)
@case(1.3, 7)
@program("exit variable", numba=True)
def variable_of_the_exit(x, stop):
    found = 0.0
    for i in range(5):
        t = x * (i + 1)
        if i == stop:
            found = t * t
            break
    return found + t * x
