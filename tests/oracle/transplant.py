"""Copies of functions, classes and objects that see the stand-ins in place of NumPy."""

from __future__ import annotations

import collections
import functools
import sys
import sysconfig
import types
from typing import Any

import numpy as np

from tests.oracle.standins import BUILTINS, stand_in
from tests.oracle.ufuncs import Array, lift, plain

_LIBRARIES = tuple(sysconfig.get_path(k) for k in ("stdlib", "purelib", "platlib"))
_KNOWN = ("numpy", "sourcegrad.api")
_OURS = ("tests.oracle.", "sourcegrad")
_ATOMS = (int, float, complex, bool, str, bytes, type(None), type(...), range, slice)


class Transplant:
    """Converts objects once each, so that identity and sharing survive.

    The original is never touched: global variables, default values, captured cells,
    classes and their instances are all copied.
    """

    def __init__(self) -> None:
        self._memo: dict[int, Any] = {}
        self._alive: list[Any] = []

    def convert(self, x: Any) -> Any:
        """The counterpart of `x` in the world of the stand-ins."""
        if isinstance(x, _ATOMS) and not isinstance(x, type):
            return x
        if id(x) in self._memo:
            return self._memo[id(x)]
        self._alive.append(x)
        replaced = stand_in(x) if _may_be_library(x) else None
        if replaced is not None:
            return self._remember(x, replaced)
        return self._convert_new(x)

    def _remember(self, x: Any, made: Any) -> Any:
        self._memo[id(x)] = made
        return made

    def _convert_new(self, x: Any) -> Any:
        if isinstance(x, types.FunctionType):
            return self._function(x)
        if isinstance(x, types.MethodType):
            bound = types.MethodType(self.convert(x.__func__), self.convert(x.__self__))
            return self._remember(x, bound)
        if isinstance(x, functools.partial):
            made = functools.partial(self.convert(x.func), *map(self.convert, x.args))
            return functools.partial(made, **self._mapping(x.keywords))
        if isinstance(x, functools._lru_cache_wrapper):
            made = functools.lru_cache(maxsize=None)(self.convert(x.__wrapped__))
            return self._remember(x, made)
        if isinstance(x, staticmethod | classmethod):
            return self._remember(x, type(x)(self.convert(x.__func__)))
        if isinstance(x, property):
            parts = (self.convert(p) for p in (x.fget, x.fset, x.fdel))
            return self._remember(x, property(*parts))
        if isinstance(x, functools.cached_property):
            return self._cached_property(x)
        if isinstance(x, np.ndarray):
            return self._array(x)
        if isinstance(x, type):
            return self._class(x) if _is_user_class(x) else x
        if isinstance(x, types.ModuleType) and _is_user_file(x):
            return self._remember(x, _LazyModule(x, self))
        return self._container(x)

    def _cached_property(self, x: functools.cached_property[Any]) -> Any:
        made = functools.cached_property(self.convert(x.func))
        made.attrname = x.attrname
        return self._remember(x, made)

    def _mapping(self, x: dict[Any, Any]) -> dict[Any, Any]:
        return {k: self.convert(v) for k, v in x.items()}

    def _container(self, x: Any) -> Any:
        if isinstance(x, list | set | collections.deque) and _is_plain(x):
            made = (
                type(x)()
                if not isinstance(x, collections.deque)
                else (collections.deque(maxlen=x.maxlen))
            )
            self._remember(x, made)
            (made.update if isinstance(made, set) else made.extend)(
                map(self.convert, x)
            )
            return made
        if isinstance(x, dict) and _is_plain(x):
            made = type(x)()
            if isinstance(x, collections.defaultdict):
                made.default_factory = self.convert(x.default_factory)
            self._remember(x, made)
            made.update(self._mapping(x))
            return made
        if isinstance(x, tuple):
            parts = [self.convert(v) for v in x]
            kind = self.convert(type(x))
            return kind(*parts) if hasattr(kind, "_fields") else tuple(parts)
        return self._instance(x) if _is_user_class(type(x)) else x

    def _instance(self, x: Any) -> Any:
        kind = self.convert(type(x))
        made = kind.__new__(kind) if not issubclass(kind, tuple | BaseException) else x
        if made is x:
            return x
        self._remember(x, made)
        for name, value in _attributes(x).items():
            object.__setattr__(made, name, self.convert(value))
        return made

    def _array(self, x: np.ndarray) -> Any:
        base = x.base
        if (
            isinstance(base, np.ndarray)
            and base.dtype == x.dtype
            and base.size
            and (base.flags.c_contiguous or base.flags.f_contiguous)
        ):
            made = _same_view(x, base, plain(self.convert(base))).view(Array)
        else:
            made = lift(x) if x.dtype.kind == "f" else x.copy().view(Array)
        return self._remember(x, made)

    def _function(self, x: types.FunctionType) -> Any:
        library = x.__code__.co_filename.startswith(_LIBRARIES)
        if library and not x.__closure__:
            return self._remember(x, x)
        scope: dict[str, Any] = {"__builtins__": BUILTINS, "__name__": x.__module__}
        made = types.FunctionType(
            x.__code__,
            x.__globals__ if library else scope,
            x.__name__,
            None,
            tuple(self._cell(c) for c in x.__closure__ or ()) or None,
        )
        self._remember(x, made)
        made.__qualname__, made.__module__ = x.__qualname__, x.__module__
        made.__defaults__ = self.convert(x.__defaults__)
        made.__kwdefaults__ = x.__kwdefaults__ and self._mapping(x.__kwdefaults__)
        if not library:
            self._fill_scope(scope, x)
        return made

    def _fill_scope(self, scope: dict[str, Any], x: types.FunctionType) -> None:
        for name in _global_names(x.__code__):
            if name in x.__globals__:
                scope[name] = self.convert(x.__globals__[name])

    def _cell(self, cell: types.CellType) -> Any:
        if id(cell) in self._memo:
            return self._memo[id(cell)]
        self._alive.append(cell)
        made = self._remember(cell, types.CellType())
        try:
            content = cell.cell_contents
        except ValueError:
            return made
        made.cell_contents = self.convert(content)
        return made

    def _class(self, x: type) -> Any:
        bases = tuple(self.convert(b) for b in x.__bases__)
        skipped = {"__dict__", "__weakref__", *_slots(x)}
        space = {k: v for k, v in vars(x).items() if k not in skipped}
        made = type(x)(x.__name__, bases, {"__slots__": _slots(x)} if _slots(x) else {})
        self._remember(x, made)
        for name, value in space.items():
            if name in ("__slots__", "__module__", "__abstractmethods__", "_abc_impl"):
                continue
            if name not in ("__doc__", "__match_args__", "__annotations__"):
                value = self.convert(value)
            try:
                setattr(made, name, value)
            except AttributeError:
                if not name.startswith("__"):
                    raise
        return made


