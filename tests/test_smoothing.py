"""Smoothed probabilities and the equivalent sample size (Sec. 6, Eq. 9 and 10)."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import brentq
from scipy.special import gammaln

from siviz import Table, mutual_information
from siviz.smoothing import (
    EquivalentSampleSize,
    cross_validation,
    empirical_bayes,
    equivalent_sample_size,
    smoothed_probabilities,
)

COUNTS = np.array([[30.0, 10.0, 4.0], [10.0, 30.0, 9.0]])
CUBE = np.array([[[9, 4], [3, 8]], [[2, 7], [6, 1]]])


def tables(least: int = 0, most: int = 40) -> st.SearchStrategy[np.ndarray]:
    shapes = array_shapes(min_dims=2, max_dims=3, min_side=2, max_side=4)
    cells = st.integers(least, most)
    return shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=cells)).filter(
        lambda counts: counts.sum() > 0
    )


def priors(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    weights = np.random.default_rng(seed).dirichlet(np.ones(int(np.prod(shape))))
    return weights.reshape(shape)


# Smoothed probabilities


@given(tables(), st.floats(0, 1e6))
def test_smoothed_probabilities_add_up_to_one(counts: np.ndarray, size: float) -> None:
    smoothed = smoothed_probabilities(counts, equivalent_sample_size=size)
    assert smoothed.sum() == pytest.approx(1, abs=1e-12)
    assert (smoothed >= 0).all()


@given(tables())
def test_no_virtual_observations_leave_the_frequencies(counts: np.ndarray) -> None:
    smoothed = smoothed_probabilities(counts, equivalent_sample_size=0)
    np.testing.assert_array_equal(smoothed, counts / counts.sum())


@given(tables())
def test_unbounded_smoothing_tends_to_the_prior(counts: np.ndarray) -> None:
    prior = priors(counts.shape)
    smoothed = smoothed_probabilities(counts, equivalent_sample_size=1e15, prior=prior)
    np.testing.assert_allclose(smoothed, prior, atol=1e-12)


def test_the_conditional_rows_of_a_smoothed_table_add_up_to_one() -> None:
    smoothed = smoothed_probabilities(COUNTS, equivalent_sample_size=7)
    rows = smoothed / smoothed.sum(axis=1, keepdims=True)
    virtual = 7 / COUNTS.size
    expected = (COUNTS + virtual) / (COUNTS + virtual).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(rows, expected, rtol=1e-14)


def test_states_that_never_occur_get_nothing_from_the_uniform_prior() -> None:
    smoothed = smoothed_probabilities([[3, 0, 1], [0, 0, 4]], equivalent_sample_size=4)
    np.testing.assert_allclose(smoothed, [[4 / 12, 0, 2 / 12], [1 / 12, 0, 5 / 12]])


def test_a_prior_with_zeros_keeps_empty_cells_at_zero() -> None:
    prior = [[0.5, 0.0], [0.0, 0.5]]
    smoothed = smoothed_probabilities(
        [[3, 0], [0, 1]], equivalent_sample_size=4, prior=prior
    )
    np.testing.assert_allclose(smoothed, [[5 / 8, 0], [0, 3 / 8]])


# Eq. 9 and 10


def brute_force_left(counts: np.ndarray, prior: np.ndarray, size: float) -> float:
    """Left side of Eq. 9 with loops and footnote 3, from the definition."""
    total, result = counts.sum(), 0.0
    for index in np.ndindex(counts.shape):
        product = 1.0
        for axis, state in enumerate(index):
            product *= counts.take(state, axis=axis).sum() / total
        smoothed = (counts[index] + size * prior[index]) / (total + size)
        if smoothed > 0:
            result += smoothed * np.log(max(counts[index], 1) / total / product)
    return result


@pytest.mark.parametrize("counts", [COUNTS, CUBE, np.array([[20, 0, 3], [1, 15, 0]])])
@pytest.mark.parametrize("size", [0.0, 3.7, 250.0])
def test_the_left_side_is_the_mean_log_ratio_under_smoothed_probabilities(
    counts: np.ndarray, size: float
) -> None:
    uniform = np.full(counts.shape, 1 / counts.size)
    left = equivalent_sample_size(counts).left(size)
    assert left == pytest.approx(brute_force_left(counts, uniform, size), rel=1e-12)
    prior = priors(counts.shape)
    left = equivalent_sample_size(counts, prior=prior).left(size)
    assert left == pytest.approx(brute_force_left(counts, prior, size), rel=1e-12)


@given(tables(least=1))
@settings(max_examples=60)
def test_the_closed_form_is_the_root_of_eq_9(counts: np.ndarray) -> None:
    constraint = equivalent_sample_size(counts)
    assume(constraint.has_solution and constraint.exact < 1e5)
    root = brentq(
        lambda size: constraint.left(size) - constraint.right, 0, 1e7, xtol=1e-10
    )
    assert constraint.exact == pytest.approx(root, rel=1e-6)


@given(tables())
def test_the_left_side_falls_as_more_is_smoothed_wherever_eq_9_has_a_solution(
    counts: np.ndarray,
) -> None:
    constraint = equivalent_sample_size(counts)
    assume(constraint.has_solution)
    left = constraint.left(np.geomspace(1e-3, 1e6, 50))
    assert (np.diff(left) < 0).all()
    assert constraint.left(0) == constraint.information


def test_the_uniform_prior_can_see_a_positive_log_ratio_on_average() -> None:
    """Sec. 6 says it cannot, as a consequence of maximum likelihood; it can."""
    counts = [[6, 1], [1, 1]]
    logs = np.log([6 * 9 / 49, 9 / 14, 9 / 14, 9 / 4])
    assert logs.mean() > 0
    assert equivalent_sample_size(counts).prior_mean == pytest.approx(logs.mean())


def test_the_left_side_can_rise_under_the_uniform_prior_and_the_answer_says_so() -> (
    None
):
    """Sec. 6 says that it falls for a uniform prior; a rare coincidence suffices."""
    constraint = equivalent_sample_size([[1000, 1], [1, 1]])
    assert (np.diff(constraint.left(np.geomspace(1e-3, 1e6, 50))) > 0).all()
    assert not constraint.has_solution
    assert np.isnan(constraint.approximate)
    assert "rises" in constraint.reason
    assert "mpty" not in constraint.reason


def test_empty_cells_are_named_where_they_keep_eq_9_from_a_solution() -> None:
    """With 1 in place of 0, L is log(4/3) in each of both empty cells."""
    constraint = equivalent_sample_size([[3, 0], [0, 1]])
    empty = np.log(1 / 4 / (3 / 4 * 1 / 4))
    seen = np.log([1 / (3 / 4), 1 / (1 / 4)])
    assert constraint.prior_mean == pytest.approx((seen.sum() + 2 * empty) / 4)
    assert f"{constraint.prior_mean:.4g}, its mean under the prior" in constraint.reason
    assert "Empty cells, 2 here, raise it" in constraint.reason


@given(tables(least=1))
def test_the_approximation_is_below_the_exact_solution(counts: np.ndarray) -> None:
    constraint = equivalent_sample_size(counts)
    assume(constraint.has_solution)
    assert 0 < constraint.approximate < constraint.exact


def test_the_approximation_is_free_of_the_sample_size_and_eq_9_tends_to_it() -> None:
    first = equivalent_sample_size(COUNTS)
    larger = equivalent_sample_size(COUNTS * 10_000)
    assert larger.approximate == pytest.approx(first.approximate, rel=1e-9)
    assert larger.exact == pytest.approx(larger.approximate, rel=1e-4)


def test_the_information_is_the_mutual_information_and_d_that_of_the_table() -> None:
    constraint = equivalent_sample_size(COUNTS)
    assert constraint.information == pytest.approx(
        mutual_information(COUNTS), rel=1e-13
    )
    assert constraint.dof == Table(COUNTS).dof
    sparse = [[20, 0, 3], [1, 15, 0]]
    effective = equivalent_sample_size(sparse, dof="effective")
    assert effective.dof == max(Table(sparse).effective_dof, 1)


def test_degrees_of_freedom_of_a_cube_are_its_cells_less_its_margins() -> None:
    assert equivalent_sample_size(CUBE).dof == 8 - 1 - 3
    sparse = CUBE.copy()
    sparse[0, 0, 1] = sparse[1, 0, 0] = 0
    assert equivalent_sample_size(sparse, dof="effective").dof == 6 - 1 - 3


def test_empty_cells_count_as_one_observation_and_are_reported() -> None:
    constraint = equivalent_sample_size([[20, 0, 3], [1, 15, 0]])
    assert constraint.empty_cells == 2
    assert equivalent_sample_size(COUNTS).empty_cells == 0


def test_states_that_never_occur_change_nothing() -> None:
    padded = np.zeros((3, 4))
    padded[:2, [0, 1, 3]] = COUNTS
    wide, narrow = equivalent_sample_size(padded), equivalent_sample_size(COUNTS)
    assert wide.exact == pytest.approx(narrow.exact, rel=1e-12)
    assert (wide.dof, wide.empty_cells) == (narrow.dof, narrow.empty_cells)


def test_the_order_of_variables_and_states_does_not_matter() -> None:
    base = equivalent_sample_size(CUBE)
    turned = equivalent_sample_size(CUBE.transpose(2, 0, 1)[::-1])
    assert turned.exact == pytest.approx(base.exact, rel=1e-12)
    assert turned.approximate == pytest.approx(base.approximate, rel=1e-12)


def test_small_samples_often_have_no_solution_and_say_why() -> None:
    z = 0.04
    blocks = np.full((4, 4), 0.025)
    for corner in (0, 2):
        blocks[corner : corner + 2, corner : corner + 2] = [
            [0.1 + z, 0.1 - z],
            [0.1 - z, 0.1 + z],
        ]
    rng = np.random.default_rng(25)
    draws = rng.multinomial(25, blocks.ravel(), size=200).reshape(-1, 4, 4)
    constraints = [equivalent_sample_size(draw) for draw in draws]
    without = [c for c in constraints if not c.has_solution]
    assert 0 < len(without) < 200
    assert all(np.isnan(c.exact) and "no solution" in c.reason for c in without)
    assert all(c.reason == "" for c in constraints if c.has_solution)


def test_without_a_solution_no_size_reaches_the_right_side() -> None:
    constraint = equivalent_sample_size([[6, 5], [4, 6]])
    assert not constraint.has_solution
    assert (constraint.left(np.geomspace(1e-3, 1e9, 60)) > constraint.right).all()


@pytest.mark.parametrize("counts", [[[10, 20], [20, 40]], [[5, 5], [5, 5]]])
def test_an_exactly_independent_table_has_no_solution(counts: list[list[int]]) -> None:
    constraint = equivalent_sample_size(counts)
    assert constraint.information == 0
    assert np.isnan(constraint.exact)
    assert np.isnan(constraint.approximate)


@pytest.mark.parametrize("counts", [[[5, 9]], [[5], [9]], [[7]], [[0, 0], [3, 4]]])
def test_a_variable_with_one_state_leaves_nothing_to_regularize(
    counts: list[list[int]],
) -> None:
    constraint = equivalent_sample_size(counts)
    assert constraint.dof == 0
    assert not constraint.has_solution
    assert "no degrees of freedom" in constraint.reason
    assert np.isnan(constraint.approximate)


def test_the_frequencies_as_prior_never_smooth_enough() -> None:
    constraint = equivalent_sample_size(COUNTS, prior=COUNTS / COUNTS.sum())
    assert constraint.left(1e6) == pytest.approx(constraint.information)
    assert not constraint.has_solution


# Empirical Bayes and cross-validation


def log_evidence(counts: np.ndarray, prior: np.ndarray, size: float) -> float:
    """Probability of the observations one after the other: Pólya's urn."""
    seen, result = np.zeros(counts.size), 0.0
    flat = prior.ravel()
    for cell in np.repeat(np.arange(counts.size), counts.ravel()):
        result += np.log((seen[cell] + size * flat[cell]) / (seen.sum() + size))
        seen[cell] += 1
    return result


