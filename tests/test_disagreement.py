"""Where measures order pairs differently: the facts and the named causes are true."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from siviz import MEASURES, disagreement, rank_pairs
from siviz.disagreement import explain_inversion, find_disagreements

KEYS = tuple(MEASURES)
COLUMNS = [
    "measure",
    "first",
    "second",
    "rank",
    "measure_rank",
    "other_first",
    "other_second",
    "other_rank",
    "other_measure_rank",
    "cause",
    "reason",
]


def observations(counts, names, seed=0):
    """Rows that have this table, in random order."""
    counts = np.asarray(counts)
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    np.random.default_rng(seed).shuffle(cells)
    codes = np.unravel_index(cells, counts.shape)
    return pd.DataFrame(
        {n: [f"s{c}" for c in code] for n, code in zip(names, codes, strict=True)}
    )


def two_pairs(one, other):
    """A ranking with the pair (a, b) of one table and the pair (c, d) of another."""
    parts = [observations(one, "ab", 1), observations(other, "cd", 2)]
    overrides = {name: {"kind": "states"} for name in "abcd"}
    return rank_pairs(pd.concat(parts, axis=1), overrides=overrides)


def mixed(states, share, size):
    """A dense table between independence (share 0) and a copy (share 1)."""
    shares = (1 - share) / states**2 + share * np.eye(states) / states
    return np.round(shares * size).astype(int)


# A sample of two independent variables with 8 states each.
CHANCE = np.random.default_rng(1).multinomial(640, np.full(64, 1 / 64)).reshape(8, 8)


def explained(ranked, key):
    """What is said of the measure's preference for (c, d) over (a, b)."""
    rows = ranked.frame.set_index(["first", "second"], drop=False)
    one, other = rows.loc[("a", "b")], rows.loc[("c", "d")]
    assert one["rank"] < other["rank"]
    cause, reason = explain_inversion(one, other, key)
    both = ranked.frame[
        [p in ("ab", "cd") for p in ranked.frame["first"] + ranked.frame["second"]]
    ]
    found = find_disagreements(both, (key,), most=3).inversions
    assert found["cause"].tolist() == [cause]
    assert found["reason"].tolist() == [reason]
    assert found["first"].tolist() == ["a"]
    return cause, reason, one, other


def noisy(seed=0, columns=7, size=150):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, size)
    frame = {"a": a}
    for place in range(1, columns):
        copied = rng.random(size) < 0.1 * place
        frame[f"c{place}"] = np.where(copied, a, rng.integers(0, 2 + place, size))
    return pd.DataFrame(frame).map(lambda code: f"s{code}")


class TestTau:
    def test_it_is_scipys_with_the_stronger_direction_up(self):
        ranked = rank_pairs(noisy())
        tau = ranked.disagreements().tau
        assert list(tau.index) == list(tau.columns) == list(KEYS)
        for one in KEYS:
            assert tau.loc[one, one] == 1
            for other in KEYS:
                left, right = (
                    MEASURES[key].strength(ranked.frame[key]) for key in (one, other)
                )
                expected = kendalltau(left, right).statistic if one != other else 1
                assert tau.loc[one, other] == pytest.approx(expected, abs=1e-12)

    def test_a_measure_and_its_mirror_agree(self):
        tau = rank_pairs(noisy(), measures=("mi", "p_value", "log10_p", "aic"))
        assert tau.disagreements().tau.loc["p_value", "log10_p"] == pytest.approx(1)

    def test_a_measure_that_is_the_same_for_all_pairs_has_none(self):
        frame = noisy(columns=3)[["a", "c1"]]
        tau = rank_pairs(frame).disagreements().tau
        assert tau.loc["mi", "si"] != tau.loc["mi", "si"]
        assert tau.loc["mi", "mi"] == 1

    def test_of_many_pairs_evenly_spaced_ones_are_compared(self, monkeypatch):
        ranked = rank_pairs(noisy(), measures=("mi", "si_calibrated"))
        assert ranked.disagreements().compared == 21
        monkeypatch.setattr(disagreement, "MOST_COMPARED", 5)
        result = ranked.disagreements()
        assert result.compared == 5
        some = ranked.frame.iloc[[0, 5, 10, 15, 20]]
        expected = kendalltau(some["mi"], some["si_calibrated"]).statistic
        assert result.tau.loc["mi", "si_calibrated"] == pytest.approx(expected)


