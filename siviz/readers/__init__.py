"""Files to data frames: delimited text, gzip of it, Excel workbooks and Parquet.

The content decides what a file is, not its name.  Columns come as

- ``int64`` if every cell is a whole number, ``float64`` (missing: NaN) for other
  numbers and for whole numbers with gaps; a column without any value is all NaN,
- ``category`` for text, with the states in the order in which they occur,
- ``datetime64`` if every cell is written like 2024-03-31, also with a time; in UTC if
  all have a time zone,
- ``bool`` and dates as the workbook, Parquet file or data frame has them.

Text never becomes a number if that would lose something: leading zeros, digits beyond
double precision or thousands separators keep a column text.  Every decision is a
sentence in ``notes``.
"""

from pathlib import Path
from typing import BinaryIO

import pandas as pd

from siviz.readers.delimited import delimited_in_chunks, read_delimited
from siviz.readers.frames import read_frame
from siviz.readers.parquet import parquet_in_chunks, read_parquet
from siviz.readers.readings import ChunkedReading, Reading
from siviz.readers.sources import FORMATS, ReadingError, as_source
from siviz.readers.workbooks import read_workbook, sheet_titles

__all__ = [
    "ChunkedReading",
    "Reading",
    "ReadingError",
    "read_in_chunks",
    "read_table",
    "read_text",
    "sheet_names",
]


def read_table(
    source: str | Path | bytes | BinaryIO | pd.DataFrame,
    *,
    name: str | None = None,
    sheet: str | None = None,
) -> Reading:
    r"""Read a table from a path, the bytes of an upload, an open file or a data frame.

    Parameters
    ----------
    source : str, Path, bytes, binary file or DataFrame
    name : str, optional
        The file name, for messages and for noting a wrong extension.
    sheet : str, optional
        Which sheet of a workbook; the first one if not given.

    Raises
    ------
    ReadingError
        Saying what is wrong, where, and what to do.

    Examples
    --------
    >>> reading = read_table(b"size;weight\nS;1,5\nL;2,5\n", name="t.csv")
    >>> reading.frame["weight"].tolist()
    [1.5, 2.5]
    >>> reading.notes[0]
    'Text file with 2 columns, separated by semicolons.'
    """
    if isinstance(source, pd.DataFrame):
        return read_frame(source, name or "data frame")
    opened = as_source(source, name)
    if opened.format == "workbook":
        return read_workbook(opened, sheet)
    if sheet is not None:
        raise ReadingError(
            f"sheet is for workbooks, but {opened.name} is {FORMATS[opened.format]}; "
            "leave it out"
        )
    return (read_parquet if opened.format == "parquet" else read_delimited)(opened)


def sheet_names(
    source: str | Path | bytes | BinaryIO, *, name: str | None = None
) -> tuple[str, ...]:
    """The sheets of a workbook in their order; none for any other file.

    Parameters
    ----------
    source, name
        As in `read_table`.
    """
    opened = as_source(source, name)
    return sheet_titles(opened) if opened.format == "workbook" else ()


def read_text(text: str) -> Reading:
    r"""Read pasted text: cells copied from a spreadsheet (tabs) or CSV.

    Examples
    --------
    >>> read_text("a\tb\n1\tx\n").frame.shape
    (1, 2)
    """
    return read_table(text.encode(), name="pasted text")


def read_in_chunks(path: str | Path, *, rows: int = 250_000) -> ChunkedReading:
    """Read a large delimited file (plain or gzip) or Parquet file part by part.

    What kind each column is gets decided before the first part: columns whose first
    cells could be numbers are read once to the end.

    Parameters
    ----------
    path : str or Path
    rows : int
        Rows of each part; the last one may have fewer.

    Raises
    ------
    ReadingError
        Also while looping, if a later line is damaged.
    """
    if rows < 1:
        raise ReadingError(f"rows must be at least 1; got {rows}")
    source = as_source(path)
    if source.format == "workbook":
        raise ReadingError(
            f"{source.name} is a workbook, which is read at once; use read_table"
        )
    if source.format == "parquet":
        return parquet_in_chunks(source, rows)
    return delimited_in_chunks(source, rows)
