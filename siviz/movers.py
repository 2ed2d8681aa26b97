"""The pairs that other measures move furthest from their place, and why."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from siviz.disagreement import explain_inversion
from siviz.markup import shorten, visible
from siviz.tables import Array

_NAME: Final = 40  # characters of a name inside a reason
MOVER_COLUMNS: Final = (
    "first",
    "second",
    "rank",
    "measure",
    "measure_rank",
    "moved",
    "other_first",
    "other_second",
    "cause",
    "reason",
)


def find_movers(
    frame: pd.DataFrame, keys: Sequence[str], *, depth: int, most: int
) -> pd.DataFrame:
    """The pairs whose place changes most when another measure ranks them.

    Only pairs that the score or one of the measures puts among its strongest count:
    further down, the order is mostly noise.

    Parameters
    ----------
    frame : DataFrame
        As in `siviz.ranking.Ranking`.
    keys : sequence of str
        Measures to compare with the score; ``"score"`` itself is passed over.
    depth : int
        How many of the strongest pairs by each measure count.
    most : int
        Pairs to name.

    Returns
    -------
    DataFrame
        One row a pair, furthest first: ``first``, ``second``, its ``rank`` by the
        score, the ``measure`` that moves it most and its ``measure_rank``, the places
        it ``moved`` (down is positive), a pair that it changes places with
        (``other_first``, ``other_second``), ``cause`` and ``reason`` as in
        `siviz.disagreement.explain_inversion`, with long names shortened.
    """
    keys = [key for key in keys if key != "score"]
    known = frame[frame["score"].notna()].reset_index(drop=True)
    if known.empty or not keys:
        return pd.DataFrame(columns=list(MOVER_COLUMNS))
    rank = known["rank"].to_numpy(float)
    by_measure = known[[f"rank_{key}" for key in keys]].to_numpy(float)
    strong = (rank <= depth) | (by_measure <= depth).any(axis=1)
    moved = np.where(strong[:, None], by_measure - rank[:, None], 0)
    furthest = np.abs(moved).max(axis=1)
    places = np.lexsort((rank, -furthest))[:most]
    rows = [
        _mover(known, int(place), keys[measure], by_measure[:, measure])
        for place in places
        if furthest[place] > 0
        for measure in [int(np.abs(moved[place]).argmax())]
    ]
    return pd.DataFrame(rows, columns=list(MOVER_COLUMNS))


def _mover(
    frame: pd.DataFrame, place: int, key: str, by_measure: Array
) -> tuple[object, ...]:
    rank = frame["rank"].to_numpy(float)
    moved = int(by_measure[place] - rank[place])
    pair = frame.iloc[place]
    other = frame.iloc[_counterpart(rank, by_measure, place)]
    falls = moved > 0
    one, preferred = (pair, other) if falls else (other, pair)
    cause, reason = explain_inversion(_named(one), _named(preferred), key)
    return (
        pair["first"],
        pair["second"],
        int(rank[place]),
        key,
        int(by_measure[place]),
        moved,
        other["first"],
        other["second"],
        cause,
        reason,
    )


def _named(pair: pd.Series) -> pd.Series:
    """The pair with names so short that a sentence stays readable."""
    names = {name: shorten(visible(pair[name]), _NAME) for name in ("first", "second")}
    return pd.Series({**pair, **names})


def _counterpart(rank: Array, by_measure: Array, place: int) -> int:
    """The pair that most clearly changes places with this one.

    A pair that falls has more pairs before it by the measure than by the score, so at
    least one of them was not before it; the same holds the other way round.
    """
    direction = np.sign(by_measure[place] - rank[place])
    by_score = direction * (rank - rank[place])
    ahead = direction * (by_measure[place] - by_measure)
    changed = (by_score >= 0) & (ahead >= 0) & (by_score + ahead > 0)
    clear = np.minimum(by_score, ahead) + (by_score + ahead) * 1e-9
    return int(np.where(changed, clear, -np.inf).argmax())


def mover_pairs(frame: pd.DataFrame, movers: pd.DataFrame) -> pd.DataFrame:
    """The rows of a ranking's frame that hold these movers, strongest first."""
    names = pd.MultiIndex.from_frame(frame[["first", "second"]])
    moved = pd.MultiIndex.from_frame(movers[["first", "second"]])
    return frame[names.isin(moved)]
