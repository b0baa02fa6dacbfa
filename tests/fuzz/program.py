"""Whole programs: the four grammars, the helpers, the text."""

from __future__ import annotations

import dataclasses
import random

from tests.fuzz import buffers as _buffers
from tests.fuzz import calls as _calls
from tests.fuzz import containers as _containers
from tests.fuzz import flow as _flow
from tests.fuzz import functions as _functions
from tests.fuzz import stores as _stores
from tests.fuzz.context import Context, Helper, Var, write_statements
from tests.fuzz.control import result
from tests.fuzz.expressions import LENGTH, scalar

CONTROL = {
    "assign": 3,
    "plain_copy": 0.7,
    "augmented": 1.5,
    "chained": 0.4,
    "unpack": 1.3,
    "vector_assign": 1.2,
    "matrix_assign": 0.4,
    "integer_assign": 0.6,
    "boolean_assign": 0.4,
    "if": 2,
    "maybe_defined": 0.4,
    "for": 2.5,
    "while": 1.3,
    "leave_loop": 1.5,
    "early_return": 0.6,
    "lambda": 0.6,
    "inner_function": 0.5,
    "tuple_display": 0.5,
    "list_display": 0.8,
    "print": 0.15,
}
STORES = CONTROL | {
    "assign": 1.5,
    "chained": 0.2,
    "lambda": 0.2,
    "inner_function": 0.2,
    "early_return": 0.3,
    "print": 0.05,
    "buffer": 1.5,
    "store_element": 2.5,
    "update_element": 1.8,
    "store_slice": 1.8,
    "update_slice": 1.5,
    "store_fancy": 1.0,
    "store_masked": 0.8,
    "update_array": 1.2,
    "view": 2.0,
    "alias": 1.2,
    "swap_arrays": 1.2,
    "matrix_store": 1.2,
    "out_argument": 0.7,
    "list_change": 1.2,
    "list_of_arrays": 0.5,
    "dict_change": 0.5,
    "try": 0.8,
    "raise": 0.5,
    "call_statement": 0.8,
}
CALLS = CONTROL | {
    "lambda": 1.0,
    "inner_function": 1.0,
    "call_statement": 3.0,
    "nonlocal_function": 0.8,
    "cell_object": 1.5,
    "fold": 1.5,
    "star_unpack": 0.6,
    "dict_display": 0.7,
    "nested_container": 0.6,
    "walrus": 0.6,
    "match": 0.5,
    "conditional_function": 0.5,
    "window": 0.3,
    "list_change": 1.0,
    "dict_change": 0.6,
    "store_element": 0.6,
    "update_element": 0.6,
    "view": 0.4,
    "try": 0.5,
}
OBJECTS = CONTROL | {
    "assign": 1.2,
    "augmented": 0.7,
    "chained": 0.2,
    "unpack": 0.6,
    "vector_assign": 0.8,
    "matrix_assign": 0.1,
    "boolean_assign": 0.2,
    "tuple_display": 0.2,
    "if": 1.5,
    "for": 1.5,
    "while": 0.6,
    "leave_loop": 0.8,
    "early_return": 0.4,
    "print": 0.05,
    "list_slice": 1.0,
    "list_method": 1.0,
    "alias_of_a_list": 0.5,
    "dict_method": 1.2,
    "computed_dict": 0.5,
    "default_dict": 0.5,
    "set_of_indices": 0.5,
    "deque": 0.9,
    "record": 1.5,
    "starred": 0.6,
    "consumed": 1.4,
    "nested_change": 0.7,
    "stack": 0.6,
    "with": 0.9,
    "try_of_callee": 0.8,
    "try_in_loop": 0.7,
    "finally": 0.5,
    "assert": 0.4,
    "delete_name": 0.5,
    "match_values": 0.6,
    "match_parts": 0.8,
    "walrus_everywhere": 0.9,
    "short_circuit": 0.6,
    "logical_value": 0.7,
    "late_binding": 0.6,
    "counters": 0.5,
    "nonlocal_function": 0.4,
    "functions_kept": 0.8,
    "partials": 0.8,
    "effects_of_callees": 0.9,
    "list_of_a_callee": 0.5,
    "object_with_state": 1.6,
    "call_statement": 0.5,
}
STORES |= {
    "writing_function": 2.0,
    "power_in_place": 0.8,
    "swap_elements": 1.0,
    "views_in_a_loop": 1.0,
    "matrix_forms": 1.2,
    "rolling_buffers": 0.8,
    "buffers_in_containers": 1.2,
    "moving_index": 0.9,
    "effects_of_callees": 0.5,
}
GRAMMARS = {"control": CONTROL, "stores": STORES, "calls": CALLS, "objects": OBJECTS}
# How likely a helper is, and what stands before the helpers.
_HELPERS = {"control": 0.6, "stores": 0.5, "calls": 0.9, "objects": 0.3}
_PREAMBLES = {
    "control": (),
    "stores": (_functions.CALLEES,),
    "calls": (_calls.CELL,),
    "objects": (_containers.RECORDS, _flow.TOOLS, _functions.CALLEES),
}
_MODULES = ("collections", "contextlib", "dataclasses", "functools", "math", "types")
MODULE_HEAD = "".join(f"import {name}\n" for name in _MODULES) + (
    "from typing import NamedTuple\n\nimport numpy as np\n\n"
)
# Imported for the statements that they register.
_REGISTERED = (_buffers, _calls, _containers, _flow, _functions, _stores)


