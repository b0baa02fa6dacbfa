"""Exits: `break`, `continue` and early `return` brought to tail position.

After this pass an exit is the last statement of its block, and an `if` that holds
one is the last statement of the block it stands in: what followed has moved into
the arm that does not exit.  Where both arms may go on, one flag tells whether the
exit was taken.  A `return` inside a loop becomes a flag and a `break`; the `else` of
a loop becomes an `if` on whether it broke.

>>> import gast
>>> from sourcegrad.printer.text import to_source
>>> tree = gast.parse('''
... def f(x):
...     if x > 1:
...         return x * x
...     return x
... ''')
>>> print(to_source(run(tree.body[0], set())))
def f(x):
    if x > 1:
        return x * x
    else:
        return x
<BLANKLINE>
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import gast

from sourcegrad.names import fresh

EXITS = (gast.Return, gast.Break, gast.Continue)


def run(
    function: gast.FunctionDef, taken: set[str], prefix: str = ""
) -> gast.FunctionDef:
    """The function with all exits in tail position.

    Args:
        function: its tree; not changed.
        taken: names in use, to which the names of new flags are added.
        prefix: what the names of new flags begin with.
    """
    new = copy.copy(function)
    exits = _Exits(taken, prefix)
    exits.bound |= {a.id for a in gast.walk(function.args) if isinstance(a, gast.Name)}
    exits.own = {
        n.id
        for n in gast.walk(function)
        if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)
    }
    new.body = exits.block(function.body)
    return new


class _Exits:
    def __init__(self, taken: set[str], prefix: str) -> None:
        self.taken, self.prefix = taken, prefix
        self.bound: set[str] = set()  # names that surely have a value here
        self.own: set[str] = set()  # names of the function, none of them a builtin

    def fresh(self, name: str) -> str:
        """A new name for a flag."""
        return fresh(self.prefix + name, self.taken)

    def block(self, stmts: Sequence[Any]) -> list[Any]:
        """A block with its exits in tail position."""
        before, self.bound = self.bound, set(self.bound)
        done = self.statements(stmts)
        self.bound = before
        return done

    def statements(self, stmts: Sequence[Any]) -> list[Any]:
        """What `block` gives, once the names that are bound here are known."""
        done: list[Any] = []
        for k, stmt in enumerate(stmts):
            rest = list(stmts[k + 1 :])
            if isinstance(stmt, (*EXITS, gast.Raise)):
                return [*done, stmt]
            if isinstance(stmt, gast.If) and has_exit(stmt):
                return done + self.conditional(stmt, rest)
            if isinstance(stmt, (gast.For, gast.While)):
                before, loop, after = self.loop(stmt)
                done += [*before, loop]
                if after:
                    return done + self.block(after + rest)
            elif isinstance(stmt, gast.If):
                done.append(_if(stmt, self.block(stmt.body), self.block(stmt.orelse)))
            elif isinstance(stmt, (gast.With, gast.Try, gast.Match)):
                new = self.inner_blocks(stmt)
                if has_exit(stmt):
                    return done + self.leaving_block(new, rest)
                done.append(new)
            else:
                done.append(stmt)
                self.bound |= _names_bound_by(stmt)
        return done

    def leaving_block(self, stmt: Any, rest: list[Any]) -> list[Any]:
        """A `with` or `try` that may be left from inside: by flags tested behind."""
        kinds = sorted({type(e).__name__ for e in exits_in([stmt])})
        flags = {k: self.fresh(_FLAG[k]) for k in kinds}
        result = self.fresh("result") if "Return" in flags else ""
        first: list[Any] = [_assign(flag, False, stmt) for flag in flags.values()]
        replaced = _Replace(flags, result, stop=False).visit(stmt)
        if getattr(stmt, "orelse", None):  # runs where the body came to its end
            for flag in flags.values():
                nothing = [_at(gast.Pass(), stmt)]
                replaced.orelse = [_test(flag, nothing, replaced.orelse, stmt)]
        if getattr(stmt, "finalbody", None):
            replaced.finalbody = _each(
                _Replace(flags, result, stop=False, alone=True), stmt.finalbody
            )
        first.append(replaced)
        after: list[Any] = rest
        for kind, flag in flags.items():
            after = [_test(flag, [_exit(kind, result, stmt)], after, stmt)]
        return first + self.block(after)

    def inner_blocks(self, stmt: Any) -> Any:
        new = copy.copy(stmt)
        for name in ("body", "orelse", "finalbody"):
            if getattr(stmt, name, None):
                setattr(new, name, self.block(getattr(stmt, name)))
        for name in ("handlers", "cases"):
            if getattr(stmt, name, None):
                parts = [copy.copy(h) for h in getattr(stmt, name)]
                for part in parts:
                    part.body = self.block(part.body)
                setattr(new, name, parts)
        return new

    def conditional(self, stmt: gast.If, rest: list[Any]) -> list[Any]:
        body, orelse = stmt.body, stmt.orelse
        if rest and always_exits(body):
            return [_if(stmt, self.block(body), self.block(orelse + rest))]
        if rest and orelse and always_exits(orelse):
            return [_if(stmt, self.block(body + rest), self.block(orelse))]
        new = _if(stmt, self.block(body), self.block(orelse))
        if not rest:
            return [new]
        return self.flagged(new, rest)

    def flagged(self, stmt: gast.If, rest: list[Any]) -> list[Any]:
        """Both arms may go on: set a flag at each exit and test it before the rest."""
        kinds = sorted({type(e).__name__ for e in exits_in([stmt])})
        flags = {k: self.fresh(_FLAG[k]) for k in kinds}
        result = self.fresh("result") if "Return" in flags else ""
        replaced = _Replace(flags, result, stop=False)
        first: list[Any] = [_assign(flag, False, stmt) for flag in flags.values()]
        first.append(replaced.visit(stmt))
        after: list[Any] = rest
        for kind, flag in flags.items():
            leave = _exit(kind, result, stmt)
            after = [_test(flag, [leave], after, stmt)]
        return first + self.block(after)

    def loop(self, stmt: Any) -> tuple[list[Any], Any, list[Any]]:
        """Statements before the loop, the loop, and those that must follow it."""
        new = copy.copy(stmt)
        body, orelse, new.orelse = stmt.body, stmt.orelse, []
        before: list[Any] = []
        after: list[Any] = []
        if orelse:
            if not any(isinstance(e, gast.Break) for e in exits_in(body)):
                after = list(orelse)
            else:
                broke = self.fresh("broke")
                before.append(_assign(broke, False, stmt))
                body = _each(_Replace({"Break": broke}, "", stop=True), body)
                test = gast.UnaryOp(op=gast.Not(), operand=_name(broke, stmt))
                after = [
                    _at(gast.If(test=_at(test, stmt), body=orelse, orelse=[]), stmt)
                ]
        late = self.returned_late(stmt, body)
        if late is not None:
            flag = self.fresh("returned")
            before.append(_assign(flag, False, stmt))
            replace = _Replace({"Return": flag}, "", stop=True, deep=True)
            body = _each(replace, body)
            after = [_test(flag, [late], after, stmt)]
        elif returns_in(body):
            flag = self.fresh("returned")
            result = self.fresh("result")
            before.append(_assign(flag, False, stmt))
            replace = _Replace({"Return": flag}, result, stop=True, deep=True)
            body = _each(replace, body)
            after = [_test(flag, [_exit("Return", result, stmt)], after, stmt)]
        new.body = self.block(body)
        return before, new, after

    def returned_late(self, loop: Any, body: list[Any]) -> gast.Return | None:
        """The only `return` of a loop, if its value can as well be read behind it.

        Nothing runs between the two places (a generator that is left would run its
        `finally`), and its names have values in both: what is returned is then what
        the loop carries, and no name more.

        Args:
            loop: the loop.
            body: its body, where its `break`s may have become flags.
        """
        returns = [e for e in exits_in(body, True) if isinstance(e, gast.Return)]
        around = [loop, *(node for stmt in body for node in gast.walk(stmt))]
        if len(returns) != 1 or any(
            self.may_run_something(node) and returns_in([node]) for node in around
        ):
            return None
        value = returns[0].value
        names = (
            {n.id for n in gast.walk(value) if isinstance(n, gast.Name)}
            if value
            else set()
        )
        return returns[0] if names <= self.bound else None

    def may_run_something(self, stmt: Any) -> bool:
        """Whether leaving a statement from inside may run code of the user."""
        if not isinstance(stmt, gast.For):
            return isinstance(stmt, (gast.Try, gast.With))
        items = stmt.iter
        named = isinstance(items, gast.Call) and isinstance(items.func, gast.Name)
        return not (named and items.func.id in {"range"} - self.own)


_FLAG = {"Return": "returned", "Break": "broke", "Continue": "skipped"}


class _Replace(gast.NodeTransformer):
    """Exits become assignments to flags (and, with `stop`, a break)."""

    def __init__(
        self,
        flags: dict[str, str],
        result: str,
        stop: bool,
        deep: bool = False,
        alone: bool = False,
    ) -> None:
        self.flags, self.result, self.stop, self.deep = flags, result, stop, deep
        self.alone = alone  # an exit in a `finally` takes the place of any other

    def replace(self, node: Any) -> Any:
        flag = self.flags.get(type(node).__name__)
        if flag is None:
            return node
        new = [_assign(flag, True, node)]
        if self.alone:
            others = (f for f in self.flags.values() if f != flag)
            new = [*(_assign(f, False, node) for f in others), *new]
        if isinstance(node, gast.Return) and self.result:
            value = node.value or _at(gast.Constant(value=None, kind=None), node)
            new.insert(0, _assign(self.result, value, node))
        return [*new, _at(gast.Break(), node)] if self.stop else new

    visit_Return = visit_Break = visit_Continue = replace

    def visit_For(self, node: Any) -> Any:
        if "Return" not in self.flags or not returns_in([node]):
            return node
        new = copy.copy(node)
        inner = _Replace(
            {"Return": self.flags["Return"]}, self.result, stop=True, deep=True
        )
        new.body = _each(inner, node.body)
        new.orelse = _each(self, node.orelse)
        return [new, _test(self.flags["Return"], [_at(gast.Break(), node)], [], node)]

    visit_While = visit_For

    def visit_FunctionDef(self, node: Any) -> Any:
        return node

    visit_Lambda = visit_ClassDef = visit_AsyncFunctionDef = visit_FunctionDef

    def generic_visit(self, node: Any) -> Any:
        """Rebuild statements, so that the user's tree is never changed."""
        if not isinstance(node, gast.stmt):
            return node
        new = copy.copy(node)
        for name, old in gast.iter_fields(node):
            if isinstance(old, list) and old and isinstance(old[0], gast.stmt):
                setattr(new, name, _each(self, old))
            elif (
                isinstance(old, list)
                and old
                and isinstance(old[0], (gast.ExceptHandler, gast.match_case))
            ):
                handlers = []
                for handler in old:
                    copied = copy.copy(handler)
                    copied.body = _each(self, handler.body)
                    handlers.append(copied)
                setattr(new, name, handlers)
        if self.stop and "Return" in self.flags and getattr(new, "finalbody", None):
            reset = _Reset(self.flags, "", stop=True)
            new.finalbody = _each(reset, new.finalbody)
        return new


