"""The numba backend: the generated text compiled by numba.njit.

The same text as in the Python backend, in the forms that numba reads alike (see
`numba.rewrite`). Data from globals and cells is handed over at each call. What numba
cannot compile is an error that names the user's line, never a silent fallback.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sourcegrad.errors import MissingBackendError, SourcegradError
from sourcegrad.frontend.reads import is_data
from sourcegrad.numba import tapes
from sourcegrad.numba.errors import located, of_numba, unknown_argument
from sourcegrad.numba.rewrite import (
    ADD_IN_PLACE,
    Reader,
    Rewritten,
    dotted_names,
    functions_of,
    rewrite,
)
from sourcegrad.numba.user import UserFunctions, cell_reader, item_reader

if TYPE_CHECKING:
    from sourcegrad.pipeline.generated import Generated

_LIBRARIES = ("numpy", "scipy", "math", "cmath")


def import_numba() -> Any:
    """The module numba.

    Raises:
        MissingBackendError: it is not installed.
    """
    try:
        import numba
    except ImportError as error:
        raise MissingBackendError(
            'backend="numba" needs the package numba, which is not installed',
            why=str(error),
            hints=("pip install 'sourcegrad[numba]'", 'use backend="python"'),
        ) from None
    return numba


def jit(
    made: Generated,
    functions: dict[str, Any],
    namespace: dict[str, Any],
    fn: types.FunctionType,
) -> tuple[Callable[..., Any], ...]:
    """The entry functions of generated code, compiled by numba when first called.

    Args:
        made: the generated text and what it relies on.
        functions: its functions as loaded for Python.
        namespace: the globals of the functions; data is read from there at each call.
        fn: the user's function.

    Raises:
        MissingBackendError: numba is not installed.
    """
    import_numba()
    return _Module(made, functions, namespace, fn).entries()


class _Module:
    """The functions of one text, in a namespace of their own."""

    def __init__(
        self, made: Generated, functions: dict[str, Any], namespace: dict[str, Any],
        fn: types.FunctionType,
    ) -> None:  # fmt: skip
        self.made, self.fn = made, fn
        self.data: dict[str, Reader] = {}
        self.user = UserFunctions()
        self.space: dict[str, Any] = {}
        first = next(iter(functions.values()))
        self.filename = first.__code__.co_filename
        self.resolve(namespace)
        self.defaults = {n: f.__defaults__ or () for n, f in functions.items()}
        nodes = functions_of(made.text)
        self.tapes = tapes.run(nodes, made.entries)
        tapes.hold_residuals(nodes, made.entries)
        self.found = rewrite(nodes, {*self.data, *self.tapes}, self.user.renamed)
        self.loaded: dict[Any, dict[str, Any]] = {}
        self.example: tuple[Any, ...] = ()

    def resolve(self, namespace: dict[str, Any]) -> None:
        """Tell data, which is handed over, from code, which is compiled."""
        cells = self.made.context.binder.cells
        for path in dotted_names(self.made.text):
            root, *rest = path.split(".")
            if root in cells:
                reader = _reader(cell_reader(cells[root]), rest)
            elif root in namespace:
                reader = _reader(item_reader(namespace, root), rest)
            else:
                continue
            self.classify(path, reader)

    def classify(self, path: str, reader: Reader) -> None:
        try:
            obj = reader()
        except AttributeError:
            return
        if getattr(obj, "__module__", None) == "sourcegrad.generated":
            return
        if isinstance(obj, types.FunctionType) and not _from_library(obj):
            self.user.add(path, obj)
        elif "." not in path:
            if is_data(obj):
                self.data[path] = reader
            else:
                self.space[path] = obj
        elif is_data(obj) and not _from_library(self.space.get(path.split(".")[0])):
            self.data[path] = reader

    def load(self, more: dict[str, Any]) -> dict[str, Any]:
        """The functions, each compiled by numba when first called."""
        numba = import_numba()
        import sourcegrad.numba.numpy
        import sourcegrad.runtime_numba  # noqa: F401
        from sourcegrad.numba import values

        space = {**self.space, **self.user.compiled(), **more}
        for name in (ADD_IN_PLACE, "push", "peek", "hold", "held"):
            space[name] = getattr(values, name)
        body: list[ast.stmt] = [f.node for f in self.found.values()]
        exec(compile(ast.Module(body, []), self.filename, "exec"), space)
        for name in self.found:
            # A module of which sys.modules knows nothing breaks numba's recursion.
            space[name].__module__ = None
            space[name] = numba.njit(space[name])
        return space

    def ready(self, name: str, args: tuple[Any, ...]) -> Any:
        """The dispatcher of an entry for these arguments.

        With tapes it depends on the types of the arguments, which decide what lies on
        the tapes; a pullback finds the tapes in its residuals.
        """
        if self.user.changed():
            self.loaded.clear()
        key = None
        if self.tapes and name == self.made.entries[0]:
            key = tuple(import_numba().typeof(a) for a in args)
        if key not in self.loaded:
            self.loaded[key] = self.load(self.tape_makers(name, key) if key else {})
        return self.loaded[key][name]

    def note_example(self, args: tuple[Any, ...]) -> None:
        """Keep the types of the primal's arguments, to blame the primal by.

        Raises:
            NumbaUnsupportedError: numba has no type for one of them.
        """
        typeof = import_numba().typeof
        code = self.fn.__code__
        found = []
        for name, value in zip(
            code.co_varnames[: code.co_argcount], args, strict=False
        ):
            try:
                found.append(typeof(value))
            except ValueError as error:
                raise unknown_argument(self.fn, name, value, error) from None
        self.example = tuple(found)

    def tape_makers(self, name: str, types: tuple[Any, ...]) -> dict[str, Any]:
        probing, found = tapes.probes(self.tapes)
        self.load(probing)[name].compile(types)
        return tapes.makers(found)

    def entries(self) -> tuple[Callable[..., Any], ...]:
        return tuple(Entry(self, name) for name in self.made.entries)

    def refusal(self, error: Exception) -> SourcegradError:
        """The error about the user's line for one that numba raised."""
        callees = self.made.context.callees()
        primal = self.user.probe(self.fn, self.example)
        return located(error, self.made.text, self.fn, callees, primal)


