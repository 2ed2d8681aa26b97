"""Ranks by several measures over a scatter of two of them, linked in the browser.

Pointing at a pair in one view lights it up in the other; a box dragged over the points
picks several.  Views below each other cannot be fitted to a page with their axes
outside of them, so the axes are inside, in room that the scales leave free.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.opening import opened_pair
from siviz.charts.ranks import SCORE, rank_column, rank_label, rank_ticks, ranks_frame
from siviz.charts.theme import DASHES, GREY, PALETTE, TEXT
from siviz.measures import find_measure
from siviz.ranking import Ranking
from siviz.tables import Array

Scatter = Literal["values", "places"]
"""What a scatter of two measures shows of them."""
MOST_POINTS: Final = 1_500
"""Points of a scatter; of more pairs, the strongest half and others evenly spaced."""
_ROW: Final = 24  # pixels for each line of the ranks
_LABEL: Final = 15  # pixels between two labels
_AXIS: Final = 66  # pixels for an axis inside a view
_SCATTER: Final = 300  # pixels
_WIDTH: Final = 720  # of a picture; pages set their own
_PLACE: Final = "place (1 = strongest)"
OPENED_BY: Final = ("opened_line", "opened_point")
"""Selections of the chart that open a pair."""
_LABELS: Final = "max(90, min(260, width * 0.36))"


def linked_frame(
    ranking: Ranking,
    pairs: pd.DataFrame,
    measures: Sequence[str],
    *,
    axes: tuple[str, str],
    scatter: Scatter,
) -> pd.DataFrame:
    """Ranks of some pairs, as `ranks_frame`, with what the other view needs of them.

    Parameters
    ----------
    ranking : Ranking
    pairs : DataFrame
        The rows of the ranking's frame that get a line.
    measures : sequence of str
        Keys of measures, in the order of the chart; ``"score"`` is the score.
    axes : tuple of str
        Measures of the scatter.
    scatter : {"values", "places"}
        Whether the scatter shows the values of the two measures or the places.

    Returns
    -------
    DataFrame
        The columns of `ranks_frame`, ``x`` and ``y`` as in `points_frame` and
        ``label_rank``, the place of the line's label on the scale of ranks, where it
        does not cover another; nan but for the last measure.
    """
    frame = ranks_frame(ranking, measures=measures, top=len(pairs), pairs=pairs)
    at = frame["place"].to_numpy() - 1
    for name, key in zip("xy", axes, strict=True):
        frame[name] = _shown(ranking.frame, key, scatter)[at]
    last = frame["measure"] == rank_label(measures[-1])
    ranks = frame.loc[last, "rank"].to_numpy(float)
    worst = int(frame["rank"].max())
    spaced = _spaced(ranks, worst, is_far(worst, len(pairs)))
    frame.loc[last, "label_rank"] = spaced
    return frame


def points_frame(
    ranking: Ranking, *, axes: tuple[str, str], scatter: Scatter
) -> pd.DataFrame:
    """One row a pair for a scatter of two measures: ``x``, ``y``, names and place."""
    known = np.flatnonzero(ranking.frame["score"].notna())
    at = known[_spread_over(known.size)]
    frame = ranking.frame.iloc[at][["first", "second", "rank"]]
    points = frame.reset_index(drop=True).assign(place=at + 1)
    for name, key in zip("xy", axes, strict=True):
        points[name] = _shown(ranking.frame, key, scatter)[at]
    return points


def _spread_over(count: int) -> np.ndarray:
    """Places of the points to draw: the strongest, and evenly spaced ones behind."""
    if count <= MOST_POINTS:
        return np.arange(count)
    half = MOST_POINTS // 2
    return np.r_[:half, np.linspace(half, count - 1, half).round().astype(int)]


def _shown(frame: pd.DataFrame, key: str, scatter: Scatter) -> Array:
    column = rank_column(key) if scatter == "places" else key
    return frame[column].to_numpy(float, na_value=np.nan)


def is_far(worst: int, shown: int) -> bool:
    """Whether ranks spread so far that their scale should be logarithmic."""
    return worst > 3 * shown


def _spaced(ranks: Array, worst: int, far: bool) -> Array:
    """Ranks, moved down and then up until labels at them do not cover each other."""
    scale, back = (np.log, np.exp) if far else (np.asarray, np.asarray)
    top, bottom = (scale(end) for end in _ends(worst, far))
    gap = (bottom - top) * _LABEL / (_ROW * max(len(ranks), 6))
    order = np.argsort(ranks, kind="stable")
    free = scale(ranks[order]) - gap * np.arange(len(ranks))
    lowest = bottom - gap * (len(ranks) - 0.5)
    placed = np.minimum(np.maximum.accumulate(free), lowest)
    result = np.empty(len(ranks))
    result[order] = back(placed + gap * np.arange(len(ranks)))
    return result


def _ends(worst: int, far: bool) -> tuple[float, float]:
    """The scale of ranks, from its top to its bottom."""
    return (0.8, worst * 1.2) if far else (0.4, worst + 0.6)


def linked_chart(
    ranks: pd.DataFrame,
    points: pd.DataFrame,
    *,
    axes: tuple[str, str],
    scatter: Scatter,
) -> alt.VConcatChart:
    """Lines of ranks over a scatter; the pointer links them, a click opens a pair."""
    above, below = _pointed("pointed_line"), _pointed("pointed_point")
    boxed = alt.selection_interval(name="boxed", encodings=["x", "y"])
    # An empty selection holds everything: what is lit lies in all that are not.
    lit = alt.when(above & below & boxed).then(alt.value(1)).otherwise(alt.value(0.12))
    lines, dots = (opened_pair(name) for name in OPENED_BY)
    return (
        alt.vconcat(
            _lines(ranks, lit).add_params(above, lines),
            _scatter(ranks, points, axes, scatter, lit).add_params(below, boxed, dots),
            spacing=30,
            padding={"left": 0, "right": 0, "top": 5, "bottom": 10},
        )
        .resolve_scale(color="independent", strokeDash="independent")
        .configure_view(stroke=None)
        .properties(description="Places of pairs, and a scatter of two measures")
    )


def _pointed(name: str) -> alt.Parameter:
    return alt.selection_point(
        name=name, on="pointerover", clear="pointerout", fields=["place"]
    )


def _lines(ranks: pd.DataFrame, lit: Any) -> alt.LayerChart:
    measures, pairs = (ranks[name].unique().tolist() for name in ("measure", "pair"))
    worst, far = int(ranks["rank"].max()), is_far(int(ranks["rank"].max()), len(pairs))
    (top, bottom), height = _ends(worst, far), _ROW * max(len(pairs), 6)
    ticks = rank_ticks(worst, far, most=height // 20)
    room: list[Any] = [_AXIS, alt.expr(f"width - {_LABELS} - 14")]
    kind = "log" if far else "linear"
    scale: dict[str, Any] = {"type": kind, "domain": [bottom, top], "nice": False}
    axis: dict[str, Any] = {"format": ",d", "values": ticks, "labelOverlap": False}
    axis |= {"offset": -_AXIS, "grid": True}
    base = alt.Chart(ranks).encode(
        x=alt.X("measure:N", title=None)
        .scale(domain=measures, type="point", padding=0.1, range=room)
        .axis(labelAngle=-35, grid=True, labelLimit=130, labelOverlap=False),
        y=alt.Y("rank:Q", title=_PLACE).scale(**scale).axis(**axis),
        color=_pair_colours(pairs),
        opacity=lit,
        tooltip=[
            *_NAMES,
            alt.Tooltip("measure:N", title="measure"),
            alt.Tooltip("rank:Q", title="place by it", format=",d"),
        ],
    )
    dashes = [DASHES[at // len(PALETTE) % len(DASHES)] for at in range(len(pairs))]
    dash = alt.StrokeDash("pair:N", legend=None).scale(domain=pairs, range=dashes)
    strokes = base.mark_line(strokeWidth=2.5).encode(detail="place:O", strokeDash=dash)
    dots = base.mark_circle(size=90, cursor="pointer")
    ends = base.transform_filter("isValid(datum.label_rank)").encode(
        y=alt.Y("label_rank:Q", title=_PLACE).scale(**scale).axis(**axis)
    )
    squares = ends.mark_square(size=70, xOffset=15, cursor="pointer")
    labels = ends.mark_text(
        align="left",
        baseline="middle",
        dx=24,
        limit=alt.expr(f"{_LABELS} - 12"),
        cursor="pointer",
    ).encode(text="pair:N", color=alt.value(TEXT))
    return (strokes + dots + squares + labels).properties(height=height, width=_WIDTH)


_NAMES: Final = [
    alt.Tooltip("first:N", title="first"),
    alt.Tooltip("second:N", title="second"),
]


def _pair_colours(pairs: list[str]) -> alt.Color:
    colours = [PALETTE[at % len(PALETTE)] for at in range(len(pairs))]
    return alt.Color("pair:N", legend=None).scale(domain=pairs, range=colours)


def _scatter(
    ranks: pd.DataFrame,
    points: pd.DataFrame,
    axes: tuple[str, str],
    scatter: Scatter,
    lit: Any,
) -> alt.LayerChart:
    one, other = axes
    x = _axis("x", one, scatter, points)
    y = _axis("y", other, scatter, points)
    tooltip = [
        *_NAMES,
        alt.Tooltip("x:Q", title=rank_label(one), format=".4~g"),
        alt.Tooltip("y:Q", title=rank_label(other), format=".4~g"),
    ]
    base = alt.Chart(points).encode(x=x, y=y, opacity=lit, tooltip=tooltip)
    others = base.mark_circle(size=36, color=GREY, cursor="pointer")
    shown = alt.Chart(ranks.drop_duplicates("place")).encode(
        x=x,
        y=y,
        opacity=lit,
        tooltip=tooltip,
        color=_pair_colours(list(ranks["pair"].unique())),
    )
    named = shown.mark_circle(size=110, cursor="pointer")
    return (others + named).properties(height=_SCATTER, width=_WIDTH)


def _axis(
    channel: Literal["x", "y"],
    key: str,
    scatter: Scatter,
    points: pd.DataFrame,
) -> Any:
    """Stronger is always to the right and above."""
    place = scatter == "places"
    ticks: dict[str, Any] = {"format": ".3~g", "tickCount": 6}
    lower = place or (key != SCORE and find_measure(key).stronger == "lower")
    unit = "" if place or key == SCORE else find_measure(key).unit
    name = f"{'place by ' * place}{rank_label(key)}{f' ({unit})' if unit else ''}"
    scale: dict[str, Any] = {"reverse": lower, "zero": False, "nice": not place}
    if place:
        worst = int(points[channel].max())
        scale |= {"type": "log", "domain": list(_ends(worst, far=True))}
        ticks = {"format": ",d", "values": rank_ticks(worst, far=True)}
    if channel == "x":
        room: list[Any] = [_AXIS, alt.expr("width - 12")]
        return alt.X("x:Q", title=name).scale(**scale, range=room).axis(**ticks)
    return alt.Y("y:Q", title=name).scale(**scale).axis(**ticks, offset=-_AXIS)


def linked_sentence(
    ranks: pd.DataFrame, points: pd.DataFrame, *, pairs: int, movers: bool
) -> str:
    """What the two views show, and what a reader can do with them."""
    shown = ranks["pair"].nunique()
    which = f"{shown} biggest movers" if movers else f"strongest {shown} pairs by SI"
    drawn = (
        f"{len(points):,} of {pairs:,} pairs, the strongest and others evenly spaced"
        if len(points) < pairs
        else f"all {pairs:,} pairs"
    )
    return (
        f"Above, the places of the {which if shown > 1 else 'one pair'} among "
        f"{pairs:,}; below, {drawn}, "
        "stronger to the right and higher. Point at a pair and it lights up in both "
        "charts, drag a box over points to pick several, click a pair to open it."
    )
