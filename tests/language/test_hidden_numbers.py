"""Numbers that go through text, or through arrays of objects or records, carry no
derivative: whoever reads them back is refused, and whoever only shows them is not."""

import collections
import io
import logging

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check


def through_text(x):
    return float(str(x)) * x


def through_an_f_string(x):
    return float(f"{x * x:.12f}")


def through_a_format(x):
    text = "%.12f" % x
    return float(text.strip()) + x


def through_parts_of_text(x):
    a, b = f"{x!r} {2.0!r}".split()
    return float(a) * float(b)


def through_a_list_of_texts(x):
    texts = []
    for k in range(3):
        texts.append(f"{x * k!r}")
    return sum(float(t) for t in texts)


def through_a_branch(x):
    text = repr(x) if x > 0 else "1.0"
    return float(text)


def through_a_buffer(x):
    out = io.StringIO()
    out.write(repr(x))
    return float(out.getvalue())


def through_a_table(x):
    return np.loadtxt([f"{x!r}"]).sum()


def through_objects(x):
    return np.array([x, x * x], dtype=object).sum()


def through_objects_made_later(x):
    return np.array([x, x * x]).astype(object).sum()


def through_an_item_of_objects(x):
    return np.array([x, None, x * x])[2]


def through_full_objects(x):
    return float(np.full(3, x, dtype="O")[0])


def through_records(x):
    records = np.array([(x, 1), (x * x, 2)], dtype=[("a", float), ("b", int)])
    return records["a"].sum()


REFUSED = [
    through_text,
    through_an_f_string,
    through_a_format,
    through_parts_of_text,
    through_a_list_of_texts,
    through_a_branch,
    through_a_buffer,
    through_a_table,
    through_objects,
    through_objects_made_later,
    through_an_item_of_objects,
    through_full_objects,
    through_records,
]


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_hides_a_number_is_refused(f):
    for derivative in (sourcegrad.grad(f), lambda x: sourcegrad.jvp(f, (x,), (1.0,))):
        with pytest.raises(sourcegrad.SourcegradError, match="reads? |holds?") as error:
            derivative(1.3)
        assert "test_hidden_numbers.py" in str(error.value)


def text_as_a_key(x):
    seen = {}
    seen[f"{x:.3f}"] = x * x
    return seen[f"{x:.3f}"] * x


def text_in_a_message(x):
    log = logging.getLogger("hidden numbers")
    if x < 0:
        raise ValueError(f"{x} is negative")
    log.debug("x is %s", x)
    print(f"{x:.2f}".rjust(10), file=io.StringIO())
    return x * x


def length_of_a_text(x):
    return x * len(f"{x:.2f}")


def text_from_outside(x):
    total = 0.0
    for line in ["w 2.0", "v 3.5"]:
        name, number = line.split()
        total += float(number) * (x if name == "w" else x * x)
    return total


def text_of_what_is_no_number(x):
    counts = collections.Counter("abca")
    return float(f"{counts['a']}") * x


def text_of_a_stopped_value(x):
    return float(f"{sourcegrad.stop_gradient(x)}") * 0.0 + x * x


def text_of_a_dtype(x):
    a = np.array([x, x * x])
    b = np.zeros(len(a), dtype=str(a.dtype)) + float(f"{a.shape[0]}")
    print(f"{type(a).__name__} {a.shape}", file=io.StringIO())
    return np.sum(a * b) * float(str(a.ndim))


SHOWN = [
    text_of_a_dtype,
    text_as_a_key,
    text_in_a_message,
    length_of_a_text,
    text_from_outside,
    text_of_what_is_no_number,
    text_of_a_stopped_value,
]


@pytest.mark.parametrize("f", SHOWN, ids=lambda f: f.__name__)
def test_text_that_is_only_shown(f):
    check(f, 1.3)
