"""Resampling studies: against exact enumeration, brute force and symmetry."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import gammaln

import siviz.contests
from siviz import merge_states, survival_p_value
from siviz.contests import CALIBRATED, DEFAULT_MEASURES, STUDY_MEASURES
from siviz.experiments import (
    FIGURE_2_Z,
    discretization_study,
    fairness_study,
    selection_study,
)
from siviz.scenarios import (
    TWO_STATES,
    binary_feature,
    discretization_scenario,
    mixed_distribution,
    z_of_equal_information,
)

ALL = list(STUDY_MEASURES)
TAIL = ["measure", "fraction", "standard_error", "ties", "resamples"]


def by_measure(study, column="fraction"):
    return study.set_index("measure")[column]


# Figure 2: discretization


def all_tables(size, states):
    """Every table of this size, and its coefficient's logarithm."""
    cells = np.array(list(combinations_with_replacement(range(states**2), size)))
    tables = np.zeros((len(cells), states**2))
    np.add.at(tables, (np.arange(len(cells))[:, None], cells), 1)
    coefficient = gammaln(size + 1) - gammaln(tables + 1).sum(axis=1)
    return tables.reshape(-1, states, states), coefficient


def test_the_fraction_is_the_one_found_by_enumerating_all_tables():
    truth = discretization_scenario(0.07)
    tables, coefficient = all_tables(4, 4)
    log_chance = (tables * np.log(truth.probabilities)).sum(axis=(1, 2))
    weight = np.exp(coefficient + log_chance)
    assert weight.sum() == pytest.approx(1)
    coarse = merge_states(
        merge_states(tables, TWO_STATES, axis=-2), TWO_STATES, axis=-1
    )
    study = discretization_study([4], [0.07], resamples=20_000, measures=ALL, rng=1)
    for row in study.itertuples():
        measure = STUDY_MEASURES[row.measure]
        gap = measure.strength(measure(coarse)) - measure.strength(measure(tables))
        gap[np.abs(gap) < 1e-11] = 0  # the smallest true differences are above 1e-3
        exact = weight @ ((1 + np.sign(gap)) / 2)
        assert abs(row.fraction - exact) < 4.5 * row.standard_error, row.measure
        assert abs(row.ties - weight[gap == 0].sum()) < 0.02, row.measure


def test_mutual_information_never_favours_merged_states():
    study = discretization_study(measures=["mi"], resamples=50, rng=2)
    np.testing.assert_array_equal(study["fraction"], study["ties"] / 2)


def test_a_partition_ties_with_itself_under_every_measure():
    study = discretization_study(
        [40], [0.05], fine=TWO_STATES[::-1], resamples=30, measures=ALL, rng=3
    )
    assert set(study["fraction"]) == {0.5}
    assert set(study["ties"]) == {1.0}


def test_singletons_are_the_unmerged_states():
    singletons = [[0], [1], [2], [3]]
    options = {"resamples": 20, "rng": 4}
    merged = discretization_study([50], [0.04], fine=singletons, **options)
    pd.testing.assert_frame_equal(merged, discretization_study([50], [0.04], **options))


def test_any_scenario_and_any_two_partitions_can_be_compared():
    study = discretization_study(
        [300],
        [0, 0.9],
        scenario=lambda z: mixed_distribution(6, 6, z=z, row_margin="zipf"),
        coarse=[[0, 1, 2], [3, 4, 5]],
        fine=[[0, 1], [2, 3], [4, 5]],
        measures=["si"],
        rng=5,
    )
    assert list(study["fraction"] > 0.1) == [True, False]
    assert study["information_fine"].iloc[1] > study["information_coarse"].iloc[1]


def test_the_true_informations_stand_beside_the_fractions():
    study = discretization_study([25], FIGURE_2_Z, resamples=1, measures=["si"], rng=6)
    fine = [discretization_scenario(z).true_information for z in FIGURE_2_Z]
    np.testing.assert_allclose(study["information_fine"], fine)
    np.testing.assert_allclose(study["information_coarse"], fine[0])


# Figure 3: variable selection


