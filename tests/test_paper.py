"""What the paper claims, as assertions on the reconstruction of its experiments.

Harald Steck, "Ranking by Dependence - A Fair Criteria" (UAI 2006).  Fractions come from
resampling with fixed seeds; "clearly" means by four Monte-Carlo standard errors.
"""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from siviz import (
    Null,
    bias_corrected_information,
    cdf_p_value,
    information_z_score,
    likelihood_ratio,
    log_p_value,
    mutual_information,
    normalized_information,
    null_moments,
    significance_threshold,
    standardized_information,
    transition_measure,
)
from siviz.datasets import (
    alarm_network,
    alarm_sample,
    load_dataset,
    sewell_shah_network,
)
from siviz.discrete_data import DiscreteData
from siviz.experiments import (
    FIGURE_2_Z,
    FIGURE_3_SIZES,
    discretization_study,
    fairness_study,
    selection_study,
)
from siviz.networks import (
    bdeu_family_score,
    bdeu_score,
    edge_strengths,
    network_cross_validation,
    network_empirical_bayes,
    network_sample_size,
)
from siviz.scenarios import flipping_pairs, informative_distribution
from siviz.smoothing import EquivalentSampleSize, equivalent_sample_size
from siviz.structure_search import exhaustive_search

PAPER = ["mi_bc", "si", "nmi", "log10_p"]
P_VALUES = ["p_value_2006", "p_value"]
DOFS = np.array([1.0, 2, 4, 9, 25, 100])
ROOT2 = np.sqrt(2)


class Fractions:
    """Fractions of a study by measure, sample size and z, with their errors."""

    def __init__(self, study):
        self.rows = study.set_index(["measure", "sample_size", "z"]).sort_index()

    def __call__(self, measure, size, z):
        return self.rows.loc[(measure, size, z), "fraction"]

    def ties(self, measure, size, z):
        return self.rows.loc[(measure, size, z), "ties"]

    def range(self, measure, size, z):
        """The fraction less and plus four standard errors."""
        row = self.rows.loc[(measure, size, z)]
        error = 4 * row["standard_error"]
        return row["fraction"] - error, row["fraction"] + error

    def clearly(self, lower, upper, size, z):
        """Whether one measure's fraction is clearly below another's."""
        below, above = (self.rows.loc[(key, size, z)] for key in (lower, upper))
        error = 4 * np.hypot(below["standard_error"], above["standard_error"])
        return above["fraction"] - below["fraction"] > error

    def switch(self, measure, size):
        """The z at which the fraction falls through one half, and its error."""
        curve = self.rows.loc[(measure, size)]
        z, fraction = curve.index.to_numpy(), curve["fraction"].to_numpy()
        k = np.flatnonzero((fraction[:-1] >= 0.5) & (fraction[1:] < 0.5))[-1]
        slope = (fraction[k + 1] - fraction[k]) / (z[k + 1] - z[k])
        error = 4 * curve["standard_error"].iloc[k] / abs(slope)
        return z[k] + (0.5 - fraction[k]) / slope, error


@pytest.fixture(scope="module")
def figure_2():
    measures = [*PAPER, *P_VALUES]
    return Fractions(
        discretization_study(
            [25, 100, 200, 500], resamples=2000, measures=measures, rng=2006
        )
    )


@pytest.fixture(scope="module")
def figure_3():
    measures = [*PAPER, *P_VALUES, "mi", "conditional_entropy", "z_score"]
    sizes = [16, *FIGURE_3_SIZES]
    return Fractions(
        selection_study(sizes, resamples=1000, measures=measures, rng=2006)
    )


# Sec. 3.1, Figure 1


def test_figure_1_the_order_of_two_pairs_flips_when_measured_in_null_spreads():
    """Sec. 3.1, Figure 1: all inequalities of the example at once."""
    ab, xy = flipping_pairs().values()
    assert null_moments(ab, kind="nominal").mean < null_moments(xy, kind="nominal").mean
    assert mutual_information(ab) < mutual_information(xy)
    corrected = [bias_corrected_information(pair) for pair in (ab, xy)]
    spread = [np.sqrt(d / 2) / 160 for d in (1, 9)]  # Eq. 3
    assert corrected[0] < corrected[1]
    assert corrected[0] > spread[0]
    assert corrected[1] < spread[1]
    assert information_z_score(ab) > information_z_score(xy)


