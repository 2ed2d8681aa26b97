"""Between the two conditions: one slider (Sec. 4).

The measures are ``J = (G^power - d^power) / d^share``.  Near independence J grows per
null standard deviation like ``d^(power - share - 1/2)``, far out like ``G^power /
d^share``: condition 1 asks for ``share = power - 1/2``, condition 2 for ``share = 0``.
The slider ``walk`` goes along the first line from -1 (the z-score) to 0 and along the
second from 0 to 1 (bias-corrected information); only at 0, the square root, they meet.
"""

from collections.abc import Sequence
from typing import Final

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from siviz.charts.conditions import (
    ALL_ALIKE,
    DOMAINS,
    FAR,
    NEAR,
    TITLES,
    TRIO,
    ZOOMS,
    Zoom,
    degrees_of_freedom,
    times,
    too_few,
    trio_colour,
    trio_dash,
)
from siviz.charts.figure import Figure
from siviz.charts.frame import Data
from siviz.charts.theme import GREY, RED
from siviz.tables import Array

STOPS: Final = {-1.0: "the z-score", 0.0: "SI", 1.0: "bias-corrected MI"}
"""Where the slider meets a measure that has a name."""
STEPS: Final = 50
"""Pieces of each curve."""
_WAYS: Final = pd.DataFrame(
    {"power": [0.5, 1, 0.5, 1], "share": [0, 0.5, 0, 0], "line": [1, 1, 2, 2]}
)
_NAMED_WAYS: Final = _WAYS.drop(columns="line").assign(
    name=[f"condition {line}" for line in _WAYS["line"]]
)
_PLACES: Final = pd.DataFrame(
    [
        (1.06, 0.5, "z-score"),
        (0.46, 0.0, "SI"),
        (1.09, 0.0, "bias-corrected"),
        (0.7, 0.32, "condition 1"),
        (0.75, -0.08, "condition 2"),
    ],
    columns=["power", "share", "name"],
)


def power_and_share(walk: float) -> tuple[float, float]:
    """The power of G and the share of d at a place of the slider."""
    return (1 + abs(walk)) / 2, max(-walk, 0) / 2


def walk_measure(g: ArrayLike, dof: ArrayLike, *, walk: float) -> Array:
    """The measure at a place of the slider.

    Examples
    --------
    >>> float(walk_measure(16.0, 4.0, walk=0.0))  # sqrt(G) - sqrt(d)
    2.0
    """
    power, share = power_and_share(walk)
    g, dof = np.asarray(g, dtype=float), np.asarray(dof, dtype=float)
    return (g**power - dof**power) / dof**share


def walk_frame(states: Sequence[int], sample_size: int, walk: float) -> pd.DataFrame:
    """The curves of `walk_chart`, a row a point.

    Columns ``zoom``, ``pair``, ``dof``, ``walk``, ``x``, ``value`` (the measure) and
    ``height``, its share of the steepest tangent's rise or of the highest end.
    """
    near = np.linspace(-NEAR, NEAR, STEPS + 1)
    far = np.linspace(0, FAR, STEPS + 1)
    d = np.array([degrees_of_freedom(k) for k in states])[:, None]
    g_near = np.maximum(d + near * np.sqrt(2 * d), 0)
    g_far = np.broadcast_to(2 * sample_size * far, g_near.shape)
    value = walk_measure([g_near, g_far], d, walk=walk)  # zooms, pairs, points
    units = np.reshape([*_units(states, sample_size, walk).values()], (-1, 1, 1))
    columns = {
        "zoom": np.reshape(ZOOMS, (-1, 1, 1)),
        "pair": np.reshape(TRIO, (-1, 1)),
        "dof": d,
        "walk": walk,
        "x": np.stack([near, far])[:, None],
        "value": value,
        "height": value / units,
    }
    return pd.DataFrame(
        {
            name: np.broadcast_to(column, value.shape).ravel()
            for name, column in columns.items()
        }
    )


def _units(states: Sequence[int], sample_size: int, walk: float) -> dict[str, float]:
    power, share = power_and_share(walk)
    d = np.array([degrees_of_freedom(k) for k in states])
    rises = NEAR * np.sqrt(2) * power * d ** (power - share - 0.5)
    ends = np.abs(walk_measure(2 * sample_size * FAR, d, walk=walk))
    return {"near": float(rises.max()), "far": float(ends.max())}


def walk_ratios(states: Sequence[int], walk: float) -> dict[Zoom, float]:
    """Steepest to flattest slope near independence, highest to lowest curve far out.

    The first is condition 1 if it is 1, the second, for N → ∞, condition 2.
    """
    dofs = [degrees_of_freedom(k) for k in states]
    spread = max(dofs) / min(dofs)
    power, share = power_and_share(walk)
    return {"near": spread ** (power - share - 0.5), "far": spread**share}


