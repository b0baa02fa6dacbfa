"""The rules that are broken, one at a time."""

from __future__ import annotations

from tests.mutants.breaking import Mutant

_REVERSE = "sourcegrad.passes.reverse:Reverse."
_LOOPS = "sourcegrad.adjoint.loops:LoopAdjoints."
_STORES = "sourcegrad.adjoint.stores:StoreAdjoints."
_RECORD = "sourcegrad.passes.record:"
_COTANGENTS = "sourcegrad.adjoint.cotangents:Cotangents."
_CALLS = "sourcegrad.adjoint.calls:"
_SNAPSHOTS = "sourcegrad.adjoint.snapshots:Snapshots."

MUTANTS = [
    Mutant(
        "the cotangent of an overwritten carried value is kept",
        _LOOPS + "loop",
        "end = self.cot.zero(body.params[k]) if bar is None else bar.expr",
        "end = Ref(heads[carried.index(k)]) if bar is None else bar.expr",
        ("overwritten_in_loop",),
    ),
    Mutant(
        "the first value of a carried variable gets no cotangent",
        _LOOPS + "after_loop",
        "self.cot.add(init.value, Ref(result), False)",
        "pass",
        ("carried",),
    ),
    Mutant(
        "contributions made after a loop are forgotten in it",
        _LOOPS + "loop",
        "self.start(v, self.cot.bars.get(v))",
        "self.start(v, None)",
        ("used_around_loop",),
    ),
    Mutant(
        "a branch hands no cotangent to what it yields",
        _REVERSE + "branch",
        "self.cot.add(expr.value, bar.expr, False)",
        "pass",
        ("branch", "branch_in_loop"),
    ),
    Mutant(
        "a repeated index adds once",
        "sourcegrad.adjoint.contributions:_getitem",
        "if may_repeat(rev.b.infer, index):",
        "if False:",
        ("fancy_read",),
    ),
    Mutant(
        "broadcasting is not summed over",
        "sourcegrad.adjoint.stretched:unbroadcast",
        "if all(is_scalar(k) for k in others):",
        "if True:",
        ("broadcast",),
    ),
    Mutant(
        "a later contribution replaces an earlier one",
        _COTANGENTS + "accumulate",
        'total = self.b.folded(Op("add", (before, g)))',
        "total = g",
        ("used_twice",),
    ),
    Mutant(
        "a shared first contribution counts as owned",
        _COTANGENTS + "accumulate",
        "fresh = fresh_root(g) if owned is None else owned",
        "fresh = True",
        ("one_cotangent_for_two",),
    ),
    Mutant(
        "a loop with a break counts as one whose trips are known",
        _RECORD + "Record.index_form",
        "and loop.body.stop is None",
        "",
        ("break_", "break_of_a_linear_loop"),
    ),
    Mutant(
        "a range is walked backwards from the wrong end",
        _RECORD + "_backwards",
        "return b.folded(_less(high, 1)), b.folded(_less(low, 1)), Lit(-1)",
        "return b.folded(_less(high, 1)), low, Lit(-1)",
        ("carried",),
    ),
    Mutant(
        "a range with a step is walked back from its bound",
        _RECORD + "_backwards",
        'end = b.folded(Op("add", (low, Op("mul", (last, step)))))',
        "end = _less(high, 1)",
        ("range_step", "linear_range_step"),
    ),
    Mutant(
        "names are shared by values that are alive at once",
        "sourcegrad.passes.names_out:_Classes.join",
        "if not force and self.conflicts[i] & self.members[j]:",
        "if False:",
        ("returned_carried", "rotation", "carried"),
    ),
    Mutant(
        "copies at the end of a trip are made one after the other",
        "sourcegrad.passes.emit:Emit.copies",
        "if not self.read_by_others(c, pending)",
        "if True",
        ("rotation",),
    ),
    Mutant(
        "made names do not avoid those in use",
        "sourcegrad.names:fresh",
        "while name in taken or name in RESERVED:",
        "while name in RESERVED:",
        ("names",),
    ),
    Mutant(
        "what a carried value depends on inside of a loop is not useful",
        "sourcegrad.analysis.activity:definitions",
        "yield [param], [stmt.inits[k], *stmt.body.yields[k : k + 1]]",
        "yield [param], [stmt.inits[k]]",
        ("carried",),
    ),
    Mutant(
        "a cheap value is computed again from changed operands",
        _RECORD + "Record.at_hand",
        "v in available or self.home.region.get(v) not in self.own(forward)",
        "True",
        ("square_of_a_sum", "index_state", "nested_loops", "carried"),
    ),
    Mutant(
        "a store does not clear the cotangent of what it overwrites",
        _STORES + "store_adjoint",
        "b.append(Store(shadow, index, Lit(0.0), None))",
        "pass",
        ("overwrite",),
        issue=3,
    ),
    Mutant(
        "the cotangent of a stored slice is not copied",
        _STORES + "slot_copy",
        "slot = self.cot.copied(slot)",
        "pass",
        ("overlap", "increment_of_a_slice"),
        issue=3,
    ),
    Mutant(
        "old contents are not kept",
        _SNAPSHOTS + "at_risk",
        "return self.effects.is_mutated(value) and self.written_later(value, stmt)",
        "return False",
        ("old_contents", "overwrite"),
        issue=3,
    ),
    Mutant(
        "a store in a loop is later only if it stands below",
        _SNAPSHOTS + "_after",
        "if isinstance(s1, Loop) and not _inside(self.paths.get(id(made)), s1):",
        "if False:",
        ("old_contents_in_loop",),
        issue=3,
    ),
    Mutant(
        "old contents are kept without a copy",
        _SNAPSHOTS + "_whole",
        "self._insert(call(self._copy(value), e), value, stmt, region)",
        'self._insert(call(self.b.binder.bind(np.asarray, "asarray"), e), value, '
        "stmt, region)",
        ("old_contents",),
        issue=3,
    ),
    Mutant(
        "views do not share memory",
        "sourcegrad.analysis.effects:_alias",
        "for base in view_bases(expr):\n        _share(fx, target, base)",
        "pass",
        ("view",),
        issue=3,
    ),
    Mutant(
        "carried arrays do not share memory",
        "sourcegrad.analysis.effects:_phis",
        "fx.join(target, expr.value)",
        "pass",
        ("chosen_array",),
        issue=3,
    ),
    Mutant(
        "memory is read again where it may have changed",
        _RECORD + "Record.intact",
        "if any(has_memory(v) and self.effects.is_mutated(v) for v in refs(e)):",
        "if False:",
        ("reread",),
        issue=3,
    ),
    Mutant(
        "reads are moved past stores",
        "sourcegrad.passes.inline_temps:_region",
        "if writes(stmt):",
        "if False:",
        ("old_contents_read_once",),
        issue=3,
    ),
    Mutant(
        "what the caller writes is not copied for a callee",
        _CALLS + "_keep_apart",
        "stmt.args[k] = rev.snapshots.copied(arg, held[0])",
        "pass",
        ("operand_written",),
        issue=3,
    ),
    Mutant(
        "a result that the caller writes is not copied",
        _CALLS + "_keep_apart",
        "copy = rev.snapshots.copied(Ref(made), target)",
        "copy = Ref(made)",
        ("result_written",),
        issue=3,
    ),
    Mutant(
        "a cotangent that a callee hands back counts as owned",
        _CALLS + "pull",
        "Ref(result), False)",
        "Ref(result), True)",
        ("one_cotangent_for_two_operands",),
        issue=3,
    ),
    Mutant(
        "rows that a loop meets share no memory with the array",
        "sourcegrad.analysis.effects:_rows",
        "fx.join(target, fx.content(held_in) if unpacked else held_in)",
        "pass",
        ("rows_of_indices",),
        issue=3,
    ),
]
