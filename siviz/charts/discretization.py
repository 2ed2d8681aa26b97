"""Figure 2: two states or four?  Who favours which, and the truth behind it."""

from collections.abc import Mapping, Sequence
from typing import Final

import altair as alt
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import Data
from siviz.charts.study import MANY_TIES, P_VALUES, crossing, fraction_layers, listed
from siviz.charts.theme import GREY
from siviz.charts.truth import truth_frame
from siviz.scenarios import TWO_STATES, TrueDistribution, discretization_scenario

LARGEST_Z: Final = 0.1
# Each band is 1 high, with room for its name.
_BAND: Final = 1.4
_BAND_LABEL: Final = (
    f"format(datum.value - {_BAND} * floor(datum.value / {_BAND} + 0.01), '.0%')"
)
VARIABLES: Final = ("A", "B")
# At z = 0, where two states suffice, a careful measure takes them at least this often.
_CAREFUL: Final = 0.75
# Switches that rise by less than two steps of z, or lie below, are not spoken of.
_NOTABLE: Final = 0.01
# With more data the switch of a good measure falls to less than this share.
_SOONER: Final = 0.95


def discretization_views(z: float) -> Mapping[str, TrueDistribution]:
    """The true table with its four states and with two."""
    four = discretization_scenario(z)
    return {"four states": four, "two states": four.merged(TWO_STATES, TWO_STATES)}


def discretization_truth(z: float) -> pd.DataFrame:
    """`siviz.charts.truth.truth_frame` of both views."""
    return truth_frame(discretization_views, z)


def discretization_figure(
    study: pd.DataFrame, sentence: str, z: float, measures: tuple[str, ...]
) -> Figure:
    """A `siviz.charts.study.study_frame` as curves, with a line at z.

    ``sentence`` is its `discretization_sentence`, which no z changes.
    """
    sizes = sorted(study["sample_size"].unique().tolist())
    place = study["sample_size"].map(_bands(sizes))
    shifted = {name: study[name] + place for name in ("low", "high")}
    return Figure(
        discretization_chart,
        {
            "curves": study.assign(at=study["fraction"] + place, **shifted),
            "here": pd.DataFrame({"z": [z]}),
        },
        "How often each measure favours two states over four, against z",
        sentence,
        {"sizes": tuple(sizes), "measures": measures},
        table=study,
    )


def discretization_chart(
    curves: Data, here: Data, *, sizes: tuple[int, ...], measures: tuple[str, ...]
) -> alt.LayerChart | alt.FacetChart:
    """A band a sample size, the smallest on top, and a line at z.

    The bands share one axis, so that the chart takes any width.
    """
    bands = _bands(sizes)
    x = alt.X("z:Q", title="z: dependence that only four states can show").scale(
        domain=[0, LARGEST_Z], nice=False
    )
    y = alt.Y("at:Q", title="two states favoured").scale(
        domain=[0, max(bands.values()) + _BAND], nice=False
    )
    ticks = [low + part for low in bands.values() for part in (0, 0.5, 1)]
    y = y.axis(values=ticks, labelExpr=_BAND_LABEL)
    layers = fraction_layers(curves, "z", x, y, measures, "two states favoured")
    rule = alt.Chart(here).mark_rule(color=GREY, strokeWidth=1.5)
    names = alt.Chart(
        pd.DataFrame(
            [(0, low + 1.17, f"N = {size:,}") for size, low in bands.items()],
            columns=["z", "at", "name"],
        )
    ).mark_text(align="left", dx=5, fontWeight="bold", fontSize=13)
    chart = alt.layer(rule.encode(x=x), *layers, names.encode(x=x, y=y, text="name:N"))
    return chart.properties(height=90 + 150 * len(bands))


def _bands(sizes: Sequence[int]) -> dict[int, float]:
    """Where the band of each sample size begins, the largest at the bottom."""
    return {size: place * _BAND for place, size in enumerate(reversed(sizes))}


