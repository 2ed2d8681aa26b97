"""Cells of text become numbers or states; which of them are missing."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from siviz.cores import CORES, side_by_side
from siviz.readers.cell_codes import CellCoder, code_cells
from siviz.readers.column_kinds import (
    Facts,
    Kind,
    Texts,
    as_dates,
    as_floats,
    as_integers,
    facts_of,
)
from siviz.readers.column_names import listed

#: Cells with nothing else in them (blanks around are ignored) hold no value.  Words
#: that can be a state of their own, such as "no", "none", "0" or "unknown", are not
#: among them.
MISSING = (
    *("", "NA", "N/A", "n/a", "N/a", "n/A", "N.A.", "n.a.", "#N/A", "#NA", "<NA>"),
    *("NaN", "nan", "NAN", "Nan", "-NaN", "-nan", "null", "NULL", "Null", "(null)"),
    *("NaT", "None", "\\N", "?", "-", "--", "–", "—", "."),
    # What a spreadsheet shows where a formula failed.
    *("#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
)
#: How missing cells are told, wherever texts are read.
MISSING_RULE = "Empty cells and marks such as NA or ? count as missing"

_MISSING = pa.array(MISSING)
_LONG, _LONG_BLOCK = 50_000, 10_000  # rows from which several cores gain


@dataclass(frozen=True)
class Cells:
    """The cells of a column as text: distinct ones with codes, or all of them."""

    values: Texts
    codes: NDArray[np.integer[Any]] | None
    missing: bool
    floats: Texts | None = None

    @classmethod
    def of(cls, column: pa.ChunkedArray, *, repetitive: bool = False) -> "Cells":
        """Find the missing cells, and the numbers where that is cheap on the way.

        Of a repetitive column, only the distinct cells are looked at.
        """
        if repetitive:
            return cls.coded(*code_cells(column))
        if (floats := as_floats(column)) is not None:
            return cls(column, None, False, floats)
        gaps = pc.is_in(pc.utf8_trim_whitespace(column), _MISSING)
        if pc.any(gaps).as_py():
            column = pc.if_else(gaps, None, column)
        return cls(column, None, column.null_count > 0, as_floats(column))

    @classmethod
    def coded(cls, values: pa.StringArray, codes: NDArray[np.integer[Any]]) -> "Cells":
        """The same from the distinct cells and their codes."""
        gaps = pc.is_in(pc.utf8_trim_whitespace(values), _MISSING)
        if not (missing := pc.any(gaps).as_py()):
            return cls(values, codes, False)
        kept = ~gaps.to_numpy(zero_copy_only=False)
        places = np.where(kept, np.cumsum(kept) - 1, -1).astype(codes.dtype)
        return cls(values.filter(pa.array(kept)), places[codes], missing)

    @cached_property
    def facts(self) -> Facts:
        """What is true of all cells."""
        if self.codes is not None:
            return facts_of(self.values, missing=self.missing)
        floats = self.floats.drop_null() if self.floats is not None else None
        return facts_of(self.values.drop_null(), missing=self.missing, floats=floats)

    def as_kind(self, kind: Kind) -> Any:
        """The column as an array for a data frame."""
        if kind == "text":
            return self._as_states()
        if kind == "date":
            return self._as_dates()
        if kind == "whole":
            numbers = as_integers(self.values)
        elif self.floats is not None:
            numbers = self.floats
        else:
            numbers = as_floats(self.values, decimal_comma=kind == "comma")
        plain = numbers.to_numpy() if numbers is not None else np.empty(0)
        if self.codes is None:
            return plain
        # Code -1, for missing, finds the last one.
        return (plain if kind == "whole" else np.append(plain, np.nan))[self.codes]

    def _as_dates(self) -> NDArray[np.datetime64]:
        dates = as_dates(self.values)
        plain = dates.to_numpy() if dates is not None else np.empty(0, "M8[us]")
        if self.codes is None:
            return plain
        return np.append(plain, np.datetime64("NaT", "us"))[self.codes]

    def _as_states(self) -> pd.Categorical:
        if self.codes is None:
            return Cells.of(self.values.fill_null(""), repetitive=True)._as_states()
        states = pd.Index(self.values.to_pylist(), dtype=str)
        codes: Any = self.codes
        return pd.Categorical.from_codes(codes, categories=states)


def cells_of(table: pa.Table, repetitive: Container[str]) -> dict[str, Cells]:
    """The cells of all columns."""

    def cells(name: str) -> Cells:
        return Cells.of(table.column(name), repetitive=name in repetitive)

    return _by_name(cells, table.column_names, len(table))


def cells_of_blocks(
    blocks: Iterable[pa.Table], names: Sequence[str], repetitive: Container[str]
) -> dict[str, Cells]:
    """The cells of all columns with their facts.

    The blocks are tables of the columns with these names, one below the other.  Of
    repetitive columns, no block is kept.
    """
    coders = {name: CellCoder() for name in names if name in repetitive}
    plain: dict[str, list[pa.ChunkedArray]] = {
        name: [] for name in names if name not in repetitive
    }
    shares = [list(coders)[first::CORES] for first in range(CORES)]
    rows = 0
    for block in blocks:
        rows += len(block)
        for name, chunks in plain.items():
            chunks.extend(block.column(name).chunks)
        side_by_side(
            partial(_add, coders, block), shares, worth_it=len(block) >= _LONG_BLOCK
        )

    def cells_of(name: str) -> Cells:
        if name in coders:
            found = Cells.coded(*coders[name].coded())
        else:
            found = Cells.of(pa.chunked_array(plain[name], pa.string()))
        _ = found.facts  # Here, where columns are worked on side by side.
        return found

    return _by_name(cells_of, names, rows)


def _add(coders: Mapping[str, CellCoder], block: pa.Table, names: list[str]) -> None:
    for name in names:
        for cells in block.column(name).chunks:
            coders[name].add(cells)


def _by_name(
    cells: Callable[[str], Cells], names: Sequence[str], rows: int
) -> dict[str, Cells]:
    found = side_by_side(cells, names, worth_it=rows >= _LONG)
    return dict(zip(names, found, strict=True))


def frame_of(cells: Mapping[str, Cells], kinds: Mapping[str, Kind]) -> pd.DataFrame:
    """The columns, in the order of their kinds, as a data frame."""
    columns = {name: cells[name].as_kind(kind) for name, kind in kinds.items()}
    return pd.DataFrame(columns, copy=False)


def count_missing(frame: pd.DataFrame) -> "pd.Series[int]":
    """How many cells of each column are missing."""
    return pd.Series({name: int(frame[name].isna().sum()) for name in frame})


def missing_notes(counts: "pd.Series[int]") -> list[str]:
    """How many cells are missing and where, if any are."""
    columns = [str(name) for name in counts.index[counts > 0]]
    total = int(counts.sum())
    return [f"{MISSING_RULE}: {total:,} in {listed(columns)}."] if columns else []