def raw_row_tables(rng, resamples, size, z):
    """Tables of 10 binary and 10 four-state features counted from raw rows of data."""
    y = rng.integers(0, 4, (resamples, size))
    where = np.arange(resamples)[:, None]
    simple = np.zeros((resamples, 10, 2, 4))
    rich = np.zeros((resamples, 10, 4, 4))
    for k in range(10):
        x = rng.random(y.shape) >= np.array([0.6, 0.8, 0.3, 0.1])[y]
        np.add.at(simple, (where, k, x.astype(int), y), 1)
        other = (y + rng.integers(1, 4, y.shape)) % 4
        x = np.where(rng.random(y.shape) < 0.25 + 3 * z, y, other)
        np.add.at(rich, (where, k, x, y), 1)
    return simple, rich


def test_the_best_feature_is_as_often_binary_as_in_raw_rows_of_data():
    simple, rich = raw_row_tables(np.random.default_rng(7), 2000, 48, 0.1)
    keys = ["si", "mi_bc", "nmi", "log10_p", "bic", "theils_u_rows"]
    study = selection_study([48], [0.1], resamples=8000, measures=keys, rng=8)
    for row in study.itertuples():
        measure = STUDY_MEASURES[row.measure]
        best = [
            measure.strength(measure(tables)).max(axis=1) for tables in (simple, rich)
        ]
        raw = np.mean(best[0] > best[1])
        error = np.sqrt(row.fraction * (1 - row.fraction) * (1 / 2000 + 1 / 8000))
        assert abs(row.fraction - raw) < 4 * error, row.measure


def selection_draws(z, **options):
    """The tables of binary and of four-state features that are compared for z."""
    draws = []
    original = siviz.contests._compare

    def spy(simple, rich, keys):
        draws.append((simple.cells[..., 0, :, :], rich.cells[..., 0, :, :]))
        return original(simple, rich, keys)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(siviz.contests, "_compare", spy)
        selection_study([100], z, copies=3, measures=["si"], **options)
    return draws


def test_all_features_of_a_resample_share_its_class():
    ((simple, rich),) = selection_draws([0.1], resamples=20, rng=9)
    assert (simple.shape, rich.shape) == ((20, 3, 2, 4), (20, 3, 4, 4))
    classes = simple.sum(axis=-2)
    assert np.all(classes == classes[:, :1])
    assert np.all(classes == rich.sum(axis=-2))
    assert np.all(classes.sum(axis=-1) == 100)


def test_features_of_different_z_compete_with_the_same_binary_features():
    here, there = selection_draws([0.1, 0.05], resamples=20, rng=9)
    ((alone, _),) = selection_draws([0.02], resamples=20, rng=9)
    assert np.array_equal(here[0], there[0])
    assert np.array_equal(here[0], alone)
    assert not np.array_equal(here[1], there[1])


def test_blocks_of_a_study_have_binary_features_of_their_own():
    first, second = (
        block[0] for block in selection_draws([0.1], resamples=2500, rng=9)
    )
    assert not np.array_equal(first[: len(second)], second)
    ((other, _),) = selection_draws([0.1], resamples=20, rng=10)
    assert not np.array_equal(first[:20], other)


def test_between_two_features_of_equal_information_the_unbiased_measure_is_undecided():
    z = z_of_equal_information()
    keys = ["mi_bc", "si"]
    study = selection_study(
        [16384], [z], copies=1, resamples=4000, measures=keys, rng=1
    )
    fraction = by_measure(study)
    assert abs(fraction["mi_bc"] - 0.5) < 4 * 0.008
    assert fraction["si"] > 0.5  # simpler is favoured where the truth is equal


@pytest.mark.parametrize(
    ("z", "counted"), [(0.10, 1.0), (0.08, 0.0), (z_of_equal_information(), 0.5)]
)
def test_where_1_minus_cdf_ties_the_wrong_feature_is_counted(z, counted):
    study = selection_study([8192], [z], measures=["p_value_2006"], resamples=20, rng=1)
    assert study["ties"].item() == 1.0
    assert study["fraction"].item() == counted