def leave_one_out(counts: np.ndarray, prior: np.ndarray, size: float) -> float:
    result = 0.0
    for cell in np.ndindex(counts.shape):
        for _ in range(counts[cell]):
            rest = counts.copy()
            rest[cell] -= 1
            predicted = (rest + size * prior) / (rest.sum() + size)
            result += np.log(predicted[cell])
    return result


@pytest.mark.parametrize("prior", [np.full((2, 2, 2), 1 / 8), priors((2, 2, 2))])
def test_empirical_bayes_scores_the_urn_that_made_the_observations(
    prior: np.ndarray,
) -> None:
    curve = empirical_bayes(CUBE, prior=prior, sizes=[0.5, 5.0, 50.0])
    brute = [log_evidence(CUBE, prior, size) for size in curve.sizes]
    np.testing.assert_allclose(curve.scores, brute, rtol=1e-12)


@pytest.mark.parametrize("prior", [np.full((2, 2, 2), 1 / 8), priors((2, 2, 2))])
def test_leave_one_out_is_what_leaving_one_out_gives(prior: np.ndarray) -> None:
    curve = cross_validation(CUBE, prior=prior, sizes=[0.5, 5.0, 50.0])
    brute = [leave_one_out(CUBE, prior, size) for size in curve.sizes]
    np.testing.assert_allclose(curve.scores, brute, rtol=1e-12)


