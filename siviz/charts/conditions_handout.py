"""The walk between the two conditions with its sliders in Vega's language (Sec. 4).

What is drawn, and why, is in `siviz.charts.conditions_walk`.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

import altair as alt
import numpy as np

from siviz.charts.conditions import (
    DOMAINS,
    FAR,
    NEAR,
    TITLES,
    TRIO,
    Zoom,
    degrees_of_freedom,
    trio_colour,
    trio_dash,
)
from siviz.charts.conditions_rate import RATE_REACH, rate_sentence
from siviz.charts.conditions_walk import STEPS, map_of_ways, walk_sentence
from siviz.charts.figure import Figure
from siviz.charts.theme import RED

Chart = TypeVar("Chart", alt.VConcatChart, alt.LayerChart | alt.FacetChart)

POWER: Final = "(1 + abs(walk)) / 2"
SHARE: Final = "max(-walk, 0) / 2"
MEASURE: Final = "(pow(G, power) - pow(D, power)) / pow(D, share)"
TANGENT: Final = f"{NEAR} * sqrt(2) * power * pow(D, power - share - 0.5)"
STATISTIC: Final[dict[Zoom, str]] = {
    "near": "max(D + datum.x * sqrt(2 * D), 0)",
    "far": "2 * n * datum.x",
}
TRANSITION: Final = "datum.x * (1 + datum.x / (2 * sqrt(D)) * exp(-rate * datum.x))"


def sliding_walk(
    states: Sequence[int], sample_size: int, walk: float
) -> alt.VConcatChart:
    """Both zooms and a map of the way, with sliders that run in the browser."""
    inputs = _inputs(states, sample_size, walk)
    return _with_parameters(_panels(), [*inputs, *_derived()])


@cache
def _panels() -> alt.VConcatChart:
    return alt.vconcat(_panel("near"), _panel("far"), _map(), spacing=28)


def _with_parameters(
    chart: Chart, parameters: Sequence[alt.VariableParameter]
) -> Chart:
    """A chart with other parameters; building its layers again would be slow."""
    copy = chart.copy(deep=False)
    copy.params = list(parameters)
    return copy


def _inputs(
    states: Sequence[int], sample_size: int, walk: float
) -> list[alt.VariableParameter]:
    log_size = float(np.log10(sample_size))
    way = "all condition 1 ⟷ all condition 2 "
    inputs = [
        _slider("walk", walk, (-1, 1), 0.01, way),
        _slider("log_n", log_size, (1, 7), 0.1, "Sample size, log10 N "),
    ]
    for number, (name, k) in enumerate(zip(TRIO, states, strict=True), start=1):
        inputs.append(_slider(f"k{number}", k, (2, 50), 1, f"States in {name} "))
    return inputs


def _slider(
    name: str, value: float, ends: tuple[float, float], step: float, label: str
) -> alt.VariableParameter:
    bound = alt.binding_range(min=ends[0], max=ends[1], step=step, name=label)
    return alt.VariableParameter(name=name, value=value, bind=bound)


def _derived() -> list[alt.VariableParameter]:
    """Power and share, degrees of freedom, units of both zooms, and their ratios."""
    numbers = range(1, len(TRIO) + 1)
    exprs = {"power": POWER, "share": SHARE, "n": "pow(10, log_n)"}
    exprs |= {f"d{i}": f"pow(k{i} - 1, 2)" for i in numbers}
    ends = [_of_pair(f"abs({MEASURE})", i, f"(2 * n * {FAR})") for i in numbers]
    exprs["unit_near"] = f"max({', '.join(_of_pair(TANGENT, i) for i in numbers)})"
    exprs["unit_far"] = f"max({', '.join(ends)})"
    spread = "max(d1, d2, d3) / min(d1, d2, d3)"
    exprs["ratio_near"] = f"pow({spread}, power - share - 0.5)"
    exprs["ratio_far"] = f"pow({spread}, share)"
    return [alt.VariableParameter(name=name, expr=expr) for name, expr in exprs.items()]


def _of_pair(expression: str, number: int, statistic: str = "G") -> str:
    return expression.replace("G", statistic).replace("D", f"d{number}")


def _curves(
    low: float, high: float, calculations: Sequence[dict[str, str]], x: alt.X, y: alt.Y
) -> list[alt.Chart]:
    """One curve a pair, computed step by step from ``datum.x``."""
    layers = []
    for number, name in enumerate(TRIO, start=1):
        curve = alt.Chart(alt.sequence(0, STEPS + 1, as_="step")).transform_calculate(
            x=f"{low} + ({high} - {low}) * datum.step / {STEPS}", pair=f"'{name}'"
        )
        for calculation in calculations:
            of_pair = {k: _of_pair(expr, number) for k, expr in calculation.items()}
            curve = curve.transform_calculate(**of_pair)
        layers.append(
            curve.mark_line(clip=True, strokeWidth=2.5).encode(
                x=x,
                y=y,
                color=trio_colour(),
                strokeDash=trio_dash(),
                tooltip=["pair:N", _rounded("x"), _rounded(next(iter(calculation)))],
            )
        )
    return layers


def _rounded(field: str) -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", format=".3f")


def _panel(zoom: Zoom) -> alt.LayerChart | alt.FacetChart:
    across, up = DOMAINS[zoom]
    low, high = (-NEAR, NEAR) if zoom == "near" else (0.0, FAR)
    x = alt.X("x:Q", title=TITLES[zoom]).scale(domain=across, nice=False, zero=False)
    y = alt.Y("height:Q", title=None).scale(domain=up, nice=False)
    y = y.axis(labels=False, ticks=False, domain=False, tickCount=3)
    height = f"{MEASURE.replace('G', 'datum.g')} / unit_{zoom}"
    steps = [{"g": STATISTIC[zoom]}, {"height": height}]
    layers = _curves(low, high, steps, x.axis(tickCount=5), y)
    where = {"near": "Near independence", "far": "Far out, N → ∞"}[zoom]
    what, number = {"near": ("slopes", 1), "far": ("curves", 2)}[zoom]
    holds = {"near": "walk <= 0", "far": "walk >= 0"}[zoom]
    told = (  # two lines, which a phone has room for
        f"['{where}: {what} differ × ' + format(ratio_{zoom}, '.3~f'),"
        f" 'condition {number} ' + ({holds} ? 'holds' : 'fails')]"
    )
    return alt.layer(*layers).properties(width=640, height=190, title=_title(told))


def _title(expression: str) -> alt.Title:
    return alt.Title(alt.ExprRef(expression), anchor="start", fontSize=14)


def _map() -> alt.LayerChart | alt.FacetChart:
    """Power against share: one line a condition, and the point that walks on them."""
    point = (
        alt.Chart(alt.sequence(0, 1, as_="step"))
        .transform_calculate(power="power", share="share")
        .mark_point(filled=True, size=160, opacity=1, color=RED)
    )
    told = (
        "'J = (G^' + format(power, '.2f') + ' − d^' + format(power, '.2f') + ')'"
        " + (share > 0 ? ' / d^' + format(share, '.2f') : '')"
        " + (walk == 0 ? ' = SI' : walk == -1 ? ' ∝ z-score'"
        " : walk == 1 ? ' ∝ bias-corrected MI' : '')"
    )
    return map_of_ways(point).properties(width=640, title=_title(told))


def walk_handout(states: Sequence[int], sample_size: int, walk: float) -> Figure:
    """The figure with sliders for everything."""
    return Figure.of_chart(
        sliding_walk(states, sample_size, walk),
        "Both zooms for three pairs, with sliders",
        f"It opened here: {walk_sentence(walk)}",
    )


def rate_handout(states: Sequence[int], rate: float) -> Figure:
    """The family with a rate, and a slider for it."""
    return Figure.of_chart(
        sliding_rate(states, rate),
        "A family of measures against SI and a slider for its rate",
        rate_sentence(states),
    )


def sliding_rate(states: Sequence[int], rate: float) -> alt.LayerChart | alt.FacetChart:
    """`siviz.transition_measure` over sqrt(2), with its rate as a slider."""
    dofs = [
        alt.VariableParameter(name=f"d{number}", value=degrees_of_freedom(k))
        for number, k in enumerate(states, start=1)
    ]
    slider = _slider("rate", rate, (0, 3), 0.05, "rate of transition τ ")
    return _with_parameters(_rate_curves(), [slider, *dofs])


@cache
def _rate_curves() -> alt.LayerChart | alt.FacetChart:
    x = alt.X("x:Q", title="standardized information (no unit)")
    x = x.scale(domain=[0, RATE_REACH], nice=False).axis(tickCount=6)
    y = alt.Y("value:Q", title="J / √2 (no unit)").scale(domain=[0, 30], nice=False)
    layers = _curves(0, RATE_REACH, [{"value": TRANSITION}], x, y)
    told = (
        "rate == 0 ? 'τ = 0: z-scores never meet again'"
        " : 'τ = ' + format(rate, '.2f') + ': furthest from the line of SI at SI = '"
        " + format(1 / rate, '.1f')"
    )
    return alt.layer(*layers).properties(height=320, title=_title(told))
