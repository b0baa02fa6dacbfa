"""What the distributions of SciPy take: shapes, then location and scale."""

from __future__ import annotations

import math
from typing import Any

HALF_LOG = 0.5 * math.log(2.0 * math.pi)

Sorted = tuple[tuple[Any, ...], Any, Any]
Counted = tuple[tuple[Any, ...], Any]


def shapes_none(loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (), loc, scale


def shape_a(a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (a,), loc, scale


def shape_b(b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (b,), loc, scale


def shape_c(c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (c,), loc, scale


def shape_s(s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (s,), loc, scale


def shape_df(df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (df,), loc, scale


def shape_nu(nu: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (nu,), loc, scale


def shape_mu(mu: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (mu,), loc, scale


def shape_k(K: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (K,), loc, scale


def shape_beta(beta: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (beta,), loc, scale


def shape_kappa(kappa: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (kappa,), loc, scale


def shapes_ab(a: Any, b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (a, b), loc, scale


def shapes_ac(a: Any, c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (a, c), loc, scale


def shapes_cd(c: Any, d: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (c, d), loc, scale


def shapes_ks(k: Any, s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (k, s), loc, scale


def shapes_two_df(dfn: Any, dfd: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (dfn, dfd), loc, scale


def shapes_df_nc(df: Any, nc: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (df, nc), loc, scale


# ---------------------------------------------------------------------- counts


def count_p(p: Any, loc: Any = 0) -> Counted:
    return (p,), loc


def count_mu(mu: Any, loc: Any = 0) -> Counted:
    return (mu,), loc


def count_a(a: Any, loc: Any = 0) -> Counted:
    return (a,), loc


def count_lambda(lambda_: Any, loc: Any = 0) -> Counted:
    return (lambda_,), loc


def count_np(n: Any, p: Any, loc: Any = 0) -> Counted:
    return (n, p), loc


def count_nab(n: Any, a: Any, b: Any, loc: Any = 0) -> Counted:
    return (n, a, b), loc


def shape_chi(chi: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (chi,), loc, scale


def shape_skew(skew: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (skew,), loc, scale


def shapes_abc(a: Any, b: Any, c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (a, b, c), loc, scale


def shapes_bc(b: Any, c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (b, c), loc, scale


def shapes_cab(c: Any, a: Any, b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (c, a, b), loc, scale


def shapes_cs(c: Any, s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Sorted:
    return (c, s), loc, scale
