"""Golden adjoints: NAME.py is a primal, NAME.adjoint.py the text made from it.

Both are runnable. `python -m tests.golden` writes the texts anew; what changes in
them is then read like any other change.
"""

from __future__ import annotations

import importlib
import importlib.util
import types
from pathlib import Path
from typing import Any

import sourcegrad

HERE = Path(__file__).parent
NAMES = sorted(
    path.stem
    for path in HERE.glob("*.py")
    if "." not in path.stem
    and path.stem not in ("__init__", "__main__")
    and not path.stem.startswith("test_")
)


def primal(name: str) -> tuple[types.FunctionType, Any, tuple[Any, ...]]:
    """A program, what its gradient is with respect to, and arguments for it."""
    module = importlib.import_module(f"tests.golden.{name}")
    return getattr(module, name), getattr(module, "ARGNUMS", 0), module.ARGUMENTS


def text_path(name: str) -> Path:
    """Where the golden text of a program stands."""
    return HERE / f"{name}.adjoint.py"


def generated(name: str) -> str:
    """The text as the compiler makes it now."""
    function, argnums, arguments = primal(name)
    return sourcegrad.gradient_source(function, argnums, *arguments)


def golden(name: str) -> Any:
    """The golden text, run as a file: its gradient function."""
    path = text_path(name)
    spec = importlib.util.spec_from_file_location(f"golden_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, f"{name}_grad")
