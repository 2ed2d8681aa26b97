"""What columns of a text file become, whole and in parts, and what is noted."""

import numpy as np
import pandas as pd
import pytest

from siviz.readers import ReadingError, read_in_chunks, read_table, text_tables
from siviz.readers.cells import MISSING
from tests.readers.written_files import assert_equal_values, joined, note


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 50 rows, as the first rows are, or little more."""
    monkeypatch.setattr(text_tables, "_SMALLEST_BLOCK", 100)


@pytest.mark.usefixtures("small_blocks")
def test_a_row_longer_than_a_block_is_read(tmp_path):
    frame = pd.DataFrame({"a": ["x", "y" * 3_000_000, "z"] * 2, "b": range(6)})
    path = tmp_path / "t.csv"
    content = b"a,b\n" + b"q,7\n" * 400_000
    path.write_bytes(content + frame.to_csv(index=False, header=False).encode())
    assert_equal_values(read_table(path).frame.iloc[400_000:], frame)
    parts = joined(list(read_in_chunks(path, rows=150_000)))
    assert_equal_values(parts.iloc[400_000:], frame)
    assert len(parts) == 400_006


@pytest.mark.usefixtures("small_blocks")
def test_quoted_rows_before_one_longer_than_a_block_are_read_once(tmp_path):
    frame = pd.DataFrame({"a": ["x,", "y"] * 1_000, "b": range(2_000)})
    frame.loc[1_500, "a"] = "long, " * 20_000
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert_equal_values(read_table(path).frame, frame)
    assert_equal_values(joined(list(read_in_chunks(path, rows=300))), frame)


@pytest.mark.usefixtures("small_blocks")
def test_line_breaks_inside_cells_are_read_across_blocks(tmp_path):
    frame = pd.DataFrame({"a": ['line "1"\nline, 2\n'] * 100_000, "b": "x"})
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert_equal_values(read_table(path).frame, frame)
    assert_equal_values(joined(list(read_in_chunks(path, rows=30_000))), frame)


@pytest.mark.parametrize("preface", ["sep=;\n", "\n\n", "\r\nsep=;\r\n"])
def test_lines_before_the_header_are_skipped(preface, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(preface + "a;b\n1;x\n", newline="")
    assert read_table(path).frame.to_numpy().tolist() == [[1, "x"]]
    assert joined(list(read_in_chunks(path))).to_numpy().tolist() == [[1, "x"]]


def test_numbers_text_and_gaps_get_their_types():
    frame = read_table(
        b"whole,gaps,real,text,flag\n1,1,1.5,x,True\n2,NA,2,?,False\n3,3,,y,True\n"
    ).frame
    kinds = ["int64", "float64", "float64", "category", "category"]
    assert frame.dtypes.astype(str).tolist() == kinds
    assert frame.isna().sum().tolist() == [0, 1, 1, 1, 0]
    assert frame["text"].cat.categories.tolist() == ["x", "y"]


@pytest.mark.parametrize("mark", MISSING)
def test_every_mark_for_missing_is_missing_in_text_and_numbers(mark):
    frame = read_table(f"n,t\n1,x\n{mark},{mark}\n2, {mark} \n3,y\n".encode()).frame
    assert frame["n"].isna().tolist() == [False, True, False, False]
    assert frame["n"].dtype == float
    assert frame["t"].isna().tolist() == [False, True, True, False]


def test_zero_and_no_are_never_missing():
    frame = read_table(b"a,b\n0,no\n1,none\n").frame
    assert not frame.isna().any(axis=None)


def test_leading_zeros_stay_text_and_are_noted():
    reading = read_table(b"zip,n\n01234,1\n99999,2\n")
    assert reading.frame["zip"].tolist() == ["01234", "99999"]
    assert "zip" in note(reading, "leading zeros")


def test_decimal_commas_are_read_and_noted():
    reading = read_table(b"a;b\n1,5;x\n2;y\n")
    assert reading.frame["a"].tolist() == [1.5, 2.0]
    assert '"a"' in note(reading, "decimal comma")


def test_possible_thousands_are_never_guessed():
    reading = read_table(b"a\tb\n1,234\tx\n12\ty\n")
    assert reading.frame["a"].tolist() == ["1,234", "12"]
    assert '"a"' in note(reading, "thousands")


def test_an_unambiguous_column_settles_the_commas_of_the_others():
    frame = read_table(b"a\tb\n1,234\t0,5\n12\t1,5\n").frame
    assert frame["a"].tolist() == [1.234, 12.0]


def test_a_late_text_cell_makes_every_chunk_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,1\n" * 400_000 + "1.0,x\n")
    parts = list(read_in_chunks(path, rows=100_000))
    assert [str(part["b"].dtype) for part in parts] == ["category"] * 5
    assert [list(p["b"].cat.categories) for p in parts] == [["1"]] * 4 + [["x"]]
    assert {str(part["a"].dtype) for part in parts} == {"float64"}
    assert_equal_values(joined(parts), read_table(path).frame)


def test_a_late_gap_makes_every_chunk_float(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,x\n" * 30_000 + ",x\n")
    assert {str(p["a"].dtype) for p in read_in_chunks(path, rows=7_000)} == {"float64"}


def test_many_different_texts_and_numbers_with_gaps_are_read(tmp_path):
    numbers = pd.Series(np.arange(5_000) / 7).mask(np.arange(5_000) % 9 == 0)
    texts = pd.Series([f"id{i}" for i in range(5_000)]).mask(np.arange(5_000) % 7 == 0)
    frame = pd.DataFrame({"n": numbers, "t": texts})
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False, na_rep="NA")
    assert_equal_values(read_table(path).frame, frame)
    assert_equal_values(joined(list(read_in_chunks(path, rows=999))), frame)


def test_empty_columns_and_rows_at_the_end_are_dropped(tmp_path):
    content = b"a;b;;\n1;x;;\n;;;\n2;y;;\n;;;\n;;;\n"
    reading = read_table(content)
    assert list(reading.frame.columns) == ["a", "b"]
    assert len(reading.frame) == 3
    assert note(reading, "Empty rows", "2")
    assert note(reading, "Empty columns", "2")
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    for rows in (1, 2, 3, 9):
        parts = list(read_in_chunks(path, rows=rows))
        assert_equal_values(joined(parts), reading.frame)


def test_an_empty_column_that_has_a_name_is_kept():
    assert list(read_table(b"a,b\n1,\n2,\n").frame.columns) == ["a", "b"]


def test_a_written_row_index_is_skipped_and_noted(tmp_path):
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2]})
    reading = read_table(frame.to_csv().encode())
    assert_equal_values(reading.frame, frame)
    assert note(reading, "counts the rows")
    path = tmp_path / "t.csv"
    frame.to_csv(path)
    assert read_in_chunks(path).columns == ("a", "b")


def test_a_first_line_of_numbers_is_kept_as_a_row():
    reading = read_table(b"1,2\n3,4\n")
    assert reading.frame.to_numpy().tolist() == [[1, 2], [3, 4]]
    assert list(reading.frame.columns) == ["column 1", "column 2"]
    assert note(reading, "only numbers")


def test_repeated_and_empty_names_are_changed_and_noted():
    reading = read_table(b"a, b ,a,\n1,2,3,4\n")
    assert list(reading.frame.columns) == ["a", "b", "a (2)", "column 4"]
    assert note(reading, "twice")
    assert note(reading, "without a name")
    assert note(reading, "Blanks")


def test_other_encodings_are_noted():
    assert note(read_table("a,b\né,1\n".encode("cp1252")), "Windows-1252")
    assert note(read_table("a,b\né,1\n".encode("utf-16")), "UTF-16")


@pytest.mark.parametrize("extra", [b",", b"\n"])
def test_ragged_rows_are_found_deep_in_a_file(extra, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,x\n" * 500_000 + b"1" + extra + b"x,3\n")
    line = 500_002
    with pytest.raises(ReadingError, match=f"line {line}"):
        read_table(path)
    with pytest.raises(ReadingError, match=f"line {line}"):
        list(read_in_chunks(path))


def test_a_long_line_without_line_break_is_refused():
    with pytest.raises(ReadingError, match="no line break"):
        read_table(b"1234567," * (50 * 2**20 // 8))


def test_one_row_is_a_table():
    assert len(read_table(b"a,b\n1,x").frame) == 1


@pytest.mark.parametrize("content", [b"a,b\n,\n,\nNA,?\n", b"a\n?\n", b"a;b;\n;;\n"])
def test_a_file_without_values_is_refused_whole_and_in_parts(content, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    for read in (read_table, read_in_chunks):
        with pytest.raises(ReadingError, match=r"no values.*marked missing; fill"):
            read(path)


@pytest.mark.parametrize("cell", ["1e400", "-1e999", "9" * 400])
def test_numbers_beyond_the_largest_float_stay_text_and_are_noted(cell):
    reading = read_table(f"a,b\n{cell},x\n2.5,y\n".encode())
    assert reading.frame["a"].tolist() == [cell, "2.5"]
    assert '"a"' in note(reading, "too large")


def test_infinity_written_as_such_is_a_number():
    reading = read_table(b"a,b\ninf,x\n-Infinity,y\n")
    assert reading.frame["a"].tolist() == [np.inf, -np.inf]


def test_a_blank_before_a_quotation_mark_is_named_as_the_fault():
    with pytest.raises(ReadingError, match=r"line 2: 3 field.*blanks before quotation"):
        read_table(b'a, b\n1, "x, y"\n2, z\n')


@pytest.mark.parametrize("mark", [";", "\t", "|"])
@pytest.mark.parametrize("title", ["Table 7: sizes\n", "\nTable 7: sizes\r\n\r\n"])
def test_a_title_above_the_table_is_skipped_and_noted(mark, title, tmp_path):
    path = tmp_path / "t.csv"
    table = "a;b\n1;x, y\n2;z\n".replace(";", mark)
    path.write_text(title + table, newline="")
    reading = read_table(path)
    assert reading.frame.to_numpy().tolist() == [[1, "x, y"], [2, "z"]]
    assert '"Table 7: sizes"' in note(reading, "title")
    assert_equal_values(joined(list(read_in_chunks(path, rows=1))), reading.frame)


def test_a_damaged_line_below_a_title_is_counted_from_the_top():
    lines = b"Title\n\na;b\n" + b"1;2\n" * 400_000
    with pytest.raises(ReadingError, match="line 400004: 3 field"):
        read_table(lines + b"1;2;3\n")


@pytest.mark.parametrize("content", [b"a,b\n1,x\n", b"a;b\n1;\nNA;x\n3;y\n;\n;?\n"])
def test_after_a_loop_the_notes_are_those_of_the_whole_file(content, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    for rows in (1, 2, 3, 9):
        chunked = read_in_chunks(path, rows=rows)
        assert note(chunked, "count as missing", "while the file is read")
        for _ in range(2):
            list(chunked)
            assert chunked.notes == read_table(path).notes


@pytest.mark.parametrize("rows", [3, 7, 1000])
def test_dates_are_the_same_at_once_and_in_chunks(tmp_path, rows):
    days = pd.date_range("2021-01-30", periods=40, freq="31h").strftime(
        "%Y-%m-%d %H:%M"
    )
    cells = ["" if i % 9 == 4 else day for i, day in enumerate(days)]
    late = ["2021-05-01"] * 39 + ["later"]
    path = tmp_path / "dates.csv"
    pd.DataFrame({"day": cells, "late": late}).to_csv(path, index=False)
    whole = read_table(path)
    assert whole.frame["day"].dtype.kind == "M"
    expected = pd.to_datetime(pd.Series(cells).replace("", None))
    assert (whole.frame["day"].isna() == expected.isna()).all()
    assert (whole.frame["day"].dropna() == expected.dropna()).all()
    assert 'Texts like 2024-03-31 were read as dates: "day".' in whole.notes
    parts = list(read_in_chunks(path, rows=rows))
    joined = pd.concat([part["day"] for part in parts], ignore_index=True)
    pd.testing.assert_series_equal(joined, whole.frame["day"])
    # A single cell that is no date keeps the column text, also in early chunks.
    assert all(isinstance(part["late"].dtype, pd.CategoricalDtype) for part in parts)


LONG = 17 * 2**20
LONG_LINES = {
    "a line in the middle": (
        b"x,y\n" * 9,
        b"x" * LONG,
        b"\nu,v\n" * 9,
        "line 11: 17 MB",
    ),
    "the last line": (b"x,y\n" * 9, b"x" * LONG, b"", "line 11: 17 MB"),
    "below the header": (b"", b"x" * LONG, b"\nu,v\n", "line 2: 17 MB"),
    "a cell": (b"x,y\n" * 9, b"x," + b"y" * LONG, b"\nu,v\n", "line 11: 17 MB"),
    "far below": (b"x,y\n" * 2**21, b"x" * LONG, b"\n", "line 2,097,154: 17 MB"),
    "Windows line ends": (
        b"x,y\r\n" * 9,
        b"x" * LONG,
        b"\r\nu,v\r\n",
        "line 11: 17 MB",
    ),
    "old line ends": (b"x,y\r" * 9, b"x" * LONG, b"\ru,v\r", "line 11: 17 MB"),
    "a quoted cell of many lines": (
        b"x,y\nu,v\n" * 9,
        b'x,"' + b"y\n" * (LONG // 2) + b'"',
        b"\nu,v\n" * 9,
        'row 19: the cell in column "b" has 17 MB',
    ),
}


@pytest.mark.parametrize(
    ("before", "line", "after", "told"), LONG_LINES.values(), ids=LONG_LINES.keys()
)
def test_a_line_or_cell_of_many_megabytes_is_told_with_its_place_and_length(
    tmp_path, before, line, after, told
):
    path = tmp_path / "long.csv"
    path.write_bytes(b"a,b\n" + before + line + after)
    for read in (read_table, lambda path: list(read_in_chunks(path))):
        with pytest.raises(ReadingError) as error:
            read(path)
        assert str(error.value).startswith(f"long.csv, {told}")
        assert "16 MB at the most" in str(error.value)


def test_lines_below_the_limit_are_read_wherever_blocks_end(tmp_path):
    path = tmp_path / "wide.csv"
    cell = "y" * 5_000_000
    path.write_text("a,b\n" + f"x,y\n{cell},u\n" * 5)
    frame = read_table(path).frame
    assert frame["a"].tolist() == ["x", cell] * 5


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
@pytest.mark.parametrize("tail", ["", "{end}", "{end}{end}{end}"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.usefixtures("small_blocks")
def test_wherever_blocks_end_all_rows_are_read_in_order(end, quoted, tail, encoding):
    rng = np.random.default_rng(7)
    often = "now and then, often" if quoted else "now and then"
    words = np.array(["no", "yes", "é", often])
    frame = pd.DataFrame(
        {
            "row": [f"r{i}" for i in range(3_000)],
            "word": words[rng.integers(0, 4, 3_000)],
            "late": np.repeat(["a", "b", "cc", "d"], [1_500, 700, 799, 1]),
            "number": rng.integers(0, 3, 3_000),
        }
    )
    text = frame.to_csv(index=False, lineterminator=end).removesuffix(end)
    # An empty line within the rows is no row.
    text = text.replace(f"{end}r2000,", f"{end}{end}r2000,") + tail.format(end=end)
    reading = read_table(text.encode(encoding))
    pd.testing.assert_frame_equal(reading.frame.astype(frame.dtypes), frame)
    assert list(reading.frame["late"].cat.categories) == ["a", "b", "cc", "d"]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("preface", ["sep=;\n", "\n\n\n", "# a comment\n# another\n"])
def test_what_is_above_the_names_is_skipped_once(preface):
    rows = "".join(f"x{row};{row % 3}\n" for row in range(2_000))
    frame = read_table(f"{preface}name;number\n{rows}".encode()).frame
    assert frame["name"].tolist() == [f"x{row}" for row in range(2_000)]


@pytest.mark.parametrize("place", [1, 1_000, 2_999])
@pytest.mark.usefixtures("small_blocks")
def test_a_ragged_row_is_named_in_whichever_block_it_is(place):
    lines = ["a,b", *["x,y"] * 3_000]
    lines[place] = "x,y,z"
    with pytest.raises(ReadingError, match=rf"line {place + 1}: 3 field"):
        read_table("\n".join(lines).encode(), name="t.csv")
