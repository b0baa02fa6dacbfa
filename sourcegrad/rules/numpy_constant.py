"""Functions whose results carry no derivative: comparisons, tests, integer work."""

import numpy as np

from .registry import constant

# ------------------------------------------------- comparison and logic

constant(
    np.all,
    np.allclose,
    np.any,
    np.array_equal,
    np.array_equiv,
    np.equal,
    np.greater,
    np.greater_equal,
    np.isclose,
    np.isfinite,
    np.isinf,
    np.isnan,
    np.isnat,
    np.isneginf,
    np.isposinf,
    np.isscalar,
    np.less,
    np.less_equal,
    np.logical_and,
    np.logical_not,
    np.logical_or,
    np.logical_xor,
    np.not_equal,
)

# ------------------------------------------------------ counts and sets

constant(
    np.count_nonzero,
    np.isin,
    getattr(np, "in1d", np.isin),  # until NumPy 2.4
    np.may_share_memory,
    np.shares_memory,
)

# -------------------------------------------------- integers and bits

constant(
    np.bitwise_and,
    np.bitwise_count,
    np.bitwise_or,
    np.bitwise_xor,
    np.gcd,
    np.invert,
    np.lcm,
    np.left_shift,
    np.packbits,
    np.right_shift,
    np.unpackbits,
)

# ------------------------------------------------------ types and text

constant(
    np.array2string,
    np.array_repr,
    np.array_str,
    np.base_repr,
    np.binary_repr,
    np.can_cast,
    np.common_type,
    np.dtype,
    np.einsum_path,
    np.errstate,
    np.finfo,
    np.format_float_positional,
    np.format_float_scientific,
    np.get_include,
    np.get_printoptions,
    np.getbufsize,
    np.geterr,
    np.geterrcall,
    np.iinfo,
    np.isdtype,
    np.isfortran,
    np.issubdtype,
    np.iterable,
    np.min_scalar_type,
    np.mintypecode,
    np.ndindex,
    np.printoptions,
    np.promote_types,
    np.result_type,
    np.typename,
)

# ------------------------- types of numbers that carry no derivative, and calendars

constant(
    np.bool_,
    np.busday_count,
    np.busday_offset,
    np.busdaycalendar,
    np.bytes_,
    np.datetime64,
    np.datetime_as_string,
    np.datetime_data,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.intc,
    np.is_busday,
    np.long,
    np.longlong,
    np.str_,
    np.timedelta64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.uintc,
    np.ulong,
    np.ulonglong,
)

# Names of kinds of numbers, which are tested against and not called.
constant(
    np.character,
    np.complexfloating,
    np.flexible,
    np.floating,
    np.generic,
    np.inexact,
    np.integer,
    np.number,
    np.signedinteger,
    np.ufunc,
    np.unsignedinteger,
)

# ---------------------------------------------------- files, printing, settings

constant(
    np.fromfile,
    np.fromregex,
    np.fromstring,
    np.genfromtxt,
    np.info,
    np.load,
    np.loadtxt,
    np.save,
    np.savetxt,
    np.savez,
    np.savez_compressed,
    np.set_printoptions,
    np.setbufsize,
    np.seterr,
    np.seterrcall,
    np.show_config,
    np.show_runtime,
    pure=False,
)

# ------------------------------------------------------- random draws

constant(
    np.random.default_rng,
    np.random.rand,
    np.random.randint,
    np.random.randn,
    np.random.random,
    np.random.random_sample,
    np.random.seed,
    np.random.standard_normal,
    pure=False,
)
