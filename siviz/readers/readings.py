"""What reading gives: a table, or a large file part by part, with notes on it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from siviz.readers.sources import ReadingError


@dataclass(frozen=True)
class Reading:
    """A table that was read, and one sentence for everything found or changed."""

    frame: pd.DataFrame
    notes: tuple[str, ...]
    name: str


class Part(NamedTuple):
    """A part of a file, how much of the file is read, and what is known by now."""

    frame: pd.DataFrame
    fraction_read: float
    notes: tuple[str, ...]


@dataclass
class ChunkedReading:
    """A large file, read a part at a time; every loop over it opens it again.

    Attributes
    ----------
    name, notes, columns
        As in `Reading`; the columns are the same, of the same kinds, in every part.
        Categories are those that occur in the part.  From the last part of a loop on,
        the notes also tell how many cells are missing and rows were dropped.
    fraction_read : float
        How much of the file the current loop has read, from 0 to 1.
    """

    name: str
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    _parts: Callable[[], Iterator[Part]]
    fraction_read: float = 0.0

    def __iter__(self) -> Iterator[pd.DataFrame]:
        self.fraction_read = 0.0
        for part in self._parts():
            self.fraction_read, self.notes = part.fraction_read, part.notes
            yield part.frame
        self.fraction_read = 1.0


def refuse_without_rows(rows: int, name: str) -> None:
    """Raise for a table that has only a header."""
    if not rows:
        raise ReadingError(
            f"{name} has names of columns but no rows; add at least one row"
        )


def refuse_without_values(filled: bool, name: str) -> None:
    """Raise for a table with rows but without any value."""
    if not filled:
        raise ReadingError(
            f"{name} has no values: every cell below the names of the columns is empty "
            "or marked missing; fill the cells or choose another file"
        )
