"""Two conditions for a fair measure, and why the square root meets both (Sec. 3-4)."""

import streamlit as st

from siviz.charts import conditions as charts
from siviz.charts.conditions_handout import rate_handout, walk_handout
from siviz.charts.conditions_rate import rate_figure
from siviz.charts.conditions_walk import map_figure, zoom_figure
from siviz.ui import controls
from siviz.ui.layout import sides
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = {"walk": -1.0, "n": 10_000, "k1": 3, "k2": 5, "k3": 10}
START |= {"measure": "normalized MI", "rate": 0.25}
PRESETS = {
    "Both": {"walk": 0.0, "measure": "SI"},
    "All condition 2": {"walk": 1.0, "measure": "MI, bias-corrected"},
    "Little data": {"walk": 0.0, "measure": "SI", "n": 500},
}

st.title("Two conditions")
write("two_conditions")
figure_side, control_side = sides()
with control_side:
    walk = controls.number(
        "walk", START, "All condition 1 ⟷ all condition 2", -1, 1, 0.05
    )
    size = controls.sample_size("n", START)
    states = (
        controls.states("k1", START, "States of A and of B"),
        controls.states("k2", START, "States of X and of Y"),
        controls.states("k3", START, "States of U and of V"),
    )
    controls.views(START, PRESETS)
    write("two_conditions_walk")
with figure_side:
    for zoom in charts.ZOOMS:
        show_figure(zoom_figure(states, size, walk, zoom), name=f"walk-{zoom}")
    show_figure(map_figure(walk), name="walk", formula="formula_walk")

write("two_conditions_measures")
measure = charts.GROWING[
    controls.choice("measure", START, "Measure", tuple(charts.GROWING))
]
zooms = [charts.conditions_figure(measure, states, size, zoom) for zoom in charts.ZOOMS]
for figure, column in zip(zooms, st.columns(2, gap="large"), strict=True):
    with column:
        name = str(figure.options["zoom"])
        show_figure(figure, name=name, formula="formula_conditions")
st.markdown(markdown_table(charts.conditions_table(states, size)))
write("two_conditions_rate")
rate = controls.number("rate", START, "Rate of transition τ", 0, 3, 0.05)
show_figure(rate_figure(states, rate), name="rate", formula="formula_rate")
write("two_conditions_why")
handout_button(
    "Two conditions",
    "two_conditions",
    lambda: [walk_handout(states, size, walk), *zooms, rate_handout(states, rate)],
)