class _Reset(_Replace):
    """A `break` or `continue` in a `finally` takes the place of a `return`."""

    def replace(self, node: Any) -> Any:
        return [_assign(self.flags["Return"], False, node), node]

    visit_Break = visit_Continue = replace

    def visit_Return(self, node: Any) -> Any:
        return node

    def visit_For(self, node: Any) -> Any:
        return node

    visit_While = visit_For


def _each(transformer: _Replace, stmts: Sequence[Any]) -> list[Any]:
    out: list[Any] = []
    for stmt in stmts:
        new = transformer.visit(stmt)
        out += new if isinstance(new, list) else [new]
    return out


def exits_in(stmts: Sequence[Any], in_loop: bool = False) -> list[Any]:
    """The exits that leave this block: not the breaks of inner loops."""
    found: list[Any] = []
    for stmt in stmts:
        if isinstance(stmt, gast.Return) or (isinstance(stmt, EXITS) and not in_loop):
            found.append(stmt)
        elif isinstance(stmt, (gast.For, gast.While)):
            found += exits_in(stmt.body, True) + exits_in(stmt.orelse, in_loop)
        elif isinstance(stmt, (gast.If, gast.With, gast.Try, gast.Match)):
            for name in ("body", "orelse", "finalbody"):
                found += exits_in(getattr(stmt, name, []), in_loop)
            for part in [*getattr(stmt, "handlers", []), *getattr(stmt, "cases", [])]:
                found += exits_in(part.body, in_loop)
    return found


