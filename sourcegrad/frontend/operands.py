"""Lists and numbers given where a library takes an array: `np.mean([x, y])`."""

from __future__ import annotations

import inspect
from typing import Any

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Lit
from sourcegrad.kinds import ListKind, Num, is_array, is_scalar
from sourcegrad.runtime_linalg import refuse_stack

# Parameters that take a list as a list: what joins arrays, or chooses among them.
_LISTS = frozenset(
    "arrays tup object choicelist condlist choices c_and_lower nested parts "
    "constant_values pad_width lu_and_piv c_or_cr arg1 tck args points "
    "shape newshape size reps repeats axis axes xi diagonals blocks mats".split()
)

# What SciPy makes of a number given as the first, the second operand, itself.
_MADE = {
    "scipy.linalg.cho_factor": ("atleast_2d",),
    "scipy.linalg.cholesky": ("atleast_2d",),
    "scipy.linalg.circulant": ("atleast_1d",),
    "scipy.linalg.expm": ("atleast_2d",),
    "scipy.linalg.fiedler": ("atleast_1d",),
    "scipy.linalg.lu_factor": ("atleast_2d",),
    "scipy.linalg.solve": ("atleast_2d", "atleast_1d"),
    "scipy.linalg.solve_continuous_lyapunov": ("atleast_2d", "atleast_2d"),
    "scipy.linalg.solve_lyapunov": ("atleast_2d", "atleast_2d"),
    "scipy.linalg.toeplitz": ("atleast_1d", "atleast_1d"),
    "scipy.linalg.solve_circulant": ("atleast_1d", "atleast_1d"),
    "scipy.ndimage.gaussian_filter": ("asarray",),
    "scipy.ndimage.gaussian_gradient_magnitude": ("asarray",),
    "scipy.ndimage.gaussian_laplace": ("asarray",),
    "scipy.ndimage.spline_filter": ("asarray",),
    "scipy.ndimage.uniform_filter": ("asarray",),
    "scipy.signal.lfilter": ("atleast_1d", "atleast_1d"),
    "scipy.signal.medfilt": ("atleast_1d",),
    "scipy.spatial.distance.squareform": ("atleast_1d",),
    "scipy.stats.boxcox_llf": ("", "atleast_1d"),
    "scipy.stats.linregress": ("atleast_1d", "atleast_1d"),
    "scipy.stats.pointbiserialr": ("atleast_1d", "atleast_1d"),
} | {
    f"scipy.stats.{name}": ("atleast_1d",)
    for name in "gmean hmean kstat kurtosis median_abs_deviation moment pmean sem skew "
    "tmean tstd tvar variation".split()
}  # fmt: skip

# Where a number is taken for an array in a way that the rules do not follow.
_NO_NUMBER = {
    "scipy.linalg.sqrtm": ("A",),
    "scipy.linalg.solve_sylvester": ("q",),
    "scipy.ndimage.convolve": ("input", "weights"),
    "scipy.ndimage.correlate": ("input", "weights"),
    "scipy.ndimage.laplace": ("input",),
}


# Rules for one matrix: newer versions of SciPy map these over a stack of matrices.
_ONE_MATRIX = frozenset(
    "scipy.linalg." + name
    for name in "coshm cosm sinhm sinm tanhm tanm sqrtm logm expm_frechet khatri_rao "
    "eigh eigvalsh eigvals cho_factor cho_solve lstsq polar solve_continuous_are "
    "solve_discrete_are solve_continuous_lyapunov solve_lyapunov solve_sylvester "
    "solve_discrete_lyapunov solve_triangular solve_toeplitz matmul_toeplitz "
    "solve_banded solveh_banded lu_solve block_diag solve convolution_matrix "
    "orthogonal_procrustes subspace_angles".split()
)


