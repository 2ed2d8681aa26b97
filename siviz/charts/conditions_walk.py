"""Between the two conditions: one slider, in Vega's language (Sec. 4).

The measures are ``J = (G^power - d^power) / d^share``.  Near independence J grows per
null standard deviation like ``d^(power - share - 1/2)``, far out like ``G^power /
d^share``: condition 1 asks for ``share = power - 1/2``, condition 2 for ``share = 0``.
The slider ``walk`` goes along the first line from -1 (the z-score) to 0 and along the
second from 0 to 1 (bias-corrected information); only at 0, the square root, they meet.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

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
from siviz.charts.figure import Figure
from siviz.standardized import transition_measure
from siviz.tables import Array

Chart = TypeVar("Chart", alt.VConcatChart, alt.LayerChart | alt.FacetChart)

STOPS: Final = {"z-score": -1.0, "SI": 0.0, "MI, bias-corrected": 1.0}
"""Where the slider meets a measure that has a name."""
POWER: Final = "(1 + abs(walk)) / 2"
SHARE: Final = "max(-walk, 0) / 2"
MEASURE: Final = "(pow(G, power) - pow(D, power)) / pow(D, share)"
TANGENT: Final = f"{NEAR} * sqrt(2) * power * pow(D, power - share - 0.5)"
STATISTIC: Final[dict[Zoom, str]] = {
    "near": "max(D + datum.x * sqrt(2 * D), 0)",
    "far": "2 * n * datum.x",
}
TRANSITION: Final = "datum.x * (1 + datum.x / (2 * sqrt(D)) * exp(-rate * datum.x))"
_STEPS: Final = 80
_RATE_REACH: Final = 20.0
_WAYS: Final = pd.DataFrame(
    {"power": [0.5, 1, 0.5, 1], "share": [0, 0.5, 0, 0], "line": [1, 1, 2, 2]}
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


def walk_measure(g: ArrayLike, dof: ArrayLike, *, walk: float) -> Array:
    """The measure at a place of the slider.

    Examples
    --------
    >>> float(walk_measure(16.0, 4.0, walk=0.0))  # sqrt(G) - sqrt(d)
    2.0
    """
    power, share = (1 + abs(walk)) / 2, max(-walk, 0) / 2
    g, dof = np.asarray(g, dtype=float), np.asarray(dof, dtype=float)
    return (g**power - dof**power) / dof**share


def walk_frame(states: Sequence[int], sample_size: int, walk: float) -> pd.DataFrame:
    """The curves of `walk_chart`: ``zoom``, ``pair``, ``dof``, ``x``, ``value``."""
    near = np.linspace(-NEAR, NEAR, _STEPS + 1)
    far = np.linspace(0, FAR, _STEPS + 1)
    frames = []
    for name, k in zip(TRIO, states, strict=True):
        d = degrees_of_freedom(k)
        for zoom, x, g in (
            ("near", near, np.maximum(d + near * np.sqrt(2 * d), 0)),
            ("far", far, 2 * sample_size * far),
        ):
            value = walk_measure(g, d, walk=walk)
            facts = {"zoom": zoom, "pair": name, "dof": d, "walk": walk}
            frames.append(pd.DataFrame({**facts, "x": x, "value": value}))
    return pd.concat(frames, ignore_index=True)


def walk_chart(
    states: Sequence[int], sample_size: int, walk: float, *, sliders: str = "walk"
) -> alt.VConcatChart:
    """Both zooms and a map of the way, with a slider that runs in the browser.

    ``sliders="all"`` adds sliders for the sample size and the states, for a handout.
    """
    inputs = _inputs(states, sample_size, walk, sliders)
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
    states: Sequence[int], sample_size: int, walk: float, sliders: str
) -> list[alt.VariableParameter]:
    def inner(
        name: str, value: float, ends: tuple[float, float], step: float, label: str
    ) -> alt.VariableParameter:
        if sliders != "all":
            return alt.VariableParameter(name=name, value=value)
        return _slider(name, value, ends, step, label)

    log_size = float(np.log10(sample_size))
    way = "all condition 1 ⟷ all condition 2 "
    inputs = [
        _slider("walk", walk, (-1, 1), 0.01, way),
        inner("log_n", log_size, (1, 7), 0.1, "Sample size, log10 N "),
    ]
    for number, (name, k) in enumerate(zip(TRIO, states, strict=True), start=1):
        inputs.append(inner(f"k{number}", k, (2, 50), 1, f"States in {name} "))
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
        curve = alt.Chart(alt.sequence(0, _STEPS + 1, as_="step")).transform_calculate(
            x=f"{low} + ({high} - {low}) * datum.step / {_STEPS}", pair=f"'{name}'"
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
    told = (
        f"'{where}: {what} differ × ' + format(ratio_{zoom}, '.2f')"
        f" + ', condition {number} ' + (ratio_{zoom} < 1.005 ? 'holds' : 'fails')"
    )
    return alt.layer(*layers).properties(width=640, height=190, title=_title(told))


def _title(expression: str) -> alt.Title:
    return alt.Title(alt.ExprRef(expression), anchor="start", fontSize=14)


def _map() -> alt.LayerChart | alt.FacetChart:
    """Power against share: one line a condition, and the point that walks on them."""
    x = alt.X("power:Q", title="power λ of G").scale(domain=[0.42, 1.18], nice=False)
    y = alt.Y("share:Q", title=None).scale(domain=[-0.14, 0.6], nice=False)
    x = x.axis(tickCount=4)
    y = y.axis(labels=False, ticks=False, domain=False, grid=False)
    ways = alt.Chart(_WAYS).mark_line(color="gray", strokeWidth=1.5)
    labels = alt.Chart(_PLACES).mark_text(color="gray", fontSize=12)
    point = (
        alt.Chart(alt.sequence(0, 1, as_="step"))
        .transform_calculate(power="power", share="share")
        .mark_point(filled=True, size=160, opacity=1, color="#D62F2F")
    )
    layers = [
        ways.encode(x=x, y=y, detail="line:N"),
        labels.encode(x=x, y=y, text="name:N"),
        point.encode(x=x, y=y),
    ]
    told = (
        "'J = (G^' + format(power, '.2f') + ' − d^' + format(power, '.2f') + ')'"
        " + (share > 0 ? ' / d^' + format(share, '.2f') : '')"
        " + (walk == 0 ? ' = SI' : walk == -1 ? ' ∝ z-score'"
        " : walk == 1 ? ' ∝ bias-corrected MI' : '')"
    )
    return alt.layer(*layers).properties(width=640, height=150, title=_title(told))


def walk_sentence(states: Sequence[int], walk: float) -> str:
    """What holds where the slider starts, in words."""
    dofs = [degrees_of_freedom(k) for k in states]
    ratio = float(np.sqrt(max(dofs) / min(dofs)))
    where = {stop: name for name, stop in STOPS.items()}[walk]
    if walk == 0:
        told = "both conditions hold: the curves touch at 0 and meet again far out."
    elif walk < 0:
        told = f"condition 1 holds, and far out the curves differ by {ratio:.1f}."
    else:
        told = f"condition 2 holds, and near 0 the slopes differ by {ratio:.1f}."
    return (
        f"The slider starts at **{where}**: {told} Move it: only the middle has both."
    )


def walk_handout(states: Sequence[int], sample_size: int, walk: float) -> Figure:
    """The figure with sliders for everything."""
    return Figure.of_chart(
        walk_chart(states, sample_size, walk, sliders="all"),
        "Both zooms for three pairs, with sliders",
        walk_sentence(states, walk),
    )


def rate_frame(states: Sequence[int], rate: float) -> pd.DataFrame:
    """The family with a rate against SI: ``pair``, ``dof``, ``x``, ``value``."""
    x = np.linspace(0, _RATE_REACH, _STEPS + 1)
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


def rate_chart(states: Sequence[int], rate: float) -> alt.LayerChart | alt.FacetChart:
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
    x = x.scale(domain=[0, _RATE_REACH], nice=False).axis(tickCount=6)
    y = alt.Y("value:Q", title="J / √2 (no unit)").scale(domain=[0, 30], nice=False)
    layers = _curves(0, _RATE_REACH, [{"value": TRANSITION}], x, y)
    told = (
        "rate == 0 ? 'τ = 0: z-scores never meet again'"
        " : 'τ = ' + format(rate, '.2f') + ': one line from about SI = '"
        " + format(5 / rate, '.1f') + ' on'"
    )
    return alt.layer(*layers).properties(height=320, title=_title(told))


def rate_sentence(states: Sequence[int]) -> str:
    """What the rate changes, in words."""
    few = degrees_of_freedom(min(states))
    end = transition_measure(np.asarray(_RATE_REACH), np.asarray(few), rate=0.0)
    return (
        f"At τ = 0 a pair with d = {few:.0f} reaches {float(end) / np.sqrt(2):.0f} "
        f"where SI is {_RATE_REACH:.0f}; with every τ above 0 all pairs return to the "
        "line of SI. The square root makes this turn on the length of one null "
        "standard deviation, the only length that the problem itself offers."
    )
