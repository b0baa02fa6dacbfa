"""From a function and arguments to compiled functions, through the cache."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any

from sourcegrad.cache import Entry, make_entry, signature_key, store_of
from sourcegrad.frontend.scope import Guard
from sourcegrad.frontend.signature import Spec, spec_of
from sourcegrad.loader import load, stable_name
from sourcegrad.loader_notes import noted
from sourcegrad.overlap import checked
from sourcegrad.pipeline import Generated, generate
from sourcegrad.request import Request, optimising


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
            entry = store[key] = compile_entry(fn, values, request, backend)
    return entry


def compile_entry(
    fn: types.FunctionType, values: tuple[Any, ...], request: Request, backend: str
) -> Entry:
    """Generate and load the functions of a request."""
    specs: dict[str, Spec] = {
        n: spec_of(v) for n, v in zip(parameter_names(fn), values, strict=True)
    }
    made = generate(fn, specs, request)
    return load_entry(fn, made, request, backend)


def inner_functions(
    fn: types.FunctionType, specs: dict[str, Spec], request: Request
) -> tuple[tuple[Callable[..., Any], ...], list[Guard]]:
    """The functions of a request made inside another compilation, and their guards."""
    made = generate(fn, specs, request)
    entry = load_entry(fn, made, request, "python")
    return tuple(map(inspect.unwrap, entry.functions)), made.context.binder.guards


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
    filename = loaded[made.entries[0]].__code__.co_filename
    chosen: tuple[Callable[..., Any], ...] = tuple(loaded[n] for n in made.entries)
    if backend == "numba":
        from sourcegrad.numba_backend import jit

        chosen = jit(made, dict(loaded), namespace, fn)
    if made.written:
        data = [g for g in made.guards if g.kind is not None]
        first = checked(chosen[0], parameter_names(fn), made.written,
                        lambda: [(g.name, g.read()) for g in data])  # fmt: skip
        chosen = (first, *chosen[1:])
    sources = [fn, *made.context.callees()]
    return make_entry(
        chosen,
        tuple(noted(generated, sources) for generated in chosen),
        made.guards,
        namespace,
        made.text,
        filename,
        made.repeatable,
    )
