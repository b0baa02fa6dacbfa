"""The command line, run as a user runs it."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sourcegrad
from sourcegrad.cli import colour as cli_colour
from sourcegrad.cli import main

ROOT = Path(sourcegrad.__file__).parent.parent

PROGRAM = """
import numpy as np
import sourcegrad


def cube(x):
    return x * x * x


def price(x: float, rate: float = 0.5) -> float:
    y = x * x
    if y > rate:
        return y
    return power(x, 3)


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def sum_of_tanh(x, w):
    return np.sum(np.tanh(x @ w))


def reads_input(x):
    name = x * float(input())
    yield name


def unread(x, y):
    return 2.0 * y


def broken(x):
    if x > 1.0:
        return x * 2.0
    return np.floor(x) + x


class Model:
    scale = 2.0

    def __init__(self, k):
        self.k = k

    def loss(self, x: float) -> float:
        return self.k * x * x

    @staticmethod
    def plain(x: float) -> float:
        return x * x


@sourcegrad.differentiable
def decorated(x):
    return x * x


constant = 3.0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "cli_program.py").write_text(PROGRAM)
    package = tmp_path / "cli_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "models.py").write_text(PROGRAM)
    (tmp_path / "does_not_import.py").write_text("import math\nmath.no_such_thing\n")
    (tmp_path / "no_python.py").write_text("def f(x):\n    return x +\n")
    (tmp_path / "needs_more.py").write_text("import no_such_package_anywhere\n")
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("cli_") or name in ("does_not_import", "needs_more"):
            del sys.modules[name]
    while str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))


def run(capsys, *argv):
    code = main(argv)
    out, err = capsys.readouterr()
    return code, out, err


# -- dump ------------------------------------------------------------------------------


def test_dump_prints_what_gradient_source_gives(folder, capsys):
    code, out, err = run(capsys, "dump", "cli_program.py:price")
    assert (code, err) == (0, "")
    ast.parse(out)
    assert "def price_grad(x, rate=0.5, " in out
    assert "# for x: float, rate: float\n" in out
    assert "def power_forward(" in out and "def power_reverse(" in out
    module = sys.modules["cli_program"]
    assert out == sourcegrad.gradient_source(module.price)


def test_dump_by_module_and_method(folder, capsys):
    code, out, _ = run(capsys, "dump", "cli_package.models:Model.loss")
    assert code == 0
    assert ":Model.loss (" in out and ", wrt x\n" in out
    assert "def loss_grad(self, x, y_bar=1.0):" in out
    code, out, _ = run(capsys, "dump", "cli_package.models:Model.plain")
    assert code == 0 and "def plain_grad(x, y_bar=1.0):" in out
    code, out, _ = run(capsys, "dump", "cli_program.py:decorated", "--arg", "x=float")
    assert code == 0 and "def decorated_grad(x, y_bar=1.0):" in out


def test_dump_for_kinds_of_arguments(folder, capsys):
    kinds = ["--arg", "x=float64[3,4]", "--arg", "w=float64[4, n]"]
    target = "cli_program.py:sum_of_tanh"
    code, out, _ = run(capsys, "dump", target, *kinds, "--wrt", "w, x")
    assert code == 0
    assert "# for x: float64[2d], w: float64[2d]\n" in out
    assert ", wrt w, x\n" in out
    assert "x.T @" in out and "w.T" in out and "ndim" not in out
    code, generic, _ = run(capsys, "dump", target)
    assert code == 0 and "x.ndim" in generic and "# for " not in generic


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ("ast", "def power(x, n):\n    if n == 0:\n        return 1.0\n    return x"),
        ("core", "    else:\n        return x * power(x, n - 1)"),
        ("ssa", "function power(%x: float*, %n: int):"),
        ("reverse", "function power_grad(%x: float*, %n: int, %power_bar: float):"),
        ("optimised", "power_1_reverse(%power_1_residuals"),
        ("source", "def power_grad(x, n, power_bar=1.0):"),
    ],
)
def test_dump_of_every_stage(folder, capsys, stage, expected):
    kinds = ["--arg", "x=float", "--arg", "n=int"]
    code, out, err = run(
        capsys, "dump", "cli_program.py:power", *kinds, "--stage", stage
    )
    assert (code, err) == (0, "")
    assert expected in out
    assert out.endswith("\n") and not out.endswith("\n\n")