@pytest.mark.parametrize("method", [empirical_bayes, cross_validation])
def test_the_best_size_is_a_stationary_point_not_a_grid_point(method) -> None:
    curve = method(COUNTS)
    around = method(COUNTS, sizes=curve.best * np.array([0.99, 1.0, 1.01]))
    assert around.scores[1] > max(around.scores[0], around.scores[2])
    assert around.scores[1] >= curve.scores.max()
    coarse = method(COUNTS, sizes=np.geomspace(0.1, 1e5, 12))
    assert coarse.best == pytest.approx(curve.best, rel=1e-4)


def test_empirical_bayes_agrees_with_the_derivative_of_the_evidence() -> None:
    best = empirical_bayes(COUNTS).best
    flat, step = COUNTS.ravel(), 1e-4

    def evidence(size: float) -> float:
        alpha = size / flat.size
        cells = gammaln(alpha + flat) - gammaln(alpha)
        return float(cells.sum() + gammaln(size) - gammaln(size + flat.sum()))

    slope = (evidence(best + step) - evidence(best - step)) / (2 * step)
    assert abs(slope) < 1e-5


def test_a_table_more_even_than_chance_has_no_best_size_and_says_so() -> None:
    curve = empirical_bayes(np.full((2, 2), 25))
    assert np.isnan(curve.best)
    assert "still rises at the largest" in curve.reason


