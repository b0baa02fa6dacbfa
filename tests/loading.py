"""Programs in files, imported by their path."""

import importlib.util
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def load(path: Path, known: bool = True) -> ModuleType:
    """Import a file by its path, under its own name; `known` to `sys.modules`."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    if known:
        sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def writer(folder: Path) -> Callable[..., ModuleType]:
    """A function that writes a text to a file and imports that."""
    count = 0

    def write(text: str, path: Path | None = None) -> ModuleType:
        nonlocal count
        count += 1
        path = path or folder / f"sample_{count}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return load(path, known=False)

    return write
