"""When p-values break: 1 - cdf, survival functions, log p, Fisher (Sec. 5.3-5.4)."""

import streamlit as st

from siviz.charts import p_values as charts
from siviz.charts.fisher import VIEWS, fisher_figure, fisher_handout
from siviz.ui import cached, controls
from siviz.ui.counts import cell_values, copies, typed_table
from siviz.ui.layout import sides
from siviz.ui.show import HandoutParts, handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = cell_values([[8, 2, 1], [2, 8, 1], [1, 1, 8]])
START |= {"copies": 300, "d": 3, "view": "density"}
PRESETS = {
    "2 × 2": cell_values([[9, 1], [1, 9]]),
    "Weak": cell_values([[51, 49], [49, 51]]) | {"copies": 1000},
    "Independent": cell_values([[10, 20], [20, 40]]),
    "One copy": {"copies": 1},
}

st.title("When p-values break")
write("p_values")
figure_side, control_side = sides()
with control_side:
    counts = typed_table(START)
    slider_place = st.container()
    controls.views(START, PRESETS)
tie_side, printed_side = sides()
handout = HandoutParts()


@st.fragment  # a control runs only its part of the page again
def copies_part() -> None:
    """The same table as N grows."""
    with slider_place:
        times = copies("copies", START)
    try:
        table = charts.copies_of(counts, times)
    except ValueError as error:
        figure_side.error(f"The {error}.")
        return
    size = float(table.sample_size)
    figure = charts.p_values_figure(cached.p_values(counts), size)
    rival = charts.weaker_rival(table)
    tie = charts.tie_frame(table, rival)
    with figure_side:
        show_figure(figure, name="p-values", formula="formula_p_values")
    with tie_side:
        st.markdown("##### A tie that is none")
        st.markdown(markdown_table(tie))
        st.markdown(charts.tie_sentence(tie))
        write("p_values_rival")
        st.markdown(markdown_table(charts.cells_frame(rival)))
    with printed_side:
        st.markdown(f"##### Printed for N = {size:,.0f}")
        st.markdown(markdown_table(charts.printed_frame(table)))
    handout["copies"] = lambda: [figure]


@st.fragment
def fisher_part() -> None:
    """Fisher's approximation."""
    figure_side, control_side = sides()
    with control_side:
        view = controls.choice("view", START, "Show", VIEWS)
        dof = controls.count("d", START, "Degrees of freedom d", 1, 1000)
    with figure_side:
        show_figure(fisher_figure(dof, view), name="fisher", formula="formula_fisher")
    handout["fisher"] = lambda: [fisher_handout(dof, view)]


copies_part()
write("p_values_fisher")
fisher_part()
write("p_values_why")
handout_button("When p-values break", "p_values", handout.figures)
