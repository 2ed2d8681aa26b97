"""Sparse tables: four nulls for one table of noise, and who wins among noise."""

import streamlit as st

from siviz.charts import sparse as charts
from siviz.charts.figure import Figure
from siviz.duels import DUEL_MEASURES
from siviz.scenarios import Margin
from siviz.ui import cached, controls
from siviz.ui.layout import sides_and_more
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
from siviz.ui.text import markdown_table, write

START = {"n": 200, "k": 30, "margin": "uniform", "seed": 1}
START |= {"measures": list(DUEL_MEASURES), "draws": 100}
MARGINS = ("uniform", "zipf")
PRESETS = {
    "Dense": {"n": 10_000, "k": 5, "draws": 2000},
    "In between": {"n": 1000, "k": 30},
    "Long tails": {"n": 10_000, "k": 50, "margin": "zipf"},
}
QUICK_TABLES = 200  # more random tables may take a while

st.title("Sparse tables")
write("sparse_tables")
figure_side, control_side, more = sides_and_more()
with control_side:
    slider_place = st.container()
    measures = controls.measures("measures", START)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draws = controls.count("draws", START, "Random tables", 20, 5000)
        seed = controls.count("seed", START, "Seed", 0, 999_999)
    controls.views(START, PRESETS)
below = st.container()


def answer(n: int, k: int, margin: Margin) -> Answers:
    """What answers to the sliders."""
    counts = cached.independent_table((k, k), n, margin, seed)
    nulls = cached.nulls((k, k), n, margin, draws, seed)
    moments = charts.sparse_table_frame(counts, nulls)
    answers: dict[str, Figure | str] = {
        "nulls": charts.sparse_figure(counts, nulls),
        "moments": markdown_table(charts.moments_table(moments)),
    }
    if measures:
        wins = cached.fairness(k, n, margin, measures, draws, seed)
        answers["winners"] = charts.winners_figure(wins, measures)
    return answers


@st.fragment  # a slider runs only this part of the page again
def live() -> None:
    """Show the sliders and what answers to them."""
    with slider_place:
        values = {
            "n": controls.sample_size("n", START),
            "k": controls.states("k", START, "States of each variable, k"),
            "margin": controls.choice("margin", START, "Margins", MARGINS),
        }
    doing = "Drawing random tables …" if draws > QUICK_TABLES else ""
    with figure_side:
        answers = live_part("sparse tables", answer, values, doing=doing)
        st.markdown("##### What independence predicts")
        answers.show("nulls", formula="formula_nulls")
    with more:
        answers.show("moments")
        st.markdown("##### Who wins when there is nothing to find")
        if measures:
            answers.show("winners")
        else:
            st.info("Choose at least one measure.")
    with below:
        handout_button("Sparse tables", "sparse_tables", answers.figures)


live()
write("sparse_tables_why")
