"""Figure 4 with its slider in the browser: smoothing is a fraction of sums."""

from math import floor, log10
from typing import Final

import altair as alt
import pandas as pd

from siviz.charts.equivalent_size import (
    axis_reach,
    best_frame,
    chosen_frame,
    meeting_frame,
    scores_chart,
    scores_frame,
    scores_sentence,
    sides_chart,
    sides_frame,
    sides_options,
    sides_sentence,
)
from siviz.charts.figure import Figure
from siviz.charts.smoothed_table import (
    heat_map,
    is_drawable,
    map_form,
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
_WIDTH: Final = 540


def equivalent_size_handout(
    study: SizeStudy, dof: Dof, table: LabelledTable, size: float
) -> Figure:
    """The curves, and the table as smoothed, with a slider that opens at this N'."""
    return Figure(
        interactive_chart,
        {},
        "Both sides of Eq. 9, scores of N′, and the smoothed table, with a slider",
        "Move the slider and watch the line and the table. It opened here:\n\n"
        f"- {sides_sentence(study, dof)}\n"
        f"- {scores_sentence(study, axis_reach(study, dof))}\n"
        f"- {smoothed_table_sentence(table, size)}",
        {"study": study, "dof": dof, "table": table, "size": size},
    )


def interactive_chart(
    study: SizeStudy, dof: Dof, table: LabelledTable, size: float
) -> alt.VConcatChart:
    """Panels below each other that share the slider."""
    reach, constraint = axis_reach(study, dof), study.constraints[dof]
    chosen = chosen_frame(size)
    curves, scores = sides_frame(constraint, reach), scores_frame(study, reach)
    panels = [
        sides_chart(
            curves, meeting_frame(constraint), chosen, **sides_options(study, dof)
        ),
        scores_chart(scores, best_frame(study), chosen, reach=reach),
    ]
    for panel in panels:
        # The browser puts the slider's value in place of the opening one.
        panel.layer[0] = panel.layer[0].transform_calculate(size="chosen")
    if is_drawable(table):
        panels.append(_smoothed_map(table))
    bound = alt.binding_range(
        min=0,
        max=reach,
        step=10.0 ** floor(log10(reach / 200)),
        name="Virtual observations N′ ",
    )
    chart = alt.vconcat(*(panel.properties(width=_WIDTH) for panel in panels))
    chart = chart.resolve_scale(color="independent", strokeDash="independent")
    opening = float(f"{size:.4g}")  # as it is told; the browser shows all digits
    return chart.add_params(alt.param(name="chosen", value=opening, bind=bound))


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
    cells = smoothing_frame(table).drop(columns="smoothed")
    chart = alt.Chart(cells).transform_calculate(smoothed=_SMOOTHED)
    return heat_map(chart, field="smoothed", form=map_form(table))
