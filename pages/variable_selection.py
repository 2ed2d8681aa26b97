"""Figure 3: which of twenty features tells most about a class?"""

import streamlit as st

from siviz.charts import selection as charts
from siviz.charts.figure import Figure
from siviz.charts.study import study_frame
from siviz.charts.truth import (
    information_chart,
    information_frame,
    truth_chart,
    truth_handout,
)
from siviz.ui import cached, controls, study_controls
from siviz.ui.show import handout_button, show_figure
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

st.title("Which feature tells most?")
write("variable_selection")
figure_side, control_side = st.columns([2, 1], gap="large")
with control_side:
    z = controls.number("z", START, "z of four-state features", 0, 0.25, 0.005)
    sizes = study_controls.size_range("sizes", START)
    measures = study_controls.study_measures("measures", START)
    resamples, seed = study_controls.draws(START)
    controls.views(START, PRESETS)
if not measures:
    st.info("Choose at least one measure.")
    st.stop()

with figure_side:
    study = study_frame(cached.selection(sizes, z, resamples, measures, seed))
    curves = Figure.of_chart(
        charts.selection_chart(study, measures),
        "How often the best of twenty features is one with two states, against N",
        charts.selection_sentence(study),
        study,
    )
    show_figure(curves, name="selection", formula="formula_measures")
    st.markdown("##### The true tables")
    truth = charts.selection_truth(z)
    tables = Figure.of_chart(
        truth_chart(truth, charts.VARIABLES),
        "Heat maps of the true tables of both kinds of features and the class",
        charts.truth_sentence(z),
        truth,
    )
    show_figure(tables, name="true-tables", formula="formula_selection")
    growth = information_frame(charts.selection_views, charts.LARGEST_Z)
    nats = Figure.of_chart(
        information_chart(growth, z),
        "True mutual information of both views against z",
        charts.information_sentence(z),
        growth,
    )
    show_figure(nats, name="information")
write("variable_selection_why")
views = truth_handout(charts.selection_views, z, charts.LARGEST_Z, charts.VARIABLES)
figures = [curves, views, nats]
handout_button("Which feature tells most?", "variable_selection", lambda: figures)