def walk_figures(
    states: Sequence[int], sample_size: int, walk: float
) -> dict[str, Figure]:
    """Three pairs at a place of the slider, near and far out, and a map of its way."""
    frame = walk_frame(states, sample_size, walk)
    zooms = {
        f"walk-{zoom}": Figure(
            zoom_chart,
            {"curves": frame[frame["zoom"] == zoom]},
            "The measure at the slider's place, for three pairs",
            zoom_sentence(states, sample_size, walk, zoom),
            {"zoom": zoom},
        )
        for zoom in ZOOMS
    }
    return {**zooms, "walk": map_figure(walk)}


def zoom_sentence(
    states: Sequence[int], sample_size: int, walk: float, zoom: Zoom
) -> str:
    """Whether the condition of this zoom holds, in words."""
    if len(set(states)) == 1:
        return ALL_ALIKE
    ratio = times(walk_ratios(states, walk)[zoom])
    if zoom == "near":
        holds = "holds" if walk <= 0 else "fails"
        told = "near independence the steepest slope is"
        return f"**Condition 1 {holds}**: {told} {ratio} × the flattest."
    holds = "holds" if walk >= 0 else "fails"
    told = "far out, as data grow, the highest curve is"
    few = too_few(states, sample_size)
    sentence = f"**Condition 2 {holds}**: {told} {ratio} × the lowest."
    return f"{few} {sentence}" if few else sentence


def zoom_chart(curves: Data, *, zoom: Zoom) -> alt.Chart:
    """One curve a pair; they lie on each other where the measure is fair."""
    across, up = DOMAINS[zoom]
    x = alt.X("x:Q", title=TITLES[zoom]).scale(domain=across, nice=False, zero=False)
    y = alt.Y("height:Q", title="share of the highest")
    lines = alt.Chart(curves).mark_line(clip=True, strokeWidth=2.5)
    lines = lines.encode(
        x=x.axis(tickCount=5),
        y=y.scale(domain=up, nice=False).axis(format="%", tickCount=3),
        color=trio_colour(),
        strokeDash=trio_dash(),
        tooltip=[
            alt.Tooltip("pair:N"),
            alt.Tooltip("dof:Q", title="degrees of freedom", format=",d"),
            alt.Tooltip("x:Q", title=TITLES[zoom], format=".3f"),
            alt.Tooltip("value:Q", title="measure", format=".4g"),
        ],
    )
    return lines.properties(height=230)


def map_figure(walk: float) -> Figure:
    """Where the slider stands between the two conditions."""
    power, share = power_and_share(walk)
    place = {"walk": [walk], "power": [power], "share": [share]}
    here = pd.DataFrame(place)
    return Figure(
        map_chart,
        {"place": here},
        "A line for each condition, and the place of the slider on them",
        walk_sentence(walk),
        table=pd.concat([here.assign(name="the slider"), _NAMED_WAYS]),
    )


def map_chart(place: Data) -> alt.LayerChart | alt.FacetChart:
    """A map of the way from one condition to the other."""
    point = alt.Chart(place).mark_point(filled=True, size=160, opacity=1, color=RED)
    return map_of_ways(
        point.encode(
            tooltip=[
                alt.Tooltip("power:Q", title="power of G", format=".2f"),
                alt.Tooltip("share:Q", title="power of d it is divided by"),
            ]
        )
    )


def map_of_ways(point: alt.Chart) -> alt.LayerChart | alt.FacetChart:
    """Power against share: one line a condition, and the point that walks on them."""
    x = alt.X("power:Q", title="power λ of G").scale(domain=[0.42, 1.18], nice=False)
    y = alt.Y("share:Q", title=None).scale(domain=[-0.14, 0.6], nice=False)
    x = x.axis(tickCount=4)
    y = y.axis(labels=False, ticks=False, domain=False, grid=False)
    ways = alt.Chart(_WAYS).mark_line(color=GREY, strokeWidth=1.5)
    labels = alt.Chart(_PLACES).mark_text(fontSize=12)
    chart = alt.layer(
        ways.encode(x=x, y=y, detail="line:N"),
        labels.encode(x=x, y=y, text="name:N"),
        point.encode(x=x, y=y),
    )
    return chart.properties(height=170)


def walk_sentence(walk: float) -> str:
    """What the measure at this place of the slider is, in words."""
    power, share = power_and_share(walk)
    over = f", divided by d to the power {share:.3g}" if share else ""
    name = f", which is **{STOPS[walk]}** up to a factor" if walk in STOPS else ""
    if walk == 0:
        name = ", which is **SI**: the only place with both conditions"
    return (
        f"Here the measure is G to the power {power:.3g}, less d to the same power"
        f"{over}{name}."
    )
