"""Labelled tables, and how much to smooth them by every method."""

import numpy as np
import pandas as pd
import pytest

from siviz.columns import decide_columns, encode_columns, summarize_columns
from siviz.datasets import load_dataset, sewell_shah_network
from siviz.discrete_data import DiscreteData
from siviz.labelled_tables import labelled_table, typed_table
from siviz.networks import family, network_empirical_bayes, network_sample_size
from siviz.size_studies import network_study, table_study
from siviz.smoothing import equivalent_sample_size, uniform_prior

FRAME = pd.DataFrame(
    {"a": list("xyxyxx"), "b": list("uvvuuu"), "c": ["p", None, "q", "p", "q", "p"]}
)
WEIGHTS = [3, 1, 2, 0, 1, 4]


def encoded(frame: pd.DataFrame = FRAME, **weights: list[int]) -> DiscreteData:
    columns = decide_columns(summarize_columns(frame, **weights))
    codes = encode_columns(frame, columns, **weights)
    return DiscreteData.from_codes(codes, **weights)


@pytest.fixture(scope="module")
def sewell_shah() -> DiscreteData:
    bundled = load_dataset("sewell_shah")
    return DiscreteData.from_frame(bundled.frame, weights=bundled.weights)


def test_rows_with_a_missing_value_are_left_out_and_counted() -> None:
    data = encoded()
    assert (data.sample_size, data.left_out) == (5, 1)
    kept = FRAME.dropna()
    expected = DiscreteData.from_frame(kept)
    for names in (["a"], ["a", "c"], ["a", "b", "c"]):
        axes = [[name] for name in names]
        np.testing.assert_array_equal(data.counts(*axes), expected.counts(*axes))


def test_weights_count_rows_and_the_states_of_unweighted_rows_do_not_occur() -> None:
    data = encoded(weights=WEIGHTS)
    assert (data.sample_size, data.left_out) == (10, 1)
    # y occurs without a missing value only in a row of weight 0.
    assert data.states["a"] == ("x",)


def test_codes_without_a_column_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one column"):
        DiscreteData.from_codes(encode_columns(FRAME, []))


def test_probabilities_add_up_to_1_in_all_or_for_each_given_state(
    sewell_shah: DiscreteData,
) -> None:
    names = ["ses", "iq", "college_plans"]
    joint = labelled_table(sewell_shah, names)
    conditional = labelled_table(sewell_shah, names, conditional=True)
    for size in (0.0, 1.0, 1e4):
        assert joint.probabilities(size).sum() == pytest.approx(1)
        np.testing.assert_allclose(conditional.probabilities(size).sum(axis=-1), 1)


def test_conditional_probabilities_are_those_of_the_bdeu_prior(
    sewell_shah: DiscreteData,
) -> None:
    parents = ("ses", "iq")
    table = labelled_table(
        sewell_shah, (*parents, "college_plans"), conditional=True
    ).probabilities(66.5)
    prior = family(sewell_shah, "college_plans", parents).prior
    alpha = prior.counts + 66.5 * prior.shares
    expected = alpha / alpha.sum(axis=1, keepdims=True)
    assert sorted(table.ravel()) == pytest.approx(sorted(expected.ravel()))


def test_states_that_never_met_have_no_probability_until_something_is_smoothed() -> (
    None
):
    frame = pd.DataFrame({"a": list("xxyy"), "b": list("uuvv"), "c": list("pqpq")})
    table = labelled_table(DiscreteData.from_frame(frame), "abc", conditional=True)
    raw = table.probabilities()
    assert np.isnan(raw[0, 1]).all()
    np.testing.assert_allclose(table.probabilities(1.0)[0, 1], 0.5)


def test_too_large_a_joint_table_is_refused() -> None:
    frame = pd.DataFrame({name: np.arange(200) for name in "ab"})
    with pytest.raises(ValueError, match="40,000 cells, more than 20,000: choose"):
        labelled_table(DiscreteData.from_frame(frame), "ab")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["a", "x"], r"columns of the data, \['a', 'b', 'c'\]; got 'x'"),
        ([], "got none"),
    ],
)
def test_a_joint_table_needs_columns_of_the_data(names, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        labelled_table(encoded(), names)


def test_a_cell_is_told_in_words() -> None:
    table = labelled_table(encoded(), ["a", "c"], conditional=True)
    assert table.label((0, 1)) == "c = q given a = x"
    assert typed_table([[1, 2], [3, 4]]).label((1, 0)) == "A = A2, B = B1"


def test_the_uniform_prior_spreads_over_states_that_occur() -> None:
    q = uniform_prior([[1, 0, 2], [0, 0, 0]])
    np.testing.assert_allclose(q, [[0.5, 0, 0.5], [0, 0, 0]])


def test_a_study_holds_what_the_single_functions_give(
    sewell_shah: DiscreteData,
) -> None:
    graph = sewell_shah_network()
    study = network_study(sewell_shah, graph)
    assert study.constraints["nominal"] == network_sample_size(sewell_shah, graph)
    assert study.bayes.best == network_empirical_bayes(sewell_shah, graph).best
    assert study.reference("nominal") == study.constraints["nominal"].exact
    assert list(study.tables) == ["parental_encouragement", "iq", "college_plans"]
    table = typed_table([[5, 0, 1], [0, 6, 0], [1, 0, 7]])
    effective = table_study(table).constraints["effective"]
    assert effective == equivalent_sample_size(table.counts, dof="effective")


@pytest.mark.parametrize(
    ("counts", "method"),
    [
        ([[12, 8], [9, 11]], "Eq. 10"),  # too weak for Eq. 9
        ([[1000, 1], [1, 1]], "empirical Bayes"),  # the left side rises
        ([[7, 7]], "one"),  # a constant
    ],
)
def test_without_a_solution_the_next_method_is_the_reference(counts, method) -> None:
    study = table_study(typed_table(counts))
    constraint = study.constraints["nominal"]
    assert not constraint.has_solution
    expected = {
        "Eq. 10": constraint.approximate,
        "empirical Bayes": study.bayes.best,
        "one": 1.0,
    }
    assert study.reference("nominal") == expected[method]