@dataclasses.dataclass(frozen=True)
class Program:
    """A generated module and the arguments to call its function with.

    Attributes:
        text: the module's source; the function is named `program`.
        arguments: tuples `(x, y, n)`.
    """

    text: str
    arguments: tuple[tuple[float, tuple[float, ...], int], ...]


def generate(rng: random.Random, grammar: str = "control") -> Program:
    """One random program.

    Args:
        rng: the source of every choice; the same state gives the same program.
        grammar: control, stores, calls or objects.
    """
    weights = GRAMMARS[grammar]
    many = _HELPERS[grammar]
    blocks, helpers = [], []
    while len(helpers) < 3 and rng.random() < many:
        text, helper = _helper(rng, weights, grammar, len(helpers), list(helpers))
        blocks.append(text)
        helpers.append(helper)
    ctx = _context(rng, weights, "svi", ("x", "y", "n"))
    ctx.helpers, ctx.bound = list(helpers), "n"
    ctx.budget = rng.randint(5, 16)
    if rng.random() < 0.2:
        ctx.emit('"""A random program."""')
    write_statements(ctx, rng.randint(3, 9))
    ctx.emit(f"return {result(ctx)}")
    blocks.append("def program(x, y, n):\n" + "\n".join(ctx.lines) + "\n")
    blocks[:0] = _PREAMBLES[grammar]
    text = MODULE_HEAD + "\n" + "\n\n".join(blocks)
    return Program(text, tuple(_arguments(rng, k) for k in range(2)))


def _arguments(rng: random.Random, k: int) -> tuple[float, tuple[float, ...], int]:
    x = round(rng.uniform(-1.5, 1.5), 3)
    y = tuple(round(rng.uniform(-1.5, 1.5), 3) for _ in range(LENGTH))
    return x, y, rng.randint(1, 4) if k == 0 else rng.randint(0, 2)


def _context(
    rng: random.Random, weights: dict[str, float], kinds: str, names: tuple[str, ...]
) -> Context:
    scope = {
        name: Var(kind, {"v": LENGTH, "l": 2}.get(kind, 0))
        for name, kind in zip(names, kinds, strict=True)
    }
    ctx = Context(rng, weights, scope)
    ctx.taken |= {"program", "x", "y", "n"}
    ctx.frozen |= {
        name for name, kind in zip(names, kinds, strict=True) if kind in "fn"
    }
    return ctx


def _helper(
    rng: random.Random,
    weights: dict[str, float],
    grammar: str,
    number: int,
    known: list[Helper],
) -> tuple[str, Helper]:
    name = rng.choice(("scaled", "mixed", "step", "blend")) + str(number)
    recursive = rng.random() < 0.25
    kinds = (
        ("s" + rng.choice(("", "s", "v", "sv", "i", "f"))) if not recursive else "si"
    )
    shape = rng.choice("ssst" + ("v" if "v" in kinds else ""))
    if grammar == "stores" and "v" in kinds and rng.random() < 0.3:
        shape = "n"
    shape = "s" if recursive else shape
    defaults = int(kinds[-1] == "s" and len(kinds) > 1 and rng.random() < 0.6)
    helper = Helper(name, kinds, shape, defaults, recursive)
    names = tuple(f"p{k}" for k in range(len(kinds)))
    ctx = _context(rng, weights, kinds, names)
    ctx.helpers, ctx.result, ctx.budget = known, shape, rng.randint(2, 5)
    heads = list(names)
    if defaults:
        heads[-1] += f"={ctx.number()}"
    if recursive:
        ctx.emit(f"if p1 <= 0:\n        return np.sin({scalar(ctx, 1)})")
        ctx.frozen.add("p1")
        ctx.bound = "p1"
    write_statements(ctx, rng.randint(0, 3))
    if recursive:
        ctx.emit(
            f"return np.tanh({scalar(ctx, 1)}) * "
            f"{name}(np.sin({scalar(ctx, 1)}), p1 - 1)"
        )
    elif shape == "n":
        _effect(ctx, names[kinds.index("v")])
    else:
        ctx.emit(f"return {result(ctx)}")
    return f"def {name}({', '.join(heads)}):\n" + "\n".join(ctx.lines) + "\n", helper


def _effect(ctx: Context, vector: str) -> None:
    """A last statement that mutates an argument; no early returns of values matter."""
    at = ctx.rng.randint(-LENGTH, LENGTH - 1)
    ctx.emit(f"{vector}[{at}] = np.sin({scalar(ctx, 1)})")
