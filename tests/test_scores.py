"""The comparison measures against scipy, scikit-learn and their definitions."""

from math import lgamma

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from siviz import (
    Table,
    adjusted_information,
    akaike_score,
    bayesian_information_score,
    conditional_table,
    cramers_v,
    entropy,
    likelihood_ratio,
    log_bayes_factor,
    mutual_information,
    pearson_chi_squared,
    theils_u,
)
from tests.random_tables import tables
from tests.test_information import labels


def occurring(counts):
    return counts[counts.any(axis=1)][:, counts.any(axis=0)]


@given(tables())
def test_model_scores_are_the_likelihood_less_a_penalty(counts):
    table = Table(counts)
    half = likelihood_ratio(table) / 2
    assert akaike_score(table) == pytest.approx(half - table.dof)
    penalty = table.dof * np.log(table.sample_size) / 2
    assert bayesian_information_score(table) == pytest.approx(half - penalty)


def dirichlet_evidence(counts, prior):
    total = lgamma(sum(prior)) - lgamma(sum(prior) + sum(counts))
    return total + sum(
        lgamma(n + a) - lgamma(a) for n, a in zip(counts, prior, strict=True)
    )


@given(tables(), st.sampled_from([0.1, 1.0, 7.0]))
def test_bayes_factor_is_the_ratio_of_two_dirichlet_evidences(counts, size):
    counts = occurring(counts)
    rows, columns = counts.shape
    joint = dirichlet_evidence(counts.ravel(), [size / counts.size] * counts.size)
    apart = dirichlet_evidence(counts.sum(1), [size / rows] * rows)
    apart += dirichlet_evidence(counts.sum(0), [size / columns] * columns)
    ours = log_bayes_factor(
        np.pad(counts, ((0, 1), (2, 0))), equivalent_sample_size=size
    )
    assert ours == pytest.approx(joint - apart, rel=1e-10, abs=1e-10)


def test_looked_up_bayes_factors_equal_computed_ones():
    batch = np.random.default_rng(0).integers(0, 4, (500, 3, 3))
    batch[:, 0, 0] += 1
    alone = [log_bayes_factor(counts * 1.0) for counts in batch]
    np.testing.assert_allclose(log_bayes_factor(batch), alone, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("size", [0, -1, np.inf, np.nan])
def test_the_equivalent_sample_size_must_be_positive(size):
    with pytest.raises(ValueError, match="equivalent_sample_size must be positive"):
        log_bayes_factor([[1, 2], [3, 4]], equivalent_sample_size=size)


@given(tables())
def test_chi_squared_and_cramers_v_equal_scipys(counts):
    trimmed = occurring(counts)
    assume(min(trimmed.shape) > 1)
    expected = stats.chi2_contingency(trimmed, correction=False).statistic
    assert pearson_chi_squared(counts) == pytest.approx(expected, rel=1e-10, abs=1e-10)
    theirs = stats.contingency.association(trimmed, method="cramer")
    assert cramers_v(counts) == pytest.approx(theirs, rel=1e-10, abs=1e-7)


def test_bergsmas_correction_by_its_definition():
    counts = np.array([[12, 5, 3], [4, 9, 7]])
    n, (r, c) = counts.sum(), counts.shape
    phi2 = pearson_chi_squared(counts) / n
    phi2 = max(0, phi2 - (r - 1) * (c - 1) / (n - 1))
    smaller = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    ours = cramers_v(counts, correction="bergsma")
    assert ours == pytest.approx(np.sqrt(phi2 / smaller))
    assert cramers_v(np.full((3, 3), 5), correction="bergsma") == 0
    with pytest.raises(ValueError, match='correction must be "none" or "bergsma"'):
        cramers_v(counts, correction="yates")


@given(tables(largest=60))
def test_adjusted_information_equals_scikit_learns(counts):
    trimmed = occurring(counts)
    assume(min(trimmed.shape) > 1)
    # Where the margins leave no freedom theirs divides rounding errors; ours is 0.
    assume(np.any(trimmed.sum(axis=0) > 1) and np.any(trimmed.sum(axis=1) > 1))
    rows, columns = labels(trimmed)
    theirs = metrics.adjusted_mutual_info_score(rows, columns)
    assert adjusted_information(counts) == pytest.approx(theirs, rel=1e-10, abs=1e-10)


def test_adjusted_information_equals_scikit_learns_on_larger_tables():
    rng = np.random.default_rng(1)
    for size in (100, 3000, 50_000):
        p = rng.dirichlet(np.ones(30))
        counts = rng.multinomial(size, p).reshape(5, 6)
        theirs = metrics.adjusted_mutual_info_score(*labels(counts))
        assert adjusted_information(counts) == pytest.approx(
            theirs, rel=1e-10, abs=1e-10
        )


def test_adjusted_information_of_an_identifier_is_zero():
    assert adjusted_information(np.eye(20)) == 0
    assert adjusted_information([[5, 6]]) == 0


@given(tables())
def test_theils_u_is_the_share_of_entropy_explained(counts):
    table = Table(counts)
    for of in ("rows", "columns"):
        whole = entropy(table, of=of)
        share = mutual_information(table) / whole if whole else 0
        assert theils_u(table, of=of) == pytest.approx(share, abs=1e-12)
    assert theils_u(counts, of="rows") == pytest.approx(theils_u(counts.T))


def test_theils_u_needs_one_variable():
    with pytest.raises(ValueError, match='of must be "rows" or "columns"'):
        theils_u([[1, 2], [3, 4]], of="joint")


def test_conditional_scores_add_up_over_equal_strata():
    counts = np.random.default_rng(2).integers(1, 20, (3, 4))
    twice = conditional_table(np.stack([counts, counts], axis=-1))
    assert akaike_score(twice) == pytest.approx(2 * akaike_score(counts))
    assert cramers_v(twice) == pytest.approx(cramers_v(counts))
    assert adjusted_information(twice) == pytest.approx(adjusted_information(counts))
    assert theils_u(twice) == pytest.approx(theils_u(counts))
    half = log_bayes_factor(counts, equivalent_sample_size=0.5)
    assert log_bayes_factor(twice) == pytest.approx(2 * half)
