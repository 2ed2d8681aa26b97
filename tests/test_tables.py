"""What a table is, and what is refused at the door."""

import numpy as np
import pandas as pd
import pytest

from siviz import Table, conditional_table, merge_states, mutual_information
from siviz.tables import as_counts

BAD = {
    "negative": (
        [[1, 2], [3, -4]],
        r"must not be negative; got -4\.0 at index \(1, 1\)",
    ),
    "fractional": (
        [[1, 2.5], [3, 4]],
        r"must be whole numbers .*got 2\.5 at index \(0, 1\)",
    ),
    "nan": ([[1, 2], [np.nan, 4]], r"must be finite; got nan at index \(1, 0\)"),
    "infinite": ([[1, 2], [3, np.inf]], r"must be finite; got inf at index \(1, 1\)"),
    "empty": ([[]], r"must not be empty; got the shape \(1, 0\)"),
    "nothing": (np.zeros((2, 3)), r"at least one observation per table; got 0\.0"),
    "one axis": ([1, 2, 3], r"shape \(\.\.\., rows, columns\); got 1 axes"),
    "a number": (5, r"shape \(\.\.\., rows, columns\); got 0 axes"),
    "ragged": ([[1, 2], [3]], "rectangular array; got rows of different lengths"),
    "text": ([["a", "b"], ["c", "d"]], "must be numbers; got str"),
    "mixed": (
        np.array([[1, "b"], [2, 3]], dtype=object),
        r"must be numbers; got 'b' at index \(0, 1\)",
    ),
    "booleans": ([[True, False], [False, True]], "must be numbers; got bool"),
    "complex": ([[1j, 2], [3, 4]], "must be numbers; got complex"),
    "missing": ([[None, 2], [3, 4]], r"must be numbers; got None at index \(0, 0\)"),
    "too many": ([[2**53, 2**53]], r"at most 2\*\*53 per table"),
    "beyond floats": (
        [[10**400, 1], [1, 1]],
        r"at most 2\*\*53 .*a cell of 1329 bits at index \(0, 0\)",
    ),
    "complex object": (
        np.array([[1, 2], [np.complex128(3), 4]], dtype=object),
        r"must be numbers; got np.complex128\(3\+0j\) at index \(1, 0\)",
    ),
    "masked": (
        np.ma.array([[5, 1], [1, 5]], mask=[[0, 1], [0, 0]]),
        "must not be masked; fill the masked cells",
    ),
    "no tables": (np.zeros((0, 2, 2)), r"must not be empty; got the shape \(0, 2, 2\)"),
}


@pytest.mark.parametrize("counts, message", BAD.values(), ids=BAD.keys())
def test_bad_counts_get_one_sentence_with_rule_value_and_place(counts, message):
    with pytest.raises(ValueError, match=message):
        mutual_information(counts)


def test_an_empty_table_in_a_batch_is_named_by_its_place():
    batch = np.ones((3, 2, 2))
    batch[1] = 0
    with pytest.raises(ValueError, match="per table; got 0.0 at index 1"):
        mutual_information(batch)


def test_options_must_be_named():
    with pytest.raises(TypeError, match="name the options"):
        mutual_information([[1, 2], [3, 4]], "calibrated")


def test_whole_floats_unsigned_integers_objects_and_frames_are_counts():
    expected = np.array([[1.0, 2.0], [3.0, 4.0]])
    for counts in (
        [[1.0, 2.0], [3.0, 4.0]],
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1, 2], [3, 4]], dtype=object),
        pd.DataFrame([[1, 2], [3, 4]]),
        pd.DataFrame([[1, 2], [3, 4]], dtype="Int64"),
        np.ma.array([[1, 2], [3, 4]]),
    ):
        np.testing.assert_array_equal(as_counts(counts), expected)


def test_counts_are_copied_so_that_a_later_change_has_no_effect():
    counts = np.array([[1.0, 2.0], [3.0, 4.0]])
    table = Table(counts)
    counts[0, 0] = 100
    assert table.sample_size == 10


def test_facts_of_a_table_with_an_empty_row_and_column():
    table = Table([[4, 0, 1, 0], [0, 0, 0, 0], [2, 3, 0, 0]])
    assert (table.sample_size, table.row_states, table.column_states) == (10, 2, 3)
    assert (table.occupied_cells, table.dof, table.effective_dof) == (4, 2, 0)
    np.testing.assert_allclose(table.expected[0, 0], [3, 1.5, 0.5, 0])


def test_strata_are_counted_by_themselves():
    counts = np.zeros((3, 2, 2), dtype=int)
    counts[:, :, 0] = [[1, 2], [3, 4], [0, 0]]
    counts[:, :, 1] = [[5, 0], [6, 0], [7, 0]]
    table = conditional_table(counts)
    np.testing.assert_array_equal(table.stratum_sizes, [10, 18])
    np.testing.assert_array_equal(table.stratum_dof, [1, 0])
    assert (table.sample_size, table.row_states, table.dof) == (28, 3, 1)


def test_a_conditional_table_needs_three_axes():
    with pytest.raises(ValueError, match=r"\(\.\.\., rows, columns, strata\)"):
        conditional_table([[1, 2], [3, 4]])


def test_merging_states_adds_their_counts():
    counts = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(
        merge_states(counts, [[0, 2], [1, 3]], axis=-1), [[2, 4], [10, 12], [18, 20]]
    )
    np.testing.assert_array_equal(
        merge_states(counts, [[0, 1, 2]], axis=-2), [[12, 15, 18, 21]]
    )


@pytest.mark.parametrize(
    "groups", [[[0, 1]], [[0, 1], [1, 2]], [[0, 1], [2, 3]], [[0, 1, 2], []]]
)
def test_groups_must_name_each_state_once(groups):
    with pytest.raises(ValueError, match="each of the states 0 to 2 exactly once"):
        merge_states(np.ones((3, 3)), groups, axis=-2)


def test_merge_axis_must_be_a_variable_of_the_table():
    with pytest.raises(ValueError, match=r"axis must be -2 \(rows\) or -1"):
        merge_states(np.ones((3, 3)), [[0, 1, 2]], axis=0)
