"""Values of polynomials in each of NumPy's bases, in the point and the coefficients.

The sums are Clenshaw's (C. W. Clenshaw, "A note on the summation of Chebyshev series",
Math. Comp. 9, 1955), with the three-term recurrence of each basis (NIST DLMF 18.9).
"""

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre
from numpy.polynomial import polynomial as power_series
from numpy.polynomial._polybase import ABCPolyBase

from .registry import composite


def columns(x, c, tensor):
    """The coefficients, at least two, with axes for those of the points."""
    c = np.array(c) + 0.0
    if len(c) == 1:
        c = np.concatenate((c, 0.0 * c))
    if tensor:
        return np.reshape(c, np.shape(c) + (1,) * np.ndim(x))
    else:
        return c


@composite(power_series.polyval)
def polyval(x, c, tensor=True):
    c = columns(x, c, tensor)
    total = c[-1] + x * 0
    for i in range(2, len(c) + 1):
        total = c[-i] + total * x
    return total


@composite(chebyshev.chebval)
def chebval(x, c, tensor=True):
    c = columns(x, c, tensor)
    low, high = c[-2], c[-1]
    for i in range(3, len(c) + 1):
        low, high = c[-i] - high, low + high * (2 * x)
    return low + high * x


@composite(legendre.legval)
def legval(x, c, tensor=True):
    c = columns(x, c, tensor)
    low, high = c[-2], c[-1]
    for i in range(3, len(c) + 1):
        n = len(c) + 2 - i
        low, high = c[-i] - high * (n - 1) / n, low + high * x * (2 * n - 1) / n
    return low + high * x


@composite(hermite.hermval)
def hermval(x, c, tensor=True):
    c = columns(x, c, tensor)
    low, high = c[-2], c[-1]
    for i in range(3, len(c) + 1):
        n = len(c) + 2 - i
        low, high = c[-i] - high * (2 * (n - 1)), low + high * (2 * x)
    return low + high * (2 * x)


@composite(hermite_e.hermeval)
def hermeval(x, c, tensor=True):
    c = columns(x, c, tensor)
    low, high = c[-2], c[-1]
    for i in range(3, len(c) + 1):
        n = len(c) + 2 - i
        low, high = c[-i] - high * (n - 1), low + high * x
    return low + high * x


@composite(laguerre.lagval)
def lagval(x, c, tensor=True):
    c = columns(x, c, tensor)
    low, high = c[-2], c[-1]
    for i in range(3, len(c) + 1):
        n = len(c) + 2 - i
        low, high = c[-i] - high * (n - 1) / n, low + high * ((2 * n - 1) - x) / n
    return low + high * (1 - x)


@composite(np.poly1d.__call__)
def poly1d_value(self, val):
    return np.polyval(self.coeffs, val)


@composite(ABCPolyBase.__call__)
def series_value(self, arg):
    start, stop = self.domain
    low, high = self.window
    scale = (high - low) / (stop - start)
    shift = (stop * low - start * high) / (stop - start)
    return self._val(shift + scale * arg, self.coef)
