"""The catalogue's page and the counts in the README are those of the registrations."""

import subprocess
import sys

import pytest

from tests import rules_page

SCRIPT = """
from tests import rules_page as p
p.import_libraries()
assert p.PAGE.read_text(encoding="utf-8") == p.page(), "docs/rules.md"
assert p.README.read_text(encoding="utf-8") == p.readme(), "README.md"
"""


def test_page_and_counts_are_current():
    if not rules_page.is_for_these_versions():
        pytest.skip("the page was made with other versions of NumPy and SciPy")
    done = subprocess.run(  # a process of its own: tests register rules
        [sys.executable, "-c", SCRIPT],
        cwd=rules_page.ROOT,
        capture_output=True,
        text=True,
    )
    hint = "run `python -m tests.rules_page`, and read what changed\n"
    assert done.returncode == 0, hint + done.stderr