def test_figure_1_standardized_information_and_p_value_side_with_the_null_spread():
    """Sec. 3.1 and 5.3: both see the spread, so both rank (A, B) first."""
    ab, xy = flipping_pairs().values()
    assert standardized_information(ab) > standardized_information(xy)
    assert log_p_value(ab) < log_p_value(xy)


# Sec. 3 and 4: the two conditions


def slope_at_the_null_mean(measure, dof):
    """Derivative with respect to G at G = d, by central difference."""
    step = 1e-4 * dof
    return (measure(dof + step, dof) - measure(dof - step, dof)) / (2 * step)


def si_of(g, dof):
    return Null(dof, 2 * dof).standardize(g)


def z_score_of(g, dof):
    return Null(dof, 2 * dof).z_score(g)


def test_condition_1_holds_for_standardized_information():
    """Sec. 3.1: at the null mean SI is 0 and rises as the z-score, up to sqrt(2)."""
    np.testing.assert_allclose(si_of(DOFS, DOFS), 0, atol=1e-14)
    ratio = slope_at_the_null_mean(z_score_of, DOFS) / slope_at_the_null_mean(
        si_of, DOFS
    )
    np.testing.assert_allclose(ratio, ROOT2, rtol=1e-7)


def test_condition_1_fails_for_bias_corrected_information():
    """Sec. 3.1: its slope is the same for every d, not inverse to the null spread."""

    def corrected(g, dof, size=1000):
        return (g - dof) / (2 * size)

    ratio = slope_at_the_null_mean(z_score_of, DOFS) / slope_at_the_null_mean(
        corrected, DOFS
    )
    np.testing.assert_allclose(ratio / ratio[0], DOFS**-0.5, rtol=1e-7)


def tables_with(information, size, states=(2, 4, 8)):
    """One k x k table per number of states, of nearly the same information."""
    return [
        np.rint(
            informative_distribution(k, k, information=information).probabilities * size
        )
        for k in states
    ]


def test_condition_1_fails_for_normalized_information():
    """Sec. 5.6: not centred, so at its null mean a table with more states has more."""
    size = 10**8
    at_mean = [
        tables_with((k - 1) ** 2 / (2 * size), size, states=[k])[0] for k in (2, 4, 8)
    ]
    z_scores = [information_z_score(table) for table in at_mean]
    np.testing.assert_allclose(z_scores, 0, atol=0.1)
    values = [normalized_information(table) for table in at_mean]
    assert values[0] < values[1] / 3 < values[2] / 9


@pytest.mark.parametrize("size", [10**6, 10**9, 10**12])
def test_condition_2_holds_for_standardized_information(size):
    """Sec. 3.2: SI / sqrt(2 N) tends to the root of the information, whatever d is."""
    scaled = np.array(
        [
            standardized_information(table) / np.sqrt(2 * size)
            for table in tables_with(0.3, size)
        ]
    )
    error = np.abs(scaled - np.sqrt(0.3))
    assert np.all(error < 7 / np.sqrt(2 * size) + 1e-5 * 10**6 / size)


def test_condition_2_holds_for_bias_corrected_information():
    """Sec. 3.2: bias correction vanishes with N, so only condition 1 is its failure."""
    values = [bias_corrected_information(table) for table in tables_with(0.3, 10**9)]
    np.testing.assert_allclose(values, 0.3, atol=1e-7)


def test_condition_2_fails_for_the_z_score():
    """Sec. 3.2: its limit contains sqrt(d), so equal information ranks by d."""
    few, medium, many = (
        information_z_score(table) for table in tables_with(0.3, 10**12)
    )
    assert few / medium == pytest.approx(3, rel=1e-5)  # sqrt(9 / 1)
    assert few / many == pytest.approx(7, rel=1e-5)  # sqrt(49 / 1)


def test_condition_2_fails_for_the_z_score_so_strong_pairs_with_few_states_win():
    """Sec. 5.1: with condition 1 alone, small cardinalities are overestimated."""
    weaker = tables_with(0.2, 10**6, states=[2])[0]
    stronger = tables_with(0.3, 10**6, states=[8])[0]
    assert information_z_score(weaker) > information_z_score(stronger)
    assert standardized_information(weaker) < standardized_information(stronger)


def test_condition_2_fails_for_normalized_information():
    """Sec. 5.6: its limit depends on the numbers of states however large N is."""
    values = [normalized_information(table) for table in tables_with(0.3, 10**12)]
    np.testing.assert_allclose(values, 0.3 / np.log([2, 4, 8]), rtol=1e-6)


