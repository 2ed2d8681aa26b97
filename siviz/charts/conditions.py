"""The two conditions (Sec. 3): how measures grow near independence and far from it.

Three pairs with different numbers of states are compared.  Near independence the axis
counts standard deviations of the null; far from it, nats of mutual information.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import (
    PAIR_COLOURS,
    PAIR_DASHES,
    PAIRS,
    Data,
    apart,
    short_label,
)
from siviz.charts.theme import GREY, LINE_LEGEND
from siviz.nulls import Null
from siviz.tables import Array

Zoom: TypeAlias = Literal["near", "far"]
ZOOMS: Final[tuple[Zoom, ...]] = get_args(Zoom)

TRIO: Final = (*PAIRS, "(U, V)")
TRIO_COLOURS: Final = (*PAIR_COLOURS, "#2A8C82")
TRIO_DASHES: Final = (*PAIR_DASHES, (2, 2))
"""Names and looks of the three pairs."""

GROWING: Final = {short_label(key): key for key in ("z_score", "mi_bc", "nmi", "si")}
"""The measures that Sec. 3 to 5 compare, by short label."""

NEAR: Final = 0.5
"""The zoom near independence shows this many null standard deviations either side."""
FAR: Final = float(np.log(2))
"""Î at the end of the other zoom, in nats: the most that two states can share."""
TITLES: Final[dict[Zoom, str]] = {
    "near": "Î less its null mean, null standard deviations",
    "far": "mutual information Î, nats",
}
DOMAINS: Final[dict[Zoom, tuple[list[float], list[float]]]] = {
    "near": ([-NEAR, NEAR], [-1.35, 1.35]),
    "far": ([0.0, 0.7], [-0.3, 1.05]),
}
ALL_ALIKE: Final = "With one number of states for all pairs every measure looks fair."
_POINTS: Final = 81
_UNLIMITED: Final = 1e15
# A difference of a ratio from 1 which that much data still leave.
_UNSEEN: Final = 1e-5


def degrees_of_freedom(states: int) -> float:
    """Of a pair with as many states on both sides, ``(k - 1)^2``."""
    return float((states - 1) ** 2)


def grown(measure: str, states: int, g: Array, sample_size: float) -> Array:
    """A measure of a square pair with evenly filled margins, as a function of G."""
    dof = degrees_of_freedom(states)
    null = Null(np.asarray(dof), np.asarray(2 * dof))
    if measure == "z_score":
        return null.z_score(g)
    if measure == "si":
        return null.standardize(g)
    nats = np.asarray(g) / (2 * sample_size)
    if measure == "mi_bc":
        return nats - dof / (2 * sample_size)
    if measure == "nmi":
        return nats / np.log(states)
    raise ValueError(
        f"measure must be one of {', '.join(GROWING.values())}; got {measure!r}"
    )


def slope(measure: str, states: int, sample_size: float) -> float:
    """How fast a measure grows at the null mean, per null standard deviation of G."""
    spread = float(np.sqrt(degrees_of_freedom(states) / 2) / sample_size)
    return {
        "z_score": 1.0,
        "si": float(np.sqrt(0.5)),
        "mi_bc": spread,
        "nmi": spread / float(np.log(states)),
    }[measure]


def conditions_frame(
    measure: str, states: Sequence[int], sample_size: int, zoom: Zoom
) -> pd.DataFrame:
    """Curves of three pairs: ``pair``, ``dof``, ``x``, ``value``, ``height``.

    ``x`` counts null standard deviations ("near") or nats ("far"); ``value`` is the
    measure, ``height`` its share of the highest curve.
    """
    frames = []
    for name, k in zip(TRIO, states, strict=True):
        d = degrees_of_freedom(k)
        if zoom == "near":
            x = np.linspace(-NEAR, NEAR, _POINTS)
            g = np.maximum(d + x * np.sqrt(2 * d), 0)
        else:
            x = np.linspace(0, FAR, _POINTS)
            g = 2 * sample_size * x
        value = grown(measure, k, g, sample_size)
        frames.append(pd.DataFrame({"pair": name, "dof": d, "x": x, "value": value}))
    frame = pd.concat(frames, ignore_index=True)
    frame["height"] = frame["value"] / _highest(measure, states, sample_size, zoom)
    return frame


def _highest(
    measure: str, states: Sequence[int], sample_size: int, zoom: Zoom
) -> float:
    """The unit of the heights: the tangent's rise, or the highest end of a curve."""
    if zoom == "far":
        ends = [abs(float(_end(measure, k, sample_size))) for k in states]
        return max(ends)
    return max(
        abs(float(grown(measure, k, np.asarray(degrees_of_freedom(k)), sample_size)))
        + NEAR * slope(measure, k, sample_size)
        for k in states
    )


def _end(measure: str, states: int, sample_size: float) -> Array:
    return grown(measure, states, np.asarray(2 * sample_size * FAR), sample_size)


def slope_ratio(measure: str, states: Sequence[int], sample_size: float) -> float:
    """Steepest to flattest of the pairs at the null mean: 1 is condition 1."""
    slopes = [slope(measure, k, sample_size) for k in states]
    return max(slopes) / min(slopes)


def end_ratio(measure: str, states: Sequence[int], sample_size: float) -> float:
    """Highest to lowest of the pairs at equal, strong Î: 1 is condition 2.

    nan where a pair lies at or below its null mean, for want of data.
    """
    ends = [float(_end(measure, k, sample_size)) for k in states]
    return max(ends) / min(ends) if min(ends) > 0 else float("nan")


