"""Files to data frames: delimited text, gzip of it, Excel workbooks and Parquet.

The content decides what a file is, not its name.  Columns come as

- ``int64`` if every cell is a whole number, ``float64`` (missing: NaN) for other
  numbers and for whole numbers with gaps; a column without any value is all NaN,
- ``category`` for text, with the states in the order in which they occur,
- ``bool`` and dates as the workbook, Parquet file or data frame has them.

Text never becomes a number if that would lose something: leading zeros, digits beyond
double precision or thousands separators keep a column text.  Every decision is a
sentence in ``notes``.
"""

import csv
import gzip
import io
import os
import re
import warnings
import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from siviz.dialects import (
    DELIMITERS,
    MISSING,
    MOST_COLUMNS,
    Dialect,
    Facts,
    Kind,
    ReadingError,
    as_floats,
    as_integers,
    facts_of,
    find_dialect,
    listed,
    survey,
    unique_names,
)

__all__ = [
    "ChunkedReading",
    "Reading",
    "ReadingError",
    "read_in_chunks",
    "read_table",
    "read_text",
]

Format: TypeAlias = Literal["text", "gzip", "workbook", "parquet"]
Column: TypeAlias = pa.Array | pa.ChunkedArray

_FORMATS: dict[Format, str] = {
    "text": "delimited text",
    "gzip": "gzip-compressed text",
    "workbook": "an Excel workbook",
    "parquet": "a Parquet file",
}
_SUFFIXES: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt", ".psv"), "text"),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls"), "workbook"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    ".gz": "gzip",
}
_OTHER_FORMATS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"SQLite format 3": "an SQLite database",
    b"ARROW1": "a Feather file",
    b"\x89HDF": "an HDF5 file",
    b"$FL2": "an SPSS file",
    b"<stata_dta>": "a Stata file",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"{\\rtf": "an RTF document",
}
_MISSING = pa.array(MISSING)
_CODED = pa.dictionary(pa.int32(), pa.string())
_SMALLEST_BLOCK, _LARGEST_BLOCK = 2**20, 2**26


@dataclass(frozen=True)
class Reading:
    """A table that was read, and one sentence for everything found or changed."""

    frame: pd.DataFrame
    notes: tuple[str, ...]
    name: str


@dataclass
class ChunkedReading:
    """A large file, read a part at a time; every loop over it opens it again.

    Attributes
    ----------
    name, notes, columns
        As in `Reading`; the columns are the same, of the same kinds, in every part.
        Categories are those that occur in the part.
    fraction_read : float
        How much of the file the current loop has read, from 0 to 1.
    """

    name: str
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    _parts: Callable[[], Iterator[tuple[float, pd.DataFrame]]]
    fraction_read: float = 0.0

    def __iter__(self) -> Iterator[pd.DataFrame]:
        self.fraction_read = 0.0
        for fraction, frame in self._parts():
            self.fraction_read = fraction
            yield frame
        self.fraction_read = 1.0


@dataclass(frozen=True)
class _Source:
    content: Path | bytes
    name: str

    def open(self) -> pa.NativeFile:
        if isinstance(self.content, bytes):
            return pa.BufferReader(self.content)
        try:
            with open(self.content, "rb"):
                pass
            return pa.OSFile(str(self.content))
        except FileNotFoundError:
            raise ReadingError(
                f"there is no file {self.content}; check the path"
            ) from None
        except IsADirectoryError:
            raise ReadingError(
                f"{self.content} is a directory; choose a file in it"
            ) from None
        except PermissionError:
            raise ReadingError(
                f"{self.content} may not be read (no permission); change its "
                "permissions or copy it"
            ) from None

    def binary(self) -> BinaryIO:
        """The content as an ordinary binary file."""
        if isinstance(self.content, bytes):
            return io.BytesIO(self.content)
        return open(self.content, "rb")


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
        return _read_frame(source, name or "data frame")
    opened = _as_source(source, name)
    form, notes = _format_of(opened)
    if sheet is not None and form != "workbook":
        raise ReadingError(
            f"sheet is for workbooks, but {opened.name} is {_FORMATS[form]}; "
            "leave it out"
        )
    if form == "workbook":
        frame, found = _read_workbook(opened, sheet)
    elif form == "parquet":
        frame, found = _read_parquet(opened)
    else:
        frame, found = _read_delimited(opened, packed=form == "gzip")
    if not len(frame):
        raise ReadingError(
            f"{opened.name} has names of columns but no rows; add at least one row"
        )
    return Reading(frame, (*notes, *found), opened.name)


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
    source = _as_source(path, None)
    form, notes = _format_of(source)
    if form == "workbook":
        raise ReadingError(
            f"{source.name} is a workbook, which is read at once; use read_table"
        )
    if form == "parquet":
        return _parquet_in_chunks(source, rows, notes)
    return _delimited_in_chunks(source, rows, notes, packed=form == "gzip")


