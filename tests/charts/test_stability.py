"""Charts of intervals: places that tie, and the words about them."""

import pandas as pd
import pytest

from siviz import rank_pairs
from siviz.charts import ranking as charts
from siviz.charts.embedding import chart_spec
from siviz.charts.frame import picture
from siviz.charts.stability import stability_table
from siviz.datasets import load_dataset


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


@pytest.fixture(scope="module")
def intervals(penguins):
    return charts.ranking_frame(penguins, top=12, draws=60, rng=1)


def tiers(*numbers):
    return pd.DataFrame({"tier": numbers})


def test_the_places_of_a_tier_run_from_its_first_to_its_last_pair():
    shared = charts.tier_places(tiers(1, 1, 2, 3, 3, 3))
    assert shared.tolist() == ["1–2", "1–2", "3", "4–6", "4–6", "4–6"]


def test_only_the_first_pair_of_a_tie_bears_its_name(intervals):
    for tier, group in intervals.groupby("tier"):
        first, *others = group["tied"]
        assert others == [""] * len(others), tier
        assert bool(first) == (len(group) > 1)


def test_words_about_a_tie_stand_where_its_intervals_leave_most_room():
    frame = pd.DataFrame(
        {"tier": [1, 1, 2, 2, 3], "tied": ["one", "", "two", "", ""]}
        | {"low": [1.0, 0.0, 6.0, 2.0, 9.0], "high": [8.0, 4.0, 10.0, 9.0, 10.0]}
    )
    placed = charts._room(frame, "low", "high", 0.0, 10.0)
    assert placed["tied"].tolist() == ["", "one", "two", "", ""]
    assert placed["before"].tolist()[1:3] == [False, True]
    assert placed["room"].tolist()[1:3] == [0.6, 0.6]


def test_both_charts_are_valid_pictures(intervals):
    for chart in (charts.ranking_chart(intervals), charts.places_chart(intervals)):
        assert chart_spec(chart)["width"] == "container"
        assert picture(chart, "svg").startswith(b"<svg")


def test_the_table_is_that_of_the_core(penguins, intervals):
    table = stability_table(intervals)
    expected = penguins.stability(top=12, draws=60, rng=1)
    assert table["SI from"].tolist() == expected["low"].tolist()
    assert table["Place to"].tolist() == expected["rank_high"].tolist()


def test_the_sentence_names_who_shares_the_first_place(intervals):
    leaders = (intervals["tier"] == 1).sum()
    told = charts.stability_sentence(intervals, level=0.95, draws=60)
    assert "level 95 %, 60 resampled tables" in told
    assert ("clearly first" in told) == (leaders == 1)
    alone = intervals.assign(tier=range(1, 13))
    told = charts.stability_sentence(alone, level=0.95, draws=60)
    assert "**\u2068species\u2069 – " in told
    assert "is clearly first" in told
    assert "12 groups" in told


def test_resampling_reports_its_progress_and_can_be_split(penguins):
    shares = []
    scores = penguins.resampled_scores(top=4, draws=20, rng=3, progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]
    pd.testing.assert_frame_equal(
        penguins.stability_of(scores, level=0.9),
        penguins.stability(top=4, draws=20, level=0.9, rng=3),
    )


def test_an_error_in_progress_stops_the_work(penguins):
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        penguins.resampled_scores(top=4, draws=20, rng=3, progress=stop)
