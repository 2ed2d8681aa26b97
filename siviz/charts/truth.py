"""True distributions as heat maps: each cell against what independence would give."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import Data
from siviz.charts.theme import GREY
from siviz.scenarios import TrueDistribution

Views: TypeAlias = Callable[[float], Mapping[str, TrueDistribution]]
"""Distributions by name, linear in z and with the same margins for every z."""

# Each table is a square of this side, with a gap of 1 between tables.
_SIDE: Final = 4.0
# A step in z inside the range of every scenario.
_SMALL: Final = 0.0625


def truth_frame(views: Views, z: float) -> pd.DataFrame:
    """One row a cell of every view at z.

    Columns ``view``, ``row``, ``column``, the place (``x``, ``x2``, ``y``, ``y2``),
    ``probability``, ``independent`` (what the margins alone would give), and ``start``
    and ``slope`` of the probability as a function of z.
    """
    first, here = views(0.0), views(z)
    step = views(_SMALL)
    frames = []
    for place, (name, truth) in enumerate(here.items()):
        joint = truth.probabilities
        rows, columns = (index.ravel() for index in np.indices(joint.shape))
        height, width = _SIDE / joint.shape[0], _SIDE / joint.shape[1]
        left = place * (_SIDE + 1)
        margins = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        start = first[name].probabilities
        slope = (step[name].probabilities - start) / _SMALL
        frames.append(
            pd.DataFrame(
                {
                    "view": name,
                    "row": rows + 1,
                    "column": columns + 1,
                    "x": left + columns * width,
                    "x2": left + (columns + 1) * width,
                    "y": rows * height,
                    "y2": (rows + 1) * height,
                    "probability": joint.ravel(),
                    "independent": margins.ravel(),
                    "start": start.ravel(),
                    "slope": slope.ravel().round(9),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def truth_figure(
    views: Views, z: float, variables: tuple[str, str], sentence: str
) -> Figure:
    """The true tables at z; ``variables`` are what rows and columns stand for."""
    return Figure(
        truth_chart,
        {"cells": truth_frame(views, z)},
        "Heat maps of the true tables",
        sentence,
        {"variables": variables},
    )


def truth_chart(
    cells: Data, *, variables: tuple[str, str], calculate: str | None = None
) -> alt.LayerChart:
    """Tables side by side: blue cells are likelier than under independence.

    ``variables`` are what the rows and the columns stand for; ``calculate`` is a Vega
    expression that replaces the probability.
    """
    ends = [0, 2 * _SIDE + 1]
    probability = calculate or "datum.probability"
    base = (
        alt.Chart(cells)
        .transform_calculate(probability=probability)
        .transform_calculate(
            ratio="datum.probability / datum.independent",
            part="datum.probability > 1e-12 ? datum.probability * log(datum.ratio) : 0",
            told="replace(format(datum.probability, '.4~f'), /^0[.]/, '.')",
            middle="(datum.x + datum.x2) / 2",
            centre="(datum.y + datum.y2) / 2",
        )
    )
    x = alt.X("x:Q").axis(None).scale(domain=ends, nice=False)
    y = alt.Y("y:Q").axis(None).scale(domain=[-1, _SIDE], reverse=True, nice=False)
    squares = base.mark_rect(stroke="white", strokeWidth=1).encode(
        x=x,
        x2="x2:Q",
        y=y,
        y2="y2:Q",
        color=alt.Color("ratio:Q", title="times as likely as if independent")
        .scale(scheme="blueorange", reverse=True, domain=[0, 4], domainMid=1)
        .legend(
            orient="bottom", gradientLength=160, titleLimit=300, values=[0, 1, 2, 3, 4]
        ),
        tooltip=[
            alt.Tooltip("row:Q", title=variables[0]),
            alt.Tooltip("column:Q", title=variables[1]),
            alt.Tooltip("probability:Q", format=".4f"),
            alt.Tooltip("independent:Q", title="if independent", format=".4f"),
        ],
    )
    numbers = base.mark_text(fontSize=12).encode(
        x=alt.X("middle:Q").axis(None),
        y=alt.Y("centre:Q").axis(None),
        text="told:N",
        color=alt.condition(
            "datum.ratio > 2.7 || datum.ratio < 0.2",
            alt.value("white"),
            alt.value("#222"),
        ),
    )
    return (squares + numbers + _headings(base)).properties(height=290)


def _headings(base: alt.Chart) -> alt.Chart:
    """Name and true information above each table."""
    return (
        base.transform_aggregate(
            information="sum(part)", left="min(x)", groupby=["view"]
        )
        .transform_calculate(
            heading="[datum.view, format(datum.information, '.4f') + ' nats']",
            top="-0.85",
        )
        .mark_text(align="left", baseline="top", fontSize=13)
        .encode(
            x=alt.X("left:Q", axis=None),
            y=alt.Y("top:Q", axis=None),
            text="heading:N",
        )
    )


@cache
def information_frame(views: Views, most: float) -> pd.DataFrame:
    """True informations from z = 0 to ``most``: ``z``, ``view``, ``information``."""
    return pd.DataFrame(
        [
            (float(z), name, truth.true_information)
            for z in np.linspace(0, most, 51).round(9)
            for name, truth in views(float(z)).items()
        ],
        columns=["z", "view", "information"],
    )


def information_figure(views: Views, z: float, most: float, sentence: str) -> Figure:
    """The true information of each view from z = 0 to ``most``, with a line at z."""
    curves = information_frame(views, most)
    return Figure(
        information_chart,
        {"curves": curves, "here": pd.DataFrame({"z": [z]})},
        "True mutual information of both views against z",
        sentence,
        {"most": most, "reach": float(curves["information"].max())},
    )


def information_chart(
    curves: Data, here: Data, *, most: float, reach: float
) -> alt.LayerChart:
    """The true information of each view against z, and a line at z."""
    x = alt.X("z:Q", title="z (a probability)").scale(domain=[0, most], nice=False)
    y = alt.Y("information:Q", title="true information, nats")
    base = alt.Chart(curves).encode(
        x=x,
        y=y.scale(domain=[0, 1.1 * reach]).axis(tickCount=5),
        tooltip=[
            alt.Tooltip("view:N"),
            alt.Tooltip("z:Q", format=".3f"),
            alt.Tooltip("information:Q", title="true information, nats", format=".4f"),
        ],
    )
    lines = base.mark_line(color=GREY).encode(
        strokeDash=alt.StrokeDash("view:N", legend=None, sort=None)
    )
    names = base.transform_filter(f"datum.z == {most}").mark_text(
        align="right", baseline="bottom", dx=-4, dy=-6
    )
    rule = alt.Chart(here).mark_rule(color=GREY, strokeWidth=1.5)
    layers = rule.encode(x=x) + lines + names.encode(text="view:N")
    return layers.properties(height=210)


def following(figure: Figure, z: float) -> Figure:
    """A figure whose first layer is a line at z, following the slider of a handout."""
    chart = figure.chart
    chart.layer[0] = chart.layer[0].transform_calculate(z="z")
    return Figure.of_chart(
        chart.add_params(alt.param(name="z", value=z)),
        figure.alt,
        f"The line follows the slider for z. It opened here:\n\n{figure.sentence}",
        figure.downloaded,
    )


def truth_handout(
    views: Views, z: float, most: float, variables: tuple[str, str]
) -> Figure:
    """The tables with a slider for z, for a handout."""
    slider = alt.binding_range(min=0, max=most, step=0.005, name="z ")
    chart = truth_chart(
        truth_frame(views, z),
        variables=variables,
        calculate="datum.start + z * datum.slope",
    )
    return Figure.of_chart(
        chart.add_params(alt.param(name="z", value=z, bind=slider)),
        "True probabilities as heat maps, with a slider for z",
        "The true tables: move z and watch what each view can see of it. Blue cells "
        "are likelier than under independence, orange ones less likely.",
    )