def _as_source(source: str | Path | bytes | BinaryIO, name: str | None) -> _Source:
    if isinstance(source, str | Path):
        return _Source(Path(source), name or Path(source).name)
    if isinstance(source, bytes | bytearray | memoryview):
        return _Source(bytes(source), name or "the file")
    if not hasattr(source, "read"):
        raise ReadingError(
            "source must be a path, bytes, a binary file or a DataFrame; got "
            f"{type(source).__name__}"
        )
    content = source.read()
    if not isinstance(content, bytes):
        raise ReadingError('source must be a binary file; open it with mode "rb"')
    return _Source(content, name or Path(str(getattr(source, "name", "the file"))).name)


def _format_of(source: _Source) -> tuple[Format, list[str]]:
    """What the first bytes say, and a note if the name says something else."""
    with source.open() as file:
        head = file.read(4096)
    if not head:
        raise ReadingError(
            f"{source.name} is empty (0 bytes); choose a file with a header line and "
            "at least one row"
        )
    form: Format = "text"
    if head.startswith(b"PK\x03\x04"):
        form = "workbook"
    elif head.startswith(b"PAR1"):
        form = "parquet"
    elif head.startswith(b"\x1f\x8b"):
        form = "gzip"
    else:
        _refuse_other_formats(source, head)
    suffix = Path(source.name).suffix.lower()
    if _SUFFIXES.get(suffix, form) == form:
        return form, []
    return form, [
        f'The name ends in "{suffix}", but the content is {_FORMATS[form]}: '
        "it was read as that."
    ]


def _refuse_other_formats(source: _Source, head: bytes) -> None:
    name = source.name
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        with source.open() as file:
            locked = "EncryptedPackage".encode("utf-16-le") in file.read()
        raise ReadingError(
            f"{name} is a workbook protected by a password; open it in Excel and save "
            "it without the password"
            if locked
            else f"{name} is an Excel file of the old format (.xls, 1997-2003); open "
            "it in Excel or LibreOffice and save it as .xlsx"
        )
    for mark, what in _OTHER_FORMATS.items():
        if head.startswith(mark):
            raise ReadingError(
                f"{name} is {what}; export the table as CSV, .xlsx or Parquet"
            )
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower()
    if re.match(rb"<(!doctype html|html|head|table|meta|\?xml|!--)", start):
        raise ReadingError(
            f"{name} is a web page or XML (HTML is often saved under the name .xls); "
            "open it in Excel or LibreOffice and save it as .xlsx"
        )
    if re.match(rb'\{\s*("|\})|\[\s*[\[{"]', start):
        raise ReadingError(
            f"{name} is JSON; convert it to CSV, for example with pandas.read_json"
        )


# Delimited text


