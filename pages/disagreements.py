"""Where measures disagree on the order of the pairs, and why."""

import streamlit as st

from siviz.charts import agreement as agreement_charts
from siviz.charts import linked_ranks as charts
from siviz.charts.figure import Figure
from siviz.charts.movers import movers_sentence, movers_table
from siviz.movers import find_movers, mover_pairs
from siviz.ui import controls, data_bar, workspace
from siviz.ui.layout import sides
from siviz.ui.measure_choice import one_measure, several_measures
from siviz.ui.opening import pairs_table, show_data, show_pairs
from siviz.ui.text import write

START = {"measures": ["score", "log10_p", "mi_bc", "mi", "nmi", "cramers_v"]}
START |= {"lines": "strongest", "top": 10, "x": "score", "y": "mi", "show": "values"}
PRESETS = {
    "The paper's rivals": {"measures": ["score", "mi_bc", "nmi", "p_value"]},
    "Sizes of effects": {"measures": ["score", "cramers_v", "ami"], "y": "cramers_v"},
}

st.title("Where measures disagree")
write("disagreements")
data, settings, ranking = data_bar.opened_ranking()
scored = ranking.frame[ranking.frame["score"].notna()]
figure_side, control_side = sides()
with control_side:
    measures = several_measures("measures", START, ranking)
    lines = controls.choice("lines", START, "Pairs", ["strongest", "biggest movers"])
    top = st.slider("How many", 3, 20, START["top"], key="top", bind="query-params")
    with st.container(horizontal=True):
        axes = (
            one_measure("x", START, "Scatter of", ranking),
            one_measure("y", START, "against", ranking),
        )
    scatter = controls.choice("show", START, "Scatter shows", ["values", "places"])
    controls.views(START, PRESETS)
if scored.empty or not measures:
    st.info("No pair has a score." if scored.empty else "Choose at least one measure.")
    st.stop()

movers = find_movers(ranking.frame, measures, depth=top, most=top)
moving = lines == "biggest movers" and not movers.empty
pairs = mover_pairs(ranking.frame, movers) if moving else scored.head(top)
ranks = charts.linked_frame(ranking, pairs, measures, axes=axes, scatter=scatter)
points = charts.points_frame(ranking, axes=axes, scatter=scatter)
linked = Figure.of_chart(
    charts.linked_chart(ranks, points, axes=axes, scatter=scatter),
    "Places of pairs by several measures, and a scatter of two measures",
    charts.linked_sentence(ranks, points, pairs=len(scored), movers=moving),
    ranks,
)
with figure_side:
    show_pairs(linked, name="ranks", selects=charts.OPENED_BY)
st.subheader("The biggest movers, and why")
st.markdown(movers_sentence(movers, depth=top))
if not movers.empty:
    pairs_table(movers_table(movers), movers, name="movers", alt="The biggest movers")

st.subheader("How far two measures agree")
found = workspace.remembered(
    "agreement", data.digest + settings.key(), lambda: ranking.disagreements(most=0)
)
taus = agreement_charts.agreement_frame(found)
matrix = Figure.of_chart(
    agreement_charts.agreement_chart(taus),
    "Kendall's tau between every two measures",
    agreement_charts.agreement_sentence(found, len(scored)),
    taus,
)
show_data(matrix, name="agreement")
