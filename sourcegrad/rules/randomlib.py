"""The `random` module, differentiated in the parameters of a distribution.

As for NumPy's draws, the derivative is that along a fixed stream of random numbers:
each definition is what the library computes from numbers that do not depend on the
parameters. Draws by rejection have no such form, so their shapes are refused. What has
no rule here, such as `choice` or `shuffle`, is followed as any Python code.
"""

import math
import random

from .registry import composite

Random = random.Random


@composite(Random.gauss, random.gauss, pure=False)
def gauss(self, mu=0.0, sigma=1.0):
    return mu + self.gauss(0.0, 1.0) * sigma


@composite(Random.normalvariate, random.normalvariate, pure=False)
def normalvariate(self, mu=0.0, sigma=1.0):
    return mu + self.normalvariate(0.0, 1.0) * sigma


@composite(Random.lognormvariate, random.lognormvariate, pure=False)
def lognormvariate(self, mu=0.0, sigma=1.0):
    return math.exp(mu + self.normalvariate(0.0, 1.0) * sigma)


@composite(Random.uniform, random.uniform, pure=False)
def uniform(self, a, b):
    return a + (b - a) * self.random()


@composite(Random.expovariate, random.expovariate, pure=False)
def expovariate(self, lambd=1.0):
    return self.expovariate(1.0) / lambd


@composite(Random.paretovariate, random.paretovariate, pure=False)
def paretovariate(self, alpha):
    return (1.0 - self.random()) ** (-1.0 / alpha)


@composite(Random.weibullvariate, random.weibullvariate, pure=False)
def weibullvariate(self, alpha, beta):
    return alpha * self.expovariate(1.0) ** (1.0 / beta)


@composite(Random.gammavariate, random.gammavariate, fixed=("alpha",), pure=False)
def gammavariate(self, alpha, beta):
    return self.gammavariate(alpha, 1.0) * beta


@composite(Random.betavariate, random.betavariate, fixed=("alpha", "beta"), pure=False)
def betavariate(self, alpha, beta):
    return self.betavariate(alpha, beta)


@composite(
    Random.vonmisesvariate, random.vonmisesvariate, fixed=("mu", "kappa"), pure=False
)
def vonmisesvariate(self, mu, kappa):
    return self.vonmisesvariate(mu, kappa)
