"""Calls of functions with a rule: kept as one operation where the rule has a
derivative, built from the rule's body where it is a composition."""

from __future__ import annotations

import inspect
from contextlib import nullcontext
from typing import Any

import gast
import numpy as np

from sourcegrad.errors import MissingRuleError, NonDifferentiableError
from sourcegrad.frontend.binding import is_star
from sourcegrad.frontend.inlining import Inlining
from sourcegrad.frontend.library_kinds import is_hashable
from sourcegrad.frontend.operands import as_arrays, with_inputs_kept
from sourcegrad.frontend.optional import solver_of
from sourcegrad.frontend.reads import is_data
from sourcegrad.frontend.structs import Abstract, Object, Struct
from sourcegrad.ir import Assign, Expr, Lit, Obj, Op, Ref
from sourcegrad.kinds import Num, TupleKind, differentiable, strip
from sourcegrad.rules import methods, registry


class RuledCalls(Inlining):
    """Builds calls of functions that the registry knows."""

    def is_constant_function(self, fn: Abstract) -> bool:
        """Whether no derivative passes through the function."""
        if not isinstance(fn, Obj) or is_data(fn.obj):
            return False
        if not is_hashable(fn.obj):
            return False
        if fn.obj in self.special or solver_of(fn) is not None:
            return False
        rule = registry.lookup(fn.obj)
        return rule is not None and rule.kind == "constant"

    def call_library(
        self, fn: Obj, rule: Any, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """A function with a rule."""
        args, kw = with_named_out(fn.obj, args, with_own_names(fn.obj, args, kw))
        if not self.deriving and self.active(args, kw):
            kw = without_idle(rule, kw)
        args, kw = with_operands_placed(rule, args, kw)
        if has_out(kw) and not self.deriving:
            return self.write_into(kw["out"], fn, args, without_out(kw), node)
        if not self.deriving:
            args, kw = with_inputs_kept(rule, args, kw)
        if not self.deriving and self.active(args, kw):
            rule = self.rule_taking(rule, args, kw)
            args, kw = as_arrays(self, rule, args, kw, node)
        if rule.kind == "composite" and not rule.pure and not self.deriving:
            parameters = drawn_from(rule, args, kw) if rule.picks else (args, kw)
            if not self.active(*parameters):
                with self.passively():
                    return self.emit(self.call_tree(fn, args, kw, node))
        followed = rule.builds is True
        if rule.kind == "composite" and not followed:
            followed = self.active(args, kw)
            if rule.builds and not followed:
                followed = any(map(_holds_object, (*args, *kw.values())))
        if followed and not self.deriving:
            self.check_rule_takes(rule, args, kw, node)
            if not rule.builds:
                tree = self.call_tree(fn, args, kw, node)
                self.check_form_known(fn, tree, args, kw, node)
            return self.call_composite(fn, rule, args, kw, node)
        looks = rule.kind == "constant" and not self.deriving
        with self.passively() if looks else nullcontext():
            tree = self.call_tree(fn, args, kw, node)
        if self.deriving:
            return self.structured_derived(self.folded(tree))
        if self.passive:
            return self.folded(tree) if self.static else tree
        if self.static and rule.kind == "constant":
            known = self.folded(tree)
            if not isinstance(known, Op):
                return known
            tree = known
        if rule.kind == "constant":
            return self.constant_result(tree)
        if not self.active(args, kw) or not self.is_varied(tree):
            return tree
        self.check_rule_takes(rule, args, kw, node)
        self.check_form_known(fn, tree, args, kw, node)
        return self.structured_call(tree)

    def rule_taking(self, rule: Any, args: Any, kw: dict[str, Abstract]) -> Any:
        """The rule of a function, or the wider one that a call with rare options
        needs."""
        within = rule.wider is not None and self.scope.fn is rule.wider.fn
        if rule.wider is None or within or any(map(is_star, args)):
            return rule
        given = dict(zip((p.name for p in rule.parameters), args, strict=False)) | kw
        rest = {k: v for k, v in given.items() if k not in rule.operands}
        known = not _lacking(rule, args, kw) and not self.active((), rest)
        return rule if known else rule.wider

    def call_composite(
        self, fn: Obj, rule: Any, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """The value is the function's own, the derivative that of its definition."""
        args = [self.settle(a) for a in args]
        kw = {k: self.settle(v) for k, v in kw.items()}
        own_args = args
        if rule.module is not None:
            own_args = [self.binder.bind(rule.module, rule.module.__name__), *args]
        self.static += 1
        result = self.inline_rule(rule.fn, own_args, kw)
        self.static -= 1
        itself = fn.obj is rule.fn or rule.builds or not rule.pure
        if itself or not isinstance(result, Expr):
            return result
        if not all(map(self.is_operand_tree, (*args, *kw.values()))):
            return result  # a function of the user's, which is not to run twice
        own = self.call_tree(fn, args, kw, node)
        held = self.atom(result)
        if not self.is_varied(held):
            return self.constant_result(own)
        same = self.is_just_made(held) and self.is_like(own, held)
        return self.emit(Op("as", (own, held), "twin" if same else None))

    def is_just_made(self, held: Expr) -> bool:
        """Whether a value is what the last statement of this region gives."""
        last = self.region.stmts[-1] if self.region.stmts else None
        if not isinstance(last, Assign) or not isinstance(held, Ref):
            return False
        return last.target is held.value

    def is_like(self, own: Expr, held: Expr) -> bool:
        """Whether two expressions are certainly arrays, or numbers, of one dtype."""
        a, b = strip(self.infer(own)), strip(self.infer(held))
        if not isinstance(a, Num) or not isinstance(b, Num) or a.dtype is None:
            return False
        return (a.flavor, a.ndim, a.dtype) == (b.flavor, b.ndim, b.dtype)

    def structured_derived(self, tree: Expr) -> Abstract:
        return (
            self.structured_call(tree)
            if isinstance(self.infer(tree), TupleKind)
            and isinstance(tree, Op)
            and tree.op == "call"
            else tree
        )

    def structured_call(self, tree: Expr) -> Abstract:
        """An active call emitted; a tuple result is taken apart."""
        kind = self.infer(tree)
        if isinstance(kind, TupleKind):
            blanks = [gast.Constant(value=None, kind=None) for _ in kind.items]
            return self.unpacked(tree, blanks)
        return self.emit(self.hoisted(tree) if not self.deriving else tree)  # type: ignore[arg-type]

    def constant_result(self, tree: Op) -> Expr:
        """The result of a function with derivative zero."""
        if differentiable(self.infer(tree)) and any(
            True for _ in self.varied_refs(tree)
        ):
            with self.passively():
                return self.emit(tree)
        return tree

    def varied_refs(self, tree: Expr) -> Any:
        from sourcegrad.ir_walk import refs

        return (v for v in refs(tree) if v.varied)

    def check_rule_takes(
        self, rule: Any, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> None:
        """Refuse a call that the rule does not cover, which is one that Python takes.

        Raises:
            MissingRuleError: the rule has no such parameter.
            NonDifferentiableError: an active value is one of those it keeps fixed.
        """
        lacking = "" if any(map(is_star, args)) else _lacking(rule, args, kw)
        if lacking:
            raise self.error(
                MissingRuleError,
                f"the rule of {rule.name} {lacking}",
                where=self.locate(node),
            )
        given = dict(zip((p.name for p in rule.parameters), args, strict=False)) | kw
        named = [*kw] if rule.kind == "elementwise" else []
        for name in (*rule.fixed, *named):
            if name in given and self.active([given[name]], {}):
                raise self.error(
                    NonDifferentiableError,
                    f"{rule.name} has no derivative in its argument {name!r}",
                    where=self.locate(node),
                )

    def check_form_known(
        self,
        fn: Obj,
        tree: Expr,
        args: list[Abstract],
        kw: dict[str, Abstract],
        node: Any,
    ) -> None:
        """Refuse an option known only at run time that decides how many results there
        are: its rule is written for each number of them.

        Raises:
            NonDifferentiableError: with and without the option, the results differ.
        """
        kind = self.infer(tree)
        if isinstance(kind, TupleKind) or (isinstance(kind, Num) and kind.dtype):
            return
        options = [*enumerate(args), *kw.items()]
        for name, option in options:
            if not isinstance(option, Expr) or not _is_switch(self.infer(option)):
                continue
            if isinstance(option, Lit):
                continue
            forms = []
            for value in (True, False):
                own = [Lit(value) if k == name else a for k, a in enumerate(args)]
                named = {k: Lit(value) if k == name else v for k, v in kw.items()}
                forms.append(self.infer(self.call_tree(fn, own, named, node)))
            if _parts(forms[0]) != _parts(forms[1]):
                raise self.error(
                    NonDifferentiableError,
                    f"what {fn.path} returns depends on an option that is known only "
                    "at run time",
                    hints=("write True or False in the call itself",),
                    where=self.locate(node),
                )

    def write_into(
        self, out: Abstract, fn: Abstract, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """`fn(…, out=buffer)` (see `Stores`)."""
        raise AssertionError

    special: dict[Any, Any]


def with_operands_placed(
    rule: Any, args: list[Abstract], kw: dict[str, Abstract]
) -> tuple[list[Abstract], dict[str, Abstract]]:
    """The call of an elementwise rule with the operands that were named in their
    places, where partials look for them."""
    if rule.kind != "elementwise" or any(map(is_star, args)):
        return args, kw
    args, kw = list(args), dict(kw)
    for parameter in rule.parameters[len(args) :]:
        left = kw.keys() & set(rule.operands)
        if not left or parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            break
        if parameter.name in left:
            args.append(kw.pop(parameter.name))
        elif parameter.default is inspect.Parameter.empty:
            break
        else:
            args.append(Lit(parameter.default))
    return args, kw


def _is_switch(kind: Any) -> bool:
    return isinstance(kind, Num) and kind.dtype == "bool" and not kind.ndim


def _parts(kind: Any) -> int | None:
    """How many results there are; None for one that is no tuple."""
    return len(kind.items) if isinstance(kind, TupleKind) else None


def drawn_from(rule: Any, args: Any, kw: Any) -> tuple[Any, dict[str, Any]]:
    """The operand that a draw picks elements of, and not how likely each is."""
    names = [p.name for p in rule.parameters]
    at = 1 if names[0] == "self" else 0
    return args[at : at + 1], {k: v for k, v in kw.items() if k == names[at]}


def _lacking(rule: Any, args: list[Abstract], kw: dict[str, Abstract]) -> str:
    """What of a call a rule has no parameter for, or "": also where Python takes it."""
    parameters = rule.parameters
    kinds = {p.kind for p in parameters}
    names = {p.name for p in parameters}
    unknown = [k for k in kw if k not in names]
    if unknown and inspect.Parameter.VAR_KEYWORD not in kinds:
        return f"does not take the option {unknown[0]!r}"
    try:
        inspect.Signature(parameters).bind(*args, **kw)
    except TypeError as error:
        if _is_call_of(rule.target, args, kw):
            return f"does not take this call: {error}"
    return ""


def _is_call_of(target: Any, args: list[Abstract], kw: dict[str, Abstract]) -> bool:
    """Whether a library's function takes so many arguments, as far as it tells."""
    if isinstance(getattr(target, "__self__", None), np.ufunc):
        return True  # its signature does not show all that it takes
    try:
        inspect.signature(target).bind(*args, **kw)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def has_out(kw: dict[str, Any]) -> bool:
    """Whether a call names a buffer for its result."""
    return kw.get("out") not in (None, Lit(None))


def without_out(kw: dict[str, Any]) -> dict[str, Any]:
    """The other options of a call."""
    return {k: v for k, v in kw.items() if k != "out"}


# Options of a ufunc that leave its values as they are, given other than where they do.
_IDLE = ("casting", "order", "subok")


def without_idle(rule: Any, kw: dict[str, Any]) -> dict[str, Any]:
    """The options of a call that its rule knows, or that change what comes out."""
    names = {p.name for p in rule.parameters}
    ufunc = getattr(rule.target, "__self__", rule.target)
    idle = _IDLE if isinstance(ufunc, np.ufunc) else ()
    plain = {"out": Lit(None), "dtype": Lit(None), "where": Lit(True)}
    return {
        k: v
        for k, v in kw.items()
        if k in names or not (k in idle or (k in plain and plain[k] == v))
    }


def with_own_names(fn: Any, args: Any, kw: dict[str, Any]) -> dict[str, Any]:
    """The options of a call by the names that every NumPy knows."""
    names = methods.SYNONYMS.get(fn, {}) if is_hashable(fn) else {}
    if not any(k in names for k in kw):
        return kw
    return dict.fromkeys(list(names.values())[len(args) - 1 :], Lit(None)) | {
        names.get(k, k): v for k, v in kw.items()
    }


def with_named_out(fn: Any, args: Any, kw: Any) -> tuple[Any, Any]:
    """The buffer of a ufunc's result by name: `np.add(a, b, out)`."""
    if isinstance(fn, np.ufunc) and fn.nout == 1 and len(args) == fn.nin + 1:
        return args[:-1], kw | {"out": args[-1]}
    return args, kw


def _holds_object(tree: Abstract) -> bool:
    """Whether an operand is an object that is followed, or a list that holds one."""
    if isinstance(tree, Struct) and issubclass(tree.type, (tuple, list)):
        return any(map(_holds_object, tree.items))
    return isinstance(tree, (Object, Struct))
