"""What the paper says of the equivalent sample size, on its own two data sets."""

import numpy as np
import pytest
from scipy.optimize import brentq

from siviz.datasets import alarm_network, alarm_sample, load_dataset
from siviz.networks import (
    DiscreteData,
    bdeu_family_score,
    bdeu_score,
    edge_strengths,
    network_cross_validation,
    network_empirical_bayes,
    network_sample_size,
)
from siviz.smoothing import EquivalentSampleSize, equivalent_sample_size
from siviz.structure_search import Graph, exhaustive_search

SHORT = {
    "sex": "SEX",
    "ses": "SES",
    "iq": "IQ",
    "parental_encouragement": "PE",
    "college_plans": "CP",
}
EDGES = [
    ("SEX", "PE"),
    ("SES", "PE"),
    ("SES", "IQ"),
    ("PE", "IQ"),
    ("SES", "CP"),
    ("IQ", "CP"),
    ("PE", "CP"),
]
GRAPH = Graph.from_edges(SHORT.values(), EDGES)


@pytest.fixture(scope="module")
def sewell_shah() -> DiscreteData:
    bundled = load_dataset("sewell_shah")
    frame = bundled.frame.rename(columns=SHORT)
    return DiscreteData.from_frame(frame, weights=bundled.weights)


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def alarm(request: pytest.FixtureRequest) -> dict[str, EquivalentSampleSize]:
    data = DiscreteData.from_frame(alarm_sample(10_000, rng=request.param))
    graph = alarm_network().graph
    return {
        "nominal": network_sample_size(data, graph, dof="nominal"),
        "effective": network_sample_size(data, graph, dof="effective"),
    }


