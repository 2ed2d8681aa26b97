"""Maximum spanning trees against a search of all trees."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from siviz.spanning_trees import maximum_spanning_tree


def trees(nodes):
    """Every tree on these nodes, from its Prüfer sequence."""
    for code in product(range(nodes), repeat=nodes - 2):
        degree = [1 + code.count(node) for node in range(nodes)]
        edges = []
        for node in code:
            leaf = degree.index(1)
            edges.append((min(leaf, node), max(leaf, node)))
            degree[leaf], degree[node] = 0, degree[node] - 1
        edges.append(tuple(at for at, left in enumerate(degree) if left == 1))
        yield edges


def test_the_search_sees_as_many_trees_as_cayleys_formula_says():
    assert len({frozenset(tree) for tree in trees(5)}) == 5**3


@pytest.mark.parametrize("nodes", [3, 4, 5, 6])
@pytest.mark.parametrize("shift", [0.0, -10.0])
def test_no_tree_has_a_larger_sum_also_of_negative_weights(nodes, shift):
    first, second = np.triu_indices(nodes, 1)
    place = {edge: at for at, edge in enumerate(combinations(range(nodes), 2))}
    for seed in range(5):
        weight = np.random.default_rng(seed).normal(size=first.size) + shift
        found = maximum_spanning_tree(first, second, weight, nodes=nodes)
        sums = [sum(weight[place[edge]] for edge in tree) for tree in trees(nodes)]
        assert weight[found].sum() == pytest.approx(max(sums), abs=1e-12)
        assert len(found) == nodes - 1


def test_a_weight_of_zero_is_an_edge_like_others():
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    tree = maximum_spanning_tree(first, second, np.array([-1.0, 0.0, -2.0]), nodes=3)
    assert tree.tolist() == [0, 1]


def test_weights_that_differ_in_the_last_digit_are_told_apart():
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    weight = np.array([1.0, np.nextafter(1.0, 2), 1e9])
    tree = maximum_spanning_tree(first, second, weight, nodes=3)
    assert tree.tolist() == [1, 2]


def test_an_edge_without_weight_is_none_and_parts_get_their_own_trees():
    first, second = np.array([0, 1, 2]), np.array([1, 2, 3])
    weight = np.array([1.0, np.nan, 2.0])
    tree = maximum_spanning_tree(first, second, weight, nodes=5)
    assert tree.tolist() == [0, 2]


def test_of_equal_weights_the_earlier_edge_is_taken():
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    tree = maximum_spanning_tree(first, second, np.ones(3), nodes=3)
    assert tree.tolist() == [0, 1]


@given(st.integers(1, 30), st.integers(0, 99))
def test_it_joins_all_without_a_cycle_and_a_monotone_change_does_not_matter(
    nodes, seed
):
    first, second = np.triu_indices(nodes, 1)
    weight = np.random.default_rng(seed).normal(size=first.size)
    tree = maximum_spanning_tree(first, second, weight, nodes=nodes)
    joined = csr_array(
        (np.ones(tree.size), (first[tree], second[tree])), shape=(nodes, nodes)
    )
    assert connected_components(joined, directed=False)[0] == 1
    assert tree.size == nodes - 1
    again = maximum_spanning_tree(first, second, np.exp(weight), nodes=nodes)
    assert again.tolist() == tree.tolist()
