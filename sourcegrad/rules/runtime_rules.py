"""Rules of the helpers in `runtime.py`, so that generated code has derivatives."""

import math

import numpy as np

from .. import (
    runtime,
    runtime_factorizations,
    runtime_heaps,
    runtime_least_squares,
    runtime_linalg,
    runtime_norms,
    runtime_numeric,
    runtime_places,
    runtime_project,
    runtime_reflectors,
    runtime_sequences,
    runtime_shapes,
    runtime_special,
)
from .registry import (
    adjoint,
    composite,
    constant,
    elementwise,
    is_static,
    linear,
    tangent,
)


@linear(runtime.unbroadcast, views="lent")
def unbroadcast_adjoint(y, y_bar, g, x):
    if np.ndim(g) == 0:
        return np.sum(y_bar), None
    else:  # it sums over some axes and spreads along others; so does its transpose
        return runtime.sum_to(y_bar, np.shape(g)), None


@linear(runtime.sum_to, views="lent")
def sum_to_adjoint(y, y_bar, g, shape):
    if np.ndim(g) == 0:
        return np.sum(y_bar), None
    else:
        return runtime.sum_to(y_bar, np.shape(g)), None


@linear(runtime.expand_reduced, views="lent")
def expand_reduced_adjoint(z, z_bar, y_bar, x, axis, keepdims):
    if axis is None and not keepdims:
        return np.sum(z_bar), None
    else:
        return np.sum(z_bar, axis=axis, keepdims=keepdims), None


@linear(runtime.add_at_zeros)
def add_at_zeros_adjoint(y, y_bar, x, index, g):
    return None, None, runtime.unbroadcast(y_bar[index], g)


@linear(runtime_shapes.add_taken)
def add_taken_adjoint(y, y_bar, x, indices, g, axis):
    return None, None, runtime.unbroadcast(np.take(y_bar, indices, axis), g)


@linear(runtime_shapes.untile)
def untile_adjoint(y, y_bar, g, x, reps):
    return np.tile(y_bar, reps), None


@linear(runtime_shapes.unrepeat)
def unrepeat_adjoint(y, y_bar, g, x, repeats, axis=None):
    return np.reshape(np.repeat(y_bar, repeats, axis), np.shape(g)), None


@linear(runtime_shapes.unpad, views=True)
def unpad_adjoint(y, y_bar, g, x, pad_width):
    return np.pad(y_bar, pad_width), None


@linear(runtime_shapes.add_padded)
def add_padded_adjoint(
    y, y_bar, g, x, pad_width, mode, stat_length=None, reflect_type="even"
):
    return runtime_shapes.pad_linearly(
        y_bar, pad_width, mode, stat_length, reflect_type
    ), None


@linear(runtime_shapes.pad_linearly)
def pad_linearly_adjoint(
    y, y_bar, x, pad_width, mode, stat_length=None, reflect_type="even"
):
    return runtime_shapes.add_padded(
        y_bar, x, pad_width, mode, stat_length, reflect_type
    )


constant(runtime_shapes.one_thick)


@linear(runtime_shapes.place_diagonal)
def place_diagonal_adjoint(y, y_bar, g, x, offset, axis1, axis2):
    diagonal = np.diagonal(y_bar, offset, axis1, axis2)
    return runtime.unbroadcast(diagonal, g), None


@elementwise(runtime.one_less)
def one_less(y, n, x):
    return 1.0, None


@elementwise(runtime_special.quotient, singular=True)
def quotient_partials(z, x, y):
    return 1.0 / y, -runtime_special.quotient(z, y)


@elementwise(runtime.log_or_zero, convention="0 at 0", singular=True)
def log_or_zero(y, x):
    return (x != 0) / (x + (x == 0))


@elementwise(
    runtime_numeric.sinc_slope, source="sinc solves x y'' + 2 y' + pi**2 x y = 0"
)
def sinc_slope(z, x, y):
    # y is sinc(x): its share is in the partial of x
    at_zero = x == 0
    curved = -math.pi * math.pi * y
    return np.where(at_zero, curved / 3.0, curved - 2.0 * z / (x + at_zero)), None


@adjoint(runtime_numeric.bessel_i, source="Abramowitz and Stegun 9.6.26")
def bessel_i_adjoint(y, y_bar, n, x):
    slope = 0.5 * (
        runtime_numeric.bessel_i(n - 1, x) + runtime_numeric.bessel_i(n + 1, x)
    )
    return None, y_bar * slope


@tangent(runtime_numeric.bessel_i)
def bessel_i_tangent(y, n, x, x_dot):
    slope = 0.5 * (
        runtime_numeric.bessel_i(n - 1, x) + runtime_numeric.bessel_i(n + 1, x)
    )
    return x_dot * slope


