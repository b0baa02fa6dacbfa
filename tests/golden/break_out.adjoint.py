# sourcegrad 0.1.0: adjoint of break_out.py:break_out (c3723786), wrt x
# for x: float, limit: float
import math


def break_out_grad(x, limit, y_bar=1.0):
    # forward sweep
    saved = []
    s = x
    for i in range(20):
        s_1 = s + math.sin(s)
        test = s_1 > limit
        saved.append((s, test))
        if test:
            s = s_1
            break
        s = s_1 * 1.1
    # reverse sweep
    # line 13: return s * s
    s_bar = 2.0 * y_bar * s
    while saved:
        s, test = saved.pop()
        if not test:
            # line 12: s = s * 1.1
            s_bar = 1.1 * s_bar
        # line 9: s = s + math.sin(s)
        s_bar = s_bar + s_bar * math.cos(s)
    return s_bar
