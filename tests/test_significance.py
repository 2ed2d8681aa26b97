"""p-values against scipy, and where the naive ones break."""

import numpy as np
import pytest
from hypothesis import assume, given
from scipy import stats

from siviz import (
    Table,
    cdf_p_value,
    fisher_log_p_value,
    likelihood_ratio,
    log_p_value,
    p_value,
    significance_threshold,
    survival_p_value,
)
from tests.random_tables import tables

STRONG = np.array([[3000, 200, 100], [200, 3000, 150], [100, 150, 3000]])


@given(tables())
def test_g_and_p_equal_scipys(counts):
    occurring = counts[counts.any(axis=1)][:, counts.any(axis=0)]
    assume(min(occurring.shape) > 1)
    theirs = stats.chi2_contingency(
        occurring, correction=False, lambda_="log-likelihood"
    )
    assert likelihood_ratio(counts) == pytest.approx(
        theirs.statistic, rel=1e-10, abs=1e-10
    )
    assert p_value(counts) == pytest.approx(theirs.pvalue, rel=1e-10, abs=1e-300)
    assert Table(counts).dof == theirs.dof


def test_log_p_goes_on_where_the_others_stop():
    assert log_p_value(STRONG) / np.log(10) == pytest.approx(-3153.02, abs=0.005)
    assert p_value(STRONG) == survival_p_value(STRONG) == cdf_p_value(STRONG) == 0
    weaker = STRONG // 100
    assert cdf_p_value(weaker) == 0 < survival_p_value(weaker)
    assert survival_p_value(weaker) == pytest.approx(p_value(weaker), rel=1e-10)


@pytest.mark.parametrize("times", [1, 10, 10**4, 10**9])
def test_log_p_falls_in_proportion_to_the_sample(times):
    log_p = log_p_value(STRONG * times)
    assert np.isfinite(log_p)
    assert log_p == pytest.approx(-likelihood_ratio(STRONG * times) / 2, rel=0.02)


def test_naive_p_values_of_a_single_state_are_one():
    assert cdf_p_value([[4, 5]]) == survival_p_value([[4, 5]]) == 1


def test_permutation_p_values_agree_with_fishers_exact_test():
    counts = [[9, 2], [4, 8]]
    exact = stats.fisher_exact(counts).pvalue  # ordered by probability, here as by G
    assert p_value(counts, null="permutation") == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("level", [0.5, 0.1, 0.05, 1e-6])
def test_the_threshold_is_exceeded_by_chance_at_its_level(level):
    threshold = significance_threshold(level)
    assert stats.norm.sf(np.sqrt(2) * threshold) == pytest.approx(level, rel=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.1, 0.05])
def test_tables_of_many_states_exceed_the_threshold_at_its_level(level):
    dof = 200
    g = (significance_threshold(level) + np.sqrt(dof - 0.5)) ** 2
    assert stats.chi2.sf(g, dof) == pytest.approx(level, rel=0.05)


@pytest.mark.parametrize("level", [0, 1, -0.1, np.nan])
def test_a_level_outside_the_unit_interval_is_refused(level):
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        significance_threshold(level)


def test_fishers_p_value_is_close_for_many_degrees_of_freedom():
    rng = np.random.default_rng(0)
    counts = rng.multinomial(5000, np.ones(100) / 100, size=50).reshape(-1, 10, 10)
    np.testing.assert_allclose(
        np.exp(fisher_log_p_value(counts)), p_value(counts), atol=0.01
    )
    assert np.isfinite(fisher_log_p_value(STRONG))
