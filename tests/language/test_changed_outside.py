"""Objects of globals and closures that a function gives attributes: what they hold
afterwards, what the next call finds, kept pullbacks, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import AliasError, SourcegradError, grad, jvp, vjp


class Cell:
    """A state that each step multiplies: h ← h w x."""

    def __init__(self, h, w):
        self.h, self.w, self.steps = h, w, 0

    def step(self, x):
        self.h = self.h * self.w * x
        self.steps += 1
        return self.h


class Adding(Cell):
    """Another class: h ← h + w x."""

    def step(self, x):
        self.h = self.h + self.w * x
        return self.h


CELL: Cell = Cell(1.0, 1.0)


@pytest.fixture
def cell(monkeypatch):
    """What puts another object in the place of the global one."""

    def put(made):
        monkeypatch.setattr(f"{__name__}.CELL", made)
        return made

    return put


def stepped(x):
    return CELL.step(x) * CELL.h


def test_the_object_is_as_a_plain_call_leaves_it(cell):
    for run in (
        grad(stepped),
        lambda x: vjp(stepped, x)[1](1.0)[0],
        lambda x: jvp(stepped, (x,), (1.0,))[1],
    ):
        held = cell(Cell(2.0, 3.0))
        assert run(0.5) == pytest.approx(2.0 * 36.0 * 0.5)  # (6 x)²
        assert vars(held) == {"h": 3.0, "w": 3.0, "steps": 1}


def test_the_next_call_finds_what_was_stored(cell):
    held = cell(Cell(2.0, 3.0))
    gradient = grad(stepped)
    state = 2.0
    for _ in range(3):
        assert gradient(0.5) == pytest.approx(2.0 * (3.0 * state) ** 2 * 0.5)
        state *= 1.5
    assert held.steps == 3


def test_another_object_class_or_kind_in_its_place(cell):
    gradient = grad(lambda x: np.sum(stepped(x)))
    cell(Cell(2.0, 3.0))
    assert gradient(0.5) == pytest.approx(36.0)
    cell(Adding(2.0, 3.0))  # (2 + 3 x)²
    assert gradient(0.5) == pytest.approx(21.0)
    held = cell(Cell(np.array([1.0, 2.0]), 1.0))
    assert gradient(0.5) == pytest.approx(5.0)
    assert_allclose(held.h, [0.5, 1.0])


def test_a_kept_pullback_neither_stores_nor_reads_again(cell):
    held = cell(Cell(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
    _, pullback = vjp(lambda x: np.sum(stepped(x)), 0.5)
    held.h[:] = 9.0
    held.w[:] = -1.0
    for _ in range(2):
        assert pullback(1.0)[0] == pytest.approx(9.0 + 64.0)
    assert held.steps == 1 and held.h.tolist() == [9.0, 9.0]


def test_an_exception_leaves_what_was_stored(cell):
    def f(x):
        CELL.step(x)
        if CELL.h > 1.0:
            raise OverflowError
        return CELL.h

    held = cell(Cell(2.0, 3.0))
    with pytest.raises(OverflowError):
        grad(f)(0.5)
    assert held.h == 3.0 and held.steps == 1
    held.h = 0.1
    assert grad(f)(0.5) == pytest.approx(0.3)


def peek():
    return CELL.h


def test_what_a_callee_without_operands_reads_is_active(cell):
    def f(x):
        CELL.h = x * x
        return peek() * x + sum([peek() for _ in range(2)])

    cell(Cell(0.0, 0.0))
    for run in (grad(f), lambda x: jvp(f, (x,), (1.0,))[1]):
        assert run(0.5) == pytest.approx(3 * 0.25 + 4 * 0.5)


def test_one_object_under_two_names(cell):
    held = cell(Cell(1.0, 1.0))
    outer = [Cell(held, 1.0)]

    def f(x):
        CELL.h = x * x
        outer[0].h.w = x
        return outer[0].h.h * CELL.w

    assert grad(f)(0.5) == pytest.approx(3 * 0.25)


def test_an_argument_that_is_the_same_object_is_refused(cell):
    held = cell(Cell(2.0, 3.0))

    def f(x, other):
        CELL.h = x
        return other.h * x

    assert grad(f)(0.5, Cell(7.0, 1.0)) == 7.0
    for f_of, arg in ((f, held), (lambda x, o: f(x, o[0]), [held])):
        with pytest.raises(AliasError, match="one object"):
            grad(f_of)(0.5, arg)


def test_what_runs_several_times_is_refused(cell):
    cell(Cell(2.0, 3.0))
    for run in (
        sourcegrad.jacobian(stepped),
        sourcegrad.jacobian(stepped, mode="forward"),
        sourcegrad.hessian(stepped),
        lambda x: sourcegrad.linearize(stepped, x),
    ):
        with pytest.raises(SourcegradError, match="changes CELL"):
            run(0.5)


def test_second_derivatives(cell):
    def f(x):
        CELL.h = x * x
        return CELL.step(x) * CELL.h  # (w x³)²

    held = cell(Cell(0.0, 2.0))
    assert grad(grad(f))(0.5) == pytest.approx(4.0 * 30.0 * 0.5**4)
    assert held.steps == 1


class Guarded(Cell):
    """An object that says itself how attributes are stored."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


class Slots:
    __slots__ = ("h",)


SLOTS = Slots()
GUARDED = Guarded(1.0, 1.0)
ARRAY = np.array([1.0, 2.0])


def into_slots(x):
    SLOTS.h = x
    return SLOTS.h * x


def by_own_way(x):
    GUARDED.h = x
    return GUARDED.h * x


def one_of_two(x):
    held = CELL if x > 0 else GUARDED
    held.h = x
    return CELL.h * x


def through_its_array(x):
    CELL.h = ARRAY
    CELL.h[0] = x
    return ARRAY[0] * x


def by_code_that_is_called_as_it_is(x):
    CELL.h = x * x
    return DRAWN(x) * x


@sourcegrad.constant
def DRAWN(x):
    return CELL.h


@pytest.mark.parametrize(
    "f",
    [into_slots, by_own_way, one_of_two, through_its_array,
     by_code_that_is_called_as_it_is],
)  # fmt: skip
def test_refused(f, cell):
    cell(Cell(np.array([1.0, 2.0]), 1.0))
    for run in (grad(f), lambda x: jvp(f, (x,), (1.0,))):
        with pytest.raises(SourcegradError) as caught:
            run(0.5)
        assert caught.value.where is not None
