"""Which definition in a file a code object was compiled from."""

from __future__ import annotations
import __future__

import ast
import builtins
import functools
import linecache
import os
import types
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sourcegrad.errors import Location, SourceUnavailableError
from sourcegrad.loader.load import GENERATED, lines_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_FUTURE_FLAGS = functools.reduce(
    lambda flags, name: flags | getattr(__future__, name).compiler_flag,
    __future__.all_feature_names,
    0,
)
_FILES_KEPT = 64


@dataclass(frozen=True)
class Definition:
    """A function definition or lambda in a file.

    Args:
        node: its syntax tree (shared: not to be changed).
        first_line: the first line, a decorator's if there is one.
        last_line: the last line.
        class_name: the innermost class around it, or None.
    """

    node: Function
    first_line: int
    last_line: int
    class_name: str | None


class FileText:
    """A file's text, parsed once; its top-level statements are compiled on demand.

    Args:
        text: the text.
        filename: the name to compile it under.
        flags: `__future__` flags that it was compiled with.

    Raises:
        SyntaxError: the text is not Python.
    """

    def __init__(self, text: str, filename: str, flags: int) -> None:
        self.filename, self.flags = filename, flags
        self.lines = tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        tree = self._compile(text, ast.PyCF_ONLY_AST)
        self._statements: list[ast.stmt] = tree.body
        self._codes: dict[int, list[types.CodeType]] = {}

    def _compile(self, source: str | ast.Module, flags: int = 0) -> Any:
        flags |= self.flags
        return compile(source, self.filename, "exec", flags, dont_inherit=True)

    def statements(self, line: int) -> list[ast.stmt]:
        """The top-level statements, the one at this line first."""
        return sorted(self._statements, key=lambda s: not _reaches(s, line))

    def codes(self, statement: ast.stmt) -> list[types.CodeType]:
        """All code objects in a top-level statement."""
        codes = self._codes.get(id(statement))
        if codes is None:
            # The whole file, not the statement alone: the compiler emits another
            # attribute access for names that the module imports.
            module = self._compile(ast.Module(self._statements, []))
            every = list(_nested_codes(module))
            for stmt in self._statements:
                self._codes[id(stmt)] = [
                    c for c in every if _reaches(stmt, c.co_firstlineno)
                ]
            codes = self._codes[id(statement)]
        return codes


@functools.lru_cache(maxsize=_FILES_KEPT)
def open_file(text: str, filename: str, flags: int = 0) -> FileText:
    """The `FileText` of a text; the last ones are kept."""
    return FileText(text, filename, flags)


def find_definition(
    code: types.CodeType, namespace: dict[str, Any]
) -> tuple[FileText, Definition]:
    """Find the definition that a code object was compiled from.

    Args:
        code: the code object that runs.
        namespace: the globals of its function (a loader in it may know the text).

    Returns:
        The file and the definition in it.

    Raises:
        SourceUnavailableError: no text, or text that does not compile to `code`.
    """
    # The text as it was when last read may match where the file as it is now does
    # not (edited after import): bytecode decides which one is true.
    for refresh in (False, True):
        if refresh:
            linecache.checkcache(code.co_filename)
        file = _read_file(code, namespace)
        if file is None:
            continue
        unsure = None
        for statement in file.statements(code.co_firstlineno):
            twin = _find_twin(code, file.codes(statement))
            if twin is None:
                continue
            try:  # several statements may stand on one line
                return file, _locate(twin, statement)
            except SourceUnavailableError as error:
                unsure = unsure or error
        if unsure is not None:
            raise unsure
    if file is None:
        raise _no_text(code)
    raise _stale(code, file)


