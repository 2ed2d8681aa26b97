"""A ranking is the core's numbers on every pair, in the order of their dependence."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from siviz import (
    MEASURES,
    Table,
    conditional_table,
    evaluate,
    null_moments,
    p_value,
    rank_pairs,
    ranking,
    ranking_frame,
    standardized_information,
)

brief = settings(max_examples=12)
KEYS = tuple(MEASURES)


@st.composite
def frames(draw):
    """Columns of 2 to 12 text states, some depending on others, some with gaps."""
    rows = draw(st.integers(20, 80))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    columns = {}
    for place in range(draw(st.integers(2, 5))):
        states = draw(st.integers(2, 12))
        codes = rng.integers(0, states, rows)
        if columns and draw(st.booleans()):
            codes = np.where(rng.random(rows) < 0.6, columns[place - 1] % states, codes)
        codes[:4] = (0, 0, 1, 1)
        columns[place] = codes
    names = dict(zip(columns, "dabec", strict=False))
    frame = pd.DataFrame(
        {names[i]: [f"s{code}" for code in c] for i, c in columns.items()}
    )
    if draw(st.booleans()):
        for name in frame.columns[1:]:
            frame[name] = frame[name].mask(rng.random(rows) < 0.25)
    return frame


def assert_same_measures(one, other):
    """Equal up to rounding; V is a square root, which raises the rounding near 0."""
    power = np.array([2 if key.startswith("cramers_v") else 1 for key in KEYS])
    left, right = (
        np.array([value[key] for key in KEYS], dtype=float).T ** power
        for value in (one, other)
    )
    np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9)


def by_pair(frame):
    """The ranking with the names of each pair as its index."""
    return frame.set_index([frame["first"], frame["second"]])


def plain_frame():
    rng = np.random.default_rng(6)
    a = rng.integers(0, 3, 200)
    frame = pd.DataFrame(
        {
            "a": a,
            "b": np.where(rng.random(200) < 0.7, a, rng.integers(0, 3, 200)),
            "c": rng.integers(0, 4, 200),
            "d": np.where(rng.random(200) < 0.3, a % 2, rng.integers(0, 2, 200)),
        }
    )
    return frame.map(lambda code: f"s{code}")


class TestNumbers:
    @brief
    @given(frames())
    def test_every_pair_has_the_cores_numbers_of_its_own_table(self, frame):
        ranked = by_pair(rank_pairs(frame).frame)
        pairs = list(combinations(frame.columns, 2))
        assert sorted(ranked.index) == sorted(pairs)
        for first, second in pairs:
            counts = pd.crosstab(frame[first], frame[second]).to_numpy()
            row = ranked.loc[(first, second)]
            assert_same_measures(row, evaluate(counts))

    @brief
    @given(frames(), st.sampled_from(["calibrated", "nominal", "effective"]))
    def test_the_facts_are_those_of_the_table_and_the_null(self, frame, null):
        ranked = by_pair(rank_pairs(frame, null=null, measures=("mi",)).frame)
        log_p = []
        for pair in ranked.index:
            counts = pd.crosstab(*(frame[name] for name in pair)).to_numpy()
            table, row = Table(counts), ranked.loc[pair]
            moments = null_moments(table, kind=null)
            centre = "fisher" if null == "calibrated" else "mean"
            score = standardized_information(table, null=null, centre=centre)
            assert row["score"] == pytest.approx(score, rel=1e-9, abs=1e-9)
            assert row["rows"] == counts.sum()
            states = (row["states_first"], row["states_second"])
            assert states == counts.shape
            assert row["dof"] == (states[0] - 1) * (states[1] - 1)
            assert row["empty_cells"] == pytest.approx(np.mean(counts == 0))
            assert row["null_mean"] == pytest.approx(float(moments.mean))
            assert row["null_deviation"] == pytest.approx(float(moments.deviation))
            log_p.append(float(p_value(table, null=null)))
        np.testing.assert_allclose(
            10 ** ranked["log10_q"], false_discovery_control(log_p), rtol=1e-8
        )

    @brief
    @given(frames(), st.integers(0, 4))
    def test_a_targets_pairs_are_those_of_the_full_ranking(self, frame, place):
        target = frame.columns[place % frame.shape[1]]
        full = by_pair(rank_pairs(frame).frame)
        one = rank_pairs(frame, target=target).frame
        assert (one["second"] == target).all()
        assert len(one) == frame.shape[1] - 1
        turned = ("theils", "conditional", "cramers_v")
        symmetric = [key for key in KEYS if not key.startswith(turned)]
        for _, row in one.iterrows():
            pair = (row["first"], target)
            same = full.loc[pair if pair in full.index else pair[::-1]]
            assert row["rows"] == same["rows"]
            np.testing.assert_allclose(
                row[["score", *symmetric]].astype(float),
                same[["score", *symmetric]].astype(float),
                rtol=1e-9,
                atol=1e-9,
            )

    @brief
    @given(frames())
    def test_given_a_column_the_numbers_are_those_of_its_strata(self, frame):
        frame["given"] = np.resize(["p", "p", "q", "r"], len(frame))
        ranked = rank_pairs(frame, given="given").frame
        for _, row in ranked.iterrows():
            pair = frame[[row["first"], row["second"], "given"]].dropna()
            codes = [pd.factorize(pair[name])[0] for name in pair.columns]
            counts = np.zeros([code.max() + 1 for code in codes])
            np.add.at(counts, tuple(codes), 1)
            table = conditional_table(counts)
            assert row["dof"] == table.dof
            assert_same_measures(row, evaluate(table))

    def test_large_and_small_tables_share_batches_without_mixing(self, monkeypatch):
        monkeypatch.setattr(ranking_frame, "_BATCH", 40)
        frame = plain_frame()
        frame["wide"] = np.resize([f"w{i}" for i in range(17)], 200)
        frame["wider"] = np.resize([f"w{i}" for i in range(19)], 200)
        small = rank_pairs(frame).frame
        monkeypatch.undo()
        pd.testing.assert_frame_equal(small, rank_pairs(frame).frame, rtol=1e-12)

    def test_weights_are_repeated_rows(self):
        frame = plain_frame().assign(w=np.resize([0, 1, 2, 5], 200))
        repeated = frame.loc[frame.index.repeat(frame["w"])].drop(columns="w")
        pd.testing.assert_frame_equal(
            rank_pairs(frame, weights="w").frame, rank_pairs(repeated).frame
        )

    def test_the_permutation_null_is_reproducible_and_near_the_calibrated(self):
        frame = plain_frame()[["a", "b", "c"]]
        one, other = (rank_pairs(frame, null="permutation", rng=7) for _ in range(2))
        pd.testing.assert_frame_equal(one.frame, other.frame)
        exact = by_pair(rank_pairs(frame).frame)["null_mean"]
        drawn = by_pair(one.frame)["null_mean"]
        np.testing.assert_allclose(drawn, exact[drawn.index], rtol=0.1)


class TestInvariances:
    @brief
    @given(frames(), st.integers(0, 99))
    def test_the_order_of_the_rows_changes_nothing(self, frame, seed):
        shuffled = frame.sample(frac=1, random_state=seed)
        pd.testing.assert_frame_equal(
            rank_pairs(shuffled).frame, rank_pairs(frame).frame
        )

    @brief
    @given(frames(), st.integers(0, 99))
    def test_the_order_of_the_columns_changes_only_that_of_the_names(self, frame, seed):
        turned = rank_pairs(frame.sample(frac=1, axis=1, random_state=seed)).frame
        keys = ["score", "log10_q", "rows", "dof", "si", "mi", "ami"]
        keys += ["rank", "rank_mi", "rank_log10_p", "note"]
        for one in (turned, rank_pairs(frame).frame):
            one.index = one[["first", "second"]].apply(frozenset, axis=1)
        plain = one[keys].loc[turned.index]
        pd.testing.assert_frame_equal(turned[keys], plain, rtol=1e-8, atol=1e-8)

    @brief
    @given(frames())
    def test_the_names_of_the_states_change_nothing(self, frame):
        # Reversed text sorts the states differently.
        renamed = frame.map(lambda state: state[::-1] + "*", na_action="ignore")
        one, other = (by_pair(rank_pairs(f).frame) for f in (frame, renamed))
        other = other.loc[one.index]
        ranks = ["rank", *(f"rank_{key}" for key in ("mi", "nmi", "log10_p", "bic"))]
        assert one[ranks].equals(other[ranks])
        assert_same_measures(one, other)


class TestFrame:
    def test_its_columns_are_the_documented_ones_in_order(self):
        frame = rank_pairs(plain_frame()).frame
        expected = [*ranking_frame.FACTS, *KEYS, *(f"rank_{key}" for key in KEYS)]
        assert list(frame.columns) == expected
        for name in ranking_frame.FACTS:
            assert f"``{name}``" in ranking.Ranking.__doc__
        some = rank_pairs(plain_frame(), measures=["mi", "p_value", "mi"])
        measured = ["mi", "p_value", "rank_mi", "rank_p_value"]
        assert list(some.frame.columns) == [*ranking_frame.FACTS, *measured]
        assert some.measures == ("mi", "p_value")

    def test_counts_and_ranks_are_whole_numbers(self):
        frame = rank_pairs(plain_frame()).frame
        for name in ("rows", "states_first", "states_second", "dof"):
            assert frame[name].dtype == np.int64
        for name in ["rank", *(f"rank_{key}" for key in KEYS)]:
            assert frame[name].dtype == "Int64"
        assert frame["note"].tolist() == [""] * 6

    def test_it_is_in_the_order_of_the_score(self):
        frame = rank_pairs(plain_frame()).frame
        assert frame["score"].is_monotonic_decreasing
        assert frame["rank"].tolist() == [1, 2, 3, 4, 5, 6]
        assert (frame["score"] == frame["si_calibrated"]).all()
        nominal = rank_pairs(plain_frame(), null="nominal").frame
        assert (nominal["score"] == nominal["si"]).all()
        assert (nominal["rank"] == nominal["rank_si"]).all()

    @pytest.mark.parametrize("key", KEYS)
    def test_the_rank_follows_the_measures_own_direction(self, key):
        frame = rank_pairs(plain_frame()).frame
        falling = MEASURES[key].stronger == "lower"
        expected = frame[key].rank(method="min", ascending=falling).astype("Int64")
        assert frame[f"rank_{key}"].tolist() == expected.tolist()

    def test_equal_pairs_share_the_best_of_their_places(self):
        frame = plain_frame()[["a", "b", "c"]]
        # A copy gives every pair of "b" twice, once as a transposed table.
        frame["b2"] = frame["b"].map({"s0": "z", "s1": "y", "s2": "x"})
        ranked = by_pair(rank_pairs(frame).frame)
        for key in ("rank", "rank_mi", "rank_log10_p", "rank_nmi"):
            ranks = ranked[key].to_dict()
            assert ranks[("b", "b2")] == 1
            assert ranks[("a", "b")] == ranks[("a", "b2")] == 2
            assert (
                ranks[("b", "c")] == ranks[("c", "b2")] == 4 + (ranks[("a", "c")] == 4)
            )
            assert sorted(ranks.values())[1:3] == [2, 2]

    def test_underflowing_p_values_tie_but_their_logarithms_do_not(self):
        rng = np.random.default_rng(0)
        a = rng.integers(0, 3, 3000)
        frame = pd.DataFrame({"a": a, "b": a, "c": np.where(a == 2, 1, a)})
        frame.loc[:30, "b"] = 0
        ranked = rank_pairs(frame.astype(str)).frame
        assert (ranked["p_value"] == 0).all()
        assert ranked["rank_p_value"].tolist() == [1, 1, 1]
        assert ranked["rank_log10_p"].tolist() == [1, 2, 3]
        assert np.isfinite(ranked["log10_q"]).all()


class TestNotes:
    def test_a_pair_without_common_rows_is_last_without_a_number_or_a_test(self):
        frame = plain_frame()
        frame.loc[:99, "c"] = None
        frame.loc[100:, "d"] = None
        ranked = rank_pairs(frame).frame
        last = ranked.iloc[-1]
        assert (last["first"], last["second"]) == ("c", "d")
        assert last["note"] == "no row has both values"
        assert last["rows"] == last["dof"] == last["states_first"] == 0
        assert last[["score", "log10_q", "null_mean", *KEYS]].isna().all()
        assert last[["rank", *(f"rank_{key}" for key in KEYS)]].isna().all()
        known = ranked.iloc[:-1]
        assert known["note"].tolist() == [""] * 5
        assert known[["score", *KEYS]].notna().all(axis=None)
        expected = false_discovery_control(10 ** known["log10_p_calibrated"])
        np.testing.assert_allclose(10 ** known["log10_q"], expected, rtol=1e-10)

    def test_a_ranking_may_have_no_pair_with_a_number(self):
        frame = plain_frame()[["c", "d"]]
        frame.loc[:99, "c"] = None
        frame.loc[100:, "d"] = None
        ranked = rank_pairs(frame)
        assert ranked.frame["note"].tolist() == ["no row has both values"]
        assert ranked.stability().empty
        assert ranked.disagreements().inversions.empty
        assert ranked.disagreements().compared == 0

    def test_a_pair_that_is_left_with_one_state_scores_zero(self):
        frame = plain_frame()[["a", "b"]]
        frame["a"] = frame["a"].mask(frame["b"] != "s0")
        ranked = rank_pairs(frame).frame.iloc[0]
        assert ranked["note"] == "only one state is left"
        assert ranked["score"] == ranked["log10_q"] == ranked["dof"] == 0

    def test_an_identifier_made_states_leaves_no_freedom(self):
        frame = plain_frame()[["a"]].assign(id=[f"n{i}" for i in range(200)])
        ranked = rank_pairs(frame, overrides={"id": {"kind": "states"}}).frame.iloc[0]
        assert ranked["note"] == "the margins leave no freedom"
        assert ranked["score"] == ranked["log10_q"] == 0

    def test_a_nearly_degenerate_null_is_told(self):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame({"a": rng.integers(0, 30, 30), "b": rng.permutation(30)})
        frame["b"] = frame["b"].replace(29, 28)
        states = {"kind": "states"}
        ranked = rank_pairs(frame, overrides={"a": states, "b": states}).frame.iloc[0]
        assert ranked["null_deviation"] < 2
        assert ranked["note"] == "so sparse that G takes few values"


class TestReading:
    def test_a_table_has_the_labels_of_its_states(self):
        frame = plain_frame()
        expected = pd.crosstab(frame["a"], frame["c"])
        for chosen in (None, "c"):
            table = rank_pairs(frame, target=chosen).table("a", "c")
            pd.testing.assert_frame_equal(table, expected, check_column_type=False)
        turned = rank_pairs(frame, target="c").table("c", "a")
        pd.testing.assert_frame_equal(turned, expected.T, check_column_type=False)

    def test_a_table_given_a_column_is_that_of_all_strata(self):
        frame = plain_frame()
        table = rank_pairs(frame, given="d").table("a", "c")
        pd.testing.assert_frame_equal(
            table, pd.crosstab(frame["a"], frame["c"]), check_column_type=False
        )

    def test_tables_behind_rows_of_the_frame_have_their_scores(self):
        for chosen in ({}, {"target": "a"}, {"given": "d"}):
            ranked = rank_pairs(plain_frame(), **chosen)
            places = [len(ranked.frame) - 1, 0]
            for table, place in zip(ranked.tables(places), places, strict=True):
                score = standardized_information(
                    table, null="calibrated", centre="fisher"
                )
                assert score == pytest.approx(ranked.frame["score"][place])

    def test_what_became_of_the_columns_is_reported(self):
        ranked = rank_pairs(plain_frame().assign(k=1, x=np.linspace(0, 1, 200) ** 2))
        report = ranked.column_report().set_index("name")
        assert report["becomes"].to_dict() == {
            **dict.fromkeys("abcd", "states"),
            "k": "left out",
            "x": "bins",
        }
        assert "Column 'k': left out: constant." in ranked.notes


class TestErrors:
    def test_an_unknown_table_lists_the_columns(self):
        ranked = rank_pairs(plain_frame(), given="d")
        with pytest.raises(ValueError, match="'d' was not counted; there are 'a', 'b'"):
            ranked.table("a", "d")

    def test_a_table_without_the_target_was_not_counted(self):
        with pytest.raises(ValueError) as error:
            rank_pairs(plain_frame(), target="c").table("a", "b")
        assert str(error.value) == (
            "only pairs with the target 'c' were counted; got 'a' and 'b'"
        )

    @pytest.mark.parametrize(
        "option, sentence",
        [
            ({"measures": ["si", "r2"]}, "measure must be one of .*; got 'r2'"),
            ({"measures": "si"}, "measures must be a list of keys; got the text 'si'"),
            (
                {"null": "normal"},
                "null must be one of nominal, effective, calibrated, permutation; "
                "got 'normal'",
            ),
            ({"overrides": {"zz": {}}}, "there is no column 'zz' to choose for"),
            ({"bin_count": 1}, "bins must be a whole number of at least 2; got 1"),
        ],
    )
    def test_a_wrong_choice_is_named_with_the_right_ones(self, option, sentence):
        with pytest.raises(ValueError, match=sentence):
            rank_pairs(plain_frame(), **option)

    def test_a_wrong_null_or_measure_is_found_before_anything_is_read(self):
        for option in ({"null": "normal"}, {"measures": ["r2"]}):
            with pytest.raises(ValueError, match="must be one of"):
                rank_pairs("no such file.csv", **option)

    def test_of_too_many_states_the_largest_columns_are_left_out_and_named(
        self, monkeypatch
    ):
        monkeypatch.setattr("siviz.preparation.LARGEST_MATRIX", 11)
        ranked = rank_pairs(plain_frame())
        (left_out,) = (c for c in ranked.columns if c.kind == "left out")
        assert "may have 11 states, and this one has 4" in left_out.reason
        assert any(left_out.reason in note for note in ranked.notes)
        assert left_out.name not in {*ranked.frame["first"], *ranked.frame["second"]}
        assert len(rank_pairs(plain_frame(), target="a").frame) == 3


class TestProgress:
    def test_it_grows_from_0_to_1(self, monkeypatch):
        monkeypatch.setattr(ranking_frame, "_BATCH", 10)
        told = []
        rank_pairs(plain_frame(), progress=lambda done, what: told.append((done, what)))
        fractions = [done for done, _ in told]
        assert fractions == sorted(fractions)
        assert (fractions[0], fractions[-1]) == (0, 1)
        assert len(set(fractions)) > 6
        assert told[-1][1] == "comparing with independence"

    @pytest.mark.parametrize("when", [0.0, 0.4, 0.7, 1.0])
    def test_it_may_raise_to_stop(self, when):
        class StopHere(Exception):
            pass

        def stop(done, what):
            if done >= when:
                raise StopHere

        with pytest.raises(StopHere):
            rank_pairs(plain_frame(), progress=stop)


def noisy_draws(rate, draws, rng):
    """Tables of a real pair and of its columns with a column of 400 random values.

    60 rows; "b" is a copy of "a" with probability ``rate``, else random.
    """
    a, random = rng.integers(0, 3, (2, draws, 60))
    b = np.where(rng.random((draws, 60)) < rate, a, random)
    noise = rng.integers(0, 400, (draws, 60))
    tables = []
    for first, second, states in ((a, b, 3), (a, noise, 400), (b, noise, 400)):
        cell = (np.arange(draws)[:, None] * 3 + first) * states + second
        counts = np.bincount(cell.ravel(), minlength=draws * 3 * states)
        tables.append(counts.reshape(draws, 3, states))
    return (a, b, noise), tables


def share_first(tables):
    """How often each measure puts the first pair alone at the top."""
    values = [evaluate(counts) for counts in tables]
    shares = {}
    for key, measure in MEASURES.items():
        real, *noise = (measure.strength(value[key]) for value in values)
        shares[key] = float(np.mean(real > np.maximum(*noise)))
    return shares


def test_noise_with_many_states_does_not_win():
    """Of 200 draws, how often is the real pair first if it is copied with this rate?

    ===================  =====  =====  =====
    measure              .8     .5     .35
    ===================  =====  =====  =====
    si_calibrated        1      1      .99
    si                   1      .995   .945
    mi                   0      0      0
    mi_bc                1      .90    .435
    z_score              1      .995   .95
    nmi                  .985   .045   0
    ami                  1      1      .985
    p_value, log10_p     1      .995   .955
    log10_p_calibrated   1      1      .955
    aic, bic             1      1      1
    log_bayes_factor     1      .875   .56
    cramers_v            0      0      0
    cramers_v_corrected  1      .99    .97
    theils_u_columns     1      .42    .04
    theils_u_rows        0      0      0
    conditional_entropy  1      1      1
    ===================  =====  =====  =====

    AIC, BIC and the conditional entropy (of the noise, which is always the second of
    its pairs) punish many states, whether the dependence is real or not.
    """
    (a, b, noise), tables = noisy_draws(0.8, 200, np.random.default_rng(2006))
    shares = share_first(tables)
    assert shares["si_calibrated"] >= 0.95
    assert max(shares["mi"], shares["theils_u_rows"], shares["cramers_v"]) < 0.05
    # Weaker than that it still wins, where the uncorrected measures follow the noise.
    weaker = share_first(noisy_draws(0.5, 200, np.random.default_rng(2006))[1])
    assert weaker["si_calibrated"] >= 0.95
    assert max(weaker["nmi"], weaker["theils_u_columns"]) < 0.5
    for draw in range(5):
        frame = pd.DataFrame({"a": a[draw], "b": b[draw], "noise": noise[draw]})
        frame = frame.map(lambda code: f"s{code}")
        states = {"noise": {"kind": "states"}}
        first = rank_pairs(frame, overrides=states).frame.iloc[0]
        assert (first["first"], first["second"], first["rank"]) == ("a", "b", 1)
        left_out = rank_pairs(frame).columns[2]
        assert left_out.kind == "left out"