@elementwise(runtime_numeric.polygamma)
def polygamma(y, n, x):
    return None, runtime_numeric.polygamma(n + 1, x)


# ------------------------------------------------------------- linear algebra


@linear(runtime_linalg.half_tril)
def half_tril_adjoint(y, y_bar, m):
    return runtime_linalg.half_tril(y_bar)


@linear(runtime_linalg.diagonal_matrix)
def diagonal_matrix_adjoint(y, y_bar, d):
    return np.diagonal(y_bar, axis1=-2, axis2=-1)


@linear(runtime_linalg.check_phase, views="lent")
def check_phase_adjoint(y, y_bar, m):
    return y_bar


constant(runtime_linalg.refuse_stack, pure=False)
constant(runtime_linalg.real_places, runtime_least_squares.cutoff)
constant(runtime_least_squares.check_kept, pure=False)


@composite(runtime_linalg.kept_real)
def kept_real(v_dot, v, uplo):
    if np.iscomplexobj(v):
        place = runtime_linalg.real_places(v, uplo)
        element = np.take_along_axis(v, place, -2)
        moved = np.take_along_axis(v_dot, place, -2)
        return v_dot - 1j * v * runtime_linalg.phase_turn(element, moved)
    else:
        return v_dot


@composite(runtime_linalg.phase_turn)
def phase_turn(element, moved):
    return np.imag(moved) / np.real(element)


@adjoint(runtime_linalg.gap_quotient)
def gap_quotient_adjoint(y, y_bar, m, w):
    m_bar = runtime_linalg.gap_quotient(y_bar, w)
    rate = m_bar * y
    return m_bar, np.sum(rate, axis=-1) - np.sum(rate, axis=-2)


@tangent(runtime_linalg.gap_quotient)
def gap_quotient_tangent(y, m, m_dot, w, w_dot):
    if runtime.is_zero(w_dot):
        return runtime_linalg.gap_quotient(m_dot, w)
    else:
        gap_dot = np.expand_dims(w_dot, -2) - np.expand_dims(w_dot, -1)
        return runtime_linalg.gap_quotient(m_dot - y * gap_dot, w)


@composite(runtime_linalg.fold_triangle)
def fold_triangle(s, uplo):
    both = s + np.conj(np.swapaxes(s, -1, -2))
    if uplo in ("U", "u"):
        return 0.5 * (np.triu(both) + np.triu(both, 1))
    else:
        return 0.5 * (np.tril(both) + np.tril(both, -1))


@composite(runtime_linalg.cofactors)
def cofactors(a, det, inverse=None):
    det = np.linalg.det(a)
    if np.all(det != 0.0):
        return np.expand_dims(det, (-2, -1)) * np.linalg.inv(a).mT
    else:
        return runtime_linalg.minors(a)


composite(runtime_linalg.minors)(runtime_linalg.minors)
composite(runtime_linalg.hermitian_part)(runtime_linalg.hermitian_part)
for helper in (
    runtime_factorizations.svd_pullback,
    runtime_factorizations.svd_pushforward,
    runtime_factorizations.qr_pullback,
    runtime_factorizations.qr_pushforward,
    runtime_reflectors.completing_dot,
    runtime_least_squares.pinv_pullback,
    runtime_least_squares.pinv_pushforward,
    runtime_least_squares.lstsq_pullback,
    runtime_least_squares.lstsq_pushforward,
):
    composite(helper)(helper)
constant(runtime_factorizations.used_columns, runtime_factorizations.check_rank)


@adjoint(runtime_linalg.einsum_bar, views=True)
def einsum_bar_adjoint(y, y_bar, g, i, subscripts, a, b=None, c=None):
    if b is None:
        return np.einsum(subscripts, y_bar), None, None, None
    elif c is None and i == 0:
        b_bar = runtime_linalg.einsum_bar(g, 1, subscripts, y_bar, b)
        return np.einsum(subscripts, y_bar, b), None, None, None, b_bar
    elif c is None:
        a_bar = runtime_linalg.einsum_bar(g, 0, subscripts, a, y_bar)
        return np.einsum(subscripts, a, y_bar), None, None, a_bar, None
    elif i == 0:
        b_bar = runtime_linalg.einsum_bar(g, 1, subscripts, y_bar, b, c)
        c_bar = runtime_linalg.einsum_bar(g, 2, subscripts, y_bar, b, c)
        return np.einsum(subscripts, y_bar, b, c), None, None, None, b_bar, c_bar
    elif i == 1:
        a_bar = runtime_linalg.einsum_bar(g, 0, subscripts, a, y_bar, c)
        c_bar = runtime_linalg.einsum_bar(g, 2, subscripts, a, y_bar, c)
        return np.einsum(subscripts, a, y_bar, c), None, None, a_bar, None, c_bar
    else:
        a_bar = runtime_linalg.einsum_bar(g, 0, subscripts, a, b, y_bar)
        b_bar = runtime_linalg.einsum_bar(g, 1, subscripts, a, b, y_bar)
        return np.einsum(subscripts, a, b, y_bar), None, None, a_bar, b_bar, None


