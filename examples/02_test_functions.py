"""Functions on which optimisers are tested, and a descent on the last of them.

After the second stage of "Deep Learning from Scratch 3" (DeZero).
"""

from showing import show

import sourcegrad


def sphere(x, y):
    return x**2 + y**2


def matyas(x, y):
    return 0.26 * (x**2 + y**2) - 0.48 * x * y


def goldstein_price(x, y):
    return (
        1 + (x + y + 1) ** 2 * (19 - 14 * x + 3 * x**2 - 14 * y + 6 * x * y + 3 * y**2)
    ) * (
        30
        + (2 * x - 3 * y) ** 2
        * (18 - 32 * x + 12 * x**2 + 48 * y - 36 * x * y + 27 * y**2)
    )


def rosenbrock(x, y):
    return 100 * (y - x**2) ** 2 + (1 - x) ** 2


PROGRAMS = [
    (sphere, (1.0, 1.0), (0, 1)),
    (matyas, (1.0, 1.0), (0, 1)),
    (goldstein_price, (1.0, 1.0), (0, 1)),
    (rosenbrock, (0.0, 2.0), (0, 1)),
]


def descend(f, x, y, rate=0.001, steps=10_000):
    """Walk against the gradient; the valley of Rosenbrock's function is slow."""
    gradient = sourcegrad.grad(f, (0, 1))
    for _ in range(steps):
        x_bar, y_bar = gradient(x, y)
        x -= rate * x_bar
        y -= rate * y_bar
    return x, y


def main():
    """Show each program; return the gradients, and where the descent ends."""
    results = {
        f.__name__: show(f, *args, argnums=argnums) for f, args, argnums in PROGRAMS
    }
    results["descent"] = descend(rosenbrock, 0.0, 2.0)
    print("10,000 steps down Rosenbrock's valley:", results["descent"])
    print("its lowest point is                  : (1, 1)")
    return results


if __name__ == "__main__":
    main()
