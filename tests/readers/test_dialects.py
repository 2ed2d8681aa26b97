"""Titles, delimiter, header and columns of a text file."""

import pandas as pd
import pytest

from siviz.readers import read_in_chunks, read_table
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


ROWS = "1,x,u\n2,y,v\n1,x,v\n"


@pytest.mark.parametrize(
    ("above", "names", "told"),
    [
        ("# made by a,b,c\np,q,r\n", "pqr", '(1): "# made by a,b,c".'),
        ("# one\n\n#two\n# 3, 4\np,q,r\n", "pqr", '(3): "# one", "#two", "# 3, 4".'),
        ('# a "mark\np,q,r\n', "pqr", '(1): "# a "mark".'),
        ("##kind=1\n#CHROM,q,r\n", ["#CHROM", "q", "r"], '(1): "##kind=1".'),
    ],
)
def test_lines_above_the_names_that_begin_with_a_hash_are_comments(above, names, told):
    for end in ("\n", "\r\n"):
        text = (above + ROWS).replace("\n", end)
        reading = read_table(text.encode(), name="t.csv")
        assert list(reading.frame) == list(names)
        assert len(reading.frame) == 3
        note = "Lines above the names that begin with # were skipped as comments "
        assert note + told in reading.notes


@pytest.mark.parametrize("first", ["#", "#id", "#1"])
def test_a_hash_that_belongs_to_a_name_is_kept(first):
    reading = read_table(f"{first},q,r\n{ROWS}".encode())
    assert list(reading.frame) == [first, "q", "r"]
    assert not any("comment" in note for note in reading.notes)


def test_names_marked_as_a_comment_above_numbers_are_names():
    reading = read_table(b"# made by hand\n# p,q\n1,2\n3,4\n")
    assert reading.frame.to_dict("list") == {"p": [1, 3], "q": [2, 4]}
    assert "The mark # before the names of the columns was removed." in reading.notes
    assert any('(1): "# made by hand"' in note for note in reading.notes)


def test_states_that_begin_with_a_hash_are_no_comments():
    frame = read_table(b"colour,n\n#ff0000,1\n#00ff00,2\n").frame
    assert frame["colour"].tolist() == ["#ff0000", "#00ff00"]
    assert len(read_table(b"#tag\n#a\n#b\n").frame) == 2


@pytest.mark.parametrize("extra", [1, 2])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("named", [False, True])
def test_rows_that_all_end_in_a_separator_are_read_and_told(
    tmp_path, extra, mark, named
):
    ended = ROWS.replace("\n", "," * extra + "\n")
    text = "p,q,r" + "," * extra * named + "\n" + ended
    path = tmp_path / "t.csv"
    path.write_text(text.replace(",", mark))
    expected = {"p": [1, 2, 1], "q": list("xyx"), "r": list("uvv")}
    whole, parts = read_table(path), read_in_chunks(path, rows=2)
    assert whole.frame.to_dict("list") == expected
    assert pd.concat(list(parts)).astype(str).to_dict("list") == {
        name: list(map(str, values)) for name, values in expected.items()
    }
    for notes in (whole.notes, parts.notes):
        told = f"Empty columns without a name at the end were dropped: {extra}."
        assert told in notes
        assert any("Every row ends in" in note for note in notes) != named


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "p,q\n" + ROWS,
            "t.csv: the names of the columns are 2, but every row has 3 fields "
            "separated by commas; add the missing names",
        ),
        (
            "p,q,r\n1,x,u\n1,x,u,\n2,y,v\n",
            "t.csv, line 3: 4 field(s) separated by commas, but the first line has 3; "
            "remove the empty fields at its end",
        ),
        (
            "p,q\n" + "1,x,\n" * 400_000 + "1,x\n",
            "t.csv, line 400002: 2 field(s) separated by commas, but the rows above "
            "have 3; ",
        ),
    ],
)
def test_other_rows_longer_than_the_names_are_told_in_their_own_words(text, told):
    with pytest.raises(ReadingError) as error:
        read_table(text.encode(), name="t.csv")
    assert str(error.value).startswith(told)