def as_arrays(
    b: Any, rule: Any, args: list[Abstract], kw: dict[str, Abstract], node: Any
) -> tuple[list[Abstract], dict[str, Abstract]]:
    """The operands of a library's call, of which one is active, with lists made
    arrays.

    NumPy does the same with them, so neither values nor shapes change.
    """
    if not rule.name.startswith(("numpy.", "scipy.")) or rule.kind == "constant":
        return args, kw
    places = list(rule.parameters)
    made = dict(zip((p.name for p in places), _MADE.get(rule.name, ()), strict=False))
    defaults = {p.name: p.default for p in places}
    fixed = {p.name for p in places} - set(rule.operands) | rule.constant_operands
    fixed |= set(rule.fixed)  # options

    def fitted(k: int, arg: Abstract) -> Abstract:
        if k < len(places) and places[k].kind is not inspect.Parameter.VAR_POSITIONAL:
            return named(places[k].name, arg)
        return named("", arg)

    def named(name: str, arg: Abstract) -> Abstract:
        number = isinstance(arg, Expr) and _is_number(b.infer(arg))
        if number and name in _NO_NUMBER.get(rule.name, ()):
            raise b.error(
                NonDifferentiableError,
                f"{rule.name} has a derivative rule for arrays, and {name} is a number",
                hints=(
                    f"give {name} the dimensions it stands for, as np.array([[…]])",
                ),
                where=b.locate(node),
            )
        if number and made.get(name):
            enlarged: Abstract = b.call_object(b.numpy(made[name]), [arg], {}, node)
            return enlarged
        arg = _as_python(b, arg, defaults.get(name), node)
        return arg if name in fixed else converted(b, arg, name, node)

    found = [fitted(k, arg) for k, arg in enumerate(args)]
    named_ones = {n: named(n, v) for n, v in kw.items()}
    if rule.name in _ONE_MATRIX:
        found = [b.settle(arg) for arg in found]
        named_ones = {n: b.settle(arg) for n, arg in named_ones.items()}
        for arg in (*found, *named_ones.values()):
            _refuse_stack(b, rule.name, arg, node)
    return found, named_ones


def _as_python(b: Any, arg: Abstract, default: Any, node: Any) -> Abstract:
    """An option; a number of NumPy's as the bool or int that rules take it for."""
    kind = b.infer(arg) if isinstance(arg, Expr) else None
    if not isinstance(kind, Num) or kind.flavor == "py" or not _is_number(kind):
        return arg
    for made in (bool, int):
        if type(default) is made and (kind.dtype or "").startswith(made.__name__):
            option: Abstract = b.call_object(
                b.binder.bind(made, made.__name__), [arg], {}, node
            )
            return option
    return arg


def _is_number(kind: Any) -> bool:
    """Whether a value has no dimensions."""
    return is_scalar(kind) or (is_array(kind) and kind.ndim == 0)


def _refuse_stack(b: Any, name: str, arg: Abstract, node: Any) -> None:
    """Have the call refused where an operand turns out to be a stack of matrices."""
    if isinstance(arg, Struct):
        for item in arg.items:
            _refuse_stack(b, name, item, node)
    elif isinstance(arg, Expr) and not isinstance(arg, Lit):
        if not is_scalar(b.infer(arg)):
            check = b.binder.bind(refuse_stack, "refuse_stack")
            b.emit(b.call_object(check, [arg, Lit(name)], {}, node))


def with_inputs_kept(
    rule: Any, args: list[Abstract], kw: dict[str, Abstract]
) -> tuple[list[Abstract], dict[str, Abstract]]:
    """The call without leave to overwrite operands: the derivative reads them."""
    if not rule.name.startswith(("numpy.", "scipy.")):
        return args, kw
    left = {k: v for k, v in kw.items() if not k.startswith("overwrite_")}
    names = [p.name for p in rule.parameters] + [""] * len(args)
    kept: list[Abstract] = [
        Lit(False) if name.startswith("overwrite_") else arg
        for name, arg in zip(names, args, strict=False)
    ]
    return kept, left


def _all_numbers(b: Any, arg: Abstract) -> bool:
    """Whether an inactive list or tuple holds nothing but numbers and arrays."""
    if isinstance(arg, Struct):
        return bool(arg.items) and all(_all_numbers(b, i) for i in arg.items)
    kind = b.infer(arg) if isinstance(arg, Expr) else None
    while isinstance(kind, ListKind):
        kind = kind.item
    return isinstance(kind, Num)


def converted(b: Any, arg: Abstract, name: str, node: Any) -> Abstract:
    """An operand; a list as the array of its elements."""
    if name in _LISTS:
        return arg
    listed = isinstance(arg, Struct) and issubclass(arg.type, (list, tuple))
    listed = listed or (isinstance(arg, Expr) and isinstance(b.infer(arg), ListKind))
    if listed and (b.active([arg], {}) or _all_numbers(b, arg)):
        made: Abstract = b.call_object(b.numpy("array"), [arg], {}, node)
        return made
    return arg
