# sourcegrad 0.1.0: adjoint of if_else.py:if_else (ef6b502e), wrt x, y
# for x: float, y: float
import math


def if_else_grad(x, y, out_bar=1.0):
    # forward sweep
    test = x > y
    if test:
        z = x * y
    else:
        z = math.sin(x) + y
    # reverse sweep
    # line 11: return z * x
    z_bar = out_bar * x
    x_bar = out_bar * z
    if test:
        # line 8: z = x * y
        x_bar = x_bar + z_bar * y
        z_bar = z_bar * x
    else:
        # line 10: z = math.sin(x) + y
        x_bar = x_bar + z_bar * math.cos(x)
    return x_bar, z_bar
