"""The generated text: it runs by itself, says what it is, and can be fed back."""

import inspect
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sourcegrad
from sourcegrad.explain.specs import from_annotation, from_text
from sourcegrad.writer.literals import literal
from tests.loading import load

PROGRAM = """
import math
import cmath as complex_math
import numpy as np
import numpy.linalg as la
from math import sin as sine

G = 3.0
NAME = "sum"
TABLE = np.array([1.0, 2.0])
WEIGHTS = {"a": 2.0}
k = 5.0


def scale(x, factor=2.0):
    return x * factor * k


def power(x, n):
    if n == 0:
        return G
    return x * power(x, n - 1)


def rounds(n):
    total = 0
    for i in range(n):
        total += i
    return total


def with_number(x):
    return G * x**3


def with_string(x):
    return x * x if NAME == "sum" else x


def with_array(x):
    return np.sum(np.sin(x) * TABLE) * WEIGHTS["a"]


def with_alias(x):
    return sine(x) * la.norm(TABLE) * complex_math.pi


def with_helper(x, k):
    return scale(x) * k


def with_recursion(x):
    return power(x, 4)


def with_inactive_call(x, n=4):
    return x * rounds(n)


def taylor_sine(x, threshold=0.0001):
    y = 0.0
    for i in range(100000):
        term = (-1) ** i * x ** (2 * i + 1) / math.factorial(2 * i + 1)
        y = y + term
        if abs(term) < threshold:
            break
    return y


def make(a, table):
    def inner(x):
        return a * x * x * table[1]

    return inner


captured = make(4.0, np.array([1.0, 10.0]))


def square_grad(n):
    total = 1.0
    for i in range(3):
        total = total + n
    return total


def square(x):
    return x * x * square_grad(2)


class Model:
    def __init__(self, k):
        self.k = k

    def loss(self, x):
        return self.k * x * x
"""

