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


@composite(random.gauss, pure=False)
def gauss(mu=0.0, sigma=1.0):
    return mu + random.gauss(0.0, 1.0) * sigma


@composite(Random.gauss, pure=False)
def drawn_gauss(self, mu=0.0, sigma=1.0):
    return mu + self.gauss(0.0, 1.0) * sigma


@composite(random.normalvariate, pure=False)
def normalvariate(mu=0.0, sigma=1.0):
    return mu + random.normalvariate(0.0, 1.0) * sigma


@composite(Random.normalvariate, pure=False)
def drawn_normalvariate(self, mu=0.0, sigma=1.0):
    return mu + self.normalvariate(0.0, 1.0) * sigma


@composite(random.lognormvariate, pure=False)
def lognormvariate(mu=0.0, sigma=1.0):
    return math.exp(mu + random.normalvariate(0.0, 1.0) * sigma)


@composite(Random.lognormvariate, pure=False)
def drawn_lognormvariate(self, mu=0.0, sigma=1.0):
    return math.exp(mu + self.normalvariate(0.0, 1.0) * sigma)


@composite(random.uniform, pure=False)
def uniform(a, b):
    return a + (b - a) * random.random()


@composite(Random.uniform, pure=False)
def drawn_uniform(self, a, b):
    return a + (b - a) * self.random()


@composite(random.expovariate, pure=False)
def expovariate(lambd=1.0):
    return random.expovariate(1.0) / lambd


@composite(Random.expovariate, pure=False)
def drawn_expovariate(self, lambd=1.0):
    return self.expovariate(1.0) / lambd


@composite(random.paretovariate, pure=False)
def paretovariate(alpha):
    return (1.0 - random.random()) ** (-1.0 / alpha)


@composite(Random.paretovariate, pure=False)
def drawn_paretovariate(self, alpha):
    return (1.0 - self.random()) ** (-1.0 / alpha)


@composite(random.weibullvariate, pure=False)
def weibullvariate(alpha, beta):
    return alpha * random.expovariate(1.0) ** (1.0 / beta)


@composite(Random.weibullvariate, pure=False)
def drawn_weibullvariate(self, alpha, beta):
    return alpha * self.expovariate(1.0) ** (1.0 / beta)


@composite(random.gammavariate, fixed=("alpha",), pure=False)
def gammavariate(alpha, beta):
    return random.gammavariate(alpha, 1.0) * beta


@composite(Random.gammavariate, fixed=("alpha",), pure=False)
def drawn_gammavariate(self, alpha, beta):
    return self.gammavariate(alpha, 1.0) * beta


@composite(random.betavariate, fixed=("alpha", "beta"), pure=False)
def betavariate(alpha, beta):
    return random.betavariate(alpha, beta)


@composite(Random.betavariate, fixed=("alpha", "beta"), pure=False)
def drawn_betavariate(self, alpha, beta):
    return self.betavariate(alpha, beta)


@composite(random.vonmisesvariate, fixed=("mu", "kappa"), pure=False)
def vonmisesvariate(mu, kappa):
    return random.vonmisesvariate(mu, kappa)


@composite(Random.vonmisesvariate, fixed=("mu", "kappa"), pure=False)
def drawn_vonmisesvariate(self, mu, kappa):
    return self.vonmisesvariate(mu, kappa)
