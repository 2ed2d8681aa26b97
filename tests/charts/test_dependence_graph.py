"""The drawn graph: what is drawn, where, and what is said of it."""

import numpy as np
import pandas as pd
import pytest

from siviz import rank_pairs
from siviz.charts import dependence_graph as charts
from siviz.charts.embedding import chart_spec
from siviz.charts.frame import picture
from siviz.charts.labels import markdown_name
from siviz.datasets import load_dataset
from siviz.dependence_graph import dependence_graph
from tests.pages.data_pages import HOSTILE, columns


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


def drawn(graph, edges="dependences", most=200):
    nodes = charts.nodes_frame(graph)
    return nodes, charts.edges_frame(graph, nodes, edges=edges, most=most)


def test_edges_run_between_their_nodes(penguins):
    nodes, edges = drawn(dependence_graph(penguins, level=0.05))
    place = nodes.set_index("column")[["x", "y"]]
    first, second = place.loc[edges["first"]], place.loc[edges["second"]]
    np.testing.assert_array_equal(edges[["x", "y"]], first)
    np.testing.assert_array_equal(edges[["x2", "y2"]], second)
    assert len(edges) == (penguins.frame["score"] > 1.1631).sum()


def test_nodes_stay_when_the_level_changes(penguins):
    places = [
        charts.nodes_frame(dependence_graph(penguins, level=level))[["x", "y"]]
        for level in (1e-4, 0.2)
    ]
    pd.testing.assert_frame_equal(*places)


def test_a_limit_keeps_the_tree_and_then_the_strongest(penguins):
    graph = dependence_graph(penguins, level=0.05)
    _, edges = drawn(graph, most=10)
    above = graph.edges[graph.edges["above"]]
    tree = above[above["tree"]]
    others = above[~above["tree"]].head(10 - len(tree))
    assert set(edges.index) == {*tree.index, *others.index}
    _, fewer = drawn(graph, most=1)
    assert set(fewer.index) == set(tree.index)


@pytest.mark.parametrize("edges, name", [("SI tree", "tree"), ("Chow–Liu", "chow_liu")])
def test_a_tree_is_drawn_whole(penguins, edges, name):
    graph = dependence_graph(penguins, level=1e-4)
    _, shown = drawn(graph, edges)
    assert set(shown.index) == set(graph.edges.index[graph.edges[name]])
    assert not shown["above"].all()


@pytest.mark.parametrize("count", [2, 3, 8, 40, 60])
def test_no_label_covers_another_at_the_width_of_the_layout(count):
    graph = dependence_graph(rank_pairs(columns(count, rows=60)), level=0.05)
    nodes = charts.nodes_frame(graph)
    assert len(nodes) == count
    assert nodes["label"].is_unique
    width = nodes["label"].str.len().to_numpy() * charts._LETTER
    gap = np.abs(nodes["x"].to_numpy()[:, None] - nodes["x"].to_numpy())
    high = np.abs(nodes["y"].to_numpy()[:, None] - nodes["y"].to_numpy())
    covered = (gap < (width[:, None] + width) / 2) & (high < charts._LINE - 1e-6)
    assert not covered[~np.eye(count, dtype=bool)].any()
    assert nodes["x"].between(0, charts._WIDTH).all()


def test_dependences_of_each_column_are_counted(penguins):
    graph = dependence_graph(penguins, level=0.05)
    nodes = charts.nodes_frame(graph).set_index("column")
    above = graph.edges[graph.edges["above"]]
    for name in graph.columns:
        there = (above["first"] == name) | (above["second"] == name)
        assert nodes.loc[name, "edges"] == there.sum()
        pairs = penguins.frame[
            (penguins.frame["first"] == name) | (penguins.frame["second"] == name)
        ]
        assert nodes.loc[name, "strongest"] == pairs["score"].max()


@pytest.mark.parametrize("edges", ["dependences", "SI tree", "Chow–Liu"])
@pytest.mark.parametrize("names", [None, HOSTILE])
def test_the_chart_is_valid_and_can_be_a_picture(edges, names):
    ranking = rank_pairs(columns(6, names=names))
    chart = charts.graph_chart(*drawn(dependence_graph(ranking, level=0.05), edges))
    assert chart_spec(chart)["width"] == "container"
    assert picture(chart, "svg").startswith(b"<svg")


def test_a_graph_without_edges_is_drawn_too():
    rng = np.random.default_rng(5)
    data = {f"c{n}": rng.integers(0, 2, 100) for n in range(4)}
    ranking = rank_pairs(pd.DataFrame(data).map("s{}".format))
    graph = dependence_graph(ranking, level=1e-9)
    nodes, edges = drawn(graph)
    assert edges.empty
    assert picture(charts.graph_chart(nodes, edges), "svg").startswith(b"<svg")
    told = charts.graph_sentence(
        graph, 0, level=1e-9, rule="level", edges="dependences"
    )
    assert "**0 of 6** pairs" in told
    assert told.endswith(", ".join(markdown_name(f"c{n}") for n in range(4)) + ".")


def test_the_sentence_of_chow_and_liu_says_what_the_trees_share(penguins):
    graph = dependence_graph(penguins, level=0.05)
    told = charts.graph_sentence(
        graph, 7, level=0.05, rule="discoveries", edges="Chow–Liu"
    )
    chosen = graph.edges[graph.edges["chow_liu"]]
    assert f"has {chosen['mi'].sum():.3f} nats in 7 edges" in told
    assert f"of which {chosen['tree'].sum()} also belong" in told
    assert "false-discovery rate of 5 %" in told


def test_names_in_sentences_are_text():
    written = markdown_name("<b>*a*</b> $x$ [l](u) :red[t] `c`", 60)
    unescaped = written.replace("\\\\", "")
    for mark in "<>*$[]()`:":
        assert unescaped.count(mark) == unescaped.count(f"\\{mark}")
