"""Rank all pairs of columns by how strongly they depend on each other, fairly."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.columns import Column, report_columns
from siviz.columns.choices import Missing
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.disagreement import Disagreements, find_disagreements
from siviz.discoveries import log_q_values
from siviz.measures import MEASURES, evaluate, find_measure
from siviz.nulls import Centre, NullKind, null_moments, takes_few_values
from siviz.preparation import (
    Bins,
    Data,
    Decisions,
    Overrides,
    Prepared,
    Progress,
    prepare,
)
from siviz.significance import log_p_value
from siviz.stability import pair_generator, resample_scores, stability_frame
from siviz.standardized import standardized_information
from siviz.tables import Array, Table

# Cells evaluated at once: enough to share the work, little enough for the memory.
_BATCH: Final = 1_000_000
# Relative difference below which two values of a measure are the same.
_ROUNDING: Final = 1e-11

FACTS: Final = (
    "rank",
    "first",
    "second",
    "score",
    "log10_q",
    "rows",
    "states_first",
    "states_second",
    "dof",
    "empty_cells",
    "null_mean",
    "null_deviation",
    "note",
)
"""Columns of a ranking's frame before those of the measures; see `Ranking`."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Pairs of columns in the order of their dependence.

    Attributes
    ----------
    frame : DataFrame
        One row a pair, strongest first:

        - ``rank``, ``first``, ``second``: place and names of the two columns;
        - ``score``: standardized information with the chosen null, by which pairs are
          ranked (Fisher's centre with the calibrated null, Eq. 6 otherwise);
        - ``log10_q``: log10 of the false-discovery rate (Benjamini-Hochberg) at which
          the pair is called dependent, from the p-value of the chosen null;
        - ``rows``: observations with both values; ``states_first``, ``states_second``:
          states that occur in them; ``dof``: degrees of freedom; ``empty_cells``: share
          of the cells that never occur;
        - ``null_mean``, ``null_deviation``: what independence predicts for G;
        - ``note``: why a number should be taken with care, or empty;
        - one column for every measure of the catalogue, by its key, and its rank as
          ``rank_<key>``.
    columns : tuple of Column
        What became of each column of the data.
    notes : tuple of str
        A sentence for everything that was found or done to the data.
    """

    frame: pd.DataFrame
    prepared: Prepared
    measures: tuple[str, ...]
    null: NullKind
    target: str | None = None
    given: str | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """What became of each column of the data."""
        return self.prepared.columns

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for everything that was found or done to the data."""
        return self.prepared.notes

    def head(self, top: int | None) -> "Ranking":
        """The ranking of the strongest pairs only; all of them for None."""
        return self if top is None else replace(self, frame=self.frame.head(top))

    def column_report(self) -> pd.DataFrame:
        """What became of each column, for a reader."""
        return report_columns(self.columns)

    def table(self, first: str, second: str) -> pd.DataFrame:
        """Counts of one pair with the labels of its states, all strata together."""
        a, b = (self.prepared.position(name) for name in (first, second))
        if self.target is not None and self.target not in (first, second):
            raise ValueError(
                f"only pairs with the target {self.target!r} were counted; got "
                f"{first!r} and {second!r}"
            )
        if first == self.target:
            return self.table(second, first).T
        counts = sum(counted.table(a, b) for counted in self.prepared.counted)
        labels = (self.prepared.kept[i].states for i in (a, b))
        rows, columns = (pd.Index(label) for label in labels)
        frame = pd.DataFrame(counts, index=rows, columns=columns).astype(np.int64)
        return frame.rename_axis(index=first, columns=second)

    def tables(self, places: Sequence[int]) -> Iterator[Table]:
        """The table, with its strata, behind each of these rows of the frame."""
        for _, row in self.frame.iloc[list(places)].iterrows():
            a, b = (self.prepared.position(row[key]) for key in ("first", "second"))
            cells = np.stack([part.table(a, b) for part in self.prepared.counted])
            yield Table.from_cells(cells)

    def resampled_scores(
        self,
        *,
        top: int = 50,
        draws: int = 400,
        rng: np.random.Generator | int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Array:
        """Scores of resampled tables of the strongest pairs, shape (pairs, draws).

        Each pair's table is resampled by itself; see `siviz.stability`.

        Parameters
        ----------
        top : int
            Number of pairs, from the strongest on.
        draws : int
            Resampled tables of each pair.
        rng : Generator, int or None
        progress : callable, optional
            Called with the share done after each pair; may raise to stop.
        """
        if draws < 2 or top < 1:
            raise ValueError(f"draws must be at least 2, top 1; got {draws} and {top}")
        generator = pair_generator(rng)
        known = self.frame[self.frame["score"].notna()].head(top)
        pairs = known[["first", "second"]].map(self.prepared.position).to_numpy()
        scores = np.empty((len(known), draws))
        for place, table in enumerate(self.tables(range(len(known)))):
            scores[place] = resample_scores(
                table,
                draws=draws,
                null=self.null,
                centre=self.centre,
                rng=generator(*pairs[place].tolist()),
            )
            if progress:
                progress((place + 1) / len(known))
        return scores

    def stability(
        self,
        *,
        top: int = 50,
        draws: int = 400,
        level: float = 0.95,
        rng: np.random.Generator | int | None = None,
    ) -> pd.DataFrame:
        """Intervals of scores and ranks of the strongest pairs, from resampled tables.

        Each pair's table is resampled by itself.  The noise that two pairs share when
        they share a column is not seen, so which of them are tied is approximate.

        Parameters
        ----------
        top, draws, rng
            As in `resampled_scores`.
        level : float
            Coverage of the intervals.

        Returns
        -------
        DataFrame
            ``rank``, ``first``, ``second`` and the columns of
            `siviz.stability.stability_frame`.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1; got {level}")
        scores = self.resampled_scores(top=top, draws=draws, rng=rng)
        return self.stability_of(scores, level=level)

    def stability_of(self, scores: Array, *, level: float) -> pd.DataFrame:
        """The same as `stability`, from `resampled_scores`."""
        known = self.frame[self.frame["score"].notna()].head(len(scores))
        result = stability_frame(known["score"].to_numpy(), scores, level=level)
        for place, name in enumerate(("rank", "first", "second")):
            result.insert(place, name, known[name].to_numpy())
        return result

    def disagreements(self, *, most: int = 3) -> Disagreements:
        """Where the measures order pairs differently, and why.

        Parameters
        ----------
        most : int
            Inversions to name for each measure.
        """
        return find_disagreements(self.frame, self.measures, most=most)

    @property
    def centre(self) -> Centre:
        """Where standardized information has its zero: see `rank_pairs`."""
        return _centre(self.null)


def rank_pairs(
    data: Data,
    *,
    target: str | None = None,
    given: str | None = None,
    weights: str | None = None,
    null: NullKind = "calibrated",
    measures: Sequence[str] | None = None,
    bins: Bins = "frequency",
    bin_count: int = DEFAULT_BINS,
    missing: Missing = "pairwise",
    rare: int | None = None,
    overrides: Overrides | None = None,
    progress: Progress | None = None,
    rng: np.random.Generator | int | None = None,
) -> Ranking:
    """Rank the pairs of columns of a data set by their dependence.

    Parameters
    ----------
    data : DataFrame, path of a file, or what `siviz.readers` returns
        A file larger than `siviz.preparation.STREAMED_BYTES` is read in chunks.
    target : str, optional
        Rank only the pairs with this column.
    given : str, optional
        Rank by conditional information given this column (Sec. 5.5).
    weights : str, optional
        Column that says how many observations each row stands for.
    null : {"calibrated", "nominal", "effective", "permutation"}
        What G is compared with; see `siviz.null_moments`.
    measures : sequence of str, optional
        Keys of the measures to compute; all by default.
    bins, bin_count, missing, rare, overrides
        How columns become states; see `siviz.columns.decide_columns`.  ``bins="fair"``
        merges fine bins of each number so as to tell most about the target, which the
        scores of these pairs then exaggerate: a note says so.
    progress : callable, optional
        Called with the fraction done and what is being done; may raise to stop.
    rng : Generator, int or None
        For the permutation null.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": list("xxyy") * 5, "b": list("uuvv") * 5,
    ...                       "c": list("stst") * 5})
    >>> rank_pairs(frame).frame[["first", "second"]].iloc[0].tolist()
    ['a', 'b']
    """
    keys = _check_choices(measures, null)
    prepared = prepare(
        data,
        target=target,
        given=given,
        weights=weights,
        decisions=Decisions(bins, bin_count, missing, rare, overrides),
        progress=progress,
    )
    first, second = _pairs(len(prepared.kept), prepared, target)
    random = np.random.default_rng(rng)
    values = _evaluate_pairs(prepared, first, second, keys, null, random, progress)
    frame = _frame(prepared, first, second, values, keys)
    return Ranking(frame, prepared, keys, null, target, given)


def _check_choices(measures: Sequence[str] | None, null: NullKind) -> tuple[str, ...]:
    """The keys of the measures, each once, after a look at both choices."""
    if null not in get_args(NullKind):
        kinds = ", ".join(get_args(NullKind))
        raise ValueError(f"null must be one of {kinds}; got {null!r}")
    if isinstance(measures, str):
        raise ValueError(f"measures must be a list of keys; got the text {measures!r}")
    return tuple(dict.fromkeys(find_measure(key).key for key in measures or MEASURES))


def _pairs(
    columns: int, prepared: Prepared, target: str | None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Positions of the columns of each pair; the target is always second."""
    if target is None:
        return np.triu_indices(columns, 1)
    goal = prepared.position(target)
    others = np.delete(np.arange(columns), goal)
    return others, np.full_like(others, goal)