def test_the_sewell_shah_network_has_59_degrees_of_freedom(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 7.2; the graph is ours, the paper does not print one."""
    constraint = network_sample_size(sewell_shah, GRAPH)
    assert constraint.sample_size == 10318
    assert constraint.dof == 59
    assert constraint.information == pytest.approx(0.39215, abs=5e-6)
    assert constraint.empty_cells == 0


def test_eq_10_gives_66_1_for_sewell_and_shah(sewell_shah: DiscreteData) -> None:
    """Sec. 7.2: 66.1 from the analytical approximation."""
    size = network_sample_size(sewell_shah, GRAPH).approximate
    assert size == pytest.approx(66.1155, abs=5e-5)


def test_eq_9_gives_about_67_for_sewell_and_shah(sewell_shah: DiscreteData) -> None:
    """Sec. 7.2 and Figure 4: about 67, where the two sides cross."""
    constraint = network_sample_size(sewell_shah, GRAPH)
    assert constraint.exact == pytest.approx(66.5419, abs=5e-5)
    crossing = brentq(lambda n: constraint.left(n) - constraint.right, 1, 300)
    assert crossing == pytest.approx(constraint.exact, rel=1e-9)


def test_empirical_bayes_gives_about_69_for_sewell_and_shah(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 7.2: about 69 from the maximized marginal likelihood."""
    best = network_empirical_bayes(sewell_shah, GRAPH).best
    assert best == pytest.approx(69.216, abs=5e-4)


def test_cross_validation_asks_for_more_smoothing_than_eq_9(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 7.2 quotes 100 to 300 by cross-validation; ours leaves one out."""
    best = network_cross_validation(sewell_shah, GRAPH).best
    assert 80 < best < 300


def test_the_left_side_of_eq_9_is_nearly_linear_around_its_solution(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 7.2, Figure 4: the linear approximation of Eq. 9 is valid."""
    constraint = network_sample_size(sewell_shah, GRAPH)
    sizes = np.linspace(0, 2 * constraint.exact, 50)
    slope = constraint.left(1e-3) - constraint.information
    line = constraint.information + slope / 1e-3 * sizes
    drop = constraint.information - constraint.left(sizes[-1])
    assert np.abs(constraint.left(sizes) - line).max() < 0.02 * drop


def test_eq_10_does_not_change_when_more_of_the_same_data_come(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 6: N' is independent of the sample size."""
    once = network_sample_size(sewell_shah, GRAPH)
    more = DiscreteData(sewell_shah.states, sewell_shah.codes, sewell_shah.weights * 50)
    larger = network_sample_size(more, GRAPH)
    assert larger.approximate == pytest.approx(once.approximate, rel=1e-12)
    assert larger.exact == pytest.approx(larger.approximate, rel=2e-4)


def test_without_a_graph_the_full_table_asks_for_130(sewell_shah: DiscreteData) -> None:
    """Sec. 6 applied to the full table against independence of all five variables."""
    joint = sewell_shah.counts(*([name] for name in SHORT.values()))
    constraint = equivalent_sample_size(joint)
    assert constraint.dof == 128 - 1 - (1 + 3 + 3 + 1 + 1)
    assert constraint.approximate == pytest.approx(129.23, abs=5e-3)
    assert constraint.exact == pytest.approx(130.87, abs=5e-3)


def test_the_network_is_the_best_of_all_29281_by_its_bayesian_score(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 7.2; at N' = 69 it shares the best score only with its equivalent twin."""
    local = bdeu_family_score(sewell_shah, equivalent_sample_size=69)
    ranking = exhaustive_search(list(SHORT.values()), local)
    assert len(ranking) == 29281
    assert len(ranking.best) == 2
    assert all(graph.is_equivalent(GRAPH) for graph in ranking.best)
    assert set(EDGES) in [set(graph.edges) for graph in ranking.best]
    score = bdeu_score(sewell_shah, GRAPH, equivalent_sample_size=69)
    assert score == pytest.approx(ranking.scores[0], abs=1e-6)
    assert ranking.scores[2] < ranking.scores[0] - 4


def test_edges_of_a_network_can_be_ranked_fairly(sewell_shah: DiscreteData) -> None:
    """Sec. 5.5: each edge given the child's other parents, on one scale."""
    strengths = edge_strengths(sewell_shah, GRAPH)
    order = list(zip(strengths["parent"], strengths["child"], strict=True))
    assert sorted(order) == sorted(EDGES)
    assert order[:2] == [("SES", "PE"), ("PE", "CP")]
    assert strengths["si_calibrated"].min() > 10


def test_alarm_needs_10_by_occupied_cells_and_16_by_all_cells(
    alarm: dict[str, EquivalentSampleSize],
) -> None:
    """Sec. 7.2: the paper has about 12 (Eq. 9) and 14.7 (Eq. 10), between ours.

    Empty cells, which the paper treats in some way it does not give, matter here.
    """
    assert alarm["nominal"].dof == 441
    assert alarm["nominal"].empty_cells > 100
    for size in (alarm["effective"].exact, alarm["effective"].approximate):
        assert 9 < size < 11
    for size in (alarm["nominal"].exact, alarm["nominal"].approximate):
        assert 15.5 < size < 17.5


def test_alarm_needs_less_smoothing_than_sewell_and_shah_because_it_depends_more(
    alarm: dict[str, EquivalentSampleSize], sewell_shah: DiscreteData
) -> None:
    """Sec. 7.2: a large information stands in the denominator of Eq. 10."""
    other = network_sample_size(sewell_shah, GRAPH)
    assert alarm["nominal"].approximate < other.approximate
    assert alarm["nominal"].information > 10 * other.information


def test_eq_9_always_asks_for_a_little_more_than_eq_10_also_for_alarm(
    alarm: dict[str, EquivalentSampleSize],
) -> None:
    """Sec. 7.2 has it the other way round (12 and 14.7).

    With one L and one d on both sides that cannot be: d / (x - d/N) > d / x.
    """
    for constraint in alarm.values():
        ratio = constraint.exact / constraint.approximate
        assert 1 < ratio < 1.01