@pytest.mark.parametrize("method", [empirical_bayes, cross_validation])
@pytest.mark.parametrize("counts", [[[1, 0], [0, 0]], [[7]]])
def test_a_single_cell_is_predicted_alike_by_every_size_and_it_says_so(
    method, counts
) -> None:
    curve = method(counts)
    assert np.isnan(curve.best)
    assert "the same for every N'" in curve.reason


def test_the_left_side_is_not_defined_for_a_negative_size() -> None:
    with pytest.raises(ValueError, match=r"at least 0; got -5\.0"):
        equivalent_sample_size(COUNTS).left(-5)


def test_observations_all_in_one_cell_ask_for_no_smoothing_and_it_says_so() -> None:
    curve = empirical_bayes([[9, 0], [0, 0]], prior=np.full((2, 2), 0.25))
    assert np.isnan(curve.best)
    assert "still falls at the smallest" in curve.reason


def test_cells_that_the_prior_excludes_do_not_count_if_they_are_empty() -> None:
    counts, prior = [[90, 0], [4, 7]], [[0.4, 0.0], [0.3, 0.3]]
    flat = empirical_bayes([90, 4, 7], prior=[0.4, 0.3, 0.3])
    assert empirical_bayes(counts, prior=prior).best == pytest.approx(flat.best)


