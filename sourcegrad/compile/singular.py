"""Whether zero may have to win over inf or nan in a generated text.

A derivative goes wrong at a singular place where a zero cotangent meets an infinite
value.  What no text can show to be free of that costs one more pass over its result;
so the answer here is True in every doubt.  Every operation of the text is one of

* a *move*: it copies, adds or scales by a number of the text, so that a zero stays one;
* a *product* of values, finite where both are: it harms only beside a cotangent that a
  mask, a branch or a scatter has made exactly zero where the value is infinite;
* *singular*: what it gives, or its partial, may be inf or nan where all is finite.
"""

from __future__ import annotations

import ast
import functools
import math

# Calls that copy, add, or scale by numbers that are finite.
_MOVES = frozenset(
    """sum cumsum add subtract negative positive conj conjugate real imag ones ones_like
    empty empty_like full full_like copy array asarray ascontiguousarray reshape
    transpose swapaxes moveaxis rollaxis expand_dims squeeze ravel flatten atleast_1d
    atleast_2d atleast_3d broadcast_to broadcast_arrays trace diagonal concatenate stack
    hstack vstack dstack column_stack split flip fliplr flipud rot90 roll repeat tile
    diff take append pop extend insert len range shape ndim size list tuple zip
    enumerate reversed int float bool
    fft ifft fft2 ifft2 fftn ifftn rfft irfft rfft2 irfft2 rfftn irfftn hfft ihfft
    fftshift ifftshift dct idct dst idst dctn idctn dstn idstn
    sum_to unbroadcast expand_reduced project seed_like kept_apart renewed laid_out
    untile unrepeat unpad undiff neighbour_sums unpaired split_like unsplit
    halved_spectrum fold_spectrum trig_pullback
    uniform_filter uniform_filter1d gaussian_filter gaussian_filter1d each_axis
    axes_pullback trapezoid cumulative_trapezoid
    """.split()
)
# The same, of which what is not reached is zero.
_PLACING = frozenset(
    """zeros zeros_like eye identity diag tril triu pad where scatter_add add_at_zeros
    add_taken add_along add_padded place_diagonal refit half_tril fold_triangle
    diagonal_matrix at
    """.split()
)
# Calls of which nothing becomes inf or nan where the operands are finite.
_PRODUCTS = frozenset(
    """sin cos tanh arctan sign abs absolute fabs square multiply dot matmul outer inner
    vdot tensordot einsum mean expit erf erfc ndtr convolve correlate convolve2d
    correlate2d fftconvolve product2d matches2d full_widths correlate_pullback
    """.split()
)
_NUMBERS = {
    f"{m}.{n}": getattr(math, n) for m in ("math", "np") for n in ("pi", "e", "tau")
}
_FUNCTIONS = {
    f"math.{n}": getattr(math, n) for n in "sqrt log exp log2 log10 log1p".split()
}
# What makes a cotangent zero where it is not taken, or is a mask.
_CHOICES = (ast.If, ast.IfExp, ast.While, ast.Try, ast.BoolOp, ast.Compare)


@functools.lru_cache(maxsize=1024)
def may_be_singular(text: str) -> bool:
    """Whether a partial in a generated text may be inf or nan, or a cotangent zero
    where what it is multiplied with is.

    Args:
        text: of a generated module.

    >>> may_be_singular("def f_reverse(x, y_bar): return np.flip(y_bar) / 2.0")
    False
    >>> may_be_singular("def f_reverse(x, y_bar): return y_bar / x")
    True
    >>> may_be_singular("def f_reverse(x, y_bar): return y_bar * x")
    False
    >>> may_be_singular("def f(x, y_bar): return np.where(x > 0, y_bar, 0.0) * x")
    True
    """
    tree = ast.parse(text)
    judge = _Judge(tree)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            for part in statement.body:
                judge.visit(part)
    return judge.singular or judge.product and judge.zeros


class _Judge(ast.NodeVisitor):
    """What operations stand in a text."""

    def __init__(self, tree: ast.Module) -> None:
        self.singular = self.product = self.zeros = False
        self._own = {d.name for d in ast.walk(tree) if isinstance(d, ast.FunctionDef)}

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, _CHOICES):
            self.zeros = True
        super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, (float, complex)) and node.value == 0.0:
            self.zeros = True

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.singular |= node.attr in ("inf", "nan")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._judge(node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._judge(node.op, node.target, node.value)
        self.generic_visit(node)

    def _judge(self, op: ast.operator, left: ast.expr, right: ast.expr) -> None:
        by = number(right)
        if isinstance(op, (ast.Add, ast.Sub)):
            return
        if isinstance(op, (ast.Mult, ast.MatMult)):
            self.product |= by is None and number(left) is None
        elif isinstance(op, ast.Div) and _at_least(right):
            self.product = True
        elif isinstance(op, ast.Div):
            self.singular |= not by
        elif isinstance(op, ast.Pow) and by in (0.0, 1.0, 2.0, 3.0, 4.0):
            self.product = True
        else:
            self.singular |= by is None or number(left) is None

    def visit_Call(self, node: ast.Call) -> None:
        name = _last(node.func)
        self.zeros |= name in _PLACING
        self.product |= name in _PRODUCTS
        known = name in _MOVES | _PLACING | _PRODUCTS | self._own
        self.singular |= not (known or number(node) is not None or _at_least(node))
        self.generic_visit(node)


def _at_least(node: ast.expr) -> bool:
    """Whether an expression is at least some positive number, as `max(x.size, 1)`."""
    if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "max"):
        return False
    floors = [number(argument) for argument in node.args]
    return len(floors) == 2 and any(f is not None and f > 0.0 for f in floors)


def number(node: ast.expr) -> float | None:
    """The value of an expression of numbers of the text; None where it has others.

    >>> number(ast.parse("2.0 / math.sqrt(16)", mode="eval").body)
    0.5
    """
    try:
        found = _number(node)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return found if found is not None and math.isfinite(found) else None


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.Constant):
        value = node.value
        return value if type(value) is int or type(value) is float else None
    if isinstance(node, ast.Attribute):
        return _NUMBERS.get(ast.unparse(node))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        function, inner = _FUNCTIONS.get(ast.unparse(node.func)), number(node.args[0])
        return None if function is None or inner is None else function(inner)
    if isinstance(node, ast.BinOp):
        left, right = number(node.left), number(node.right)
        return None if left is None or right is None else _of(node.op, left, right)
    return None


def _of(op: ast.operator, left: float, right: float) -> float | None:
    if isinstance(op, ast.Add):
        return left + right
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right
    return left / right if isinstance(op, ast.Div) else None


def _last(node: ast.expr) -> str:
    """The last name of what is called."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
