"""Rank your data: a file in, a fair ranking of all its pairs out."""

import streamlit as st

from siviz.ui import data_bar, workspace
from siviz.ui.column_grid import choose_columns
from siviz.ui.ranking_exports import export_buttons, show_notes, show_recipe
from siviz.ui.ranking_table import ranking_sentence, ranking_table
from siviz.ui.text import write

st.title("Rank your data")
write("rank_your_data")
data = data_bar.choose_data()
settings = data_bar.choose_settings(data)
settings, ranking = workspace.ranked(data, settings)
recipe = data.recipe(settings)
if ranking is not None:
    st.markdown(ranking_sentence(ranking))
    ranking_table(ranking)
    export_buttons(ranking, recipe, data.name)

st.subheader("What each column became")
write("rank_your_data_columns")
choose_columns(data, settings, ranking)
if ranking is not None:
    show_notes(ranking)
    show_recipe(recipe, data.name)