# Bad input


@pytest.mark.parametrize("size", [-1, np.nan, np.inf])
def test_an_impossible_size_is_refused(size: float) -> None:
    with pytest.raises(ValueError, match="equivalent_sample_size must be finite"):
        smoothed_probabilities(COUNTS, equivalent_sample_size=size)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([[0.5, 0.5]], r"shape of the counts, \(2, 3\); got \(1, 2\)"),
        (
            [["a"] * 3] * 2,
            r"prior must be numbers in the shape of the counts, \(2, 3\)",
        ),
        ([[1], [0, 0]], r"prior must be numbers in the shape of the counts, \(2, 3\)"),
        (np.full((2, 3), 0.2), "add up to 1; got 1.2: divide it by its sum"),
        ([[1.5, -0.5, 0], [0, 0, 0]], r"not negative; got -0.5 at index \(0, 1\)"),
        ([[np.nan, 0.5, 0], [0.5, 0, 0]], r"finite .* got nan at index \(0, 0\)"),
    ],
)
@pytest.mark.parametrize("function", [equivalent_sample_size, empirical_bayes])
def test_a_prior_that_is_no_distribution_is_refused(function, prior, message) -> None:
    with pytest.raises(ValueError, match=message):
        function(COUNTS, prior=prior)


def test_a_prior_on_a_state_that_never_occurs_is_refused_by_eq_9() -> None:
    with pytest.raises(ValueError, match=r"never occur.* 0\.25 at index \(0, 1\)"):
        equivalent_sample_size([[3, 0], [4, 0]], prior=np.full((2, 2), 0.25))


def test_a_prior_that_excludes_what_was_observed_is_refused() -> None:
    with pytest.raises(ValueError, match=r"positive .* index \(1, 0\), where 4 were"):
        empirical_bayes([[9, 1], [4, 7]], prior=[[0.5, 0.25], [0.0, 0.25]])


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, 2, 3], "must have the shape"),
        ([[1, 2], [3]], "different lengths"),
        ([[1, -2], [3, 4]], "must not be negative"),
        ([[0.5, 2], [3, 4]], "whole numbers"),
        ([[0, 0], [0, 0]], "at least one observation"),
    ],
)
def test_counts_that_are_none_are_refused(counts, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        equivalent_sample_size(counts)


def test_an_unknown_kind_of_degrees_of_freedom_is_refused() -> None:
    with pytest.raises(ValueError, match=r"dof must be one of .* got 'free'"):
        equivalent_sample_size(COUNTS, dof="free")  # type: ignore[arg-type]


@pytest.mark.parametrize("sizes", [[1, 2], [3, 2, 1], [0, 1, 2], [1, 2, np.inf], 5])
def test_a_grid_that_does_not_increase_from_above_zero_is_refused(sizes) -> None:
    with pytest.raises(ValueError, match="sizes must be at least 3 increasing"):
        cross_validation(COUNTS, sizes=sizes)


def test_the_constraint_is_a_plain_value() -> None:
    constraint = EquivalentSampleSize(100.0, 0.3, -0.2, 4.0, 0)
    assert constraint.exact == pytest.approx(4 / (0.5 - 0.04))
    assert constraint.approximate == pytest.approx(8)
    assert constraint.right == pytest.approx(0.26)
