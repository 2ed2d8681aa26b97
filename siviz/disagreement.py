"""Where measures order the same pairs differently, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from siviz.measures import MEASURES, find_measure
from siviz.tables import Array

MOST_COMPARED: Final = 5_000
"""Pairs that Kendall's tau is computed from; of more, evenly spaced ones are taken."""
_DEPTH: Final = 150  # pairs among which inversions are looked for
_BY_NOMINAL_NULL: Final = {"si", "mi_bc", "z_score", "p_value", "log10_p", "aic", "bic"}
_ALIKE_IN_ANY_SAMPLE: Final = {
    "mi",
    "mi_bc",
    "nmi",
    "ami",
    "cramers_v",
    "cramers_v_corrected",
    "theils_u_columns",
    "theils_u_rows",
    "conditional_entropy",
}
_CLOSE: Final = 2.0  # standard deviations of the difference of two scores by chance


@dataclass(frozen=True, eq=False)
class Disagreements:
    """How far measures agree on the order of pairs.

    Attributes
    ----------
    tau : DataFrame
        Kendall's tau-b between every two measures: 1 for the same order.
    inversions : DataFrame
        Pairs of pairs that a measure orders against the score: ``measure``, the names
        of the pair that the score puts first (``first``, ``second``) with its
        ``rank`` and ``measure_rank``, the same of the pair that the measure puts first
        (``other_first``, ``other_second``, ``other_rank``, ``other_measure_rank``),
        ``cause`` (underflow, sample size, empty cells, cardinality, noise or, if it is
        none of these, frequencies) and ``reason``, a sentence.
    compared : int
        Number of pairs that ``tau`` was computed from.
    """

    tau: pd.DataFrame
    inversions: pd.DataFrame
    compared: int


def find_disagreements(
    frame: pd.DataFrame, keys: Sequence[str], *, most: int
) -> Disagreements:
    """Compare the measures of a ranking's frame; see `Disagreements`.

    Parameters
    ----------
    frame : DataFrame
        As in `siviz.ranking.Ranking`.
    keys : sequence of str
        Measures to compare.
    most : int
        Inversions to name for each measure; 0 if only the agreement matters.
    """
    known = frame[frame["score"].notna()].reset_index(drop=True)
    spaced = np.linspace(0, len(known) - 1, min(len(known), MOST_COMPARED))
    compared = known.iloc[np.unique(spaced.round().astype(int))]
    inversions = [row for key in keys if most for row in _inversions(known, key, most)]
    return Disagreements(
        _kendall(compared, keys),
        pd.DataFrame(inversions, columns=_COLUMNS),
        len(compared),
    )


_COLUMNS: Final = (
    "measure",
    "first",
    "second",
    "rank",
    "measure_rank",
    "other_first",
    "other_second",
    "other_rank",
    "other_measure_rank",
    "cause",
    "reason",
)


def _kendall(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    strength = {key: find_measure(key).strength(frame[key].to_numpy()) for key in keys}
    tau = pd.DataFrame(np.eye(len(keys)), index=list(keys), columns=list(keys))
    for i, one in enumerate(keys):
        for other in keys[:i]:
            value = _tau(strength[one], strength[other])
            tau.loc[one, other] = tau.loc[other, one] = value
    return tau


def _tau(one: Array, other: Array) -> float:
    """Nan if a measure is the same for all pairs."""
    if one.size == 0 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return np.nan
    return float(kendalltau(one, other).statistic)


def _inversions(frame: pd.DataFrame, key: str, most: int) -> list[tuple[Any, ...]]:
    """The clearest inversions: far apart by the score and by the measure."""
    rank_key = f"rank_{key}"
    top = frame.nsmallest(_DEPTH, "rank").index.union(
        frame.nsmallest(_DEPTH, rank_key).index
    )
    part = frame.loc[top].sort_values("rank").reset_index(drop=True)
    rank, by_measure = (part[name].to_numpy(float) for name in ("rank", rank_key))
    behind = rank[None, :] - rank[:, None]
    ahead = by_measure[:, None] - by_measure[None, :]
    if key == "p_value":  # two p-values of 0 are an inversion too: the order is lost
        lost = part[key].to_numpy() == 0
        ahead = np.where(lost[:, None] & lost[None, :], 1, ahead)
    clear = np.where((behind > 0) & (ahead > 0), np.minimum(behind, ahead), 0)
    chosen: list[tuple[Any, ...]] = []
    for place in np.argsort(-clear, axis=None, kind="stable"):
        i, j = np.unravel_index(place, clear.shape)
        if clear[i, j] <= 0 or len(chosen) == most:
            break
        chosen.append(_inversion(part.iloc[int(i)], part.iloc[int(j)], key))
        clear[i, :] = clear[:, j] = 0  # name different pairs
        if not clear.any():
            break
    return chosen


def _inversion(one: pd.Series, other: pd.Series, key: str) -> tuple[Any, ...]:
    cause, reason = explain_inversion(one, other, key)
    names = (one["first"], one["second"], int(one["rank"]), int(one[f"rank_{key}"]))
    others = (
        other["first"],
        other["second"],
        int(other["rank"]),
        int(other[f"rank_{key}"]),
    )
    return (key, *names, *others, cause, reason)


def explain_inversion(one: pd.Series, other: pd.Series, key: str) -> tuple[str, str]:
    """Why a measure prefers the ``other`` pair although the score prefers ``one``.

    Returns
    -------
    cause, reason : str
        A word and a sentence.
    """
    label = MEASURES[key].label
    cells = [int(p["states_first"] * p["states_second"]) for p in (one, other)]
    shift = [_null_shift(pair) for pair in (one, other)]
    if key == "p_value" and one[key] == other[key] == 0:
        return "underflow", "Both p-values underflow to 0, so their order is lost."
    # A score grows with the square root of the rows: with as many as the other has?
    alike = one["score"] * np.sqrt(other["rows"] / one["rows"])
    if (
        key in _ALIKE_IN_ANY_SAMPLE
        and one["rows"] > other["rows"]
        and (alike <= other["score"])
    ):
        return "sample size", (
            f"The pairs have {one['rows']:,} and {other['rows']:,} rows: the same "
            f"dependence is surer in more rows, which {label} does not count."
        )
    if key in _BY_NOMINAL_NULL and shift[0] - shift[1] > 1:
        odd = one if abs(shift[0]) > abs(shift[1]) else other
        return "empty cells", (
            f"{odd['first']} and {odd['second']} leave {odd['empty_cells']:.0%} of the "
            f"cells empty: independence gives G = {odd['null_mean']:.1f}, not the "
            f"{odd['dof']} degrees of freedom that {label} assumes."
        )
    if max(cells) > 1.25 * min(cells):
        more, fewer = max(cells), min(cells)
        favoured = "many" if cells[1] > cells[0] else "few"
        return "cardinality", (
            f"Tables of {more:,} and {fewer:,} cells are compared: here {label} "
            f"favours the variables with {favoured} states."
        )
    if one["score"] - other["score"] < _CLOSE:
        return "noise", "The two pairs are so close that small differences decide."
    return "frequencies", (
        f"The two tables have about the same size: {label} weighs how often their "
        "states and cells occur differently than the score does."
    )


def _null_shift(pair: pd.Series) -> float:
    """By how many null deviations G is punished too much if d is subtracted."""
    shift = (pair["dof"] - pair["null_mean"]) / max(pair["null_deviation"], 0.1)
    return float(shift)
