"""One table of counts, every measure of its dependence, live."""

import pandas as pd
import streamlit as st

from siviz import null_moments, standardized_information
from siviz.charts.measures import measures_frame
from siviz.charts.table import table_chart, table_frame
from siviz.ui.text import write

st.title("How strong is this dependence?")
write("one_table")

left, right = st.columns([2, 3], gap="large")
with left:
    size = st.slider(
        "States of each variable", 2, 8, 3, key="states", bind="query-params"
    )
    start = pd.DataFrame(
        [[30 if i == j else 10 for j in range(size)] for i in range(size)],
        index=[f"A{i + 1}" for i in range(size)],
        columns=[f"B{j + 1}" for j in range(size)],
    )
    counts = st.data_editor(start, key=f"counts-{size}", width="stretch").to_numpy()

try:
    frame = measures_frame(counts)
except ValueError as error:
    st.error(f"The {error}.")
    st.stop()

with left:
    st.altair_chart(table_chart(table_frame(counts)), width="stretch")
with right:
    si = standardized_information(counts, null="calibrated", centre="fisher")
    null = null_moments(counts)
    st.metric("Standardized information, calibrated", f"{si:.2f}")
    st.markdown(
        f"Independence predicts G = {null.mean:.1f} ± {null.deviation:.1f}. "
        "Values above 1.16 happen by chance in 5 % of independent tables."
    )
    st.dataframe(
        frame.drop(columns="fails"),
        hide_index=True,
        height="content",
        column_config={"value": st.column_config.NumberColumn(format="%.5g")},
    )