def _read_file(code: types.CodeType, namespace: dict[str, Any]) -> FileText | None:
    lines = lines_of(code.co_filename, namespace)
    if not lines:
        return None
    flags = code.co_flags & _FUTURE_FLAGS
    try:
        return open_file("".join(lines), code.co_filename, flags)
    except (SyntaxError, ValueError) as error:
        raise SourceUnavailableError(
            f"the source of {code.co_name} cannot be parsed: {error}",
            _place(code, lines),
            why="The text in that file is not what was compiled.",
            hints=["reload the module, or start a new session"],
            code="SG102",
        ) from error


def _reaches(statement: ast.stmt, line: int) -> bool:
    """Whether a statement, with its decorators, covers a line."""
    return _first_line(statement) <= line <= (statement.end_lineno or statement.lineno)


def _first_line(node: ast.stmt | ast.expr) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _nested_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _nested_codes(const)


def _definitions(node: ast.AST, class_name: str | None) -> Iterator[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            first = _first_line(child)
            yield Definition(child, first, child.end_lineno or first, class_name)
        inner = child.name if isinstance(child, ast.ClassDef) else class_name
        yield from _definitions(child, inner)


# ---- the compiled twin of the running code --------------------------------------


def _find_twin(
    code: types.CodeType, candidates: list[types.CodeType]
) -> types.CodeType | None:
    """The code object compiled from the file that equals the running one.

    Where several do (a definition repeated, two equal lambdas on a line), the one
    at the same place in the file, then the one on the same line.
    """
    equal = [
        twin
        for twin in candidates
        if twin.co_qualname == code.co_qualname and _same_code(twin, code)
    ]
    if not equal:
        return None
    same_line = [c for c in equal if c.co_firstlineno == code.co_firstlineno]
    places = list(code.co_positions())
    for twin in same_line:
        if list(twin.co_positions()) == places:
            return twin
    return (same_line or equal)[0]


_FIELDS = attrgetter(
    "co_name",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_flags",
    "co_names",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
)


def _same_code(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether two code objects do the same, wherever they stand."""
    if a is b:
        return True
    if _is_rewritten(b) or b.co_filename.startswith(GENERATED):
        # The text of generated code is kept under a name of its own; the code is
        # compiled without its imports, whose names stand for live objects.
        return _same_parameters(a, b) and a.co_firstlineno == b.co_firstlineno
    if _FIELDS(a) != _FIELDS(b) or a.co_code != b.co_code:
        return False
    if len(a.co_consts) != len(b.co_consts):
        return False
    return all(map(_same_constant, a.co_consts, b.co_consts))


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return _same_code(a, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same_constant, a, b))
    if isinstance(a, frozenset):
        return a == b
    return repr(a) == repr(b)  # repr tells -0.0 from 0.0, and a nan equals itself


def _is_rewritten(code: types.CodeType) -> bool:
    """Whether pytest has rewritten the assert statements in this function.

    Its bytecode then differs from the text by design, as do its names `@py_...`.
    """
    if any(n.startswith("@py") for n in (*code.co_varnames, *code.co_names)):
        return True
    consts = code.co_consts
    return any(_is_rewritten(c) for c in consts if isinstance(c, types.CodeType))


def _same_parameters(a: types.CodeType, b: types.CodeType) -> bool:
    counts = attrgetter("co_argcount", "co_posonlyargcount", "co_kwonlyargcount")
    n = a.co_argcount + a.co_kwonlyargcount
    return bool(
        a.co_name == b.co_name
        and counts(a) == counts(b)
        and a.co_varnames[:n] == b.co_varnames[:n]
    )


# ---- from the compiled twin to its syntax tree -----------------------------------


def _locate(code: types.CodeType, statement: ast.stmt) -> Definition:
    """The definition of a code object that was compiled from this statement."""
    inside = _definitions(ast.Module([statement], []), None)
    on_line = [d for d in inside if d.first_line == code.co_firstlineno]
    if code.co_name != "<lambda>":
        named = [d for d in on_line if getattr(d.node, "name", None) == code.co_name]
    else:
        named = [d for d in on_line if isinstance(d.node, ast.Lambda)]
    # Also where there is one: another statement may stand on the same line.
    named = [d for d in named if _covers(d.node, code)]
    if not named:
        raise SourceUnavailableError(
            f"the definition of {code.co_qualname} cannot be told from others in "
            f"{code.co_filename}, line {code.co_firstlineno}",
            hints=["put it on a line of its own"],
        )
    return min(named, key=lambda d: _extent(d.node))


def _covers(node: Function, code: types.CodeType) -> bool:
    """Whether all instructions of a code object come from this body."""
    if isinstance(node, ast.Lambda):
        start, end = _span(node.body)
    else:
        start, end = _span(node)
    for line, end_line, col, end_col in code.co_positions():
        if None in (line, end_line, col, end_col) or col == end_col:
            continue  # no column information, or the prologue
        if (line, col) < start or (end_line, end_col) > end:
            return False
    return True


def _span(node: ast.stmt | ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    end_line, end_col = node.end_lineno or node.lineno, node.end_col_offset or 0
    return (node.lineno, node.col_offset), (end_line, end_col)


def _extent(node: Function) -> tuple[int, int]:
    """The size of a definition, to find the innermost of nested ones."""
    (line, col), (end_line, end_col) = _span(node)
    return end_line - line, end_col - col


# ---- errors ----------------------------------------------------------------------


def _place(code: types.CodeType, lines: list[str]) -> Location:
    line = code.co_firstlineno
    text = lines[line - 1].rstrip("\n") if 0 < line <= len(lines) else ""
    indent = len(text) - len(text.lstrip())
    return Location(code.co_filename, line, indent, None, text, code.co_name)


def _no_text(code: types.CodeType) -> SourceUnavailableError:
    name, file = code.co_name, code.co_filename
    if file == "<stdin>":
        why = "This interactive session does not keep what is typed."
    elif file.startswith("<"):
        why = f'It was made by exec or eval under the name "{file}", without its text.'
    elif not os.path.exists(file):
        why = f"The file {file} does not exist."
    else:
        why = f"The file {file} cannot be read."
    return SourceUnavailableError(
        f"there is no source text for {name}",
        why=why,
        hints=[
            f"put {name} into a file and import it",
            f"give {name} a rule: @sourcegrad.adjoint({name})",
        ],
    )


def _stale(code: types.CodeType, file: FileText) -> SourceUnavailableError:
    return SourceUnavailableError(
        f"the source of {code.co_name} is not the code that runs",
        _place(code, list(file.lines)),
        why="The file was edited after it was imported, or the function was changed "
        "at run time.",
        hints=["reload the module, or start a new session"],
        code="SG102",
    )


def no_source(f: object) -> SourceUnavailableError:
    """The error for an object that has no Python source at all.

    >>> print(no_source(abs))
    SG101  abs has no Python source
      It is compiled code.
      a) lambda x: abs(x)    (differentiable if there is a rule for abs)
    """
    name = _describe(f)
    if isinstance(f, type):
        return SourceUnavailableError(
            f"{name} is a class, not a function",
            why="A call of it makes an object.",
            hints=[f"def make(x): return {f.__name__}(x)"],
        )
    if not callable(f):
        return SourceUnavailableError(
            f"{name} is not a function",
            why=f"It is of type {type(f).__name__}, which cannot be called.",
        )
    hint = f"lambda x: {name}(x)    (differentiable if there is a rule for {name})"
    return SourceUnavailableError(
        f"{name} has no Python source", why="It is compiled code.", hints=[hint]
    )


def _describe(f: object) -> str:
    """A short name for an object: `np.sin` is sin of numpy."""
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    if name is None:
        return repr(f) if len(repr(f)) < 60 else f"an object of {type(f).__name__}"
    module = getattr(f, "__module__", None)
    plain = module in (None, builtins.__name__, "__main__") or not isinstance(
        module, str
    )
    return str(name) if plain else f"{module}.{name}"
