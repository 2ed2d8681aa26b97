"""One table of counts, every measure of its dependence, live."""

import streamlit as st

from siviz.charts import one_table as charts
from siviz.charts import sparse
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
write("one_table_grid")
left, right = st.columns(2, gap="large")
with left:
    grid_place = st.container()
    controls.views(START, PRESETS)


@st.fragment  # typing runs only this part of the page again
def live() -> None:
    """Show the grid and what answers to them."""
    with grid_place:
        counts = counts_grid("counts", START)
    try:
        nulls = sparse.sparse_nulls(counts)
    except ValueError as error:
        right.error(f"The {error}.")
        return
    cells = charts.one_table_figure(counts, nulls)
    chance = sparse.sparse_figure(counts, nulls)
    with left:
        show_figure(cells, name="cells", formula="formula_measures")
        st.markdown("##### What independence predicts")
        show_figure(chance, name="nulls", formula="formula_nulls")
    with right:
        measures = markdown_table(charts.measures_table(counts))
        st.markdown(measures)
        handout_button(
            "How strong is this dependence?",
            "one_table",
            lambda: [cells, chance],
            table=measures,
        )


live()
write("one_table_why")
