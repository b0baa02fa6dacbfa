"""Integrate a pendulum by its Taylor series: long steps, errors near rounding.

The series of the solution comes from the series of its right side, one coefficient at
a time: q_(k+2) = c_k / ((k + 1) (k + 2)), where c_k is a coefficient of the
acceleration along the curve found so far.
"""

import math

import numpy as np
from showing import show

import sourcegrad

ORDER = 12


def acceleration(q):
    return -math.sin(q)


def along_the_curve(place):
    """The acceleration at a time, on the curve with these Taylor coefficients."""
    t, coefficients = place
    q = 0.0
    for c in reversed(coefficients):
        q = q * t + c
    return acceleration(q)


def series(q, v, order=ORDER):
    """The Taylor coefficients of the angle that starts at q with velocity v."""
    found = [q, v]
    for k in range(order - 1):
        place, direction = (0.0, tuple(found)), (1.0, (0.0,) * len(found))
        c = sourcegrad.taylor(along_the_curve, place, direction, k)[k]
        found.append(c / ((k + 1) * (k + 2)))
    return found


def step(q, v, h):
    """Angle and velocity after a time h."""
    c = np.array(series(q, v))
    powers = h ** np.arange(len(c))
    slopes = np.arange(1, len(c)) * powers[:-1]
    return float(c @ powers), float(c[1:] @ slopes)


def energy(q, v):
    return 0.5 * v * v - math.cos(q)


PROGRAMS = [(energy, (1.0, 0.5), 0)]


def main():
    """Swing for ten time units in steps of a quarter; return where that ends."""
    show(energy, 1.0, 0.5)
    q, v = 1.0, 0.0
    before = energy(q, v)
    print("coefficients of the first step:", np.round(series(q, v, 6), 6))
    for _ in range(40):
        q, v = step(q, v, 0.25)
    drift = energy(q, v) - before
    print(f"angle {q:.12f}, velocity {v:.12f} at time 10; energy drifts by {drift:.1e}")
    return {"angle": q, "velocity": v, "drift": drift, "series": series(1.0, 0.0, 6)}


if __name__ == "__main__":
    main()