def test_the_z_score_is_standardized_information_times_a_growing_factor():
    """Sec. 4: R = sqrt(2) SI (1 + SI / (2 sqrt(d))), for tables of any shape."""
    for k in (2, 3, 6):
        truth = informative_distribution(k, k + 1, information=0.1, row_margin="zipf")
        tables = truth.sample_tables(500, 50, rng=k)
        dof = null_moments(tables, kind="nominal").mean
        si = standardized_information(tables)
        expected = ROOT2 * si * (1 + si / (2 * np.sqrt(dof)))
        np.testing.assert_allclose(information_z_score(tables), expected, rtol=1e-11)


@pytest.mark.parametrize("power", [0.25, 0.4, 0.5, 0.6, 0.75, 1.0])
def test_among_power_laws_only_the_square_root_satisfies_condition_1(power):
    """Sec. 4: G^p - d^p has a slope proportional to d^(-1/2) only for p = 1/2."""
    slope = slope_at_the_null_mean(lambda g, dof: g**power - dof**power, DOFS)
    ratio = slope * np.sqrt(DOFS)
    np.testing.assert_allclose(ratio, power * DOFS ** (power - 0.5), rtol=1e-6)
    assert (np.ptp(ratio) < 1e-6) == (power == 0.5)


@pytest.mark.parametrize("rate", [0.0, 0.5, 5.0])
def test_every_transition_rate_satisfies_condition_1(rate):
    """Sec. 4: the family starts at 0 with the slope of the z-score, for every d."""

    def member(g, dof):
        return transition_measure(si_of(g, dof), dof, rate=rate)

    np.testing.assert_allclose(member(DOFS, DOFS), 0, atol=1e-14)
    slope = slope_at_the_null_mean(member, DOFS)
    np.testing.assert_allclose(slope, 1 / np.sqrt(2 * DOFS), rtol=1e-5)


def test_every_positive_transition_rate_satisfies_condition_2_and_rate_0_does_not():
    """Sec. 4: far from independence the family is sqrt(2) SI, free of d."""
    si = 200.0
    for rate in (0.2, 1.0, 5.0):
        far = transition_measure(si, DOFS, rate=rate)
        np.testing.assert_allclose(far, ROOT2 * si, rtol=1e-12)
    z_score = transition_measure(si, DOFS, rate=0.0)
    np.testing.assert_allclose(z_score, z_score_of((si + np.sqrt(DOFS)) ** 2, DOFS))
    assert z_score[0] > 8 * z_score[-1]


@pytest.mark.parametrize("dof", [1.0, 9.0, 100.0])
def test_above_the_null_mean_the_family_is_increasing_unless_the_transition_is_slow(
    dof,
):
    """Sec. 4: for rate * sqrt(d) above about .08."""
    si = np.linspace(0, 100 * np.sqrt(dof), 20_001)

    def rises(scaled_rate):
        values = transition_measure(si, dof, rate=scaled_rate / np.sqrt(dof))
        return bool(np.all(np.diff(values) > 0))

    assert all(rises(rate) for rate in (0.0, 0.08, 0.1, 0.5, 1, 10))
    assert not rises(0.05)


# Sec. 5.1 and 5.4: threshold and Fisher's approximation


def kolmogorov_distance(dof, centre):
    """Largest gap between the exact null distribution of SI and N(0, 1/2)."""
    g = np.linspace(0, np.sqrt(dof) + 4, 4001) ** 2
    si = Null(dof, 2 * dof).standardize(g, centre=centre)
    return np.abs(stats.chi2.cdf(g, dof) - stats.norm.cdf(ROOT2 * si)).max()


@pytest.fixture(scope="module")
def distances():
    dofs = np.arange(1.0, 101)
    return {
        centre: np.array([kolmogorov_distance(dof, centre) for dof in dofs])
        for centre in ("mean", "fisher")
    }


def test_the_null_distribution_of_si_tends_to_a_normal_one_free_of_d(distances):
    """Sec. 5.4: distance about .19 / sqrt(d) to N(0, 1/2) with the plain centre."""
    assert np.all(np.diff(distances["mean"]) < 0)
    scaled = distances["mean"] * np.sqrt(np.arange(1, 101))
    np.testing.assert_allclose(scaled, 0.189, atol=0.002)


