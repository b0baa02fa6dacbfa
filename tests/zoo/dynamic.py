"""Programs that must be refused, or whose meaning is known only at run time."""

import dataclasses

import numpy as np

from tests.zoo import case, program

TOTAL = 0.0


@case(1.3)
@program("generator function", refused="yield", smooth=False, analytic=False)
def generator_function(x):
    yield x * x


@case(1.3)
@program("async function", refused="async", smooth=False, analytic=False)
async def async_function(x):
    return x * x


@case(1.3)
@program("global store", refused="global", smooth=False)
def stores_a_global(x):
    global TOTAL
    TOTAL = x * x
    return TOTAL * x


@case(1.3)
@program("exec", refused="exec", smooth=False)
def runs_exec(x):
    exec("y = 1")
    return x * x


@case(1.3)
@program("eval", refused="eval", smooth=False)
def runs_eval(x):
    return eval("x * x")


@case(1.3)
@program("locals", refused="locals", smooth=False)
def reads_locals(x):
    return locals()["x"] * x


@case(np.array([0.3, 0.8]))
@program("resize", refused="resize", smooth=False, analytic=False)
def resized_in_place(x):
    y = x.copy()
    y.resize(3)
    return np.sum(y * y)


@case(np.array([0.3, 0.8]))
@program("integer buffer", refused="int", smooth=False, analytic=False)
def active_store_into_integers(x):
    y = np.zeros(2, dtype=int)
    y[0] = x[0]
    return np.sum(y * x)


@case(1.3)
@program("number from text", refused="does not go through text", smooth=False)
def number_read_from_text(x):
    return float(f"{x * x:.12f}") * x


@case(1.3)
@program("object array", refused="dtype object", smooth=False, analytic=False)
def array_of_objects(x):
    return np.array([x, x * x], dtype=object).sum()


@case(np.array([1, 2]))
@program("integer array", "argument", refused="int", smooth=False, analytic=False)
def integer_array_argument(x):
    return np.sum(x * x)


@case("text")
@program("string", "argument", refused="'text'", smooth=False, analytic=False)
def string_argument(x):
    return len(x)


@case(0.6)
@program("generator read twice", refused="read in more than one place")
def generator_read_twice(x):
    def values():
        yield x
        yield x * x

    held = values()
    return sum(held) + 2.0 * sum(held)


@dataclasses.dataclass(order=True)
class Ordered:
    cost: float
    value: float


@case(np.array([0.3, 0.7]))
@program("list of objects, sorted by their own order", refused="looks at all of it")
def objects_sorted_by_their_own_order(x):
    return sorted([Ordered(v * v, v) for v in x])[1].value
