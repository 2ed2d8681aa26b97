"""How the strongest pairs are ranked by other measures: a slope chart of ranks."""

from collections.abc import Sequence
from typing import Final

import altair as alt
import pandas as pd

from siviz.charts.frame import short_label
from siviz.charts.labels import pair_label, pair_names
from siviz.charts.theme import DASHES, LINE_LEGEND, PALETTE, page_wide
from siviz.ranking import Ranking

SCORE: Final = "score"
"""Stands for the score of a ranking among the keys of measures."""
COMPARED: Final = ("si", "log10_p", "z_score", "mi_bc", "mi", "nmi", "cramers_v")
"""Measures that a chart of ranks shows beside the score, where they were computed."""
_TICK_STEPS: Final = [n * 10**power for power in range(9) for n in (1, 5)]


def rank_label(key: str) -> str:
    """Name of a measure, or of the score, for an axis."""
    return "Score (SI)" if key == SCORE else short_label(key)


def rank_column(key: str) -> str:
    """The column of a ranking's frame that holds the ranks by a measure."""
    return "rank" if key == SCORE else f"rank_{key}"


def ranks_frame(
    ranking: Ranking,
    *,
    measures: Sequence[str] | None = None,
    top: int = 10,
    pairs: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """One row for each of the strongest pairs and each measure.

    Parameters
    ----------
    ranking : Ranking
    measures : sequence of str, optional
        Keys of measures, in the order of the chart, and ``"score"`` for the score of
        the ranking; by default the score and `COMPARED`.
    top : int
        Number of pairs.
    pairs : DataFrame, optional
        The rows of the ranking's frame to show instead of the strongest.

    Returns
    -------
    DataFrame
        ``measure`` (its short label), ``rank`` by it, ``first``, ``second``, ``pair``
        (a short label) and ``place``, from 1, in the ranking's frame.  A pair without
        a score has no row.
    """
    if measures is None:
        measures = [SCORE, *(key for key in COMPARED if key in ranking.measures)]
    for key in measures:
        if key not in (SCORE, *ranking.measures):
            there = ", ".join(ranking.measures)
            raise ValueError(f"measures must be among those ranked: {there}; got {key}")
    known = ranking.frame if pairs is None else pairs
    known = known[known["score"].notna()].head(top)
    labels, places = pair_names(known), known.index.to_numpy() + 1
    rows = [
        (rank_label(key), int(row[rank_column(key)]), *names, label, place)
        for place, (_, row) in zip(places, known.iterrows(), strict=True)
        for names in [(row["first"], row["second"])]
        for label in [pair_label(*names, labels)]
        for key in measures
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
    dashes = [DASHES[place // len(PALETTE) % len(DASHES)] for place in range(shown)]
    picked = alt.selection_point(on="pointerover", fields=["place"], name="picked")
    base = alt.Chart(frame).encode(
        x=alt.X("measure:N", title=None)
        .scale(domain=measures, type="point", padding=0.3)
        .axis(labelAngle=-40, grid=True),
        y=alt.Y("rank:Q", title="rank (1 = strongest)")
        .scale(type="log" if far else "linear", domain=[below, 0.7], nice=False)
        .axis(format=",d", values=rank_ticks(worst, far)),
        color=alt.Color("pair:N", title=None)
        .scale(domain=pairs, range=colours)
        .legend(orient="bottom", columns=1, **LINE_LEGEND),
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


def rank_ticks(worst: int, far: bool, most: int = 15) -> list[int]:
    """Ranks to name: 1, 2, 5, 10, … on a logarithmic scale, else every or some."""
    if far:
        steps = [n * 10**power for power in range(len(str(worst))) for n in (1, 2, 5)]
        return [rank for rank in steps if rank <= worst]
    step = next(step for step in _TICK_STEPS if worst <= step * most)
    return [1, *range(step, worst + 1, step)] if step > 1 else list(range(1, worst + 1))
