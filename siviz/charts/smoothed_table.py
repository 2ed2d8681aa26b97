"""A table of probabilities before and after smoothing, as heat maps."""

from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import Data, apart
from siviz.charts.labels import markdown_name, told_state
from siviz.labelled_tables import LabelledTable
from siviz.tables import Array

MOST_DRAWN: Final = 900
"""Cells of the largest table that is drawn."""
_MOST_NUMBERED: Final = 130
_SHORT_LABEL: Final = 6
FIELDS: Final = {
    "raw": "**As observed.** A cell that never occurred has the probability 0.",
    "smoothed": "**Smoothed** by N′ virtual observations, on the same colours.",
}
_SEPARATOR: Final = " · "


def split_axes(shape: tuple[int, ...]) -> int:
    """How many variables go into the rows, so that the drawing is nearly square.

    Examples
    --------
    >>> split_axes((4, 4, 2, 2))
    2
    """
    if len(shape) == 1:
        return 0
    sides = {k: (prod(shape[:k]), prod(shape[k:])) for k in range(1, len(shape))}
    # Ties go to more rows than columns, which also fit on a phone.
    return min(sides, key=lambda k: (max(sides[k]) / min(sides[k]), -k))


def smoothed_table_frame(table: LabelledTable, size: float) -> pd.DataFrame:
    """One row a cell: ``row``, ``column``, ``count``, ``raw``, ``smoothed``, ``cell``.

    Several variables on a side are joined in the labels.
    """
    return _raw_frame(table).assign(smoothed=table.probabilities(size).ravel())


@lru_cache(maxsize=16)  # a slider moves N' only, and the names take longest
def _raw_frame(table: LabelledTable) -> pd.DataFrame:
    split = split_axes(table.counts.shape)
    indices = list(np.ndindex(table.counts.shape))
    return pd.DataFrame(
        {
            "row": [_joined(table, index, 0, split) for index in indices],
            "column": [
                _joined(table, index, split, len(table.names)) for index in indices
            ],
            "count": table.counts.ravel(),
            "raw": table.probabilities().ravel(),
            "cell": [table.label(index) for index in indices],
        }
    )


def _joined(table: LabelledTable, index: tuple[int, ...], low: int, high: int) -> str:
    return _SEPARATOR.join(table.states[i][index[i]] for i in range(low, high))


def side_titles(table: LabelledTable) -> tuple[str, str]:
    """Names of the variables in the rows and in the columns."""
    split, words = split_axes(table.counts.shape), table.words
    return _SEPARATOR.join(words[:split]), _SEPARATOR.join(words[split:])


def table_heading(table: LabelledTable) -> str:
    """What the cells are: probabilities of states, or of one variable given others."""
    words = [markdown_name(word) for word in table.words]
    if table.conditional:
        return f"Probabilities of {words[-1]} given {', '.join(words[:-1])}"
    return f"Joint probabilities of {', '.join(words)}"


def is_drawable(table: LabelledTable) -> bool:
    """Whether the table has few enough cells for a picture."""
    return table.counts.size <= MOST_DRAWN


class MapForm(NamedTuple):
    """What the form of a heat map depends on; not on N'."""

    titles: tuple[str, str]
    """Of the rows and of the columns."""
    top: float
    """End of the colour scale."""
    numbered: bool
    angle: float
    """Of the labels of the columns."""


def map_form(table: LabelledTable) -> MapForm:
    """The form of the heat maps of a table."""
    frame = _raw_frame(table)
    # Conditional probabilities of any table reach up to 1, joint ones hardly ever.
    top = 1.0 if table.conditional else float(frame["raw"].max())
    short = frame["column"].str.len().max() <= _SHORT_LABEL
    return MapForm(
        side_titles(table), top, len(frame) <= _MOST_NUMBERED, 0 if short else 40
    )


