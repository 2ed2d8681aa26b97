"""Figure 4: how many virtual observations to add before trusting a table."""

import streamlit as st

from siviz.charts import equivalent_size as charts
from siviz.charts import smoothed_table as tables
from siviz.charts.equivalent_size_handout import equivalent_size_handout
from siviz.labelled_tables import LabelledTable
from siviz.size_studies import DOFS, Dof
from siviz.ui import controls, size_sources
from siviz.ui.layout import sides_and_more
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
from siviz.ui.text import markdown_table, write

START = {"source": "Sewell and Shah", "model": "network", "dof": "nominal"}
START |= {"family_s": "college_plans", "family_a": "VENTALV", "size": 1.0}
START |= {"counts": "20-5-2_6-15-8_1-7-19"}
PRESETS = {
    "Without a network": {"model": "no graph"},
    "Few data": {"source": "Typed table", "counts": "5-0-1_0-6-0_1-0-7"},
    "No solution": {"source": "Typed table", "counts": "12-8_9-11"},
}

st.title("Equivalent sample size")
write("equivalent_sample_size")
source = controls.choice("source", START, "Data", list(size_sources.SOURCES))
wide = st.container()
figure_side, control_side, more = sides_and_more()
with control_side:
    control_place = st.container()
    controls.views(START, PRESETS)
with wide if source == "Your file" else control_place:
    study = size_sources.size_study(source, START)
below = st.container()


def answer(dof: Dof, size: float, table: LabelledTable) -> Answers:
    """What answers to the controls."""
    virtual = size * study.reference(dof)
    return {
        "sides": charts.sides_figure(study, dof, virtual),
        "scores": charts.scores_figure(study, dof, virtual),
        **tables.smoothed_table_figures(table, virtual),
        "told": tables.smoothed_table_sentence(table, virtual),
    }


@st.fragment  # a control runs only this part of the page again
def live() -> None:
    """Show the controls and what answers to them."""
    with control_place:
        dof = controls.choice("dof", START, "Degrees of freedom d", DOFS)
        size = size_sources.size_slider("size", START, study.reference(dof))
        table = size_sources.table_to_smooth(source, study, START)
    values = {"dof": dof, "size": size, "table": table}
    answers = live_part("equivalent size", answer, values)
    with figure_side:
        answers.show("sides", formula="formula_equivalent_size")
    with more:
        answers.show("scores", formula="formula_size_scores")
    with below:
        st.markdown("##### N′ by every method")
        st.markdown(markdown_table(charts.methods_frame(study, source)))
        if source == "ALARM":
            write("equivalent_sample_size_alarm")
        st.markdown(f"##### {tables.table_heading(table)}")
        if tables.is_drawable(table):
            places = st.columns(2, gap="large")
            for place, field in zip(places, tables.FIELDS, strict=True):
                with place:
                    answers.show(field)
        answers.show("told")
        virtual = size * study.reference(dof)
        handout_button(
            "Equivalent sample size",
            "equivalent_sample_size",
            lambda: equivalent_size_handout(study, dof, table, virtual),
        )


live()
write("equivalent_sample_size_why")
