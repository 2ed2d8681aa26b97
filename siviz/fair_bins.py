"""How many bins: those with the largest standardized information (Sec. 7.1).

Both searches merge the bins of a fine grid (`FINE_BINS` bins of equal frequency), of
which only the table of counts is needed, so they work for data that were streamed.

A maximum over many discretizations is large even if nothing depends on anything.  So
the same search is run on random tables with the same margins: its p-value stays honest,
and where it says that there is nothing to find, the fewest bins are chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import xlogy

from siviz.columns.cut_points import equal_frequency_starts
from siviz.information import likelihood_ratio
from siviz.nulls import Centre, Null, null_moments
from siviz.standardized import standardized_information
from siviz.tables import Array, as_counts, merge_states

FormulaNull: TypeAlias = Literal["nominal", "effective", "calibrated"]

FINE_BINS: Final = 48
"""Bins of the fine grid: divisible by 2, 3, 4, 6, 8, 12, 16, 24."""

FAIR_BIN_COUNTS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 48)
"""Numbers of bins that `fair_pair_bins` tries unless told otherwise."""

SIGNIFICANCE: Final = 0.05
"""Above this p-value nothing was found, and the fewest bins are chosen."""

WARNING: Final = (
    "The bins were chosen to make the standardized information large, so it no longer "
    "has its usual scale: do not turn it into a p-value or compare it with pairs whose "
    "bins were not chosen so; use the p-value given here."
)

# Counts of segments held at once while searching random tables.
_BLOCK: Final = 4_000_000


@dataclass(frozen=True, eq=False)
class FairBins:
    """The bins of a number that tell most about a discrete target."""

    groups: tuple[tuple[int, ...], ...]
    """The fine bins that make each bin, in order."""
    bin_counts: NDArray[np.intp]
    """The numbers of bins that were compared, for a chart."""
    informations: Array
    """The standardized information of the best merging into each number of bins."""
    p_value: float
    """Share of random tables in which the same search finds as much."""
    warning: str = WARNING

    def cut_points(self, fine_cuts: Sequence[float]) -> tuple[float, ...]:
        """Of the cut points of the fine grid, those that remain."""
        fine_bins = sum(len(group) for group in self.groups)
        if len(fine_cuts) != fine_bins - 1:
            raise ValueError(
                f"fine_cuts must be the {fine_bins - 1} points between the {fine_bins} "
                f"fine bins; got {len(fine_cuts)}"
            )
        return tuple(float(fine_cuts[group[0] - 1]) for group in self.groups[1:])


def fair_bins(
    counts: ArrayLike,
    *,
    null: FormulaNull | Literal["selected"] = "selected",
    centre: Centre = "mean",
    draws: int = 200,
    rng: np.random.Generator | int | None = 0,
) -> FairBins:
    """Merge neighbouring bins so as to maximize the information about a target.

    G is a sum over the bins, so for every number of bins the merging with the largest G
    is found exactly by dynamic programming; of those, the one with the largest
    standardized information (Eq. 6) is chosen, or 2 bins if the search finds no more
    than in random tables (p-value above `SIGNIFICANCE`).

    Parameters
    ----------
    counts : array_like, shape (fine bins, target states)
        Fine bins in order.
    null : {"selected", "nominal", "calibrated", "effective"}
        What G is compared with.  ``"selected"`` is G after the same search in random
        tables: it knows that many mergings were tried.  The others compare as if the
        bins had been there from the start, which in weak dependences favours many bins.
        With ``"nominal"`` the result is the exact maximum over all mergings.
    centre : {"mean", "fisher"}
    draws, rng
        Number of random tables with the same margins, and their generator or seed.

    Examples
    --------
    >>> fair = fair_bins([[30, 10], [28, 12], [10, 30], [11, 29]])
    >>> fair.groups
    ((0, 1), (2, 3))
    >>> fair.cut_points([1.5, 2.5, 3.5])
    (2.5,)
    """
    _check_null(null, ("selected", *get_args(FormulaNull)))
    table = as_counts(counts, batch=False)
    cells = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(cells.shape) < 2:
        return FairBins((tuple(range(len(table))),), np.arange(0), np.array([]), 1.0)
    best_g, firsts = _best_mergings(cells)
    random_g = _random_search(cells, draws, rng)
    selected = Null(random_g.mean(axis=0), random_g.var(axis=0, ddof=1))
    if null == "selected":
        informations = selected.standardize(best_g, centre=centre)
    else:
        informations = _merged_informations(cells, firsts, null, centre)
    p_value = _selected_p_value(selected.standardize(best_g), selected, random_g)
    chosen = int(np.argmax(informations)) if p_value <= SIGNIFICANCE else 0
    bin_counts = np.arange(2, len(cells) + 1)
    starts = np.flatnonzero(table.sum(axis=1) > 0)[firsts[chosen]]
    return FairBins(_groups(starts, len(table)), bin_counts, informations, p_value)


@dataclass(frozen=True, eq=False)
class FairPairBins:
    """The numbers of equal-frequency bins of two numbers that show most dependence."""

    row_bins: int
    column_bins: int
    row_counts: tuple[int, ...]
    """The numbers of bins tried for the rows."""
    column_counts: tuple[int, ...]
    """The numbers of bins tried for the columns."""
    informations: Array
    """Standardized information, shape (row counts, column counts), for a chart."""
    p_value: float
    """Share of random tables in which the same search finds as much."""
    warning: str = WARNING


def fair_pair_bins(
    counts: ArrayLike,
    *,
    bin_counts: Sequence[int] = FAIR_BIN_COUNTS,
    null: FormulaNull = "calibrated",
    centre: Centre = "fisher",
    draws: int = 200,
    rng: np.random.Generator | int | None = 0,
) -> FairPairBins:
    """Search the numbers of equal-frequency bins of two numbers for the largest SI.

    Parameters
    ----------
    counts : array_like, shape (fine bins of one, fine bins of the other)
    bin_counts : sequence of int
        Numbers to try.  Those that the fine grid cannot reach (it has fewer bins, or
        very unequal ones) are left out of the result.
    null : {"calibrated", "nominal", "effective"}
    centre : {"fisher", "mean"}
        As in `siviz.standardized_information`.
    draws, rng
        Number of random tables with the same margins, and their generator or seed.

    Examples
    --------
    >>> fair = fair_pair_bins(np.kron([[40, 10], [10, 40]], np.ones((3, 3))))
    >>> fair.row_bins, fair.column_bins
    (2, 2)
    """
    _check_null(null, get_args(FormulaNull))
    table = as_counts(counts, batch=False)
    row_starts = _reachable(table.sum(axis=1), bin_counts)
    column_starts = _reachable(table.sum(axis=0), bin_counts)
    if not row_starts or not column_starts:
        return FairPairBins(1, 1, (1,), (1,), np.zeros((1, 1)), 1.0)
    tables = np.concatenate([table[None], _random_tables(table, draws, rng)])
    searched = np.empty((draws + 1, len(row_starts), len(column_starts)))
    for i, rows in enumerate(row_starts.values()):
        partly = np.add.reduceat(tables, [0, *rows], axis=1)
        for j, columns in enumerate(column_starts.values()):
            merged = np.add.reduceat(partly, [0, *columns], axis=2)
            # All these tables have the same margins, hence the same null.
            fixed, g = null_moments(merged[0], kind=null), likelihood_ratio(merged)
            searched[:, i, j] = fixed.standardize(g, centre=centre)
    largest = searched.max(axis=(1, 2))
    p_value = float((largest >= largest[0]).mean())
    best = int(np.argmax(searched[0])) if p_value <= SIGNIFICANCE else 0
    tried = tuple(row_starts), tuple(column_starts)
    row, column = divmod(best, len(column_starts))
    chosen = tried[0][row], tried[1][column]
    return FairPairBins(*chosen, *tried, searched[0], p_value)


def _check_null(null: str, allowed: tuple[str, ...]) -> None:
    if null not in allowed:
        raise ValueError(f"null must be one of {', '.join(allowed)}; got {null!r}")


def _best_mergings(cells: Array) -> tuple[Array, list[NDArray[np.intp]]]:
    """For 2, 3, ... bins the largest G, and the first fine bin of each bin."""
    size = len(cells)
    best, came_from = _search(_segment_scores(cells[None]))
    firsts = []
    for bins in range(2, size + 1):
        starts, end = [], size
        for step in range(bins, 1, -1):
            end = int(came_from[step - 2][0, end])
            starts.append(end)
        firsts.append(np.array([0, *starts[::-1]]))
    return best[0] + _constant(cells), firsts


def _segment_scores(cells: Array) -> Array:
    """What merging the fine bins i to j - 1 adds to G, shape (batch, i, j)."""
    batch, size, states = cells.shape
    reached = np.zeros((batch, size + 1, states))
    np.cumsum(cells, axis=1, out=reached[:, 1:])
    segment = np.maximum(reached[:, None] - reached[:, :, None], 0)
    total = segment.sum(axis=-1)
    score = 2 * (xlogy(segment, segment).sum(axis=-1) - xlogy(total, total))
    impossible = np.tri(size + 1, dtype=bool)
    return np.where(impossible, -np.inf, score)


def _search(score: Array) -> tuple[Array, list[NDArray[np.intp]]]:
    """Dynamic programming: the largest sum of scores of 2, 3, ... segments."""
    size = score.shape[-1] - 1
    reached = score[:, 0]
    best, came_from = [], []
    for _ in range(2, size + 1):
        longer = reached[:, :, None] + score
        came_from.append(longer.argmax(axis=1))
        reached = longer.max(axis=1)
        best.append(reached[:, -1])
    return np.stack(best, axis=-1), came_from


def _constant(cells: Array) -> float:
    """The part of G that no merging of the rows changes."""
    columns = cells.sum(axis=0)
    return float(2 * (xlogy(cells.sum(), cells.sum()) - xlogy(columns, columns).sum()))


def _random_tables(
    table: Array, draws: int, rng: np.random.Generator | int | None
) -> Array:
    if draws < 2:
        raise ValueError(f"draws must be at least 2; got {draws}")
    margins = table.sum(axis=1).astype(int), table.sum(axis=0).astype(int)
    random = stats.random_table(*margins)
    return random.rvs(draws, random_state=np.random.default_rng(rng)).astype(float)


def _random_search(
    cells: Array, draws: int, rng: np.random.Generator | int | None
) -> Array:
    """The largest G of 2, 3, ... bins in random tables, shape (draws, numbers)."""
    tables = _random_tables(cells, draws, rng)
    step = max(_BLOCK // (cells.size * len(cells)), 1)
    blocks = (tables[start : start + step] for start in range(0, draws, step))
    best = [_search(_segment_scores(block))[0] for block in blocks]
    return np.concatenate(best) + _constant(cells)


def _merged_informations(
    cells: Array, firsts: list[NDArray[np.intp]], null: FormulaNull, centre: Centre
) -> Array:
    merged = [merge_states(cells, _groups(f, len(cells)), axis=-2) for f in firsts]
    return np.array(
        [standardized_information(table, null=null, centre=centre) for table in merged]
    )


def _selected_p_value(observed: Array, selected: Null, random_g: Array) -> float:
    """Share of the tables, the observed one included, with as large a maximum."""
    largest = selected.standardize(random_g).max(axis=-1)
    return float((1 + np.sum(largest >= observed.max())) / (1 + len(largest)))


def _groups(starts: NDArray[np.intp], size: int) -> tuple[tuple[int, ...], ...]:
    """Runs of fine bins; empty fine bins belong to the run they follow."""
    edges = [0, *(int(start) for start in starts[1:]), size]
    return tuple(tuple(range(a, b)) for a, b in pairwise(edges))


def _reachable(totals: Array, bin_counts: Sequence[int]) -> dict[int, NDArray[np.intp]]:
    """Starts of the groups for each number of bins that the fine grid can make."""
    starts = {bins: equal_frequency_starts(totals, bins) for bins in sorted(bin_counts)}
    return {bins: s for bins, s in starts.items() if s.size == bins - 1}
