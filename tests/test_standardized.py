"""Standardized information: identities, limits, and the reference tables."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from siviz import (
    Null,
    Table,
    akaike_score,
    bayesian_information_score,
    bias_corrected_information,
    entropy,
    information_z_score,
    likelihood_ratio,
    log_p_value,
    mutual_information,
    normalized_information,
    null_moments,
    standardized_information,
    transition_measure,
)
from tests.random_tables import tables

REFERENCE = json.loads(
    (Path(__file__).parent / "reference" / "tables.json").read_text()
)
OURS = {
    "N": lambda table: table.sample_size,
    "mi": mutual_information,
    "entropy_rows": lambda table: entropy(table, of="rows"),
    "entropy_columns": lambda table: entropy(table, of="columns"),
    "dof_nominal": lambda table: table.dof,
    "dof_effective": lambda table: table.effective_dof,
    "g": likelihood_ratio,
    "mi_bias_corrected": bias_corrected_information,
    "si": standardized_information,
    "si_fisher": lambda table: standardized_information(table, centre="fisher"),
    "zscore": information_z_score,
    "nmi": normalized_information,
    "aic": akaike_score,
    "bic": bayesian_information_score,
}


@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: f"N={case['N']}")
def test_every_value_of_the_reference_tables_to_ten_digits(case):
    table = Table(case["counts"])
    for name, measure in OURS.items():
        assert measure(table) == pytest.approx(case[name], rel=1e-10, abs=1e-10), name
    log10_p = log_p_value(table) / np.log(10)
    assert log10_p == pytest.approx(case["log10_p"], rel=1e-12, abs=1e-300)
    assert set(case) == {*OURS, "counts", "log10_p"}


def test_the_reference_reaches_six_million_digits_of_smallness():
    assert min(case["log10_p"] for case in REFERENCE) < -6_020_481


@given(tables())
def test_equation_6_is_the_difference_of_two_roots(counts):
    table = Table(counts)
    roots = np.sqrt(2 * table.sample_size * mutual_information(table)) - np.sqrt(
        table.dof
    )
    assert standardized_information(table) == pytest.approx(roots, rel=1e-12, abs=1e-7)


@given(tables())
def test_z_score_is_si_and_its_square(counts):
    """R = sqrt(2) SI (1 + SI / (2 sqrt(d))), Sec. 4."""
    table = Table(counts)
    assume(table.dof > 0)
    si, root = standardized_information(table), np.sqrt(table.dof)
    expected = np.sqrt(2) * si * (1 + si / (2 * root))
    assert information_z_score(table) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(tables())
def test_fishers_centre_is_half_a_degree_lower(counts):
    table = Table(counts)
    assume(table.dof > 0)
    difference = standardized_information(table, centre="fisher")
    difference -= standardized_information(table)
    expected = np.sqrt(table.dof) - np.sqrt(table.dof - 0.5)
    assert difference == pytest.approx(expected, rel=1e-9)


@given(tables(), st.sampled_from(["nominal", "calibrated", "effective"]))
def test_every_regularized_measure_is_zero_where_g_equals_its_mean(counts, kind):
    null = null_moments(counts, kind=kind)
    assert null.standardize(null.mean) == pytest.approx(0, abs=1e-7)
    assert null.z_score(null.mean) == 0


@given(tables())
def test_a_null_can_be_named_or_given(counts):
    null = null_moments(counts, kind="calibrated")
    for measure in (
        standardized_information,
        information_z_score,
        bias_corrected_information,
        log_p_value,
    ):
        assert measure(counts, null=null) == measure(counts, null="calibrated")


@pytest.mark.parametrize("counts", [[[1]], [[5, 6]], [[3], [4]], [[0, 0], [2, 9]]])
@pytest.mark.parametrize("null", ["nominal", "effective", "calibrated", "permutation"])
def test_a_single_state_has_no_dependence_to_measure(counts, null):
    assert standardized_information(counts, null=null) == 0
    assert information_z_score(counts, null=null) == 0
    assert bias_corrected_information(counts, null=null) == 0
    assert log_p_value(counts, null=null) == 0


def test_near_independence_si_counts_null_deviations():
    """Condition 1: the slope of SI in G at G = m is 1/sqrt(2 v), for any null."""
    for mean, variance in [(1.0, 2.0), (9.0, 18.0), (400.0, 120.0)]:
        null = Null(mean, variance)
        step = 1e-5 * np.sqrt(variance)
        slope = (null.standardize(mean + step) - null.standardize(mean - step)) / (
            2 * step
        )
        assert slope == pytest.approx(1 / np.sqrt(2 * variance), rel=1e-6)


def test_for_strong_dependence_si_forgets_the_cardinalities():
    """Condition 2: SI / sqrt(2 N) tends to sqrt(I) as N grows, whatever d."""
    for dof in (1.0, 9.0, 400.0):
        n = 1e12
        si = Null(dof, 2 * dof).standardize(2 * n * 0.3)
        assert si / np.sqrt(2 * n) == pytest.approx(np.sqrt(0.3), rel=1e-4)


@given(tables())
def test_calibrated_si_is_negative_below_and_positive_above_the_null_mean(counts):
    table = Table(counts)
    excess = likelihood_ratio(table) - null_moments(table).mean
    assume(null_moments(table).variance > 0 and abs(excess) > 1e-6)
    assert np.sign(standardized_information(table, null="calibrated")) == np.sign(
        excess
    )


def test_the_transition_family_joins_the_z_score_and_si():
    si, dof = np.linspace(-0.9, 20, 50), 4.0
    z_score = np.sqrt(2) * si * (1 + si / (2 * np.sqrt(dof)))
    np.testing.assert_allclose(transition_measure(si, dof, rate=0), z_score, rtol=1e-14)
    later = si[si > 1]
    np.testing.assert_allclose(
        transition_measure(later, dof, rate=50), np.sqrt(2) * later, rtol=1e-12
    )
    grown = transition_measure(np.linspace(-1, 60, 2000), dof, rate=0.08 / np.sqrt(dof))
    assert (np.diff(grown) > 0).all()


@given(st.floats(0.5, 400), st.floats(0, 10))
def test_the_transition_family_grows_below_the_null_mean_too(dof, rate):
    si = np.linspace(-np.sqrt(dof), 0, 400)
    values = transition_measure(si, dof, rate=rate)
    assert (values <= 0).all()
    assert (np.diff(values) >= -1e-12).all()


def test_the_transition_family_is_zero_without_degrees_of_freedom():
    np.testing.assert_array_equal(transition_measure(0.0, [0.0, 4.0], rate=1.0), 0)