def test_fishers_half_improves_the_approximation_for_every_d(distances):
    """Sec. 5.4: with sqrt(d - 1/2) the distance is four times smaller from d = 5 on."""
    ratio = distances["mean"] / distances["fisher"]
    assert np.all(ratio > 1.18)
    assert np.all(ratio[4:] > 3.9)
    assert np.all(np.diff(distances["fisher"]) < 0)
    assert distances["fisher"][8] < 0.016  # d = 9
    assert distances["fisher"][99] < 0.005  # d = 100


def test_fishers_half_puts_the_median_near_0():
    """Sec. 5.4: then noise of any shape is as often above 0 as below."""
    plain, fisher = (stats.chi2.sf(DOFS - half, DOFS) for half in (0, 0.5))
    assert np.all(np.abs(fisher - 0.5) < 0.03)
    assert np.all(np.abs(fisher - 0.5) < np.abs(plain - 0.5))


@pytest.mark.parametrize("level", [0.1, 0.05, 0.01])
def test_the_threshold_is_exceeded_by_chance_with_about_its_level(level):
    """Sec. 5.1: Phi(sqrt(2) c) = 1 - level, better for more degrees of freedom."""
    threshold = significance_threshold(level)
    assert stats.norm.cdf(ROOT2 * threshold) == pytest.approx(1 - level)
    exceeded = stats.chi2.sf((threshold + np.sqrt(DOFS)) ** 2, DOFS)
    assert np.all(np.abs(exceeded / level - 1) < 0.45)
    assert abs(exceeded[-1] / level - 1) < 0.05
    halved = stats.chi2.sf((threshold + np.sqrt(DOFS - 0.5)) ** 2, DOFS)
    assert np.all(np.abs(halved[2:] / level - 1) < 0.5)


# Sec. 5.1 to 5.6: other criteria


def test_minimal_conditional_entropy_and_maximal_information_pick_the_same_feature(
    figure_3,
):
    """Sec. 5.2, Eq. 7: the entropy of the class is the same for all features."""
    for size in FIGURE_3_SIZES:
        for z in (0.10, 0.08):
            pick = figure_3("mi", size, z)
            assert figure_3("conditional_entropy", size, z) == pick


def test_1_minus_cdf_cannot_tell_strong_dependences_apart():
    """Sec. 5.3: values close to 1 are rounded, the logarithm is not."""
    weaker, stronger = (
        tables_with(information, 1000, states=[3])[0] for information in (0.2, 0.4)
    )
    assert cdf_p_value(weaker) == cdf_p_value(stronger) == 0
    assert log_p_value(stronger) < log_p_value(weaker) < -100


def test_additive_penalties_put_noise_with_many_states_last():
    """Sec. 5.1: AIC and BIC penalize more than the bias, so few states win on noise."""
    keys = ["aic", "bic", "mi", "mi_bc"]
    study = fairness_study([6], [5000], measures=keys, resamples=500, rng=51)
    mean = study.groupby("measure")["fraction"].mean()
    assert mean["aic"] > 0.98
    assert mean["bic"] > 0.99
    assert mean["mi"] < 0.01  # no penalty at all: many states always win
    assert 0.3 < mean["mi_bc"] < 0.7


# Sec. 7.1, Figure 2


@pytest.mark.parametrize("size", [25, 100, 500])
@pytest.mark.parametrize("measure", ["si", "log10_p"])
def test_figure_2_two_states_are_favoured_at_z_0_and_four_at_z_point_1(
    figure_2, measure, size
):
    """Sec. 7.1: SI and the p-value show the desired behaviour."""
    assert figure_2.range(measure, size, 0.0)[0] > 0.8
    assert figure_2.range(measure, size, 0.1)[1] < 0.02


@pytest.mark.parametrize("measure", ["si", "log10_p"])
def test_figure_2_the_switch_moves_to_smaller_z_as_the_sample_grows(figure_2, measure):
    """Sec. 7.1: Occam's razor needs less dependence when data are many."""
    switches = [figure_2.switch(measure, size) for size in (25, 100, 200, 500)]
    for (before, error), (after, other) in pairwise(switches):
        assert after + other < before - error


@pytest.mark.parametrize("size", [100, 200, 500])
def test_figure_2_si_switches_at_slightly_higher_z_than_the_p_value(figure_2, size):
    """Sec. 7.1: by .007 to .010; at N = 25 the two switches coincide."""
    si, si_error = figure_2.switch("si", size)
    p, p_error = figure_2.switch("log10_p", size)
    assert p + p_error < si - si_error
    assert si - p < 0.015


