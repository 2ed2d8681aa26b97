"""Sparse tables: what different nulls predict for G, and who wins among noise."""

from collections.abc import Mapping
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import (
    Data,
    as_told,
    half_rule,
    measure_axis,
    measure_colour,
    signed,
    told_number,
)
from siviz.charts.study import study_frame
from siviz.charts.theme import BLUE, GREY, LINE_LEGEND, RED, SKY, SOLID, VERMILION
from siviz.information import likelihood_ratio
from siviz.nulls import Null, null_moments
from siviz.tables import Counts, as_table

NULLS: Final = {
    "nominal": (SKY, (8, 3)),
    "effective": (VERMILION, (2, 2)),
    "calibrated": (BLUE, SOLID),
}
"""Colour and dash of each null; calibrated and nominal look like their SI."""
# The axis is G in multiples of the nominal degrees of freedom.
_REACH: Final = 2.5
_BINS: Final = 60


def sparse_nulls(counts: Counts, *, draws: int = 500, seed: int = 1) -> dict[str, Null]:
    """The four nulls of one table, by kind."""
    table = as_table(counts)
    closed = {kind: null_moments(table, kind=kind) for kind in NULLS}  # type: ignore[arg-type]
    random = null_moments(table, kind="permutation", draws=draws, rng=seed)
    return {**closed, "permutation": random}


def sparse_table_frame(counts: Counts, nulls: Mapping[str, Null]) -> pd.DataFrame:
    """One row a null: ``null``, ``mean``, ``deviation`` of G, ``SI`` of the table."""
    g = likelihood_ratio(counts)
    return pd.DataFrame(
        [
            {
                "null": kind,
                "mean": float(null.mean),
                "deviation": float(null.deviation),
                "SI": float(null.standardize(g)),
            }
            for kind, null in nulls.items()
        ]
    )