def smoothed_table_figures(table: LabelledTable, size: float) -> dict[str, Figure]:
    """The table as observed (``raw``) and ``smoothed``; none if it is too large."""
    if not is_drawable(table):
        return {}
    cells, form = smoothed_table_frame(table, size), map_form(table)
    return {
        field: Figure(
            smoothed_table_chart,
            {"cells": cells},
            f"Heat map of the {field} probabilities",
            told,
            {"field": field, "form": form},
        )
        for field, told in FIELDS.items()
    }


def smoothed_table_chart(cells: Data, *, field: str, form: MapForm) -> alt.LayerChart:
    """A heat map of the field ``raw`` or ``smoothed``, on one colour scale for both."""
    return heat_map(alt.Chart(cells), field=field, form=form)


def heat_map(chart: alt.Chart, *, field: str, form: MapForm) -> alt.LayerChart:
    """The same from a chart that may compute its fields in the browser."""
    (rows, columns), top, numbered, angle = form
    base = chart.encode(
        x=alt.X("column:N", title=columns, sort=None).axis(
            orient="top",
            labelAngle=angle,
            labelLimit=130,
            labelOverlap=False,
            titleAnchor="end",  # it may be wider than the cells
        ),
        y=alt.Y("row:N", title=rows, sort=None).axis(labelLimit=170),
        tooltip=[
            alt.Tooltip("cell:N"),
            alt.Tooltip("count:Q", format=",d"),
            alt.Tooltip("raw:Q", format=".5f"),
            alt.Tooltip("smoothed:Q", format=".5f"),
        ],
    )
    ticks = [top * share for share in (0, 0.2, 1)]
    cells = base.mark_rect(stroke="#8884", strokeWidth=0.5).encode(
        color=alt.Color(f"{field}:Q", title="probability")
        .scale(type="sqrt", domain=[0, top], scheme="blues")
        .legend(orient="bottom", gradientLength=150, format=".2~g", values=ticks)
    )
    layers = [cells, *([_numbers(base, field, top)] if numbered else [])]
    height = alt.Step(24 if numbered else 16)
    return alt.LayerChart(layer=layers).properties(height=height)


def _numbers(base: alt.Chart, field: str, top: float) -> alt.Chart:
    """Probabilities on the cells; a cell that was never seen says 0."""
    dark = f"sqrt(datum.{field} / {top}) > 0.6"
    return (
        base.transform_filter(f"isValid(datum.{field})")
        .transform_calculate(
            shown=f"datum.{field} == 0 ? '0' : datum.{field} < 0.0005 ? "
            f"format(datum.{field}, '.0e') : format(datum.{field}, '.3f')"
        )
        .mark_text(fontSize=11)
        .encode(
            text="shown:N",
            color=alt.condition(dark, alt.value("white"), alt.value("#222")),
        )
    )


def smoothed_table_sentence(table: LabelledTable, size: float) -> str:
    """How many cells were empty, and which estimate moves most, in words."""
    raw, smoothed = table.probabilities(), table.probabilities(size)
    empty = int(np.count_nonzero(table.counts == 0))
    told = f"{empty:,} of {table.counts.size:,} cells were never observed"
    if not is_drawable(table):
        told += " (more cells than a picture can show)"
    if size == 0:
        return f"{told}. N′ = 0 smooths nothing."
    told += f". With N′ = {size:,.4g} "
    told += "none is impossible any more; " if empty and smoothed.min() > 0 else ""
    index = _moved_most(raw, smoothed)
    if index is None:
        return f"{told}no estimate moves."
    before, after = apart(raw[index], smoothed[index])
    return (
        f"{told}the estimate that moves most is the probability of "
        f"{table.label(index, told_state)}: from {before} to {after}."
    )


def _moved_most(raw: Array, smoothed: Array) -> Any:
    move = np.nan_to_num(np.abs(smoothed - raw), nan=0.0)
    if move.max() < 1e-12:
        return None
    return tuple(int(i) for i in np.unravel_index(move.argmax(), move.shape))
