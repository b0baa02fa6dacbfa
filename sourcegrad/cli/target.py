"""From `FILE.py:FUNC` or `pkg.mod:Class.method` to a live function."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from sourcegrad.api_decorated import Differentiable
from sourcegrad.errors import Location, SourceUnavailableError
from sourcegrad.transform.base import Transform


def resolve(target: str) -> Callable[..., Any]:
    """The function that a target names; its file or module is imported.

    Args:
        target: `path/to/file.py:function` or `package.module:Class.method`.

    Raises:
        SourceUnavailableError: no such file, module or function, or its import fails.

    >>> resolve("math:sin")
    <built-in function sin>
    """
    place, colon, path = target.rpartition(":")
    if not colon or place == "" or os.path.splitext(path)[1] == ".py":
        raise _unavailable(
            f"{target!r} names no function",
            "sourcegrad dump FILE.py:FUNCTION",
            "sourcegrad dump package.module:Class.method",
        )
    module = _from_file(place) if _is_path(place) else _from_name(place)
    return _member(module, path, place)


def _is_path(place: str) -> bool:
    return place.endswith(".py") or os.sep in place or "/" in place


def _from_file(path: str) -> types.ModuleType:
    if not os.path.isfile(path):
        raise _unavailable(f"there is no file {path}", *_similar_files(path))
    folder, file = os.path.split(os.path.abspath(path))
    name = os.path.splitext(file)[0]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, file))
    if spec is None or spec.loader is None:
        raise _unavailable(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    return _run(path, lambda: _executed(spec.loader, module))


def _executed(loader: Any, module: types.ModuleType) -> types.ModuleType:
    loader.exec_module(module)
    return module


def _from_name(name: str) -> types.ModuleType:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return _run(name, lambda: importlib.import_module(name))
    except ModuleNotFoundError as e:
        raise _unavailable(f"there is no module {e.name}") from None


def _run(what: str, load: Callable[[], types.ModuleType]) -> types.ModuleType:
    """Import user code; an error in it is shown by its place, not by a traceback."""
    try:
        return load()
    except ModuleNotFoundError as e:
        if e.name is not None and (what == e.name or what.startswith(f"{e.name}.")):
            raise
        raise _failed(what, e) from e
    except Exception as e:
        raise _failed(what, e) from e


def _failed(what: str, error: Exception) -> SourceUnavailableError:
    message = f"importing {what} fails: {type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        column = (error.offset or 1) - 1
        text = (error.text or "").rstrip("\n")
        where = Location(error.filename, error.lineno, column, None, text, "")
        return SourceUnavailableError(f"importing {what} fails: {error.msg}", where)
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        f for f in frames if "importlib" not in f.filename and f.filename != __file__
    ]
    if not own:
        return SourceUnavailableError(message)
    last = own[-1]
    line = f"{'':{last.colno or 0}}{last.line or ''}"
    where = Location(
        last.filename, last.lineno or 1, last.colno or 0, last.end_colno, line, ""
    )
    return SourceUnavailableError(message, where)


def _member(module: types.ModuleType, path: str, place: str) -> Callable[..., Any]:
    found: Any = module
    for part in path.split("."):
        if not hasattr(found, part):
            names = [
                n
                for n, v in vars(found).items()
                if callable(v) and not n.startswith("_")
            ]
            close = difflib.get_close_matches(part, names, 3) or sorted(names)[:8]
            inside = place if found is module else f"{place}:{found.__name__}"
            hints = [
                f"sourcegrad dump {target_text(place, path, part, n)}" for n in close
            ]
            raise _unavailable(f"there is no {part!r} in {inside}", *hints)
        found = getattr(found, part)
    if isinstance(found, (Differentiable, Transform)):
        found = found.f
    if not callable(found) or isinstance(found, type):
        kind = "a class" if isinstance(found, type) else f"a {type(found).__name__}"
        raise _unavailable(f"{path} in {place} is {kind}, not a function")
    return found


def target_text(place: str, path: str, part: str, other: str) -> str:
    """The target with another last name."""
    head = path.split(".")
    return f"{place}:{'.'.join([*head[: head.index(part)], other])}"


def _similar_files(path: str) -> list[str]:
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        return []
    names = [n for n in os.listdir(folder) if n.endswith(".py")]
    close = difflib.get_close_matches(os.path.basename(path), names, 3)
    return [os.path.normpath(os.path.join(folder, n)) for n in close]


def _unavailable(message: str, *hints: str) -> SourceUnavailableError:
    return SourceUnavailableError(message, hints=hints)
