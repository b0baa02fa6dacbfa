"""Lists and dicts among the arguments that the program changes."""

import numpy as np

from tests.zoo import case, program

X = np.array([0.7, 1.9, 0.3])


def doubled(values, k):
    values[k] = values[k] * 2.0


@case([0.5, 1.5, 2.5])
@program("list argument", "item store", "append", mutation=True)
def extended_argument(values):
    values[0] = values[0] * values[1]
    values.append(values[2] ** 2)
    return sum(values) * values[-1]


@case([0.5, 1.5, 2.5])
@program("list argument", "changed in a callee", "early return", mutation=True)
def argument_changed_in_callee(values):
    for k in range(len(values)):
        doubled(values, k)
    if values[0] > 0.7:
        values.pop()
        return values[0] * values[1]
    values.reverse()
    return values[0]


@case([X.copy(), X + 1.0])
@program("list of arrays as argument", mutation=True)
def replaced_array(arrays):
    arrays[0][2] = arrays[1][0] * arrays[0][1]
    arrays[1] = arrays[0] * 2.0
    return np.sum(arrays[0] * arrays[1])


@case({"a": 0.5, "b": X.copy()})
@program("dict argument", "key store", mutation=True)
def filled_in(settings):
    settings["a"] = settings["a"] * 3.0
    settings["c"] = np.sum(settings["b"]) * settings["a"]
    settings["b"][1] *= settings["c"]
    return settings["c"] ** 2 + settings["a"] * settings["b"][1]


@case({"w": [1.0, 2.0], "scale": 3.0})
@program("list in a dict argument", mutation=True)
def nested_argument(settings):
    w = settings["w"]
    for i in range(len(w)):
        w[i] = w[i] ** 2 + settings["scale"]
    settings["scale"] = w[0]
    return w[0] * w[1] * settings["scale"]


@case(list(np.linspace(0.1, 2.0, 40)))
@program("long list as argument", mutation=True)
def running_sum(values):
    for i in range(1, len(values)):
        values[i] = values[i] + 0.5 * values[i - 1]
    return values[-1] ** 2
