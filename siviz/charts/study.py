"""What charts of resampling studies share: curves with errors, and where they cross."""

from collections.abc import Sequence
from typing import Final

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from siviz.charts.frame import Data, measure_colour, measure_dash, short_label
from siviz.charts.theme import LINE_LEGEND

MANY_TIES: Final = 0.2
"""A share of ties from which a measure is said to be unable to decide."""
P_VALUES: Final = ("p_value", "p_value_2006")
"""Measures that tie where they round to 0."""
_HALF: Final = 0.5


def study_frame(study: pd.DataFrame) -> pd.DataFrame:
    """A study of `siviz.experiments` with ``label`` and error bars ``low``, ``high``.

    The bars are two standard errors, cut at 0 and 1.
    """
    fraction = study["fraction"].to_numpy()
    error = 2 * study["standard_error"].to_numpy()
    return study.assign(
        label=[short_label(key) for key in study["measure"]],
        low=np.clip(fraction - error, 0, 1),
        high=np.clip(fraction + error, 0, 1),
    )


def fraction_layers(
    frame: Data,
    along: str,
    x: alt.X,
    y: alt.Y,
    measures: Sequence[str],
    title: str,
) -> list[alt.Chart]:
    """Error bars, lines and points of each measure.

    ``along`` is the column on the x axis, ``z`` or ``sample_size``; ``y`` encodes
    ``fraction``, or another column to which ``low`` and ``high`` belong; ``title``
    names the fraction in tooltips.
    """
    colour = measure_colour("label", measures).legend(
        orient="top", columns=2, **LINE_LEGEND
    )
    base = alt.Chart(frame).encode(
        x=x,
        y=y,
        color=colour,
        detail="sample_size:N" if along == "z" else alt.Undefined,
        tooltip=[
            alt.Tooltip("label:N", title="measure"),
            alt.Tooltip("sample_size:Q", title="N", format=",d"),
            alt.Tooltip("z:Q", format=".3f"),
            alt.Tooltip("fraction:Q", title=title, format=".1%"),
            alt.Tooltip("standard_error:Q", title="standard error", format=".1%"),
            alt.Tooltip("ties:Q", format=".1%"),
            alt.Tooltip("resamples:Q", format=",d"),
        ],
    )
    lines = base.mark_line().encode(strokeDash=measure_dash("label", measures))
    bars = base.mark_rule(opacity=0.5).encode(y="low:Q", y2="high:Q")
    return [bars, lines, base.mark_circle(size=28, opacity=1)]


def crossing(x: ArrayLike, fraction: ArrayLike) -> float:
    """Where a curve leaves one half for good, by straight lines; nan if it never does.

    Examples
    --------
    >>> crossing([0, 1, 2, 3], [1.0, 0.8, 0.2, 0.0])
    1.5
    """
    at, share = np.asarray(x, dtype=float), np.asarray(fraction, dtype=float)
    above = share > _HALF
    changes = np.flatnonzero(above[:-1] != above[1:])
    if not changes.size:
        return float("nan")
    k = changes[-1]
    step = (_HALF - share[k]) / (share[k + 1] - share[k])
    return float(at[k] + step * (at[k + 1] - at[k]))


def listed(parts: Sequence[str]) -> str:
    """Words in a row.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
