"""Objects of globals and closures that the program gives attributes.

    def f(x):                             def f(x):
        MODEL.state = MODEL.state * x         model = MODEL
        return MODEL.state ** 2    ->         state = model.state * x
                                              model.state = state
                                              return state ** 2

Such an object is followed as one among the arguments is (see `given`): what it holds is
read when the function begins.  It is one object under every name that it is found by,
and code that is built for it is built again when another one stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sourcegrad.errors import UnsupportedSyntaxError
from sourcegrad.frontend.context import Context, Restart
from sourcegrad.frontend.reach import reaches
from sourcegrad.frontend.readers import AttributeRead, Holds, IsRead
from sourcegrad.frontend.reads import is_data
from sourcegrad.frontend.signature import attribute_names, is_object
from sourcegrad.frontend.structs import Abstract, Given, Struct
from sourcegrad.ir import Assign, Expr, Function, Lit, Obj, Op, Ref, attr
from sourcegrad.ir_walk import stmt_exprs, walk, walk_expr
from sourcegrad.kinds import UNKNOWN, Atom, Num, kind_of
from sourcegrad.names import identifier

_KEY = "changed outside"
MOST = 256


def origin(base: Abstract) -> Obj | None:
    """Where an object of the user's world was found; None for anything else."""
    whole: Any = base
    if isinstance(base, Struct):
        whole = base.origin
    elif isinstance(base, Given):
        whole = base.whole
    found = isinstance(whole, Obj) and is_object(whole.obj)
    return whole if found and hasattr(whole.obj, "__dict__") else None


def change(b: Any, whole: Obj) -> None:
    """Let an object be one that is given attributes, with those of its class that
    were met beside it.

    Raises:
        Restart: it is from now on.
    """
    held = decided(b)
    if id(whole.obj) in held or len(held) >= MOST:
        return
    held[id(whole.obj)] = whole
    for other in b.binder.met.values():
        if type(other.obj) is type(whole.obj):
            held.setdefault(id(other.obj), other)
    raise Restart


def decided(b: Any) -> dict[int, Obj]:
    """The objects that are given attributes, by their ids."""
    held: dict[int, Obj] = b.context.derived.setdefault(_KEY, {})
    return held


def touches(b: Any, obj: Any) -> bool:
    """Whether code may reach an object that is given attributes."""
    held = decided(b)
    return bool(held) and reaches(obj, held)


def known(b: Any, whole: Obj, read: Callable[[], Any]) -> Given | None:
    """What stands for an object that is given attributes; None for another one.

    Raises:
        Restart: it is met in a function that is built apart.
    """
    held = b.context.derived.get(_KEY)
    if not held or id(whole.obj) not in held:
        return None
    same = IsRead(read, whole.obj)
    b.binder.guard(("is", whole.path), whole.path, same, Holds)
    if id(whole.obj) not in b.outside:
        b.context.writers.add(b.stack[0])
        raise Restart
    made: Given = b.outside[id(whole.obj)]
    return made


def open_all(b: Any) -> None:
    """Read the attributes of all such objects, where the function begins."""
    held = decided(b)
    for key, whole in held.items():
        names = attribute_names(whole.obj) or ()
        value = b.value(identifier(_last(whole.path)), UNKNOWN, False)
        b.append(Assign(value, whole))
        made = Given(type(whole.obj), b.where, whole=Ref(value), names=names)
        b.outside[key] = made
        b.context.given.add(whole.path)
        b.context.changed[whole.path] = None
    for key, whole in held.items():
        _read(b, b.outside[key], whole)


def require_followed(context: Context, functions: Iterable[Function]) -> None:
    """Refuse code that is kept as it is and may look at such an object: what it reads
    may be active, and what it changes would not be seen.

    Raises:
        UnsupportedSyntaxError: there is some.
    """
    held: dict[int, Obj] = context.derived.get(_KEY, {})
    for stmt in (s for f in functions for s in walk(f.body)) if held else ():
        opening = isinstance(stmt, Assign) and isinstance(stmt.expr, Obj)
        for expr in () if opening else stmt_exprs(stmt):
            for e in _looking(expr):
                if reaches(e.obj, held):
                    raise UnsupportedSyntaxError(
                        f"{e.path} may look at an object from outside that is given "
                        "attributes, and is called as it is",
                        stmt.where,
                        "what it finds there may carry a derivative",
                        ("hand the object in as an argument: f(model, x)",),
                    )


def _looking(expr: Expr) -> Iterator[Obj]:
    """The objects in an expression that may be called there; a class is only where it
    is what is called."""
    called = {
        id(e.args[0]) for e in walk_expr(expr) if isinstance(e, Op) and e.op == "call"
    }
    for e in walk_expr(expr):
        if isinstance(e, Obj):
            if id(e) in called or not isinstance(e.obj, type):
                yield e


def _read(b: Any, made: Given, whole: Obj) -> None:
    b.class_defaults(made, made.type, None)
    for name in made.names:
        member = Obj(getattr(whole.obj, name), f"{whole.path}.{name}")
        read = AttributeRead(b.binder.reader(whole), name)
        b.binder.guard(("i", member.path), member.path, read, member.obj)
        b.env[made, name] = _attribute(b, made, name, member, read)


def _attribute(
    b: Any, made: Given, name: str, member: Obj, read: Callable[[], Any]
) -> Abstract:
    """An attribute as it is when the function begins."""
    if member.obj is None:
        return Lit(None)
    kind = kind_of(member.obj) if is_data(member.obj) else UNKNOWN
    if not isinstance(kind, (Num, Atom)):
        from sourcegrad.frontend.held import from_outside

        return from_outside(b, member, read)
    expr = attr(made.whole, name)
    expr.kind = kind
    value = b.value(f"{made.whole.value.name}_{name}", kind, False)
    b.append(Assign(value, expr))
    return Ref(value)


def _last(path: str) -> str:
    """The last name in a path: that of the value that holds the object."""
    return path.rpartition(".")[2].lower()
