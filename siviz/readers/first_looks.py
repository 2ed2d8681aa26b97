"""The first rows of a wide file, without the care and time of reading it."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from siviz.readers.dialects import DELIMITERS
from siviz.readers.sources import ReadingError, Source, as_source
from siviz.readers.text_encoding import marked_encoding

#: Columns by their names: a few cells of each, as text.
FirstCells: TypeAlias = list[tuple[str, Sequence[str]]]

_BYTES = 2**20
_ROWS = 50


def first_cells(path: str | Path, *, wider_than: int) -> FirstCells:
    """A few cells of each column of a file, if it has more columns than this.

    It is empty for other files, for workbooks, and for whatever is not plainly a table:
    only reading it says what it is.
    """
    try:
        source = as_source(path)
        if source.format == "workbook":
            return []
        if source.format == "parquet":
            return _of_parquet(source, wider_than)
        return _of_text(source, wider_than)
    except (ReadingError, OSError, pa.ArrowException, csv.Error):
        return []


def _of_text(source: Source, wider_than: int) -> FirstCells:
    with source.unpacked() as (_, file):
        head = file.read(_BYTES)
    text = head.decode(marked_encoding(head, source.name), errors="replace")
    lines = [line for line in text.splitlines() if line][: _ROWS + 2]
    if len(head) == _BYTES:
        lines = lines[:-1]
    most, mark = max(
        (max((line.count(mark) for line in lines), default=0), mark)
        for mark in DELIMITERS
    )
    if most < wider_than:
        return []
    rows = list(csv.reader(lines, delimiter=mark))
    width = Counter(map(len, rows)).most_common(1)[0][0]
    names, *columns = [row for row in rows if len(row) == width]
    if width <= wider_than or not columns:
        return []
    return list(zip(names, zip(*columns, strict=True), strict=True))


def _of_parquet(source: Source, wider_than: int) -> FirstCells:
    with source.open() as raw:
        file = pq.ParquetFile(raw)
        if len(file.schema_arrow.names) <= wider_than:
            return []
        rows = next(file.iter_batches(batch_size=_ROWS), None)
        if rows is None:
            return []
        cells = [typed_texts(column.to_pylist()) for column in rows.columns]
    return list(zip(rows.schema.names, cells, strict=True))


def typed_texts(cells: Iterable[object]) -> list[str]:
    """Cells as text in which text that is written like a number is none.

    Examples
    --------
    >>> typed_texts([1.5, "1.5", None])
    ['1.5', "'1.5'", 'None']
    """
    return [repr(cell) if isinstance(cell, str) else str(cell) for cell in cells]
