"""Dicts and deques whose keys or length are known only at run time, as plain Python.

A table keeps its values in a list, so that each has a place for its cotangent, and a
plain dict that says where.  The frontend builds these methods in; they are never run.
"""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad.frontend.structs import Object


class Table:
    """A dict."""

    def __init__(self) -> None:
        self.slots: Any = {}
        self.held: Any = []

    def __getitem__(self, key: Any) -> Any:
        return self.held[int(self.slots[key])]

    def __setitem__(self, key: Any, value: Any) -> None:
        if key in self.slots:
            self.held[int(self.slots[key])] = value
        else:
            self.slots[key] = len(self.held)
            self.held.append(value)

    def __delitem__(self, key: Any) -> None:
        self.slots.pop(key)

    def __contains__(self, key: Any) -> Any:
        return key in self.slots

    def __len__(self) -> Any:
        return len(self.slots)

    def __iter__(self) -> Any:
        return list(self.slots)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self.held[int(self.slots[key])] if key in self.slots else default

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is the default if it is new."""
        if key not in self.slots:
            self[key] = default
        return self[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Take a key out; its value, or the default if there is none."""
        if default and key not in self.slots:
            return default[0]
        place = int(self.slots.pop(key))
        return self.held[place]

    def popitem(self, last: Any = True) -> Any:
        """Take the last key out, or the first; it and its value."""
        key = list(self.slots)[-1 if last else 0]
        return key, self.pop(key)

    def move_to_end(self, key: Any, last: Any = True) -> None:
        """Put a key behind all others, or before them."""
        place = self.slots.pop(key)
        if last:
            self.slots[key] = place
        else:
            others = dict(self.slots)
            self.slots.clear()
            self.slots[key] = place
            self.slots.update(others)

    def update(self, *others: Any, **more: Any) -> None:
        """Take over the keys and values of other dicts."""
        for other in (*others, more):
            for key, value in other.items():
                self[key] = value

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def keys(self) -> Any:
        """The keys."""
        return list(self.slots)

    def values(self) -> Any:
        """The values, in the order of the keys."""
        return [self.held[int(place)] for place in self.slots.values()]

    def items(self) -> Any:
        """Keys and values."""
        return [(key, self.held[int(place)]) for key, place in self.slots.items()]

    def each_of_values(self) -> Any:
        """What a loop along the values meets, which may change them meanwhile."""
        for place in self.slots.values():
            yield self.held[int(place)]

    def each_of_items(self) -> Any:
        """What a loop along the items meets."""
        for key, place in self.slots.items():
            yield key, self.held[int(place)]


class DefaultTable(Table):
    """A `defaultdict`."""

    factory: Any

    def __getitem__(self, key: Any) -> Any:
        if key not in self.slots:
            self.slots[key] = len(self.held)
            self.held.append(self.factory())
        return self.held[int(self.slots[key])]


class CountTable(Table):
    """A `Counter`."""

    def __getitem__(self, key: Any) -> Any:
        return self.held[int(self.slots[key])] if key in self.slots else 0

    def update(self, other: Any) -> None:
        """Add the counts of another one."""
        for key, count in other.items():
            self[key] = self[key] + count

    def subtract(self, other: Any) -> None:
        """Take the counts of another one off."""
        for key, count in other.items():
            self[key] = self[key] - count

    def total(self) -> Any:
        """The sum of the counts."""
        return sum(self.values())

    def most_common(self, n: Any = None) -> Any:
        """Keys and counts, the largest first."""
        pairs = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[:n]


