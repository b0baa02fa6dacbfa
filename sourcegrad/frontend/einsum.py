"""`np.einsum` with lists of labels, as the call with a string that it stands for."""

from __future__ import annotations

import string
from typing import Any

from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Lit
from sourcegrad.kinds import STR, Num


def labelled(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.einsum(x, [0, 1], y, [1], [0])` as `np.einsum("ab,b->a", x, y)`."""
    if b.deriving or not args or not b.active(args, kw) or _is_text(b, args[0]):
        return NotImplemented
    own = b.numpy("einsum")
    if len(args) > 1 and _is_operand(b, args[1]):  # text, then: known at run time
        with b.passively():
            text = b.emit(b.materialise(args[0], node), "subscripts")
        text.value.kind = STR
        return b.call_object(own, [text, *args[1:]], kw, node)
    operands, labels = args[0 : len(args) // 2 * 2 : 2], args[1::2]
    terms = [_term(b, found, node) for found in labels]
    subscripts = ",".join(terms)
    if len(args) % 2:
        subscripts += f"->{_term(b, args[-1], node)}"
    return b.call_object(own, [Lit(subscripts), *operands], kw, node)


def _is_text(b: Any, tree: Abstract) -> bool:
    return isinstance(tree, Expr) and b.infer(tree) == STR


def _is_operand(b: Any, tree: Abstract) -> bool:
    """Whether an argument is an array rather than a list of labels."""
    if not isinstance(tree, Expr):
        return False
    return b.is_varied(tree) or isinstance(b.infer(tree), Num)


def _term(b: Any, tree: Abstract, node: Any) -> str:
    """One list of labels as letters, numbered as the string form sorts them."""
    values: Any = None
    if isinstance(tree, Struct) and all(isinstance(i, Lit) for i in tree.items):
        values = [i.value for i in tree.items]  # type: ignore[union-attr]
    elif isinstance(tree, Expr) and known(tree):
        values = literal(tree)
    letters = string.ascii_uppercase + string.ascii_lowercase
    if not isinstance(values, (list, tuple)) or not all(
        v is Ellipsis or (type(v) is int and 0 <= v < len(letters)) for v in values
    ):
        raise b.unsupported(
            node,
            "np.einsum with labels that are not written out",
            "write a string of subscripts, such as 'ij,j->i'",
        )
    return "".join("..." if v is Ellipsis else letters[v] for v in values)
