"""Powers of Python's floats, which are complex where a negative base meets a fraction.

`(-2.0) ** 0.5` is complex and `2.0 ** 0.5` is not.  Kinds say float for both, so that
an ordinary program has ordinary text.  A program that reads parts of what they say is
a real number means complex ones: it is built again, with neither assumed of a power.
The same holds where a gradient found at run time is complex and its argument is not.
"""

from __future__ import annotations

import builtins
import cmath
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.frontend.structs import Abstract
from sourcegrad.ir import Expr, Obj
from sourcegrad.ir_walk import walk_expr
from sourcegrad.kinds import Kind, Num, is_complex, is_float, is_scalar, kind_of
from sourcegrad.kinds_operators import infer_operator
from sourcegrad.kinds_sampled import Known

_READERS = frozenset(
    {
        np.real, np.imag, np.conj, np.angle, np.iscomplex, np.isreal, np.iscomplexobj,
        np.isrealobj, np.real_if_close, builtins.isinstance,
        *(f for f in vars(cmath).values() if callable(f)),
    }
)  # fmt: skip
_PARTS = frozenset({"real", "imag", "conjugate"})


def power_kind(b: Any, base: Any, exponent: Any) -> Kind:
    """The kind of `base ** exponent`, operands as kinds or `Known`."""
    kind = infer_operator("pow", base, exponent)
    if not (_is_real_number(kind) and _may_leave_the_line(base, exponent)):
        return kind
    if not b.context.complex_powers:
        b.context.powers = True
        return kind
    assert isinstance(kind, Num)
    flavor = "scalar" if kind.flavor == "py" else kind.flavor
    return replace(kind, flavor=flavor, dtype=None)


def note_attribute(b: Any, name: str, kind: Kind) -> None:
    """Take note of a read of the parts of what kinds say is a real number."""
    if name in _PARTS and not b.deriving and _is_real_number(kind):
        b.context.parts_read = True


def note_operator(b: Any, kinds: list[Any]) -> None:
    """Take note of arithmetic of complex numbers with what kinds say are real ones."""
    if b.context.parts_read or b.deriving:
        return
    found = [kind_of(k.value) if isinstance(k, Known) else k for k in kinds]
    if any(is_complex(k) and is_scalar(k) for k in found):
        b.context.parts_read = any(map(_is_real_number, kinds))


def note_call(b: Any, fn: Any, args: list[Abstract]) -> None:
    """Take note of a call of a function for complex numbers, or that tells them."""
    if fn not in _READERS or b.deriving or not args or not isinstance(args[0], Expr):
        return
    if fn is isinstance and not _asks_for_complex(args):
        return
    if _is_real_number(b.infer(args[0])):
        b.context.parts_read = True


def _asks_for_complex(args: list[Abstract]) -> bool:
    return any(
        isinstance(e, Obj) and e.obj is complex
        for arg in args[1:]
        if isinstance(arg, Expr)
        for e in walk_expr(arg)
    )


def _is_real_number(kind: Kind) -> bool:
    """Whether a kind says real for what may be a Python number."""
    if not isinstance(kind, Num) or kind.flavor not in ("py", "scalar", "any"):
        return False
    real = kind.dtype is not None and not kind.dtype.startswith(("complex", "clong"))
    return real and is_float(kind.dtype)


def _may_leave_the_line(base: Any, exponent: Any) -> bool:
    """Whether a real base to a real exponent can be complex."""
    if isinstance(base, Known) and base.value >= 0:
        return False
    if isinstance(exponent, Known):
        return not float(exponent.value).is_integer()
    return isinstance(exponent, Num) and is_float(exponent.dtype)
