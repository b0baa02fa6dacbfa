"""Expressions as text on one line, with the parentheses that a colleague would write.

Spacing is black's: `x**2` but `x[0] ** 2`, `x[1:]` but `x[i + 1 :]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import gast

from sourcegrad.printer.constants import constant_text

# Precedence of what an expression is, and of what its place accepts, loosest first.
NAMED, TUPLE, YIELD, TEST, OR, AND, NOT, COMPARE = range(8)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, FACTOR, POWER, AWAIT, ATOM = range(8, 18)

_BINARY = {
    "BitOr": ("|", BIT_OR),
    "BitXor": ("^", BIT_XOR),
    "BitAnd": ("&", BIT_AND),
    "LShift": ("<<", SHIFT),
    "RShift": (">>", SHIFT),
    "Add": ("+", SUM),
    "Sub": ("-", SUM),
    "Mult": ("*", TERM),
    "Div": ("/", TERM),
    "Mod": ("%", TERM),
    "FloorDiv": ("//", TERM),
    "MatMult": ("@", TERM),
}
_UNARY = {"Invert": "~", "UAdd": "+", "USub": "-"}
_COMPARE = {
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}
# Black writes `**` without blanks between names, dotted names and numbers.
_SIMPLE = r"(?:[^\W\d][\w.]*|[\d.]+(?:e[+-]?\d+)?j?)"
_HUGS_LEFT = re.compile(_SIMPLE + "$")
_HUGS_RIGHT = re.compile(rf"[-+~]?{_SIMPLE}(?: ?\*\*|$)")
# Inside a slice these make black treat its colons as operators, with blanks.
_COMPLEX_IN_SLICE = frozenset(
    "BinOp BoolOp Compare Call Attribute Subscript IfExp Lambda NamedExpr Starred "
    "Await Not ListComp SetComp DictComp GeneratorExp".split()
)


def symbol(op: ast.AST) -> str:
    """The text of a binary operator: `symbol(gast.Add())` is "+"."""
    name = type(op).__name__
    return "**" if name == "Pow" else _BINARY[name][0]


def expression(node: Any, level: int = TEST) -> str:
    """The text of an expression.

    Args:
        node: a gast (or ast) expression.
        level: what its place accepts without parentheses.

    >>> expression(gast.parse("(a + b) * (c * d) ** -2", mode="eval").body)
    '(a + b) * (c * d) ** -2'
    """
    kind = type(node).__name__
    writer = _WRITERS.get(kind)
    if writer is None:
        return unparse(node)
    text, own = writer(node)
    return f"({text})" if own < level else text


def unparse(node: Any) -> str:
    """The text of a node by the standard library: f-strings, patterns, type aliases.

    That writes what the running Python reads: f-strings changed in 3.12.
    """
    if type(node).__module__.startswith("gast"):
        node = gast.gast_to_ast(node)
    text = ast.unparse(ast.fix_missing_locations(node))
    if '"' not in text and "\\'" not in text:
        return text.replace("'", '"')
    return text


def sequence(nodes: Sequence[Any], level: int = TEST) -> str:
    """Expressions with commas between them."""
    return ", ".join([expression(node, level) for node in nodes])


def bare(node: Any, level: int = TEST) -> str:
    """An expression where a tuple of two or more needs no parentheses."""
    if isinstance(node, gast.Tuple | ast.Tuple) and len(node.elts) > 1:
        return sequence(node.elts)
    return expression(node, level)


def parameters(args: Any) -> str:
    """The parameter list of a function or lambda."""
    named = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(named) - len(args.defaults)) + list(args.defaults)
    parts = [_parameter(p, d) for p, d in zip(named, defaults, strict=True)]
    if args.posonlyargs:
        parts.insert(len(args.posonlyargs), "/")
    if args.vararg:
        parts.append("*" + _parameter(args.vararg, None))
    elif args.kwonlyargs:
        parts.append("*")
    pairs = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    parts += [_parameter(p, d) for p, d in pairs]
    if args.kwarg:
        parts.append("**" + _parameter(args.kwarg, None))
    return ", ".join(parts)


def _parameter(node: Any, default: Any) -> str:
    name = node.arg if isinstance(node, ast.arg) else node.id
    if node.annotation is not None:
        text = f"{name}: {expression(node.annotation)}"
        return text if default is None else f"{text} = {expression(default)}"
    return name if default is None else f"{name}={expression(default)}"


# ---- atoms -----------------------------------------------------------------------


def _name(node: Any) -> tuple[str, int]:
    return node.id, ATOM


def _constant(node: Any) -> tuple[str, int]:
    text = (getattr(node, "kind", None) or "") + constant_text(node.value)
    if isinstance(node.value, int | float | complex):
        if " " in text:
            return text, SUM
        if text.startswith("-"):
            return text, FACTOR
    return text, ATOM


# ---- operators -------------------------------------------------------------------


def _bin_op(node: Any) -> tuple[str, int]:
    name = type(node.op).__name__
    if name == "Pow":
        left, right = expression(node.left, AWAIT), expression(node.right, FACTOR)
        hug = _HUGS_LEFT.match(left) and _HUGS_RIGHT.match(right)
        return f"{left}**{right}" if hug else f"{left} ** {right}", POWER
    sign, level = _BINARY[name]
    left, right = expression(node.left, level), expression(node.right, level + 1)
    return f"{left} {sign} {right}", level


def _unary_op(node: Any) -> tuple[str, int]:
    name = type(node.op).__name__
    if name == "Not":
        return "not " + expression(node.operand, NOT), NOT
    inner = expression(node.operand, FACTOR)
    if type(getattr(node.operand, "op", None)).__name__ == "Pow":
        inner = f"({inner})"  # black's -(x**2)
    return _UNARY[name] + inner, FACTOR


def _bool_op(node: Any) -> tuple[str, int]:
    word, level = ("and", AND) if type(node.op).__name__ == "And" else ("or", OR)
    return f" {word} ".join([expression(v, level + 1) for v in node.values]), level


def _compare(node: Any) -> tuple[str, int]:
    parts = [expression(node.left, BIT_OR)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        parts += [_COMPARE[type(op).__name__], expression(right, BIT_OR)]
    return " ".join(parts), COMPARE


def _if_exp(node: Any) -> tuple[str, int]:
    body, test = expression(node.body, OR), expression(node.test, OR)
    return f"{body} if {test} else {expression(node.orelse)}", TEST


def _lambda(node: Any) -> tuple[str, int]:
    args = parameters(node.args)
    return f"lambda{' ' if args else ''}{args}: {expression(node.body)}", TEST


def _named_expr(node: Any) -> tuple[str, int]:
    return f"{expression(node.target, ATOM)} := {expression(node.value)}", NAMED


def _yield(node: Any) -> tuple[str, int]:
    return "yield" if node.value is None else f"yield {bare(node.value)}", YIELD


def _yield_from(node: Any) -> tuple[str, int]:
    return f"yield from {expression(node.value)}", YIELD


def _await(node: Any) -> tuple[str, int]:
    return f"await {expression(node.value, ATOM)}", AWAIT


def _starred(node: Any) -> tuple[str, int]:
    return f"*{expression(node.value, BIT_OR)}", TEST


# ---- displays --------------------------------------------------------------------


def _tuple(node: Any) -> tuple[str, int]:
    if len(node.elts) == 1:
        return f"({expression(node.elts[0])},)", ATOM
    return f"({sequence(node.elts)})", ATOM


def _list(node: Any) -> tuple[str, int]:
    return f"[{sequence(node.elts)}]", ATOM


def _set(node: Any) -> tuple[str, int]:
    return f"{{{sequence(node.elts)}}}" if node.elts else "{*()}", ATOM


def _dict(node: Any) -> tuple[str, int]:
    items = [
        f"**{expression(value, BIT_OR)}"
        if key is None
        else f"{expression(key)}: {expression(value)}"
        for key, value in zip(node.keys, node.values, strict=True)
    ]
    return f"{{{', '.join(items)}}}", ATOM


def _generators(nodes: Sequence[Any]) -> str:
    text = ""
    for node in nodes:
        text += " async for " if node.is_async else " for "
        text += f"{bare(node.target)} in {expression(node.iter, OR)}"
        text += "".join([f" if {expression(test, OR)}" for test in node.ifs])
    return text


def _list_comp(node: Any) -> tuple[str, int]:
    return f"[{expression(node.elt)}{_generators(node.generators)}]", ATOM


def _set_comp(node: Any) -> tuple[str, int]:
    return f"{{{expression(node.elt)}{_generators(node.generators)}}}", ATOM


def _dict_comp(node: Any) -> tuple[str, int]:
    item = f"{expression(node.key)}: {expression(node.value)}"
    return f"{{{item}{_generators(node.generators)}}}", ATOM


def _generator_exp(node: Any) -> tuple[str, int]:
    return f"({expression(node.elt)}{_generators(node.generators)})", ATOM


# ---- trailers --------------------------------------------------------------------


def _attribute(node: Any) -> tuple[str, int]:
    value = expression(node.value, ATOM)
    if value[0].isdigit():
        value = f"({value})"
    return f"{value}.{node.attr}", ATOM


def _call(node: Any) -> tuple[str, int]:
    args = node.args
    if len(args) == 1 and type(args[0]).__name__ == "GeneratorExp":
        if not node.keywords:
            return expression(node.func, ATOM) + expression(args[0]), ATOM
    parts = [
        f"*{expression(a.value)}" if type(a).__name__ == "Starred" else expression(a)
        for a in args
    ]
    return f"{expression(node.func, ATOM)}({arguments(parts, node.keywords)})", ATOM


def arguments(parts: list[str], keywords: Sequence[Any]) -> str:
    """Positional arguments as text, then keyword arguments."""
    for keyword in keywords:
        value = expression(keyword.value)
        parts.append(f"**{value}" if keyword.arg is None else f"{keyword.arg}={value}")
    return ", ".join(parts)


def _subscript(node: Any) -> tuple[str, int]:
    index = node.slice
    if isinstance(index, gast.Tuple | ast.Tuple) and len(index.elts) == 1:
        inner = f"{expression(index.elts[0])},"
        if not isinstance(index.elts[0], gast.Slice | ast.Slice):
            inner = f"({inner})"
    elif isinstance(index, gast.Tuple | ast.Tuple) and index.elts:
        inner = sequence(index.elts)
    else:
        inner = expression(index)
    return f"{expression(node.value, ATOM)}[{inner}]", ATOM


def _slice(node: Any) -> tuple[str, int]:
    parts = [node.lower, node.upper] + ([node.step] if node.step is not None else [])
    texts = ["" if part is None else expression(part) for part in parts]
    present = [part for part in parts if part is not None]
    if not any(_is_complex(part) for part in present):
        return ":".join(texts), ATOM
    text = texts[0]
    for part in texts[1:]:
        text += (" :" if text and text[-1] != ":" else ":") + (
            f" {part}" if part else ""
        )
    return text, ATOM


def _is_complex(node: Any) -> bool:
    return any(type(n).__name__ in _COMPLEX_IN_SLICE for n in ast.walk(node))


_WRITERS = {
    "Name": _name,
    "Constant": _constant,
    "BinOp": _bin_op,
    "UnaryOp": _unary_op,
    "BoolOp": _bool_op,
    "Compare": _compare,
    "IfExp": _if_exp,
    "Lambda": _lambda,
    "NamedExpr": _named_expr,
    "Yield": _yield,
    "YieldFrom": _yield_from,
    "Await": _await,
    "Starred": _starred,
    "Tuple": _tuple,
    "List": _list,
    "Set": _set,
    "Dict": _dict,
    "ListComp": _list_comp,
    "SetComp": _set_comp,
    "DictComp": _dict_comp,
    "GeneratorExp": _generator_exp,
    "Attribute": _attribute,
    "Call": _call,
    "Subscript": _subscript,
    "Slice": _slice,
}
