"""A delimited text file as Arrow tables of text cells, part by part."""

import csv
import io
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from siviz.cores import CORES
from siviz.readers.column_names import listed
from siviz.readers.dialects import DELIMITERS, Dialect, find_dialect
from siviz.readers.sources import ReadingError, Source, damage_explained
from siviz.readers.text_encoding import (
    LONGEST_LINE,
    LongLineError,
    Survey,
    long_line,
    survey,
)

_HINT = "check its quotation marks and "
_SMALLEST_BLOCK, _LARGEST_BLOCK = 2**23, 2**26
Item = TypeVar("Item")


@dataclass(frozen=True)
class TextTable:
    """A delimited text file, and how it is written."""

    source: Source
    survey: Survey
    dialect: Dialect

    @classmethod
    def of(cls, source: Source) -> "TextTable":
        """Read all bytes once to find out how the file is written."""
        with damage_explained(source.name, _HINT), source.unpacked() as (_, file):
            try:
                found = survey(file, source.name)
            except LongLineError as error:
                _refuse_long_line(source, error.start)
            return cls(source, found, find_dialect(found.first_lines(), source.name))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found about the file as a whole."""
        return (*self.source.notes, *self.dialect.notes, *self.survey.notes)

    def parts(
        self, columns: Sequence[str], rows: int
    ) -> Generator[tuple[float, pa.Table], None, None]:
        """Tables of so many rows (the last may have fewer) and the fraction read."""
        waiting: list[pa.Table] = []
        size, fraction = 0, 0.0
        for fraction, block in self.blocks(columns):
            waiting.append(block)
            size += len(block)
            while size >= rows:
                table = pa.concat_tables(waiting)
                yield fraction, table[:rows]
                waiting, size = [table[rows:]], size - rows
        if size:
            yield fraction, pa.concat_tables(waiting)

    def blocks(
        self, columns: Sequence[str]
    ) -> Generator[tuple[float, pa.Table], None, None]:
        """All rows in tables of any length, each with the fraction read.

        They are read ahead, on all cores if line breaks are sure to end rows.
        """
        with self._explained():
            if self.survey.quotes or self.survey.wide:
                yield from _ahead(self._one_after_another(columns))
            else:
                yield from self._side_by_side(columns)

    def _side_by_side(self, columns: Sequence[str]) -> Iterator[tuple[float, pa.Table]]:
        waiting: deque[tuple[float, Future[pa.Table]]] = deque()
        with (
            self.source.unpacked() as (raw, file),
            ThreadPoolExecutor(CORES) as workers,
        ):
            size = max(raw.size(), 1)
            first = True
            for lines in _whole_lines(file, self._block):
                options = self._options(columns, len(lines) + 1, first=first)
                buffer = pa.BufferReader(lines)
                parsed = workers.submit(pacsv.read_csv, buffer, **options)
                waiting.append((raw.tell() / size, parsed))
                first = False
                if len(waiting) > CORES:
                    fraction, parsed = waiting.popleft()
                    yield fraction, parsed.result()
            for fraction, parsed in waiting:
                yield fraction, parsed.result()

    def _one_after_another(
        self, columns: Sequence[str]
    ) -> Iterator[tuple[float, pa.Table]]:
        given = 0
        table: pa.Table | None = None
        for block in (self._block, _LARGEST_BLOCK):
            seen = 0
            try:
                for fraction, table in self._stream(columns, block):
                    # After a restart with larger blocks: what was given before.
                    new = table[max(given - seen, 0) :]
                    seen += len(table)
                    if len(new):
                        given = seen
                        yield fraction, new
                break
            except pa.ArrowInvalid as error:
                if block == _LARGEST_BLOCK or not _exceeds_block(error):
                    raise
        if table is not None:
            self._refuse_open_quotation(table)

    def _stream(
        self, columns: Sequence[str], block: int
    ) -> Iterator[tuple[float, pa.Table]]:
        with self.source.unpacked() as (raw, file):
            size = max(raw.size(), 1)
            rows = 0
            for batch in pacsv.open_csv(file, **self._options(columns, block)):
                table = pa.Table.from_batches([batch])
                if block > LONGEST_LINE:
                    self._refuse_long_cells(table, rows)
                rows += len(table)
                yield raw.tell() / size, table

    @property
    def _block(self) -> int:
        rows = 50 * self.dialect.row_bytes
        return min(max(_SMALLEST_BLOCK, rows), _LARGEST_BLOCK)

    def _options(
        self, columns: Sequence[str], block: int, *, first: bool = True
    ) -> dict[str, Any]:
        """For the rows of the file from its first line on, or for later rows."""
        dialect, encoding = self.dialect, self.survey.encoding
        return {
            "read_options": pacsv.ReadOptions(
                use_threads=False,
                block_size=block,
                column_names=dialect.names,
                skip_rows=dialect.skipped_lines if first else 0,
                skip_rows_after_names=int(dialect.header and first),
                # Arrow skips the byte-order mark of UTF-8 itself.
                encoding="utf-8" if encoding == "utf-8-sig" else encoding,
            ),
            "parse_options": pacsv.ParseOptions(
                delimiter=dialect.delimiter, newlines_in_values=self.survey.quotes
            ),
            # The survey has checked the encoding already.
            "convert_options": pacsv.ConvertOptions(
                column_types=dict.fromkeys(dialect.names, pa.string()),
                include_columns=list(columns),
                check_utf8=False,
            ),
        }

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Name the line that is at fault, or at least the file."""
        with damage_explained(self.source.name, _HINT):
            try:
                yield
            except pa.ArrowInvalid:
                self._refuse_ragged_rows()
                raise

    def _refuse_open_quotation(self, table: pa.Table) -> None:
        """Raise if the last cell runs over several lines to the end of the file."""
        name = self.dialect.names[-1]
        if self.survey.ends_quoted or not len(table) or name not in table.column_names:
            return
        cell = str(table.column(name)[-1])
        if "\n" in cell or "\r" in cell:
            raise ReadingError(
                f"{self.source.name}: a quotation mark opened in column "
                f"{listed([name])}, about {len(cell.splitlines())} lines before the "
                "end, is never closed; close or remove it"
            )

    def _refuse_long_cells(self, table: pa.Table, before: int) -> None:
        """Raise for a quoted cell over so many lines that it is no value."""
        for name, column in zip(table.column_names, table.columns, strict=True):
            if column.nbytes <= LONGEST_LINE:
                continue
            lengths = pc.binary_length(column.cast(pa.large_string()))
            longest = pc.max(lengths).as_py() or 0
            if longest > LONGEST_LINE:
                row = before + pc.index(lengths, longest).as_py() + 1
                raise ReadingError(
                    f"{self.source.name}, row {row:,}: the cell in column "
                    f"{listed([name])} has {longest / 2**20:,.0f} MB, which is no "
                    f"value (a cell has {LONGEST_LINE // 2**20} MB at the most); close "
                    "the quotation mark that opens it, or shorten it"
                )

    def _refuse_ragged_rows(self) -> None:
        """Raise for the first row that has not as many fields as the first line."""
        dialect = self.dialect
        with (
            self.source.unpacked() as (_, file),
            io.TextIOWrapper(file, self.survey.encoding, newline="") as lines,
        ):
            for _ in range(dialect.skipped_lines):
                next(lines)
            reader = csv.reader(lines, delimiter=dialect.delimiter)
            width = len(dialect.names)
            try:
                named = len(next(reader, [])) if dialect.header else width
                row = next((row for row in reader if row and len(row) != width), None)
            except csv.Error:
                return
        if row is not None:
            line = reader.line_num + dialect.skipped_lines
            raise ReadingError(
                f"{self.source.name}, line {line}: {len(row)} field(s) separated by "
                f"{DELIMITERS[dialect.delimiter]}, but the "
                f"{'first line has' if named == width else 'rows above have'} {width}; "
                f"{_remedy(row, width)}"
            )


