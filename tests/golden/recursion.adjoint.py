# sourcegrad 0.1.0: adjoint of recursion.py:recursion (00935b5c), wrt x
# for x: float, n: int
import math


def recursion_grad(x, n, recursion_bar=1.0):
    # forward sweep
    test = n == 0
    if not test:
        sin_x = math.sin(x)
        n = n - 1
        recursion_1, recursion_1_residuals = recursion_1_forward(0.5 * x + 1.0, n)
    # reverse sweep
    if test:
        x_bar = recursion_bar
    else:
        # line 9: return math.sin(x) * recursion(0.5 * x + 1.0, n - 1)
        t_bar = recursion_1_reverse(recursion_1_residuals, recursion_bar * sin_x)
        x_bar = 0.5 * t_bar
        x_bar = x_bar + recursion_bar * recursion_1 * math.cos(x)
    return x_bar


# recursion.py:6: recursion(x: float, n: int)
def recursion_1_forward(x, n):
    sin_x = None
    recursion_1 = None
    recursion_1_residuals = None
    test = n == 0
    if test:
        recursion_2 = x
    else:
        sin_x = math.sin(x)
        n = n - 1
        recursion_1, recursion_1_residuals = recursion_1_forward(0.5 * x + 1.0, n)
        recursion_2 = sin_x * recursion_1
    return recursion_2, (x, test, sin_x, recursion_1, recursion_1_residuals)


def recursion_1_reverse(residuals, recursion_bar):
    x, test, sin_x, recursion_1, recursion_1_residuals = residuals
    if test:
        x_bar = recursion_bar
    else:
        # line 9: return math.sin(x) * recursion(0.5 * x + 1.0, n - 1)
        t_bar = recursion_1_reverse(recursion_1_residuals, recursion_bar * sin_x)
        x_bar = 0.5 * t_bar
        x_bar = x_bar + recursion_bar * recursion_1 * math.cos(x)
    return x_bar