def _evaluate_pairs(
    prepared: Prepared,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    keys: tuple[str, ...],
    null: NullKind,
    random: np.random.Generator,
    progress: Progress | None,
) -> dict[str, Array]:
    """Facts and measures of every pair; nan where no row has both values."""
    facts = [name for name in FACTS if name not in ("rank", "first", "second", "note")]
    names = [*facts, "log_p", *keys]
    values = {name: np.full(first.size, np.nan) for name in names}
    values["rows"][:] = 0
    done = 0
    for block, shape in _batches(prepared, first, second):
        cells = np.stack(
            [c.tables(first[block], second[block], shape) for c in prepared.counted],
            axis=1,
        )
        full = cells.any(axis=(1, 2, 3))
        if full.any():
            table = Table.from_cells(cells[full])
            computed = _evaluate_batch(table, keys, null, random)
            for name, value in computed.items():
                values[name][block[full]] = value
        done += block.size
        if progress:
            progress(0.7 + 0.3 * done / first.size, "comparing with independence")
    return values


def _batches(
    prepared: Prepared, first: NDArray[np.intp], second: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], tuple[int, int]]]:
    """Pairs whose tables, padded a little, have the same shape; a batch at a time."""
    padded = np.array([_padded_size(len(c.states)) for c in prepared.kept])
    rows, columns = padded[first], padded[second]
    key = rows * (padded.max() + 1) + columns
    order = np.argsort(key, kind="stable")
    edges = np.flatnonzero(np.diff(key[order])) + 1
    for group in np.split(order, edges):
        shape = (int(rows[group[0]]), int(columns[group[0]]))
        step = max(_BATCH // (shape[0] * shape[1] * len(prepared.counted)), 1)
        for begin in range(0, group.size, step):
            yield group[begin : begin + step], shape


def _padded_size(states: int) -> int:
    """Number of states rounded up by at most a quarter, so that few shapes remain."""
    grain = 1 << max(states.bit_length() - 3, 0)
    return -(-states // grain) * grain


def _centre(null: NullKind) -> Centre:
    """Fisher's centre with the calibrated null, the paper's Eq. 6 otherwise."""
    return "fisher" if null == "calibrated" else "mean"


def _evaluate_batch(
    table: Table, keys: tuple[str, ...], null: NullKind, random: np.random.Generator
) -> dict[str, Array]:
    moments = null_moments(table, kind=null, rng=random)
    possible = table.row_states * table.column_states
    strata = np.count_nonzero(table.stratum_sizes, axis=-1)
    return {
        "score": standardized_information(table, null=moments, centre=_centre(null)),
        "log_p": log_p_value(table, null=moments),
        "rows": table.sample_size,
        "states_first": table.row_states,
        "states_second": table.column_states,
        "dof": table.dof,
        "empty_cells": 1 - table.occupied_cells / (possible * strata),
        "null_mean": moments.mean,
        "null_deviation": moments.deviation,
        **evaluate(table, keys),
    }


def _frame(
    prepared: Prepared,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    values: dict[str, Array],
    keys: tuple[str, ...],
) -> pd.DataFrame:
    values["log10_q"] = log_q_values(values.pop("log_p")) / np.log(10)
    names = np.array([column.name for column in prepared.kept], dtype=object)
    order = np.argsort(-values["score"], kind="stable")
    columns: dict[str, Any] = {name: values[name][order] for name in values}
    columns |= {"first": names[first[order]], "second": names[second[order]]}
    fitted = np.isin(columns["first"].astype(str), list(prepared.fitted))
    columns |= {"rank": _ranks(columns["score"]), "note": _notes(columns, fitted)}
    for key in keys:
        columns[f"rank_{key}"] = _ranks(find_measure(key).strength(columns[key]))
    for whole in ("rows", "states_first", "states_second", "dof"):
        columns[whole] = np.nan_to_num(columns[whole]).astype(np.int64)
    ranks = [f"rank_{key}" for key in keys]
    return pd.DataFrame({name: columns[name] for name in (*FACTS, *keys, *ranks)})


def _ranks(strength: Array) -> "pd.arrays.IntegerArray":
    """1 for the strongest; ties share the best of their places; nan has none.

    Values that differ by rounding only, as those of a table and its transpose, tie.
    """
    order = np.argsort(-strength, kind="stable")
    falling = strength[order]
    new = np.ones(strength.shape, dtype=bool)
    new[1:] = falling[:-1] - falling[1:] > _ROUNDING * np.abs(falling[:-1])
    ranks = np.empty(strength.shape, dtype=np.int64)
    ranks[order] = np.maximum.accumulate(np.where(new, np.arange(new.size) + 1, 0))
    return pd.arrays.IntegerArray(ranks, np.isnan(strength))


def _notes(columns: Mapping[str, Any], fitted: NDArray[np.bool_]) -> NDArray[Any]:
    """What a reader must know of single pairs."""
    notes = np.full(columns["rows"].size, "", dtype=object)
    deviation, dof = columns["null_deviation"], columns["dof"]
    rules: tuple[tuple[Callable[[], NDArray[np.bool_]], str], ...] = (
        (lambda: columns["rows"] == 0, "no row has both values"),
        (lambda: dof == 0, "only one state is left"),
        (lambda: deviation == 0, "the margins leave no freedom"),
        (
            lambda: takes_few_values(deviation, dof),
            "so sparse that G takes few values",
        ),
        (lambda: fitted, "bins were chosen for this target: the score is optimistic"),
    )
    for rule, text in rules:
        notes[rule() & (notes == "")] = text
    return notes
