"""A loop over a range runs backwards by index arithmetic."""


def for_range(x, n):
    s = 0.0
    p = 1.0
    for i in range(n):
        p = p * x / (i + 1)
        s = s + p
    return s


ARGUMENTS = (0.8, 6)
