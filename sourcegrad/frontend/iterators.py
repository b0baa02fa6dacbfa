"""`itertools` as plain Python: the frontend builds these generators in.

They are never run: a sequence is an active list, tuple or array read by position.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any


def accumulate(items: Any, function: Any) -> Iterator[Any]:
    """`itertools.accumulate(items, function)`."""
    if len(items) > 0:
        total = items[0]
        yield total
        for k in range(1, len(items)):
            total = function(total, items[k])
            yield total


def accumulate_sum(items: Any) -> Iterator[Any]:
    """`itertools.accumulate(items)`."""
    if len(items) > 0:
        total = items[0]
        yield total
        for k in range(1, len(items)):
            total = total + items[k]
            yield total


def accumulate_from(items: Any, function: Any, initial: Any) -> Iterator[Any]:
    """`itertools.accumulate(items, function, initial=initial)`."""
    total = initial
    yield total
    for item in items:
        total = function(total, item)
        yield total


def accumulate_sum_from(items: Any, initial: Any) -> Iterator[Any]:
    """`itertools.accumulate(items, initial=initial)`."""
    total = initial
    yield total
    for item in items:
        total = total + item
        yield total


def chain(*sequences: Any) -> Iterator[Any]:
    """`itertools.chain(*sequences)`."""
    for items in sequences:
        yield from items


def chain_all(sequences: Any) -> Iterator[Any]:
    """`itertools.chain.from_iterable(sequences)`."""
    for items in sequences:
        yield from items


def pairwise(items: Any) -> Iterator[Any]:
    """`itertools.pairwise(items)`."""
    for k in range(len(items) - 1):
        yield items[k], items[k + 1]


def zip_longest(size: Any, fill: Any, *sequences: Any) -> Iterator[Any]:
    """`itertools.zip_longest(*sequences, fillvalue=fill)`, of at most `size`."""
    for k in range(size):
        yield tuple([s[k] if k < len(s) else fill for s in sequences])


def combinations(items: Any, size: Any) -> Iterator[Any]:
    """`itertools.combinations(items, size)`."""
    for places in itertools.combinations(range(len(items)), size):
        yield tuple([items[places[k]] for k in range(size)])


def combinations_again(items: Any, size: Any) -> Iterator[Any]:
    """`itertools.combinations_with_replacement(items, size)`."""
    count = range(len(items))
    for places in itertools.combinations_with_replacement(count, size):
        yield tuple([items[places[k]] for k in range(size)])


def permutations(items: Any, size: Any) -> Iterator[Any]:
    """`itertools.permutations(items, size)`."""
    for places in itertools.permutations(range(len(items)), size):
        yield tuple([items[places[k]] for k in range(size)])


def product(first: Any, *others: Any) -> Iterator[Any]:
    """`itertools.product(first, *others)`."""
    if len(others) == 0:
        for item in first:
            yield (item,)
    else:
        for item in first:
            for rest in product(*others):
                yield item, *rest


def islice(items: Any, start: Any, stop: Any, step: Any) -> Iterator[Any]:
    """`itertools.islice(items, start, stop, step)` of a sequence."""
    last = len(items) if stop is None else min(stop, len(items))
    for k in range(start, last, step):
        yield items[k]


def islice_any(items: Any, stop: Any) -> Iterator[Any]:
    """`itertools.islice(items, stop)` of an iterator."""
    left = stop
    if left > 0:
        for item in items:
            yield item
            left = left - 1
            if left <= 0:
                break


def takewhile(test: Any, items: Any) -> Iterator[Any]:
    """`itertools.takewhile(test, items)`."""
    for item in items:
        if not test(item):
            break
        yield item


def dropwhile(test: Any, items: Any) -> Iterator[Any]:
    """`itertools.dropwhile(test, items)`."""
    dropping = True
    for item in items:
        if dropping and not test(item):
            dropping = False
        if not dropping:
            yield item


def filterfalse(test: Any, items: Any) -> Iterator[Any]:
    """`itertools.filterfalse(test, items)`."""
    for item in items:
        if not test(item):
            yield item


def compress(items: Any, chosen: Any) -> Iterator[Any]:
    """`itertools.compress(items, chosen)`."""
    for item, keep in zip(items, chosen, strict=False):
        if keep:
            yield item


def starmap(function: Any, rows: Any) -> Iterator[Any]:
    """`itertools.starmap(function, rows)`."""
    for row in rows:
        yield function(*row)


def groupby(items: Any, key: Any) -> Iterator[Any]:
    """`itertools.groupby(items, key)`, with lists as groups."""
    keys = [key(item) for item in items]
    start = 0
    while start < len(items):
        end = start + 1
        while end < len(items) and keys[end] == keys[start]:
            end = end + 1
        yield keys[start], [items[k] for k in range(start, end)]
        start = end


def repeat(item: Any, times: Any) -> Iterator[Any]:
    """`itertools.repeat(item, times)`."""
    for _ in range(times):
        yield item


def repeat_always(item: Any) -> Iterator[Any]:
    """`itertools.repeat(item)`."""
    while True:
        yield item


def count(start: Any, step: Any) -> Iterator[Any]:
    """`itertools.count(start, step)`."""
    value = start
    while True:
        yield value
        value = value + step


def cycle(items: Any) -> Iterator[Any]:
    """`itertools.cycle(items)`."""
    k = 0
    while len(items) > 0:
        yield items[k % len(items)]
        k = k + 1


def batched(items: Any, size: Any) -> Iterator[Any]:
    """`itertools.batched(items, size)`, with lists as batches."""
    for start in range(0, len(items), size):
        yield [items[k] for k in range(start, min(start + size, len(items)))]


def zipped(size: Any, *sequences: Any) -> Iterator[Any]:
    """`zip(*sequences)`, of the least length `size`."""
    for k in range(size):
        yield tuple([s[k] for s in sequences])


def numbered(items: Any, start: Any) -> Iterator[Any]:
    """`enumerate(items, start)`."""
    place = start
    for item in items:
        yield place, item
        place = place + 1


def walked(items: Any) -> Iterator[Any]:
    """`iter(items)`."""
    yield from items


def backwards(items: Any, count: Any) -> Iterator[Any]:
    """`reversed(items)` of a sequence that was `count` long."""
    for place in range(count - 1, -1, -1):
        if place >= len(items):
            return
        yield items[place]


def columns(rows: Any) -> Iterator[Any]:
    """`zip(*rows)`, with lists as items."""
    if len(rows) > 0:
        for k in range(min([len(row) for row in rows])):
            yield [row[k] for row in rows]


def alone(items: Any) -> Iterator[Any]:
    """`zip(items)`."""
    for item in items:
        yield (item,)


def in_pairs(first: Any, second: Any) -> Iterator[Any]:
    """`zip(first, second)`."""
    yield from zip(first, second)  # noqa: B905  (as zip does)


def in_triples(first: Any, second: Any, third: Any) -> Iterator[Any]:
    """`zip(first, second, third)`."""
    yield from zip(first, second, third)  # noqa: B905  (as zip does)


IN_STEP = {1: alone, 2: in_pairs, 3: in_triples}


def mapped(function: Any, items: Any) -> Iterator[Any]:
    """`map(function, items)`."""
    for item in items:
        yield function(item)


def mapped_several(function: Any, *columns: Any) -> Iterator[Any]:
    """`map(function, *columns)`."""
    for items in zip(*columns):  # noqa: B905  (as map does)
        yield function(*items)


def filtered(function: Any, items: Any) -> Iterator[Any]:
    """`filter(function, items)`."""
    for item in items:
        if function(item):
            yield item


def led_by_first(items: Any, others: Any, count: Any) -> Iterator[Any]:
    """`zip(items, *others)` of a generator and sequences, the shortest `count` long."""
    k = 0
    for item in items:
        if k >= count:
            return
        yield (item, *[other[k] for other in others])
        k = k + 1


def led_by_last(others: Any, items: Any, count: Any) -> Iterator[Any]:
    """`zip(*others, items)` of sequences and a generator."""
    k = 0
    if count > 0:
        for item in items:
            yield (*[other[k] for other in others], item)
            k = k + 1
            if k >= count:
                return
