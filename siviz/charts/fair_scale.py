"""Figure 1: two observed informations against what independence predicts for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, get_args

import altair as alt
import numpy as np
import pandas as pd
from scipy import stats

from siviz.charts.figure import Figure
from siviz.charts.frame import (
    PAIRS,
    AnyChart,
    Data,
    apart,
    as_told,
    pair_colour,
    pair_dash,
    told_number,
)
from siviz.information import likelihood_ratio
from siviz.nulls import Null
from siviz.tables import Array

Scale = Literal["information", "deviations", "SI"]
SCALES: Final[tuple[Scale, ...]] = get_args(Scale)
TITLES: Final[dict[Scale, str]] = {
    "information": "mutual information Î, nats",
    "deviations": "standard deviations from the null mean",
    "SI": "standardized information (no unit)",
}
NAMES: Final[dict[Scale, str]] = {
    "information": "information",
    "deviations": "standard deviations",
    "SI": "SI",
}
NAMED: Final = {name: scale for scale, name in NAMES.items()}
"""The scales for a reader, and back."""
LOWS: Final[dict[Scale, float]] = {"information": 0.0, "deviations": -3.0, "SI": -3.0}
REACHES: Final[dict[Scale, tuple[float, ...]]] = {
    "information": (
        *(0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
        *(1.0, 2.0, 5.0, 10.0, 50.0, 150.0),
    ),
    "deviations": (7.0, 20.0, 50.0, 100.0, 300.0, 700.0, 1500.0),
    "SI": (5.0, 10.0, 20.0, 40.0),
}
"""Where an axis may end: in few, large steps, so that it seldom moves."""
# Densities are drawn per this width, or else the width of the axis; what is higher runs
# out of the picture.
UNITS: Final[dict[Scale, float]] = {"deviations": 10.0, "SI": 8.0}
TALLEST: Final = 7.0
_CURVE_POINTS: Final = 80
_BINS: Final = 60


@dataclass(frozen=True)
class ObservedPair:
    """A square pair of variables with evenly filled margins, as observed."""

    name: str
    sample_size: int
    states: int
    information: float
    """The observed (plug-in) mutual information, in nats."""

    @property
    def g(self) -> float:
        """The statistic G = 2 N I."""
        return 2 * self.sample_size * self.information

    @property
    def null(self) -> Null:
        """The paper's null: chi-squared with (k - 1)^2 degrees of freedom."""
        dof = float((self.states - 1) ** 2)
        return Null(np.array(dof), np.array(2 * dof))

    def place(self, g: Any, scale: Scale) -> Array:
        """Where a value of G lies on a scale."""
        if scale == "information":
            return np.asarray(g) / (2 * self.sample_size)
        return (
            self.null.z_score(g) if scale == "deviations" else self.null.standardize(g)
        )

    def statistic(self, x: Array, scale: Scale) -> tuple[Array, Array]:
        """The G at a place of the scale, and how fast G grows there."""
        d = float(self.null.mean)
        if scale == "information":
            return 2 * self.sample_size * x, np.full_like(x, 2 * self.sample_size)
        if scale == "deviations":
            return d + np.sqrt(2 * d) * x, np.full_like(x, np.sqrt(2 * d))
        root = np.maximum(x + np.sqrt(d), 0)
        return root**2, 2 * root

    def random_statistics(self, draws: int, seed: int) -> Array:
        """G of random tables with these margins."""
        share, rest = divmod(self.sample_size, self.states)
        margin = np.full(self.states, share) + (np.arange(self.states) < rest)
        tables = stats.random_table(margin, margin).rvs(draws, random_state=seed)
        return likelihood_ratio(tables)


def observed_pairs(
    names: Sequence[str],
    sample_size: int,
    states: Sequence[int],
    information: Sequence[float],
) -> tuple[ObservedPair, ...]:
    """Pairs with one sample size."""
    facts = zip(names, states, information, strict=True)
    return tuple(ObservedPair(name, sample_size, k, nats) for name, k, nats in facts)


