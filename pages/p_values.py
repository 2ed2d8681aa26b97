"""When p-values break: 1 - cdf, survival functions, log p, Fisher (Sec. 5.3-5.4)."""

import streamlit as st

from siviz.charts import p_values as charts
from siviz.charts.fisher import VIEWS, fisher_figure, fisher_handout
from siviz.ui import cached, controls
from siviz.ui.counts import cell_values, copies, typed_table
from siviz.ui.layout import sides
from siviz.ui.live import Answers, live_part
from siviz.ui.show import HandoutParts, handout_button
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


def copies_answer(copies: int) -> Answers:
    """The same table as N grows."""
    table = charts.copies_of(counts, copies)
    size, rival = float(table.sample_size), charts.weaker_rival(table)
    tie, printed = charts.tie_frame(table, rival), charts.printed_frame(table)
    return {
        "p-values": charts.at_size(cached.p_values(counts), size),
        "tie": f"{markdown_table(tie)}\n\n{charts.tie_sentence(tie)}",
        "rival": markdown_table(charts.cells_frame(rival)),
        "printed": f"##### Printed for N = {size:,.0f}\n\n{markdown_table(printed)}",
    }


@st.fragment  # a control runs only its part of the page again
def copies_part() -> None:
    """Show the same table as N grows."""
    with slider_place:
        values = {"copies": copies("copies", START)}
    try:
        answers = live_part("copies", copies_answer, values)
    except ValueError as error:
        figure_side.error(f"The {error}.")
        return
    with figure_side:
        answers.show("p-values", formula="formula_p_values")
    with tie_side:
        st.markdown("##### A tie that is none")
        answers.show("tie")
        write("p_values_rival")
        answers.show("rival")
    with printed_side:
        answers.show("printed")
    handout["copies"] = answers.figures


@st.fragment
def fisher_part() -> None:
    """Show Fisher's approximation."""
    figure_side, control_side = sides()
    with control_side:
        view = controls.choice("view", START, "Show", VIEWS)
        dof = controls.count("d", START, "Degrees of freedom d", 1, 1000)
    answers = live_part("fisher", lambda: {"fisher": fisher_figure(dof, view)}, {})
    with figure_side:
        answers.show("fisher", formula="formula_fisher")
    handout["fisher"] = lambda: [fisher_handout(dof, view)]


copies_part()
write("p_values_fisher")
fisher_part()
write("p_values_why")
handout_button("When p-values break", "p_values", handout.figures)
