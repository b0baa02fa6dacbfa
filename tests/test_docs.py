"""The programs in docs/ run, and print what the page shows."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [p for p in sorted(FOLDER.glob("*.md")) if "```python" in p.read_text("utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All Python of a page is one program; its texts are what that prints."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    program = "".join(text for kind, text in blocks if kind == "python")
    shown = "".join(text for kind, text in blocks if kind == "text")
    name = f"page_{page.stem}"
    path = tmp_path / f"{name}.py"
    path.write_text(program, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    assert capsys.readouterr().out == shown
