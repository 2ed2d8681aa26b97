"""Graphs, families, scores, sampling and structure search."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import pytest

from siviz import conditional_information, mutual_information, standardized_information
from siviz.datasets import load_dataset
from siviz.discrete_data import DiscreteData
from siviz.graphs import Graph
from siviz.networks import (
    Network,
    bdeu_family_score,
    bdeu_score,
    edge_strengths,
    families,
    family,
    network_cross_validation,
    network_empirical_bayes,
    network_sample_size,
)
from siviz.smoothing import empirical_bayes, equivalent_sample_size
from siviz.structure_search import acyclic_parents, exhaustive_search, greedy_search
from siviz.tables import conditional_table

Edges = list[tuple[str, str]]


def random_frame(rows: int = 60, *, seed: int = 0) -> pd.DataFrame:
    """Four dependent columns: a -> b, (a, b) -> c, and d on its own."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, rows)
    b = np.where(rng.random(rows) < 0.6, a % 2, rng.integers(0, 2, rows))
    c = np.where(rng.random(rows) < 0.7, (a + b) % 3, rng.integers(0, 3, rows))
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": rng.integers(0, 2, rows)})


@pytest.fixture(scope="module")
def data() -> DiscreteData:
    return DiscreteData.from_frame(random_frame())


@pytest.fixture(scope="module")
def dense() -> DiscreteData:
    return DiscreteData.from_frame(random_frame(3000))


# Graphs


@pytest.mark.parametrize(
    ("number", "graphs"), [(1, 1), (2, 3), (3, 25), (4, 543), (5, 29281)]
)
def test_the_number_of_acyclic_graphs_is_the_published_one(
    number: int, graphs: int
) -> None:
    found = acyclic_parents(number)
    assert len(found) == graphs
    assert len(np.unique(found, axis=0)) == graphs


def test_all_enumerated_graphs_of_four_variables_are_acyclic() -> None:
    ranking = exhaustive_search("abcd", lambda child, parents: 0.0)
    orders = {ranking.graph(rank).order for rank in range(len(ranking))}
    assert all(sorted(order) == list("abcd") for order in orders)


def test_the_order_puts_parents_before_children() -> None:
    graph = Graph.from_edges("abcd", [("d", "a"), ("a", "b"), ("c", "b"), ("d", "c")])
    position = {name: i for i, name in enumerate(graph.order)}
    assert all(position[parent] < position[child] for parent, child in graph.edges)


