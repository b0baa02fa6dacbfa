"""Text that is not what runs, and text that is not in a file."""

import doctest
import linecache

import pytest

from sourcegrad.errors import SourceUnavailableError
from sourcegrad.source.find import find
from tests.loading import writer
from tests.source_bodies import body_of


@pytest.fixture
def module(tmp_path):
    return writer(tmp_path)


# ---- text that is not what runs --------------------------------------------------


def test_edited_file_is_refused_with_the_place(module, tmp_path):
    path = tmp_path / "edited.py"
    sample = module("def f(x):\n    return x + 1\n", path)
    path.write_text("def f(x):\n    return x + 2.5\n")
    with pytest.raises(SourceUnavailableError, match="is not the code that runs") as e:
        find(sample.f)
    assert e.value.code == "SG102"
    assert e.value.where.line == 1
    assert "edited.py:1:1" in str(e.value)


@pytest.mark.parametrize(
    "edited",
    [
        "def f(x):\n    return x + 1.0\n",
        "def f(x):\n    return x - 1\n",
        "def f(x, y=0):\n    return x + 1\n",
        "def f(z):\n    return z + 1\n",
        "def f(x):\n    return g(x) + 1\n",
        "def g(x):\n    return x + 1\n",
        "",
    ],
)
def test_any_change_of_meaning_is_noticed(module, tmp_path, edited):
    path = tmp_path / "change.py"
    sample = module("def f(x):\n    return x + 1\n", path)
    linecache.clearcache()
    path.write_text(edited or "\n")
    with pytest.raises(SourceUnavailableError):
        find(sample.f)


@pytest.mark.parametrize(("one", "two"), [("0.0", "-0.0"), ("1", "True"), ("1", "1.0")])
def test_constants_that_compare_equal_are_told_apart(module, tmp_path, one, two):
    path = tmp_path / "constant.py"
    sample = module(f"def f(x):\n    return x, {one}, ({one}, 2)\n", path)
    linecache.clearcache()
    path.write_text(f"def f(x):\n    return x, {two}, ({two}, 2)\n")
    with pytest.raises(SourceUnavailableError):
        find(sample.f)


def test_a_function_that_moved_is_found(module, tmp_path):
    path = tmp_path / "moved.py"
    sample = module("def f(x):\n    return x + 1\n", path)
    linecache.clearcache()
    path.write_text("import math\n\n\ndef f(x):\n    # a comment\n    return x + 1\n")
    assert find(sample.f).first_line == 4
    assert body_of(sample.f) == "x + 1"


def test_text_cached_at_import_serves_after_an_edit(module, tmp_path):
    path = tmp_path / "cached.py"
    sample = module("def f(x):\n    return x + 1\n", path)
    linecache.getlines(str(path))
    path.write_text("def f(x):\n    return x + 22222\n")
    assert body_of(sample.f) == "x + 1"


def test_broken_file_is_refused(module, tmp_path):
    path = tmp_path / "broken.py"
    sample = module("def f(x):\n    return x + 1\n", path)
    linecache.clearcache()
    path.write_text("def f(x:\n")
    with pytest.raises(SourceUnavailableError, match="cannot be parsed"):
        find(sample.f)


def test_deleted_file(module, tmp_path):
    path = tmp_path / "deleted.py"
    sample = module("def f(x):\n    return x + 1\n", path)
    linecache.clearcache()
    path.unlink()
    with pytest.raises(SourceUnavailableError, match="does not exist"):
        find(sample.f)


# ---- sessions and generated code -------------------------------------------------


def run(text, filename):
    namespace = {}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


def test_exec_without_text_says_so_and_what_to_do():
    f = run("def f(x):\n    return x\n", "<made up>")
    with pytest.raises(SourceUnavailableError, match="exec or eval") as e:
        find(f)
    assert any("file" in hint for hint in e.value.hints)


def test_the_hint_to_use_a_file_works(module):
    assert body_of(module("def f(x):\n    return x\n").f) == "x"


def test_stdin_says_that_the_session_keeps_nothing():
    linecache.cache.pop("<stdin>", None)
    f = run("def f(x):\n    return x\n", "<stdin>")
    with pytest.raises(SourceUnavailableError, match="interactive session"):
        find(f)


def test_text_registered_in_linecache_is_used():
    text = "def f(x):\n    return x * 5\n"
    f = run(text, "<ipython-input-3-abc>")
    linecache.cache["<ipython-input-3-abc>"] = (
        len(text),
        None,
        [*text.splitlines(True)],
        "",
    )
    assert body_of(f) == "x * 5"


def test_inside_a_doctest():
    text = ">>> def f(x):\n...     return x * 6\n>>> body_of(f)\n'x * 6'\n"
    test = doctest.DocTestParser().get_doctest(text, {"body_of": body_of}, "d", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_function_with_an_assert_that_pytest_rewrote():
    def f(x):
        assert x > 0, "positive"
        return x * 7

    assert body_of(f) == "x * 7"
