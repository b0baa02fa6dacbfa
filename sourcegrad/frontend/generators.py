"""Generators: their body is built in where they are read, with the body of the loop
that reads them in place of each `yield`.

    def halves(x):                        value = x
        value = x                         for k in range(3):
        for k in range(3):                    v = value
            yield value            ->         s = s + v * v
            value = 0.5 * value               value = 0.5 * value

    for v in halves(x):
        s = s + v * v

That is what happens when the program runs, effects and early exits included.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import itertools
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.analysis.writes import writes_outside
from sourcegrad.errors import SourcegradError
from sourcegrad.frontend import cursors, iterators
from sourcegrad.frontend.binding import closure_scope, function_scope
from sourcegrad.frontend.context import ListFact
from sourcegrad.frontend.cursors import is_cursor
from sourcegrad.frontend.maybes import Maybes
from sourcegrad.frontend.provenance import is_stand_in
from sourcegrad.frontend.resized import is_resized, reading_on
from sourcegrad.frontend.scope import STOP, Reader, Scope
from sourcegrad.frontend.structs import Abstract, Closure, Object, Struct
from sourcegrad.frontend.walks import ENDLESS, called, endless, operands
from sourcegrad.ir import Expr, Lit, Obj
from sourcegrad.kinds import BOTTOM, UNKNOWN, Kind, ListKind, join, strip
from sourcegrad.names import fresh

STOPPED = "$stopped"
READ = "$read"
DEEPEST = 40


@dataclass(eq=False)
class Generator(Object):
    """A generator that was called and not yet read; `inner` is the one that it numbers,
    if it is an `enumerate`."""

    scope: Any = None
    tree: Any = None
    code: Any = None
    inner: Generator | None = None


def is_generator(fn: Any) -> bool:
    """Whether a function is a generator function."""
    return isinstance(fn, types.FunctionType) and bool(
        fn.__code__.co_flags & inspect.CO_GENERATOR
    )


def yields(node: Any) -> bool:
    """Whether an inner function is a generator function."""
    stack = list(node.body) if isinstance(node.body, list) else [node.body]
    while stack:
        inner = stack.pop()
        if isinstance(inner, (gast.Yield, gast.YieldFrom)):
            return True
        if not isinstance(inner, (gast.FunctionDef, gast.Lambda, gast.ClassDef)):
            stack.extend(gast.iter_child_nodes(inner))
    return False


class _Leave(gast.NodeTransformer):
    """After each `yield`, leave if the reader does not want more."""

    def __init__(self, taken: set[str]) -> None:
        self.item = fresh("item", taken)

    def visit_FunctionDef(self, node: Any) -> Any:
        return node

    visit_Lambda = visit_ClassDef = visit_FunctionDef

    def visit_Expr(self, node: Any) -> Any:
        if isinstance(node.value, gast.YieldFrom):
            item = gast.Yield(value=syntax.name(self.item))
            body: list[Any] = [gast.Expr(value=item)]
            loop = gast.For(target=syntax.name(self.item, store=True),
                            iter=node.value.value, body=body, orelse=[],
                            type_comment=None)  # fmt: skip
            for made in gast.walk(loop):
                if not hasattr(made, "lineno"):
                    gast.copy_location(made, node)
            loop.body = [s for inner in body for s in self.visit_Expr(inner)]
            return gast.copy_location(loop, node)
        if not isinstance(node.value, gast.Yield):
            return node
        leave = gast.If(test=syntax.name(STOPPED), body=[gast.Return(value=None)],
                        orelse=[])  # fmt: skip
        for made in gast.walk(leave):
            gast.copy_location(made, node)
        return [node, leave]


def with_exits(function: Any) -> Any:
    """The tree of a generator function that leaves when its reader does."""
    tree = copy.deepcopy(function)
    names = (n.id for n in gast.walk(tree) if isinstance(n, gast.Name))
    leave = _Leave(set(names))
    tree.body = [s for stmt in tree.body for s in _listed(leave.visit(stmt))]
    return tree


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]


class Generators(Maybes):
    """Builds generators into the loops that read them."""

    # ------------------------------------------------------------------ calls

    def call_function(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        if not is_generator(fn.obj) or self.deriving:
            return super().call_function(fn, args, kw, node)
        movable = all(map(self.can_materialise, [*args, *kw.values()]))
        if movable and not (self.active(args, kw) or self.has_handlers()):
            kind = self.kind_of_items(fn, args, kw, node)
            if kind is not None:
                tree = self.call_tree(fn, args, kw, node)
                self.context.yields[tree], tree.kind = ListKind(kind), UNKNOWN
                return tree
        return self.generator_of(fn, args, kw, node)

    def has_handlers(self) -> bool:
        """Whether the function here may catch what a generator raises when it is read,
        which may be anywhere."""
        if self.catcher is not None or self.attempting is not None:
            return True
        source = self.scope.source
        parts = gast.walk(source.tree) if source is not None else ()
        return any(isinstance(n, gast.Try) for n in parts)

    def generator_of(self, fn: Obj, args: Any, kw: Any, node: Any) -> Generator:
        """A generator with its operands bound."""
        scope, tree = function_scope(self, fn.obj, with_exits)
        if is_stand_in(fn.obj):
            scope.source, scope.place = None, self.site(node)
            scope.decides = True
        self.bind_parameters(scope, tree.args, args, kw, fn.obj, node)
        return self.not_read(scope, tree, fn.obj.__code__)

    def call_closure(self, closure: Closure, args: Any, kw: Any, node: Any) -> Abstract:
        if isinstance(closure.node, gast.Lambda) or not yields(closure.node):
            return super().call_closure(closure, args, kw, node)
        scope, tree = closure_scope(self, closure, with_exits)
        self.bind_parameters(scope, tree.args, args, kw, closure, node)
        return self.not_read(scope, tree, (closure.node, closure.scope))

    def not_read(self, scope: Scope, tree: Any, code: Any) -> Generator:
        scope.locals.add(STOPPED)
        scope.has_closures = True  # its names live until it is read
        made = Generator(types.GeneratorType, self.where, scope, tree, code)
        self.env[made, READ] = Lit(False)
        return made

    def kind_of_items(self, fn: Obj, args: Any, kw: Any, node: Any) -> Kind | None:
        """The kind of what an inactive generator yields, found by building it aside;
        None where it must be built in."""
        found: list[Kind] = []
        try:
            with self.aside() as region, self.passively(), self.tentatively():
                made = self.generator_of(fn, args, kw, node)
                self.drain(made, lambda tree: found.append(self.tree_kind(tree)))
        except SourcegradError:
            return UNKNOWN
        if writes_outside(region):
            return None
        kind: Kind = BOTTOM
        for item in found:
            kind = join(kind, strip(item))
        return kind

    def call_object(self, fn: Obj, args: Any, kw: Any, node: Any) -> Any:
        if fn.obj is zip or fn.obj is enumerate:
            args = [self.generated(a, node) if endless(a) else a for a in args]
            if any(map(is_endless, args)):
                return self.lockstep(fn.obj, args, kw, node)
        return super().call_object(fn, args, kw, node)

    # ---------------------------------------------------------------- reading

    def drain(
        self, made: Generator, visit: Callable[[Abstract], None], throws: bool = False
    ) -> None:
        """Build the generator's body, and `visit` at each `yield`."""
        if self.env.get((made, READ)) != Lit(False):
            raise self.unsupported(
                None,
                "a generator that is read in more than one place",
                "call it again for each loop, or make a list of it: list(…)",
            )
        if len(self.stack) > DEEPEST:
            raise self.unsupported(None, "so deep a nest of generators")
        self.env[made, READ] = Lit(True)
        self.env[made.scope, STOPPED] = Lit(False)
        made.scope.reader = Reader(
            self.scope, list(self.stack), visit, self.catcher, throws
        )
        self.run_inline(made.scope, made.tree, made.code)

    def expr_Yield(self, node: Any) -> Abstract:
        scope, where, stack = self.scope, self.where, self.stack
        if scope.reader is None:
            hint = "collect what it yields in a list and return that"
            raise self.unsupported(node, "a generator", hint)
        tree = Lit(None) if node.value is None else self.settle(self.expr(node.value))
        self.scope, self.stack = scope.reader.scope, list(scope.reader.stack)
        stop, self.env[STOP] = self.env.get(STOP), Lit(False)
        with self.handlers_of(scope.reader):
            scope.reader.visit(tree)
        self.env[scope, STOPPED] = self.env[STOP]
        if stop is None:
            del self.env[STOP]
        else:
            self.env[STOP] = stop
        self.scope, self.where, self.stack = scope, where, stack
        return Lit(None)

    @contextlib.contextmanager
    def handlers_of(self, reader: Reader) -> Iterator[None]:
        """What a reader raises goes to its own handlers, not to those around `yield`,
        and ends the loops of the generator."""
        own = self.catcher
        if not reader.throws:
            self.catcher = reader.catcher
        loop = self.in_loop() if self.catcher is not own else contextlib.nullcontext()
        try:
            with loop:
                yield
        finally:
            self.catcher = own

    def stmt_Expr(self, stmt: Any) -> None:
        if isinstance(stmt.value, gast.Yield):
            self.expr_Yield(stmt.value)
            return
        super().stmt_Expr(stmt)

    def iterate_tree(
        self,
        target: Any,
        source: Abstract,
        node: Any,
        body: Any,
        names: Any,
        budget: Expr | None = None,
    ) -> None:
        if is_resized(self, target):
            source = reading_on(self, source, node)
        source = self.iterator_of(source, node)
        if is_cursor(source):
            source = self.loop_of(source, node)
        if not isinstance(source, Generator):
            super().iterate_tree(target, source, node, body, names, budget)
            return

        if budget is not None:
            what = "a checkpointed loop along a generator"
            raise self.unsupported(node, what, "make a list of it: list(…)")

        def visit(tree: Abstract) -> None:
            self.bind(target, tree)
            body()

        self.drain(source, visit)

    def lockstep(self, fn: Any, trees: list[Abstract], kw: Any, node: Any) -> Any:
        made = self.iterator_of(trees[0], node)
        if fn is enumerate and is_cursor(made):
            made = self.generator_of(
                Obj(cursors.remaining, "remaining"), [made], {}, node
            )
        if fn is enumerate and isinstance(made, Generator):
            start = kw.get("start", trees[1] if len(trees) > 1 else Lit(0))
            own = Obj(iterators.numbered, "numbered")
            numbered = self.generator_of(own, [made, self.settle(start)], {}, node)
            numbered.inner = made
            return numbered
        trees = [self.iterator_of(t, node) for t in trees]
        if any(map(is_cursor, trees)):
            if fn is zip:
                return cursors.in_step(self, trees, kw, node)
            raise self.unsupported(node, f"{fn.__name__} of an iterator",
                                   "make a list of it first: list(…)")  # fmt: skip
        if any(isinstance(t, Generator) for t in trees):
            trees = [
                self.generated(t, node) if isinstance(t, Expr) and endless(t) else t
                for t in trees
            ]
            return led(self, fn, trees, kw, node)
        return super().lockstep(fn, trees, kw, node)

    def loop_of(self, cursor: Abstract, node: Any) -> Abstract:
        """What a loop over a cursor runs along: the sequence, where nothing else can
        read the cursor, else item by item."""
        if isinstance(node, (gast.Name, gast.Attribute, gast.Subscript)):
            fn = Obj(cursors.remaining, "remaining")
            return self.generator_of(fn, [cursor], {}, node)
        return self.elements(cursor, node)

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        if isinstance(tree, Object) and not isinstance(tree, Generator):
            tree = tree if is_cursor(tree) else super().elements(tree, node)
        if is_cursor(tree):
            if self.env[tree, "place"] == Lit(0):
                whole = self.env[tree, "items"]
                count = self.call_object(Obj(len, "len"), [whole], {}, node)
                self.env[tree, "place"] = self.settle(count)
                return whole
            with self.actively():
                rest = self.attribute(tree, "rest", node)
                return self.call_value(rest, [], {}, node)
        if isinstance(tree, Generator):
            return self.collected(tree, node)
        return super().elements(tree, node)

    def iterator_of(self, tree: Abstract, node: Any) -> Abstract:
        """What `iter` gives for an object, and for an iterator without end."""
        if isinstance(tree, Object) and not isinstance(tree, Generator):
            return tree if is_cursor(tree) else super().elements(tree, node)
        fn = called(tree) if isinstance(tree, Expr) else None
        without_end = any(fn is f for f in ENDLESS)
        if fn is None or not without_end or not self.active([tree], {}):
            return tree
        return self.generated(tree, node)

    def generated(self, tree: Any, node: Any) -> Generator:
        """What `itertools` gives for a call without end, as a generator."""
        fn = called(tree)
        args, kw = operands(tree)
        if fn is itertools.repeat:
            own: Any = iterators.repeat if len(args) > 1 else iterators.repeat_always
        else:
            own = iterators.count if fn is itertools.count else iterators.cycle
        given = list(args)
        if fn is itertools.count:
            given += [kw.get("start", Lit(0))] * (not args)
            given += [kw.get("step", Lit(1))] * (len(given) < 2)
        return self.generator_of(Obj(own, own.__name__), given, {}, node)

    def is_unread(self, tree: Abstract) -> bool:
        """Whether a tree is a generator."""
        return isinstance(tree, Generator)

    def collected(self, made: Generator, node: Any) -> Abstract:
        """All that a generator yields: a known structure where the number is known."""
        region, mark = self.region, self.mark()
        items: list[Abstract] = []
        fixed = True

        def keep(tree: Abstract) -> None:
            nonlocal fixed
            fixed = fixed and self.region is region
            items.append(tree)

        self.drain(made, keep)
        if fixed:
            return Struct(tuple, tuple(range(len(items))), items)
        self.back_to(mark)
        site = ("collected", self.site(node))
        self.context.demoted.setdefault(site, ListFact())
        result = self.runtime_list([], site)
        self.drain(made, lambda tree: self.append_item(result, tree, node))
        return result

    def materialise(self, tree: Abstract, node: Any = None) -> Expr:
        if isinstance(tree, Generator):
            raise self.unsupported(
                node, "a generator used like this", "make a list of it first: list(…)"
            )
        return super().materialise(tree, node)


