"""Whether what goes wrong in a reverse sweep shows in NumPy's floating-point status.

A pullback is linear in its cotangent, and its residuals stay what they are.  Once it
gave something finite, no residual that reaches its result is nan; so another result
can be nan only where an operation *on a cotangent* met 0 * inf, 0 / 0 or inf - inf.
NumPy's ufuncs tell of that at no cost, in the status that `floating.Noticing` reads,
and the pass over a large result that looks for nan is not needed again.  A first call,
and `grad`, cannot do without it: a nan among the inputs raises no flag on its way.

What is not a ufunc of NumPy (BLAS, SciPy, Python's floats) does not tell: the answer
here is False wherever such a thing may touch a cotangent, and in every doubt.
"""

from __future__ import annotations

import ast
import cmath
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from sourcegrad.cache import Entry
from sourcegrad.runtime_norms import TELLS_ZEROS

_LARGE = 1 << 16
_DTYPES = frozenset(map(np.dtype, ("f4", "f8", "c8", "c16")))
# Of a cotangent: what copies it, or is a ufunc that is linear in it.
_LINEAR = frozenset(
    """sum cumsum add subtract negative positive multiply divide mean real conj
    conjugate copy asarray ascontiguousarray reshape transpose swapaxes moveaxis
    rollaxis expand_dims squeeze ravel flatten broadcast_to diagonal concatenate stack
    hstack vstack flip fliplr flipud rot90 roll repeat tile diff take full full_like
    tril triu where astype
    """.split()
)
_OWN = frozenset(
    "sum_to unbroadcast expand_reduced scatter_add add_at_zeros per_norm".split()
)
# What makes an array of its own.
_FRESH = frozenset(
    "zeros zeros_like ones ones_like empty empty_like full copy where".split()
)
_FACTS = frozenset("shape size ndim dtype itemsize".split())
_PARTS = frozenset("T mT real imag".split())
_HOMES = frozenset("numpy math sourcegrad scipy.special scipy.stats".split())


def all_noticed(entry: Entry, residuals: Any) -> bool:
    """Whether a reverse sweep makes nan of numbers only where NumPy notices.

    Args:
        entry: of a forward and a reverse function.
        residuals: what its reverse function reads.
    """
    if not (TELLS_ZEROS and entry.warns) or len(entry.functions) < 2:
        return False
    reverse = inspect.unwrap(entry.functions[1])
    names = roots(entry.text, reverse.__name__)
    return (
        names is not None
        and all(_steady(reverse.__globals__, name) for name in names)
        and all(map(_of_numpy, _flat(residuals)))
    )


def is_large(tree: Any) -> bool:
    """Whether a pass over a result costs something.

    >>> is_large((np.ones(2), 1.0))
    False
    """
    return any(np.size(v) > _LARGE for v in _flat(tree))


def is_plain(y_bar: Any) -> bool:
    """Whether NumPy notices what operations on a cotangent make of it.

    Of a Python float it does not; but a finite one becomes nan in no product.

    >>> is_plain(np.ones(2)), is_plain(1.0), is_plain(np.inf)
    (True, True, False)
    """
    return all(
        cmath.isfinite(v)
        if type(v) in (float, int, complex)
        else (isinstance(v, np.generic) or type(v) is np.ndarray) and v.dtype in _DTYPES
        for v in _flat(y_bar)
    )


def _flat(tree: Any) -> Iterator[Any]:
    if isinstance(tree, (tuple, list)):
        for part in tree:
            yield from _flat(part)
    else:
        yield tree


def _of_numpy(leaf: Any) -> bool:
    """Whether a product of a residual and an array is one of NumPy's ufuncs."""
    if type(leaf) is np.ndarray or isinstance(leaf, np.generic):
        return leaf.dtype in _DTYPES or leaf.dtype.kind in "biu"
    return leaf is None or isinstance(leaf, (bool, int, float, complex, str, slice))


def _steady(space: dict[str, Any], path: str) -> bool:
    """Whether a name of a generated text stands for code that gives NumPy's values."""
    first, *rest = path.split(".")
    found: Any = space.get(first, _BUILTINS.get(first))
    for attribute in rest:
        found = getattr(found, attribute, None)
    if isinstance(found, np.ufunc) or (not rest and found is _BUILTINS.get(first)):
        return True
    if not isinstance(found, (types.ModuleType, *_FUNCTIONS)):
        return path in _NUMBERS
    home = str(getattr(found, "__module__", None) or getattr(found, "__name__", ""))
    return any(home == h or home.startswith(f"{h}.") for h in _HOMES)


_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    type(np.sum),  # NumPy's dispatcher
)
_NUMBERS = ("np.pi", "np.e", "np.nan", "np.inf", "math.pi", "math.e")
_BUILTINS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (len, max, min, range, tuple, reversed, enumerate, zip)
}


