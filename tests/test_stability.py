"""Intervals hold what they promise; pairs that cannot be told apart share a tier."""

import numpy as np
import pandas as pd
import pytest

from siviz import Table, conditional_table, likelihood_ratio, null_moments, rank_pairs
from siviz import stability as module
from siviz.stability import resample_scores, stability_frame
from siviz.standardized import standardized_information


def mixed(states, share):
    """A distribution between independence (share 0) and a copy (share 1)."""
    return (1 - share) / states**2 + share * np.eye(states) / states


def coverage(probability, size, null, rng, *, samples=200, draws=200):
    """Share of samples whose 95 % interval holds the expected score."""
    centre = "fisher" if null == "calibrated" else "mean"
    counts = rng.multinomial(size, probability.ravel(), size=4000)
    tables = counts.reshape(-1, *probability.shape)
    scores = standardized_information(tables, null=null, centre=centre)
    held = []
    for counts in tables[:samples]:
        sample = resample_scores(
            Table(counts), draws=draws, null=null, centre=centre, rng=rng
        )
        low, high = np.quantile(sample, [0.025, 0.975])
        held.append(low <= scores.mean() <= high)
    return np.mean(held)


class TestIntervals:
    # In the comments: the share of 1,000 other samples (600 for the last).
    @pytest.mark.parametrize(
        "states, share, size, null",
        [
            (3, 0.0, 200, "calibrated"),  # .983
            (3, 0.15, 200, "calibrated"),  # .916
            (3, 0.6, 200, "calibrated"),  # .926
            (4, 0.4, 1000, "nominal"),  # .951
            (8, 0.4, 100, "calibrated"),  # .897
            (8, 0.8, 100, "calibrated"),  # .918
        ],
    )
    def test_they_hold_the_expected_score_about_as_often_as_they_say(
        self, states, share, size, null
    ):
        rng = np.random.default_rng([states, size, int(100 * share)])
        held = coverage(mixed(states, share), size, null, rng)
        assert 0.88 <= held <= 0.995

    def test_draws_have_the_observed_score_as_their_mean(self):
        table = Table([[30, 10, 4], [8, 25, 9]])
        for null, centre in (("calibrated", "fisher"), ("nominal", "mean")):
            score = standardized_information(table, null=null, centre=centre)
            draws = resample_scores(
                table,
                draws=50,
                null=null,
                centre=centre,
                rng=np.random.default_rng(0),
            )
            assert draws.shape == (50,)
            assert draws.mean() == pytest.approx(score)

    def test_tables_are_drawn_from_what_is_left_without_the_nulls_share(self):
        table = Table([[30, 10, 4], [8, 25, 9]])
        shrunk = module._shrunk(table, "calibrated")
        np.testing.assert_allclose(shrunk.sum(axis=-1), table.row_totals)
        np.testing.assert_allclose(shrunk.sum(axis=-2), table.column_totals)
        excess = likelihood_ratio(table) - null_moments(table).mean
        left = 2 * (shrunk * np.log(shrunk / table.expected)).sum()
        assert left == pytest.approx(float(excess), rel=1e-6)

    def test_without_any_excess_tables_are_drawn_from_independence(self):
        table = Table([[10, 11], [20, 21]])
        np.testing.assert_array_equal(
            module._shrunk(table, "calibrated"), table.expected
        )

    def test_the_strata_of_a_conditional_table_are_drawn_together(self):
        rng = np.random.default_rng(1)
        table = conditional_table(rng.integers(0, 30, (3, 3, 2)))
        draws = resample_scores(
            table, draws=200, null="calibrated", centre="fisher", rng=rng
        )
        assert 0.4 < draws.std() < 1.2

    def test_large_tables_are_drawn_in_parts_with_the_same_result(self, monkeypatch):
        table = Table(np.random.default_rng(0).integers(0, 9, (4, 5)))

        def draw():
            return resample_scores(
                table,
                draws=30,
                null="calibrated",
                centre="fisher",
                rng=np.random.default_rng(3),
            )

        whole = draw()
        monkeypatch.setattr(module, "_BATCH", 100)
        np.testing.assert_allclose(draw(), whole, rtol=1e-12)


