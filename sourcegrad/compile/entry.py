"""From a function and arguments to compiled functions, through the cache."""

from __future__ import annotations

import inspect
import re
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sourcegrad.cache import (
    Entry,
    make_entry,
    registry_version,
    signature_key,
    store_of,
)
from sourcegrad.closures import (
    ByCode,
    Condition,
    Functions,
    conditions,
    described,
    hollow,
    is_generated,
    stripped,
)
from sourcegrad.compile.singular import may_be_singular
from sourcegrad.frontend.reads import Guard
from sourcegrad.frontend.signature import Spec, spec_of
from sourcegrad.loader.load import load, stable_name
from sourcegrad.loader.notes import noted
from sourcegrad.loader.places import remember
from sourcegrad.overlap import apart, checked
from sourcegrad.request import Request, optimising

if TYPE_CHECKING:
    from sourcegrad.pipeline.generated import Generated


def bind(
    fn: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, ...]:
    """The arguments of a call in the order of the parameters, defaults filled in.

    Raises:
        TypeError: they do not fit, as a plain call would say.
    """
    bound = inspect.signature(fn).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def parameter_names(fn: types.FunctionType) -> tuple[str, ...]:
    """The names of all parameters, in order."""
    code = fn.__code__
    variadic = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    if not (code.co_kwonlyargcount or code.co_flags & variadic or fn.__dict__):
        return code.co_varnames[: code.co_argcount]
    return tuple(inspect.signature(fn).parameters)


def entry_for(
    fn: types.FunctionType, values: tuple[Any, ...], request: Request, backend: str
) -> Entry:
    """The compiled functions for a call with these values of all parameters."""
    store, lock = store_of(fn)
    key = (request, backend, optimising(), signature_key(values))
    entry = store.get(key)
    if entry is not None and entry.valid():
        return entry
    with lock:
        entry = store.get(key)
        if entry is None or not entry.valid():
            entry = store[key] = _shared(fn, key, values, request, backend)
    return entry


_templates = ByCode()


def _shared(
    fn: types.FunctionType, key: Any, values: Any, request: Request, backend: str
) -> Entry:
    """What was compiled for another closure of the same code, or a new compilation."""
    known = _templates.of(fn.__code__).setdefault(key, [])
    for template in known:
        entry = template.entry(fn)
        if entry is not None:
            return entry
    known[:] = [t for t in known if t.current()]
    entry = compile_entry(fn, values, request, backend)
    if entry.template is not None:
        known.append(entry.template)
    return entry


def generate(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    request: Request,
    stage: str | None = None,
) -> Generated:
    """As `compilation.generate`: the compiler is imported where it is first needed."""
    from sourcegrad.pipeline import compilation

    with _LOCK:
        while _DEFERRED:
            _DEFERRED.pop()()
    return compilation.generate(fn, specs, request, stage)


_LOCK = threading.Lock()
# What to tell the compiler before it is used.
_DEFERRED: list[Callable[[], None]] = []


def before_compiling(tell: Callable[[], None]) -> Callable[[], None]:
    """Registers what must run before the first function is compiled.

    Args:
        tell: makes public calls known to the frontend, which is not imported before.
    """
    _DEFERRED.append(tell)
    return tell


def compile_entry(
    fn: types.FunctionType, values: tuple[Any, ...], request: Request, backend: str
) -> Entry:
    """Generate and load the functions of a request."""
    specs: dict[str, Spec] = {
        n: spec_of(v) for n, v in zip(parameter_names(fn), values, strict=True)
    }
    made = generate(fn, specs, for_backend(request, backend))
    return load_entry(fn, made, request, backend)


def for_backend(request: Request, backend: str) -> Request:
    """The request for text that a backend runs."""
    return replace(request, compiled=True) if backend == "numba" else request


def inner_functions(
    fn: types.FunctionType, specs: dict[str, Spec], request: Request
) -> tuple[tuple[Callable[..., Any], ...], list[Guard], frozenset[str] | None]:
    """The functions of a request made inside another compilation, their guards, and
    the arguments that the primal writes: None where it has other effects too."""
    made = generate(fn, specs, request)
    entry = load_entry(fn, made, request, "python")
    functions = tuple(map(inspect.unwrap, entry.functions))
    if made.repeatable:
        for function in _beside(functions[0]):
            vars(function)["__sourcegrad_quiet__"] = True
    written = made.written if made.quiet else None
    return functions, made.context.binder.guards, written


def _beside(fn: Any) -> Iterator[types.FunctionType]:
    """The generated functions of one text."""
    space = fn.__globals__
    for found in list(space.values()):
        if isinstance(found, types.FunctionType) and found.__globals__ is space:
            yield found


