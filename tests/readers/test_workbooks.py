"""A sheet of a workbook becomes the table that is in it."""

from datetime import datetime

import pytest

from siviz.readers import ReadingError, read_table
from tests.readers.written_files import note, workbook


def test_a_workbook_keeps_numbers_dates_and_booleans():
    day = datetime(2024, 2, 29)
    rows = [
        ["n", "r", "t", "d", "b", "m"],
        [1, 1.5, "x", day, True, 1],
        [2, None, "NA", None, False, "a"],
    ]
    frame = read_table(workbook(rows)).frame
    kinds = [str(dtype).split("[")[0] for dtype in frame.dtypes]
    assert kinds == ["int64", "float64", "category", "datetime64", "bool", "category"]
    assert frame["d"][0] == day
    assert frame["t"].isna().tolist() == [False, True]
    assert frame["m"].tolist() == ["1", "a"]


def test_a_table_in_the_middle_of_a_sheet_is_found():
    rows = [[], [None, "a", "b"], [None, 1, "x"], [None, 2, "y"], [None, None, " "]]
    reading = read_table(workbook(rows))
    assert reading.frame.to_numpy().tolist() == [[1, "x"], [2, "y"]]
    assert note(reading, "above the table")
    assert note(reading, "left of the table")
    assert note(reading, "at the end")


def test_titles_above_a_table_are_skipped_and_told():
    rows = [["Survey 2024"], [], [None, "all regions"], ["a", "b"], ["x", 1], ["y", 2]]
    reading = read_table(workbook(rows))
    assert list(reading.frame) == ["a", "b"]
    assert len(reading.frame) == 2
    assert note(reading, '"Survey 2024"').startswith("Rows above the table")


def test_a_single_column_has_no_titles():
    reading = read_table(workbook([["a"], ["x"], ["y"], ["x"]]))
    assert list(reading.frame) == ["a"]
    assert not any("above the table" in told for told in reading.notes)


def test_the_first_sheet_is_read_unless_another_is_chosen():
    content = workbook([["a"], [1]], title="one", more=["two"])
    assert note(read_table(content), '"one"', '"two"')
    assert len(read_table(workbook([["x"], [1]], more=["b"]), sheet="data").frame) == 1
    with pytest.raises(ReadingError, match=r'no sheet "three".*"one", "two"'):
        read_table(content, sheet="three")


def test_a_sheet_without_values_is_refused():
    with pytest.raises(ReadingError, match="no values"):
        read_table(workbook([["a", "b"], ["NA", None], [None, "?"]]))


def test_a_sheet_of_dates_has_values():
    frame = read_table(workbook([["d"], [datetime(2024, 2, 29)]])).frame
    assert frame["d"][0] == datetime(2024, 2, 29)
