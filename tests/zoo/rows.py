"""Lists of lists whose rows change places, or are replaced."""

import numpy as np

from tests.zoo import case, program

Y = np.array([0.7, -0.4, 1.3])
A = [[2.0, 1.0, 0.3], [1.0, 3.0, 0.5], [4.0, 1.0, 2.0]]


@case(np.array([0.3, 0.7]))
@program("row of a list of lists", "swap", mutation=True)
def rows_of_lists_swapped(x):
    rows = [[x[0], 1.0], [x[1], x[0]]]
    rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0] * rows[1][0] + 3.0 * rows[0][1]


@case(Y)
@program("row of a list of lists", "swap", "elimination", mutation=True, analytic=False)
def elimination_with_pivots(y):
    n = len(y)
    m = [[A[i][j] * (1 + 0.1 * y[i]) for j in range(n)] + [y[i]] for i in range(n)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(m[i][k]))
        if p != k:
            m[k], m[p] = m[p], m[k]
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            for j in range(k, n + 1):
                m[i][j] -= f * m[k][j]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        rest = sum(m[i][j] * x[j] for j in range(i + 1, n))
        x[i] = (m[i][n] - rest) / m[i][i]
    return sum(x) + x[0] * x[1]


@case(Y)
@program("row of a list of lists", "replaced", mutation=True)
def rows_replaced_by_new_ones(y):
    m = [[A[i][j] + y[i] for j in range(3)] for i in range(3)]
    for k in range(3):
        pivot = m[k][k]
        m[k] = [v / pivot for v in m[k]]
        for i in range(3):
            if i != k:
                f = m[i][k]
                m[i] = [a - f * b for a, b in zip(m[i], m[k], strict=True)]
    return m[0][2] + sum(m[2])


@case(Y)
@program("row of a list of lists", "sort", "insert", "pop", mutation=True,
         analytic=False)  # fmt: skip
def rows_sorted_and_taken_out(y):
    rows = [[v, v * v] for v in y]
    rows.sort(key=lambda r: r[0])
    rows.reverse()
    rows.insert(1, [y[0], y[1]])
    rows.pop(0)
    return sum((k + 1) * r[0] * r[1] for k, r in enumerate(rows))


@case(Y)
@program("row of a list of lists", "two names for one", mutation=True)
def row_that_two_places_hold(y):
    rows = [[v, 1.0] for v in y]
    old = rows[0]
    rows[1] = rows[0]
    rows[0][0] = rows[0][0] * 5
    rows[0] = [y[1], y[2]]
    old[1] = old[1] + old[0] * y[2]
    return rows[1][0] + rows[1][1] + rows[0][0] * rows[0][1] + old[0]


@case(Y)
@program("row of a list of lists", "swap", "while", mutation=True, analytic=False)
def rows_in_the_order_of_their_first(y):
    rows = [[v, v * v] for v in y]
    moved = True
    while moved:
        moved = False
        for i in range(len(rows) - 1):
            if rows[i][0] > rows[i + 1][0]:
                held = rows[i]
                rows[i] = rows[i + 1]
                rows[i + 1] = held
                moved = True
    return sum((k + 1) * r[1] for k, r in enumerate(rows))


@case(Y)
@program("list of lists", "a new one in each trip", mutation=True)
def power_of_a_matrix_of_lists(y):
    def product(p, q):
        return [
            [sum(p[i][k] * q[k][j] for k in range(2)) for j in range(2)]
            for i in range(2)
        ]

    m = [[y[0], 1.0], [0.5, y[1]]]
    found = [[1.0, 0.0], [0.0, 1.0]]
    for _ in range(4):
        found = product(found, m)
    return found[0][1] + found[1][1]
