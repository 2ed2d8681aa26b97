"""What independence predicts for G of one pair, and where the observed G lies.

The axis is the square root of G, labelled by G: on it standardized information is a
distance (Eq. 6), and the density of a 2 x 2 table stays finite at 0.
"""

from collections.abc import Mapping
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.sparse import NULLS
from siviz.charts.theme import GREY, LINE_LEGEND, RED, SOLID, TEXT, page_wide
from siviz.information import likelihood_ratio
from siviz.nulls import Null, null_moments
from siviz.single_pair import SinglePair

MOST_CELLS: Final = 20_000
"""Cells, strata included, of the largest table that is permuted."""
_DRAWN_CELLS: Final = 2_000_000
_MOST_DRAWS: Final = 1000
_LEAST_DRAWS: Final = 200
LABELS: Final = {"nominal": "theory (χ²)", "calibrated": "calibrated"}
RANDOM: Final = "random tables"
_BINS: Final = 30
_POINTS: Final = 150
# Share of the width of the curves up to which the axis is stretched to the observed G.
_STRETCH: Final = 0.8


def pair_nulls(pair: SinglePair, *, seed: int = 1) -> dict[str, Null]:
    """The nulls of a pair by kind: nominal, calibrated, and permutations if not large.

    Large tables are permuted less often.
    """
    table = pair.shown(pair.cells.size).table  # empty states need no permutations
    closed = {kind: null_moments(table, kind=kind) for kind in LABELS}  # type: ignore[arg-type]
    if table.cells.size > MOST_CELLS or float(closed["calibrated"].variance) == 0:
        return closed
    draws = _DRAWN_CELLS // table.cells.size
    draws = min(max(draws, _LEAST_DRAWS), _MOST_DRAWS)
    random = null_moments(table, kind="permutation", draws=draws, rng=seed)
    return {**closed, "permutation": random}


def null_domain(nulls: Mapping[str, Null], g: float) -> tuple[float, float]:
    """Ends of the axis in G; an observed value far out does not stretch it."""
    ends = [_ends(null) for null in nulls.values()]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    width, place = max(high - low, 0.5), np.sqrt(g)
    if low - _STRETCH * width <= place <= high + _STRETCH * width:
        low, high = min(low, place), max(high, place)
    pad = 0.06 * (high - low)
    return max(low - pad, 0.0) ** 2, (high + pad) ** 2


def _ends(null: Null) -> tuple[float, float]:
    """Roots of the values of G between which a null lies."""
    values = (
        null.quantile([0.001, 0.999]) if null.draws is None else null.draws[[0, -1]]
    )
    low, high = np.sqrt(np.maximum(values, 0))
    return float(low), float(high)


def pair_null_frame(
    nulls: Mapping[str, Null], domain: tuple[float, float]
) -> pd.DataFrame:
    """Densities per unit of the root of G: ``null``, ``g`` to ``end``, ``density``.

    Permutations are a histogram, with rows from ``g`` to ``end``; curves have points.
    """
    frames = []
    for kind, null in nulls.items():
        if null.draws is None:
            left, right = np.sqrt(domain)
            root = np.linspace(left, right, _POINTS + 1)
            root = root[root > 0] if root[0] == 0 else root
            density = null.density(root**2) * 2 * root
            end = root
        else:
            low, high = _ends(null)
            edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
            shares = np.histogram(np.sqrt(np.maximum(null.draws, 0)), edges)[0]
            density = shares / null.draws.size / np.diff(edges)
            root, end = edges[:-1], edges[1:]
        columns = {"g": root**2, "end": end**2, "density": density}
        label = LABELS.get(kind, RANDOM)
        frames.append(pd.DataFrame({"null": label, **columns}))
    return pd.concat(frames, ignore_index=True).dropna()


def observed_frame(g: float, domain: tuple[float, float]) -> pd.DataFrame:
    """The observed ``g``, its ``place`` on the axis and a ``label`` with an arrow.

    ``beyond`` is -1 or 1 if it lies left or right of the axis, else 0.
    """
    beyond = int(g > domain[1]) - int(g < domain[0])
    label = f"observed G = {g:,.1f}"
    label = {1: f"{label}, far right →", -1: f"← {label}, far left"}.get(beyond, label)
    place = float(np.clip(g, *domain))
    return pd.DataFrame(
        {"g": [g], "place": [place], "beyond": [beyond], "label": [label]}
    )