def has_exit(stmt: Any) -> bool:
    """Whether the statement may leave the block it stands in."""
    return bool(exits_in([stmt]))


def returns_in(stmts: Sequence[Any]) -> bool:
    """Whether a block holds a `return`, in loops too."""
    return any(isinstance(e, gast.Return) for e in exits_in(stmts, True))


def always_exits(stmts: Sequence[Any]) -> bool:
    """Whether control never reaches the end of the block."""
    for stmt in stmts:
        if isinstance(stmt, (*EXITS, gast.Raise)):
            return True
        if isinstance(stmt, gast.With) and always_exits(stmt.body):
            return True
        if isinstance(stmt, gast.If) and stmt.orelse:
            if always_exits(stmt.body) and always_exits(stmt.orelse):
                return True
    return False


def _names_bound_by(stmt: Any) -> set[str]:
    """The names that a plain assignment surely binds."""
    targets = stmt.targets if isinstance(stmt, gast.Assign) else []
    nodes = [n for target in targets for n in gast.walk(target)]
    return {
        n.id
        for n in nodes
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
    }


# ---------------------------------------------------------------- small makers


def _at(node: Any, like: Any) -> Any:
    return gast.copy_location(node, like)


def _name(name: str, like: Any, store: bool = False) -> Any:
    ctx = gast.Store() if store else gast.Load()
    return _at(gast.Name(id=name, ctx=ctx, annotation=None, type_comment=None), like)


def _assign(name: str, value: Any, like: Any) -> Any:
    if not isinstance(value, gast.AST):
        value = _at(gast.Constant(value=value, kind=None), like)
    target = _name(name, like, store=True)
    return _at(gast.Assign(targets=[target], value=value, type_comment=None), like)


def _if(like: gast.If, body: list[Any], orelse: list[Any]) -> gast.If:
    body = body or [_at(gast.Pass(), like)]
    return _at(gast.If(test=like.test, body=body, orelse=orelse), like)


def _test(flag: str, body: list[Any], orelse: list[Any], like: Any) -> Any:
    return _at(gast.If(test=_name(flag, like), body=body, orelse=orelse), like)


def _exit(kind: str, result: str, like: Any) -> Any:
    if kind == "Return":
        return _at(gast.Return(value=_name(result, like)), like)
    return _at(gast.Break() if kind == "Break" else gast.Continue(), like)
