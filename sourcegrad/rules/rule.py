"""One rule: what is known about the derivative of one callable."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Rule:
    """What is known about the derivative of one callable.

    Attributes:
        kind: "elementwise", "adjoint", "constant" or "composite".
        target: the callable the rule is for.
        targets: all callables the decorator named together.
        fn: partials, adjoint or definition, by kind; None where there is none.
        tangent: the forward rule of an "adjoint" rule, if it has one of its own.
        linear: the tangent is the function itself, applied to the tangents.
        singular: partials may be inf or nan at points where the value is finite.
        pure: no side effect, and the same result for the same arguments.
        views: the result may share memory with an operand; "alone" says that it
            does so only where there is one array among the operands, "lent" that it
            may be the first operand itself, which no one writes any more.
        copied_ndim: operands of so many dimensions give new memory all the same.
        by_value: whether the result is complex depends on the values.
        fixed: parameters of a composite in which it has no derivative: an active one
            is refused.
        wider: a composite for calls with options that the rule does not take, or in
            which it has no derivative.
        picks: a draw among the elements of its first operand, with no derivative in
            the other ones.
        builds: a composite that makes an object, followed also where none is active,
            but for "active".
        raises: the value is an exception for some operands of the right types where
            the derivative need not be; "alike" says that the derivative is one there
            as well.
        convention: what holds at kinks and singular points.
        source: where a formula that is not obvious comes from.
    """

    kind: str
    target: Any
    targets: tuple[Any, ...]
    fn: Callable[..., Any] | None = None
    tangent: Callable[..., Any] | None = None
    linear: bool = False
    singular: bool = False
    pure: bool = True
    views: bool | str = False
    copied_ndim: int | None = None
    by_value: bool = False
    builds: bool | str = False
    fixed: tuple[str, ...] = ()
    picks: bool = False
    wider: Rule | None = None
    raises: bool | str = False
    convention: str = ""
    source: str = ""

    @property
    def name(self) -> str:
        """The qualified name of the target, as `numpy.linalg.det`."""
        return qualified_name(self.target)

    @property
    def result_may_view(self) -> bool:
        """Whether the result may share memory with an operand that is written later."""
        return bool(self.views) and self.views != "lent"

    @cached_property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """The target's own parameters, as far as the rule takes them.

        The leading `y` and `y_bar` of the rule are left out. They serve to bind
        the arguments of a call: operands, then options with their defaults.
        """
        skip = {"elementwise": 1, "adjoint": 2, "composite": 0}
        if self.fn is not None:
            own = list(inspect.signature(self.fn).parameters.values())
            return tuple(own[skip[self.kind] + (self.module is not None) :])
        if self.tangent is not None:
            own = list(inspect.signature(self.tangent).parameters.values())[1:]
            return tuple(p for p in own if not p.name.endswith("_dot"))
        return ()

    @cached_property
    def module(self) -> types.ModuleType | None:
        """The `self` of a definition whose target is no method but a function of a
        module that has the methods of one object: `random`."""
        if self.kind != "composite" or self.fn is None:
            return None
        first = next(iter(inspect.signature(self.fn).parameters), None)
        return module_of_method(self.target) if first == "self" else None

    def options_among(self, given: dict[str, Any]) -> dict[str, Any]:
        """Of the keywords of a call, those that the rule has parameters for."""
        names = {p.name for p in self.parameters}
        return {name: value for name, value in given.items() if name in names}

    @cached_property
    def _returned(self) -> list[ast.expr | None]:
        """What the returns of the rule give, read from its text."""
        assert self.fn is not None
        tree = ast.parse(textwrap.dedent(inspect.getsource(self.fn)))
        return [n.value for n in ast.walk(tree) if isinstance(n, ast.Return)]

    @cached_property
    def constant_operands(self) -> frozenset[str]:
        """The operands for which every return of an adjoint gives None: a count, a
        function, an index. A tangent may leave these out, and no others."""
        if self.fn is None or self.kind != "adjoint":
            return frozenset()
        moved: set[str] = set()
        for value in self._returned:
            parts = value.elts if isinstance(value, ast.Tuple) else [value]
            for name, part in zip(self.operands, parts, strict=False):
                if not (isinstance(part, ast.Constant) and part.value is None):
                    moved.add(name)
        return frozenset(self.operands) - moved

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The parameters that have a cotangent or a partial, in order.

        Read from the text of the rule: a display of several values is one per
        operand, any other expression belongs to the first operand alone (which may
        be a list). The parameters after these are options; a rule says nothing
        about derivatives in them.
        """
        if self.fn is None or self.kind == "composite":
            return tuple(p.name for p in self.parameters)
        returned = self._returned
        widths = [len(v.elts) if isinstance(v, ast.Tuple) else 1 for v in returned]
        return tuple(p.name for p in self.parameters[: max(widths)])


def module_of_method(target: Any) -> types.ModuleType | None:
    """The module in which a bound method stands as a function.

    >>> import random
    >>> module_of_method(random.gauss) is random, module_of_method(len)
    (True, None)
    """
    module = sys.modules.get(getattr(target, "__module__", None) or "")
    owner = getattr(target, "__self__", None)
    bound = owner is not None and not isinstance(owner, types.ModuleType)
    named = getattr(module, getattr(target, "__name__", ""), None)
    return module if bound and named == target else None


def qualified_name(obj: Any) -> str:
    """The name by which a reader knows a callable.

    >>> qualified_name(np.linalg.det), qualified_name(np.sin), qualified_name(len)
    ('numpy.linalg.det', 'numpy.sin', 'len')
    """
    stands_in = module_of_method(obj)
    if stands_in is not None:
        return f"{stands_in.__name__}.{obj.__name__}"
    name = str(getattr(obj, "__qualname__", None) or getattr(obj, "__name__", obj))
    owner = getattr(obj, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"numpy.{owner.__name__}.{name.split('.')[-1]}"
    if isinstance(obj, np.ufunc):
        module: str | None = "numpy" if hasattr(np, name) else "scipy.special"
    else:
        module = getattr(obj, "__module__", None)
    if module == "_operator":
        module = "operator"
    if str(module).startswith("scipy."):
        of = getattr(owner, "name", None)
        name = f"{of}.{name.split('.')[-1]}" if of else name
        module = ".".join(p for p in str(module).split(".") if p[0] != "_")
        module = module.removesuffix(".distn_infrastructure")
    return name if module in (None, "builtins") else f"{module}.{name}"
