"""Loading: text known to Python, live cells, names, notes."""

import inspect
import linecache
import traceback
import types

import numpy as np
import pytest

import sourcegrad
from sourcegrad.loader.load import lines_of, load, register, stable_name

TEXT = """\
def double(x):
    return 2 * x


def quadruple(x):
    return double(double(x))
"""


def test_functions_see_each_other_and_keep_the_order():
    functions = load(TEXT, "<test order>", {})
    assert list(functions) == ["double", "quadruple"]
    assert functions["quadruple"](3) == 12


def test_inspect_shows_the_text_also_after_checkcache():
    double = load(TEXT, "<test inspect>", {})["double"]
    linecache.checkcache()
    assert inspect.getsource(double) == "def double(x):\n    return 2 * x\n"
    assert double.__module__ == "sourcegrad.generated"
    assert double.__qualname__ == "double"


def test_a_cleared_linecache_loses_nothing():
    assert sourcegrad.grad(np.arctan)(1.0) == 0.5
    linecache.clearcache()
    assert sourcegrad.grad(sourcegrad.grad(np.arctan))(1.0) == -0.5
    text = "def f(x):\n    return x\n"
    first = load(text, "<test cleared>", {})["f"].__code__
    linecache.clearcache()
    second = load(TEXT, "<test cleared>", {})["double"].__code__
    assert (first.co_filename, second.co_filename) == (
        "<test cleared>",
        "<test cleared #2>",
    )
    assert "".join(lines_of("<test cleared>")) == text


def test_traceback_shows_the_line():
    f = load("def f(x):\n    y = x\n    return y / 0\n", "<test trace>", {})["f"]
    with pytest.raises(ZeroDivisionError) as caught:
        f(1)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert (frames[-1].filename, frames[-1].lineno) == ("<test trace>", 3)
    assert frames[-1].line == "return y / 0"


def test_given_module_name_is_kept():
    f = load("def f(): return 1\n", "<test name>", {"__name__": "mine"})["f"]
    assert f.__module__ == "mine"


def test_syntax_error_leaves_nothing_registered():
    with pytest.raises(SyntaxError):
        load("def f(:\n", "<test broken>", {})
    assert "<test broken>" not in linecache.cache


# ---- cells -----------------------------------------------------------------------


def make_counter():
    count, scale = 0, 10.0

    def read():
        return scale * count

    def add():
        nonlocal count
        count += 1

    return read, add


def cells_of(fn):
    return dict(zip(fn.__code__.co_freevars, fn.__closure__, strict=True))


def test_cells_are_shared_with_their_owner():
    read, add = make_counter()
    text = "OFFSET = 5.0\ndef twin(x, *, k=OFFSET):\n    return scale * count + k + x\n"
    twin = load(text, "<test cells>", {}, cells_of(read))["twin"]
    assert twin(1.0) == 6.0
    add()
    assert twin(1.0) == 10.0 + 6.0
    assert twin.__qualname__ == "twin"
    assert twin.__code__.co_firstlineno == 2
    assert all(cell in read.__closure__ for cell in twin.__closure__)


def test_cells_can_be_written_and_functions_still_see_each_other():
    read, _ = make_counter()
    text = (
        "def bump():\n    nonlocal count\n    count += 2\n\n\n"
        "def bump_and_read():\n    bump()\n    return count\n"
    )
    functions = load(text, "<test write>", {}, cells_of(read))
    assert functions["bump_and_read"]() == 2
    assert read() == 20.0
    assert functions["bump_and_read"].__code__.co_freevars == ("count",)


def test_local_names_hide_cells_of_the_same_name():
    text = "def f(scale):\n    count = 1\n    return scale + count\n"
    f = load(text, "<test hide>", {}, cells_of(make_counter()[0]))["f"]
    assert f(1) == 2
    assert f.__closure__ is None


def test_empty_cell_is_an_unbound_name():
    f = load("def f():\n    return k\n", "<test empty>", {}, {"k": types.CellType()})[
        "f"
    ]
    with pytest.raises(NameError):
        f()


def test_lines_of_the_text_are_kept_with_cells():
    text = "\n\n" + "def f(x):\n    y = x\n    return y / zero\n"
    f = load(text, "<test lines>", {}, {"zero": types.CellType(0)})["f"]
    with pytest.raises(ZeroDivisionError) as caught:
        f(1)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 5
    assert inspect.getsource(f).startswith("def f(x):")


# ---- names -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (
            ("/a/decay.py", "sse", "grad wrt p"),
            "<sourcegrad grad of decay.py:sse wrt p>",
        ),
        (("<stdin>", "f", "vjp"), "<sourcegrad vjp of stdin:f>"),
        (
            ("m.py", "outer.<locals>.<lambda>", "grad wrt x"),
            "<sourcegrad grad of m.py:outer.lambda wrt x>",
        ),
    ],
)
def test_stable_name(args, name):
    assert stable_name(*args) == name


def test_another_text_under_the_same_name_gets_a_number():
    name = "<sourcegrad grad of twice.py:f wrt x>"
    one, two = "def f(x): return 1\n", "def f(x): return 2\n"
    assert register(one, name) == name
    assert register(two, name) == "<sourcegrad grad of twice.py:f wrt x #2>"
    assert register(one, name) == name
    assert register(two, name) == "<sourcegrad grad of twice.py:f wrt x #2>"
    assert load(two, name, {})["f"].__code__.co_filename.endswith("#2>")
    assert linecache.getline(name, 1) == one
