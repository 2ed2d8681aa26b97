"""Figure 2: two states or four?  Who favours which, and the truth behind it."""

from collections.abc import Mapping, Sequence
from typing import Final

import altair as alt
import pandas as pd

from siviz.charts.study import MANY_TIES, P_VALUES, crossing, fraction_layers, listed
from siviz.charts.truth import truth_frame
from siviz.experiments import FIGURE_2_Z
from siviz.scenarios import TWO_STATES, TrueDistribution, discretization_scenario

LARGEST_Z: Final = 0.1
VARIABLES: Final = ("A", "B")
# At z = 0, where two states suffice, a careful measure takes them at least this often.
_CAREFUL: Final = 0.75
# Switches that move by less than two steps of z are not spoken of.
_NOTABLE: Final = 0.01


def discretization_views(z: float) -> Mapping[str, TrueDistribution]:
    """The true table with its four states and with two."""
    four = discretization_scenario(z)
    return {"four states": four, "two states": four.merged(TWO_STATES, TWO_STATES)}


def information_frame() -> pd.DataFrame:
    """True informations: ``z``, ``view`` and ``information`` in nats."""
    return pd.DataFrame(
        [
            (z, name, truth.true_information)
            for z in FIGURE_2_Z
            for name, truth in discretization_views(z).items()
        ],
        columns=["z", "view", "information"],
    )


def discretization_truth(z: float) -> pd.DataFrame:
    """`siviz.charts.truth.truth_frame` of both views."""
    return truth_frame(discretization_views, z)


def discretization_chart(
    frame: pd.DataFrame, z: float, measures: Sequence[str]
) -> alt.VConcatChart:
    """A panel a sample size, the true informations below, and a line at z."""
    x = alt.X("z:Q").scale(domain=[0, LARGEST_Z], nice=False)
    plain = x.title(None)
    here = alt.Chart(pd.DataFrame({"z": [z]})).mark_rule(color="gray", strokeWidth=1.5)
    panels = []
    for size, part in frame.groupby("sample_size"):
        layers = fraction_layers(part, "z", plain, measures, "two states favoured")
        heading = alt.Title(f"N = {size:,}", anchor="start", fontSize=13)
        panel = alt.layer(here.encode(x=plain), *layers, title=heading)
        panels.append(panel.properties(width=640, height=170))
    truth = x.title("z: dependence that only four states can show")
    panels.append(_information_panel(truth, here))
    return alt.vconcat(*panels, spacing=14).resolve_scale(x="shared")


def _information_panel(x: alt.X, here: alt.Chart) -> alt.LayerChart | alt.FacetChart:
    frame = information_frame()
    base = alt.Chart(frame).encode(
        x=x,
        y=alt.Y("information:Q", title="nats").scale(domain=[0, 0.8]).axis(tickCount=4),
        tooltip=[
            alt.Tooltip("view:N"),
            alt.Tooltip("z:Q", format=".3f"),
            alt.Tooltip("information:Q", title="true nats", format=".4f"),
        ],
    )
    lines = base.mark_line(color="gray").encode(
        strokeDash=alt.StrokeDash("view:N", legend=None).scale(
            domain=["four states", "two states"], range=[[1, 0], [5, 3]]
        )
    )
    names = base.transform_filter(f"datum.z == {LARGEST_Z}").mark_text(
        align="right", dy=-10, color="gray"
    )
    title = alt.Title("The truth: mutual information", anchor="start", fontSize=13)
    layers = alt.layer(here.encode(x=x), lines, names.encode(text="view:N"))
    return layers.properties(title=title, width=640, height=110)


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


def _switches(curves: pd.DataFrame) -> str:
    found = {n: z for n, z in switch_points(curves).items() if z == z}
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
    several = curves["sample_size"].nunique() > 1
    sooner = ", and less dependence suffices as data grow" if several else ""
    return f"two states at z = 0, four at z = {LARGEST_Z}{sooner}, as it should be."


def _tie_fault(curves: pd.DataFrame) -> str:
    worst = curves.groupby("sample_size")["ties"].max()
    lost = worst[worst > MANY_TIES]
    if lost.empty:
        return ""
    told = [f"{share:.0%} at N = {size:,}" for size, share in lost.items()]
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
    points = [z for z in switch_points(curves).values() if z == z]
    if len(points) > 1 and points[-1] > points[0] + _NOTABLE:
        return "with more data it asks for more dependence instead of less"
    return ""


def truth_sentence(z: float) -> str:
    """What merging loses at z."""
    four, two = (view.true_information for view in discretization_views(z).values())
    told = f"At z = {z:.3g} four states share {four:.4f} nats and two {two:.4f}"
    if four - two < 1e-9:
        return f"{told}: merging loses nothing, and the colours of both tables agree."
    return f"{told}: merging loses {four - two:.4f} nats, {(four - two) / four:.0%}."
