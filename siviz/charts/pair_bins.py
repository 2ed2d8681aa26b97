"""How the dependence of a pair changes with the number of bins, fair choice marked."""

from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.bin_studies import BIN_COUNTS, OneNumberBins
from siviz.charts.figure import Figure
from siviz.charts.labels import markdown_name, short_name
from siviz.charts.theme import (
    BLUE,
    GREY,
    LINE_LEGEND,
    ORANGE,
    SOLID,
    TEXT,
    VERMILION,
    page_wide,
    strength_scale,
)
from siviz.fair_bins import SIGNIFICANCE, FairPairBins
from siviz.single_pair import SinglePair

EQUAL, FAIR, HERE = "equal frequency", "fair merging", "this page"
_COLOURS: Final = {EQUAL: BLUE, FAIR: VERMILION}
_DASHES: Final = {EQUAL: SOLID, FAIR: (6, 3)}


def one_number_frame(study: OneNumberBins) -> pd.DataFrame:
    """``way`` of cutting, number of ``bins``, ``information`` and ``fair`` (chosen)."""
    equal = pd.DataFrame({"bins": study.bins, "information": study.informations})
    merged = pd.DataFrame(
        {"bins": study.fair.bin_counts, "information": study.fair.informations}
    )
    frame = pd.concat([equal.assign(way=EQUAL), merged.assign(way=FAIR)])
    frame = frame[frame["bins"] <= max(BIN_COUNTS)].reset_index(drop=True)
    chosen = (frame["way"] == FAIR) & (frame["bins"] == len(study.fair.groups))
    return frame.assign(fair=chosen)[["way", "bins", "information", "fair"]]


def here_frame(pair: SinglePair, number: str, score: float) -> pd.DataFrame:
    """Number of bins of this page's own table and its information."""
    column = pair.first if pair.first.name == number else pair.second
    bins = len(column.states) - (column.missing_code >= 0)
    return pd.DataFrame({"way": [HERE], "bins": [bins], "information": [score]})


def one_number_chart(frame: pd.DataFrame, here: pd.DataFrame) -> alt.LayerChart:
    """Information against the number of bins; a diamond marks the fair choice."""
    x = alt.X("bins:Q", title="number of bins").axis(format="d", tickMinStep=1)
    x = x.scale(type="log", domain=[1.9, 26], nice=False)
    x = x.axis(values=[2, 3, 4, 5, 6, 8, 12, 16, 24], format="d", grid=False)
    y = alt.Y("information:Q", title="SI").scale(zero=True)
    ways = list(_COLOURS)
    base = alt.Chart(frame).encode(
        x=x,
        y=y,
        color=alt.Color("way:N", title=None)
        .scale(domain=ways, range=list(_COLOURS.values()))
        .legend(orient="top", **LINE_LEGEND),
        tooltip=[
            alt.Tooltip("way:N", title="bins by"),
            alt.Tooltip("bins:Q", title="number of bins"),
            alt.Tooltip("information:Q", title="SI", format=".2f"),
        ],
    )
    lines = base.mark_line().encode(
        strokeDash=alt.StrokeDash("way:N", title=None).scale(
            domain=ways, range=list(_DASHES.values())
        )
    )
    points = base.mark_circle(size=35)
    chosen = base.transform_filter("datum.fair")
    mark = chosen.mark_point(shape="diamond", size=260, filled=False, strokeWidth=3)
    words = chosen.mark_text(dy=-18, fontWeight="bold", text="fair choice")
    words = words.encode(color=alt.value(TEXT))
    seen = alt.Chart(here).encode(x=x, y=y)
    ring = seen.mark_point(size=260, strokeWidth=2.5, color=GREY)
    below = seen.mark_text(dy=20, text="this page", color=TEXT)
    return page_wide(
        alt.LayerChart(layer=[lines, points, mark, words, ring, below]),
        height=260,
        description="Standardized information against the number of bins",
    )


def one_number_figure(pair: SinglePair, study: OneNumberBins, score: float) -> Figure:
    """Information against the number of bins of the one number of a pair."""
    frame, here = one_number_frame(study), here_frame(pair, study.number, score)
    return Figure.of_chart(
        one_number_chart(frame, here),
        "Standardized information against the number of bins",
        one_number_sentence(study, here),
        frame,
    )