@dataclass(frozen=True)
class _Cells:
    """The cells of a column as text: distinct ones with codes, or all of them."""

    values: Column
    codes: NDArray[np.integer[Any]] | None
    missing: bool
    floats: Column | None = None

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> "_Cells":
        if pa.types.is_dictionary(column.type):
            return cls._coded(column)
        if (floats := as_floats(column)) is not None:
            return cls(column, None, False, floats)
        gaps = pc.is_in(pc.utf8_trim_whitespace(column), _MISSING)
        if pc.any(gaps).as_py():
            column = pc.if_else(gaps, None, column)
        return cls(column, None, column.null_count > 0, as_floats(column))

    @classmethod
    def _coded(cls, column: pa.ChunkedArray) -> "_Cells":
        coded = column.unify_dictionaries().combine_chunks()
        indices, values = coded.indices, coded.dictionary
        missing = indices.null_count > 0
        codes = (indices.fill_null(-1) if missing else indices).to_numpy()
        gaps = pc.is_in(pc.utf8_trim_whitespace(values), _MISSING)
        # A part of a file comes with the dictionary of a longer part.
        counts = np.bincount(codes[codes >= 0] if missing else codes)
        gap = np.append(gaps.to_numpy(zero_copy_only=False), False)
        occurring = np.append(counts, np.zeros(len(gap) - len(counts), int)) > 0
        missing = missing or bool((gap & occurring).any())
        kept = occurring & ~gap
        if not kept[:-1].all():
            codes = np.where(kept, np.cumsum(kept) - 1, -1)[codes]
            values = values.filter(pa.array(kept[:-1]))
        return cls(values, codes, missing)

    @cached_property
    def facts(self) -> Facts:
        if self.codes is not None:
            return facts_of(self.values, missing=self.missing)
        floats = self.floats.drop_null() if self.floats is not None else None
        return facts_of(self.values.drop_null(), missing=self.missing, floats=floats)

    def as_kind(self, kind: Kind) -> Any:
        """The column as an array for a data frame."""
        if kind == "text":
            coded = self.codes is not None
            cells = self if coded else _Cells._coded(self.values.dictionary_encode())
            states = pd.Index(cells.values.to_pylist(), dtype=str)
            codes: Any = cells.codes
            return pd.Categorical.from_codes(codes, categories=states)
        if kind == "whole":
            numbers = as_integers(self.values)
        elif self.floats is not None:
            numbers = self.floats
        else:
            numbers = as_floats(self.values, decimal_comma=kind == "comma")
        plain = numbers.to_numpy() if numbers is not None else np.empty(0)
        if self.codes is None:
            return plain
        if kind == "whole":
            return plain[self.codes]
        return np.append(plain, np.nan)[self.codes]


def _read_delimited(source: _Source, *, packed: bool) -> tuple[pd.DataFrame, list[str]]:
    dialect = _dialect_of(source, packed=packed)
    table = _whole_table(source, dialect, packed=packed)
    cells = dict(zip(table.column_names, _each(_examined, table.columns), strict=True))
    facts = {name: column.facts for name, column in cells.items()}
    columns, notes = _decide(dialect, facts)
    built = [cells[name].as_kind(kind) for name, kind in columns.items()]
    frame = pd.DataFrame(dict(zip(columns, built, strict=True)), copy=False)
    blank = _blank_tail(frame)
    frame = frame.iloc[: len(frame) - blank] if blank else frame
    gaps = {
        name: int(frame[name].isna().sum()) for name in columns if facts[name].missing
    }
    return frame, [*notes, *_gap_notes(blank, {n: k for n, k in gaps.items() if k})]


def _examined(column: pa.ChunkedArray) -> _Cells:
    cells = _Cells.of(column)
    _ = cells.facts  # Computed here, where columns are worked on side by side.
    return cells


def _each(function: Callable[[Any], Any], columns: Sequence[Any]) -> list[Any]:
    """Apply to all columns, on all cores if they are long enough to gain by it."""
    sizes = (len(column) for column in columns if isinstance(column, pa.ChunkedArray))
    if max(sizes, default=0) < 50_000:
        return [function(column) for column in columns]
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return list(workers.map(function, columns))


def _dialect_of(source: _Source, *, packed: bool) -> Dialect:
    with _explained(source), _stream(source, packed=packed) as (_, file):
        return find_dialect(survey(file, source.name), source.name)


@contextmanager
def _stream(
    source: _Source, *, packed: bool
) -> Iterator[tuple[pa.NativeFile, pa.NativeFile]]:
    with source.open() as raw:
        yield raw, pa.CompressedInputStream(raw, "gzip") if packed else raw


