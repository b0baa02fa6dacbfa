"""What code may reach: through its globals, closures and defaults, the attributes of
objects and the methods of classes."""

from __future__ import annotations

import functools
import types
from collections.abc import Container, Iterator
from typing import Any

from sourcegrad.frontend.provenance import module_of

MOST = 1 << 14
_LIBRARIES = frozenset("builtins numpy scipy math cmath sourcegrad".split())


def reaches(start: Any, targets: Container[int]) -> bool:
    """Whether an object may reach one of others; where that is too far, it may.

    Args:
        start: a function, object or container.
        targets: the ids of the others.

    >>> model = types.SimpleNamespace(w=1.0)
    >>> held = {id(model): model}
    >>> reaches(functools.partial(max, model), held), reaches([{"m": model}], held)
    (True, True)
    >>> reaches(len, held), reaches(lambda x: x, held)
    (False, False)
    """
    seen: dict[int, Any] = {}
    todo = [start]
    while todo:
        obj = todo.pop()
        if id(obj) in targets or len(seen) > MOST:
            return True
        if id(obj) not in seen:
            seen[id(obj)] = obj
            todo += _held(obj)
    return False


def _held(obj: Any) -> Iterator[Any]:
    """What an object holds, or may look at when it is called."""
    if isinstance(obj, types.FunctionType):
        if module_of(obj) not in _LIBRARIES:
            yield from _of_function(obj)
    elif isinstance(obj, types.MethodType):
        yield from (obj.__func__, obj.__self__)
    elif isinstance(obj, functools.partial):
        yield from (obj.func, *obj.args, *obj.keywords.values())
    elif isinstance(obj, (staticmethod, classmethod)):
        yield obj.__func__
    elif isinstance(obj, (property, functools.cached_property)):
        yield getattr(obj, "fget", None) or getattr(obj, "func", None)
        yield getattr(obj, "fset", None)
    elif isinstance(obj, dict):
        yield from (*obj.keys(), *obj.values())
    elif isinstance(obj, (list, tuple, set, frozenset)):
        yield from obj
    elif isinstance(obj, type):
        if module_of(obj) not in _LIBRARIES:
            yield from vars(obj).values()
            yield from obj.__bases__
    elif not isinstance(obj, types.ModuleType):
        if module_of(type(obj)) not in _LIBRARIES or hasattr(obj, "__dict__"):
            yield from getattr(obj, "__dict__", {}).values()
            yield type(obj)
            yield getattr(obj, "__wrapped__", None)


def _of_function(fn: types.FunctionType) -> Iterator[Any]:
    names = names_in(fn.__code__)
    for name in names:
        found = fn.__globals__.get(name)
        yield found
        if isinstance(found, types.ModuleType):
            yield from (vars(found).get(n) for n in names)
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is empty
            continue
    yield from fn.__defaults__ or ()
    yield from (fn.__kwdefaults__ or {}).values()
    yield from vars(fn).values()


def names_in(code: types.CodeType) -> set[str]:
    """The globals and attributes that code, or code in it, names."""
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= names_in(const)
    return found
