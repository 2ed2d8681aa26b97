"""When p-values break: 1 - cdf, survival functions, log p, Fisher (Sec. 5.3-5.4)."""

import streamlit as st

from siviz.charts import fisher
from siviz.charts import p_values as charts
from siviz.charts.figure import Figure
from siviz.ui import cached, controls
from siviz.ui.counts import cell_values, copies, typed_table
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import write

START = cell_values([[8, 2, 1], [2, 8, 1], [1, 1, 8]])
START |= {"copies": 300, "d": 3, "view": "density"}
PRESETS = {
    "2 × 2": cell_values([[9, 1], [1, 9]]),
    "Weak": cell_values([[51, 49], [49, 51]]) | {"copies": 1000},
    "Independent": cell_values([[10, 20], [20, 40]]),
    "One copy": {"copies": 1},
}

st.title("When p-values break")
write("p_values")
figure_side, control_side = st.columns([2, 1], gap="large")
with control_side:
    counts = typed_table(START)
    times = copies("copies", START)
    controls.views(START, PRESETS)
try:
    table = charts.copies_of(counts, times)
except ValueError as error:
    st.error(f"The {error}.")
    st.stop()

growth = cached.p_values(counts)
figure = Figure.of_chart(
    charts.p_values_chart(growth, float(table.sample_size)),
    "Minus log p of one table against the sample size, by several methods",
    charts.p_values_sentence(growth),
    growth,
)
with figure_side:
    show_figure(figure, name="p-values", formula="formula_p_values")
with control_side:
    st.markdown(f"##### Printed for N = {float(table.sample_size):,.0f}")
    st.dataframe(charts.printed_frame(table), hide_index=True, height="content")

st.markdown("##### A tie that is none")
rival = charts.weaker_rival(table)
tie = charts.tie_frame(table, rival)
table_side, rival_side = st.columns([2, 1], gap="large")
with table_side:
    st.dataframe(tie, hide_index=True, height="content")
    st.markdown(charts.tie_sentence(tie))
with rival_side:
    write("p_values_rival")
    st.dataframe(charts.cells_frame(rival), hide_index=True, height="content")

write("p_values_fisher")
figure_side, control_side = st.columns([2, 1], gap="large")
with control_side:
    view = controls.choice("view", START, "Show", fisher.VIEWS)
    dof = controls.count("d", START, "Degrees of freedom d", 1, 1000)
curves, distances = fisher.fisher_frame(dof), fisher.distance_frame([dof])
approximation = Figure.of_chart(
    fisher.fisher_chart(curves, distances, view),
    "Null distribution of SI, exact and normal",
    fisher.fisher_sentence(distances),
    curves,
)
with figure_side:
    show_figure(approximation, name="fisher", formula="formula_fisher")
write("p_values_why")
handout_button(
    "When p-values break",
    "p_values",
    lambda: [figure, fisher.fisher_handout(dof, view)],
)
