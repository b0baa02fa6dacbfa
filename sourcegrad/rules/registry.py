"""The registry of derivative rules: decorators that fill it, look-ups that read it.

A rule is a plain Python function. The compiler parses it and inlines its body, so
its text is what the user reads in the generated source. The files of this package,
one per library area, are imported at the first look-up: `import sourcegrad` stays
fast.

Complex numbers follow JAX and autograd: a cotangent pairs with a tangent as
`real(sum(x_bar * x_dot))`, without conjugation. So the adjoint of a holomorphic
function multiplies by its derivative, unconjugated, and `abs(z)**2` has the gradient
`2 * conj(z)`. A rule may return a complex cotangent for a real operand; the compiler
takes the real part.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

from .rule import Rule, qualified_name

__all__ = ["Rule", "qualified_name"]

Fn = TypeVar("Fn", bound=Callable[..., Any])

AREAS = (
    "operators",
    "builtins",
    "mathlib",
    "cmathlib",
    "numpy_elementwise",
    "numpy_complex",
    "numpy_reductions",
    "numpy_cumulative",
    "numpy_statistics",
    "numpy_functional",
    "numpy_polynomial",
    "numpy_sets",
    "numpy_shapes",
    "numpy_joining",
    "numpy_indexing",
    "numpy_sorting",
    "numpy_quantiles",
    "numpy_creation",
    "numpy_products",
    "numpy_signal",
    "numpy_linalg",
    "numpy_factorizations",
    "numpy_norms",
    "numpy_fft",
    "numpy_constant",
    "numpy_scimath",
    "numpy_random",
    "numpy_ufunc_methods",
    "numpy_masked",
    "exceptions",
    "runtime_rules",
    "runtime_implicit",
)

# Areas for libraries that are optional: each is loaded once its module has been
# imported by someone else, and never imports it first.
EXTRAS = {
    "random": "randomlib",
    "statistics": "statisticslib",
    "scipy.special": "scipy_special",
    "scipy.linalg": "scipy_linalg",
    "scipy.signal": "scipy_signal",
    "scipy.fft": "scipy_fft",
    "scipy.integrate": "scipy_integrate",
    "scipy.stats": "scipy_stats",
    "scipy.spatial.distance": "scipy_spatial",
    "scipy.ndimage": "scipy_ndimage",
    "scipy.interpolate": "scipy_interpolate",
    "scipy.sparse.linalg": "scipy_krylov",
    "scipy.sparse": "scipy_sparse",
}

# What replaces `np.NAME` in an inlined partial when the primal called `math`.
MATH_OF_NUMPY = {
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "exp": "exp",
    "exp2": "exp2",
    "expm1": "expm1",
    "log": "log",
    "log2": "log2",
    "log10": "log10",
    "log1p": "log1p",
    "sqrt": "sqrt",
    "cbrt": "cbrt",
    "hypot": "hypot",
    "copysign": "copysign",
    "fabs": "fabs",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "fmod": "fmod",
    "ldexp": "ldexp",
    "power": "pow",
    "isnan": "isnan",
    "isinf": "isinf",
    "isfinite": "isfinite",
}


def is_static(value: Any) -> bool:
    """Whether a rule may branch on `value`; the compiler folds this call.

    In the compiler it is true for a literal of the user's source and for what it
    knows to be constant. In a rule that runs by itself, it is true for a number.

    >>> is_static(2), is_static([3])
    (True, False)
    """
    return isinstance(value, (int, float, complex))


# --------------------------------------------------------------------- state

_rules: dict[Any, Rule] = {}
_class_owners: dict[type, Any] = {}
_extras: set[str] = set()
_lock = threading.RLock()
_state = {"loaded": 0, "loading": 0, "version": 0}


def __getattr__(name: str) -> int:
    """`registry.version`: raised by each registration after the rules are loaded."""
    if name == "version":
        return _state["version"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load() -> None:
    """Import every file of rules once."""
    if _state["loaded"]:
        return
    with _lock:  # the lock is open to its own thread, which imports the areas
        busy = _state["loaded"] or _state["loading"]
        if busy:
            return
        _state["loading"] = 1
        try:
            for area in AREAS:
                importlib.import_module(f"{__package__}.{area}")
            _state["loaded"] = 1
        finally:
            _state["loading"] = 0


def load_extras() -> bool:
    """Import the rules of optional libraries that are in use; whether any was new."""
    load()
    new = [m for m in EXTRAS if m in sys.modules and m not in _extras]
    if not new or _state["loading"]:
        return False
    with _lock:
        _state["loading"] = 1
        try:
            for module in new:
                if module not in _extras:
                    _extras.add(module)
                    importlib.import_module(f"{__package__}.{EXTRAS[module]}")
        finally:
            _state["loading"] = 0
    return True


def import_libraries() -> list[str]:
    """Import the optional libraries for which there are rules, to have all of those.

    Returns:
        the names of libraries that are not installed.
    """
    missing = {}
    for module in EXTRAS:
        library = module.partition(".")[0]
        if importlib.util.find_spec(library) is None:
            missing[library] = True
        else:
            importlib.import_module(module)
    return list(missing)


def lookup(obj: Any) -> Rule | None:
    """The rule registered for a callable, or None.

    >>> import math
    >>> lookup(math.cos).kind
    'elementwise'
    """
    load()
    if not isinstance(obj, Hashable):
        return None
    rule = _rules.get(obj)
    if rule is None and load_extras():
        rule = _rules.get(obj)
    owner = getattr(obj, "__self__", None)
    if rule is None and _is_like(owner, _class_owners.get(type(owner))):
        name = getattr(obj, "__name__", "")
        named = getattr(_class_owners[type(owner)], name, None)
        rule = _rules.get(named)
    return rule


def _is_like(owner: Any, known: Any) -> bool:
    """Whether an object has the rules of a known one of its class: its support is the
    same, since SciPy has one class for von Mises' distribution on a circle and a line.
    """
    ends = ("a", "b")
    return known is not None and all(
        getattr(owner, end, None) == getattr(known, end, None) for end in ends
    )


def by_value(*targets: Any) -> None:
    """Declare that whether the results of `targets` are complex depends on values.

    Such as eigenvalues of a real matrix: the compiler then assumes neither.
    """
    for target in targets:
        _rules[target] = replace(_rules[target], by_value=True)


def raising(*targets: Any, alike: bool = False) -> None:
    """Declare that `targets` raise for some operands, though the derivative may not.

    Such as `math.log`: the compiler then calls it also where nobody reads the value.

    Args:
        targets: callables that have rules.
        alike: the derivative raises there as well.
    """
    for target in targets:
        _rules[target] = replace(_rules[target], raises="alike" if alike else True)


def same_rules(owner: Any) -> None:
    """Declare that methods of any object of the class of `owner` have its rules.

    Rules are registered for bound methods, as `stats.norm.pdf`; a frozen
    distribution holds another object of the same class.
    """
    _class_owners[type(owner)] = owner


def all_rules() -> list[Rule]:
    """Every rule, by name of its target; of SciPy, those of the modules in use."""
    load_extras()
    return sorted(_rules.values(), key=lambda rule: rule.name)


def _store(targets: tuple[Any, ...], **facts: Any) -> None:
    """Register `facts` for each target; a later registration replaces."""
    from .checking import check_registration

    fn = facts.get("fn") or facts.get("tangent")

    load_extras()
    with _lock:
        if not targets:
            check_registration(None, fn, facts)
        for target in targets:
            if not _state["loading"]:
                check_registration(target, fn, facts)
            _rules[target] = _merged(_rules.get(target), target, targets, {**facts})
        if not _state["loading"]:
            _state["version"] += 1


def _merged(
    old: Rule | None, target: Any, targets: tuple[Any, ...], facts: dict[str, Any]
) -> Rule:
    """The rule of `target` with `facts`; adjoint and tangent complete each other."""
    if facts.pop("options", False):
        assert old is not None, f"{target} has no rule of its own yet"
        return replace(old, wider=Rule(target=target, targets=targets, **facts))
    if facts["kind"] == "adjoint" and old is not None and old.kind == "adjoint":
        return replace(old, target=target, targets=targets, **facts)
    return Rule(target=target, targets=targets, **facts)


# ---------------------------------------------------------------- decorators


def elementwise(
    *targets: Any, singular: bool = False, convention: str = "", source: str = ""
) -> Callable[[Fn], Fn]:
    """The function returns one partial per operand: `def sin(y, x): ...`.

    The first parameter is the result, the others are the operands. None in place
    of a partial says that it is zero. Both modes come from the partials. For a
    complex operand and a real result no partial can serve both: use `adjoint`.

    Args:
        targets: the callables the rule is for.
        singular: a partial can be inf or nan where the value is finite.
        convention: what holds at kinks, for the catalogue.
        source: where a formula that is not obvious comes from.

    Raises:
        RuleDefinitionError: a target is no callable or takes other operands.
    """

    def register(fn: Fn) -> Fn:
        _store(
            targets,
            kind="elementwise",
            fn=fn,
            singular=singular,
            convention=convention,
            source=source,
        )
        return fn

    return register


def adjoint(
    *targets: Any,
    singular: bool = False,
    views: bool | str = False,
    pure: bool = True,
    convention: str = "",
    source: str = "",
) -> Callable[[Fn], Fn]:
    """The function returns one cotangent per operand: `def f(y, y_bar, x, ...)`.

    Parameters after `y_bar` are the target's own, with their defaults. A result of
    several parts comes as a tuple in `y` and `y_bar`; a part that nothing used has
    the cotangent `0.0`. None in place of a cotangent says that it is zero.

    Args:
        targets: the callables the rule is for.
        singular: a cotangent can be inf or nan where the value is finite.
        views: the result may share memory with an operand.
        pure: False for random draws.
        convention: what holds at kinks, for the catalogue.
        source: where a formula that is not obvious comes from.

    Raises:
        RuleDefinitionError: a target is no callable or takes other parameters.
    """

    def register(fn: Fn) -> Fn:
        _store(
            targets,
            kind="adjoint",
            fn=fn,
            linear=False,
            singular=singular,
            views=views,
            pure=pure,
            convention=convention,
            source=source,
        )
        return fn

    return register


def linear(
    *targets: Any,
    views: bool | str = False,
    copied_ndim: int | None = None,
    convention: str = "",
    source: str = "",
) -> Callable[[Fn], Fn]:
    """An adjoint of a function that is linear: its tangent is the function itself.

    The tangent takes the place of each operand that has a cotangent in the rule.

    Args:
        targets: the callables the rule is for.
        views: the result may share memory with an operand.
        copied_ndim: operands of so many dimensions give new memory all the same.
        convention: what holds at kinks, for the catalogue.
        source: where a formula that is not obvious comes from.

    Raises:
        RuleDefinitionError: as for `adjoint`.
    """

    def register(fn: Fn) -> Fn:
        _store(
            targets,
            kind="adjoint",
            fn=fn,
            linear=True,
            views=views,
            copied_ndim=copied_ndim,
            convention=convention,
            source=source,
        )
        return fn

    return register


def tangent(*targets: Any) -> Callable[[Fn], Fn]:
    """The function returns the tangent of the result: `def f(y, x, x_dot, ...)`.

    A parameter `NAME_dot` is the tangent of the target's parameter `NAME`; it is
    0.0 for an operand that is not active.

    Raises:
        RuleDefinitionError: a target is no callable or takes other parameters.
    """

    def register(fn: Fn) -> Fn:
        _store(targets, kind="adjoint", tangent=fn)
        return fn

    return register


def constant(*targets: Any, pure: bool = True, views: bool = False) -> None:
    """Declare that the results of `targets` carry no derivative.

    Args:
        targets: callables such as `np.floor`, `np.argmax`, `len`.
        pure: False for side effects and for random draws.
        views: the result may share memory with an operand.

    Raises:
        RuleDefinitionError: a target is no callable.
    """
    _store(targets, kind="constant", pure=pure, views=views)


def composite(
    *targets: Any,
    builds: bool | str = False,
    fixed: tuple[str, ...] = (),
    pure: bool = True,
    picks: bool = False,
    options: bool = False,
    convention: str = "",
    source: str = "",
) -> Callable[[Fn], Fn]:
    """The function is a definition of the target in terms of functions with rules.

    It takes the target's parameters, with their defaults; those that are `fixed` are
    refused where they are active. That of a method has `self` first, and serves a
    module that offers the method as a function: `self` is then the module. With
    `builds`, the result is an object with methods, which the compiler follows. What is
    not `pure`, a random draw, is made once: the definition takes its place where an
    operand is active. One that `picks` elements of its first operand has no derivative
    in the others. One with `options` stands beside the target's rule: it serves calls
    with options that the rule does not take, or in which that has no derivative.

    Raises:
        RuleDefinitionError: a target is no callable or takes other parameters.
    """

    def register(fn: Fn) -> Fn:
        _store(
            targets,
            kind="composite",
            fn=fn,
            builds=builds,
            fixed=fixed,
            pure=pure,
            picks=picks,
            options=options,
            convention=convention,
            source=source,
        )
        return fn

    return register
