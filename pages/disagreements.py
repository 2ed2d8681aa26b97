"""Where measures disagree on the order of the pairs, and why."""

import streamlit as st

from siviz.charts.agreement import agreement_chart, agreement_frame
from siviz.charts.figure import Figure
from siviz.charts.ranks import ranks_chart, ranks_frame
from siviz.ui import data_bar
from siviz.ui.show import show_figure
from siviz.ui.text import write

st.title("Where measures disagree")
write("disagreements")
data, settings, ranking = data_bar.opened_ranking()
top = st.slider("Strongest pairs", 3, 15, 10, key="top", bind="query-params")
ranks, found = ranks_frame(ranking, top=top), ranking.disagreements(most=2)
if ranks.empty:
    st.info("No pair has a score.")
    st.stop()

lines = Figure.of_chart(
    ranks_chart(ranks),
    "Ranks of the strongest pairs by several measures",
    "A line that falls is a pair that another measure calls weaker.",
    ranks,
)
agreement = agreement_frame(found)
matrix = Figure.of_chart(
    agreement_chart(agreement),
    "Kendall's tau between every two measures",
    "1 is the same order of all pairs, 0 no relation, −1 the opposite order.",
    agreement,
)
show_figure(lines, name="ranks")
st.subheader("Pairs in another order")
st.dataframe(found.inversions, hide_index=True, height="content")
st.subheader("How far two measures agree")
show_figure(matrix, name="agreement")
