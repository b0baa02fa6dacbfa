"""Effects: which values may share memory, and which memory is written.

Flow-insensitive: alias classes are the closure of views, phis, carried values and
what containers hold.  A class is *mutated* if a store anywhere may write into it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sourcegrad.analysis.views import has_memory, is_renewed, view_bases
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    Function,
    If,
    Loop,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import refs, regions, walk, walk_expr
from sourcegrad.kinds import Atom, ListKind, Num, TupleKind, draws, is_array

_CONTAINERS = (ListKind, TupleKind)
_DISPLAYS = ("list", "tuple", "dict")


@dataclass
class Effects:
    """Alias classes of one function.

    `mutated` holds the classes written to; `written` the statements that write;
    `nameless` stand for what containers hold, as long as no name does; `kept` are the
    values that objects from outside hold from then on.
    """

    parent: dict[Value, Value] = field(default_factory=dict)
    flows: dict[Value, list[Value]] = field(default_factory=dict)
    contents: dict[Value, Value] = field(default_factory=dict)
    written: list[tuple[Stmt, Value]] = field(default_factory=list)
    mutated: set[Value] = field(default_factory=set)
    nameless: set[Value] = field(default_factory=set)
    kept: set[Value] = field(default_factory=set)

    def find(self, value: Value) -> Value:
        """The representative of a value's class."""
        root = value
        while self.parent.get(root, root) is not root:
            root = self.parent[root]
        while self.parent.get(value, value) is not root:
            self.parent[value], value = root, self.parent.get(value, value)
        return root

    def join(self, a: Value, b: Value, mutual: bool = False) -> None:
        """The two values may share memory: `a` is made of `b`, or each of the other."""
        self.flows.setdefault(b, []).append(a)
        if mutual:
            self.flows.setdefault(a, []).append(b)
        a, b = self.find(a), self.find(b)
        if a is b:
            return
        self.parent[b] = a
        inner = self.contents.pop(b, None)
        if inner is None:
            return
        if a in self.contents:
            self.join(self.contents[a], inner, mutual=True)
        else:
            self.contents[a] = inner  # which may be the class itself

    def content(self, container: Value) -> Value:
        """The class of what a container holds."""
        root = self.find(container)
        if root not in self.contents:
            self.contents[root] = Value("content")
            self.nameless.add(self.contents[root])
        return self.contents[root]

    def reach(self, value: Value) -> set[Value]:
        """The class of a value, those of what it holds, of what those hold."""
        return set(self.levels(value))

    def levels(self, value: Value) -> list[Value]:
        """The same in this order."""
        found: list[Value] = []
        root: Value | None = self.find(value) if has_memory(value) else None
        while root is not None and root not in found:
            found.append(root)
            inner = self.contents.get(root)
            root = None if inner is None else self.find(inner)
        return found

    def spread(self) -> None:
        """A list is changed too if a list in it is."""
        lists = {self.find(v) for v in self.parent if isinstance(v.kind, ListKind)}
        for _ in range(len(self.contents)):
            more = {self.find(c) for c, inner in self.contents.items()
                    if self.find(inner) in self.mutated & lists}  # fmt: skip
            if more <= self.mutated:
                return
            self.mutated |= more

    def holds_written(self, value: Value) -> bool:
        """Whether memory that a container holds is written somewhere."""
        return bool(set(self.levels(value)[1:]) & self.mutated)

    def is_mutated(self, value: Value) -> bool:
        """Whether memory the value may share is written somewhere."""
        return self.find(value) in self.mutated

    def is_written(self, value: Value) -> bool:
        """Whether memory of the value itself, or that it holds, is written somewhere.

        That asks less than `is_mutated`: where `r` is one of `a` and `b`, and `b` is
        written before, the class of all three is, but `a` is not.
        """
        written = {v for _, v in self.written}
        seen: set[Value] = set()
        todo = [value]
        held = self.contents.get(self.find(value))
        while held is not None and held not in todo:
            todo.append(held)
            held = self.contents.get(self.find(held))
        while todo:
            v = todo.pop()
            if v in written:
                return True
            if v not in seen:
                seen.add(v)
                todo += self.flows.get(v, [])
        return False

    def shares(self, values: Iterable[Value], array: Value) -> bool:
        """Whether one of the values may share memory with an array."""
        root = self.find(array)
        return any(has_memory(v) and self.find(v) is root for v in values)

    def members(self, value: Value) -> list[Value]:
        """All values known to be in the class."""
        root = self.find(value)
        return [v for v in self.parent if self.find(v) is root]


