"""Figure 3: which of twenty features tells most about a class?"""

import streamlit as st

from siviz.charts import selection as charts
from siviz.charts.study import study_frame
from siviz.charts.truth import (
    following,
    information_figure,
    truth_figure,
    truth_handout,
)
from siviz.ui import cached, controls, study_controls
from siviz.ui.layout import sides_and_more
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
from siviz.ui.text import write

START = {"z": 0.1, "sizes": (8, 65_536), "resamples": 80, "seed": 2006}
START |= {"measures": ["si", "mi_bc", "nmi", "log10_p", "p_value_2006"]}
PAPER = {"sizes": (32, 16_384), "resamples": 100}
PAPER |= {"measures": ["si", "mi_bc", "nmi", "p_value_2006"]}
P_VALUES = ["p_value", "log10_p", "p_value_2006"]
PRESETS = {
    "As in the paper (a)": PAPER,
    "As in the paper (b)": {**PAPER, "z": 0.08},
    "p-values, three ways": {"measures": P_VALUES},
    "Four states are noise": {"z": 0.0},
}
LIVE_RESAMPLES = 1000  # of all measures; more cannot follow a slider
VIEWS, MOST, VARIABLES = charts.selection_views, charts.LARGEST_Z, charts.VARIABLES

st.title("Which feature tells most?")
write("variable_selection")
figure_side, control_side, more = sides_and_more()
with figure_side:
    z = controls.number("z", START, "z of four-state features", 0, MOST, 0.005)
with control_side:
    sizes = study_controls.size_range("sizes", START)
    measures = study_controls.study_measures("measures", START)
    resamples, seed = study_controls.draws(START)
    controls.views(START, PRESETS)
if not measures:
    st.info("Choose at least one measure.")
    st.stop()


def truth_answer(z: float) -> Answers:
    """The true tables, which the browser can draw while the study goes on."""
    told_here = charts.truth_sentence(z), charts.information_sentence(z)
    return {
        "true-tables": truth_figure(VIEWS, z, VARIABLES, told_here[0]),
        "information": information_figure(VIEWS, z, MOST, told_here[1]),
    }


def study_answer(z: float, sizes: tuple[int, int]) -> Answers:
    """How often each measure picks which feature."""
    study = study_frame(cached.selection(z, resamples, measures, seed))
    return {
        "selection": charts.selection_figure(charts.at_sizes(study, sizes), measures)
    }


with more:
    st.markdown("##### The true tables")
    truth = live_part("truth", truth_answer, {"z": z})
    truth.show("true-tables", formula="formula_selection")
    truth.show("information")
with figure_side:
    quick = resamples * len(measures) <= LIVE_RESAMPLES
    values = {"z": z, "sizes": sizes}
    study = live_part("study", study_answer, values, ahead=quick)
    study.show("selection", formula="formula_measures")
write("variable_selection_why")
handout_button(
    "Which feature tells most?",
    "variable_selection",
    lambda: [
        *study.figures(),
        truth_handout(VIEWS, z, MOST, VARIABLES),
        *(following(nats, z) for nats in truth.figures("information")),
    ],
)
