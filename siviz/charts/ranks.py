"""How the strongest pairs are ranked by other measures: a slope chart of ranks."""

from collections.abc import Sequence
from typing import Final

import altair as alt
import pandas as pd

from siviz.charts.labels import pair_label, pair_names
from siviz.charts.theme import PALETTE, page_wide
from siviz.measures import find_measure
from siviz.ranking import Ranking

COMPARED: Final = ("si", "log10_p", "z_score", "mi_bc", "mi", "nmi", "cramers_v")
"""Measures that a chart of ranks shows beside the score, where they were computed."""
_SCORE: Final = "Score (SI)"
_DASHES: Final = ([1, 0], [6, 3], [2, 3])


def ranks_frame(
    ranking: Ranking, *, measures: Sequence[str] | None = None, top: int = 10
) -> pd.DataFrame:
    """One row for each of the strongest pairs and each measure.

    Parameters
    ----------
    ranking : Ranking
    measures : sequence of str, optional
        Keys of measures, in the order of the chart; `COMPARED` by default.
    top : int
        Number of pairs.

    Returns
    -------
    DataFrame
        ``measure`` (its label; first the score of the ranking), ``rank`` by it,
        ``pair`` (a short label), ``first``, ``second`` and ``place``, the rank by the
        score.  A pair without a score has no row.
    """
    if measures is None:
        measures = [key for key in COMPARED if key in ranking.measures]
    for key in measures:
        if key not in ranking.measures:
            there = ", ".join(ranking.measures)
            raise ValueError(f"measures must be among those ranked: {there}; got {key}")
    known = ranking.frame[ranking.frame["score"].notna()].head(top)
    labels = pair_names(known)
    columns = {_SCORE: "rank"} | {
        find_measure(key).label: f"rank_{key}" for key in measures
    }
    rows = [
        (label, int(row[column]), first, second, pair_label(first, second, labels), n)
        for n, (_, row) in enumerate(known.iterrows(), start=1)
        for first, second in [(row["first"], row["second"])]
        for label, column in columns.items()
    ]
    names = ["measure", "rank", "first", "second", "pair", "place"]
    return pd.DataFrame(rows, columns=names)


def ranks_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a pair over the measures, rank 1 on top; the pointer picks out a pair.

    The scale is logarithmic where a measure sends a pair far down.
    """
    measures, pairs = (frame[name].unique().tolist() for name in ("measure", "pair"))
    worst, shown = int(frame["rank"].max()), len(pairs)
    far = worst > 3 * shown
    below = worst * 1.2 if far else worst + 0.5
    colours = [PALETTE[place % len(PALETTE)] for place in range(shown)]
    dashes = [_DASHES[place // len(PALETTE) % len(_DASHES)] for place in range(shown)]
    picked = alt.selection_point(on="pointerover", fields=["place"], name="picked")
    base = alt.Chart(frame).encode(
        x=alt.X("measure:N", title=None)
        .scale(domain=measures, type="point", padding=0.3)
        .axis(labelAngle=-40, grid=True),
        y=alt.Y("rank:Q", title="rank (1 = strongest)")
        .scale(type="log" if far else "linear", domain=[below, 0.7], nice=False)
        .axis(format=",d", values=_ticks(worst, far)),
        color=alt.Color("pair:N", title=None)
        .scale(domain=pairs, range=colours)
        .legend(orient="bottom", columns=1, symbolType="stroke", symbolSize=300),
        opacity=alt.when(picked).then(alt.value(1)).otherwise(alt.value(0.15)),
        tooltip=[
            alt.Tooltip("first:N", title="first"),
            alt.Tooltip("second:N", title="second"),
            alt.Tooltip("measure:N", title="measure"),
            alt.Tooltip("rank:Q", title="rank", format=",d"),
        ],
    )
    lines = base.mark_line(strokeWidth=2.5).encode(
        detail="place:O",
        strokeDash=alt.StrokeDash("pair:N", title=None).scale(
            domain=pairs, range=dashes
        ),
    )
    points = base.mark_circle(size=80).add_params(picked)
    return page_wide(
        lines + points,
        height=max(26 * shown, 180),
        description="Ranks of the strongest pairs by several measures",
    )


def _ticks(worst: int, far: bool) -> list[int]:
    """Ranks to name: 1, 2, 5, 10, … on a logarithmic scale, else every or some."""
    if far:
        steps = [n * 10**power for power in range(len(str(worst))) for n in (1, 2, 5)]
        return [rank for rank in steps if rank <= worst]
    step = -(-worst // 15)
    return [1, *range(step, worst + 1, step)] if step > 1 else list(range(1, worst + 1))
