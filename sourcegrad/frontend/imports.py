"""Import statements inside a function: resolved when it is compiled."""

from __future__ import annotations

import importlib
import types
from typing import Any

import gast

from sourcegrad import syntax


def names(
    stmt: gast.Import | gast.ImportFrom, fn: types.FunctionType | None
) -> dict[str, Any]:
    """What an import binds, by name.

    Args:
        stmt: the statement.
        fn: the function that it stands in, which relative imports start from.

    Raises:
        ImportError: there is no such module or name, as the statement would say.

    >>> stmt = gast.parse("from math import tau as turn").body[0]
    >>> names(stmt, None)
    {'turn': 6.283185307179586}
    """
    if isinstance(stmt, gast.Import):
        return {a.asname or a.name.split(".")[0]: _module(a) for a in stmt.names}
    package = fn.__globals__.get("__package__") if fn is not None else None
    title = "." * (stmt.level or 0) + (stmt.module or "")
    module = importlib.import_module(title, package)
    return {a.asname or a.name: _member(module, a.name) for a in stmt.names}


def _module(alias: Any) -> Any:
    """`import a.b` binds a, `import a.b as c` binds b."""
    module = importlib.import_module(alias.name)
    if alias.asname:
        return module
    return importlib.import_module(alias.name.split(".")[0])


def _member(module: Any, name: str) -> Any:
    """An attribute of a module, or a module in it."""
    if hasattr(module, name):
        return getattr(module, name)
    try:
        return importlib.import_module(f"{module.__name__}.{name}")
    except ModuleNotFoundError:
        text = f"cannot import name {name!r} from {module.__name__!r}"
        raise ImportError(text) from None


def settled(stmt: Any, fn: types.FunctionType | None) -> Any:
    """An import that fails is the raise that it amounts to; another statement as it is.

    >>> stmt = gast.parse("import no_such_module").body[0]
    >>> print(gast.unparse(settled(stmt, None)))
    raise ModuleNotFoundError("No module named 'no_such_module'")
    """
    if not isinstance(stmt, gast.Import | gast.ImportFrom) or stmt.names[0].name == "*":
        return stmt
    try:
        names(stmt, fn)
    except ImportError as error:
        kind = syntax.name(type(error).__name__)
        value = gast.Call(func=kind, args=[syntax.constant(str(error))], keywords=[])
        made = gast.Raise(exc=value, cause=None)
        for node in (made, *gast.walk(value)):
            gast.copy_location(node, stmt)
        return made
    return stmt