class _LazyModule:
    """A module of the user's whose attributes are converted when they are read."""

    def __init__(self, module: types.ModuleType, transplant: Transplant) -> None:
        self._module, self._transplant = module, transplant

    def __getattr__(self, name: str) -> Any:
        return self._transplant.convert(getattr(self._module, name))


def _may_be_library(x: Any) -> bool:
    return (
        isinstance(x, types.ModuleType | np.ufunc | type | types.BuiltinFunctionType)
        or x is float
        or (isinstance(x, types.FunctionType) and str(x.__module__).startswith(_KNOWN))
        or type(x).__name__ == "_ArrayFunctionDispatcher"
    )


def _is_user_class(x: type) -> bool:
    if x.__module__ == "builtins" or type(x).__name__ not in ("type", "ABCMeta"):
        return False
    module = sys.modules.get(x.__module__)
    return module is not None and _is_user_file(module)


def _is_user_file(module: types.ModuleType) -> bool:
    file = getattr(module, "__file__", None) or ""
    ours = module.__name__.startswith(_OURS) and ".test_" not in module.__name__
    library = ours or file.startswith(_LIBRARIES)
    return bool(file) and not library


def _is_plain(x: Any) -> bool:
    return type(x).__module__ in ("builtins", "collections")


def _slots(x: type) -> tuple[str, ...]:
    slots = vars(x).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _attributes(x: Any) -> dict[str, Any]:
    found = dict(getattr(x, "__dict__", {}))
    for kind in type(x).__mro__:
        found |= {k: getattr(x, k) for k in _slots(kind) if hasattr(x, k)}
    return found


def _global_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _global_names(constant)
    return names


def _same_view(x: np.ndarray, base: np.ndarray, new_base: np.ndarray) -> np.ndarray:
    """The view of `new_base` that corresponds to the view `x` of `base`."""
    start = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    ratio = new_base.itemsize / base.itemsize
    strides = tuple(int(s * ratio) for s in x.strides)
    flat = new_base.ravel(order="K")[start // base.itemsize :]
    return np.lib.stride_tricks.as_strided(flat, x.shape, strides)
