"""Columns of text become numbers only if nothing is lost."""

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz.readers import read_in_chunks, read_table
from siviz.readers.cells import MISSING
from siviz.readers.column_kinds import Facts, facts_of


def kind_of(*cells: str, decimal_comma: bool = False) -> str:
    return facts_of(pa.array(cells, pa.string())).kind(decimal_comma=decimal_comma)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "0"], "whole"),
        (["1", "1.0"], "number"),
        (["1e3", ".5", "+7", "inf"], "number"),
        ([" 1", "2 "], "whole"),
        (["9223372036854775807"], "whole"),
        (["9223372036854775808"], "text"),
        (["1", "x"], "text"),
        (["01234", "99999"], "text"),
        (["0", "0.5", "-0"], "number"),
        (["0x10"], "text"),
        (["1,000"], "text"),
        (["1_000"], "text"),
        (["12.5%"], "text"),
        (["True", "False"], "text"),
        (["2021-01-31", " 2021-02-28 "], "date"),
        (["2021-01-31 23:59", "2021-02-28T00:00:01"], "date"),
        (["2021-02-30"], "text"),
        (["31.12.2021"], "text"),
        (["2021-01-31", "soon"], "text"),
        (["2021-01-31", "2021"], "text"),
    ],
)
def test_cells_become_numbers_only_if_nothing_is_lost(cells, kind):
    assert kind_of(*cells) == kind


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1,5", "2"], "comma"),
        (["1,5", "2.5"], "text"),
        (["1.234,5"], "text"),
        (["1,234,567"], "text"),
        (["1,5", "x"], "text"),
        (["1,5", "007"], "text"),
        (["1,5", "9007199254740993"], "text"),
        (["1,5e400"], "text"),
    ],
)
def test_a_decimal_comma_is_read_where_the_file_has_it(cells, kind):
    assert kind_of(*cells, decimal_comma=True) == kind
    assert kind_of(*cells) == "text"


def test_commas_before_three_digits_may_be_thousands():
    assert not facts_of(pa.array(["1,234", "5", "12,000"])).decimal_comma
    assert facts_of(pa.array(["1,234", "0,500"])).decimal_comma


def test_whole_numbers_with_gaps_are_floats_only_while_exact():
    gaps = Facts(missing=True)
    assert (facts_of(pa.array(["1"])) + gaps).kind(decimal_comma=False) == "number"
    long = facts_of(pa.array([str(2**53 + 1)]))
    assert long.kind(decimal_comma=False) == "whole"
    assert (long + gaps).kind(decimal_comma=False) == "text"


CELLS = [
    *("1", "2.5", "x", "007", "1,5", "1,234", "9007199254740993", "1e5", "-0"),
    *("1e400", "inf"),
]


@given(st.lists(st.sampled_from(CELLS)), st.lists(st.sampled_from(CELLS)))
def test_facts_of_parts_add_up_to_the_facts_of_the_whole(left, right):
    def facts(cells):
        return facts_of(pa.array(cells, pa.string()))

    parts, whole = facts(left) + facts(right), facts(left + right)
    for comma in (False, True):
        assert parts.kind(decimal_comma=comma) == whole.kind(decimal_comma=comma)
    assert parts.decimal_comma == whole.decimal_comma


@pytest.mark.parametrize("state", ["0", "no", "none", "n", "N", "unknown", "false"])
def test_words_that_can_be_states_are_never_missing(state):
    assert state not in MISSING


@pytest.mark.parametrize("end", ["Z", "+02:00", "-0800", "+01"])
@pytest.mark.parametrize("gap", [False, True])
def test_times_with_a_zone_are_dates_in_utc(tmp_path, end, gap):
    times = pd.Series(pd.date_range("2024-03-01", periods=900, freq="61min"))
    texts = times.dt.strftime("%Y-%m-%dT%H:%M:%S") + end
    texts[0] = "" if gap else texts[0]
    path = tmp_path / "t.csv"
    pd.DataFrame({"when": texts, "x": 1}).to_csv(path, index=False)
    expected = pd.to_datetime(texts, utc=True).dt.tz_localize(None)
    reading = read_table(path)
    parts = pd.concat(list(read_in_chunks(path, rows=400)), ignore_index=True)
    for found in (reading.frame["when"], parts["when"]):
        assert found.astype("M8[us]").equals(expected.astype("M8[us]"))
    assert 'Times with a time zone were read in UTC: "when".' in reading.notes


def test_times_of_which_only_some_have_a_zone_stay_text_in_every_way_of_reading(
    tmp_path,
):
    path = tmp_path / "t.csv"
    for ends in (["Z", ""], ["", "Z"]):
        cells = [f"2024-03-01T00:15:00{end}" for end in ends]
        path.write_text("when\n" + "\n".join(cells) + "\n")
        assert read_table(path).frame["when"].tolist() == cells
        assert [p["when"].tolist() for p in read_in_chunks(path, rows=1)] == [
            [cell] for cell in cells
        ]
