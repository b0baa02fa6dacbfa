"""From a live function to the syntax tree of the code that runs.

A function is found by its code object, not by its name: two lambdas on one line,
nested functions and methods are told apart. The whole file is compiled once (so
closures, class-private names and `__future__` imports mean what they meant), and
the code object that equals the running one says which definition it is. Text that
no longer compiles to the running bytecode is refused. As the whole file is parsed,
indented source is never dedented, and multi-line strings stay as they are.
"""

from __future__ import annotations

import ast
import functools
import types
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from typing import Any

import gast

from sourcegrad.errors import Location, SourceUnavailableError, UnsupportedSyntaxError
from sourcegrad.source.keywords import Keywords, forms_of
from sourcegrad.source.library import around
from sourcegrad.source.match import Definition, FileText, find_definition, no_source

_GENERATOR_FLAGS = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class Source:
    """The source of one live function.

    Args:
        fn: the function.
        tree: its definition, a `gast.FunctionDef` (lambdas too). Line numbers are
            those of the file, columns count characters. All functions with the
            same code object share the tree: passes must not change it.
        filename: the file, or a name known to `linecache`.
        lines: the lines of the definition, without line ends.
        first_line: line number of `lines[0]` (a decorator, if there is one).
        name: the function's name ("lambda_" for a lambda).
        qualname: the qualified name.
        class_name: the innermost class around the definition, or None; names such
            as `__x` are mangled with it.
    """

    fn: types.FunctionType
    tree: gast.FunctionDef
    filename: str
    lines: tuple[str, ...]
    first_line: int
    name: str
    qualname: str
    class_name: str | None

    @property
    def is_generator(self) -> bool:
        """Whether a call makes a generator or a coroutine instead of a value."""
        return bool(self.fn.__code__.co_flags & _GENERATOR_FLAGS)

    def line_text(self, lineno: int) -> str:
        """The source line with this number, "" outside the definition."""
        i = lineno - self.first_line
        return self.lines[i] if 0 <= i < len(self.lines) else ""

    def location(self, node: ast.AST) -> Location:
        """Where a node of `tree` stands, for error messages."""
        line = getattr(node, "lineno", None) or self.first_line
        text = self.line_text(line)
        end_col = getattr(node, "end_col_offset", None)
        if getattr(node, "end_lineno", line) != line:
            end_col = len(text.rstrip())
        col = getattr(node, "col_offset", None) or 0
        return Location(self.filename, line, col, end_col, text, self.name)

    def end(self) -> Location:
        """The return statement, or the definition where there is not just one.

        >>> def square(x):
        ...     return x * x
        >>> find(square).end().text.strip()
        'return x * x'
        """
        found, rest = [], list(self.tree.body)
        while rest:
            node = rest.pop()
            if isinstance(node, gast.Return):
                found.append(node)
            elif not isinstance(node, gast.FunctionDef | gast.ClassDef):
                rest += gast.iter_child_nodes(node)
        return self.location(found[0] if len(found) == 1 else self.tree)

    def segment(self, node: ast.AST) -> str:
        """The exact source text of a node, "" for a node without a position."""
        first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if first is None or last is None:
            return ""
        start: int = node.col_offset  # type: ignore[attr-defined]
        end: int = node.end_col_offset  # type: ignore[attr-defined]
        if first == last:
            return self.line_text(first)[start:end]
        middle = [self.line_text(n) for n in range(first + 1, last)]
        lines = [self.line_text(first)[start:], *middle, self.line_text(last)[:end]]
        return "\n".join(lines)


@dataclass(frozen=True)
class _Entry:
    """What is known of a code object, without a function that would keep it alive."""

    code: weakref.ref[types.CodeType]
    tree: gast.FunctionDef
    file: FileText
    definition: Definition


# Code objects that are equal but not the same can stand in different files, so the
# key is the identity; the weak reference drops the entry with the code object.
_entries: dict[int, _Entry] = {}


