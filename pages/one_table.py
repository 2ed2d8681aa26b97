"""One table of counts, every measure of its dependence, live."""

import streamlit as st

from siviz.charts import one_table as charts
from siviz.charts import sparse
from siviz.charts.figure import Figure
from siviz.ui import controls
from siviz.ui.grid import counts_grid
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = {"counts": "0-1-3-2-0_1-1-0-3-0_1-2-2-2-3_4-1-2-1-1"}
PRESETS = {
    "A real dependence": {"counts": "16-4_10-10_5-15"},
    "Much data, weak": {"counts": "5100-4900_4900-5100"},
    "Few and strong": {"counts": "4-0-0_0-4-0_0-0-4"},
    "Independent": {"counts": "10-20-30_20-40-60"},
}

st.title("How strong is this dependence?")
write("one_table")
left, right = st.columns(2, gap="large")
with left:
    counts = counts_grid("counts", START)
    controls.views(START, PRESETS)
try:
    cells = charts.one_table_figure(counts)
except ValueError as error:
    st.error(f"The {error}.")
    st.stop()

nulls = sparse.sparse_nulls(counts)
curves = {
    "curves": sparse.sparse_frame(nulls),
    "observed": sparse.observed_frame(counts),
}
chance = Figure(
    sparse.sparse_chart,
    curves,
    "What four nulls predict for G, and the G of this table",
    sparse.sparse_sentence(counts, sparse.sparse_table_frame(counts, nulls)),
)
with left:
    show_figure(cells, name="cells", formula="formula_measures")
    st.markdown("##### What independence predicts")
    show_figure(chance, name="nulls", formula="formula_nulls")
with right:
    st.markdown(markdown_table(charts.measures_table(counts)))
write("one_table_why")
handout_button("How strong is this dependence?", "one_table", lambda: [cells, chance])
