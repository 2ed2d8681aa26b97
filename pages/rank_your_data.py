"""Rank your data: a file in, a fair ranking of all its pairs out."""

import streamlit as st

from siviz.ui import data_bar, workspace
from siviz.ui.ranking_table import export_buttons, ranking_table, recipe
from siviz.ui.text import write

st.title("Rank your data")
write("rank_your_data")
data = data_bar.choose_data()
settings = data_bar.choose_settings(data)
result = st.container()
st.subheader("What each column became")
columns = workspace.automatic_columns(data, settings)
settings = settings.with_overrides(data_bar.choose_columns(data, columns))

with result:
    ranking = workspace.ranking(data, settings)
    ranking_table(ranking)
    export_buttons(ranking, settings, data.name)
st.subheader("What was found and done")
st.dataframe({"note": ranking.notes}, hide_index=True, height="content")
recipe(settings, data.name)
