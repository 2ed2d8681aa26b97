"""One pair: its table, its null, every measure in words, bins, and a third column."""

import streamlit as st

from siviz.charts.pair import pair_figure
from siviz.charts.table import VIEWS
from siviz.ui import controls, data_bar, pair_parts
from siviz.ui.opening import show_data
from siviz.ui.pair_choice import choose_pair, choose_third, show_berkeley
from siviz.ui.text import write

START = {"view": "counts", "stratum_view": "counts"}

st.title("One pair")
write("one_pair")
data, settings, ranking = data_bar.opened_ranking()
columns = choose_pair(ranking)
study = pair_parts.Study(data, settings, ranking, columns)
pair = study.ranked()
if not pair.sample_size:
    st.info("No row has both values. Choose another column.")
    st.stop()

pair_parts.headline(study, pair)
st.subheader("The table")
view = controls.choice("view", START, "On the cells", VIEWS)
left, right = pair_parts.halves(pair)
with left:
    show_data(pair_figure(pair, view), name="pair")
if not pair.table.dof:
    st.stop()
with right:
    st.subheader("What independence predicts")
    pair_parts.null_part(study, pair)
st.subheader("Given a third column")
write("one_pair_given")
st.button("Example: admissions at Berkeley", on_click=show_berkeley)
third = choose_third(ranking, *pair.names)
if third is not None:
    pair_parts.strata_part(study, third, START)
st.subheader("Every measure")
pair_parts.measures_part(pair)
st.subheader("How many bins")
pair_parts.bins_part(study)
st.subheader("Smoothed probabilities")
write("one_pair_smoothed")
pair_parts.smoothed_part(pair)