class TestInversions:
    @pytest.mark.parametrize("null", ["calibrated", "nominal"])
    @pytest.mark.parametrize("most", [1, 3])
    def test_they_are_inversions(self, null, most):
        ranked = rank_pairs(noisy(), null=null)
        inversions = ranked.disagreements(most=most).inversions
        assert list(inversions.columns) == COLUMNS
        assert len(inversions) > 8
        assert inversions.groupby("measure").size().max() <= most
        rows = ranked.frame.set_index(["first", "second"], drop=False)
        for _, row in inversions.iterrows():
            one = rows.loc[(row["first"], row["second"])]
            other = rows.loc[(row["other_first"], row["other_second"])]
            key = row["measure"]
            strength = MEASURES[key].strength
            assert one["score"] > other["score"]
            assert strength(one[key]) < strength(other[key])
            assert one["rank"] == row["rank"] < row["other_rank"] == other["rank"]
            assert row["measure_rank"] == one[f"rank_{key}"]
            assert row["other_measure_rank"] == other[f"rank_{key}"]
            assert row["measure_rank"] > row["other_measure_rank"]

    def test_the_score_itself_has_none(self):
        for null, key in (("calibrated", "si_calibrated"), ("nominal", "si")):
            found = rank_pairs(noisy(), null=null, measures=(key,)).disagreements()
            assert found.inversions.empty
            assert list(found.inversions.columns) == COLUMNS

    def test_the_clearest_comes_first_and_each_names_another_pair(self):
        found = rank_pairs(noisy(), measures=("mi",)).disagreements(most=4).inversions
        clear = np.minimum(
            found["other_rank"] - found["rank"],
            found["measure_rank"] - found["other_measure_rank"],
        )
        assert clear.is_monotonic_decreasing
        assert not found.duplicated(["first", "second"]).any()
        assert not found.duplicated(["other_first", "other_second"]).any()


class TestCauses:
    def test_underflow(self):
        ranked = two_pairs(mixed(3, 0.9, 9000), mixed(3, 0.8, 9000))
        cause, reason, one, other = explained(ranked, "p_value")
        assert cause == "underflow"
        assert one["p_value"] == other["p_value"] == 0
        assert one["log10_p"] < other["log10_p"] < -308
        assert reason == "Both p-values underflow to 0, so their order is lost."

    @pytest.mark.parametrize("key", ["mi", "mi_bc", "nmi", "ami", "cramers_v"])
    def test_sample_size(self, key):
        ranked = two_pairs(mixed(3, 0.4, 9000), mixed(3, 0.7, 90))
        cause, reason, one, other = explained(ranked, key)
        assert cause == "sample size"
        assert one["rows"] > other["rows"]
        assert reason == (
            f"The pairs have {one['rows']:,} and {other['rows']:,} rows: the same "
            "dependence is surer in more rows, which "
            f"{MEASURES[key].label} does not count."
        )

    @pytest.mark.parametrize("key", ["si", "log10_p", "z_score", "aic"])
    def test_empty_cells(self, key):
        # A copy of 30 states in 90 rows, half of it random, against a weak 2 x 2 table.
        rng = np.random.default_rng(3)
        a = rng.integers(0, 30, 90)
        b = np.where(rng.random(90) < 0.5, a, rng.integers(0, 30, 90))
        sparse = np.zeros((30, 30), dtype=int)
        np.add.at(sparse, (a, b), 1)
        ranked = two_pairs(sparse, [[29, 16], [16, 29]])
        cause, reason, one, _ = explained(ranked, key)
        assert cause == "empty cells"
        assert one["null_mean"] + one["null_deviation"] < one["dof"]
        assert reason == (
            f"a and b leave {np.mean(ranked.table('a', 'b') == 0, axis=None):.0%} of "
            f"the cells empty: independence gives G = {one['null_mean']:.1f}, not the "
            f"{one['dof']} degrees of freedom that {MEASURES[key].label} assumes."
        )

    @pytest.mark.parametrize(
        "key, one, other, favoured",
        [
            ("nmi", mixed(8, 0.5, 6400), mixed(2, 0.75, 6400), "few"),
            ("z_score", mixed(8, 0.5, 6400), mixed(2, 0.75, 6400), "few"),
            ("bic", mixed(8, 0.35, 640), mixed(2, 0.5, 640), "few"),
            ("mi", mixed(2, 0.18, 640), CHANCE, "many"),
            ("mi_bc", mixed(2, 0.05, 640), CHANCE, "many"),
        ],
    )
    def test_cardinality(self, key, one, other, favoured):
        cause, reason, *_ = explained(two_pairs(one, other), key)
        assert cause == "cardinality"
        assert reason == (
            f"Tables of 64 and 4 cells are compared: here {MEASURES[key].label} "
            f"favours the variables with {favoured} states."
        )

    def test_noise(self):
        ranked = two_pairs([[57, 43], [43, 57]], [[6, 2], [84, 108]])
        cause, reason, one, other = explained(ranked, "theils_u_rows")
        assert cause == "noise"
        assert 0 < one["score"] - other["score"] < 2
        assert reason == "The two pairs are so close that small differences decide."

    def test_what_is_not_close_is_not_called_noise(self):
        ranked = two_pairs([[400, 100], [100, 400]], [[960, 2], [2, 36]])
        cause, reason, one, other = explained(ranked, "nmi")
        assert one["score"] - other["score"] > 2
        assert cause == "frequencies"
        assert reason == (
            "The two tables have about the same size: Normalized mutual information "
            "weighs how often their states and cells occur differently than the score "
            "does."
        )

    def test_more_rows_do_not_explain_why_fewer_are_preferred(self):
        one = {"rows": 100, "score": 9.0, "states_first": 2, "states_second": 2}
        one |= {"dof": 1, "null_mean": 1.0, "null_deviation": 1.4, "empty_cells": 0.0}
        other = one | {"rows": 1000, "score": 3.0, "states_second": 6, "dof": 5}
        other["null_mean"], other["null_deviation"] = 5.0, 3.2
        cause, _ = explain_inversion(pd.Series(one), pd.Series(other), "mi")
        assert cause == "cardinality"
