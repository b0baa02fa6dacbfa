"""Hooks on cotangents and stopped gradients, in both modes and at order two."""

import functools
import math

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad import on_adjoint, stop_gradient

SEEN = []
X = np.array([1.0, 2.0, 3.0])


@pytest.fixture(autouse=True)
def nothing_seen():
    SEEN.clear()


def note(g):
    SEEN.append(np.copy(g))


def clip_norm(g, limit=0.5):
    norm = np.linalg.norm(g)
    if norm > limit:
        return g * (limit / norm)
    return g


def clip_in_place(g):
    np.clip(g, -0.1, 0.1, out=g)


def stop_here(g):
    raise RuntimeError(f"the cotangent is {g}")


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def hook(self, g):
        return self.factor * g


SCALE = Scale(4.0)


def watched(x):
    h = on_adjoint(x * x, note)
    return 3 * h + math.sin(h)


def watched_slope(x):
    return 2 * x * (3 + math.cos(x * x))


# ------------------------------------------------------------------ what is gathered


def test_the_hook_sees_the_sum_of_all_uses_once():
    assert sg.grad(watched)(2.0) == pytest.approx(watched_slope(2.0), rel=1e-14)
    assert len(SEEN) == 1
    assert SEEN[0] == pytest.approx(3 + math.cos(4.0), rel=1e-14)


def test_the_hook_sees_what_elements_gather():
    def f(x):
        x = on_adjoint(x, note)
        y = np.zeros(3)
        y[0] = 2 * x[0]
        y[1] = x[1] * x[0]
        return y.sum()

    assert sg.grad(f)(X).tolist() == [4.0, 1.0, 0.0]
    assert [g.tolist() for g in SEEN] == [[4.0, 1.0, 0.0]]


def test_one_call_per_iteration_from_the_last_to_the_first():
    def f(x):
        for _ in range(3):
            x = on_adjoint(2 * x, note)
        return x

    assert sg.grad(f)(1.0) == 8.0
    assert [float(g) for g in SEEN] == [1.0, 2.0, 4.0]


def test_in_a_callee_and_in_a_recursion():
    def square(x):
        return on_adjoint(x * x, note)

    def halved(x, n):
        if n == 0:
            return x
        return halved(on_adjoint(0.5 * x, note), n - 1)

    assert sg.grad(lambda x: square(x) * square(2 * x))(2.0) == 128.0
    assert sorted(float(g) for g in SEEN) == [4.0, 16.0]
    SEEN.clear()
    assert sg.grad(lambda x: halved(x, 3))(1.0) == 0.125
    assert [float(g) for g in SEEN] == [1.0, 0.5, 0.25]


def test_a_result_that_nothing_uses_has_no_cotangent_to_show():
    def f(x):
        on_adjoint(x * x, note)
        return x

    assert sg.grad(f)(2.0) == 1.0
    assert SEEN == []


# --------------------------------------------------------------- all kinds of hooks


def test_replacing():
    def by_lambda(x):
        return 3 * on_adjoint(x * x, lambda g: np.clip(g, -1, 1))

    def by_inner(x):
        def double(g):
            note(g)
            return 2 * g

        return 3 * on_adjoint(x * x, double)

    def by_method(x, scale):
        return 3 * on_adjoint(x * x, scale.hook)

    def by_partial(x):
        clip = functools.partial(np.clip, a_min=-1, a_max=1)
        return 3 * on_adjoint(x * x, clip)

    def of_the_caller(x, hook):
        return 3 * on_adjoint(x * x, hook)

    assert sg.grad(by_lambda)(2.0) == 4.0
    assert sg.grad(by_inner)(2.0) == 24.0
    assert SEEN == [3.0]
    assert sg.grad(by_method)(2.0, Scale(5.0)) == 60.0
    assert sg.grad(lambda x: 3 * on_adjoint(x * x, SCALE.hook))(2.0) == 48.0
    assert sg.grad(by_partial)(2.0) == 4.0
    assert sg.grad(of_the_caller)(2.0, lambda g: 5 * g) == 60.0
    assert sg.grad(of_the_caller)(2.0, note) == 12.0