def moments_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The moments for a reader, rounded."""
    forms = {"mean": "{:,.1f}", "deviation": "{:,.1f}", "SI": "{:.2f}"}
    names = {"mean": "mean of G", "deviation": "± standard deviation"}
    return as_told(frame, forms, {**names, "SI": "SI of this table"})


def sparse_frame(nulls: Mapping[str, Null]) -> pd.DataFrame:
    """Densities of G: ``null``, ``x`` to ``end`` in multiples of d, ``height``.

    Heights are relative to the highest of the same null.  Permutations are a histogram;
    a null that leaves G no freedom has no density.
    """
    dof = max(float(nulls["nominal"].mean), 1.0)
    edges = np.linspace(0, _REACH, _BINS + 1)
    kinds, parts = [], []
    for kind, null in nulls.items():
        if null.draws is not None:
            density = np.histogram(null.draws / dof, edges)[0].astype(float)
            x, end = edges[:-1], edges[1:]
        else:
            x = _around(null, dof)
            end, density = x, null.density(x * dof)
        height = density / np.fmax.reduce(density, initial=1e-300)
        drawn = np.isfinite(x + end + height)
        kinds += [kind] * int(drawn.sum())
        parts.append(np.stack([x, end, height])[:, drawn])
    x, end, height = np.concatenate(parts, axis=1)
    return pd.DataFrame({"null": kinds, "x": x, "end": end, "height": height})


def observed_frame(counts: Counts) -> pd.DataFrame:
    """G of the table in multiples ``x`` of its nominal degrees of freedom.

    Its ``place`` is on the axis, at the end if x lies beyond; ``told`` is its label.
    """
    table = as_table(counts)
    x = float(likelihood_ratio(table) / np.maximum(table.dof, 1))
    beyond = f", at {told_number(x)} →" if x > _REACH else ""
    place = {"x": [x], "place": [min(x, _REACH)], "right": [x > 0.7 * _REACH]}
    return pd.DataFrame({**place, "told": [f"this table{beyond}"]})


def _around(null: Null, dof: float) -> np.ndarray:
    """Places where the density of a null is worth drawing."""
    low, high = null.quantile([0.0005, 0.9995]) / dof
    return np.linspace(max(low, 1e-3), min(high, _REACH), _BINS)


def sparse_figure(counts: Counts, nulls: Mapping[str, Null]) -> Figure:
    """What each null predicts for G of the table, and its G."""
    return Figure(
        sparse_chart,
        {"curves": sparse_frame(nulls), "observed": observed_frame(counts)},
        "What four nulls predict for G, and the G of this table",
        sparse_sentence(counts, nulls),
    )


def sparse_chart(curves: Data, observed: Data) -> alt.LayerChart:
    """What each null predicts for G, and a line at the observed G (both over d)."""
    x = alt.X("x:Q", title="G in multiples of the nominal degrees of freedom d")
    x = x.scale(domain=[0, _REACH], nice=False).axis(tickCount=6)
    y = alt.Y("height:Q", title="relative density if independent")
    y = y.scale(domain=[0, 1.05]).axis(labels=False, ticks=False, grid=False)
    base = alt.Chart(curves)
    bars = base.transform_filter("datum.null == 'permutation'").mark_rect(
        color=GREY, opacity=0.45, clip=True, aria=False
    )
    lines = base.transform_filter("datum.null != 'permutation'").mark_line(clip=True)
    dash = alt.StrokeDash("null:N", title="null").scale(
        domain=list(NULLS), range=[dash for _, dash in NULLS.values()]
    )
    colour = (
        alt.Color("null:N", title="null")
        .scale(domain=list(NULLS), range=[colour for colour, _ in NULLS.values()])
        .legend(orient="top", **LINE_LEGEND)
    )
    theory = lines.encode(
        x=x,
        y=y,
        color=colour,
        strokeDash=dash,
        tooltip=["null:N", alt.Tooltip("x:Q", title="G / d", format=".3f")],
    )
    seen = alt.Chart(observed)
    rule = seen.mark_rule(strokeWidth=2.5, color=RED).encode(
        x="place:Q", tooltip=[alt.Tooltip("x:Q", title="observed G / d", format=".3f")]
    )
    # A name beyond the end of the axis would push the whole plot aside.
    name = {"y": alt.value(8), "x": "place:Q", "text": "told:N"}
    left = seen.transform_filter("!datum.right").mark_text(
        align="left", dx=6, fontSize=13
    )
    right = seen.transform_filter("datum.right").mark_text(
        align="right", dx=-6, fontSize=13
    )
    names = left.encode(**name) + right.encode(**name)
    layers = bars.encode(x=x, x2="end:Q", y=y) + theory + rule + names
    return layers.properties(height=340)


def winners_figure(study: pd.DataFrame, measures: tuple[str, ...]) -> Figure:
    """Who wins among noise, from a `siviz.experiments.fairness_study`."""
    winners = study_frame(study)
    return Figure(
        winners_chart,
        {"winners": winners},
        "How often each measure ranks the pair with two states first among noise",
        winners_sentence(winners),
        {"measures": measures},
    )


def winners_chart(winners: Data, *, measures: tuple[str, ...]) -> alt.LayerChart:
    """How often a 2 x 2 pair beats a k x k pair when both are noise; half is fair."""
    base = alt.Chart(winners).encode(
        y=measure_axis("label", measures),
        tooltip=[
            alt.Tooltip("label:N", title="measure"),
            alt.Tooltip("fraction:Q", title="2 x 2 first", format=".1%"),
            alt.Tooltip("standard_error:Q", title="standard error", format=".1%"),
        ],
    )
    x = alt.X("fraction:Q", title="the pair with 2 x 2 states ranked first")
    x = x.scale(domain=[0, 1]).axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=x, color=measure_colour("label", measures).legend(None)
    )
    bars = base.mark_rule(strokeWidth=2.5).encode(
        x="low:Q", x2="high:Q", color=measure_colour("label", measures).legend(None)
    )
    return (half_rule() + bars + points).properties(height=70 + 28 * len(measures))


def sparse_sentence(counts: Counts, nulls: Mapping[str, Null]) -> str:
    """How far each null is from the calibrated one, in words.

    Its mean is exact; that of random tables would bring their error into the distances.
    """
    table, right = as_table(counts), nulls["calibrated"]
    spread = float(right.deviation)
    if spread == 0:
        return "These margins leave G no freedom: there is nothing to learn from it."
    # Adding 0 turns a rounded -0.0 into 0.0.
    off = {
        kind: signed("{:+.1f}", round(float(null.mean - right.mean) / spread, 1) + 0.0)
        for kind, null in nulls.items()
    }
    rows, columns = int(table.row_states), int(table.column_states)
    per_cell = float(table.sample_size / (rows * columns))
    missing = as_table(counts).cells.shape[-2:] != (rows, columns)
    cells = f"cell of the {rows} × {columns} states that occur" if missing else "cell"
    random = nulls["permutation"]
    draws = 0 if random.draws is None else random.draws.size
    return (
        f"{told_number(per_cell)} observations per {cells}. Independence predicts "
        f"G = {right.mean:,.1f} ± {spread:,.1f} by the calibrated null; "
        f"{draws:,} random tables with the same margins (grey) have "
        f"{random.mean:,.1f} ± {random.deviation:,.1f}. The nominal mean is "
        f"{off['nominal']} and the effective one {off['effective']} standard "
        "deviations away."
    )


def winners_sentence(frame: pd.DataFrame) -> str:
    """Which measures are fair within the error, in words."""
    low, high = frame["low"].to_numpy(), frame["high"].to_numpy()
    label = frame["label"].to_numpy(dtype=object)
    open_ = f"Not told from fair by {int(frame['resamples'].iloc[0]):,} draws"
    told = [
        f"{what}: {'; '.join(label[members])}."
        for what, members in (
            (open_, (low <= 0.5) & (high >= 0.5)),
            ("Favour noise with many states", high < 0.5),
            ("Favour noise with two states", low > 0.5),
        )
        if members.any()
    ]
    return " ".join(told)
