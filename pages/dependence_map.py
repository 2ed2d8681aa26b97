"""All pairs at a glance, and how sure their order is."""

import streamlit as st

from siviz.charts.figure import Figure
from siviz.charts.pairs import pairs_chart, pairs_frame
from siviz.charts.ranking import ranking_chart, ranking_frame
from siviz.ui import data_bar
from siviz.ui.show import show_figure
from siviz.ui.text import write

st.title("Dependence map")
write("dependence_map")
data, settings, ranking = data_bar.opened_ranking()
top = st.slider("Strongest pairs", 5, 40, 20, key="top", bind="query-params")
tiers = ranking_frame(ranking, top=top)
if tiers.empty:
    st.info("No pair has a score.")
    st.stop()

if ranking.target is None:
    pairs = pairs_frame(ranking)
    overview = Figure.of_chart(
        pairs_chart(pairs),
        "Standardized information of all pairs of columns",
        "Columns that depend on each other stand side by side.",
        pairs,
    )
    show_figure(overview, name="map")
intervals = Figure.of_chart(
    ranking_chart(tiers),
    "The strongest pairs with intervals of their scores",
    "Intervals hold 95 % of resampled tables; pairs of one tier cannot be told apart.",
    tiers,
)
st.subheader("How sure the order is")
show_figure(intervals, name="intervals")
st.dataframe(
    tiers[["rank", "first", "second", "score", "low", "high", "tier"]],
    hide_index=True,
    height="content",
)
