"""Statements that are too long for a line."""

import gast
import pytest

from sourcegrad.printer.layout import WIDTH, wrap
from sourcegrad.printer.text import check_round_trip, to_source

A, B = "a" * 30, "b" * 30

LONG = [
    (
        f"y = {A} * {B} + {A} * {B}",
        f"y = {A} * {B} + {A} * {B}".replace("y = ", "y = (\n    ").replace(
            " + ", "\n    + "
        )
        + "\n)",
    ),
    (f"f({A}, {B}, {A})", f"f(\n    {A},\n    {B},\n    {A},\n)"),
    (f"y = f({A}, {B}, g(x, y))", f"y = f(\n    {A}, {B}, g(x, y)\n)"),
    (f"return {A}, {B}, {A}", f"return (\n    {A},\n    {B},\n    {A},\n)"),
    (
        f"def f({A}, {B}, {A}_2):\n    pass",
        f"def f(\n    {A},\n    {B},\n    {A}_2,\n):\n    pass",
    ),
    (
        f"if {A} > {B} and {A} < {B}:\n    pass",
        f"if (\n    {A} > {B}\n    and {A} < {B}\n):\n    pass",
    ),
    (f"y = [{A}, {B}, {A}]", f"y = [\n    {A},\n    {B},\n    {A},\n]"),
    (
        f"{A}, {B}, c = f_reverse(residuals, y_bar)",
        f"{A}, {B}, c = f_reverse(\n    residuals, y_bar\n)",
    ),
]


@pytest.mark.parametrize(("text", "broken"), LONG)
def test_long_lines_are_broken_as_black_breaks_them(text, broken):
    tree = gast.parse(text)
    out = to_source(tree).rstrip("\n")
    if len(text.splitlines()[0]) <= WIDTH:
        broken = text
    assert out == broken
    check_round_trip(tree, out)


def test_line_of_exactly_the_width_is_kept():
    text = "x = " + "a" * (WIDTH - 4)
    assert wrap(text, 0) == text
    deeper = wrap("x = f(" + "a" * (WIDTH - 7) + ")", 1)
    assert deeper.splitlines()[0] == "x = f("


def test_strings_in_long_lines_are_left_alone():
    text = f'y = f("{A}, ({B}", {A}, f"{{x}} [{A}")'
    tree = gast.parse(text)
    check_round_trip(tree, to_source(tree))