def one_number_sentence(study: OneNumberBins, here: pd.DataFrame) -> str:
    """The fair choice and this page's, in words."""
    name, chosen = markdown_name(study.number), len(study.fair.groups)
    used, score = int(here["bins"].iloc[0]), float(here["information"].iloc[0])
    told = f"This page cuts {name} into {used} bins, with SI = {score:.2f}. "
    if chosen < 2:
        return f"{told}No other number of bins can be compared."
    if study.fair.p_value > SIGNIFICANCE:
        return (
            f"{told}The search for better bins finds no more than in random tables "
            f"(p = {study.fair.p_value:.2f}), so the fair choice is the fewest: 2."
        )
    best = float(study.fair.informations[chosen - 2])
    return (
        f"{told}The **fair choice is {chosen} bins**, merged from a fine grid so as to "
        f"tell most: SI = {best:.2f} against the same search in random tables "
        f"(p = {study.fair.p_value:.2g})."
    )


def two_numbers_frame(fair: FairPairBins) -> pd.DataFrame:
    """``rows`` and ``columns`` (numbers of bins), ``information``, ``fair``."""
    rows, columns = np.meshgrid(fair.row_counts, fair.column_counts, indexing="ij")
    chosen = (rows == fair.row_bins) & (columns == fair.column_bins)
    return pd.DataFrame(
        {
            "rows": rows.ravel(),
            "columns": columns.ravel(),
            "information": fair.informations.ravel(),
            "fair": chosen.ravel(),
        }
    )


def two_numbers_chart(frame: pd.DataFrame, names: tuple[str, str]) -> alt.LayerChart:
    """Information for each two numbers of bins; a frame marks the fair choice."""
    first, second = (short_name(name) for name in names)
    top = max(float(frame["information"].max()), 0.1)
    base = alt.Chart(frame).encode(
        x=alt.X("columns:O", title=f"bins of {second}").axis(labelAngle=0),
        y=alt.Y("rows:O", title=f"bins of {first}").sort("descending"),
        tooltip=[
            alt.Tooltip("rows:Q", title="bins of the rows"),
            alt.Tooltip("columns:Q", title="bins of the columns"),
            alt.Tooltip("information:Q", title="SI", format=".2f"),
        ],
    )
    cells = base.mark_rect().encode(
        color=alt.Color("information:Q", title="SI")
        .scale(strength_scale(top))
        .legend(orient="bottom", gradientLength=180)
    )
    count = max(frame["columns"].nunique(), 1)
    numbers = base.mark_text(
        opacity=alt.expr(f"width / {count} < 26 ? 0 : 1"),
        fontSize=alt.expr(f"min(12, width / {count} / 2.8)"),
    ).encode(
        text=alt.Text("information:Q", format=".1f"),
        color=alt.when(f"datum.information > {0.6 * top}")
        .then(alt.value("white"))
        .otherwise(alt.value(TEXT)),
    )
    marked = base.transform_filter("datum.fair").mark_rect(
        filled=False, stroke=ORANGE, strokeWidth=4
    )
    return page_wide(
        alt.LayerChart(layer=[cells, numbers, marked]),
        height=26 * max(frame["rows"].nunique(), 2),
        description="Standardized information for numbers of bins of both columns",
    )


def two_numbers_figure(pair: SinglePair, fair: FairPairBins, score: float) -> Figure:
    """Information against the numbers of bins of both columns of a pair."""
    frame = two_numbers_frame(fair)
    return Figure.of_chart(
        two_numbers_chart(frame, pair.names),
        "Standardized information against the numbers of bins of both columns",
        two_numbers_sentence(pair, fair, score),
        frame,
    )


def two_numbers_sentence(pair: SinglePair, fair: FairPairBins, score: float) -> str:
    """The fair choice and this page's, in words."""
    used = [
        len(column.states) - (column.missing_code >= 0)
        for column in (pair.first, pair.second)
    ]
    told = f"This page uses {used[0]} × {used[1]} bins, with SI = {score:.2f}. "
    chosen = f"{fair.row_bins} × {fair.column_bins}"
    if fair.p_value > SIGNIFICANCE:
        return (
            f"{told}The search for better bins finds no more than in random tables "
            f"(p = {fair.p_value:.2f}), so the fair choice is the fewest: {chosen}."
        )
    return (
        f"{told}The **fair choice is {chosen} bins** (framed), with SI = "
        f"{float(fair.informations.max()):.2f} on a fine grid "
        f"(p = {fair.p_value:.2g} against the same search in random tables)."
    )
