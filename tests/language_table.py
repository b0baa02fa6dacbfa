"""The page docs/language.md, made from the zoo: `python -m tests.language_table`.

Every row is a construct of the language, whether the compiler takes it, and the
programs of the zoo that show it. A program counts as supported when its gradient was
just computed; that it is right is what the tests of the zoo are for.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path

import sourcegrad
from tests import zoo

PAGE = Path(__file__).parent.parent / "docs" / "language.md"

HEAD = """\
# The language

Written by `python -m tests.language_table` from the programs in `tests/zoo/`: each
construct, what the compiler does with it, and the programs that show it. Every program
that is supported is checked in `tests/test_zoo.py`, with joint and with split
packaging, simplified and raw, against dual numbers, differences and complex steps.
What is refused raises an error that names the line, the reason and a way out.
"""

TITLES = {
    "straight": "Straight lines",
    "branches": "Branches",
    "loops": "Loops",
    "exits": "Exits",
    "calls": "Calls",
    "closures": "Closures and lambdas",
    "containers": "Containers",
    "reads": "Reads of arrays",
    "objects": "Objects",
    "exceptions": "Exceptions",
    "stores": "Stores into arrays",
    "stores_and_calls": "Stores into what callees read or return",
    "mutated_containers": "Containers that change",
    "containers_at_run_time": "Containers known at run time only",
    "object_states": "Objects that change, and tests of types",
    "iteration": "Generators and itertools",
    "several_names": "Memory under several names",
    "computed_index": "Items chosen by a computed index or key",
    "grown": "Objects and functions in containers that grow",
    "arenas": "Objects and dicts whose number is known at run time only",
    "arenas_used": "What is done with such objects",
    "rows": "Lists of lists whose rows change places",
    "nothing": "Names that hold None at first",
    "patterns": "Pattern matching",
    "limits": "Limits",
    "dynamic": "What is known at run time only",
    "heaps": "Heaps, bisection and key functions",
    "iterators": "Iterators read by hand",
    "changed_arguments": "Arguments that change",
    "given_objects": "Objects from outside that get attributes",
    "held_objects": "Objects in containers of globals and closures",
    "variants": "Objects of different classes under one name",
    "recursions": "Recursion",
    "partly_bound": "Arrays that some paths do not make",
    "probes_scalar": "Traps with numbers",
    "probes_array": "Traps with arrays",
}


def is_supported(found: zoo.Program) -> bool:
    """Whether the compiler gives a gradient, for every sample argument."""
    for arguments in found.arguments():
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                sourcegrad.grad(found.function, found.argnums)(*arguments)
            except sourcegrad.SourcegradError:
                return False
    return True


def rows() -> dict[str, dict[tuple[str, bool], list[str]]]:
    """Programs by file, construct, and whether they are supported."""
    table: dict[str, dict[tuple[str, bool], list[str]]] = {n: {} for n in zoo.FILES}
    for found in zoo.load().values():
        file = found.function.__module__.rsplit(".", 1)[1]
        supported = is_supported(found)
        for construct in found.constructs:
            table[file].setdefault((construct, supported), []).append(found.name)
    return table


def page() -> str:
    """The page as the compiler makes it now."""
    parts = [HEAD]
    for file, constructs in rows().items():
        parts.append(f"\n## {TITLES[file]}\n\nPrograms in `tests/zoo/{file}.py`.\n\n")
        parts.append("| construct | | programs |\n|---|---|---|\n")
        for (construct, supported), names in sorted(constructs.items()):
            verdict = "supported" if supported else "refused"
            shown = ", ".join(f"`{name}`" for name in sorted(names))
            parts.append(f"| {construct} | {verdict} | {shown} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    print("written:", PAGE.name)
