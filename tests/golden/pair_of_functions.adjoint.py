# sourcegrad 0.1.0: adjoint of pair_of_functions.py:pair_of_functions (bbbbe9ce), wrt x, y
# for x: float, y: float
import math


def pair_of_functions_grad(x, y, out_bar=1.0):
    # forward sweep
    damped_2, damped_residuals_1 = damped_forward(x, 4)
    _, damped_residuals = damped_forward(y, 3)
    # reverse sweep
    # line 21: return damped(x, 4) * y + damped(y, 3)
    y_bar = damped_reverse(damped_residuals, out_bar)
    y_bar_1 = y_bar + out_bar * damped_2
    x_bar = damped_reverse(damped_residuals_1, out_bar * y)
    return x_bar, y_bar_1


# pair_of_functions.py:6: damped(x: float, steps: int)
def damped_forward(x, steps):
    v = 1.0
    saved = []
    for k in range(steps):
        product = 0.1 * math.sin(x)
        v_1 = v - product * v
        test_1 = v_1 < 0.5
        if test_1:
            v_1 = v_1 + 0.05 * x
        else:
            v_1 = v_1 * 0.99
        x_1 = x + 0.1 * v_1
        test = x_1 > 3.0
        saved.append((v, x, product, test_1, test))
        if test:
            x = 0.5 * x_1
        else:
            x = x_1
        v = v_1
    product = x * v
    return product, (steps, saved, v, x)


def damped_reverse(residuals, product_bar):
    steps, saved, v, x = residuals
    saved = saved.copy()
    # line 17: return x * v
    x_bar = product_bar * v
    v_bar = product_bar * x
    for _ in range(steps):
        v, x, product, test, test_1 = saved.pop()
        if test_1:
            # line 16: x = 0.5 * x
            x_bar = 0.5 * x_bar
        # line 14: x = x + 0.1 * v
        v_bar = v_bar + 0.1 * x_bar
        if test:
            # line 11: v = v + 0.05 * x
            x_bar = x_bar + 0.05 * v_bar
        else:
            # line 13: v = v * 0.99
            v_bar = 0.99 * v_bar
        # line 9: v = v - 0.1 * math.sin(x) * v
        product_bar_1 = -v_bar
        v_bar = v_bar + product_bar_1 * product
        x_bar = x_bar + 0.1 * product_bar_1 * v * math.cos(x)
    return x_bar