def test_figure_2_at_n_25_si_and_the_p_value_switch_together(figure_2):
    """Sec. 7.1 says "tends to": at the smallest sample there is no difference."""
    si, error = figure_2.switch("si", 25)
    p, other = figure_2.switch("log10_p", 25)
    assert abs(si - p) < error + other


@pytest.mark.parametrize("size", [25, 100, 200, 500])
def test_figure_2_bias_corrected_information_is_undecided_at_z_0(figure_2, size):
    """Sec. 7.1: too little regularization, so too many states."""
    low, high = figure_2.range("mi_bc", size, 0.0)
    assert 0.35 < low < high < 0.65
    assert figure_2.clearly("mi_bc", "si", size, 0.0)
    assert figure_2.clearly("mi_bc", "log10_p", size, 0.0)


@pytest.mark.parametrize("z", [0.0, 0.02, 0.04, 0.06, 0.08])
def test_figure_2_at_n_25_normalized_information_lies_between_the_two(figure_2, z):
    """Sec. 7.1: between the bias-corrected information and the p-value."""
    assert figure_2.clearly("mi_bc", "nmi", 25, z)
    assert figure_2.clearly("nmi", "log10_p", 25, z)


def test_figure_2_the_switch_of_normalized_information_stays_at_large_z(figure_2):
    """Sec. 7.1: its regularization does not diminish as the sample grows."""
    (hundred, error), (most, other) = (figure_2.switch("nmi", n) for n in (100, 500))
    assert most - other > hundred + error  # it even moves up
    assert most > 0.06
    assert figure_2("nmi", 500, 0.06) > 0.8
    assert figure_2("si", 500, 0.06) < 0.01


def test_figure_2_1_minus_cdf_fails_from_n_200_on(figure_2):
    """Sec. 7.1: fine at N = 100, failing at 200, and nothing but ties at 500."""
    at = FIGURE_2_Z
    assert max(figure_2.ties("p_value_2006", 100, z) for z in at) < 0.02
    assert min(figure_2.ties("p_value_2006", 200, z) for z in at) > 0.2
    assert figure_2.range("p_value_2006", 200, 0.1)[0] > 0.25  # 4 states not found
    assert min(figure_2.ties("p_value_2006", 500, z) for z in at) == 1
    # Neither the survival function nor the logarithm has the problem here.
    assert figure_2.ties("p_value", 500, 0.1) == 0
    assert figure_2("p_value", 500, 0.0) == figure_2("log10_p", 500, 0.0) > 0.99


FIGURE_2_NUMBERS = {
    (25, 0.0): (0.42, 0.89, 0.53, 0.91),
    (25, 0.04): (0.19, 0.76, 0.38, 0.77),
    (25, 0.08): (0.00, 0.15, 0.06, 0.14),
    (100, 0.0): (0.46, 1.00, 1.00, 0.99),
    (100, 0.04): (0.02, 0.79, 0.91, 0.60),
    (100, 0.06): (0.00, 0.16, 0.48, 0.05),
    (500, 0.0): (0.56, 1.00, 1.00, 1.00),
    (500, 0.02): (0.01, 1.00, 1.00, 0.86),
    (500, 0.04): (0.00, 0.20, 1.00, 0.00),
    (500, 0.06): (0.00, 0.00, 0.84, 0.00),
}
"""An earlier run of 4,000 resamples: bias-corrected, SI, normalized, p-value."""


@pytest.mark.parametrize(("size", "z"), FIGURE_2_NUMBERS)
def test_figure_2_reproduces_an_earlier_independent_run(size, z):
    """Figure 2: equal within the errors of both runs and the rounding to .01."""
    study = discretization_study([size], [z], resamples=4000, measures=PAPER, rng=22)
    earlier = np.array(FIGURE_2_NUMBERS[size, z])
    error = np.sqrt(2) * study["standard_error"]
    assert np.all(np.abs(study["fraction"] - earlier) < 4 * error + 0.005)


# Sec. 7.1, Figure 3


@pytest.mark.parametrize("measure", ["si", "mi_bc", "log10_p"])
def test_figure_3a_four_states_are_found_when_the_sample_is_large(figure_3, measure):
    """Sec. 7.1: the four-state features know more, so they should be picked."""
    for size in (2048, 4096, 8192, 16384):
        assert figure_3.range(measure, size, 0.10)[1] < 0.02


