"""Registration: what is taken, what is refused, and what is read from a rule."""

import doctest
import importlib
import inspect
import operator
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

from sourcegrad import rules
from sourcegrad.errors import RuleDefinitionError
from sourcegrad.rules import (
    adjoint,
    all_rules,
    catalogue,
    checking,
    composite,
    constant,
    describe,
    elementwise,
    linear,
    lookup,
    registry,
    tangent,
)
from tests.rules.versions import options_to_come


def cube(x):
    return x**3


def scale(x, factor=2.0):
    return x * factor


pytestmark = pytest.mark.usefixtures("kept_rules")


def test_lookup_is_by_the_object():
    assert lookup(np.sin).fn is lookup(__import__("math").sin).fn
    assert lookup(np.amax).fn is lookup(np.max).fn
    assert lookup(np.conj) is lookup(np.conjugate)
    assert lookup(np.add).kind == lookup(operator.add).kind == "elementwise"
    assert lookup(np.add.reduce).name == "numpy.add.reduce"
    assert lookup(cube) is None and lookup([]) is None


def test_each_decorator_makes_a_rule():
    @elementwise(cube, singular=True, convention="none", source="school")
    def cube_partial(y, x):
        return 3.0 * x**2

    rule = lookup(cube)
    assert (rule.kind, rule.fn, rule.singular) == ("elementwise", cube_partial, True)
    assert [p.name for p in rule.parameters] == ["x"]

    @adjoint(scale, views=True)
    def scale_adjoint(y, y_bar, x, factor=2.0):
        return y_bar * factor, np.sum(y_bar * x)

    @tangent(scale)
    def scale_tangent(y, x, x_dot, factor=2.0, factor_dot=0.0):
        return x_dot * factor + x * factor_dot

    rule = lookup(scale)
    assert rule.fn is scale_adjoint and rule.tangent is scale_tangent and rule.views
    assert rule.operands == ("x", "factor")

    @linear(scale)
    def scale_linear(y, y_bar, x, factor=2.0):
        return y_bar * factor

    assert lookup(scale).linear and lookup(scale).operands == ("x",)
    constant(scale, pure=False)
    assert lookup(scale).kind == "constant" and not lookup(scale).pure

    @composite(scale)
    def scale_definition(x, factor=2.0):
        return factor * x

    assert lookup(scale).kind == "composite" and lookup(scale).tangent is None


def test_a_later_registration_replaces_and_raises_the_version():
    constant(cube)
    before = registry.version
    elementwise(cube)(lambda y, x: 3.0 * x * x)
    assert registry.version == before + 1
    assert lookup(cube).kind == "elementwise"


def test_a_rule_made_before_the_first_look_up_is_not_overwritten():
    code = (
        "import numpy as np; from sourcegrad import rules\n"
        "rules.constant(np.sin)\n"
        "assert rules.lookup(np.sin).kind == 'constant'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def two(y, x):
    return 2.0


def three(y, y_bar, x, z):
    return y_bar


@pytest.mark.parametrize(
    "register",
    [
        lambda: elementwise("sin")(two),
        lambda: elementwise()(two),
        lambda: constant(3),
        lambda: elementwise(np.add)(two),
        lambda: elementwise(cube)(lambda y, x, z: 1.0),
        lambda: elementwise(cube)(lambda: 1.0),
        lambda: adjoint(cube)(three),
        lambda: adjoint(scale)(lambda y, y_bar, z: y_bar),
        lambda: adjoint(scale)(lambda y, y_bar, x, fctor: y_bar),
        lambda: adjoint(cube)(lambda y, y_bar: y_bar),
        lambda: tangent(cube)(lambda y, x, z_dot: z_dot),
        lambda: composite(cube)(lambda z: z),
        lambda: adjoint(cube)(5),
    ],
)
def test_what_does_not_fit_is_refused_at_once(register):
    before = dict(registry._rules)
    with pytest.raises(RuleDefinitionError):
        register()
    assert registry._rules == before


# NumPy 2.0 still calls it `newshape`.
RESHAPE = inspect.signature(np.reshape).parameters


def built_in():
    """Our own rules: other tests of the session register some of theirs."""
    own = "sourcegrad.rules."
    return [
        r
        for r in all_rules()
        if any(
            str(getattr(f, "__module__", "")).startswith(own) for f in (r.fn, r.tangent)
        )
    ]


def test_every_built_in_rule_fits_its_target():
    for rule in built_in():
        renamed = rule.target is np.reshape and "shape" not in RESHAPE
        newer = rule.name in options_to_come()
        if rule.fn is not None and not renamed and not newer:
            facts = {"kind": rule.kind}
            checking.check_registration(rule.target, rule.fn, facts)


def test_every_rule_can_be_differentiated_again():
    missing = {r.name: catalogue.missing_helpers(r) for r in built_in()}
    assert {name: names for name, names in missing.items() if names} == {}


def test_every_adjoint_has_a_tangent():
    assert len(built_in()) > 300
    assert [r.name for r in built_in() if "forward" not in catalogue.modes(r)] == []


def test_what_has_a_cotangent_has_a_tangent_too():
    silent = [
        f"{rule.name}({name})"
        for rule in built_in()
        if rule.kind == "adjoint" and rule.fn is not None and rule.tangent is not None
        for name in rule.operands
        if name not in rule.constant_operands
        and f"{name}_dot" not in inspect.signature(rule.tangent).parameters
        and f'no_partial("{rule.name}", "{name}")' not in inspect.getsource(rule.fn)
    ]
    assert silent == ["numpy.einsum(subscripts)"]  # a string


def test_catalogue_rows():
    row = describe("numpy.linalg.eigh")[0]
    assert row.modes == "reverse, forward" and row.orders == "any"
    assert row.source.startswith("Giles")
    assert {r.function for r in describe("numpy.fft.*")} >= {"numpy.fft.rfft"}
    assert describe("no such function") == []
    assert len(describe()) == len(all_rules()) > 400


def test_examples_in_docstrings():
    for info in pkgutil.iter_modules(rules.__path__):
        module = importlib.import_module(f"sourcegrad.rules.{info.name}")
        assert doctest.testmod(module).failed == 0


def test_importing_the_package_of_rules_loads_no_area():
    code = (
        "import sys, sourcegrad.rules\n"
        "assert 'sourcegrad.rules.numpy_linalg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
