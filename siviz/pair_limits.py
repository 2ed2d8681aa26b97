"""How many pairs are ranked at the most, told before a wide file is read."""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from math import isqrt
from pathlib import Path
from typing import Any, Final

import pandas as pd

from siviz.readers import Reading
from siviz.readers.cells import MISSING
from siviz.readers.first_looks import FirstCells, first_cells, typed_texts

MOST_PAIRS: Final = 1_000_000
"""More are refused: they would take gigabytes, and nobody reads them."""

MOST_IN_PAIRS: Final = (1 + isqrt(1 + 8 * MOST_PAIRS)) // 2
"""Columns that make no more pairs than that."""

_FIRST_ROWS: Final = 50
_MISSING: Final = frozenset(MISSING)


def refuse_too_many_pairs(columns: int) -> None:
    """Raise if so many columns make more pairs than are ranked."""
    pairs = columns * (columns - 1) // 2
    if pairs > MOST_PAIRS:
        raise ValueError(
            f"{columns:,} columns make {pairs:,} pairs, more than {MOST_PAIRS:,}; "
            f"choose a target, or leave columns out until {MOST_IN_PAIRS:,} remain"
        )


def refuse_wide_data(data: object, left_out: Collection[str | None]) -> None:
    """Raise if the first rows of a wide table show that there are too many pairs.

    Columns that may yet turn out constant or identifiers do not count: only a look at
    all rows tells, and `refuse_too_many_pairs` is asked again after it.
    """
    cells = [pair for pair in _first_cells(data) if pair[0] not in left_out]
    if sum(_varies(column) for _, column in cells) > MOST_IN_PAIRS:
        refuse_too_many_pairs(len(cells))


def _first_cells(data: object) -> FirstCells:
    if isinstance(data, str | Path):
        return first_cells(data, wider_than=MOST_IN_PAIRS)
    frame: Any = data.frame if isinstance(data, Reading) else data
    if not isinstance(frame, pd.DataFrame) or frame.shape[1] <= MOST_IN_PAIRS:
        return []
    columns = frame.head(_FIRST_ROWS).to_numpy(dtype=object).T
    names = map(str, frame.columns)
    return [(n, typed_texts(cells)) for n, cells in zip(names, columns, strict=True)]


def _varies(cells: Sequence[str]) -> bool:
    """Whether the cells differ and repeat, or are numbers that do not count rows."""
    present = [cell for cell in map(str.strip, cells) if cell not in _MISSING]
    different = len(set(present))
    return different > 1 and (different < len(present) or _is_measured(present))


def _is_measured(cells: Iterable[str]) -> bool:
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return False
    return any(after - before != 1 for before, after in pairwise(numbers))
