"""A large table of states, counted once before it is decided what its columns become.

Whatever the levels of a column are made into (states in another order, merged ones,
missing values as a state or left out), the counts of the result are sums of the counts
of levels.  So all rows are passed over once, and everything else is done with the few
levels, each a row with the weight of its count.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.columns import Column, ColumnSummaries, encode_columns, summarize_columns
from siviz.cooccurrence import Cooccurrence, count_pairs

_FEWEST_ROWS: Final = 50_000  # below, passing over the rows again costs nothing
_MOST_LEVELS: Final = 1_000  # above, adding up their counts costs more than that


@dataclass(frozen=True, eq=False)
class LevelCounts:
    """The levels of all columns of a table, and the counts of all pairs of them."""

    levels: tuple["pd.Series[Any]", ...]
    """One row per level of each column; the last one is missing if any row is."""
    counted: Cooccurrence

    @property
    def rows(self) -> list[NDArray[np.float64]]:
        """In how many rows each level of each column is."""
        return np.split(np.diag(self.counted.matrix), self.counted.starts[1:])

    @property
    def summaries(self) -> ColumnSummaries:
        """What `siviz.columns.summarize_columns` says of all rows."""
        parts = (
            summarize_columns(levels.to_frame(), weights=rows)
            for levels, rows in zip(self.levels, self.rows, strict=True)
        )
        return ColumnSummaries(tuple(column for p in parts for column in p.columns))

    def count(self, columns: Iterable[Column]) -> Cooccurrence:
        """Counts of all pairs of the columns that were not left out."""
        kept = {c.name: c for c in columns if c.kind != "left out"}
        sizes = tuple(len(column.states) for column in kept.values())
        first = dict(zip(kept, np.cumsum((0, *sizes)), strict=False))
        member = np.zeros((sum(sizes), len(self.counted.matrix)))
        starts = self.counted.starts
        for levels, rows, start in zip(self.levels, self.rows, starts, strict=True):
            if (name := str(levels.name)) not in kept:
                continue
            frame = levels.to_frame()
            codes = encode_columns(frame, [kept[name]], weights=rows)[name]
            used = np.flatnonzero(codes >= 0)
            member[first[name] + codes[used].astype(np.intp), start + used] = 1
        return Cooccurrence(sizes, member @ self.counted.matrix @ member.T)


def count_levels(frame: pd.DataFrame) -> LevelCounts | None:
    """Count all pairs of levels, if the table is large and all its columns are few.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": list("xyxx") * 20_000, "b": list("uvuv") * 20_000})
    >>> counts = count_levels(frame.astype("category"))
    >>> counts.counted.table(0, 1)
    array([[40000., 20000.],
           [    0., 20000.]])
    """
    kinds = frame.dtypes
    if len(frame) < _FEWEST_ROWS or not all(
        isinstance(kind, pd.CategoricalDtype) for kind in kinds
    ):
        return None
    if sum(len(kind.categories) + 1 for kind in kinds) > _MOST_LEVELS:
        return None
    columns = [_with_missing(frame.iloc[:, place]) for place in range(frame.shape[1])]
    levels = tuple(levels for levels, _ in columns)
    codes = [codes for _, codes in columns]
    return LevelCounts(levels, count_pairs(codes, [len(part) for part in levels]))


def _with_missing(column: "pd.Series[Any]") -> tuple["pd.Series[Any]", NDArray[Any]]:
    """The levels and the code of each row, missing values as a last level."""
    held: Any = column.array
    codes, levels = held.codes, np.arange(len(held.categories))
    if codes.min() < 0:
        room = np.min_scalar_type(-len(levels) - 1)
        codes = np.where(codes < 0, room.type(len(levels)), codes.astype(room))
        levels = np.append(levels, -1)
    coded = held.from_codes(levels, dtype=held.dtype)
    return pd.Series(coded, name=column.name), codes
