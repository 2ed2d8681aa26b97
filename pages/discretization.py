"""Figure 2: should two variables keep four states, or are two enough?"""

import streamlit as st

from siviz.charts import discretization as charts
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

START = {"sizes": [25, 100, 500], "z": 0.04, "resamples": 100, "seed": 2006}
START |= {"measures": ["si", "mi_bc", "nmi", "log10_p", "p_value_2006"]}
PAPER = {"measures": ["si", "mi_bc", "nmi", "p_value_2006"]}
P_VALUES = ["p_value", "log10_p", "p_value_2006"]
PRESETS = {
    "As in the paper": PAPER,
    "p-values, three ways": {"sizes": [100, 500, 5000], "measures": P_VALUES},
    "Much data": {"sizes": [500, 2000, 10_000], "z": 0.02},
}

st.title("Two states or four?")
write("discretization")
figure_side, control_side = st.columns([2, 1], gap="large")
with control_side:
    sizes = study_controls.several_sizes("sizes", START)
    z = controls.number(
        "z", START, "z: the line, and the table below", 0, charts.LARGEST_Z, 0.005
    )
    measures = study_controls.study_measures("measures", START)
    resamples, seed = study_controls.draws(START)
    controls.views(START, PRESETS)
    write("discretization_origin")
if not sizes or not measures:
    st.info("Choose at least one sample size and one measure.")
    st.stop()

with figure_side:
    study = study_frame(cached.discretization(sizes, resamples, measures, seed))
    curves = Figure.of_chart(
        charts.discretization_chart(study, z, measures),
        "How often each measure favours two states over four, against z",
        charts.discretization_sentence(study),
        study,
    )
    show_figure(curves, name="discretization", formula="formula_measures")
    st.markdown("##### The true table")
    truth = charts.discretization_truth(z)
    tables = Figure.of_chart(
        truth_chart(truth, charts.VARIABLES),
        "Heat maps of the true table with four states and with two",
        charts.truth_sentence(z),
        truth,
    )
    show_figure(tables, name="true-table", formula="formula_discretization")
    growth = information_frame(charts.discretization_views, charts.LARGEST_Z)
    nats = Figure.of_chart(
        information_chart(growth, z),
        "True mutual information of both views against z",
        charts.information_sentence(z),
        growth,
    )
    show_figure(nats, name="information")
write("discretization_why")
views = truth_handout(
    charts.discretization_views, z, charts.LARGEST_Z, charts.VARIABLES
)
handout_button("Two states or four?", "discretization", lambda: [curves, views, nats])
