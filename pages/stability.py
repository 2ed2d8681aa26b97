"""How sure the order is: intervals of places and of SI, and pairs that are tied."""

import streamlit as st

from siviz.charts import ranking as charts
from siviz.charts.figure import Figure
from siviz.charts.stability import stability_table
from siviz.ui import controls, data_bar
from siviz.ui.layout import sides
from siviz.ui.opening import pairs_table, show_pairs
from siviz.ui.resampling import level_choice, resampled_scores
from siviz.ui.text import write

START = {"top": 20, "level": 0.95, "resamples": 400, "seed": 1}
PRESETS = {"Surer": {"level": 0.99, "resamples": 2000}}

st.title("Stability")
write("stability")
data, settings, ranking = data_bar.opened_ranking()
figure_side, control_side = sides()
with control_side:
    top = st.slider(
        "Strongest pairs", 2, 60, START["top"], key="top", bind="query-params"
    )
    level = level_choice("level", START)
    draws = st.slider(
        "Resamples of each pair",
        50,
        2000,
        START["resamples"],
        50,
        key="resamples",
        bind="query-params",
    )
    seed = controls.count("seed", START, "Seed of the resamples", 0, 999_999)
    controls.views(START, PRESETS)
if ranking.frame["score"].isna().all():
    st.info("No pair has a score.")
    st.stop()

with figure_side:
    scores = resampled_scores(data, settings, ranking, top=top, draws=draws, seed=seed)
    tiers = charts.intervals_frame(ranking, ranking.stability_of(scores, level=level))
    places = Figure.of_chart(
        charts.places_chart(tiers),
        "Places of the strongest pairs with intervals",
        charts.stability_sentence(tiers, level=level, draws=scores.shape[1]),
        tiers,
    )
    show_pairs(places, name="places")
intervals = Figure.of_chart(
    charts.ranking_chart(tiers),
    "Standardized information of the strongest pairs with intervals",
    "Of independent pairs 5 % lie beyond the dashed line. Click a pair to open it.",
    tiers,
)
st.subheader("The same on the scale of SI")
show_pairs(intervals, name="intervals")
pairs_table(stability_table(tiers), tiers, name="tiers", alt="Intervals of each pair")
write("stability_why")
