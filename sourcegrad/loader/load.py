"""From generated text to functions that run, with their text known to Python.

The text is registered in `linecache`, so tracebacks, `pdb` and `inspect.getsource`
show it.
"""

from __future__ import annotations

import ast
import linecache
import os
import threading
import types
from collections.abc import Mapping
from typing import Any

MODULE_NAME = "sourcegrad.generated"
GENERATED = "<sourcegrad "
_SCOPE, _CELLS = "_sourcegrad_scope", "_sourcegrad_cells"

_lock = threading.Lock()
_registered: dict[str, list[str]] = {}  # `linecache` may be cleared by anyone


def stable_name(primal_filename: str, qualname: str, what: str) -> str:
    """The name under which generated text is registered.

    Args:
        primal_filename: the file of the user's function.
        qualname: its qualified name.
        what: what the text computes, with an optional part after a blank.

    >>> stable_name("/home/me/decay.py", "sse", "grad wrt p")
    '<sourcegrad grad of decay.py:sse wrt p>'
    """
    head, _, rest = what.partition(" ")
    file = os.path.basename(primal_filename.strip("<>")) or "unknown"
    name = qualname.replace(".<locals>", "").replace("<lambda>", "lambda")
    return f"{GENERATED}{head} of {file}:{name}{' ' + rest if rest else ''}>"


def register(text: str, filename: str) -> str:
    """Make a text known to `linecache` for as long as the process lives.

    Args:
        text: the text.
        filename: the name wanted; where another text has it already, a number is
            added (`<name #2>`), in order of registration.

    Returns:
        The name under which the text is registered.
    """
    lines = text.splitlines(keepends=True)
    with _lock:
        name, n = filename, 1
        while _is_another(name, lines):
            n += 1
            suffix = f" #{n}"
            closed = filename.endswith(">")
            name = f"{filename[:-1]}{suffix}>" if closed else filename + suffix
        # No modification time: `linecache.checkcache` then keeps the entry.
        linecache.cache[name] = (len(text), None, lines, name)
        _registered[name] = lines
    return name


def _is_another(name: str, lines: list[str]) -> bool:
    """Whether a name stands for a text that is not these lines."""
    if _registered.get(name, lines) != lines:
        return True
    known = linecache.cache.get(name)
    return known is not None and (len(known) != 4 or known[2] != lines)  # 1: lazy


def lines_of(name: str, namespace: dict[str, Any] | None = None) -> list[str]:
    """The lines of a file, or of a text that was registered here.

    Args:
        name: the file name of a code object.
        namespace: the globals of its function (a loader in it may know the text).

    >>> name = register("x = 1\\n", "<example of lines>")
    >>> linecache.clearcache()
    >>> lines_of(name)
    ['x = 1\\n']
    """
    lines = linecache.getlines(name, namespace)
    kept = _registered.get(name)
    if not lines and kept is not None:
        return linecache.getlines(register("".join(kept), name))
    return lines


def load(
    text: str,
    filename: str,
    namespace: dict[str, Any],
    freevars: Mapping[str, types.CellType] | None = None,
) -> dict[str, types.FunctionType]:
    """Compile a text and return the functions that it defines.

    They are stored in `namespace` too, where they find each other. Imports and
    assignments of names that the namespace or the cells hold already are not run:
    those names stand for live objects.

    Args:
        text: source with one or more definitions at top level.
        filename: name for tracebacks (see `stable_name` and `register`).
        namespace: the globals of the functions.
        freevars: live closure cells by name. Functions that read one of these names
            share the cell with its owner, also for later assignments.

    Returns:
        The functions by name, in the order of the text.

    Raises:
        SyntaxError: the text is not Python.

    >>> cell = types.CellType(2.0)
    >>> f = load("def f(x):\\n    return k * x\\n", "<f>", {}, {"k": cell})["f"]
    >>> f(3.0)
    6.0
    >>> cell.cell_contents = 4.0
    >>> f(3.0)
    12.0
    """
    tree = ast.parse(text, filename)
    name = register(text, filename)
    # Without a name, inspect and pickle would look for the functions in builtins.
    namespace.setdefault("__name__", MODULE_NAME)
    names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)]
    known = {*namespace, *(freevars or ())}
    tree.body = [n for n in tree.body if not _binds_only(n, known)]
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    tree.body = [n for n in tree.body if not _imports_only(n, read)]
    if freevars:
        _run_with_cells(tree, name, namespace, freevars)
    else:
        exec(compile(tree, name, "exec", dont_inherit=True), namespace)
    return {n: namespace[n] for n in dict.fromkeys(names)}


def _binds_only(statement: ast.stmt, known: set[str]) -> bool:
    """Whether an import or assignment at top level binds only names already known."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        names = {a.asname or a.name.split(".")[0] for a in statement.names}
    elif isinstance(statement, ast.Assign):
        names = {t.id for t in statement.targets if isinstance(t, ast.Name)}
    else:
        return False
    return names <= known


def _imports_only(statement: ast.stmt, read: set[str]) -> bool:
    """Whether an import binds only names that serve statements left out."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return False
    return read.isdisjoint(a.asname or a.name.split(".")[0] for a in statement.names)


def _run_with_cells(
    tree: ast.Module,
    filename: str,
    namespace: dict[str, Any],
    freevars: Mapping[str, types.CellType],
) -> None:
    """Run the text as the body of a function whose closure holds the given cells.

    Its definitions are declared global, so they are stored in the namespace, where
    they see each other; nodes keep their lines. As text:

        def cells():
            k = None
            def scope():
                global f
                def f(x): return k * x
    """
    define = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    other = [n for n in tree.body if not isinstance(n, ast.FunctionDef)]
    exec(compile(ast.Module(other, []), filename, "exec", dont_inherit=True), namespace)
    names = sorted({n.name for n in define})
    scope = _function(_SCOPE, [ast.Global(names), *define])
    owned = [ast.Name(name, ast.Store()) for name in freevars]
    cells = _function(_CELLS, [ast.Assign(list(owned), ast.Constant(None)), scope])
    module = ast.fix_missing_locations(ast.Module([cells], []))
    code = compile(module, filename, "exec", dont_inherit=True)
    scope_code = _inner_code(_inner_code(code, _CELLS), _SCOPE)
    closure = tuple(freevars[name] for name in scope_code.co_freevars)
    types.FunctionType(scope_code, namespace, closure=closure)()


def _function(name: str, body: list[ast.stmt]) -> ast.FunctionDef:
    function = ast.parse(f"def {name}(): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = body
    return function


def _inner_code(code: types.CodeType, name: str) -> types.CodeType:
    codes = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return next(c for c in codes if c.co_name == name)
