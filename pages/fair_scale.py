"""Figure 1: the same two observations on three scales, in two different orders."""

import streamlit as st

from siviz.charts import fair_scale as charts
from siviz.charts.fair_scale_handout import fair_scale_handout
from siviz.charts.figure import Figure
from siviz.charts.frame import PAIRS
from siviz.ui import cached, controls
from siviz.ui.layout import sides
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = {"scale": "information", "n": 160, "k1": 2, "i1": 0.011, "k2": 4, "i2": 0.039}
START |= {"permutations": False}
PRESETS = {
    "Strong": {"scale": "standard deviations", "n": 2000, "i1": 0.2, "i2": 0.3},
    "Sparse": {"n": 50, "k2": 6, "i1": 0.03, "i2": 0.27, "permutations": True},
}

st.title("A fair scale")
write("fair_scale")
figure_side, control_side = sides()
with control_side:
    size = controls.sample_size("n", START, most=2000)
    states = (
        controls.states("k1", START, "States of A and of B", most=12),
        controls.states("k2", START, "States of X and of Y", most=12),
    )
    information = (
        controls.number("i1", START, "Observed Î(A, B), nats", 0, 0.4, 0.001),
        controls.number("i2", START, "Observed Î(X, Y), nats", 0, 0.4, 0.001),
    )
    permute = controls.switch("permutations", START, "Lay random tables over it")
    controls.views(START, PRESETS)

with figure_side:
    scale = charts.NAMED[controls.choice("scale", START, "Scale", tuple(charts.NAMED))]
    pairs = charts.observed_pairs(PAIRS, size, states, information)
    frames = {
        "curves": charts.fair_scale_frame(pairs, scale),
        "observed": charts.observed_frame(pairs),
    }
    if permute:
        frames["permutations"] = cached.permutations(pairs, scale, seed=1)
    figure = Figure(
        charts.fair_scale_chart,
        frames,
        "Null densities of two pairs with a line at each observed value",
        charts.fair_scale_sentence(frames["observed"], scale),
        {"scale": scale, "domain": charts.axis_domain(pairs, scale)},
    )
    show_figure(figure, name="fair-scale", formula="formula_scales")
st.markdown(markdown_table(charts.observed_table(frames["observed"])))
write("fair_scale_why")
handout_button("A fair scale", "fair_scale", lambda: [fair_scale_handout(pairs)])