def find(fn: types.FunctionType) -> Source:
    """Find the source of a function and parse it.

    Args:
        fn: a plain Python function (see `unwrap` for what is not).

    Returns:
        The `Source`, whose tree is cached per code object.

    Raises:
        SourceUnavailableError: there is no text, or it is not what runs.

    >>> def square(x):
    ...     return x * x
    >>> source = find(square)
    >>> source.name, source.segment(source.tree.body[0].value)
    ('square', 'x * x')
    """
    if not isinstance(fn, types.FunctionType):
        raise no_source(fn)
    code = fn.__code__
    entry = _entries.get(id(code))
    if entry is None or entry.code() is not code:
        entry = _entries[id(code)] = _read(fn)
    definition = entry.definition
    return Source(
        fn=fn,
        tree=entry.tree,
        filename=code.co_filename,
        lines=entry.file.lines[definition.first_line - 1 : definition.last_line],
        first_line=definition.first_line,
        name=entry.tree.name,
        qualname=fn.__qualname__,
        class_name=definition.class_name,
    )


def _read(fn: types.FunctionType) -> _Entry:
    code, key = fn.__code__, id(fn.__code__)
    file, definition = find_definition(code, fn.__globals__)
    tree = _as_function(gast.ast_to_gast(definition.node))
    _use_character_columns(tree, file.lines)

    def forget(_: Any) -> None:
        _entries.pop(key, None)

    return _Entry(weakref.ref(code, forget), tree, file, definition)


def _as_function(tree: gast.AST) -> gast.FunctionDef:
    """A lambda as a function definition with a return statement."""
    if not isinstance(tree, gast.Lambda):
        return tree
    result = gast.Return(tree.body)
    gast.copy_location(result, tree.body)
    function = gast.FunctionDef("lambda_", tree.args, [result], [], None, None, [])
    return gast.copy_location(function, tree)


def _use_character_columns(tree: gast.AST, lines: tuple[str, ...]) -> None:
    """Turn the byte columns of the parser into character columns, in place."""
    span = lines[tree.lineno - 1 : tree.end_lineno]
    if all(line.isascii() for line in span):
        return
    for node in gast.walk(tree):
        for line, col in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            lineno, offset = getattr(node, line, None), getattr(node, col, None)
            if lineno is not None and offset is not None:
                data = lines[lineno - 1].encode()
                setattr(node, col, len(data[:offset].decode(errors="replace")))


# ---- from any callable to a function -------------------------------------------


@dataclass(frozen=True)
class Unwrapped:
    """A callable as a plain function and the arguments already bound to it.

    Args:
        fn: the function; a call is `fn(*args, *more, **{**kwargs, **keywords})`.
        args: positional arguments bound by methods, instances and partials.
        kwargs: keyword arguments bound by partials, as they are when read.
        skipped: what was taken off, outermost first.
    """

    fn: types.FunctionType
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    skipped: tuple[object, ...]


def unwrap(f: Callable[..., Any]) -> Unwrapped:
    """Take off what wraps a Python function.

    Bound methods, `functools.partial`, static methods, callable instances, numba
    dispatchers and `functools.lru_cache` are taken off. A `functools.wraps`
    wrapper is taken off where its text shows that it passes its arguments on and
    returns the result unchanged (timers, loggers); any other wrapper does some
    arithmetic of its own, so it is itself the function.

    Args:
        f: any callable.

    Returns:
        The function, what is bound to it, and what was taken off.

    Raises:
        SourceUnavailableError: there is no Python function inside.

    >>> def scale(k, x):
    ...     return k * x
    >>> inner = unwrap(functools.partial(scale, 3.0))
    >>> inner.fn.__name__, inner.args
    ('scale', (3.0,))
    """
    args: tuple[Any, ...] = ()
    kwargs = Keywords([])
    skipped: list[object] = []
    while True:
        library = around(f, kwargs)
        if library is not None:  # what its options make of it is in its text
            kwargs.forms = forms_of(kwargs)
            f = library
        if isinstance(f, types.FunctionType) and not _is_transparent(f):
            return Unwrapped(f, args, kwargs, tuple(skipped))
        inner, bound = _take_off(f)
        args = (*bound, *args)
        if isinstance(f, functools.partial):
            kwargs.layers.append(f.keywords)
        skipped.append(f)
        f = inner


