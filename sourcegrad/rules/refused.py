"""NumPy functions that are refused by name, each with the reason and a way out.

The compiler quotes these lines in its error where such a function meets an active
value. What is not in here, and has no rule, is a function we do not know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .refused_scipy import refusal_of_scipy

_IN_PLACE = "it writes into its first argument"
_CALLS = "it calls a Python function for each part, out of the compiler's sight"
_COUNTS = "no rule is known for its weights and its edges"
_RECORD = "its result is a record of parts, one of which has a derivative"
_MEMORY = "it reads memory that is no array to the compiler"
_OBJECT = "it makes an object that is no plain array"

# name: (why, what to write instead)
_TABLE: dict[str, tuple[str, str]] = {
    "asmatrix": (_OBJECT, "use arrays and the operator @"),
    "bmat": (_OBJECT, "use np.block"),
    "broadcast": (_OBJECT, "use np.broadcast_to"),
    "copyto": (_IN_PLACE, "write dst[...] = src"),
    "fill_diagonal": (_IN_PLACE, "write a[range(n), range(n)] = value"),
    "flatiter": (_OBJECT, "iterate over np.ravel(a)"),
    "from_dlpack": (_MEMORY, "use np.asarray"),
    "frombuffer": (_MEMORY, "use np.ravel(a)"),
    "fromiter": ("it consumes an iterator", "use np.array([... for ...])"),
    "frompyfunc": (_CALLS, "write the function for arrays"),
    "matrix": (_OBJECT, "use arrays and the operator @"),
    "memmap": (_OBJECT, "use np.asarray(memmap) before the function"),
    "ndarray": (_OBJECT, "use np.empty or np.zeros"),
    "ndenumerate": (_OBJECT, "write it in the head of a loop"),
    "nditer": (_OBJECT, "write a loop over np.ndindex(a.shape)"),
    "nested_iters": (_OBJECT, "write a loop over indices"),
    "object_": ("an object array holds no numbers", "use a float array"),
    "place": (_IN_PLACE, "write a[mask] = values"),
    "poly1d": (_OBJECT, "use np.polyval on the coefficients"),
    "put": (_IN_PLACE, "write a.reshape(-1)[indices] = values"),
    "put_along_axis": (_IN_PLACE, "write a[index] = values"),
    "putmask": (_IN_PLACE, "write a[mask] = values"),
    "recarray": (_OBJECT, "use one array for each field"),
    "record": (_OBJECT, "use one array for each field"),
    "histogram2d": (_COUNTS, "use np.histogram, or np.bincount of your own places"),
    "histogram_bin_edges": (_COUNTS, "use np.linspace(a.min(), a.max(), bins + 1)"),
    "histogramdd": (_COUNTS, "use np.bincount of your own places"),
    "unique_all": (_RECORD, "use np.unique with return_index=True"),
    "unique_counts": (_RECORD, "use np.unique with return_counts=True"),
    "unique_inverse": (_RECORD, "use np.unique with return_inverse=True"),
    "vectorize": (_CALLS, "call it on one function, or write a loop"),
    "void": (_OBJECT, "use one array for each field"),
}

REFUSED: dict[Any, tuple[str, str]] = {
    getattr(np, name): reason for name, reason in _TABLE.items() if hasattr(np, name)
}
REFUSED[np.lib.stride_tricks.as_strided] = (
    "it reads memory by addresses",
    "use np.lib.stride_tricks.sliding_window_view",
)

for _owner in (np.random, np.random.Generator, np.random.RandomState):
    for _name in (
        "beta binomial chisquare dirichlet f geometric hypergeometric logseries "
        "multinomial multivariate_hypergeometric multivariate_normal "
        "negative_binomial noncentral_chisquare noncentral_f pareto permuted poisson "
        "power standard_gamma standard_t triangular vonmises wald weibull zipf"
    ).split():
        if hasattr(_owner, _name):
            REFUSED[getattr(_owner, _name)] = (
                "a draw is differentiated in a location and a scale only",
                "scale and shift a standard draw, or stop_gradient the parameter",
            )
for _owner in (np.random, np.random.Generator, np.random.RandomState):
    REFUSED[_owner.shuffle] = (_IN_PLACE, "index with rng.permutation(len(a))")

# What a mutating function writes into, by the position of that argument.
MUTATES: dict[Any, int] = {
    getattr(np, name): 0
    for name, (why, _) in _TABLE.items()
    if why is _IN_PLACE and hasattr(np, name)
}


def refusal(obj: Any) -> tuple[str, str] | None:
    """Why a function is refused and what to write instead; None if it is not.

    >>> refusal(np.vectorize)[1]
    'call it on one function, or write a loop'
    """
    try:
        return REFUSED.get(obj) or refusal_of_scipy(obj)
    except TypeError:  # an unhashable callable is in no table
        return None
