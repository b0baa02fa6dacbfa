"""Objects from outside that the program gives attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.zoo import case, program

W = np.array([[0.2, -0.4], [0.7, 0.3]])
X = np.array([0.7, -0.3])


class Body:
    """A position and a speed, moved in place."""

    kicks = 0

    def __init__(self, p, v):
        self.p, self.v = p, v

    def kick(self, dt):
        self.v = self.v - self.p * dt
        self.p = self.p + self.v * dt
        self.kicks += 1

    @property
    def energy(self):
        return 0.5 * (self.p**2 + self.v**2)

    @energy.setter
    def energy(self, wanted):
        self.v = (2.0 * wanted - self.p**2) ** 0.5


@dataclass
class Cell:
    """A state with a log of what it saw."""

    w: np.ndarray
    h: np.ndarray
    seen: object = None

    def step(self, x):
        self.seen = x
        self.h = np.tanh(self.w @ x + self.h)
        return self.h


class Pair:
    """Two bodies and a clock."""

    def __init__(self, bodies):
        self.bodies, self.time = bodies, 0.0

    def step(self, dt):
        for body in self.bodies:
            body.kick(dt)
        self.time += dt


@case(Body(1.0, 2.0), 0.1)
@program("attribute of an argument", "changed by a method", argnums=(0, 1), issue=3)
def argument_kicked(body, dt):
    body.kick(dt)
    body.kick(dt)
    return body.p * body.v * body.kicks


@case(0.3, Body(1.0, 2.0))
@program("attribute of an argument", "augmented", issue=3)
def argument_given_attributes(x, body):
    body.v = x * body.v
    body.p += x
    body.spin = body.v * body.p
    return body.spin**2 + body.v * body.p


@case(Body(0.5, 0.2), 0.3, 4)
@program("attribute of an argument", "in loops and branches", argnums=(0, 1), issue=3)
def argument_changed_on_paths(body, dt, n):
    for k in range(n):
        body.kick(dt)
        if body.p > 0.6:
            body.last = body.p * dt
            body.v = body.last
        while body.v < 0.5 * dt:
            body.v = body.v + dt * body.p
    return body.p * body.v


@case(Cell(W, X, None), X * 2.0)
@program("attribute of an argument", "array, None at first", argnums=1, issue=3)
def layer_that_keeps_its_input(cell, x):
    y = cell.step(x) * cell.seen
    z = cell.step(y + x) * cell.seen
    return np.sum(y * z * cell.h)


@case([Body(1.0, 2.0), Body(0.5, 0.3)], 0.1)
@program("list of objects as argument", "changed by methods", issue=3, argnums=1)
def bodies_kicked(bodies, dt):
    for _ in range(2):
        for body in bodies:
            body.kick(dt)
        bodies[0].v = bodies[1].p * bodies[0].v
    return sum(b.p * b.v for b in bodies)


@case(Pair([Body(1.0, 2.0), Body(0.5, 0.3)]), 0.1)
@program("objects in an object argument", "changed by methods", argnums=1, issue=3)
def pair_of_bodies(pair, dt):
    for _ in range(3):
        pair.step(dt)
    return pair.bodies[0].p * pair.time + pair.bodies[1].v


@case(Body(1.0, 2.0), 0.3)
@case(Body(1.0, 0.2), 0.3)
@program("attribute of an argument", "behind an exception", argnums=(0, 1), issue=3)
def argument_changed_before_it_raises(body, x):
    try:
        body.v = body.v * x
        if body.v > 0.1:
            raise ValueError("too fast")
        body.p = x * x
    except ValueError:
        body.p = body.p * x * body.v
    return body.p * body.v


@case(Body(0.4, 0.2), 0.9)
@program("property of an argument", "set", argnums=(0, 1), issue=3)
def energy_set(body, x):
    body.energy = body.energy + x
    return body.v * body.energy


@case(Body(0.4, 0.2), 0.9)
@program("attribute of an argument", "in an inner function", argnums=(0, 1), issue=3)
def changed_by_an_inner_function(body, x):
    def bump(k):
        body.v = body.v * k
        return body.v

    return bump(x) + bump(x * 2.0) * body.p


@case(Body(np.array([1.0, 2.0]), 2.0), np.array([0.3, 0.4]))
@program("attribute of an argument", "array changed in place", argnums=(0, 1), issue=3)
def array_of_an_argument_in_place(body, x):
    body.p = body.p + x
    body.p[0] = x[1] * body.p[1]
    body.q = body.p
    body.q *= x
    return np.sum(body.p * body.q)


@case(Body(np.array([1.0, 2.0]), 2.0), np.array([0.3, 0.4]))
@program("attribute of an argument", "array written after it was given",
         argnums=(0, 1), issue=3)  # fmt: skip
def array_written_after_it_was_given(state, x):
    y = x * state.v
    state.h = y
    y[0] = x[1] * 3.0
    state.w = np.sin(state.h * state.p)
    return np.sum(state.w * y)


BODY = Body(1.0, 2.0)
PAIR = Pair([Body(0.4, -0.2), BODY])
_swing = BODY.kick


def _started():
    BODY.p, BODY.v, BODY.kicks = 1.0, 2.0, 0
    PAIR.bodies[0].p, PAIR.bodies[0].v = 0.4, -0.2
    PAIR.time = 0.0


def _counted(x):
    CALLS.count += 1
    return x * CALLS.count


class Calls:
    count = 0


CALLS = Calls()


@case(0.3)
@program("attribute of a global object", "changed by a method", issue=3)
def global_body_kicked(dt):
    _started()
    BODY.kick(dt)
    _swing(dt * 2.0)
    BODY.energy = BODY.energy * dt + 4.0
    return BODY.p * BODY.v * BODY.kicks


@case(0.2, 3)
@program("attribute of a global object", "list of objects", issue=3)
def global_pair_moved(dt, n):
    _started()
    for _ in range(n):
        PAIR.step(dt)
    return PAIR.bodies[0].p * BODY.v + PAIR.time


@case(0.7)
@case(-0.7)
@program("attribute of a global object", "if", "try", issue=3)
def global_body_on_a_path(x):
    _started()
    try:
        BODY.v = x * BODY.v
        if x > 0:
            raise ValueError
        BODY.p = x
    except ValueError:
        BODY.v *= 3.0
    return BODY.v * BODY.p


@case(0.7)
@program("attribute of a global object", "augmented", "count of calls", issue=3)
def calls_counted(x):
    CALLS.count = 0
    return _counted(x) + _counted(x * x) * _counted(1.0)


def _machine(gain):
    body = Body(0.0, gain)

    def advance(x):
        body.p, body.v = x, gain
        body.kick(0.1)
        return body.p

    return advance


advance = _machine(1.5)


@case(0.4)
@program("attribute of a captured object", "closure", issue=3)
def captured_body_kicked(x):
    first = advance(x)
    return first * advance(first)


@case(0.7, Body(0.5, 0.2))
@program("list stored in an attribute", "append", mutation=True, issue=3)
def argument_given_a_log(x, body):
    body.log = [x, x * x]
    kept = body.log
    for k in range(2):
        body.log.append(x * kept[k + 1])
    kept[0] = body.v * x
    body.log = [v * v for v in kept]
    return sum(body.log) * body.log[0] * len(kept)


@case(0.7)
@program("list stored in an attribute", "attribute of a global object",
         mutation=True, issue=3)  # fmt: skip
def global_given_a_log(x):
    BODY.log = []
    for k in range(3):
        BODY.log.append(x ** (k + 1))
    first, *rest = BODY.log
    return first * sum(rest)
