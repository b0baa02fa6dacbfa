"""Random programs: printed, parsed back, and compared with what was printed."""

import gast
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcegrad.printer.text import check_round_trip, to_source

names = st.sampled_from("abcxyz").map(lambda n: gast.Name(n, gast.Load(), None, None))
constants = st.one_of(
    st.integers(-3, 10**20),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=4),
    st.binary(max_size=3),
    st.sampled_from([None, True, False, ...]),
).map(lambda v: gast.Constant(v, None))
binary_ops = st.sampled_from(
    "Add Sub Mult Div FloorDiv Mod Pow MatMult BitAnd BitOr BitXor LShift RShift"
    " Pow".split()
).map(lambda n: getattr(gast, n)())
unary_ops = st.sampled_from([gast.USub(), gast.UAdd(), gast.Not(), gast.Invert()])
compare_ops = st.sampled_from("Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn".split()).map(
    lambda n: getattr(gast, n)()
)
targets = st.sampled_from("uvw").map(lambda n: gast.Name(n, gast.Store(), None, None))


def arguments(names_):
    params = [gast.Name(n, gast.Param(), None, None) for n in names_]
    return gast.arguments(params, [], None, [], [], None, [])


def generators(e):
    return st.lists(
        st.builds(gast.comprehension, targets, e, st.lists(e, max_size=2), st.just(0)),
        min_size=1,
        max_size=2,
    )


def indices(e):
    slices = st.builds(gast.Slice, *[st.one_of(st.none(), e)] * 3)
    tuples = st.lists(st.one_of(e, slices), max_size=3)
    return st.one_of(e, slices, tuples.map(lambda elts: gast.Tuple(elts, gast.Load())))


def displays(e):
    elements = st.lists(e, max_size=4)
    return st.one_of(
        elements.map(lambda v: gast.Tuple(v, gast.Load())),
        elements.map(lambda v: gast.List(v, gast.Load())),
        st.lists(e, min_size=1, max_size=3).map(gast.Set),
        st.lists(st.tuples(st.one_of(st.none(), e), e), max_size=3).map(
            lambda items: gast.Dict([k for k, _ in items], [v for _, v in items])
        ),
        st.builds(gast.ListComp, e, generators(e)),
        st.builds(gast.GeneratorExp, e, generators(e)),
        st.builds(gast.SetComp, e, generators(e)),
        st.builds(gast.DictComp, e, e, generators(e)),
    )


def calls(e):
    starred = st.builds(gast.Starred, e, st.just(gast.Load()))
    keywords = st.lists(
        st.builds(gast.keyword, st.sampled_from(["k", "axis"]), e), max_size=1
    )
    return st.builds(
        gast.Call, e, st.lists(st.one_of(e, starred), max_size=3), keywords
    )


def operators(e):
    chain = st.lists(st.tuples(compare_ops, e), min_size=1, max_size=2)
    return st.one_of(
        st.builds(gast.BinOp, e, binary_ops, e),
        st.builds(gast.UnaryOp, unary_ops, e),
        st.builds(
            gast.BoolOp,
            st.sampled_from([gast.And(), gast.Or()]),
            st.lists(e, min_size=2, max_size=3),
        ),
        st.builds(
            lambda left, rest: gast.Compare(
                left, [op for op, _ in rest], [right for _, right in rest]
            ),
            e,
            chain,
        ),
        st.builds(gast.IfExp, e, e, e),
        st.builds(
            gast.Lambda, st.sampled_from([[], ["p"], ["p", "q"]]).map(arguments), e
        ),
        st.builds(gast.NamedExpr, targets, e),
        st.builds(
            gast.Attribute, e, st.sampled_from(["T", "real"]), st.just(gast.Load())
        ),
        st.builds(gast.Subscript, e, indices(e), st.just(gast.Load())),
    )


expressions = st.recursive(
    st.one_of(names, names, constants),
    lambda e: st.one_of(operators(e), operators(e), displays(e), calls(e)),
    max_leaves=12,
)
simple_statements = st.one_of(
    expressions.map(gast.Expr),
    expressions.map(gast.Return),
    st.builds(
        lambda t, v: gast.Assign([t], v, None),
        st.one_of(
            targets,
            st.lists(targets, min_size=1, max_size=3).map(
                lambda ts: gast.Tuple(ts, gast.Store())
            ),
        ),
        expressions,
    ),
    st.builds(gast.AugAssign, targets, binary_ops, expressions),
    st.builds(gast.Assert, expressions, st.one_of(st.none(), expressions)),
)
compound_statements = st.one_of(
    st.builds(lambda t, s: gast.If(t, [s], []), expressions, simple_statements),
    st.builds(lambda t, s: gast.While(t, [s], []), expressions, simple_statements),
    st.builds(
        lambda i, s: gast.For(
            gast.Name("u", gast.Store(), None, None), i, [s], [], None
        ),
        expressions,
        simple_statements,
    ),
)


@settings(max_examples=600, deadline=None)
@given(st.one_of(simple_statements, compound_statements))
def test_random_programs_mean_what_they_say(statement):
    function = gast.FunctionDef(
        "f_with_a_long_name", arguments("abc"), [statement], [], None, None, []
    )
    module = gast.Module([function], [])
    check_round_trip(module, to_source(module))


@settings(max_examples=60, deadline=None)
@given(st.lists(expressions, min_size=4, max_size=8))
def test_random_long_calls_mean_what_they_say(arguments_):
    name = gast.Name("a_function_with_a_long_name", gast.Load(), None, None)
    call = gast.Expr(gast.Call(name, arguments_, []))
    check_round_trip(gast.Module([call], []), to_source(call))
