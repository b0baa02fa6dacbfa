"""The page docs/rules.md and the table of counts in the README, made from the live
registrations: `python -m tests.rules_page`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import scipy

from sourcegrad.rules import describe, import_libraries
from sourcegrad.rules.refused import REFUSED
from sourcegrad.rules.rule import qualified_name

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "rules.md"
README = ROOT / "README.md"
START, END = "<!-- counts of rules -->", "<!-- end of counts -->"

# Libraries whose rules are listed, in this order; the rest is Python's own.
LIBRARIES = ("numpy", "scipy", "math", "cmath", "")


def library(name: str) -> str | None:
    """The library that a function belongs to; None for our own helpers."""
    root = name.split(".")[0]
    if root == "sourcegrad":
        return None
    return root if root in LIBRARIES else ""


def versions() -> str:
    """The versions that the page is for."""
    found = (m.__version__.rsplit(".", 1)[0] for m in (np, scipy))
    return "NumPy {} and SciPy {}".format(*found)


def refused() -> list[tuple[str, str, str]]:
    """What is refused by name: the function, why, and a way out."""
    rows = [(qualified_name(f), *reason) for f, reason in REFUSED.items()]
    return sorted(set(rows))


def counts() -> list[str]:
    """The table of the README: how many functions are which."""
    found: Counter[tuple[str, str]] = Counter()
    for row in describe():
        owner = library(row.function)
        if owner is not None:
            sort = "constant" if row.modes == "constant" else "differentiated"
            found[owner, sort] += 1
    for name, _, _ in refused():
        found[library(name) or "numpy", "refused"] += 1
    lines = ["| | differentiated | constant | refused by name |", "|---|---|---|---|"]
    titles = {
        "numpy": "NumPy",
        "scipy": "SciPy",
        "math": "`math`",
        "cmath": "`cmath`",
        "": "Python",
    }
    for owner in LIBRARIES:
        cells = (found[owner, s] for s in ("differentiated", "constant", "refused"))
        lines.append(f"| {titles[owner]} | " + " | ".join(map(str, cells)) + " |")
    return [*lines, "", f"Counted with {versions()} by `python -m tests.rules_page`."]


def page() -> str:
    """The text of docs/rules.md."""
    lines = [
        "# The catalogue of rules",
        "",
        f"Written by `python -m tests.rules_page` with {versions()};",
        "the same rows come from `sourcegrad rules`. Constant functions are in the",
        "second table, functions that are refused by name in the third.",
        "",
        "| function | modes | orders | convention | source |",
        "|---|---|---|---|---|",
    ]
    constant = []
    for row in describe():
        if library(row.function) is None:
            continue
        if row.modes == "constant":
            constant.append(row.function)
            continue
        cells = (f"`{row.function}`", *row[1:])
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    lines += ["", "## Constant", "", "| function |", "|---|"]
    lines += [f"| `{name}` |" for name in constant]
    lines += ["", "## Refused", "", "| function | why | instead |", "|---|---|---|"]
    lines += [f"| `{name}` | {why} | {hint} |" for name, why, hint in refused()]
    return "\n".join(lines) + "\n"


def readme() -> str:
    """The README with its table of counts as it is now."""
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n" + "\n".join(counts()) + f"\n{END}{after}"


def is_for_these_versions() -> bool:
    """Whether the page was made with the versions that are installed."""
    return versions() in PAGE.read_text(encoding="utf-8")


def main() -> None:
    """Write the page and the table."""
    import_libraries()
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")


if __name__ == "__main__":
    main()