def test_other_chances_move_the_truth():
    chances = [0.9, 0.1, 0.9, 0.1]
    study = selection_study([512], [0.1], chances=chances, measures=["si"], rng=2)
    expected = binary_feature(chances).true_information
    assert study["information_binary"].item() == pytest.approx(expected)
    assert study["fraction"].item() == 1.0


# Fairness


@pytest.mark.parametrize("margin", ["uniform", "zipf"])
def test_between_two_pairs_of_the_same_shape_every_measure_is_undecided(margin):
    study = fairness_study([2], [60], [margin], measures=ALL, resamples=2000, rng=3)
    assert np.all(np.abs(study["fraction"] - 0.5) < 4 * study["standard_error"])


def test_on_noise_the_calibrated_measure_is_fair_where_the_others_are_not():
    keys = ["si_calibrated", "mi", "nmi", "bic", "si"]
    study = fairness_study([20], [200], ["zipf"], measures=keys, resamples=300, rng=4)
    fraction = by_measure(study)
    assert abs(fraction["si_calibrated"] - 0.5) < 0.12
    assert fraction["mi"] == fraction["nmi"] == 0
    assert fraction["bic"] == 1
    assert abs(fraction["si"] - 0.5) > 0.4  # the nominal null fails in sparse tables


def test_with_many_rows_per_cell_a_study_agrees_with_chi_squared():
    study = fairness_study([5], [20_000], measures=["si", "mi"], resamples=2000, rng=5)
    g = stats.chi2.ppf((np.arange(20_000) + 0.5) / 20_000, 1)  # 2 x 2: d = 1
    beaten = {"si": (np.sqrt(g) - 1 + 4) ** 2, "mi": g}  # 5 x 5: d = 16
    for row in study.itertuples():
        exact = stats.chi2.cdf(beaten[row.measure], 16).mean()
        assert abs(row.fraction - exact) < 4 * row.standard_error, row.measure


def test_a_fairness_study_has_every_combination_once():
    study = fairness_study([2, 3], [20, 30], measures=["si", "mi"], resamples=3, rng=6)
    names = ["states", "sample_size", "margin", "measure"]
    assert len(study) == 2 * 2 * 2 * 2
    assert not study.duplicated(names).any()


# What all studies share

STUDIES = [
    lambda **options: discretization_study([20, 30], [0, 0.05, 0.1], **options),
    lambda **options: selection_study([40, 80], copies=2, **options),
    lambda **options: fairness_study([2, 5, 3], [30], **options),
]


@pytest.mark.parametrize("study", STUDIES)
def test_equal_seeds_give_equal_frames_and_other_seeds_others(study):
    first = study(rng=1, resamples=30)
    pd.testing.assert_frame_equal(first, study(rng=1, resamples=30))
    assert not first.equals(study(rng=2, resamples=30))


@pytest.mark.parametrize("study", STUDIES)
def test_progress_rises_to_1_exactly(study, monkeypatch):
    monkeypatch.setattr(siviz.contests, "_BLOCK", 500)
    seen = []
    study(rng=1, resamples=30, measures=["si"], progress=seen.append)
    assert len(seen) > 3
    assert np.all(np.diff(seen) > 0)
    assert seen[-1] == 1.0


@pytest.mark.parametrize("study", STUDIES)
def test_progress_may_stop_a_study(study):
    class Stopped(Exception):
        pass

    def stop(share):
        raise Stopped

    with pytest.raises(Stopped):
        study(rng=1, resamples=2, measures=["si"], progress=stop)


def test_blocks_change_nothing(monkeypatch):
    whole = discretization_study([20], [0, 0.1], resamples=40, rng=1)
    monkeypatch.setattr(siviz.contests, "_BLOCK", 1)
    one_by_one = discretization_study([20], [0, 0.1], resamples=40, rng=1)
    pd.testing.assert_frame_equal(whole, one_by_one)


