"""One sweep for many seeds: a covariance pushed through a model, and pulled back.

`pushforward.batched` and `pullback.batched` take a stack of seeds. Where the kinds of
the program's values show what each operation means for a stack, the compiler writes a
sweep for the whole stack; else the sweep runs once per seed.
"""

import numpy as np
from showing import show

import sourcegrad


def trajectory(p, times):
    """The height of a ball thrown up with speed p[0] against a drag p[1]."""
    height, speed, found = 0.0, p[0], np.zeros(len(times))
    for k in range(len(times)):
        found[k] = height
        height = height + 0.1 * speed
        speed = speed - 0.1 * (9.8 + p[1] * speed)
    return found


def last_height(p, times):
    return trajectory(p, times)[-1]


TIMES = np.arange(6) * 0.1
SPEED_AND_DRAG = np.array([12.0, 0.3])
PROGRAMS = [(last_height, (SPEED_AND_DRAG, TIMES), 0)]


def main():
    show(last_height, SPEED_AND_DRAG, TIMES)
    heights, pushforward = sourcegrad.linearize(
        lambda p: trajectory(p, TIMES), SPEED_AND_DRAG
    )
    factor = np.linalg.cholesky(np.array([[0.25, 0.01], [0.01, 0.01]]))
    moved = pushforward.batched(factor.T)  # a row for each column of the factor
    spread = np.sqrt(np.sum(moved**2, axis=0))
    print("heights and their spread:", heights.round(3), spread.round(3), sep="\n")
    _, pullback = sourcegrad.vjp(lambda p: trajectory(p, TIMES), SPEED_AND_DRAG)
    (rows,) = pullback.batched(np.eye(len(TIMES)))
    print("the Jacobian, row by row in one sweep:", rows.round(3), sep="\n")
    return {"spread": spread, "rows": rows, "columns": pushforward.batched(np.eye(2))}


if __name__ == "__main__":
    main()