_MASK = re.compile(r"\b(where|select|choose|clip|f?max(imum)?|f?min(imum)?)\(")


def may_win(fn: types.FunctionType, text: str) -> bool:
    """Whether zero may win over inf and nan in a derivative of a function.

    Not where no partial can be singular.  In a second derivative only beside a mask,
    whose author means it: without one, as in `np.sqrt(x @ x) ** 2` at 0, the product of
    zero and inf is a number unlike zero, and nan is the honest answer.
    """
    if is_generated(fn) and _MASK.search(text) is None:
        return False
    return may_be_singular(text)


def load_entry(
    fn: types.FunctionType, made: Generated, request: Request, backend: str
) -> Entry:
    """Load generated text where it finds what it names."""
    binder = made.context.binder
    namespace: dict[str, Any] = {**binder.roots}
    for path in binder.cells:
        namespace.pop(path, None)
    cells = dict(binder.cells)
    title = stable_name(fn.__code__.co_filename, fn.__qualname__,
                        f"{request.what} wrt {', '.join(request.wrt)}")  # fmt: skip
    loaded = load(made.text, title, namespace, cells or None)
    remember(loaded[made.entries[0]].__code__.co_filename, made.places)
    facts = Facts(
        made.entries,
        parameter_names(fn),
        made.written,
        made.repeatable and may_win(fn, made.text),
        made.repeatable and made.context.takes_powers_for_real,
        made.text,
        [hollow(f) for f in (fn, *made.context.callees())],
        made.warns and backend == "python",
        made.quiet and may_win(fn, made.text),
        frozenset(made.context.given),
        tuple(made.context.changed),
        not made.quiet and may_win(fn, made.text),
    )
    if backend == "numba":
        from sourcegrad.numba.backend import jit

        chosen = jit(made, dict(loaded), namespace, fn)
        return facts.entry(chosen, namespace, made.guards, loaded)
    chosen = tuple(loaded[n] for n in made.entries)
    entry = facts.entry(chosen, namespace, made.guards, loaded)
    shared = conditions(fn, made.guards) if fn.__closure__ else None
    if shared is not None:
        functions = stripped(loaded, namespace, made.guards, *shared[1:])
        if functions is not None:
            owner = described(fn)[:2]
            entry.template = Template(owner, shared[0], functions, facts, entry.version)
    return entry


@dataclass
class Facts:
    """What is known of generated functions besides their code."""

    entries: tuple[str, ...]
    names: tuple[str, ...]
    written: frozenset[str]
    repeatable: bool
    powers: bool
    text: str
    sources: list[types.FunctionType]
    warns: bool
    undoable: bool
    given: frozenset[str]
    changed: tuple[str, ...]
    loud: bool

    def entry(
        self,
        chosen: tuple[Callable[..., Any], ...],
        namespace: dict[str, Any],
        guards: list[Guard],
        loaded: Mapping[str, types.FunctionType],
    ) -> Entry:
        """The entry of these functions."""
        refuse = None
        if self.written or self.given:
            data = [g for g in guards if g.kind is not None or self.given]
            refuse = apart(
                self.names,
                self.written,
                lambda: [(g.name, g.read()) for g in data],
                self.given,
            )
            chosen = (checked(chosen[0], refuse), *chosen[1:])
        return make_entry(
            chosen,
            tuple(noted(generated, self.sources) for generated in chosen),
            guards,
            namespace,
            self.text,
            loaded[self.entries[0]].__code__.co_filename,
            self.repeatable,
            self.powers,
            self.warns,
            refuse,
            tuple(k for k, n in enumerate(self.names) if n in self.written)
            if self.undoable
            else (),
            self.changed,
            self.loud,
        )


@dataclass
class Template:
    """A compilation that other closures of the same code can have."""

    owner: tuple[types.CodeType, Any]
    conditions: list[Condition]
    functions: Functions
    facts: Facts
    version: int

    def current(self) -> bool:
        """Whether the rules are still those it was compiled with."""
        return self.version == registry_version()

    def entry(self, fn: types.FunctionType) -> Entry | None:
        """The entry for a closure; None where it captures something else."""
        code, space = self.owner
        same = is_generated(fn) if space is None else fn.__globals__ is space
        if not (self.current() and fn.__code__ is code and same):
            return None
        guards = []
        for condition in self.conditions:
            try:
                guard = condition.guard(fn)
            except (LookupError, AttributeError, ValueError):
                return None
            if guard is None:
                return None
            guards.append(guard)
        namespace, loaded = self.functions.made(fn, guards)
        chosen = tuple(loaded[n] for n in self.facts.entries)
        entry = self.facts.entry(chosen, namespace, guards, loaded)
        entry.template = self
        return entry
