"""The second oracle: the original function run on dual numbers; differences.

The function is copied with `numpy`, `math` and a few builtins replaced by stand-ins
that compute on object arrays of duals, so everything that Python allows, mutation
included, is differentiated exactly to rounding. What has no stand-in raises
`OracleDomainError`.
"""

from tests.oracle.differences import central_difference_grad, complex_step_grad
from tests.oracle.dual import Dual, OracleDomainError, primal
from tests.oracle.forward import (
    dual_grad,
    dual_gradient_along,
    dual_hessian_vector,
    dual_value,
    dual_vjp,
)

__all__ = [
    "Dual",
    "OracleDomainError",
    "central_difference_grad",
    "complex_step_grad",
    "dual_grad",
    "dual_gradient_along",
    "dual_hessian_vector",
    "dual_value",
    "dual_vjp",
    "primal",
]