def data(seed=0, size=400):
    """Two clearly different dependences, copies of one, and noise."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, size)

    def copy(rate):
        return np.where(rng.random(size) < rate, a, rng.integers(0, 3, size))

    b = copy(0.9)
    frame = pd.DataFrame({"a": a, "b": b, "weak": copy(0.35), "noise": copy(0)})
    return frame.map(lambda code: f"s{code}")


class TestFrame:
    def test_it_has_the_documented_columns_in_the_order_of_the_ranking(self):
        ranked = rank_pairs(data())
        result = ranked.stability(rng=0, draws=50)
        assert list(result.columns) == [
            *("rank", "first", "second", "score", "low", "high"),
            *("rank_low", "rank_high", "tier"),
        ]
        for name in ("rank", "first", "second", "score"):
            assert result[name].tolist() == ranked.frame[name].tolist()
        assert (result["low"] <= result["score"]).all()
        assert (result["score"] <= result["high"]).all()
        assert (result["rank_low"] <= result["rank_high"]).all()
        assert result["rank_low"].min() == 1
        assert result["rank_high"].max() == 6
        assert result["tier"].is_monotonic_increasing

    def test_a_seed_makes_it_reproducible(self):
        ranked = rank_pairs(data())
        one, other = (ranked.stability(rng=5, draws=50) for _ in range(2))
        pd.testing.assert_frame_equal(one, other)
        third = ranked.stability(rng=np.random.default_rng(6), draws=50)
        assert not one["low"].equals(third["low"])

    @pytest.mark.parametrize("top, expected", [(1, 1), (4, 4), (50, 6)])
    def test_only_the_strongest_are_resampled(self, top, expected):
        assert len(rank_pairs(data()).stability(top=top, draws=10)) == expected

    def test_a_wider_level_gives_wider_intervals(self):
        ranked = rank_pairs(data())
        narrow = ranked.stability(level=0.5, draws=100, rng=0)
        wide = ranked.stability(level=0.99, draws=100, rng=0)
        assert (wide["high"] - wide["low"] > narrow["high"] - narrow["low"]).all()
        assert (wide["tier"] <= narrow["tier"]).all()

    @pytest.mark.parametrize("options", [{"null": "permutation", "rng": 0}, {}])
    @pytest.mark.parametrize("roles", [{"given": "noise"}, {"target": "a"}])
    def test_it_works_for_every_null_target_and_stratum(self, options, roles):
        result = rank_pairs(data(), **options, **roles).stability(draws=20, rng=0)
        assert np.isfinite(result[["low", "high"]]).all(axis=None)

    @pytest.mark.parametrize(
        "options, sentence",
        [
            ({"level": 0}, "level must lie between 0 and 1; got 0"),
            ({"level": 1.0}, "level must lie between 0 and 1; got 1.0"),
            ({"level": np.nan}, "level must lie between 0 and 1; got nan"),
            ({"draws": 1}, "draws must be at least 2, top 1; got 1 and 50"),
            ({"top": 0}, "draws must be at least 2, top 1; got 400 and 0"),
        ],
    )
    def test_wrong_options_are_named(self, options, sentence):
        with pytest.raises(ValueError) as error:
            rank_pairs(data()).stability(**options)
        assert str(error.value) == sentence


class TestTiers:
    def test_equal_pairs_are_one_tier_and_clearly_different_ones_are_not(self):
        frame = data()
        frame["b2"] = frame["b"]
        result = rank_pairs(frame, target="a").stability(rng=0)
        tier = dict(zip(result["first"], result["tier"], strict=True))
        assert tier == {"b": 1, "b2": 1, "weak": 2, "noise": 3}
        place = result.set_index("first")[["rank_low", "rank_high"]]
        assert place.loc["b"].tolist() == place.loc["b2"].tolist() == [1, 2]
        assert place.loc["weak"].tolist() == [3, 3]

    def test_samples_of_one_distribution_rarely_part(self):
        # At the 95 % level a tier is split wrongly for about 1 pair of 40.
        parted = 0
        rng = np.random.default_rng(4)
        for _ in range(40):
            counts = rng.multinomial(300, mixed(3, 0.5).ravel(), size=2)
            draws = [
                resample_scores(
                    Table(n.reshape(3, 3)),
                    draws=200,
                    null="calibrated",
                    centre="fisher",
                    rng=rng,
                )
                for n in counts
            ]
            draws.sort(key=lambda scores: -scores.mean())
            means = np.array([scores.mean() for scores in draws])
            frame = stability_frame(means, np.array(draws), level=0.95)
            parted += frame["tier"].max() > 1
        assert parted <= 6

    def test_scores_that_never_differ_share_their_places(self):
        draws = np.array([[5.0, 6.0, 7.0], [0, 0, 0], [0, 0, 0]])
        frame = stability_frame(np.array([6.0, 0, 0]), draws, level=0.9)
        assert frame["rank_low"].tolist() == [1, 2, 2]
        assert frame["rank_high"].tolist() == [1, 3, 3]
        assert frame["tier"].tolist() == [1, 2, 2]

    def test_a_tier_is_told_from_its_first_pair(self):
        # Each overlaps with its neighbour, but the third not with the first.
        noise = np.linspace(-1, 1, 101)
        draws = np.array([1.5 + noise, 0.7 - noise, -0.6 + noise])
        frame = stability_frame(np.array([1.5, 0.7, -0.6]), draws, level=0.95)
        assert frame["tier"].tolist() == [1, 1, 2]
