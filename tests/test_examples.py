"""Every example runs, says what it promises, and its gradients are right."""

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sourcegrad
from tests.loading import load

FOLDER = Path(__file__).parent.parent / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))


@pytest.fixture(autouse=True)
def in_the_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Import as a script in ``examples/`` does; write pictures elsewhere."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.chdir(tmp_path)


def run(name: str, *args: Any) -> Any:
    """What the ``main`` of an example returns."""
    return load(FOLDER / f"{name}.py").main(*args)


def programs() -> list[Any]:
    """Every function shown by an example, with its arguments and argnums."""
    sys.path.insert(0, str(FOLDER))
    try:
        return [
            pytest.param(*program, id=f"{name}-{program[0].__name__}-{program[1][0]}")
            for name in NAMES
            if name != "08_digits"
            for program in load(FOLDER / f"{name}.py").PROGRAMS
        ]
    finally:
        sys.path.remove(str(FOLDER))


def test_all_examples_are_here() -> None:
    numbers = [int(name[:2]) for name in NAMES]
    assert numbers[:9] == list(range(1, 10))
    assert len(set(numbers)) == len(numbers)


# -- What each example promises ----------------------------------------------------


def test_first_steps(capsys: pytest.CaptureFixture[str]) -> None:
    results = run("01_first_steps")
    assert results["composed"] == pytest.approx(3.297442541400256, rel=1e-15)
    assert results["sum_of_squares"] == (4.0, 6.0)
    assert results["product_and_sum"] == (2.0, 3.0, 1.0)
    assert results["twice"] == 2.0
    assert results["thrice"] == 3.0
    assert results["diamond"] == 64.0
    printed = capsys.readouterr().out
    assert "def composed(x):" in printed
    assert "# reverse sweep" in printed
    assert "3.29744254" in printed


def test_test_functions() -> None:
    results = run("02_test_functions")
    assert results["sphere"] == (2.0, 2.0)
    assert results["matyas"] == pytest.approx((0.04, 0.04))
    assert results["goldstein_price"] == (-5376.0, 8064.0)
    assert results["rosenbrock"] == (-2.0, 400.0)
    x, y = results["descent"]
    assert abs(x - 1.0) < 0.01 and abs(y - 1.0) < 0.02


def test_taylor_sine() -> None:
    results = run("03_taylor_sine")
    # The derivative of the terms that were summed: cosine's, up to x^6.
    x = math.pi / 4
    terms = [(-1) ** k * x ** (2 * k) / math.factorial(2 * k) for k in range(4)]
    assert results["taylor_sine"] == pytest.approx(sum(terms), rel=1e-14)
    assert abs(results["value"] - math.sin(x)) < 1e-4


def test_textbook() -> None:
    results = run("04_textbook")
    x = np.arange(4.0)
    np.testing.assert_array_equal(results["twice_the_dot_product"], 4 * x)
    np.testing.assert_array_equal(results["total"], np.ones(4))
    np.testing.assert_array_equal(results["sum_of_squares"], 2 * x)
    np.testing.assert_array_equal(results["squares"], [0.0, 2.0, 4.0, 60.0])
    np.testing.assert_array_equal(results["detached_factor"], x * x)


def test_control_flow() -> None:
    results = run("05_control_flow")
    # 0.3 is doubled until it passes 1000; -7 too, and then scaled by 100.
    assert results[0.3] == 2.0**12
    assert results[-7.0] == 100 * 2.0**8
    np.testing.assert_array_equal(results["vector"], np.full(3, 2.0**9))


def test_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curve.png"
    results = run("06_plot", str(picture))
    by_hand = math.sin(2.0) + math.log(4.0) * math.cos(2.0) - 0.25
    assert results["product_and_reciprocal"] == pytest.approx(by_hand, rel=1e-14)
    x, slope = results["slope"]
    np.testing.assert_allclose(slope, np.cos(x), rtol=1e-15)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_pullbacks() -> None:
    results = run("07_pullbacks")
    x = 0.3
    exponential = (6 * x + 1) * math.exp(3 * x**2 + x)
    assert results["exponential"] == pytest.approx(exponential, rel=1e-14)
    root = math.cos(x) / (2 * math.sqrt(1.2 + math.sin(x)))
    assert results["root"] == pytest.approx(root, rel=1e-14)
    assert results["first_eigenvalue"] == pytest.approx(eigenvalue_slope(0.7))
    u, u_dot = 0.8 * math.sin(0.8), math.sin(0.8) + 0.8 * math.cos(0.8)
    chained = (1 - math.exp(-u)) * u_dot
    assert results["by hand"] == pytest.approx(chained, rel=1e-14)
    assert results["chained"] == pytest.approx(chained, rel=1e-14)


