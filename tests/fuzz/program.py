"""Whole programs: the six grammars, the helpers, the text."""

from __future__ import annotations

import dataclasses
import random

from tests.fuzz import buffers as _buffers
from tests.fuzz import calls as _calls
from tests.fuzz import containers as _containers
from tests.fuzz import flow as _flow
from tests.fuzz import functions as _functions
from tests.fuzz import grown as _grown
from tests.fuzz import operands as _operands
from tests.fuzz import protocols as _protocols
from tests.fuzz import raising as _raising
from tests.fuzz import reading as _reading
from tests.fuzz import replacing as _replacing
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
    "print": 0.4,
}
STORES = CONTROL | {
    "assign": 1.5,
    "chained": 0.2,
    "lambda": 0.2,
    "inner_function": 0.2,
    "early_return": 0.3,
    "print": 0.2,
    "buffer": 1.5,
    "store_element": 2.5,
    "update_element": 1.8,
    "store_slice": 1.8,
    "update_slice": 1.5,
    "store_fancy": 1.0,
    "store_masked": 0.8,
    "update_array": 1.2,
    "view": 2.6,
    "alias": 1.2,
    "swap_arrays": 1.2,
    "matrix_store": 1.2,
    "out_argument": 0.7,
    "list_change": 1.8,
    "list_of_arrays": 0.5,
    "arrays_in_turn": 1.0,
    "items_of_other_forms": 0.6,
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
    "cell_object": 2.5,
    "fold": 1.5,
    "star_unpack": 0.6,
    "dict_display": 1.6,
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
OBJECTS = {
    "assign": 0.8,
    "augmented": 0.5,
    "chained": 0.15,
    "unpack": 0.4,
    "vector_assign": 0.6,
    "matrix_assign": 0.1,
    "integer_assign": 0.4,
    "boolean_assign": 0.15,
    "if": 1.2,
    "for": 1.2,
    "while": 0.4,
    "leave_loop": 0.5,
    "early_return": 0.3,
    "list_display": 0.5,
    "list_slice": 1.4,
    "list_method": 2.2,
    "alias_of_a_list": 0.6,
    "dict_method": 2.0,
    "computed_dict": 0.6,
    "default_dict": 1.0,
    "set_of_indices": 1.0,
    "deque": 1.2,
    "record": 2.8,
    "starred": 1.2,
    "consumed": 2.4,
    "asked": 1.3,
    "nested_change": 0.7,
    "stack": 0.6,
    "with": 1.2,
    "try_of_callee": 0.9,
    "try_in_loop": 0.6,
    "finally": 0.6,
    "assert": 0.8,
    "delete_name": 0.8,
    "match_values": 1.0,
    "match_parts": 3.4,
    "walrus_everywhere": 0.9,
    "short_circuit": 0.8,
    "logical_value": 0.9,
    "late_binding": 0.8,
    "counters": 0.9,
    "nonlocal_function": 0.4,
    "functions_kept": 1.0,
    "partials": 2.0,
    "effects_of_callees": 0.9,
    "list_of_a_callee": 0.6,
    "object_with_state": 3.6,
    "call_statement": 0.4,
}
STORES |= {
    "matrix_assign": 1.0,
    "store_fancy": 2.2,
    "store_masked": 2.2,
    "matrix_store": 4.0,
    "out_argument": 0.9,
    "writing_function": 4.0,
    "power_in_place": 1.6,
    "swap_elements": 1.0,
    "views_in_a_loop": 1.0,
    "matrix_forms": 3.4,
    "rolling_buffers": 0.8,
    "buffers_in_containers": 1.2,
    "moving_index": 0.9,
    "effects_of_callees": 0.5,
}
PROTOCOLS = {
    "assign": 0.8,
    "augmented": 0.5,
    "unpack": 0.3,
    "vector_assign": 0.4,
    "integer_assign": 0.4,
    "if": 1.0,
    "for": 1.2,
    "while": 0.4,
    "leave_loop": 0.4,
    "early_return": 0.3,
    "list_display": 0.4,
    "list_method": 0.4,
    "dict_method": 0.4,
    "record": 0.5,
    "named_iterator": 4.5,
    "named_pairs": 1.5,
    "named_view": 1.9,
    "changed_while_read": 1.6,
    "dict_of_lists": 2.2,
    "list_of_lists": 5.2,
    "tuple_of_lists": 1.3,
    "dict_comprehension": 1.4,
    "generators_read": 1.4,
    "own_generator": 0.9,
    "shelf": 2.2,
    "shelf_opened": 1.2,
    "tank": 2.4,
    "tray": 2.4,
    "store_in_finally": 1.5,
    "exit_through_finally": 1.5,
    "raised_again": 2.2,
    "handled_in_handler": 1.0,
    "tried_block": 0.6,
    "parts_that_change": 2.6,
}
GRAMMARS = {"control": CONTROL, "stores": STORES, "calls": CALLS, "objects": OBJECTS}
GROWN = {
    "assign": 0.8,
    "augmented": 0.5,
    "unpack": 0.3,
    "vector_assign": 0.4,
    "integer_assign": 0.4,
    "if": 1.2,
    "for": 1.3,
    "while": 0.5,
    "leave_loop": 0.5,
    "early_return": 0.3,
    "inner_function": 0.3,
    "list_display": 0.3,
    "list_method": 0.3,
    "try_of_callee": 0.3,
    "finally": 0.2,
    "grown_records": 6.0,
    "best_so_far": 1.2,
    "linked": 2.4,
}
GRAMMARS |= {"protocols": PROTOCOLS, "grown": GROWN}
# How many statements a program has where that is not the usual number.
_BUDGETS = {
    "objects": (8, 18),
    "stores": (6, 18),
    "protocols": (8, 16),
    "grown": (5, 12),
}
# How likely a helper is, and what stands before the helpers.
_HELPERS = {
    "control": 0.6,
    "stores": 0.5,
    "calls": 0.9,
    "objects": 0.3,
    "protocols": 0.2,
    "grown": 0.3,
}
_PREAMBLES = {
    "control": (),
    "stores": (_functions.CALLEES,),
    "calls": (_calls.CELL,),
    "objects": (_containers.RECORDS, _flow.TOOLS, _functions.CALLEES),
    "protocols": (
        _containers.RECORDS,
        _flow.TOOLS,
        _reading.GENERATORS,
        _protocols.CLASSES,
        _operands.CALLEES,
    ),
    "grown": (_flow.TOOLS, _grown.CLASSES),
}
_MODULES = ("collections", "contextlib", "dataclasses", "functools", "math", "types")
MODULE_HEAD = "".join(f"import {name}\n" for name in _MODULES) + (
    "from typing import NamedTuple\n\nimport numpy as np\n\n"
)
# Imported for the statements that they register.
_REGISTERED = (_buffers, _calls, _containers, _flow, _functions, _stores)
_REGISTERED += (_grown, _operands, _protocols, _raising, _reading, _replacing)


@dataclasses.dataclass(frozen=True)
class Program:
    """A generated module and the arguments to call its function with.

    Attributes:
        text: the module's source; the function is named `program`.
        arguments: tuples `(x, y, n)`.
        given: what all programs of the grammar begin with.
    """

    text: str
    arguments: tuple[tuple[float, tuple[float, ...], int], ...]
    given: str = ""

    @property
    def own(self) -> str:
        """The text that is this program's alone."""
        return self.text.replace(self.given, "", 1)


def generate(rng: random.Random, grammar: str = "control") -> Program:
    """One random program.

    Args:
        rng: the source of every choice; the same state gives the same program.
        grammar: control, stores, calls, objects, protocols or grown.
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
    ctx.budget = rng.randint(*_BUDGETS.get(grammar, (5, 16)))
    if rng.random() < 0.2:
        ctx.emit('"""A random program."""')
    write_statements(ctx, ctx.budget if grammar in _BUDGETS else rng.randint(3, 9))
    ctx.emit(f"return {result(ctx)}")
    blocks.append("def program(x, y, n):\n" + "\n".join(ctx.lines) + "\n")
    given = "\n\n".join(_PREAMBLES[grammar])
    text = MODULE_HEAD + "\n" + "\n\n".join([given, *blocks] if given else blocks)
    return Program(text, tuple(_arguments(rng, k) for k in range(2)), given)


def _arguments(rng: random.Random, k: int) -> tuple[float, tuple[float, ...], int]:
    x = round(rng.uniform(-1.5, 1.5), 3)
    # No two are equal: neither a sort nor a maximum has a derivative there.
    y = tuple(v / 1000 for v in rng.sample(range(-1500, 1501), LENGTH))
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
