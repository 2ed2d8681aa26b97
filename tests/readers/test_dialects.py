"""Titles, delimiter, header and columns of a text file."""

import pytest

from siviz.readers.column_names import MOST_COLUMNS
from siviz.readers.dialects import Dialect, find_dialect
from siviz.readers.sources import ReadingError


def dialect_of(text: str) -> Dialect:
    return find_dialect(text, "t.csv")


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(mark):
    text = "a,b,c\n1,x,2\n3,y,4\n".replace(",", mark)
    assert dialect_of(text).delimiter == mark


def test_decimal_commas_do_not_hide_semicolons():
    assert dialect_of("a;b\n1,5;2,5\n3,5;4,5\n").delimiter == ";"


def test_delimiters_inside_quotation_marks_do_not_count():
    assert dialect_of('"a;b;c","d"\n"1;2;3",4\n').names == ("a;b;c", "d")


def test_the_delimiter_declared_by_a_spreadsheet_is_used():
    found = dialect_of("sep=;\na,b;c\n1,2;3\n")
    assert (found.delimiter, found.names) == (";", ("a,b", "c"))
    assert found.skipped_lines == 1


def test_blank_lines_before_the_header_are_skipped():
    assert dialect_of("\r\n\r\na,b\r\n1,2\r\n").skipped_lines == 2


def test_a_first_line_of_numbers_is_data():
    found = dialect_of("1;2,5\n3;4,5\n")
    assert not found.header
    assert found.names == ("column 1", "column 2")
    assert any("only numbers" in note for note in found.notes)


def test_a_name_without_number_makes_a_header():
    assert dialect_of("2019,x\n1,2\n").header


@pytest.mark.parametrize(("start", "index"), [(0, True), (1, True), (5, False)])
def test_a_nameless_first_column_that_counts_the_rows_is_an_index(start, index):
    rows = "".join(f"{start + i},x\n" for i in range(3))
    assert dialect_of(",a\n" + rows).index is index


def test_as_many_columns_as_allowed_are_found():
    line = ",".join(f"c{place}" for place in range(MOST_COLUMNS))
    assert len(dialect_of(f"{line}\n{line}\n").names) == MOST_COLUMNS


@pytest.mark.parametrize(
    "text",
    [
        "a\nx, y\nz, w\n",  # sentences
        "a\nx;y\nz\n",  # not every line is divided
        "a\nx;y\nz;w;v\n",  # not equally
        "a\nx;y\n",  # one line
        '"a"\nx;y\nz;w\n',  # a quoted name
        'a\n"x;y"\n"z;w"\n',  # quoted cells
    ],
)
def test_a_name_above_one_column_is_no_title(text):
    found = dialect_of(text)
    assert (found.names, found.skipped_lines) == (("a",), 0)


def test_a_quotation_mark_that_swallows_all_rows_is_told():
    with pytest.raises(ReadingError, match=r"only a header.*close the quotation mark"):
        dialect_of('a;"b\n1;2\n3;"4\n')
