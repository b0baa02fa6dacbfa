# sourcegrad 0.1.0: adjoint of for_range.py:for_range (72ae237e), wrt x
# for x: float, n: int
def for_range_grad(x, n, s_bar=1.0):
    # forward sweep
    p = 1.0
    p_saved = []
    for i in range(n):
        p_saved.append(p)
        p = p * x / (i + 1)
    # reverse sweep
    p_bar = 0.0
    x_bar = 0.0
    for i in range(n - 1, -1, -1):
        p = p_saved.pop()
        # line 9: s = s + p
        p_bar = p_bar + s_bar
        # line 8: p = p * x / (i + 1)
        product_bar = p_bar / (i + 1)
        p_bar = product_bar * x
        x_bar = x_bar + product_bar * p
    return x_bar