def _options(
    dialect: Dialect, columns: Sequence[str], *, largest: bool
) -> dict[str, Any]:
    block = min(max(_SMALLEST_BLOCK, 50 * dialect.row_bytes), _LARGEST_BLOCK)
    return {
        "read_options": pacsv.ReadOptions(
            block_size=_LARGEST_BLOCK if largest else block,
            column_names=dialect.names,
            skip_rows=dialect.skipped_lines,
            skip_rows_after_names=int(dialect.header),
            encoding=dialect.encoding,
        ),
        "parse_options": pacsv.ParseOptions(
            delimiter=dialect.delimiter, newlines_in_values=dialect.quotes
        ),
        # The survey has checked the encoding already.
        "convert_options": pacsv.ConvertOptions(
            column_types={
                name: _CODED if name in dialect.repetitive else pa.string()
                for name in dialect.names
            },
            include_columns=list(columns),
            check_utf8=False,
        ),
    }


def _whole_table(source: _Source, dialect: Dialect, *, packed: bool) -> pa.Table:
    def read(largest: bool) -> pa.Table:
        with _stream(source, packed=packed) as (_, file):
            options = _options(dialect, dialect.columns, largest=largest)
            table = pacsv.read_csv(file, **options)
        _refuse_open_quotation(source, dialect, table)
        return table

    with _explained(source, dialect, packed=packed):
        try:
            return read(largest=False)
        except pa.ArrowInvalid as error:
            if "straddl" not in str(error):
                raise
            return read(largest=True)


@contextmanager
def _explained(
    source: _Source, dialect: Dialect | None = None, *, packed: bool = False
) -> Iterator[None]:
    """Turn what Arrow says of a damaged file into a sentence for its owner."""
    try:
        yield
    except pa.ArrowInvalid as error:
        if dialect is not None:
            _refuse_ragged_rows(source, dialect, packed=packed)
        reason = " ".join(str(error).split())[:200]
        hint = "check its quotation marks and " if dialect is not None else ""
        raise ReadingError(
            f"{source.name} cannot be read as a table ({reason}); {hint}save or "
            "download it again"
        ) from error
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ReadingError(
            f"{source.name} is damaged or cut off ({error}); copy or download it again"
        ) from error


def _refuse_open_quotation(source: _Source, dialect: Dialect, table: pa.Table) -> None:
    """Raise if the last cell runs over several lines to the end of the file."""
    name = dialect.names[-1]
    if dialect.ends_quoted or not len(table) or name not in table.column_names:
        return
    cell = str(table.column(name)[-1])
    if "\n" in cell or "\r" in cell:
        lines = len(cell.splitlines())
        raise ReadingError(
            f"{source.name}: a quotation mark opened in column {listed([name])}, "
            f"about {lines} lines before the end, is never closed; close or remove it"
        )


def _refuse_ragged_rows(source: _Source, dialect: Dialect, *, packed: bool) -> None:
    """Raise for the first row that has not as many fields as the first line."""
    expected = len(dialect.names)
    raw = source.binary()
    binary = gzip.GzipFile(fileobj=raw) if packed else raw
    encoding = "utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding
    with raw, io.TextIOWrapper(binary, encoding, newline="") as lines:
        for _ in range(dialect.skipped_lines):
            next(lines)
        reader = csv.reader(lines, delimiter=dialect.delimiter)
        try:
            ragged = next((row for row in reader if row and len(row) != expected), None)
        except csv.Error:
            return
    if ragged is not None:
        raise ReadingError(
            f"{source.name}, line {reader.line_num + dialect.skipped_lines}: "
            f"{len(ragged)} field(s) separated by {DELIMITERS[dialect.delimiter]}, but "
            f"the first line has {expected}; put cells that contain the separator in "
            "double quotation marks, and remove title lines and footers"
        )


def _decide(
    dialect: Dialect, facts: Mapping[str, Facts]
) -> tuple[dict[str, Kind], list[str]]:
    """The columns to keep with their kinds, and why."""
    tail = list(dialect.columns)[len(dialect.columns) - dialect.unnamed_tail :]
    while tail and not facts[tail[-1]].filled:
        tail.pop()
    kept = (
        [
            name
            for name in dialect.columns
            if name in tail or name not in dialect.columns[-dialect.unnamed_tail :]
        ]
        if dialect.unnamed_tail
        else list(dialect.columns)
    )
    dropped = len(dialect.columns) - len(kept)
    comma = dialect.delimiter == ";" or (
        dialect.delimiter != "," and any(facts[name].decimal_comma for name in kept)
    )
    kinds = {name: facts[name].kind(decimal_comma=comma) for name in kept}
    notes = list(dialect.notes)
    if dropped:
        notes.append(
            f"Empty columns without a name at the end were dropped: {dropped}."
        )
    return kinds, [*notes, *_kind_notes(kinds, facts)]