def pair_null_chart(
    curves: pd.DataFrame, observed: pd.DataFrame, domain: tuple[float, float]
) -> alt.LayerChart:
    """Null densities of G and the observed G; an arrow points to one far out."""
    x = alt.X("g:Q", title="G = 2 N Î (root scale: equal steps are equal steps of SI)")
    x = x.scale(type="sqrt", domain=list(domain), nice=False)
    x = x.axis(labelSeparation=6)
    y = alt.Y("density:Q", title="density if independent")
    y = y.axis(labels=False, ticks=False, grid=False)
    base = alt.Chart(curves)
    is_random = f"datum.null == '{RANDOM}'"
    bars = base.transform_filter(is_random).mark_rect(opacity=0.45, clip=True)
    lines = base.transform_filter(f"!({is_random})").mark_line(clip=True)
    names = [*LABELS.values(), RANDOM]
    looks = [*(NULLS[kind] for kind in LABELS), (GREY, SOLID)]
    colour = alt.Color("null:N", title=None).scale(
        domain=names, range=[colour for colour, _ in looks]
    )
    colour = colour.legend(orient="top", **LINE_LEGEND)
    theory = lines.encode(
        x=x,
        y=y,
        color=colour,
        strokeDash=alt.StrokeDash("null:N", title=None).scale(
            domain=names, range=[dash for _, dash in looks]
        ),
        tooltip=["null:N", alt.Tooltip("g:Q", title="G", format=",.2f")],
    )
    marks = [bars.encode(x=x, x2="end:Q", y=y, color=colour), theory]
    return page_wide(
        alt.LayerChart(layer=[*marks, *_observed_layers(observed, domain)]),
        height=280,
        description="Densities of G under independence, and the observed G",
    )


def _observed_layers(
    observed: pd.DataFrame, domain: tuple[float, float]
) -> list[alt.Chart]:
    place, beyond = (float(observed[name].iloc[0]) for name in ("place", "beyond"))
    middle = np.sqrt(domain).mean()
    right = np.sqrt(place) > middle
    base = alt.Chart(observed).encode(x="place:Q")
    rule = base.mark_rule(
        strokeWidth=2.5, color=RED, strokeDash=(4, 3) if beyond else SOLID
    ).encode(tooltip=[alt.Tooltip("g:Q", title="observed G", format=",.2f")])
    words = base.mark_text(
        align="right" if right else "left",
        dx=-8 if right else 8,
        baseline="top",
        fontWeight="bold",
        color=TEXT,
    ).encode(y=alt.value(2), text="label:N")
    return [rule, words]


def pair_null_figure(pair: SinglePair, nulls: Mapping[str, Null]) -> Figure:
    """The null distributions of a pair with its G, and a sentence."""
    g = float(likelihood_ratio(pair.table))
    domain = null_domain(nulls, g)
    curves, observed = pair_null_frame(nulls, domain), observed_frame(g, domain)
    return Figure.of_chart(
        pair_null_chart(curves, observed, domain),
        "What independence predicts for G of this pair, and the observed G",
        pair_null_sentence(nulls, g),
        pd.concat([curves, observed.assign(null="observed")], ignore_index=True),
    )


def pair_null_sentence(nulls: Mapping[str, Null], g: float) -> str:
    """The observed G against the moments of each null, and the permutations beyond."""
    told = [
        f"{LABELS.get(kind, kind)} {null.mean:,.1f} ± {null.deviation:,.1f}"
        for kind, null in nulls.items()
        if kind != "permutation"
    ]
    sentence = f"Observed G = **{g:,.1f}**. Independence predicts: {', '.join(told)}"
    random = nulls.get("permutation")
    if random is None or random.draws is None:
        alone = not float(nulls["calibrated"].variance)
        large = "The table is too large to be permuted in time"
        why = "These margins allow only one G" if alone else large
        return f"{sentence}. {why}."
    sentence += (
        f", and {random.draws.size:,} random tables with the same margins (grey) "
        f"{random.mean:,.1f} ± {random.deviation:,.1f}."
    )
    # The count itself is in the p-value: (1 + reached) / (1 + draws).
    share = float(np.exp(random.log_survival(g)))
    reached = round(share * (1 + random.draws.size)) - 1
    reach = {0: "None of them reaches", 1: "One of them reaches"}.get(
        reached, f"{reached:,} of them reach"
    )
    p = f"p = {share:.2g}" if reached else f"p is about {share:.2g} or less"
    return f"{sentence} {reach} the observed G: {p}."