def test_figure_3a_bias_corrected_information_picks_four_states_also_when_small(
    figure_3,
):
    """Sec. 7.1: erroneously, at every sample size."""
    for size in FIGURE_3_SIZES:
        assert figure_3.range("mi_bc", size, 0.10)[1] < 0.25


@pytest.mark.parametrize("measure", ["si", "log10_p"])
def test_figure_3a_si_and_the_p_value_lean_to_two_states_when_small(figure_3, measure):
    """Sec. 7.1: a majority at N = 16; at N = 32, the figure's first point, about half,
    more than twice as often as the bias-corrected information."""
    assert figure_3.range(measure, 16, 0.10)[0] > 0.5
    assert figure_3.range(measure, 32, 0.10)[0] > 0.33
    assert figure_3(measure, 32, 0.10) > 2 * figure_3("mi_bc", 32, 0.10)
    curve = [figure_3(measure, size, 0.10) for size in (16, 32, 128, 512, 2048)]
    assert np.all(np.diff(curve) < 0)


def test_figure_3_1_minus_cdf_gives_the_wrong_answer_from_n_512_on(figure_3):
    """Sec. 7.1, footnote 6: the wrong answer is counted where p rounds to 0."""
    for size in (512, 1024, 2048, 4096, 8192, 16384):
        assert figure_3("p_value_2006", size, 0.10) == 1
        assert figure_3("p_value_2006", size, 0.08) == 0
    assert figure_3("p_value_2006", 64, 0.10) == figure_3("log10_p", 64, 0.10)


def test_figure_3_a_survival_function_only_postpones_the_failure(figure_3):
    """Sec. 5.3: it ends below 1e-308, at N = 8192; the logarithm has no end."""
    for z, right in ((0.10, 0), (0.08, 1)):
        assert figure_3("p_value", 2048, z) == figure_3("log10_p", 2048, z)
        assert figure_3.ties("p_value", 16384, z) == 1
        assert figure_3("log10_p", 16384, z) == right


@pytest.mark.parametrize("z", [0.10, 0.08])
@pytest.mark.parametrize("size", [32, 64])
def test_figure_3_normalized_information_lies_between_the_two_when_small(
    figure_3, size, z
):
    """Sec. 7.1: between the bias-corrected information and the p-value."""
    values = [figure_3(measure, size, z) for measure in ("mi_bc", "nmi", "log10_p")]
    assert values[0] < values[1] < values[2]


def test_figure_3a_normalized_information_errs_the_more_the_larger_the_sample(figure_3):
    """Sec. 7.1: its curve rises although the truth is four states."""
    curve = [figure_3("nmi", size, 0.10) for size in FIGURE_3_SIZES]
    assert np.all(np.diff(curve) > 0)
    assert figure_3.range("nmi", 32, 0.10)[1] < 0.35
    assert figure_3.range("nmi", 16384, 0.10)[0] > 0.95


def test_figure_3b_normalized_information_rises_steeply(figure_3):
    """Sec. 7.1: from below half to certainty within a factor of 16 in N."""
    assert figure_3("nmi", 32, 0.08) < 0.55
    assert figure_3("nmi", 512, 0.08) > 0.98
    for size in (256, 512):
        assert figure_3("nmi", size, 0.08) > figure_3("si", size, 0.08)


@pytest.mark.parametrize("measure", PAPER)
def test_figure_3b_all_measures_agree_on_two_states_when_the_sample_is_large(
    figure_3, measure
):
    """Sec. 7.1: all but the numerically unstable p-value."""
    for size in (2048, 4096, 8192, 16384):
        assert figure_3.range(measure, size, 0.08)[0] > 0.97


def test_figure_3b_si_and_the_p_value_are_robust_to_noise_when_small(figure_3):
    """Sec. 7.1: bias-corrected information is not and favours four states."""
    for size in (16, 32):
        assert figure_3.range("si", size, 0.08)[0] > 0.65
        assert figure_3.range("log10_p", size, 0.08)[0] > 0.65
        assert figure_3.range("mi_bc", size, 0.08)[1] < 0.5


def test_figure_3a_the_z_score_picks_two_states_however_large_the_sample(figure_3):
    """Sec. 5.1: what breaking condition 2 does in practice."""
    for size in FIGURE_3_SIZES:
        assert figure_3.range("z_score", size, 0.10)[0] > 0.65
    assert figure_3("z_score", 16384, 0.10) == 1


