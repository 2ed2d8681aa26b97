"""The null of G: exact means, spreads against Monte Carlo, and no freedom."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from siviz import (
    Null,
    Table,
    conditional_table,
    likelihood_ratio,
    multi_information,
    multi_null,
    null_moments,
    standardized_information,
)
from tests.random_tables import tables
from tests.test_hypergeometric import exact_mean

CASES = json.loads(
    (Path(__file__).parent / "reference" / "null_moments.json").read_text()
)


def with_margins(rows, columns):
    """Some table with these margins (north-west corner rule)."""
    rows, columns = list(rows), list(columns)
    counts = np.zeros((len(rows), len(columns)), dtype=int)
    i = j = 0
    while i < len(rows) and j < len(columns):
        counts[i, j] = min(rows[i], columns[j])
        rows[i] -= counts[i, j]
        columns[j] -= counts[i, j]
        i, j = (i + 1, j) if rows[i] == 0 else (i, j + 1)
    return counts


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"d={case['dof_nominal']}")
def test_calibrated_moments_agree_with_the_reference(case):
    null = null_moments(with_margins(case["rows"], case["columns"]))
    assert null.mean == pytest.approx(case["mean"], rel=1e-6)
    assert null.deviation == pytest.approx(np.sqrt(case["variance"]), rel=0.06)


@pytest.mark.parametrize(
    "rows, columns",
    [
        ((10**7 - 3, 3), (10**7 - 5, 5)),
        ((9_000_000, 999_900, 90, 10), (5_000_000, 4_999_000, 1_000)),
        ((3_000_000, 7_000_000 - 1, 1), (40, 2_000_000, 8_000_000 - 40)),
    ],
)
def test_calibrated_mean_is_the_hypergeometric_one_for_ten_million_rows(rows, columns):
    """Cell by cell with 50 digits, rare states among them."""
    size = sum(rows)
    cells = sum(exact_mean(r, c, size) for r in rows for c in columns)
    null = null_moments(with_margins(rows, columns))
    assert null.mean == pytest.approx(2 * cells, rel=1e-8, abs=0)


def test_moments_of_two_rare_states_among_a_billion_rows_are_those_of_all_tables():
    met = np.arange(4)  # how often the states of 3 and of 5 observations meet
    weights = stats.hypergeom.pmf(met, 10**9, 3, 5)
    listed = [[[10**9 - 8 + k, 5 - k], [3 - k, k]] for k in met]
    g = likelihood_ratio(listed)
    mean = weights @ g
    null = null_moments(listed[0])
    assert null.mean == pytest.approx(mean, rel=1e-6, abs=0)
    deviation = np.sqrt(weights @ (g - mean) ** 2)
    assert null.deviation == pytest.approx(deviation, rel=0.06, abs=0)


def every_table(rows, columns):
    """All tables with these margins and their probabilities under independence."""
    labels = np.repeat(np.arange(len(columns)), columns)
    starts = np.cumsum([0, *rows])
    orders = set(itertools.permutations(labels))
    for order in orders:
        counts = [
            np.bincount(order[a:b], minlength=len(columns))
            for a, b in itertools.pairwise(starts)
        ]
        yield np.array(counts), 1 / len(orders)


@pytest.mark.parametrize(
    "rows, columns",
    [((3, 3), (2, 4)), ((2, 2, 2), (3, 3)), ((1, 2, 4), (3, 2, 2)), ((1, 6), (3, 4))],
)
def test_calibrated_mean_is_exact_and_the_spread_near_it_over_all_tables(rows, columns):
    listed, weights = zip(*every_table(rows, columns), strict=True)
    g = likelihood_ratio(np.array(listed))
    mean = np.average(g, weights=weights)
    null = null_moments(listed[0])
    assert null.mean == pytest.approx(mean, rel=1e-12)
    deviation = np.sqrt(np.average((g - mean) ** 2, weights=weights))
    # N is 6 or 7 here, far below where the closed form claims 10 %.
    assert null.deviation == pytest.approx(deviation, rel=0.25)


@given(st.integers(2, 8), st.integers(2, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_calibrated_is_chi_squared_for_large_samples(rows, columns, seed):
    rng = np.random.default_rng(seed)
    p = np.outer(rng.uniform(1, 3, rows), rng.uniform(1, 3, columns))
    null = null_moments(np.round(1e7 * p / p.sum()))
    dof = (rows - 1) * (columns - 1)
    assert null.mean == pytest.approx(dof, rel=1e-4)
    assert null.variance == pytest.approx(2 * dof, rel=1e-3)


@pytest.mark.parametrize(
    "counts",
    [
        np.eye(50, dtype=int),
        np.random.default_rng(0).multinomial(1, [0.2] * 5, size=60),
        [[7]],
        [[3, 4, 5]],
        [[1]],
        [[0, 0], [0, 9]],
        [[1, 0], [4, 5]],  # a single observation in row 1, equal column totals
    ],
    ids=["diagonal", "identifier", "one cell", "one row", "N=1", "padded", "swap"],
)
def test_where_the_margins_leave_no_freedom_the_variance_is_exactly_zero(counts):
    null = null_moments(counts)
    assert null.variance == 0
    assert null.mean == pytest.approx(likelihood_ratio(counts), rel=1e-10, abs=1e-12)
    assert standardized_information(counts, null="calibrated") == 0
    assert null.log_survival(likelihood_ratio(counts)) == 0


@given(tables())
def test_calibrated_moments_are_symmetric_and_ignore_empty_states(counts):
    null = null_moments(counts)
    for same in (counts.T, counts[::-1, ::-1], np.pad(counts, ((1, 0), (0, 2)))):
        assert null_moments(same).mean == pytest.approx(null.mean, rel=1e-12)
        assert null_moments(same).variance == pytest.approx(null.variance, rel=1e-9)


def test_a_batch_of_nulls_is_what_each_table_gives():
    rng = np.random.default_rng(1)
    batch = rng.multinomial(60, np.ones(20) / 20, size=(2, 3)).reshape(2, 3, 4, 5)
    null = null_moments(batch)
    assert null.mean.shape == (2, 3)
    for index in np.ndindex(2, 3):
        alone = null_moments(batch[index])
        assert null.mean[index] == pytest.approx(alone.mean, rel=1e-12)
        assert null.variance[index] == pytest.approx(alone.variance, rel=1e-10)


def test_nominal_and_effective_count_degrees_of_freedom():
    counts = [[5, 0, 2, 0], [1, 3, 0, 0]]
    nominal, effective = (
        null_moments(counts, kind=k) for k in ("nominal", "effective")
    )
    assert (nominal.mean, nominal.variance) == (2, 4)
    # K_AB - K_A - K_B + 1 = 4 - 2 - 3 + 1 = 0, floored at 1.
    assert (effective.mean, effective.variance) == (1, 2)


def test_effective_freedom_of_a_diagonal_table_is_floored():
    assert Table(np.eye(3)).effective_dof == -2
    assert null_moments(np.eye(3), kind="effective").mean == 1
    assert null_moments([[4, 5]], kind="effective").mean == 0


def test_permutation_moments_and_tail_agree_with_exact_enumeration():
    rows, columns = (2, 2, 3), (3, 4)
    listed, weights = zip(*every_table(rows, columns), strict=True)
    g = likelihood_ratio(np.array(listed))
    observed = np.quantile(g, 0.7)
    tail = np.sum(np.array(weights)[g >= observed - 1e-9])
    null = null_moments(listed[0], kind="permutation", draws=20_000, rng=0)
    error = np.sqrt(null.variance / 20_000)
    assert null.mean == pytest.approx(np.average(g, weights=weights), abs=4 * error)
    spread = np.sqrt(tail * (1 - tail) / 20_000)
    assert np.exp(null.log_survival(observed)) == pytest.approx(tail, abs=4 * spread)


def test_permutation_draws_follow_the_seed():
    counts = [[5, 3, 2], [2, 6, 1]]
    first = null_moments(counts, kind="permutation", draws=50, rng=7)
    again = null_moments(counts, kind="permutation", draws=50, rng=7)
    np.testing.assert_array_equal(first.draws, again.draws)
    assert first.draws.shape == (50,)
    with pytest.raises(ValueError, match="draws must be at least 2; got 1"):
        null_moments(counts, kind="permutation", draws=1)
    with pytest.raises(ValueError, match="draws must be a whole number; got 9.5"):
        null_moments(counts, kind="permutation", draws=9.5)


def test_more_observations_than_the_sampler_can_permute_are_refused():
    with pytest.raises(ValueError, match=r'at most 2,147,483,647 .*use "calibrated"'):
        null_moments([[10**10, 10**10], [10**10, 5]], kind="permutation", draws=2)


def test_strata_add_up_their_null_moments():
    counts = np.random.default_rng(2).integers(0, 9, (3, 4, 5))
    for kind in ("nominal", "calibrated", "effective"):
        null = null_moments(conditional_table(counts), kind=kind)
        each = null_moments(np.moveaxis(counts, -1, 0), kind=kind)
        assert null.mean == pytest.approx(each.mean.sum(), rel=1e-12)
        assert null.variance == pytest.approx(each.variance.sum(), rel=1e-12)


def test_the_conditional_null_holds_for_data_independent_given_the_stratum():
    rng = np.random.default_rng(3)
    draws = 1500
    a = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    strata = [
        np.stack(
            [rng.multinomial(40, np.outer(p, p[::-1]).ravel()) for _ in range(draws)]
        )
        for p in a
    ]
    counts = np.stack([s.reshape(draws, 3, 3) for s in strata], axis=-1)
    table = conditional_table(counts)
    null = null_moments(table)
    score = null.z_score(likelihood_ratio(table))
    assert score.mean() == pytest.approx(0, abs=4 / np.sqrt(draws))
    assert score.std() == pytest.approx(1, abs=0.08)


def test_multi_information_freedom_is_all_cells_less_the_single_variables():
    counts = np.random.default_rng(4).integers(1, 9, (2, 3, 4))
    null = multi_null(counts)
    assert (null.mean, null.variance) == (23 - 1 - 2 - 3, 2 * 17)
    occupied = multi_null(counts, kind="effective")
    assert occupied.mean == 17


def test_calibrated_multi_null_holds_for_independent_variables():
    rng = np.random.default_rng(5)
    calibrated, nominal = [], []
    for _ in range(400):
        counts = np.zeros((6, 6, 6))
        np.add.at(counts, tuple(rng.integers(0, 6, (3, 50))), 1)
        g = 2 * 50 * multi_information(counts)
        calibrated.append(multi_null(counts, kind="calibrated").z_score(g))
        nominal.append(multi_null(counts).z_score(g))
    assert np.mean(calibrated) == pytest.approx(0, abs=0.2)
    assert np.std(calibrated) == pytest.approx(1, abs=0.15)
    assert np.mean(nominal) < -1.5


def test_a_null_is_a_gamma_distribution_with_its_moments():
    null = Null(7.0, 11.0)
    g = np.linspace(0.01, 80, 20_001)
    density = null.density(g)
    step = g[1] - g[0]
    assert density.sum() * step == pytest.approx(1, abs=1e-4)
    assert (g * density).sum() * step == pytest.approx(7, rel=1e-4)
    assert ((g - 7) ** 2 * density).sum() * step == pytest.approx(11, rel=1e-3)
    for share in (0.01, 0.5, 0.99):
        assert np.exp(null.log_survival(null.quantile(share))) == pytest.approx(
            1 - share
        )


@pytest.mark.parametrize("dof", [1, 4, 30])
def test_with_the_nominal_moments_it_is_chi_squared(dof):
    null, chi2 = Null(dof, 2.0 * dof), stats.chi2(dof)
    g = np.array([0.1, 1.0, 5.0, 40.0])
    np.testing.assert_allclose(null.density(g), chi2.pdf(g), rtol=1e-12)
    np.testing.assert_allclose(np.exp(null.log_survival(g)), chi2.sf(g), rtol=1e-12)
    np.testing.assert_allclose(null.quantile(0.95), chi2.ppf(0.95), rtol=1e-12)


def test_a_null_without_freedom_says_nothing():
    null = Null(5.0, 0.0)
    assert null.standardize(5.0) == null.z_score(5.0) == null.log_survival(5.0) == 0
    assert null.quantile(0.9) == 5
    assert np.isnan(null.density(5.0))


def test_bad_nulls_are_refused():
    with pytest.raises(ValueError, match="variance must be finite and not negative"):
        Null(1.0, -1.0)
    with pytest.raises(ValueError, match="mean must be finite"):
        Null(np.nan, 1.0)
    with pytest.raises(ValueError, match=r"one shape; got \(2,\) and \(3,\)"):
        Null([1.0, 2.0], [1.0, 2.0, 3.0])
    for kind in ("exact", ["nominal"]):
        with pytest.raises(ValueError, match=r"kind must be one of .* got "):
            null_moments([[1, 2], [3, 4]], kind=kind)
    with pytest.raises(
        ValueError, match="null must be one of .* or a Null; got 'exact'"
    ):
        standardized_information([[1, 2], [3, 4]], null="exact")
    with pytest.raises(ValueError, match='centre must be "mean" or "fisher"'):
        standardized_information([[1, 2], [3, 4]], centre="median")


def test_a_null_belongs_to_one_table_or_to_each_of_the_batch():
    batch = np.ones((3, 2, 2))
    for null in (Null(1.0, 2.0), Null([1.0] * 3, [2.0] * 3)):
        assert standardized_information(batch, null=null).shape == (3,)
    for counts in (batch, batch[0]):
        with pytest.raises(ValueError, match=r"one per table .* got the shape \(2,\)"):
            standardized_information(counts, null=Null([1.0, 2.0], [2.0, 4.0]))


def test_the_draws_of_a_null_may_be_a_list_in_any_order():
    null = Null(1.0, 2.0, [3.0, 0.5, 2.0])
    assert np.exp(null.log_survival(2.0)) == pytest.approx(3 / 4)
