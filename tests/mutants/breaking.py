"""Breaks one rule of the compiler by a change to the text of one function."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

from sourcegrad.request import options
from tests.fuzz.program import Program

HEAD = "import collections\nimport functools\nimport math\n\nimport numpy as np\n\n\n"


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One broken rule.

    Attributes:
        name: the rule that no longer holds.
        where: module and qualified name of the function, with a colon between.
        old: text that stands exactly once in its source.
        new: what stands there instead.
        probes: names of the programs that must then give a wrong number.
        issue: the issue whose compiler has the rule.
    """

    name: str
    where: str
    old: str
    new: str
    probes: tuple[str, ...]
    issue: int = 2


def locate(where: str) -> tuple[Any, str, Any]:
    """The owner, the attribute and the function that a mutant changes."""
    module_name, _, path = where.partition(":")
    owner: Any = importlib.import_module(module_name)
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    return owner, name, inspect.getattr_static(owner, name)


def mutated(mutant: Mutant) -> Any:
    """The function with its text changed.

    Raises:
        LookupError: the text is not there exactly once, so the mutant is out of date.
    """
    _, name, found = locate(mutant.where)
    function = inspect.unwrap(found)
    text = textwrap.dedent(inspect.getsource(function))
    if text.count(mutant.old) != 1:
        count = text.count(mutant.old)
        raise LookupError(
            f"{mutant.name}: {count} times in {mutant.where}: {mutant.old}"
        )
    scope = dict(vars(importlib.import_module(mutant.where.partition(":")[0])))
    exec(
        compile(text.replace(mutant.old, mutant.new), f"<{mutant.name}>", "exec"), scope
    )
    return scope[name]


@contextlib.contextmanager
def broken(mutant: Mutant) -> Iterator[None]:
    """The compiler with one rule broken; every importer of the function sees it."""
    owner, name, original = locate(mutant.where)
    changed = mutated(mutant)
    places = [(owner, name)]
    if inspect.ismodule(owner):
        places += _importers(original, owner)
    for place, key in places:
        setattr(place, key, changed)
    try:
        with options(verify=False):  # the verifier would refuse what must be seen wrong
            yield
    finally:
        for place, key in places:
            setattr(place, key, original)


def _importers(function: Any, owner: Any) -> list[tuple[Any, str]]:
    import sys

    return [
        (module, key)
        for name, module in list(sys.modules.items())
        if name.startswith("sourcegrad") and module is not owner
        for key, value in list(vars(module).items())
        if value is function
    ]


def probe(body: str, x: float = 0.7, n: int = 3, callees: str = "") -> Program:
    """A program whose function `program(x, y, n)` has this body, after `callees`."""
    lines = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    text = f"{HEAD}{callees.lstrip()}\n\ndef program(x, y, n):\n{lines}\n"
    return Program(text, ((x, (0.3, -0.8, 1.2, 0.5), n),))
