"""Views of dicts and iterators that are kept: they show what is there when they are
read, whatever name it was changed under, and are read once."""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

X = np.array([0.735, -1.109, 0.757, 0.825])


class Weight:
    def __init__(self, w):
        self.w = w


class Holder:
    def __init__(self, kept):
        self.kept = kept

    def store(self, key, value):
        self.kept[key] = value


def scaled(x):
    return {k: v * x[1] for k, v in enumerate(x)}


def under_another_name(x):
    table = scaled(x)
    values, other = table.values(), table
    other[1] = x[0] ** 3
    other[7] = x[2]
    return sum(v * v for v in values)


def by_an_inner_function(x):
    table = scaled(x)

    def bump():
        table[2] = x[0]

    items = table.items()
    bump()
    return sum(k * v for k, v in items)


def by_a_method(x):
    holder = Holder(scaled(x))
    values = holder.kept.values()
    holder.store(2, x[0] ** 2)
    return sum(values)


def in_a_container(x):
    table = scaled(x)
    views, outer = [table.values()], {"table": table}
    outer["table"][2] = x[0] ** 2
    return sum(views[0])


def in_an_object(x):
    table = {"p": x[0], "q": x[1]}
    holder = Holder(table.values())
    table["p"] = x[0] ** 3
    return sum(v * v for v in holder.kept)


def keys_that_grow(x):
    table = scaled(x)
    keys = table.keys()
    table[17] = x[0] ** 3
    return len(keys) * x[3] + sum(table[k] for k in keys)


def of_a_callee(x):
    table = scaled(x)

    def values():
        return table.values()

    found = values()
    table[1] = x[0] ** 2
    return sum(found)


def handed_on(x):
    def changed(values, table):
        table[1] = x[0] ** 2
        return sum(values)

    table = scaled(x)
    return changed(table.values(), table)


def changed_in_the_loop(x):
    holder, total = Holder(scaled(x)), 0.0
    for v in holder.kept.values():
        total += v * v
        holder.kept[3] = total
    return total


def named_and_changed_in_the_loop(x):
    table, total = scaled(x), 0.0
    values = table.values()
    for v in values:
        total += v * v
        table[3] = total
    return total


def zip_of_a_view(x):
    table, total = scaled(x), 0.0
    pairs = zip(table.items(), x)
    table[1] = x[0]
    for (k, v), w in pairs:
        total += k * v * w
    return total


def enumerate_of_a_view(x):
    table = {"a": x[0], "b": x[1]}
    pairs, other = enumerate(table.values()), table
    other["b"] = x[2] ** 2
    return sum(k * v for k, v in pairs)


def objects_by_enumerate(x):
    weights = [Weight(x[0]), Weight(x[1])]
    pairs = enumerate(weights)
    weights[0] = Weight(x[2] ** 3)
    weights.append(Weight(x[3]))
    return sum((k + 1) * c.w for k, c in pairs)


def objects_by_zip(x):
    weights = [Weight(x[0]), Weight(x[1])]
    pairs = zip(weights, x)
    weights[0] = Weight(x[2] ** 3)
    weights.append(Weight(x[3]))
    return sum(v * c.w for c, v in pairs)


def objects_by_iter(x):
    weights = [Weight(x[0]), Weight(x[1])]
    remaining = iter(weights)
    weights.append(Weight(x[2] ** 3))
    return sum(c.w for c in remaining)


def objects_backwards(x):
    weights = [Weight(x[0]), Weight(x[1])]
    remaining = reversed(weights)
    weights[0] = Weight(x[2] ** 3)
    return sum(k * c.w for k, c in enumerate(remaining))


def list_backwards(x):
    items = [x[0], x[1], x[2]]
    remaining = reversed(items)
    items[0] = x[3] ** 2
    items.append(x[0])
    return sum(v * k for k, v in enumerate(remaining))


def kept_generator(x):
    items = [x[0], x[1]]
    holder = Holder(v * v for v in items)
    items[1] = x[0] ** 2
    return sum(v for v in holder.kept)


def kept_map(x):
    items = [x[0], x[1]]
    kept = {"sines": map(np.sin, items)}
    items[1] = x[0] ** 2
    return sum(kept["sines"])


def changed_by_a_method_that_it_reads(x):
    holder = Holder([x[0], x[1]])
    squares = (v * v for v in holder.kept)
    holder.store(0, x[2] ** 3)
    return sum(squares)


