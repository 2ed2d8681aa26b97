"""One pair against another: which does each measure call more dependent?"""

import streamlit as st

from siviz.charts import duel as charts
from siviz.charts.figure import Figure
from siviz.ui import cached, controls
from siviz.ui.layout import sides
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = {"n": 200, "k1": 3, "i1": 0.06, "k2": 12, "i2": 0.0, "draws": 100, "seed": 1}
PRESETS = {
    "Much data": {"n": 20_000},
    "Both noise": {"i1": 0.0},
    "Strong and rich": {"n": 20_000, "i1": 0.3, "k2": 20, "i2": 0.45},
}

st.title("Which pair is more dependent?")
write("home")
figure_side, control_side = sides()
with control_side:
    st.markdown("**You set the truth.** Move a slider, draw again, see who is wrong.")
    size = controls.sample_size("n", START)
    states = (
        controls.states("k1", START, "States of A and of B"),
        controls.states("k2", START, "States of X and of Y"),
    )
    information = (
        controls.number("i1", START, "True dependence of (A, B), nats", 0, 0.6, 0.01),
        controls.number("i2", START, "True dependence of (X, Y), nats", 0, 0.6, 0.01),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draws = controls.count("draws", START, "Samples drawn", 1, 2000)
        seed = controls.count("seed", START, "Seed", 0, 999_999)
    controls.more("draws", (1, 10, 1000), 2000)
    controls.views(START, PRESETS)

duel = cached.duel(size, states, information, draws, seed)
score, chance = charts.duel_frame(duel), charts.chance_frame(duel)
figures = [
    Figure(
        charts.duel_chart,
        {"score": score},
        "Bars: how often each measure ranked the wrong pair first",
        charts.duel_sentence(duel),
        {"measures": tuple(duel.values), "equal": duel.stronger < 0},
    ),
    Figure(
        charts.chance_chart,
        {"information": chance},
        "Mutual information of the samples of both pairs, the truth, and chance alone",
        charts.chance_sentence(chance),
    ),
]
with figure_side:
    st.markdown(f"#### {charts.duel_headline(duel)}")
    show_figure(figures[0], name="duel", formula="formula_measures")
    st.markdown("##### Why")
    show_figure(figures[1], name="chance", formula="formula_chance")
st.markdown("##### The latest sample")
st.markdown(markdown_table(charts.verdict_table(score)))
write("home_why")
handout_button("Which pair is more dependent?", "home", lambda: figures)
