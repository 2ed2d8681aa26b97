"""A delimited text file as Arrow tables of text cells, whole or part by part."""

import csv
import io
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

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

    def whole(self) -> pa.Table:
        """All rows."""
        with self._explained():
            try:
                return self._read(self._block)
            except pa.ArrowInvalid as error:
                if not _exceeds_block(error):
                    raise
            return self._read(_LARGEST_BLOCK)

    def parts(
        self, columns: Sequence[str], rows: int
    ) -> Generator[tuple[float, pa.Table], None, None]:
        """Tables of so many rows (the last may have fewer) and the fraction read."""
        waiting: list[pa.RecordBatch] = []
        size, fraction = 0, 0.0
        for fraction, batch in self._batches(columns):
            waiting.append(batch)
            size += len(batch)
            while size >= rows:
                table = pa.Table.from_batches(waiting)
                yield fraction, table[:rows]
                waiting, size = table[rows:].to_batches(), size - rows
        if size:
            table = pa.Table.from_batches(waiting)
            self._refuse_open_quotation(table)
            yield fraction, table

    def _read(self, block: int) -> pa.Table:
        with self.source.unpacked() as (_, file):
            table = pacsv.read_csv(file, **self._options(self.dialect.columns, block))
        self._refuse_open_quotation(table)
        if block > LONGEST_LINE:
            self._refuse_long_cells(table, 0)
        return table

    def _batches(
        self, columns: Sequence[str]
    ) -> Iterator[tuple[float, pa.RecordBatch]]:
        given = 0
        with self._explained():
            for block in (self._block, _LARGEST_BLOCK):
                seen = 0
                try:
                    for fraction, batch in self._stream(columns, block):
                        # After a restart with larger blocks: what was given before.
                        new = batch[max(given - seen, 0) :]
                        seen += len(batch)
                        if len(new):
                            given = seen
                            yield fraction, new
                    return
                except pa.ArrowInvalid as error:
                    if block == _LARGEST_BLOCK or not _exceeds_block(error):
                        raise

    def _stream(
        self, columns: Sequence[str], block: int
    ) -> Iterator[tuple[float, pa.RecordBatch]]:
        with self.source.unpacked() as (raw, file):
            size = max(raw.size(), 1)
            rows = 0
            for batch in pacsv.open_csv(file, **self._options(columns, block)):
                if block > LONGEST_LINE:
                    self._refuse_long_cells(pa.Table.from_batches([batch]), rows)
                rows += len(batch)
                yield raw.tell() / size, batch

    @property
    def _block(self) -> int:
        rows = 50 * self.dialect.row_bytes
        return min(max(_SMALLEST_BLOCK, rows), _LARGEST_BLOCK)

    def _options(self, columns: Sequence[str], block: int) -> dict[str, Any]:
        dialect, encoding = self.dialect, self.survey.encoding
        return {
            "read_options": pacsv.ReadOptions(
                block_size=block,
                column_names=dialect.names,
                skip_rows=dialect.skipped_lines,
                skip_rows_after_names=int(dialect.header),
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
