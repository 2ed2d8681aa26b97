"""Figure 1 with its sliders in the browser: the chi-squared density in Vega's language.

The three scales stand below each other, so that the order is seen to flip.
"""

from collections.abc import Sequence
from typing import Final

import altair as alt

from siviz.charts.fair_scale import (
    LOWS,
    REACHES,
    TALLEST,
    TITLES,
    UNITS,
    ObservedPair,
    Scale,
    fair_scale_sentence,
    observed_frame,
)
from siviz.charts.figure import Figure
from siviz.charts.frame import PAIR_COLOURS, PAIR_DASHES, AnyChart

# Stirling's series at a + 7, brought back to a by the recurrence of the gamma function.
_LOG_GAMMA: Final = (
    "((A + 6.5) * log(A + 7) - A - 7 + 0.5 * log(2 * PI) + 1 / (12 * (A + 7))"
    " - 1 / (360 * pow(A + 7, 3))"
    " - log(A * (A + 1) * (A + 2) * (A + 3) * (A + 4) * (A + 5) * (A + 6)))"
)
# G at a place x of each scale, and how fast it grows there.
_STATISTIC: Final[dict[Scale, tuple[str, str]]] = {
    "information": ("2 * n * datum.x", "2 * n"),
    "deviations": ("D + sqrt(2 * D) * datum.x", "sqrt(2 * D)"),
    "SI": ("pow(max(datum.x + sqrt(D), 0), 2)", "2 * max(datum.x + sqrt(D), 0)"),
}
_OBSERVED: Final[dict[Scale, str]] = {
    "information": "I",
    "deviations": "(2 * n * I - D) / sqrt(2 * D)",
    "SI": "sqrt(2 * n * I) - sqrt(D)",
}


def fair_scale_handout(pairs: Sequence[ObservedPair]) -> Figure:
    """The interactive figure, opening on these two pairs."""
    sentences = [
        f"- {TITLES[scale]}: {fair_scale_sentence(observed_frame(pairs), scale)}"
        for scale in _STATISTIC
    ]
    return Figure(
        interactive_chart,
        {},
        "Null densities of two pairs on three scales, with sliders",
        "Move the sliders and watch which line lies further right on each scale. "
        "It opened with these values:\n\n" + "\n".join(sentences),
        {"pairs": tuple(pairs)},
    )


def interactive_chart(pairs: Sequence[ObservedPair]) -> AnyChart:
    """Three panels, one a scale, that share the sliders."""
    panels = alt.vconcat(*(_panel(scale, pairs) for scale in _STATISTIC))
    return panels.add_params(*_sliders(pairs), *_derived())


def _sliders(pairs: Sequence[ObservedPair]) -> list[alt.Parameter]:
    """Inputs for N and, for each pair, its states and its observed information."""

    def slider(
        name: str, value: float, ends: tuple[float, float], step: float, label: str
    ) -> alt.Parameter:
        bound = alt.binding_range(min=ends[0], max=ends[1], step=step, name=label)
        return alt.param(name=name, value=value, bind=bound)

    inputs = [slider("n", pairs[0].sample_size, (20, 2000), 10, "Sample size N ")]
    for number, pair in enumerate(pairs, start=1):
        states = f"States in {pair.name} "
        seen = f"Observed Î{pair.name}, nats "
        inputs.append(slider(f"k{number}", pair.states, (2, 12), 1, states))
        inputs.append(slider(f"i{number}", pair.information, (0, 0.4), 0.001, seen))
    return inputs


def _derived() -> list[alt.Parameter]:
    """Degrees of freedom, log-gamma of half of them, end of the information axis."""
    derived = []
    for p in (1, 2):
        derived.append(alt.param(name=f"d{p}", expr=f"pow(k{p} - 1, 2)"))
        log_gamma = _LOG_GAMMA.replace("A", f"(d{p} / 2)")
        derived.append(alt.param(name=f"lg{p}", expr=log_gamma))
    for scale, ends in REACHES.items():
        reach = f"max({', '.join(_of_pair(_OBSERVED[scale], p) for p in (1, 2))})"
        if scale == "information":
            null = "(max(d1, d2) + 4 * sqrt(2 * max(d1, d2))) / 2 / n"
            reach = f"max({reach}, {null})"
        derived.append(alt.param(name=f"reach_{scale}", expr=f"1.1 * {reach}"))
        steps = "".join(f"reach_{scale} <= {end} ? {end} : " for end in ends)
        derived.append(alt.param(name=f"end_{scale}", expr=f"{steps}{ends[-1]}"))
    return derived


def _of_pair(expression: str, number: int) -> str:
    """An expression of d and i for one pair."""
    return expression.replace("D", f"d{number}").replace("I", f"i{number}")


def _panel(scale: Scale, pairs: Sequence[ObservedPair]) -> AnyChart:
    x = alt.X("x:Q", title=TITLES[scale]).scale(
        domainMin=LOWS[scale],
        domainMax=alt.ExprRef(f"end_{scale}"),
        nice=False,
        zero=False,
    )
    layers: list[alt.Chart] = []
    for number, pair in enumerate(pairs):
        layers += _pair_layers(scale, x, number, pair.name)
    return alt.layer(*layers).properties(width=640, height=150)


def _pair_layers(scale: Scale, x: alt.X, number: int, name: str) -> list[alt.Chart]:
    """Density and observed value of one pair on one scale."""
    pair, low, high = number + 1, f"({LOWS[scale]})", f"end_{scale}"
    g, slope = (_of_pair(part, pair) for part in _STATISTIC[scale])
    log_density = _of_pair(
        f"(D / 2 - 1) * log(datum.g) - datum.g / 2 - D / 2 * log(2) - lg{pair}", pair
    )
    unit = UNITS.get(scale, f"({high} - {low})")
    density = f"datum.g > 0 ? exp({log_density}) * ({slope}) * {unit} : 0"
    y = alt.Y("density:Q", title="density if independent").scale(domain=[0, TALLEST])
    y = y.axis(labels=False, ticks=False, grid=False)
    curve = (
        alt.Chart(alt.sequence(0, 301, as_="step"))
        .transform_calculate(x=f"{low} + ({high} - {low}) * datum.step / 300")
        .transform_calculate(g=g)
        .transform_calculate(density=density)
        .mark_line(
            clip=True, color=PAIR_COLOURS[number], strokeDash=PAIR_DASHES[number]
        )
        .encode(x=x, y=y)
    )
    seen = (
        alt.Chart(alt.sequence(0, 1, as_="step"))
        .transform_calculate(x=_of_pair(_OBSERVED[scale], pair))
        .transform_calculate(height=str((6.5, 5.4)[number]))
        .encode(x=x, y="height:Q")
    )
    rule = seen.mark_rule(strokeWidth=3, clip=True, color=PAIR_COLOURS[number])
    label = seen.mark_text(align="left", dx=5, fontWeight="bold", clip=True)
    label = label.encode(text=alt.value(name), color=alt.value(PAIR_COLOURS[number]))
    return [curve, rule.encode(y2=alt.datum(0)), label]
