"""Scalar code: generated functions against adjoints written by hand."""

import sourcegrad
from benchmarks import hand_scalar
from benchmarks.checks import difference, good_adjoint, require_close
from benchmarks.timing import Row, time_ratio

BOUND = 1.2


def straight_line() -> list[Row]:
    """Both derivatives of a dozen lines without control flow."""
    primal, hand = hand_scalar.straight_line, hand_scalar.straight_line_gradient
    args = (0.7, 1.3)
    expected = [difference(primal, list(args), k) for k in (0, 1)]
    require_close("hand-written straight line", hand(*args), expected, rtol=1e-8)
    generated = sourcegrad.grad(primal, (0, 1)).compiled(*args)
    require_close("generated straight line", generated(*args), hand(*args), rtol=1e-12)
    return [
        good_adjoint("scalar straight line", primal, hand, args),
        Row(
            "scalar straight line: generated / hand-written",
            time_ratio(generated, args, hand, args),
            BOUND,
        ),
    ]


def while_loop() -> list[Row]:
    """The derivative through a loop whose length depends on the input."""
    primal, hand = hand_scalar.newton, hand_scalar.newton_gradient
    args = (1234.5, 1e-10)
    expected = difference(primal, list(args), 0)
    require_close("hand-written while loop", hand(*args), expected, rtol=1e-8)
    generated = sourcegrad.grad(primal).compiled(*args)
    require_close("generated while loop", generated(*args), hand(*args), rtol=1e-12)
    return [
        good_adjoint("scalar while loop", primal, hand, args),
        Row(
            "scalar while loop: generated / hand-written",
            time_ratio(generated, args, hand, args),
            BOUND,
        ),
    ]


def measure() -> list[Row]:
    """The rows of this theme."""
    return straight_line() + while_loop()
