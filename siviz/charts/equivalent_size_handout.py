"""Figure 4 with its slider in the browser: smoothing is a fraction of sums."""

from typing import Final

import altair as alt
import pandas as pd

from siviz.charts.equivalent_size import (
    CHOSEN,
    axis_reach,
    best_frame,
    meeting_frame,
    scores_chart,
    scores_frame,
    scores_sentence,
    sides_chart,
    sides_frame,
    sides_sentence,
)
from siviz.charts.handout import Figure
from siviz.charts.smoothed_table import (
    heat_map,
    is_drawable,
    smoothed_table_frame,
    smoothed_table_sentence,
)
from siviz.labelled_tables import LabelledTable
from siviz.size_studies import SizeStudy
from siviz.smoothing import Dof, uniform_prior

_SMOOTHED: Final = (
    "datum.total + chosen * datum.total_share > 0 ? "
    "(datum.count + chosen * datum.share) / (datum.total + chosen * datum.total_share)"
    " : null"
)
_WIDTH: Final = 640


def equivalent_size_handout(
    study: SizeStudy, dof: Dof, table: LabelledTable, size: float
) -> Figure:
    """The curves, and the table as smoothed, with a slider that opens at this N'."""
    reach = axis_reach(study, dof)
    constraint = study.constraints[dof]
    charts = [
        sides_chart(
            sides_frame(constraint, reach), meeting_frame(constraint), _rule(), reach
        ),
        scores_chart(scores_frame(study, reach), best_frame(study), _rule(), reach),
    ]
    if is_drawable(table):
        charts.append(_smoothed_map(table))
    slider = alt.binding_range(
        min=0, max=reach, step=reach / 400, name="Virtual observations N′ "
    )
    chart = alt.vconcat(*(each.properties(width=_WIDTH) for each in charts))
    chart = chart.resolve_scale(color="independent", strokeDash="independent")
    return Figure(
        chart.add_params(alt.param(name="chosen", value=size, bind=slider)),
        "Both sides of Eq. 9, scores of N′, and the smoothed table, with a slider",
        "Move the slider and watch the line and the table. It opened here:\n\n"
        f"- {sides_sentence(study, dof)}\n- {scores_sentence(study, reach)}\n"
        f"- {smoothed_table_sentence(table, size)}",
    )


def _rule() -> alt.Chart:
    """A line at the N' of the slider."""
    return (
        alt.Chart(alt.sequence(0, 1, as_="step"))
        .transform_calculate(size="chosen")
        .mark_rule(strokeWidth=2, color=CHOSEN, clip=True)
        .encode(x="size:Q")
    )


def smoothing_frame(table: LabelledTable) -> pd.DataFrame:
    """`smoothed_table_frame` with what a browser needs to smooth it.

    ``share`` of N' in the cell; ``total`` and ``total_share`` of what it is divided by.
    """
    counts, shares = table.counts, uniform_prior(table.counts)
    axes = -1 if table.conditional else tuple(range(counts.ndim))
    total, whole = (part.sum(axis=axes, keepdims=True) for part in (counts, shares))
    return smoothed_table_frame(table, 0.0).assign(
        share=shares.ravel(),
        total=(total + 0 * counts).ravel(),
        total_share=(whole + 0 * counts).ravel(),
    )


def _smoothed_map(table: LabelledTable) -> alt.LayerChart:
    frame = smoothing_frame(table)
    data = frame.drop(columns="smoothed")
    chart = alt.Chart(data).transform_calculate(smoothed=_SMOOTHED)
    return heat_map(chart, frame, table, "smoothed")
