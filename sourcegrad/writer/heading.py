"""The comments above generated functions."""

from __future__ import annotations

import hashlib
from typing import Any

from sourcegrad.frontend.builder import Primal
from sourcegrad.frontend.context import Specialisation
from sourcegrad.frontend.structs import Struct
from sourcegrad.ir import Ref, Value
from sourcegrad.ir_text import kind_text
from sourcegrad.version import __version__


def heading(primal: Primal) -> str:
    """Comments: version, primal and its hash, what is differentiated, kinds."""
    source = primal.source
    digest = hashlib.sha256("\n".join(source.lines).encode()).hexdigest()[:8]
    title = f"{_file(source.filename)}:{source.qualname} ({digest})"
    lines = [
        f"sourcegrad {__version__}: adjoint of {title}, wrt {', '.join(primal.wrt)}"
    ]
    kinds = [(n, _argument(tree)) for n, tree in primal.arguments.items()]
    known = [f"{n}: {k}" for n, k in kinds if k]
    if known:
        lines.append(f"for {', '.join(known)}")
    return "".join(f"# {line}\n" for line in lines)


def pair_heading(spec: Specialisation) -> str:
    """The comment above the two functions that a callee became."""
    assert spec.function is not None
    code = spec.fn.__code__
    params = ", ".join(_typed(p) for p in spec.function.params)
    return (
        f"{_file(code.co_filename)}:{code.co_firstlineno}: {spec.fn.__name__}({params})"
    )


def _typed(value: Value) -> str:
    kind = _known(value.kind)
    return f"{value.name}: {kind}" if kind else value.name


def _argument(tree: Any) -> str:
    """The kind of an argument in a word, "" where it is generic."""
    if isinstance(tree, Struct):
        return tree.type.__name__
    return _known(tree.value.kind) if isinstance(tree, Ref) else ""


def _known(kind: Any) -> str:
    text = kind_text(kind)
    return "" if "?" in text or text == "unknown" else text


def _file(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