def _kind_notes(kinds: Mapping[str, Kind], facts: Mapping[str, Facts]) -> list[str]:
    texts = [name for name, kind in kinds.items() if kind == "text"]
    said = {
        "Numbers with a decimal comma": [n for n, k in kinds.items() if k == "comma"],
        "Numbers with leading zeros were kept as text, like postal codes": [
            n for n in texts if facts[n].numeric and facts[n].leading_zero
        ],
        "Whole numbers too long to be held exactly were kept as text": [
            n for n in texts if facts[n].inexact and not facts[n].leading_zero
        ],
        "Numbers whose commas may mark thousands were kept as text": [
            n for n in texts if facts[n].comma and facts[n].has_comma
        ],
        "Columns without any value": [n for n in kinds if not facts[n].filled],
    }
    return [f"{what}: {listed(names)}." for what, names in said.items() if names]


def _gap_notes(blank: int, gaps: Mapping[str, int]) -> list[str]:
    notes = []
    if blank:
        notes.append(f"Empty rows at the end were dropped: {blank}.")
    if gaps:
        notes.append(
            "Empty cells and marks such as NA or ? count as missing: "
            f"{sum(gaps.values()):,} in {listed(list(gaps))}."
        )
    return notes


def _blank_tail(frame: pd.DataFrame) -> int:
    """How many rows at the end hold no value."""
    blank = len(frame)
    for name in frame.columns:
        if not blank:
            break
        gaps = frame[name].iloc[len(frame) - blank :].isna().to_numpy()
        blank = int(np.argmin(gaps[::-1])) if not gaps.all() else blank
    return blank


# A part at a time


def _delimited_in_chunks(
    source: _Source, rows: int, notes: Sequence[str], *, packed: bool
) -> ChunkedReading:
    dialect = _dialect_of(source, packed=packed)
    kinds, found = _decide(dialect, _facts_by_passing(source, dialect, packed=packed))

    def parts() -> Iterator[tuple[float, pd.DataFrame]]:
        pending: list[tuple[float, pd.DataFrame]] = []
        for fraction, table in _tables(
            source, dialect, list(kinds), rows, packed=packed
        ):
            frame = _typed(table, kinds)
            if _blank_tail(frame) < len(frame):
                yield from pending
                pending = []
            pending.append((fraction, frame))
        for fraction, frame in pending[:1]:
            yield fraction, frame.iloc[: len(frame) - _blank_tail(frame)]

    general = "Empty cells and marks such as NA or ? count as missing."
    blank = "Empty rows at the end are left out."
    return ChunkedReading(
        source.name, (*notes, *found, general, blank), tuple(kinds), parts
    )


def _typed(table: pa.Table, kinds: Mapping[str, Kind]) -> pd.DataFrame:
    cells = _each(_Cells.of, [table.column(name) for name in kinds])
    built = (c.as_kind(kind) for c, kind in zip(cells, kinds.values(), strict=True))
    return pd.DataFrame(dict(zip(kinds, built, strict=True)), copy=False)


def _facts_by_passing(
    source: _Source, dialect: Dialect, *, packed: bool
) -> dict[str, Facts]:
    """Facts of each column: of its first cells if they are text, else of all cells."""
    undecided = list(dialect.columns)
    facts = dict.fromkeys(dialect.columns, Facts())
    first = _tables(source, dialect, undecided, 10_000, packed=packed)
    _, table = next(first, (0.0, None))
    first.close()
    for name in undecided:
        facts[name] = _Cells.of(table.column(name)).facts if table else Facts()
    undecided = [name for name in undecided if facts[name].undecided]
    if undecided:
        for _, table in _tables(source, dialect, undecided, 100_000, packed=packed):
            for name in undecided:
                facts[name] += _Cells.of(table.column(name)).facts
    return facts


