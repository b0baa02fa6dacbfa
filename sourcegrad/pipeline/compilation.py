"""The pipeline: from a user's function and a signature to generated functions."""

from __future__ import annotations

import linecache
import types

from sourcegrad.errors import Location, SourcegradError, UnsupportedSyntaxError
from sourcegrad.floating import may_warn
from sourcegrad.frontend.builder import build
from sourcegrad.frontend.context import Context
from sourcegrad.frontend.signature import Spec, Static
from sourcegrad.pipeline.generated import Generated
from sourcegrad.pipeline.reverse import Adjoints
from sourcegrad.pipeline.sweeps import merge_common
from sourcegrad.request import Request


def generate(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    request: Request,
    stage: str | None = None,
) -> Generated:
    """Generate the functions of a request for one signature.

    Args:
        fn: the user's function, unwrapped.
        specs: the signature of each parameter.
        request: what to generate.
        stage: a stage whose text is wanted as well.

    Raises:
        SourcegradError: the function cannot be differentiated.
    """
    context = Context()
    try:
        return _generate(fn, specs, request, stage, context)
    except SourcegradError as first:
        if not _has_derivatives(context):
            raise
        mode = "forward" if request.what in _FORWARD else "reverse"
        try:
            return _generate(fn, specs, request, stage, Context(by_slope=mode))
        except SourcegradError as second:
            if _is_in_generated(first) and not _is_in_generated(second):
                raise second from None  # which is about the user's own text
        if _is_in_generated(first) and not fn.__code__.co_filename.startswith("<"):
            raise _about_the_whole(fn, first) from first
        raise


def _is_in_generated(error: SourcegradError) -> bool:
    """Whether an error points into text that was generated."""
    return error.where is not None and error.where.file.startswith("<sourcegrad")


def _about_the_whole(fn: types.FunctionType, error: SourcegradError) -> SourcegradError:
    """An error in generated text as one about the function that holds derivatives."""
    file, line = fn.__code__.co_filename, fn.__code__.co_firstlineno
    text = linecache.getline(file, line).rstrip()
    start = len(text) - len(text.lstrip())
    return UnsupportedSyntaxError(
        f"the derivatives in {fn.__name__} cannot be differentiated once more yet",
        Location(file, line, start, None, text, fn.__name__),
        f"In the text that is generated for one of them, {error.message}.",
        (
            "take the innermost derivative in forward mode: jvp(f, (x,), (v,))[1] is "
            "the slope along v",
            "where a recursion stands behind it: write that as a loop",
        ),
    )


def _has_derivatives(context: Context) -> bool:
    """Whether derivatives were generated inside of a compilation."""
    keys = [key for key in context.derived if isinstance(key, tuple)]
    return any(isinstance(part, Request) for key in keys for part in key)


_FORWARD = ("jvp", "tangent", "taylor")


def _generate(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    request: Request,
    stage: str | None,
    context: Context,
) -> Generated:
    context.names.add(fn.__name__)
    context.careful = request.careful
    context.complex_powers = request.complex_powers
    for name, spec in specs.items():
        context.binder.reserve(name, spec.obj if isinstance(spec, Static) else None)
    wrt = tuple(dict.fromkeys(name.partition("[")[0] for name in request.wrt))
    primal = build(fn, specs, wrt, context)
    if request.what in _FORWARD:
        from sourcegrad.pipeline.forward import Tangents

        made = Tangents(primal, request, stage).run()
    else:
        made = _Compilation(primal, request, stage).run()
    made.warns = may_warn(specs.values(), made.guards, made.text)
    return made


class _Compilation(Adjoints):
    """One request for one function."""

    def run(self) -> Generated:
        self.note("ssa", self.primal.function)
        self.check("ssa", self.primal.function)
        for spec in self.context.specialisations.values():
            self.note("ssa", spec.function)
            self.check("ssa", spec.function)
        self.settle_lent()
        merge_common(self.primal)
        self.check("common", self.primal.function)
        if self.request.what == "vjp":
            entries: tuple[str, ...] = self.split_primal()
            entries += () if self.each is None else (self.each,)
        else:
            entries = (self.joint(),)
        self.pairs()
        return Generated(
            self.writer.text(),
            entries,
            self.context,
            self.context.binder.guards,
            self.stages,
            self.written,
            self.quiet(),
            places=self.writer.places(),
        )