@tangent(runtime_linalg.einsum_bar)
def einsum_bar_tangent(
    y, g, g_dot, i, subscripts, a, a_dot, b=None, b_dot=0.0, c=None, c_dot=0.0
):
    operands = (a,) if b is None else (a, b) if c is None else (a, b, c)
    y_dot = 0.0 * y
    if not runtime.is_zero(g_dot):
        y_dot = y_dot + runtime_linalg.einsum_bar(g_dot, i, subscripts, *operands)
    if i != 0 and not runtime.is_zero(a_dot):
        moved = (a_dot, *operands[1:])
        y_dot = y_dot + runtime_linalg.einsum_bar(g, i, subscripts, *moved)
    if i != 1 and not runtime.is_zero(b_dot):
        moved = (a, b_dot, *operands[2:])
        y_dot = y_dot + runtime_linalg.einsum_bar(g, i, subscripts, *moved)
    if i != 2 and not runtime.is_zero(c_dot):
        y_dot = y_dot + runtime_linalg.einsum_bar(g, i, subscripts, a, b, c_dot)
    return y_dot


# These are written in functions that have rules, and differentiate as they stand.
composite(runtime_numeric.product_of_others)(runtime_numeric.product_of_others)
composite(runtime_numeric.prod_pullback)(runtime_numeric.prod_pullback)
composite(runtime_numeric.cumprod_pullback)(runtime_numeric.cumprod_pullback)
composite(runtime_numeric.cumprod_pushforward)(runtime_numeric.cumprod_pushforward)


@linear(runtime_shapes.undiff)
def undiff_adjoint(y, y_bar, g, n, axis, shape):
    return np.diff(y_bar, n, axis)


@linear(runtime_shapes.unpaired)
def unpaired_adjoint(y, y_bar, g, shape):
    return runtime_shapes.neighbour_sums(y_bar)


@linear(runtime_shapes.add_along)
def add_along_adjoint(y, y_bar, x, indices, g, axis):
    return None, None, runtime.unbroadcast(np.take_along_axis(y_bar, indices, axis), g)


@linear(runtime_shapes.unblock, views=True)
def unblock_adjoint(y, y_bar, g, nested):
    return np.reshape(np.block(y_bar), np.shape(g)), None


@linear(runtime_shapes.unnest, views=True)
def unnest_adjoint(y, y_bar, g, nested):
    return np.asarray(y_bar), None


@linear(runtime_shapes.split_like, views=True)
def split_like_adjoint(y, y_bar, g, parts, axis):
    return runtime_shapes.join_like(y_bar, g, axis), None


@linear(runtime_shapes.join_like)
def join_like_adjoint(y, y_bar, parts, g, axis):
    return runtime_shapes.split_like(y_bar, parts, axis), None


@linear(runtime_shapes.unsplit)
def unsplit_adjoint(y, y_bar, parts, x, cuts, axis):
    return np.array_split(y_bar, cuts, axis), None, None, None


@linear(runtime_shapes.refit, views="lent")
def refit_adjoint(y, y_bar, g, x):
    return runtime_shapes.refit(y_bar, g), None


@linear(runtime_shapes.widen)
def widen_adjoint(y, y_bar, g, a, v, mode):
    short = min(len(a), len(v))
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[mode]
    return y_bar[start : start + len(g)], None, None


@elementwise(runtime_norms.per_norm, convention="an error where the norm is 0")
def per_norm(z, g, y):
    slope = runtime_norms.one_over_norm(y)
    return slope, -z * slope


@elementwise(runtime_norms.one_over_norm)
def one_over_norm(z, y):
    return -z * z


composite(runtime_norms.vector_slope)(runtime_norms.vector_slope)
composite(runtime_norms.matrix_slope)(runtime_norms.matrix_slope)
constant(runtime_norms.share, runtime_norms.share_of_all)
composite(runtime_shapes.fold_spectrum)(runtime_shapes.fold_spectrum)


@linear(runtime_shapes.halved_spectrum)
def halved_spectrum_adjoint(y, y_bar, g, n, axis):
    return runtime_shapes.halved_spectrum(y_bar, n, axis)


# ------------------------------------------------------------ tensor products