def _tables(
    source: _Source,
    dialect: Dialect,
    columns: Sequence[str],
    rows: int,
    *,
    packed: bool,
) -> Generator[tuple[float, pa.Table], None, None]:
    """Tables of exactly so many rows (the last may have fewer) with a fraction read."""
    waiting: list[pa.RecordBatch] = []
    size, fraction = 0, 0.0
    for fraction, batch in _batches(source, dialect, columns, packed=packed):
        waiting.append(batch)
        size += len(batch)
        while size >= rows:
            table = pa.Table.from_batches(waiting)
            yield fraction, table[:rows]
            waiting, size = table[rows:].to_batches(), size - rows
    if size:
        table = pa.Table.from_batches(waiting)
        _refuse_open_quotation(source, dialect, table)
        yield fraction, table


def _batches(
    source: _Source, dialect: Dialect, columns: Sequence[str], *, packed: bool
) -> Iterator[tuple[float, pa.RecordBatch]]:
    done = 0
    with _explained(source, dialect, packed=packed):
        for largest in (False, True):
            seen = 0
            try:
                with _stream(source, packed=packed) as (raw, file):
                    size = max(raw.size(), 1)
                    options = _options(dialect, columns, largest=largest)
                    for batch in pacsv.open_csv(file, **options):
                        # After a restart with larger blocks: what was given before.
                        new = batch[max(done - seen, 0) :]
                        seen += len(batch)
                        if len(new):
                            done = seen
                            yield raw.tell() / size, new
                return
            except pa.ArrowInvalid as error:
                if largest or "straddl" not in str(error):
                    raise


# Workbooks


def _read_workbook(
    source: _Source, sheet: str | None
) -> tuple[pd.DataFrame, list[str]]:
    rows, notes = _sheet_rows(source, sheet)
    filled = [bool(row) and any(not _blank(c) for c in row) for row in rows]
    if not any(filled):
        raise ReadingError(f"{source.name}: the sheet is empty; choose another sheet")
    top, bottom = filled.index(True), len(filled) - filled[::-1].index(True)
    width = max(len(row) for row in rows)
    columns = list(
        zip(
            *(row + (None,) * (width - len(row)) for row in rows[top:bottom]),
            strict=True,
        )
    )
    used = [
        place for place, column in enumerate(columns) if not all(map(_blank, column))
    ]
    columns = columns[used[0] : used[-1] + 1]
    for what, count in (
        ("Empty rows above the table were skipped", top),
        ("Empty rows at the end were dropped", len(rows) - bottom),
        ("Empty columns left of the table were skipped", used[0]),
        ("Empty columns at the end were dropped", width - 1 - used[-1]),
    ):
        if count:
            notes.append(f"{what}: {count}.")
    return _frame_of_cells(source, columns, notes)


