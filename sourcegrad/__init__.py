"""sourcegrad: gradients of Python and NumPy functions as readable Python source."""

from sourcegrad.api import Pullback, differentiable, grad, value_and_grad, vjp
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
from sourcegrad.explain import gradient_source
from sourcegrad.markers import stop_gradient
from sourcegrad.rules import adjoint, composite, constant, elementwise, linear, tangent
from sourcegrad.testing import check_grad, check_rule
from sourcegrad.version import __version__

__all__ = [
    "AliasError",
    "GradientMismatch",
    "KindError",
    "MissingRuleError",
    "NonDifferentiableError",
    "Pullback",
    "RuleDefinitionError",
    "SourceUnavailableError",
    "SourcegradError",
    "UnreachedInputWarning",
    "UnsupportedSyntaxError",
    "__version__",
    "adjoint",
    "check_grad",
    "check_rule",
    "composite",
    "constant",
    "differentiable",
    "elementwise",
    "grad",
    "gradient_source",
    "linear",
    "stop_gradient",
    "tangent",
    "value_and_grad",
    "vjp",
]