def times(ratio: float) -> str:
    """A ratio with two digits, or with as many as tell it from 1.

    Examples
    --------
    >>> times(2.147), times(1.0013), times(1 + 1e-6)
    ('2.15', '1.001', '1.00')
    """
    told = f"{ratio:.2f}"
    if told != "1.00" or abs(ratio - 1) < _UNSEEN:
        return told
    return apart(ratio, 1.0)[0]


def too_few(states: Sequence[int], sample_size: int) -> str:
    """That condition 2 cannot be seen at this sample size, or nothing if it can."""
    if 2 * sample_size * FAR > max(map(degrees_of_freedom, states)):
        return ""
    return (
        f"With {sample_size:,} observations even {FAR:.2f} nats lie below the null "
        "mean of a pair: condition 2 speaks of much data."
    )


def conditions_table(states: Sequence[int], sample_size: int) -> pd.DataFrame:
    """All measures for a reader: by how much three pairs differ in either zoom."""

    def told(ratio: float) -> str:
        return f"× {times(ratio)}" if np.isfinite(ratio) else "too few data"

    return pd.DataFrame(
        [
            {
                "measure": label,
                "slopes": told(slope_ratio(key, states, sample_size)),
                "ends": told(end_ratio(key, states, sample_size)),
                "ends, N → ∞": told(end_ratio(key, states, _UNLIMITED)),
                "holds": _holding(key),
            }
            for label, key in GROWING.items()
        ]
    )


MEETING: Final[dict[Zoom, tuple[str, ...]]] = {
    "near": ("z_score", "si"),
    "far": ("mi_bc", "si"),
}
"""The measures for which the condition of a zoom holds, whatever the pairs."""


def _holding(measure: str) -> str:
    """Which conditions hold for a measure, in a word."""
    first, second = (measure in MEETING[zoom] for zoom in ZOOMS)
    if first and second:
        return "both"
    return "1" if first else "2" if second else "neither"


def trio_colour(field: str = "pair") -> alt.Color:
    """Colour by pair, with a legend."""
    return (
        alt.Color(f"{field}:N", title=None)
        .scale(domain=list(TRIO), range=list(TRIO_COLOURS))
        .legend(orient="top", **LINE_LEGEND)
    )


def trio_dash(field: str = "pair") -> alt.StrokeDash:
    """Dash by pair, to go with `trio_colour`."""
    return alt.StrokeDash(f"{field}:N", title=None).scale(
        domain=list(TRIO), range=list(TRIO_DASHES)
    )


def conditions_figure(
    measure: str, states: Sequence[int], sample_size: int, zoom: Zoom
) -> Figure:
    """One measure of three pairs in one zoom."""
    return Figure(
        conditions_chart,
        {"curves": conditions_frame(measure, states, sample_size, zoom)},
        "One measure of three pairs",
        conditions_sentence(measure, states, sample_size, zoom),
        {"measure": measure, "zoom": zoom},
    )


def conditions_chart(curves: Data, *, measure: str, zoom: Zoom) -> alt.LayerChart:
    """One curve a pair; they lie on each other where the measure is fair."""
    across, up = DOMAINS[zoom]
    x = alt.X("x:Q", title=TITLES[zoom]).axis(tickCount=6)
    x = x.scale(domain=across, nice=False, zero=False)
    y = alt.Y("height:Q", title=f"{short_label(measure)}, share of the highest")
    lines = (
        alt.Chart(curves)
        .mark_line(clip=True, strokeWidth=2.5)
        .encode(
            x=x,
            y=y.scale(domain=up, nice=False).axis(format="%", tickCount=5),
            color=trio_colour(),
            strokeDash=trio_dash(),
            tooltip=[
                alt.Tooltip("pair:N"),
                alt.Tooltip("dof:Q", title="degrees of freedom", format=",d"),
                alt.Tooltip("x:Q", title=TITLES[zoom], format=".3f"),
                alt.Tooltip("value:Q", title=short_label(measure), format=".4g"),
            ],
        )
    )
    zero = alt.Chart(alt.Data(values=[{}])).mark_rule(
        color=GREY, strokeDash=[3, 3], aria=False
    )
    return (zero.encode(y=alt.datum(0)) + lines).properties(height=320)


def conditions_sentence(
    measure: str, states: Sequence[int], sample_size: int, zoom: Zoom
) -> str:
    """Whether the condition of this zoom holds, in words."""
    if len(set(states)) == 1:
        return ALL_ALIKE
    told = _near_sentence if zoom == "near" else _far_sentence
    return told(measure, states, sample_size)


def _near_sentence(measure: str, states: Sequence[int], sample_size: int) -> str:
    ratio = slope_ratio(measure, states, sample_size)
    if measure == "nmi":
        return (
            f"**Condition 1 fails.** Chance alone does not give 0, and one standard "
            f"deviation of luck moves one pair {times(ratio)} times as far as another."
        )
    if measure in MEETING["near"]:
        return (
            "**Condition 1 holds.** All curves pass 0 with one slope: a standard "
            "deviation of luck counts the same for every pair."
        )
    return (
        "**Condition 1 fails.** One standard deviation of luck moves one pair "
        f"{times(ratio)} times as far as another: among weak dependences many states "
        "win."
    )


def _far_sentence(measure: str, states: Sequence[int], sample_size: int) -> str:
    ratio = end_ratio(measure, states, sample_size)
    limit = end_ratio(measure, states, _UNLIMITED)
    if not np.isfinite(ratio):
        return too_few(states, sample_size)
    now = f"At {FAR:.2f} nats the curves differ by a factor {times(ratio)}"
    if measure in MEETING["far"]:
        return f"**Condition 2 holds.** {now}; the difference fades as N grows."
    return (
        f"**Condition 2 fails.** {now}, and by {times(limit)} however much data there "
        "is: among strong dependences few states win."
    )