# Function, arguments, and the derivative as a formula of the first argument.
CASES = [
    ("with_number", (2.0,), lambda x: 9 * x**2),
    ("with_string", (2.0,), lambda x: 2 * x),
    ("with_array", (np.array([0.3, 0.7]),), lambda x: 2 * np.cos(x) * [1.0, 2.0]),
    ("with_alias", (0.4,), lambda x: math.cos(x) * math.sqrt(5) * math.pi),
    ("with_helper", (0.4, 7.0), lambda x: 2.0 * 5.0 * 7.0),
    ("with_recursion", (1.5,), lambda x: 12 * x**3),
    ("with_inactive_call", (1.5,), lambda x: 6.0),
    ("captured", (1.5,), lambda x: 80 * x),
    ("square", (1.5,), lambda x: 14 * x),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("primal")
    path = folder / "primal_program.py"
    path.write_text(PROGRAM)
    yield load(path)
    del sys.modules["primal_program"]


@pytest.mark.parametrize(("name", "args", "expected"), CASES)
def test_text_runs_by_itself(program, name, args, expected, tmp_path):
    f = getattr(program, name)
    text = sourcegrad.gradient_source(f, 0, *args)
    path = tmp_path / f"adjoint_of_{name}.py"
    path.write_text(text)
    module = load(path)
    own = [
        value
        for key, value in vars(module).items()
        if key.endswith("_grad") and value.__module__ == path.stem
    ]
    assert len(own) == 1
    wanted = expected(args[0])
    np.testing.assert_allclose(own[0](*args), wanted, rtol=1e-12)
    np.testing.assert_allclose(sourcegrad.grad(f)(*args), wanted, rtol=1e-12)


@pytest.mark.parametrize(("name", "args", "expected"), CASES)
def test_split_text_runs_by_itself(program, name, args, expected, tmp_path):
    f = getattr(program, name)
    text = sourcegrad.gradient_source(f, 0, *args, packaging="split")
    path = tmp_path / f"pair_of_{name}.py"
    path.write_text(text)
    module = load(path)
    title = "inner" if name == "captured" else name
    y, residuals = getattr(module, f"{title}_forward")(*args)
    np.testing.assert_allclose(y, f(*args), rtol=0)
    gradient = getattr(module, f"{title}_reverse")(residuals, 1.0)[0]
    np.testing.assert_allclose(gradient, expected(args[0]), rtol=1e-12)


def test_text_is_what_linecache_holds(program):
    gradient = sourcegrad.grad(program.with_array)
    x = np.array([0.3, 0.7])
    compiled = gradient.compiled(x)
    module_text, _ = inspect.findsource(compiled)
    assert "".join(module_text) == gradient.source(x)
    assert inspect.getsource(compiled).startswith(
        "def with_array_grad(x, y_bar=1.0):\n"
    )


def test_only_what_is_used_is_imported(program):
    text = sourcegrad.gradient_source(program.with_number, 0, 2.0)
    head = text[: text.index("def ")]
    assert head.splitlines()[2:] == ["G = 3.0", "", ""]
    assert "import" not in head


def test_imports_are_grouped_like_isort(program):
    text = sourcegrad.gradient_source(program.with_array, 0, np.array([0.3, 0.7]))
    lines = text[: text.index("def ")].splitlines()
    assert lines[2] == "import numpy as np"
    assert lines[-3] == "from primal_program import TABLE, WEIGHTS"
    assert lines[-4] == ""


def test_heading_tells_what_the_text_is(program):
    text = sourcegrad.gradient_source(program.taylor_sine, 0, 1.0)
    first, second, third = text.splitlines()[:3]
    version = sourcegrad.__version__
    assert first.startswith(
        f"# sourcegrad {version}: adjoint of primal_program.py:taylor_sine ("
    )
    assert first.endswith("), wrt x")
    assert second == "# for x: float, threshold: float"
    assert third == "import math"


def test_the_same_function_gives_the_same_text(program):
    first = sourcegrad.gradient_source(program.with_recursion, 0, 1.5)
    assert first == sourcegrad.gradient_source(program.with_recursion, 0, 1.5)


# -- Signatures ----------------------------------------------------------------------


def test_defaults_of_the_primal_are_kept(program, tmp_path):
    text = sourcegrad.gradient_source(program.taylor_sine, 0, 1.0)
    assert "\ndef taylor_sine_grad(x, threshold=0.0001, y_bar=1.0):\n" in text
    path = tmp_path / "adjoint_of_taylor.py"
    path.write_text(text)
    got = load(path).taylor_sine_grad(1.0)
    assert got == pytest.approx(math.cos(1.0), abs=1e-3)


def test_defaults_that_are_no_literals_are_left_out():
    table = np.ones(2)

    def f(x, k=2.0, t=table, *, flag=True, word="a"):
        return x * k if flag else x

    compiled = sourcegrad.grad(f).compiled(3.0)
    parameters = inspect.signature(compiled).parameters
    assert str(inspect.signature(compiled)) == (
        "(x, k, t, flag=True, word='a', y_bar=1.0)"
    )
    assert list(parameters) == ["x", "k", "t", "flag", "word", "y_bar"]


# -- Names ---------------------------------------------------------------------------


def test_a_global_of_a_callee_is_not_hidden_by_a_parameter(program):
    # The callee reads the global k = 5, the function has a parameter k.
    assert sourcegrad.grad(program.with_helper)(0.4, 7.0) == 70.0


def test_a_function_of_the_user_is_not_hidden_by_a_generated_one(program):
    text = sourcegrad.gradient_source(program.square, 0, 1.5)
    assert "from primal_program import square_grad\n" in text
    assert "def square_1_grad(x, y_bar=1.0):\n" in text


def test_a_helper_is_not_hidden_by_a_parameter():
    def f(unbroadcast):
        return np.sum(np.tanh(unbroadcast * np.ones((2, 1))))

    x = np.array([0.2, -0.4, 1.0])
    expected = 2 / np.cosh(x) ** 2
    np.testing.assert_allclose(sourcegrad.grad(f)(x), expected, rtol=1e-12)


def test_the_entry_of_a_recursive_vjp_is_not_its_callee(program):
    y, pullback = sourcegrad.vjp(program.with_recursion, 1.5)
    assert y == pytest.approx(3 * 1.5**4, rel=1e-14)
    assert pullback(1.0) == pytest.approx((12 * 1.5**3,), rel=1e-14)
    y, pullback = sourcegrad.vjp(program.power, 1.5, 4)
    assert y == pytest.approx(3 * 1.5**4, rel=1e-14)
    got = pullback(1.0)
    assert isinstance(got, tuple) and len(got) == 2
    assert got[0] == pytest.approx(12 * 1.5**3, rel=1e-14)


def test_captured_numbers_stay_live_when_called(program):
    f = program.make(2.0, np.array([0.0, 1.0]))
    text = sourcegrad.gradient_source(f, 0, 1.0)
    assert "\na = 2.0\n" in text
    assert "\ntable = np.array([0.0, 1.0])\n" in text
    assert sourcegrad.grad(f)(3.0) == 12.0
    f.__closure__[0].cell_contents = 5.0
    assert sourcegrad.grad(f)(3.0) == 30.0


def test_what_cannot_be_imported_is_named():
    lookup = {"a": object(), "b": 2.0}

    def f(x):
        return x * lookup["b"]

    text = sourcegrad.gradient_source(f, 0, 1.0)
    assert "# lookup: a builtins.dict known at run time only; assign it here\n" in text


def test_a_script_imports_from_its_file(tmp_path):
    script = tmp_path / "my_script.py"
    script.write_text(
        "import sourcegrad\n"
        "import numpy as np\n"
        "TABLE = np.array([1.0, 2.0])\n"
        "def f(x):\n"
        "    return x * TABLE[1]\n"
        "if __name__ == '__main__':\n"
        "    print(sourcegrad.gradient_source(f, 0, 1.0))\n"
    )
    root = Path(sourcegrad.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True, text=True, env={"PYTHONPATH": str(root)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "from my_script import TABLE\n" in done.stdout


@pytest.mark.parametrize(
    "value",
    [3.0, -0.0, math.inf, 2 + 3j, True, None, "a'b", b"x", (1, (2.5,)), [1.0],
     {"k": (1,)}, np.array([[1.0, 2.0]]), np.array([1, 2]), np.array([True]),
     np.float32(0.5), np.array([0.25], np.float32)],
    ids=repr,
)  # fmt: skip
def test_literals_read_back(value):
    text = literal(value)
    assert text is not None
    again = eval(text, {"np": np})
    assert type(again) is type(value)
    assert getattr(again, "dtype", None) == getattr(value, "dtype", None)
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    "value", [object(), np.zeros(100), np.array([object()]), list(range(100)), len]
)
def test_no_literal(value):
    assert literal(value) is None


# -- Second order --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("with_number", (2.0,), lambda x: 18 * x),
        ("with_string", (2.0,), lambda x: 2.0),
        ("with_alias", (0.4,), lambda x: -math.sin(x) * math.sqrt(5) * math.pi),
        ("captured", (1.5,), lambda x: 80.0),
        ("taylor_sine", (1.0, 1e-12), lambda x: -math.sin(x)),
    ],
)
def test_second_order_from_a_file(program, name, args, expected, tmp_path):
    text = sourcegrad.gradient_source(getattr(program, name), 0, *args)
    path = tmp_path / f"first_order_of_{name}.py"
    path.write_text(text)
    title = "inner_grad" if name == "captured" else f"{name}_grad"
    second = sourcegrad.grad(getattr(load(path), title))
    assert second(*args) == pytest.approx(expected(args[0]), rel=1e-9)