def _refuse_long_line(source: Source, start: int) -> NoReturn:
    with source.unpacked() as (_, file):
        what = long_line(file, start)
    raise ReadingError(
        f"{source.name}, {what}, which is no row of a table (a row has "
        f"{LONGEST_LINE // 2**20} MB at the most); remove the line, or write one row "
        "per line"
    )


def _whole_lines(file: pa.NativeFile, size: int) -> Iterator[bytes]:
    """The bytes in blocks of about this size that end at line breaks."""
    rest = b""
    while block := file.read(size):
        end = block.rfind(b"\n") + 1
        if end:
            yield rest + block[:end]
            rest = b""
        rest += block[end:]
    if rest:
        yield rest


def _ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, each made while the one before it is in use."""
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = worker.submit(next, items, None)
            yield item


def _exceeds_block(error: pa.ArrowInvalid) -> bool:
    """Whether Arrow stopped at a row longer than the blocks it reads."""
    return "straddl" in str(error)


def _remedy(row: Sequence[str], width: int) -> str:
    if len(row) > width and not any(row[width:]):
        return "remove the empty fields at its end"
    if any(cell != cell.lstrip() and cell.lstrip().startswith('"') for cell in row):
        return (
            "remove the blanks before quotation marks, which count only at the "
            "beginning of a cell"
        )
    return (
        "put cells that contain the separator in double quotation marks, and remove "
        "title lines and footers"
    )
