"""One of two objects of different classes, by a condition of the program.

    shape = Circle(r) if c else Square(s)         if c:
    return shape.area()                     ->        area = np.pi * r * r
                                                  else:
                                                      area = s * s

What is asked of such an object is asked of each in a branch of its own.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend.structs import (
    Abstract,
    Choice,
    Given,
    Object,
    Struct,
    Variant,
    is_function,
    undefined_like,
)
from sourcegrad.ir import UNDEF, Expr, If, Lit, Op, Undef


def are_variants(a: Abstract, b: Abstract) -> bool:
    """Whether two trees are objects of classes that have no form in common."""
    return is_object(a) and is_object(b)


def is_object(tree: Abstract) -> bool:
    """Whether a tree is an object of a class, or one of two."""
    if isinstance(tree, Variant):
        return True
    if isinstance(tree, Struct):
        plain = type(tree).__name__ in ("Struct", "Snapshot")
        return plain and not (tree.is_dict or tree.is_sequence)
    return type(tree) in (Object, Given)


def joined(b: Any, stmt: If, key: Any, first: Abstract, second: Abstract) -> Variant:
    """What a name holds where two arms bind objects of different classes."""
    one = _of_arm(b, stmt, key, first, True)
    return Variant(stmt.cond, one, _of_arm(b, stmt, key, second, False))


def _of_arm(b: Any, stmt: If, key: Any, tree: Abstract, first: bool) -> Abstract:
    """What only one arm binds, as values of the branch."""
    if isinstance(tree, Variant):
        pair = (tree.cond, UNDEF) if first else (UNDEF, tree.cond)
        cond = b.phi(stmt, key, *pair)
        assert isinstance(cond, Expr)
        arms = [_of_arm(b, stmt, key, t, first) for t in (tree.first, tree.second)]
        return Variant(cond, *arms)
    none = undefined_like(tree)
    return b.phi(stmt, key, *((tree, none) if first else (none, tree)))


def attribute(b: Any, base: Variant, name: str, node: Any) -> Any:
    """`base.name`: a method of whichever object it is, or what either holds."""
    found = [_has(b, tree, name) for tree in (base.first, base.second)]
    if not all(found):
        held = base.first if found[0] or not found[1] else base.second
        _require(b, base.cond, held is base.first, name)
        return b.attribute(held, name, node)
    if all(_is_method(b, tree, name) for tree in (base.first, base.second)):
        first, second = (b.attribute(t, name, node) for t in (base.first, base.second))
        if is_function(first) and is_function(second):
            return Choice(base.cond, first, second)
    return b.choose(
        base.cond,
        lambda: b.attribute(base.first, name, node),
        lambda: b.attribute(base.second, name, node),
    )


def _has(b: Any, tree: Abstract, name: str) -> bool:
    """Whether an object has an attribute."""
    if isinstance(tree, Variant):
        return _has(b, tree.first, name) or _has(b, tree.second, name)
    own = isinstance(tree, Struct) and name in tree.keys
    held = b.env.get((tree, name))
    kept = held is not None and not isinstance(held, Undef)
    return own or kept or hasattr(getattr(tree, "type", object), name)


def _is_method(b: Any, tree: Abstract, name: str) -> bool:
    """Whether an attribute is a function of the class: reading it does nothing."""
    if isinstance(tree, Variant):
        return _is_method(b, tree.first, name) and _is_method(b, tree.second, name)
    own = isinstance(tree, Struct) and name in tree.keys or (tree, name) in b.env
    return not own and callable(getattr(getattr(tree, "type", object), name, None))


def _require(b: Any, cond: Expr, wanted: bool, name: str) -> None:
    """The program's own error where the object is the one without the attribute."""

    def missing() -> None:
        b.missing_item(AttributeError, Lit(f"the object has no attribute {name!r}"))

    arms = (lambda: None, missing) if wanted else (missing, lambda: None)
    b.branch(cond, *arms)


def set_attribute(b: Any, base: Variant, target: Any, tree: Abstract) -> None:
    """`base.name = value`."""
    held = b.settle(tree, target.attr)
    b.branch(
        base.cond,
        lambda: b.set_attribute(base.first, target, held),
        lambda: b.set_attribute(base.second, target, held),
    )


def call(b: Any, base: Variant, args: Any, kw: Any, node: Any) -> Any:
    """`base(…)`, by the `__call__` of whichever it is."""
    held = [b.settle(a) for a in args]
    named = {k: b.settle(v) for k, v in kw.items()}
    return b.choose(
        base.cond,
        lambda: b.call_value(base.first, held, named, node),
        lambda: b.call_value(base.second, held, named, node),
    )


def one_of_classes(cond: Expr, first: Any, second: Any) -> Any:
    """`isinstance` of whichever it is, of what it is for each."""
    if first is NotImplemented or second is NotImplemented:
        return NotImplemented
    if first == second:
        return first
    if isinstance(first, Lit) and isinstance(second, Lit):
        return cond if first.value else Op("not_", (cond,))
    return Op("ifexp", (cond, first, second))