def test_second_order_from_the_compiled_function(program):
    first = sourcegrad.grad(program.with_number).compiled(2.0)
    second = sourcegrad.grad(first).compiled(2.0)
    assert sourcegrad.grad(second)(2.0) == pytest.approx(18.0, rel=1e-14)


def test_second_order_in_one_call(program):
    text = sourcegrad.gradient_source(program.with_number, 0, 2.0, order=2)
    assert "def with_number_grad_grad(x, y_bar=1.0" in text


# -- Stages and packaging ------------------------------------------------------------


def test_stages(program):
    def stage(name):
        return sourcegrad.gradient_source(program.power, 0, 1.5, 4, stage=name)

    assert stage("ast") == inspect.getsource(program.power)
    assert "    else:\n        return x * power(x, n - 1)\n" in stage("core")
    assert "function power(%x: float*, %n: int):" in stage("ssa")
    assert "pair power_1(%x" in stage("ssa")
    assert "%power_bar" in stage("reverse") and "%power_bar" not in stage("ssa")
    assert stage("reverse").count("function ") == 2
    assert "power_1_reverse(" in stage("optimised")
    assert stage("source") == stage(None)


def test_unknown_options(program):
    f = program.with_number
    with pytest.raises(ValueError, match="stage must be one of ast, core"):
        sourcegrad.gradient_source(f, 0, 2.0, stage="tape")
    with pytest.raises(ValueError, match="packaging must be 'joint' or 'split'"):
        sourcegrad.gradient_source(f, 0, 2.0, packaging="both")
    with pytest.raises(ValueError, match="mode must be one of reverse, forward"):
        sourcegrad.gradient_source(f, 0, 2.0, mode="sideways")
    with pytest.raises(ValueError, match="order"):
        sourcegrad.gradient_source(f, order=2)


