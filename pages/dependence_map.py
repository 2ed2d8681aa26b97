"""All dependences at a glance: a graph, its spanning trees, and a heat map."""

import streamlit as st

from siviz.charts import dependence_graph as charts
from siviz.charts.figure import Figure
from siviz.charts.pairs import pairs_chart, pairs_frame, pairs_sentence
from siviz.dependence_graph import dependence_graph
from siviz.ui import controls, data_bar
from siviz.ui.layout import sides
from siviz.ui.map_controls import LEVELS, RULES, edge_limit, level_slider
from siviz.ui.opening import show_pairs
from siviz.ui.text import write

START = {"edges": "dependences", "alpha": 0.05, "rule": "each pair", "most": 40}
PRESETS = {
    "Spanning tree": {"edges": "SI tree"},
    "Only the surest": {"alpha": min(LEVELS), "rule": "false discoveries"},
}

st.title("Dependence map")
write("dependence_map")
data, settings, ranking = data_bar.opened_ranking()
figure_side, control_side = sides()
with control_side:
    edges = controls.choice(
        "edges", START, "Edges", ["dependences", "SI tree", "Chow–Liu"]
    )
    level = level_slider("alpha", START)
    rule = RULES[controls.choice("rule", START, "The level holds for", list(RULES))]
    most = edge_limit("most", START, tree=edges != "dependences")
    controls.views(START, PRESETS)
graph = dependence_graph(ranking, level=level, rule=rule)
if graph.edges.empty:
    st.info("No pair has a score.")
    st.stop()

nodes = charts.nodes_frame(graph)
drawn = charts.edges_frame(graph, nodes, edges=edges, most=most)
figure = Figure.of_chart(
    charts.graph_chart(nodes, drawn),
    "Columns as nodes, their dependences as edges",
    charts.graph_sentence(graph, len(drawn), level=level, rule=rule, edges=edges),
    drawn,
)
with figure_side:
    show_pairs(figure, name="graph", formula="formula_graph")
st.subheader("All pairs")
if ranking.target is not None:
    st.info("With a target only its own pairs are ranked: the graph shows them all.")
    st.stop()
pairs = pairs_frame(ranking)
overview = Figure.of_chart(
    pairs_chart(pairs),
    "Standardized information of all pairs of columns",
    pairs_sentence(pairs, ranking),
    pairs,
)
show_pairs(overview, name="map")