def discretization_sentence(frame: pd.DataFrame) -> str:
    """A line a measure: where it switches, and what is wrong with that."""
    lines = [
        f"- **{label}** {_switches(curves)}: {_judgement(curves)}"
        for label, curves in frame.groupby("label", sort=False)
    ]
    return "\n".join(lines)


def switch_points(curves: pd.DataFrame) -> dict[int, float]:
    """The z at which one measure goes over from two to four states, by sample size."""
    return {
        int(curve["sample_size"].iloc[0]): crossing(
            curve["z"].tolist(), curve["fraction"].tolist()
        )
        for _, curve in curves.groupby("sample_size")
    }


def _known_switches(curves: pd.DataFrame) -> dict[int, float]:
    return {n: z for n, z in switch_points(curves).items() if z == z}


def _switches(curves: pd.DataFrame) -> str:
    found = _known_switches(curves)
    if not found:
        mostly = "two" if curves["fraction"].mean() > 0.5 else "four"
        undecided = (curves["ties"] > MANY_TIES).all()
        return "never decides" if undecided else f"always favours {mostly} states"
    told = [f"{z:.3f} (N = {n:,})" for n, z in found.items()]
    return f"switches at z = {listed(told)}"


def _judgement(curves: pd.DataFrame) -> str:
    """What is wrong with a measure, by the numbers shown."""
    checks = (_tie_fault, _start_fault, _end_fault, _movement_fault)
    told = [fault for check in checks if (fault := check(curves))]
    if told:
        return "; ".join(told) + "."
    several = len(_known_switches(curves)) > 1
    sooner = ", and less dependence suffices as data grow" if several else ""
    return f"two states at z = 0, four at z = {LARGEST_Z}{sooner}, as it should be."


def _tie_fault(curves: pd.DataFrame) -> str:
    worst = curves.groupby("sample_size")["ties"].max()
    lost = worst[worst > MANY_TIES]
    if lost.empty:
        return ""
    told = [f"{share:.0%} (N = {size:,})" for size, share in lost.items()]
    reason = ", for p rounds to 0" if curves["measure"].iloc[0] in P_VALUES else ""
    return f"both views tie in up to {listed(told)} of the resamples{reason}"


def _start_fault(curves: pd.DataFrame) -> str:
    start = curves[(curves["z"] == 0) & (curves["ties"] <= MANY_TIES)]
    careless = start[start["fraction"] < _CAREFUL]
    if careless.empty:
        return ""
    told = [
        f"{row.fraction:.0%} (N = {row.sample_size:,})" for row in careless.itertuples()
    ]
    return (
        "at z = 0, where four states hold nothing more, it favours two in only "
        + listed(told)
    )


def _end_fault(curves: pd.DataFrame) -> str:
    end = curves[(curves["z"] == LARGEST_Z) & (curves["ties"] <= MANY_TIES)]
    blind = end[end["fraction"] > 0.5]
    if blind.empty:
        return ""
    sizes = listed([f"{size:,}" for size in blind["sample_size"]])
    return f"not even at z = {LARGEST_Z} does it see the four states (N = {sizes})"


def _movement_fault(curves: pd.DataFrame) -> str:
    points = list(_known_switches(curves).values())
    if len(points) < 2 or points[-1] < _SOONER * points[0]:
        return ""
    if points[-1] > points[0] + _NOTABLE:
        return "with more data it asks for more dependence instead of less"
    unmoved = "with more data it should ask for less dependence, and does not"
    return unmoved if points[0] > _NOTABLE else ""


def truth_sentence(z: float) -> str:
    """What four states show at z, and two do not."""
    return (
        f"Rows are A, columns B. Inside a block the cells are {0.1 + z:.3f} and "
        f"{0.1 - z:.3f}; merged, only their sum is seen, which is the same for every z."
    )


def information_sentence(z: float) -> str:
    """What merging loses at z."""
    four, two = (view.true_information for view in discretization_views(z).values())
    told = f"At z = {z:.3g} four states share {four:.4f} nats and two {two:.4f}"
    if four - two < 1e-9:
        return f"{told}: merging loses nothing."
    return f"{told}: merging loses {four - two:.4f} nats, {(four - two) / four:.0%}."
