"""Complex numbers: roots of a polynomial, and a filter fitted to its response."""

import numpy as np
from showing import show

import sourcegrad


def polynomial(z):
    return z**3 - 2.0 * z + 2.0


def response(taps, frequencies):
    """The size of a filter's answer at each frequency."""
    total = np.zeros(len(frequencies), complex)
    for k in range(len(taps)):
        total = total + taps[k] * np.exp(-1j * k * frequencies)
    return np.abs(total) ** 2


def misfit(taps, frequencies, wanted):
    return np.sum((response(taps, frequencies) - wanted) ** 2)


def energy(z):
    """A real function of complex numbers."""
    return np.sum(np.abs(z) ** 2) + np.real(z[0] * z[1])


FREQUENCIES = np.linspace(0.0, np.pi, 16)
WANTED = 1.0 + np.cos(FREQUENCIES)

PROGRAMS = [
    (misfit, (np.array([0.9, 0.3, 0.1]), FREQUENCIES, WANTED), 0),
]


def root(z):
    """A root by Newton's method, with the derivative of a holomorphic function."""
    slope = sourcegrad.grad(polynomial, holomorphic=True)
    for _ in range(50):
        z = z - polynomial(z) / slope(z)
    return z


def fitted(taps):
    """Taps whose response is the wanted one, by steepest descent."""
    gradient = sourcegrad.grad(misfit)
    for _ in range(2000):
        taps = taps - 0.002 * gradient(taps, FREQUENCIES, WANTED)
    return taps


def main():
    """Show the filter; return what was found by name."""
    results = {f.__name__: show(f, *args) for f, args, _ in PROGRAMS}
    results["root"] = root(1.0 + 1.0j)
    print("a root of z^3 - 2 z + 2:", results["root"])
    results["taps"] = fitted(np.array([0.9, 0.3, 0.1]))
    results["misfit left"] = misfit(results["taps"], FREQUENCIES, WANTED)
    print("taps", results["taps"], "leave", results["misfit left"])
    # The gradient of a real function is df/dx - i df/dy; downhill is its conjugate.
    z = np.array([1.0 + 2.0j, 0.5 - 1.0j])
    results["energy"] = sourcegrad.grad(energy)(z)
    print("the gradient of the energy", results["energy"])
    return results


if __name__ == "__main__":
    main()
