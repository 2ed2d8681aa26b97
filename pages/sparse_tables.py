"""Sparse tables: four nulls for one table of noise, and who wins among noise."""

import streamlit as st

from siviz.charts import sparse as charts
from siviz.duels import DUEL_MEASURES
from siviz.ui import cached, controls
from siviz.ui.layout import sides
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = {"n": 200, "k": 30, "margin": "uniform", "seed": 1}
START |= {"measures": list(DUEL_MEASURES)}
PRESETS = {
    "Dense": {"n": 10_000, "k": 5},
    "In between": {"n": 1000, "k": 30},
    "Long tails": {"n": 10_000, "k": 50, "margin": "zipf"},
}

st.title("Sparse tables")
write("sparse_tables")
figure_side, control_side = sides()
with control_side:
    slider_place = st.container()
    measures = controls.measures("measures", START)
    seed = controls.count("seed", START, "Seed", 0, 999_999)
    controls.views(START, PRESETS)
below = st.container()


@st.fragment  # a slider runs only this part of the page again
def live() -> None:
    """Show the sliders and what answers to them."""
    with slider_place:
        size = controls.sample_size("n", START)
        k = controls.states("k", START, "States of each variable, k")
        margin = controls.choice("margin", START, "Margins", ("uniform", "zipf"))
    counts = cached.independent_table((k, k), size, margin, seed)
    nulls = cached.nulls((k, k), size, margin, seed)
    wins = cached.fairness(k, size, margin, measures, seed)
    moments = charts.sparse_table_frame(counts, nulls)
    figures = [
        charts.sparse_figure(counts, nulls),
        charts.winners_figure(wins, measures),
    ]
    with figure_side:
        st.markdown("##### What independence predicts")
        show_figure(figures[0], name="nulls", formula="formula_nulls")
        st.markdown(markdown_table(charts.moments_table(moments)))
        st.markdown("##### Who wins when there is nothing to find")
        show_figure(figures[1], name="winners")
    with below:
        handout_button("Sparse tables", "sparse_tables", lambda: figures)


if measures:
    live()
else:
    figure_side.info("Choose at least one measure.")
write("sparse_tables_why")
