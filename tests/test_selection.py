"""Features are scored as `rank_pairs` ranks them, the way scikit-learn asks for it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFdr, SelectKBest
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline

from siviz import MEASURES, rank_pairs, score_features


def samples(seed=0, size=300):
    """Features: strong, noise, constant, numbered rows, weak, and continuous."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size)

    def copy(rate):
        return np.where(rng.random(size) < rate, y, rng.integers(0, 3, size))

    columns = [copy(0.8), copy(0), np.full(size, 7), np.arange(size), copy(0.4)]
    return np.column_stack([*columns, y + rng.normal(size=size)]), y


STRONG, NOISE, CONSTANT, NUMBERED, WEAK, CONTINUOUS = range(6)


def test_scores_are_those_of_the_ranking():
    X, y = samples()
    frame = pd.DataFrame(X).rename(columns=lambda place: f"feature {place}")
    frame["target"] = y
    ranked = rank_pairs(frame, target="target").frame.set_index("first")
    scores, p_values = score_features(X, y)
    assert scores.shape == p_values.shape == (6,)
    for place in (STRONG, NOISE, WEAK, CONTINUOUS):
        row = ranked.loc[f"feature {place}"]
        assert scores[place] == row["si_calibrated"]
        assert p_values[place] == pytest.approx(10 ** row["log10_p_calibrated"])
    assert scores[STRONG] > scores[[WEAK, CONTINUOUS]].max()
    assert scores[[WEAK, CONTINUOUS]].min() > 1.5 > scores[NOISE]


def test_a_feature_that_cannot_tell_anything_scores_zero():
    X, y = samples()
    scores, p_values = score_features(X, y)
    for place in (CONSTANT, NUMBERED):
        assert (scores[place], p_values[place]) == (0, 1)
    X[: len(X) // 2, NOISE] = np.nan
    halved = np.where(np.arange(len(X)) < len(X) // 2, y.astype(float), np.nan)
    scores, p_values = score_features(X, halved)
    assert (scores[NOISE], p_values[NOISE]) == (0, 1)


def test_the_best_features_are_selected():
    X, y = samples()
    best = SelectKBest(score_features, k=3).fit(X, y)
    assert best.get_support(indices=True).tolist() == [STRONG, WEAK, CONTINUOUS]
    found = SelectFdr(score_features, alpha=0.01).fit(X, y)
    assert found.get_support(indices=True).tolist() == [STRONG, WEAK, CONTINUOUS]


@pytest.mark.parametrize(
    "model", [GaussianNB(), RandomForestClassifier(5, random_state=0)]
)
def test_it_works_in_a_pipeline_under_cross_validation(model):
    X, y = samples()
    select = SelectKBest(score_features, k=2)
    pipeline = Pipeline([("select", select), ("model", model)])
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.7


def test_options_of_the_ranking_are_passed_on():
    X, y = samples()
    fine, _ = score_features(X, y, bin_count=20)
    coarse, _ = score_features(X, y, bin_count=2)
    assert fine[CONTINUOUS] != coarse[CONTINUOUS]
    assert fine[STRONG] == coarse[STRONG]


def test_labels_and_frames_are_features_too():
    X, y = samples()
    frame = pd.DataFrame(X[:, [STRONG, WEAK]], columns=["one", "two"])
    frame["one"] = frame["one"].map({0.0: "x", 1.0: "y", 2.0: "z"})
    labels = np.array(["low", "mid", "high"])[y]
    scores, _ = score_features(frame, labels)
    expected, _ = score_features(X, y)
    np.testing.assert_allclose(scores, expected[[STRONG, WEAK]], rtol=1e-10)


@pytest.mark.parametrize(
    "X, y, sentence",
    [
        ([1, 2, 3], [1, 2, 3], "X must have two axes; got 1"),
        (
            [[1], [2]],
            [1, 2, 3],
            "y must have one value for each of the 2 rows of X; got the shape (3,)",
        ),
        (
            [[1], [2]],
            [[1], [2]],
            "y must have one value for each of the 2 rows of X; got the shape (2, 1)",
        ),
        (
            [[0], [1]] * 9,
            [5] * 18,
            "target 'target' cannot be used: constant; choose another column, or "
            "choose what it becomes (on the command line by --states C)",
        ),
        (
            [[3]] * 18,
            [0, 1] * 9,
            "a ranking needs at least 2 columns with states; got 1; left out: 'feature "
            "0' (constant): add columns or rows, or choose what a column becomes "
            "(on the command line by --states C)",
        ),
    ],
)
def test_wrong_input_is_named(X, y, sentence):
    with pytest.raises(ValueError) as error:
        score_features(X, y)
    assert str(error.value) == sentence


def test_many_class_labels_are_not_cut_into_bins():
    y = np.arange(20).repeat(15)
    scores, _ = score_features(np.column_stack([y % 4, y]), y)
    counts = np.zeros((4, 20))
    np.add.at(counts, (y % 4, y), 1)
    expected = MEASURES["si_calibrated"](counts)
    assert scores[0] == pytest.approx(expected)