def test_a_lambda_stands_in_the_text():
    def f(x, limit):
        h = on_adjoint(x * x, lambda g: min(max(g, -limit), limit))
        return 3 * h

    text = sg.grad(f).source(2.0, 1.0)
    assert "min(max(h_bar, -limit), limit)" in text
    assert "on_adjoint" not in "".join(
        line for line in text.splitlines() if "#" not in line
    )
    assert sg.grad(f)(2.0, 2.5) == 10.0


def test_a_hook_that_looks_is_a_statement_of_the_text():
    text = sg.grad(watched).source(2.0)
    assert "    note(h_bar)\n" in text
    printing = sg.grad(lambda x: 3 * on_adjoint(x, lambda g: print("g is", g)))
    assert '    print("g is", t_bar)\n' in printing.source(2.0)


def test_printing(capsys):
    assert sg.grad(lambda x: 3 * on_adjoint(x, lambda g: print("g is", g)))(2.0) == 3.0
    assert capsys.readouterr().out == "g is 3.0\n"


def test_a_breakpoint(monkeypatch):
    calls = []
    monkeypatch.setattr("sys.breakpointhook", lambda: calls.append(1))
    assert sg.grad(lambda x: 3 * on_adjoint(x, lambda g: breakpoint()))(2.0) == 3.0
    assert calls == [1]


def test_raising():
    with pytest.raises(RuntimeError, match="the cotangent is 3.0"):
        sg.grad(lambda x: 3 * on_adjoint(x, stop_here))(2.0)


def test_a_hook_may_write_into_its_cotangent():
    def f(x):
        y = x * x
        h = on_adjoint(y, clip_in_place)
        return (h * x).sum() + y.sum()

    right = 2 * X * np.clip(X, -0.1, 0.1) + X * X + 2 * X
    np.testing.assert_allclose(sg.grad(f)(X), right, rtol=1e-14)


def test_a_list_that_the_hook_fills_is_returned():
    def f(x):
        log = []
        y = on_adjoint(x * x, lambda g: log.append(g))
        return 3 * y, log

    assert sg.value_and_grad(f, has_aux=True)(2.0) == (12.0, 12.0, [3.0])


def test_parts_of_a_container():
    def f(x):
        pair = {"a": x, "b": x * x, "n": 3}
        pair = on_adjoint(pair, lambda g: {"a": 2 * g["a"], "b": g["b"], "n": None})
        return pair["a"] * pair["b"]

    assert sg.grad(f)(2.0) == 2 * 4.0 + 2.0 * 2 * 2.0


def test_memory_that_is_written_to_has_one_cotangent():
    """`h` is `y`, so the hook sees what is gathered under either name."""

    def f(x):
        y = x * x
        y[0] = 1.0
        h = on_adjoint(y, lambda g: 2 * g)
        h[1] = 3 * x[0]
        return h.sum() + y[2] + 5 * y[1]

    assert sg.grad(f)(X).tolist() == [18.0, 0.0, 2 * 2 * 2 * 3.0]


def test_what_cannot_be_is_refused():
    def counting(x):
        n = 0

        def count(g):
            nonlocal n
            n += 1

        return on_adjoint(x, count) * n

    def of_a_list(x):
        items = []
        for k in range(3):
            items.append(k * x)
        return on_adjoint(items, note)[2]

    with pytest.raises(sg.UnsupportedSyntaxError, match="a hook that assigns names"):
        sg.grad(counting)(2.0)
    with pytest.raises(sg.UnsupportedSyntaxError, match="on_adjoint of a list"):
        sg.grad(of_a_list)(2.0)


# ----------------------------------------------------------- other modes and orders


def recurrent(w, xs, h):
    """A recurrent network whose cotangent is clipped at every step."""
    for x in xs:
        h = on_adjoint(np.tanh(w @ h + x), clip_norm)
    return h.sum()


