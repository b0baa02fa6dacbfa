"""The rules of products, against differences, for every combination of ranks."""

import operator

import numpy as np
import pytest

from sourcegrad.rules import lookup

from .check import check

RNG = np.random.default_rng(3)
SHAPES = [(3,), (3, 3), (2, 3, 3), (1, 3, 3)]


def operand(*shape, complex_=False):
    x = RNG.normal(size=shape)
    return x + 1j * RNG.normal(size=shape) if complex_ else x


@pytest.mark.parametrize("left", SHAPES, ids=str)
@pytest.mark.parametrize("right", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["matmul", "dot", "inner"])
def test_ranks(name, left, right):
    x, y = operand(*left), operand(*right)
    check(getattr(np, name), x, y)
    check(getattr(np, name), x, y, wrt=(0,))
    check(getattr(np, name), x, y, wrt=(1,))
    check(getattr(np, name), x + 0.5j * x, y)


CASES = [
    (operator.matmul, operand(2, 3), operand(3, 4)),
    (np.matmul, operand(2, 3), operand(4, 3, 2)),
    (np.matmul, operand(5, 1, 2, 3), operand(4, 3, 2)),
    (np.matmul, operand(4, 2, 3), operand(3)),
    (np.matmul, operand(2), operand(4, 2, 3)),
    (np.matmul, operand(0, 3), operand(3, 2)),
    (np.dot, 1.5, operand(2, 3)),
    (np.dot, operand(2, 3), 2.5),
    (np.dot, operand(2, 3, 4), operand(5, 4, 2)),
    (np.dot, operand(4), operand(5, 4, 2)),
    (np.dot, operand(2, 3, 4), operand(4)),
    (np.vdot, operand(4), operand(4)),
    (np.vdot, operand(2, 2), operand(2, 2)),
    (np.vdot, operand(4, complex_=True), operand(4, complex_=True)),
    (np.vdot, operand(4, complex_=True), operand(4)),
    (np.outer, operand(3), operand(4)),
    (np.outer, operand(3, 2), operand(2, complex_=True)),
    (np.tensordot, operand(2, 3, 4), operand(3, 4, 5)),
    (np.tensordot, operand(2, 3, 4), operand(4, 5), 1),
    (np.tensordot, operand(2, 3), operand(4), 0),
    (np.tensordot, operand(2, 3, 4), operand(4, 2, 5), ([0, 2], [1, 0])),
    (np.tensordot, operand(2, 3, 4), operand(5, 3), (1, -1)),
    (np.tensordot, operand(2), operand(2, 2), (0, 1)),
    (np.kron, operand(2, 3), operand(3, 2)),
    (np.kron, operand(2), operand(2, 3)),
    (np.cross, operand(3), operand(3)),
    (np.cross, operand(4, 3), operand(3)),
    (np.cross, operand(3, 4), operand(3, 4), 0, 0, 0),
    (np.vecdot, operand(2, 3), operand(3)),
    (np.linalg.cross, operand(2, 3), operand(2, 3)),
    (np.linalg.outer, operand(2), operand(3)),
    (np.linalg.tensordot, operand(2, 3, 4), operand(3, 4)),
    (np.linalg.matmul, operand(2, 3), operand(3, 2)),
    *(
        [
            (np.matvec, operand(2, 3), operand(4, 3)),
            (np.vecmat, operand(2, complex_=True), operand(4, 2, 3)),
        ]
        if hasattr(np, "matvec")
        else []
    ),
    (np.linalg.multi_dot, [operand(2, 3), operand(3, 4), operand(4, 2)]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


EINSUM = [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("i,i", (3,), (3,)),
    ("i,i", (3,), (1,)),
    ("ii->", (3, 3)),
    ("ii->i", (3, 3)),
    ("iij->ij", (3, 3, 2)),
    ("ij->", (2, 3)),
    ("ij->ji", (2, 3)),
    ("ji", (2, 3)),
    ("ij->j", (2, 3)),
    ("ii,ij->j", (2, 2), (2, 3)),
    ("i,j->ij", (2,), (3,)),
    ("i,j->", (2,), (3,)),
    ("...ij,jk->...ik", (4, 2, 3), (3, 2)),
    ("...i,...i", (4, 1, 3), (2, 3)),
    ("...i,...j->...", (4, 2), (1, 3)),
    ("i...->...", (2, 3, 4)),
    (" b i , b j -> b i j ", (4, 2), (4, 3)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("i,ij,j->", (2,), (2, 3), (3,)),
    ("ab,bc,cd,de->ae", (2, 3), (3, 2), (2, 3), (3, 2)),
    ("bhqd,bhkd->bhqk", (2, 1, 3, 2), (2, 3, 4, 2)),
]


@pytest.mark.parametrize("case", EINSUM, ids=lambda c: c[0])
def test_einsum(case):
    subscripts, *shapes = case
    operands = [operand(*shape) for shape in shapes]
    check(np.einsum, subscripts, *operands)
    check(np.einsum, subscripts, *operands, wrt=(1,))
    check(np.einsum, subscripts, *(x + 0.3j * x for x in operands))


def test_einsum_with_lists_of_labels_is_refused():
    from sourcegrad.errors import NonDifferentiableError

    with pytest.raises(NonDifferentiableError, match="labels"):
        lookup(np.einsum).fn(1.0, 1.0, operand(2), [0])


@pytest.mark.parametrize("name", "matmul dot inner outer tensordot vdot".split())
def test_float32_stays_float32(name):
    target = getattr(np, name)
    x, y = operand(3, 3).astype(np.float32), operand(3, 3).astype(np.float32)
    z = target(x, y)
    bars = lookup(target).fn(z, np.ones_like(z), x, y)
    assert [b.dtype for b in bars] == [np.float32, np.float32]
