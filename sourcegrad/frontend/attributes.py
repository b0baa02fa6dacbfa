"""Attributes: of modules and classes, of arrays, of structures and of objects, with
what their classes give (methods, properties, `super()`)."""

from __future__ import annotations

import enum
import functools
import inspect
import random
import types
from typing import Any

import numpy as np

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend import descriptors, library, namespaces, variants
from sourcegrad.frontend.complex_powers import note_attribute
from sourcegrad.frontend.held import from_outside
from sourcegrad.frontend.inference import CONSTANT_ATTRIBUTES
from sourcegrad.frontend.live import now
from sourcegrad.frontend.provenance import module_of
from sourcegrad.frontend.readers import (
    AttributeRead,
    Holds,
    LacksRead,
    MethodRead,
    TypeRead,
)
from sourcegrad.frontend.reads import MemberRead, is_data
from sourcegrad.frontend.structs import (
    Abstract,
    Attr,
    Bound,
    Given,
    LocalMember,
    Object,
    Struct,
    Super,
    Variant,
)
from sourcegrad.frontend.subscripts import Subscripts
from sourcegrad.ir import Effect, Expr, Lit, Obj, Undef, attr
from sourcegrad.kinds import Atom, Num, TupleKind
from sourcegrad.rules.methods import ATTRIBUTES, METHODS

_RANDOM = Atom(
    random.Random
)  # written in Python, and not followed: its state is its own