def test_dump_split(folder, capsys):
    code, out, _ = run(
        capsys,
        "dump",
        "cli_program.py:cube",
        "--packaging",
        "split",
        "--arg",
        "x=float",
    )
    assert code == 0
    assert re.findall(r"^def (\w+)\(", out, re.M) == ["cube_forward", "cube_reverse"]


def test_an_input_that_is_not_reached_is_noted(folder, capsys):
    code, out, err = run(capsys, "dump", "cli_program.py:unread", "--arg", "x=float")
    assert code == 0 and "def unread_grad" in out
    assert err == (
        "note: the result of unread does not depend on 'x': the gradient is zero\n"
    )


# -- what cannot be dumped -------------------------------------------------------------


def test_what_cannot_be_differentiated_is_shown_by_its_place(folder, capsys):
    code, out, err = run(capsys, "dump", "cli_program.py:reads_input")
    assert (code, out) == (1, "")
    line = PROGRAM.splitlines().index("def reads_input(x):") + 1
    assert err.startswith(f"cli_program.py:{line}:1 in reads_input()\n")
    assert "SG201  a generator cannot be differentiated" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("cli_program.py:pric", "SG101  there is no 'pric' in cli_program.py\n"
         "  a) sourcegrad dump cli_program.py:price"),
        ("cli_program.py:Model.los",
         "SG101  there is no 'los' in cli_program.py:Model\n"
         "  a) sourcegrad dump cli_program.py:Model.loss"),
        ("cli_progam.py:price", "SG101  there is no file cli_progam.py\n"
         "  a) cli_program.py"),
        ("cli_package.modells:f", "SG101  there is no module cli_package.modells"),
        ("nowhere.at_all:f", "SG101  there is no module nowhere"),
        ("cli_program.py", "SG101  'cli_program.py' names no function"),
        ("cli_program.py:constant", "SG101  constant in cli_program.py is a float, "
         "not a function"),
        ("cli_program.py:Model", "SG101  Model in cli_program.py is a class, "
         "not a function"),
        ("does_not_import.py:f", "does_not_import.py:2:1\n    math.no_such_thing\n"),
        ("no_python.py:f", "no_python.py:2:15\n    return x +\n"),
        ("needs_more.py:f", "SG101  importing needs_more.py fails: "
         "ModuleNotFoundError: No module named 'no_such_package_anywhere'"),
        ("math:floor", "SG101  math.floor has no Python source"),
    ],
)  # fmt: skip
def test_targets_that_are_none(folder, capsys, target, message):
    code, out, err = run(capsys, "dump", target)
    assert (code, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--wrt", "z"], "price() has no parameter 'z'; it has x, rate"),
        (["--arg", "z=float"], "price() has no parameter 'z'; it has x, rate"),
        (["--arg", "x"], "--arg 'x' is not NAME=VALUE"),
        (["--arg", "x=flot"], "'flot' is no kind of argument"),
    ],
)
def test_options_that_do_not_fit(folder, capsys, options, message):
    code, out, err = run(capsys, "dump", "cli_program.py:price", *options)
    assert (code, out) == (1, "")
    assert err.startswith(message)


def test_wrong_usage_exits_with_two(folder, capsys):
    for argv in ([], ["dump"], ["dump", "a.py:f", "--stage", "tape"], ["undo"]):
        with pytest.raises(SystemExit) as caught:
            main(argv)
        assert caught.value.code == 2
    assert "usage: sourcegrad" in capsys.readouterr().err


# -- rules, check, the process ---------------------------------------------------------


