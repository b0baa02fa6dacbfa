"""Loops: carried values are found by building the body until nothing changes."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import SourcegradError
from sourcegrad.frontend import tables, walks
from sourcegrad.frontend.changing import changes_inside
from sourcegrad.frontend.checkpoint_loops import (
    checkpointed,
    is_counted,
    require_sequence,
)
from sourcegrad.frontend.live import is_shown, now, shows
from sourcegrad.frontend.merging import key_name
from sourcegrad.frontend.resized import require_fixed
from sourcegrad.frontend.scope import STOP, assigned_names
from sourcegrad.frontend.snapshots import (
    Perhaps,
    Place,
    closed,
    freeze,
    holds_object,
    opened,
)
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Object,
    Pointer,
    Poison,
    Struct,
    leaves,
    refilled,
    same,
    same_form,
    undefined_like,
)
from sourcegrad.frontend.unrolling import Unrolling
from sourcegrad.ir import (
    UNDEF,
    Expr,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Undef,
    Value,
    attr,
    call,
)
from sourcegrad.ir_walk import refs, region_uses, walk_expr
from sourcegrad.kinds import (
    BOTTOM,
    INT,
    NONE,
    UNKNOWN,
    Bottom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    join,
    strip,
)
from sourcegrad.runtime_sequences import common_length


@dataclass
class _Carried:
    """What the header of a loop is thought to be, per name; `wanted` is the decision to
    build the loop trip by trip, if it can be."""

    start: Any
    wanted: Any = None
    trees: dict[Any, Abstract] = field(default_factory=dict)
    facts: dict[Any, list[tuple[Kind, bool]]] = field(default_factory=dict)


def _is_nothing_yet(tree: Abstract) -> bool:
    """Whether it is the item of a list of which it is not known yet what it holds."""
    return isinstance(tree, Ref) and tree.value.kind == BOTTOM


class Loops(Unrolling):
    """Builds loops and comprehensions."""

    budget: Expr | None = None
    unnamed: Counter[Any]

    def stmt_While(self, stmt: Any) -> None:
        if self.is_unrolled(stmt):
            self.unroll_while(stmt)
            return
        names = assigned_names([stmt.test, *stmt.body])
        region, env = self.region, dict(self.env)
        with self.inside(Region()):
            if self.counted_truth(stmt.test):
                self.offer_unrolling(stmt)
        self.region, self.env = region, env

        def body(loop: Loop) -> None:
            test = Region()
            with self.inside(test):
                cond = self.condition(stmt.test)
            if not test.stmts:
                loop.cond = cond
                self.block(stmt.body)
                return
            loop.cond = Lit(True)
            self.region.stmts += test.stmts
            self.branch(
                cond, lambda: self.block(stmt.body), lambda: self.stmt_Break(stmt)
            )

        self.loop("while", None, [], names, body)

    def stmt_For(self, stmt: Any) -> None:
        self.iterate(stmt.target, stmt.iter, lambda: self.block(stmt.body),
                     assigned_names([stmt.target, *stmt.body]))  # fmt: skip

    # --------------------------------------------------------------- iteration

    def iterate(
        self, target: Any, node: Any, body: Callable[[], None], names: Any
    ) -> None:
        """`for target in node: body`, in the form that its iterable allows."""
        node, budget = checkpointed(self, node)
        self.iterate_tree(target, self.iterable(node), node, body, names, budget)

    def iterate_tree(
        self,
        target: Any,
        source: Abstract,
        node: Any,
        body: Any,
        names: Any,
        budget: Expr | None = None,
    ) -> None:
        """The same, of an iterable evaluated already."""
        source = self.elements(source, node)
        known = self.counted(source)
        if isinstance(known, Struct) and self.is_unrolled(node):
            source = known
        if isinstance(source, Struct):
            self.unroll(target, source, body)
            return
        if isinstance(known, Struct) or self.is_counted_call(source):
            self.offer_unrolling(node)
        iterable = self.looped(source, node)
        apart = budget is not None and not is_counted(iterable)
        if apart:
            require_sequence(self, iterable, node)
        self.budget = None if self.passive else budget
        if apart or not self.passive and walks.is_varied_iterable(self, iterable):
            self.by_index(target, iterable, body, names)
            return
        self.over(target, iterable, body, names)

    def iterable(self, node: Any) -> Abstract:
        """The iterable of a loop; zip and enumerate are looked through."""
        if not isinstance(node, gast.Call):
            return tables.along(self, self.expr(node), node)
        each = tables.each(self, node)
        if each is not None:
            return each
        fn = self.expr(node.func)
        if not (isinstance(fn, Obj) and any(fn.obj is f for f in walks.STEPPED)):
            return self.expr(node)
        if any(isinstance(a, gast.Starred) for a in node.args):
            return self.expr(node)
        trees = [self.iterable(a) for a in node.args]
        kw = {k.arg: self.expr(k.value) for k in node.keywords}
        if any(isinstance(t, Object) for t in trees):
            found = self.lockstep(fn.obj, trees, kw, node)
            if found is not None:
                return found
        trees = [self.elements(t, a) for t, a in zip(trees, node.args, strict=True)]
        if self.is_unrolled(node):
            trees = [self.counted(t) for t in trees]
        known = any(isinstance(t, Struct) for t in trees)
        late = (walks.has_iterators, walks.is_endless)
        if any(is_late(self, t) for t in trees for is_late in late):
            known = not all(map(self.can_materialise, trees))
        found = self.special[fn.obj](self, trees, kw, node) if known else NotImplemented
        if found is not NotImplemented:
            if any(t is not now(t) for t in trees):
                make = self.special[fn.obj]
                return shows(found, lambda: make(self, [*map(now, trees)], kw, node))
            return found
        if fn.obj is enumerate and "start" in kw:
            trees.append(kw.pop("start"))
        parts = [self.looped(t, node) for t in trees]
        named = [self.materialise(v, node) for v in kw.values()]
        return Op("call", (fn, *parts, *named), tuple(kw))

    def is_counted_call(self, source: Abstract) -> bool:
        """Whether a tree is `zip`, `enumerate`… of ranges with literal bounds."""
        fn = walks.called(source) if isinstance(source, Op) else None
        if fn is None or not any(fn is f for f in walks.STEPPED):
            return False
        args, _ = walks.operands(source)  # type: ignore[arg-type]
        return any(isinstance(self.counted(a), Struct) for a in args)

    special: dict[Any, Any]
    can_materialise: Callable[[Abstract], bool]
    rows: dict[Value, list[Value]]

    def looped(self, source: Abstract, node: Any) -> Expr:
        """What a loop runs along, as one expression."""
        if isinstance(source, Attr):
            return attr(source.base, source.name)
        return self.materialise(source, node)

    def flat_place(self, base: Expr, position: Expr) -> tuple[Expr, Expr]:
        """An array, and the index of its element at a row-major position."""
        whole, index = self.unflattened(Attr(base, "flat"), position)
        assert isinstance(whole, Expr)
        return whole, index

    def lockstep(self, fn: Any, trees: list[Abstract], kw: Any, node: Any) -> Any:
        """`zip` or `enumerate` of generators (see `Generators`)."""
        return None

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        """What a loop over an object runs along (see `Dunders`)."""
        return tree

    def by_index(
        self, target: Any, iterable: Expr, body: Callable[[], None], names: Any
    ) -> None:
        """A loop over active elements: by index, so that each has a cotangent."""
        parts, shape = walks.components(self, iterable)
        if not parts:
            raise self.unsupported(target, "a loop along an iterator without end",
                                   "write while True, with a break")  # fmt: skip
        value = self.value(self.fresh_index(target), INT, False)
        region, mark = self.region, len(self.region.stmts)
        if all(walks.is_sequence(self, p) for p in parts):

            def run(loop: Loop) -> None:
                position = Ref(loop.targets[0])
                self.bind(target, walks.element(self, shape, position, target))
                body()

            trips = self.trips(iterable, [self.count(p) for p in parts])
            along: Expr = call(self.binder.bind(range, "range"), trips)
            self.loop("for", along, [value], names, run)
        else:
            self.along_both(target, iterable, (parts, shape, value), body, names)
        require_fixed(self, target, parts, region.stmts[mark:])

    def along_both(
        self, target: Any, iterable: Expr, walk: Any, body: Any, names: Any
    ) -> None:
        """A loop along sequences with active elements and iterators without."""
        parts, shape, index = walk
        strict = any(map(walks.is_strict, walk_expr(iterable)))
        along, gives = walks.header(self, parts, strict)
        targets: list[Value] = []
        given: dict[Expr, Expr] = {}
        for k in gives:
            if k is None:
                first = index not in targets
                targets.append(index if first else self.value("_", INT, False))
            else:
                kind = walks.element_kind(self, parts[k])
                targets.append(self.value("item", kind, False, temp=True))
                given[parts[k]] = Ref(targets[-1])

        def run(loop: Loop) -> None:
            made = walks.element(self, shape, Ref(index), target, given)
            self.bind(target, made)
            body()

        self.loop("for", along, targets, names, run, list(range(len(targets))))

    def trips(self, iterable: Expr, counts: list[Expr]) -> Expr:
        """How often a loop along sequences of these lengths runs."""
        if len(counts) == 1:
            return counts[0]
        if any(map(walks.is_strict, walk_expr(iterable))):
            return call(self.binder.bind(common_length, "common_length"), *counts)
        return call(Obj(min, "min"), *counts)

    def count(self, e: Expr) -> Expr:
        """How many elements a sequence has."""
        if walks.called(e) is range and isinstance(e, Op) and len(e.args) == 2:
            if isinstance(e.args[1], Lit):
                return Lit(max(e.args[1].value, 0))
        return call(self.binder.bind(len, "len"), e)

    def fresh_index(self, target: Any) -> str:
        """A name for the position in a sequence."""
        taken = {n.id for n in gast.walk(target) if isinstance(n, gast.Name)}
        return next(n for n in ("i", "j", "k", "index") if n not in taken)

    def over(
        self, target: Any, iterable: Expr, body: Callable[[], None], names: Any
    ) -> None:
        """A loop over inactive elements, as the user wrote it."""
        kind = self.element_kind(iterable)
        targets: list[Value] = []
        pattern = self.pattern(target, kind, targets)
        held = [v for v in refs(iterable) if has_memory(v)]
        self.rows |= {v: held for v in targets if has_memory(v)}
        if not isinstance(pattern, int):
            for value in targets:
                value.temp = False

        def run(loop: Loop) -> None:
            self.bind_pattern(target, pattern, targets)
            body()

        self.loop("for", iterable, targets, names, run, pattern)

    def pattern(self, target: Any, kind: Kind, found: list[Value]) -> Any:
        """The target of a loop as a nested list of positions in its values."""
        if isinstance(target, (gast.Tuple, gast.List)):
            if any(isinstance(t, gast.Starred) for t in target.elts):
                raise self.unsupported(target, "a starred target of a loop")
            kinds = kind.items if isinstance(kind, TupleKind) else ()
            if len(kinds) != len(target.elts):
                kinds = (UNKNOWN,) * len(target.elts)
            return [
                self.pattern(t, k, found)
                for t, k in zip(target.elts, kinds, strict=True)
            ]
        name = target.id if isinstance(target, gast.Name) else "item"
        found.append(self.value(name, kind, False))
        return len(found) - 1

    def bind_pattern(self, target: Any, pattern: Any, values: list[Value]) -> None:
        if isinstance(pattern, int):
            self.bind(target, Ref(values[pattern]))
            return
        for inner, part in zip(target.elts, pattern, strict=True):
            self.bind_pattern(inner, part, values)

    def element_kind(self, e: Expr) -> Kind:
        """The kind of an element of an inactive iterable."""
        return walks.element_kind(self, e)

    # ------------------------------------------------------------ the loop itself

    def loop(
        self,
        sort: str,
        iterable: Expr | None,
        targets: list[Value],
        names: Any,
        body: Callable[[Loop], None],
        pattern: Any = None,
    ) -> None:
        """Build a loop: guess what it carries, build the body, correct, repeat."""
        start, where = self.env, self.where
        budget, self.budget = self.budget, None
        if iterable is not None and not self.is_pure(iterable):
            if budget is None or not is_counted(iterable):
                iterable = self.atom(iterable)
        carried = _Carried(start, self.unrolled_by)
        self.unrolled_by = None
        for name in names:
            key = (self.owner(name), name)
            init = start.get(key, UNDEF)
            if not self.is_list(init):  # `out += …` extends it: the same list remains
                carried.trees[key] = self.header_tree(init)
        counts = Counter(self.unnamed)
        for _ in range(40):
            self.unnamed = Counter(counts)  # each build of the body names as the last
            loop = Loop(sort, targets, iterable, None, [], Region(), where=where)
            loop.nested_target, loop.budget = pattern, budget
            self.env, self.where = dict(start), where
            headers = self.make_headers(loop, carried, start)
            for key, tree in headers.items():
                freeze(carried.trees[key], self.frozen)
                self.env[key] = closed(tree, self.env, where, self.frozen)
            self.env[STOP] = Lit(False)
            self.rolled.append(carried.wanted)
            with self.inside(loop.body), self.in_loop():
                body(loop)
            self.rolled.pop()
            if self.settled(loop, carried, headers, start):
                break
        else:
            raise AssertionError("the values a loop carries do not settle")
        self.where = where
        self.finish_loop(loop, carried, headers, start)

    @contextlib.contextmanager
    def in_loop(self) -> Iterator[None]:
        """What is built inside leaves a loop when an exception is on its way."""
        catcher = self.catcher
        if catcher is not None:
            catcher.loops += 1
        yield
        if catcher is not None:
            catcher.loops -= 1

    def is_list(self, tree: Abstract) -> bool:
        """Whether a name holds a list."""
        if isinstance(tree, Struct):
            return tree.type is list
        return isinstance(tree, Ref) and isinstance(tree.value.kind, ListKind)

    def header_tree(self, init: Abstract) -> Abstract:
        return init

    def make_headers(
        self, loop: Loop, carried: _Carried, start: Any
    ) -> dict[Any, Abstract]:
        """Parameters of the body for every carried leaf."""
        headers: dict[Any, Abstract] = {}
        for key, tree in carried.trees.items():
            facts = carried.facts.setdefault(
                key, [self.fact(leaf) for leaf in leaves(tree)]
            )
            inits = list(leaves(tree))
            params: list[Ref] = []
            for init, (kind, varied) in zip(inits, facts, strict=True):
                param = self.header_value(key_name(key), kind, varied)
                param.maybe_undefined = _undefined(init) or self.infer(init) == NONE
                params.append(Ref(param))
            loop.body.params += [p.value for p in params]
            loop.inits += inits
            headers[key] = refilled(tree, params)
        return headers

    def header_value(self, name: str, kind: Kind, varied: bool) -> Value:
        return self.value(name.strip("$"), kind, varied)

    def fact(self, leaf: Expr) -> tuple[Kind, bool]:
        kind = self.infer(leaf)
        return kind, isinstance(leaf, Ref) and leaf.value.varied

    def settled(self, loop: Loop, carried: _Carried, headers: Any, start: Any) -> bool:
        """Compare the end of the body with the header; correct what was guessed."""
        good = True
        if self.env[STOP] != Lit(False):
            stop = self.env[STOP]
            assert isinstance(stop, Expr)
            loop.body.stop = stop
        if loop.body.ends:
            return True
        for key, tree in list(self.env.items()):
            if key == STOP or key in headers:
                continue
            before = start.get(key, UNDEF)
            if not same(tree, before) and not self.is_private(key, start):
                carried.trees[key] = before
                good = False
        for key, header in headers.items():
            good &= self.check_carried(key, header, carried, loop)
        return good

    def is_private(self, key: Any, start: Any) -> bool:
        """Whether a name bound in the body cannot be seen after the loop."""
        if key in start:
            return False
        scope: Any = self.scope
        while scope is not None:
            if isinstance(key, tuple) and key[0] is scope:
                return False
            # A generator's body holds its reader's; a walrus binds outside
            scope = scope.reader.scope if scope.reader is not None else scope.parent
        return isinstance(key, tuple)

    def check_carried(
        self, key: Any, header: Abstract, carried: _Carried, loop: Loop
    ) -> bool:
        """Whether one carried name ends the body as it was thought to begin it."""
        if isinstance(header, Poison) and header.wanted is not None:
            self.env[key] = header
            return True
        end = self.ending(key, header, carried)
        if is_shown(end) or is_shown(carried.trees[key]):
            return self.not_carried(key, carried, header, end)
        if isinstance(header, Object) and isinstance(end, Object):
            if header is not end and self.open_carried(key, header, end, carried):
                return False
        form = opened(end, self.env)
        start = carried.trees[key]
        if self.may_be_none(form) and self.is_none(start):
            carried.trees[key] = self.none_as(start, form)
            carried.facts.pop(key)
            return False
        if self.may_be_none(header) and not isinstance(header, (Place, Perhaps)):
            if isinstance(form, Perhaps) or self.is_none(end):
                carried.trees[key] = self.there(opened(start, carried.start))
                carried.facts.pop(key)
                return False
        if isinstance(header, (Ref, Undef)) and isinstance(end, Struct):
            init = carried.trees[key]
            if isinstance(init, Undef):
                found = self.unread(key, header, loop)
                carried.trees[key] = found or undefined_like(end)
                carried.facts.pop(key)
                return False
        if isinstance(header, Pointer) and _is_nothing_yet(end):
            self.env[key] = header  # what its list holds is found out in this build
            return True
        if not self.comparable(header, end):
            self.same_lists(header, end)
            return same(header, end) or self.not_carried(key, carried, header, end)
        facts = carried.facts[key]
        good = True
        inits = list(leaves(carried.trees[key]))
        for k, (init, leaf) in enumerate(zip(inits, leaves(end), strict=True)):
            new = self.carried_fact(init, leaf, facts[k])
            if new != facts[k]:
                facts[k], good = new, False
        return good

    def not_carried(self, key: Any, carried: _Carried, *held: Abstract) -> bool:
        """Let a name hold something that cannot be told; whether it did before."""
        poison = self.another(carried, held)
        self.env[key] = poison
        if isinstance(carried.trees[key], Poison):
            return True
        carried.trees[key] = poison
        carried.facts.pop(key, None)
        return False

    def another(self, carried: _Carried, held: tuple[Abstract, ...]) -> Poison:
        """What stands for a name that holds another structure in each trip."""
        return Poison("holds different things in different trips", self.where,
                      carried.wanted, held)  # fmt: skip

    def unread(self, key: Any, header: Expr, loop: Loop) -> Poison | None:
        """What stands for an object that each trip binds anew and none reads from the
        trip before: it is not carried, unless it is read after the loop."""
        wanted = ("read after", self.where, key_name(key))
        if wanted in self.context.derived or not holds_object(self.env.get(key, UNDEF)):
            return None
        if isinstance(header, Ref) and header.value in region_uses(loop.body):
            return None
        return Poison("holds an object of the last trip", self.where, wanted)

    def ending(self, key: Any, header: Abstract, carried: _Carried) -> Abstract:
        """What a carried name holds at the end of the body."""
        end = self.env.get(key, UNDEF)
        if isinstance(end, Undef):
            end = undefined_like(header)
            self.env[key] = end
        opens = isinstance(header, Struct) or isinstance(carried.trees[key], Undef)
        return self.formed(end, header, self.env) if opens else end

    def formed(self, end: Abstract, header: Abstract, env: Any) -> Abstract:
        """What a carried name holds, in the form that the header has."""
        form = opened(end, env)
        if isinstance(header, (Place, Perhaps)) and self.is_none(end):
            return self.none_as(end, header)
        if isinstance(header, Perhaps) and self.may_be_none(form):
            return self.there(form)
        return form

    def open_carried(
        self, key: Any, header: Object, end: Object, carried: _Carried
    ) -> bool:
        """Carry the attributes of an object, since the body makes another one."""
        tree = opened(header, carried.start)
        form = opened(end, self.env)
        if not isinstance(tree, Struct) or not isinstance(form, Struct):
            return False
        carried.trees[key] = tree
        carried.facts.pop(key, None)
        return True

    def comparable(self, header: Abstract, end: Abstract) -> bool:
        if isinstance(header, Struct) and isinstance(end, Struct):
            return same_form(header, end) and all(
                map(self.comparable, header.items, end.items)
            )
        if not isinstance(header, Expr) and same(header, end):
            return True
        leafy = isinstance(header, Expr) and isinstance(end, Expr)
        return leafy and not any(
            isinstance(e, Obj) and callable(e.obj) for e in (header, end)
        )

    def carried_fact(
        self, init: Expr, leaf: Expr, old: tuple[Kind, bool]
    ) -> tuple[Kind, bool]:
        kind, varied = old
        new = self.infer(leaf)
        token = getattr(kind, "shape", None)
        if isinstance(init, Undef):
            token = None
        merged = (
            join(strip(kind), strip(new))
            if not isinstance(kind, Bottom)
            else strip(new)
        )
        if token is not None and isinstance(merged, Num) and merged.flavor == "array":
            if getattr(new, "shape", None) == token:
                merged = replace(merged, shape=token)
        leaf_varied = isinstance(leaf, Ref) and leaf.value.varied
        return merged, varied or leaf_varied

    def finish_loop(
        self, loop: Loop, carried: _Carried, headers: Any, start: Any
    ) -> None:
        """Yields and results, and the environment after the loop."""
        end_env = self.env
        self.env = dict(start)
        for key, header in headers.items():
            end = end_env.get(key, UNDEF)
            if isinstance(header, Struct):
                end = self.formed(end, header, end_env)
                freeze(end, self.frozen)
            if isinstance(end, Undef) or loop.body.ends:
                end = undefined_like(header)
            if not self.comparable(header, end):
                self.env[key] = header if same(header, end) else end
                continue
            loop.body.yields += list(leaves(end))
            results: list[Ref] = []
            for leaf in leaves(header):
                assert isinstance(leaf, Ref)
                value = self.value(
                    leaf.value.name, strip(leaf.value.kind), leaf.value.varied
                )
                value.where = loop.where
                value.maybe_undefined = leaf.value.maybe_undefined
                results.append(Ref(value))
            loop.results += [r.value for r in results]
            tree = refilled(header, results)
            self.env[key] = closed(tree, self.env, loop.where, self.frozen)
        stop = start.get(STOP)
        self.env.pop(STOP, None)
        if stop is not None:
            self.env[STOP] = stop
        self.append(loop)

    # ---------------------------------------------------------- comprehensions

    def expr_ListComp(self, node: Any) -> Abstract:
        inactive = self.inactive_comprehension(node)
        if inactive is not None:
            return inactive
        return self.comprehension(node, "list")

    def expr_GeneratorExp(self, node: Any) -> Abstract:
        """Consumed in place, so built as a list is."""
        return self.expr_ListComp(node)

    context: Any

    def inactive_comprehension(self, node: Any) -> Expr | None:
        """A comprehension in which nothing is active is kept as written."""
        if ("followed", node) in self.context.derived:
            return None
        from sourcegrad.frontend.freenames import free_names

        # It binds a name outside, or makes functions that may meet active values.
        followed = (gast.NamedExpr,) if self.passive else (gast.NamedExpr, gast.Lambda)
        if any(isinstance(n, followed) for n in gast.walk(node)):
            return None
        if changes_inside(node):
            return None
        for name in free_names(node):
            held = self.lookup(name, node)
            if not isinstance(held, Expr) or self.holds_objects(held):
                return None
            if not self.passive and isinstance(held, Ref) and held.value.varied:
                return None
            if (
                isinstance(held, Obj)
                and callable(held.obj)
                and not self.is_library(held.obj)
            ):
                return None
        with self.passively():
            tree = self.raw(node)
        if isinstance(tree, Op) and isinstance(
            node, (gast.ListComp, gast.GeneratorExp)
        ):
            tree.kind = self.comprehension_kind(node)
        return tree

    def comprehension_kind(self, node: Any) -> Kind:
        """The kind of an inactive comprehension, found by building it aside."""
        saved = (self.region, dict(self.env), self.where, self.scope)
        self.region = Region()
        try:
            with self.passively(), self.tentatively():
                self.scope = self.comprehension_scope(node)
                for generator in node.generators:
                    kind = self.element_kind(self.plain(generator.iter))
                    values: list[Value] = []
                    pattern = self.pattern(generator.target, kind, values)
                    self.bind_pattern(generator.target, pattern, values)
                return ListKind(strip(self.infer(self.plain(node.elt))))
        except SourcegradError:
            return UNKNOWN
        finally:
            self.region, self.env, self.where, self.scope = saved

    def comprehension_scope(self, node: Any) -> Any:
        """See `Stores`."""
        raise AssertionError

    def holds_objects(self, tree: Expr) -> bool:
        """Whether a value holds places in arenas (see `Pointers`)."""
        raise AssertionError("Pointers provides it")

    def is_library(self, obj: Any) -> bool:
        """Whether a callable is a builtin or has a rule."""
        from sourcegrad.frontend.purity import pure_function

        return pure_function(obj)

    def comprehension(self, node: Any, sort: str) -> Abstract:
        """A comprehension as the loop it stands for; its names are its own."""
        raise self.unsupported(node, "this comprehension")

    def expr_DictComp(self, node: Any) -> Abstract:
        return self.expr_ListComp(node)


def _undefined(init: Expr) -> bool:
    """Whether a carried value may have no value at first."""
    return isinstance(init, Undef) or (
        isinstance(init, Ref) and init.value.maybe_undefined
    )
