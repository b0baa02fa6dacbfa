"""The public calls for Jacobians, Hessians, and their products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad import api
from sourcegrad.api import Gradient
from sourcegrad.compile.entry import before_compiling, inner_functions
from sourcegrad.forward_api import jvp, linearize
from sourcegrad.matrices.hessian import Hessian, HessianProduct
from sourcegrad.matrices.jacobian import ElementwiseGradient, Jacobian
from sourcegrad.transform.arguments import Argnums
from sourcegrad.vjp_api import vjp


def jacobian(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    mode: str = "auto",
    *,
    holomorphic: bool = False,
    sparsity: Any = None,
    backend: str = "python",
) -> Any:
    """The Jacobian: the derivative of every element of the result by every element
    of the argument.

    Args:
        f: the function.
        argnums: as for `grad`.
        mode: "reverse" takes one sweep per element of the result, "forward" one per
            element of the argument, "auto" whichever are fewer; one sweep takes many
            of them at once where the kinds of the program's values allow.
        holomorphic: the function is one of complex numbers, and holomorphic; without,
            complex arguments are an error unless the result is real and the mode
            can be "reverse", which gives rows as `grad` does.
        sparsity: which entries may be other than zero; then this is
            `sparse_jacobian`.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments; each block has the shape of the result
        followed by that of the argument, containers are nested likewise.

    Raises:
        ValueError: there is no such mode.

    >>> import numpy as np
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    if sparsity is not None:
        from sourcegrad.sparse.jacobian import sparse_jacobian

        return sparse_jacobian(f, sparsity, argnums, mode, backend=backend)
    return Jacobian(f, argnums, mode, backend, holomorphic)


def hessian(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    holomorphic: bool = False,
    backend: str = "python",
) -> Hessian:
    """The matrix of second derivatives, by forward mode over the gradient.

    Args:
        f: a function whose result has exactly one element.
        argnums: as for `grad`.
        holomorphic: the function is one of complex numbers, and holomorphic; without,
            complex arguments are an error.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments; the result has the shape of the argument
        twice, containers are nested likewise.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] * x[0] * x[1])(np.array([1.0, 2.0]))
    array([[4., 2.],
           [2., 0.]])
    """
    return Hessian(f, argnums, backend, holomorphic)


def hvp(
    f: Callable[..., Any], argnums: Argnums = 0, *, backend: str = "python"
) -> HessianProduct:
    """The Hessian times a vector, without building the Hessian: one forward sweep
    over the gradient.

    Args:
        f: a function whose result has exactly one element.
        argnums: as for `grad`.
        backend: "python" or "numba".

    Returns:
        A function of the arguments of `f` and then the vector, which has the
        structure of the argument; so has the result.

    >>> import numpy as np
    >>> hvp(lambda x: x[0] * x[0] * x[1])(np.array([1.0, 2.0]), np.array([1.0, 0.0]))
    array([4., 2.])
    """
    return HessianProduct(f, argnums, backend)


def elementwise_grad(
    f: Callable[..., Any], argnums: Argnums = 0, *, backend: str = "python"
) -> ElementwiseGradient:
    """The derivative of each element of the result by the same element of the argument.

    Args:
        f: a function that works element by element.
        argnums: as for `grad`.
        backend: "python" or "numba".

    Raises:
        ValueError: when called, if the result has not the shape of the argument.

    >>> import numpy as np
    >>> elementwise_grad(lambda x: x * x)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    return ElementwiseGradient(f, argnums, backend)


@before_compiling
def _known_inside_functions() -> None:
    from sourcegrad.frontend import nested, nested_callables, nested_matrices

    nested_callables.register()

    nested.register(
        inner_functions,
        {
            Gradient: "grad",
            api.ValueAndGradient: "value_and_grad",
            HessianProduct: "hvp",
            Hessian: "hessian",
            Jacobian: "jacobian",
            ElementwiseGradient: "elementwise_grad",
        },
        grad=api.grad,
        value_and_grad=api.value_and_grad,
        hvp=hvp,
        hessian=hessian,
        jacobian=jacobian,
        elementwise_grad=elementwise_grad,
        jvp=jvp,
        vjp=vjp,
    )
    nested_matrices.register(linearize, jvp)