class Queue:
    """A deque."""

    def __init__(self) -> None:
        self.inner: Any = []

    def append(self, value: Any) -> None:
        """Put a value at the right end."""
        self.inner.append(value)

    def appendleft(self, value: Any) -> None:
        """Put a value at the left end."""
        self.inner.insert(0, value)

    def pop(self) -> Any:
        """Take the rightmost value."""
        return self.inner.pop()

    def popleft(self) -> Any:
        """Take the leftmost value."""
        return self.inner.pop(0)

    def extend(self, values: Any) -> None:
        """Put values at the right end."""
        for value in values:
            self.append(value)

    def extendleft(self, values: Any) -> None:
        """Put values at the left end, one after the other."""
        for value in values:
            self.appendleft(value)

    def clear(self) -> None:
        """Take every value out."""
        self.inner.clear()

    def reverse(self) -> None:
        """Turn the order round."""
        self.inner.reverse()

    def rotate(self, n: Any = 1) -> None:
        """Move values from one end to the other."""
        for _ in range(n):
            self.appendleft(self.pop())
        for _ in range(-n):
            self.append(self.popleft())

    def __getitem__(self, index: Any) -> Any:
        return self.inner[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.inner[index] = value

    def __len__(self) -> Any:
        return len(self.inner)

    def __iter__(self) -> Any:
        return self.inner


class BoundedQueue(Queue):
    """A deque with a greatest length."""

    maxlen: Any

    def append(self, value: Any) -> None:
        """Put a value at the right end; the leftmost goes if there is no room."""
        self.inner.append(value)
        if len(self.inner) > self.maxlen:
            self.inner.pop(0)

    def appendleft(self, value: Any) -> None:
        """Put a value at the left end; the rightmost goes if there is no room."""
        self.inner.insert(0, value)
        if len(self.inner) > self.maxlen:
            self.inner.pop()


class View:
    """What `keys`, `values` or `items` gave, which shows the dict as it is."""

    def __init__(self, table: Any) -> None:
        self.table: Any = table

    def __len__(self) -> Any:
        return len(self.table)


class Keys(View):
    """`d.keys()`."""

    def __iter__(self) -> Any:
        return self.table.keys()

    def __contains__(self, key: Any) -> Any:
        return key in self.table


class Values(View):
    """`d.values()`."""

    def __iter__(self) -> Any:
        return self.table.values()

    def __contains__(self, value: Any) -> Any:
        return value in self.table.values()


class Items(View):
    """`d.items()`."""

    def __iter__(self) -> Any:
        return self.table.items()

    def __contains__(self, pair: Any) -> Any:
        return pair in self.table.items()


VIEWS: dict[Any, type] = {
    Table.keys: Keys,
    Table.values: Values,
    Table.items: Items,
}

CLASSES = frozenset({Table, DefaultTable, CountTable, Queue, BoundedQueue})


def each(b: Any, node: Any) -> Any:
    """What a loop along `d.items()` or `d.values()` of a table meets: what is there
    in each trip.

    Args:
        b: the builder.
        node: the call that a loop runs along.

    Returns:
        A generator; None where it is another call.
    """
    func = node.func
    if not isinstance(func, gast.Attribute) or func.attr not in ("items", "values"):
        return None
    if node.args or node.keywords or not is_quiet(func.value):
        return None
    return _along(b, b.expr(func.value), func.attr, node)


def along(b: Any, tree: Any, node: Any) -> Any:
    """What a loop along a view meets; any other tree as it is."""
    shown: Any = getattr(tree, "type", None)
    name = {Items: "items", Values: "values"}.get(shown)
    if name is None:
        return tree
    return _along(b, b.attribute(tree, "table", node), name, node)


def _along(b: Any, held: Any, name: str, node: Any) -> Any:
    if not (
        isinstance(held, Object) and held.type in (Table, DefaultTable, CountTable)
    ):
        return None
    return b.call_value(b.attribute(held, f"each_of_{name}", node), [], {}, node)


def is_quiet(node: Any) -> bool:
    """Whether a node may be evaluated twice: names, attributes, literal places."""
    parts = (gast.Name, gast.Attribute, gast.Subscript, gast.Constant)
    return all(isinstance(n, (*parts, gast.expr_context)) for n in gast.walk(node))