class Entry:
    """A compiled function, called with the arguments of the generated one."""

    def __init__(self, module: _Module, name: str) -> None:
        self.module, self.name = module, name
        made: Rewritten = module.found[name]
        self.readers = [
            module.data[path] for path in made.hidden if path in module.data
        ]
        self.defaults = module.defaults[name]
        self.count = len(made.node.args.args) - len(made.hidden)
        self.lasting: Any = None
        self.__name__ = name

    def __call__(self, *args: Any) -> Any:
        """Run the compiled function; the last arguments may be left to defaults.

        Raises:
            NumbaUnsupportedError: numba cannot compile it; raised at the first call.
        """
        missing = self.count - len(args)
        if missing:
            args += self.defaults[len(self.defaults) - missing :]
        if self.readers:
            args = (*[read() for read in self.readers], *args)
        try:
            compiled = self.lasting or self.dispatcher(args)
            return compiled(*args)
        except Exception as error:
            if not of_numba(error):
                raise
            raise self.module.refusal(error) from None

    def dispatcher(self, args: tuple[Any, ...]) -> Any:
        """What numba compiled, or will when called, for these arguments."""
        if self.name == self.module.made.entries[0]:
            own = args[len(self.readers) :]
            self.module.note_example(own)
        found = self.module.ready(self.name, args)
        if not (self.module.tapes or self.module.user.frozen):
            self.lasting = found
        return found


def _reader(read: Reader, rest: list[str]) -> Reader:
    """Reads an attribute of what `read` gives."""
    if not rest:
        return read

    def attribute() -> Any:
        obj = read()
        for name in rest:
            obj = getattr(obj, name)
        return obj

    return attribute


def _from_library(obj: Any) -> bool:
    name = getattr(obj, "__module__", None) or getattr(obj, "__name__", "") or ""
    return name.split(".")[0] in {*_LIBRARIES, "sourcegrad"}
