"""Two conditions for a fair measure, and why the square root meets both (Sec. 3-4)."""

import streamlit as st

from siviz.charts import conditions as charts
from siviz.charts import conditions_walk as walks
from siviz.charts.figure import Figure
from siviz.ui import controls
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import write

START = {"stop": "z-score", "n": 10_000, "k1": 3, "k2": 5, "k3": 10}
START |= {"measure": "normalized MI"}
RATE = 0.25
PRESETS = {
    "Both": {"stop": "SI", "measure": "SI"},
    "All condition 2": {"stop": "MI, bias-corrected", "measure": "MI, bias-corrected"},
    "Little data": {"stop": "SI", "measure": "SI", "n": 500},
}

st.title("Two conditions")
write("two_conditions")
figure_side, control_side = st.columns([2, 1], gap="large")
with control_side:
    stop = walks.STOPS[controls.choice("stop", START, "Start at", tuple(walks.STOPS))]
    size = controls.sample_size("n", START)
    states = (
        controls.states("k1", START, "States of A and of B"),
        controls.states("k2", START, "States of X and of Y"),
        controls.states("k3", START, "States of U and of V"),
    )
    controls.views(START, PRESETS)
    write("two_conditions_walk")
walk = Figure.of_chart(
    walks.walk_chart(states, size, stop),
    "Both zooms of three pairs and a slider between the conditions",
    walks.walk_sentence(states, stop),
    walks.walk_frame(states, size, stop),
)
with figure_side:
    show_figure(walk, name="walk", formula="formula_walk")

write("two_conditions_measures")
measure = charts.GROWING[
    controls.choice("measure", START, "Measure", tuple(charts.GROWING))
]
zooms = {
    zoom: charts.conditions_frame(measure, states, size, zoom) for zoom in charts.ZOOMS
}
figures = {
    zoom: Figure.of_chart(
        charts.conditions_chart(frame, measure, zoom),
        "One measure of three pairs",
        charts.conditions_sentence(measure, states, size, zoom),
        frame,
    )
    for zoom, frame in zooms.items()
}
for zoom, column in zip(charts.ZOOMS, st.columns(2, gap="large"), strict=True):
    with column:
        show_figure(figures[zoom], name=zoom, formula="formula_conditions")
st.dataframe(charts.conditions_table(states, size), hide_index=True, height="content")
write("two_conditions_rate")
rate = Figure.of_chart(
    walks.rate_chart(states, RATE),
    "A family of measures against SI and a slider for its rate",
    walks.rate_sentence(states),
    walks.rate_frame(states, RATE),
)
show_figure(rate, name="rate", formula="formula_rate")
handout_button(
    "Two conditions",
    "two_conditions",
    lambda: [walks.walk_handout(states, size, stop), *figures.values(), rate],
)
