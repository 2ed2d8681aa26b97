"""A family of measures that meets both conditions at any rate it likes (Sec. 4)."""

from collections.abc import Sequence
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.conditions import TRIO, degrees_of_freedom, trio_colour, trio_dash
from siviz.charts.conditions_walk import STEPS
from siviz.charts.figure import Figure
from siviz.charts.frame import Data
from siviz.standardized import transition_measure

RATE_REACH: Final = 20.0
"""End of the axis of SI."""


def rate_figure(states: Sequence[int], rate: float) -> Figure:
    """The family of measures at a rate."""
    return Figure(
        rate_chart,
        {"curves": rate_frame(states, rate)},
        "A family of measures with a rate, against SI",
        f"{_apart(states, rate)} {rate_sentence(states)}",
    )


def excess(si: float, dof: float, rate: float) -> float:
    """By which share the family lies above SI, largest at ``SI = 1 / rate``.

    Examples
    --------
    >>> round(excess(20, 4, 0.25), 3)
    0.034
    """
    family = transition_measure(np.asarray(si), np.asarray(dof), rate=rate)
    return float(family / (np.sqrt(2) * si) - 1)


def _apart(states: Sequence[int], rate: float) -> str:
    """How far the pair with the fewest states is from the line of SI, in words."""
    if rate == 0:
        return "At τ = 0 these are z-scores, which never meet again."
    few = degrees_of_freedom(min(states))
    end = f"at SI = {RATE_REACH:.0f} by {excess(RATE_REACH, few, rate):.1%}"
    start = f"At τ = {rate:.2f} the pair with d = {few:.0f} lies above the line of SI"
    if 1 / rate >= RATE_REACH:
        return f"{start}, {end}, and is not yet on its way back."
    most = excess(1 / rate, few, rate)
    return f"{start}, most at SI = {1 / rate:.1f}, by {most:.0%}, and {end}."


def rate_chart(curves: Data) -> alt.Chart:
    """`siviz.transition_measure` over sqrt(2) against SI."""
    x = alt.X("x:Q", title="standardized information (no unit)")
    x = x.scale(domain=[0, RATE_REACH], nice=False).axis(tickCount=6)
    y = alt.Y("value:Q", title="J / √2 (no unit)").scale(domain=[0, 30], nice=False)
    lines = alt.Chart(curves).mark_line(clip=True, strokeWidth=2.5)
    lines = lines.encode(
        x=x,
        y=y,
        color=trio_colour(),
        strokeDash=trio_dash(),
        tooltip=[
            alt.Tooltip("pair:N"),
            alt.Tooltip("x:Q", title="SI", format=".2f"),
            alt.Tooltip("value:Q", title="J / √2", format=".2f"),
        ],
    )
    return lines.properties(height=320)


def rate_frame(states: Sequence[int], rate: float) -> pd.DataFrame:
    """The family with a rate against SI: ``pair``, ``dof``, ``x``, ``value``."""
    x = np.linspace(0, RATE_REACH, STEPS + 1)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "pair": name,
                    "dof": degrees_of_freedom(k),
                    "x": x,
                    "value": transition_measure(
                        x, np.asarray(degrees_of_freedom(k)), rate=rate
                    )
                    / np.sqrt(2),
                }
            )
            for name, k in zip(TRIO, states, strict=True)
        ],
        ignore_index=True,
    )


def rate_sentence(states: Sequence[int]) -> str:
    """What the rate changes, in words."""
    few = degrees_of_freedom(min(states))
    end = transition_measure(np.asarray(RATE_REACH), np.asarray(few), rate=0.0)
    return (
        f"At τ = 0 a pair with d = {few:.0f} reaches {float(end) / np.sqrt(2):.0f} "
        f"where SI is {RATE_REACH:.0f}; with every τ above 0 all pairs return to the "
        "line of SI. SI itself needs no rate: the square root bends where G passes a "
        "few times its null mean d, a length that the problem itself offers."
    )