def led(b: Any, fn: Any, trees: list[Any], kw: Any, node: Any) -> Generator:
    """`zip` of a generator, which stays one, and of sequences and other generators, of
    which lists are made."""
    places = [k for k, t in enumerate(trees) if isinstance(t, Generator)]
    ends = [k for k in places if not is_endless(trees[k])]
    rest = [k for k in places if k not in ends]
    leader = (rest or ends)[0]
    strict = kw.get("strict", Lit(False)) != Lit(False)
    if fn is not zip or strict or len(rest) > 1 or leader not in (0, len(trees) - 1):
        raise b.unsupported(
            node, f"{fn.__name__} of a generator like this",
            "make a list of it first: list(…)",
        )  # fmt: skip
    others = [b.settle(b.elements(t, node)) for k, t in enumerate(trees) if k != leader]
    counts = [b.call_object(Obj(len, "len"), [t], {}, node) for t in others]
    count = counts[0]
    if len(counts) > 1:
        count = b.call_object(Obj(min, "min"), counts, {}, node)
    held = Struct(tuple, tuple(range(len(others))), others)
    if leader == 0:
        first = Obj(iterators.led_by_first, "led_by_first")
        return b.generator_of(first, [trees[0], held, b.settle(count)], {}, node)
    last = Obj(iterators.led_by_last, "led_by_last")
    return b.generator_of(last, [held, trees[-1], b.settle(count)], {}, node)


def is_endless(made: Any) -> bool:
    """Whether a tree is a generator that may go on for ever, by its text."""
    return isinstance(made, Generator) and (
        is_endless(made.inner)
        or any(
            isinstance(n, gast.While) or isinstance(n, gast.Name) and n.id in _ENDLESS
            for n in gast.walk(made.tree)
        )
    )


_ENDLESS = ("count", "cycle", "repeat")
