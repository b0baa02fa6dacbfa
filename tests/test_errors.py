"""Errors: what they show, what they derive from, and that they pickle."""

import copy
import os
import pickle
import re
import warnings

import pytest

from sourcegrad import errors
from sourcegrad.errors import Location, SourcegradError

WHERE = Location("model.py", 14, 8, 19, "    w = root(g, x0)\n", "price")


def all_errors():
    kinds = [SourcegradError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return kinds


def test_message_is_read_from_the_bottom():
    error = errors.MissingRuleError(
        "root has no derivative rule",
        WHERE,
        why="It is compiled code.",
        hints=["implicit_root(g, root)", "stop_gradient(root(g, x0))"],
    )
    assert str(error).splitlines() == [
        "model.py:14:9 in price()",
        "    w = root(g, x0)",
        "        ^^^^^^^^^^^",
        "SG204  root has no derivative rule",
        "  It is compiled code.",
        "  a) implicit_root(g, root)",
        "  b) stop_gradient(root(g, x0))",
    ]


def test_message_without_a_place_starts_with_the_code():
    assert str(errors.KindError("x is a string")) == "SG302  x is a string"


def test_one_hint_may_be_a_plain_string():
    assert SourcegradError("no", hints="write y = y + 1").hints == ("write y = y + 1",)


@pytest.mark.parametrize(
    ("text", "col", "end_col", "marked"),
    [
        ("    y = f(x)", 8, 12, "f(x)"),
        ("y = f(x)", 4, None, "f(x)"),
        ("\ty = f(x)", 5, 9, "f(x)"),
        ("y = f(x)", 0, 1, "y"),
        ("y = f(x)", 4, 4, "f"),
    ],
)
def test_caret_stands_under_the_expression(text, col, end_col, marked):
    _, code, carets = Location("m.py", 1, col, end_col, text, "f").render().split("\n")
    start = carets.index("^")
    assert code[start : start + carets.count("^")] == marked


def test_caret_counts_wide_characters_twice():
    where = Location("m.py", 1, 8, 9, 's = "語" + x', "f")
    assert where.render().splitlines()[-1] == "    " + " " * 9 + "^"


def test_caret_keeps_tabs_inside_the_line():
    where = Location("m.py", 1, 4, 5, "y =\tx", "f")
    assert where.render().splitlines()[-1] == "       \t^"


def test_path_below_the_working_directory_is_shown_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside = Location(os.path.join(tmp_path, "m.py"), 3, 0, 1, "x", "f")
    outside = Location(
        os.path.join(os.path.dirname(tmp_path), "m.py"), 3, 0, 1, "x", "f"
    )
    assert str(inside) == "m.py:3:1"
    assert str(outside).startswith(os.path.dirname(tmp_path))


@pytest.mark.parametrize("kind", all_errors())
def test_errors_pickle_and_copy_with_their_notes(kind):
    error = kind("no", WHERE, why="because", hints=["a", "b"])
    error.add_note("in the adjoint of model.py:14")
    error.worst = 3
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(twin) is kind
        assert str(twin) == str(error)
        assert twin.__notes__ == error.__notes__
        assert (twin.where, twin.hints, twin.worst) == (WHERE, ("a", "b"), 3)


def test_codes_are_distinct_and_stable():
    codes = {kind.__name__: kind("no").code for kind in all_errors()}
    assert len(set(codes.values())) == len(codes)
    assert all(re.fullmatch(r"SG\d{3}", code) for code in codes.values())
    assert codes["SourceUnavailableError"] == "SG101"
    assert codes["UnsupportedSyntaxError"] == "SG201"
    assert codes["MissingRuleError"] == "SG204"
    assert errors.KindError("no", code="SG399").code == "SG399"


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.KindError, TypeError),
        (errors.NonDifferentiableError, TypeError),
        (errors.RuleDefinitionError, ValueError),
        (errors.GradientMismatch, AssertionError),
    ],
)
def test_errors_are_the_builtin_ones_too(kind, builtin):
    with pytest.raises(builtin, match="no"):
        raise kind("no")


def test_unreached_input_is_a_category_of_its_own():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", errors.UnreachedInputWarning)
        warnings.warn("x", errors.UnreachedInputWarning, stacklevel=1)
