"""The page on architecture names the modules as they are, from the top down."""

import re
from pathlib import Path

import pytest

import sourcegrad
from tests.test_layout import rank, unit_of

PACKAGE = Path(sourcegrad.__file__).parent
PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
ROWS = [
    re.findall(r"`(\w+)`", line.split("|")[1])
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]
NAMED = [name for row in ROWS for name in row]


def present() -> set[str]:
    """The modules and packages below `sourcegrad`."""
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    return packages | {path.stem for path in PACKAGE.glob("*.py")}


def test_every_module_is_named_once() -> None:
    families = {name for name in present() if name.startswith(("runtime_", "__"))}
    assert sorted([*NAMED, *families]) == sorted([*present(), "runtime_"])


def test_the_table_goes_down_the_layers() -> None:
    ranks = [{rank(unit_of((name.rstrip("_"),))) for name in row} for row in ROWS]
    assert all(len(of_row) == 1 for of_row in ranks), ranks
    order = [of_row.pop() for of_row in ranks]
    assert order == sorted(order, reverse=True)


def by_while(x):
    y = x
    while y * y > 2.0:
        y = 0.5 * (y + x / y)
    return y


def nested(x):
    total = 0.0
    for k in range(3):
        for _ in range(k):
            total = total + x * total + x
    return total


@pytest.mark.parametrize("stage", ["ssa", "reverse", "optimised"])
@pytest.mark.parametrize("f", [by_while, nested])
def test_loops_show_at_every_stage(f, stage) -> None:
    text = sourcegrad.grad(f).source(3.0, stage=stage)
    heads = [line for line in text.splitlines() if line.endswith(":")]
    backwards = sum(" = backwards " in line for line in heads)
    loops = sum(bool(re.search(r" = .*\b(for|while) ", line)) for line in heads)
    forward = 1 if f is by_while else 2
    assert loops == (forward if stage == "ssa" else 2 * forward), text
    assert backwards == (forward if stage == "reverse" else 0), text