def eigenvalue_slope(x: float) -> float:
    """d cos(l) / dx for the first eigenvalue l of [[x, 1], [2, x^2]].

    l^2 - t l + d = 0 with t = x + x^2, d = x^3 - 2, so
    dl/dx (2 l - t) = l dt/dx - dd/dx.
    """
    eigenvalue = np.linalg.eig(np.array([[x, 1.0], [2.0, x * x]]))[0][0]
    trace = x + x * x
    slope = (eigenvalue * (1 + 2 * x) - 3 * x * x) / (2 * eigenvalue - trace)
    return float(-np.sin(eigenvalue) * slope)


def test_digits(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    results = run("08_digits")
    assert results["worst difference"] < 1e-7
    assert results["accuracy"] > 0.95
    printed = capsys.readouterr().out
    assert "def loss(params, images, targets):" in printed
    assert "# reverse sweep" in printed
    assert "test accuracy" in printed


def test_digits_registers_no_rule() -> None:
    for name in ("digits_network", "08_digits"):
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        for decorator in ("elementwise", "adjoint", "linear", "constant", "composite"):
            assert f"@{decorator}" not in text
            assert f"sourcegrad.{decorator}" not in text


# -- As a newcomer runs them -------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in NAMES if n != "08_digits"])
def test_runs_as_a_script(name: str) -> None:
    command = [sys.executable, str(FOLDER / f"{name}.py")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "def " in result.stdout
    assert "# reverse sweep" in result.stdout


def test_readme_shows_what_its_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    program, shown = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[:2]
    path = tmp_path / "roots.py"
    path.write_text(program, encoding="utf-8")
    load(path)
    slope, printed = capsys.readouterr().out.split("\n", 1)
    assert float(slope) == pytest.approx(1 / (2 * math.sqrt(2)), rel=1e-9)
    assert printed.split() == shown.split()


def test_cotangent_surgery(capsys: pytest.CaptureFixture[str]) -> None:
    results = run("09_cotangent_surgery")
    module = load(FOLDER / "09_cotangent_surgery.py")
    weights, inputs, targets = module.data()
    states = [np.zeros(3)]
    for x in inputs:
        states.append(np.tanh(weights @ states[-1] + x))

    def by_hand(limit: float) -> tuple[np.ndarray, list[float]]:
        w_bar, carried, norms = np.zeros((3, 3)), np.zeros(3), []
        for before, state, target in reversed(
            list(zip(states[:-1], states[1:], targets, strict=True))
        ):
            g = carried + 2 * (state - target)
            norms.append(float(np.linalg.norm(g)))
            g = g * min(1.0, limit / norms[-1]) * (1 - state**2)
            w_bar += np.outer(g, before)
            carried = weights.T @ g
        return w_bar, norms

    gradient, norms = by_hand(np.inf)
    np.testing.assert_allclose(results["gradient"], gradient, rtol=1e-12)
    np.testing.assert_allclose(results["norms"], norms, rtol=1e-12)
    np.testing.assert_allclose(results["clipped"], by_hand(1.0)[0], rtol=1e-12)
    assert "min(1.0, LIMIT / np.linalg.norm(" in capsys.readouterr().out


def test_forward_mode() -> None:
    results = run("15_forward_mode")
    module = load(FOLDER / "15_forward_mode.py")
    rates, start = module.PROGRAMS[0][1]
    # Populations are analytic in the rates: the complex step is exact.
    columns = [by_complex_step(module.populations, rates, k, start) for k in range(3)]
    expected = np.stack(columns, axis=1)
    np.testing.assert_allclose(results["columns"], expected, rtol=1e-12)
    np.testing.assert_allclose(results["gradient"], expected[0], rtol=1e-12)
    direction = np.array([1.0, 0.5, 0.0])
    np.testing.assert_allclose(results["tangent"], expected @ direction, rtol=1e-12)
    assert results["forward product"] == pytest.approx(
        results["reverse product"], rel=1e-13
    )


def by_complex_step(f: Any, x: np.ndarray, k: int, *rest: Any) -> np.ndarray:
    """The derivative by one number of an analytic function."""
    moved = x.astype(complex)
    moved[k] += 1e-30j
    return np.imag(f(moved, *rest)) / 1e-30


def test_matrices() -> None:
    results = run("16_matrices")
    a, b = 0.3, 0.9
    expected = [[-2 * math.sin(a) - math.sin(b), -math.sin(b)],
                [2 * math.cos(a) + math.cos(b), math.cos(b)]]  # fmt: skip
    for mode in ("forward", "reverse"):
        np.testing.assert_allclose(results[mode], expected, rtol=1e-14)
    np.testing.assert_allclose(results["reached"], [1.5, 1.8], rtol=1e-12)
    x, y, z = 0.8, 0.5, 0.9
    # Of 100 (y - x^2)^2 + (1 - x)^2, and the same in y and z.
    hessian = [[1200 * x * x - 400 * y + 2, -400 * x, 0],
               [-400 * x, 200 + 1200 * y * y - 400 * z + 2, -400 * y],
               [0, -400 * y, 200]]  # fmt: skip
    np.testing.assert_allclose(results["hessian"], hessian, rtol=1e-13)
    np.testing.assert_allclose(results["minimum"], np.ones(3), rtol=1e-10)
    assert results["residual"] < 1e-6 * results["slope"]


def test_derivatives_inside() -> None:
    results = run("17_derivatives_inside")
    # x is multiplied by 1 - 2 rate at each of 5 steps.
    assert results["after_training"] == pytest.approx(-20 * 0.8**9, rel=1e-13)
    by_hand = -9.81 / 2.0
    assert results["acceleration itself"] == pytest.approx(by_hand * math.sin(0.4))
    assert results["acceleration"] == pytest.approx(by_hand * math.cos(0.4))
    value, slope = results["swing"]
    assert value == pytest.approx(swing_by_hand(2.0).real, rel=1e-13)
    expected = swing_by_hand(2.0 + 1e-30j).imag / 1e-30
    assert slope == pytest.approx(expected, rel=1e-12)
    difference = np.diff(np.eye(4), axis=0)
    smoother = np.linalg.inv(np.eye(4) + 0.5 * difference.T @ difference)
    np.testing.assert_allclose(results["influence"], smoother, atol=1e-14)


def swing_by_hand(length: complex) -> complex:
    """The pendulum of the example, with the equation of motion written down."""
    angle, speed = np.complex128(0.4), np.complex128(0.0)
    for _ in range(100):
        speed = speed - 0.01 * 9.81 / length * np.sin(angle)
        angle = angle + 0.01 * speed
    return complex(angle)


def test_complex_numbers() -> None:
    results = run("18_complex")
    roots = np.roots([1.0, 0.0, -2.0, 2.0])
    assert np.min(np.abs(roots - results["root"])) < 1e-14
    assert results["misfit left"] < 1e-3
    # |z|^2 gives 2 conj(z); the real part of z0 z1 gives the other factor.
    z = np.array([1.0 + 2.0j, 0.5 - 1.0j])
    np.testing.assert_allclose(results["energy"], 2 * z.conj() + z[::-1], rtol=1e-14)


def test_steady_state() -> None:
    results = run("12_steady_state")
    np.testing.assert_allclose(results["rates"], [0.4, 1.5], rtol=1e-5)


def test_orbit_fit() -> None:
    results = run("13_orbit_fit")
    np.testing.assert_allclose(results["start"], [1.0, 0.0, 0.1, 1.1], atol=1e-7)


def test_sparse_newton() -> None:
    from scipy.optimize import brentq

    results = run("11_sparse")
    assert results["sweeps"] == 3
    assert results["steps"] < 8
    # u(1/2) = 2 log cosh(theta / 4) with theta = sqrt(6) cosh(theta / 4).
    theta = brentq(lambda t: t - math.sqrt(6.0) * math.cosh(t / 4), 0.0, 4.0)
    middle = 2 * math.log(math.cosh(theta / 4))
    assert results["u"].max() == pytest.approx(middle, rel=1e-4)


def test_taylor_series() -> None:
    results = run("10_taylor_series")
    assert abs(results["drift"]) < 1e-12
    # The second derivative is -sin q; at rest the fourth is sin q cos q.
    q = math.sin(1.0)
    right = [1.0, 0.0, -q / 2, 0.0, q * math.cos(1.0) / 24, 0.0]
    np.testing.assert_allclose(results["series"][:6], right, atol=1e-15)
    # The solution in Jacobi's functions: sin(q / 2) = k cn / dn.
    from scipy.special import ellipj

    k = math.sin(0.5)
    _, cn, dn, _ = ellipj(10.0, k * k)
    assert results["angle"] == pytest.approx(2 * math.asin(k * cn / dn), abs=1e-11)


# -- The generated text ------------------------------------------------------------


def generated_function(text: str, path: Path) -> Any:
    """The gradient that generated text defines, from a module of its own."""
    path.write_text(text, encoding="utf-8")
    module = load(path)
    functions = [
        value
        for value in vars(module).values()
        if getattr(value, "__module__", None) == path.stem and callable(value)
    ]
    named = [f for f in functions if f.__name__.endswith("_grad")]
    return named[0] if named else functions[-1]


@pytest.mark.parametrize(("f", "args", "argnums"), programs())
def test_generated_source_runs_by_itself(
    f: Any, args: Any, argnums: Any, tmp_path: Path
) -> None:
    text = sourcegrad.gradient_source(f, argnums, *args)
    assert text == sourcegrad.gradient_source(f, argnums, *args)
    assert "sourcegrad" not in text.replace("# sourcegrad", "").replace(
        "sourcegrad.runtime", ""
    )
    gradient = generated_function(text, tmp_path / f"adjoint_{f.__name__}.py")
    expected = sourcegrad.grad(f, argnums)(*args)
    np.testing.assert_allclose(gradient(*args), expected, rtol=1e-14)


def scalar_programs() -> list[Any]:
    """The shown programs of numbers: straight lines and control flow."""
    return [
        program
        for program in programs()
        if all(isinstance(x, float) for x in program.values[1])
        and program.values[0].__name__ != "first_eigenvalue"
    ]


@pytest.mark.parametrize(("f", "args", "argnums"), scalar_programs())
def test_second_order_from_the_generated_source(
    f: Any, args: Any, argnums: Any, tmp_path: Path
) -> None:
    first = argnums[0] if isinstance(argnums, tuple) else argnums
    text = sourcegrad.gradient_source(f, first, *args)
    gradient = generated_function(text, tmp_path / f"order_one_{f.__name__}.py")
    second = sourcegrad.grad(gradient, first)(*args)

    def along(t: float) -> float:
        moved = [*args[:first], args[first] + t, *args[first + 1 :]]
        return float(gradient(*moved))

    step = 1e-4 * max(1.0, abs(args[first]))
    difference = (along(step) - along(-step)) / (2 * step)
    assert second == pytest.approx(difference, rel=1e-5, abs=1e-6)


def test_checkpointed_loops() -> None:
    results = run("19_checkpointed_loops")
    module = load(FOLDER / "19_checkpointed_loops.py")

    def path(drift: complex) -> complex:
        rng, x = np.random.default_rng(1), 1.0 + 0j
        for _ in range(50):
            x = x + 0.01 * drift * x + 0.1 * x * rng.normal()
        return x

    expected = path(0.5 + 1e-30j).imag / 1e-30
    assert results["noisy"] == pytest.approx(expected, rel=1e-12)
    # 31 lies between C(5 + 1, 5) = 6 and C(5 + 3, 5) = 56, past C(5 + 2, 5) = 21:
    # 3 * 31 - C(5 + 3, 2) advances, of which 30 are those of the forward sweep.
    assert results["runs again"] == 3 * 31 - math.comb(8, 2) - 30
    source = module.SOURCE
    columns = [by_complex_step(heat_by_hand, source, k, 30) for k in range(6)]
    np.testing.assert_allclose(results["heated"], columns, rtol=1e-12, atol=1e-15)


def heat_by_hand(source: np.ndarray, steps: int) -> Any:
    """The simulation of the example, without a checkpoint."""
    u = np.zeros(len(source), source.dtype)
    for _ in range(steps):
        u[1:-1] += 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) + source[1:-1]
        u[-1] = u[-2]
    return np.mean(u**2)


def test_many_seeds() -> None:
    results = run("20_many_seeds")
    h = np.zeros((2, 6))
    speed, drag = 12.0, 0.3
    height_dot, speed_dot = np.zeros(2), np.array([1.0, 0.0])
    for k in range(6):
        h[:, k] = height_dot
        height_dot = height_dot + 0.1 * speed_dot
        speed_dot = speed_dot - 0.1 * (drag * speed_dot + np.array([0.0, speed]))
        speed = speed - 0.1 * (9.8 + drag * speed)
    np.testing.assert_allclose(results["columns"], h, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(results["rows"], h.T, rtol=1e-13, atol=1e-15)
    covariance = np.array([[0.25, 0.01], [0.01, 0.01]])
    variance = np.einsum("ik,ij,jk->k", h, covariance, h)
    np.testing.assert_allclose(results["spread"] ** 2, variance, rtol=1e-12, atol=1e-15)