def run(function: Function) -> Effects:
    """The effects of a function."""
    effects = Effects()
    for param in function.params:
        effects.parent.setdefault(param, param)
    _region(effects, function.body)
    effects.mutated = {effects.find(v) for _, v in effects.written}
    effects.spread()
    return effects


def _region(fx: Effects, region: Region) -> None:
    for stmt in region.stmts:
        _statement(fx, stmt)


def _statement(fx: Effects, stmt: Stmt) -> None:
    match stmt:
        case Assign(target=target, expr=expr):
            fx.parent.setdefault(target, target)
            _alias(fx, target, expr)
            _pops(fx, stmt, expr)
        case Unpack(targets=targets, expr=expr):
            for target in targets:
                fx.parent.setdefault(target, target)
                _alias_part(fx, target, expr)
            if is_renewed(expr):
                _share_all(fx, targets)
            _pops(fx, stmt, expr)
        case Effect(expr=expr):
            _calls(fx, stmt, expr)
        case Plain(puts=True):
            fx.kept |= {v for e in stmt.args[1:] for v in refs(e) if has_memory(v)}
        case Plain(args=(Ref(value=base), *_), writes=True):
            fx.written.append((stmt, base))
        case Store(base=Ref(value=base), value=value):
            fx.written.append((stmt, base))
            if isinstance(base.kind, ListKind):
                _put(fx, base, value)
        case Append(base=Ref(value=base), value=value):
            fx.written.append((stmt, base))
            _put(fx, base, value)
        case If():
            for region in (stmt.then, stmt.orelse):
                _region(fx, region)
                _phis(fx, stmt.results, region.yields)
        case Loop():
            _rows(fx, stmt)
            _phis(fx, stmt.body.params, stmt.inits)
            _region(fx, stmt.body)
            _phis(fx, stmt.body.params, stmt.body.yields)
            _phis(fx, stmt.results, [Ref(p) for p in stmt.body.params])
        case Scoped():
            for target in stmt.targets:
                fx.parent.setdefault(target, target)
            for region in regions(stmt):
                _region(fx, region)
        case CallFn():
            _call(fx, stmt)


def _call(fx: Effects, stmt: CallFn) -> None:
    """Results of a call share memory with what the callee returns of its operands."""
    for target in stmt.targets:
        fx.parent.setdefault(target, target)
    for k, own, other, depth in sorted(shared(stmt.callee)):
        count = len(stmt.args)
        given: Expr = (
            stmt.args[other] if other < count else Ref(stmt.targets[other - count])
        )
        for v in refs(given):
            if has_memory(v) and has_memory(stmt.targets[k]):
                fx.join(_inside(fx, stmt.targets[k], own), _inside(fx, v, depth))
    for k in sorted(stmt.callee.written or ()):
        for v in refs(stmt.args[k]):
            if has_memory(v):
                fx.written.append((stmt, v))


def _inside(fx: Effects, value: Value, depth: int) -> Value:
    """What stands for what a container holds, so many levels down."""
    for _ in range(depth):
        value = fx.content(value)
    return value


def is_recursive(callee: Any) -> bool:
    """Whether a callee can reach itself by calls."""
    seen: dict[Any, None] = {}
    todo = [callee]
    while todo:
        for stmt in walk(todo.pop().function.body):
            if isinstance(stmt, CallFn) and stmt.callee not in seen:
                seen[stmt.callee] = None
                todo.append(stmt.callee)
    return callee in seen


def returned(callee: Any) -> frozenset[tuple[int, int]]:
    """Which results of a callee may share memory with which operands.

    Args:
        callee: a `Specialisation` whose function is built.

    Returns:
        Pairs `(result, operand)`, by position; operands past the last parameter
        are the callee's earlier results.
    """
    return frozenset((result, operand) for result, _, operand, _ in shared(callee))


Shared = frozenset[tuple[int, int, int, int]]


