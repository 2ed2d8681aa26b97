"""The strongest pairs of a ranking with the intervals of their scores and places."""

from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.labels import markdown_pair, pair_label, pair_names
from siviz.charts.opening import opened_pair
from siviz.charts.ranks import rank_ticks
from siviz.charts.theme import BLUE, GREY, PAIR_ROOM, TEXT, page_wide
from siviz.ranking import Ranking
from siviz.significance import significance_threshold

_SCORE: Final = "SI (no unit)"
_PLACE: Final = "place (1 = strongest)"
_STEP: Final = 22
_WORDS: Final = 105  # pixels of "tied: places 10–20" with a margin


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
        As `intervals_frame`.  No rows if no pair has a score.
    """
    if ranking.frame["score"].isna().all():
        return pd.DataFrame(columns=["rank", "first", "second", "score", "pair"])
    return intervals_frame(ranking, ranking.stability(top=top, draws=draws, rng=rng))


def intervals_frame(ranking: Ranking, stability: pd.DataFrame) -> pd.DataFrame:
    """The rows of `Ranking.stability` with what a reader sees.

    Returns
    -------
    DataFrame
        The columns of `Ranking.stability`, ``pair`` (a short label that no other pair
        has), ``log10_q``, ``rows``, ``note`` and ``tied``: the places that a tier of
        several pairs shares, at its first pair.
    """
    labels = pair_names(stability)
    pairs = zip(stability["first"], stability["second"], strict=True)
    names = [pair_label(first, second, labels) for first, second in pairs]
    frame = stability.assign(pair=names)
    known = ranking.frame[ranking.frame["score"].notna()].head(len(frame))
    for name in ("log10_q", "rows", "note"):
        frame[name] = known[name].to_numpy()
    shared = tier_places(frame)
    first = ~frame["tier"].duplicated() & frame["tier"].duplicated(keep=False)
    frame["tied"] = np.where(first, "tied: places " + shared, "")
    return frame


def tier_places(stability: pd.DataFrame) -> pd.Series:
    """The places that each pair's tier takes up, such as ``"2"`` or ``"3–5"``."""
    place = pd.Series(np.arange(1, len(stability) + 1), index=stability.index)
    tiers = place.groupby(stability["tier"])
    low, high = tiers.transform("min"), tiers.transform("max")
    several = low.astype(str) + "–" + high.astype(str)
    return low.astype(str).where(low == high, several)


def ranking_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """Scores as points with their intervals, strongest on top.

    The dashed line is what independent pairs exceed by chance in 5 % of cases.
    """
    lowest, highest = min(frame["low"].min(), 0.0), max(frame["high"].max(), 2.0)
    scale = alt.Scale(domain=[lowest, highest], nice=True)
    axis = alt.Axis(tickCount=8)
    chance = pd.DataFrame({"score": [significance_threshold(0.05)]})
    threshold = (
        alt.Chart(chance)
        .mark_rule(strokeDash=[4, 4], color=GREY)
        .encode(x=alt.X("score:Q", title=_SCORE).scale(scale).axis(axis))
    )
    x = alt.X("score:Q", title=_SCORE).scale(scale).axis(axis)
    low = alt.X("low:Q", title=_SCORE).scale(scale).axis(axis)
    return page_wide(
        _bands(_room(frame, "low", "high", lowest, highest))
        + threshold
        + _intervals(frame, x, low, "high"),
        height=_STEP * len(frame),
        description="Standardized information of the strongest pairs with intervals",
    )


def places_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """Places as points with their intervals; pairs that share a band are tied."""
    scale = alt.Scale(domain=[0.5, len(frame) + 0.5], nice=False)
    ticks = rank_ticks(len(frame), far=False)
    axis = alt.Axis(format=",d", values=ticks, labelOverlap=False)
    x = alt.X("place:Q", title=_PLACE).scale(scale).axis(axis)
    low = alt.X("rank_low:Q", title=_PLACE).scale(scale).axis(axis)
    placed = frame.assign(place=np.arange(1, len(frame) + 1))
    return page_wide(
        _bands(_room(frame, "rank_low", "rank_high", 0.5, len(frame) + 0.5))
        + _intervals(placed, x, low, "rank_high"),
        height=_STEP * len(frame),
        description="Places of the strongest pairs with intervals",
    )


def _rows(frame: pd.DataFrame) -> alt.Y:
    axis = alt.Axis(grid=False, ticks=False, domain=False, labelLimit=PAIR_ROOM)
    return alt.Y("pair:N", title=None).scale(domain=frame["pair"].tolist()).axis(axis)


def _room(
    frame: pd.DataFrame, low: str, high: str, start: float, end: float
) -> pd.DataFrame:
    """Where beside its intervals each tier has most room for words.

    ``tied`` moves to the row with most room, ``room`` is the share of the width that is
    free there, and ``before`` whether it lies left of the interval.
    """
    sides = np.column_stack([frame[low] - start, end - frame[high]]) / (end - start)
    placed = frame.assign(room=sides.max(axis=1), before=sides[:, 0] > sides[:, 1])
    widest = placed.index.isin(placed.groupby("tier")["room"].idxmax())
    words = placed.groupby("tier")["tied"].transform("first")
    return placed.assign(tied=np.where(widest, words, ""))


def _bands(frame: pd.DataFrame) -> alt.LayerChart:
    """Every second tier on grey, and the places that its pairs share.

    Words that would cover an interval are left out.
    """
    base = alt.Chart(frame).encode(y=_rows(frame))
    grey = base.mark_rect(color=GREY, opacity=0.16).transform_filter(
        "datum.tier % 2 == 1"
    )
    fits = alt.expr(f"datum.room * width < {_WORDS} ? 0 : 11")
    words = base.encode(text="tied:N", color=alt.value(TEXT))
    left = words.mark_text(align="left", dx=5, fontSize=fits).encode(x=alt.value(0))
    right = words.mark_text(align="right", dx=-5, fontSize=fits).encode(
        x=alt.value("width")
    )
    return (
        grey
        + left.transform_filter("datum.before")
        + right.transform_filter("!datum.before")
    )


def _intervals(frame: pd.DataFrame, x: alt.X, low: alt.X, high: str) -> alt.LayerChart:
    base = alt.Chart(frame).encode(
        y=_rows(frame),
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
    lines = base.mark_rule(
        strokeWidth=3, opacity=0.7, color=BLUE, cursor="pointer"
    ).encode(x=low, x2=f"{high}:Q")
    points = base.mark_circle(size=80, opacity=1, color=BLUE, cursor="pointer")
    return lines + points.encode(x=x).add_params(opened_pair())


def stability_sentence(frame: pd.DataFrame, *, level: float, draws: int) -> str:
    """How many tiers there are, who shares the first place, who stands alone."""
    how = f"level {100 * level:.6g} %, {draws:,} resampled tables of each pair"
    if len(frame) == 1:
        return f"There is only one pair, so nothing to tell it apart from ({how})."
    leaders, tiers = frame[frame["tier"] == 1], int(frame["tier"].max())
    names = [markdown_pair(*row) for row in leaders[["first", "second"]].to_numpy()[:3]]
    if len(leaders) == 1:
        first = f"**{names[0]}** is clearly first"
    else:
        more = f" and {len(leaders) - len(names)} more" * (len(leaders) > len(names))
        first = f"The first place is shared by {', '.join(names)}{more}"
    groups = f"{tiers} groups that can be told apart" if tiers > 1 else "one group"
    return (
        f"{first} ({how}). The strongest {len(frame)} make {groups}: pairs on one band "
        "cannot be told from its first."
    )
