"""Files come back as the tables that were written, or with one clear sentence."""

import gzip
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siviz.readers import ReadingError, read_in_chunks, read_table, read_text
from siviz.readers.cells import MISSING
from siviz.readers.column_names import MOST_COLUMNS
from tests.readers.written_files import (
    assert_equal_values,
    joined,
    note,
    parquet,
    workbook,
    zipped,
)

DELIMITERS = [",", ";", "\t", "|"]


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]


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


OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


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
        (b'a,"b\n1,2\n3,4\n', "check its quotation marks"),
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

    monkeypatch.setattr("siviz.readers.sources.open", refuse, raising=False)
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
