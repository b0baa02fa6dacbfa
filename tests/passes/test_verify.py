"""The verifier sees every invariant broken."""

import pytest

from sourcegrad.ir import Assign, Function, If, Lit, Loop, Op, Ref, Region, Value
from sourcegrad.kinds import FLOAT
from sourcegrad.request import options, verifying
from sourcegrad.verify import VerificationError, verify


def value(name):
    return Value(name, FLOAT)


def function(params, stmts, *ends):
    return Function("f", params, Region(stmts=stmts, yields=list(ends)))


def broken(message, made, **how):
    with pytest.raises(VerificationError, match=message):
        verify(made, "a pass", **how)


def test_a_right_function_passes():
    x, y = value("x"), value("y")
    verify(function([x], [Assign(y, Op("mul", (Ref(x), Ref(x))))], Ref(y)), "a pass")


def test_use_before_definition():
    x, y, z = value("x"), value("y"), value("z")
    stmts = [Assign(z, Ref(y)), Assign(y, Ref(x))]
    broken("f reads y, not defined there", function([x], stmts, Ref(z)))


def test_second_definition():
    x, y = value("x"), value("y")
    stmts = [Assign(y, Ref(x)), Assign(y, Lit(1.0))]
    broken("defines y twice", function([x], stmts, Ref(y)))


def test_value_without_kind():
    x, y = value("x"), Value("y", "float")
    broken("no kind for y", function([x], [Assign(y, Ref(x))], Ref(y)))


def test_value_of_an_arm_read_behind_the_branch():
    x, y = value("x"), value("y")
    branch = If(Ref(x), Region(stmts=[Assign(y, Ref(x))]), Region())
    broken("reads y", function([x], [branch], Ref(y)))


def test_arms_that_give_too_little():
    x, y = value("x"), value("y")
    branch = If(Ref(x), Region(yields=[Ref(x)]), Region(), [y])
    broken("1 results of a branch, but 0 from its arm orelse", function([x], [branch]))


def test_loop_that_carries_too_much():
    x, i, p = value("x"), value("i"), value("p")
    loop = Loop("for", [i], Ref(x), None, [Ref(x)], Region(params=[p]), [])
    broken("a loop with 1 starts, 1 carried values, 0 handed on", function([x], [loop]))


def test_a_mirror_sees_what_its_forward_region_defines():
    x, y, z = value("x"), value("y"), value("z")
    branch = If(Ref(x), Region(stmts=[Assign(y, Ref(x))]), Region())
    back = If(Ref(x), Region(stmts=[Assign(z, Ref(y))]), Region(), mirror=branch)
    made = function([x], [branch, back])
    verify(made, "reverse", mirrored=True)
    broken("reads y", made)
    back.then, back.orelse = back.orelse, back.then
    broken("reads y", made, mirrored=True)


def test_it_is_on_in_tests_and_can_be_turned_off():
    assert verifying()
    with options(verify=False):
        assert not verifying()
    assert verifying()
