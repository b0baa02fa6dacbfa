"""Objects the program builds: named tuples, dataclasses, instances of user classes."""

from __future__ import annotations

import dataclasses
import inspect
import types
from typing import Any

from sourcegrad.errors import KindError
from sourcegrad.frontend.comprehensions import Comprehensions
from sourcegrad.frontend.descriptors import require_plain_reads
from sourcegrad.frontend.provenance import is_own
from sourcegrad.frontend.structs import Abstract, LocalMember, Object, Struct
from sourcegrad.ir import Obj


class Objects(Comprehensions):
    """Builds constructor calls."""

    def construct(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        cls: Any = fn.obj
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return self.named_tuple(cls, args, kw)
        plain = cls.__init__ is object.__init__ or isinstance(
            cls.__init__, (types.FunctionType, LocalMember)
        )
        new: Any = cls.__new__
        made_plainly = type(cls).__call__ is type.__call__  # as of an abstract class
        ordinary = made_plainly and new is object.__new__ and plain
        if not ordinary or issubclass(cls, BaseException):
            return self.call_unknown(fn, args, kw, node)
        # Ours stand for objects of a library, so they are followed everywhere.
        local = is_own(cls) or any(
            isinstance(m, LocalMember) for c in cls.__mro__ for m in vars(c).values()
        )
        whole = all(map(self.can_materialise, [*args, *kw.values()]))
        # One that is given memory may write there, whenever it is asked something.
        if not local and self.passive and whole and not self.holds_memory(args, kw):
            self.constructed += 1
            return self.call_tree(fn, args, kw, node)
        with self.actively():
            return self.built(cls, args, kw, node)

    def built(self, cls: Any, args: Any, kw: Any, node: Any) -> Object:
        """An instance that is followed attribute by attribute."""
        require_plain_reads(self, cls, node)
        made = Object(cls, self.where)
        self.class_defaults(made, cls, node)
        if dataclasses.is_dataclass(cls) and not _own_init(cls):
            self.dataclass_fields(made, cls, args, kw, node)
        elif isinstance(cls.__init__, LocalMember):
            self.call_value(cls.__init__.tree, [made, *args], kw, node)
        elif cls.__init__ is not object.__init__:
            init = self.binder.bind(cls.__init__, "init")
            self.inline_function(init, [made, *args], kw, node)
        return made

    def class_defaults(self, made: Object, cls: type, node: Any) -> None:
        """What the class gives for attributes, under the names of the object: it holds
        those until it is given its own, in a loop or branch perhaps."""
        for name in dict.fromkeys(n for c in cls.__mro__[:-1] for n in vars(c)):
            member = inspect.getattr_static(cls, name)
            if name.startswith("__") or not _is_value(member):
                continue
            self.env[(made, name)] = self.class_member(cls, name, made, node)

    def exception_record(self, fn: Obj, args: Any, kw: Any, node: Any) -> Struct:
        """An exception with active values, as a record of its attributes; the first
        one tells how to make the exception itself."""
        made = Object(fn.obj, self.where)
        given = Struct(tuple, tuple(range(len(args))), [self.settle(a) for a in args])
        self.env[(made, "args")] = given
        init: Any = fn.obj.__init__
        if isinstance(init, types.FunctionType):
            held = self.binder.bind(init, "init")
            self.inline_function(held, [made, *given.items], kw, node)
        found = {k[1]: v for k, v in self.env.items()
                 if isinstance(k, tuple) and k[0] is made}  # fmt: skip
        return Struct(fn.obj, ("_given", *found), [given, *found.values()])

    def records(self, tree: Abstract) -> Abstract:
        """A result with the dataclasses built in it as structures of their fields."""
        if isinstance(tree, Struct):
            items = [self.records(item) for item in tree.items]
            return Struct(tree.type, tree.keys, items, tree.origin, tree.site)
        if not isinstance(tree, Object) or not dataclasses.is_dataclass(tree.type):
            return tree
        keys = tuple(f.name for f in dataclasses.fields(tree.type) if f.init)
        if _own_init(tree.type) or any((tree, k) not in self.env for k in keys):
            return tree
        return Struct(tree.type, keys, [self.records(self.env[tree, k]) for k in keys])

    def bound(self, cls: type, args: Any, kw: Any) -> dict[str, Any]:
        try:
            found = inspect.signature(cls).bind(*args, **kw)
        except TypeError as e:
            raise self.error(KindError, f"{cls.__name__}() {e}") from None
        return found.arguments

    def named_tuple(self, cls: Any, args: Any, kw: Any) -> Struct:
        given = self.bound(cls, args, kw)
        defaults = cls._field_defaults
        items = [
            given[f] if f in given else self.constant(defaults[f], f)
            for f in cls._fields
        ]
        return Struct(cls, tuple(range(len(items))), items)

    def dataclass_fields(
        self, made: Object, cls: Any, args: Any, kw: Any, node: Any
    ) -> None:
        given = self.bound(cls, args, kw)
        for field in dataclasses.fields(cls):
            if field.name in given:
                tree = given[field.name]
            elif field.default is not dataclasses.MISSING:
                tree = (
                    field.default.tree
                    if isinstance(field.default, LocalMember)
                    else self.constant(field.default, field.name)
                )
            elif field.default_factory is not dataclasses.MISSING:
                factory = field.default_factory
                maker = (
                    factory.tree
                    if isinstance(factory, LocalMember)
                    else self.binder.bind(factory, f"{field.name}_factory")
                )
                tree = self.call_value(maker, [], {}, node)
            else:
                continue
            self.env[(made, field.name)] = self.settle(tree, field.name)
        post = getattr(cls, "__post_init__", None)
        if isinstance(post, LocalMember):
            self.call_value(post.tree, [made], {}, node)
        elif isinstance(post, types.FunctionType):
            self.inline_function(self.binder.bind(post, "post_init"), [made], {}, node)


def _is_value(member: Any) -> bool:
    """Whether a class attribute is data rather than code or a descriptor."""
    if isinstance(member, LocalMember):
        return member.sort == "value"
    return not (callable(member) or hasattr(type(member), "__get__"))


def _own_init(cls: Any) -> bool:
    """Whether the class's `__init__` is written by the user."""
    if isinstance(cls.__init__, LocalMember):
        return True
    return not getattr(cls.__init__, "__qualname__", "").startswith(
        "__create_fn__"
    ) and (cls.__init__.__code__.co_filename != "<string>")
