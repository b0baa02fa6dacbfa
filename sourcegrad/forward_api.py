"""Forward mode: `jvp` and `linearize`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.api import Transform
from sourcegrad.trees import as_tangent


class Jvp(Transform):
    """The value and the tangent of a function: `jvp` with the function fixed.

    Called with the primals and then one tangent per differentiated argument.
    """

    what = "jvp"