def test_callees_stand_below_with_their_place(program):
    text = sourcegrad.gradient_source(program.with_recursion, 0, 1.5)
    line = PROGRAM.splitlines().index("def power(x, n):") + 1
    place = text.index(f"# primal_program.py:{line}: power(x: float, n: int)\n")
    assert text.index("def with_recursion_grad") < place
    assert place < text.index("def power_forward(") < text.index("def power_reverse(")


def test_annotations_and_defaults_serve_without_arguments():
    def f(x: float, n: int = 2):
        return x * n

    def g(x, n=2):
        return x * n

    annotated = sourcegrad.gradient_source(f)
    assert "# for x: float, n: int\n" in annotated
    assert "unbroadcast" not in annotated and "project" not in annotated
    assert "# for n: int\n" in sourcegrad.gradient_source(g)


def test_a_bound_method_uses_its_object(program):
    model = program.Model(3.0)
    assert "# for self: Model\n" in sourcegrad.grad(model.loss).source()
    assert sourcegrad.grad(model.loss)(2.0) == 12.0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("float", 1.0),
        ("int", 1),
        ("bool", True),
        ("float64[3, 4]", np.ones((3, 4))),
        ("float32[n]", np.ones(3, np.float32)),
        ("int[2]", np.ones(2, int)),
        ("float32", np.float32(1)),
        ("(float64[3], float)", (np.ones(3), 1.0)),
        ("[float, float]", [1.0, 2.0]),
        ("{'w': float64[2, 2]}", {"w": np.ones((2, 2))}),
        ("-2.5", -2.5),
        ("'linear'", "linear"),
        ("None", None),
    ],
)
def test_kinds_as_text(text, value):
    from sourcegrad.frontend.signature import spec_of

    assert from_text(text) == spec_of(value)


@pytest.mark.parametrize("text", ["flot", "float64[", "f(x)", "float64[3]["])
def test_texts_that_are_no_kinds(text):
    with pytest.raises(ValueError, match="is no kind of argument"):
        from_text(text)


def test_kinds_from_annotations():
    import numpy.typing as npt

    assert from_annotation(np.ndarray).kind.flavor == "array"
    assert from_annotation(npt.NDArray[np.float32]).kind.dtype == "float32"
    assert from_annotation("tuple[float, int]").keys == (0, 1)
    assert from_annotation(np.float32) == from_text("float32")
    assert from_annotation("NoSuchName") is None
    assert from_annotation(inspect.Parameter.empty) is None


def test_comments_name_lines_of_the_user_only():
    """Where a rule is made of other functions, the line is that of the call."""

    def f(a):
        return np.sum(np.subtract.outer(a, a) ** 2) + np.average(a) * np.ptp(a)

    text = sourcegrad.gradient_source(f, 0, np.ones(3))
    lines = {int(n) for n in re.findall(r"# line (\d+):", text)}
    first = f.__code__.co_firstlineno
    assert lines == {first + 1}
