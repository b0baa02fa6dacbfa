"""The head of a generated module: what its functions name from elsewhere.

A name that generated code uses stands for a live object. Printed, it becomes an
import of that object from where it can be found again, or a literal.
"""

from __future__ import annotations

import keyword
import os
import sys
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gast

from sourcegrad.frontend.reads import is_data
from sourcegrad.frontend.scope import Binder
from sourcegrad.loader.load import GENERATED
from sourcegrad.printer.text import to_source
from sourcegrad.writer.literals import is_plain, literal

_RUNTIME = "sourcegrad.runtime"


def free_names(functions: Iterable[gast.FunctionDef]) -> dict[str, None]:
    """The names that functions read and do not bind themselves, in order.

    >>> tree = gast.parse("def f(x):\\n    y = g(x)\\n    return y")
    >>> list(free_names(tree.body))
    ['g']
    """
    found: dict[str, None] = {}
    for function in functions:
        nodes = [n for n in gast.walk(function) if isinstance(n, gast.Name)]
        own = {n.id for n in nodes if not isinstance(n.ctx, gast.Load)}
        found |= dict.fromkeys(n.id for n in nodes if n.id not in own)
    return found


def prelude(functions: Sequence[gast.FunctionDef], binder: Binder) -> list[str]:
    """Blocks of text that give the functions' free names their meaning.

    Args:
        functions: the generated functions.
        binder: the objects that their names stand for.

    Returns:
        Groups of imports, then assignments; empty groups are left out.
    """
    used = [n for n in free_names(functions) if n in binder.roots]
    origins = ((g.name, getattr(g.read, "origin", None)) for g in binder.guards)
    head = _Head({name: place for name, place in origins if place})
    for name in used:
        head.add(name, binder.roots[name], name in binder.cells)
    return head.blocks()


class _Head:
    def __init__(self, origins: Mapping[str, tuple[dict[str, Any], str]]) -> None:
        self.origins = origins
        self.modules: dict[str, str] = {}
        self.members: dict[str, set[str]] = {}
        self.lines: list[str] = []

    def add(self, name: str, obj: Any, captured: bool) -> None:
        """Give one name its meaning."""
        if isinstance(obj, types.ModuleType):
            real = _module_name(obj.__name__)
            self.modules[real if name == real else f"{real} as {name}"] = real
            return
        place = None if captured else self.place(name, obj)
        text = None
        if is_data(obj) and (place is None or is_plain(obj)):
            text = literal(obj)
        if text is not None:
            if text.startswith("np."):
                self.modules["numpy as np"] = "numpy"
            self.lines.append(f"{name} = {text}")
        elif place is not None:
            self.member(name, *place)
        else:
            self.lines.append(f"# {name}: {_told(obj)}; assign it here")

    def member(self, name: str, module: str, path: str) -> None:
        """`from module import path as name`; deeper paths are read after it."""
        if not all(part.isidentifier() for part in module.split(".")):
            self.members.setdefault("importlib", set()).add("import_module")
            self.lines.append(f'{name} = import_module("{module}").{path}')
            return
        first, *rest = path.split(".")
        if rest:
            self.lines.append(f"{name} = {path}")
        renamed = first if rest or first == name else f"{first} as {name}"
        self.members.setdefault(module, set()).add(renamed)

    def place(self, name: str, obj: Any) -> tuple[str, str] | None:
        """Module and path where an object can be imported from."""
        own = self.own_place(obj)
        if own is not None:
            return own
        if name in self.origins:
            space, key = self.origins[name]
            module = space.get("__name__")
            if isinstance(module, str) and space.get(key) is obj and key.isidentifier():
                return _module_name(module), key
        return None

    def own_place(self, obj: Any) -> tuple[str, str] | None:
        """Where an object says that it is defined, if that is so."""
        module = getattr(obj, "__module__", None)
        path = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
        if is_data(obj) or not isinstance(module, str) or module not in sys.modules:
            return None
        home = sys.modules[module]
        if module.startswith(_RUNTIME):
            public = sys.modules[_RUNTIME]
            module = _RUNTIME if getattr(public, str(path), None) is obj else module
        if isinstance(path, str) and _reach(home, path) is obj:
            return _module_name(_public(module, path, obj)), path
        for key, value in vars(home).items():
            if value is obj and key.isidentifier() and not keyword.iskeyword(key):
                return _module_name(module), key
        return None

    def blocks(self) -> list[str]:
        """The text: imports by origin, then assignments."""
        groups: dict[int, list[tuple[Any, ...]]] = {}
        for text, module in self.modules.items():
            groups.setdefault(_rank(module), []).append((0, text, f"import {text}"))
        for module, names in self.members.items():
            line = f"from {module} import {', '.join(sorted(names))}"
            groups.setdefault(_rank(module), []).append((1, module, line))
        found = ["\n".join(x[-1] for x in sorted(groups[k])) for k in sorted(groups)]
        found = [to_source(gast.parse(block)) for block in found]
        if self.lines:
            found.append("\n".join(self.lines) + "\n")
        return found


def _public(module: str, path: str, obj: Any) -> str:
    """The package that an object of a private module is meant to be imported from.

    >>> import json.decoder
    >>> _public("json._any", "JSONDecoder", json.JSONDecoder)
    'json'
    """
    parts = module.split(".")
    private = [k for k, part in enumerate(parts) if part.startswith("_")]
    if parts[0] == "sourcegrad" and not module.startswith(_RUNTIME):
        private.append(1)
    first = min(private, default=0)
    outer = ".".join(parts[:first]) if first else module
    shown = sys.modules.get(outer)
    return outer if shown is not None and _reach(shown, path) is obj else module


def _reach(home: Any, path: str) -> Any:
    for part in path.split("."):
        home = getattr(home, part, None) if part.isidentifier() else None
    return home


def _told(obj: Any) -> str:
    """What a reader is told of an object that no import finds."""
    code = getattr(obj, "__code__", None)
    if code is not None and code.co_filename.startswith(GENERATED):
        what, _, of = code.co_filename.removeprefix(GENERATED).partition(" of ")
        return f"generated too, {what} of {of.rpartition(':')[2].partition(' ')[0]}"
    what = f"{type(obj).__module__}.{type(obj).__qualname__}"
    return f"a {what} known at run time only"


def _module_name(name: str) -> str:
    """The name under which a module can be imported from another program."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if name == "__main__" and isinstance(file, str):
        stem = os.path.splitext(os.path.basename(file))[0]
        return stem if stem.isidentifier() else name
    return name


def _rank(module: str) -> int:
    """Standard library, installed packages, then the rest, as isort groups them."""
    top = module.split(".")[0]
    if top in sys.stdlib_module_names:
        return 0
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    installed = "site-packages" in file or "dist-packages" in file
    return 1 if installed or top in ("numpy", "sourcegrad") else 2
