"""Colourings of sparsity patterns: which columns one sweep can tell apart.

Sources: Curtis, Powell and Reid, "On the estimation of sparse Jacobian matrices",
J. Inst. Maths Applics 13, 1974 (columns without a row in common); Coleman and Moré,
"Estimation of sparse Hessian matrices and graph coloring problems", Math. Program. 28,
1984, and Gebremedhin, Manne and Pothen, "What color is your Jacobian?", SIAM Review
47, 2005 (star colourings). What is known to be suboptimal: the colourings are greedy,
and a Jacobian is coloured by columns or by rows, never by both.
"""

from __future__ import annotations

import numpy as np

Neighbours = list[np.ndarray]


def column_colours(columns: Neighbours, rows: Neighbours) -> np.ndarray:
    """A colour for each column; two of one colour have no row in common.

    Args:
        columns: for each column the rows of its entries.
        rows: for each row the columns of its entries.

    >>> band = [np.array([0, 1]), np.array([0, 1, 2]), np.array([1, 2])]
    >>> column_colours(band, band).tolist()
    [1, 0, 2]
    """
    colours = np.full(len(columns), -1)
    order = sorted(range(len(columns)), key=lambda j: -len(columns[j]))
    for j in order:
        near = {int(colours[k]) for i in columns[j] for k in rows[i]}
        colours[j] = _least(near)
    return colours


def _least(taken: set[int]) -> int:
    colour = 0
    while colour in taken:
        colour += 1
    return colour


def star_colours(graph: Neighbours) -> np.ndarray:
    """A colour for each vertex; neighbours differ, and so do a path of four vertices
    in at least three colours: then either of two entries of a symmetric matrix can be
    read from a product.

    Args:
        graph: for each vertex its neighbours, itself left out.

    >>> arrow = [np.array([1, 2, 3]), np.array([0]), np.array([0]), np.array([0])]
    >>> star_colours(arrow).tolist()
    [0, 1, 1, 1]
    """
    colours = np.full(len(graph), -1)
    for v in sorted(range(len(graph)), key=lambda v: -len(graph[v])):
        taken: set[int] = set()
        for w in graph[v]:
            if colours[w] >= 0:
                taken.add(int(colours[w]))
            for x in graph[w]:
                if x != v and colours[x] >= 0 and _closes(graph, colours, w, x):
                    taken.add(int(colours[x]))
        colours[v] = _least(taken)
    return colours


def _closes(graph: Neighbours, colours: np.ndarray, w: int, x: int) -> bool:
    """Whether a vertex of the colour of `x` beside `w` would make a path of two
    colours."""
    if colours[w] < 0:
        return True
    return any(y != w and colours[y] == colours[w] for y in graph[x])
