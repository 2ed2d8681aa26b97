"""Figure 1: the same two observations on three scales, in two different orders."""

from typing import Any

import streamlit as st

from siviz.charts import fair_scale as charts
from siviz.charts.fair_scale_handout import fair_scale_handout
from siviz.charts.frame import PAIRS
from siviz.ui import cached, controls
from siviz.ui.layout import sides
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
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


def answer(scale: str, permutations: bool, **observed_at: Any) -> Answers:
    """What answers to the controls."""
    pairs, named = pairs_at(**observed_at), charts.NAMED[scale]
    observed = charts.observed_frame(pairs)
    random_tables = cached.permutations(pairs, named, seed=1) if permutations else None
    return {
        "fair-scale": charts.fair_scale_figure(pairs, observed, named, random_tables),
        "observed": markdown_table(charts.observed_table(observed)),
    }


def pairs_at(
    n: int, k1: int, k2: int, i1: float, i2: float
) -> tuple[charts.ObservedPair, ...]:
    """Both pairs as the sliders say."""
    return charts.observed_pairs(PAIRS, n, (k1, k2), (i1, i2))


@st.fragment  # a control runs only this part of the page again
def live() -> None:
    """Show the controls and what answers to them."""
    with figure_side:
        scale = controls.choice("scale", START, "Scale", tuple(charts.NAMED))
    with control_side:
        label = "Observed Î{}, nats".format
        observed_at = {
            "n": controls.sample_size("n", START, most=2000),
            "k1": controls.states("k1", START, "States of A and of B", most=12),
            "k2": controls.states("k2", START, "States of X and of Y", most=12),
            "i1": controls.number("i1", START, label(PAIRS[0]), 0, 0.4, 0.001),
            "i2": controls.number("i2", START, label(PAIRS[1]), 0, 0.4, 0.001),
        }
        permute = controls.switch("permutations", START, "Lay random tables over it")
    values = {"scale": scale, "permutations": permute, **observed_at}
    answers = live_part("fair scale", answer, values)
    with figure_side:
        answers.show("fair-scale", formula="formula_scales")
    with below:
        answers.show("observed")
        handout_button(
            "A fair scale",
            "fair_scale",
            lambda: [fair_scale_handout(pairs_at(**observed_at))],
        )


live()
with control_side:
    controls.views(START, PRESETS)
write("fair_scale_why")