def _blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _sheet_rows(
    source: _Source, sheet: str | None
) -> tuple[list[tuple[Any, ...]], list[str]]:
    with source.binary() as file:
        _refuse_other_archives(source, file)
        with warnings.catch_warnings():
            # Styles and validation rules that openpyxl leaves out do not matter here.
            warnings.simplefilter("ignore")
            try:
                book = openpyxl.load_workbook(file, read_only=True, data_only=True)
                sheets = {page.title: page for page in book.worksheets}
                chosen = sheet if sheet is not None else next(iter(sheets), "")
                if chosen not in sheets:
                    raise ReadingError(
                        f'{source.name} has no sheet "{chosen}"; its sheets are '
                        f"{listed(list(sheets), 20) or 'charts only'}"
                    )
                rows = list(sheets[chosen].iter_rows(values_only=True))
            except (KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
                raise ReadingError(
                    f"{source.name} is a damaged workbook ({error}); open it in Excel "
                    "and save it again as .xlsx"
                ) from error
    others = [name for name in sheets if name != chosen]
    more = f"; not read: {listed(others)}" if others else ""
    return rows, [f'Excel workbook, sheet "{chosen}"{more}.']


def _refuse_other_archives(source: _Source, file: BinaryIO) -> None:
    try:
        members = set(zipfile.ZipFile(file).namelist())
    except zipfile.BadZipFile as error:
        raise ReadingError(
            f"{source.name} is a damaged or cut-off workbook or zip archive ({error}); "
            "copy or download it again"
        ) from error
    if "xl/workbook.xml" in members:
        return
    remedy = "unpack it and choose a file in it"
    if members & {"xl/workbook.bin", "content.xml", "mimetype"}:
        remedy = "open it in Excel or LibreOffice and save it as .xlsx"
    raise ReadingError(
        f"{source.name} is a zip archive ({len(members)} files) but no Excel workbook "
        f"(.xlsx, .xlsm); {remedy}"
    )


def _frame_of_cells(
    source: _Source, columns: Sequence[Sequence[Any]], notes: list[str]
) -> tuple[pd.DataFrame, list[str]]:
    if len(columns) > MOST_COLUMNS:
        raise ReadingError(
            f"{source.name} has {len(columns):,} columns, more than {MOST_COLUMNS:,}; "
            "choose the columns of interest and save only those"
        )
    first = [column[0] for column in columns]
    header = not all(_is_number(cell) for cell in first if not _blank(cell))
    names, renamed = unique_names(
        ["" if not header or cell is None else cell for cell in first]
    )
    built, facts, kinds = {}, {}, {}
    for name, column in zip(names, columns, strict=True):
        built[name], facts[name], kinds[name] = _cell_column(column[int(header) :])
    notes += (
        renamed
        if header
        else [
            "The first row holds only numbers, so it was kept as data and the columns "
            'were named "column 1", "column 2", ...; add a row of names if it is one.'
        ]
    )
    frame = pd.DataFrame(built)
    gaps = {name: int(frame[name].isna().sum()) for name in names}
    found = _gap_notes(0, {name: count for name, count in gaps.items() if count})
    return frame, [*notes, *_kind_notes(kinds, facts), *found]


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _cell_column(cells: Sequence[Any]) -> tuple[Any, Facts, Kind]:
    present = [cell for cell in cells if not _blank(cell)]
    kinds = {type(cell) for cell in present}
    if kinds and kinds <= {datetime, date}:
        values = [None if _blank(cell) else cell for cell in cells]
        return pd.to_datetime(pd.Series(values)), Facts(filled=True), "text"
    if kinds == {bool} and len(present) == len(cells):
        return np.array(cells, dtype=bool), Facts(filled=True), "text"
    texts = ["" if cell is None else str(cell) for cell in cells]
    plain = pa.chunked_array([pa.array(texts, pa.string())])
    column = _Cells.of(plain.dictionary_encode())
    facts = column.facts
    kind = facts.kind(decimal_comma=facts.decimal_comma)
    return column.as_kind(kind), facts, kind


# Parquet and data frames: typed already, so text is never searched for numbers or gaps


def _read_parquet(source: _Source) -> tuple[pd.DataFrame, list[str]]:
    with _parquet_file(source) as file:
        places, names, notes = _parquet_columns(source, file.schema_arrow)
        return _plain_frame(file.read(columns=places), names, set()), notes


def _parquet_in_chunks(
    source: _Source, rows: int, notes: Sequence[str]
) -> ChunkedReading:
    with _parquet_file(source) as file:
        places, names, found = _parquet_columns(source, file.schema_arrow)
        gaps = _columns_with_gaps(file, places)
        total = max(file.metadata.num_rows, 1)

    def parts() -> Iterator[tuple[float, pd.DataFrame]]:
        done = 0
        with _parquet_file(source) as file:
            for batch in file.iter_batches(batch_size=rows, columns=places):
                done += len(batch)
                table = pa.Table.from_batches([batch])
                yield done / total, _plain_frame(table, names, gaps)

    return ChunkedReading(source.name, (*notes, *found), tuple(names.values()), parts)


@contextmanager
def _parquet_file(source: _Source) -> Iterator[pq.ParquetFile]:
    with source.open() as raw, _explained(source):
        yield pq.ParquetFile(raw)


def _parquet_columns(
    source: _Source, schema: pa.Schema
) -> tuple[list[str], dict[str, str], list[str]]:
    """The columns to read, their new names, and what was found."""
    index = [name for name in schema.names if re.match("__index_level_[0-9]+__", name)]
    nested = [field.name for field in schema if pa.types.is_nested(field.type)]
    kept = [name for name in schema.names if name not in {*index, *nested}]
    if len(set(kept)) < len(kept):
        raise ReadingError(
            f"{source.name} has columns of the same name; rename them and save it again"
        )
    if not kept or len(kept) > MOST_COLUMNS:
        raise ReadingError(
            f"{source.name} has {len(kept):,} columns with plain values, but 1 to "
            f"{MOST_COLUMNS:,} can be read; choose the columns and save only those"
        )
    names, renamed = unique_names(kept)
    notes = [f"Parquet file with {len(kept)} columns.", *renamed]
    if index:
        notes.append("The index of the saved data frame was skipped.")
    if nested:
        notes.append(f"Columns of lists or records were left out: {listed(nested)}.")
    return kept, dict(zip(kept, names, strict=True)), notes


def _columns_with_gaps(file: pq.ParquetFile, places: Sequence[str]) -> set[str]:
    """Integer and boolean columns with missing values, which need another type."""
    suspects = [
        name
        for name in places
        if pa.types.is_integer(file.schema_arrow.field(name).type)
        or pa.types.is_boolean(file.schema_arrow.field(name).type)
    ]
    gaps: set[str] = set()
    if suspects:
        for batch in file.iter_batches(columns=suspects):
            gaps |= {name for name in suspects if batch.column(name).null_count}
    return gaps


def _plain_frame(
    table: pa.Table, names: Mapping[str, str], gaps: set[str]
) -> pd.DataFrame:
    simple = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_decimal(column.type):
            column = column.cast(pa.float64())
        elif pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            column = column.cast(pa.string())
        simple[name] = column
    frame = pa.table(simple).to_pandas(
        strings_to_categorical=True, date_as_object=False, ignore_metadata=True
    )
    columns = {names[n]: _plain_column(frame[n], gaps=n in gaps) for n in frame.columns}
    return pd.DataFrame(columns, copy=False)


def _read_frame(source: pd.DataFrame, name: str) -> Reading:
    if not source.shape[0] or not source.shape[1]:
        raise ReadingError(
            f"{name} is empty ({source.shape[0]} rows, {source.shape[1]} columns); "
            "it needs at least one of each"
        )
    if source.shape[1] > MOST_COLUMNS:
        raise ReadingError(
            f"{name} has {source.shape[1]:,} columns, more than {MOST_COLUMNS:,}; "
            "choose the columns of interest"
        )
    names, renamed = unique_names(list(source.columns))
    columns = {
        new: _plain_column(source.iloc[:, place].reset_index(drop=True))
        for place, new in enumerate(names)
    }
    notes = [f"Data frame with {len(names)} columns.", *renamed]
    if not isinstance(source.index, pd.RangeIndex):
        notes.append("The index of the data frame was skipped.")
    return Reading(pd.DataFrame(columns, copy=False), tuple(notes), name)


def _plain_column(column: pd.Series, *, gaps: bool = False) -> pd.Series:
    """Numbers as int64 or float64, text as category, dates and the like unchanged."""
    kind, dtype = pd.api.types, column.dtype
    gaps = gaps or bool(column.isna().any())
    if isinstance(dtype, pd.CategoricalDtype) or dtype.kind in "mM":
        return column
    if kind.is_bool_dtype(dtype) and not gaps:
        return column.astype(bool)
    if kind.is_integer_dtype(dtype) and not gaps:
        return column if dtype == np.uint64 else column.astype("int64")
    if kind.is_numeric_dtype(dtype) and not kind.is_bool_dtype(dtype):
        return column.astype("float64")
    texts = column
    if pd.api.types.infer_dtype(column, skipna=True) != "string":
        present = column.dropna()
        if len(present) and all(_is_number(cell) for cell in present):
            return pd.to_numeric(column.astype(object))
        texts = column.map(str, na_action="ignore").astype(object)
    codes, states = pd.factorize(texts)
    text = pd.Categorical.from_codes(codes, categories=pd.Index(states, dtype=str))
    return pd.Series(text, index=column.index)
