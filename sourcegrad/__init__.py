"""sourcegrad: gradients of Python and NumPy functions as readable Python source."""

from sourcegrad.api import grad, value_and_grad
from sourcegrad.api_decorated import differentiable
from sourcegrad.errors import (
    AliasError,
    GradientMismatch,
    KindError,
    MissingRuleError,
    NonDifferentiableError,
    RuleDefinitionError,
    SourcegradError,
    SourceUnavailableError,
    UnreachedInputWarning,
    UnsupportedSyntaxError,
)
from sourcegrad.explain.text import gradient_source
from sourcegrad.forward_api import Pushforward, jvp, linearize
from sourcegrad.markers import checkpoint, on_adjoint, stop_gradient
from sourcegrad.markers_implicit import implicit_fixed_point, implicit_root
from sourcegrad.matrices.calls import elementwise_grad, hessian, hvp, jacobian
from sourcegrad.rules import adjoint, composite, constant, elementwise, linear, tangent
from sourcegrad.sparse.hessian import sparse_hessian
from sourcegrad.sparse.jacobian import sparse_jacobian
from sourcegrad.taylor_api import taylor
from sourcegrad.testing import check_grad, check_rule
from sourcegrad.version import __version__
from sourcegrad.vjp_api import Pullback, vjp

__all__ = [
    "AliasError",
    "GradientMismatch",
    "KindError",
    "MissingRuleError",
    "NonDifferentiableError",
    "Pullback",
    "Pushforward",
    "RuleDefinitionError",
    "SourceUnavailableError",
    "SourcegradError",
    "UnreachedInputWarning",
    "UnsupportedSyntaxError",
    "__version__",
    "adjoint",
    "check_grad",
    "checkpoint",
    "check_rule",
    "composite",
    "constant",
    "differentiable",
    "elementwise",
    "elementwise_grad",
    "grad",
    "gradient_source",
    "hessian",
    "hvp",
    "implicit_fixed_point",
    "implicit_root",
    "jacobian",
    "jvp",
    "linear",
    "on_adjoint",
    "linearize",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "tangent",
    "taylor",
    "value_and_grad",
    "vjp",
]
