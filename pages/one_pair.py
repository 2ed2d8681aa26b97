"""One pair: its table against independence, its null, and every measure of it."""

import streamlit as st

from siviz.charts import pair as charts
from siviz.charts import sparse
from siviz.charts.figure import Figure
from siviz.charts.table import table_chart, table_frame
from siviz.ui import data_bar
from siviz.ui.pair_choice import choose_pair
from siviz.ui.show import show_figure
from siviz.ui.text import write

st.title("One pair")
write("one_pair")
data, settings, ranking = data_bar.opened_ranking()
first, second = choose_pair(ranking)
counts, table = (
    ranking.table(first, second),
    charts.pair_table(ranking, first, second),
)
if not table.sample_size:
    st.info("No row has both values.")
    st.stop()

cells = table_frame(table, rows=list(counts.index), columns=list(counts.columns))
nulls = sparse.sparse_nulls(table)
figure = Figure.of_chart(
    table_chart(cells, names=(first, second)),
    "Counts of a pair, coloured by their distance from independence",
    charts.pair_sentence(table, first, second),
    cells,
)
left, right = st.columns(2, gap="large")
with left:
    show_figure(figure, name="pair")
    moments = sparse.moments_table(sparse.sparse_table_frame(table, nulls))
    st.dataframe(moments, hide_index=True, height="content")
with right:
    st.dataframe(
        charts.pair_measures(table),
        hide_index=True,
        height="content",
        column_config={"value": st.column_config.NumberColumn(format="%.4g")},
    )
