"""`np.einsum` with lists of labels, as the call with a string that it stands for."""

from __future__ import annotations

import string
from typing import Any

from sourcegrad.frontend.folding import known, literal
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Lit


def labelled(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`np.einsum(x, [0, 1], y, [1], [0])` as `np.einsum("ab,b->a", x, y)`."""
    if b.deriving or not args or not b.active(args, kw) or _is_text(args[0]):
        return NotImplemented
    operands, labels = args[0 : len(args) // 2 * 2 : 2], args[1::2]
    terms = [_term(b, found, node) for found in labels]
    subscripts = ",".join(terms)
    if len(args) % 2:
        subscripts += f"->{_term(b, args[-1], node)}"
    own = b.numpy("einsum")
    return b.call_object(own, [Lit(subscripts), *operands], kw, node)


def _is_text(tree: Abstract) -> bool:
    return isinstance(tree, Expr) and known(tree) and isinstance(literal(tree), str)


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