@pytest.mark.parametrize(
    ("study", "condition"),
    [
        (STUDIES[0], ["sample_size", "z", "information_coarse", "information_fine"]),
        (
            STUDIES[1],
            ["z", "sample_size", "information_binary", "information_four_state"],
        ),
        (STUDIES[2], ["states", "sample_size", "margin"]),
    ],
)
def test_a_study_has_the_documented_columns(study, condition):
    frame = study(rng=1, resamples=4)
    assert list(frame) == [*condition, *TAIL]
    assert set(frame["measure"]) == set(DEFAULT_MEASURES)
    assert frame["fraction"].between(0, 1).all()
    assert not frame.isna().any(axis=None)


def test_nothing_calibrated_is_computed_unless_asked_for():
    assert set(STUDY_MEASURES) - set(DEFAULT_MEASURES) == set(CALIBRATED)


def test_the_standard_error_is_the_spread_of_repeated_studies():
    study = discretization_study(
        [100], [0.05] * 400, resamples=60, measures=["si", "nmi"], rng=7
    )
    for _, repeated in study.groupby("measure"):
        spread = repeated["fraction"].std()
        # 400 values fix their spread to 1/sqrt(800) = 3.5 %.
        assert repeated["standard_error"].mean() == pytest.approx(spread, rel=0.12)


def test_the_standard_error_is_never_0():
    study = discretization_study([500], [0.1], measures=["si"], resamples=100, rng=8)
    assert study["fraction"].item() == 0
    assert 0.005 < study["standard_error"].item() < 0.02


def test_the_p_value_of_the_catalogue_is_the_survival_function():
    tables = discretization_scenario(0.05).sample_tables(1000, 50, rng=9)
    measure = STUDY_MEASURES["p_value"]
    np.testing.assert_allclose(measure(tables), survival_p_value(tables), rtol=1e-9)


# Bad arguments


@pytest.mark.parametrize(
    ("study", "options", "sentence"),
    [
        (discretization_study, {"z": [0.2]}, "z must lie between 0 and 0.1; got 0.2"),
        (discretization_study, {"z": []}, "z must be a list of values"),
        (
            discretization_study,
            {"sample_sizes": [0]},
            "sample_sizes must be at least 1",
        ),
        (
            discretization_study,
            {"sample_sizes": 25},
            "sample_sizes must be a list .* 25",
        ),
        (discretization_study, {"sample_sizes": [2.5]}, "whole number; got 2.5"),
        (discretization_study, {"coarse": []}, r"coarse must be groups .* got \[\]"),
        (discretization_study, {"coarse": [[0, 1, 2, 3], []]}, "at least one state"),
        (discretization_study, {"coarse": [[0, 1]]}, "states 0 to 3 exactly once"),
        (discretization_study, {"fine": [[0, 1, 2, 3]]}, "got 2 and 1 .swap them."),
        (
            discretization_study,
            {"scenario": lambda z: mixed_distribution(4, 3, z=z)},
            r"scenario must make square .* \[\(4, 3\)\]",
        ),
        (selection_study, {"z": [0.3]}, "z must lie between 0 and 0.25; got 0.3"),
        (selection_study, {"copies": 0}, "copies must be at least 1; got 0"),
        (selection_study, {"chances": [0.5]}, "chances must be four numbers"),
        (fairness_study, {"states": [1]}, "states must be at least 2; got 1"),
        (fairness_study, {"states": []}, r"states must be a list of values; got \[\]"),
        (fairness_study, {"margins": ["normal"]}, "margin must be .* got 'normal'"),
        (fairness_study, {"margins": "zipf"}, "margins must be a list of values"),
    ],
)
def test_bad_conditions_get_a_sentence(study, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        study(resamples=1, measures=["si"], **options)


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"measures": ["si", "chi"]},
            "measures must be among .*p_value_2006; got 'chi'",
        ),
        ({"measures": "si"}, "measures must be a list of keys; got 'si'"),
        ({"measures": []}, "measures must be a list of keys"),
        ({"resamples": 0}, "resamples must be at least 1; got 0"),
        ({"resamples": 1.5}, "resamples must be a whole number; got 1.5"),
    ],
)
def test_bad_options_get_a_sentence(study, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        study(**options)
