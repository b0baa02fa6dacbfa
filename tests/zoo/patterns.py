"""The match statement with all kinds of pattern."""

import dataclasses

from tests.zoo import case, program


@dataclasses.dataclass
class Circle:
    radius: float


@dataclasses.dataclass
class Box:
    width: float
    height: float


@case(1.3, 1)
@case(1.3, 2)
@case(1.3, 7)
@program("match", "literals", issue=3)
def match_literals(x, k):
    match k:
        case 1:
            y = x * x
        case 2 | 3:
            y = x
        case _:
            y = x * k
    return y * x


@case(1.3, (0, 2.0))
@case(1.3, (1, 2.0, 3.0))
@case(1.3, [4, 5, 6, 7])
@program("match", "sequences", issue=3)
def match_sequences(x, command):
    match command:
        case (0, scale):
            return x * scale
        case (1, a, b) if a < b:
            return x * a + b * x * x
        case [first, *rest]:
            return x * first + len(rest) * x**2
    return x


@case({"kind": "scale", "by": 1.3})
@case({"kind": "shift", "by": 1.3})
@program("match", "mappings", issue=3)
def match_mappings(d):
    match d:
        case {"kind": "scale", "by": k}:
            return k * k * 3.0
        case {"kind": str() as name, **rest}:
            return rest["by"] * len(name)


@case(Circle(1.3))
@case(Box(1.3, 0.4))
@program("match", "classes", issue=3)
def match_classes(shape):
    match shape:
        case Circle(radius=r):
            return 3.0 * r * r
        case Box(w, h) if w > h:
            return w * h
        case _:
            return 0.0