FIGURE_3_NUMBERS = {
    (32, "si"): 0.57,
    (32, "log10_p"): 0.53,
    (32, "nmi"): 0.26,
    (32, "mi_bc"): 0.17,
    (512, "si"): 0.14,
    (512, "nmi"): 0.57,
    (512, "mi_bc"): 0.01,
    (16384, "si"): 0.0,
    (16384, "nmi"): 1.0,
}
"""An earlier run of 200 resamples at z = .10."""


@pytest.mark.parametrize(("size", "measure"), FIGURE_3_NUMBERS)
def test_figure_3a_reproduces_an_earlier_independent_run(figure_3, size, measure):
    """Figure 3a: equal within the errors of both runs and the rounding to .01."""
    row = figure_3.rows.loc[(measure, size, 0.10)]
    error = row["standard_error"] * np.sqrt(1 + 1000 / 200)
    earlier = FIGURE_3_NUMBERS[size, measure]
    assert abs(row["fraction"] - earlier) < 3 * error + 0.005


@pytest.mark.parametrize("chances", [(0.9, 0.5, 0.4, 0.2), (0.7, 0.7, 0.2, 0.2)])
def test_figure_3_other_binary_features_behave_alike(chances):
    """Sec. 7.1, footnote 5: the particular chances do not matter for the behaviour."""
    known = selection_study(
        [32, 8192], [0.12], chances=chances, resamples=300, measures=PAPER, rng=35
    )
    assert (known["information_four_state"] > known["information_binary"]).all()
    fraction = known.pivot_table(
        index="measure", columns="sample_size", values="fraction"
    )
    for measure in ("si", "log10_p", "mi_bc"):
        assert fraction.loc[measure, 8192] == 0
    assert fraction.loc["mi_bc", 32] < fraction.loc["nmi", 32] + 0.05
    assert fraction.loc["mi_bc", 32] < fraction.loc["si", 32] - 0.05


def test_likelihood_ratio_is_twice_the_sample_size_times_the_information():
    """Footnote 1: information and log-likelihood ratio are used interchangeably."""
    tables = informative_distribution(3, 5, information=0.2).sample_tables(
        300, 20, rng=1
    )
    np.testing.assert_allclose(
        likelihood_ratio(tables), 2 * 300 * mutual_information(tables)
    )


# Sec. 6 and 7.2: the equivalent sample size

GRAPH = sewell_shah_network()


@pytest.fixture(scope="module")
def sewell_shah() -> DiscreteData:
    bundled = load_dataset("sewell_shah")
    return DiscreteData.from_frame(bundled.frame, weights=bundled.weights)


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
    joint = sewell_shah.counts(*([name] for name in GRAPH.parents))
    constraint = equivalent_sample_size(joint)
    assert constraint.dof == 128 - 1 - (1 + 3 + 3 + 1 + 1)
    assert constraint.approximate == pytest.approx(129.23, abs=5e-3)
    assert constraint.exact == pytest.approx(130.87, abs=5e-3)


def test_the_network_is_the_best_of_all_29281_by_its_bayesian_score(
    sewell_shah: DiscreteData,
) -> None:
    """Sec. 7.2; at N' = 69 it shares the best score only with its equivalent twin."""
    local = bdeu_family_score(sewell_shah, equivalent_sample_size=69)
    ranking = exhaustive_search(list(GRAPH.parents), local)
    assert len(ranking) == 29281
    assert len(ranking.best) == 2
    assert all(graph.is_equivalent(GRAPH) for graph in ranking.best)
    assert set(GRAPH.edges) in [set(graph.edges) for graph in ranking.best]
    score = bdeu_score(sewell_shah, GRAPH, equivalent_sample_size=69)
    assert score == pytest.approx(ranking.scores[0], abs=1e-6)
    assert ranking.scores[2] < ranking.scores[0] - 4


def test_edges_of_a_network_can_be_ranked_fairly(sewell_shah: DiscreteData) -> None:
    """Sec. 5.5: each edge given the child's other parents, on one scale."""
    strengths = edge_strengths(sewell_shah, GRAPH)
    order = list(zip(strengths["parent"], strengths["child"], strict=True))
    assert sorted(order) == sorted(GRAPH.edges)
    assert order[:2] == [
        ("ses", "parental_encouragement"),
        ("parental_encouragement", "college_plans"),
    ]
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
