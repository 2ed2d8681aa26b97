"""One pair of columns, counted from the data: whatever a ranking counted before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from siviz.columns import Column, encode_columns
from siviz.ranking import Ranking
from siviz.stability import pair_generator, resample_scores
from siviz.tables import Array, Table

MOST_CELLS: Final = 5_000_000
"""Cells of the largest table, with all its strata, that is counted."""


@dataclass(frozen=True, eq=False)
class SinglePair:
    """Counts of two columns, in each state of a third if there is one.

    Examples
    --------
    >>> from siviz.columns import decide_columns, summarize_columns
    >>> frame = pd.DataFrame({"a": ["x", "y", "x", None], "b": list("uvvu")})
    >>> pair = count_pair(frame, decide_columns(summarize_columns(frame)))
    >>> pair.names, pair.counts.tolist()
    (('a', 'b'), [[1.0, 1.0], [0.0, 1.0]])
    """

    first: Column
    second: Column
    cells: Array
    """Shape (strata, states of the first, states of the second)."""
    given: Column | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Names of the two columns."""
        return self.first.name, self.second.name

    @property
    def table(self) -> Table:
        """The table for measures: conditional if there is a third column."""
        return Table.from_cells(self.cells)

    @property
    def counts(self) -> Array:
        """The table of all rows, strata added up."""
        return self.cells.sum(axis=0)

    @property
    def sample_size(self) -> float:
        """Observations that have all values."""
        return float(self.cells.sum())

    @property
    def together(self) -> "SinglePair":
        """The same rows without regard to the third column."""
        return SinglePair(self.first, self.second, self.counts[None])

    def shown(self, most: int) -> "SinglePair":
        """The pair with at most so many states a side, for a picture.

        States that never occur are left out.  If there are too many, the most frequent
        stay and the rest become one state, which comes last.
        """
        counts = self.counts
        first, rows = _merged(self.first, counts.sum(axis=1), most)
        second, columns = _merged(self.second, counts.sum(axis=0), most)
        cells = rows @ self.cells @ columns.T
        return replace(self, first=first, second=second, cells=cells)


def count_pair(
    frame: pd.DataFrame, columns: Sequence[Column], *, weights: ArrayLike | None = None
) -> SinglePair:
    """Count the rows of a frame that have a value in two columns, or in three.

    Parameters
    ----------
    frame : DataFrame
    columns : sequence of Column
        What the two columns become, and the one to condition on if there is a third.
    weights : array_like, shape (rows,), optional
        How many observations each row stands for.
    """
    first, second, *given = columns
    shape = [len(column.states) for column in (*given, first, second)]
    if prod(shape) > MOST_CELLS:
        states = " × ".join(f"{size:,}" for size in shape)
        raise ValueError(
            f"the table would have {states} cells, more than {MOST_CELLS:,}: merge "
            "rare states, or choose a column with fewer"
        )
    codes = encode_columns(frame, [*given, first, second], weights=weights).arrays
    whole = np.all([code >= 0 for code in codes], axis=0)
    place = np.ravel_multi_index([c[whole].astype(np.intp) for c in codes], shape)
    weight = None if weights is None else np.asarray(weights, dtype=float)[whole]
    cells = np.bincount(place, weight, minlength=prod(shape)).astype(float)
    if not given:
        shape = [1, *shape]
    return SinglePair(first, second, cells.reshape(shape), *given)


def score_interval(
    pair: SinglePair,
    ranking: Ranking,
    *,
    draws: int = 400,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """The interval of a pair's score, as `Ranking.stability` has it with this seed."""
    a, b = (ranking.prepared.position(name) for name in pair.names)
    # Draws go to cells in their order, so the table must lie as it does in the ranking.
    turned = a > b if ranking.target is None else pair.first.name == ranking.target
    cells = pair.cells.swapaxes(-1, -2).copy() if turned else pair.cells
    scores = resample_scores(
        Table.from_cells(cells),
        draws=draws,
        null=ranking.null,
        centre=ranking.centre,
        rng=pair_generator(rng)(a, b),
    )
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _merged(column: Column, totals: Array, most: int) -> tuple[Column, Array]:
    """The column with few states, and which of the old ones make each of them."""
    occurring = np.flatnonzero(totals)
    kept = occurring
    if occurring.size > most:
        frequent = np.argsort(-totals, kind="stable")[: most - 1]
        kept = np.sort(frequent)
    labels = [column.states[i] for i in kept]
    members = np.zeros((kept.size, totals.size), dtype=float)
    members[np.arange(kept.size), kept] = 1
    rest = occurring.size - kept.size
    if rest:
        labels.append(f"({rest:,} other states)")
        others = np.isin(np.arange(totals.size), kept, invert=True).astype(float)
        members = np.vstack([members, others])
    return replace(column, states=tuple(labels)), members
