"""True distributions: their informations, margins and samples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from siviz import mutual_information
from siviz.scenarios import (
    TWO_STATES,
    TrueDistribution,
    binary_feature,
    discretization_scenario,
    four_state_feature,
    informative_distribution,
    margin_probabilities,
    membership,
    mixed_distribution,
    z_of_equal_information,
)

LOG2 = np.log(2)
shapes = st.integers(2, 7)
kinds = st.sampled_from(["uniform", "zipf"])


def entropy(shares):
    return stats.entropy(shares)


# The paper's models


@pytest.mark.parametrize("z", [0, 0.03, 0.1])
def test_two_states_of_figure_2_know_the_same_for_every_z(z):
    coarse = discretization_scenario(z).merged(TWO_STATES, TWO_STATES)
    np.testing.assert_allclose(coarse.probabilities, [[0.4, 0.1], [0.1, 0.4]])
    assert coarse.true_information == pytest.approx(LOG2 - entropy([0.2, 0.8]))


def test_four_states_of_figure_2_know_nothing_more_at_z_0_and_ever_more_above():
    fine = [
        discretization_scenario(z).true_information for z in np.linspace(0, 0.1, 21)
    ]
    assert fine[0] == pytest.approx(LOG2 - entropy([0.2, 0.8]), abs=1e-15)
    assert np.all(np.diff(fine) > 0)


@pytest.mark.parametrize("z", [0, 0.05, 0.1])
def test_the_margins_of_figure_2_are_uniform(z):
    joint = discretization_scenario(z).probabilities
    for axis in (0, 1):
        np.testing.assert_allclose(joint.sum(axis=axis), 0.25, rtol=1e-15)


def test_a_binary_feature_has_the_printed_chances_in_each_class():
    joint = binary_feature().probabilities
    np.testing.assert_allclose(joint[0] / joint.sum(axis=0), [0.6, 0.8, 0.3, 0.1])
    mean = entropy([0.45, 0.55])
    inside = np.mean([entropy([p, 1 - p]) for p in (0.6, 0.8, 0.3, 0.1)])
    assert binary_feature().true_information == pytest.approx(mean - inside)


@pytest.mark.parametrize("z", [0, 0.08, 0.25])
def test_a_four_state_feature_is_the_uniform_member_of_the_family(z):
    member = mixed_distribution(4, 4, z=4 * z)
    np.testing.assert_allclose(
        four_state_feature(z).probabilities, member.probabilities, atol=1e-16
    )


def test_the_information_of_a_four_state_feature_is_that_of_a_symmetric_channel():
    z = 0.1
    row = [0.25 + 3 * z, *[0.25 - z] * 3]
    expected = np.log(4) - entropy(row)
    assert four_state_feature(z).true_information == pytest.approx(expected)


def test_both_kinds_of_features_know_equally_much_near_the_printed_z():
    z = z_of_equal_information()
    four, two = (
        four_state_feature(z).true_information,
        binary_feature().true_information,
    )
    assert four == pytest.approx(two, rel=1e-12)
    assert round(z, 5) == 0.08834
    assert abs(z - 0.0882) < 2e-4  # as printed


def test_useless_binary_features_equal_useless_four_state_features():
    assert z_of_equal_information([0.3] * 4) == 0.0


# The family


@given(
    shapes, shapes, kinds, kinds, st.floats(0, 1), st.sampled_from([0, 1e-6, 0.3, 1])
)
@settings(max_examples=40, deadline=None)
def test_the_family_keeps_its_margins_and_hits_the_wanted_information(
    rows, columns, row_margin, column_margin, z, share
):
    margins = {"row_margin": row_margin, "column_margin": column_margin}
    most = mixed_distribution(rows, columns, z=1, **margins).true_information
    for truth in (
        mixed_distribution(rows, columns, z=z, **margins),
        informative_distribution(rows, columns, information=share * most, **margins),
    ):
        wanted = margin_probabilities(rows, row_margin)
        np.testing.assert_allclose(truth.probabilities.sum(axis=1), wanted, atol=1e-14)
        wanted = margin_probabilities(columns, column_margin)
        np.testing.assert_allclose(truth.probabilities.sum(axis=0), wanted, atol=1e-14)
    assert truth.true_information == pytest.approx(share * most, rel=1e-9, abs=1e-15)


@given(shapes, shapes, kinds, st.floats(0.01, 0.98))
@settings(max_examples=30, deadline=None)
def test_information_grows_with_the_knob(rows, columns, margin, z):
    weak, strong = (
        mixed_distribution(rows, columns, z=at, row_margin=margin).true_information
        for at in (z, z + 0.01)
    )
    assert weak < strong


@pytest.mark.parametrize("margin", ["uniform", "zipf", [0.2, 0.5, 0.3]])
def test_at_full_knob_equal_margins_give_all_of_the_entropy(margin):
    truth = mixed_distribution(3, 3, z=1, row_margin=margin, column_margin=margin)
    assert truth.true_information == pytest.approx(
        entropy(margin_probabilities(3, margin))
    )


def test_a_coin_and_a_three_sided_die_share_at_most_two_thirds_of_a_bit():
    # One face of the die must be split between both sides of the coin.
    most = mixed_distribution(2, 3, z=1).true_information
    assert most == pytest.approx(2 / 3 * LOG2)


def test_at_knob_0_the_variables_are_independent():
    truth = mixed_distribution(5, 3, z=0, row_margin="zipf")
    assert truth.true_information < 1e-15


def test_zipf_margins_fall_like_one_over_rank():
    zipf = margin_probabilities(50, "zipf")
    np.testing.assert_allclose(zipf * np.arange(1, 51), zipf[0])
    assert zipf.sum() == pytest.approx(1, abs=1e-15)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_merging_states_never_adds_information(seed):
    rng = np.random.default_rng(seed)
    truth = TrueDistribution(rng.dirichlet(np.full(20, 0.5)).reshape(4, 5))
    merged = truth.merged([[0, 3], [1], [2]], [[4, 1], [0, 2, 3]])
    assert merged.probabilities.shape == (3, 2)
    assert merged.true_information <= truth.true_information + 1e-15


def test_the_true_information_is_that_of_a_table_with_exactly_those_shares():
    counts = np.array([[30, 10, 5], [5, 20, 30]])
    truth = TrueDistribution(counts / 100)
    assert truth.true_information == pytest.approx(mutual_information(counts))


# Samples


def test_samples_follow_the_true_distribution():
    truth = informative_distribution(3, 4, information=0.3, column_margin="zipf")
    tables = truth.sample_tables(50, 2000, rng=7)
    assert tables.shape == (2000, 3, 4)
    assert np.all(tables.sum(axis=(1, 2)) == 50)
    expected = truth.probabilities.ravel() * 50 * 2000
    observed = tables.sum(axis=0).ravel()
    assert stats.chisquare(observed, expected).pvalue > 1e-3


def test_samples_smaller_than_the_table_are_multinomial_too():
    chances = np.array([[0.3, 0.0, 0.1, 0.05], [0.0, 0.25, 0.3, 0.0]])
    tables = TrueDistribution(chances).sample_tables(5, 20_000, rng=3)
    assert tables.shape == (20_000, 2, 4)
    assert np.all(tables.sum(axis=(1, 2)) == 5)
    assert not tables[:, chances == 0].any()
    cells, p = tables[:, chances > 0], chances[chances > 0]
    # Standard errors are below .01, of means and of covariances.
    np.testing.assert_allclose(cells.mean(axis=0), 5 * p, atol=0.04)
    covariance = 5 * (np.diag(p) - np.outer(p, p))
    np.testing.assert_allclose(np.cov(cells.T), covariance, atol=0.05)
    np.testing.assert_allclose(
        np.bincount(cells[:, 0]) / 20_000, stats.binom.pmf(range(6), 5, 0.3), atol=0.015
    )


def test_equal_seeds_give_equal_samples_and_a_generator_moves_on():
    truth = binary_feature()
    generator = np.random.default_rng(1)
    first, second = (truth.sample_tables(20, 5, generator) for _ in range(2))
    np.testing.assert_array_equal(first, truth.sample_tables(20, 5, rng=1))
    assert not np.array_equal(first, second)


def test_a_true_distribution_cannot_be_changed():
    mine = np.array([[0.5, 0.0], [0.0, 0.5]])
    truth = TrueDistribution(mine)
    mine[0, 0] = 9
    assert truth.probabilities[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        truth.probabilities[0, 0] = 1


# Bad arguments


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (
            lambda: discretization_scenario(0.11),
            "z must lie between 0 and 0.1; got 0.11",
        ),
        (lambda: four_state_feature(-0.01), "z must lie between 0 and 0.25; got -0.01"),
        (lambda: four_state_feature(np.nan), "z must lie between 0 and 0.25; got nan"),
        (
            lambda: mixed_distribution(2, 2, z=1.5),
            "z must lie between 0 and 1; got 1.5",
        ),
        (
            lambda: informative_distribution(2, 3, information=0.7),
            "between 0 and 0.462098 nats, .* 2 x 3 .* got 0.7",
        ),
        (lambda: informative_distribution(2, 2, information=-1), "between 0 .* got -1"),
        (lambda: informative_distribution(2, 2, information=np.nan), "got nan"),
        (lambda: mixed_distribution(0, 2, z=0), "states must be at least 1; got 0"),
        (lambda: mixed_distribution(2.5, 2, z=0), "states must be a whole .* got 2.5"),
        (lambda: margin_probabilities(3, "normal"), 'margin must be "uniform".*normal'),
        (lambda: margin_probabilities(3, [0.5, 0.5]), r"margin must hold 3 .* \(2,\)"),
        (
            lambda: margin_probabilities(2, [0.5, 0.6]),
            "margin must add up to 1; .* 1.1 ",
        ),
        (lambda: margin_probabilities(2, [1.5, -0.5]), r"got -0.5 at index \(1,\)"),
        (lambda: binary_feature([0.5] * 3), "chances must be four numbers from 0 to 1"),
        (lambda: binary_feature([0.5, 0.5, 2, 0]), "chances must be four numbers"),
        (lambda: TrueDistribution([0.5, 0.5]), r"shape \(rows, columns\); got \(2,\)"),
        (lambda: TrueDistribution([[0.5, np.nan]]), r"got nan at index \(0, 1\)"),
        (lambda: TrueDistribution([[3, 1]]), "must add up to 1; got a sum of 4"),
        (lambda: binary_feature().sample_tables(0), "size must be at least 1; got 0"),
        (lambda: binary_feature().sample_tables(9.5), "size must be a whole number"),
        (lambda: binary_feature().sample_tables(9, 0), "n must be at least 1; got 0"),
        (lambda: membership("rows", [], 2), r"rows must be groups .* got \[\]"),
        (
            lambda: membership("rows", [[0, 1], []], 2),
            r"at least one .* \[\[0, 1\], \[\]",
        ),
        (
            lambda: membership("coarse", [[0], [0, 1]], 2),
            "coarse .* 0 to 1 exactly once",
        ),
        (
            lambda: binary_feature().merged([[0, 1]], [[0]]),
            "columns .* the states 0 to 3",
        ),
    ],
)
def test_bad_arguments_get_a_sentence_that_names_the_rule_and_the_value(
    build, sentence
):
    with pytest.raises(ValueError, match=sentence):
        build()