def _take_off(f: Any) -> tuple[Any, tuple[Any, ...]]:
    """What is inside one layer of wrapping, and the positional arguments it binds."""
    if isinstance(f, types.FunctionType):
        return f.__wrapped__, ()  # type: ignore[attr-defined]
    if isinstance(f, types.MethodType):
        return f.__func__, (f.__self__,)
    if isinstance(f, functools.partial):
        _refuse_placeholders(f)
        return f.func, f.args
    if isinstance(f, staticmethod):
        return f.__func__, ()
    if isinstance(f, functools._lru_cache_wrapper):
        return f.__wrapped__, ()
    if isinstance(getattr(f, "py_func", None), types.FunctionType):  # numba
        return f.py_func, ()
    if isinstance(f, type):
        raise no_source(f)
    own = getattr(f, "__sourcegrad_function__", None)  # matrices of derivatives
    if own is not None:
        return own, ()
    for base in type(f).__mro__:
        if isinstance(vars(base).get("__call__"), types.FunctionType):
            return vars(base)["__call__"], (f,)
    raise no_source(f)


def _refuse_placeholders(f: functools.partial[Any]) -> None:
    placeholder = getattr(functools, "Placeholder", None)  # Python 3.14
    if placeholder is not None and any(a is placeholder for a in f.args):
        raise UnsupportedSyntaxError(
            "functools.partial with a Placeholder is not supported",
            hints=["lambda x: f(x, 2.0)"],
        )


def _is_transparent(wrapper: types.FunctionType) -> bool:
    """Whether a wrapper provably returns what the wrapped function returns.

    Its only use of the wrapped function is one call with its own parameters, passed
    on in order and never rebound, and every return returns that call or the one name
    assigned from it.
    """
    wrapped = getattr(wrapper, "__wrapped__", None)
    if wrapped is None:
        return False
    cells = zip(wrapper.__code__.co_freevars, wrapper.__closure__ or (), strict=True)
    names = {name for name, cell in cells if _cell_is(cell, wrapped)}
    try:
        tree = find(wrapper).tree
    except SourceUnavailableError:
        return False  # compiling the wrapper itself then says what is missing
    nodes = [node for statement in tree.body for node in gast.walk(statement)]
    uses = [n for n in nodes if isinstance(n, gast.Name) and n.id in names]
    calls = [n for n in nodes if isinstance(n, gast.Call) and n.func in uses]
    if len(uses) != 1 or len(calls) != 1 or not _passes_on(tree.args, calls[0]):
        return False
    stored = [
        n.id
        for n in nodes
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store | gast.Del)
    ]
    if {p.id for p in _parameters(tree.args)} & set(stored):
        return False
    return _returns_only(tree.body, nodes, calls[0], stored)


def _returns_only(
    body: list[gast.AST], nodes: list[gast.AST], call: gast.Call, stored: list[str]
) -> bool:
    """Whether the last statement and every other return give the call's result."""
    nested = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.Yield, gast.YieldFrom)
    if any(isinstance(n, nested) for n in nodes):
        return False
    results = {
        target.id
        for n in body
        if isinstance(n, gast.Assign) and n.value is call
        for target in n.targets
        if isinstance(target, gast.Name) and stored.count(target.id) == 1
    }
    returned = [n.value for n in nodes if isinstance(n, gast.Return)]
    return isinstance(body[-1], gast.Return) and all(
        value is call or (isinstance(value, gast.Name) and value.id in results)
        for value in returned
    )


def _cell_is(cell: types.CellType, value: object) -> bool:
    try:
        return cell.cell_contents is value
    except ValueError:  # not yet filled
        return False


def _parameters(args: gast.arguments) -> list[gast.Name]:
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return named + [a for a in (args.vararg, args.kwarg) if a is not None]


def _passes_on(args: gast.arguments, call: gast.Call) -> bool:
    """Whether a call passes exactly these parameters on, in order."""
    given = [gast.dump(a) for a in call.args]
    given += [f"{k.arg}={gast.dump(k.value)}" for k in call.keywords]
    wanted = [_dump_name(a) for a in (*args.posonlyargs, *args.args)]
    if args.vararg is not None:
        starred = gast.Starred(_load(args.vararg), gast.Load())
        wanted.append(gast.dump(starred))
    wanted += [f"{a.id}={_dump_name(a)}" for a in args.kwonlyargs]
    if args.kwarg is not None:
        wanted.append(f"None={_dump_name(args.kwarg)}")
    return given == wanted


def _load(parameter: gast.Name) -> gast.Name:
    return gast.Name(parameter.id, gast.Load(), None, None)


def _dump_name(parameter: gast.Name) -> str:
    return str(gast.dump(_load(parameter)))
