"""Where a checkpointed loop keeps its state: positions and counts, no arrays.

The schedule for a known number of trips is the binomial one of Griewank and Walther
("Algorithm 799: revolve", ACM TOMS 26, 2000); for an unknown number it is that of
Wang, Moin and Iaccarino ("Minimal repetition dynamic checkpointing", SIAM J. Sci.
Comput. 31, 2009), which repeats no step more often than the binomial one.
"""

from __future__ import annotations

import math


def next_snapshot(start: int, stop: int, free: int) -> int:
    """The next trip whose state is kept, given a snapshot of an earlier one.

    Args:
        start: the trip whose state is kept already.
        stop: the end of the trips to be reversed, from `start` on.
        free: how many snapshots may still be taken.

    Returns:
        The trip, `stop` if there is none; it minimises the number of re-runs.

    >>> next_snapshot(0, 10, 2), next_snapshot(4, 10, 1), next_snapshot(4, 10, 0)
    (4, 7, 10)
    """
    length, snaps = stop - start, free + 1
    if free < 1 or length < 2:
        return stop
    reps, reach = 0, 1
    while reach < length:
        reps += 1
        reach = reach * (reps + snaps) // reps
    after = reach * reps // (snaps + reps)
    shorter = after * snaps // (snaps + reps - 1)
    third = shorter * (snaps - 1) // (snaps + reps - 2) if snaps > 2 else 1
    fifth = (third * (snaps - 2) // reps if snaps > 3 else 1) if snaps > 2 else 0
    if length <= after + third:
        step = shorter * (reps - 1) // snaps
    elif length >= reach - fifth:
        step = after
    else:
        step = length - shorter - third
    return start + max(step, 1)


def checkpoint_reruns(trips: int, budget: int) -> int:
    """How often a checkpointed loop of known length runs a trip again.

    Beside these, each trip runs once in the forward sweep and once with what its
    adjoint needs: t(n + 1, s) - n of Griewank and Walther for n trips and s
    snapshots, with t(l, s) = r l - C(s + r, r - 1) and r the least for which
    C(s + r, s) reaches l.

    Args:
        trips: the number of trips.
        budget: the number of snapshots.

    >>> checkpoint_reruns(10, 3), checkpoint_reruns(10, 10), checkpoint_reruns(4, 1)
    (8, 0, 6)
    """
    length, reps = trips + 1, 0
    while math.comb(budget + reps, budget) < length:
        reps += 1
    if not reps:
        return 0
    return reps * length - math.comb(budget + reps, reps - 1) - trips


class OnlineSchedule:
    """The snapshots of a loop whose number of trips is not known.

    Args:
        budget: how many are kept, at least two.

    Raises:
        ValueError: the budget is too small.

    >>> schedule = OnlineSchedule(3)
    >>> [schedule.place() for _ in range(6)]
    [-1, -1, -1, 2, 1, 2]
    """

    def __init__(self, budget: int) -> None:
        if budget < 2:
            raise ValueError(
                "checkpoint of a loop that may break needs a budget of at least 2, "
                f"not {budget}"
            )
        self.budget = budget
        self.levels: list[int] = []
        self.loose: list[int] = []

    def place(self) -> int:
        """Make room for the state of the next trip.

        Returns:
            Which snapshot is dropped for it, -1 if there is room.
        """
        levels = self.levels
        if len(levels) < self.budget:
            levels.append(0)
            return -1
        if self.loose:
            drop = self.loose.pop()
            levels.pop(drop)
            levels.append(0)
            return drop
        last = levels.pop()
        self.loose = [k for k in range(1, len(levels)) if levels[k] <= last]
        levels.append(last + 1)
        return len(levels) - 1