@pytest.mark.parametrize(
    ("first", "second", "equivalent"),
    [
        ([("a", "b")], [("b", "a")], True),
        ([("a", "b"), ("b", "c")], [("c", "b"), ("b", "a")], True),
        ([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c")], True),
        ([("a", "b"), ("b", "c")], [("a", "b"), ("c", "b")], False),
        ([("a", "b")], [("a", "c")], False),
        (
            [("a", "b"), ("c", "b"), ("a", "c")],
            [("b", "a"), ("b", "c"), ("c", "a")],
            True,
        ),
    ],
)
def test_graphs_are_equivalent_if_they_join_and_collide_alike(
    first: Edges, second: Edges, equivalent: bool
) -> None:
    one, other = Graph.from_edges("abc", first), Graph.from_edges("abc", second)
    assert one.is_equivalent(other) is equivalent


def test_a_cycle_is_refused_with_the_cycle_named() -> None:
    with pytest.raises(ValueError, match=r"cycle; got \w -> \w -> \w -> \w: drop"):
        Graph.from_edges("abc", [("a", "b"), ("b", "c"), ("c", "a")])
    with pytest.raises(ValueError, match="cycle; got a -> a"):
        Graph.from_edges("ab", [("a", "a")])


@pytest.mark.parametrize("edge", [("a", "x"), ("x", "a")])
def test_an_edge_to_an_unknown_variable_is_refused(edge: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"'x'.*the variables are \['a', 'b'\]"):
        Graph.from_edges("ab", [edge])


def test_repeated_variables_and_edges_are_refused() -> None:
    with pytest.raises(ValueError, match="one to 'b' twice"):
        Graph.from_edges("ab", [("a", "b"), ("a", "b")])
    with pytest.raises(ValueError, match="distinct names"):
        Graph.from_edges("aab", [])


# Data


def test_weights_stand_for_repeated_rows() -> None:
    frame = random_frame(200)
    counted = frame.groupby(list(frame)).size().reset_index(name="count")
    graph = Graph.from_edges("abcd", [("a", "b"), ("a", "c"), ("b", "c")])
    plain = DiscreteData.from_frame(frame)
    weighted = DiscreteData.from_frame(counted, weights="count")
    first, second = (
        network_sample_size(plain, graph),
        network_sample_size(weighted, graph),
    )
    assert first.exact == pytest.approx(second.exact, rel=1e-12)
    score = bdeu_score(plain, graph, equivalent_sample_size=5)
    assert bdeu_score(weighted, graph, equivalent_sample_size=5) == pytest.approx(score)


def test_rows_of_weight_zero_bring_no_states() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z"], "n": [3, 4, 0]})
    assert DiscreteData.from_frame(frame, weights="n").states == {"a": ("x", "y")}


def test_counts_agree_with_a_cross_table() -> None:
    frame = random_frame(200)
    counts = DiscreteData.from_frame(frame).counts(["a"], ["c"])
    np.testing.assert_array_equal(counts, pd.crosstab(frame["a"], frame["c"]))


def test_joint_states_are_those_that_occur() -> None:
    frame = pd.DataFrame({"a": [0, 1, 2, 0], "b": [0, 1, 2, 0], "c": [1, 1, 0, 0]})
    data = DiscreteData.from_frame(frame)
    assert data.counts(["a", "b"], ["c"]).shape == (3, 2)


def test_many_parents_do_not_overflow() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        rng.integers(0, 9, (50, 40)), columns=list(map(str, range(40)))
    )
    member = family(DiscreteData.from_frame(frame), "0", [str(i) for i in range(1, 40)])
    assert member.counts.shape[0] == 50
    assert member.configurations > 2**64
    constraint = member.sample_size_constraint()
    assert np.isfinite([constraint.dof, constraint.information]).all()


@pytest.mark.parametrize(
    ("frame", "weights", "message"),
    [
        ({"a": [1, None]}, None, r"'a' lacks 1: drop those rows"),
        ({"a": [1, 2]}, "n", r"one of the columns \['a'\]; got 'n'"),
        ({"a": [1, 2], "n": [1, -1]}, "n", "got -1.0 in row 1 of column 'n'"),
        ({"a": [1, 2], "n": [0.5, 1]}, "n", "whole numbers .* got 0.5 in row 0"),
        ({"a": [1, 2], "n": [np.nan, 1]}, "n", "whole numbers .* got nan in row 0"),
        ({"a": [1, 2], "n": ["x", "y"]}, "n", "weights must be numbers; column 'n'"),
        ({"a": [1, 2], "n": [0, 0]}, "n", "at least one observation"),
        ({"a": []}, None, "at least one observation"),
        ({1: [0, 1], "1": [0, 1]}, None, r"distinct names; got \[1, '1'\]"),
    ],
)
def test_frames_that_cannot_be_counted_are_refused(
    frame: dict, weights: str | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        DiscreteData.from_frame(pd.DataFrame(frame), weights=weights)


def test_an_unknown_column_is_refused_with_the_columns_named(
    data: DiscreteData,
) -> None:
    with pytest.raises(ValueError, match=r"\['a', 'b', 'c', 'd'\]; got 'x'"):
        families(data, Graph.from_edges("ax", [("x", "a")]))
    with pytest.raises(ValueError, match=r"columns of the data, .*; got 'x'"):
        data.counts(["a"], ["b", "x"])


# Eq. 9 and 10 over families


def test_one_edge_is_the_two_way_table(data: DiscreteData) -> None:
    graph = Graph.from_edges("ac", [("a", "c")])
    table = equivalent_sample_size(data.counts(["a"], ["c"]))
    network = network_sample_size(data, graph)
    assert network.exact == pytest.approx(table.exact, rel=1e-12)
    assert network.approximate == pytest.approx(table.approximate, rel=1e-12)


def test_a_complete_graph_is_the_full_table_against_independence(
    dense: DiscreteData,
) -> None:
    """Any complete graph, as long as no cell is empty."""
    joint = dense.counts(["a"], ["b"], ["c"])
    assert (joint > 0).all()
    table = equivalent_sample_size(joint)
    for edges in (
        [("a", "b"), ("a", "c"), ("b", "c")],
        [("c", "b"), ("c", "a"), ("b", "a")],
    ):
        network = network_sample_size(dense, Graph.from_edges("abc", edges))
        assert network.dof == table.dof
        assert network.information == pytest.approx(table.information, rel=1e-10)
        assert network.exact == pytest.approx(table.exact, rel=1e-10)


def test_the_sum_over_families_is_the_sum_over_the_joint_table(
    dense: DiscreteData,
) -> None:
    """The mean of L under smoothed joint probabilities, cell by cell."""
    joint, size = dense.counts(["a"], ["b"], ["c"]), 40.0
    p = joint / joint.sum()
    pa, pb, pc = p.sum((1, 2)), p.sum((0, 2)), p.sum((0, 1))
    # a -> b, b -> c: L = log p(a,b)/(p(a)p(b)) + log p(b,c)/(p(b)p(c))
    log_ratio = np.log(p.sum(2) / np.outer(pa, pb))[:, :, None]
    log_ratio = log_ratio + np.log(p.sum(0) / np.outer(pb, pc))[None]
    smoothed = (joint + size / joint.size) / (joint.sum() + size)
    network = network_sample_size(
        dense, Graph.from_edges("abc", [("a", "b"), ("b", "c")])
    )
    assert network.left(size) == pytest.approx((smoothed * log_ratio).sum(), rel=1e-10)
    assert network.dof == 2 * 1 + 1 * 2


def test_nominal_freedom_counts_all_configurations_effective_the_occupied_cells() -> (
    None
):
    frame = pd.DataFrame({"a": [0, 1, 2, 0, 1, 2], "b": [0, 1, 0, 0, 1, 0]})
    frame["c"] = [0, 1, 0, 1, 0, 1]
    data = DiscreteData.from_frame(frame)
    graph = Graph.from_edges("abc", [("a", "c"), ("b", "c")])
    nominal = network_sample_size(data, graph)
    effective = network_sample_size(data, graph, dof="effective")
    assert nominal.dof == (2 - 1) * (3 * 2 - 1)
    assert effective.dof == 6 - 3 - 2 + 1
    assert nominal.unseen_configurations == 3
    assert nominal.empty_cells == 0


def test_a_configuration_that_never_occurs_says_nothing_of_the_child() -> None:
    """The prior is spread over all 4 configurations; L is 0 in the one unseen."""
    frame = pd.DataFrame({"a": [0, 0, 1], "b": [0, 1, 0], "n": [1, 1, 1]})
    frame = pd.concat([frame.assign(c=0, n=[8, 3, 2]), frame.assign(c=1, n=[2, 4, 6])])
    data = DiscreteData.from_frame(frame, weights="n")
    counts = np.array([[8, 2], [3, 4], [2, 6]])
    shares = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    graph = Graph.from_edges("abc", [("a", "c"), ("b", "c")])
    constraint = network_sample_size(data, graph)
    assert constraint.unseen_configurations == 1
    assert constraint.prior_mean == pytest.approx(np.log(counts / shares).sum() / 8)


def test_a_graph_without_edges_has_nothing_to_regularize(data: DiscreteData) -> None:
    constraint = network_sample_size(data, Graph.from_edges("abcd", []))
    assert (constraint.dof, constraint.information) == (0, 0)
    assert not constraint.has_solution


# BDeu, empirical Bayes, leave-one-out


def brute_force_predictions(
    frame: pd.DataFrame, graph: Graph, size: float, *, order: bool
) -> float:
    """Rows predicted one by one: from those before (evidence) or from all others."""
    total, states = 0.0, {name: frame[name].nunique() for name in frame}
    for row in range(len(frame)):
        known = frame.iloc[:row] if order else frame.drop(index=row)
        for child, parents in graph.parents.items():
            same = np.ones(len(known), dtype=bool)
            for name in parents:
                same &= (known[name] == frame[name][row]).to_numpy()
            hit = same & (known[child] == frame[child][row]).to_numpy()
            share = size / np.prod([states[name] for name in parents])
            total += np.log((hit.sum() + share / states[child]) / (same.sum() + share))
    return total


GRAPH = Graph.from_edges("abcd", [("a", "b"), ("a", "c"), ("b", "c")])


def test_bdeu_is_the_probability_of_the_rows_one_after_the_other() -> None:
    frame = random_frame(25)
    brute = brute_force_predictions(frame, GRAPH, 7.0, order=True)
    data = DiscreteData.from_frame(frame)
    assert bdeu_score(data, GRAPH, equivalent_sample_size=7) == pytest.approx(brute)
    curve = network_empirical_bayes(data, GRAPH, sizes=[1.0, 7.0, 30.0])
    assert curve.scores[1] == pytest.approx(brute, rel=1e-12)


def test_network_leave_one_out_is_what_leaving_one_out_gives() -> None:
    frame = random_frame(25)
    brute = brute_force_predictions(frame, GRAPH, 7.0, order=False)
    data = DiscreteData.from_frame(frame)
    curve = network_cross_validation(data, GRAPH, sizes=[1.0, 7.0, 30.0])
    assert curve.scores[1] == pytest.approx(brute, rel=1e-12)


def test_empirical_bayes_of_a_complete_graph_is_that_of_the_table(
    data: DiscreteData,
) -> None:
    graph = Graph.from_edges("ac", [("a", "c")])
    table = empirical_bayes(data.counts(["a"], ["c"]))
    assert network_empirical_bayes(data, graph).best == pytest.approx(
        table.best, rel=1e-6
    )


def test_equivalent_graphs_have_equal_bdeu_scores_and_others_do_not(
    data: DiscreteData,
) -> None:
    local = bdeu_family_score(data, equivalent_sample_size=6)
    ranking = exhaustive_search("abcd", local)
    classes: dict[object, list[float]] = {}
    for rank in range(len(ranking)):
        joined, colliders = ranking.graph(rank)._pattern()
        key = (frozenset(joined), frozenset(colliders))
        classes.setdefault(key, []).append(float(ranking.scores[rank]))
    assert len(classes) == 185  # Markov equivalence classes of four variables
    spread = max(np.ptp(scores) for scores in classes.values())
    assert spread < 1e-9
    levels = sorted(scores[0] for scores in classes.values())
    assert min(np.diff(levels)) > 1e-6


@pytest.mark.parametrize("size", [0, -1, np.nan, np.inf])
def test_a_score_needs_a_positive_size(data: DiscreteData, size: float) -> None:
    with pytest.raises(ValueError, match="equivalent_sample_size must be positive"):
        bdeu_score(data, GRAPH, equivalent_sample_size=size)


# Search


def test_exhaustive_search_scores_every_graph_by_its_families(
    data: DiscreteData,
) -> None:
    ranking = exhaustive_search(
        "abc", bdeu_family_score(data, equivalent_sample_size=4)
    )
    assert len(ranking) == 25
    assert (np.diff(ranking.scores) <= 0).all()
    for rank in range(25):
        score = bdeu_score(data, ranking.graph(rank), equivalent_sample_size=4)
        assert score == pytest.approx(ranking.scores[rank], rel=1e-13)


def test_too_many_variables_are_sent_to_the_greedy_search() -> None:
    with pytest.raises(ValueError, match=r"1 to 5 variables; got 6: .* greedy_search"):
        exhaustive_search("abcdef", lambda child, parents: 0.0)


def test_greedy_search_ends_where_no_single_change_is_better(
    dense: DiscreteData,
) -> None:
    local = bdeu_family_score(dense, equivalent_sample_size=10)
    path = greedy_search("abcd", local)
    ranking = exhaustive_search("abcd", local)
    assert path.score <= ranking.scores[0] + 1e-6
    edges = set(path.graph.edges)
    for rank in range(len(ranking)):
        difference = edges ^ set(ranking.graph(rank).edges)
        pairs = {frozenset(edge) for edge in difference}
        if len(pairs) == 1:
            assert ranking.scores[rank] <= path.score + 1e-6


def test_greedy_search_finds_the_best_graph_of_clear_data(dense: DiscreteData) -> None:
    local = bdeu_family_score(dense, equivalent_sample_size=10)
    path = greedy_search("abcd", local)
    best = exhaustive_search("abcd", local).best
    assert any(path.graph.is_equivalent(graph) for graph in best)
    assert any(graph.is_equivalent(GRAPH) for graph in best)


def test_the_gains_of_the_greedy_steps_add_up_to_the_score(dense: DiscreteData) -> None:
    local = bdeu_family_score(dense, equivalent_sample_size=10)
    path = greedy_search("abcd", local)
    start = bdeu_score(dense, Graph.from_edges("abcd", []), equivalent_sample_size=10)
    assert start + sum(step.gain for step in path.steps) == pytest.approx(path.score)
    assert all(step.gain > 0 for step in path.steps)
    score = bdeu_score(dense, path.graph, equivalent_sample_size=10)
    assert score == pytest.approx(path.score)


def test_greedy_search_removes_and_reverses_edges_of_a_wrong_start() -> None:
    def prefers(child: str, parents: tuple[str, ...]) -> float:
        return {("b", ("a",)): 5.0, ("a", ("b",)): 1.0}.get(
            (child, parents), 0.0
        ) - len(parents)

    wrong = Graph.from_edges("abc", [("b", "a"), ("c", "a")])
    path = greedy_search("abc", prefers, start=wrong)
    assert path.graph.edges == (("a", "b"),)
    assert {step.move for step in path.steps} == {"remove", "reverse"}


def test_greedy_search_keeps_to_the_most_parents(dense: DiscreteData) -> None:
    local = bdeu_family_score(dense, equivalent_sample_size=10)
    graph = greedy_search("abcd", local, max_parents=1).graph
    assert max(len(parents) for parents in graph.parents.values()) == 1
    assert greedy_search("abcd", local, max_parents=0).graph.edges == ()


def test_greedy_search_refuses_what_it_cannot_start_from() -> None:
    def flat(child: str, parents: tuple[str, ...]) -> float:
        return 0.0

    with pytest.raises(ValueError, match=r"start must be a graph over \['a', 'b'\]"):
        greedy_search("ab", flat, start=Graph.from_edges("ac", []))
    with pytest.raises(ValueError, match="max_parents must be at least 0; got -1"):
        greedy_search("ab", flat, max_parents=-1)
    with pytest.raises(ValueError, match="distinct names; got"):
        greedy_search("aa", flat)


# Strength of edges


def test_an_edge_without_other_parents_has_the_measures_of_its_table(
    data: DiscreteData,
) -> None:
    edge = edge_strengths(data, Graph.from_edges("ab", [("a", "b")])).iloc[0]
    counts = data.counts(["b"], ["a"])
    assert edge["given"] == ()
    assert edge["si"] == pytest.approx(standardized_information(counts), rel=1e-12)
    assert edge["information"] == pytest.approx(mutual_information(counts), rel=1e-12)


def test_an_edge_is_measured_given_the_other_parents(data: DiscreteData) -> None:
    strengths = edge_strengths(data, GRAPH).set_index(["parent", "child"])
    counts = data.counts(["c"], ["b"], ["a"])
    edge = strengths.loc[("b", "c")]
    assert edge["given"] == ("a",)
    assert edge["information"] == pytest.approx(conditional_information(counts))
    si = standardized_information(conditional_table(counts))
    assert edge["si"] == pytest.approx(si, rel=1e-12)
    assert strengths["si_calibrated"].is_monotonic_decreasing


def test_the_edges_into_a_child_add_up_to_its_information_one_by_one(
    data: DiscreteData,
) -> None:
    """Chain rule: I(c; a) + I(c; b | a) = I(c; (a, b))."""
    strengths = edge_strengths(data, GRAPH).set_index(["parent", "child"])
    both = mutual_information(data.counts(["a", "b"], ["c"]))
    first = mutual_information(data.counts(["a"], ["c"]))
    assert first + strengths.loc[("b", "c"), "information"] == pytest.approx(both)


def test_a_graph_without_edges_has_no_strengths(data: DiscreteData) -> None:
    strengths = edge_strengths(data, Graph.from_edges("ab", []))
    assert strengths.empty
    assert "si_calibrated" in strengths


# Sampling


def toy_network() -> Network:
    return Network(
        Graph.from_edges("abc", [("a", "c"), ("b", "c"), ("a", "b")]),
        {"a": ("x", "y"), "b": ("no", "maybe", "yes"), "c": (0, 1)},
        {
            "a": np.array([0.3, 0.7]),
            "b": np.array([[0.2, 0.5, 0.3], [0.6, 0.4, 0.0]]),
            "c": np.array(
                [[[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]], [[0.4, 0.6], [1, 0], [0, 1]]]
            ),
        },
    )


def test_sampled_frequencies_agree_with_the_probabilities_of_the_network() -> None:
    network, size = toy_network(), 40_000
    frame = network.sample(size, rng=0)
    for (i, a), (j, b), (k, c) in product(
        *(enumerate(network.states[name]) for name in "abc")
    ):
        tables = network.probabilities
        p = tables["a"][i] * tables["b"][i, j] * tables["c"][i, j, k]
        share = ((frame["a"] == a) & (frame["b"] == b) & (frame["c"] == c)).mean()
        assert abs(share - p) <= 4 * np.sqrt(p * (1 - p) / size)


def test_samples_repeat_with_the_seed_and_keep_all_states() -> None:
    network = toy_network()
    first = network.sample(20, rng=5)
    pd.testing.assert_frame_equal(first, network.sample(20, rng=5))
    assert list(first["b"].cat.categories) == ["no", "maybe", "yes"]
    assert list(first) == ["a", "b", "c"]


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="size must be at least 1; got 0"):
        toy_network().sample(0)
    with pytest.raises(ValueError, match="size must be a whole number; got 2.5"):
        toy_network().sample(2.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": np.array([0.3, 0.6])}, "'a' must not be negative and must add up to 1"),
        ({"a": np.array([1.3, -0.3])}, "'a' must not be negative"),
        ({"b": np.array([0.2, 0.5, 0.3])}, r"'b' must have the shape \(2, 3\).*\(3,\)"),
    ],
)
def test_probabilities_that_are_none_are_refused(change: dict, message: str) -> None:
    network = toy_network()
    with pytest.raises(ValueError, match=message):
        Network(network.graph, network.states, {**network.probabilities, **change})


def test_a_variable_without_probabilities_is_refused() -> None:
    network = toy_network()
    with pytest.raises(ValueError, match="every variable; 'c' is missing"):
        Network(
            network.graph,
            network.states,
            {"a": network.probabilities["a"]} | {"b": network.probabilities["b"]},
        )


def test_the_constraint_works_on_every_bundled_table_of_counts() -> None:
    names = ["titanic", "hair_eye_color", "ucb_admissions"]
    for name in names:
        bundled = load_dataset(name)
        data = DiscreteData.from_frame(bundled.frame, weights=bundled.weights)
        local: Callable[[str, tuple[str, ...]], float] = bdeu_family_score(
            data, equivalent_sample_size=10
        )
        graph = exhaustive_search(list(data.states), local).graph(0)
        assert network_sample_size(data, graph).has_solution