W = np.array([[0.5, -0.3], [0.2, 0.4]])
STEPS = np.array([[1.0, 0.5], [-0.2, 0.3], [0.4, 0.1]])
START = np.array([0.1, -0.2])


def recurrent_by_hand():
    """The same adjoint, written out."""
    states = [START]
    for x in STEPS:
        states.append(np.tanh(W @ states[-1] + x))
    w_bar, h_bar = np.zeros((2, 2)), np.ones(2)
    for k in (3, 2, 1):
        g = clip_norm(h_bar) * (1 - states[k] ** 2)
        w_bar += np.outer(g, states[k - 1])
        h_bar = W.T @ g
    return w_bar


def test_clipping_at_every_step():
    found = sg.grad(recurrent)(W, STEPS, START)
    np.testing.assert_allclose(found, recurrent_by_hand(), rtol=1e-13)
    unclipped = recurrent.__globals__["clip_norm"](np.ones(2))
    assert np.linalg.norm(unclipped) == pytest.approx(0.5)


def test_the_second_order_is_that_of_the_hooked_gradient():
    direction = np.array([[0.3, -1.0], [0.5, 2.0]])
    eps = 1e-6
    gradient = sg.grad(recurrent)
    ahead = gradient(W + eps * direction, STEPS, START)
    behind = gradient(W - eps * direction, STEPS, START)
    found = sg.hvp(recurrent)(W, STEPS, START, direction)
    np.testing.assert_allclose(found, (ahead - behind) / (2 * eps), atol=1e-8)


def test_hooks_that_look_run_once_at_order_two():
    def second(x):
        return 6 + 2 * math.cos(x * x) - 4 * x * x * math.sin(x * x)

    assert sg.grad(sg.grad(watched))(2.0) == pytest.approx(second(2.0), rel=1e-13)
    assert len(SEEN) == 1
    found = sg.hessian(lambda x: watched(x[0]))(np.array([2.0]))
    assert found.item() == pytest.approx(second(2.0), rel=1e-13)
    assert len(SEEN) == 2


def test_forward_mode_has_no_hooks():
    y, y_dot = sg.jvp(watched, (2.0,), (1.0,))
    assert y == watched(2.0)
    assert y_dot == pytest.approx(watched_slope(2.0), rel=1e-14)
    assert SEEN == []


def test_pullbacks_run_the_hook_at_each_call():
    _, pullback = sg.vjp(watched, 2.0)
    pullback(1.0)
    pullback(2.0)
    assert SEEN[1] == 2 * SEEN[0]


# ------------------------------------------------------------------- stop_gradient


def test_stopped_values_are_constants_in_both_modes():
    def f(x):
        return stop_gradient(x * x) * x

    assert sg.grad(f)(3.0) == 9.0
    assert sg.jvp(f, (3.0,), (1.0,)) == (27.0, 9.0)
    with pytest.warns(sg.UnreachedInputWarning):
        assert sg.grad(sg.grad(f))(3.0) == 0.0
    assert sg.hessian(lambda x: f(x[0]))(np.array([3.0])).item() == 0.0


def test_stopped_containers_and_arrays():
    def parts(x):
        a, b = stop_gradient((x, x * x))
        table = stop_gradient({"k": x})
        return a * b * x * table["k"]

    assert sg.grad(parts)(3.0) == 81.0
    assert sg.grad(lambda p: (stop_gradient(p) * p).sum())(X).tolist() == X.tolist()


def test_stopping_in_a_loop_and_in_a_callee():
    def damped(x):
        return x - stop_gradient(0.5 * x)

    def f(x):
        for _ in range(3):
            x = damped(x) * 2.0
        return x

    assert f(1.0) == 1.0
    assert sg.grad(f)(1.0) == 8.0
    assert sg.jvp(f, (1.0,), (1.0,)) == (1.0, 8.0)


def test_a_hook_that_replaces_without_reading_still_runs():
    def f(x):
        def zero(g):
            note(g)
            return 0.0

        return on_adjoint(3 * x, zero) + x

    assert sg.grad(f)(2.0) == 1.0
    assert SEEN == [1.0]
