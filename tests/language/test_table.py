"""The page about the language says what the compiler does."""

from __future__ import annotations

from tests import zoo
from tests.language_table import PAGE, TITLES, page


def test_page_is_current():
    hint = "run `python -m tests.language_table`, and read what changed"
    assert PAGE.read_text(encoding="utf-8") == page(), hint


def test_every_file_of_the_zoo_has_a_title():
    assert tuple(TITLES) == zoo.FILES
