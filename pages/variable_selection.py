"""Figure 3: which of twenty features tells most about a class?"""

import streamlit as st

from siviz.charts import selection as charts
from siviz.charts.study import study_frame
from siviz.charts.truth import information_figure, truth_figure, truth_handout
from siviz.ui import cached, controls, study_controls
from siviz.ui.layout import sides
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
from siviz.ui.text import write

START = {"z": 0.1, "sizes": (16, 16_384), "resamples": 100, "seed": 2006}
START |= {"measures": ["si", "mi_bc", "nmi", "log10_p", "p_value_2006"]}
PAPER = {"sizes": (32, 16_384), "measures": ["si", "mi_bc", "nmi", "p_value_2006"]}
P_VALUES = ["p_value", "log10_p", "p_value_2006"]
PRESETS = {
    "As in the paper (a)": PAPER,
    "As in the paper (b)": {**PAPER, "z": 0.08},
    "p-values, three ways": {"measures": P_VALUES},
    "Nothing to find": {"z": 0.0},
}
FEW = 200  # resamples that are drawn while the slider moves
VIEWS, MOST, VARIABLES = charts.selection_views, charts.LARGEST_Z, charts.VARIABLES

st.title("Which feature tells most?")
write("variable_selection")
figure_side, control_side = sides()
with control_side:
    z = controls.number("z", START, "z of four-state features", 0, MOST, 0.005)
    sizes = study_controls.size_range("sizes", START)
    measures = study_controls.study_measures("measures", START)
    resamples, seed = study_controls.draws(START)
    controls.views(START, PRESETS)
if not measures:
    st.info("Choose at least one measure.")
    st.stop()


def answer(z: float) -> Answers:
    """What answers to the slider."""
    study = study_frame(cached.selection(sizes, z, resamples, measures, seed))
    told_here = charts.truth_sentence(z), charts.information_sentence(z)
    return {
        "selection": charts.selection_figure(study, measures),
        "true-tables": truth_figure(VIEWS, z, VARIABLES, told_here[0]),
        "information": information_figure(VIEWS, z, MOST, told_here[1]),
    }


with figure_side:
    answers = live_part("selection", answer, {"z": z}, ahead=resamples <= FEW)
    answers.show("selection", formula="formula_measures")
    st.markdown("##### The true tables")
    answers.show("true-tables", formula="formula_selection")
    answers.show("information")
write("variable_selection_why")
curves, _, nats = answers.figures()
handout_button(
    "Which feature tells most?",
    "variable_selection",
    lambda: [curves, truth_handout(VIEWS, z, MOST, VARIABLES), nats],
)