def test_rules(capsys):
    code, out, _ = run(capsys, "rules", "numpy.tan*")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["numpy.tan", "numpy.tanh"]
    code, out, _ = run(capsys, "rules")
    assert code == 0 and len(out.splitlines()) > 100
    code, out, err = run(capsys, "rules", "no_such_function")
    assert (code, out, err) == (1, "", "no rule for 'no_such_function'\n")


def test_rules_of_a_library_that_nobody_has_imported():
    done = subprocess.run(
        [sys.executable, "-m", "sourcegrad", "rules", "scipy.special.erf*"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "scipy.special.erfinv" in done.stdout and not done.stderr


def test_check(folder, capsys):
    target = "cli_program.py:cube"
    code, out, err = run(capsys, "check", target, "--at", "x=1.3", "--order", "2")
    assert (code, err) == (0, "")
    assert out == (
        f"right up to order 2: the gradient of {target} at x=1.3 agrees with f itself\n"
    )
    target = "cli_program.py:sum_of_tanh"
    at = ["--at", "x=[[0.1, 0.2]]", "--at", "w=[[1], [2]]"]
    code, out, _ = run(capsys, "check", target, *at, "--wrt", "x,w")
    assert code == 0 and out.startswith("right: ")


def test_check_says_what_is_wrong(folder, capsys):
    code, out, err = run(capsys, "check", "cli_program.py:broken", "--at", "x=1.0")
    assert (code, out) == (1, "")
    assert "SG601  the gradient of broken() cannot be checked here" in err
    code, _, err = run(capsys, "check", "cli_program.py:cube")
    assert code == 1 and err == "no value for 'x': add --at x=1.0\n"
    code, _, err = run(capsys, "check", "cli_program.py:cube", "--at", "y=1")
    assert code == 1 and err == "cli_program.py:cube has no parameter 'y'; it has x\n"


def process(folder, *argv, **environment):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-m", "sourcegrad", *argv],
        cwd=folder, env=env, capture_output=True, text=True,
    )  # fmt: skip


def test_as_a_process(folder):
    done = process(folder, "dump", "cli_program.py:cube", "--arg", "x=float")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    again = process(folder, "dump", "cli_program.py:cube", "--arg", "x=float")
    assert again.stdout == done.stdout
    done = process(folder, "dump", "cli_program.py:reads_input")
    assert done.returncode == 1 and "Traceback" not in done.stderr


def test_dumped_text_runs(folder):
    done = process(folder, "dump", "cli_program.py:cube", "--arg", "x=float")
    (folder / "dumped.py").write_text(done.stdout + "\n\nprint(cube_grad(2.0))\n")
    ran = subprocess.run(
        [sys.executable, "dumped.py"], cwd=folder, capture_output=True, text=True
    )
    assert ran.stdout == "12.0\n"


# -- colours ---------------------------------------------------------------------------


class Terminal:
    def isatty(self):
        return True


def test_colours_only_on_a_terminal_that_wants_them(monkeypatch, capsys):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert cli_colour.wanted(Terminal(), refused=False)
    assert not cli_colour.wanted(Terminal(), refused=True)
    assert not cli_colour.wanted(sys.stdout, refused=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not cli_colour.wanted(Terminal(), refused=False)


def test_dump_in_colour(folder, capsys, monkeypatch):
    monkeypatch.setattr(cli_colour, "wanted", lambda stream, refused: not refused)
    _, plain, _ = run(capsys, "dump", "cli_program.py:price", "--no-color")
    _, coloured, _ = run(capsys, "dump", "cli_program.py:price")
    assert "\x1b[35mdef\x1b[0m \x1b[1mprice_grad\x1b[0m(x, rate=" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_colouring_changes_nothing_else():
    for path in [*ROOT.glob("sourcegrad/*.py"), *ROOT.glob("tests/zoo/*.py")]:
        text = path.read_text(encoding="utf-8")
        assert re.sub(r"\x1b\[[\d;]*m", "", cli_colour.highlight(text)) == text
