"""Signatures without arguments: from annotations, defaults, or text.

With these the generated text can be shown for a function that is never called.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import types
from collections.abc import Mapping
from typing import Any, get_args, get_origin

import numpy as np

from sourcegrad.frontend.signature import Leaf, Node, Spec, spec_of
from sourcegrad.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMERIC,
    STR,
    UNKNOWN,
    ListKind,
    Num,
)

_NAMED: dict[str, Spec] = {
    "float": Leaf(FLOAT),
    "int": Leaf(INT),
    "bool": Leaf(BOOL),
    "complex": Leaf(Num("py", 0, "complex")),
    "str": Leaf(STR),
    "None": Leaf(NONE),
    "array": Leaf(Num("array", None, None)),
}
_TYPES: dict[Any, Spec] = {
    float: _NAMED["float"],
    int: _NAMED["int"],
    bool: _NAMED["bool"],
    complex: _NAMED["complex"],
    str: _NAMED["str"],
    None: _NAMED["None"],
    type(None): _NAMED["None"],
    np.ndarray: _NAMED["array"],
}
_UNRESOLVED = (NameError, AttributeError, TypeError, SyntaxError, KeyError)


def parameter_specs(
    fn: types.FunctionType, given: Mapping[str, Spec], bound: Mapping[str, Any]
) -> dict[str, Spec]:
    """A signature for every parameter of a function.

    Args:
        fn: the function.
        given: signatures that are known.
        bound: values of parameters that are known, such as `self` of a method.

    Returns:
        For each parameter, in order: what is given, else what its annotation or its
        default says, else the generic signature (any number or array).

    Raises:
        ValueError: `given` names no parameter.

    >>> def f(x: float, n=3, y=None): ...
    >>> [spec.kind.dtype for spec in parameter_specs(f, {}, {}).values()]
    ['float', 'int', None]
    """
    parameters = inspect.signature(fn).parameters
    for name in given:
        if name not in parameters:
            known = ", ".join(parameters)
            raise ValueError(
                f"{fn.__name__}() has no parameter {name!r}; it has {known}"
            )
    specs: dict[str, Spec] = {}
    for name, parameter in parameters.items():
        if name in given:
            specs[name] = given[name]
        elif name in bound:
            specs[name] = spec_of(bound[name])
        else:
            specs[name] = _guess(fn, parameter)
    return specs


def _guess(fn: types.FunctionType, parameter: inspect.Parameter) -> Spec:
    found = from_annotation(parameter.annotation, fn.__globals__)
    if found is not None:
        return found
    default = parameter.default
    if isinstance(default, (int, float, complex, str, np.ndarray, np.generic, tuple)):
        return spec_of(default)
    if parameter.kind is parameter.VAR_POSITIONAL:
        return Node(tuple, (), ())
    if parameter.kind is parameter.VAR_KEYWORD:
        return Node(dict, (), ())
    method = parameter.name in ("self", "cls") and "." in fn.__qualname__
    return Leaf(UNKNOWN if method else NUMERIC)


def from_annotation(
    annotation: Any, scope: dict[str, Any] | None = None
) -> Spec | None:
    """The signature that an annotation promises; None where it says too little.

    >>> from_annotation(tuple[float, int]).parts[1].kind.dtype
    'int'
    """
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, dict(scope or {}))
        except _UNRESOLVED:  # names that exist for type checkers only
            return None
    if annotation in _TYPES:
        return _TYPES[annotation]
    origin, args = get_origin(annotation), get_args(annotation)
    if hasattr(annotation, "__value__"):  # `type` aliases, NumPy's own since 2.5
        value = annotation.__value__
        return from_annotation(value[args] if args else value, scope)
    if origin is np.ndarray:
        return Leaf(Num("array", _ndim(args[0]), _dtype(args[1])))
    if origin is tuple and args and Ellipsis not in args:
        parts = [from_annotation(a, scope) for a in args]
        return _node(tuple, range(len(parts)), parts)
    if origin is list and args:
        item = from_annotation(args[0], scope)
        return Leaf(ListKind(item.kind)) if isinstance(item, Leaf) else None
    if isinstance(annotation, type):
        return _from_class(annotation)
    return None


def _from_class(cls: type) -> Spec | None:
    """A NumPy scalar type, a named tuple or a dataclass with annotated fields."""
    if issubclass(cls, np.generic):
        return Leaf(Num("np", 0, np.dtype(cls).name)) if _concrete(cls) else None
    scope = vars(inspect.getmodule(cls) or types.ModuleType(""))
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        hints = [
            from_annotation(cls.__annotations__.get(f), scope) for f in cls._fields
        ]
        return _node(cls, range(len(hints)), hints)
    if dataclasses.is_dataclass(cls):
        fields = dataclasses.fields(cls)
        hints = [from_annotation(f.type, scope) for f in fields]
        return _node(cls, [f.name for f in fields], hints)
    return None


def _node(kind: type, keys: Any, parts: list[Spec | None]) -> Node:
    return Node(kind, tuple(keys), tuple(p or Leaf(NUMERIC) for p in parts))


def _concrete(cls: Any) -> bool:
    return (
        isinstance(cls, type)
        and issubclass(cls, np.generic)
        and cls in np.sctypeDict.values()
    )


def _ndim(shape: Any) -> int | None:
    dims = get_args(shape)
    known = get_origin(shape) is tuple and dims and Ellipsis not in dims
    return len(dims) if known else None


def _dtype(annotation: Any) -> str | None:
    args = get_args(annotation)
    return np.dtype(args[0]).name if args and _concrete(args[0]) else None


def from_text(text: str) -> Spec:
    """The signature that a text such as `float64[3, 4]` stands for.

    Known are `float`, `int`, `bool`, `complex`, `str`, `None`, `array`, the names of
    NumPy's dtypes (a scalar), a dtype with dimensions (an array), tuples, lists and
    dicts of these, and literal values. Extents do not matter, their number does.

    Raises:
        ValueError: the text is none of these.

    >>> from_text("float32[n, 3]").kind.ndim
    2
    >>> from_text("(float, int[2])").parts[1].kind.dtype
    'int64'
    """
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise _unknown(text) from None
    return _from_node(node)


def _from_node(node: ast.expr) -> Spec:
    match node:
        case ast.Constant(value=None):
            return _NAMED["None"]
        case ast.Name(id=name) if name in _NAMED:
            return _NAMED[name]
        case ast.Name(id=name):
            return Leaf(Num("np", 0, _dtype_named(name)))
        case ast.Subscript(value=ast.Name(id=name), slice=extents):
            dims = extents.elts if isinstance(extents, ast.Tuple) else [extents]
            unknown = any(isinstance(d, ast.Constant) and d.value is ... for d in dims)
            return Leaf(
                Num("array", None if unknown else len(dims), _dtype_named(name))
            )
        case ast.Tuple(elts=items) | ast.List(elts=items):
            kind = tuple if isinstance(node, ast.Tuple) else list
            return Node(kind, tuple(range(len(items))), tuple(map(_from_node, items)))
        case ast.Dict(keys=keys, values=values) if None not in keys:
            named = tuple(ast.literal_eval(k) for k in keys if k is not None)
            return Node(dict, named, tuple(map(_from_node, values)))
    try:
        return spec_of(ast.literal_eval(node))
    except ValueError:
        raise _unknown(ast.unparse(node)) from None


def _dtype_named(name: str) -> str:
    plain = {"float": "float64", "int": "int64", "complex": "complex128"}
    try:
        return np.dtype(plain.get(name, name)).name
    except TypeError:
        raise _unknown(name) from None


def _unknown(text: str) -> ValueError:
    return ValueError(
        f"{text!r} is no kind of argument: write float, int, bool, array, a dtype such "
        "as float32, an array such as float64[3,4], (float, int) or a literal"
    )
