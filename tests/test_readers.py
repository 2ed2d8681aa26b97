"""Files come back as the tables that were written, or with one clear sentence."""

import gzip
import io
import os
import zipfile
from datetime import datetime

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siviz.dialects import MISSING, MOST_COLUMNS
from siviz.readers import ReadingError, read_in_chunks, read_table, read_text

DELIMITERS = [",", ";", "\t", "|"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]


def assert_equal_values(frame: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Equal names and cells; text compared as text, numbers exactly, gaps as gaps."""
    assert list(frame.columns) == list(expected.columns)
    assert len(frame) == len(expected)
    for name in expected.columns:
        left, right = frame[name], expected[name]
        gaps = right.isna().to_numpy()
        np.testing.assert_array_equal(left.isna().to_numpy(), gaps)
        assert left.to_numpy()[~gaps].tolist() == right.to_numpy()[~gaps].tolist()


def joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    plain = [
        p.astype({c: object for c in p if p[c].dtype == "category"}) for p in parts
    ]
    return pd.concat(plain, ignore_index=True)


def workbook(rows, title="data", more=()) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    for other in more:
        book.create_sheet(other).append(["other"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def parquet(frame: pd.DataFrame, **options) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, **options)
    return file.getvalue()


def note(reading, *words: str) -> str:
    found = [n for n in reading.notes if all(word in n for word in words)]
    assert len(found) == 1, (words, reading.notes)
    return found[0]


# Any table comes back


def is_text(cell: str) -> bool:
    """Whether a cell neither counts as missing nor looks like a number."""
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return cell.strip() not in MISSING
    return False


LATIN = "".join(map(chr, [*range(32, 127), *range(0xA0, 0x100)])) + "\n"


@st.composite
def tables(draw, alphabet):
    rows = draw(st.integers(1, 12))
    cells = {
        "text": st.text(alphabet, max_size=8).filter(is_text) | st.sampled_from("xyz"),
        "whole": st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3),
        "float": st.floats(allow_nan=False),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(cells)), min_size=2, max_size=4))
    frame = pd.DataFrame({"row": [f"r{i}" for i in range(rows)]})
    for place, kind in enumerate(chosen):
        exact = st.lists(cells[kind], min_size=rows, max_size=rows)
        values = pd.Series(draw(exact), dtype={"whole": "int64"}.get(kind, object))
        if kind == "float":
            values = values.astype(float)
        gaps = draw(st.lists(st.booleans(), min_size=rows, max_size=rows))
        if kind != "whole" and draw(st.booleans()):
            values = values.mask(gaps)
        frame[f"{kind} {place}"] = values
    return frame


@st.composite
def written(draw):
    encoding = draw(st.sampled_from(ENCODINGS))
    wide = st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n")
    frame = draw(tables(st.sampled_from(LATIN) if encoding == "cp1252" else wide))
    delimiter = draw(st.sampled_from(DELIMITERS))
    comma = delimiter in ";\t" and draw(st.booleans())
    text = frame.to_csv(
        sep=delimiter,
        index=False,
        decimal="," if comma else ".",
        na_rep=draw(st.sampled_from(["", "NA", "?", "NULL"])),
        lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
    )
    content = text.encode(encoding)
    return frame, gzip.compress(content) if draw(st.booleans()) else content


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=written(), rows=st.integers(1, 15))
def test_any_written_table_comes_back(case, rows, tmp_path_factory):
    frame, content = case
    path = tmp_path_factory.mktemp("written") / "table.csv"
    path.write_bytes(content)
    from_bytes = read_table(content, name="table.csv").frame
    assert_equal_values(from_bytes, frame)
    assert_equal_values(read_table(path).frame, frame)
    chunked = read_in_chunks(path, rows=rows)
    parts = list(chunked)
    assert all(len(part) == rows for part in parts[:-1])
    assert_equal_values(joined(parts), frame)
    dtypes = from_bytes.dtypes.astype(str).tolist()
    assert all(part.dtypes.astype(str).tolist() == dtypes for part in parts)


@pytest.mark.parametrize("odd", ["<b>x</b>", "👩‍🔬", "שלום", "=1+1", "z" * 10_000])
def test_odd_names_and_cells_come_through_unchanged(odd, tmp_path):
    frame = pd.DataFrame({odd: ["a", odd, "b"], "other": [1, 2, 3]})
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert_equal_values(read_table(path).frame, frame)
    assert_equal_values(joined(list(read_in_chunks(path, rows=2))), frame)
    frame.to_parquet(path)
    assert_equal_values(read_table(path).frame, frame)
    if not odd.startswith("="):
        rows = [list(frame.columns), *frame.to_numpy().tolist()]
        assert_equal_values(read_table(workbook(rows)).frame, frame)


def test_a_row_longer_than_a_block_is_read(tmp_path):
    frame = pd.DataFrame({"a": ["x", "y" * 3_000_000, "z"] * 2, "b": range(6)})
    path = tmp_path / "t.csv"
    content = b"a,b\n" + b"q,7\n" * 400_000
    path.write_bytes(content + frame.to_csv(index=False, header=False).encode())
    assert_equal_values(read_table(path).frame.iloc[400_000:], frame)
    parts = joined(list(read_in_chunks(path, rows=150_000)))
    assert_equal_values(parts.iloc[400_000:], frame)
    assert len(parts) == 400_006


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


# What columns become


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


# What is found or changed is noted


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


def test_the_content_wins_over_the_extension():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2]})
    csv = frame.to_csv(index=False).encode()
    for content, name in [
        (parquet(frame), "t.csv"),
        (csv, "t.xlsx"),
        (csv, "t.parquet"),
        (gzip.compress(csv), "t.csv"),
        (workbook([["a", "b"], ["x", 1], ["y", 2]]), "t.csv"),
    ]:
        reading = read_table(content, name=name)
        assert_equal_values(reading.frame, frame)
        assert note(reading, "The name ends in")
        assert reading.name == name


def test_one_row_is_a_table():
    assert len(read_table(b"a,b\n1,x").frame) == 1


@pytest.mark.parametrize("text", ["a\tb\n1\tx\n", "a,b\r\n1,x\r\n", "a;b\r1;x\r"])
def test_pasted_text_is_read(text):
    assert read_text(text).frame.to_numpy().tolist() == [[1, "x"]]


def test_open_files_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,x\n")
    with path.open("rb") as file:
        assert read_table(file).name == "t.csv"
    with path.open() as file, pytest.raises(ReadingError, match="mode"):
        read_table(file)


def test_every_loop_reads_the_file_again_and_counts_to_one(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,x\n" * 1_000))
    chunked = read_in_chunks(path, rows=300)
    for _ in range(2):
        fractions = [chunked.fraction_read for _ in chunked]
        assert len(fractions) == 4
        assert fractions == sorted(fractions)
        assert 0 < fractions[0] <= fractions[-1] <= 1
        assert chunked.fraction_read == 1


# Workbooks, Parquet, data frames


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


def test_the_first_sheet_is_read_unless_another_is_chosen():
    content = workbook([["a"], [1]], title="one", more=["two"])
    assert note(read_table(content), '"one"', '"two"')
    assert len(read_table(workbook([["x"], [1]], more=["b"]), sheet="data").frame) == 1
    with pytest.raises(ReadingError, match=r'no sheet "three".*"one", "two"'):
        read_table(content, sheet="three")


def test_parquet_columns_keep_one_type_in_every_chunk(tmp_path):
    path = tmp_path / "t.parquet"
    frame = pd.DataFrame(
        {
            "n": pd.array([1, 2, None, 4], dtype="Int64"),
            "b": pd.array([True, None, False, True], dtype="boolean"),
            "t": ["x", "y", None, "x"],
            "i": np.array([1, 2, 3, 4], dtype="int8"),
            "d": pd.to_datetime(["2020-01-01"] * 4),
        },
        index=[5, 6, 7, 8],
    )
    frame.to_parquet(path)
    reading = read_table(path)
    kinds = [str(dtype).split("[")[0] for dtype in reading.frame.dtypes]
    assert kinds == ["float64", "category", "category", "int64", "datetime64"]
    assert note(reading, "index")
    for rows in (1, 2, 3):
        parts = list(read_in_chunks(path, rows=rows))
        assert_equal_values(joined(parts), reading.frame)
        assert all(
            (p.dtypes.astype(str) == reading.frame.dtypes.astype(str)).all()
            for p in parts
        )


def test_nested_parquet_columns_are_left_out_and_noted():
    reading = read_table(parquet(pd.DataFrame({"a": [1], "l": [[1, 2]]})))
    assert list(reading.frame.columns) == ["a"]
    assert '"l"' in note(reading, "left out")


def test_a_data_frame_gets_the_same_types():
    frame = pd.DataFrame({"t": ["x", None], 5: [1, 2], "m": [1, "a"], "o": [1.5, None]})
    reading = read_table(frame.set_axis([3, 4]))
    kinds = ["category", "int64", "category", "float64"]
    assert reading.frame.dtypes.astype(str).tolist() == kinds
    assert list(reading.frame.columns) == ["t", "5", "m", "o"]
    assert note(reading, "index")


# One clear sentence for what cannot be read


OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty .0 bytes."),
        (b"\n\n \n", "is empty"),
        (b"a,b\n", "only a header line .2 names."),
        (b"a,b", "only a header line"),
        (
            b"a,b\n1,2\n1,2,3\n",
            "line 3: 3 field.s. separated by commas.*first line has 2",
        ),
        (b'a,b\n"1\n1",2\n7\n', "line 4: 1 field.s."),
        (b"sep=;\na;b\n1;2\n3\n", "line 4: 1 field.s. separated by semicolons"),
        (b"Title\na,b\n1,2\n", "line 2: 2 field.*remove title lines"),
        (b'a,b\n1,"x\n2,3\n4,5\n', 'opened in column "b".* never closed'),
        (bytes(range(256)) * 20, "NUL byte"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "PNG image"),
        (OLE2, "old format.*save it as .xlsx"),
        (OLE2 + "EncryptedPackage".encode("utf-16-le"), "without the password"),
        (b"<html><table><tr><td>1</td></tr></table></html>", "HTML"),
        (b'[{"a": 1}]', "JSON"),
        (b'{"a": [1, 2]}', "JSON"),
        (zipped("a.csv", "b.csv"), "zip archive .2 files. but no Excel workbook"),
        (zipped("content.xml"), "save it as .xlsx"),
        (zipped("xl/workbook.xml"), "damaged workbook"),
        (workbook([["a"], [1]])[:-200], "damaged or cut-off"),
        (workbook([]), "sheet is empty"),
        (workbook([["a", "b"]]), "no rows"),
        (gzip.compress(os.urandom(9) + b"a,b\n1,2\n" * 99)[:-30], "damaged or cut off"),
        (gzip.compress(b""), "is empty"),
        (parquet(pd.DataFrame({"a": [1, 2]}))[:-20], "cannot be read"),
        ("a,b\n1,2\n".encode("utf-16")[:-1], "UTF-16"),
        (b"a,b\n1,\x002\n" + b"1,2\n" * 99, "NUL byte at byte 6"),
    ],
)
def test_bad_content_is_refused_in_one_sentence(content, sentence):
    with pytest.raises(ReadingError, match=sentence) as caught:
        read_table(content, name="file.xls")
    assert "\n" not in str(caught.value)


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


def test_too_many_columns_are_counted_and_refused():
    line = ",".join(f"c{i}" for i in range(MOST_COLUMNS + 1))
    with pytest.raises(ReadingError, match="10,001 columns, more than 10,000"):
        read_table(f"{line}\n{line}\n".encode())
    wide = pd.DataFrame(np.zeros((1, MOST_COLUMNS + 1)))
    with pytest.raises(ReadingError, match="10,001 columns"):
        read_table(wide)


def test_paths_that_cannot_be_opened_are_named(tmp_path, monkeypatch):
    with pytest.raises(ReadingError, match=r"no file .*absent.csv"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(ReadingError, match="directory"):
        read_in_chunks(tmp_path)
    locked = tmp_path / "locked.csv"
    locked.write_bytes(b"a,b\n1,2\n")

    def refuse(*args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("siviz.readers.open", refuse, raising=False)
    with pytest.raises(ReadingError, match="no permission"):
        read_table(locked)


def test_options_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(ReadingError, match="sheet is for workbooks"):
        read_table(b"a,b\n1,2\n", sheet="one")
    with pytest.raises(ReadingError, match="got int"):
        read_table(5)
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook([["a"], [1]]))
    with pytest.raises(ReadingError, match="use read_table"):
        read_in_chunks(path)
    with pytest.raises(ReadingError, match="at least 1; got 0"):
        read_in_chunks(path, rows=0)
