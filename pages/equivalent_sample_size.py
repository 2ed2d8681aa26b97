"""Figure 4: how many virtual observations to add before trusting a table."""

import streamlit as st

from siviz.charts import equivalent_size as charts
from siviz.charts import smoothed_table as tables
from siviz.charts.equivalent_size_handout import equivalent_size_handout
from siviz.charts.handout import Figure
from siviz.size_studies import DOFS
from siviz.ui import controls, size_sources
from siviz.ui.show import handout_button, show_figure
from siviz.ui.text import write

START = {"data": "Sewell and Shah", "model": "network", "dof": "nominal", "size": 1.0}
START |= {"family_s": "college_plans", "family_a": "VENTALV"}
START |= {"counts": "20-5-2_6-15-8_1-7-19"}
PRESETS = {
    "ALARM": {"data": "ALARM"},
    "Few data": {"data": "Typed table", "counts": "5-0-1_0-6-0_1-0-7"},
    "No solution": {"data": "Typed table", "counts": "12-8_9-11"},
}

st.title("Equivalent sample size")
write("equivalent_sample_size")
source = controls.choice("data", START, "Data", list(size_sources.SOURCES))
left, right = st.columns([1, 2], gap="large")
with left:
    controls.views(START, PRESETS)
    study = size_sources.size_study(source, START)
    dof = controls.choice("dof", START, "Degrees of freedom d", DOFS)
    size = size_sources.size_slider("size", START, study.reference(dof))
    table = size_sources.table_to_smooth(source, study, START)

constraint, reach = study.constraints[dof], charts.axis_reach(study, dof)
chosen = charts.chosen_frame(size)
sides = {
    "curves": charts.sides_frame(constraint, reach),
    "meeting": charts.meeting_frame(constraint),
    "chosen": chosen,
}
scores = {
    "curves": charts.scores_frame(study, reach),
    "best": charts.best_frame(study),
    "chosen": chosen,
}
with right:
    figure = Figure(
        charts.sides_chart(**sides, **charts.sides_options(study, dof)),
        "Left and right side of Eq. 9 against N′, with their crossing",
        charts.sides_sentence(study, dof),
    )
    show_figure(
        figure, sides["curves"], name="sides", formula="formula_equivalent_size"
    )
    figure = Figure(
        charts.scores_chart(**scores, reach=reach),
        "Scores of N′ by empirical Bayes and by cross-validation",
        charts.scores_sentence(study, reach),
    )
    show_figure(figure, scores["curves"], name="scores", formula="formula_size_scores")
st.markdown("##### N′ by every method")
st.dataframe(charts.methods_frame(study, source), hide_index=True, height="content")
if source == "ALARM":
    write("equivalent_sample_size_alarm")

st.markdown(f"##### {tables.table_heading(table)}")
cells, form = tables.smoothed_table_frame(table, size), tables.map_form(table)
if tables.is_drawable(table):
    for place, field in zip(st.columns(2, gap="large"), tables.FIELDS, strict=True):
        figure = Figure(
            tables.smoothed_table_chart(cells, field=field, form=form),
            f"Heat map of the {field} probabilities",
            tables.FIELDS[field],
        )
        with place:
            show_figure(figure, cells, name=field)
st.markdown(tables.smoothed_table_sentence(table, size))
write("equivalent_sample_size_why")
handout = equivalent_size_handout(study, dof, table, size)
handout_button("Equivalent sample size", "equivalent_sample_size", [handout])
