"""All pairs of columns as a heat map, similar columns side by side."""

from typing import Final

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from siviz.charts.labels import markdown_pair, short_labels
from siviz.charts.opening import opened_pair
from siviz.charts.theme import LABEL_ROOM, page_wide, strength_scale
from siviz.ranking import Ranking

MOST_COLUMNS: Final = 60
"""Columns that a heat map shows; of more, those in the strongest pairs."""

_LABEL: Final = 24  # characters of a name beside or above the cells


def pairs_frame(ranking: Ranking, *, most: int = MOST_COLUMNS) -> pd.DataFrame:
    """One row for each ordered pair of columns that has a score.

    Columns are ordered by clustering (average linkage of ``1 / (1 + score)``, optimal
    leaf order), so that columns which depend on each other are neighbours.

    Parameters
    ----------
    ranking : Ranking
    most : int
        Columns to show at most: those in the strongest pairs.

    Returns
    -------
    DataFrame
        ``row``, ``column`` (short labels), ``first``, ``second`` (names), ``score``,
        ``log10_q``, ``rank``.
    """
    known = ranking.frame[ranking.frame["score"].notna()]
    names = list(pd.unique(known[["first", "second"]].to_numpy().ravel()))[:most]
    inside = known[known["first"].isin(names) & known["second"].isin(names)]
    order = [names[place] for place in _clustered(inside, names)]
    facts = ["first", "second", "score", "log10_q", "rank"]
    there = inside[facts]
    back = there.rename(columns={"first": "second", "second": "first"})
    both = pd.concat([there, back[facts]], ignore_index=True)
    place = {name: position for position, name in enumerate(order)}
    by_place = [both[name].map(place) for name in ("first", "second")]
    both = both.iloc[np.lexsort(by_place[::-1])].reset_index(drop=True)
    labels = short_labels(order, _LABEL)
    both.insert(0, "row", both["first"].map(labels))
    both.insert(1, "column", both["second"].map(labels))
    return both


def _clustered(pairs: pd.DataFrame, names: list[str]) -> NDArray[np.intp]:
    """The order of the columns in which neighbours depend on each other."""
    if len(names) < 3:
        return np.arange(len(names))
    place = {name: position for position, name in enumerate(names)}
    strength = np.zeros((len(names), len(names)))
    first, second = (pairs[name].map(place).to_numpy() for name in ("first", "second"))
    strength[first, second] = strength[second, first] = pairs["score"].clip(lower=0)
    distance = 1 / (1 + strength)
    np.fill_diagonal(distance, 0)
    tree = linkage(squareform(distance), method="average", optimal_ordering=True)
    return leaves_list(tree)


def pairs_chart(frame: pd.DataFrame) -> alt.Chart:
    """Cells coloured by standardized information; below 0 is like 0: nothing found."""
    labels = frame["row"].unique().tolist()
    highest = max(float(frame["score"].max()), 2.0)
    cell = 18 if len(labels) > 20 else 30
    chart = alt.Chart(frame).mark_rect(cursor="pointer").add_params(opened_pair())
    return page_wide(
        chart.encode(
            x=alt.X("column:N", title=None)
            .scale(domain=labels)
            .axis(orient="top", labelAngle=-90, labelOverlap="greedy", labelLimit=140),
            y=alt.Y("row:N", title=None)
            .scale(domain=labels)
            .axis(labelLimit=LABEL_ROOM, labelOverlap=False),
            color=alt.Color("score:Q", title="SI (no unit)")
            .scale(strength_scale(highest))
            .legend(orient="bottom", gradientLength=180),
            tooltip=[
                alt.Tooltip("first:N", title="first"),
                alt.Tooltip("second:N", title="second"),
                alt.Tooltip("score:Q", title="SI", format=".2f"),
                alt.Tooltip("rank:Q", title="rank", format=",d"),
                alt.Tooltip("log10_q:Q", title="log10 q", format=".1f"),
            ],
        ),
        height=cell * len(labels),
        description="Standardized information of all pairs of columns",
    )


def pairs_sentence(frame: pd.DataFrame, ranking: Ranking) -> str:
    """Which columns are shown, how they are ordered, and the strongest pair."""
    shown, columns = frame["first"].nunique(), len(ranking.prepared.kept)
    which = (
        f"The {shown} of {columns:,} columns that stand in the strongest pairs"
        if shown < columns
        else f"All {columns} columns"
    )
    best = ranking.frame.iloc[0]
    return (
        f"{which}, those that depend on each other side by side. The strongest pair is "
        f"**{markdown_pair(best['first'], best['second'])}** "
        f"(SI {best['score']:.2f}). Click a cell to open its pair."
    )
