"""The invariants of the IR, checked between passes when tests ask for it.

Each value is defined once; each use is dominated by its definition; regions hand
over as many values as their statement takes; every value has a kind.

What a block that runs once binds (a `try` outside loops) is kept under its name, also
behind the branch that the block stands in.

Before the recording pass the reverse sweep still names values of the forward sweep
as if they were at hand: there a region that mirrors another one sees its values.
"""

from __future__ import annotations

from collections.abc import Iterable

from sourcegrad.ir import Expr, Function, If, Loop, Region, Scoped, Stmt, Value
from sourcegrad.ir_walk import defined, refs, region_defs, stmt_exprs
from sourcegrad.kinds import Kind


class VerificationError(AssertionError):
    """The IR breaks an invariant: an error of the compiler, not of the user."""


def verify(function: Function, after: str, *, mirrored: bool = False) -> None:
    """Check a function.

    Args:
        function: what to check.
        after: the pass that made it, for the message.
        mirrored: whether reverse regions may read what their forward ones define.

    Raises:
        VerificationError: an invariant is broken.

    >>> from sourcegrad.ir import Assign, Lit, Ref
    >>> x, y = Value("x"), Value("y")
    >>> verify(Function("f", [x], Region([], [Assign(y, Ref(x))], [Ref(y)])), "ssa")
    >>> verify(Function("f", [x], Region([], [], [Ref(y)])), "ssa")
    Traceback (most recent call last):
    sourcegrad.verify.VerificationError: after ssa: f reads y, not defined there
    """
    _Verifier(function, after, mirrored).run()


class _Verifier:
    def __init__(self, function: Function, after: str, mirrored: bool) -> None:
        self.function = function
        self.after = after
        self.mirrored = mirrored
        self.defined: set[Value] = set()
        self.kept: set[Value] = set()
        self.loops = 0

    def run(self) -> None:
        visible: set[Value] = set()
        self.define(self.function.params, visible)
        self.region(self.function.body, visible)

    def broken(self, what: str) -> VerificationError:
        """The error for a broken invariant."""
        return VerificationError(f"after {self.after}: {self.function.name} {what}")

    def define(self, values: Iterable[Value], visible: set[Value]) -> None:
        """Values get their one definition."""
        for value in values:
            if value in self.defined:
                raise self.broken(f"defines {value.name} twice")
            if not isinstance(value.kind, Kind):
                raise self.broken(f"has no kind for {value.name}")
            self.defined.add(value)
            visible.add(value)

    def use(self, expr: Expr, visible: set[Value]) -> None:
        """Every value in an expression is defined before, on this path."""
        for value in refs(expr):
            if value not in visible and value not in self.kept:
                raise self.broken(f"reads {value.name}, not defined there")

    def region(self, region: Region, visible: set[Value]) -> None:
        """The statements of a region in order, then what it hands out."""
        self.define(region.params, visible)
        for stmt in region.stmts:
            self.statement(stmt, visible)
        for expr in region.yields:
            self.use(expr, visible)
        if region.stop is not None:
            self.use(region.stop, visible)

    def statement(self, stmt: Stmt, visible: set[Value]) -> None:
        """One statement, and the regions that it owns."""
        for expr in stmt_exprs(stmt):
            self.use(expr, visible)
        if isinstance(stmt, If):
            self.arms(stmt, visible)
        elif isinstance(stmt, Loop):
            self.loop(stmt, visible)
        elif isinstance(stmt, Scoped):
            self.define(stmt.targets, visible)
            self.region(stmt.body, visible)
            if not self.loops:
                self.kept |= set(region_defs(stmt.body))
            if stmt.final is not None:
                self.region(stmt.final, visible)
            return
        self.define(defined(stmt), visible)

    def arms(self, stmt: If, visible: set[Value]) -> None:
        """Both arms hand out as many values as the statement has results."""
        for arm, name in ((stmt.then, "then"), (stmt.orelse, "orelse")):
            if len(arm.yields) != len(stmt.results):
                raise self.broken(
                    f"has {len(stmt.results)} results of a branch, "
                    f"but {len(arm.yields)} from its arm {name}"
                )
            mirror = stmt.mirror
            twin = mirror.body if isinstance(mirror, Scoped) else None
            if isinstance(mirror, If):
                twin = mirror.then if name == "then" else mirror.orelse
            self.region(arm, self.seen(visible, twin))

    def loop(self, stmt: Loop, visible: set[Value]) -> None:
        """As many values start a loop, are carried, handed on, and leave it."""
        body = stmt.body
        counts = {len(x) for x in (stmt.inits, body.params, body.yields, stmt.results)}
        if len(counts) != 1:
            raise self.broken(
                f"has a loop with {len(stmt.inits)} starts, {len(body.params)} "
                f"carried values, {len(body.yields)} handed on, "
                f"{len(stmt.results)} results"
            )
        twin = stmt.mirror.body if stmt.mirror is not None else None
        inner = self.seen(visible, twin)
        if stmt.mirror is not None and self.mirrored:
            inner |= set(stmt.mirror.targets)
        self.define(stmt.targets, inner)
        if stmt.cond is not None:
            self.use(stmt.cond, inner | set(body.params))
        self.loops += 1
        self.region(body, inner)
        self.loops -= 1

    def seen(self, visible: set[Value], twin: Region | None) -> set[Value]:
        """What a region sees: what stands before it, and what it mirrors."""
        if twin is None or not self.mirrored:
            return set(visible)
        return visible | set(region_defs(twin))
