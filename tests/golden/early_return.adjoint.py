# sourcegrad 0.1.0: adjoint of early_return.py:early_return (eed0c7ef), wrt x, y
# for x: float, y: float
import math


def early_return_grad(x, y, early_return_bar=1.0):
    # reverse sweep
    if x < 0.0:
        # line 8: return x * y
        x_bar = early_return_bar * y
        y_bar = early_return_bar * x
    else:
        # line 9: z = math.exp(-x) * y
        exp = math.exp(-x)
        z = exp * y
        if z > 2.0:
            # line 11: return z * z
            z_bar = 2.0 * early_return_bar * z
            x_bar = 0.0
        else:
            z_bar = early_return_bar
            x_bar = early_return_bar
        # line 9: z = math.exp(-x) * y
        y_bar = z_bar * exp
        x_bar = x_bar - z_bar * y * exp
    return x_bar, y_bar
