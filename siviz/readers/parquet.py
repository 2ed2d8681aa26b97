"""Parquet files as data frames, at once or part by part."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from siviz.readers.column_names import listed, refuse_too_many_columns, unique_names
from siviz.readers.frames import plain_column
from siviz.readers.readings import ChunkedReading, Part, Reading, refuse_without_rows
from siviz.readers.sources import ReadingError, Source, damage_explained

_INDEX = re.compile("__index_level_[0-9]+__")


def read_parquet(source: Source) -> Reading:
    """The whole file."""
    with _open(source) as file:
        names, notes = _columns(source, file)
        frame = _frame(file.read(columns=list(names)), names)
    return Reading(frame, notes, source.name)


def parquet_in_chunks(source: Source, rows: int) -> ChunkedReading:
    """The file in parts of so many rows."""
    with _open(source) as file:
        names, notes = _columns(source, file)
        gaps = _columns_with_gaps(file, list(names))
        total = file.metadata.num_rows

    def parts() -> Iterator[Part]:
        done = 0
        with _open(source) as file:
            for batch in file.iter_batches(batch_size=rows, columns=list(names)):
                done += len(batch)
                frame = _frame(pa.Table.from_batches([batch]), names, gaps)
                yield Part(frame, done / total, notes)

    return ChunkedReading(source.name, notes, tuple(names.values()), parts)


@contextmanager
def _open(source: Source) -> Iterator[pq.ParquetFile]:
    with source.open() as raw, damage_explained(source.name):
        yield pq.ParquetFile(raw)


def _columns(
    source: Source, file: pq.ParquetFile
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The columns to read with their new names, and what was found."""
    refuse_without_rows(file.metadata.num_rows, source.name)
    schema = file.schema_arrow
    index = [name for name in schema.names if _INDEX.match(name)]
    nested = [field.name for field in schema if pa.types.is_nested(field.type)]
    kept = [name for name in schema.names if name not in {*index, *nested}]
    if not kept or len(set(kept)) < len(kept):
        raise ReadingError(
            f"{source.name} has columns of the same name; rename them and save it again"
            if kept
            else f"{source.name} has no columns with plain values; save it with some"
        )
    refuse_too_many_columns(len(kept), source.name)
    names, renamed = unique_names(kept)
    notes = [*source.notes, f"Parquet file with {len(kept)} columns.", *renamed]
    if index:
        notes.append("The index of the saved data frame was skipped.")
    if nested:
        notes.append(f"Columns of lists or records were left out: {listed(nested)}.")
    return dict(zip(kept, names, strict=True)), tuple(notes)


def _columns_with_gaps(file: pq.ParquetFile, columns: Sequence[str]) -> set[str]:
    """Integer and boolean columns with missing values, which need another type."""
    types = {name: file.schema_arrow.field(name).type for name in columns}
    suspects = [
        name
        for name, kind in types.items()
        if pa.types.is_integer(kind) or pa.types.is_boolean(kind)
    ]
    gaps: set[str] = set()
    if suspects:
        for batch in file.iter_batches(columns=suspects):
            gaps |= {name for name in suspects if batch.column(name).null_count}
    return gaps


def _frame(
    table: pa.Table,
    names: Mapping[str, str],
    gaps: set[str] | frozenset[str] = frozenset(),
) -> pd.DataFrame:
    frame = pa.table({name: _simple(table.column(name)) for name in names}).to_pandas(
        strings_to_categorical=True, date_as_object=False, ignore_metadata=True
    )
    columns = {new: plain_column(frame[n], gaps=n in gaps) for n, new in names.items()}
    return pd.DataFrame(columns, copy=False)


def _simple(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Decimals as floats and bytes as text, which pandas has no type for."""
    if pa.types.is_decimal(column.type):
        return column.cast(pa.float64())
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        try:
            return column.cast(pa.string())
        except pa.ArrowInvalid:  # each cell as itself, whatever other parts hold
            cells = (_as_text(cell) for cell in column.to_pylist())
            return pa.chunked_array([pa.array(cells, pa.string())])
    return column


def _as_text(cell: bytes | None) -> str | None:
    return None if cell is None else cell.decode("utf-8", "backslashreplace")
