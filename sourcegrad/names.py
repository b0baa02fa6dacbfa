"""Fresh, readable names: one allocator that knows every name in use."""

from __future__ import annotations

import builtins
import keyword
import re

RESERVED = (
    frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins))
)


def fresh(base: str, taken: set[str]) -> str:
    """A name like `base` that is not taken, and is from now on.

    >>> taken = {"x_bar"}
    >>> fresh("x_bar", taken), fresh("x_bar", taken), fresh("len", taken)
    ('x_bar_1', 'x_bar_2', 'len_1')
    """
    name, k = base, 0
    while name in taken or name in RESERVED:
        k += 1
        name = f"{base}_{k}"
    taken.add(name)
    return name


def identifier(text: str) -> str:
    """Some text as an identifier.

    >>> identifier("<lambda>"), identifier("w[0]"), identifier("3d")
    ('lambda', 'w_0', '_3d')
    """
    name = "".join(c if c.isalnum() or c == "_" else " " for c in text)
    name = "_".join(name.split()) or "v"
    return name if not name[0].isdigit() else f"_{name}"


def root_of(path: str) -> str:
    """The name that a path to a part of an object begins with.

    >>> root_of("net[0].w"), root_of("np.linalg.norm"), root_of("x")
    ('net', 'np', 'x')
    """
    return re.split(r"[.\[]", path, maxsplit=1)[0]
