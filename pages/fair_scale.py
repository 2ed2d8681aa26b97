"""Figure 1: the same two observations on three scales, in two different orders."""

import streamlit as st

from siviz.charts import fair_scale as charts
from siviz.charts.fair_scale_handout import fair_scale_handout
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
below = st.container()


@st.fragment  # a slider runs only this part of the page again
def live() -> None:
    """Show the controls and what answers to them."""
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
    pairs = charts.observed_pairs(PAIRS, size, states, information)
    observed = charts.observed_frame(pairs)
    with figure_side:
        scale = charts.NAMED[
            controls.choice("scale", START, "Scale", tuple(charts.NAMED))
        ]
        random_tables = cached.permutations(pairs, scale, seed=1) if permute else None
        figure = charts.fair_scale_figure(pairs, observed, scale, random_tables)
        show_figure(figure, name="fair-scale", formula="formula_scales")
    with below:
        st.markdown(markdown_table(charts.observed_table(observed)))
        handout_button(
            "A fair scale", "fair_scale", lambda: [fair_scale_handout(pairs)]
        )


live()
with control_side:
    controls.views(START, PRESETS)
write("fair_scale_why")
