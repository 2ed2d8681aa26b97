"""What the page of one pair shows, against scipy, the core and identities."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats.contingency import expected_freq

import siviz
from siviz.bin_studies import one_number_bins, two_numbers_bins
from siviz.charts import meanings, pair_bins, pair_null, pair_smoothed, strata
from siviz.charts.embedding import chart_spec
from siviz.charts.frame import picture
from siviz.charts.labels import markdown_name
from siviz.charts.pair import MOST_STATES, pair_figure, pair_frame, pair_verdict
from siviz.charts.table import VIEWS
from siviz.columns import Column
from siviz.datasets import load_dataset
from siviz.measures import MEASURES
from siviz.nulls import null_moments
from siviz.ranking import rank_pairs
from siviz.single_pair import SinglePair, count_pair, score_interval
from siviz.strata import Strata

PENGUINS = load_dataset("penguins").frame
RANKED = rank_pairs(PENGUINS)
BERKELEY = load_dataset("ucb_admissions")


def column(name, states):
    return Column(name, "states", "", tuple(map(str, states)))


def pair_of(counts, names=("a", "b")):
    counts = np.asarray(counts, dtype=float)
    cells = counts if counts.ndim == 3 else counts[None]
    rows, columns = cells.shape[1:]
    third = column("c", range(len(cells))) if counts.ndim == 3 else None
    sides = column(names[0], range(rows)), column(names[1], range(columns))
    return SinglePair(*sides, cells, third)


def counted(ranking, frame, *names, weights=None):
    by_name = {column.name: column for column in ranking.columns}
    return count_pair(frame, [by_name[name] for name in names], weights=weights)


def penguins(*names):
    return counted(RANKED, PENGUINS, *names)


def berkeley(*names):
    weights = BERKELEY.frame["count"]
    ranking = rank_pairs(BERKELEY.frame, weights="count")
    return counted(ranking, BERKELEY.frame, *names, weights=weights)


def noise(rows, columns, size, seed=1):
    shares = np.full(rows * columns, 1 / (rows * columns))
    drawn = np.random.default_rng(seed).multinomial(size, shares)
    return pair_of(drawn.reshape(rows, columns))


class TestCounts:
    @pytest.mark.parametrize("options", [{}, {"given": "island"}, {"target": "sex"}])
    def test_every_ranked_pair_has_the_table_of_the_ranking(self, options):
        ranking = rank_pairs(PENGUINS, **options)
        given = [options["given"]] if "given" in options else []
        for place, row in ranking.frame.iterrows():
            names = row["first"], row["second"]
            pair = counted(ranking, PENGUINS, *names, *given)
            (table,) = ranking.tables([place])
            assert np.array_equal(pair.cells, table.cells)

    def test_three_columns_are_counted_as_pandas_counts_them(self):
        pair = berkeley("gender", "admit", "dept")
        wanted = BERKELEY.frame.pivot_table(
            index=["dept", "gender"], columns="admit", values="count", aggfunc="sum"
        )
        assert np.array_equal(pair.cells.reshape(-1, 2), wanted.to_numpy())
        assert pair.sample_size == 4526

    def test_a_table_too_large_to_hold_is_refused_in_a_sentence(self):
        columns = [column(name, range(3000)) for name in "ab"]
        with pytest.raises(ValueError, match="3,000 × 3,000 cells, more than"):
            count_pair(pd.DataFrame({"a": [], "b": []}), columns)

    def test_merging_keeps_all_rows_and_the_order_of_what_stays(self):
        pair = noise(80, 3, 2000)
        shown = pair.shown(50)
        assert shown.counts.sum() == 2000
        assert shown.first.states[-1] == "(31 other states)"
        kept = [int(state) for state in shown.first.states[:-1]]
        assert kept == sorted(kept)
        assert np.array_equal(shown.counts[:-1], pair.counts[kept])
        rare = pair.counts.sum(axis=1)
        assert min(rare[kept]) >= max(np.delete(rare, kept))

    def test_states_that_never_occur_are_left_out(self):
        shown = pair_of([[1, 0, 2], [0, 0, 0]]).shown(50)
        assert shown.counts.tolist() == [[1, 2]]
        assert shown.second.states == ("0", "2")


class TestInterval:
    @pytest.mark.parametrize(
        "options", [{}, {"target": "sex"}, {"given": "island"}, {"null": "nominal"}]
    )
    def test_it_is_the_one_of_the_rankings_stability(self, options):
        ranking = rank_pairs(PENGUINS, **options)
        stability = ranking.stability(rng=0, draws=60)
        given = [options["given"]] if "given" in options else []
        for row in stability.iloc[[0, 2, -1]].itertuples():
            for names in ((row.first, row.second), (row.second, row.first)):
                pair = counted(ranking, PENGUINS, *names, *given)
                interval = score_interval(pair, ranking, rng=0, draws=60)
                assert interval == pytest.approx((row.low, row.high), rel=1e-12)


class TestTable:
    @given(
        st.lists(
            st.lists(st.integers(1, 50), min_size=3, max_size=3), min_size=2, max_size=5
        )
    )
    def test_residuals_and_shares_are_those_of_scipy(self, rows):
        counts = np.array(rows)
        frame = pair_frame(pair_of(counts))
        expected = expected_freq(counts)
        assert frame["expected"].to_numpy() == pytest.approx(expected.ravel())
        squares = (frame["residual"] ** 2).sum()
        assert squares == pytest.approx(
            stats.chi2_contingency(counts, correction=False).statistic, abs=1e-9
        )
        assert frame.groupby("row")["row_share"].sum().to_numpy() == pytest.approx(1)
        total = frame.groupby("column")["column_share"].sum().to_numpy()
        assert total == pytest.approx(1)
        margin = counts.sum(axis=1, keepdims=True)
        shares = (counts / margin).ravel()
        assert frame["row_share"].to_numpy() == pytest.approx(shares)

    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("size", [2, 30, 70])
    def test_every_view_can_be_drawn_from_small_to_large(self, view, size):
        figure = pair_figure(noise(size, size, 5000), view)
        assert chart_spec(figure.chart)["layer"]
        assert picture(figure.chart, "svg").startswith(b"<svg")
        assert figure.downloaded["row"].nunique() == min(size, MOST_STATES)

    def test_the_views_show_what_they_are_called(self):
        field = {
            view: chart_spec(pair_figure(noise(2, 2, 99), view).chart)["layer"][1][
                "encoding"
            ]["text"]["field"]
            for view in VIEWS
        }
        assert field == {
            "counts": "count",
            "residuals": "residual",
            "shares by row": "row_share",
            "shares by column": "column_share",
        }

    def test_the_sentence_names_the_cell_furthest_from_independence(self):
        pair = pair_of([[50, 10], [10, 11]], names=("sex", "answer"))
        told = pair_figure(pair, "counts").sentence.translate({0x2068: "", 0x2069: ""})
        expected = expected_freq([[50, 10], [10, 11]])[1, 1]
        assert "sex = 1 with answer = 1: 11 rows" in told
        assert f"{expected:.1f} would be expected" in told

    def test_what_names_hold_is_text_in_every_sentence(self):
        evil = "<b>*x*</b> $y$ :material/home: [z](http://a)"
        pair = pair_of([[50, 10], [10, 11]], names=(evil, "عربى"))
        told = pair_figure(pair, "counts").sentence
        for markup in ("<b>", "*x*", "$y$", "[z](", ":material"):
            assert markup not in told.replace("\\" + markup[0], "")
        assert "عربى" in told
        assert len(markdown_name("x" * 10_000)) < 40


class TestNull:
    def test_the_curves_are_densities_of_the_root_of_g(self):
        pair = penguins("species", "island")
        nulls = pair_null.pair_nulls(pair)
        # An axis that holds all of each null: the areas below the curves are 1.
        frame = pair_null.pair_null_frame(nulls, (0.0, 60.0))
        for label, rows in frame.groupby("null"):
            root = np.sqrt(rows["g"].to_numpy())
            if label == pair_null.RANDOM:
                area = (rows["density"] * (np.sqrt(rows["end"]) - root)).sum()
            else:
                area = np.trapezoid(rows["density"], root)
            assert area == pytest.approx(1, abs=0.01), label

    def test_theory_is_the_chi_squared_distribution(self):
        pair = noise(3, 4, 500)
        nulls = pair_null.pair_nulls(pair)
        frame = pair_null.pair_null_frame(nulls, (1.0, 20.0))
        rows = frame[frame["null"] == pair_null.LABELS["nominal"]]
        g = rows["g"].to_numpy()
        wanted = stats.chi2.pdf(g, 6) * 2 * np.sqrt(g)
        assert rows["density"].to_numpy() == pytest.approx(wanted)

    def test_permutations_agree_with_the_calibrated_moments(self):
        nulls = pair_null.pair_nulls(noise(6, 6, 80))
        assert nulls["permutation"].draws.size == 1000
        error = float(nulls["calibrated"].deviation) / np.sqrt(1000)
        difference = float(nulls["permutation"].mean - nulls["calibrated"].mean)
        assert abs(difference) < 4 * error

    def test_a_value_far_out_points_beyond_an_axis_that_fits_the_curves(self):
        pair = penguins("species", "flipper_length_mm")
        nulls = pair_null.pair_nulls(pair)
        g = float(siviz.likelihood_ratio(pair.table))
        domain = pair_null.null_domain(nulls, g)
        assert domain[1] < g / 5
        observed = pair_null.observed_frame(g, domain).iloc[0]
        assert observed["beyond"] == 1
        assert observed["place"] == domain[1]
        assert f"{g:,.1f}" in observed["label"]
        assert "→" in observed["label"]

    @given(st.floats(0, 1e6))
    def test_the_axis_holds_every_null_wherever_the_value_lies(self, g):
        nulls = {"nominal": siviz.Null(4.0, 8.0), "calibrated": siviz.Null(5.0, 9.0)}
        low, high = pair_null.null_domain(nulls, g)
        for null in nulls.values():
            assert low <= null.quantile(0.01)
            assert null.quantile(0.99) <= high
        # The null, between the 1 % points, has at least a quarter of the width.
        ends = np.sqrt([nulls["nominal"].quantile(q) for q in (0.01, 0.99)])
        assert np.diff(ends)[0] > 0.25 * (np.sqrt(high) - np.sqrt(low))
        label = pair_null.observed_frame(g, (low, high)).iloc[0]
        assert label["beyond"] == int(g > high) - int(g < low)

    def test_the_sentence_counts_the_random_tables_that_reach_g(self):
        pair = noise(3, 3, 60, seed=5)
        nulls = pair_null.pair_nulls(pair)
        g = float(siviz.likelihood_ratio(pair.table))
        reached = int((nulls["permutation"].draws >= g - 1e-6).sum())
        assert 0 < reached < 1000
        assert f"{reached:,} of them reach" in pair_null.pair_null_sentence(nulls, g)

    def test_large_tables_are_not_permuted_but_say_so(self):
        pair = noise(200, 200, 1000)
        nulls = pair_null.pair_nulls(pair)
        assert list(nulls) == ["nominal", "calibrated"]
        assert "too large" in pair_null.pair_null_figure(pair, nulls).sentence

    def test_two_by_two_tables_have_finite_curves(self):
        pair = noise(2, 2, 400)
        figure = pair_null.pair_null_figure(pair, pair_null.pair_nulls(pair))
        assert np.isfinite(figure.downloaded["density"].dropna()).all()
        assert picture(figure.chart, "svg").startswith(b"<svg")


class TestVerdict:
    def test_a_clear_dependence_and_noise_are_told_apart(self):
        assert "depend on each other" in pair_verdict(penguins("species", "island"))
        assert "chance alone often" in pair_verdict(noise(3, 3, 200, seed=3))

    def test_a_null_of_few_values_is_flagged_and_a_full_small_table_is_not(self):
        sparse = noise(30, 30, 30).shown(50)
        assert float(null_moments(sparse.table).deviation) < 2
        assert "With care" in pair_verdict(sparse)
        assert "With care" not in pair_verdict(noise(2, 2, 500))

    def test_tables_that_say_nothing_are_told_so(self):
        assert "only one state" in pair_verdict(pair_of([[3, 4]]))
        assert "no freedom" in pair_verdict(pair_of(np.eye(20)))


class TestMeanings:
    @pytest.mark.parametrize(
        "pair",
        [
            penguins("species", "flipper_length_mm"),
            berkeley("gender", "admit", "dept"),
            noise(3, 3, 60),
            noise(30, 30, 30),
            pair_of([[3, 4]]),
            pair_of(np.eye(20)),
            pair_of([[25, 25], [25, 25]]),
            pair_of(np.diag([1e6, 1e6, 1e6])),
        ],
        ids=["strong", "given", "noise", "sparse", "one", "identifier", "none", "all"],
    )
    def test_every_measure_has_its_value_and_one_sentence(self, pair):
        frame = meanings.meanings_frame(pair)
        assert frame["measure"].tolist() == [m.label for m in MEASURES.values()]
        for text in frame["means"]:
            assert text.endswith(".")
            assert "nan" not in text
            assert "inf" not in text

    def test_the_sentences_hold_the_numbers_of_the_core(self):
        pair = penguins("species", "island")
        told = dict(zip(MEASURES, meanings.meanings_frame(pair)["means"], strict=True))
        table = pair.table
        share = 100 * float(siviz.theils_u(table))
        assert f"removes {share:.3g} %" in told["theils_u_columns"]
        remaining = float(np.exp(siviz.conditional_entropy(table)))
        assert f"among {remaining:.3g} equally likely" in told["conditional_entropy"]
        bits = float(siviz.mutual_information(table)) / np.log(2)
        assert f"({bits:.3g} bits)" in told["mi"]
        z = float(siviz.information_z_score(table))
        assert f"{z:.3g} standard deviations above" in told["z_score"]

    def test_sentences_turn_with_the_sign(self):
        strong, weak = (
            dict(zip(MEASURES, meanings.meanings_frame(pair)["means"], strict=True))
            for pair in (penguins("species", "island"), pair_of([[25, 25], [25, 26]]))
        )
        for key in ("aic", "bic"):
            assert strong[key].startswith("Above 0")
            assert weak[key].startswith("Not above 0")
        assert "if the columns are dependent" in strong["log_bayes_factor"]
        assert "if the columns are independent" in weak["log_bayes_factor"]
        assert strong["si_calibrated"].startswith("Beyond")
        assert not weak["si_calibrated"].startswith("Beyond")

    def test_a_p_value_that_underflows_refers_to_its_logarithm(self):
        pair = pair_of(np.diag([1e4, 1e4, 1e4]))
        told = dict(zip(MEASURES, meanings.meanings_frame(pair)["means"], strict=True))
        assert "logarithm" in told["p_value"]
        assert "once in 10" in told["log10_p"]


class TestBins:
    def test_equal_frequency_at_the_pages_number_is_the_pages_score(self):
        names = "species", "flipper_length_mm"
        pair = penguins(*names)
        study = one_number_bins(PENGUINS, [pair.first, pair.second])
        at = dict(zip(study.bins, study.informations, strict=True))
        score = RANKED.frame.set_index(["first", "second"]).loc[names, "score"]
        assert at[5] == pytest.approx(score)
        for bins in (3, 8):
            other = rank_pairs(PENGUINS, bin_count=bins).frame
            wanted = other.set_index(["first", "second"]).loc[names, "score"]
            assert at[bins] == pytest.approx(wanted)

    def test_the_marked_choice_is_the_largest_of_the_fair_mergings(self):
        pair = penguins("flipper_length_mm", "species")
        study = one_number_bins(PENGUINS, [pair.first, pair.second])
        frame = pair_bins.one_number_frame(study)
        (chosen,) = frame[frame["fair"]].to_dict("records")
        fair = frame[frame["way"] == pair_bins.FAIR]
        assert chosen["information"] == fair["information"].max()
        figure = pair_bins.one_number_figure(pair, study, 17.27)
        assert f"fair choice is {chosen['bins']} bins" in figure.sentence
        assert picture(figure.chart, "svg").startswith(b"<svg")

    def test_two_numbers_mark_the_largest_cell(self):
        pair = penguins("body_mass_g", "flipper_length_mm")
        fair = two_numbers_bins(PENGUINS, [pair.first, pair.second])
        frame = pair_bins.two_numbers_frame(fair)
        (chosen,) = frame[frame["fair"]].to_dict("records")
        assert chosen["information"] == frame["information"].max()
        assert (chosen["rows"], chosen["columns"]) == (fair.row_bins, fair.column_bins)
        figure = pair_bins.two_numbers_figure(pair, fair, 15.8)
        assert f"{fair.row_bins} × {fair.column_bins} bins" in figure.sentence

    def test_noise_gets_the_fewest_bins_and_is_told_so(self):
        rng = np.random.default_rng(2)
        frame = pd.DataFrame(
            {"x": rng.normal(size=400), "c": rng.choice(list("uvw"), 400)}
        )
        columns = rank_pairs(frame).columns
        study = one_number_bins(frame, columns)
        assert study.fair.p_value > 0.05
        pair = count_pair(frame, columns)
        told = pair_bins.one_number_figure(pair, study, 0.0).sentence
        assert "no more than in random tables" in told

    def test_weights_count_rows_as_often_as_repeating_them(self):
        rng = np.random.default_rng(3)
        x = rng.normal(size=60)
        frame = pd.DataFrame({"x": x, "c": np.where(x + rng.normal(size=60) > 0, 1, 0)})
        frame["c"] = frame["c"].map({0: "no", 1: "yes"})
        weight = rng.integers(1, 4, 60)
        repeated = frame.loc[frame.index.repeat(weight)].reset_index(drop=True)
        columns = rank_pairs(repeated).columns
        one = one_number_bins(frame, columns, weights=weight)
        other = one_number_bins(repeated, columns)
        assert one.bins == other.bins
        assert one.informations == pytest.approx(other.informations)


class TestSmoothed:
    def test_cells_move_as_the_core_smooths_them(self):
        pair = penguins("species", "flipper_length_mm")
        size, sizes = pair_smoothed.pair_size(pair)
        assert size == sizes.exact
        n, total = pair.counts, pair.sample_size
        joint = np.log(np.maximum(n, 1) / total)
        log_ratio = joint - np.log(expected_freq(n) / total)
        smooth = (n + size / n.size) / (total + size)
        right = (n * log_ratio).sum() / total - (n.shape[0] - 1) * (
            n.shape[1] - 1
        ) / total
        assert (smooth * log_ratio).sum() == pytest.approx(right)  # Eq. 9
        raw, smoothed = pair_smoothed.pair_smoothed_figures(pair)
        cells = smoothed.downloaded
        wanted = (pair.counts + size / pair.counts.size) / (pair.sample_size + size)
        assert cells["smoothed"].to_numpy() == pytest.approx(wanted.ravel())
        assert raw.downloaded["raw"].sum() == pytest.approx(1)
        assert f"N′ = {size:,.4g}" in pair_smoothed.pair_smoothed_sentence(pair)

    def test_names_and_bins_are_those_of_the_data(self):
        chosen = [c for c in RANKED.columns if c.name in ("species", "body_mass_g")]
        pair = count_pair(PENGUINS, tuple(chosen))
        spec = pair_smoothed.pair_smoothed_figures(pair)[0].spec
        assert "body_mass_g" in json.dumps(spec["layer"][0]["encoding"])
        told = pair_smoothed.pair_smoothed_sentence(pair)
        assert "body\\_mass\\_g" in told
        assert "= ≥" not in told
        assert "= [" not in told

    def test_without_a_solution_the_reason_is_told(self):
        told = pair_smoothed.pair_smoothed_sentence(pair_of([[12, 8], [9, 11]]))
        assert "no solution" in told

    def test_large_tables_have_a_sentence_only(self):
        assert pair_smoothed.pair_smoothed_figures(noise(31, 31, 9000)) is None
        assert "cells" in pair_smoothed.pair_smoothed_sentence(noise(31, 31, 9000))


class TestStrata:
    def test_berkeley_reverses(self):
        study = Strata(berkeley("gender", "admit", "dept"))
        # Bickel, Hammel and O'Connell: overall odds ratio 1.84 for men, but the common
        # one of Mantel and Haenszel within departments is 0.90.
        (a, b), (c, d) = study.pair.counts
        assert (c * b) / (d * a) == pytest.approx(1.84, abs=0.01)
        cells, sizes = study.pair.cells, study.sizes
        up = (cells[:, 1, 0] * cells[:, 0, 1] / sizes).sum()
        down = (cells[:, 1, 1] * cells[:, 0, 0] / sizes).sum()
        assert up / down == pytest.approx(0.905, abs=0.001)
        assert study.direction_within == pytest.approx(-1)
        assert study.outcome == "reverses"
        assert study.together == pytest.approx(
            MEASURES["si_calibrated"](study.pair.counts)
        )
        wanted = siviz.conditional_table(np.moveaxis(cells, 0, -1))
        assert study.within == pytest.approx(MEASURES["si_calibrated"](wanted))
        odds = cells[:, 1, 0] * cells[:, 0, 1] / (cells[:, 1, 1] * cells[:, 0, 0])
        assert np.array_equal(study.directions < 0, odds < 1)
        told = strata.strata_sentence(study)
        assert f"in {int((odds < 1).sum())} of 6 states" in told
        assert "the direction reverses" in told

    @given(st.lists(st.lists(st.integers(1, 60), min_size=4, max_size=4), min_size=2))
    def test_in_two_by_two_tables_the_direction_is_that_of_the_odds_ratio(self, rows):
        cells = np.array(rows, dtype=float).reshape(-1, 2, 2)
        study = Strata(pair_of(cells))

        def sign(table):
            product = table[..., 0, 0] * table[..., 1, 1]
            return np.sign(product - table[..., 0, 1] * table[..., 1, 0])

        overall = sign(study.pair.counts)
        wanted = sign(cells) * overall
        got = np.nan_to_num(study.directions)
        assert got == pytest.approx(wanted)

    def test_the_outcomes_are_told_apart(self):
        same = np.array([[40, 10], [10, 40]], dtype=float)
        even = np.full((2, 2), 25.0)
        mixed = np.array([[[90, 10], [9, 1]], [[1, 9], [10, 90]]], dtype=float)
        cases = {
            "remains": np.stack([same, same]),
            "none": np.stack([even, even]),
            "appears": np.stack([same, same[::-1]]),
            "disappears": mixed,
        }
        for outcome, cells in cases.items():
            study = Strata(pair_of(cells))
            assert study.outcome == outcome
            assert strata.strata_sentence(study)

    def test_shares_are_those_of_the_tables(self):
        study = Strata(berkeley("gender", "admit", "dept"))
        frame = strata.shares_frame(study, "Admitted")
        share = frame.set_index(["stratum", "state"])["share"]
        assert share["A", "Female"] == 89 / 108
        assert share["A", "Male"] == 512 / 825
        assert share[strata.ALL_ROWS, "Male"] == 1198 / 2691
        told = strata.shares_figure(study, "Admitted").sentence
        assert "opposite in 4 of 6 states" in told

    def test_empty_strata_and_many_states_are_drawn_or_told(self):
        rng = np.random.default_rng(0)
        cells = rng.multinomial(4000, np.full(20 * 12, 1 / 240)).reshape(20, 12, 1)
        cells = np.concatenate([cells, cells[:, ::-1]], axis=2).astype(float)
        cells[3] = 0
        study = Strata(pair_of(cells)).occurring()
        assert len(study.sizes) == 19
        figure = strata.shares_figure(study, strata.telling_state(study))
        assert figure.downloaded["stratum"].nunique() == 1 + strata.MOST_STRATA
        assert "7 rarer states of the third column" in figure.sentence
        assert "5 rarer states of A" in figure.sentence
        assert len(strata.strata_table(study)) == 1 + strata.MOST_STRATA
        assert picture(figure.chart, "svg").startswith(b"<svg")
