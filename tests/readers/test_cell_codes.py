"""Codes of text cells against pandas, which knows nothing of how they are found."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz.readers.cell_codes import code_cells

# Of one byte, of two, of up to twelve and longer ones, with letters of several bytes
# and a text that begins like another; in every order they may come.
TEXTS = ["", "a", "b", "é", "ab", "ba", "a ", "male", "female", "twelve bytes"]
TEXTS += ["1", "01", "ñandú", "\0", "\0\0", "abcd\0", "abcde"]
LONG_TEXTS = ["thirteen byte", "thirteen bytE"]


def assert_as_pandas(parts: list[list[str]]) -> None:
    arrays = [pa.array(part, pa.string()) for part in parts]
    values, codes = code_cells(pa.chunked_array(arrays, pa.string()))
    expected_codes, expected_values = pd.factorize(
        np.array([text for part in parts for text in part], dtype=object)
    )
    assert values.to_pylist() == list(expected_values)
    np.testing.assert_array_equal(codes, expected_codes)


@given(
    st.sampled_from([TEXTS, TEXTS + LONG_TEXTS, TEXTS[1:3], TEXTS[3:7]]).flatmap(
        lambda texts: st.lists(st.lists(st.sampled_from(texts), max_size=20))
    )
)
def test_codes_are_those_of_pandas_in_the_order_of_appearance(parts):
    assert_as_pandas(parts)


@given(st.lists(st.lists(st.text(max_size=14), max_size=8), max_size=4))
def test_any_text_is_coded(parts):
    assert_as_pandas(parts)


@pytest.mark.parametrize("states", [5, 100, 127, 128, 129, 1_000])
@pytest.mark.parametrize("form", ["{:c}", "s{}", "state number {}", "{:02x}"])
def test_any_number_of_states_may_turn_up_late(states, form):
    rng = np.random.default_rng(states)
    texts = [form.format(state + 33) for state in range(states)]
    few = [texts[code] for code in rng.integers(0, 3, 5_000)]
    all_of_them = [texts[code] for code in rng.integers(0, states, 5_000)]
    assert_as_pandas([few, all_of_them, few])


@pytest.mark.parametrize("texts", [["a", "b"], ["aa", "bb"], ["no", "yes"]])
def test_a_part_of_an_array_is_coded_like_a_copy_of_it(texts):
    first, second = texts
    whole = pa.array([first, second, second, first, second])
    parts = [whole[:2], whole[2:], whole[3:4], whole[4:]]
    values, codes = code_cells(pa.chunked_array(parts))
    assert values.to_pylist() == texts
    assert codes.tolist() == [0, 1, 1, 0, 1, 0, 1]


def test_few_states_take_one_byte_per_cell():
    _, codes = code_cells(pa.chunked_array([["a", "b"] * 10]))
    assert codes.dtype == np.int8
