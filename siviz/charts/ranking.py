"""The strongest pairs of a ranking with the intervals of their scores."""

from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.labels import pair_label, pair_names
from siviz.charts.theme import BLUE, GREY, page_wide
from siviz.ranking import Ranking
from siviz.significance import significance_threshold

_SCORE: Final = "SI (no unit)"
_STEP: Final = 22


def ranking_frame(
    ranking: Ranking,
    *,
    top: int = 25,
    draws: int = 200,
    rng: np.random.Generator | int | None = 0,
) -> pd.DataFrame:
    """One row a pair: the columns of `Ranking.stability`, and what a reader sees.

    Parameters
    ----------
    ranking : Ranking
    top, draws, rng
        As in `Ranking.stability`.

    Returns
    -------
    DataFrame
        The columns of `Ranking.stability`, ``pair`` (a short label that no other pair
        has), ``log10_q``, ``rows`` and ``note``.  No rows if no pair has a score.
    """
    known = ranking.frame[ranking.frame["score"].notna()].head(top)
    if known.empty:
        return pd.DataFrame(columns=["rank", "first", "second", "score", "pair"])
    frame = ranking.stability(top=top, draws=draws, rng=rng)
    labels = pair_names(frame)
    pairs = zip(frame["first"], frame["second"], strict=True)
    frame["pair"] = [pair_label(first, second, labels) for first, second in pairs]
    for name in ("log10_q", "rows", "note"):
        frame[name] = known[name].to_numpy()
    return frame


def ranking_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """Scores as points with their intervals, strongest on top.

    The dashed line is what independent pairs exceed by chance in 5 % of cases.
    """
    lowest, highest = min(frame["low"].min(), 0.0), max(frame["high"].max(), 2.0)
    x = alt.X("score:Q", title=_SCORE).scale(domain=[lowest, highest], nice=True)
    base = alt.Chart(frame).encode(
        y=alt.Y("pair:N", title=None)
        .scale(domain=frame["pair"].tolist())
        .axis(grid=True, ticks=False, domain=False),
        tooltip=[
            alt.Tooltip("first:N", title="first"),
            alt.Tooltip("second:N", title="second"),
            alt.Tooltip("rank:Q", title="rank"),
            alt.Tooltip("score:Q", title="SI", format=".2f"),
            alt.Tooltip("low:Q", title="SI from", format=".2f"),
            alt.Tooltip("high:Q", title="SI to", format=".2f"),
            alt.Tooltip("rank_low:Q", title="rank from"),
            alt.Tooltip("rank_high:Q", title="rank to"),
            alt.Tooltip("tier:Q", title="tier"),
            alt.Tooltip("log10_q:Q", title="log10 q", format=".1f"),
            alt.Tooltip("rows:Q", title="rows", format=",d"),
        ],
    )
    intervals = base.mark_rule(strokeWidth=2.5, opacity=0.7, color=BLUE).encode(
        x=alt.X("low:Q", title=_SCORE).scale(domain=[lowest, highest], nice=True),
        x2="high:Q",
    )
    points = base.mark_circle(size=70, opacity=1, color=BLUE).encode(x=x)
    chance = pd.DataFrame({"score": [significance_threshold(0.05)]})
    threshold = alt.Chart(chance).mark_rule(strokeDash=[4, 4], color=GREY).encode(x=x)
    return page_wide(
        threshold + intervals + points,
        height=_STEP * len(frame),
        description="Standardized information of the strongest pairs with intervals",
    )
