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
_CHOSEN: Final = "chosen"


def equivalent_size_handout(
    study: SizeStudy, dof: Dof, table: LabelledTable, size: float
) -> list[Figure]:
    """The curves, with a slider that opens at this N', and the table as smoothed."""
    reach, constraint = axis_reach(study, dof), study.constraints[dof]
    chosen = chosen_frame(size)
    opening = float(f"{size:.4g}")  # as it is told; the browser shows all digits
    bound = alt.binding_range(
        min=0,
        max=reach,
        step=10.0 ** floor(log10(reach / 200)),
        name="Virtual observations N′ ",
    )
    sides = sides_chart(
        sides_frame(constraint, reach),
        meeting_frame(constraint),
        chosen,
        **sides_options(study, dof),
    )
    scores = scores_chart(
        scores_frame(study, reach), best_frame(study), chosen, reach=reach
    )
    for chart in (sides, scores):
        # The browser puts the slider's value in place of the opening one.
        chart.layer[0] = chart.layer[0].transform_calculate(size=_CHOSEN)
    slider = alt.param(name=_CHOSEN, value=opening, bind=bound)
    follower = alt.param(name=_CHOSEN, value=opening)
    figures = [
        Figure.of_chart(
            sides.add_params(slider),
            "Both sides of Eq. 9 against N′, with a slider",
            "Move the slider: the lines and the table follow it.\n\n"
            f"{sides_sentence(study, dof)}",
        ),
        Figure.of_chart(
            scores.add_params(follower),
            "Scores of N′",
            scores_sentence(study, reach),
        ),
    ]
    if is_drawable(table):
        cells = smoothing_frame(table).drop(columns="smoothed")
        smoothed = alt.Chart(cells).transform_calculate(smoothed=_SMOOTHED)
        map_ = heat_map(smoothed, field="smoothed", form=map_form(table))
        told = f"The slider opened here: {smoothed_table_sentence(table, size)}"
        figures.append(
            Figure.of_chart(map_.add_params(follower), "The smoothed table", told)
        )
    return figures


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
