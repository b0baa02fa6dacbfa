"""The base of all transforms of functions, compiled per signature when called."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from sourcegrad.cache import Entry, signature_key, store_of
from sourcegrad.compile.entry import bind, entry_for, parameter_names
from sourcegrad.errors import NonDifferentiableError, SourcegradError
from sourcegrad.floating import Noticing, call, silent
from sourcegrad.request import Request, optimising
from sourcegrad.source.find import unwrap
from sourcegrad.source.written import call_of
from sourcegrad.transform.arguments import (
    Argnums,
    check_argument,
    check_complex,
    differentiated,
    positional,
    star_position,
)
from sourcegrad.transform.finite import finite, is_complex
from sourcegrad.undo import Undo


class Transform:
    """A function made from another one; compiled per signature when called.

    It has the name, doc and signature of what it does, is itself a legal input of
    every transform, pickles and deep-copies.
    """

    what = "grad"
    _chosen = True  # the user asked for these arguments: each must carry a derivative

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: Argnums = 0,
        *,
        has_aux: bool = False,
        backend: str = "python",
        holomorphic: bool = False,
    ) -> None:
        if backend not in ("python", "numba"):
            raise ValueError(f"backend must be 'python' or 'numba', not {backend!r}")
        self.f = f
        self.argnums = argnums
        self.has_aux = has_aux
        self.backend = backend
        self.holomorphic = holomorphic
        self._inner = f if isinstance(f, Transform) else None
        found = unwrap(f if self._inner is None else innermost(f))
        self._fn, self._args, self._kwargs = found.fn, found.args, found.kwargs
        names = parameter_names(self._fn)
        wrt = differentiated(
            argnums,
            names,
            len(self._args),
            getattr(f, "__name__", "f"),
            star_position(self._fn),
        )
        several = isinstance(argnums, tuple)
        self._request = Request(
            self.what, wrt, several, has_aux, holomorphic=holomorphic
        )
        bound = any(isinstance(layer, functools.partial) for layer in found.skipped)
        self._plain = not (self._args or bound) and positional(self._fn)
        self._count = len(names)
        self._store, self._lock = store_of(self._fn)
        self._unfolds: dict[Any, tuple[Any, Any]] = {}
        self.__wrapped__ = f
        self.__name__ = f"{getattr(f, '__name__', 'f')}_{self.what}"
        self.__qualname__ = self.__name__
        self.__module__ = getattr(f, "__module__", __name__)
        self.__doc__ = f"{_TITLE[self.what]} of {getattr(f, '__name__', 'f')}."

    @functools.cached_property
    def __sourcegrad_function__(self) -> types.FunctionType:
        """A function that does the same, for what is put around this one."""
        return call_of(self, self.f, self.what, ())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The derivative at these arguments."""
        given = args  # without those of a partial, which any transform of it puts in
        if kwargs or not self._plain or len(args) != self._count:
            args = bind(self._fn, (*self._args, *args), {**self._kwargs, **kwargs})
        if self._inner is not None:
            return self._of_transform(args, lambda other: other(*given, **kwargs))
        key = (self._request, self.backend, optimising(), signature_key(args))
        entry = self._store.get(key)
        if entry is None or not entry.valid():
            entry = self._entry(args)
        return self._with_zero_winning(
            entry,
            lambda: entry.calls[0](*args),
            lambda other: other(*given, **kwargs),
            args,
        )

    def require_apart(self, values: tuple[Any, ...]) -> None:
        """Refuse arguments that share memory while the program writes to one of them,
        before they are copied apart.

        Raises:
            AliasError: they do.
            NonDifferentiableError: the program gives attributes to an object that is
                no argument: it would be changed by each run.
        """
        entry = self._entry(values)
        if entry.changed:
            raise NonDifferentiableError(
                f"the function changes {entry.changed[0]}, and would run several times",
                None,
                "each run would find what the one before has left",
                ("hand it in as an argument: each run gets a copy",),
            )
        refuse = entry.apart
        if refuse is not None:
            refuse(*values)

    def _run_primal(self, values: tuple[Any, ...]) -> None:
        """Run what is differentiated, for what it warns of."""
        if self._inner is None:
            call(self._fn, values)
        else:
            self._inner(*values)

    def _of_transform(self, args: tuple[Any, ...], again: Callable[[Any], Any]) -> Any:
        """The derivative of a derivative, and `again` that of another transform."""
        entry = self._entry(args)
        fn = entry.calls[0]
        plain = inspect.unwrap(fn)
        own = seeded(plain, args) if hasattr(plain, "__code__") else args
        return self._with_zero_winning(entry, lambda: fn(*own), again, args)

    def _with_zero_winning(
        self,
        entry: Entry,
        run: Callable[[], Any],
        again: Callable[[Any], Any],
        args: tuple[Any, ...],
    ) -> Any:
        """What `run` gives; where that is not finite, what a transform gives in which
        zero wins over inf and nan. The primal runs again for that, and where a power
        of one of the real `args` was complex after all; and where NumPy would have
        warned, since what the primal warns of is the user's to know. What cannot run
        again, as it prints or draws, runs with zero winning at once."""
        if entry.powers:
            run = self._with_complex_powers(run, again, args)
        if self._request.careful:
            return run()
        undo = Undo([args[k] for k in entry.written])
        if entry.loud or not undo.possible:
            return self._at_once(entry, run, again, args)
        if not (entry.repeatable or entry.written):
            return run()
        if not entry.warns:
            return self._with_zero_winning_in(run, again, undo)
        notice = Noticing()
        found = self._with_zero_winning_in(lambda: notice(run), again, undo)
        if notice.found:
            undo()
            self._run_primal(args)
        return found

    def _at_once(
        self,
        entry: Entry,
        run: Callable[[], Any],
        again: Callable[[Any], Any],
        args: tuple[Any, ...],
    ) -> Any:
        """What a transform gives in which zero wins, where there is one."""
        try:
            careful = self._careful()
            careful._entry(args)
        except SourcegradError:
            return run()
        with nullcontext() if entry.warns else silent():
            return again(careful)

    def _with_zero_winning_in(
        self, run: Callable[[], Any], again: Callable[[Any], Any], undo: Undo
    ) -> Any:
        """The same, of a program that may run again once `undo` was called."""
        try:
            found = run()
        except (ArithmeticError, ValueError):
            undo()
            with silent():
                return again(self._careful())
        if found.__class__ is float and found - found == 0.0 or finite(found):
            return found
        try:
            undo()
            with silent():
                return again(self._careful())
        except SourcegradError:
            return run()  # there is no such version: what was found, and done, stands

    def _with_complex_powers(
        self, run: Callable[[], Any], again: Callable[[Any], Any], args: Any
    ) -> Callable[[], Any]:
        """`run`, which took powers of real numbers to be real; where that fails or
        gives a complex number, what a transform gives that takes them for neither."""

        def checked() -> Any:
            try:
                found = run()
            except TypeError:
                return again(self._asking(complex_powers=True))
            if found.__class__ is float or not is_complex(found) or is_complex(args):
                return found
            return again(self._asking(complex_powers=True))

        return checked

    def _careful(self) -> Any:
        """The same transform, in which zero wins in every product."""
        return self._asking(careful=True, batched=False)

    def _asking(self, **changes: Any) -> Any:
        """The same transform, with something else in its request."""
        new = object.__new__(type(self))
        vars(new).update(vars(self))
        new._request = dataclasses.replace(self._request, **changes)
        new._unfolds = {}
        if new._inner is not None:
            new._inner = new._inner._asking(**changes)
        return new

    def _entry(self, values: tuple[Any, ...], backend: str | None = None) -> Entry:
        return self._found(values, backend)[0]

    def _found(
        self, values: tuple[Any, ...], backend: str | None = None
    ) -> tuple[Entry, tuple[Any, ...]]:
        """The compiled functions for arguments of all parameters, and what those of
        the function that was compiled are."""
        backend = backend or self.backend
        key = (backend, optimising(), signature_key(values))
        inner, entry = self._unfolds.get(key, (None, None))
        if inner is not None and inner.valid() and entry.valid():
            return entry, seeded(inspect.unwrap(inner.functions[0]), values)
        for name, value in zip(parameter_names(self._fn), values, strict=True):
            if self._chosen and name in self._request.wrt:
                check_argument(name, value)
                if self.holomorphic:
                    check_complex(name, value)
        if self._inner is None:
            return entry_for(self._fn, values, self._request, backend), values
        fn, operands = self._unfolded(values)
        try:
            entry = entry_for(fn, operands, self._request, backend)
            if self._inner._inner is None:
                self._unfolds[key] = (self._inner._entry(values, "python"), entry)
            return entry, operands
        except SourcegradError as error:
            entry = self._stood_in(values, backend, error)
            self._unfolds[key] = (self._inner._entry(values, "python"), entry)
            return entry, operands

    def _stood_in(
        self, values: tuple[Any, ...], backend: str, error: SourcegradError
    ) -> Entry:
        """The derivative of a derivative whose text is outside of the language: of a
        function that is the same, and inside."""
        assert self._inner is not None
        for stand_in in (self._slope, self._caller):
            try:
                fn = stand_in(values)
                if fn is not None:
                    return entry_for(fn, seeded(fn, values), self._request, backend)
            except SourcegradError:
                continue
        raise error

    def _slope(self, values: tuple[Any, ...]) -> types.FunctionType | None:
        """The gradient by one number as the tangent along 1.

        The two are the same; the generated tangent is inside of the language where
        the generated gradient is not (the residuals of a recursion are outside).
        """
        from sourcegrad.forward_api import Tangent

        inner = self._inner
        assert inner is not None
        value = dict(zip(parameter_names(self._fn), values, strict=True))[
            inner._request.wrt[0]
        ]
        if inner.what != "grad" or inner._request.several or type(value) is not float:
            return None
        tangent = Tangent(inner.f, inner.argnums)
        tangent._request = dataclasses.replace(
            tangent._request, stands_in=True, careful=self._request.careful
        )
        found = tangent._entry(values, "python").functions[0]
        return inspect.unwrap(found)

    def _caller(self, values: tuple[Any, ...]) -> types.FunctionType:
        """A function that calls the inner derivative, which has one by symmetry."""
        from sourcegrad.compile.standins import caller

        return caller(self._inner, self._unfolded(values)[0], len(values))

    def _unfolded(self, values: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
        """Of a transform of a transform: the inner generated function, and its
        arguments."""
        if self._inner is None:
            return self._fn, values
        fn = inspect.unwrap(self._inner._entry(values, "python").functions[0])
        return fn, seeded(fn, values)

    def compiled(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """The generated function for arguments like these, called as `g(*args)`."""
        values = bind(self._fn, (*self._args, *args), {**self._kwargs, **kwargs})
        return self._entry(values).functions[0]

    def source(
        self, *args: Any, stage: str | None = None, packaging: str = "joint"
    ) -> str:
        """The generated text for arguments like these."""
        from sourcegrad.explain.text import source_of

        if self._inner is None:
            return source_of(self, args, stage, packaging)
        if not args:
            raise ValueError("a transform of a transform needs example arguments")
        fn, values = self._unfolded(
            bind(self._fn, (*self._args, *args), dict(self._kwargs))
        )
        wrt = self._request.wrt if self._request.several else self._request.wrt[0]
        own = type(self)(fn, wrt, **self._options())
        return source_of(own, values, stage, packaging)

    def show(self, *args: Any, **options: Any) -> None:
        """Print the generated text."""
        print(self.source(*args, **options))

    def __repr__(self) -> str:
        return f"<{_TITLE[self.what].lower()} of {self.f!r}>"

    def __reduce__(self) -> Any:
        return _rebuild, (type(self), self.f, self.argnums, self._options())

    def _options(self) -> dict[str, Any]:
        return {
            "has_aux": self.has_aux,
            "backend": self.backend,
            "holomorphic": self.holomorphic,
        }

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.f)


_TITLE = {"grad": "Gradient", "value_and_grad": "Value and gradient", "vjp": "Pullback",
          "jvp": "Value and tangent", "tangent": "Tangent",
          "taylor": "Taylor series"}  # fmt: skip


def innermost(f: Any) -> Any:
    """The user's function inside transforms of transforms."""
    while isinstance(f, Transform):
        f = f.f
    return f


def seeded(fn: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a generated function: the user's, and its seeds, which are 1."""
    missing = fn.__code__.co_argcount - len(values)
    return (*values, *(1.0,) * missing)


def _rebuild(kind: Any, f: Any, argnums: Any, options: dict[str, Any]) -> Any:
    return kind(f, argnums, **options)