@lru_cache(maxsize=64)
def axis_domain(pairs: tuple[ObservedPair, ...], scale: Scale) -> tuple[float, float]:
    """Ends of the axis, which show both nulls and both observed values."""
    reach = max(1.1 * float(pair.place(pair.g, scale)) for pair in pairs)
    if scale == "information":
        ends = (float(pair.place(pair.null.quantile(0.995), scale)) for pair in pairs)
        reach = max(reach, *ends)
    fitting = (end for end in REACHES[scale] if end >= reach)
    return LOWS[scale], next(fitting, REACHES[scale][-1])


def fair_scale_frame(pairs: tuple[ObservedPair, ...], scale: Scale) -> pd.DataFrame:
    """Null densities: ``pair``, ``x`` on the scale, ``density`` per unit of the scale.

    The density is 0 where G would be negative.
    """
    low, high = axis_domain(pairs, scale)
    unit = UNITS.get(scale, high - low)
    evenly = np.linspace(low, high, _CURVE_POINTS + 1)
    frames = []
    for pair in pairs:
        # A null may be far narrower than the axis, and deserves points of its own.
        ends = pair.place(pair.null.quantile([0.001, 0.999]), scale)
        first, last = np.clip(ends, low, high)
        around = np.linspace(first, last, _CURVE_POINTS // 2)
        x = np.union1d(evenly, around)
        g, slope = pair.statistic(x, scale)
        # The density may be infinite at G = 0: take it just beside.
        inside = np.where(g > 0, pair.null.density(np.maximum(g, 1e-3)) * slope, 0)
        density = inside * unit
        frames.append(pd.DataFrame({"pair": pair.name, "x": x, "density": density}))
    return pd.concat(frames, ignore_index=True)


def observed_frame(pairs: Sequence[ObservedPair]) -> pd.DataFrame:
    """One row a pair: its name, ``G``, ``dof`` and its place on every scale."""
    return pd.DataFrame(
        [
            {
                "pair": pair.name,
                "G": pair.g,
                "dof": float(pair.null.mean),
                **{scale: float(pair.place(pair.g, scale)) for scale in SCALES},
            }
            for pair in pairs
        ]
    )


def drawn_frame(
    observed: pd.DataFrame, scale: Scale, domain: tuple[float, float]
) -> pd.DataFrame:
    """An `observed_frame` with its place on the axis, ``at``, and its name, ``told``.

    What lies left of the axis is told at its end; right of it nothing is drawn.
    """
    low, high = domain
    at = observed[scale].to_numpy()
    names = zip(observed["pair"], at, strict=True)
    return observed.assign(
        at=np.where(at <= high, np.maximum(at, low), np.nan),
        told=[f"← {name}" if x < low else name for name, x in names],
    )


def observed_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The observed values for a reader, rounded."""
    forms = {"G": "{:,.2f}", "dof": "{:.0f}", "information": "{:.3f}"}
    forms |= {"deviations": "{:,.2f}", "SI": "{:.2f}"}
    names = {"dof": "d", "information": "Î, nats"}
    names |= {"deviations": "standard deviations from the mean"}
    return as_told(frame, forms, names)


def permutation_frame(
    pairs: tuple[ObservedPair, ...], scale: Scale, *, draws: int = 1000, seed: int = 1
) -> pd.DataFrame:
    """A histogram of random tables: ``pair``, ``x``, ``end``, ``density`` as above."""
    low, high = axis_domain(pairs, scale)
    edges = np.linspace(low, high, _BINS + 1)
    per_bin = UNITS.get(scale, high - low) / (high - low) * _BINS
    frames = []
    for pair in pairs:
        places = pair.place(pair.random_statistics(draws, seed), scale)
        density = np.histogram(places, edges)[0] / draws * per_bin
        bins = {"x": edges[:-1], "end": edges[1:], "density": density}
        frames.append(pd.DataFrame({"pair": pair.name, **bins}))
    return pd.concat(frames, ignore_index=True)


def fair_scale_figure(
    pairs: tuple[ObservedPair, ...],
    observed: pd.DataFrame,
    scale: Scale,
    permutations: pd.DataFrame | None = None,
) -> Figure:
    """Both nulls and both observed values, an `observed_frame`, on one scale."""
    drawn = drawn_frame(observed, scale, axis_domain(pairs, scale))
    frames = {"curves": fair_scale_frame(pairs, scale), "observed": drawn}
    if permutations is not None:
        frames["permutations"] = permutations
    return Figure(
        fair_scale_chart,
        frames,
        "Null densities of two pairs with a line at each observed value",
        fair_scale_sentence(observed, scale),
        {"scale": scale},
    )


def fair_scale_chart(
    curves: Data,
    observed: Data,
    permutations: Data | None = None,
    *,
    scale: Scale,
) -> AnyChart:
    """Null densities on one scale and a line at each observed value.

    The axis ends where the curves do, so that it moves without a new chart.
    """
    x = alt.X("x:Q", title=TITLES[scale]).scale(nice=False, zero=False)
    y = alt.Y("density:Q", title="density if independent").scale(domain=[0, TALLEST])
    y = y.axis(labels=False, ticks=False, grid=False).stack(False)
    base = alt.Chart(curves).encode(x=x, y=y, color=pair_colour())
    areas = base.mark_area(opacity=0.12, clip=True)
    lines = base.mark_line(clip=True).encode(strokeDash=pair_dash().legend(None))
    layers: list[alt.Chart] = [areas, lines, *_observed_layers(observed)]
    if permutations is not None:
        bars = alt.Chart(permutations).mark_rect(opacity=0.3, clip=True)
        layers.insert(0, bars.encode(x=x, x2="end:Q", y=y, color=pair_colour()))
    return alt.layer(*layers).properties(height=360)


def _observed_layers(observed: Data) -> list[alt.Chart]:
    base = alt.Chart(observed).encode(
        x="at:Q",
        color=pair_colour(),
        tooltip=[
            alt.Tooltip("pair:N"),
            alt.Tooltip("dof:Q", title="degrees of freedom", format=",d"),
            alt.Tooltip("information:Q", title="information, nats", format=".4f"),
            alt.Tooltip("deviations:Q", title="standard deviations", format=".2f"),
            alt.Tooltip("SI:Q", format=".2f"),
        ],
    )
    lower = f"datum.pair == '{PAIRS[1]}'"
    height = base.transform_calculate(height=f"{lower} ? 5.8 : 6.6")
    rules = height.mark_rule(strokeWidth=3, clip=True).encode(
        y="height:Q", y2=alt.datum(0), strokeDash=pair_dash().legend(None)
    )
    names = height.mark_text(align="left", dx=6, dy=4, fontWeight="bold", fontSize=13)
    return [rules, names.encode(y="height:Q", text="told:N")]


def fair_scale_sentence(observed: pd.DataFrame, scale: Scale) -> str:
    """Which pair is first on this scale, and whether it is first on the others."""
    first = {each: _first(observed, each) for each in SCALES}
    unit = {"information": " nats", "deviations": " standard deviations", "SI": ""}
    most, least = sorted(observed[scale], reverse=True)
    if not first[scale]:
        others = [
            f"By {NAMES[each]} **{pair}** is first." if pair else ""
            for each, pair in first.items()
        ]
        told = f"On this scale both are level, at {told_number(most)}{unit[scale]}."
        return " ".join(part for part in (told, *others) if part)
    higher, lower = apart(most, least)
    told = (
        f"On this scale **{first[scale]}** is first, {higher} against {lower}"
        f"{unit[scale]}."
    )
    opposed = [each for each in SCALES if first[each] not in (first[scale], None)]
    if opposed:
        named = " and ".join(NAMES[each] for each in opposed)
        return f"{told} The opposite order holds for {named}."
    level = [NAMES[each] for each in SCALES if first[each] is None]
    if level:
        return f"{told} Both are level by {' and '.join(level)}."
    return f"{told} All three scales agree."


def _first(observed: pd.DataFrame, scale: Scale) -> str | None:
    """The pair that is first on a scale; None if both are level."""
    one, other = observed[scale]
    return None if one == other else str(observed["pair"][int(other > one)])
