"""`match`: patterns become conditions and bindings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.known import is_member, known
from sourcegrad.frontend.statements import Statements
from sourcegrad.frontend.structs import Abstract, Maybe, Object, Pointer, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, call
from sourcegrad.kinds import ListKind

Bindings = list[tuple[str, Abstract]]


class Patterns(Statements):
    """Builds `match` statements."""

    def stmt_Match(self, stmt: Any) -> None:
        subject = self.settle(self.expr(stmt.subject), "subject")
        self.cases(list(stmt.cases), subject)

    def cases(self, cases: list[Any], subject: Abstract) -> None:
        """The first case that fits, as nested branches."""
        if not cases:
            return
        case, rest = cases[0], cases[1:]
        test, bound = self.fits(case.pattern, subject)

        def arm() -> None:
            for name, held in bound:
                self.bind_name(name, held)
            if case.guard is None:
                self.block(case.body)
                return
            cond = self.passive_expr(case.guard)
            self.decide(
                cond, lambda: self.block(case.body), lambda: self.cases(rest, subject)
            )

        self.decide(test, arm, lambda: self.cases(rest, subject))

    def decide(
        self, test: Expr, then: Callable[[], None], orelse: Callable[[], None]
    ) -> None:
        """A branch, or the one arm that is known to be taken."""
        found = test.value if isinstance(test, Lit) else self.static_truth(test)
        if found is not None:
            (then if found else orelse)()
        else:
            self.branch(test, then, orelse)

    def method_of(self, tree: Abstract, name: str) -> Any:
        """A special method of the class of an object (see `Dunders`)."""
        raise AssertionError("Dunders provides it")

    # ---------------------------------------------------------------- patterns

    def fits(self, pattern: Any, subject: Abstract) -> tuple[Expr, Bindings]:
        """Whether a pattern fits a subject, and what it binds."""
        method = getattr(self, f"fits_{type(pattern).__name__}", None)
        if method is None:
            raise self.unsupported(pattern, "this pattern")
        return method(pattern, subject)

    def fits_MatchAs(self, pattern: Any, subject: Abstract) -> tuple[Expr, Bindings]:
        test: Expr = Lit(True)
        bound: Bindings = []
        if pattern.pattern is not None:
            test, bound = self.fits(pattern.pattern, subject)
        if pattern.name is not None:
            bound = [*bound, (pattern.name, subject)]
        return test, bound

    def fits_MatchValue(self, pattern: Any, subject: Abstract) -> tuple[Expr, Bindings]:
        value = self.passive_expr(pattern.value)
        if isinstance(subject, Expr):
            return Op("compare", (subject, value), ("==",)), []
        if (
            isinstance(subject, Object)
            and self.method_of(subject, "__eq__") is not None
        ):
            found = self.compare_call("==", subject, value, pattern)
            return (Lit(False) if found is None else found), []
        if (
            is_member(value)
            or known(value)
            or not isinstance(subject, (Struct, Object))
        ):
            return Lit(False), []  # of another class than a number or text
        if isinstance(subject, Object):
            raise self.unsupported(
                pattern,
                "a pattern that asks whether an object is another",
                "match its class, or an attribute of it",
            )
        met = self.as_met(subject, "==", pattern)
        return Op("compare", (met, value), ("==",)), []

    def fits_MatchSingleton(
        self, pattern: Any, subject: Abstract
    ) -> tuple[Expr, Bindings]:
        if isinstance(subject, (Pointer, Maybe)) and pattern.value is None:
            return Op("not_", (self.there_test(subject),)), []
        if not isinstance(subject, Expr):
            return Lit(False), []
        return Op("compare", (subject, Lit(pattern.value)), ("is",)), []

    def there_test(self, tree: Abstract) -> Expr:
        """Whether an object that may be None is there (see `Pointed`)."""
        raise AssertionError("Pointed provides it")

    def fits_MatchOr(self, pattern: Any, subject: Abstract) -> tuple[Expr, Bindings]:
        tests = []
        for inner in pattern.patterns:
            test, bound = self.fits(inner, subject)
            if bound:
                raise self.unsupported(pattern, "a pattern with | that binds names")
            tests.append(test)
        return either(tests), []

    def fits_MatchSequence(
        self, pattern: Any, subject: Abstract
    ) -> tuple[Expr, Bindings]:
        if isinstance(subject, Maybe):
            raise self.unsupported(
                pattern, "a sequence pattern of what may be None",
                "test for None before the match",
            )  # fmt: skip
        inner = pattern.patterns
        star = [k for k, p in enumerate(inner) if type(p).__name__ == "MatchStar"]
        if isinstance(subject, Struct) and subject.is_sequence:
            return self.fits_items(inner, star, subject, pattern)
        kind = self.infer(subject) if isinstance(subject, Expr) else None
        if not isinstance(kind, ListKind):
            return Lit(False), []
        if star:
            raise self.unsupported(
                pattern, "a starred pattern of a list of unknown length"
            )
        assert isinstance(subject, Expr)
        count = call(self.binder.bind(len, "len"), subject)
        tests: list[Expr] = [Op("compare", (count, Lit(len(inner))), ("==",))]
        bound: Bindings = []
        for k, p in enumerate(inner):
            if type(p).__name__ != "MatchAs" or p.pattern is not None:
                raise self.unsupported(
                    p, "a nested pattern of a list of unknown length"
                )
            if p.name is not None:
                bound.append((p.name, self.subscript(subject, Lit(k), p)))
        return both(tests), bound

    def fits_items(
        self, inner: list[Any], star: list[int], subject: Struct, pattern: Any
    ) -> tuple[Expr, Bindings]:
        """Items of a known structure, one by one."""
        items = list(subject.items)
        if star:
            k, after = star[0], len(inner) - star[0] - 1
            if len(items) < len(inner) - 1:
                return Lit(False), []
            middle = items[k : len(items) - after]
            rest = self.display(list, middle, self.site(pattern))
            items = [*items[:k], rest, *items[len(items) - after :]]
        if len(items) != len(inner):
            return Lit(False), []
        tests: list[Expr] = []
        bound: Bindings = []
        for p, item in zip(inner, items, strict=True):
            if type(p).__name__ == "MatchStar":
                bound += [] if p.name is None else [(p.name, item)]
                continue
            test, names = self.fits(p, item)
            tests.append(test)
            bound += names
        return both(tests), bound

    def fits_MatchMapping(
        self, pattern: Any, subject: Abstract
    ) -> tuple[Expr, Bindings]:
        if not (isinstance(subject, Struct) and subject.is_dict):
            if isinstance(subject, Struct):
                return Lit(False), []
            raise self.unsupported(pattern, "a mapping pattern of an unknown dict")
        tests: list[Expr] = []
        bound: Bindings = []
        keys = [self.passive_expr(k) for k in pattern.keys]
        for key, p in zip(keys, pattern.patterns, strict=True):
            if not isinstance(key, Lit) or key.value not in subject.keys:
                return Lit(False), []
            test, names = self.fits(p, subject.items[subject.keys.index(key.value)])
            tests.append(test)
            bound += names
        if pattern.rest is not None:
            used = [k.value for k in keys if isinstance(k, Lit)]
            left = {
                k: v
                for k, v in zip(subject.keys, subject.items, strict=True)
                if k not in used
            }
            bound.append((pattern.rest, Struct(dict, tuple(left), list(left.values()))))
        return both(tests), bound

    def fits_MatchClass(self, pattern: Any, subject: Abstract) -> tuple[Expr, Bindings]:
        cls = self.expr(pattern.cls)
        if not (isinstance(cls, Obj) and isinstance(cls.obj, type)):
            raise self.unsupported(pattern, "a class pattern of an unknown class")
        if isinstance(subject, (Pointer, Maybe)):
            if not issubclass(subject.cls, cls.obj):
                return Lit(False), []
            there = self.there_test(subject)
            if there != Lit(True):
                raise self.unsupported(
                    pattern, "a class pattern of what may be None",
                    "test for None before the match",
                )  # fmt: skip
            tests: list[Expr] = []
        elif isinstance(subject, (Struct, Object)):
            if not issubclass(subject.type, cls.obj):
                return Lit(False), []
            tests = []
        else:
            held = self.materialise(subject)
            fn = self.binder.bind(isinstance, "isinstance")
            tests = [call(fn, held, cls)]
        names = list(getattr(cls.obj, "__match_args__", ()))
        parts = list(zip(names, pattern.patterns, strict=False))
        bound: Bindings = []
        if pattern.patterns and cls.obj in (
            int,
            float,
            str,
            bool,
            complex,
            tuple,
            list,
            dict,
        ):
            parts = []
            test, bound = self.fits(pattern.patterns[0], subject)
            tests.append(test)
        parts += list(zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True))
        for name, p in parts:
            test, more = self.fits(p, self.attribute(subject, name, pattern))
            tests.append(test)
            bound += more
        return both(tests), bound


def both(tests: list[Expr]) -> Expr:
    """All tests hold."""
    if any(t == Lit(False) for t in tests):
        return Lit(False)
    left = [t for t in tests if t != Lit(True)]
    if not left:
        return Lit(True)
    return left[0] if len(left) == 1 else Op("and", tuple(left))


def either(tests: list[Expr]) -> Expr:
    """One of the tests holds."""
    if any(t == Lit(True) for t in tests):
        return Lit(True)
    left = [t for t in tests if t != Lit(False)]
    if not left:
        return Lit(False)
    return left[0] if len(left) == 1 else Op("or", tuple(left))
