"""Fisher's approximation (Sec. 5.4): SI under independence against a normal curve."""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import altair as alt
import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import ndtr

from siviz.charts.figure import Figure
from siviz.charts.frame import Data, look
from siviz.charts.theme import LINE_LEGEND
from siviz.tables import Array

View: TypeAlias = Literal["density", "cdf"]
VIEWS: Final[tuple[View, ...]] = get_args(View)
NORMAL: Final = "normal, variance ½"
CENTRES: Final = {"√G − √d": 0.0, "√G − √(d − ½)": 0.5}
"""What is subtracted from d under the root: nothing, or Fisher's half."""
LOOKS: Final = {
    "√G − √d": look("si"),
    "√G − √(d − ½)": look("si_calibrated"),
    NORMAL: look("other"),
}
MOST: Final = 20
"""The handout offers degrees of freedom up to this."""
_ENDS: Final = (-2.5, 3.0)
_TITLES: Final = {"density": "density", "cdf": "distribution function"}
_TALLEST: Final = {"density": 1.0, "cdf": 1.0}


def fisher_cdf(x: Array, dof: float, centre: str) -> Array:
    """Exact distribution function of ``sqrt(G) - sqrt(d - less)`` under the null."""
    root = np.maximum(x + np.sqrt(dof - CENTRES[centre]), 0)
    return stats.chi.cdf(root, dof)


def fisher_frame(dof: int, *, points: int = 121) -> pd.DataFrame:
    """Exact and normal curves: ``d``, ``curve``, ``x``, ``density``, ``cdf``."""
    x = np.linspace(*_ENDS, points)
    frames = []
    for centre, less in CENTRES.items():
        root = x + np.sqrt(dof - less)
        # At 0 the density of one degree of freedom jumps: take it from the right.
        density = np.where(root >= 0, stats.chi.pdf(np.maximum(root, 0), dof), 0)
        curves = {"density": density, "cdf": fisher_cdf(x, dof, centre)}
        frames.append(pd.DataFrame({"d": dof, "curve": centre, "x": x, **curves}))
    bell = stats.norm.pdf(x, scale=np.sqrt(0.5))
    curves = {"density": bell, "cdf": ndtr(np.sqrt(2) * x)}
    frames.append(pd.DataFrame({"d": dof, "curve": NORMAL, "x": x, **curves}))
    return pd.concat(frames, ignore_index=True)


@cache
def kolmogorov_distance(dof: int, centre: str) -> float:
    """Largest difference of the exact and the normal distribution function.

    Examples
    --------
    >>> round(kolmogorov_distance(1, "√G − √d"), 3)
    0.189
    """
    x = np.linspace(-6, 6, 12_001)
    return float(np.abs(fisher_cdf(x, dof, centre) - ndtr(np.sqrt(2) * x)).max())


def distance_frame(dofs: Sequence[int]) -> pd.DataFrame:
    """`kolmogorov_distance` for each d: ``d``, ``curve``, ``distance``, ``told``."""
    rows = [
        (dof, centre, kolmogorov_distance(dof, centre))
        for dof in dofs
        for centre in CENTRES
    ]
    frame = pd.DataFrame(rows, columns=["d", "curve", "distance"])
    frame["told"] = [
        f"{centre}: distance {distance:.3f}"
        for centre, distance in zip(frame["curve"], frame["distance"], strict=True)
    ]
    return frame


def fisher_figure(dof: int, view: View) -> Figure:
    """Exact and normal curves for one d."""
    distances = distance_frame([dof])
    return Figure(
        fisher_chart,
        {"curves": fisher_frame(dof), "distances": distances},
        "Null distribution of SI, exact and normal",
        fisher_sentence(distances),
        {"view": view},
    )


def fisher_chart(
    curves: Data, distances: Data, *, view: View, keep: str = "true"
) -> alt.LayerChart:
    """SI under independence, exact for both centres, and Fisher's normal curve.

    ``keep`` is the Vega expression of the rows to draw.
    """
    names = list(LOOKS)
    x = alt.X("x:Q", title="SI if independent (no unit)")
    x = x.scale(domain=list(_ENDS), nice=False).axis(tickCount=6)
    y = alt.Y(
        f"{view}:Q", title={"density": "density", "cdf": "distribution function"}[view]
    )
    y = y.scale(domain=[0, _TALLEST[view]], nice=False)
    colour = alt.Color("curve:N", title=None).scale(
        domain=names, range=[LOOKS[name].colour for name in names]
    )
    dash = alt.StrokeDash("curve:N", title=None).scale(
        domain=names, range=[list(LOOKS[name].dash) for name in names]
    )
    lines = (
        alt.Chart(curves)
        .transform_filter(keep)
        .mark_line(clip=True, strokeWidth=2.5)
        .encode(
            x=x,
            y=y,
            color=colour.legend(orient="top", columns=2, labelLimit=200, **LINE_LEGEND),
            strokeDash=dash,
            tooltip=[
                alt.Tooltip("curve:N"),
                alt.Tooltip("x:Q", format=".2f"),
                alt.Tooltip(f"{view}:Q", format=".4f"),
            ],
        )
    )
    labels = [
        alt.Chart(distances)
        .transform_filter(f"datum.curve == '{centre}'")
        .transform_filter(keep)
        .mark_text(align="right", dx=-8, dy=12 + 20 * row, fontSize=13)
        .encode(
            x=alt.value("width"),
            y=alt.value(0 if view == "density" else 150),
            text="told:N",
        )
        for row, centre in enumerate(CENTRES)
    ]
    return alt.layer(lines, *labels).properties(height=360)  # type: ignore[return-value]


def fisher_sentence(distances: pd.DataFrame) -> str:
    """How good the approximation is, in words."""
    plain, half = distances["distance"]
    dof = int(distances["d"].iloc[0])
    return (
        f"For d = {dof} the normal curve is off by at most {plain:.1%} of probability "
        f"around √d and by {half:.1%} around √(d − ½): the half makes it "
        f"{plain / half:.1f} times as close."
    )


def fisher_handout(dof: int, view: View) -> Figure:
    """The figure with a slider for d; all curves travel in the file."""
    bound = alt.binding_range(min=1, max=MOST, step=1, name="Degrees of freedom d ")
    chart = _handout_chart(view).copy(deep=False)
    slider = alt.VariableParameter("dof", value=min(dof, MOST), bind=bound)
    chart.params = [slider]
    return Figure.of_chart(
        chart,
        "Null distribution of SI and a normal curve, with a slider for d",
        "The distance is the largest difference of the distribution functions.",
    )


@cache
def _handout_chart(view: View) -> alt.LayerChart:
    dofs = range(1, MOST + 1)
    curves = pd.concat([fisher_frame(d, points=67) for d in dofs]).round(4)
    return fisher_chart(curves, distance_frame(dofs), view=view, keep="datum.d == dof")