class Attributes(Subscripts):
    """Builds attribute reads."""

    def expr_Attribute(self, node: Any) -> Abstract:
        return self.attribute(self.expr(node.value), node.attr, node)

    def attribute(self, base: Abstract, name: str, node: Any) -> Abstract:
        """`base.name`."""
        member = isinstance(base, Obj) and isinstance(base.obj, enum.Enum)
        if isinstance(base, Obj) and not is_data(base.obj) and not member:
            return self.static_attribute(base, name, node)
        if isinstance(base, Super):
            held = base.instance
            of_class = isinstance(held, Obj) and isinstance(held.obj, type)
            cls = held.obj if of_class else instance_type(held)  # type: ignore[union-attr]
            return self.class_member(cls, name, held, node, base.behind)
        if isinstance(base, Object):
            return self.object_attribute(base, name, node)
        if isinstance(base, Variant):
            return variants.attribute(self, base, name, node)
        if isinstance(base, Struct):
            return self.struct_attribute(base, name, node)
        tree = self.materialise(base, node)
        kind = self.infer(tree)
        if isinstance(kind, Num):
            return self.array_attribute(tree, name, kind, node)
        if isinstance(kind, TupleKind) and name in getattr(kind.type, "_fields", ()):
            index = kind.type._fields.index(name)  # type: ignore[attr-defined]
            return self.subscript(tree, Lit(index), node)
        if kind == _RANDOM:
            return attr(tree, name)
        if isinstance(base, Obj):
            return self.instance_attribute(base, name, node)
        if not self.passive and self.is_varied(tree):
            if name in ATTRIBUTES and name != "flat":
                return self.finish(attr(tree, name))
            return Attr(tree, name)
        return attr(tree, name)

    def static_attribute(self, base: Obj, name: str, node: Any) -> Abstract:
        """An attribute of a module or class: resolved when compiling."""
        try:
            member = inspect.getattr_static(base.obj, name, None)
            if isinstance(member, LocalMember):
                tree = self.local_member(member, base.obj, None, node)
                return member.tree if member.sort == "method" else tree
            obj = getattr(base.obj, name)
        except AttributeError as e:
            raise self.error(
                NonDifferentiableError, str(e), where=self.locate(node)
            ) from None
        self.guard_member(base, name, obj)
        found = Obj(obj, f"{base.path}.{name}")
        return from_outside(self, found, MemberRead(base.obj, name))

    def guard_member(self, base: Obj, name: str, member: Any) -> None:
        """Rely on what an attribute of a module is, or on its kind; of a class on the
        kinds of its data (a method is made at each read)."""
        holder = base.obj
        module = isinstance(holder, types.ModuleType)
        home = holder.__name__ if module else getattr(holder, "__module__", None)
        if str(home).startswith(("numpy", "scipy", "math", "cmath")):
            return
        if isinstance(member, types.MethodType) or isinstance(holder, type):
            cls = holder if isinstance(holder, type) else type(holder)
            self.guard_method(cls, name)
        if module or is_data(member):
            self.binder.guard(("m", id(holder), name), f"{base.path}.{name}",
                              MemberRead(holder, name), member)  # fmt: skip

    def guard_method(self, cls: type, name: str) -> None:
        """Rely on the function, property or class method that a class gives."""
        read = MethodRead(cls, name)
        try:
            member = read()
        except AttributeError:
            return  # of its metaclass
        built_in = module_of(cls) in ("builtins", "numpy", "scipy", "sourcegrad")
        if not (built_in or is_data(member)):
            self.binder.guard(("method", id(cls), name), cls.__name__, read, member)

    def array_attribute(self, tree: Expr, name: str, kind: Num, node: Any) -> Abstract:
        if name == "__class__":
            return self.call_value(self.binder.bind(type, "type"), [tree], {}, node)
        note_attribute(self, name, kind)
        if name in CONSTANT_ATTRIBUTES:
            fold = self.deriving or self.static
            return self.folded(attr(tree, name)) if fold else attr(tree, name)
        if name == "flat" and not self.deriving:
            return Attr(tree, name)
        if name in ATTRIBUTES:
            return self.finish(attr(tree, name))
        if name in METHODS or hasattr(float, name) or name == "__getitem__":
            return Attr(tree, name)
        if hasattr(np.ndarray, name) or not self.is_varied(tree):
            return attr(tree, name)
        with self.passively():  # no such thing: raised when the program gets there
            held = self.emit(attr(tree, name))
            self.append(Effect(held))
            return held

    def struct_attribute(self, base: Struct, name: str, node: Any) -> Abstract:
        if name == "__class__":
            return self.binder.bind(base.type, base.type.__name__)
        by_name = hasattr(base.type, "__getattr__")  # as SciPy's results
        if name in base.keys and (by_name or not (base.is_dict or base.is_sequence)):
            return base.items[base.keys.index(name)]
        if by_name and base.origin is not None and not hasattr(base.type, name):
            return attr(base.origin, name)
        fields = getattr(base.type, "_fields", ())
        if name in fields:
            return base.items[fields.index(name)]
        member = getattr(base.type, name, None)
        if name in ("_replace", "_asdict") and fields:
            marker = {"_replace": library.named_replace, "_asdict": library.named_dict}[
                name
            ]
            return Bound(Obj(marker, name), [base])
        if isinstance(member, (property, classmethod, types.MethodType)):
            return self.class_member(base.type, name, base, node)
        if base.is_sequence or base.is_dict:
            return Bound(Obj(member, f"{base.type.__name__}.{name}"), [base])
        return self.class_member(base.type, name, base, node)

    def super_of(self, args: list[Abstract], node: Any) -> tuple[type, Abstract]:
        """The class and instance that `super(…)` stands for."""
        if (
            len(args) == 2
            and isinstance(args[0], Obj)
            and isinstance(args[0].obj, type)
        ):
            return args[0].obj, args[1]
        fn, tree = self.scope.fn, self.scope.source
        owner = _defining_class(fn) if fn is not None and not args else None
        if owner is None or tree is None or not tree.tree.args.args:
            raise self.unsupported(node, "super() where the class is not known",
                                   "write super(Class, self)")  # fmt: skip
        return owner, self.lookup(tree.tree.args.args[0].id, node)

    def class_member(
        self,
        cls: type,
        name: str,
        instance: Abstract,
        node: Any,
        behind: type | None = None,
    ) -> Abstract:
        """What the class gives for an attribute: method, property, class variable."""
        if name == "__class__":
            return self.call_value(self.binder.bind(type, "type"), [instance], {}, node)
        order = cls.__mro__
        if behind is not None:
            order = order[order.index(behind) + 1 :]
        for owner in order:
            if name in vars(owner):
                member = vars(owner)[name]
                break
        else:
            found = descriptors.otherwise(self, cls, name, instance, node)
            if found is not None:
                return found
            raise self.error(
                NonDifferentiableError,
                f"{cls.__name__!r} object has no attribute {name!r}",
                where=self.locate(node),
            )
        if isinstance(member, LocalMember):
            return self.local_member(member, cls, instance, node)
        self.guard_method(order[0], name)
        if isinstance(member, property) and member.fget is not None:
            fn = self.binder.bind(member.fget, name)
            with self.actively():  # it may store what it computes
                return self.call_value(fn, [instance], {}, node)
        if isinstance(member, functools.cached_property):
            return self.cached(self.binder.bind(member.func, name), instance, node)
        if isinstance(member, staticmethod):
            return self.binder.bind(member.__func__, name)
        if isinstance(member, classmethod):
            owner_obj = self.binder.bind(cls, cls.__name__)
            return Bound(self.binder.bind(member.__func__, name), [owner_obj])
        kin = descriptors.bound_kin(self, member, name, instance)
        if kin is not None:
            return kin
        if descriptors.is_own_descriptor(member, "__get__"):
            return descriptors.read(self, member, cls, instance, node)
        if isinstance(member, types.WrapperDescriptorType) and name == "__init__":
            return Bound(self.binder.bind(library.base_init, name), [instance])
        if member is object.__setattr__:
            return Bound(Obj(member, "object.__setattr__"), [instance])
        if isinstance(instance, Obj) and hasattr(type(member), "__get__"):
            return attr(instance, name)  # of a class written in C
        base = self.binder.bind(cls, cls.__name__)
        self.guard_member(base, name, member)
        found = Obj(member, f"{base.path}.{name}")
        return from_outside(self, found, MemberRead(cls, name))

    def cached(self, fn: Abstract, instance: Abstract, node: Any) -> Abstract:
        """A cached property: computed again at each read, which gives the same as long
        as the object is not changed any more."""
        if isinstance(instance, Object):
            self.frozen.add(instance)
        return self.call_value(fn, [instance], {}, node)

    frozen: set[Object]

    def local_member(
        self, member: LocalMember, cls: type, instance: Any, node: Any
    ) -> Abstract:
        """What a class defined inside the function gives for an attribute."""
        if member.sort == "property":
            with self.actively():
                return self.call_value(member.tree, [instance], {}, node)
        if member.sort == "cached_property":
            return self.cached(member.tree, instance, node)
        if member.sort in ("value", "staticmethod"):
            return member.tree
        first = Obj(cls, cls.__name__) if member.sort == "classmethod" else instance
        return Bound(member.tree, [first])

    def object_attribute(self, base: Object, name: str, node: Any) -> Abstract:
        if name == "__dict__":
            return namespaces.namespace(self, base, node)
        found = self.env.get((base, name))
        first = descriptors.comes_first(base.type, name)
        if found is not None and not isinstance(found, Undef) and not first:
            return now(self.held_now(found, name, node))
        if isinstance(base, Given) and name in base.stored:
            raise self.unsupported(
                node, f"the attribute {name!r}, given first in a loop or branch,",
                "give it a value in __init__",
            )  # fmt: skip
        return self.class_member(base.type, name, base, node)

    def instance_attribute(self, base: Obj, name: str, node: Any) -> Abstract:
        """An attribute of an object from outside: a constant, read at each call."""
        holder, read = base.obj, self.binder.reader(base)
        built_in = isinstance(holder, (str, bytes, list, dict, tuple, set))
        if not built_in:
            guard = ("class", base.path)
            self.binder.guard(guard, base.path, TypeRead(read), type(holder))
        held = name in getattr(holder, "__dict__", {}) or name in getattr(
            type(holder), "__slots__", ()
        )
        if held or isinstance(holder, enum.Enum) and name in ("name", "value"):
            found = Obj(getattr(holder, name), f"{base.path}.{name}")
            inner = AttributeRead(read, name)
            self.binder.guard(("i", found.path), found.path, inner, found.obj)
            return from_outside(self, found, inner)
        if built_in or not hasattr(type(holder), name):
            return attr(base, name)
        lacks = LacksRead(read, name)
        self.binder.guard(("lacks", base.path, name), base.path, lacks, Holds)
        return self.class_member(type(holder), name, base, node)

    def call_value(
        self, fn: Abstract, args: list[Abstract], kw: dict[str, Any], node: Any
    ) -> Any:
        """A call (see `Calls`)."""
        raise AssertionError("Calls provides it")


def instance_type(tree: Abstract) -> type:
    """The class of an instance."""
    if isinstance(tree, (Object, Struct)):
        return tree.type
    return type(tree.obj) if isinstance(tree, Obj) else object


def _defining_class(fn: types.FunctionType) -> type | None:
    """The class a method was defined in, from its `__class__` cell."""
    names = fn.__code__.co_freevars
    if "__class__" not in names or fn.__closure__ is None:
        return None
    found = fn.__closure__[names.index("__class__")].cell_contents
    return found if isinstance(found, type) else None
