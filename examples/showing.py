"""What every example prints: a primal, its generated adjoint, and a check."""

import inspect

import numpy as np

import sourcegrad


def numerical_diff(f, x, step=1e-4):
    """The central difference (f(x + step) - f(x - step)) / (2 step)."""
    return (f(x + step) - f(x - step)) / (2.0 * step)


def numerical_gradient(f, args, position, step=1e-6):
    """Central differences of ``f(*args)`` by each element of one argument."""
    x = np.asarray(args[position], dtype=float)
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):

        def along(t, index=index):
            moved = x.copy()
            moved[index] += t
            moved = float(moved) if x.ndim == 0 else moved
            return f(*args[:position], moved, *args[position + 1 :])

        gradient[index] = numerical_diff(along, 0.0, step)
    return gradient


def show(f, *args, argnums=0):
    """Print ``f``, its adjoint and a check by differences; return the gradient.

    Raises:
        AssertionError: the compiled gradient differs from central differences.
    """
    print(f"---- {f.__name__} ----\n")
    print(inspect.getsource(f))
    print(sourcegrad.gradient_source(f, argnums, *args))
    gradient = sourcegrad.grad(f, argnums)(*args)
    positions = argnums if isinstance(argnums, tuple) else (argnums,)
    parts = gradient if isinstance(argnums, tuple) else (gradient,)
    for position, part in zip(positions, parts, strict=True):
        expected = numerical_gradient(f, args, position)
        np.testing.assert_allclose(part, expected, rtol=1e-5, atol=1e-6)
        print(f"gradient {part} (differences {expected})")
    print()
    return gradient