def shared(callee: Any) -> Shared:
    """The same as `(result, level, operand, level)`: a result, or what it holds so many
    levels down, may be an operand, or what that holds so many levels down."""
    if callee.returned is None:
        group = _reached(callee)
        empty: tuple[Any, Any] = (frozenset(), frozenset())
        found: dict[Any, tuple[Any, Any]] = dict.fromkeys(group, empty)
        while True:
            for c in group:
                c.returned, c.written = found[c]
            found = {c: _summary(c.function) for c in group}
            if all(found[c] == (c.returned, c.written) for c in group):
                break
    found_now: Shared = callee.returned
    return found_now


def _reached(callee: Any) -> list[Any]:
    """A callee and all that it calls whose summary is not known yet."""
    found = {callee: None}
    todo = [callee]
    while todo:
        for stmt in walk(todo.pop().function.body):
            if isinstance(stmt, CallFn) and stmt.callee.returned is None:
                if stmt.callee not in found:
                    found[stmt.callee] = None
                    todo.append(stmt.callee)
    return list(found)


def _summary(function: Function) -> tuple[Shared, frozenset[int]]:
    """Results that may share memory with operands, and operands that are written.

    What is drawn from a Generator does not count as written.
    """
    fx = run(function)
    written = frozenset(
        k
        for k, p in enumerate(function.params)
        if has_memory(p) and fx.is_written(p) and not draws(p.kind)
    )
    params = [_leveled(fx, Ref(p)) for p in function.params]
    results = [_leveled(fx, e) for e in function.body.yields]
    found = frozenset(
        (k, own, at, depth)
        for k, result in enumerate(results)
        for at, other in enumerate([*params, *results[:k]])
        for own, held in result
        for depth, same in other
        if held is same
    )
    return found, written


def _leveled(fx: Effects, expr: Expr) -> set[tuple[int, Value]]:
    """The classes that an expression reaches, with how many levels down that is; of a
    display, what it shows counts as the display itself."""
    plain = isinstance(expr, Ref)
    return {
        (level if plain else 0, root)
        for v in refs(expr)
        for level, root in enumerate(fx.levels(v))
    }


def _rows(fx: Effects, stmt: Loop) -> None:
    """What a loop runs along may be parts of an array or items of a list."""
    held = [v for v in refs(stmt.iterable) if has_memory(v)] if stmt.iterable else []
    for target in filter(has_memory, stmt.targets):
        fx.parent.setdefault(target, target)
        for v in held:
            inner = isinstance(v.kind, (ListKind, TupleKind))
            held_in = fx.content(v) if inner else v
            paired = isinstance(getattr(v.kind, "item", None), _CONTAINERS)
            unpacked = paired and len(stmt.targets) > 1
            fx.join(target, fx.content(held_in) if unpacked else held_in)


def _phis(fx: Effects, targets: list[Value], exprs: list[Expr]) -> None:
    for target, expr in zip(targets, exprs, strict=False):
        fx.parent.setdefault(target, target)
        if isinstance(expr, Ref) and has_memory(target) and has_memory(expr.value):
            fx.join(target, expr.value)


def _shuffled(e: Op) -> list[Value]:
    """What `rng.shuffle(a)` and `random.shuffle(a)` change in place."""
    fn = e.args[0]
    name = fn.data if isinstance(fn, Op) and fn.op == "attr" else None
    name = getattr(fn.obj, "__name__", None) if isinstance(fn, Obj) else name
    return [v for v in refs(Op("tuple", e.args[1:])) if has_memory(v)
            and name == "shuffle"]  # fmt: skip


def _calls(fx: Effects, stmt: Stmt, expr: Expr) -> None:
    """A method that may change what it is called on: `d.pop(k)` of a dict."""
    for e in walk_expr(expr):
        if isinstance(e, Op) and e.op == "call":
            fx.written += [(stmt, v) for v in _shuffled(e)]
        if isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Op):
            base = e.args[0].args[0] if e.args[0].op == "attr" else None
            if (
                isinstance(base, Ref)
                and not isinstance(base.value.kind, Num)
                and not pure(e)
            ):
                fx.written.append((stmt, base.value))


