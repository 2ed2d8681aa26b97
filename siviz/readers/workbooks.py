"""Excel workbooks (.xlsx, .xlsm): one sheet as a data frame."""

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, BinaryIO, TypeAlias

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa

from siviz.readers.cells import Cells, count_missing, missing_notes
from siviz.readers.column_kinds import kind_notes
from siviz.readers.column_names import listed, refuse_too_many_columns, unique_names
from siviz.readers.frames import is_number
from siviz.readers.readings import Reading, refuse_without_rows, refuse_without_values
from siviz.readers.sources import ReadingError, Source

Row: TypeAlias = tuple[Any, ...]

_NO_HEADER = (
    "The first row holds only numbers, so it was kept as data and the columns were "
    'named "column 1", "column 2", ...; add a row of names if it is one.'
)


def read_workbook(source: Source, sheet: str | None) -> Reading:
    """The table of a sheet, of the first one if none is named."""
    rows, chosen = _sheet_rows(source, sheet)
    rows, titles = _without_titles(rows)
    columns, trimmed = _without_blank_edges(rows, source.name)
    refuse_too_many_columns(len(columns), source.name)
    names, header, named = _header([column[0] for column in columns])
    refuse_without_rows(len(columns[0]) - header, source.name)
    found = {n: _content(c[header:]) for n, c in zip(names, columns, strict=True)}
    facts = {n: c.facts for n, c in found.items() if isinstance(c, Cells)}
    filled = len(facts) < len(found) or any(f.filled for f in facts.values())
    refuse_without_values(filled, source.name)
    kinds = {n: f.kind(decimal_comma=f.decimal_comma) for n, f in facts.items()}
    frame = pd.DataFrame(
        {n: c.as_kind(kinds[n]) if n in kinds else c for n, c in found.items()}
    )
    told = (*kind_notes(kinds, facts), *missing_notes(count_missing(frame)))
    notes = (*source.notes, chosen, *titles, *trimmed, *named, *told)
    return Reading(frame, notes, source.name)


def sheet_titles(source: Source) -> tuple[str, ...]:
    """The titles of the sheets, in their order."""
    with _opened(source) as book:
        return tuple(page.title for page in book.worksheets)


def _sheet_rows(source: Source, sheet: str | None) -> tuple[list[Row], str]:
    with _opened(source) as book:
        sheets = {page.title: page for page in book.worksheets}
        chosen = next(iter(sheets), "") if sheet is None else sheet
        if chosen not in sheets:
            raise ReadingError(
                f'{source.name} has no sheet "{chosen}"; its sheets are '
                f"{listed(list(sheets), 20) or 'charts only'}"
            )
        rows = list(sheets[chosen].iter_rows(values_only=True))
    others = [name for name in sheets if name != chosen]
    more = f"; not read: {listed(others)}" if others else ""
    return rows, f'Excel workbook, sheet "{chosen}"{more}.'


@contextmanager
def _opened(source: Source) -> Iterator[openpyxl.Workbook]:
    """The workbook; what is wrong with it becomes a sentence."""
    with source.open() as file, warnings.catch_warnings():
        _refuse_other_archives(source.name, file)
        # Styles and validation rules that openpyxl leaves out do not matter here.
        warnings.simplefilter("ignore")
        try:
            yield openpyxl.load_workbook(file, read_only=True, data_only=True)
        except (KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ReadingError(
                f"{source.name} is a damaged workbook ({error}); open it in Excel and "
                "save it again as .xlsx"
            ) from error


def _refuse_other_archives(name: str, file: BinaryIO) -> None:
    try:
        members = set(zipfile.ZipFile(file).namelist())
    except zipfile.BadZipFile as error:
        raise ReadingError(
            f"{name} is a damaged or cut-off workbook or zip archive ({error}); copy "
            "or download it again"
        ) from error
    if "xl/workbook.xml" in members:
        return
    remedy = "unpack it and choose a file in it"
    if members & {"xl/workbook.bin", "content.xml", "mimetype"}:
        remedy = "open it in Excel or LibreOffice and save it as .xlsx"
    raise ReadingError(
        f"{name} is a zip archive ({len(members)} files) but no Excel workbook (.xlsx, "
        f".xlsm); {remedy}"
    )


def _without_titles(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """The rows from the first with more than one cell on, and what stood above."""
    filled = [[cell for cell in row if not _blank(cell)] for row in rows]
    first = next((place for place, row in enumerate(filled) if len(row) > 1), 0)
    titles = [str(cell) for row in filled[:first] for cell in row]
    if not titles:
        return rows, []
    told = f"Rows above the table were skipped as titles: {listed(titles)}."
    return rows[first:], [told]


def _without_blank_edges(rows: Sequence[Row], name: str) -> tuple[list[Row], list[str]]:
    """The columns of the table inside the sheet, and what was left out around it."""
    filled = [place for place, row in enumerate(rows) if not all(map(_blank, row))]
    if not filled:
        raise ReadingError(f"{name}: the sheet is empty; choose another sheet")
    width = max(len(row) for row in rows)
    inside = rows[filled[0] : filled[-1] + 1]
    padded = (row + (None,) * (width - len(row)) for row in inside)
    columns = list(zip(*padded, strict=True))
    used = [
        place for place, column in enumerate(columns) if not all(map(_blank, column))
    ]
    left_out = {
        "Empty rows above the table were skipped": filled[0],
        "Empty rows at the end were dropped": len(rows) - 1 - filled[-1],
        "Empty columns left of the table were skipped": used[0],
        "Empty columns at the end were dropped": width - 1 - used[-1],
    }
    notes = [f"{what}: {count}." for what, count in left_out.items() if count]
    return columns[used[0] : used[-1] + 1], notes


def _blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _header(first: Row | list[Any]) -> tuple[tuple[str, ...], int, Sequence[str]]:
    """Names of the columns, how many rows they take, and what is to be told of them."""
    if all(is_number(cell) for cell in first if not _blank(cell)):
        return unique_names([""] * len(first))[0], 0, [_NO_HEADER]
    names, renamed = unique_names(["" if cell is None else cell for cell in first])
    return names, 1, renamed


def _content(column: Row) -> Any:
    """Dates and truth values as they are, anything else as cells of text."""
    types = {type(cell) for cell in column if not _blank(cell)}
    if types and types <= {datetime, date}:
        values = [None if _blank(cell) else cell for cell in column]
        return pd.to_datetime(pd.Series(values))
    if types == {bool} and not any(map(_blank, column)):
        return np.array(column, dtype=bool)
    texts = pa.array(
        ["" if cell is None else str(cell) for cell in column], pa.string()
    )
    return Cells.of(pa.chunked_array([texts]), repetitive=True)
