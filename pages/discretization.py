"""Figure 2: should two variables keep four states, or are two enough?"""

import streamlit as st

from siviz.charts import discretization as charts
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

START = {"sizes": [25, 100, 500], "z": 0.04, "resamples": 100, "seed": 2006}
START |= {"measures": ["si", "mi_bc", "nmi", "log10_p", "p_value_2006"]}
PAPER = {"measures": ["si", "mi_bc", "nmi", "p_value_2006"]}
P_VALUES = ["p_value", "log10_p", "p_value_2006"]
PRESETS = {
    "As in the paper": PAPER,
    "p-values, three ways": {"sizes": [100, 500, 5000], "measures": P_VALUES},
    "Much data": {"sizes": [500, 2000, 10_000], "z": 0.02},
}
VIEWS, MOST, VARIABLES = charts.discretization_views, charts.LARGEST_Z, charts.VARIABLES

st.title("Two states or four?")
write("discretization")
figure_side, control_side, more = sides_and_more()
with control_side:
    sizes = study_controls.several_sizes("sizes", START)
    measures = study_controls.study_measures("measures", START)
    resamples, seed = study_controls.draws(START)
    controls.views(START, PRESETS)
    write("discretization_origin")
below = st.container()
if not sizes or not measures:
    st.info("Choose at least one sample size and one measure.")
    st.stop()

with figure_side:
    asked = sizes, resamples, measures, seed
    study = study_frame(cached.discretization(*asked))
    told = cached.discretization_told(*asked)


def answer(z: float) -> Answers:
    """What answers to the slider."""
    told_here = charts.truth_sentence(z), charts.information_sentence(z)
    return {
        "discretization": charts.discretization_figure(study, told, z, measures),
        "true-table": truth_figure(VIEWS, z, VARIABLES, told_here[0]),
        "information": information_figure(VIEWS, z, MOST, told_here[1]),
    }


@st.fragment  # the slider runs only this part of the page again
def live() -> None:
    """Show the slider and what answers to it."""
    with figure_side:
        label = "z: the line, and the table below"
        z = controls.number("z", START, label, 0, MOST, 0.005)
    answers = live_part("discretization", answer, {"z": z})
    with figure_side:
        answers.show("discretization", formula="formula_measures")
    with more:
        st.markdown("##### The true table")
        answers.show("true-table", formula="formula_discretization")
        answers.show("information")
    curves, _, nats = answers.figures()
    with below:
        handout_button(
            "Two states or four?",
            "discretization",
            lambda: [
                following(curves, z),
                truth_handout(VIEWS, z, MOST, VARIABLES),
                following(nats, z),
            ],
        )


live()
write("discretization_why")
