"""How the dependence of a pair changes with the number of bins (Sec. 7.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from siviz.columns import Column, ColumnChoice, decide_columns, summarize_columns
from siviz.fair_bins import (
    FINE_BINS,
    FairBins,
    FairPairBins,
    fair_bins,
    fair_pair_bins,
)
from siviz.measures import MEASURES
from siviz.single_pair import SinglePair, count_pair
from siviz.tables import Array

BIN_COUNTS: Final = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24)
"""Numbers of bins of a single number."""

PAIR_BIN_COUNTS: Final = (2, 3, 4, 5, 6, 8, 10, 12, 16)
"""Numbers of bins of each of two numbers."""

_DRAWS: Final = 100


@dataclass(frozen=True, eq=False)
class OneNumberBins:
    """Standardized information of a number, cut in many ways, and a discrete column."""

    number: str
    """Name of the number."""
    bins: tuple[int, ...]
    """Numbers of bins of equal frequency that its values allow."""
    informations: Array
    """Calibrated standardized information with each."""
    fair: FairBins
    """The best mergings of a fine grid, compared with the same search in noise."""


class _Cutter:
    """Counts a pair with its numbers cut in many ways; their values are read once."""

    def __init__(
        self,
        frame: pd.DataFrame,
        columns: Sequence[Column],
        weights: ArrayLike | None,
    ) -> None:
        self.frame = frame
        self.columns, self.weights = columns, weights
        self.summaries = {
            column.name: summarize_columns(frame[[column.name]], weights=weights)
            for column in columns
            if column.kind == "bins"
        }

    def count(self, bins: int) -> SinglePair:
        """The pair with its numbers cut into so many bins of equal frequency.

        Rows without a value are left out.
        """
        choice = ColumnChoice(kind="bins", bins=bins, method="frequency")
        cut = {
            name: decide_columns(summary, overrides={name: choice})[0]
            for name, summary in self.summaries.items()
        }
        columns = [cut.get(column.name, column) for column in self.columns]
        return count_pair(self.frame, columns, weights=self.weights)


def one_number_bins(
    frame: pd.DataFrame, columns: Sequence[Column], *, weights: ArrayLike | None = None
) -> OneNumberBins:
    """Try numbers of bins of the one column of a pair that holds numbers.

    Parameters
    ----------
    frame : DataFrame
    columns : sequence of Column
        What the two columns became: one of them bins.
    weights : array_like, shape (rows,), optional
        How many observations each row stands for.
    """
    cutter = _Cutter(frame, columns, weights)
    (number,) = cutter.summaries
    tried = dict(_equal_bins(cutter, number))
    # Rare states of the other column are merged, for the search takes long.
    grid = cutter.count(FINE_BINS).shown(FINE_BINS)
    table = grid.counts if grid.first.name == number else grid.counts.T
    fair = fair_bins(table, draws=_DRAWS)
    return OneNumberBins(number, tuple(tried), np.array(list(tried.values())), fair)


def two_numbers_bins(
    frame: pd.DataFrame, columns: Sequence[Column], *, weights: ArrayLike | None = None
) -> FairPairBins:
    """Try numbers of bins of both columns of a pair that hold numbers.

    Parameters as in `one_number_bins`; both columns became bins.
    """
    grid = _Cutter(frame, columns, weights).count(FINE_BINS)
    return fair_pair_bins(grid.counts, bin_counts=PAIR_BIN_COUNTS, draws=_DRAWS)


def _equal_bins(cutter: _Cutter, number: str) -> Iterator[tuple[int, float]]:
    """Numbers of bins that the values allow, and the information with each."""
    for bins in BIN_COUNTS:
        pair = cutter.count(bins)
        cut = pair.first if pair.first.name == number else pair.second
        if len(cut.states) == bins and pair.sample_size:
            yield bins, float(MEASURES["si_calibrated"](pair.table))
