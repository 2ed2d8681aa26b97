"""How far measures agree on the order of pairs: a matrix of Kendall's tau."""

import altair as alt
import pandas as pd

from siviz.charts.theme import PAIR_ROOM, TEXT, contrast_scale, page_wide
from siviz.disagreement import Disagreements
from siviz.measures import find_measure


def agreement_frame(disagreements: Disagreements) -> pd.DataFrame:
    """One row for every two measures: ``one``, ``other`` (labels) and ``tau``.

    Two measures of which one is the same for all pairs have no tau and no row.
    """
    tau = disagreements.tau
    label = {key: find_measure(key).label for key in tau.index}
    rows = [
        (label[one], label[other], float(tau.loc[one, other]))
        for one in tau.index
        for other in tau.columns
    ]
    return pd.DataFrame(rows, columns=["one", "other", "tau"]).dropna()


def agreement_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """Tau in every cell: 1 (blue) for the same order, -1 (orange) for the reverse."""
    labels = frame["one"].unique().tolist()
    base = alt.Chart(frame).encode(
        x=alt.X("other:N", title=None)
        .scale(domain=labels)
        .axis(orient="top", labelAngle=-90, labelOverlap="greedy", labelLimit=200),
        y=alt.Y("one:N", title=None).scale(domain=labels).axis(labelLimit=PAIR_ROOM),
        tooltip=[
            alt.Tooltip("one:N", title="measure"),
            alt.Tooltip("other:N", title="and"),
            alt.Tooltip("tau:Q", title="Kendall's tau", format=".3f"),
        ],
    )
    cells = base.mark_rect().encode(
        color=alt.Color("tau:Q", title="Kendall's tau (no unit)")
        .scale(contrast_scale(1))
        .legend(orient="bottom", gradientLength=120, values=[-1, 0, 1])
    )
    # Narrow cells have no room for a number.
    fits = alt.expr(f"width / {max(len(labels), 1)} < 26 ? 0 : 10")
    numbers = base.mark_text(fontSize=fits).encode(
        text=alt.Text("tau:Q", format=".2f"),
        color=alt.when("abs(datum.tau) > 0.6")
        .then(alt.value("white"))
        .otherwise(alt.value(TEXT)),
    )
    return page_wide(
        cells + numbers,
        height=22 * len(labels),
        description="Kendall's tau between the orders of every two measures",
    )


def agreement_sentence(disagreements: Disagreements, pairs: int) -> str:
    """Which two measures agree least, and whether all pairs were compared."""
    frame = agreement_frame(disagreements)
    frame = frame[frame["one"] < frame["other"]]
    if frame.empty:
        return "There are too few pairs to compare orders: tau needs two or more."
    least = frame.iloc[int(frame["tau"].argmin())]
    compared = disagreements.compared
    which = (
        f"{compared:,} of {pairs:,} pairs, evenly spaced,"
        if compared < pairs
        else f"all {compared:,} pairs"
    )
    return (
        f"From {which} by every two measures: 1 is the same order, 0 no relation, −1 "
        f"the opposite. **{least['one']}** and **{least['other']}** agree least "
        f"(τ = {_minus(least['tau'])})."
    )


def _minus(value: float) -> str:
    return f"{value:z.2f}".replace("-", "−")
