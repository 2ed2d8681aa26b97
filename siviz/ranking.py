"""Rank all pairs of columns by how strongly they depend on each other, fairly."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
import pandas as pd

from siviz.columns import Column, report_columns
from siviz.columns.choices import Missing
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.disagreement import Disagreements, find_disagreements
from siviz.measures import MEASURES, find_measure
from siviz.nulls import Centre, NullKind
from siviz.preparation import (
    Bins,
    Data,
    Decisions,
    Overrides,
    Prepared,
    Progress,
    prepare,
)
from siviz.ranking_frame import centre_of, pairs_frame
from siviz.stability import pair_generator, resample_scores, stability_frame
from siviz.tables import Array, Table


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
        return centre_of(self.null)


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
    random = np.random.default_rng(rng)
    frame = pairs_frame(prepared, target, keys, null, rng=random, progress=progress)
    return Ranking(frame, prepared, keys, null, target, given)


def _check_choices(measures: Sequence[str] | None, null: NullKind) -> tuple[str, ...]:
    """The keys of the measures, each once, after a look at both choices."""
    if null not in get_args(NullKind):
        kinds = ", ".join(get_args(NullKind))
        raise ValueError(f"null must be one of {kinds}; got {null!r}")
    if isinstance(measures, str):
        raise ValueError(f"measures must be a list of keys; got the text {measures!r}")
    return tuple(dict.fromkeys(find_measure(key).key for key in measures or MEASURES))