@functools.lru_cache(maxsize=1024)
def roots(text: str, name: str) -> frozenset[str] | None:
    """What of its globals a reverse function reads; None where an operation on its
    cotangent may not be one of NumPy's ufuncs.

    Args:
        text: of a generated module.
        name: of the reverse function in it; its last parameter is the cotangent.

    >>> text = "def r(residuals, y_bar): x, = residuals; return (y_bar / np.exp(x),)"
    >>> sorted(roots(text, "r"))
    ['np.exp']
    >>> roots("def r(residuals, y_bar): return (residuals[0] @ y_bar,)", "r")
    """
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            sweep = _Sweep(statement)
            return frozenset(sweep.globals) if sweep.noticed else None
    return None


class _Sweep:
    """The names of a function that may hold a cotangent, and what is done to them."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.nodes = [n for part in function.body for n in ast.walk(part)]
        parameters = [argument.arg for argument in function.args.args]
        self.held = {parameters[-1]}
        self._grow()
        self.local = set(parameters) | {
            n.id
            for n in self.nodes
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        self.globals = set(_paths(function.body, self.local))
        self.noticed = len(parameters) == 2 and all(map(self._fine, self.nodes))

    # ------------------------------------------------------ what holds a cotangent

    def _grow(self) -> None:
        """Find the names: by assignments, by stores, and through what may be views."""
        before = -1
        stored: set[str] = set()
        while before != len(self.held) + len(stored):
            before = len(self.held) + len(stored)
            for node in self.nodes:
                if isinstance(node, ast.Assign):
                    self._assigned(node.targets, node.value, stored)
                elif isinstance(node, ast.AugAssign):
                    if self.has(node.value) or self.has(node.target):
                        self.held |= _names(node.target)
                        stored |= _names(node.target)
                elif isinstance(node, ast.For) and self.has(node.iter):
                    self.held |= _names(node.target)
                elif isinstance(node, ast.Expr) and self.has(node.value):
                    self.held |= _names(node.value)
                    stored |= _names(node.value)

    def _assigned(
        self, targets: list[ast.expr], value: ast.expr, stored: set[str]
    ) -> None:
        for target in targets:
            if self.has(value):
                self.held |= _names(target)
                if not isinstance(target, (ast.Name, ast.Tuple, ast.List)):
                    stored |= _names(target)
            if _names(target) & stored and not _fresh(value):
                self.held |= _names(value)  # the target may be a view of these
                stored |= _names(value)

    def has(self, node: ast.AST) -> bool:
        """Whether a cotangent may be in the value of an expression."""
        if isinstance(node, ast.Name):
            return node.id in self.held
        if isinstance(node, ast.Attribute) and node.attr in _FACTS:
            return False
        if isinstance(node, ast.Call):
            name = node.func
            if isinstance(name, ast.Name) and name.id == "len":
                return False
            if isinstance(name, ast.Attribute) and name.attr in ("zeros_like", "shape"):
                return False
        return any(self.has(child) for child in ast.iter_child_nodes(node))

    # ----------------------------------------------------------- what is done to it

    def _fine(self, node: ast.AST) -> bool:
        """Whether a node of the text keeps to what NumPy notices."""
        if isinstance(node, (ast.With, ast.Try, ast.FunctionDef, ast.Lambda)):
            return False
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            return not self.has(node.test)
        if isinstance(node, ast.BinOp):
            return self._fine_operation(node.op, node.left, node.right)
        if isinstance(node, ast.AugAssign):
            return self._fine_operation(node.op, node.target, node.value)
        if isinstance(node, ast.Call):
            return not self.has(node) or self._fine_call(node)
        if isinstance(node, ast.Subscript):
            return not self.has(node.slice)
        if isinstance(node, ast.Attribute):
            known = node.attr in _FACTS | _PARTS | _LINEAR
            return known or not self.has(node.value)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub) or not self.has(node.operand)
        if not isinstance(node, ast.expr) or isinstance(node, _CARRY):
            return True
        return not self.has(node)

    def _fine_operation(
        self, op: ast.operator, left: ast.expr, right: ast.expr
    ) -> bool:
        if not (self.has(left) or self.has(right)):
            return True
        if isinstance(op, ast.Div):
            return not self.has(right)
        return isinstance(op, (ast.Add, ast.Sub, ast.Mult))

    def _fine_call(self, node: ast.Call) -> bool:
        if any(k.arg in ("out", "where", None) for k in node.keywords):
            return False
        if isinstance(node.func, ast.Name):
            return node.func.id in _OWN and node.func.id not in self.local
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _LINEAR:
            return False
        if node.func.attr == "divide" and self.has(node.args[1]):
            return False
        if node.func.attr == "where" and self.has(node.args[0]):
            return False
        return True  # of NumPy, if its name is steady, or of what holds a cotangent


_CARRY = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Starred, ast.Slice)


def _paths(nodes: Iterable[ast.AST], local: set[str]) -> Iterator[str]:
    """The names with their attributes that are not of a function."""
    for node in nodes:
        path = ast.unparse(node) if isinstance(node, (ast.Attribute, ast.Name)) else ""
        if path.replace(".", "").isidentifier():
            if path.split(".")[0] not in local:
                yield path
        else:
            yield from _paths(ast.iter_child_nodes(node), local)


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _fresh(value: ast.expr) -> bool:
    """Whether an expression makes an array of its own."""
    if isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Constant)):
        return True
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in _FRESH
    )
