"""One pair against another: which does each measure call more dependent?"""

import streamlit as st

from siviz.charts import duel as charts
from siviz.charts.frame import PAIRS
from siviz.ui import cached, controls
from siviz.ui.layout import sides_and_more
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
from siviz.ui.text import markdown_table, write

START = {"n": 200, "k1": 3, "i1": 0.06, "k2": 12, "i2": 0.0, "draws": 100, "seed": 1}
PRESETS = {
    "Much data": {"n": 20_000},
    "Both noise": {"i1": 0.0},
    "Strong and rich": {"n": 20_000, "i1": 0.3, "k2": 20, "i2": 0.45},
}
LIVE_DRAWS = 500  # more take too long to follow a slider

st.title("Which pair is more dependent?")
write("home")
figure_side, control_side, more = sides_and_more()
with control_side:
    st.markdown("**You set the truth.** Move a slider, draw again, see who is wrong.")
    slider_place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draws = controls.count("draws", START, "Samples drawn", 1, 2000)
        seed = controls.count("seed", START, "Seed", 0, 999_999)
    controls.more("draws", (1, 10, 1000), 2000)
    controls.views(START, PRESETS)
below = st.container()


def answer(n: int, k1: int, k2: int, i1: float, i2: float) -> Answers:
    """What answers to the sliders."""
    duel = cached.duel(n, (k1, k2), (i1, i2), draws, seed)
    score = charts.duel_frame(duel)
    return {
        "headline": f"#### {charts.duel_headline(duel)}",
        "duel": charts.duel_figure(duel, score),
        "chance": charts.chance_figure(duel),
        "verdict": markdown_table(charts.verdict_table(score)),
    }


@st.fragment  # a slider runs only this part of the page again
def live() -> None:
    """Show the sliders and what answers to them."""
    with slider_place:
        label = "True dependence of {}, nats".format
        values = {
            "n": controls.sample_size("n", START),
            "k1": controls.states("k1", START, "States of A and of B"),
            "k2": controls.states("k2", START, "States of X and of Y"),
            "i1": controls.number("i1", START, label(PAIRS[0]), 0, 0.6, 0.01),
            "i2": controls.number("i2", START, label(PAIRS[1]), 0, 0.6, 0.01),
        }
    doing = "Drawing samples …" if draws > LIVE_DRAWS else ""
    with figure_side:
        answers = live_part("home", answer, values, ahead=not doing, doing=doing)
        answers.show("headline")
        answers.show("duel", formula="formula_measures")
    with more:
        st.markdown("##### Why")
        answers.show("chance", formula="formula_chance")
    with below:
        st.markdown("##### The latest sample")
        answers.show("verdict")
        handout_button("Which pair is more dependent?", "home", answers.figures)


live()
write("home_why")