def _pops(fx: Effects, stmt: Stmt, expr: Expr) -> None:
    _calls(fx, stmt, expr)
    if isinstance(expr, Op) and expr.op == "pop" and isinstance(expr.args[0], Ref):
        fx.written.append((stmt, expr.args[0].value))


def _hold(fx: Effects, container: Value, display: Op) -> None:
    """The container now holds the items of a display."""
    for item in display.args:
        _put(fx, container, item)


def _put(fx: Effects, container: Value, item: Expr) -> None:
    """The container now holds an item, which may be a display itself."""
    if isinstance(item, Op) and item.op in _DISPLAYS:
        _hold(fx, fx.content(container), item)
        return
    for v in refs(item):
        if has_memory(v):
            fx.join(fx.content(container), v)


def _alias(fx: Effects, target: Value, expr: Expr) -> None:
    if isinstance(expr, Ref):
        fx.join(target, expr.value)
    if not isinstance(expr, Op) or not has_memory(target):
        return
    for base in view_bases(expr):
        _share(fx, target, base)
    if expr.op in ("add", "mul"):
        for arg in expr.args:
            if isinstance(arg, Op) and arg.op in ("list", "tuple"):
                _hold(fx, target, arg)
    for base in _copied_items(expr):
        fx.join(fx.content(target), fx.content(base))
    if expr.op in _DISPLAYS:
        _hold(fx, target, expr)
    found = _found(fx, expr)
    if found is not None:
        fx.join(target, found)


def _found(fx: Effects, expr: Expr) -> Value | None:
    """What stands for the memory that is found in a container, or one in that."""
    if isinstance(expr, Op) and expr.op in ("getitem", "pop"):
        base = expr.args[0]
        if isinstance(base, Ref) and isinstance(base.value.kind, _CONTAINERS):
            return fx.content(base.value)
        outer = _found(fx, base)
        return None if outer is None else fx.content(outer)
    return None


def _copied_items(expr: Op) -> list[Value]:
    """Containers of which an expression makes another with the same items."""
    if expr.op in ("add", "mul") or expr.op == "getitem" and _is_slice(expr.args[1]):
        operands: tuple[Expr, ...] = expr.args
    elif expr.op == "call" and isinstance(expr.args[0], Obj):
        keeps = any(expr.args[0].obj is f for f in _KEEP_ITEMS)
        operands = expr.args[1:] if keeps else ()
    elif expr.op == "call" and isinstance(expr.args[0], Op):
        kept = expr.args[0].op == "attr" and expr.args[0].data in ("copy", "values")
        operands = expr.args[0].args if kept else ()
    else:
        operands = ()
    return [v for e in operands for v in refs(e) if isinstance(v.kind, _CONTAINERS)]


_KEEP_ITEMS = (list, tuple, sorted, reversed, set, frozenset)


def _is_slice(index: Expr) -> bool:
    if isinstance(index, Ref):
        return index.value.kind == Atom(slice)
    return isinstance(index, Op) and index.op == "slice"


def _share_all(fx: Effects, targets: list[Value]) -> None:
    """Any of the targets may share memory with any other."""
    held = [fx.content(t) if isinstance(t.kind, _CONTAINERS) else t
            for t in targets if has_memory(t)]  # fmt: skip
    for other in held[1:]:
        fx.join(held[0], other, mutual=True)


def _share(fx: Effects, target: Value, base: Value) -> None:
    """A view shares its base's memory; in a list of views, each of its items does."""
    listed = isinstance(target.kind, _CONTAINERS) and is_array(base.kind)
    fx.join(fx.content(target) if listed else target, base)


def _alias_part(fx: Effects, target: Value, expr: Expr) -> None:
    if not has_memory(target):
        return
    if isinstance(expr, Op) and expr.op in ("pop", "getitem"):
        held = expr.args[0]
        if isinstance(held, Ref) and isinstance(held.value.kind, _CONTAINERS):
            fx.join(target, fx.content(fx.content(held.value)))
            return
    if isinstance(expr, Op) and expr.op in ("tuple", "list"):
        for item in refs(expr):
            if has_memory(item):
                fx.join(target, item)
    for base in view_bases(expr):
        listed = isinstance(base.kind, _CONTAINERS)
        fx.join(target, fx.content(base) if listed else base)
