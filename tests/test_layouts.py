"""Layouts: distances follow the graph, labels do not cover each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz.layouts import fitted, pushed_apart, stress_layout


def distances(places):
    return np.linalg.norm(places[:, None] - places[None], axis=-1)


def stress(places, goal):
    upper = np.triu_indices(len(places), 1)
    return (((distances(places) - goal)[upper] / goal[upper]) ** 2).sum()


def test_two_nodes_stand_one_edge_apart():
    places = stress_layout(np.array([0]), np.array([1]), nodes=2)
    assert distances(places)[0, 1] == pytest.approx(1)


def test_three_in_a_chain_have_exactly_the_distances_asked_for():
    places = stress_layout(np.array([0, 1]), np.array([1, 2]), nodes=3)
    apart = distances(places)
    assert apart[0, 1] == pytest.approx(1, abs=0.01)
    assert apart[0, 2] == pytest.approx(2**0.7, abs=0.01)


def test_no_small_step_makes_the_stress_smaller():
    first, second = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 2, 3, 4, 5, 6])
    hops = [
        [0, 1, 1, 2, 2, 2, 2],
        [1, 0, 2, 1, 1, 3, 3],
        [1, 2, 0, 3, 3, 1, 1],
        [2, 1, 3, 0, 2, 4, 4],
        [2, 1, 3, 2, 0, 4, 4],
        [2, 3, 1, 4, 4, 0, 2],
        [2, 3, 1, 4, 4, 2, 0],
    ]
    goal = np.array(hops, dtype=float) ** 0.7
    places = stress_layout(first, second, nodes=7)
    least = stress(places, goal)
    rng = np.random.default_rng(0)
    for _ in range(200):
        moved = places + rng.normal(size=places.shape) * 0.1
        assert stress(moved, goal) > least - 1e-3


@pytest.mark.parametrize("nodes", [1, 2, 3, 60])
def test_the_same_graph_has_the_same_layout_without_edges_too(nodes):
    none = np.array([], dtype=int)
    one, other = (stress_layout(none, none, nodes=nodes) for _ in range(2))
    np.testing.assert_array_equal(one, other)
    assert one.shape == (nodes, 2)
    assert np.isfinite(one).all()
    assert nodes == 1 or distances(one)[np.triu_indices(nodes, 1)].min() > 0.05


def test_a_layout_is_wider_than_high():
    chain = np.arange(9)
    wide, high = np.ptp(stress_layout(chain, chain + 1, nodes=10), axis=0)
    assert wide > high


def test_places_are_stretched_to_the_box():
    places = fitted(np.array([[1.0, 5.0], [3.0, 5.0]]), width=10, height=4)
    assert places.tolist() == [[0, 2], [10, 2]]


@given(st.integers(1, 60), st.integers(0, 50))
def test_no_two_boxes_overlap_and_none_moves_sideways(nodes, seed):
    rng = np.random.default_rng(seed)
    places = rng.random((nodes, 2)) * 300
    sizes = np.column_stack([rng.uniform(20, 130, nodes), np.full(nodes, 20.0)])
    pushed = pushed_apart(places, sizes)
    np.testing.assert_array_equal(pushed[:, 0], places[:, 0])
    gap = np.abs(pushed[:, None] - pushed[None])
    room = (sizes[:, None] + sizes[None]) / 2
    overlap = (gap < room - 1e-9).all(axis=-1)
    assert not overlap[~np.eye(nodes, dtype=bool)].any()
