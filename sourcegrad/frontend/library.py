"""What builtins and list methods do to active elements, as plain Python.

The frontend builds these bodies in where the call stands, so that the derivative of
each is that of the loop it stands for.  They are read, never run.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.runtime_sequences import (
    insertion,
    order_of,
    pairs_of,
    position,
    set_order,
    slice_end,
    slice_positions,
    slice_start,
)

# ---------------------------------------------------------------------- builtins


def listed(items: Any) -> Any:
    """`list(items)`."""
    return [item for item in items]  # noqa: C416


def mapped(function: Any, items: Any) -> Any:
    """`list(map(function, items))`."""
    return [function(item) for item in items]


def mapped_several(function: Any, *columns: Any) -> Any:
    """`map(function, *columns)`."""
    size = min([len(column) for column in columns])
    return [function(*[column[k] for column in columns]) for k in range(size)]


def filtered(function: Any, items: Any) -> Any:
    """`list(filter(function, items))`."""
    return [item for item in items if function(item)]


def filtered_truth(items: Any) -> Any:
    """`list(filter(None, items))`."""
    return [item for item in items if item]


def any_of(items: Any) -> bool:
    """`any(items)` of a generator."""
    for item in items:
        if item:
            return True
    return False


def all_of(items: Any) -> bool:
    """`all(items)` of a generator."""
    for item in items:
        if not item:
            return False
    return True


def reduced(function: Any, items: Any) -> Any:
    """`functools.reduce(function, items)`."""
    total = items[0]
    for k in range(1, len(items)):
        total = function(total, items[k])
    return total


def reduced_from(function: Any, items: Any, initial: Any) -> Any:
    """`functools.reduce(function, items, initial)`."""
    total = initial
    for item in items:
        total = function(total, item)
    return total


def reduced_along(function: Any, items: Any) -> Any:
    """`functools.reduce(function, items)` of a generator."""
    begun, total = False, None
    for item in items:
        if begun:
            total = function(total, item)
        else:
            total, begun = item, True
    if not begun:
        raise TypeError("reduce() of empty iterable with no initial value")
    return total


def largest_along(items: Any, key: Any) -> Any:
    """`max(items, key=key)` of a generator."""
    begun, found, mark = False, None, None
    for item in items:
        own = key(item)
        if not begun or own > mark:
            begun, found, mark = True, item, own
    if not begun:
        raise ValueError("max() iterable argument is empty")
    return found


def smallest_along(items: Any, key: Any) -> Any:
    """`min(items, key=key)` of a generator."""
    begun, found, mark = False, None, None
    for item in items:
        own = key(item)
        if not begun or own < mark:
            begun, found, mark = True, item, own
    if not begun:
        raise ValueError("min() iterable argument is empty")
    return found


def largest(items: Any) -> Any:
    """`max(items)`: the first of the largest elements."""
    best = 0
    for k in range(1, len(items)):
        if items[k] > items[best]:
            best = k
    return items[best]


def smallest(items: Any) -> Any:
    """`min(items)`: the first of the smallest elements."""
    best = 0
    for k in range(1, len(items)):
        if items[k] < items[best]:
            best = k
    return items[best]


def largest_by(items: Any, key: Any) -> Any:
    """`max(items, key=key)`."""
    keys = [key(item) for item in items]
    best = 0
    for k in range(1, len(keys)):
        if keys[k] > keys[best]:
            best = k
    return items[best]


def smallest_by(items: Any, key: Any) -> Any:
    """`min(items, key=key)`."""
    keys = [key(item) for item in items]
    best = 0
    for k in range(1, len(keys)):
        if keys[k] < keys[best]:
            best = k
    return items[best]


def ordered(items: Any, reverse: Any) -> Any:
    """`sorted(items, reverse=reverse)`."""
    return [items[k] for k in order_of(items, reverse)]


def ordered_by(items: Any, key: Any, reverse: Any) -> Any:
    """`sorted(items, key=key, reverse=reverse)`."""
    keys = [key(item) for item in items]
    return [items[k] for k in order_of(keys, reverse)]


def backwards(items: Any) -> Any:
    """`list(reversed(items))`."""
    return [items[k] for k in range(len(items) - 1, -1, -1)]


def set_of(items: Any) -> Any:
    """`set(items)`, as a list."""
    return [items[k] for k in set_order(items)]


# ------------------------------------------------------------------ list methods


def extend(items: Any, more: Any) -> None:
    """`items.extend(more)`."""
    for item in more:
        items.append(item)


def insert(items: Any, index: Any, value: Any) -> None:
    """`items.insert(index, value)`."""
    place = insertion(len(items), index)
    items.append(value)
    for k in range(len(items) - 1, place, -1):
        items[k] = items[k - 1]
    items[place] = value


def pop_at(items: Any, index: Any) -> Any:
    """`items.pop(index)`."""
    place = position(len(items), index)
    taken = items[place]
    for k in range(place, len(items) - 1):
        items[k] = items[k + 1]
    items.pop()
    return taken


def remove(items: Any, value: Any) -> None:
    """`items.remove(value)`."""
    place = items.index(value)
    for k in range(place, len(items) - 1):
        items[k] = items[k + 1]
    items.pop()


def delete_slice(items: Any, start: Any, stop: Any, step: Any) -> None:
    """`del items[start:stop:step]`."""
    for place in sorted(slice_positions(len(items), start, stop, step), reverse=True):
        for k in range(place, len(items) - 1):
            items[k] = items[k + 1]
        items.pop()


def store_slice(items: Any, start: Any, stop: Any, more: Any) -> None:
    """`items[start:stop] = more`."""
    fresh = [item for item in more]  # noqa: C416
    place = slice_start(len(items), start, stop)
    tail = [items[k] for k in range(slice_end(len(items), start, stop), len(items))]
    while len(items) > place:
        items.pop()
    for item in fresh:
        items.append(item)
    for item in tail:
        items.append(item)


def clear(items: Any) -> None:
    """`items.clear()`."""
    while len(items) > 0:
        items.pop()


def reverse(items: Any) -> None:
    """`items.reverse()`."""
    turned = [items[k] for k in range(len(items) - 1, -1, -1)]
    for k in range(len(turned)):
        items[k] = turned[k]


def sort(items: Any, reverse: Any) -> None:
    """`items.sort(reverse=reverse)`."""
    new = [items[k] for k in order_of(items, reverse)]
    for k in range(len(new)):
        items[k] = new[k]


def sort_by(items: Any, key: Any, reverse: Any) -> None:
    """`items.sort(key=key, reverse=reverse)`."""
    keys = [key(item) for item in items]
    new = [items[k] for k in order_of(keys, reverse)]
    for k in range(len(new)):
        items[k] = new[k]


def repeated(items: Any, times: Any) -> Any:
    """`items * times`."""
    return [items[k % len(items)] for k in range(len(items) * max(times, 0))]


def joined(first: Any, second: Any) -> Any:
    """`first + second` of lists."""
    both = [item for item in first]  # noqa: C416
    for item in second:
        both.append(item)
    return both


def sliced(items: Any, start: Any, stop: Any, step: Any) -> Any:
    """`items[start:stop:step]`."""
    return [items[k] for k in slice_positions(len(items), start, stop, step)]


def put_pairs(table: Any, pairs: Any) -> None:
    """`table |= dict(pairs)`."""
    for key, value in pairs:
        table[key] = value


def put_entries(table: Any, other: Any) -> None:
    """`table |= dict(other)` of what has keys."""
    for key in other.keys():
        table[key] = other[key]


def put_unknown(table: Any, source: Any) -> None:
    """`table |= dict(source)`: whether that has keys is known only at run time."""
    for key, value in pairs_of(source):
        table[key] = value


def put_keys(table: Any, keys: Any, value: Any) -> None:
    """`table |= dict.fromkeys(keys, value)`."""
    for key in keys:
        table[key] = value


# --------------------------------------------------------------------- markers


def named_replace(record: Any, **fields: Any) -> Any:
    """Stands for `record._replace(**fields)` of a named tuple."""


def named_dict(record: Any) -> Any:
    """Stands for `record._asdict()` of a named tuple."""


def unchanged(fn: Any) -> Any:
    """Stands for a decorator that changes nothing a derivative sees."""


def checkpointed(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Stands for a call of `checkpoint(fn)`."""


def item_of(keys: Any, options: Any, record: Any) -> Any:
    """Stands for `itemgetter(*keys)(record)`."""


def attribute_of(names: Any, options: Any, record: Any) -> Any:
    """Stands for `attrgetter(*names)(record)`."""


def method_of(name: Any, options: Any, record: Any) -> Any:
    """Stands for `methodcaller(*name, **options)(record)`."""


def base_init(instance: Any, *args: Any) -> None:
    """Stands for the `__init__` of `object` or of a builtin exception."""
