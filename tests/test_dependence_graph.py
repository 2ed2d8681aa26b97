"""The graph of dependences: thresholds, trees, and the columns that stand alone."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, norm

from siviz import rank_pairs
from siviz.datasets import load_dataset
from siviz.dependence_graph import dependence_graph


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


@pytest.mark.parametrize("level", [1e-6, 0.01, 0.05, 0.2])
def test_an_edge_needs_a_score_above_the_normal_quantile(penguins, level):
    graph = dependence_graph(penguins, level=level)
    threshold = norm.ppf(1 - level) / np.sqrt(2)
    expected = (penguins.frame["score"] > threshold).tolist()
    assert graph.edges["above"].tolist() == expected
    assert graph.significant == sum(expected)
    assert graph.tested == len(penguins.frame) == 28


@pytest.mark.parametrize("level", [1e-4, 0.05, 0.2])
def test_false_discoveries_are_those_of_benjamini_and_hochberg(penguins, level):
    graph = dependence_graph(penguins, level=level, rule="discoveries")
    p_values = 10.0 ** penguins.frame["log10_p_calibrated"].to_numpy()
    expected = false_discovery_control(p_values, method="bh") <= level
    assert graph.edges["above"].tolist() == expected.tolist()


def kruskal(edges, weight):
    """A spanning tree by hand: the strongest edges that join two parts."""
    part = {name: {name} for name in {*edges["first"], *edges["second"]}}
    tree = set()
    for _, edge in edges.sort_values(weight, ascending=False).iterrows():
        one, other = part[edge["first"]], part[edge["second"]]
        if one is not other:
            one |= other
            part.update(dict.fromkeys(other, one))
            tree.add((edge["first"], edge["second"]))
    return tree


@pytest.mark.parametrize("name, weight", [("tree", "score"), ("chow_liu", "mi")])
def test_trees_are_those_of_the_strongest_edges_that_join_parts(penguins, name, weight):
    edges = dependence_graph(penguins, level=0.05).edges
    chosen = edges[edges[name]]
    pairs = set(zip(chosen["first"], chosen["second"], strict=True))
    assert pairs == kruskal(penguins.frame, weight)
    assert len(pairs) == 7


def test_the_tree_of_the_significant_edges_is_the_significant_part_of_the_tree(
    penguins,
):
    graph = dependence_graph(penguins, level=1e-6)
    above = graph.edges[graph.edges["above"]]
    part = above[above["tree"]]
    assert kruskal(above, "score") == set(
        zip(part["first"], part["second"], strict=True)
    )


def test_nodes_are_the_columns_in_the_order_of_the_data(penguins):
    graph = dependence_graph(penguins, level=0.05)
    assert graph.columns == tuple(load_dataset("penguins").frame.columns)
    for end, name in (("a", "first"), ("b", "second")):
        named = [graph.columns[node] for node in graph.edges[end]]
        assert named == graph.edges[name].tolist()


def test_a_column_of_noise_stands_alone():
    rng = np.random.default_rng(0)
    base = rng.integers(0, 3, 300)
    frame = pd.DataFrame({"a": base, "b": base, "noise": rng.permutation(base)})
    graph = dependence_graph(rank_pairs(frame.astype(str)), level=0.001)
    assert graph.isolated == ("noise",)
    assert graph.edges["tree"].sum() == 2


def test_with_a_target_the_graph_is_a_star():
    ranking = rank_pairs(load_dataset("penguins").frame, target="species")
    graph = dependence_graph(ranking, level=0.05)
    assert graph.edges["tree"].all()
    assert set(graph.edges["second"]) == {"species"}
    assert len(graph.columns) == 8


def test_a_column_that_is_given_is_no_node():
    ranking = rank_pairs(load_dataset("penguins").frame, given="species")
    graph = dependence_graph(ranking, level=0.05)
    assert "species" not in graph.columns
    assert graph.edges["tree"].sum() == 6


def test_of_many_columns_those_in_the_strongest_pairs_are_shown(penguins):
    graph = dependence_graph(penguins, level=0.05, most=3)
    assert set(graph.columns) == {"species", "flipper_length_mm", "island"}
    assert len(graph.edges) == 3
    assert graph.edges["tree"].sum() == 2
    assert (graph.all_columns, graph.tested) == (8, 28)