RIGHT = (
    under_another_name, by_an_inner_function, by_a_method, in_a_container, in_an_object,
    keys_that_grow, of_a_callee, handed_on, changed_in_the_loop,
    named_and_changed_in_the_loop, zip_of_a_view, enumerate_of_a_view,
    objects_by_enumerate, objects_by_zip, objects_by_iter, objects_backwards,
    list_backwards, kept_generator, kept_map, changed_by_a_method_that_it_reads,
)  # fmt: skip


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_program(f):
    check(f, X.copy())


def one_of_two_views(x):
    first, second = {"p": x[0], "q": x[1]}, {"p": x[2], "q": x[3]}
    values = first.values() if x[0] < 0 else second.values()
    first["p"] = x[0] ** 3
    second["p"] = x[0] ** 4
    return sum(values)


def another_view_in_each_trip(x):
    first, second = {"p": x[0]}, {"p": x[2]}
    values, total = first.values(), 0.0
    for k in range(len(x)):
        first["p"] = first["p"] * x[1]
        total += sum(values)
        if k > 0:
            values = second.values()
        second["p"] = second["p"] * x[3]
    return total


def kept_and_read_twice(x):
    holder = Holder(v * x[0] for v in x)
    return sum(holder.kept) + 3.0 * sum(holder.kept)


def zip_kept_and_read_twice(x):
    kept = [zip(x, x)]
    return sum(a * b for a, b in kept[0]) + sum(a for a, _ in kept[0])


@pytest.mark.parametrize(
    "f",
    [
        one_of_two_views,
        another_view_in_each_trip,
        kept_and_read_twice,
        zip_kept_and_read_twice,
    ],
    ids=lambda f: f.__name__,
)
def test_never_wrong(f):
    """Each is right, or refused with its place."""
    try:
        sourcegrad.value_and_grad(f)(X.copy())
    except sourcegrad.SourcegradError as error:
        assert "test_kept_views.py" in str(error)
        return
    check(f, X.copy())


def test_views_that_cannot_be_told_apart_are_refused():
    with pytest.raises(sourcegrad.SourcegradError, match="different things"):
        sourcegrad.grad(one_of_two_views)(X)


def test_a_kept_iterator_is_read_once():
    with pytest.raises(sourcegrad.SourcegradError, match="more than one place"):
        sourcegrad.grad(kept_and_read_twice)(X)


# ------------------------------------------------- generators and exceptions


class Large(ValueError):
    pass


def checked(v):
    if v > 0.5:
        raise Large
    return np.sin(v) * v


def guarded(v, log):
    try:
        for k in range(4):
            yield v * k
    except Large:
        log.append(v)


def careful(v):
    for k in range(4):
        yield checked(v * k)


def plain(v):
    for k in range(4):
        yield np.sin(v * k)


def readers_exception_is_its_own(x):
    log, total = [], x[1]
    try:
        for v in guarded(x[0], log):
            total += checked(v)
    except Large:
        total *= x[2]
    return total + sum(log)


def exception_of_an_item(x):
    total = 0.0
    try:
        for v in careful(x[0]):
            total += v
    except Large:
        total = total * x[1] + x[2]
    return total


def exception_of_an_item_without_derivative(x):
    total = 0.0
    try:
        for v in careful(0.4):
            total += v * x[1]
    except Large:
        total = total * x[1] + x[2]
    return total


def computed_items_in_a_try(x):
    total = 0.0
    try:
        for v in plain(x[0]):
            total += checked(v)
    except Large:
        total = total * x[0] + x[1]
    return total


@pytest.mark.parametrize(
    "f",
    [
        readers_exception_is_its_own,
        exception_of_an_item,
        exception_of_an_item_without_derivative,
        computed_items_in_a_try,
    ],
    ids=lambda f: f.__name__,
)
def test_generators_in_a_try(f):
    check(f, X.copy())


# ------------------------------------------------------- rows and columns


def transposed(x):
    rows = [[x[i] * j + x[j] for j in range(3)] for i in range(2)]
    return sum(c[0] * c[1] for c in zip(*rows))


def transposed_twice(x):
    rows = [[x[i] * (j + 1) for j in range(3)] for i in range(len(x))]
    back = [list(r) for r in zip(*[list(c) for c in zip(*rows)])]
    return back[len(x) - 1][2] * back[0][1]


def unzipped(x):
    pairs = [(v * v, v * x[0]) for v in x]
    squares, products = zip(*pairs)
    return sum(squares) * sum(products)


def lists_of_a_comprehension(x):
    lists = {k: [0.7] for k in ("p", "q")}
    for _, items in lists.items():
        items[0] = x[0] * x[1]
    return lists["p"][0] * x[2]


@pytest.mark.parametrize(
    "f",
    [transposed, transposed_twice, unzipped, lists_of_a_comprehension],
    ids=lambda f: f.__name__,
)
def test_rows_and_columns(f):
    check(f, X.copy())
