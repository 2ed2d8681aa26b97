"""Parquet files keep their types, whole and in parts."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from siviz.readers import ReadingError, read_in_chunks, read_table
from tests.readers.written_files import assert_equal_values, joined, note, parquet


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


def test_a_file_without_rows_is_refused_whole_and_in_parts(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": pd.Series([], dtype="int64")}).to_parquet(path)
    for read in (read_table, read_in_chunks):
        with pytest.raises(ReadingError, match="no rows"):
            read(path)


def test_bytes_that_are_no_text_are_states_of_their_own(tmp_path):
    cells = [b"a", b"\xff", None, b"a", "é".encode(), b"b"]
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"bytes": cells, "x": range(6)}), path)
    expected = ["a", "\\xff", None, "a", "é", "b"]
    for parts in ([read_table(path).frame], read_in_chunks(path, rows=1)):
        found = [cell for part in parts for cell in part["bytes"].astype(object)]
        assert [None if pd.isna(cell) else cell for cell in found] == expected
