"""Names of temporaries: after what they hold.

np.exp(x)   exp_x          x @ y   product        x > 0.0   mask, or test
"""

from __future__ import annotations

from sourcegrad.ir import Expr, Obj, Op, Ref
from sourcegrad.kinds import Kind, is_array

LONGEST = 16

_OPERATORS = {
    "matmul": "product",
    "mul": "product",
    "truediv": "ratio",
    "pow": "power",
    "compare": "test",
    "tuple": "pair",
}
_FUNCTIONS = {
    "sum": "total",
    "max": "largest",
    "amax": "largest",
    "min": "smallest",
    "amin": "smallest",
    "stack": "stacked",
    "concatenate": "joined",
    "where": "chosen",
    "full_like": "filled",
    "broadcast_to": "spread",
    "expand_dims": "spread",
    "zeros_like": "zeros",
    "unbroadcast": "part",
    "reshape": "reshaped",
    "transpose": "transposed",
    "abs": "size",
    "absolute": "size",
    "maximum": "larger",
    "minimum": "smaller",
    "prod": "product",
    "flat_index": "place",
    "put_index": "places",
    "along_index": "places",
    "diagonal_index": "places",
    "masked_index": "places",
    "float": "number",
    "int": "number",
}


def temporary(expr: Expr, kind: Kind) -> str:
    """A name for a temporary that holds an expression.

    >>> from sourcegrad.ir import Value, call
    >>> from sourcegrad.kinds import FLOAT
    >>> temporary(call(Obj(abs, "np.exp"), Ref(Value("x"))), FLOAT)
    'exp_x'
    """
    if not isinstance(expr, Op):
        return "t"
    if expr.op == "compare" and is_array(kind):
        return "mask"
    if expr.op != "call":
        return _OPERATORS.get(expr.op, "t")
    fn, *args = expr.args
    if isinstance(fn, Obj):
        return _of_function(fn.path.rpartition(".")[2], args)
    return (
        _FUNCTIONS.get(fn.data, "t") if isinstance(fn, Op) and fn.op == "attr" else "t"
    )


def _of_function(name: str, args: list[Expr]) -> str:
    name = _FUNCTIONS.get(name, name)
    if len(args) == 1 and isinstance(args[0], Ref) and not args[0].value.temp:
        whole = f"{name}_{args[0].value.name}"
        if len(whole) <= LONGEST:
            return whole
    return name if len(name) <= LONGEST and name.isidentifier() else "t"