@adjoint(runtime_linalg.tensordot_left, views=True)
def tensordot_left_adjoint(y, y_bar, g, a, b, axes):
    b_bar = runtime_linalg.tensordot_right(g, y_bar, b, axes)
    return np.tensordot(y_bar, b, axes), None, b_bar


@tangent(runtime_linalg.tensordot_left)
def tensordot_left_tangent(y, g, g_dot, a, b, b_dot, axes):
    if runtime.is_zero(b_dot):
        return runtime_linalg.tensordot_left(g_dot, a, b, axes)
    elif runtime.is_zero(g_dot):
        return runtime_linalg.tensordot_left(g, a, b_dot, axes)
    else:
        by_g = runtime_linalg.tensordot_left(g_dot, a, b, axes)
        return by_g + runtime_linalg.tensordot_left(g, a, b_dot, axes)


@adjoint(runtime_linalg.tensordot_right, views=True)
def tensordot_right_adjoint(y, y_bar, g, a, b, axes):
    a_bar = runtime_linalg.tensordot_left(g, a, y_bar, axes)
    return np.tensordot(a, y_bar, axes), a_bar, None


@tangent(runtime_linalg.tensordot_right)
def tensordot_right_tangent(y, g, g_dot, a, a_dot, b, axes):
    if runtime.is_zero(a_dot):
        return runtime_linalg.tensordot_right(g_dot, a, b, axes)
    elif runtime.is_zero(g_dot):
        return runtime_linalg.tensordot_right(g, a_dot, b, axes)
    else:
        by_g = runtime_linalg.tensordot_right(g_dot, a, b, axes)
        return by_g + runtime_linalg.tensordot_right(g, a_dot, b, axes)


constant(
    runtime.zeros_like,
    runtime.float_zeros,
    runtime.above,
    runtime.is_zero,
    runtime.may_repeat,
)
constant(runtime_shapes.in_range, runtime_shapes.segments)
constant(is_static)  # folded where a rule is inlined, so never in generated text
constant(runtime.not_differentiable, runtime_special.no_partial, pure=False)


# ------------------------------------------------------------- ends of functions


@linear(runtime_project.project)
def project_adjoint(y, y_bar, g, x):
    return runtime.unbroadcast(y_bar, g), None


@linear(runtime_project.in_form, views="lent")
def in_form_adjoint(y, y_bar, form, seed):
    return None, runtime.unbroadcast(y_bar, seed)


@linear(runtime_project.seed_like, views="lent")
def seed_like_adjoint(g, g_bar, y, y_bar):
    return None, np.sum(g_bar)


@elementwise(runtime_project.zero_wins)
def zero_wins_partials(y, g, partial):
    return partial, g


@linear(runtime_project.laid_out, views=True)
def laid_out_adjoint(y, y_bar, x, like):
    return y_bar, None


@linear(runtime_project.renewed)
def renewed_adjoint(y, y_bar, residuals):
    return y_bar


@linear(runtime_project.kept_apart)
def kept_apart_adjoint(y, y_bar, value):
    return y_bar


constant(runtime_project.is_last, runtime_shapes.running_position)
constant(runtime_linalg.is_inner_product)
constant(runtime_shapes.full_widths, runtime_special.simpson_weights)
constant(
    runtime_sequences.common_length,
    runtime_sequences.order_of,
    runtime_sequences.slice_positions,
    runtime_sequences.slice_start,
    runtime_sequences.slice_end,
    runtime_sequences.insertion,
    runtime_sequences.position,
    runtime_sequences.set_order,
)
constant(runtime_heaps.heap_order, runtime_heaps.path_down, runtime_heaps.path_up)
constant(
    runtime_places.along_index,
    runtime_places.cycle,
    runtime_places.cycle_by_place,
    runtime_places.diagonal_index,
    runtime_places.flat_index,
    runtime_places.masked_index,
    runtime_places.put_index,
    runtime_places.rounds,
    runtime_places.row_shape,
    runtime_places.rows_shape,
)
constant(
    runtime_project.zero_buffer,
    runtime_project.zeros_congruent,
    runtime_project.zeros_sharing,
    runtime_project.shared_zeros,
)


@linear(runtime_project.shadow_view, views=True)
def shadow_view_adjoint(y, y_bar, view, value, shared):
    return np.where(shared, y_bar, 0.0), None, None


@adjoint(runtime_project.replaced, views="lent")
def replaced_adjoint(y, y_bar, found, g):
    first = 0.0 if found is None else y_bar
    return first, y_bar if found is None else 0.0


@tangent(runtime_project.replaced)
def replaced_tangent(y, found, found_dot, g, g_dot):
    return g_dot if found is None else found_dot
