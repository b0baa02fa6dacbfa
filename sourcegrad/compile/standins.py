"""Functions that stand in for generated ones whose text is outside of the language.

A derivative of a derivative is that of the inner one's text.  Where that text cannot be
differentiated, a function that calls the inner transform can, since the transform then
is an operation with a derivative of its own.
"""

from __future__ import annotations

import types
from typing import Any

from sourcegrad.loader.load import load, stable_name


def caller(inner: Any, fn: types.FunctionType, count: int) -> types.FunctionType:
    """A function with the parameters of a generated one that calls the transform.

    Args:
        inner: the transform that `fn` was generated for.
        fn: the generated function; its last parameters are seeds, which are 1.
        count: how many parameters are those of the user's function.

    >>> from sourcegrad.compile.standins import caller
    >>> caller(abs, lambda x, y_bar=1.0: x, 1)(-2.0, 1.0)
    2.0
    """
    names = _parameters(fn)
    given = ", ".join(names[:count])
    text = f"def stand_in({', '.join(names)}):\n    return inner({given})\n"
    return _made(text, fn, {"inner": inner})


def _parameters(fn: types.FunctionType) -> tuple[str, ...]:
    return fn.__code__.co_varnames[: fn.__code__.co_argcount]


def _made(
    text: str, fn: types.FunctionType, namespace: dict[str, Any]
) -> types.FunctionType:
    title = stable_name(fn.__code__.co_filename, fn.__name__, "stand-in")
    return load(text, title, namespace)["stand_in"]
